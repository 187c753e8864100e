"""The text formats for puzzles, one module each; MODULES lists them. All but the puzzle file are loaded when needed."""

import re
from functools import cache
from importlib import import_module
from urllib.parse import unquote

from ..errors import FormatError
from ..limits.watch import paced
from ..puzzle.diagnostics import Diagnostic
from .base import UTF_16, Format, decode, latin_1, read_bytes
from .pzl import FORMAT as PZL

MODULES = ("pzl", "rushhour", "hrd", "lunar", "tws", "kpuzzle", "sokoban", "gnome", "atomix", "boards")
"""The modules of the formats, in the order in which a text is compared with them."""

LONGEST = 2000
"""The most letters of a puzzle that a person types instead of a file name."""


@cache
def formats() -> tuple[Format, ...]:
    """Return all formats."""
    return tuple(import_module(f".{name}", __name__).FORMAT for name in MODULES)


def format_of(file: str, text: str = "") -> Format:
    """Return the format of a file by its name's ending; if that is unknown, by its text, else the puzzle file."""
    ending = file.lower()
    if ending.endswith(PZL.suffixes):
        return PZL
    by_name = (each for each in formats() if ending.endswith(each.suffixes))
    return next(by_name, None) or recognised(text) or PZL


def read_text(path: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """Return the text of a file, or of standard input for '-', and notes on its encoding.

    Raises FormatError as `base.load` does; a format with `latin` may be in Latin-1.
    """
    data = read_bytes(path)
    try:
        return decode(data, path), ()
    except FormatError:
        if b"\0" in data or data.startswith(UTF_16):
            raise
        text, note = latin_1(data)
        if not format_of(path, text).latin:
            raise
        return text, (note.located(path, text),)


def recognised(text: str) -> Format | None:
    """Return the first format that a text looks like, or None."""
    return next((each for each in paced(formats()) if each.fits(text)), None)


def typed(text: str) -> tuple[Format, str] | None:
    """Return the format and the text of a puzzle that a person typed instead of a file name, or None if it is none.

    It may be the address of a page with a board in one of its parts; nothing is fetched.
    """
    if len(text) > LONGEST:
        return None
    for part in [text, *(re.split(r"[/#?&=]", unquote(text)) if "://" in text else ())]:
        found = recognised(part)
        if found is not None:
            return found, part
    return None
