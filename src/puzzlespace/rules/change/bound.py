"""Conditions of moves: after `if`, `crate1` is the cell where the pattern has this word, and `distance` a number."""

from __future__ import annotations

from dataclasses import replace

from ...errors import FormatError, Word
from ...model.sentence import Every, Needs, TooManyCasesError
from ...puzzle.words import words
from .conditions import read
from .effects import Effect, apart
from .rows import MoveRow
from .scope import INDEXED, Scope
from .tokens import ambiguous, names_of

DISTANCE = "distance"


class Conditions:
    """What the condition of a row needs at each place of its patterns."""

    def __init__(self, row: MoveRow, scope: Scope) -> None:
        self.row = row
        self.scope = scope
        self.bound = _bound(row, scope)
        self._found: dict[object, list[Needs]] = {}

    def cases(self, change: Effect) -> list[Needs]:
        """Return what cells must show, in one of several ways, at the place of a change. Raises FormatError."""
        at = {label: cell for cell, label in reversed(change.labels.items()) if label in self.bound}
        length = change.length if DISTANCE in self.bound else None
        key = (*sorted(at.items()), length, change.ahead)
        if key not in self._found:
            self._found[key] = self._read(change, at, length)
        return self._found[key]

    def _read(self, change: Effect, at: dict[str, int], length: int | None) -> list[Needs]:
        scope, parts = self.scope, [] if change.ahead is None else [change.ahead]
        if at or length is not None:
            shown = {cell: change.needs[cell] & scope.ranges.get(cell, scope.every) for cell in at.values()}
            numbers = {} if length is None else {DISTANCE: length}
            scope = replace(scope, also={**scope.also, **at}, ranges={**scope.ranges, **shown}, numbers=numbers)
        if self.row.condition is not None:
            parts.append(read(self.row.condition, scope))
        try:
            cases = Every(tuple(parts)).cases(len(scope.letters))
        except TooManyCasesError:
            raise FormatError.at(
                self.row.condition or self.row.place,
                "expected a condition of few cells for a move, found one with too many cases",
                "sentences under 'forbid:', about the position after the move, may be about any number of cells",
            ) from None
        return apart(cases, scope.every)


def _bound(row: MoveRow, scope: Scope) -> set[str]:
    """Return the words of a condition that mean something else at each place. Raises FormatError."""
    if row.condition is None:
        return set()
    before = {str(word) for part in row.before for word in part}
    found: set[str] = set()
    for word in words(row.condition, r"[^\s()<>=!]+"):
        kind = INDEXED.fullmatch(word)
        if word == DISTANCE and not names_of(word, scope, "cell", "symbol", "kind", "place"):
            _check_distance(word, row)
            found.add(DISTANCE)
        elif kind is not None and kind[1] in scope.kinds and word in before and word not in scope.letters:
            names = names_of(word, scope, "cell", "place")
            if names:
                raise ambiguous(word, [*names, f"what the pattern has as {str(word)!r}"])
            found.add(str(word))
    return found


def _check_distance(word: Word, row: MoveRow) -> None:
    """Raise FormatError if a row has no pattern along a line."""
    if not row.ways and row.towards is None and row.facing is None:
        raise FormatError.at(word, "expected a pattern along a line for 'distance', found none")
