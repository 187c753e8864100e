"""Allocate large arrays: in memory, or in a temporary file if the limit of memory is too low.

The system can write the pages of such a file to the disk at any time, so they do not count against the limit
(`machine.held_memory`).
"""

from __future__ import annotations

import errno
import mmap
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import log10
from typing import TYPE_CHECKING, Any

from ..errors import LimitError
from .machine import cramped, free_memory, peak_memory, spare_memory
from .watch import Watch

if TYPE_CHECKING:
    import numpy as np  # functions import it when they need it, because most questions do not


def fits(watch: Watch, whole: int, bits: int, positions: int = 0) -> bool:
    """Return whether `whole` bytes fit the limit of memory, or the spare memory of the machine if there is no limit.

    bits       the part of these bytes that may be put in a file
    positions  the number of positions that take these bytes, for the error message
    Raises LimitError if not even the rest fits, or if the disk for temporary files has not twice `bits` free.
    """
    limit = watch.limits.memory
    left = room_left(watch, whole)
    if whole <= left:
        return True
    if whole - bits <= left and disk_room() >= 2 * bits:
        return False
    what = f"{positions:,} positions need {sized(whole)}" if positions else f"{sized(whole)} of memory are needed"
    here = "free here" if limit is None else f"left of the limit of {sized(limit)}"
    disk, advice = "", ""
    if whole - bits <= left:
        disk = f", and {sized(disk_room())} on the disk for temporary files"
        advice = f"; set TMPDIR to a folder with {sized(2 * bits)} free"
    raise LimitError("memory", f"{what} ({whole:,} bytes); {sized(max(left, 0))} are {here}{disk}{advice}")


def room_left(watch: Watch, wanted: int) -> int:
    """Return the bytes within the limit of memory, or the spare memory of the machine if there is no limit.

    If that is more than `wanted`, a number greater than `wanted` is returned that is faster to compute.
    """
    left = None if watch.limits.memory is None else watch.memory_left(wanted)
    return spare_memory() if left is None else left


def counted(number: int) -> str:
    """Return a number for messages: '653,837,184,000', 'about 10^66'."""
    return f"{number:,}" if number < 10**18 else f"about 10^{int(log10(number))}"


def sized(size: int) -> str:
    """Return a number of bytes for messages: '82 GB'. Units are powers of 1000."""
    if size >= 10**18:
        return f"{counted(size)} bytes"
    number, unit = float(size), "bytes"
    for larger in ("kB", "MB", "GB", "TB", "PB"):
        if number < 1000:
            break
        number, unit = number / 1000, larger
    return f"{number:,.0f} {unit}" if number >= 10 or unit == "bytes" else f"{number:.1f} {unit}"


LEAST_ROOM = 256 << 20
"""With less room than this within the limits of the process, a library that cannot be loaded is out of memory."""


def shortage(error: BaseException) -> LimitError | None:
    """Return the limit of memory that another error stands for, or None.

    These are memory that the system refuses, also as an error of the system, and what does not fit the limits of the
    process (`ulimit -v`): a library, a thread, or Python itself, which then fails without a reason while it imports.
    """
    number = getattr(error, "errno", None)
    refused = isinstance(error, MemoryError) or number == errno.ENOMEM
    library = isinstance(error, ImportError | SystemError) or (isinstance(error, OSError) and number is None)
    thread = isinstance(error, RuntimeError) and "start new thread" in str(error)
    if not refused and not ((library or thread) and cramped(LEAST_ROOM)):
        return None
    try:
        held = f"{sized(peak_memory())} were held at most, {sized(free_memory())} are free here"
    except MemoryError:  # there is no room to read these numbers
        held = "nothing is free here"
    return LimitError("memory", f"out of memory: {held}; a limit of memory is checked before memory is taken")


LIBRARY_ROOM = 128 << 20
"""The room for one of `LIBRARIES`: each takes about 95 MB of addresses while it is loaded."""

LIBRARIES = frozenset({"numpy._core", "numpy.core", "scipy.linalg"})
"""These bring their own OpenBLAS, which ends the process with a line of its own if the system refuses it memory."""


class _LibraryGuard:
    """Finds nothing, and refuses to load a library that would end the process."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        if fullname in LIBRARIES and cramped(LIBRARY_ROOM):
            raise MemoryError


def guard_libraries() -> None:
    """Let libraries that end the process for lack of memory raise MemoryError before they are loaded."""
    sys.meta_path.insert(0, _LibraryGuard())


@contextmanager
def granted() -> Iterator[None]:
    """Raise LimitError if the system refuses memory inside the `with` statement."""
    try:
        yield
    except (MemoryError, OSError) as error:
        short = shortage(error)
        if short is None:
            raise
        raise short from None


def disk_room() -> int:
    """Return the free space on the disk for temporary files, in bytes."""
    return shutil.disk_usage(tempfile.gettempdir()).free


def zeros(shape: int | tuple[int, ...], kind: Any = "uint64") -> np.ndarray:
    """Return an array, all 0, that begins at a memory page, so that it can be written to disk without a copy."""
    import numpy as np

    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    with granted():
        pages = mmap.mmap(-1, max(size, 1))
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, kind, count=size // np.dtype(kind).itemsize).reshape(shape)


def words_in_file(shape: int | tuple[int, ...], kind: Any = "uint64") -> np.ndarray:
    """Return an array, all 0, in a temporary file that is deleted with it."""
    import numpy as np

    with granted(), tempfile.TemporaryFile() as file:
        return np.memmap(file, kind, "w+", shape=shape)


RESIDENT = 1 << 25
"""Bytes of a file that may stay in the memory of the process."""


def let_go(words: np.ndarray | None) -> None:
    """Take the pages of a file out of the memory of this process; what was written stays, and is read again if needed.

    words  an array of `words_in_file`, or of another file; nothing is done for arrays in memory and small files
    """
    pages = getattr(words, "_mmap", None)
    if pages is not None and len(pages) > RESIDENT and hasattr(mmap, "MADV_DONTNEED"):
        with suppress(OSError):
            pages.madvise(mmap.MADV_DONTNEED)
