"""Where a player gets stuck, in all positions of a level: moves walked backward from the wins, in compiled loops."""

from __future__ import annotations

import numpy as np

from ..kernels.games import dead as kernels
from ..limits.watch import Watch
from .compiled import MOST_AT_ONCE, PackedPositions, in_parts


def stuck(store: PackedPositions, watch: Watch) -> tuple[int, np.ndarray, np.ndarray]:
    """Return how many positions are dead, which are traps, and from where each position was found first.

    A trap is a dead position to which a move leads from a position that is not dead.
    """
    total, links = store.found, store.links
    watch.reserve(8 * total + 4 * total * links.shape[1] + 10 * total)
    offsets = np.zeros(total + 1, np.int64)
    in_parts(watch, total, lambda first, end: kernels.counted_links(links, first, end, offsets))
    in_parts(watch, total + 1, lambda first, end: kernels.summed(offsets, first, end))
    sources = np.empty(int(offsets[-1]), np.int32)
    in_parts(watch, total, lambda first, end: kernels.sorted_links(links, first, end, offsets, sources))
    alive, waiting = np.zeros(total, np.bool_), np.empty(total, np.int32)
    wins = store.won(0, total)
    alive[wins], waiting[: len(wins)] = True, wins
    state = np.array([len(wins)], np.int64)
    while kernels.walked_back(offsets, sources, alive, waiting, state, MOST_AT_ONCE):
        watch.glance()
    traps = np.zeros(total, np.bool_)
    in_parts(watch, total, lambda first, end: kernels.trapped(links, alive, first, end, traps))
    parents = np.full(total, kernels.NONE, np.int32)
    in_parts(watch, total, lambda first, end: kernels.first_parents(links, first, end, parents))
    return total - int(alive.sum()), np.flatnonzero(traps), parents
