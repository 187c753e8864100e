"""Inverse positions of listed moves: as far from the goal as the position itself, and read from the same tables.

If x = g(goal) for a product g of moves, g^-1(goal) is as far from the goal, if all moves can be undone by one move. The
states of the pieces of an orbit in that position follow from their states in x alone if the pieces determine what g
does to every state. docs/methods/piece-patterns.md
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..limits.watch import checkpoint
from .pieces import Pieces


@dataclass(frozen=True)
class Inverses:
    """What the inverse position is.

    known   the pieces whose states in the inverse position are known
    piece   uint8 [pieces, states]: the piece about which a piece in this state tells; unknown ones tell of themselves
    state   uint8 [pieces, states]: the state of that piece in the inverse position; 0 if it is unknown
    """

    known: frozenset[int]
    piece: np.ndarray
    state: np.ndarray

    def of(self, states: Sequence[int]) -> list[int]:
        """Return the states in the inverse position; those of unknown pieces are 0."""
        found = [0] * len(states)
        for piece in range(len(states)):
            found[self.piece[piece, states[piece]]] = int(self.state[piece, states[piece]])
        return found


def read(pieces: Pieces, goal: Sequence[int]) -> Inverses:
    """Return what the inverse positions are, of as many orbits as possible.

    goal  the states of all pieces at the goal
    """
    about = np.repeat(np.arange(len(pieces.cells), dtype=np.uint8)[:, None], pieces.turns.shape[2], axis=1)
    found = Inverses(frozenset(), about, np.zeros_like(about))
    if not undone(pieces):
        return found
    known: set[int] = set()
    for cells in dict.fromkeys(pieces.cells):
        members = [piece for piece, there in enumerate(pieces.cells) if there == cells]
        if len({pieces.variants[piece] for piece in members}) == 1 and _orbit(pieces, goal, members, found):
            known.update(members)
    return Inverses(frozenset(known), found.piece, found.state)


def whole(pieces: Pieces) -> np.ndarray:
    """Return int64 [moves, pieces, states]: what moves do, for each piece completed to a permutation of all states."""
    turns = pieces.turns.astype(np.int64)
    for piece, size in enumerate(_sizes(pieces)):
        turns[:, piece, size:] = np.arange(size, turns.shape[2])
    return turns


def acts(pieces: Pieces) -> np.ndarray:
    """Return what moves do to all pairs of piece and state, numbered in one: int32 [moves, pieces * states]."""
    turns = whole(pieces)
    first = np.arange(turns.shape[1])[:, None] * turns.shape[2]
    return (turns + first).reshape(len(turns), -1).astype(np.int32)


def undone(pieces: Pieces) -> bool:
    """Return whether every move is undone by a move."""
    return -1 not in undoing(pieces)


def undoing(pieces: Pieces) -> list[int]:
    """Return the move that undoes each move, -1 if none does."""
    turns = whole(pieces)
    number = {turn.tobytes(): move for move, turn in enumerate(turns)}
    return [number.get(np.argsort(turn, axis=1).tobytes(), -1) for turn in turns]


def _sizes(pieces: Pieces) -> list[int]:
    """Return the number of states of each piece."""
    return [len(cells) * count for cells, count in zip(pieces.cells, pieces.variants, strict=True)]


def _orbit(pieces: Pieces, goal: Sequence[int], members: Sequence[int], found: Inverses) -> bool:
    """Write the inverses of the pieces of an orbit to `found`; return whether they determine them."""
    first = members[0]
    size = _sizes(pieces)[first]
    own = [same for state in range(size) if (same := _matched(pieces, first, first, size, state)) is not None]
    alike = {first: np.arange(size)}
    for piece in members[1:]:
        matches = (_matched(pieces, first, piece, size, state) for state in range(size))
        match = next((each for each in matches if each is not None), None)
        if match is None:
            return False
        alike[piece] = match
    home = {piece: int(np.flatnonzero(alike[piece] == goal[piece])[0]) for piece in members}
    tells = {int(same[home[piece]]): (piece, same) for piece in members for same in own}
    if len(tells) < size or len(own) * len(members) > size:  # every state is told of by exactly one piece
        return False
    for piece in members:
        for state in range(size):
            here = int(np.flatnonzero(alike[piece] == state)[0])
            other, same = tells[here]  # `same` takes the home of the other piece to where this piece is
            back = int(np.flatnonzero(same == home[piece])[0])
            found.piece[piece, state] = other
            found.state[piece, state] = alike[other][back]
    return True


def same_cells(pieces: Pieces, piece: int, other: int, count: int) -> list[np.ndarray]:
    """Return the maps from states of a piece to states of another one in the same cell that every move keeps.

    count  the variants of both
    """
    size = len(pieces.cells[piece]) * count
    found = (_matched(pieces, piece, other, size, state) for state in range(count))
    return [each for each in found if each is not None and (each // count == np.arange(size) // count).all()]


def _matched(pieces: Pieces, first: int, other: int, size: int, state: int) -> np.ndarray | None:
    """Return the map from states of one piece to states of another that every move keeps and takes 0 to `state`."""
    checkpoint()
    found = np.full(size, -1)
    found[0] = state
    pending = [0]
    while pending:
        here = pending.pop()
        for turn in pieces.turns:
            there, then = turn[first, here], turn[other, found[here]]
            if found[there] < 0:
                found[there] = then
                pending.append(int(there))
            elif found[there] != then:
                return None
    return found if len(set(found.tolist())) == size else None
