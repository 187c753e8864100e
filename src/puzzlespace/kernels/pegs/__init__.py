"""Kernels for peg solitaire."""
