"""The user's cache folder: tables of all kinds that are made once and used again, bounded in size.

    place = folder("depths", key)              where the entry of that kind and key is, made or not
    if found(place):                           there and whole: read it, and
        touch(place)                           say that it was of use
    with making(place, wanted) as ready:       else make it; what was used longest ago goes to make room
        if ready: …                            write any files into the folder `place`

An entry does not count as made before the `with` statement ends without an error, so a maker that is killed leaves
nothing that is taken for whole. Whoever reads an entry checks it (a checksum of its own; nothing here flushes to the
disk, so after a power cut a file may hold anything) and calls `drop` where it is damaged.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError, TableError
from .files import locked, write_file

FOLDER = "PUZZLESPACE_CACHE"
"""The environment variable for the folder; without it the place that the system has for such files."""

SIZE = "PUZZLESPACE_CACHE_SIZE"
"""The environment variable for the most bytes: 500M, 4G; 0 is no cache."""

MOST = 2 << 30
"""Bytes that all entries take at most where the variable does not say otherwise."""

MADE = "made"
"""The file that says that an entry is whole; when it was touched last says when the entry was used last."""

BEGUN = "begun"
"""The file that says that a folder is an entry (nothing else is ever removed), and what it is of."""

TAG = "CACHEDIR.TAG"
SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55\n"
"""Tells backup programs to leave the folder out (bford.info/cachedir)."""

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True, order=True)
class CacheEntry:
    """What the cache holds: when it was used last (seconds since 1970), its kind and key, bytes on the disk, and what
    a person is told of it."""

    used: float
    kind: str
    key: str
    folder: Path
    size: int
    whole: bool
    about: str


def root() -> Path:
    """Return the user's cache folder for this program; it may not be there yet."""
    given = os.environ.get(FOLDER)
    if given:
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "puzzlespace"
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "puzzlespace"


def limit() -> int:
    """Return how many bytes all entries may take. Raises InputError where the variable is no size."""
    given = os.environ.get(SIZE, "").strip()
    parts = re.fullmatch(r"([0-9]{1,20})([KMGT]?)", given.upper())
    if given and parts is None:
        raise InputError(f"{SIZE}: expected a size such as 500M or 4G, or 0, found {given!r}")
    return MOST if parts is None else int(parts[1]) * UNITS[parts[2]]


def key_of(*words: object) -> str:
    """Return sixteen hex digits that differ where any of the words does (by `repr`)."""
    return hashlib.sha256(repr(words).encode()).hexdigest()[:16]


def folder(kind: str, key: str) -> Path:
    """Return where the entry of a kind ('depths', 'patterns', …) and a key (by `key_of`) is."""
    return root() / kind / key


def found(place: Path) -> bool:
    """Return whether an entry is there and was made to its end."""
    return os.path.isfile(place / MADE)  # not by the path, which raises for names that no file can have


def touch(place: Path) -> None:
    """Note that an entry was used: it is removed later than those not used for longer."""
    with suppress(OSError):  # a cache that can only be read is of use as well
        os.utime(place / MADE)


@contextmanager
def making(place: Path, wanted: int, about: str = "") -> Iterator[bool]:
    """Hold an empty entry to write `wanted` bytes to at most; it is whole when the `with` statement ends well.

    about  one line that says to a person what it is of
    What was used longest ago is removed until all fits the limit. Yields False where there can be no such entry: it
    alone is larger, the disk has no room, the folder cannot be written, or another process is making it just now.
    """
    ready = False
    try:
        with ExitStack() as held:
            ready = wanted <= limit() and _begin(place, wanted, held)
            if ready:
                (place / BEGUN).write_text(about + "\n")
            yield ready
            if ready:
                (place / MADE).touch()
    except BaseException:
        if ready:
            drop(place)
        raise


def _begin(place: Path, wanted: int, held: ExitStack) -> bool:
    """Make an empty entry and lock it while `held` lasts; return whether that could be done."""
    try:
        if not drop(place):
            return False
        place.mkdir(parents=True)
        held.enter_context(locked(place))
        (place / BEGUN).touch()
        if not (root() / TAG).exists():
            write_file(root() / TAG, [SIGNATURE])
        _make_room(limit() - wanted, place)
        return shutil.disk_usage(place).free >= 2 * wanted
    except (OSError, TableError):
        return False


def entries() -> list[CacheEntry]:
    """Return all entries, what was used longest ago first; unfinished ones too."""
    seen = []
    for place in _folders():
        begun = place / BEGUN
        try:
            whole = (place / MADE).exists()
            used = (place / (MADE if whole else BEGUN)).stat().st_mtime
            about = begun.read_text(errors="replace").strip()
            size = sum(path.stat().st_size for path in _files(place))
        except OSError:
            continue  # removed by another process meanwhile
        seen.append(CacheEntry(used, place.parent.name, place.name, place, size, whole, about))
    return sorted(seen)


def _folders() -> list[Path]:
    """Return the folders of all entries; none where the cache folder cannot be read."""
    try:
        return [begun.parent for begun in root().glob(f"*/*/{BEGUN}")]
    except (OSError, ValueError):
        return []


def _files(place: Path) -> Iterator[Path]:
    return (path for path in place.rglob("*") if path.is_file())


def drop(place: Path) -> bool:
    """Remove an entry; return whether it is gone. One that a process writes to at this moment stays.

    What is no entry is left alone. A process that has files of it open goes on reading them.
    """
    if not os.path.exists(place / BEGUN):
        return not os.path.exists(place)
    try:
        with locked(place):
            (place / MADE).unlink(missing_ok=True)
            for path in sorted(place.rglob("*"), key=lambda path: (path.name == BEGUN, str(path))):
                if path.is_file():
                    path.unlink()
        shutil.rmtree(place)
    except (OSError, TableError):
        return False
    return True


def clear() -> tuple[int, int]:
    """Remove all entries; return how many went and how many bytes they took."""
    gone = [entry for entry in entries() if drop(entry.folder)]
    return len(gone), sum(entry.size for entry in gone)


def _make_room(most: int, stays: Path) -> None:
    """Remove what was used longest ago, but not `stays`, until all other entries take `most` bytes at most."""
    there = [entry for entry in entries() if entry.folder != stays]
    left = sum(entry.size for entry in there)
    for entry in there:
        if left <= most:
            return
        if drop(entry.folder):
            left -= entry.size
