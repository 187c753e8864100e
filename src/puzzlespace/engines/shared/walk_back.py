"""From the parents of positions to all positions on shortest ways."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

EVERY = 4096
"""Limits are looked at once in so many generated positions."""


def walk_back(parents: dict[Hashable, list[Any]], reached: list[Any], depth: int) -> tuple[frozenset[Hashable], ...]:
    """Return the ancestors of `reached` by distance from the start, `reached` itself last."""
    layers = [frozenset(reached)]
    for _ in range(depth):
        layers.append(frozenset(parent for position in layers[-1] for parent in parents[position]))
    return tuple(reversed(layers))
