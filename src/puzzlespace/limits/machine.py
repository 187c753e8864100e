"""Memory of the machine: all of it, what this process holds, what is free, and the reserve that questions leave free.

A container (a control group of Linux, versions 1 and 2) and the limits of a process (`ulimit -v`, `ulimit -d`) count as
the machine if they have less.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

try:
    import resource
except ImportError:  # Windows
    resource = None

ASSUMED = 4 << 30
"""The memory of this machine in bytes if the system does not report it."""

RESERVE, RESERVE_SHARE = 256 << 20, 0.05
"""The reserve is so many bytes, or this share of all memory if that is more …"""

SPARED_SHARE = 0.25
"""… but at most this share of what is free at first, so that small questions run on a full machine too."""

ARRAYS = ("numpy", "numba")
"""What the fast engines need. A Python that runs in a browser has neither."""


@cache
def has_arrays() -> bool:
    """Return whether NumPy and the compiler are installed; if not, plain Python answers what is small."""
    with suppress(ImportError):
        return all(name in sys.modules or find_spec(name) is not None for name in ARRAYS)
    return False


thread_time = getattr(time, "thread_time", time.process_time)
"""The processor time of this thread. Python in a browser has one thread."""

GROUPS = Path("/sys/fs/cgroup")
"""Where control groups are mounted."""

GROUP_FILES = (
    ("memory.max", "memory.current", "inactive_file "),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "),
)
"""For both versions: the files with the limit and the usage, and the row of `memory.stat` with pages of files, which
the system can drop."""


def machine_memory() -> int:
    """Return the memory of this machine in bytes, or `ASSUMED` if the system does not report it (Windows)."""
    return min([_physical(), *(group.limit for group in _groups())])


def free_memory() -> int:
    """Return the bytes that this process may still take, without swapping; all memory if they are not reported."""
    rooms = [*_available(), *(room for group in _groups() for room in group.left()), *_process_rooms()]
    return max(0, min(rooms)) if rooms else machine_memory()


@cache
def reserve() -> int:
    """Return how many bytes questions without a limit of memory leave free. What is free is read at the first call."""
    return int(min(max(RESERVE, RESERVE_SHARE * machine_memory()), SPARED_SHARE * free_memory()))


def spare_memory() -> int:
    """Return the bytes that a question without a limit of memory may still take."""
    return max(0, free_memory() - reserve())


def bound_process() -> None:
    """Let the system refuse memory beyond what is spare now, instead of ending the process when none is left.

    Only on Linux, where the limit of data counts all private memory. Large shared arrays are checked before they are
    made (`memory.fits`).
    """
    sizes = _sizes()
    if resource is None or not sizes:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = sizes["VmData"] + spare_memory()
    if soft == resource.RLIM_INFINITY or wanted < soft:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
            _found.append((soft, hard))


_found: list[tuple[int, int]] = []
"""The limits of data that `bound_process` found."""


def unbound_process() -> None:
    """Undo `bound_process`."""
    while _found:
        assert resource is not None
        resource.setrlimit(resource.RLIMIT_DATA, _found.pop())


def cramped(room: int) -> bool:
    """Return whether the limits of this process leave it less than so many bytes."""
    return min(_process_rooms(), default=room) < room


def _physical() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return ASSUMED


def _available() -> list[int]:
    """Return the free memory of the whole machine, if the system reports it."""
    try:
        with open("/proc/meminfo") as file:
            return [1024 * int(line.split()[1]) for line in file if line.startswith("MemAvailable:")]
    except OSError:
        return []


class _Group(NamedTuple):
    """A control group with a limit of memory: its folder, the limit, the file with its usage, the row of files."""

    folder: Path
    limit: int
    usage: str
    files: str

    def left(self) -> list[int]:
        """Return the bytes that are left, if they can be read."""
        with suppress(OSError, ValueError):
            held = int((self.folder / self.usage).read_text())
            rows = (self.folder / "memory.stat").read_text().splitlines()
            dropped = sum(int(row.split()[1]) for row in rows if row.startswith(self.files))
            return [self.limit - max(0, held - dropped)]
        return []


@cache
def _groups() -> tuple[_Group, ...]:
    """Return the control groups that this process is in and that have less memory than the machine."""
    found: list[_Group] = []
    for top, inner in _memberships():
        for folder in (top / inner, *(top / inner).parents):
            for limit, usage, files in GROUP_FILES:
                with suppress(OSError, ValueError):
                    size = int((folder / limit).read_text())  # 'max' is no number: no limit
                    if size < _physical():
                        found.append(_Group(folder, size, usage, files))
            if folder == top:
                break
    return tuple(found)


def _memberships() -> Iterator[tuple[Path, str]]:
    """Yield where the tree of groups with the controller of memory is mounted, and the path of this process in it."""
    with suppress(OSError), open("/proc/self/cgroup") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            if not controllers:
                yield GROUPS, path.lstrip("/")
            elif "memory" in controllers.split(","):
                yield GROUPS / "memory", path.lstrip("/")


def _process_rooms() -> list[int]:
    """Return what the limits of this process leave: of addresses, and of data."""
    if resource is None or not hasattr(resource, "RLIMIT_AS"):
        return []
    limits = {"VmSize": resource.RLIMIT_AS, "VmData": resource.RLIMIT_DATA}
    softs = {name: resource.getrlimit(number)[0] for name, number in limits.items()}
    known = {name: soft for name, soft in softs.items() if soft != resource.RLIM_INFINITY}
    sizes = _sizes() if known else {}
    return [soft - sizes[name] for name, soft in known.items() if name in sizes]


def _sizes() -> dict[str, int]:
    """Return the sizes of addresses and of data of this process in bytes; empty if the system does not report them."""
    try:
        with open("/proc/self/status") as file:
            rows = [line.split() for line in file if line.startswith(("VmSize:", "VmData:"))]
    except OSError:
        return {}
    return {name.rstrip(":"): 1024 * int(size) for name, size, *_ in rows}


MEMORY_IS_KNOWN = resource is not None
"""Whether the system reports how much memory this process holds. If not, it counts as 0."""


_told: list[Callable[[], int]] = []


def take_memory(tell: Callable[[], int]) -> None:
    """Take what tells the bytes that this process has taken so far, where the system does not: in a browser."""
    _told[:] = [tell]


def peak_memory() -> int:
    """Return the peak resident memory of this process in bytes; 0 if neither the system nor a browser reports it."""
    if _told:
        return _told[0]()
    if resource is None:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # macOS counts bytes, other systems kibibytes


def held_memory(enough: int) -> int:
    """Return the private memory of this process in bytes, without pages of files.

    The peak, which is faster to read, is returned instead if it is at most `enough` or the system reports no more.
    """
    peak = peak_memory()
    if peak <= enough or _told:
        return peak
    try:
        with open("/proc/self/status") as file:
            found = [line.split()[1] for line in file if line.startswith(("RssAnon:", "RssShmem:"))]
    except OSError:
        return peak
    return 1024 * sum(map(int, found)) if found else peak


_grown = [0]


def grown(size: int) -> None:
    """Record that the program itself, such as its compiled kernels, holds `size` bytes more."""
    _grown[0] += max(size, 0)


def taken_by_itself() -> int:
    """Return the bytes that `grown` recorded."""
    return _grown[0]
