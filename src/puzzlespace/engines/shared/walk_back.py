"""Collect all positions on shortest solutions from the parents of positions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any


def walk_back(
    parents: Mapping[Hashable, list[Any]], reached: Iterable[Any], depth: int
) -> tuple[frozenset[Hashable], ...]:
    """Return the ancestors of `reached` by distance from the start, `reached` itself, at `depth`, last."""
    layers = [frozenset(reached)]
    for _ in range(depth):
        layers.append(frozenset(parent for position in layers[-1] for parent in parents[position]))
    return tuple(reversed(layers))
