"""Words with their places: parts of a text, how errors quote them, and hints about unknown ones."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..errors import Word
from ..limits.watch import paced


def part(word: Word, begin: int, end: int | None = None) -> Word:
    """Return a slice of a word, with its own place."""
    return Word(word[begin:end], word.line, word.column + begin)


def words(text: Word, pattern: str = r"\S+") -> list[Word]:
    """Return what matches `pattern` in a text, by default the words between spaces."""
    return [part(text, *match.span()) for match in paced(re.finditer(pattern, text))]


def stripped(text: Word) -> Word:
    """Return the text without the spaces around it."""
    begin = len(text) - len(text.lstrip())
    return part(text, begin, max(begin, len(text.rstrip())))


def shown(text: str) -> str:
    """Return text as errors quote it; a long one is cut."""
    return repr(text if len(text) <= 40 else text[:36] + " ...")


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest known word, or lists all of them."""
    known = list(known)
    return did_you_mean(word, known) or f"known are {', '.join(known)}"


def did_you_mean(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """Return a hint that names the nearest known word; '' if none is at least so similar (from 0 to 1)."""
    import difflib  # for errors only

    near = difflib.get_close_matches(word.lower(), sorted(known), 1, likeness)
    return f"did you mean {near[0]!r}?" if near else ""
