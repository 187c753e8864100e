"""Kernels on the bits of depth tables."""
