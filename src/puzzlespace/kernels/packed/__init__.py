"""Loops over packed positions."""
