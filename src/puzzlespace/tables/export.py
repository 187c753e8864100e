"""Export tables for other programs: lists of the counts, and the depth of every position as Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..engines.table.mod3 import Keeper, Room
from ..errors import InputError, UnsupportedError
from .opened import BitTable
from .verify import again

UNREACHED = 255
"""The depth of an unreachable position; in Parquet it is null."""

ROW_GROUP = 1 << 20
"""Positions per row group."""


def csv_lines(counts: Sequence[int]) -> Iterator[str]:
    """Yield the lines of a CSV file of the counts."""
    yield "depth,positions"
    yield from (f"{depth},{count}" for depth, count in enumerate(counts))


def b_lines(terms: Sequence[int], offset: int = 0) -> Iterator[str]:
    """Yield the lines of a b-file: index and value, the first one with the index `offset`."""
    yield from (f"{index} {term}" for index, term in enumerate(terms, offset))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a text file; raise InputError if that fails."""
    try:
        path.write_text("".join(line + "\n" for line in lines))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


@dataclass
class ByteKeeper(Keeper):
    """A keeper that also stores every depth as a byte, by bit index."""

    depths: np.ndarray = field(default_factory=lambda: np.empty(0, np.uint8))
    none: np.ndarray = field(default_factory=lambda: np.empty(0, np.uint64))

    def begin(self, words: int, none: np.ndarray | None = None, room: Room = np.zeros) -> None:
        """Allocate the planes and all depths."""
        super().begin(words, none, room)
        self.depths = np.full(64 * words, UNREACHED, np.uint8)
        self.none = np.zeros(words, np.uint64) if none is None else np.tile(none, words // len(none))

    def found(self, size: int, known: Callable[[], np.ndarray]) -> None:
        """Store the depth of the new layer."""
        from ..kernels.table.mod3 import write_depths

        super().found(size, known)
        seen = known() & ~self.none
        write_depths(seen, self.depths, len(self.counts) - 1, 0, len(seen))


def depths_of(table: BitTable) -> np.ndarray:
    """Return the depth of every position by rank, UNREACHED for unreachable ones.

    The table is counted again for this, and compared. Raises UnsupportedError if a depth exceeds 254, TableError if the
    counts differ.
    """
    if len(table.counts) > UNREACHED:
        raise UnsupportedError(f"{table.folder}: depths up to {len(table.counts) - 1} do not fit a byte")
    keeper = ByteKeeper()
    again(table, keeper)
    places = table.places
    if places.stride:
        return keeper.depths.reshape(-1, places.stride)[:, : places.used].ravel()
    return keeper.depths[np.unpackbits(keeper.none.view(np.uint8), bitorder="little") == 0]


def write_parquet(table: BitTable, path: Path) -> None:
    """Write one column `depth` (uint8, null for unreachable positions); row n is the position of rank n.

    Raises UnsupportedError if pyarrow is not installed, InputError if the file cannot be written.
    """
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise UnsupportedError("Parquet needs pyarrow: install puzzlespace[tables]") from None
    depths = depths_of(table)
    schema = arrow.schema([("depth", arrow.uint8())])
    try:
        with parquet.ParquetWriter(path, schema, compression="zstd") as file:
            for first in range(0, len(depths), ROW_GROUP):
                part = depths[first : first + ROW_GROUP]
                column = arrow.array(part, mask=part == UNREACHED)
                file.write_table(arrow.table([column], schema), row_group_size=ROW_GROUP)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error}") from error
