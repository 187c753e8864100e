"""Count the layers of a sliding puzzle's depth table on a graphics card (docs/methods/gpu.md).

The table stays in the card's memory. The host starts one kernel for each layer, or one for each rule if there are two
tables, and fetches how many positions are new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ....contract.questions import Depths
from ....errors import DeviceError, LimitError, UnsupportedError
from ....kernels.table.windows_build import listed
from ....limits.memory import fits, sized, zeros
from ....limits.thresholds import Threshold
from ....limits.watch import Watch
from ...shared.device import Device, NoDeviceError, Room
from ..mod3 import Keeper, keeper_of, kept_bytes
from .counting import SLIDE_BLOCK, Ground, LinkArc, SlideCount, Span, Work
from .numbering import SlidePlan

SOURCE = "windows.cu"

OPTIONS: tuple[str, ...] = ()
"""Options of the compiler, such as -DAT_ONCE=4."""

LAUNCHED = 1 << 22
"""The most blocks of threads that are started at once; between two starts the limits are checked."""

LARGEST = 1 << 30
"""The kernels number the words of a block with 32 bits."""

SPARE = 1 << 26
"""Bytes of the card's memory that are left for its driver."""

DEVICE_POSITIONS = Threshold(200_000_000)
"""The least number of positions that are counted on a graphics card unless it is asked for. Measured: 239,500,800 take
0.4 s on an H200 and 0.6 s on its 16 processors; opening the card and compiling takes 0.1 to 0.3 s."""


def needed(ground: Ground, kept: bool) -> int:
    """Return the bytes of the card's memory that counting takes.

    kept  whether depths are kept
    """
    rows = len(ground.rows)
    one = ground.colours is not None
    table = ground.plan.memory(rows, one)
    program, _ = listed(ground.orders, ground.windows, ground.depth)
    blocks = ground.orders.ways(ground.orders.root, ground.depth)
    flags = 4 * rows * blocks
    return table + 24 * program + flags + (kept_bytes(rows * ground.plan.words) if kept else 0)


def lacking(ground: Ground, device: Device, watch: Watch, kept: bool) -> str | None:
    """Return why the card's memory, or the limit of memory, is too small for a count; None if it suffices."""
    wanted, (free, whole) = needed(ground, kept), device.memory()
    positions = f"{ground.plan.positions:,} positions need {sized(wanted)} on the graphics card ({wanted:,} bytes)"
    if wanted + SPARE > free:
        return f"{positions}; {sized(free)} of {sized(whole)} are free on {device.name}"
    limit = watch.limits.memory
    if limit is not None and wanted > limit:
        return f"{positions}; the limit is {sized(limit)}"
    return None


def check() -> None:
    """Raise UnsupportedError if there is no card, or part of its software is missing."""
    _device().close()


def _device() -> Device:
    try:
        return Device([SOURCE], OPTIONS)
    except (DeviceError, UnsupportedError) as error:
        raise type(error)(f"device gpu: {error}") from None


@contextmanager
def opened(plan: SlidePlan, question: Depths, watch: Watch) -> Iterator[Device | None]:
    """Open the card for a count; None if it is counted on the processor.

    Raises UnsupportedError if the question wants a card and there is none, or part of its software is missing.
    """
    device = _chosen(plan, question, watch)
    if device is None:
        yield None
    else:
        with device:
            try:
                yield device
            except DeviceError as error:
                raise DeviceError(f"{error}; device='cpu' counts on the processor") from None


def _chosen(plan: SlidePlan, question: Depths, watch: Watch) -> Device | None:
    forced = question.device == "gpu"
    if question.device == "cpu" or (not forced and plan.positions < watch.thresholds[DEVICE_POSITIONS]):
        return None
    if question.wanted is not None:
        if forced:
            raise UnsupportedError("device gpu: positions of a layer are listed on the processor only")
        return None
    if forced:
        return _device()
    try:
        device = _device()
    except NoDeviceError:
        return None
    except (DeviceError, UnsupportedError) as error:
        watch.say(f"{error}; it is counted on the processor")
        return None
    else:
        ground = Ground(plan, question.sources, watch.thresholds[SLIDE_BLOCK])
        reason = lacking(ground, device, watch, keeper_of(question) is not None)
        if reason is not None:
            device.close()
            watch.say(f"{reason}; it is counted on the processor")
            return None
    return device


