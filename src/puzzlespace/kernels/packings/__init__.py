"""Kernels for packings: all ways to lay pieces on a board, their ranks, and their distances to a goal."""
