"""Atomic files, which are written under a temporary name, flushed and renamed; checksums; and locks of folders."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ..errors import RoomError, TableError

if TYPE_CHECKING:
    from concurrent.futures import Future

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
HOLDER = "holder"
"""The file with the number of the process that holds the lock."""

TEMPORARY = ".tmp"

BLOCK = 1 << 14
"""Bytes of data per checksum: what is read and verified to look up one position."""

PAGE = 1 << 12

WORTH = 1 << 20
"""Parts of at least this many bytes are written past the system's cache."""

Data = Any
"""Bytes, or an array: anything that supports `memoryview`."""


def append_line(path: Path, line: str) -> None:
    """Add a line to a journal, after the last line that is complete. Raises TableError if the system refuses."""
    try:
        with open(path, "ab+") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(end - 1, 0))
            if file.read() not in (b"", b"\n"):
                file.seek(0)
                file.truncate(file.read().rfind(b"\n") + 1)
            file.write(line.encode() + b"\n")
    except OSError as error:
        raise TableError(f"{path}: cannot be written: {error.strerror}") from None


def write_file(path: Path, parts: Sequence[Data]) -> None:
    """Write a file atomically: after an interruption, it is either complete or unchanged.

    Raises TableError if the system refuses; the previous file is then unchanged.
    """
    with _replacing(path) as temporary, open(temporary, "wb") as file:
        for part in parts:
            file.write(memoryview(part).cast("B"))
        file.flush()
        os.fsync(file.fileno())


def write_blocks(path: Path, parts: Iterable[np.ndarray]) -> bytes:
    """Write a file as `write_file` does; return its `block_sums`. All parts but the last must be whole blocks.

    A part is written while its checksums and the next part are computed, past the system's cache if possible. The
    memory of a part can be used again when the part after the next is requested.
    """
    from concurrent.futures import ThreadPoolExecutor  # most commands write no table

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
    """Append a part to a file; whole pages past the system's cache if the system supports it for this memory."""
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
            direct = False  # the system accepted the flag, but not the write
            continue
        view, whole = view[written:], whole - written


def _set_direct(file: IO[bytes], direct: bool) -> None:
    """Switch on or off writing to a file past the system's cache, if the system supports it."""
    if fcntl is not None and hasattr(os, "O_DIRECT"):
        with suppress(OSError):
            flags = fcntl.fcntl(file, fcntl.F_GETFL)
            wanted = flags | os.O_DIRECT if direct else flags & ~os.O_DIRECT
            if wanted != flags:
                fcntl.fcntl(file, fcntl.F_SETFL, wanted)


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path; afterwards rename it to `path` durably, or delete it and raise TableError."""
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        yield temporary
        os.replace(temporary, path)
        flush_folder(path.parent)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise TableError(f"{path}: cannot be written: {error.strerror or error}") from error


def there(path: Path) -> bool:
    """Return whether a file or folder exists; raise TableError if the system cannot tell."""
    with usable(path):
        try:
            path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
    return True


@contextmanager
def usable(path: Path) -> Iterator[None]:
    """Convert errors of the system (name too long, no permission, …) to a TableError that names the path."""
    try:
        yield
    except TableError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TableError(f"{str(path)[:200]}: cannot be used: {reason}") from error


def flush_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, if the system can open a folder (Windows cannot)."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def read_file(path: Path) -> bytes:
    """Return the content of a file; raise TableError if it cannot be read."""
    with usable(path):
        return path.read_bytes()


def read_blocks(path: Path, into: np.ndarray) -> bytes:
    """Read a file into an array; return its `block_sums`. Raises TableError if the file has another length."""
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
    """Write an object as JSON, with a checksum as a further field."""
    text = json.dumps(value | {"checksum": checksum(_canonical(value))}, indent=1)
    write_file(path, [(text + "\n").encode()])


def read_json(path: Path) -> dict[str, Any]:
    """Return the object of a file that `write_json` wrote; raise TableError if the checksum does not match."""
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
    """Return the SHA-256 of some bytes in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def block_sums(data: Data) -> bytes:
    """Return the CRC-32 of every block of `BLOCK` bytes, four bytes each, little-endian."""
    view = memoryview(data).cast("B")
    return b"".join(
        zlib.crc32(view[first : first + BLOCK]).to_bytes(4, "little") for first in range(0, len(view), BLOCK)
    )


def need_room(folder: Path, wanted: int, positions: int = 0) -> None:
    """Raise RoomError if the disk of a folder has less than `wanted` bytes free.

    positions  the number of positions that take these bytes, for the error message; 0 if it is not known
    """
    free = shutil.disk_usage(folder).free
    if free < wanted:
        what = f"{positions:,} positions need {wanted:,} bytes" if positions else f"{wanted:,} bytes are needed"
        raise RoomError(f"{folder}: {what} on this disk, {free:,} are free")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; raise TableError with the number of the process if another one holds it.

    The system releases the lock when its process ends in any way.
    """
    from filelock import FileLock, Timeout  # takes longer to load than most questions to answer

    lock, holder = FileLock(folder / LOCK, timeout=0), folder / HOLDER
    with usable(folder):
        try:
            lock.acquire()
        except Timeout:
            number = holder.read_text(errors="replace").strip() if holder.exists() else ""
            raise TableError(f"{folder}: another process (pid {number or 'unknown'}) is writing here") from None
    try:
        with suppress(OSError):
            holder.write_text(f"{os.getpid()}\n")
        yield
    finally:
        with suppress(OSError):
            holder.unlink(missing_ok=True)
        lock.release()
