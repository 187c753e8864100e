"""Files that are whole or not there: written under a temporary name, flushed, renamed; and one writer for a folder."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import zlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ..errors import TableError

if TYPE_CHECKING:
    import numpy as np

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

MANIFEST = "manifest.json"
PROGRESS = "progress.json"
DATA = "depths.bits"
SUMS = "depths.sums"
LOCK = "lock"
TEMPORARY = ".tmp"

BLOCK = 1 << 14
"""Bytes of data under one checksum: what is read and checked to answer for one position."""

PAGE = 1 << 12

WORTH = 1 << 20
"""Bytes from which on it is worth to write past the system's cache."""

Data = Any
"""Bytes, or an array: whatever shows its bytes to `memoryview`."""


def write_file(path: Path, parts: Sequence[Data]) -> None:
    """Write a file so that it is whole under its name or not there at all, whatever happens.

    Raises TableError where the system refuses; what stood under the name before is then still there.
    """
    with _replacing(path) as temporary, open(temporary, "wb") as file:
        for part in parts:
            file.write(memoryview(part).cast("B"))
        file.flush()
        os.fsync(file.fileno())


def write_blocks(path: Path, parts: Iterable[np.ndarray]) -> bytes:
    """Write a file as `write_file` does, of parts that are whole blocks but for the last; return its `block_sums`.

    A part is written while its checksums and the next part are made, past the system's cache where that can be; it is
    done with when the one after the next is asked for.
    """
    sums: list[bytes] = []
    writing: Future[None] | None = None
    with _replacing(path) as temporary, ThreadPoolExecutor(2) as pool, open(temporary, "wb", buffering=0) as file:
        for part in parts:
            if writing is not None:
                writing.result()
            half = len(part) // 2 * part.itemsize // BLOCK * BLOCK // part.itemsize
            writing, summing = pool.submit(_append, file, part), pool.submit(block_sums, part[:half])
            rest = block_sums(part[half:])
            sums += [summing.result(), rest]
        if writing is not None:
            writing.result()
        os.fsync(file.fileno())
    return b"".join(sums)


def _append(file: IO[bytes], part: np.ndarray) -> None:
    """Write a part at the end of a file: whole pages past the cache where the system allows it for this memory."""
    view = memoryview(part).cast("B")  # type: ignore[arg-type]
    whole = len(view) // PAGE * PAGE if part.ctypes.data % PAGE == 0 and len(view) >= WORTH else 0
    direct = whole > 0
    while view:
        direct = direct and whole > 0
        _set_direct(file, direct)
        try:
            written = file.write(view[:whole] if direct else view)
        except OSError as error:
            if not direct or error.errno != errno.EINVAL:
                raise
            direct = False  # it took the wish and not the write
            continue
        view, whole = view[written:], whole - written


def _set_direct(file: IO[bytes], direct: bool) -> None:
    """Ask the system to write to a file past its cache, or no longer; it may not be able to."""
    if fcntl is not None and hasattr(os, "O_DIRECT"):
        with suppress(OSError):
            flags = fcntl.fcntl(file, fcntl.F_GETFL)
            wanted = flags | os.O_DIRECT if direct else flags & ~os.O_DIRECT
            if wanted != flags:
                fcntl.fcntl(file, fcntl.F_SETFL, wanted)


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Give the name to write to; make it durable under its own name, or take it away and raise TableError."""
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        yield temporary
        os.replace(temporary, path)
        flush_folder(path.parent)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise TableError(f"{path}: cannot be written: {error.strerror or error}") from error


def there(path: Path) -> bool:
    """Return whether a file or folder is there; raise TableError where the system cannot tell."""
    with usable(path):
        try:
            path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
    return True


@contextmanager
def usable(path: Path) -> Iterator[None]:
    """Turn what the system refuses (a name too long, no permission, …) into a TableError that names the path."""
    try:
        yield
    except TableError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TableError(f"{str(path)[:200]}: cannot be used: {reason}") from error


def flush_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system lets a folder be opened (Windows does not)."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def read_file(path: Path) -> bytes:
    """Return what a file holds; raise TableError where it cannot be read."""
    with usable(path):
        return path.read_bytes()


def read_blocks(path: Path, into: np.ndarray) -> bytes:
    """Fill an array with what a file holds; return its `block_sums`. Raises TableError where it is not as long."""
    view, sums = memoryview(into).cast("B"), []  # type: ignore[arg-type]
    try:
        with open(path, "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            if size != len(view):
                raise TableError(f"{path}: damaged: expected {len(view):,} bytes, found {size:,}")
            for first in range(0, size, WORTH):
                part = view[first : first + WORTH]
                done = 0
                while done < len(part):
                    done += file.readinto(part[done:]) or size
                sums.append(block_sums(part))
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror or error}") from error
    return b"".join(sums)


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
    if fcntl is None:
        raise TableError(f"{folder}: tables cannot be kept on this system: it cannot lock a folder")
    with usable(folder):
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
