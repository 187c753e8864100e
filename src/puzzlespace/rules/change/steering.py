"""Directions that depend on the position: `towards T`, and `facing heading`, a cell that shows a direction."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import FormatError, Word
from ...model.sentence import Sentence, Shows, Some
from ...puzzle.words import nearest, shown
from .rows import FACING, TOWARDS, MoveRow
from .scope import Scope
from .tokens import hint_of, known_names, single
from .tracks import WAYS, OnGrid, Placement, Shape, Way, tracks_of

SINGLE: dict[str, Way] = {word: ways[0] for word, ways in WAYS.items() if len(ways) == 1}
"""The words for one direction."""

Steered = tuple[Placement, dict[int, int]]
"""A track, with what the cell that shows the direction needs."""


def steered(row: MoveRow, shapes: Sequence[Shape], scope: Scope, place: Word) -> list[Steered]:
    """Return the tracks of a row. Raises FormatError."""
    if row.facing is None:
        tracks = tracks_of(shapes, row.ways, scope, place)
        if row.towards is not None and not all(isinstance(track, OnGrid) for track in tracks):
            raise FormatError.at(row.towards, f"expected directions of a grid before '{TOWARDS}', found others or none")
        return [(track, {}) for track in tracks]
    cell = _facing(row.facing, scope)
    found: list[Steered] = []
    for word in SINGLE:
        if word in scope.letters and scope.letters.index(word) in scope.symbols(cell):
            where = Word(word, row.facing.line, row.facing.column)
            found += [(track, {cell: scope.need(word) or 0}) for track in tracks_of(shapes, [where], scope, place)]
    if not found:
        raise FormatError.at(
            row.facing, f"expected a cell that can show a direction ({', '.join(SINGLE)}), found {shown(row.facing)}"
        )
    if not isinstance(found[0][0], OnGrid):
        raise FormatError.at(row.facing, f"expected a pattern of several cells beside '{FACING}', found one cell")
    return found


def _facing(word: Word, scope: Scope) -> int:
    cell = scope.cell(word)
    if cell is None:
        known = known_names(scope, "cell")
        raise FormatError.at(
            word,
            f"expected a cell after '{FACING}', found {shown(word)}",
            nearest(word, known) if len(known) < 40 else "",
        )
    return cell


def ahead(word: Word, track: Placement, first: int, scope: Scope) -> Sentence:
    """Return the sentence that something lies ahead of a cell in the direction of a track. Raises FormatError."""
    assert isinstance(track, OnGrid)
    single(word, scope, "symbol", "kind", "place", "cell")
    need, cells = scope.need(word), scope.place(word)
    if need is None and cells is None:
        known = known_names(scope, "symbol", "kind", "place")
        raise FormatError.at(
            word, f"expected a symbol, a kind, a place or a cell after '{TOWARDS}', found {shown(word)}",
            hint_of(word, known),
        )  # fmt: skip
    (x, y), (dx, dy), places = scope.board.places[first], track.way, scope.board.places
    lying = [
        cell for cell, (to_x, to_y) in enumerate(places)
        if (not dx or (to_x - x) * dx > 0) and (not dy or (to_y - y) * dy > 0)
    ]  # fmt: skip
    if cells is not None:
        return Some(tuple(Shows(first, scope.every) for cell in lying if cell in cells)[:1])
    return Some(tuple(Shows(cell, need or 0) for cell in lying))
