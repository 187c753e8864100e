"""How a puzzle is drawn and played by hand on the page; it follows from its moves and its board, not from its name."""

from __future__ import annotations

from dataclasses import asdict
from math import cos, pi, sin
from typing import Any

from ..model.model import Model
from ..puzzle.draft import BLANK
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Puzzle
from ..render.cubes import cube_of
from ..render.floor import named_cells, tubes
from ..render.layout import edges, middles
from ..render.sheet import extent
from ..structure import rows

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
    if puzzle.kind.by_moves:
        return puzzle.kind.play
    if shape["shape"] in ("towers", "pile", "ring", "cube"):
        return shape["shape"]
    names = {rule.name.rstrip("'") for rule in puzzle.rules}
    if names <= set(puzzle.board.names):
        return "press"
    return "swipe" if all(_in_line(puzzle, move) for move in _listed(puzzle)) else "cycles"


def _listed(puzzle: Puzzle) -> tuple[rows.RowMove, ...]:
    return rows.read(puzzle.rules, puzzle.board.cells)


def _own_moves(puzzle: Puzzle) -> list[rows.RowMove]:
    """Return the listed moves, without what happens by itself."""
    automatic = {number for stage in puzzle.automatic for number in stage.rules}
    return [move for number, move in enumerate(_listed(puzzle)) if number not in automatic]


def actor(puzzle: Puzzle) -> int | None:
    """Return the symbol of the only piece of its kind, without which no listed move is made; None if there is none."""
    if not puzzle.listed or puzzle.start is None or not isinstance(puzzle.view, Letters):
        return None
    moves, shown = _own_moves(puzzle), puzzle.start[: puzzle.board.cells - puzzle.board.beside]
    single = [s for s in range(puzzle.symbols) if shown.count(s) == 1 and puzzle.view.letters[s][0] != BLANK]
    return next((s for s in single if all(s in move.needed for move in moves)), None)


def tilts(puzzle: Puzzle) -> bool:
    """Return whether moves change only cells beside the board: what is on it moves by itself then."""
    first = puzzle.board.cells - puzzle.board.beside
    return puzzle.listed and all(cell >= first for move in _own_moves(puzzle) for cell in move.cells)


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
        "named": named_cells(puzzle).start,
        "tubes": tubes(puzzle.board),
        "wide": puzzle.board.upright,
        "shape": "towers" if puzzle.stacks else "squares" if puzzle.board.grid else "graph",
    }
    if not puzzle.listed or puzzle.stacks or puzzle.kind.by_moves:
        return plain
    for other in (_ring, _pile, _cube):
        found = other(puzzle)
        if found is not None:
            return plain | found
    return plain


def _in_line(puzzle: Puzzle, move: rows.RowMove) -> bool:
    """Whether a listed move is the same backwards, and changes only cells of one row or column."""
    places = puzzle.board.places
    lines = [{places[cell][axis] for cell in move.cells} for axis in (0, 1)] if puzzle.board.grid else []
    return any(len(line) == 1 for line in lines) and move.exchanges


def _one_row(puzzle: Puzzle) -> bool:
    return len(puzzle.board.rows) == 1 and puzzle.board.cells >= 3


def _ring(puzzle: Puzzle) -> Object | None:
    """Return a circle for a row whose pieces a move shifts round; the cells of another move lie on a turntable."""
    count, moves = puzzle.board.cells, _listed(puzzle)
    if not _one_row(puzzle) or not any(move.shifts for move in moves):
        return None
    zones = [move.cells for move in moves if len(move.cells) < count]
    zones = [zone for zone in zones if zone == tuple(range(zone[0], zone[0] + len(zone)))]
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


def _pile(puzzle: Puzzle) -> Object | None:
    """Return a pile, the first cell on top, for a row whose moves reverse its first cells."""
    if not _one_row(puzzle) or len(puzzle.goals) != 1 or puzzle.goals[0].position is None:
        return None
    if not all(move.reverses for move in _listed(puzzle)):
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
    for table in {table for move in _listed(puzzle) for table in move.tables}:
        for symbol, other in enumerate(table):
            if symbol in found:
                found.setdefault(other, found[symbol])
    if len(found) < puzzle.symbols:
        return None
    words = {symbol: puzzle.view.decode(bytes([symbol]) * len(goal))[0] for symbol in found}
    return {words[symbol]: cell for symbol, cell in found.items()}


def _cube(puzzle: Puzzle) -> Object | None:
    """Return a cube for a net of six faces whose listed moves turn layers."""
    found = cube_of(puzzle)
    if found is None:
        return None
    facets = [asdict(facet) for facet in found.facets]
    return {"shape": "cube", "cube": {"size": found.size, "facets": facets, "turns": found.turns}}
