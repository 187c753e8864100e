"""Sequences of numbers over puzzles of growing size, as the OEIS prints them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..contract.answers import DepthTable
from ..errors import InputError
from ..puzzle.diagnostics import tell
from ..puzzle.full_width import plain, told
from ..registry import family_of

RANGE = re.compile("([0-9]+)[.][.]([0-9]+)")
MOST_TERMS = 1000
"""The most puzzles of one range."""

SEQUENCES = {
    "positions": "numbers of positions",
    "depth": "greatest depths",
    "hardest": "numbers of hardest positions",
    "counts": "numbers of positions at each depth, a triangle read by rows",
}
"""The sequences that depth tables give, with what they are."""


def sequence_puzzles(words: Sequence[str], offset: int | None = None) -> tuple[list[str], int]:
    """Return the puzzles that the words name, in order, and the index of the first.

    A spec may have a range of numbers: its puzzles are those of each number, and its least number is the index of the
    first, unless there are other words. Raises InputError for what is no range, has two, or needs an offset.

    >>> sequence_puzzles(["topspin:6..8,4"])
    (['topspin:6,4', 'topspin:7,4', 'topspin:8,4'], 6)
    """
    read = [_expanded(word) for word in words]
    if offset is None and len(words) == 1:
        offset = read[0][1]
    if offset is None:
        raise InputError(
            "offset: expected the index of the first term; only one spec with a range, such as pancake:2..9, has one"
        )
    return [name for names, _ in read for name in names], offset


def _expanded(word: str) -> tuple[list[str], int | None]:
    """Return the puzzles of a word, and the least number of its range; None without a range."""
    spec = plain(word)
    found = list(RANGE.finditer(spec))
    if not found or ":" not in spec or family_of(spec.partition(":")[0]) is None:
        return [word], None
    if len(found) > 1:
        raise InputError(
            f"puzzle: expected one range, found {word!r:.100}, which can mean equal numbers or all pairs; "
            "write the puzzles in order, with an offset"
        )
    if spec != word:
        tell([each.located("puzzle", word) for each in told(word, spec)])
    low, high = int(found[0][1][:20]), int(found[0][2][:20])
    if not low <= high < low + MOST_TERMS:
        raise InputError(
            f"puzzle: expected a range from a number to one that is not less, of at most {MOST_TERMS:,} numbers, "
            f"found {word!r:.100}"
        )
    begin, end = found[0].span()
    return [f"{spec[:begin]}{number}{spec[end:]}" for number in range(low, high + 1)], low


def sequence_of(tables: Sequence[DepthTable], of: str) -> list[int]:
    """Return the terms that finished tables give, one of `SEQUENCES`.

    >>> from puzzlespace import depths
    >>> sequence_of([depths("pancake:3"), depths("pancake:4")], "counts")
    [1, 2, 2, 1, 1, 3, 6, 11, 3]
    """
    if of == "positions":
        return [table.states for table in tables]
    if of == "depth":
        return [table.depth for table in tables]
    if of == "hardest":
        return [table.counts[-1] for table in tables]
    return [count for table in tables for count in table.counts]


def second_offset(terms: Sequence[int]) -> int:
    """Return the place, from 1, of the first term above 1, as OEIS writes it after the offset; 1 without any."""
    return next((place for place, term in enumerate(terms, 1) if term > 1), 1)
