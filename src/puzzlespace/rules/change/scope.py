"""The words of a file of changes: what its symbols, kinds, cells and places mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...puzzle.board import Board
from ...puzzle.draft import BLANK
from ...puzzle.ground import NONE, Floor

INDEXED = re.compile(r"(.*?\D)([0-9]+)")
"""A kind or place with a number, such as `crate1`."""

ANY = "any"
"""The kind of all symbols but the blank."""


@dataclass(frozen=True)
class Scope:
    """What words mean in patterns and sentences.

    letters  the letter of each symbol
    kinds    the symbols of each kind, as in `Rule.need`; `any` is one of them
    places   the cells of each place, those of the ground too
    also     cells that are not on the board, by name; they come after those of the board
    values   the number that each symbol is, or None
    start    the start position, or None
    ranges   the symbols that a cell can show, if not all, as in `Rule.need`
    floor    the walls between cells
    vacant   symbols of cells that count as blank, beside the blank: the player of pushed boxes
    orders   the symbols of kinds in the order in which they are listed, unless a kind has 'not'
    numbers  words that are numbers: 'distance' in the condition of a move
    """

    board: Board
    letters: Sequence[str]
    kinds: Mapping[str, int] = field(default_factory=dict[str, int])
    places: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    also: Mapping[str, int] = field(default_factory=dict[str, int])
    values: Sequence[int | None] = ()
    start: bytes | None = None
    ranges: Mapping[int, int] = field(default_factory=dict[int, int])
    floor: Floor = NONE
    vacant: int = 0
    orders: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    numbers: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def cells(self) -> int:
        """The number of cells, those that are not on the board too."""
        return self.board.cells + len(self.also)

    @property
    def every(self) -> int:
        """The set of all symbols."""
        return (1 << len(self.letters)) - 1

    @property
    def blank(self) -> int:
        """The set of the blank and of what counts as blank; empty if there is no blank."""
        return 1 << self.letters.index(BLANK) | self.vacant if BLANK in self.letters else 0

    def need(self, word: str) -> int | None:
        """Return the symbols that a word stands for: a symbol or a kind; None if it is neither."""
        if word == BLANK and self.blank:
            return self.blank
        if word in self.letters:
            return 1 << self.letters.index(str(word))
        return self.kinds.get(str(word))

    def is_kind(self, word: str) -> bool:
        """Return whether a word that is no symbol is a kind, perhaps with a number, such as `crate1`."""
        if word in self.letters:
            return False
        match = INDEXED.fullmatch(word)
        return word in self.kinds or (match is not None and match[1] in self.kinds)

    def cell(self, word: str) -> int | None:
        """Return the cell of a name, or None."""
        found = self.also.get(str(word))
        return self.board.cell(word) if found is None else found

    def symbols(self, cell: int) -> list[int]:
        """Return the symbols that a cell can show."""
        shown = self.ranges.get(cell, self.every)
        return [symbol for symbol in range(len(self.letters)) if shown >> symbol & 1]

    def value(self, symbol: int) -> int | None:
        """Return the number that a symbol is, or None."""
        return self.values[symbol] if symbol < len(self.values) else None

    def place(self, word: str) -> tuple[int, ...] | None:
        """Return the cells of a place or of one cell, or None."""
        cell = self.cell(word)
        return self.places.get(str(word)) if cell is None else (cell,)
