"""What a format is, and how untrusted files are read: limited in size before they are read, text only."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from ..errors import FormatError, visible
from ..puzzle.diagnostics import Diagnostic
from ..puzzle.draft import Draft

LIMIT = 65_536
"""The most bytes of a puzzle file."""

UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The bytes at the beginning of a text in UTF-16."""
LEVELS_LIMIT = 16 * 2**20
"""The most bytes of a file with several levels."""

LINES_LIMIT = 256 * 2**20
"""The most bytes of a file with a puzzle or a position on each line."""


class Parse(Protocol):
    """Returns the Draft of a text; `file` is its name in errors."""

    def __call__(self, text: str, file: str = "") -> Draft: ...


def parser(read: Callable[[str], Draft]) -> Parse:
    """Return the `parse` of a format whose texts `read` turns into Drafts.

    `read` raises FormatError with line and column; `parse` adds the name of the file and the text of the line. It makes
    the title and the author printable.
    """

    def parse(text: str, file: str = "") -> Draft:
        try:
            draft = read(text)
        except FormatError as error:
            raise error.located(file, text) from None
        titles = ((tag, _on_one_line(title)) for tag, title in draft.titles)
        return replace(draft, titles=tuple(each for each in titles if each[1]), by=_on_one_line(draft.by))

    return parse


def _on_one_line(text: str) -> str:
    """Return a text without control characters and with single spaces."""
    return visible(" ".join(text.split()))


def never(text: str) -> bool:
    """Return False, for a format that is recognised by the file name only."""
    return False


@dataclass(frozen=True)
class Format:
    """One text format for puzzles.

    suffixes  the endings of its files' names, with the dot
    parse     (text, file name for errors) -> Draft; raises only FormatError, with its place
    write     Draft -> text; `parse(write(draft)) == draft` for every draft that `parse` returns; None if the format is
              only read
    fits      whether a text looks like this format; asked if the file name has no known ending
    latin     whether files in Latin-1 are read too: only what is said about the puzzle can have such letters
    limit     the most bytes of a file
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    parse: Callable[[str, str], Draft]
    write: Callable[[Draft], str] | None
    fits: Callable[[str], bool] = never
    limit: int = LIMIT
    latin: bool = False


def load(path: str, limit: int = LIMIT) -> str:
    """Return the text of a file, or of standard input for '-'; line ends become '\\n', a byte order mark is dropped.

    Raises FormatError if it is too large (known from its size, before it is read), missing, or not text in UTF-8.
    """
    return decode(read_bytes(path, limit), path)


def read_bytes(path: str, limit: int = LIMIT) -> bytes:
    """Return a file's content. Raises FormatError if it cannot be read or has more than `limit` bytes."""
    try:
        data = _standard_input(limit + 1) if path == "-" else _file(path, limit)
    except FormatError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(f"expected a file that can be read, found none ({reason})", file=path) from None
    if len(data) > limit:
        raise _too_large("more", path, limit)
    return data


def _file(path: str, limit: int) -> bytes:
    about = os.stat(path)
    if about.st_size > limit and stat.S_ISREG(about.st_mode):
        raise _too_large(f"{about.st_size:,}", path, limit)
    with open(path, "rb", opener=_opened) as file:
        if stat.S_ISFIFO(about.st_mode):
            os.set_blocking(file.fileno(), True)
        return file.read(limit + 1)


def _opened(path: str, flags: int) -> int:
    """Open a file; do not wait for the writer of a pipe: a pipe without a writer is read as empty."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _too_large(found: str, path: str, limit: int) -> FormatError:
    what = "puzzle file" if limit == LIMIT else "file"
    return FormatError(f"expected a {what} of at most {limit:,} bytes, found {found}", file=path)


def _standard_input(most: int) -> bytes:
    binary = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read(most).encode(errors="surrogatepass") if binary is None else binary.read(most)


def latin_1(data: bytes) -> tuple[str, Diagnostic]:
    """Return the bytes as text in Latin-1 (Windows-1252, which has more letters), and a note that says so."""
    at = next(at for at, byte in enumerate(data) if byte > 127)
    line = data.count(b"\n", 0, at) + 1
    column = at - data.rfind(b"\n", 0, at)
    note = Diagnostic("latin-1", "the file is not in UTF-8; it was read as Latin-1", "note", line, column)
    text = "".join(bytes([byte]).decode("cp1252", "ignore") or "?" for byte in data)
    return text.replace("\r\n", "\n"), note


def decode(data: bytes, path: str) -> str:
    """Return the bytes as text. Raises FormatError for binary data and for encodings other than UTF-8."""
    if data.startswith(UTF_16):
        raise FormatError("expected text in UTF-8, found UTF-16", file=path, hint="save the file as UTF-8")
    if b"\0" in data:
        raise FormatError("expected text in UTF-8, found a binary file", file=path)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"expected text in UTF-8, found the byte 0x{data[error.start]:02x}",
            line=data.count(b"\n", 0, error.start) + 1,
            file=path,
            hint="save the file as UTF-8",
        ) from None
