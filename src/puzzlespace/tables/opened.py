"""A finished table of bits: look up the depth mod 3 of a position, and compute distances and best moves from it.

Every move can be undone, so the depths of neighbours differ by at most one, and depths mod 3 determine which neighbours
are nearer. The distance of a position is the number of steps down to a source. The checksum of a block of the file is
verified before the block is used.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..contract.questions import Depths, WantedLayers
from ..engines.table.mod3 import UNSEEN, kept_bytes
from ..errors import InputError, TableError
from ..limits.watch import Watch
from ..model.model import Model
from ..storage.files import BLOCK, DATA, SUMS, checksum, read_file
from .identity import check_model, rebuilt, sources_of
from .manifests import finished

if TYPE_CHECKING:
    import numpy as np

    from ..engines.table.slide.walk_down import SlideDescent

AT_ONCE = 1 << 26
"""The most bytes of a table whose bits are counted when it is opened, which takes some hundredths of a second. The
bits of larger tables are counted at the first access to `counts`; distances verify only the blocks that they read."""

STRIDE = 1 << 17
"""Words whose bits are counted at once (by one call of NumPy)."""

FEW = 50
"""The compiled walk is loaded after this many single distances."""


class BitTable:
    """A finished table of bits of a model; the constructor raises TableError if it is damaged or of another model.

    manifest  of the folder, if it was read before
    sources   the positions from which it measures
    hardest   the first positions of the last layer, sorted
    at_once   the most bytes of a table whose counts are compared with its bits when it is opened
    """

    def __init__(
        self, folder: Path, model: Model, manifest: dict[str, Any] | None = None, at_once: int = AT_ONCE
    ) -> None:
        self.folder = folder
        self.manifest = finished(folder) if manifest is None else manifest
        check_model(self.manifest, model, folder)
        self.model = model
        self.sources = sources_of(self.manifest)
        self.hardest = tuple(map(bytes.fromhex, self.manifest["hardest"]))
        self.places = rebuilt(self.manifest, model, folder)
        self.bit = self.places.bit
        self.asked = 0
        self._sure = False
        self._open()
        if len(self.data) <= at_once:
            self.check_counts()

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of positions at each depth, compared with the bits at the first access."""
        if not self._sure:
            self.check_counts()
        return tuple(self.manifest["counts"])

    def check_counts(self) -> None:
        """Compare the counts with the numbers of depths mod 3, and with the distance of a hardest position.

        Raises TableError if they do not match.
        """
        counts: list[int] = self.manifest["counts"]
        wanted = [sum(counts[rest::3]) for rest in range(3)]
        if self.places.stride == 0:  # unused bits are saved as depth 0
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
        """Verify the checksum of one block of the file; raise TableError if it does not match."""
        found = zlib.crc32(memoryview(self.data)[block * BLOCK : (block + 1) * BLOCK])
        if found.to_bytes(4, "little") != self.sums[4 * block : 4 * block + 4]:
            raise TableError(f"{self.folder / DATA}: damaged: block {block:,} does not match its checksum")
        self.checked[block] = True

    def check_all(self) -> None:
        """Verify the checksums of all blocks of the file."""
        for block in range(len(self.checked)):
            self.check(block)

    def value(self, position: bytes) -> int:
        """Return the depth mod 3 of a position, or UNSEEN if it cannot be reached."""
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
        """Return the rank of a position: its row in the Parquet export. Raises InputError if it has none."""
        return self.places.chosen.plan.rank(position)

    def position(self, rank: int) -> bytes:
        """Return the position with this rank."""
        return self.places.chosen.plan.unrank(rank)

    def best(self, position: bytes) -> tuple[bytes, ...]:
        """Return the positions after all best moves; () for a source or if no source can be reached."""
        value = self.value(position)
        return () if value == UNSEEN else tuple(self.nearer(position, value))

    def nearer(self, position: bytes, value: int) -> Iterator[bytes]:
        """Yield the positions one move away that are nearer; `value` is the depth mod 3 of the position."""
        for child in self.model.moves(position):
            if self.value(child) == (value - 1) % 3:
                yield child

    def distance(self, position: bytes) -> int | None:
        """Return the distance to the nearest source; None if none can be reached."""
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
        """Return the distance of each position, as `distance` does; for sliding puzzles by one kernel call."""
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
        """The bit indices of the sources."""
        return frozenset(map(self.bit, self.sources))

    @cached_property
    def descent(self) -> SlideDescent | None:
        """The compiled walk for many positions at once, or None if the kind of table has none."""
        return self.places.descent()

    def layer(self, depth: int) -> np.ndarray:
        """Return all positions at a depth, sorted, one row of symbols each; the layers are counted again up to it.

        Raises InputError if there is no such depth.
        """
        from . import drawn  # only these questions need it

        return drawn.layer(self._hand, self.counts, depth)

    def sample(self, depth: int, n: int, seed: int = 0) -> tuple[bytes, ...]:
        """Return `n` different positions at a depth, drawn uniformly; the layers are counted again up to it.

        The same seed gives the same positions as `generate`. All positions are returned if there are fewer. Raises
        InputError if there is no such depth.
        """
        from . import drawn

        return drawn.sample(self._hand, self.counts, depth, n, seed)

    def _hand(self, wanted: WantedLayers) -> None:
        """Count the layers again, and hand over those that are wanted; raise TableError if the counts differ."""
        chosen = self.places.chosen
        found = chosen.count(chosen.plan, Depths(self.model, self.sources, 0, wanted=wanted), Watch(), None)
        if found.stopped is not None:
            raise found.stopped
        if found.counts != self.counts[: len(found.counts)]:
            raise TableError(f"{self.folder}: damaged: counted again, the layers have other sizes")

    def astray(self, position: bytes) -> TableError:
        """Return the error for a position that is not a source and has no nearer neighbour."""
        return TableError(f"{self.folder}: damaged: no neighbour of {position.hex(' ')} is nearer")

    @property
    def counted(self) -> Model:
        """The model whose moves the table counts; see `asking.KeptTable`."""
        return self.model

    def holds(self, positions: Sequence[bytes]) -> list[bool]:
        """Return for each position whether the table reaches it."""
        return [self.value(position) != UNSEEN for position in positions]

    def layers(self, position: bytes, every: bool) -> Iterator[frozenset[bytes]]:
        """Yield the positions on shortest paths to the sources, layer by layer; on one path only unless `every`."""
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
    """Return how many depths mod 3 are 0, 1 and 2.

    data  the low bits of all depths, then the high bits
    """
    import numpy as np

    planes = np.frombuffer(data, np.uint64).reshape(2, -1)
    low = high = both = 0
    for first in range(0, planes.shape[1], STRIDE):
        part = planes[:, first : first + STRIDE]
        low += int(np.bitwise_count(part[0]).sum())
        high += int(np.bitwise_count(part[1]).sum())
        both += int(np.bitwise_count(part[0] & part[1]).sum())
    return [64 * planes.shape[1] - low - high + both, low - both, high - both]
