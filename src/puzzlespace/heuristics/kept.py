"""Pattern tables in the user's cache folder: found by their identity, checked whenever they are read.

An entry is a manifest (the identity and shape of the table, the SHA-256 of its bits) and the bits. It does not contain
the name of a puzzle: boards with the same cells and the same goal places share it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from ..errors import TableError
from ..limits.thresholds import Threshold
from ..limits.watch import checkpoint
from ..storage import cache, files

KIND, BITS = "patterns", "depths.bits"

AT_ONCE = 1 << 24
"""Bytes that are read between two checks of the limits."""

KEPT_BYTES = Threshold(1 << 17)
"""The least size in bytes of a table that is saved, unless another is given: smaller ones are not worth a file."""


class Keepable(Protocol):
    """A table that can be saved: `bits` are all its contents, `identity` is all that they depend on, as plain data.

    Bits that have the right shape are written in place.
    """

    bits: np.ndarray

    @property
    def identity(self) -> dict[str, Any]: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def size(self) -> int: ...


Kept = TypeVar("Kept", bound=Keepable)


def place_of(table: Keepable) -> Path:
    """Return the folder of the table in the cache, whether it exists or not."""
    return cache.folder(KIND, cache.key_of(sorted(table.identity.items())))


def is_kept(table: Keepable) -> bool:
    """Return whether the table is in the cache; it may be damaged."""
    return cache.found(place_of(table))


def fetch(table: Keepable) -> bool:
    """Read the table from the cache; return whether it is there and intact. A damaged one is removed."""
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
    kind = table.bits.dtype.newbyteorder("<")
    bits = table.bits.view(kind) if table.bits.shape == table.shape else np.empty(table.shape, kind)
    view, found = bits.reshape(-1).view(np.uint8).data, hashlib.sha256()
    try:
        whole = bits.nbytes == table.size == (place / BITS).stat().st_size
        with (place / BITS).open("rb") as file:
            for begin in range(0, len(view) if whole else 0, AT_ONCE):
                checkpoint()
                part = view[begin : begin + AT_ONCE]
                whole = whole and file.readinto(part) == len(part)
                found.update(part)
    except OSError as error:
        raise TableError(f"{place / BITS}: cannot be read: {error.strerror or error}") from error
    if not whole or found.hexdigest() != given:
        raise TableError(f"{place / BITS}: damaged: its checksum does not match")
    return bits.astype(table.bits.dtype, copy=False)


def keep(table: Keepable) -> None:
    """Save the table in the cache if there is room."""
    place = place_of(table)
    with suppress(TableError, OSError), cache.making(place, table.size + files.BLOCK) as ready:
        if ready:
            bits = table.bits.astype(table.bits.dtype.newbyteorder("<"), copy=False)
            bits.tofile(place / BITS)
            manifest = table.identity | {"shape": list(table.shape), "sha256": files.checksum(bits)}
            files.write_json(place / files.MANIFEST, manifest)


def fill(tables: tuple[Kept, ...], build: Callable[[tuple[Kept, ...]], None], least: int = KEPT_BYTES.usual) -> None:
    """Read tables from the cache; let `build` fill the others, and save them.

    least  the least size in bytes of a table that is saved; smaller ones are built faster than they are looked up
    """
    left = tuple(table for table in tables if table.size < least or not fetch(table))
    if left:
        build(left)
    for table in left:
        if table.size >= least:
            keep(table)


class Buildable(Keepable, Protocol):
    """A table whose method `build` fills it."""

    def build(self, threads: int) -> object: ...


def fill_each(
    tables: tuple[Buildable, ...],
    scratch: int,
    threads: int = 1,
    reserve: Callable[[int], None] = lambda wanted: None,
    least: int = KEPT_BYTES.usual,
) -> None:
    """Read tables from the cache; build the others one by one, and save them.

    scratch  the bytes that building a table needs besides the table
    reserve  is called with the number of bytes before they are allocated; may raise LimitError
    least    the least size in bytes of a table that is saved
    """
    reserve(sum(table.size for table in tables) + scratch)

    def build(left: tuple[Buildable, ...]) -> None:
        for table in left:
            table.build(threads)

    fill(tables, build, least)
