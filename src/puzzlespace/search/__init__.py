"""Searches over any space."""
