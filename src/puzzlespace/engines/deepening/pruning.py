"""Redundant move sequences as an automaton: a search looks up one state for each link that it uses.

A *word* is a sequence of links. Two words that move all pieces alike lead from any position to the same one. Only the
first of such words (shorter ones before longer ones) is followed; the others are redundant. The first of all shortest
solutions contains no redundant word, because replacing it would give an earlier solution (Taylor & Korf 1993, Pruning
duplicate nodes in depth-first search, AAAI). The words here are those of one blank among pieces of one cell; a block
can be an obstacle to the blank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

Word = tuple[int, ...]

Ways = tuple[np.ndarray, np.ndarray]
"""An automaton (`ways` of `kernels.deepening.idastar_sums`): the links of each state, each with the state after it."""


def shortest(links: np.ndarray, cells: int, most: int, free: bool) -> Ways:
    """Return the automaton that bars the redundant words that are found; see `automaton`.

    most  words that are tested; if it is 0, only the link that undoes the last one is barred
    free  whether no piece is ever an obstacle to the blank
    """
    undoing = [(link, int(back)) for link, back in enumerate(links[:, 2])]
    longer = (word for word in redundant(links, cells, most, free) if len(word) > 2) if most else ()
    return automaton(links, cells, [*undoing, *longer])


def redundant(links: np.ndarray, cells: int, most: int, free: bool) -> Iterator[Word]:
    """Yield the redundant words that contain no shorter one; of links for pieces of one cell.

    links  the array `links` of `kernels.deepening.idastar_sums`
    most   words that are tested; of each length all words are tested, or none
    free   whether no piece is ever an obstacle to the blank. If not, a word is redundant only if an earlier one visits
           none but its cells: whenever nothing obstructs the word, nothing obstructs the earlier one
    """
    ways = _ways(links, cells, alone=True)
    empty = bytes(range(cells))
    seen = [{empty: [0]} for _ in range(cells)]
    layer: list[tuple[Word, int, int, bytes, int]] = [((), cell, cell, empty, 0) for cell in range(cells)]
    total = 0
    alive: set[Word] = {()}
    while layer and (total := total + 2 * len(layer)) <= most:
        following = []
        for word, origin, blank, pieces, visited in layer:
            for link, end in ways[blank]:
                longer = (*word, link)
                if longer[1:] not in alive:
                    continue
                moved = bytearray(pieces)
                moved[blank], moved[end] = pieces[end], pieces[blank]
                after, cover = bytes(moved), visited | 1 << end
                others = seen[origin].setdefault(after, [])
                if (others and free) or any(not other & ~cover for other in others):
                    yield longer
                else:
                    others.append(cover)
                    following.append((longer, origin, end, after, cover))
        layer, alive = following, {word for word, *_ in following}


def automaton(links: np.ndarray, cells: int, barred: list[Word]) -> Ways:
    """Return the automaton that bars words (Aho & Corasick 1975, Efficient string matching, CACM 18).

    State c: a start with the blank in cell c. State cells + l: a start that link l led to; that link is not undone.
    """
    roots = [dict(ways) for ways in _ways(links, cells, alone=False)]
    after = barring(roots, cells + len(links), barred)
    for link, (_, end, back) in enumerate(links[:, :3].tolist()):
        after[cells + link] = {other: state for other, state in after[end].items() if other != back}
    first = np.cumsum([0, *map(len, after)], dtype=np.uint32)
    kids = [kid for row in after for kid in sorted(row.items(), reverse=True)]
    return first, np.array(kids, np.uint32).reshape(-1, 2)


def barring(roots: list[dict[int, int]], first: int, barred: Sequence[Word]) -> list[dict[int, int]]:
    """Return for each state the links that may follow, each with the state after it (Aho & Corasick 1975).

    roots  the same for the first states, without barred words
    first  the number of the first state that stands for a part of a barred word; those between are left without links
    """
    prefixes = sorted({word[:size] for word in barred for size in range(1, len(word))}, key=lambda w: (len(w), w))
    state_of = {word: first + number for number, word in enumerate(prefixes)}
    whole = set(barred)
    after: list[dict[int, int]] = [{} for _ in range(first + len(prefixes))]
    fallback: dict[int, int] = {}
    for word, root in [((), root) for root in range(len(roots))] + [(word, -1) for word in prefixes]:
        state = state_of[word] if word else root
        known = after[fallback[state]] if word else roots[root]
        for link, other in known.items():
            longer = (*word, link)
            if longer not in whole:
                after[state][link] = state_of.get(longer, other)
                if longer in state_of:
                    fallback[state_of[longer]] = other
    return after


def _ways(links: np.ndarray, cells: int, alone: bool) -> list[list[tuple[int, int]]]:
    """Return for each cell of the blank its links as (number, cell that the blank goes to).

    alone  only the links for pieces of one cell
    """
    ways: list[list[tuple[int, int]]] = [[] for _ in range(cells)]
    for link, (b, a, _, _, edits) in enumerate(links.tolist()):
        if not edits or not alone:
            ways[b].append((link, a))
    return ways
