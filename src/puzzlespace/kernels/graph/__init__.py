"""Loops that lay out graphs."""
