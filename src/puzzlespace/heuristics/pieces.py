"""Listed moves by their pieces: which pieces there are, which states each has, and how moves change them.

If no two pieces of an orbit can show the same, a position is one state for each piece: the cell where it is and what it
shows there. A move changes the state of each piece by a table, whatever the other pieces do. So any set of pieces is a
puzzle of its own, whose distances are a lower bound. Blocks of cells that always move together, such as the stickers of
a corner, are read as one cell first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import factorial, prod
from typing import TYPE_CHECKING

import numpy as np

from ..limits.watch import checkpoint, paced
from ..model.facts import symbol_classes
from ..model.goal import Goal
from ..model.model import Model
from ..structure.permutations import Action, Merged, block_systems, generators, merged, orbits
from ..symmetry.find import symmetries

if TYPE_CHECKING:
    from ..symmetry.group import Symmetry

MOST_STATES = 255
"""The most states of a piece: they are bytes."""

MOST_CELLS = 300
"""The most cells: blocks are sought for each pair of cells."""

MOST_PLACES = 62
"""The most cells of an orbit: tables keep a set of them in one word."""


SYMMETRY_WORK = 300_000
"""The work of the search for symmetries, see `symmetry.find`; about a second."""

MOST_SYMMETRIES = 10_000
"""The most symmetries that are tried one by one."""


@dataclass(frozen=True)
class Pieces:
    """The pieces of a puzzle.

    given     the model of the puzzle, with the goal as start and only goal
    model     the same with blocks read as cells
    blocks    how its positions are converted; None if it is the model of the puzzle
    moves     its moves
    cells     for each piece the cells of its orbit, sorted
    variants  for each piece how many symbols it shows in each cell
    states    for each cell and symbol that occurs there, the piece and its state: the cell's number in the orbit *
              variants + variant
    turns     uint8 [moves, pieces, states]: the state of each piece after a move
    """

    given: Model
    model: Model
    blocks: Merged | None
    moves: tuple[Action, ...]
    cells: tuple[tuple[int, ...], ...]
    variants: tuple[int, ...]
    states: dict[tuple[int, int], tuple[int, int]]
    turns: np.ndarray

    @property
    def arrangements(self) -> int:
        """An upper bound on the number of positions: the orders of each orbit, and what each piece can show."""
        return prod(map(factorial, map(len, set(self.cells)))) * prod(self.variants)

    def of(self, position: bytes) -> bytes | None:
        """Return the states of all pieces; None if the position has other pieces, so that none of both is reached."""
        shown = position if self.blocks is None else self.blocks.encode(position)
        if shown is None:
            return None
        found = bytearray(len(self.cells))
        left = set(range(len(self.cells)))
        for place in enumerate(shown):
            if place in self.states:
                piece, state = self.states[place]
                found[piece] = state
                left.discard(piece)
            elif self.model.start is None or self.model.start[place[0]] != place[1]:
                return None
        return None if left else bytes(found)

    def position(self, states: Sequence[int]) -> bytes:
        """Return the position of the puzzle in which the pieces have these states."""
        assert self.model.start is not None
        shown = bytearray(self.model.start)
        for (cell, symbol), (piece, state) in self.states.items():
            if states[piece] == state:
                shown[cell] = symbol
        return bytes(shown) if self.blocks is None else self.blocks.decode(bytes(shown))

    @cached_property
    def symmetries(self) -> tuple[dict[tuple[int, int], tuple[int, int]], ...]:
        """What each symmetry that fixes the goal makes of each piece and state; () if there are too many."""
        group = symmetries(self.given, work=SYMMETRY_WORK)
        if group.order > MOST_SYMMETRIES:
            return ()
        return tuple(found for each in group.elements() if (found := self.images(each)) is not None)

    def images(self, symmetry: Symmetry) -> dict[tuple[int, int], tuple[int, int]] | None:
        """Return what a symmetry of the given model makes of each piece and state; None if it breaks blocks."""
        if self.blocks is None:
            return {
                state: self.states[symmetry.cells[cell], symmetry.symbols[symbol]]
                for (cell, symbol), state in self.states.items()
            }
        home = {frozenset(block): number for number, block in enumerate(self.blocks.blocks)}
        numbers = {shown: number for number, shown in enumerate(self.blocks.tuples)}
        found = {}
        for (cell, symbol), state in self.states.items():
            block, shown = self.blocks.blocks[cell], self.blocks.tuples[symbol]
            there = {symmetry.cells[c]: symmetry.symbols[s] for c, s in zip(block, shown, strict=True)}
            number = home.get(frozenset(there))
            image = numbers.get(tuple(there[c] for c in self.blocks.blocks[number])) if number is not None else None
            if number is None or image is None or (number, image) not in self.states:
                return None
            found[state] = self.states[number, image]
        return found


def read(model: Model, goal: bytes) -> Pieces | str:
    """Return the pieces of the positions that moves make of a goal, or why there are none."""
    moves = generators(model) if model.cells <= MOST_CELLS else ()
    if not moves:
        return f"moves have conditions, or there are more than {MOST_CELLS} cells"
    if max(map(len, orbits(moves))) > MOST_PLACES:
        return f"pieces go to more than {MOST_PLACES} cells"
    found = _all_different(model, moves, goal)
    if found is None:
        return "pieces are alike"
    inner, blocks = found
    every = generators(inner)
    assert every is not None
    assert inner.start is not None
    states: dict[tuple[int, int], tuple[int, int]] = {}
    cells: list[tuple[int, ...]] = []
    variants: list[int] = []
    for orbit in orbits(every):
        for cell in orbit:
            reached = _reached(every, (cell, inner.start[cell]))
            if len(reached) == 1:
                continue
            assert not reached & states.keys(), "pieces that are alike"
            ordered = sorted(reached)
            count = len(ordered) // len(orbit)
            if count * len(orbit) < len(ordered) or len(ordered) > MOST_STATES:
                return f"a piece has more than {MOST_STATES} states"
            states.update({place: (len(cells), state) for state, place in enumerate(ordered)})
            cells.append(orbit)
            variants.append(count)
    if not cells:
        return "no move changes anything"
    turns = np.zeros((len(every), len(cells), max(len(o) * v for o, v in zip(cells, variants, strict=True))), np.uint8)
    for number, move in enumerate(paced(every)):
        goes = {source: cell for cell, source in enumerate(move.source)}
        for (cell, symbol), (piece, state) in states.items():
            there = goes[cell]
            turns[number, piece, state] = states[there, move.table[there][symbol]][1]
    # Moves may differ only in what they would do to contents that never come to a cell.
    same = {turns[number].tobytes(): number for number in reversed(range(len(every)))}
    kept = sorted(number for number in same.values() if not _idle(turns[number], cells, variants))
    every, turns = tuple(every[number] for number in kept), turns[kept]
    given = replace(model, start=goal, goals=(Goal.exactly(goal),))
    return Pieces(given, inner, blocks, every, tuple(cells), tuple(variants), states, turns)


def _idle(turn: np.ndarray, cells: Sequence[Sequence[int]], variants: Sequence[int]) -> bool:
    """Return whether a move changes the state of no piece."""
    sizes = [len(there) * count for there, count in zip(cells, variants, strict=True)]
    return all((row[:size] == np.arange(size)).all() for row, size in zip(turn, sizes, strict=True))


def _reached(moves: Sequence[Action], first: tuple[int, int]) -> set[tuple[int, int]]:
    """Return the cells where a piece can be, each with what it shows there."""
    goes = [{source: cell for cell, source in enumerate(move.source)} for move in moves]
    found, pending = {first}, [first]
    while pending:
        checkpoint()
        cell, symbol = pending.pop()
        for move, to in zip(moves, goes, strict=True):
            there = to[cell], move.table[to[cell]][symbol]
            if there not in found:
                found.add(there)
                pending.append(there)
    return found


def _all_different(model: Model, moves: Sequence[Action], goal: bytes) -> tuple[Model, Merged | None] | None:
    """Return the model with the goal as start and with such blocks read as cells that no two pieces are alike."""
    blocks: list[tuple[int, ...]] = []
    for orbit in orbits(moves):
        single = [(cell,) for cell in orbit]
        systems = [single, *block_systems(moves, orbit)] if len(orbit) > 1 else [single]
        others = [(cell,) for cell in range(model.cells) if cell not in set(orbit)]
        for system in systems:
            if _differ(model, moves, system, others, goal):
                blocks += system
                break
        else:
            return None
    if all(len(block) == 1 for block in blocks):
        return replace(model, start=goal, goals=(Goal.exactly(goal),)), None
    found = merged(model, moves, sorted(blocks), goal)
    if found is None or found.model.start is None:
        return None
    return replace(found.model, goals=(Goal.exactly(found.model.start),)), found


def _differ(
    model: Model, moves: Sequence[Action], system: Sequence[tuple[int, ...]], others: list[tuple[int, ...]], goal: bytes
) -> bool:
    """Return whether the blocks of an orbit never show the same at once."""
    if all(len(block) == 1 for block in system):
        classes, shown = symbol_classes(model.rules, model.symbols), goal
        places = [block[0] for block in system]
    else:
        found = merged(model, moves, (*others, *system), goal)
        if found is None or found.model.start is None:
            return False
        classes, shown = symbol_classes(found.model.rules, found.model.symbols), found.model.start
        places = [number for number, block in enumerate(found.blocks) if set(block) <= {c for b in system for c in b}]
    return len({classes[shown[place]] for place in places}) == len(places)
