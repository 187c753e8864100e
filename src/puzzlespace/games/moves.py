"""Positions of a level, and the moves between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..errors import EndlessError
from ..limits.watch import checkpoint
from .drawing import rows_of
from .game import INPUTS, LETTERS, Game, GameBoard
from .turn import Cells, TurnResult, Turns


class GamePosition(NamedTuple):
    """A position: everything that later turns depend on.

    restart  the board that the command `restart` brings back, if a checkpoint can change it; else ()
    won      whether the level is won; then it is over, and there are no moves
    """

    cells: Cells
    restart: Cells = ()
    won: bool = False


class InputEffect(NamedTuple):
    """What an input does.

    position  the position after it, and after all turns that follow by themselves
    boards    the boards before each of these turns
    messages  the texts that rules show, in order
    """

    position: GamePosition
    boards: tuple[Cells, ...]
    messages: tuple[str, ...]


class LevelMoves:
    """The moves of a level. A move is an input with all turns that follow by themselves."""

    def __init__(self, game: Game, board: GameBoard) -> None:
        self.game, self.board = game, board
        self.turns = Turns(game, board.width, board.height)
        self.keeps_restart = {"checkpoint", "restart"} <= game.commands()
        self.inputs = INPUTS[:-1] if "noaction" in game.prelude else INPUTS
        self.last: tuple[GamePosition, list[tuple[str, GamePosition]]] | None = None

    def start(self) -> GamePosition:
        """Return the position with which the level begins, after what happens by itself then."""
        return self.begun().position

    def begun(self) -> InputEffect:
        """Return what happens by itself when the level begins."""
        return self._settled(self.turns.begin(self.board.cells))

    def after(self, position: GamePosition, pressed: int) -> InputEffect:
        """Return what an input does. Raises EndlessError."""
        return self._settled(self.turns.turn(position.cells, position.restart or self.board.cells, pressed))

    def named(self, position: GamePosition) -> list[tuple[str, GamePosition]]:
        """Return the moves from a position with the letters of their inputs, without those that change nothing."""
        if position.won:
            return []
        if self.last is not None and self.last[0] == position:
            return self.last[1]
        found: list[tuple[str, GamePosition]] = []
        for letter, pressed in zip(LETTERS, self.inputs, strict=False):
            place = self.after(position, pressed).position
            if place != position:
                found.append((letter, place))
        self.last = position, found
        return found

    def __call__(self, position: GamePosition) -> list[GamePosition]:
        return [place for _, place in self.named(position)]

    def _settled(self, found: TurnResult) -> InputEffect:
        """Return what follows a turn by itself. Raises EndlessError if that never ends."""
        messages = [found.message] if found.message else []
        seen: dict[tuple[Cells, Cells], None] = {}
        while found.again and not found.won:
            checkpoint()
            here = found.cells, found.restart
            if here in seen:
                loop = [cells for cells, _ in list(seen)[list(seen).index(here) :]]
                raise self._endless(loop)
            seen[here] = None
            found = self.turns.turn(*here)
            messages += [found.message] if found.message else []
        place = GamePosition(found.cells, found.restart if self.keeps_restart and not found.won else (), found.won)
        return InputEffect(place, tuple(cells for cells, _ in seen), tuple(messages))

    def _endless(self, loop: Sequence[Cells]) -> EndlessError:
        drawn = tuple("\n".join(("", *rows_of(self.game, self.board, cells), "")) for cells in loop)
        return EndlessError([text.encode() for text in drawn], drawn[: EndlessError.MOST])
