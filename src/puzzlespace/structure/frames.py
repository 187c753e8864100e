"""Frames: positions in which all pieces that no rule tells apart show one symbol, and the moves between frames.

Rules move these pieces without distinguishing them. So a move maps one frame to another and permutes the order of these
pieces, independently of that order.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ..limits.watch import paced
from ..model.effects import outcomes
from ..model.model import Model
from ..model.rule import Rule

Cells = tuple[int, ...]

Turn = tuple[int, ...]
"""A permutation of places: for each place its source."""


class OrderFrame(NamedTuple):
    """What a frame shows, and the cells of the order in the sequence in which they are read."""

    shown: bytes
    cells: Cells


class FrameMove(NamedTuple):
    """A move from one frame, by its number, to another, and the turn of the order."""

    before: int
    after: int
    turn: Turn


class FrameGraph(NamedTuple):
    """Every frame that the first one reaches, and the moves between them."""

    frames: tuple[OrderFrame, ...]
    moves: tuple[FrameMove, ...]


def alike(model: Model, start: bytes) -> frozenset[int]:
    """Return the most numerous symbols of `start` that no rule tells apart.

    Each rule needs all of them or none, and changes none.
    """
    return model.bare.kept(_alike, start)


def _alike(model: Model, start: bytes) -> frozenset[int]:
    stock = Counter(start)
    groups: dict[tuple[bool, ...], list[int]] = {}
    named: set[int] = {model.shapes.body} if model.shapes else set()
    for rule in paced(model.rules):
        for _, pairs in outcomes(rule, model.symbols):
            named |= {symbol for pair in pairs if pair[0] != pair[1] for symbol in pair}
    for symbol in sorted(set(stock) - named):
        signature = tuple(need >> symbol & 1 == 1 for rule in paced(model.rules) for need in rule.need)
        groups.setdefault(signature, []).append(symbol)
    return frozenset(max(groups.values(), key=lambda group: sum(stock[s] for s in group), default=()))


def frame(position: bytes, items: frozenset[int]) -> bytes:
    """Return the frame of a position: the least of `items` for all of them."""
    return bytes(min(items) if symbol in items else symbol for symbol in position)


def graph(model: Model, first: bytes, other: int, way: int | None, most: int) -> FrameGraph | None:
    """Return all frames that `first` reaches and the moves between them; None if there are more than `most`.

    It is not kept: it may be large, and a table keeps the one that it uses.

    other  the symbol of the pieces of the order
    way    None: orders are read cell by cell. Otherwise each frame's order is read such that the move that discovered
           the frame leaves the order unchanged. Frames are discovered by rule `way` first (-1: by all rules equally),
           so that shifts by this rule along a ring never change the order
    """
    cells = tuple(cell for cell, symbol in enumerate(first) if symbol == other)
    readings, numbers = {first: cells}, {first: 0}
    moves: dict[FrameMove, None] = {}
    ahead, behind = [first], []
    while ahead or behind:
        early = bool(ahead)
        shown = ahead.pop() if early else behind.pop(0)
        if early:
            behind.append(shown)
        for number, rule in enumerate(paced(model.rules)):
            child = rule.apply(shown) if (number == way) == early else None
            if child is None:
                continue
            carried = _carried(rule, readings[shown])
            if child not in numbers:
                numbers[child] = len(numbers)
                readings[child] = tuple(sorted(carried)) if way is None else carried
                ahead.append(child)
                if len(numbers) > most:
                    return None
            place = {cell: index for index, cell in enumerate(carried)}
            turn = tuple(place[cell] for cell in readings[child])
            moves[FrameMove(numbers[shown], numbers[child], turn)] = None
    return FrameGraph(tuple([OrderFrame(*each) for each in readings.items()]), tuple(moves))


def _carried(rule: Rule, cells: Cells) -> Cells:
    """Return the cells to which a rule moves the contents of some cells."""
    goes = {rule.cells[source]: cell for cell, source in zip(rule.cells, rule.source, strict=True)}
    return tuple(goes.get(cell, cell) for cell in cells)
