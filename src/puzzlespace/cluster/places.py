"""Where the files of a count are: a folder that all workers see, or an object store, through `fsspec`.

A file never changes after it is written. Every execution of a task chooses new names, so a task that runs twice, or
late, changes nothing that a manifest names; a file that was not finished is named nowhere.
"""

from __future__ import annotations

import json
import os
import shutil
import time
import uuid
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from ..errors import TableError, UnsupportedError
from ..storage.files import flush_folder

WAITS = (0.05, 0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds between attempts to read a file that is not there yet: network folders show new files late."""

NO_DASK = "a cluster needs Dask: install puzzlespace[cluster]"

Line = list[Any]
"""[name, length, checksum] of a file: what a manifest says of it. The format of the file says what is summed."""


class Storage:
    """Files by name. All methods but `delete` and `remove` raise TableError with the name if the storage refuses.

    url     a path, or an address with '://' as `fsspec` reads it: what a worker needs to find the place
    folder  the folder on this machine, None for an object store
    Raises UnsupportedError if `fsspec` is missing or does not know the address.
    """

    def __init__(self, url: str) -> None:
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise UnsupportedError(NO_DASK) from None
        self.url = url.rstrip("/")
        try:
            self.files, self.root = url_to_fs(self.url)
        except (ImportError, ValueError) as error:
            raise UnsupportedError(f"{url}: {error}") from None
        self.folder = None if "://" in url else Path(url)
        self.flushed: set[str] = set()

    def create(self) -> None:
        """Create the place."""
        with self._refused(""):
            self.files.makedirs(self.root, exist_ok=True)

    def read(self, name: str, begin: int, length: int) -> bytes:
        """Return a part of a file; wait some seconds for a file that is missing or too short."""
        problem = ""
        for wait in (*WAITS, None):
            try:
                found = self.files.cat_file(self._path(name), begin, begin + length) if length else b""
            except FileNotFoundError:
                problem = "is missing"
            except OSError as error:
                raise TableError(f"{self.url}/{name}: cannot be read: {error.strerror or error}") from error
            else:
                if len(found) == length:
                    return found
                problem = f"damaged: expected {begin + length:,} bytes, found {begin + len(found):,}"
            if wait is not None:
                time.sleep(wait)
        raise TableError(f"{self.url}/{name}: {problem}")

    def checked(self, name: str, begin: int, length: int, wanted: int) -> bytes:
        """Return a part of a file whose CRC-32 is `wanted`, as `read` does; raise TableError if it is not."""
        found = self.read(name, begin, length)
        if zlib.crc32(found) != wanted:
            raise TableError(f"{self.url}/{name}: damaged: its checksum does not match")
        return found

    @contextmanager
    def new(self, stem: str) -> Iterator[tuple[str, IO[bytes]]]:
        """Open a file for writing; yield its name, which no other execution of a task chooses, and the file."""
        name = f"{stem}-{uuid.uuid4().hex[:16]}"
        with self._refused(name), self.files.open(self._path(name), "wb") as file:
            yield name, file

    def put(self, stem: str, data: bytes) -> Line:
        """Write a file; return its line."""
        with self.new(stem) as (name, file):
            file.write(data)
        return [name, len(data), zlib.crc32(data)]

    def get(self, line: Line) -> bytes:
        """Return a file that `put` wrote; raise TableError if it does not match its line."""
        return self.checked(line[0], 0, *line[1:])

    def put_json(self, stem: str, value: Any) -> Line:
        """Write a value as JSON; return its line."""
        return self.put(stem, json.dumps(value, separators=(",", ":")).encode())

    def get_json(self, line: Line) -> Any:
        """Return the value that `put_json` wrote, as `get` does."""
        return json.loads(self.get(line))

    def flush(self, names: set[str]) -> None:
        """Flush files to the disk of a folder, before a manifest names them; what is in an object store is stored."""
        if self.folder is not None:
            with self._refused(""):
                for name in names - self.flushed:
                    with open(self.folder / name, "rb+") as file:
                        os.fsync(file.fileno())
                flush_folder(self.folder)
            self.flushed = set(names)

    def names(self) -> list[str]:
        """Return the names of all files."""
        with self._refused(""):
            self.files.invalidate_cache()
            return [each.rsplit("/", 1)[-1] for each in self.files.ls(self.root, detail=False)]

    def fetch(self, name: str, path: Path) -> None:
        """Move a file out of the place, to a path on this machine."""
        with self._refused(name):
            if self.folder is not None:
                shutil.move(self.folder / name, path)
            else:
                self.files.get_file(self._path(name), str(path))
                self.delete([name])

    def delete(self, names: Iterable[str]) -> None:
        """Delete files; those that are missing are ignored."""
        for name in names:
            with suppress(OSError):
                self.files.rm_file(self._path(name))

    def remove(self) -> None:
        """Delete the place with all its files."""
        with suppress(OSError):
            self.files.rm(self.root, recursive=True)

    def _path(self, name: str) -> str:
        return f"{self.root}/{name}"

    @contextmanager
    def _refused(self, name: str) -> Iterator[None]:
        """Convert errors of the system to a TableError that names a file."""
        try:
            yield
        except OSError as error:
            raise TableError(f"{self.url}/{name}: cannot be written: {error.strerror or error}") from error
