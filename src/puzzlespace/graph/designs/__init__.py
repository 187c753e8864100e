"""Layouts with open pieces: a number for every packing, its distance to the goal, and the hardest starts."""
