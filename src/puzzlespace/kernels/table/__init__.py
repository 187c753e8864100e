"""Loops over the bits of depth tables."""
