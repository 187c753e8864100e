"""The user's cache folder: tables of all kinds that are computed once and used again, with a limit of size.

    place = folder("depths", key)              the folder of the entry with this kind and key
    if found(place):                           if the entry is complete: read it, and
        touch(place)                           record that it was used
    with making(place, wanted) as ready:       else create it; the least recently used entries are removed for it
        if ready: …                            write any files to the folder `place`

An entry is complete only after the `with` statement has ended without an error, so an interrupted process leaves no
entry that looks complete. The code that reads an entry must verify it by a checksum of its own and call `drop` if it is
damaged: files are not flushed to the disk, so after a power cut they may contain anything.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError, TableError
from .files import HOLDER, LOCK, locked, write_file

FOLDER = "PUZZLESPACE_CACHE"
"""The environment variable for the folder; without it, the system's folder for such files is used."""

SIZE = "PUZZLESPACE_CACHE_SIZE"
"""The environment variable for the limit of size: 500M, 4G; 0 for no cache."""

MOST = 4 << 30
"""The default limit of the size of all entries, in bytes."""

MADE = "made"
"""The file that marks an entry as complete; its modification time is the time of the last use."""

BEGUN = "begun"
"""The file that marks a folder as an entry (only entries are ever removed), with one line on what it contains."""

TAG = "CACHEDIR.TAG"
SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55\n"
"""The content of CACHEDIR.TAG, by which backup programs skip the folder (bford.info/cachedir)."""

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True, order=True)
class CacheEntry:
    """An entry of the cache.

    used   time of the last use, in seconds since 1970
    size   bytes on the disk
    whole  whether it is complete
    about  one line for the user on what it contains
    """

    used: float
    kind: str
    key: str
    folder: Path
    size: int
    whole: bool
    about: str


def root() -> Path:
    """Return the user's cache folder for this program, which may not exist yet."""
    given = os.environ.get(FOLDER)
    if given:
        return Path(given)
    import platformdirs

    found = platformdirs.user_cache_path("puzzlespace", appauthor=False)
    return found if found.is_absolute() else Path.home() / ".cache" / "puzzlespace"  # XDG_CACHE_HOME must be absolute


def limit() -> int:
    """Return the limit of the size of all entries in bytes; raise InputError if the environment variable is invalid."""
    given = os.environ.get(SIZE, "").strip()
    parts = re.fullmatch(r"([0-9]{1,20})([KMGT]?)", given.upper())
    if given and parts is None:
        raise InputError(f"{SIZE}: expected a size such as 500M or 4G, or 0, found {given!r}")
    return MOST if parts is None else int(parts[1]) * UNITS[parts[2]]


def key_of(*words: object) -> str:
    """Return sixteen hex digits of a hash of the words (by `repr`)."""
    return hashlib.sha256(repr(words).encode()).hexdigest()[:16]


def folder(kind: str, key: str) -> Path:
    """Return the folder of the entry with a kind ('depths', 'patterns', …) and a key (by `key_of`)."""
    return root() / kind / key


def found(place: Path) -> bool:
    """Return whether an entry exists and is complete."""
    return os.path.isfile(place / MADE)  # not `Path.is_file`, which raises for invalid file names


def touch(place: Path) -> None:
    """Record that an entry was used; entries that were not used for longer are removed first."""
    with suppress(OSError):  # the cache may be read-only
        os.utime(place / MADE)


@contextmanager
def making(place: Path, wanted: int, about: str = "") -> Iterator[bool]:
    """Create an empty entry to which at most `wanted` bytes are written; it is complete when the `with` statement ends.

    about  one line for the user on what it contains
    The least recently used entries are removed to stay within the limit. Yields False if the entry cannot be created:
    it is larger than the limit, the disk is too full, the folder cannot be written, or another process is creating it.
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
    """Create an empty entry and lock it until `held` is closed; return whether that was possible."""
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
    """Return all entries, including incomplete ones, the least recently used first."""
    seen = []
    for place in _folders():
        begun = place / BEGUN
        try:
            whole = (place / MADE).exists()
            used = (place / (MADE if whole else BEGUN)).stat().st_mtime
            about = begun.read_text(errors="replace").strip()
            size = sum(path.stat().st_size for path in _files(place))
        except OSError:
            continue  # another process removed it in the meantime
        seen.append(CacheEntry(used, place.parent.name, place.name, place, size, whole, about))
    return sorted(seen)


def _folders() -> list[Path]:
    """Return the folders of all entries; none if the cache folder cannot be read."""
    try:
        return [begun.parent for begun in root().glob(f"*/*/{BEGUN}")]
    except (OSError, ValueError):
        return []


def _files(place: Path) -> Iterator[Path]:
    return (path for path in place.rglob("*") if path.is_file())


def drop(place: Path) -> bool:
    """Remove an entry; return whether it does not exist any more.

    An entry that another process is writing, and a folder that is not an entry, are not removed. A process that has
    files of the entry open can go on reading them.
    """
    if not os.path.exists(place / BEGUN):
        return not os.path.exists(place)
    try:
        with locked(place):
            (place / MADE).unlink(missing_ok=True)
            for path in sorted(_files(place), key=lambda path: (path.name == BEGUN, str(path))):
                if path.name not in (LOCK, HOLDER):
                    path.unlink()
        shutil.rmtree(place)
    except (OSError, TableError):
        return False
    return True


def clear() -> tuple[int, int]:
    """Remove all entries; return (number of entries removed, their size in bytes)."""
    gone = [entry for entry in entries() if drop(entry.folder)]
    return len(gone), sum(entry.size for entry in gone)


def _make_room(most: int, stays: Path) -> None:
    """Remove the least recently used entries, but not `stays`, until all others take at most `most` bytes."""
    there = [entry for entry in entries() if entry.folder != stays]
    left = sum(entry.size for entry in there)
    for entry in there:
        if left <= most:
            return
        if drop(entry.folder):
            left -= entry.size
