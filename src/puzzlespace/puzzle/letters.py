"""Read and write positions with the letters of a puzzle, and what pictures show of a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from ..errors import FormatError
from ..model.shapes import Shapes
from .draft import BLANK, WILD


class View(Protocol):
    """Converts positions to words, one for each cell of the board, and back."""

    def encode(self, words: Sequence[str]) -> bytes:
        """Return the position; raise FormatError with the place of the wrong word."""
        ...

    def decode(self, position: bytes, labels: Mapping[int, str] | None = None) -> tuple[str, ...]:
        """Return a word for each cell; `labels` has words for some pieces, by their first cells."""
        ...

    def pieces(self, position: bytes) -> tuple[tuple[int, ...], ...]:
        """Return the cells of each piece, its first cell first; blanks are not pieces."""
        ...


@dataclass(frozen=True)
class Letters:
    """The usual view: letters[symbol] are the letters of the pieces that show this symbol; the blank's letter is '.'.

    Several letters for one symbol are names of interchangeable pieces, which get them in reading order.

    shapes  the cells that pieces cover
    walls   the cells of fixed symbols, each with its symbol
    """

    letters: tuple[tuple[str, ...], ...]
    shapes: Shapes | None = None
    walls: tuple[tuple[int, int], ...] = ()

    @cached_property
    def _single(self) -> tuple[str, ...] | None:
        """The letter of each symbol; None if pieces of a symbol have several."""
        return tuple([each for each, *_ in self.letters]) if all(len(each) == 1 for each in self.letters) else None

    @cached_property
    def symbols(self) -> dict[str, int]:
        """The symbol of each letter."""
        return {letter: symbol for symbol, letters in enumerate(self.letters) for letter in letters}

    def encode(self, words: Sequence[str]) -> bytes:
        for word in words:
            if word not in self.symbols:
                raise FormatError.at(word, f"expected one of the symbols {' '.join(self.symbols)}, found {word!r}")
        position = bytearray(self.symbols[word] for word in words)
        if self.shapes is None:
            return bytes(position)
        cells: dict[str, list[int]] = {}
        for cell, word in enumerate(words):
            cells.setdefault(word, []).append(cell)
        for word, where in cells.items():
            if self._spread(self.symbols[word]):
                self._check_shape(words[where[0]], where)
                for cell in where[1:]:
                    position[cell] = self.shapes.body
        return bytes(position)

    def filled(self, words: Sequence[str]) -> list[str]:
        """Return the words of a goal with a symbol in place of each '*', so that `encode` takes them."""
        standing = {cell: self.letters[symbol][0] for cell, symbol in self.walls}
        filler = next(iter(self.symbols))
        return [standing.get(cell, filler) if word == WILD else word for cell, word in enumerate(words)]

    def size(self, symbol: int) -> int:
        """Return the number of cells that a piece of this symbol covers."""
        covers = self.shapes.covers[symbol] if self.shapes is not None else ()
        return 1 + max((len(others) for others in covers if others is not None), default=0)

    def _spread(self, symbol: int) -> bool:
        """Return whether pieces of this symbol cover more than one cell."""
        return self.shapes is not None and any(self.shapes.covers[symbol])

    def _check_shape(self, word: str, where: list[int]) -> None:
        assert self.shapes is not None
        covered = self.shapes.covers[self.symbols[word]][where[0]]
        if covered is None or sorted(covered) != where[1:]:
            raise FormatError.at(word, f"expected the block {word} once and in its own shape, found another shape")

    def decode(self, position: bytes, labels: Mapping[int, str] | None = None) -> tuple[str, ...]:
        if self.shapes is None and not labels and self._single is not None:
            return tuple([self._single[symbol] for symbol in position])
        words = [""] * len(position)
        used = [0] * len(self.letters)
        for cell, symbol in enumerate(position):
            if self.shapes is not None and symbol == self.shapes.body:
                continue
            letters = self.letters[symbol]
            letter = letters[min(used[symbol], len(letters) - 1)]
            used[symbol] += 1
            word = labels.get(cell, letter) if labels else letter
            for covered in self._cells(position, cell):
                words[covered] = word
        return tuple(words)

    def _cells(self, position: bytes, cell: int) -> tuple[int, ...]:
        covers = self.shapes.covers[position[cell]][cell] if self.shapes else ()
        return (cell, *(covers or ()))

    def pieces(self, position: bytes) -> tuple[tuple[int, ...], ...]:
        body = self.shapes.body if self.shapes else -1
        return tuple(
            self._cells(position, cell)
            for cell, symbol in enumerate(position)
            if symbol != body and self.letters[symbol] != (BLANK,)
        )


@dataclass(frozen=True)
class Frame:
    """One position of a solution as it is shown.

    words    the word for each cell, in the letters of the puzzle; letters stay with their pieces along the solution
    name     the move that led here; '' for the first position
    brief    its name without the cell of a piece whose letter several pieces have, as a person may type it
    changed  the cells where the pieces that moved are now
    routes   the first cells of each piece that moved, step by step; () if only its ends are known
    """

    position: bytes
    words: tuple[str, ...]
    name: str = ""
    changed: frozenset[int] = frozenset()
    routes: tuple[tuple[int, ...], ...] = ()
    brief: str = ""

    def called(self, name: str) -> bool:
        """Whether a person may mean the move that led here by this name."""
        return name in (self.name, self.brief)
