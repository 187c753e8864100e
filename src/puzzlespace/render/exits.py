"""Where a piece leaves the board once it is at its goal, if the rules and the goal show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..limits.watch import paced
from ..model.goal import Goal
from ..model.kept import kept
from ..model.rule import ANY, Rule, single_symbol
from ..model.shapes import Shapes
from ..puzzle.board import Board
from ..puzzle.puzzle import Puzzle
from .outline import Point

Way = tuple[int, int]

DEEP = 0.55
"""The room for the arrow beyond the border, in cells."""

START, BARBS, TIP, SHAFT, BARB = 0.13, 0.3, 0.5, 0.08, 0.22
"""In cells: where the arrow begins beyond the border, where its head begins, and its tip; half the widths of both."""


class Exit(NamedTuple):
    """The middle of the part of the border that the piece crosses, in cells, and the way out."""

    middle: Point
    way: Way

    @property
    def arrow(self) -> list[Point]:
        """The corners of an arrow beyond the border, in cells."""
        (x, y), (dx, dy) = self
        half = [(START, SHAFT), (BARBS, SHAFT), (BARBS, BARB), (TIP, 0.0)]
        corners = half + [(out, -aside) for out, aside in half[-2::-1]]
        return [(x + out * dx - aside * dy, y + out * dy + aside * dx) for out, aside in corners]


def exit_of(puzzle: Puzzle) -> Exit | None:
    """Return the exit of the only piece that the goal names; None if the goal names others, or shows no exit.

    At its goal the piece is at one border only of those towards which it ever moves (in a corner nothing tells where a
    block would leave), arrives by a move towards it, and could go straight out. A piece of one cell must stand in a
    gap of the border. A pushed piece has no exit, nor has one that jumps.
    """
    board = puzzle.board
    if not board.grid or board.upright or board.beside or puzzle.listed or puzzle.walked_by_a_player:
        return None
    if puzzle.stacks or len(puzzle.goals) != 1:
        return None
    return kept(puzzle.rules, _exit, puzzle.goals[0], board, puzzle.shapes)


def with_exit(box: tuple[float, float, float, float], exit: Exit | None) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a board with room for the arrow of its exit."""
    if exit is None:
        return box
    (left, top, right, bottom), (dx, dy) = box, exit.way
    return left - DEEP * (dx < 0), top - DEEP * (dy < 0), right + DEEP * (dx > 0), bottom + DEEP * (dy > 0)


def _exit(rules: Sequence[Rule], goal: Goal, board: Board, shapes: Shapes | None) -> Exit | None:
    cells = [cell for cell, need in enumerate(goal.need) if need != ANY]
    symbol = single_symbol(goal.need[cells[0]]) if cells else None
    if symbol is None or goal.counts or goal.sentence is not None or len(cells) == len(goal.need):
        return None
    covered = () if shapes is None else shapes.covers[symbol][cells[0]]
    if covered is None or sorted(covered) != cells[1:]:
        return None
    places = [board.places[cell] for cell in cells]
    steps = set(_steps(rules, symbol, board))
    touched = [way for way in sorted({way for _, way in steps}) if _rim(board, places, way)]
    if len(touched) != 1 or (cells[0], touched[0]) not in steps or not _leaves(board, places, touched[0]):
        return None
    dx, dy = way = touched[0]
    rim = _rim(board, places, way)
    across, down = (sum(place[axis] for place in rim) / len(rim) + 0.5 for axis in (0, 1))
    return Exit((across + dx / 2, down + dy / 2), way)


def _steps(rules: Sequence[Rule], symbol: int, board: Board) -> Iterator[tuple[int, Way]]:
    """Yield the cells that a piece, whose first cell shows the symbol, enters from a neighbour, with the ways."""
    for rule in paced(rules):
        motion = rule.motion
        if motion is None:
            continue
        if motion.shape == symbol or (motion.shape < 0 and rule.need[rule.cells.index(motion.origin)] >> symbol & 1):
            (ax, ay), (bx, by) = board.places[motion.origin], board.places[motion.target]
            way = (_sign(bx - ax), _sign(by - ay)) if motion.whole else (bx - ax, by - ay)
            if abs(way[0]) + abs(way[1]) == 1:
                yield motion.target, way


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _rim(board: Board, places: Sequence[Way], way: Way) -> list[Way]:
    """Return those of the places beyond which the drawing ends."""
    rows = board.rows
    return [(x, y) for x, y in places if not (0 <= y + way[1] < len(rows) and 0 <= x + way[0] < len(rows[y + way[1]]))]


def _leaves(board: Board, places: Sequence[Way], way: Way) -> bool:
    """Return whether only the piece itself lies between it and the border; one cell alone must be a gap there."""
    (dx, dy), rim = way, _rim(board, places, way)
    if any((x + dx, y + dy) not in places for x, y in places if (x, y) not in rim):
        return False
    x, y = places[0]
    return len(places) > 1 or {(x + dy, y + dx), (x - dy, y - dx)}.isdisjoint(board.places)
