"""How many numbers vector instructions process at once."""

SUMS = 4
"""Sums of 64 bits that are added together."""

WORDS = 8
"""Words of 64 bits in a cache line."""
