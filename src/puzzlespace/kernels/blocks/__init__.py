"""Kernels for sliding blocks."""
