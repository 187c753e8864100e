"""Kernels that lay out graphs."""
