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


def repeated(part: Word) -> list[Word]:
    """Return the signs of a run-length encoded row: `3a` is `aaa`, `2(ab)` is `abab`.

    Raises FormatError at a mistake.
    """
    groups: list[tuple[int, list[Word]]] = [(1, [])]
    count = ""
    for at, sign in enumerate(part):
        here = Word(sign, part.line, part.column + at)
        if sign in "0123456789":
            count += sign
            if len(count) > 4:
                raise FormatError.at(here, f"expected a number of at most 4 digits, found {count}")
            continue
        times, count = int(count or 1), ""
        if sign == "(":
            groups.append((times, []))
        elif sign == ")":
            if len(groups) == 1:
                raise FormatError.at(here, "expected '(' before ')', found none")
            times, inner = groups.pop()
            groups[-1][1].extend(inner * times)
        else:
            groups[-1][1].extend([here] * times)
        if len(groups[-1][1]) > MOST_PLACES:
            raise FormatError.at(here, f"expected at most {MOST_PLACES:,} signs after repetition, found more")
    last = Word(part[-1], part.line, part.column + len(part) - 1)
    if count or len(groups) > 1:
        raise FormatError.at(
            last, "expected a sign after a number, found none" if count else "expected ')', found none"
        )
    return groups[0][1]
