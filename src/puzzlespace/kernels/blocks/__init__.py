"""Loops for sliding blocks."""
