"""Turns of PuzzleScript games."""
