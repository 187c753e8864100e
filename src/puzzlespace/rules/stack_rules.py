"""The rules of `rule: stack`: what `between:`, `put:` and `take:` say, as rules of a model.

A rule is for two rows, the number of pieces in each, and sets of symbols. It needs the cell above the pieces blank, and
a piece below the cells that it fills. In a position no piece lies over a blank, so these cells tell how many pieces
there are. What may be put on the same symbols shares a rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ..errors import FormatError, Word
from ..limits.watch import paced
from ..model.rule import Motion, Rule, only
from ..puzzle.draft import Draft
from .landing import BACKWARDS, EQUAL, Landing, landing, taking

EMPTY = only(0)
"""The need of a blank cell."""

ALL = -1
"""The row of a key without a number."""

MOST_RULES = 100_000
"""The most rules of a puzzle, which take some seconds to make."""

Row = tuple[int, ...]
"""The cells of a stack, its floor first."""


@dataclass(frozen=True)
class StackMoves:
    """What the keys of a file say about moves.

    landings  for each row which pieces may be put there
    takings   for each row what may be taken from it
    pairs     (row, other row) for moves from the first to the second
    """

    landings: tuple[Landing, ...]
    takings: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]


def _moves(draft: Draft, rows: int, letters: Sequence[str], kinds: Mapping[str, int]) -> StackMoves:
    """Return what may be moved where on so many rows. Raises FormatError at the wrong word."""
    puts = {_row(row, rows, "put"): words for row, words in draft.put}
    takes = {_row(row, rows, "take"): words for row, words in draft.take}
    lands = {row: landing(words, letters, kinds, draft) for row, words in puts.items()}
    taken = {row: taking(words) for row, words in takes.items()}
    usual = lands.get(ALL) or landing((), letters, kinds, draft)
    return StackMoves(
        tuple(lands.get(row, usual) for row in range(rows)),
        tuple(taken.get(row, taken.get(ALL, "one")) for row in range(rows)),
        tuple(_pairs(draft, rows)),
    )


def _row(word: str, rows: int, key: str) -> int:
    """Return the index of the row with this number; ALL for ''."""
    if word and not (re.fullmatch("[0-9]{1,6}", word) and 1 <= int(word) <= rows):
        raise FormatError.at(word, f"{key}: expected the number of a row from 1 to {rows}, found {str(word)!r}")
    return int(word) - 1 if word else ALL


def _pairs(draft: Draft, rows: int) -> Iterator[tuple[int, int]]:
    """Yield (row, other row) for all moves of `between:`; without it for all pairs."""
    if not draft.between:
        yield from ((a, b) for a in range(rows) for b in range(rows) if a != b)
    seen: set[tuple[int, int]] = set()
    for word in draft.between:
        match = re.fullmatch("([0-9]+)([->])([0-9]+)", word)
        if match is None:
            raise FormatError.at(
                word, f"between: expected two rows, as in '1-2' (both ways) or '1>2' (one way), found {str(word)!r}"
            )
        a, b = (_row(_part(word, match.start(k), match[k]), rows, "between") for k in (1, 3))
        if a == b:
            raise FormatError.at(word, f"between: expected two different rows, found {str(word)!r}")
        for pair in ((a, b), (b, a))[: 2 if match[2] == "-" else 1]:
            if pair not in seen:
                seen.add(pair)
                yield pair


def _part(word: str, begin: int, text: str) -> Word:
    """Return a part of a word, with its own place."""
    return Word(text, getattr(word, "line", 0), getattr(word, "column", 0) + begin)


def rules_of(draft: Draft, rows: Sequence[Row], letters: Sequence[str], kinds: Mapping[str, int]) -> tuple[Rule, ...]:
    """Return the rules of all moves; `kinds` are sets of symbols by name. Raises FormatError if there are too many."""
    moves = _moves(draft, len(rows), letters, kinds)
    made = (
        rule
        for a, b in moves.pairs
        for rule in _rules(rows[a], rows[b], f"{a + 1}-{b + 1}", moves.takings[a], moves.landings[b], len(letters))
    )
    found = tuple(islice(paced(made), MOST_RULES + 1))
    if len(found) > MOST_RULES:
        raise FormatError(
            f"rule: expected at most {MOST_RULES:,} rules for all moves, found more",
            hint="a move has a rule for each pair of rows, number of pieces in both, and kind of pieces",
        )
    return found


@dataclass(frozen=True)
class Taken:
    """What a move needs besides blanks, as sets of symbols.

    pieces  of the pieces that move, the lowest first
    below   of the piece that they are put on; None on an empty row
    under   of the piece that they were on; None if it does not matter
    """

    pieces: tuple[int, ...]
    below: int | None
    under: int | None = None


def _rules(origin: Row, target: Row, name: str, take: str, put: Landing, symbols: int) -> Iterator[Rule]:
    """Yield the rules of moves from one row to another."""
    for high in range(1, len(origin) + 1):
        for low in range(len(target)):
            for group in _groups(take, put, high, low, len(target) - low, (1 << symbols) - 2):
                yield _rule(origin, target, high, low, group, name, take)


def _rule(origin: Row, target: Row, high: int, low: int, group: Taken, name: str, take: str) -> Rule:
    """Return the rule that puts a group on `low` pieces from the top of `high` pieces."""
    size = len(group.pieces)
    left, entered = origin[high - size : high], target[low : low + size]
    if take == BACKWARDS:
        entered = entered[::-1]
    tested = [*zip(left, group.pieces, strict=True), *((cell, EMPTY) for cell in entered)]
    if high < len(origin):
        tested.append((origin[high], EMPTY))
    if group.below is not None:
        tested.append((target[low - 1], group.below))
    if group.under is not None:
        tested.append((origin[high - size - 1], group.under))
    cells, need = zip(*tested, strict=True)
    source = (*range(size, 2 * size), *range(size), *range(2 * size, len(cells)))
    how = f"x{size}" if size > 1 and take != EQUAL else ""
    motion = Motion(-1, left[0], entered[0], "", whole=True, how=how)
    return Rule(f"{name} {how}".rstrip(), cells, need, source, (None,) * len(cells), motion)


def _groups(take: str, put: Landing, high: int, low: int, room: int, every: int) -> Iterator[Taken]:
    """Yield what can be taken from the top of `high` pieces and put on `low` others, below `room` blanks."""
    firsts = [Taken((pieces,), below) for pieces, below in put.on] if low else [Taken((put.empty,), None)]
    most = min(high, room)
    if take == "none" or not any(first.pieces[0] for first in firsts):
        return
    if take == BACKWARDS:
        yield from _backwards(firsts, put, most)
        return
    for size in range(1, 1 + (1 if take == "one" else most)):
        for first in firsts:
            if take == EQUAL:
                yield from _equal(first, size, most, every)
            else:
                yield Taken(first.pieces + (every,) * (size - 1), first.below)


def _equal(first: Taken, size: int, most: int, every: int) -> Iterator[Taken]:
    """Yield the groups of `size` equal pieces; the piece under fewer than `most` of them is another one."""
    if size == most == 1:
        yield first
        return
    for symbol in range(every.bit_length()):
        under = every & ~only(symbol) if size < most else None
        if first.pieces[0] >> symbol & 1 and under != 0:
            yield Taken((only(symbol),) * size, first.below, under)


def _backwards(firsts: Sequence[Taken], put: Landing, most: int) -> Iterator[Taken]:
    """Yield the groups of at most so many pieces, each of which is put on the one that was over it."""
    pending = list(firsts)
    while pending:
        group = pending.pop()
        yield group
        before, *others = group.pieces
        for pieces, below in put.on if len(group.pieces) < most else ():
            if before & below:
                pending.append(Taken((pieces, before & below, *others), group.below))
