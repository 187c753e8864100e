"""Positions as other programs write them: a row of numbers, commas or brackets between them, `0` for the blank."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TypeVar

from ..errors import FormatError, Word
from .draft import BLANK

Text = TypeVar("Text", bound=str)


def opened(text: str, symbols: Collection[str]) -> str:
    """Return a text with spaces for commas and for the brackets and quotes of a list, and `/` between inner lists.

    Lists may have lists in them: `[[1,2],[3,0]]`. Columns do not change. If a symbol has one of these characters, they
    mean themselves.
    """
    if any(sign in symbol for symbol in symbols for sign in "[],"):
        return text
    if _is_list(text):
        text = re.sub(r"\][\s,\]]*\[[\s\[]*", _between, text)
        text = re.sub(r"[][]", " ", text)
        text = re.sub(r"""(['"])([^\s'"]*)\1""", r" \2 ", text)
    return text.replace(",", " ")


def _is_list(text: str) -> bool:
    """Return whether a text is a list of words, or of such lists."""
    inner, before = text.strip(), ""
    while inner != before:
        inner, before = LISTED.sub(lambda found: "[" + "." * (len(found.group()) - 2) + "]", inner), inner
        if re.fullmatch(r"\[[^][]*\]", inner):
            return True
    return False


LISTED = re.compile(r"\[\s*\[[^][]*\](\s*,?\s*\[[^][]*\])*\s*,?\s*\]")
"""A list of lists of words."""


def _between(found: re.Match[str]) -> str:
    """Return what separates two rows: a line end, else `/`."""
    between = "".join(each if each == "\n" else " " for each in found.group())
    return between if "\n" in between else f"/{between[1:]}"


def blank_sign(words: Sequence[str], symbols: Collection[str], signs: Sequence[str]) -> str:
    """Return the sign that stands for the blank in a position without `.`; '' if there is none.

    signs  the signs of other programs; one that is a symbol of the puzzle means itself
    Raises FormatError if two different signs occur.
    """
    used = [word for word in words if word in signs]
    if BLANK in words or not used or any(word in symbols for word in used):
        return ""
    other = next((word for word in used if word != used[0]), None)
    if other is not None:
        raise FormatError.at(other, f"expected one sign for the blank, found {str(used[0])!r} and {str(other)!r}")
    return str(used[0])


def blanked(words: Sequence[Text], sign: str, most: int | None = None) -> tuple[Text | Word, ...]:
    """Return words with `.` for each `sign`; raise FormatError if there are more than `most` blanks."""
    found: list[Text | Word] = []
    for word in words:
        if word != sign:
            found.append(word)
            continue
        if most == 0:
            raise FormatError.at(word, f"expected {sign!r}, the blank, as often as the puzzle has blanks, found more")
        most = None if most is None else most - 1
        found.append(Word(BLANK, getattr(word, "line", 0), getattr(word, "column", 0)))
    return tuple(found)
