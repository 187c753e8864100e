"""Kernels on packed positions."""
