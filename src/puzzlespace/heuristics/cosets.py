"""What a coset table keeps of a position of listed moves, chosen from the moves and the symmetries of the puzzle.

Some moves, and powers of moves, generate a group H. It divides the pieces of each orbit into parts: those that H
exchanges at the goal. A position is reduced to the part, and the variant, that each cell of two orbits shows; variants
are named so that H keeps those of the goal. The depth of what is left is a lower bound. Symmetries that map parts to
parts divide the table (`coset_tables`). docs/methods/cosets.md
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import factorial, prod

import numpy as np

from ..limits.watch import checkpoint
from . import inverses
from .pieces import Pieces

MOST_CHOICES = 1000
"""The most choices of a group H that are compared."""

MOST_MOVES = 62
"""The most moves: sets of them are kept in one word."""

MOST_ORDER = 64
"""The greatest order of a move whose powers are listed."""

MOST_ROWS = 1 << 16
"""The most values of a coordinate: they are stored in 16 bits."""

MOST_CODES = 1 << 20
"""The most codes of a coordinate: its values are found in a list of all codes."""

MOST_JOINED = 1 << 24
"""The most pairs of the two coordinates of the first orbit."""

MOST_DIVIDED = 64
"""The most symmetries by which a table is divided: sets of them are kept in one word."""


@dataclass(frozen=True)
class PieceOrbit:
    """The pieces of an orbit, and the names of their states.

    members   the pieces by the cell where they are at the goal
    variants  how many variants are told apart: those of the pieces, or 1
    names     for each member uint8 [ways, states]: ways to name its states, cell * variants + variant, that all moves
              keep
    acts      int64 [elements, cells * variants]: what each of some elements does to names
    """

    members: tuple[int, ...]
    variants: int
    names: tuple[np.ndarray, ...]
    acts: np.ndarray

    @property
    def cells(self) -> int:
        return len(self.members)


@dataclass(frozen=True)
class Marks:
    """What a table keeps of an orbit.

    part   int64 [cells]: the part of the piece that is in each cell at the goal
    turn   int64 [cells]: the variant of that piece by its name
    names  int64 [members, states]: the name of each state of a piece
    """

    orbit: PieceOrbit
    part: np.ndarray
    turn: np.ndarray
    names: np.ndarray

    @property
    def parts(self) -> int:
        return int(self.part.max()) + 1

    @property
    def orders(self) -> int:
        """How many ways there are to place the parts."""
        return factorial(self.orbit.cells) // prod(map(factorial, np.bincount(self.part).tolist()))

    @property
    def count(self) -> int:
        """About how many arrangements there are: nearly all moves keep the sum of the variants."""
        return self.orders * self.orbit.variants ** (self.orbit.cells - 1)

    @property
    def key(self) -> bytes:
        return bytes([self.orbit.variants]) + self.part.tobytes() + self.turn.tobytes()


@dataclass(frozen=True)
class Image:
    """What a symmetry does to marks: the part of each part, and the name int64 [parts, names] of each name in it."""

    part: np.ndarray
    name: np.ndarray


@dataclass(frozen=True)
class Renaming:
    """A symmetry of the puzzle: the piece of each piece, the state int64 [pieces, states] of each state."""

    piece: np.ndarray
    state: np.ndarray

    @property
    def key(self) -> bytes:
        return self.piece.tobytes() + self.state.tobytes()

    def then(self, other: Renaming) -> Renaming:
        """Return the symmetry that does this one first."""
        return Renaming(other.piece[self.piece], other.state[self.piece[:, None], self.state])

    def keeps(self, orbit: PieceOrbit) -> bool:
        """Return whether pieces of the orbit become pieces of the orbit."""
        return set(self.piece[list(orbit.members)].tolist()) == set(orbit.members)

    def on(self, marks: Marks) -> Image | None:
        """Return what the symmetry does to marks, or None if it does not map parts to parts."""
        members = marks.orbit.members
        number = {piece: cell for cell, piece in enumerate(members)}
        to = [number.get(int(self.piece[piece]), -1) for piece in members]
        if -1 in to:
            return None
        part = np.full(marks.parts, -1, np.int64)
        name = np.full((marks.parts, marks.orbit.acts.shape[1]), -1, np.int64)
        for cell, piece in enumerate(members):
            own, there = marks.part[cell], to[cell]
            found = np.zeros(name.shape[1], np.int64)
            found[marks.names[cell]] = marks.names[there][self.state[piece, : marks.names.shape[1]]]
            if part[own] < 0:
                part[own], name[own] = marks.part[there], found
            elif part[own] != marks.part[there] or (name[own] != found).any():
                return None
        return Image(part, name)


def _powers(turn: np.ndarray) -> list[np.ndarray] | None:
    """Return the powers of a move but the identity, or None if there are more than `MOST_ORDER`."""
    found, power = [], turn
    while (power != np.arange(turn.shape[1])).any():
        found.append(power)
        if len(found) > MOST_ORDER:
            return None
        power = np.take_along_axis(turn, power, axis=1)
    return found


def _elements(turns: np.ndarray) -> tuple[list[np.ndarray], list[list[int]]] | None:
    """Return generators of cyclic groups, and for each greatest such group the numbers of those of its subgroups."""
    groups: dict[frozenset[bytes], int] = {}
    elements: list[np.ndarray] = []
    for turn in turns:
        powers = _powers(turn)
        if powers is None:
            return None
        for power in powers:
            group = frozenset(each.tobytes() for each in _powers(power) or ())
            if group not in groups:
                groups[group] = len(elements)
                elements.append(power)
    greatest = [one for one in groups if not any(one < other for other in groups)]
    return elements, [[groups[each] for each in groups if each <= one] for one in greatest]


def _orbits(pieces: Pieces, goal: Sequence[int], elements: Sequence[np.ndarray]) -> list[PieceOrbit]:
    """Return the orbits of several cells; `elements`: see `PieceOrbit.acts`."""
    found = []
    for cells in dict.fromkeys(pieces.cells):
        members = [piece for piece, there in enumerate(pieces.cells) if there == cells]
        count = pieces.variants[members[0]]
        size = len(cells) * count
        home = {goal[piece] // pieces.variants[piece]: piece for piece in members}
        if len(home) < len(cells) or {pieces.variants[piece] for piece in members} != {count}:
            continue
        ordered = tuple(home[cell] for cell in range(len(cells)))
        ways = [inverses.same_cells(pieces, piece, members[0], count) for piece in ordered] if count > 1 else []
        acts = np.array([each[members[0], :size] for each in elements])
        if ways and all(len(each) == count for each in ways):
            found.append(PieceOrbit(ordered, count, tuple(np.array(each, np.int64) for each in ways), acts))
        else:
            found.append(_places(PieceOrbit(ordered, count, tuple(np.arange(size)[None] for _ in ordered), acts)))
    return found


def _places(orbit: PieceOrbit) -> PieceOrbit:
    """Return the orbit without variants: states in the same cell have the same name."""
    count = orbit.variants
    states = [np.arange(ways.shape[1]) // count for ways in orbit.names]
    acts = orbit.acts[:, ::count] // count
    return PieceOrbit(orbit.members, 1, tuple(each[None] for each in states), acts)


def _joined(acts: np.ndarray, size: int) -> np.ndarray:
    """Return for each item the least one to which some permutations take it."""
    labels = np.arange(size)
    while True:
        before = labels.copy()
        for act in acts:
            labels = np.minimum(labels, labels[act])
            labels[act] = np.minimum(labels[act], labels)
        if (labels == before).all():
            return labels


def _marks(orbit: PieceOrbit, goal: Sequence[int], chosen: Sequence[int]) -> Marks:
    """Return what the group of the chosen elements keeps of an orbit."""
    acts, count = orbit.acts[list(chosen)], orbit.variants
    cells = _joined(acts[:, ::count] // count, orbit.cells)
    part = np.unique(cells, return_inverse=True)[1].astype(np.int64)
    names = _joined(acts, orbit.cells * count)
    if count > 1 and len(set(names.tolist())) > count * (part.max() + 1) - 1:
        turn = np.array(
            [
                next(name for name in range(count) if names[cell * count + name] == names[cells[cell] * count])
                for cell in range(orbit.cells)
            ]
        )
    else:
        turn = np.zeros(orbit.cells, np.int64)
        if count > 1:  # the group turns pieces in their cells: only places are kept
            orbit, count = _places(orbit), 1
    rows = []
    for cell, (piece, ways) in enumerate(zip(orbit.members, orbit.names, strict=True)):
        rows.append(next(way for way in ways if way[goal[piece]] == cell * count + turn[cell]))
    return Marks(orbit, part, turn, np.array(rows))


def renamings(pieces: Pieces) -> list[Renaming]:
    """Return the symmetries of the puzzle that fix the goal, the identity first."""
    found = []
    for images in pieces.symmetries:
        piece = np.arange(len(pieces.cells))
        state = np.tile(np.arange(pieces.turns.shape[2]), (len(pieces.cells), 1))
        for (own, here), (to, there) in images.items():
            piece[own], state[own, here] = to, there
        found.append(Renaming(piece, state))
    identity = Renaming(np.arange(len(pieces.cells)), np.tile(np.arange(pieces.turns.shape[2]), (len(pieces.cells), 1)))
    return [identity, *(each for each in found if each.key != identity.key)]


@dataclass(frozen=True)
class Choice:
    """What a table keeps: marks of one or two orbits, and the symmetries that divide it, the identity first."""

    marks: tuple[Marks, ...]
    divided: tuple[Renaming, ...]

    @property
    def arrangements(self) -> int:
        return prod(each.count for each in self.marks)

    @property
    def size(self) -> int:
        """About the size of the table in bytes."""
        return self.arrangements // len(self.divided)


def _choices(pieces: Pieces) -> tuple[list[np.ndarray], list[list[int]]] | None:
    """Return elements, and the choices of some of them that generate H; None if there are too many moves or choices."""
    if len(pieces.turns) > MOST_MOVES or not inverses.undone(pieces):
        return None
    listed = _elements(inverses.whole(pieces))
    if listed is None or prod(len(each) + 1 for each in listed[1]) > MOST_CHOICES:
        return None
    elements, groups = listed
    every = product(*([None, *each] for each in groups))
    return elements, [[each for each in chosen if each is not None] for chosen in every]


def choose(pieces: Pieces, goal: Sequence[int], most: int, least: int) -> Choice | None:
    """Return the choice with most arrangements, at least `least`, whose table has at most about `most` bytes.

    Returns None if there is none, if some move is undone by no move, or if there are too many moves or choices.
    """
    listed = _choices(pieces)
    if listed is None:
        return None
    elements, choices = listed
    orbits = _orbits(pieces, goal, elements)
    every = renamings(pieces)
    found: dict[bytes, tuple[Marks, ...]] = {}
    for numbers in choices:
        checkpoint()
        marks = sorted((_marks(orbit, goal, numbers) for orbit in orbits), key=lambda each: -each.count)[:2]
        if marks and least <= prod(each.count for each in marks) <= most * len(every) and _fits(marks):
            found.setdefault(b"".join(each.key for each in marks), tuple(marks))
    for best in sorted(found.values(), key=lambda marks: -prod(each.count for each in marks)):
        checkpoint()
        divided = tuple(each for each in every if all(each.on(marks) is not None for marks in best))
        choice = Choice(best, divided[:1] if len(divided) > MOST_DIVIDED else divided)
        if choice.size <= most:
            return choice
    return None


def refine(pieces: Pieces, goal: Sequence[int], choice: Choice, most: int) -> Marks | None:
    """Return places of parts of an orbit of which a choice keeps no places: with most arrangements, at most `most`.

    All symmetries that divide the table of the choice map these parts to parts. Returns None if there are none.
    """
    listed = _choices(pieces)
    if listed is None:
        return None
    elements, choices = listed
    told = {each.orbit.members for each in choice.marks if each.parts > 1}
    best = None
    for orbit in map(_places, _orbits(pieces, goal, elements)):
        for numbers in choices if orbit.members not in told else ():
            checkpoint()
            marks = _marks(orbit, goal, numbers)
            if (
                (1 if best is None else best.orders) < marks.orders <= min(most, MOST_ROWS)
                and marks.parts**orbit.cells <= MOST_CODES
                and all(each.on(marks) is not None for each in choice.divided)
            ):
                best = marks
    return best


def _fits(marks: Sequence[Marks]) -> bool:
    """Return whether the numbers and the codes of arrangements fit the lists."""
    first, *second = marks
    turned = first.orbit.variants ** (first.orbit.cells - 1)
    coded = [(first.parts, first), (first.orbit.variants, first), *((m.parts * m.orbit.variants, m) for m in second)]
    if any(base**each.orbit.cells > MOST_CODES for base, each in coded):
        return False
    few = all(each.count <= MOST_ROWS for each in second)
    return few and max(first.orders, turned) <= MOST_ROWS and first.count <= MOST_JOINED
