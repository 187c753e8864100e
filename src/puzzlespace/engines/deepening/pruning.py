"""Words of links that need not be followed, as an automaton: a search looks up one state for each link it uses.

Two words of links that move all pieces alike lead to the same position from any. Of such words only the first in
order, shorter ones before longer ones, needs to be followed: the first of all shortest ways to a goal holds no other
word, as that could be replaced by one before it (Taylor & Korf 1993, Pruning duplicate nodes in depth-first search,
AAAI). The words are those of one blank that any piece of one cell makes room for; blocks stand in its way.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

Word = tuple[int, ...]

Ways = tuple[np.ndarray, np.ndarray]
"""An automaton (`ways` of `kernels.deepening.idastar_sums`): the links of each state, each with the state after it."""


def shortest(links: np.ndarray, cells: int, most: int, free: bool) -> Ways:
    """Return the automaton that bars words which an earlier one replaces, of as many as there are; see `automaton`.

    most  words that are looked through; 0 where only the link that undoes the last one is barred
    free  whether nothing stands in the way of the blank on any cell
    """
    undoing = [(link, int(back)) for link, back in enumerate(links[:, 2])]
    longer = (word for word in replaced(links, cells, most, free) if len(word) > 2) if most else ()
    return automaton(links, cells, [*undoing, *longer])


def replaced(links: np.ndarray, cells: int, most: int, free: bool) -> Iterator[Word]:
    """Yield the words that an earlier one replaces and that hold no shorter such word; of links for pieces of one cell.

    links  the arrays `links` of `kernels.deepening.idastar_sums`
    most   words that are looked through; all words of a length or none are
    free   whether nothing stands in the way of the blank on any cell; else a word replaces one that comes to the same
           cells, or more: where nothing is in the way of that one, nothing is in its own
    """
    ways = _ways(links, cells, alone=True)
    empty = bytes(range(cells))
    seen = [{empty: [0]} for _ in range(cells)]
    layer: list[tuple[Word, int, int, bytes, int]] = [((), cell, cell, empty, 0) for cell in range(cells)]
    total = 0
    alive: set[Word] = {()}
    while layer and (total := total + 2 * len(layer)) <= most:
        following = []
        for word, origin, blank, pieces, been in layer:
            for link, end in ways[blank]:
                longer = (*word, link)
                if longer[1:] not in alive:
                    continue
                moved = bytearray(pieces)
                moved[blank], moved[end] = pieces[end], pieces[blank]
                after, cover = bytes(moved), been | 1 << end
                others = seen[origin].setdefault(after, [])
                if (others and free) or any(not other & ~cover for other in others):
                    yield longer
                else:
                    others.append(cover)
                    following.append((longer, origin, end, after, cover))
        layer, alive = following, {word for word, *_ in following}


def automaton(links: np.ndarray, cells: int, barred: list[Word]) -> Ways:
    """Return the automaton that bars words (Aho & Corasick 1975, Efficient string matching, CACM 18).

    State c is that of the blank in cell c at the start; state cells + l that of a start where link l led, which is not
    gone back.
    """
    ways = _ways(links, cells, alone=False)
    prefixes = sorted({word[:size] for word in barred for size in range(1, len(word))}, key=lambda w: (len(w), w))
    state_of = {word: cells + len(links) + number for number, word in enumerate(prefixes)}
    whole = set(barred)
    after: list[dict[int, int]] = [{} for _ in range(cells + len(links) + len(prefixes))]
    behind: dict[int, int] = {}
    for word, blank in [((), cell) for cell in range(cells)] + [(word, -1) for word in prefixes]:
        state = state_of[word] if word else blank
        known = after[behind[state]] if word else dict(ways[blank])
        for link, other in known.items():
            longer = (*word, link)
            if longer not in whole:
                after[state][link] = state_of.get(longer, other)
                if longer in state_of:
                    behind[state_of[longer]] = other
    for link, (_, end, back) in enumerate(links[:, :3].tolist()):
        after[cells + link] = {other: state for other, state in after[end].items() if other != back}
    first = np.cumsum([0, *map(len, after)], dtype=np.uint32)
    kids = [kid for row in after for kid in sorted(row.items(), reverse=True)]
    return first, np.array(kids, np.uint32).reshape(-1, 2)


def _ways(links: np.ndarray, cells: int, alone: bool) -> list[list[tuple[int, int]]]:
    """Return for each cell of the blank its links, or those for a piece of one cell, as (number, cell it goes to)."""
    ways: list[list[tuple[int, int]]] = [[] for _ in range(cells)]
    for link, (b, a, _, _, edits) in enumerate(links.tolist()):
        if not edits or not alone:
            ways[b].append((link, a))
    return ways
