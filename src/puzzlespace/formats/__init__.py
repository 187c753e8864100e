"""The text formats for puzzles, one module each; FORMATS lists them."""

import re
from urllib.parse import unquote

from ..limits.watch import paced
from .atomix import FORMAT as ATOMIX
from .base import Format
from .boards import FORMAT as BOARDS
from .gnome import FORMAT as GNOME
from .hrd import FORMAT as HRD
from .kpuzzle import FORMAT as KPUZZLE
from .lunar import FORMAT as LUNAR
from .pzl import FORMAT as PZL
from .rushhour import FORMAT as RUSHHOUR
from .sokoban import FORMAT as SOKOBAN
from .tws import FORMAT as TWS

FORMATS: tuple[Format, ...] = (PZL, RUSHHOUR, HRD, LUNAR, TWS, KPUZZLE, SOKOBAN, GNOME, ATOMIX, BOARDS)

LONGEST = 2000
"""The most letters of a puzzle that a person types instead of a file name."""


def format_of(file: str, text: str = "") -> Format:
    """Return the format of a file by its name's ending; if that is unknown, by its text, else the puzzle file."""
    by_name = (each for each in FORMATS if file.lower().endswith(each.suffixes))
    return next(by_name, None) or recognised(text) or PZL


def recognised(text: str) -> Format | None:
    """Return the first format that a text looks like, or None."""
    return next((each for each in paced(FORMATS) if each.fits(text)), None)


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
