"""The position that the board of a notebook shows, which Python reads and sets."""

from __future__ import annotations

from ..puzzle.puzzle import Position, Puzzle


class ShownPosition:
    """A board with a puzzle; `shown` is the id of its position, `words` what its cells show, if it says so."""

    puzzle: Puzzle

    def show(self, position: str, words: list[str] | None) -> None:
        """Show the position of an id; `words`, one for each cell, give like pieces their letters."""
        raise NotImplementedError

    @property
    def position(self) -> Position:
        """The position in the letters of the board. Set it to a position or its text.

        Raises InputError if that is not a position.
        """
        shown, words = getattr(self, "shown"), tuple(getattr(self, "words") or ())  # noqa: B009 - declared below
        position = self.puzzle.read(shown)
        fits = len(words) == self.puzzle.board.cells and self.puzzle.view.encode(words) == position
        return Position(self.puzzle, position, words if fits else ())

    @position.setter
    def position(self, position: bytes | str) -> None:
        read = self.puzzle.at(position)
        self.puzzle.model().check(read)
        self.show(self.puzzle.id(read), list(read.words) or None)
