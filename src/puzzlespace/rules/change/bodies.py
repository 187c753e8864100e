"""Rigid bodies: `{A} . -> . {A}` moves all cells that show A together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...errors import FormatError, Word
from ...model.rule import Rule, symbols_of
from ...puzzle.draft import BLANK, WILD
from ...puzzle.words import shown
from .effects import After, Effect
from .patterns import Pattern, Token, token_of
from .rows import BODY
from .scope import Scope
from .tracks import OnGrid, Placement

FORM = "'{A} . -> . {A}'"


@dataclass(frozen=True)
class Body:
    """A row of words in which a body goes from one place to another.

    token   its word
    words   all words before the arrow
    old     the place of the body before, new after the arrow
    """

    token: Token
    words: tuple[Token, ...]
    old: int
    new: int


def body_of(before: Pattern, after: Pattern, scope: Scope) -> Body | None:
    """Return the body that a pattern moves, or None if it has none. Raises FormatError."""
    bodies = [[token for line in side for token in line if token.body] for side in (before, after)]
    if not any(bodies):
        return None
    first = (bodies[0] or bodies[1])[0].word
    if len(before) != 1 or len(after) != 1 or [[each.label for each in side] for side in bodies] != [[first[1:-1]]] * 2:
        raise FormatError.at(first, f"expected one body in one row, the same before and after the arrow: {FORM}")
    old, new = (next(at for at, token in enumerate(side[0]) if token.body) for side in (before, after))
    for at, (token, then) in enumerate(zip(before[0], after[0], strict=True)):
        wanted = (BLANK,) if at in (old, new) else (BLANK, WILD)
        for word in [each.word for each in (token, then) if not each.body]:
            if word not in wanted or (at not in (old, new) and token.word != then.word):
                raise FormatError.at(
                    word, f"expected {' or '.join(wanted)} here beside a body, as in {FORM}, found {shown(word)}"
                )
    if scope.start is None:
        raise FormatError.at(first, "expected a start, which shows the shape of the body, found none")
    if not any(bodies[0][0].need >> symbol & 1 for symbol in scope.start[: scope.board.cells]):
        raise FormatError.at(first, f"expected a body that the start shows, found {shown(first)}")
    if old == new:
        raise FormatError.at(first, "expected the body at another place after the arrow, found it at the same")
    return Body(bodies[0][0], before[0], old, new)


def placed(body: Body, track: Placement, scope: Scope) -> Iterator[tuple[Effect, list[int]]]:
    """Yield what a body changes at every place on a track, and the cells of its name. Raises FormatError."""
    if not isinstance(track, OnGrid):
        raise FormatError.at(body.token.word, "expected a direction of a grid for a body, found another one")
    for symbol in symbols_of(body.token.need):
        for cells in _shapes(symbol, track, scope):
            found = _moved(body, symbol, cells, track, scope)
            if found is not None:
                yield found


def _shapes(symbol: int, track: OnGrid, scope: Scope) -> Iterator[list[int]]:
    """Yield the cells that show a symbol wherever their shape, that of the start, may be on the board."""
    assert scope.start is not None
    places = scope.board.places
    shape = [places[cell] for cell in range(scope.board.cells) if scope.start[cell] == symbol]
    for x, y in places if shape else ():
        cells = [track.cell((x + to_x - shape[0][0], y + to_y - shape[0][1])) for to_x, to_y in shape]
        if None not in cells:
            yield [cell for cell in cells if cell is not None]


def _moved(
    body: Body, symbol: int, cells: Sequence[int], track: OnGrid, scope: Scope
) -> tuple[Effect, list[int]] | None:
    """Return what a body that shows a symbol in some cells changes; None if the row does not lie on the board."""
    found = Effect({}, dict.fromkeys(cells, body.token.label), {}, len(body.words) - 1)
    targets: list[int] = []
    for cell in cells:
        x, y = scope.board.places[cell]
        spot = track.spot((("",) * len(body.words),), (x - body.old * track.way[0], y - body.old * track.way[1]))
        if spot is None:
            return None
        for at, (token, other) in enumerate(zip(body.words, spot[0], strict=True)):
            assert other is not None
            found.needs[other] = found.needs.get(other, scope.every) & (scope.every if at == body.old else token.need)
            found.after[other] = After()
            targets += [other] * (at == body.new)
    for cell in cells:
        found.needs[cell] = 1 << symbol
        found.after[cell] = After(put=scope.blank.bit_length() - 1)
    for cell in targets:
        found.after[cell] = After(put=symbol)
    ends = [cells[0], targets[0]]
    return found, ends if body.old < body.new else ends[::-1]


def bodies_of(words: Sequence[Word], scope: Scope) -> int:
    """Return the symbols of the bodies among some words, as in `Rule.need`."""
    found = 0
    for word in words:
        if word not in scope.letters and BODY.fullmatch(word):
            found |= token_of(word, scope).need
    return found


def check_alone(rows: Sequence[tuple[Word, Sequence[Rule], int]], scope: Scope) -> None:
    """Raise FormatError if a row changes cells of a body otherwise: its shape would not be known.

    rows  each row with its rules, and the symbols of its own bodies
    """
    bodies = 0
    for _, _, own in rows:
        bodies |= own
    for place, rules, own in rows:
        for rule in rules if bodies & ~own else ():
            for index, cell in enumerate(rule.cells):
                changed = _changed(rule, index) & bodies & ~own if cell < scope.board.cells else 0
                if changed:
                    letter = scope.letters[changed.bit_length() - 1]
                    raise FormatError.at(
                        place, f"expected {letter!r} to move as a body only, since it is one in another row, "
                        "found a row that changes some of its cells",
                    )  # fmt: skip


def _changed(rule: Rule, index: int) -> int:
    """Return the symbols that a rule takes from a cell, or puts into it."""
    table, source, need = rule.table[index], rule.source[index], rule.need[index]
    if table is None:
        return 0 if source == index else need | rule.need[source]
    found = 0
    for symbol in range(len(table)):
        if rule.need[source] >> symbol & 1 and (source != index or table[symbol] != symbol):
            found |= 1 << table[symbol] | (need if source != index else 1 << symbol)
    return found
