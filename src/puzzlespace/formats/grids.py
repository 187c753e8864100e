"""Boards drawn one character for each cell, as in many programs: rows with places, and the letters that may be used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_letters, ascii_uppercase, digits

from ..errors import FormatError, Word
from ..limits.watch import paced
from ..puzzle.draft import BLANK, NOTHING, WILD, Draft, Drawing

RESERVED = f"{BLANK}{NOTHING}{WILD};/$"
"""Characters with a meaning in the drawings of a puzzle file: pieces with these names are renamed."""

SPARE = ascii_uppercase + ascii_letters[:26] + digits + "!%&+=?@"

KEY = re.compile(r"^\w[\w -]*(\[[^]]*\])?:", re.MULTILINE)
"""A key of a puzzle file: a text with one is not a board of another program."""

MOST_PLACES = 16_384
"""The most places of a board, including those without a cell; a few long lines could make too many for the memory."""

Rows = list[list[Word]]


def lines_of(text: str) -> list[Word]:
    """Return the lines of a text with their places, without trailing spaces."""
    return [Word(line.rstrip(), number, 1) for number, line in enumerate(paced(text.split("\n")), 1)]


def rows_of(lines: Sequence[Word], fill: str) -> Rows:
    """Return lines as rows of characters, padded with `fill`. Raises FormatError for unprintable characters."""
    width = max(map(len, lines), default=0)
    if width * len(lines) > MOST_PLACES:
        raise FormatError.at(lines[0], f"expected at most {MOST_PLACES:,} places, found {len(lines)} rows of {width}")
    rows: Rows = []
    for line in lines:
        letters = line.ljust(width, fill)
        rows.append([Word(letter, line.line, line.column + at) for at, letter in enumerate(letters)])
        for word in rows[-1]:
            if not word.isprintable():
                raise FormatError.at(word, f"expected characters that can be seen, found {str(word)!r}")
    return rows


def trimmed(lines: Sequence[Word]) -> list[Word]:
    """Return lines without empty ones at the beginning and the end."""
    shown = [index for index, line in enumerate(lines) if line]
    return list(lines[shown[0] : shown[-1] + 1]) if shown else []


def names(letters: Iterable[str]) -> dict[str, str]:
    """Return the name of each piece in a drawing: the same letter, or an unused letter if it is reserved.

    Raises FormatError if there are not enough letters.
    """
    every = dict.fromkeys(letters)
    spare = [letter for letter in SPARE if letter not in every]
    found = {letter: letter for letter in every if letter not in RESERVED}
    for letter in every:
        if letter in RESERVED:
            if not spare:
                raise FormatError.at(letter, f"expected at most {len(SPARE)} pieces, found more")
            found[letter] = spare.pop(0)
    return found


def drawn(rows: Sequence[Sequence[str]], called: dict[str, str]) -> Drawing:
    """Return the drawing of rows, with characters renamed as in `called`; the words keep their places."""
    return Drawing(
        tuple(
            tuple(Word(called.get(word, word), getattr(word, "line", 0), getattr(word, "column", 0)) for word in row)
            for row in rows
        ),
        spaced=False,
    )


def blocks(start: Drawing, goals: Sequence[Drawing], gates: Drawing | None = None) -> Draft:
    """Return the Draft of sliding blocks, with the metric `piece`."""
    return Draft(rule="slide", count="piece", blocks="all", start=start, goals=tuple(goals), gates=gates)


def matter(draft: Draft) -> Draft:
    """Return a draft without titles, notes, looks, known numbers and spaces between symbols."""
    drawings = [replace(each, spaced=False) if isinstance(each, Drawing) else each for each in draft.goals]
    start, gates = (each and replace(each, spaced=False) for each in (draft.start, draft.gates))
    bare = replace(draft, titles=(), by="", source="", note="", picture=(), known=())
    return replace(bare, start=start, gates=gates, goals=tuple(drawings))


def plain_rows(draft: Draft) -> list[tuple[str, ...]]:
    """Return the start's rows of a draft of sliding blocks that `matter` returned.

    Raises FormatError if it is another puzzle, which formats of blocks cannot express.
    """
    drawings = [each for each in (draft.start, *draft.goals) if isinstance(each, Drawing)]
    if draft.start is None or len(drawings) < 2 or draft != blocks(draft.start, drawings[1:], draft.gates):
        raise FormatError("expected blocks that slide, count: piece, with start and goal drawn, found another puzzle")
    if any(len(word) != 1 for each in drawings for word in each.words):
        raise FormatError("expected pieces with names of one letter, found longer ones")
    return [tuple(map(str, row)) for row in draft.start.rows]


def coded_rows(lines: Sequence[Word], fill: str) -> Rows:
    """Return the rows of run-length encoded lines, which `|` may divide into rows, padded with `fill`.

    Raises FormatError at a mistake.
    """
    rows: Rows = []
    places = 0
    for line in lines:
        at = 0
        for part in line.split("|"):
            here = Word(part, line.line, line.column + at)
            if part.strip() or at < len(line):
                rows.append(repeated(here) if part.strip() else [Word(fill, here.line, here.column)])
                places += len(rows[-1])
            if places > MOST_PLACES:
                raise _too_many(here)
            at += len(part) + 1
    width = max(map(len, rows))
    if width * len(rows) > MOST_PLACES:
        raise _too_many(rows[0][0])
    return [row + [Word(fill, row[-1].line, row[-1].column + 1)] * (width - len(row)) for row in rows]


def _too_many(word: Word) -> FormatError:
    return FormatError.at(word, f"expected at most {MOST_PLACES:,} places, found more")


def repeated(part: Word) -> list[Word]:
    """Return the signs of a run-length encoded row, at least one: `3a` is `aaa`, `2(ab)` is `abab`.

    Raises FormatError at a mistake. The size is checked before signs are repeated.
    """
    groups: list[tuple[int, list[Word]]] = [(1, [])]
    count, size = "", 0
    for at, sign in enumerate(part):
        here = Word(sign, part.line, part.column + at)
        if sign in "0123456789":
            count += sign
            if len(count) > 4:
                raise FormatError.at(here, f"expected a number of at most 4 digits, found {count}")
            continue
        if count and not int(count):
            raise FormatError.at(here, f"expected a number from 1 before {str(sign)!r}, found {count}")
        times, count = int(count or 1), ""
        if sign == "(":
            groups.append((times, []))
            continue
        inner = [here]
        if sign == ")":
            if len(groups) == 1:
                raise FormatError.at(here, "expected '(' before ')', found none")
            times, inner = groups.pop()
            if not inner:
                raise FormatError.at(here, "expected a sign between '(' and ')', found none")
            size -= len(inner)
        size += times * len(inner)
        if size > MOST_PLACES:
            raise FormatError.at(here, f"expected at most {MOST_PLACES:,} signs after repetition, found more")
        groups[-1][1].extend(inner * times)
    last = Word(part[-1], part.line, part.column + len(part) - 1)
    if count or len(groups) > 1:
        raise FormatError.at(
            last, "expected a sign after a number, found none" if count else "expected ')', found none"
        )
    return groups[0][1]
