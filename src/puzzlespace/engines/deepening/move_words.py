"""Redundant sequences of listed moves as an automaton, for `kernels.deepening.idastar_pieces` and `idastar_adjacency`.

A *word* is a sequence of moves. Of all words with the same effect only the first one is followed, shorter ones before
longer ones, then in the order of the moves; the others are redundant, and so is every word that contains one (L. Taylor
and R. Korf, Pruning duplicate nodes in depth-first search, AAAI 1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from .pruning import Word, barring

MOST_WORDS = 1 << 15
"""Words that are tested; of each length all words are tested, or none."""

MOST_STATES = 1 << 15
"""About the most states of the automaton, so that a search finds it in the second cache."""

BYTES = 256
"""The most items on which effects are compared: an effect is a string of bytes."""


def automaton(acts: np.ndarray, every: bool) -> np.ndarray:
    """Return the state after each move, -1 if it may not follow: int32 [states, moves]; state 0: the start.

    acts   [moves, rows, items]: moves as permutations of the items of each row; rows that no move tells apart are
           compared once
    every  whether all shortest solutions are wanted: then only words that have the effect of a shorter one are barred
    """
    return _automaton(acts.astype(np.uint16).tobytes(), acts.shape, every)


@lru_cache(maxsize=8)
def _automaton(content: bytes, shape: tuple[int, int, int], every: bool) -> np.ndarray:
    acts = np.frombuffer(content, np.uint16).reshape(shape)
    rows = np.unique(acts.transpose(1, 0, 2), axis=0).astype(np.int64)
    begin = np.arange(len(rows))[:, None, None] * shape[2]
    moves = [act.reshape(-1) for act in (rows + begin).transpose(1, 0, 2)]
    words = _redundant(moves, every)
    states = barring([dict.fromkeys(range(len(moves)), 0)], 1, words)
    found = np.full((len(states), len(moves)), -1, np.int32)
    for state, after in enumerate(states):
        found[state, list(after)] = list(after.values())
    return found


def _redundant(moves: Sequence[np.ndarray], every: bool) -> list[Word]:
    """Return the redundant words that are found and contain no shorter one."""
    items = len(moves[0])
    kind, longest = (np.uint8, None) if items <= BYTES else (np.uint16, 2)
    same = np.arange(items, dtype=kind)
    shorter = {same.tobytes()}
    layer: list[tuple[Word, np.ndarray]] = [((), same)]
    alive: set[Word] = {()}
    found: list[Word] = []
    tested, prefixes, length = 0, 0, 0
    while layer and length != longest:
        length += 1
        tested += len(layer) * len(moves)
        if length > 2 and (tested > MOST_WORDS or prefixes > MOST_STATES):
            break
        following: list[tuple[Word, np.ndarray]] = []
        reached: set[bytes] = set()
        for word, effect in layer:
            for move, act in enumerate(moves):
                longer = (*word, move)
                if longer[1:] not in alive:
                    continue
                after = act[effect].astype(kind)
                content = after.tobytes()
                if content in shorter or (not every and content in reached):
                    found.append(longer)
                    prefixes += length - 1
                else:
                    reached.add(content)
                    following.append((longer, after))
        shorter |= reached
        layer, alive = following, {word for word, _ in following}
    return found
