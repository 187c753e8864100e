"""Lay out a graph in three dimensions: pivot multidimensional scaling, refined by stress minimisation.

The matrix of squared distances from all nodes to a few pivots is double-centred; its first singular vectors are the
coordinates (Brandes and Pich, "Eigensolver methods for progressive multidimensional scaling of large data", 2007). The
refinement brings edges to length 1, and pairs of node and pivot to their distance in the graph.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels.graph.stress import relax, spread_from_pivots
from ..limits.watch import checkpoint, paced
from .positions import Graph

PIVOTS = 50
"""The most pivots; large graphs get fewer, so that the work is almost linear."""

WORK = 4_000_000
"""The most pairs of node and pivot."""

ROUNDS = 12
"""The most rounds of the refinement; large graphs get fewer."""

FIRST_RATE, LAST_RATE = 30.0, 0.02
"""The rates of the first and the last round of the refinement, see `kernels.graph.stress.relax`."""


@dataclass(frozen=True)
class Layout:
    """The places of nodes, about 1 apart along edges: float32 [n, 3]; in `layers`, depth is the height."""

    space: np.ndarray
    layers: np.ndarray


def lay_out(graph: Graph, depth: np.ndarray) -> Layout:
    """Return both layouts of a connected graph; `depth` int32 [n] is the height of the second.

    Raises LimitError if a limit of the ambient watch is exceeded.
    """
    starts, targets = graph.either
    pivots, found = _pivots(starts, targets)
    checkpoint()
    space = _scaled(found)
    rates = _rates(len(space), len(pivots))
    for rate in paced(rates):
        relax(starts, targets, pivots, found, space, np.array([rate]), 0)
    space -= space.mean(axis=0)
    layers = _layered(space, depth)
    for rate in paced(rates[len(rates) // 2 :]):
        relax(starts, targets, pivots, found, layers, np.array([rate]), 1)
    layers[:, 1:] -= layers[:, 1:].mean(axis=0)
    return Layout(_turned(space), np.ascontiguousarray(layers[:, [1, 0, 2]]))


def _pivots(starts: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return pivots far from each other, and int32 [pivots, n] distances from them."""
    nodes = len(starts) - 1
    count = min(nodes, max(4, min(PIVOTS, WORK // nodes)))
    pivots = np.zeros(count, np.int64)
    found = np.empty((count, nodes), np.int32)
    spread_from_pivots(starts, targets, pivots, found, np.empty(nodes, np.int32), np.empty(nodes, np.int32))
    return pivots, found


def _scaled(found: np.ndarray) -> np.ndarray:
    """Return float32 [n, 3] by pivot multidimensional scaling."""
    squares = found.astype(np.float64).T ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1, keepdims=True) + squares.mean()
    _, vectors = np.linalg.eigh(centred.T @ centred)
    space = np.zeros((len(centred), 3))
    best = vectors[:, ::-1][:, :3]
    space[:, : best.shape[1]] = -centred @ best / 2
    # scale such that the mean distance from the first pivot is right; a little noise separates coincident nodes
    length = np.linalg.norm(space - space[0], axis=1).sum()
    space *= found[0].sum() / length if length else 1.0
    noise = np.random.default_rng(2026).normal(0.0, 0.05, space.shape)
    return (space + noise).astype(np.float32)


def _rates(nodes: int, pivots: int) -> np.ndarray:
    rounds = max(4, min(ROUNDS, 4 * WORK // max(1, nodes * pivots)))
    return np.geomspace(FIRST_RATE, LAST_RATE, rounds).astype(np.float32)


def _layered(space: np.ndarray, depth: np.ndarray) -> np.ndarray:
    """Return the nodes with depth as first coordinate and the best plane orthogonal to it as the others.

    Positions that cannot reach the goal get the height of two layers beyond the deepest.
    """
    height = np.where(depth < 0, depth.max(initial=0) + 2, depth).astype(np.float64)
    height -= height.mean()
    weight = float(height @ height)
    rest = space - np.outer(height, height @ space / weight) if weight else space.astype(np.float64)
    _, vectors = np.linalg.eigh(rest.T @ rest)
    flat = rest @ vectors[:, ::-1][:, :2]
    return np.column_stack([height, flat]).astype(np.float32)


def _turned(space: np.ndarray) -> np.ndarray:
    """Return the layout rotated such that its widest direction is horizontal and the next one vertical."""
    _, vectors = np.linalg.eigh(space.T.astype(np.float64) @ space)
    return np.ascontiguousarray(space @ vectors[:, ::-1].astype(np.float32))
