"""What layers of pegs store for each position, and how large classes can be."""

from __future__ import annotations

SET, COUNT, CHAIN = 0, 1, 2
"""The values of positions in a layer: none, numbers of paths, or fewest moves (`kernels/pegs/layers.py`)."""

MOST_FREE = 34
"""Classes of at most 2^MOST_FREE positions are searched with one bit per position (2 GB)."""
