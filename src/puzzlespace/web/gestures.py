"""How a puzzle is drawn and played by hand on the page; it follows from its moves and its board, not from its name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import cos, pi, sin
from typing import Any

from ..model.model import Model, Rule
from ..puzzle.puzzle import Puzzle
from ..render.layout import edges, middles
from ..render.sheet import extent

Object = dict[str, Any]
Vector = tuple[float, float, float]

PILE_HIGH, PILE_WIDE, PILE_GROWTH = 0.62, 1.3, 0.4
"""In cells: the height of a pancake of a pile, the width of the smallest, how much wider the next one is."""

PILE_WIDEST = 9.0
"""The width of the widest pancake of a large pile, in cells."""


def gesture(puzzle: Puzzle, shape: Object, model: Model) -> str:
    """Return how the puzzle is played: the word that the page has a sentence for, and gestures."""
    if not puzzle.listed:
        return "tilt" if model.metric.exhausts else "push" if model.metric.free else puzzle.kind.play
    if shape["shape"] in ("towers", "pile", "ring", "cube"):
        return shape["shape"]
    names = {rule.name.rstrip("'") for rule in puzzle.rules}
    if names <= set(puzzle.board.names):
        return "press"
    return "swipe" if all(_in_line(puzzle, rule) for rule in puzzle.rules) else "cycles"


def board(puzzle: Puzzle) -> Object:
    """Return the board as the page draws it: its shape, the middles of the cells, lines between them, its frame."""
    plain = {
        "grid": puzzle.board.grid,
        "stacks": puzzle.stacks,
        "names": puzzle.board.names,
        "rows": puzzle.board.rows,
        "middles": middles(puzzle.board),
        "edges": sorted(edges(puzzle.board)),
        "box": extent(puzzle),
        "shape": "towers" if puzzle.stacks else "squares" if puzzle.board.grid else "graph",
    }
    if not puzzle.listed or puzzle.stacks:
        return plain
    for other in (_ring, _pile, _cube):
        found = other(puzzle)
        if found is not None:
            return plain | found
    return plain


def _in_line(puzzle: Puzzle, rule: Rule) -> bool:
    """Whether a listed move is the same backwards, and changes only cells of one row or column."""
    places = puzzle.board.places
    lines = [{places[cell][axis] for cell in rule.cells} for axis in (0, 1)] if puzzle.board.grid else []
    return any(len(line) == 1 for line in lines) and all(
        rule.source[source] == place for place, source in enumerate(rule.source)
    )


def _one_row(puzzle: Puzzle) -> bool:
    return len(puzzle.board.rows) == 1 and puzzle.board.cells >= 3


def _ring(puzzle: Puzzle) -> Object | None:
    """Return a circle for a row whose pieces a move shifts round; the cells of another move lie on a turntable."""
    count = puzzle.board.cells
    if not _one_row(puzzle) or not any(_shifts(rule, count) for rule in puzzle.rules):
        return None
    zones = [sorted(rule.cells) for rule in puzzle.rules if len(rule.cells) < count]
    zones = [zone for zone in zones if zone == list(range(zone[0], zone[0] + len(zone)))]
    top = (zones[0][0] + zones[0][-1]) / 2 if zones else 0.0
    radius = 0.5 / sin(pi / count)
    turns = [2 * pi * (cell - top) / count - pi / 2 for cell in range(count)]
    middle = radius + 0.62
    return {
        "shape": "ring",
        "grid": False,
        "middles": [(middle + radius * cos(turn), middle + radius * sin(turn)) for turn in turns],
        "edges": [tuple(sorted((cell, (cell + 1) % count))) for cell in range(count)],
        "box": (0.0, 0.0, 2 * middle, 2 * middle),
        "zones": [zone for number, zone in enumerate(zones) if zone not in zones[:number]],
    }


def _shifts(rule: Rule, count: int) -> bool:
    """Whether a move carries the contents of every cell to the next one, round the row."""
    came = {cell: rule.cells[source] for cell, source in zip(rule.cells, rule.source, strict=True)}
    plain = all(table is None for table in rule.table)
    return plain and all(came.get(cell) == (cell - 1) % count for cell in range(count))


def _pile(puzzle: Puzzle) -> Object | None:
    """Return a pile, the first cell on top, for a row whose moves reverse its first cells."""
    if not _one_row(puzzle) or len(puzzle.goals) != 1 or puzzle.goals[0].position is None:
        return None
    for rule in puzzle.rules:
        last = max(rule.cells)
        came = {cell: rule.cells[source] for cell, source in zip(rule.cells, rule.source, strict=True)}
        if not all(came.get(cell, cell) == last - cell for cell in range(last + 1)):
            return None
    ranks = _ranks(puzzle, puzzle.goals[0].position)
    if ranks is None:
        return None
    count = puzzle.board.cells
    growth = min(PILE_GROWTH, (PILE_WIDEST - PILE_WIDE) / count)
    wide = PILE_WIDE + growth * (count - 1)
    return {
        "shape": "pile",
        "grid": False,
        "middles": [(wide / 2 + 0.2, 0.2 + PILE_HIGH * (cell + 0.5)) for cell in range(count)],
        "edges": [],
        "box": (0.0, 0.0, wide + 0.4, PILE_HIGH * count + 0.5),
        "high": PILE_HIGH,
        "wide": {word: PILE_WIDE + growth * rank for word, rank in ranks.items()},
        "turned": [word for word, rank in ranks.items() if puzzle.view.decode(puzzle.goals[0].position)[rank] != word],
    }


def _ranks(puzzle: Puzzle, goal: bytes) -> dict[str, int] | None:
    """Return for each word the cell of the goal that shows it, or that shows what changes into it."""
    found = {symbol: cell for cell, symbol in enumerate(goal)}
    if len(found) < len(goal):
        return None
    for table in {table for rule in puzzle.rules for table in rule.table if table is not None}:
        for symbol, other in enumerate(table):
            if symbol in found:
                found.setdefault(other, found[symbol])
    if len(found) < puzzle.symbols:
        return None
    words = {symbol: puzzle.view.decode(bytes([symbol]) * len(goal))[0] for symbol in found}
    return {words[symbol]: cell for symbol, cell in found.items()}


FACES: tuple[tuple[int, int, Vector, Vector, Vector], ...] = (
    (0, 1, (0, 1, 0), (1, 0, 0), (0, 0, 1)),
    (1, 0, (-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    (1, 1, (0, 0, 1), (1, 0, 0), (0, -1, 0)),
    (1, 2, (1, 0, 0), (0, 0, -1), (0, -1, 0)),
    (1, 3, (0, 0, -1), (-1, 0, 0), (0, -1, 0)),
    (2, 1, (0, -1, 0), (1, 0, 0), (0, 0, -1)),
)
"""The faces of a net: row and column of faces, the outward normal, and where columns and rows of stickers lead.

