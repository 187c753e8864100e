"""The changes between two positions: the paths of the pieces that move, and the pieces jumped over or turned.

They are computed from the two positions and the board alone, so that strips, arrows and animations agree. Only a player
goes as the frame says: where a player walks depends on where it pushes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..limits.watch import paced
from ..model.rule import Rule
from ..puzzle.board import Board
from ..puzzle.draft import BLANK
from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle

Cells = tuple[int, ...]

MOST_TURNS = 60
"""The most repetitions of a listed move in one move."""


@dataclass(frozen=True)
class PieceWay:
    """The way of one piece.

    stops  its cells at the beginning, at each step or landing, and at the end; the first cell of each leads
    words  its symbol at each stop
    """

    stops: tuple[tuple[int, ...], ...]
    words: tuple[str, ...]

    @property
    def route(self) -> tuple[int, ...]:
        """The leading cell of each stop."""
        return tuple(stop[0] for stop in self.stops)


@dataclass(frozen=True)
class Change:
    """The changes of one move.

    ways      the pieces that move or change their symbol
    removed   the cell jumped over, for every jump
    rules     the listed moves made, if any
    """

    ways: tuple[PieceWay, ...]
    removed: tuple[int, ...] = ()
    rules: tuple[Rule, ...] = ()


def change(puzzle: Puzzle, before: Frame, after: Frame) -> Change:
    """Return the changes between two frames of a solution."""
    if puzzle.listed:
        return _applied(puzzle, before, after)
    return _jumps(puzzle, before, after) if puzzle.kind.path == "over" else Change(tuple(_moved(puzzle, before, after)))


def _moved(puzzle: Puzzle, before: Frame, after: Frame) -> Iterator[PieceWay]:
    """Yield the ways of the pieces that have moved."""
    now = [piece for piece in puzzle.view.pieces(after.position) if after.changed.intersection(piece)]
    touched = {cell for piece in now for cell in piece}
    still = {piece for piece in puzzle.view.pieces(after.position) if not touched.intersection(piece)}
    then = [piece for piece in puzzle.view.pieces(before.position) if piece not in still and piece[0] >= 0]
    free = {cell for cell, word in enumerate(before.words) if word == BLANK}.union(*then)
    for old, new in _pairs(before, after, then, now):
        if old != new:
            stops = _told(puzzle, after, old, new) if puzzle.kind.play == "walk" else None
            if stops is None:
                stops = _route(puzzle.board, old, new, frozenset(free)) if puzzle.kind.path == "free" else (old, new)
            yield PieceWay(stops, (after.words[new[0]],) * len(stops))


def _told(puzzle: Puzzle, after: Frame, old: tuple[int, ...], new: tuple[int, ...]) -> tuple[Cells, ...] | None:
    """Return the stops of a piece as the frame says them, or None if it does not."""
    route = next((route for route in after.routes if (route[0], route[-1]) == (old[0], new[0])), None)
    if route is None:
        return None
    stops = [_shifted(puzzle.board, old, lead) for lead in route]
    found = tuple(stop for stop in stops if stop is not None)
    return found if len(found) == len(stops) else None


def _pairs(
    before: Frame, after: Frame, then: Sequence[tuple[int, ...]], now: Sequence[tuple[int, ...]]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the old and the new cells of each moved piece: by its letter if that is unique, else in reading order."""
    left = list(then)
    waiting = []
    for new in now:
        word = after.words[new[0]]
        named = [old for old in left if before.words[old[0]] == word and len(old) == len(new)]
        alone = sum(after.words[other[0]] == word for other in now) == 1
        if len(named) == 1 and alone:
            left.remove(named[0])
            yield named[0], new
        else:
            waiting.append(new)
    for new in waiting:
        old = next((old for old in left if len(old) == len(new) and before.words[old[0]] == after.words[new[0]]), None)
        if old is not None:
            left.remove(old)
            yield old, new


@lru_cache(maxsize=64)
def _neighbours(board: Board) -> tuple[tuple[int, ...], ...]:
    near: list[list[int]] = [[] for _ in range(board.cells)]
    for a, b, _ in board.steps:
        near[a].append(b)
    return tuple(map(tuple, near))


