"""The ways to write puzzles down, one module each; FORMATS lists them."""

from .base import Format
from .pzl import FORMAT as PZL

FORMATS: tuple[Format, ...] = (PZL,)


def format_of(file: str) -> Format:
    """Return the format of a file by the ending of its name; the puzzle file for any other name and for '-'."""
    return next((each for each in FORMATS if file.lower().endswith(each.suffixes)), PZL)
