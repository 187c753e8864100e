"""Export a table of runs as Parquet: every position with its depth."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import InputError, UnsupportedError
from .runs_opened import RunTable


def symbols_of(table: RunTable, rows: np.ndarray) -> np.ndarray:
    """Return the symbol of each cell of positions given as rows of words: uint8 [n, cells]."""
    packing = table.keys.packing
    found = np.tile(np.frombuffer(packing.fixed, np.uint8), (len(rows), 1))
    for cell, word, shift in packing.packed:
        found[:, cell] = rows[:, word] >> np.uint64(shift) & np.uint64((1 << packing.width) - 1)
    return found


def write_parquet(table: RunTable, path: Path) -> None:
    """Write two columns, layer by layer: `position`, a byte for the symbol of each cell, and `depth` (uint16).

    Raises UnsupportedError if pyarrow is not installed, InputError if the file cannot be written.
    """
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise UnsupportedError("Parquet needs pyarrow: install puzzlespace[tables]") from None
    kind = arrow.binary(table.model.cells)
    schema = arrow.schema([("position", kind), ("depth", arrow.uint16())])
    try:
        with parquet.ParquetWriter(path, schema, compression="zstd") as file:
            for depth in range(len(table.counts)):
                for rows in table.pieces(depth):
                    data = arrow.py_buffer(symbols_of(table, rows).tobytes())
                    positions = arrow.FixedSizeBinaryArray.from_buffers(kind, len(rows), [None, data])
                    depths = arrow.array(np.full(len(rows), depth, np.uint16))
                    file.write_table(arrow.table([positions, depths], schema))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error}") from error