@lru_cache(maxsize=4096)
def _route(
    board: Board, old: tuple[int, ...], new: tuple[int, ...], free: frozenset[int]
) -> tuple[tuple[int, ...], ...]:
    """Return the stops of a piece on a shortest path through free cells; only both ends if there is none."""
    came: dict[tuple[int, ...], tuple[int, ...]] = {old: old}
    queue = deque([old])
    while queue and new not in came:
        here = queue.popleft()
        for lead in _neighbours(board)[here[0]]:
            there = _shifted(board, here, lead)
            if there is not None and there not in came and free.issuperset(there):
                came[there] = here
                queue.append(there)
    if new not in came:
        return old, new
    stops = [new]
    while stops[-1] != old:
        stops.append(came[stops[-1]])
    return tuple(reversed(stops))


def _shifted(board: Board, piece: tuple[int, ...], lead: int) -> tuple[int, ...] | None:
    """Return the cells of a piece moved so that its leading cell is `lead`, or None if it does not fit."""
    if len(piece) == 1:
        return (lead,)
    (x, y), (u, v) = board.places[piece[0]], board.places[lead]
    at = _cells(board)
    moved = [at.get((board.places[c][0] + u - x, board.places[c][1] + v - y), -1) for c in piece]
    return None if -1 in moved else tuple(moved)


@lru_cache(maxsize=64)
def _cells(board: Board) -> dict[tuple[int, int], int]:
    return {place: cell for cell, place in enumerate(board.places)}


def _jumps(puzzle: Puzzle, before: Frame, after: Frame) -> Change:
    """Return the way of the peg that jumped: a chain of jumps over exactly the removed pegs."""
    gone = frozenset(c for c, word in enumerate(before.words) if word != BLANK and after.words[c] == BLANK)
    targets = [cell for cell in sorted(after.changed) if after.words[cell] != BLANK]
    for target in targets:
        for origin in [*sorted(gone), target]:
            chain = _chain(puzzle.board, before, (origin, target), gone - {origin})
            if chain is not None:
                stops, over = chain
                return Change((PieceWay(tuple((c,) for c in stops), (after.words[target],) * len(stops)),), over)
    return Change(())


def _chain(
    board: Board, before: Frame, ends: tuple[int, int], over: frozenset[int]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the cells of the peg, from its first one on, and the cells jumped over, or None."""
    origin, target = ends
    stack: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((origin,), ())]
    while stack:
        stops, jumped = stack.pop()
        if len(jumped) == len(over):
            if jumped and stops[-1] == target:
                return stops, jumped
            continue
        for a, b, c, _ in board.jumps:
            lands = before.words[c] == BLANK or c == origin or c in jumped
            if a == stops[-1] and b in over and b not in jumped and lands:
                stack.append(((*stops, c), (*jumped, b)))
    return None


def _applied(puzzle: Puzzle, before: Frame, after: Frame) -> Change:
    """Return the changes of a listed move, which may be repeated."""
    found = _repeated(puzzle, before, after)
    if found is None:
        return Change(())
    rule, positions = found
    shown = [before.words, *(puzzle.view.decode(position) for position in positions[1:])]
    source = {cell: rule.cells[k] for cell, k in zip(rule.cells, rule.source, strict=True)}
    target = {old: new for new, old in source.items()}
    ways: list[PieceWay] = []
    for cell in rule.cells:
        stops = [cell]
        for _ in positions[1:]:
            stops.append(target.get(stops[-1], stops[-1]))
        words = tuple(words[stop] for words, stop in zip(shown, stops, strict=True))
        if len({*stops}) > 1 or len({*words}) > 1:
            ways.append(PieceWay(tuple((stop,) for stop in stops), words))
    return Change(tuple(ways), rules=(rule,) * (len(positions) - 1))


def _repeated(puzzle: Puzzle, before: Frame, after: Frame) -> tuple[Rule, list[bytes]] | None:
    """Return the listed move, preferably the one named in the frame, and the positions that its repetitions visit."""
    best: tuple[tuple[bool, int], Rule, list[bytes]] | None = None
    for rule in paced(puzzle.rules):
        if frozenset(rule.cells).isdisjoint(after.changed):
            continue
        positions = [before.position]
        while positions[-1] != after.position and len(positions) <= MOST_TURNS:
            child = rule.apply(positions[-1])
            if child is None or child == before.position:
                break
            positions.append(child)
        if positions[-1] == after.position and len(positions) > 1:
            rank = (not after.name.startswith(rule.name.rstrip("'")), len(positions))
            if best is None or rank < best[0]:
                best = rank, rule, positions
    return (best[1], best[2]) if best is not None else None
