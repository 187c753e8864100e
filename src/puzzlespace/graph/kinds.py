"""What each position of a graph means for a player: whether a goal can still be reached from it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .positions import Graph

OPEN, WON, DEAD, STUCK = range(4)
"""A goal can be reached; it is one; none can be reached; none can, but one could be before a move that leads there."""


def kinds(graph: Graph, goals: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return uint8 [n]: OPEN, WON, DEAD or STUCK for each position of a complete graph; `goals` are numbers."""
    dead = graph.distances(goals) < 0
    found = np.where(dead, DEAD, OPEN).astype(np.uint8)
    found[np.asarray(goals, np.int64)] = WON
    origins = np.repeat(np.arange(len(graph)), np.diff(graph.starts))
    found[graph.targets[~dead[origins] & dead[graph.targets]]] = STUCK
    return found


def joined(links: Sequence[Sequence[int]] | np.ndarray, layers: Sequence[int]) -> Graph:
    """Return the graph of positions that have numbers only.

    links   for each position the numbers of the positions after its moves; a negative number is no move
    layers  how many positions each layer has
    """
    table = np.asarray(links, np.int64).reshape(sum(layers), -1)
    origins = np.repeat(np.arange(len(table), dtype=np.int64), table.shape[1])
    ends = table.ravel()
    pairs = np.unique((origins * len(table) + ends)[ends >= 0])
    starts = np.searchsorted(pairs, np.arange(len(table) + 1, dtype=np.int64) * len(table))
    depth = np.repeat(np.arange(len(layers), dtype=np.int32), layers)
    return Graph(
        np.empty((len(table), 0), np.uint8), depth, starts.astype(np.int64), (pairs % len(table)).astype(np.int32), True
    )
