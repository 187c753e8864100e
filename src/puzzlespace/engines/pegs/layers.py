"""Layers of peg positions up to symmetry: the least position of each class, with its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...errors import LimitError
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from ...structure.jumps import Jumps
from .values import COUNT, SET

if TYPE_CHECKING:
    from ...kernels.pegs.layers import Next, PegBatch, PegBoard

Carried = tuple[np.ndarray, np.ndarray, int]
"""(keys, values, number of keys) of the next layer; the arrays may be longer."""

BATCH = 512
"""Positions that are looked up together."""

PEG_ROWS = Threshold(1 << 17)
"""Positions of a layer processed between two checks of the limits."""

PEG_ROOM = Threshold(64)
"""Room for positions of the next layer, besides the expected number.

A layer that does not fit is found again with twice the room, so it matters for small layers only.
"""


@dataclass
class Layer:
    """Positions with equal numbers of pegs, each the least of its symmetry class, sorted.

    keys    uint64 [n]
    values  uint64 [n, 2], or [0, 2] for the task SET
    """

    keys: np.ndarray
    values: np.ndarray

    def row(self, key: int) -> int | None:
        """Return the row of a key, or None."""
        row = int(np.searchsorted(self.keys, np.uint64(key)))
        return row if row < len(self.keys) and int(self.keys[row]) == key else None


@dataclass(frozen=True)
class Sieve:
    """A bit set that must contain the positions of the next layer; see `kernels.pegs.layers.sieved`."""

    words: np.ndarray
    free: int

    @property
    def pair(self) -> tuple[np.ndarray, np.uint64]:
        """(words, mask of the free cells), as the kernels take it."""
        return self.words, np.uint64((1 << self.free) - 1)


OPEN = Sieve(np.empty(0, np.uint64), 0)
"""The sieve that every position passes."""


@dataclass(frozen=True)
class PegField:
    """A board with the symmetries that define classes of positions.

    places  the image of each bit under each symmetry of a group
    whole   whether these are all symmetries; if not, a class of positions may be counted as several
    """

    jumps: Jumps
    places: tuple[tuple[int, ...], ...]
    whole: bool = True

    @cached_property
    def ahead(self) -> PegBoard:
        """The arrays for forward jumps."""
        return _board(self.jumps, self.places, back=False)

    @cached_property
    def back(self) -> PegBoard:
        """The arrays for jumps taken back."""
        return _board(self.jumps, self.places, back=True)

    def images(self, word: int) -> list[int]:
        """Return all images of a position, one for each symmetry."""
        bits = [bit for bit in range(len(self.jumps.order)) if word >> bit & 1]
        return [sum(1 << place[bit] for bit in bits) for place in self.places]

    def layer(self, words: Sequence[int], task: int = SET) -> Layer:
        """Return the layer of some positions with the initial values of a task."""
        keys = sorted({min(self.images(word)) for word in words})
        values = np.zeros((len(keys) if task else 0, 2), np.uint64)
        if task == COUNT:
            values[:, 0] = [len(set(self.images(key))) for key in keys]
        return Layer(np.array(keys, np.uint64), values)

    def sizes(self, keys: np.ndarray) -> np.ndarray:
        """Return the number of positions in the class of each key."""
        from ...kernels.pegs.layers import class_sizes

        out = np.empty(len(keys), np.int64)
        class_sizes(self.ahead.images, keys, self._scratch(), out)
        return out

    def spread(self, keys: np.ndarray) -> np.ndarray:
        """Return all positions of the classes of some keys, sorted."""
        from ...kernels.packed.numpy_marks import distinct
        from ...kernels.pegs.layers import all_images

        out = np.empty((len(keys), len(self.places)), np.uint64)
        all_images(self.ahead.images, keys, out)
        return distinct(out.ravel())

    def _scratch(self) -> np.ndarray:
        return np.empty(len(self.places), np.uint64)


def _board(jumps: Jumps, places: tuple[tuple[int, ...], ...], back: bool) -> PegBoard:
    from ...kernels.pegs.layers import PegBoard as Made

    number, cells = len(jumps.mask), len(jumps.order)
    chunks = -(-cells // 11)
    ready = np.zeros((chunks, 2048, -(-number // 64)), np.uint64)
    contents = np.arange(2048, dtype=np.uint64)
    for jump, (mask, want) in enumerate(zip(jumps.mask, jumps.want, strict=True)):
        want ^= mask if back else 0
        for chunk in range(chunks):
            here, wanted = mask >> 11 * chunk & 2047, want >> 11 * chunk & 2047
            fits = contents & np.uint64(here) == np.uint64(wanted)
            ready[chunk, fits, jump >> 6] |= np.uint64(1 << (jump & 63))
    images = np.zeros((chunks, 2048, len(places)), np.uint64)
    for symmetry, place in enumerate(places):
        for bit, image in enumerate(place):
            has = contents >> np.uint64(bit % 11) & np.uint64(1) > 0
            images[bit // 11, has, symmetry] |= np.uint64(1 << image)
    ends = (jumps.target, jumps.origin) if back else (jumps.origin, jumps.target)
    first, last = (np.array(each, np.int64) for each in ends)
    return Made(ready, np.array(jumps.mask, np.uint64), first, last, images, np.array(places, np.int64))


def _batch(symmetries: int, room: int) -> PegBatch:
    from ...kernels.pegs.layers import PegBatch as Made

    images, keys, marks = (np.empty(size, np.uint64) for size in (symmetries, room, room))
    return Made(images, keys, marks, np.empty(room, np.int64), np.empty(room, np.int64))


class Pusher:
    """Computes the next layer of a layer, for one board and task."""

    def __init__(self, board: PegBoard, task: int, watch: Watch) -> None:
        self.board = board
        self.task = task
        self.watch = watch
        self.ratio = 2.0
        room = BATCH + len(board.mask)
        self.batch = _batch(board.images.shape[2], room)

    def grow(self, layer: Layer, sieve: Sieve = OPEN) -> Layer:
        """Return the layer of all positions one jump from a layer that pass the sieve."""
        wanted = int(self.ratio * len(layer.keys)) + self.watch.thresholds[PEG_ROOM]
        while True:
            keys = self._empty(wanted)
            found = self._push(layer, self._next(keys, wanted), sieve)
            if found is not None:
                break
            wanted *= 2
        keys, values, held = found
        self.ratio = 1.25 * held / max(1, len(layer.keys))
        order = np.argsort(keys[:held])
        return Layer(keys[order], values[order] if len(values) else values)

    def _empty(self, size: int) -> np.ndarray:
        self.watch.reserve(8 * size)
        return np.empty(size, np.uint64)

    def _next(self, keys: np.ndarray, room: int) -> Next:
        from ...kernels.pegs.layers import Next

        slots = 1 << (2 * room - 1).bit_length()
        self.watch.reserve(4 * slots + (16 * room if self.task else 0))
        values = np.empty((room if self.task else 0, 2), np.uint64)
        return Next(np.full(slots, -1, np.int32), keys, values, np.array([0, self.task, 0], np.int64))

    def _push(self, layer: Layer, following: Next, sieve: Sieve) -> Carried | None:
        """Return (keys, values, number of keys) of the next layer, or None if there is not enough room."""
        from ...kernels.pegs.layers import FULL, OVERFLOW, push

        rows, at_once = len(layer.keys), self.watch.thresholds[PEG_ROWS]
        for row in range(0, rows, at_once):
            keys, values = layer.keys[row : row + at_once], layer.values[row : row + at_once]
            following.state[2] = 0
            with np.errstate(over="ignore"):
                ended = push(self.board, (keys, values), following, sieve.pair, self.batch)
            self.watch.tick(int(following.state[2]))
            if ended == OVERFLOW:
                raise LimitError("positions", "there are more solutions than 2^128, too many to count")
            if ended == FULL:
                return None
        return following.keys, following.values, int(following.state[0])
