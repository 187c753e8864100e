"""A finished table, opened: the depth of any position mod 3 from one block of the file, and all that follows from it.

Where every move can be undone, neighbours differ in depth by one at most, so the depth mod 3 tells which of them are
nearer. Going down from a position gives its distance; every best move is seen on the way. A block of the file is
checked against its checksum before the first depth is taken from it.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..contract.answers import Layers
from ..contract.questions import Depths, Engine
from ..engines.table.mod3 import UNSEEN, kept_bytes
from ..errors import InputError, TableError
from ..limits.watch import Watch
from ..model.model import Model
from ..storage.files import BLOCK, DATA, SUMS, checksum, read_file
from . import asking
from .identity import check_model, rebuilt, sources_of
from .manifests import finished

if TYPE_CHECKING:
    from ..engines.table.slide.walk_down import SlideDescent

AT_ONCE = 1 << 26
"""Bytes up to which all bits are counted when a table is opened: that takes some hundredths of a second. Those of
larger tables are counted when their counts are asked for first; a distance checks the blocks that it reads."""

STRIDE = 1 << 17
"""Words whose bits are counted at once."""

FEW = 50
"""After so many distances asked one by one the compiled way down is worth its loading."""


class BitTable:
    """A finished table of a model. Raises TableError where it is damaged or of something else.

    counts   positions at each depth
    sources  the positions that it measures from
    hardest  the first positions of the last layer, in order
    """

    def __init__(self, folder: Path, model: Model) -> None:
        self.folder = folder
        self.manifest = finished(folder)
        check_model(self.manifest, model, folder)
        self.model = model
        self.sources = sources_of(self.manifest)
        self.hardest = tuple(map(bytes.fromhex, self.manifest["hardest"]))
        self.places = rebuilt(self.manifest, model, folder)
        self.bit = self.places.bit
        self.asked = 0
        self._sure = False
        self._open()
        if len(self.data) <= AT_ONCE:
            self.check_counts()

    @property
    def counts(self) -> tuple[int, ...]:
        """Positions at each depth, checked against the bits when they are asked for first."""
        if not self._sure:
            self.check_counts()
        return tuple(self.manifest["counts"])

    def check_counts(self) -> None:
        """Compare the counts with how often each depth mod 3 occurs, and with the distance of a hardest position.

        Raises TableError where they do not match.
        """
        counts: list[int] = self.manifest["counts"]
        wanted = [sum(counts[rest::3]) for rest in range(3)]
        if self.places.stride == 0:  # bits of no position are kept as depth 0
            wanted[0] += 64 * self.places.words - self.places.used
        found = occurring(self.data)
        if found != wanted:
            raise TableError(f"{self.folder}: damaged: its depths do not match its counts: {found}, not {wanted}")
        if any(self.value(source) for source in self.sources):
            raise TableError(f"{self.folder}: damaged: expected the positions it measures from at depth 0")
        position = self.hardest[0]
        if self.value(position) != (len(counts) - 1) % 3 or self.distance(position) != len(counts) - 1:
            raise TableError(f"{self.folder}: damaged: {position.hex(' ')} is listed as hardest and is not")
        self._sure = True

    def _open(self) -> None:
        path, about = self.folder / DATA, self.manifest["data"]
        self.sums = read_file(self.folder / SUMS)
        if checksum(self.sums) != about["sums"]:
            raise TableError(f"{self.folder / SUMS}: damaged: its checksum does not match")
        try:
            with open(path, "rb") as file:
                self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise TableError(f"{path}: cannot be read: {error}") from error
        if not len(self.data) == about["bytes"] == kept_bytes(self.places.words):
            raise TableError(f"{path}: damaged: expected {about['bytes']:,} bytes, found {len(self.data):,}")
        self.half = len(self.data) // 2
        self.checked = bytearray(-(-len(self.data) // BLOCK))

    def check(self, block: int) -> None:
        """Check one block of the file; raise TableError where it is damaged."""
        found = zlib.crc32(memoryview(self.data)[block * BLOCK : (block + 1) * BLOCK])
        if found.to_bytes(4, "little") != self.sums[4 * block : 4 * block + 4]:
            raise TableError(f"{self.folder / DATA}: damaged: block {block:,} does not match its checksum")
        self.checked[block] = True

    def check_all(self) -> None:
        """Check every block of the file."""
        for block in range(len(self.checked)):
            self.check(block)

    def value(self, position: bytes) -> int:
        """Return the depth mod 3 of a position, or UNSEEN where it cannot be reached."""
        try:
            bit = self.bit(position)
        except InputError:
            return UNSEEN
        low = bit >> 3
        high = low + self.half
        for place in (low, high):
            if not self.checked[place // BLOCK]:
                self.check(place // BLOCK)
        return self.data[low] >> (bit & 7) & 1 | (self.data[high] >> (bit & 7) & 1) << 1

    def rank(self, position: bytes) -> int:
        """Return the rank of a position: its row in the Parquet export. Raises InputError where it has none."""
        return self.places.chosen.plan.rank(position)

    def position(self, rank: int) -> bytes:
        """Return the position of a rank."""
        return self.places.chosen.plan.unrank(rank)

    def best(self, position: bytes) -> tuple[bytes, ...]:
        """Return the positions that all best moves lead to; none at a source, or where none can be reached."""
        value = self.value(position)
        return () if value == UNSEEN else tuple(self.nearer(position, value))

    def nearer(self, position: bytes, value: int) -> Iterator[bytes]:
        """Yield the positions one move away that are one nearer; `value` is the position's depth mod 3."""
        for child in self.model.moves(position):
            if self.value(child) == (value - 1) % 3:
                yield child

    def distance(self, position: bytes) -> int | None:
        """Return how many moves it is to the nearest source; None where none can be reached."""
        self.asked += 1
        if self.asked > FEW and self.descent is not None:
            return self.distances([position])[0]
        value = self.value(position)
        if value == UNSEEN:
            return None
        depth, most = 0, len(self.manifest["counts"])
        while depth < most and (child := next(self.nearer(position, value), None)) is not None:
            position, value, depth = child, (value - 1) % 3, depth + 1
        if position not in self.sources:
            raise self.astray(position)
        return depth

    def distances(self, positions: Sequence[bytes]) -> list[int | None]:
        """Return the distance of each position, as `distance` does; of slides all in one compiled loop."""
        descent = self.descent
        fits = [p for p in dict.fromkeys(positions) if descent is not None and descent.plan.slides.fits(p)]
        if descent is None or not fits:
            return [self.distance(position) for position in positions]
        import numpy as np

        touched = np.zeros(len(self.checked), np.bool_)
        ends = descent.ends(fits, np.frombuffer(self.data, np.uint64).reshape(2, -1), touched, BLOCK // 8)
        for block in np.flatnonzero(touched).tolist():
            if not self.checked[block]:
                self.check(block)
        for position, (depth, end) in zip(fits, ends.tolist(), strict=True):
            if depth >= 0 and end not in self.goals:
                raise self.astray(position)
        found = dict(zip(fits, ends[:, 0].tolist(), strict=True))
        return [None if found.get(position, -1) < 0 else found[position] for position in positions]

    @cached_property
    def goals(self) -> frozenset[int]:
        """The bits of the sources."""
        return frozenset(map(self.bit, self.sources))

    @cached_property
    def descent(self) -> SlideDescent | None:
        """The compiled way down for many positions at once, where there is one."""
        return self.places.descent()

    def astray(self, position: bytes) -> TableError:
        """Return the error for a position of no neighbour nearer that is no source."""
        return TableError(f"{self.folder}: damaged: no neighbour of {position.hex(' ')} is nearer")

    @property
    def counted(self) -> Model:
        """The model whose moves it counts."""
        return self.model

    def holds(self, positions: Sequence[bytes]) -> list[bool]:
        """Return of each position whether the table reaches it."""
        return [self.value(position) != UNSEEN for position in positions]

    def layers(self, position: bytes, every: bool) -> Iterator[frozenset[bytes]]:
        """Yield the positions on the shortest ways to the sources, by distance; one way only unless `every`."""
        value = self.value(position)
        layer = [position]
        while layer:
            yield frozenset(layer)
            last, found = layer, [child for each in layer for child in self.nearer(each, value)]
            layer = sorted(set(found))[: None if every else 1]
            value = (value - 1) % 3
            if not layer and not set(last) <= set(self.sources):
                raise self.astray(last[0])


def occurring(data: Any) -> list[int]:
    """Return how often the depths mod 3 are 0, 1 and 2, given their low bits and then their high bits."""
    import numpy as np

    planes = np.frombuffer(data, np.uint64).reshape(2, -1)
    low = high = both = 0
    for first in range(0, planes.shape[1], STRIDE):
        part = planes[:, first : first + STRIDE]
        low += int(np.bitwise_count(part[0]).sum())
        high += int(np.bitwise_count(part[1]).sum())
        both += int(np.bitwise_count(part[0] & part[1]).sum())
    return [64 * planes.shape[1] - low - high + both, low - both, high - both]


def asker(folder: Path, model: Model) -> Engine:
    """Return the engine that answers from a finished table of this model. Raises TableError."""
    return asking.asker(BitTable(folder, model), "table", _counted)


def _counted(question: Depths, watch: Watch) -> Layers:
    from ..engines import table  # answering loads no compiler

    return table.depths(question, watch)
