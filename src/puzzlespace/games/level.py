"""A level of a game as a puzzle: positions, moves, wins, and how they are typed and shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from ..errors import EndlessError, InputError, UnsupportedError
from ..limits.watch import checkpoint
from ..model.custom import Custom
from .game import INPUTS, LETTERS, Game, GameBoard
from .turn import Cells, TurnResult, Turns, holds

MOST_OBJECTS, MOST_LAYERS, MOST_CHANGING = 64, 12, 32
"""The most objects, layers, and objects in layers that may change, of games with compiled turns."""

WORDS = {"up": "U", "left": "L", "down": "D", "right": "R", "action": "A"}


class GamePosition(NamedTuple):
    """A position: everything that later turns depend on.

    restart  the board that the command `restart` brings back, if a checkpoint can change it; else ()
    won      whether the level is won; then it is over, and there are no moves
    """

    cells: Cells
    restart: Cells = ()
    won: bool = False


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
        cells = self.board.cells
        return self._settled(self.turns.begin(cells), cells)

    def named(self, position: GamePosition) -> list[tuple[str, GamePosition]]:
        """Return the moves from a position with the letters of their inputs, without those that change nothing."""
        if position.won:
            return []
        if self.last is not None and self.last[0] == position:
            return self.last[1]
        restart = position.restart or self.board.cells
        found: list[tuple[str, GamePosition]] = []
        for letter, pressed in zip(LETTERS, self.inputs, strict=False):
            place = self._settled(self.turns.turn(position.cells, restart, pressed), position.cells)
            if place != position:
                found.append((letter, place))
        self.last = position, found
        return found

    def __call__(self, position: GamePosition) -> list[GamePosition]:
        return [place for _, place in self.named(position)]

    def _settled(self, found: TurnResult, before: Cells) -> GamePosition:
        """Return the position after all turns that follow by themselves. Raises EndlessError if they never end."""
        seen: dict[tuple[Cells, Cells], None] = {}
        while found.again and not found.won:
            checkpoint()
            here = found.cells, found.restart
            if here in seen:
                loop = [cells for cells, _ in list(seen)[list(seen).index(here) :]]
                raise self._endless(loop)
            seen[here] = None
            found = self.turns.turn(*here)
        return GamePosition(found.cells, found.restart if self.keeps_restart and not found.won else (), found.won)

    def _endless(self, loop: Sequence[Cells]) -> EndlessError:
        drawn = tuple("\n".join(("", *rows_of(self.game, self.board, cells), "")) for cells in loop)
        return EndlessError([text.encode() for text in drawn], drawn[: EndlessError.MOST])


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
        board = boards[number - 1]
        moves = LevelMoves(game, board)
        made = partial(_encoded, moves) if is_small(game) else None
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


def is_small(game: Game) -> bool:
    """Return whether the turn is compiled: cells and movements are words, what changes in a cell fits half a word."""
    words = len(game.object_names) <= MOST_OBJECTS and len(game.layers) <= MOST_LAYERS
    few = game.changing.bit_count() <= MOST_CHANGING
    return words and few and not {"checkpoint", "restart"} <= game.commands()


def _encoded(moves: LevelMoves, level: Any) -> Any:
    """Return the encoding of the positions of a level, for searches by layers."""
    from .compiled import CompiledMoves, GameRows  # with NumPy

    return GameRows(CompiledMoves(moves, level.start.cells), level.start)


def _won(position: Any) -> bool:
    return position.won


def inputs_of(text: str) -> Iterator[str]:
    """Yield the letter of each input of a text. Raises InputError for other words."""
    for word in text.replace(",", " ").split():
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


def glyphs(game: Game) -> dict[int, str]:
    """Return a letter for each set of objects that has one: those of the legend, and those objects are named by."""
    names = game.names
    background = names.of_layer(names.layer[names.members("background")[0]])
    found: dict[int, str] = {}
    for name in (*names.synonyms, *names.aggregates, *names.objects):
        if len(name) == 1 and names.target(name) not in names.properties:
            mask = names.mask(name)
            found.setdefault(mask & ~background, name)
    return found


SPARE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def rows_of(game: Game, board: GameBoard, cells: Cells) -> list[str]:
    """Return a board in the letters of the legend; sets of objects without one get a free letter and a line below."""
    known = glyphs(game)
    names = game.names
    background = names.of_layer(names.layer[names.members("background")[0]])
    used = {letter.lower() for letter in known.values()}
    free = (letter for letter in SPARE if letter.lower() not in used)
    legend: list[str] = []
    for cell in dict.fromkeys(cell & ~background for cell in cells):
        if cell not in known:
            known[cell] = next(free, "?")
            objects = [name for bit, name in enumerate(game.object_names) if cell >> bit & 1]
            legend.append(f"{known[cell]} = {' and '.join(objects) or 'background'}")
    width, height = board.width, board.height
    rows = ["".join(known[cells[x * height + y] & ~background] for x in range(width)) for y in range(height)]
    return rows + legend
