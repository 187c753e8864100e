"""What a game is after it was read: objects, concrete rules as masks, conditions, levels."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..puzzle.diagnostics import Diagnostic
from .names import Names

UP, DOWN, LEFT, RIGHT, ACTION = 1, 2, 4, 8, 16
"""Movements: five bits for each collision layer of a cell."""

ANY = 31
"""All movements of a layer."""

STEPS = {UP: (0, -1), DOWN: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}
INPUTS = (UP, LEFT, DOWN, RIGHT, ACTION)
"""The movement of each input, in the order of the numbers that recordings have: 0 up, 1 left, 2 down, 3 right, 4."""

LETTERS = "ULDRA"
"""The letter of each input."""


@dataclass(frozen=True)
class Rewrite:
    """What becomes of a cell: objects (old & ~clear) | set, movements (old & ~(still | renewed)) | moved.

    renewed  all movements of the layers whose movement the rule decides; a rigid rule marks these layers
    """

    clear: int
    set: int
    still: int
    moved: int
    renewed: int


@dataclass(frozen=True)
class Cell:
    """What a cell must have: all of `need`, none of `without`, one of each of `some`; the same of movements."""

    need: int
    without: int
    some: tuple[int, ...]
    moving: int
    resting: int
    change: Rewrite | None = None


@dataclass(frozen=True)
class ConcreteRule:
    """One concrete rule.

    direction  the movement bit of the way in which its brackets lie
    brackets   each as its parts between ellipses, each part as its cells
    rewrites   whether it has a right side
    rigid      its number among the rigid groups from 1, if it is rigid; else 0
    need, moving  what all its cells need together: it matches no board without these
    message    the text of its command 'message', or ''
    """

    line: int
    direction: int
    brackets: tuple[tuple[tuple[Cell, ...], ...], ...]
    rewrites: bool
    commands: tuple[str, ...]
    rigid: int
    need: int
    moving: int
    message: str = ""


@dataclass(frozen=True)
class RuleList:
    """The rules before the movement, or the late ones: groups in order, and after which group which one comes again."""

    groups: tuple[tuple[ConcreteRule, ...], ...] = ()
    loops: dict[int, int] = field(default_factory=dict[int, int])


@dataclass(frozen=True)
class Condition:
    """One win condition: 'all', 'no' or 'some', of cells with `what` on cells with `on`.

    all_of, on_all  whether a cell must have all objects of the mask: an aggregate
    """

    kind: str
    what: int
    on: int
    all_of: bool
    on_all: bool
    words: str


@dataclass(frozen=True)
class GameBoard:
    """A level: the objects of each cell as bits, column by column.

    line  where it begins in the text
    """

    width: int
    height: int
    cells: tuple[int, ...]
    line: int


@dataclass(frozen=True)
class Game:
    """A whole game.

    prelude   the keys before the objects
    players   the bits of the player; with `all_players` a player is a cell that has all of them
    rigid     the groups of `program` that are rigid, in order
    levels    boards, and messages as str
    """

    names: Names
    prelude: dict[str, str]
    players: int
    all_players: bool
    program: RuleList
    late: RuleList
    rigid: tuple[int, ...]
    conditions: tuple[Condition, ...]
    levels: tuple[GameBoard | str, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        """The title of the game, or ''."""
        return self.prelude.get("title", "")

    @property
    def boards(self) -> tuple[GameBoard, ...]:
        """The levels that are played, without messages."""
        return tuple(each for each in self.levels if isinstance(each, GameBoard))

    def commands(self) -> frozenset[str]:
        """Return all commands of its rules."""
        both = (*self.program.groups, *self.late.groups)
        return frozenset(command for group in both for rule in group for command in rule.commands)

    @property
    def layers(self) -> tuple[int, ...]:
        """The bits of the objects of each layer."""
        return tuple(map(self.names.of_layer, range(len(self.names.layers))))

    @property
    def object_names(self) -> tuple[str, ...]:
        """The name of each bit."""
        return tuple(self.names.number)
