"""Loops for peg solitaire."""
