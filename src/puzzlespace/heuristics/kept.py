"""Pattern tables in the user's cache folder: found again by what they are of, checked whenever they are read.

An entry is a manifest (what the table is of, its shape, the SHA-256 of its bits) and the bits. It holds no name of a
puzzle: boards with the same cells and the same goal places share it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from ..errors import TableError
from ..limits.thresholds import Thresholds
from ..storage import cache, files

KIND, BITS = "patterns", "depths.bits"

USUAL = Thresholds().kept_bytes
"""Bytes from which on a table is kept, as a rule."""


class Keepable(Protocol):
    """A table that can be kept: `bits` are all it has, `identity` is all that they depend on, as plain data."""

    bits: np.ndarray

    @property
    def identity(self) -> dict[str, Any]: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def size(self) -> int: ...


Kept = TypeVar("Kept", bound=Keepable)


def place_of(table: Keepable) -> Path:
    """Return where in the cache the table is, made or not."""
    return cache.folder(KIND, cache.key_of(sorted(table.identity.items())))


def fetch(table: Keepable) -> bool:
    """Fill the table from the cache; return whether it is there and whole. What is damaged is removed."""
    place = place_of(table)
    if not cache.found(place):
        return False
    try:
        table.bits = _read(table, place)
    except TableError:
        cache.drop(place)
        return False
    cache.touch(place)
    return True


def _read(table: Keepable, place: Path) -> np.ndarray:
    manifest = files.read_json(place / files.MANIFEST)
    given = manifest.pop("sha256", None)
    if manifest != table.identity | {"shape": list(table.shape)}:
        raise TableError(f"{place}: it is the table of another pattern")
    try:
        bits = np.fromfile(place / BITS, table.bits.dtype.newbyteorder("<"))
    except OSError as error:
        raise TableError(f"{place / BITS}: cannot be read: {error.strerror or error}") from error
    if bits.nbytes != table.size or (place / BITS).stat().st_size != table.size or files.checksum(bits) != given:
        raise TableError(f"{place / BITS}: damaged: its checksum does not match")
    return bits.reshape(table.shape).astype(table.bits.dtype, copy=False)


def keep(table: Keepable) -> None:
    """Write the table to the cache where there is room."""
    place = place_of(table)
    with suppress(TableError, OSError), cache.making(place, table.size + files.BLOCK) as ready:
        if ready:
            bits = table.bits.astype(table.bits.dtype.newbyteorder("<"), copy=False)
            bits.tofile(place / BITS)
            manifest = table.identity | {"shape": list(table.shape), "sha256": files.checksum(bits)}
            files.write_json(place / files.MANIFEST, manifest)


def fill(tables: tuple[Kept, ...], build: Callable[[tuple[Kept, ...]], None], least: int = USUAL) -> None:
    """Take what is there from the cache; let `build` fill the others, and keep them.

    least  bytes from which on a table is kept; smaller ones are made in less than it takes to look
    """
    left = tuple(table for table in tables if table.size < least or not fetch(table))
    if left:
        build(left)
    for table in left:
        if table.size >= least:
            keep(table)


class Buildable(Keepable, Protocol):
    """A table that builds itself; it says how many entries it has."""

    def build(self, threads: int) -> int: ...


def fill_each(
    tables: tuple[Buildable, ...],
    scratch: int,
    threads: int = 1,
    reserve: Callable[[int], None] = lambda wanted: None,
    least: int = USUAL,
) -> None:
    """Take what is there from the cache; build the other tables one by one, and keep them.

    scratch  the bytes that building one takes besides
    reserve  is told the bytes before they are taken, and may raise LimitError
    least    bytes from which on a table is kept
    """
    reserve(sum(table.size for table in tables) + scratch)

    def build(left: tuple[Buildable, ...]) -> None:
        for table in left:
            table.build(threads)

    fill(tables, build, least)