@dataclass
class _DeviceRow:
    """A row of words and its flags on the card; `held` keeps its memory."""

    words: int
    flags: int
    held: tuple[Room, ...] = ()


class DeviceCount(SlideCount):
    """A running count whose table is on a graphics card."""

    def __init__(self, device: Device, plan: SlidePlan, sources: Sequence[bytes], threads: int, watch: Watch) -> None:
        self.device = device
        self._planes: Room | None = None
        self._host: np.ndarray | None = None
        self._total = device.zeros(8)
        self._tables: tuple[int, ...] = ()
        self._held: list[Room] = []
        self._into: list[list[Room]] = []
        super().__init__(plan, sources, 1, watch)

    def _fits(self) -> bool:
        ground = self.ground
        reason = lacking(ground, self.device, self.watch, False)
        if reason is not None:
            raise LimitError("memory", reason)
        kept, made = listed(ground.orders, ground.windows, ground.depth)
        return fits(self.watch, 24 * kept + 200 * made, 0)

    def _work(self, room: int) -> Work:
        none = np.zeros(0, np.uint64)
        return none, none, (np.zeros(room, np.int64), np.zeros(room, np.uint64), np.zeros(1, np.int64))

    def _load(self) -> None:
        """Send the tables of the windows, in the order of `Tables` in the source, and allocate the table."""
        shape, program = self.ground.shape, self.ground.program
        if int(np.diff(shape.start).max()) >= LARGEST:
            raise UnsupportedError(f"device gpu: a block has more than {LARGEST:,} words")
        row = np.repeat(np.arange(len(program.first) - 1), np.diff(program.first))
        pairs = np.unique(np.column_stack((row, program.runs[:, 3].astype(np.int64))), axis=0)
        delta_first = np.searchsorted(pairs[:, 0], np.arange(len(program.first)))
        arrays = [
            *(np.asarray(array, np.int64) for array in shape[:4]), np.asarray(shape.tails, np.int32),
            *(np.asarray(array, np.int64) for array in (program.rows, program.row, program.first)),
            np.asarray(program.runs, np.int32), delta_first.astype(np.int64), pairs[:, 1].astype(np.int32),
            np.asarray(program.begin, np.int64), np.asarray(program.word, np.int64),
            np.asarray(program.chunks, np.uint64), np.asarray(program.turns, np.uint64),
        ]  # fmt: skip
        self._held = [self.device.sent(array) for array in arrays]
        numbers = (int(program.fives), program.turns.shape[1], len(shape.kind), self.words)
        self._tables = (*(room.address for room in self._held), *numbers)
        self._bits = self._next = self.device.room(8 * self.size)
        if self._one:
            self._into = [[self.device.sent(array) for array in into] for into in self.ground.into]

    @property
    def _one(self) -> bool:
        """Whether the layer is added to the table in place, because rows have two colours."""
        return self.ground.colours is not None

    def _begin(self) -> None:
        if not self._tables:
            self._load()
        device, rows = self.device, len(self.ground.rows)
        numbers, bits, fresh = self._first_layer()
        self._planes, self._next = None, self._bits
        self._fresh, self._full = device.sent(fresh), device.zeros(fresh.size)
        unused = device.sent(self.ground.unused())
        device.run("pad", fresh.shape[1], self._tables, self._bits.address, rows, unused.address)
        placed = device.sent(numbers), device.sent(bits)
        device.run("place", 1, self._bits.address, *(room.address for room in placed), len(numbers))
        device.wait()
        self._next = self._after()

    def _after(self) -> Room:
        """Return the table to which the next layer is added: the same one if rows have two colours, else a copy."""
        if self._one:
            return self._bits
        other = self.device.room(8 * self.size)
        self.device.copy(self._bits, other, 8 * self.size)
        return other

    def keep(self, keeper: Keeper, watch: Watch) -> None:
        planes, (free, whole) = kept_bytes(self.size), self.device.memory()
        if planes + SPARE > free:
            raise LimitError(
                "memory",
                f"the depths of {self.ground.plan.positions:,} positions need {sized(planes)} more on the graphics "
                f"card ({planes:,} bytes); {sized(free)} of {sized(whole)} are free on {self.device.name}",
            )
        self._planes = self.device.zeros(planes)
        super().keep(keeper, watch)

    def _resume(self, keeper: Keeper) -> None:
        assert self._planes is not None
        known = self._on_host()
        keeper.resume(known)
        self.device.send(known, self._bits)
        self.device.send(keeper.planes, self._planes)
        self.device.fill(self._fresh, 1)
        self._next = self._after()

    def _on_host(self) -> np.ndarray:
        """Return an array of the size of the table in the memory of the host."""
        if self._host is None:
            fits(self.watch, 8 * self.size, 0)
            self._host = zeros(self.size)
        return self._host

    def all_known(self) -> np.ndarray:
        assert self.keeper is not None
        assert self._planes is not None
        self.device.fetch(self._planes, self.keeper.planes)
        return self.device.fetch(self._bits, self._on_host())

    def words_at(self, numbers: np.ndarray) -> np.ndarray:
        found = np.zeros(len(numbers), np.uint64)
        if len(numbers):
            sent, room = self.device.sent(np.asarray(numbers, np.int64)), self.device.room(8 * len(numbers))
            blocks = -(-len(numbers) // 256)
            self.device.run("look", blocks, self._bits.address, sent.address, room.address, len(numbers), threads=256)
            self.device.fetch(room, found)
        return found

    def _row(self, row: int) -> _DeviceRow:
        blocks = len(self.ground.shape.kind)
        return _DeviceRow(self._bits.address + 8 * row * self.words, self._fresh.address + row * blocks)

    def _add_rule(self, arc: LinkArc, source: _DeviceRow) -> _DeviceRow:
        _, u, v, window = arc
        blocks, old = len(self.ground.shape.kind), self._row(v)
        rooms: tuple[Room, ...] = ()
        if self.ground.going_on(arc):
            rooms = self.device.room(8 * self.words), self.device.room(blocks)
        onward = _DeviceRow(rooms[0].address, rooms[1].address, rooms) if rooms else _DeviceRow(0, 0)
        following = self._next.address + 8 * v * self.words
        self.device.run(
            "add_rule", blocks, self._tables, window, self.ground.rows[u][1], source.words, source.flags, following,
            old.words, old.flags, onward.words, onward.flags,
        )  # fmt: skip
        self._wait()
        return onward

    def _wait(self) -> None:
        self.device.wait()
        self.watch.tick(0, self.depth + 1)

    def _end_layer(self, spans: Sequence[Span], work: Sequence[Work]) -> int:
        return sum(self._end_blocks(span, each[2]) for span, each in zip(spans, work, strict=True))

    def _end_blocks(self, span: Span, notes: tuple[np.ndarray, np.ndarray, np.ndarray]) -> int:
        """Add the new positions of some blocks to the table, and note them; return how many."""
        device, (numbers, bits, written) = self.device, notes
        rooms = device.room(numbers.nbytes), device.room(bits.nbytes), device.zeros(8)
        noting = (*(room.address for room in rooms), len(numbers))
        device.fill(self._total, 0)
        flags = self._fresh.address, self._full.address
        table = (self._bits.address, *flags, self._plane())
        if self._one:
            into = self._into[(min(self.ground.first) + self.depth + 1) % 2]
            rows = len(self.ground.into[(min(self.ground.first) + self.depth + 1) % 2][0])
            arcs = (*(room.address for room in into), rows)
        else:
            rows, arcs = len(self.ground.rows), ()
        part = max(1, LAUNCHED // max(1, rows))
        for first in range(span[0], span[1], part):
            blocks = rows * (min(first + part, span[1]) - first)
            if not blocks:
                break
            if self._one:
                device.run("step_layer", blocks, self._tables, table, arcs, noting, first, self._total.address)
            else:
                more = self._next.address, rows, noting, first, self._total.address
                device.run("end_layer", blocks, self._tables, table, *more)
            self._wait()
        found = int(device.fetch(rooms[2], np.zeros(1, np.int64))[0])
        written[0] = min(found, len(numbers) + 1)
        if 0 < found <= len(numbers):
            device.fetch(rooms[0], numbers[:found])
            device.fetch(rooms[1], bits[:found])
        return int(device.fetch(self._total, np.zeros(1, np.int64))[0])

    def _plane(self) -> int:
        """Return the address of the plane for the next layer, 0 for none."""
        rest = (self.depth + 1) % 3
        if self._planes is None or rest == 0:
            return 0
        return self._planes.address + (rest - 1) * 8 * self.size
