"""The lines of a game's text with their sections, without comments and decoration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import FormatError, Word
from .faults import Faults

SECTIONS = ("objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels")
"""The sections in the order in which a game has them, after the prelude, which is ''."""

HEADER = re.compile(rf"({'|'.join(SECTIONS)})(?!\w)")
MESSAGE_IN_RULE = re.compile(r"->.*?\bmessage\b")
WHOLE = ("objects", "sounds", "collisionlayers")
"""Sections in which a line goes on after a comment; elsewhere a comment ends it."""


def fits(text: str) -> bool:
    """Return whether a text looks like a game: it has the headings of its main sections on lines of their own."""
    return _headings(text) >= {"objects", "collisionlayers", "rules", "levels"}


def is_begun(text: str) -> bool:
    """Return whether a text is probably meant as a game: it has at least two headings on lines of their own."""
    return len(_headings(text)) > 1


def _headings(text: str) -> set[str]:
    return {line.strip().strip("=").strip().lower() for line in text.split("\n")} & set(SECTIONS)


@dataclass(frozen=True)
class Line:
    """A line without comments and surrounding blanks; '' is a blank line.

    text    its words as they are written; names and keywords are compared in small letters
    """

    section: str
    text: Word

    @property
    def low(self) -> str:
        """The text in small letters."""
        return self.text.lower()

    def words(self) -> list[Word]:
        """Return its words in small letters, with their places."""
        return words_of(self.text)


def words_of(text: Word, pattern: str = r"\S+") -> list[Word]:
    """Return the parts of a line that fit a pattern, in small letters, with their places."""
    found = re.finditer(pattern, text)
    return [Word(each.group().lower(), text.line, text.column + each.start()) for each in found]


def lines_of(source: str, faults: Faults) -> Iterator[Line]:
    """Yield the lines of a game. Raises FormatError if its sections are not all there in their order."""
    section, depth, number = "", 0, 0
    for number, row in enumerate(source.split("\n"), 1):
        before = depth
        text, cut, depth = _uncommented(row, depth, number, faults)
        commented = before > 0 or text != row
        literal = _message(section, row, text, cut)
        if literal is not None:
            text, depth = literal, 0
        elif cut is not None and section not in WHOLE:
            text = text[:cut]
        start = len(text) - len(text.lstrip())
        line = Word(text.strip(), number, start + 1)
        if not line:
            if not commented:
                yield Line(section, line)
            continue
        line = _undecorated(line, section)
        header = HEADER.match(line.lower()) if section != "levels" else None
        if header is not None:
            section = _next_section(section, Word(header.group(), number, line.column))
        elif line:
            yield Line(section, line)
    if section != "levels":
        left = SECTIONS[SECTIONS.index(section) + 1 if section else 0 :]
        raise FormatError(f"expected the section {left[0].upper()}, found the end of the game", line=number)


def _uncommented(row: str, depth: int, number: int, faults: Faults) -> tuple[str, int | None, int]:
    """Return a row with blanks for its comments, where a comment ends its content, and how many comments are open."""
    if depth == 0 and "(" not in row and ")" not in row:
        return row, None, 0
    letters, cut = list(row), None
    for at, letter in enumerate(row):
        if letter == "(":
            if depth == 0 and cut is None and row[:at].strip() and "".join(letters[:at]).strip():
                cut = at
            depth += 1
        if depth or letter == ")":
            letters[at] = " "
        if letter == ")":
            if depth == 0:
                faults.warn(Word(letter, number, at + 1), "expected '(' before ')', found none; it is ignored")
            depth = max(0, depth - 1)
    return "".join(letters), cut, depth


def _message(section: str, row: str, text: str, cut: int | None) -> str | None:
    """Return the row if it has a message, whose words may be anything; None if it has none."""
    low = text[:cut].lower()
    if section == "levels" and low.lstrip().startswith("message"):
        at = low.index("message")
    elif section == "rules" and (found := MESSAGE_IN_RULE.search(low)) is not None:
        at = found.end()
    else:
        return None
    return text[:at] + row[at:]


def _undecorated(line: Word, section: str) -> Word:
    """Return a line without the '=' at its beginning; a row of a level that has other letters too keeps them."""
    if not line.startswith("=") or (section == "levels" and line.strip("= \t")):
        return line
    rest = line.lstrip("= \t")
    return Word(rest, line.line, line.column + len(line) - len(rest))


def _next_section(section: str, header: Word) -> str:
    """Return the section that a header begins. Raises FormatError unless it is the next one."""
    expected = SECTIONS[SECTIONS.index(section) + 1 if section else 0]
    if header != expected:
        raise FormatError.at(header, f"expected the section {expected.upper()} next, found {header.upper()}")
    return str(header)
