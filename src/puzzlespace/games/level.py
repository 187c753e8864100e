"""A level of a game as a puzzle: positions, moves, wins, and how they are typed and shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..errors import InputError, UnsupportedError
from ..model.custom import Custom
from .drawing import rows_of
from .game import LETTERS, Game, GameBoard
from .moves import GamePosition, LevelMoves
from .turn import holds

WORDS = {"up": "U", "left": "L", "down": "D", "right": "R", "action": "A"}


@dataclass(frozen=True)
class GameLevel(Custom):
    """A level of a game.

    game, board  where it is from
    number       its number among the levels that are played, from 1
    """

    game: Any = None
    board: Any = None
    number: int = 0

    @classmethod
    def of(cls, game: Game, number: int, name: str = "") -> GameLevel:
        """Return a level by its number from 1; messages are not counted. Raises InputError if there is none."""
        boards = game.boards
        if not 1 <= number <= len(boards):
            raise InputError(f"level: expected a number from 1 to {len(boards)}, found {number}")
        if not game.conditions and "win" not in game.commands():
            raise UnsupportedError(
                f"{name}: the game has no win condition and no command 'win', so no level can be won"
            )
        return cls.on(game, boards[number - 1], number, name)

    @classmethod
    def on(cls, game: Game, board: GameBoard, number: int, name: str) -> GameLevel:
        """Return a level on a board."""
        moves = LevelMoves(game, board)
        made = partial(_encoded, moves)
        return cls(moves, moves.start(), _won, name=name, encoding=made, game=game, board=board, number=number)

    @property
    def title(self) -> str:
        """The title of the game and the number of the level."""
        return f"{self.game.title or 'a game without a title'}, level {self.number} of {len(self.game.boards)}"

    def check(self, position: Any, most: int | None = None) -> None:
        """Return at once: a level was checked when it was read."""

    def letters(self, path: Sequence[GamePosition]) -> str:
        """Return the inputs that lead along a path, in letters; of several inputs for a move the first."""
        moves: Any = self.moves
        steps = zip(path, path[1:], strict=False)
        return "".join(next(letter for letter, to in moves.named(here) if to == there) for here, there in steps)

    def typed(self, text: str) -> GamePosition:
        """Return the position after some inputs: letters such as RRUA, words, or numbers as recordings have them.

        Raises InputError for other words, and for inputs after the level is won.
        """
        moves: Any = self.moves
        place: Any = self.start
        for number, letter in enumerate(inputs_of(text), 1):
            if place.won:
                raise InputError(f"start: expected inputs until the level is won, found one more, number {number}")
            place = next((to for each, to in moves.named(place) if each == letter), place)
        return place

    def rows(self, position: GamePosition) -> list[str]:
        """Return a position as rows of the letters of the game's legend."""
        return rows_of(self.game, self.board, position.cells)

    def failing(self, positions: Iterable[GamePosition]) -> list[str]:
        """Return the win conditions that none of some positions meets, in the words of the game."""
        left = list(self.game.conditions)
        for position in positions:
            left = [each for each in left if not holds(each, position.cells)]
        return [each.words for each in left]


def _encoded(moves: LevelMoves, level: Any) -> Any:
    """Return the encoding of the positions of a level, for searches by layers."""
    from .layers import GameLayers  # with NumPy

    return GameLayers(moves)


def _won(position: Any) -> bool:
    return position.won


def inputs_of(text: str) -> Iterator[str]:
    """Yield the letter of each input of a text, which may be a list in brackets. Raises InputError for other words."""
    for word in re.sub(r"[\[\],]", " ", text).split():
        if word.lower() in WORDS:
            yield WORDS[word.lower()]
            continue
        for letter in word.upper():
            if letter in LETTERS:
                yield letter
            elif letter in "01234":
                yield LETTERS[int(letter)]
            else:
                raise InputError(
                    f"start: expected inputs in the letters {', '.join(LETTERS)}, found {letter!r} in {text!r}"
                )
