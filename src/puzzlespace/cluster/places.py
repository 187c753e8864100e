"""Where the files of a count are: a folder that all workers see, or an object store through `fsspec`.

A file gets its name when it is complete and never changes afterwards. Every execution of a task chooses new names, so a
task that runs twice, or late, changes nothing that a manifest names.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol

from ..errors import TableError, UnsupportedError
from ..storage.files import flush_folder

TEMPORARY = ".tmp"

WAITS = (0.05, 0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds between attempts to read a file that is not there yet: network folders show new files late."""


class Storage(Protocol):
    """Files by name. All methods raise TableError with the name if the storage refuses.

    url  what a worker needs to find the place
    """

    url: str

    def read(self, name: str, begin: int, length: int) -> bytes:
        """Return a part of a file; wait some seconds for a file that is missing or too short."""
        ...

    def fill(self, name: str, begin: int, room: memoryview) -> None:
        """Read a part of a file into `room`, as `read` does."""
        ...

    def new(self, stem: str) -> NewFile:
        """Return a file under a new name, see `NewFile`."""
        ...

    def publish(self, file: NewFile) -> None:
        """Give a complete file its name."""
        ...

    def flush(self, names: set[str]) -> None:
        """Flush these files to the disk, before a manifest names them."""
        ...

    def create(self) -> None:
        """Create the place."""
        ...

    def names(self) -> list[str]:
        """Return the names of all complete files."""
        ...

    def fetch(self, name: str, path: Path) -> None:
        """Move a file out of the place, to a path on this machine."""
        ...

    def delete(self, names: Iterable[str]) -> None:
        """Delete files; those that are missing are ignored."""
        ...

    def remove(self) -> None:
        """Delete the place with all its files."""
        ...


def new_name(stem: str) -> str:
    """Return a name that no other execution of a task chooses."""
    return f"{stem}-{uuid.uuid4().hex[:16]}"


class NewFile:
    """A file that is written to `path` on this machine and published under `name` by `publish`."""

    def __init__(self, place: Storage, name: str, path: Path) -> None:
        self.place, self.name, self.path = place, name, path

    def publish(self) -> str:
        """Give the complete file its name, and return it."""
        with refused(f"{self.place.url}/{self.name}"):
            self.place.publish(self)
        return self.name

    def discard(self) -> None:
        """Delete an unfinished file."""
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> NewFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.discard()


@contextmanager
def refused(what: str) -> Iterator[None]:
    """Convert errors of the system to a TableError that names a file."""
    try:
        yield
    except TableError:
        raise
    except OSError as error:
        raise TableError(f"{what}: cannot be written: {error.strerror or error}") from error


class Folder:
    """A folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.flushed: set[str] = set()
        self.url = str(path)

    def create(self) -> None:
        with refused(self.url):
            self.path.mkdir(parents=True, exist_ok=True)

    def read(self, name: str, begin: int, length: int) -> bytes:
        return patient(lambda: _part(self.path / name, begin, length), f"{self.url}/{name}", begin, length)

    def fill(self, name: str, begin: int, room: memoryview) -> None:
        def once() -> memoryview:
            with open(self.path / name, "rb", buffering=0) as file:
                file.seek(begin)
                return room[: _read_into(file, room)]

        patient(once, f"{self.url}/{name}", begin, len(room))

    def new(self, stem: str) -> NewFile:
        name = new_name(stem)
        return NewFile(self, name, self.path / (name + TEMPORARY))

    def publish(self, file: NewFile) -> None:
        os.replace(file.path, self.path / file.name)

    def flush(self, names: set[str]) -> None:
        with refused(self.url):
            for name in names - self.flushed:
                with open(self.path / name, "rb+") as file:
                    os.fsync(file.fileno())
            flush_folder(self.path)
        self.flushed = set(names)

    def names(self) -> list[str]:
        with refused(self.url):
            return [each.name for each in self.path.iterdir() if not each.name.endswith(TEMPORARY)]

    def fetch(self, name: str, path: Path) -> None:
        with refused(str(path)):
            shutil.move(self.path / name, path)

    def delete(self, names: Iterable[str]) -> None:
        for name in names:
            with suppress(OSError):
                (self.path / name).unlink()

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


def _part(path: Path, begin: int, length: int) -> bytes:
    with open(path, "rb") as file:
        file.seek(begin)
        return file.read(length)


def write_all(file: IO[bytes], data: memoryview) -> None:
    """Write all bytes to a file without a buffer."""
    while data:
        data = data[file.write(data) :]


def _read_into(file: IO[bytes], room: memoryview) -> int:
    """Fill the room from a file; return how many bytes there were."""
    done = 0
    while done < len(room):
        more = file.readinto(room[done:])  # type: ignore[attr-defined]
        if not more:
            break
        done += more
    return done


def patient(read: Any, what: str, begin: int, length: int) -> bytes:
    """Return the bytes; repeat the attempt for some seconds. Raises TableError."""
    problem = ""
    for wait in (*WAITS, None):
        try:
            found = read()
        except FileNotFoundError:
            problem = "is missing"
        except OSError as error:
            raise TableError(f"{what}: cannot be read: {error.strerror or error}") from error
        else:
            if len(found) == length:
                return found
            problem = f"damaged: expected {begin + length:,} bytes, found {begin + len(found):,}"
        if wait is not None:
            time.sleep(wait)
    raise TableError(f"{what}: {problem}")


class ObjectStore:
    """An object store, by its `fsspec` address such as `s3://bucket/count`. Objects appear complete."""

    def __init__(self, url: str) -> None:
        try:
            import fsspec
        except ImportError:
            raise UnsupportedError(f"{url}: object stores need fsspec: install puzzlespace[cluster]") from None
        self.url = url.rstrip("/")
        try:
            self.files, self.root = fsspec.core.url_to_fs(self.url)
        except (ImportError, ValueError) as error:
            raise UnsupportedError(f"{url}: {error}") from None

    def create(self) -> None:
        with refused(self.url):
            self.files.makedirs(self.root, exist_ok=True)

    def read(self, name: str, begin: int, length: int) -> bytes:
        def once() -> bytes:
            return self.files.cat_file(f"{self.root}/{name}", start=begin, end=begin + length) if length else b""

        return patient(once, f"{self.url}/{name}", begin, length)

    def fill(self, name: str, begin: int, room: memoryview) -> None:
        room[:] = self.read(name, begin, len(room))

    def new(self, stem: str) -> NewFile:
        number, path = tempfile.mkstemp(prefix="puzzlespace-")
        os.close(number)
        return NewFile(self, new_name(stem), Path(path))

    def flush(self, names: set[str]) -> None:
        """Do nothing: an object that is there is stored."""

    def publish(self, file: NewFile) -> None:
        self.files.put_file(str(file.path), f"{self.root}/{file.name}")
        file.discard()

    def names(self) -> list[str]:
        with refused(self.url):
            self.files.invalidate_cache()
            return [each.rsplit("/", 1)[-1] for each in self.files.ls(self.root, detail=False)]

    def fetch(self, name: str, path: Path) -> None:
        with refused(str(path)):
            self.files.get_file(f"{self.root}/{name}", str(path))
        self.delete([name])

    def delete(self, names: Iterable[str]) -> None:
        for name in names:
            with suppress(OSError):
                self.files.rm_file(f"{self.root}/{name}")

    def remove(self) -> None:
        with suppress(OSError):
            self.files.rm(self.root, recursive=True)


def place_of(url: str) -> Storage:
    """Return the place with an address: a path, or an address with '://'."""
    return ObjectStore(url) if "://" in url else Folder(Path(url))
