"""Positions packed into machine words, and breadth-first layers of them."""
