"""The glyphs of words in text boards, and their width in the columns of a terminal.

There are two sets: `ascii` shows the words of the puzzle; `ja` shows ○ ● □, strokes and full-width letters, each two
columns wide as in Japanese fonts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from ..errors import InputError
from ..puzzle.draft import BLANK, WILD
from ..puzzle.puzzle import Puzzle

SETS = ("ascii", "ja")
DARK, LIGHT = ("x", "B"), ("o", "W")
TWO_TONE = ({"x", "o"}, {"B", "W"})
"""Letters for dark and light discs, if a puzzle has no others."""


def glyph_set(name: str) -> str:
    """Return the name of a glyph set; raise InputError for an unknown one."""
    if name not in SETS:
        raise InputError(f"--glyphs: expected one of {', '.join(SETS)}, found {name!r}")
    return name


def width(text: str, glyphs: str = "ascii") -> int:
    """Return the columns that `text` takes on a terminal (Unicode Standard Annex 11, East Asian Width).

    Wide and full-width letters take two; ambiguous ones (○, ─) take two in the set `ja`; combining marks take none.
    """
    if text.isascii():
        return len(text)
    wide = "WFA" if glyphs == "ja" else "WF"
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in wide else 1
        for letter in text
    )


def pad(text: str, columns: int, glyphs: str = "ascii") -> str:
    """Return `text` with spaces after it to fill `columns` columns."""
    return text + " " * (columns - width(text, glyphs))


def printable(text: str) -> str:
    """Return `text` with '?' for unprintable characters, such as terminal control characters."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else "?" for letter in text)


def wrap(text: str, columns: int, indent: int = 0, glyphs: str = "ascii") -> list[str]:
    """Return `text` in lines of at most `columns` columns, broken after spaces and hyphens, else anywhere.

    Lines after the first begin with `indent` spaces.
    """
    lines = [""]
    for part in _parts(text):
        if width(lines[-1] + part.rstrip(), glyphs) > columns and lines[-1].strip():
            lines.append(" " * indent)
        for letter in part:
            if letter != " " and width(lines[-1] + letter, glyphs) > columns and lines[-1].strip():
                lines.append(" " * indent)
            if letter != " " or lines[-1].strip():
                lines[-1] += letter
    return [line.rstrip() for line in lines]


def _parts(text: str) -> list[str]:
    parts = [""]
    for letter in text:
        parts[-1] += letter
        if letter in " -":
            parts.append("")
    return parts


def two_tone(puzzle: Puzzle, words: Sequence[str] = ()) -> bool:
    """Return whether the pieces are dark and light discs: only the letters x and o, or B and W."""
    letters = {*puzzle.alphabet, *words} - {BLANK, WILD}
    return any(letters <= pair for pair in TWO_TONE)


def signs(puzzle: Puzzle, glyphs: str, words: Sequence[str] = ()) -> Mapping[str, str]:
    """Return the glyph of each word in the set `ja`; {} for `ascii`, which shows the words."""
    if glyphs == "ascii":
        return {}
    shown = dict.fromkeys([*puzzle.alphabet, *words])
    found = {word: _full_width(word) for word in shown} | {BLANK: "□"}
    if two_tone(puzzle, words):
        found |= dict.fromkeys(DARK, "●") | dict.fromkeys(LIGHT, "○")
    if puzzle.kind.ground == "holes":
        found |= dict.fromkeys(puzzle.alphabet, "●") | {BLANK: "○"}
    return found | {look.symbol: look.glyph for look in puzzle.picture if look.glyph}


def _full_width(word: str) -> str:
    """Return the full-width form of one ASCII letter; longer words are unchanged."""
    return chr(ord(word) + 0xFEE0) if len(word) == 1 and "!" <= word <= "~" else word
