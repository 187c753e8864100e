"""The text formats for puzzles, one module each; MODULES lists them. All but the puzzle file are loaded when needed."""

import re
from functools import cache
from importlib import import_module
from urllib.parse import unquote

from ..limits.watch import paced
from .base import Format
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
