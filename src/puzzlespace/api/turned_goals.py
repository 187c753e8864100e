"""Goals that may also be reached turned or reflected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .. import symmetry
from ..errors import UnsupportedError
from ..limits.watch import paced
from ..model.custom import Custom
from ..model.goal import Goal
from ..puzzle.diagnostics import Diagnostic, tell
from ..puzzle.puzzle import Puzzle
from . import loader

MOST_TURNS = 50_000
"""The most symmetries that keep all symbols, among which the turns of the board are looked for."""


def with_turned_goals(puzzle: Puzzle | str | Path) -> Puzzle:
    """Return the puzzle whose goals may also be reached turned or reflected.

    A turn carries the drawn board onto itself such that the rules stay the same, and every symbol: a turn or reflection
    of a board, also of one with triangles or hexagons. Each image of a goal under the turns is a goal, too. The net of
    a cube is a flat board here: what a cube needs is turns of the whole cube as moves.
    A note says how many goals there are then.
    Raises UnsupportedError for puzzles with pieces of several cells, with a goal that is a sentence, without goals, or
    written in Python, and if not all turns are found, or are too many.

    >>> len(with_turned_goals("slide:3x3").goals)
    8
    >>> solve(with_turned_goals("slide:2x2"), start="2 . / 1 3").moves
    0
    """
    if isinstance(puzzle, Custom):
        raise UnsupportedError("with_turned_goals: the cells of this puzzle are not known, only its moves in Python")
    puzzle = loader.puzzle_of(puzzle, "with_turned_goals")
    model = puzzle.model()
    if not puzzle.goals:
        raise UnsupportedError(f"{puzzle.name}: there is no goal to turn")
    if model.shapes is not None:
        raise UnsupportedError(f"{puzzle.name}: goals of pieces of several cells are not turned")
    if any(goal.sentence is not None for goal in puzzle.goals):
        raise UnsupportedError(f"{puzzle.name}: a goal that is a sentence is not turned")
    # Goals that allow the first symbols only, one more each time, are kept by the symmetries that keep all symbols.
    chain = tuple(Goal(((2 << last) - 1,) * model.cells) for last in range(model.symbols - 1))
    turns = symmetry.symmetries(replace(model, start=None, goals=chain))
    if not turns.complete or turns.order > MOST_TURNS:
        raise UnsupportedError(f"{puzzle.name}: not all turns of the board can be found")
    places = puzzle.board.places
    on_board = [turn.cells for turn in paced(turns.elements()) if _is_flat(places, turn.cells)]
    found = dict.fromkeys(_turned(goal, cells) for cells in on_board for goal in puzzle.goals)
    more = len(found) - len(puzzle.goals)
    words = f"the goal may be turned: {len(found):,} goals" if more else "no turn of the drawn board is another goal"
    said = Diagnostic("turned-goals", words, "note")
    tell([said])
    return replace(puzzle, goals=tuple(found), diagnostics=(*puzzle.diagnostics, said))


def _is_flat(places: Sequence[tuple[int, int]], cells: tuple[int, ...]) -> bool:
    """Return whether an affine map of the paper carries each place to that of the cell's image.

    Drawings of boards with triangles are not to scale, so distances are not compared.
    """
    (x, y), *_ = places
    away = [(u - x, v - y) for u, v in places]
    first = next((cell for cell, each in enumerate(away) if each != (0, 0)), 0)
    a, b = away[first]
    second = next((cell for cell, (u, v) in enumerate(away) if a * v != b * u), None)
    p, q = places[cells[0]]
    images = [(places[image][0] - p, places[image][1] - q) for image in cells]
    for (u, v), (s, t) in zip(away, images, strict=True):
        if second is None:
            whole, one, other, (c, d) = a * a + b * b, a * u + b * v, 0, (0, 0)
        else:
            c, d = away[second]
            whole, one, other = a * d - b * c, u * d - v * c, a * v - b * u
            c, d = images[second]
        e, f = images[first]
        if (whole * s, whole * t) != (one * e + other * c, one * f + other * d):
            return False
    return True


def _turned(goal: Goal, cells: tuple[int, ...]) -> Goal:
    """Return the image of a goal: what it says of a cell, it says of the image of the cell."""
    need = list(goal.need)
    for cell, image in enumerate(cells):
        need[image] = goal.need[cell]
    return replace(goal, need=tuple(need))
