"""Room for large arrays: in memory, or in a file without a name where the limit of memory is too low for them.

Pages of such a file are the system's to keep or to drop; they are not counted against the limit (`watch.held_memory`).
"""

from __future__ import annotations

import mmap
import os
import shutil
import tempfile
from contextlib import suppress
from math import log10
from typing import TYPE_CHECKING, Any

from ..errors import LimitError
from .watch import Watch

if TYPE_CHECKING:
    import numpy as np  # the functions that need it import it: most questions do without


def fits(watch: Watch, whole: int, bits: int, positions: int = 0) -> bool:
    """Return whether `whole` bytes fit the limit of memory, `bits` of them being arrays that may live in a file.

    Without a limit, what the machine has free is one. Raises LimitError unless at least the rest fits, and the disk for
    temporary files has room for the arrays twice.
    positions  how many positions take these bytes, for the words of the error
    """
    limit = watch.limits.memory
    left = free_memory() if limit is None else watch.memory_left(whole)
    assert left is not None
    if whole <= left:
        return True
    if whole - bits <= left and disk_room() >= 2 * bits:
        return False
    what = f"{positions:,} positions need {sized(whole)}" if positions else f"{sized(whole)} of memory are needed"
    here = "free here" if limit is None else f"left of the limit of {sized(limit)}"
    disk = f", and {sized(disk_room())} on the disk for temporary files" if whole - bits <= left else ""
    raise LimitError("memory", f"{what} ({whole:,} bytes); {sized(max(left, 0))} are {here}{disk}")


def counted(number: int) -> str:
    """Return a number in words: '653,837,184,000', 'about 10^66'."""
    return f"{number:,}" if number < 10**18 else f"about 10^{int(log10(number))}"


def sized(size: int) -> str:
    """Return bytes in words: '82 GB'. Units are powers of 1000."""
    if size >= 10**18:
        return f"{counted(size)} bytes"
    number, unit = float(size), "bytes"
    for larger in ("kB", "MB", "GB", "TB", "PB"):
        if number < 1000:
            break
        number, unit = number / 1000, larger
    return f"{number:,.0f} {unit}" if number >= 10 or unit == "bytes" else f"{number:.1f} {unit}"


ASSUMED = 4 << 30
"""Bytes of memory of a machine that does not tell."""


def machine_memory() -> int:
    """Return the bytes of memory of this machine, or `ASSUMED` if the system does not tell (Windows)."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return ASSUMED


def free_memory() -> int:
    """Return the bytes of memory that can be had now without swapping; all of it where the system does not say."""
    try:
        with open("/proc/meminfo") as file:
            found = [int(line.split()[1]) for line in file if line.startswith("MemAvailable:")]
    except OSError:
        return machine_memory()
    return 1024 * found[0] if found else machine_memory()


def disk_room() -> int:
    """Return the bytes that the disk for temporary files has free."""
    return shutil.disk_usage(tempfile.gettempdir()).free


def zeros(shape: int | tuple[int, ...], kind: Any = "uint64") -> np.ndarray:
    """Return an array, all 0, that begins at a page of the memory: it can go to the disk without being copied."""
    import numpy as np

    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    pages = mmap.mmap(-1, max(size, 1))
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, kind, count=size // np.dtype(kind).itemsize).reshape(shape)


def words_in_file(shape: int | tuple[int, ...], kind: Any = "uint64") -> np.ndarray:
    """Return an array, all 0, whose pages lie in a temporary file that goes with it."""
    import numpy as np

    with tempfile.TemporaryFile() as file:
        return np.memmap(file, kind, "w+", shape=shape)
