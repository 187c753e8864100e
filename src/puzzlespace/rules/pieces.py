"""The pieces of rule kinds that move them: one cell or blocks, letters that share a symbol, fixed symbols.

The blank is symbol 0. With blocks, symbol 1 is `body`, which all cells of a block except its first show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from ..errors import FormatError
from ..limits.watch import paced
from ..model.shapes import Shapes
from ..puzzle.board import Board, connected
from ..puzzle.draft import BLANK, WILD, Draft
from ..puzzle.ground import NONE, Floor
from ..puzzle.letters import Letters
from . import common
from .common import Texts, Walled
from .sentences import Unworded

EMPTY = 0
"""The symbol of the blank."""

Offsets = tuple[tuple[int, int], ...]
"""The cells of a piece as (column, row), relative to its first cell in reading order."""

BLANKS = ("0", "_")
"""Signs of other programs for the blank, in a text without '.'."""

SINGLE: Offsets = ((0, 0),)


@dataclass(frozen=True)
class Piece:
    """The pieces of one symbol: they have the same shape, and one letter or several interchangeable ones."""

    letters: tuple[str, ...]
    offsets: Offsets
    fixed: bool


def check_words(draft: Draft, texts: Texts, board: Board, blank: str = "blank '.' to slide into") -> None:
    """Raise FormatError for unknown symbols, a board without blanks, and blocks off the grid.

    blank  what a blank is in the words of the rule kind
    """
    known = dict.fromkeys((BLANK, *texts.known))
    for goal in texts.goals:
        common.check_symbols((word for word in goal if word != WILD), known)
    for key in ("fixed", "blocks", "apart", "distinct"):
        value = getattr(draft, key)
        common.check_symbols(() if isinstance(value, str) else value, known, key)
    if not texts.start and not texts.goals:
        raise FormatError("start: expected a drawing of the start or the goal, found none")
    if texts.whole and BLANK not in texts.whole and texts.shared is None:
        sign = next((word for word in texts.whole if word in BLANKS), "")
        hint = f"write '{BLANK}' for the blank, not {str(sign)!r}" if sign else ""
        raise FormatError.at(sign or texts.whole[0], f"expected at least one {blank}, found none", hint)
    blocks = draft.blocks or draft.apart
    if blocks and not board.grid:
        word = blocks if isinstance(blocks, str) else blocks[0]
        raise FormatError.at(word, "blocks: expected a grid to lie on, found a board of lines or links")


def pieces_of(
    draft: Draft, texts: Texts, board: Board, said: Unworded, named: Set[str] = frozenset()
) -> tuple[Piece, ...]:
    """Return the pieces of each symbol after the blank (and the body of blocks).

    Letters of the same shape share a symbol unless a goal drawing, `distinct:` or a gate (`named`) names them, or
    sentences say different things of them. Without a goal, or with one that counts, all letters have their own symbols.
    """
    letters = [word for word in dict.fromkeys(texts.words) if word != BLANK]
    told = set(letters)
    if draft.distinct != "all" and said.distinguishes:
        told = {word for goal in texts.goals for word in goal} | set(draft.distinct) | set(draft.fixed) | named
    classes: dict[tuple[object, ...], list[str]] = {}
    shapes: dict[str, Offsets] = {}
    listed = {*letters} if "all" in (draft.blocks, draft.apart) else {*draft.blocks, *draft.apart}
    for letter in sorted(letters, key=lambda letter: letter not in listed):  # first the letters of single blocks
        apart = draft.apart == "all" or letter in draft.apart
        rigid = letter in listed
        offsets = _offsets(letter, texts, board, apart) if rigid and letter not in draft.fixed else SINGLE
        shapes[str(letter)] = offsets
        key = offsets, str(letter) if letter in told else "", said.told[str(letter)]
        classes.setdefault(key, []).append(str(letter))
    pieces = [Piece(tuple(same), shapes[same[0]], same[0] in draft.fixed) for same in classes.values()]
    return tuple(sorted(pieces, key=lambda piece: common.natural(piece.letters[0])))


def _offsets(letter: str, texts: Texts, board: Board, apart: bool) -> Offsets:
    """Return the shape of a block.

    Raises FormatError if its cells do not touch and are not `apart`, or if there is no start and goals differ in its
    shape.
    """
    shapes: list[Offsets] = []
    for words in [words for words in (texts.start, *texts.goals) if words and letter in words]:
        where = [cell for cell, word in enumerate(words) if word == letter]
        places = [board.places[cell] for cell in where]
        parts = connected(places)
        if len(parts) > 1 and not apart:
            second = words[where[places.index(parts[1][0])]]
            raise FormatError.at(second, f"expected the block {letter} in one piece, found it in {len(parts)}")
        x, y = places[0]
        shapes.append(tuple((column - x, row - y) for column, row in places))
        if texts.start is None and shapes[-1] != shapes[0]:
            raise FormatError.at(words[where[0]], f"expected the block {letter} in one shape, found another one")
    return shapes[0] if shapes else SINGLE


def view_of(pieces: Sequence[Piece], texts: Texts, board: Board, floor: Floor = NONE) -> Walled:
    """Return the letters, with the shapes of blocks and the cells of fixed symbols; see `lying` for `floor`."""
    blocks = any(len(piece.offsets) > 1 for piece in pieces)
    _check_whole(pieces, texts, board, floor)
    letters = ((BLANK,), *([()] if blocks else []), *(piece.letters for piece in pieces))
    places = {place: cell for cell, place in enumerate(board.places)}
    shapes = None
    if blocks:
        empty = ((),) * board.cells
        covers = (_covers(piece.offsets, board, places, floor) for piece in pieces)
        shapes = Shapes(1, (empty, (None,) * board.cells, *covers))
    symbols = Letters(letters).symbols
    fixed = {letter for piece in pieces if piece.fixed for letter in piece.letters}
    return Walled(letters, shapes, texts.standing(fixed, symbols))


def _check_whole(pieces: Sequence[Piece], texts: Texts, board: Board, floor: Floor) -> None:
    """Raise FormatError if a block of the start lies across a wall between cells."""
    if not floor.walls:
        return
    for piece in pieces if texts.start is not None else ():
        for letter in piece.letters if piece.offsets != SINGLE else ():
            places = {board.places[cell]: word for cell, word in enumerate(texts.start or ()) if word == letter}
            for (x, y), word in places.items():
                if any((x + dx, y + dy) in places and floor.wall((x, y), (dx, dy)) for dx, dy in ((1, 0), (0, 1))):
                    raise FormatError.at(
                        word, f"expected no wall through the block {letter}, found one beside this cell"
                    )


def _covers(
    offsets: Offsets, board: Board, places: Mapping[tuple[int, int], int], floor: Floor
) -> tuple[tuple[int, ...] | None, ...]:
    found = [lying(offsets, place, places, floor) for place in paced(board.places)]
    return tuple(cells[1:] if cells else None for cells in found)


def lying(
    offsets: Offsets, first: tuple[int, int], places: Mapping[tuple[int, int], int], floor: Floor = NONE
) -> tuple[int, ...] | None:
    """Return the cells of a piece whose first cell is at a place, or None if it would leave the board.

    floor  the walls between cells; no piece lies across one
    """
    squares = [(first[0] + x, first[1] + y) for x, y in offsets]
    if floor.walls:
        inside = set(squares)
        for square in squares:
            for way in ((1, 0), (0, 1)):
                if (square[0] + way[0], square[1] + way[1]) in inside and floor.wall(square, way):
                    return None
    return tuple(places[square] for square in squares) if all(square in places for square in squares) else None