x to the right, y up, z to the viewer, who looks at the face in the middle of the net.
"""


def _cube(puzzle: Puzzle) -> Object | None:
    """Return a cube for a net of six faces, if every listed move turns stickers as a turn of a layer does."""
    rows = puzzle.board.rows
    size = len(rows) // 3
    if size < 2 or len(rows) != 3 * size or any(len(row) != 4 * size for row in rows):
        return None
    if puzzle.board.cells != 6 * size * size:
        return None
    facets: list[Object] = [{} for _ in range(puzzle.board.cells)]
    for top, left, normal, across, down in FACES:
        for y, x in product(range(size), repeat=2):
            cell = rows[top * size + y][left * size + x]
            if cell is None:
                return None
            u, v = ((2 * part + 1) / size - 1 for part in (x, y))
            middle = tuple(n + u * a + v * d for n, a, d in zip(normal, across, down, strict=True))
            facets[cell] = {"normal": normal, "middle": middle, "across": across, "down": down}
    turns = {rule.name: _turn(puzzle, rule, [facet["middle"] for facet in facets]) for rule in puzzle.rules}
    if any(turn is None for turn in turns.values()):
        return None
    return {"shape": "cube", "cube": {"size": size, "facets": facets, "turns": turns}}


def _turn(puzzle: Puzzle, rule: Rule, places: Sequence[Vector]) -> tuple[int, int] | None:
    """Return (axis, quarter turns) of the turn that carries stickers as a listed move does, or None.

    A quarter turn is anticlockwise as seen from the positive end of the axis.
    """
    carried = puzzle.carried(rule)
    if any(table is not None for table in rule.table):
        return None
    for axis, quarters in product(range(3), (1, 3, 2)):
        if all(_near(_turned(places[a], axis, quarters), places[b]) for a, b in carried):
            return axis, quarters if quarters < 3 else -1
    return None


def _turned(place: Vector, axis: int, quarters: int) -> Vector:
    found = list(place)
    one, two = (axis + 1) % 3, (axis + 2) % 3
    for _ in range(quarters):
        found[one], found[two] = -found[two], found[one]
    return found[0], found[1], found[2]


def _near(a: Vector, b: Vector) -> bool:
    return all(abs(one - other) < 1e-9 for one, other in zip(a, b, strict=True))
