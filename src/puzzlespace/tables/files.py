"""Files that are whole or not there: written under a temporary name, flushed, renamed; and one writer for a folder."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import TableError

MANIFEST = "manifest.json"
PROGRESS = "progress.json"
DATA = "depths.bits"
SUMS = "depths.sums"
LOCK = "lock"
TEMPORARY = ".tmp"

BLOCK = 1 << 14
"""Bytes of data under one checksum: what is read and checked to answer for one position."""

WRITTEN_AT_ONCE = 1 << 26

Data = Any
"""Bytes, or an array: whatever shows its bytes to `memoryview`."""


def write_file(path: Path, parts: Sequence[Data]) -> None:
    """Write a file so that it is whole under its name or not there at all, whatever happens.

    Raises TableError where the system refuses; what stood under the name before is then still there.
    """
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        with open(temporary, "wb") as file:
            for part in parts:
                view = memoryview(part).cast("B")
                for first in range(0, len(view), WRITTEN_AT_ONCE):
                    file.write(view[first : first + WRITTEN_AT_ONCE])
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        flush_folder(path.parent)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise TableError(f"{path}: cannot be written: {error.strerror or error}") from error


def flush_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def read_file(path: Path) -> bytes:
    """Return what a file holds; raise TableError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror or error}") from error


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Write an object with a checksum of its own."""
    text = json.dumps(value | {"checksum": checksum(_canonical(value))}, indent=1)
    write_file(path, [(text + "\n").encode()])


def read_json(path: Path) -> dict[str, Any]:
    """Return the object of a file that `write_json` wrote; raise TableError where any of it changed since."""
    try:
        value = json.loads(read_file(path))
        given = value.pop("checksum")
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise TableError(f"{path}: damaged: it is not a whole manifest") from None
    if given != checksum(_canonical(value)):
        raise TableError(f"{path}: damaged: its checksum does not match")
    return value


def _canonical(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def checksum(data: Data) -> str:
    """Return the SHA-256 of some bytes."""
    return hashlib.sha256(data).hexdigest()


def block_sums(data: Data) -> bytes:
    """Return the CRC-32 of every block of `BLOCK` bytes, four bytes each, least first."""
    view = memoryview(data).cast("B")
    return b"".join(
        zlib.crc32(view[first : first + BLOCK]).to_bytes(4, "little") for first in range(0, len(view), BLOCK)
    )


def need_room(folder: Path, wanted: int) -> None:
    """Raise TableError where the disk of a folder has less free than `wanted` bytes."""
    free = shutil.disk_usage(folder).free
    if free < wanted:
        raise TableError(f"{folder}: {wanted:,} bytes are needed on this disk, {free:,} are free")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; raise TableError where another process holds it.

    The lock goes with the process that holds it, however that ends: what is left of the file then says nothing.
    """
    number = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(number, 32).decode(errors="replace").strip() or "unknown"
            raise TableError(f"{folder}: another process (pid {holder}) is writing here") from None
        os.ftruncate(number, 0)
        os.pwrite(number, f"{os.getpid()}\n".encode(), 0)
        yield
        os.ftruncate(number, 0)
    finally:
        os.close(number)
