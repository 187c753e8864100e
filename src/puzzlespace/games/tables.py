"""A game as flat arrays for the compiled turn (`kernels/games/turn.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .game import STEPS, Cell, ConcreteRule, Game, GameBoard
from .turn import Turns

BITS = {"cancel": 1, "restart": 2, "win": 4, "again": 8}
KINDS = ("all", "some", "no")


class Tables(NamedTuple):
    """A game; what the columns are: `kernels/games/turn.py`.

    numbers  int64 [4]: groups before the movement, all groups, whether a player must move, whether a turn follows a
             restart
    """

    patterns: np.ndarray
    pattern_facts: np.ndarray
    some: np.ndarray
    rules: np.ndarray
    brackets: np.ndarray
    parts: np.ndarray
    needs: np.ndarray
    groups: np.ndarray
    masks: np.ndarray
    rigid: np.ndarray
    players: np.ndarray
    numbers: np.ndarray
    conditions: np.ndarray
    kinds: np.ndarray
    bracket_needs: np.ndarray


class TurnArrays(NamedTuple):
    """The arrays that a turn works on: cells, movements, marks, matches, what is in each line, and so on."""

    cells: np.ndarray
    moving: np.ndarray
    marks: np.ndarray
    found: np.ndarray
    counts: np.ndarray
    state: np.ndarray
    index: np.ndarray
    banned: np.ndarray
    players: np.ndarray
    here: np.ndarray
    lines: np.ndarray


class _Maker:
    """The rows of the tables of rules."""

    def __init__(self) -> None:
        self.patterns: list[tuple[int, ...]] = []
        self.facts: list[tuple[int, int, int]] = []
        self.some: list[int] = []
        self.rules: list[tuple[int, ...]] = []
        self.brackets: list[tuple[int, int, int]] = []
        self.parts: list[tuple[int, int]] = []
        self.needs: list[tuple[int, int]] = []
        self.bracket_needs: list[tuple[int, int]] = []
        self.groups: list[tuple[int, int, int]] = []
        self.commands = dict(BITS)

    def cell(self, cell: Cell) -> None:
        first = len(self.some)
        self.some += cell.some
        self.facts.append((first, len(self.some), int(cell.change is not None)))
        change = cell.change
        becomes = (0, 0, 0, 0, 0) if change is None else (
            change.clear, change.set, change.still, change.moved, change.renewed,
        )  # fmt: skip
        self.patterns.append((cell.need, cell.without, cell.moving, cell.resting, *becomes))

    def rule(self, rule: ConcreteRule) -> None:
        first = len(self.brackets)
        for bracket in rule.brackets:
            begins, need, moving = len(self.parts), 0, 0
            for part in bracket:
                at = len(self.patterns)
                for cell in part:
                    self.cell(cell)
                    need, moving = need | cell.need, moving | cell.moving
                self.parts.append((at, len(self.patterns)))
            self.bracket_needs.append((need, moving))
            self.brackets.append((begins, len(self.parts), sum(map(len, bracket))))
        commands = 0
        for word in rule.commands:
            commands |= self.commands.setdefault(word, 1 << len(self.commands))
        across, downward = STEPS[rule.direction]
        self.rules.append((across, downward, first, len(self.brackets), int(rule.rewrites), rule.rigid, commands))
        self.needs.append((rule.need, rule.moving))


def _words(rows: Sequence[object], columns: int = 0) -> np.ndarray:
    return np.array(rows, np.uint64).reshape((-1, columns) if columns else -1)


def _numbers(rows: Sequence[object], columns: int) -> np.ndarray:
    return np.array(rows, np.int64).reshape(-1, columns)


def tables(game: Game, board: GameBoard) -> tuple[Tables, np.ndarray]:
    """Return the tables of a game, and the board with which a level starts again."""
    made = _Maker()
    for program in (game.program, game.late):
        before = len(made.groups)
        for number, group in enumerate(program.groups):
            first = len(made.rules)
            for rule in group:
                made.rule(rule)
            back = before + program.loops[number] if number in program.loops else -1
            made.groups.append((first, len(made.rules), back))
    begun = Turns(game, board.width, board.height).begin(board.cells)
    numbers = [len(game.program.groups), len(made.groups), "require_player_movement" in game.prelude, begun.again]
    conditions = game.conditions
    kinds = [(KINDS.index(each.kind), each.all_of, each.on_all) for each in conditions]
    found = Tables(
        _words(made.patterns, 9), _numbers(made.facts, 3), _words(made.some), _numbers(made.rules, 7),
        _numbers(made.brackets, 3), _numbers(made.parts, 2), _words(made.needs, 2), _numbers(made.groups, 3),
        _words(game.layers), np.array(game.rigid, np.int64), _words([game.players, game.all_players]),
        np.array(numbers, np.int64), _words([(each.what, each.on) for each in conditions], 2), _numbers(kinds, 3),
        _words(made.bracket_needs, 2),
    )  # fmt: skip
    return found, _words(begun.cells)


def work(game: Tables, board: GameBoard) -> TurnArrays:
    """Return the arrays for turns on boards of this size."""
    size = board.width * board.height
    slots = max((int(rule[3] - rule[2]) for rule in game.rules), default=1)
    gaps = max((int(bracket[1] - bracket[0]) for bracket in game.brackets), default=1) - 1
    room = size * max(board.width, board.height) ** gaps
    words = [np.zeros(size, np.uint64) for _ in range(4)]
    return TurnArrays(
        cells=words[0], moving=words[1], marks=words[2], here=words[3], found=np.zeros((slots, room, 3), np.int32),
        counts=np.zeros(slots, np.int64), state=np.zeros(3, np.uint64), index=np.zeros(slots, np.int64),
        banned=np.zeros(int(game.numbers[1]) + 1, np.bool_), players=np.zeros(size, np.int64),
        lines=np.zeros((2, max(board.width, board.height), 2), np.uint64),
    )  # fmt: skip
