"""The puzzle file (`.pzl`), described in docs/format.md: text -> Draft -> text.

Nothing in a file is evaluated. Reading raises only FormatError, whatever the text.
"""

from __future__ import annotations

import re

from ..errors import FormatError, InputError
from ..puzzle.draft import Draft
from ..puzzle.full_width import plain
from .base import LIMIT, Format, load
from .pzl_read import read
from .pzl_write import print_draft

__all__ = ["FORMAT", "LIMIT", "explain", "load", "parse", "print_draft"]


def parse(text: str, file: str = "") -> Draft:
    """Return the Draft of a puzzle file's text. Raises FormatError with the place; `file` is the file's name there."""
    if "\0" in text:
        raise FormatError("expected text in UTF-8, found a binary file", file=file)
    text = text.removeprefix("\ufeff")
    try:
        return read(text)
    except FormatError as error:
        raise error.located(file, text) from None


def explain(error: InputError, file: str, text: str) -> FormatError:
    """Return an error that was raised after the reading of `text`, with file, row and caret."""
    found = error if isinstance(error, FormatError) else FormatError(str(error))
    return found.located(file, text)


def fits(text: str) -> bool:
    """Return whether the text has a line that begins with `rule:`, as every puzzle file must."""
    return re.search(r"^rule\s*:", plain(text), re.MULTILINE) is not None


FORMAT = Format("pzl", "puzzle file", (".pzl",), parse, print_draft, fits)
