"""Positions of a level with the compiled turn: packed, in a hash table, with the moves between them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from copy import copy

import numpy as np

from ..errors import LimitError
from ..kernels.games import positions as kernels
from ..kernels.games import reach
from ..kernels.games.board import OBJECT_BITS, RESTART
from ..limits.watch import Watch, checkpoint
from .game import LETTERS
from .hopes import Facts, hopes, no_hopes
from .moves import GamePosition, LevelMoves
from .possible import exclusive, moving_layers, object_bits, possible, restricted
from .tables import bits_of, in_words, tables, work
from .turn import Cells

MOST_TURNS = 400
"""Turns that may follow by themselves before the plain turn looks for a loop."""

AT_ONCE, MOST_AT_ONCE = 1 << 4, 1 << 16
"""Positions whose moves are made at once, at first and at most."""

SOON = 0.05
"""Seconds after which the limits should be looked at again."""

ROOM = 1 << 12
"""Positions for which there is room at first."""

MOST_POSITIONS = (1 << 31) - 1
"""The most positions: the numbers of moves have 32 bits."""

DECODED = 1 << 12
"""Positions that are unpacked at once."""


class PackedPositions:
    """The positions of a level in arrays (`kernels/games/positions.py`).

    starts         the first positions: from these all can be reached. How positions are packed depends on nothing else
    places, links  the positions so far, and the moves of those that were extended
    numbers        the bits that objects have here
    words          how many words a cell has
    parts          sets of objects of which a cell has at most one
    masks          the objects that may change in each word of a cell
    hopes          which positions are hopeless: their moves are left out if only shortest solutions are asked for
    """

    def __init__(
        self,
        moves: LevelMoves,
        starts: Sequence[GamePosition],
        places: Sequence[GamePosition] = (),
        links: Sequence[Sequence[int]] = (),
        hopeful: bool = False,
    ) -> None:
        board, places = moves.board, places or starts
        boards = {board.cells: None}
        for place in starts:
            boards |= {place.cells: None, **({place.restart: None} if place.restart else {})}
        objects, movements = possible(moves.game, boards)
        self.moves, self.board, self.at_once = moves, board, AT_ONCE
        self.numbers = object_bits(moves.game, objects)
        game = restricted(moves.game, self.numbers, objects, movements)
        self.tables = tables(game, board, moving_layers(moves.game, movements), moves.keeps_restart)
        self.words = len(self.tables.words)
        self.work = work(self.tables, board)
        self.inputs = np.array(moves.inputs, np.int64)
        self.size = board.width * board.height * self.words
        rows = self._boards(list(boards))
        self.work.saved_cells[RESTART] = rows[0]
        self.parts = exclusive(game, {self.numbers.narrow(cell) for cells in boards for cell in cells})
        facts = self._facts(rows)
        self.masks = facts[0] & facts[1]
        layers = [layer for layer in game.layers if layer]
        self.hopes = no_hopes(self.size)
        if hopeful and self.words == 1 and set(layers) <= set(self.parts):
            self.hopes = hopes(self.tables, facts, layers, int(self.inputs.sum()))
        self.form = self._form(rows[0])
        self.unpacked = np.empty(len(self.form[0]), np.uint64)
        self._empty(2 * len(places) + ROOM)
        for first in range(0, len(places), DECODED):
            self._enter(places[first : first + DECODED])
        if links:
            self.links[: len(links)] = links

    def _empty(self, room: int) -> None:
        """Begin without positions, with room for some."""
        self.keys = np.empty((room, -(-(int(self.form[2][-1]) + 1) // 64)), np.uint64)
        self.links = np.empty((room, len(self.inputs)), np.int32)
        self.table = np.zeros(slots(room), np.uint64)
        self.counts = np.zeros(3, np.int64)

    def of(self, *parts: np.ndarray) -> PackedPositions:
        """Return the store with other positions, given as rows of `keys`."""
        found = copy(self)
        found.at_once = AT_ONCE
        found._empty(sum(map(len, parts)) + ROOM)
        for rows in parts:
            kernels.entered_rows(found.arrays, np.ascontiguousarray(rows))
        return found

    def rules(self) -> bytes:
        """Return all that rows of `keys` and the moves between them depend on."""
        parts = (*self.tables, *self.form, self.inputs)
        return b"".join(repr(np.shape(part)).encode() + np.asarray(part).tobytes() for part in parts)

    def _boards(self, boards: Sequence[Cells]) -> np.ndarray:
        cells = [self.numbers.narrow(cell) for board in boards for cell in board]
        return in_words(cells, self.words).reshape(len(boards), self.size)

    def _rows(self, places: Sequence[GamePosition]) -> np.ndarray:
        """Return what is packed of positions: boards, each with the one that `restart` brings back if it is kept."""
        rows = self._boards([each.cells for each in places])
        if not self.moves.keeps_restart:
            return rows
        nothing = (0,) * len(self.board.cells)
        restarts = [nothing if each.won else each.restart or self.board.cells for each in places]
        return np.concatenate((rows, self._boards(restarts)), axis=1)

    def _cells(self, rows: np.ndarray) -> list[Cells]:
        """Return the boards of rows of words, with the bits of the game."""
        found = rows[:, :: self.words].tolist()
        for word in range(1, self.words):
            pairs = zip(found, rows[:, word :: self.words].tolist(), strict=True)
            found = [[low | high << OBJECT_BITS * word for low, high in zip(*each, strict=True)] for each in pairs]
        return [tuple(map(self.numbers.wide, row)) for row in found]

    def _facts(self, boards: np.ndarray) -> Facts:
        """Return what cells may have and may lack, and the movements; leave out the lines in which nothing matches.

        boards  those from which all positions can be reached
        """
        news = np.zeros((2, self.words, 2), np.uint64)
        facts = np.bitwise_or.reduce(boards), ~np.bitwise_and.reduce(boards), np.zeros(self.size, np.uint64), news
        reach.reached(tuple(self.tables), facts, np.uint64(self.inputs.sum()))
        reach.lines_reached(tuple(self.tables), facts, self.tables.lines)
        return facts

    def _form(self, cells: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return how positions are packed that differ from a board only in what may change."""
        twice = 2 if self.moves.keeps_restart else 1
        varying, own = np.tile(self.masks, twice), in_words(self.parts, self.words).T.tolist()
        parts = [
            [mask & part for part in own[slot % self.words] if mask & part]
            for slot, mask in enumerate(varying.tolist())
        ]  # fmt: skip
        fields: list[tuple[int, int, int, int]] = []
        objects: list[int] = []
        lengths: list[int] = []
        for masks in parts:
            low = 0
            for mask in masks:
                bits = bits_of(mask)
                width = len(bits).bit_length()
                fields.append((mask, low, (1 << width) - 1, len(objects)))
                objects += [1 << bit for bit in bits]
                low += width
            lengths.append(low)
        places, ends = (np.cumsum([0, *counts]) for counts in (lengths, map(len, parts)))
        return (
            np.tile(cells, twice) & ~varying, np.flatnonzero(varying), places, ends,
            np.array(fields, np.uint64).reshape(-1, 4), np.array(objects, np.uint64),
            np.repeat(np.arange(len(parts), dtype=np.int32), lengths),
        )  # fmt: skip

    @property
    def changing(self) -> list[int]:
        """The objects that may change in each cell, with the bits of the game."""
        return list(self._cells(self.masks.reshape(1, -1))[0])

    @property
    def found(self) -> int:
        """How many positions were found."""
        return int(self.counts[kernels.FOUND])

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """The arrays as the kernels take them."""
        return self.keys, self.table, self.links, self.counts

    def _enter(self, places: Sequence[GamePosition]) -> list[int]:
        won = np.array([each.won for each in places], np.bool_)
        numbers = np.empty(len(places), np.int64)
        kernels.entered(self.form, self.arrays, self._rows(places), won, numbers)
        return numbers.tolist()

    def memory(self, positions: float) -> float:
        """Return how many bytes so many positions take: with a quarter more room, and two hash tables at a time."""
        each = 8 * self.keys.shape[1] + 4 * self.links.shape[1]
        return 1.25 * positions * each + (1 + 1.25) * 8 * slots(int(positions))

    def rows(self, first: int, end: int) -> np.ndarray:
        """Return a copy of the rows of `keys` of the positions from `first` to before `end`."""
        return self.keys[first:end].copy()

    @property
    def left_out(self) -> int:
        """How many hopeless positions have no moves here."""
        return int(self.counts[kernels.LEFT_OUT])

    @property
    def moves_made(self) -> int:
        """How many moves were found by `extend`."""
        return int(self.counts[kernels.MOVES])

    def extend(self, first: int, end: int, watch: Watch, bound: int = 0) -> int:
        """Find the positions one move after the first ones from `first` to before `end`; return how far it is done."""
        began = time.perf_counter()
        reached, why = kernels.extended(
            tuple(self.tables), tuple(self.work), self.form, self.arrays, tuple(self.hopes), self.inputs,
            self.unpacked, MOST_TURNS, first, min(end, first + self.at_once),
        )  # fmt: skip
        if why == kernels.NO_ROOM:
            self._grow(watch, bound)
        elif why == kernels.UNKNOWN:
            self._after(reached)
            reached += 1
        else:
            late = time.perf_counter() - began > SOON
            self.at_once = max(1, self.at_once // 2) if late else min(MOST_AT_ONCE, self.at_once * 2)
        return reached

    def _after(self, number: int) -> None:
        """Make the moves of a position in plain Python."""
        after = self.moves.named(self.listed([number])[0])
        self.links[number] = kernels.NONE
        for (letter, _), there in zip(after, self._enter([place for _, place in after]), strict=True):
            self.links[number, LETTERS.index(letter)] = there
        self.counts[kernels.MOVES] += len(after)

    def _grow(self, watch: Watch, bound: int) -> None:
        """Make room for a quarter more positions."""
        found, room = self.found + len(self.inputs), len(self.keys)
        room += room // 4
        if room > MOST_POSITIONS:
            raise LimitError("memory", f"stopped at {found:,} positions, the most that have numbers", bound)
        more = (room - len(self.keys)) * (8 * self.keys.shape[1] + 4 * self.links.shape[1])
        watch.reserve(more + 8 * slots(room), bound)
        self.keys.resize((room, self.keys.shape[1]), refcheck=False)
        self.links.resize((room, self.links.shape[1]), refcheck=False)
        old, self.table = self.table, np.zeros(slots(room), np.uint64)
        for first in range(0, len(old), 1 << 20):
            kernels.rehashed(old, first, min(len(old), first + (1 << 20)), self.table)

    def listed(self, numbers: Sequence[int] | np.ndarray) -> list[GamePosition]:
        """Return some positions."""
        found: list[GamePosition] = []
        for first in range(0, len(numbers), DECODED):
            checkpoint()
            part = np.array(numbers[first : first + DECODED], np.int64)
            rows, won = np.empty((len(part), len(self.form[0])), np.uint64), np.empty(len(part), np.bool_)
            kernels.decoded(self.form, self.arrays, part, rows, won)
            boards, wins = self._cells(rows[:, : self.size]), won.tolist()
            kept = self._cells(rows[:, self.size :]) if self.moves.keeps_restart else [()] * len(part)
            restarts = [() if over else board for board, over in zip(kept, wins, strict=True)]
            found += map(GamePosition, boards, restarts, wins)
        return found

    def won(self, first: int, end: int) -> np.ndarray:
        """Return the numbers of the won positions from `first` to before `end`."""
        out = np.empty(max(0, end - first), np.int64)
        total = kernels.won_positions(self.form, self.arrays, first, end, out)
        return out[:total].copy()

    def links_of(self, number: int) -> list[int]:
        """Return the number of the position after each input from a position, or NONE."""
        return self.links[number].tolist()

    def leading(self, wanted: Sequence[int], first: int, end: int) -> np.ndarray:
        """Return the numbers from `first` to before `end` from which a move leads to one of some numbers."""
        sought, found = np.sort(np.array(wanted, np.int64)), [np.empty(0, np.int64)]
        for at in range(first, end, MOST_AT_ONCE):
            checkpoint()
            until = min(end, at + MOST_AT_ONCE)
            out = np.empty(until - at, np.int64)
            found.append(out[: kernels.leading(self.links, sought, at, until, out)])
        return np.concatenate(found)

    def conditions_met(self, watch: Watch) -> list[bool]:
        """Return for each win condition whether any position meets it."""
        met = np.zeros(len(self.tables.kinds), np.bool_)
        in_parts(watch, self.found, lambda first, end: kernels.noted_conditions(
            tuple(self.tables), tuple(self.work), self.form, self.arrays, self.unpacked, first, end, met
        ))  # fmt: skip
        return met.tolist()


def slots(room: int) -> int:
    """Return how many slots the hash table has if there is room for so many positions: at most 3 in 4 are used."""
    return room + room // 3 + 1


def in_parts(watch: Watch, end: int, step: Callable[[int, int], object]) -> None:
    """Call a function for the numbers from 0 to before `end`, some at a time, with a check of the limits between."""
    for first in range(0, end, MOST_AT_ONCE):
        watch.glance()
        step(first, min(end, first + MOST_AT_ONCE))
