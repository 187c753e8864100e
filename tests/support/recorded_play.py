"""Play a game as a recording does: inputs, undo, restart, and the next level after a win."""

from __future__ import annotations

from puzzlespace.games.game import INPUTS, Game, GameBoard
from puzzlespace.games.turn import Cells, Turns


class Play:
    """A game that is being played.

    level  the number of the level among all, messages included, from 0
    text   whether a message or the title is shown: no win counts then
    """

    def __init__(self, game: Game, level: int = 0) -> None:
        self.game = game
        self.again = self.text = False
        self.undo: list[Cells] = []
        self.cells: Cells = ()
        self.restart: Cells = ()
        self.turns: Turns | None = None
        self.load(level)
        self.settle()

    def load(self, level: int) -> None:
        """Begin a level, or show a message; then the board stays that of the level before."""
        self.level, self.again = level, False
        board = self.game.levels[level]
        self.text = not isinstance(board, GameBoard)
        if isinstance(board, GameBoard):
            self.turns = Turns(self.game, board.width, board.height)
            self.restart = board.cells
            begun = self.turns.begin(board.cells)
            self.undo = list(begun.undo)
            self.cells, self.restart, self.again = begun.cells, begun.restart, begun.again

    def press(self, key: int | str) -> None:
        """Press a key: the number of an input, 'undo', 'restart', or 'tick', a turn without input."""
        if key == "undo":
            self._take_back()
        elif key == "restart":
            self._restart()
        else:
            self._turn(0 if key == "tick" else INPUTS[int(key)])
        self.settle()

    def settle(self) -> None:
        """Play the turns that follow by themselves."""
        while self.again:
            self._turn(0)

    def _turn(self, pressed: int) -> None:
        if self.turns is None:
            return
        found = self.turns.turn(self.cells, self.restart, pressed, not self.text)
        self.cells, self.restart, self.again = found.cells, found.restart, found.again
        self.undo += found.undo
        if found.won:
            self.after_win()

    def after_win(self) -> None:
        """Begin the next level; after the last one show the title."""
        if self.level + 1 < len(self.game.levels):
            self.load(self.level + 1)
        else:
            self.level, self.text, self.again = 0, True, False

    def _restart(self) -> None:
        if self.turns is None or "norestart" in self.game.prelude:
            return
        begun = self.turns.begin(self.restart, True)
        self.undo += [self.cells, *begun.undo]
        self.cells, self.again = begun.cells, begun.again

    def _take_back(self) -> None:
        if "noundo" in self.game.prelude:
            return
        while self.undo and self.undo[-1] == self.cells:
            self.undo.pop()
        if self.undo:
            self.cells, self.again = self.undo.pop(), False


def recorded(game: Game, cells: Cells, width: int) -> str:
    """Return a board as recordings write it: cells column by column, but a new line after every `width` of them."""
    names, seen, found = game.object_names, dict[int, int](), ""
    for number, cell in enumerate(cells, 1):
        if cell not in seen:
            found += " ".join(sorted(name for bit, name in enumerate(names) if cell >> bit & 1)) + ":"
        found += f"{seen.setdefault(cell, len(seen))}," + ("\n" if number % width == 0 else "")
    return found
