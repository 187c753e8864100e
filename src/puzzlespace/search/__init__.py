"""Searches that any encoding of positions can be given to: `layers` is the one driver of breadth-first layers."""
