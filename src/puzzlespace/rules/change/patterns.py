"""Patterns that lie on cells in a direction: their words, repetitions, and every place where they fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from ...errors import FormatError, Word, plural
from ...limits.watch import checkpoint
from ...puzzle.draft import BLANK, WILD
from ...puzzle.words import nearest, part, shown
from .computed import Computed, computed_of, is_computed
from .rows import BODY, NEXT_ROW, PLACED, Words
from .scope import ANY, INDEXED, Scope
from .tracks import Placement, Shape, tracks_of
from .words import EDGE, MANY, STOP

MOST_PLACES = 1 << 15
"""The most places of a row or of a pattern in a sentence: more than boards have, unless it lies along any path."""

End = Literal["", "edge", "stop"]
ENDS: dict[str, End] = {EDGE: "edge", STOP: "stop"}


@dataclass(frozen=True)
class Token:
    """A word of a pattern.

    need   the symbols that it stands for, as in `Rule.need`
    label  words with one label are the same symbol in all their cells; '' for a symbol and for '*'
    many   whether it stands for any number of cells; then its cells have labels of their own
    cells  the cells where it may be, or None
    computed  what it becomes after the arrow, if that is computed
    body   whether it is all cells that show a symbol
    """

    word: Word
    need: int
    label: str = ""
    end: End = ""
    many: bool = False
    cells: frozenset[int] | None = None
    computed: Computed | None = None
    body: bool = False

    @property
    def open(self) -> bool:
        """Whether it stands for anything, so that its cell stays as it is."""
        return not self.end and not self.label and self.computed is None and self.bare == WILD

    @property
    def bare(self) -> str:
        """The word without its dots."""
        return self.word.removesuffix(MANY)


Pattern = tuple[tuple[Token, ...], ...]
"""The rows of a pattern."""

Counts = tuple[tuple[int, ...], ...]
"""For each row of a pattern how many cells each word with dots stands for."""


def pattern_of(words: Sequence[Word], scope: Scope, *, after: bool = False) -> Pattern:
    """Return the pattern of some words, before or after the arrow. Raises FormatError."""
    rows: list[list[Token]] = [[]]
    for word in words:
        if word == NEXT_ROW and NEXT_ROW not in scope.letters:
            rows.append([])
        else:
            rows[-1].append(token_of(word, scope, after=after))
    if not all(rows):
        place = next(word for word in words if word == NEXT_ROW)
        raise FormatError.at(place, f"expected words on both sides of {NEXT_ROW!r}, found none on one of them")
    for row in rows:
        if len(row) != len(rows[0]):
            place = row[0].word
            raise FormatError.at(
                place, f"expected {plural(len(rows[0]), 'word')} in each row of a pattern, found {len(row)}"
            )
        for at, token in enumerate(row):
            if token.end and at not in (0, len(row) - 1):
                raise FormatError.at(token.word, f"expected {token.end!r} at an end of a pattern, found it within")
        if all(token.end for token in row):
            raise FormatError.at(row[0].word, "expected a cell in each row of a pattern, found none")
    return tuple(map(tuple, rows))


def token_of(word: Word, scope: Scope, *, after: bool = False) -> Token:
    """Return the meaning of a word of a pattern, before or after the arrow. Raises FormatError."""
    if word in scope.letters:
        _check_symbol(word, scope)
        return Token(word, scope.need(word) or 0)
    body = BODY.fullmatch(word)
    if body is not None:
        inner = part(word, 1, len(word) - 1)
        need = _need(word, inner, scope) & ~scope.blank
        return Token(word, need, str(inner), body=True)
    if is_computed(word, scope.is_kind) and not PLACED.fullmatch(word) and not word.endswith(MANY):
        found = computed_of(word, scope)
        if not after:
            hint = "with '<->', what is after the arrow is before it, too"
            raise FormatError.at(word, f"expected {shown(word)} after the arrow only, found it before", hint)
        return Token(word, 0, computed=found)
    if word in ENDS:
        return Token(word, 0, end=ENDS[word])
    bare, cells = word, None
    match = PLACED.fullmatch(word)
    if match is not None:
        where = part(word, match.start(2), match.end(2))
        found = scope.place(where)
        if found is None:
            known = (*scope.places, *scope.also, *scope.board.names)
            hint = nearest(where, known) if len(known) <= 40 else ""
            raise FormatError.at(where, f"expected a place or a cell, found {shown(where)}", hint)
        bare, cells = part(word, 0, match.end(1)), frozenset(found)
    if bare == MANY:
        return Token(bare, scope.blank, many=True, cells=cells)
    many = bare.endswith(MANY) and bare not in scope.letters
    name = bare.removesuffix(MANY) if many else str(bare)
    return Token(bare, _need(bare, name, scope), "" if name in scope.letters or name == WILD else name, "", many, cells)


def _check_symbol(word: Word, scope: Scope) -> None:
    """Raise FormatError if a symbol could be another word of a pattern, too."""
    indexed, body, placed = INDEXED.fullmatch(word), BODY.fullmatch(word), PLACED.fullmatch(word)
    bare = word.removesuffix(MANY)
    if word in (ANY, MANY, *ENDS):
        other = "a word of patterns"
    elif indexed is not None and indexed[1] in scope.kinds:
        other = f"one of the kind {indexed[1]!r}"
    elif (
        (bare != word and scope.need(bare) is not None)
        or (body is not None and scope.need(body[1]) is not None)
        or (placed is not None and scope.place(placed[2]) is not None)
        or (is_computed(word, scope.is_kind) and any(map(scope.is_kind, re.split(r"[-+()]", word))))
    ):
        other = "several words of a pattern written together"
    else:
        return
    problem = f"expected a word with one meaning, found {shown(word)}, which is a symbol and {other}"
    raise FormatError.at(word, problem, "give the symbol another name")


def _need(word: Word, name: str, scope: Scope) -> int:
    """Return the symbols of a symbol, a kind, a kind with a number, or '*'. Raises FormatError."""
    if name == WILD:
        return scope.every
    need = scope.need(name)
    match = INDEXED.fullmatch(name)
    if need is None and match is not None:
        need = scope.kinds.get(match[1])
    if need is None:
        hint = nearest(name, (*scope.letters, *scope.kinds, WILD, MANY, EDGE, STOP))
        if name in scope.places:
            hint = f"a blank cell of a place is '{BLANK}[{name}]'"
        elif scope.place(name) is not None:
            hint = f"what a cell shows is a kind in a pattern of its own: 'A ., {name} kind -> . kind, kind'"
        raise FormatError.at(
            word, f"expected a symbol, a kind, {ANY}, {WILD}, {MANY}, {EDGE} or {STOP}, found {shown(word)}", hint
        )
    return need


def counts_of(pattern: Pattern, longest: int) -> Iterator[Counts]:
    """Yield for each length of a pattern, up to a number of cells in a row, how often words with dots stand."""
    rows = [_row_counts(row, longest) for row in pattern]
    for length in sorted(set.intersection(*map(set, rows))):
        checkpoint()
        yield from product(*[row[length] for row in rows])


def _row_counts(row: Sequence[Token], longest: int) -> dict[int, list[tuple[int, ...]]]:
    """Return for each length of a row the numbers of cells of its words with dots."""
    single = sum(not token.many and not token.end for token in row)
    many = sum(token.many for token in row)
    found: dict[int, list[tuple[int, ...]]] = {}
    for counts in product(range(longest - single + 1), repeat=many):
        if sum(counts) + single <= longest:
            found.setdefault(sum(counts), []).append(counts)
    return found


def stretched(
    row: Sequence[Token], counts: Sequence[int], where: str = "", origins: Sequence[int] = ()
) -> list[tuple[Token, str]]:
    """Return the words of a row with as many copies of words with dots as given, each with its label.

    where    begins the labels of copies, so that they differ from those of other rows
    origins  for each word with dots the number of the word with dots whose count and labels it has (default: its own)
    """
    numbers = iter(origins or range(len(counts)))
    found: list[tuple[Token, str]] = []
    for token in row:
        if not token.many:
            found.append((token, token.label))
        else:
            number = next(numbers)
            found += [(token, f"{where}{number}.{copy}" if token.label else "") for copy in range(counts[number])]
    return found


def shape_of(pattern: Pattern, counts: Counts) -> Shape:
    """Return which words of a pattern are cells, row by row."""
    return tuple(tuple(token.end for token, _ in stretched(row, c)) for row, c in zip(pattern, counts, strict=True))


Spot = tuple[tuple[int | None, ...], ...]
"""The cell of each word of each row, None behind the end of a line."""


def spots(pattern: Pattern, counts: Counts, track: Placement, scope: Scope) -> Iterator[Spot]:
    """Yield every place of a pattern on a track: cells for all words, allowed by their places."""
    rows = [stretched(row, c) for row, c in zip(pattern, counts, strict=True)]
    for spot in track.spots(shape_of(pattern, counts)):
        checkpoint()
        if all(
            token.cells is None or cell in token.cells
            for row, cells in zip(rows, spot, strict=True)
            for (token, _), cell in zip(row, cells, strict=True)
        ):
            yield spot


def needs_at(pattern: Pattern, counts: Counts, spot: Spot, scope: Scope, where: str = "") -> dict[int, tuple[int, str]]:
    """Return the symbols that the cells of a place must show, each with its label; without those that are open.

    where  begins the labels of words with dots, so that they differ from those of other patterns
    """
    found: dict[int, tuple[int, str]] = {}
    for number, (row, c, cells) in enumerate(zip(pattern, counts, spot, strict=True)):
        for (token, label), cell in zip(stretched(row, c, f"{where}{number}."), cells, strict=True):
            if cell is not None and token.end == STOP:
                found[cell] = scope.every & ~scope.blank, ""
            elif cell is not None and not token.open:
                found[cell] = token.need, label
    return found


def fitting(words: Words | Sequence[Word], directions: Sequence[Word], scope: Scope) -> Iterator[dict[int, int]]:
    """Yield for every placement of a pattern the symbols that each of its cells needs, as in `Rule.need`.

    Raises FormatError.
    """
    pattern = pattern_of(words, scope)
    body = next((token.word for line in pattern for token in line if token.body), None)
    if body is not None:
        raise FormatError.at(body, f"expected a body in moves only, found {shown(body)} in a sentence")
    found = 0
    for track in tracks_of([pattern_shape(pattern)], directions, scope, words[-1]):
        for counts in counts_of(pattern, track.longest):
            for spot in spots(pattern, counts, track, scope):
                for needs in _with_equal_labels(needs_at(pattern, counts, spot, scope), scope):
                    found += 1
                    if found > MOST_PLACES:
                        raise FormatError.at(
                            words[0], f"expected a pattern with at most {MOST_PLACES:,} places, found more"
                        )
                    yield needs


def pattern_shape(pattern: Pattern) -> Shape:
    """Return the shape of a pattern in which words with dots count as cells."""
    return tuple(tuple("many" if token.many else token.end for token in row) for row in pattern)


def _with_equal_labels(needs: dict[int, tuple[int, str]], scope: Scope) -> Iterator[dict[int, int]]:
    """Yield the needs for each choice of the symbols of labels that are in several cells."""
    labels = [label for _, label in needs.values() if label]
    several = sorted({label for label in labels if labels.count(label) > 1})
    choices = [[1 << s for s in range(len(scope.letters)) if _all(needs, label) >> s & 1] for label in several]
    for chosen in product(*choices):
        symbol = dict(zip(several, chosen, strict=True))
        yield {cell: symbol.get(label, need) for cell, (need, label) in needs.items()}


def _all(needs: dict[int, tuple[int, str]], label: str) -> int:
    found = -1
    for need, other in needs.values():
        if other == label:
            found &= need
    return found
