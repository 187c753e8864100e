"""Small hand-made models, for tests that must not depend on files or families."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from puzzlespace.model.goal import Goal
from puzzlespace.model.metrics import metric
from puzzlespace.model.model import Model
from puzzlespace.model.rule import Motion, Rule, only

BLANK = 0


def ring(cells: int) -> Model:
    """One token on a ring: depths 1, 2, 2, …"""
    edges = [(a, (a + way) % cells) for a in range(cells) for way in (1, -1)]
    rules = tuple(Rule.put(f"{a}-{b}", (a, b), (1, 0), (0, 1), 2) for a, b in edges)
    start = bytes([1] + [0] * (cells - 1))
    return Model(cells, 2, rules, start=start, goals=(Goal.exactly(bytes([*start[1:], 1])),))


def grid_edges(width: int, height: int) -> list[tuple[int, int, str]]:
    """Every (cell, neighbour, direction) of a grid."""
    ways = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
    return [
        (y * width + x, (y + dy) * width + x + dx, name)
        for y in range(height)
        for x in range(width)
        for name, (dx, dy) in ways.items()
        if 0 <= x + dx < width and 0 <= y + dy < height
    ]


def slide(
    edges: Iterable[tuple[int, int, str]], start: Sequence[int], goal: Sequence[int], count: str = "step"
) -> Model:
    """Pieces of one cell that slide along edges into the blank (symbol 0)."""
    symbols = max(start) + 1
    pieces = (1 << symbols) - 2
    rules = tuple(
        Rule(way, (a, b), (pieces, only(BLANK)), (1, 0), (None, None), Motion(-1, a, b, way)) for a, b, way in edges
    )
    relation = metric(count, rules, symbols, bytes(start))
    return Model(len(start), symbols, rules, relation, bytes(start), (Goal.exactly(bytes(goal)),))


def eight(start: Sequence[int] = (8, 6, 7, 2, 5, 4, 3, 0, 1), count: str = "step") -> Model:
    """The 8-puzzle."""
    return slide(grid_edges(3, 3), start, (1, 2, 3, 4, 5, 6, 7, 8, 0), count)


def links(*pairs: tuple[int, int]) -> list[tuple[int, int, str]]:
    """Both directions of every pair, without straight lines."""
    return [(x, y, "") for a, b in pairs for x, y in ((a, b), (b, a))]


def pegs(lines: Iterable[tuple[int, int, int]], start: Sequence[int], count: str = "step") -> Model:
    """Pegs (1) that jump over pegs into holes (0), along the given triples in both directions; goal: one peg."""
    triples = [t for line in lines for t in (line, line[::-1])]
    rules = tuple(
        Rule.put(f"{a}-{c}", (a, b, c), (1, 1, 0), (0, 0, 1), 2, Motion(-1, a, c, f"{a}{b}")) for a, b, c in triples
    )
    relation = metric(count, rules, 2, bytes(start))
    return Model(len(start), 2, rules, relation, bytes(start), (Goal((-1,) * len(start), ((1, 1),)),))


def flips(width: int, height: int) -> Model:
    """Line flips: every row and column can be reversed and turned over; goal and start: all 0."""
    lines = [[y * width + x for x in range(width)] for y in range(height)]
    lines += [[y * width + x for y in range(height)] for x in range(width)]
    rules = tuple(
        Rule(str(n), tuple(line), (-1,) * len(line), tuple(range(len(line)))[::-1], ((1, 0),) * len(line))
        for n, line in enumerate(lines)
    )
    zero = bytes(width * height)
    return Model(width * height, 2, rules, start=zero, goals=(Goal.exactly(zero),))


def turns(size: int, generators: Sequence[Sequence[int]], count: str = "step") -> Model:
    """Listed permutations (new[i] = old[p[i]]) and their inverses on different symbols."""
    both: list[tuple[int, ...]] = []
    for p in map(tuple, generators):
        inverse = tuple(sorted(range(size), key=p.__getitem__))
        both += [q for q in dict.fromkeys((p, inverse)) if q not in both]
    rules = tuple(Rule(f"g{n}", tuple(range(size)), (-1,) * size, p, (None,) * size) for n, p in enumerate(both))
    start = bytes(range(size))
    return Model(size, size, rules, metric(count, rules, size, start), start, (Goal.exactly(start),))
