"""Positions packed into machine words, and layers of them."""
