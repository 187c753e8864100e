"""A game as flat arrays for the compiled turn (`kernels/games/turn.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..kernels.games.board import MOVING_LAYERS, OBJECT_BITS, PER_WORD, STATE
from ..kernels.games.rules import MOVED, MOVING, RENEWED, RESTING, STILL
from .game import STEPS, Cell, ConcreteRule, Game, GameBoard

BITS = {"cancel": 1, "restart": 2, "win": 4, "again": 8, "checkpoint": 16}
"""The commands that decide how a turn ends, or what a later `restart` does."""

EVERY, CHAINED, SINGLE, FIRST_ONE = range(4)
"""Which matches of a bracket are listed: `kernels/games/rules.py`."""

MOST_EFFECTS = 16
"""The most planes that are looked at to tell whether a match changes anything."""

KINDS = ("all", "some", "no")

WORD = 64
"""Cells of a line in a word."""


class Tables(NamedTuple):
    """A game on boards of one size; what the columns are: `kernels/games/rules.py`.

    In what is here for objects or for movements, there is a row for each word of a cell, one after the other.

    masks        uint64 [layers, words]: the objects of each layer
    players      uint64 [1, words]: the objects of the player
    numbers      int64 [5]: `kernels/games/turn.py`
    conditions   uint64 [2 * conditions, words]: of which objects, and on which
    kinds        int64 [conditions, 4]: the kind, whether a cell must have all of the former, and of the latter; whether
                 there is one of the latter
    group_needs  uint64 [groups, 2]: the objects and the movements that each rule of the group needs
    lines        uint64 [brackets]: the rows or columns in which the bracket may match: a bit for each, or for some
                 neighbouring ones
    ways         int64 [brackets]: 0 if it lies in a row, 1 if in a column
    shape        int64 [8]: height, width, how many rows and columns have one bit, as powers of two, objects,
                 words of a line, planes, most lines
    terms        uint64 [terms, 3]: a plane, how many cells further, whether it is the last one of a group; of an
                 effect, whether the cell changes if it is in the plane, or if it is not
    looks        uint64 [brackets, 2]: the objects and the movements on which depends what the bracket does
    words        the words of a cell: a tuple of one number if it is one, so that loops over words vanish when they are
                 compiled, else an array of so many numbers
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
    group_needs: np.ndarray
    lines: np.ndarray
    ways: np.ndarray
    shape: np.ndarray
    terms: np.ndarray
    looks: np.ndarray
    words: np.ndarray | tuple[int]


class TurnArrays(NamedTuple):
    """The arrays that a turn works on (`kernels/games/board.py`).

    found        int32 [brackets of a rule, matches, 3]: the first cells of the parts of each match
    planes       uint64 [2 * lines * objects and movements * words]: the cells of a line that have it, as bits
    where        uint64 [2 * objects and movements]: the lines that have it, as bits
    clean        uint64 [brackets]: the lines of the parent in which the bracket does not match
    columns      int32 [cells]: the column of each
    hints        int64 [conditions]: the cell that decided last
    waiting      int32 [cells]: the cells with movements
    quiet        uint64 [brackets]: the lines in which the bracket did nothing when it was last looked at
    words        as in the tables
    """

    cells: np.ndarray
    moving: np.ndarray
    marks: np.ndarray
    found: np.ndarray
    counts: np.ndarray
    state: np.ndarray
    index: np.ndarray
    banned: np.ndarray
    players: np.ndarray
    planes: np.ndarray
    where: np.ndarray
    saved_cells: np.ndarray
    saved_touched: np.ndarray
    clean: np.ndarray
    columns: np.ndarray
    hints: np.ndarray
    waiting: np.ndarray
    quiet: np.ndarray
    words: np.ndarray | tuple[int]


class _Maker:
    """The rows of the tables of rules."""

    def __init__(self, board: GameBoard, objects: int, keeps_restart: bool) -> None:
        self.board, self.objects = board, objects
        self.bits = {word: bit for word, bit in BITS.items() if word != "checkpoint" or keeps_restart}
        self.terms: list[tuple[int, int, int]] = []
        self.patterns: list[tuple[int, ...]] = []
        self.facts: list[tuple[int, int, int]] = []
        self.some: list[int] = []
        self.rules: list[tuple[int, ...]] = []
        self.brackets: list[tuple[int, ...]] = []
        self.ways: list[int] = []
        self.parts: list[tuple[int, ...]] = []
        self.needs: list[tuple[int, int]] = []
        self.bracket_needs: list[int] = []
        self.groups: list[tuple[int, int, int]] = []
        self.group_needs: list[tuple[int, int]] = []
        self.looks: list[tuple[int, int]] = []

    def cell(self, cell: Cell) -> None:
        first = len(self.some)
        self.some += cell.some
        self.facts.append((first, len(self.some), int(cell.change is not None)))
        change = cell.change
        becomes = (0, 0, 0, 0, 0) if change is None else (
            change.clear, change.set, change.still, change.moved, change.renewed,
        )  # fmt: skip
        self.patterns.append((cell.need, cell.without, cell.moving, cell.resting, *becomes))

    def planes(self, part: Sequence[Cell]) -> tuple[int, int, int, int]:
        """Make the terms of a part; return where those of each kind begin, and where all end."""
        ends = [len(self.terms)]
        cells = list(enumerate(part))
        for off, cell in cells:  # movements first: few cells have any
            self.terms += [(self.objects + bit, off, 0) for bit in bits_of(cell.moving)]
        for off, cell in cells:
            self.terms += [(bit, off, 0) for bit in bits_of(cell.need)]
        ends.append(len(self.terms))
        for off, cell in cells:
            self.terms += [(bit, off, 0) for bit in bits_of(cell.without)]
            self.terms += [(self.objects + bit, off, 0) for bit in bits_of(cell.resting)]
        ends.append(len(self.terms))
        for off, cell in cells:
            for mask in cell.some:
                bits = bits_of(mask)
                self.terms += [(bit, off, int(bit == bits[-1])) for bit in bits]
        return ends[0], ends[1], ends[2], len(self.terms)

    def rule(self, rule: ConcreteRule) -> None:
        first = len(self.brackets)
        across, downward = STEPS[rule.direction]
        extent = self.board.width if across else self.board.height
        for bracket in rule.brackets:
            begins, need, moving = len(self.parts), 0, 0
            for part in bracket:
                at = len(self.patterns)
                for cell in part:
                    self.cell(cell)
                    need, moving = need | cell.need, moving | cell.moving
                self.parts.append((at, len(self.patterns), *self.planes(part)))
            listed, effects = self.listing(rule, bracket)
            from_ = len(self.terms)
            self.terms += effects
            self.looks.append(_looks(bracket, bool(effects)))
            needs = len(self.bracket_needs)
            self.bracket_needs += [*(self.objects + bit for bit in bits_of(moving)), *bits_of(need)]
            length = sum(map(len, bracket))
            near = (0, extent - length + 1) if across + downward > 0 else (length - 1, extent)
            self.brackets.append(
                (begins, len(self.parts), *near, needs, len(self.bracket_needs), from_, len(self.terms), listed)
            )
            self.ways.append(0 if across else 1)
        commands = 0
        for word in rule.commands:
            commands |= self.bits.get(word, 0)
        self.rules.append((across, downward, first, len(self.brackets), int(rule.rewrites), rule.rigid, commands))
        self.needs.append((rule.need, rule.moving))

    def listing(self, rule: ConcreteRule, bracket: Sequence[Sequence[Cell]]) -> tuple[int, list[tuple[int, int, int]]]:
        """Return which matches of a bracket are listed, and its effects: terms of which one is met if it changes.

        A match that changes nothing may do so after another one changed its cells, which comes before it and is listed.
        """
        if len(bracket) > 1 or not (rule.rewrites or rule.commands):
            return EVERY, []
        if not rule.rewrites:
            return FIRST_ONE, []
        if rule.rigid or len(rule.brackets) > 1:
            return EVERY, []
        effects: list[tuple[int, int, int]] = []
        for off, cell in enumerate(bracket[0]):
            change = cell.change
            if change is None:
                continue
            gone, stopped = change.clear & ~change.set, (change.still | change.renewed) & ~change.moved
            always = (
                change.set & cell.without | gone & cell.need | change.moved & cell.resting | stopped & cell.moving
            ) or any(not mask & ~gone for mask in cell.some)  # fmt: skip
            if always:
                return EVERY, []
            masks = (
                (0, change.set & ~cell.need, 0), (0, gone & ~cell.without, 1),
                (self.objects, change.moved & ~cell.moving, 0), (self.objects, stopped & ~cell.resting, 1),
            )  # fmt: skip
            effects += [(first + bit, off, there) for first, mask, there in masks for bit in bits_of(mask)]
        if len(effects) > MOST_EFFECTS or (len(bracket[0]) > 1 and max(self.board.width, self.board.height) > WORD):
            return EVERY, []
        return SINGLE if len(bracket[0]) == 1 else CHAINED, effects


def _looks(bracket: Sequence[Sequence[Cell]], changes: bool) -> tuple[int, int]:
    """Return the objects and the movements on which the matches of a bracket depend; with `changes`, their effects."""
    objects = moves = 0
    for cell in (cell for part in bracket for cell in part):
        objects |= cell.need | cell.without
        moves |= cell.moving | cell.resting
        for mask in cell.some:
            objects |= mask
        if changes and cell.change is not None:
            objects |= cell.change.clear | cell.change.set
            moves |= cell.change.still | cell.change.moved | cell.change.renewed
    return objects, moves


def bits_of(mask: int) -> list[int]:
    """Return the numbers of the bits of a mask."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def words_needed(objects: int, layers: int) -> int:
    """Return how many words cells have with some objects, and movements of some layers."""
    return max(1, -(-objects // OBJECT_BITS), -(-layers // MOVING_LAYERS))


def in_words(masks: Sequence[int], words: int, bits: int = OBJECT_BITS) -> np.ndarray:
    """Return masks in words of some bits: uint64 [masks, words]."""
    every = (1 << bits) - 1
    parts = [[mask >> bits * word & every for mask in masks] for word in range(words)]
    return np.ascontiguousarray(np.array(parts, np.uint64).reshape(words, -1).T)


def _masks(rows: Sequence[Sequence[int]], moves: Sequence[int], columns: int, words: int) -> np.ndarray:
    """Return rows of masks as words: uint64 [rows * words, columns].

    moves  the columns of movements; the others are of objects
    """
    if not rows:
        return np.empty((0, columns), np.uint64)
    bits = [5 * MOVING_LAYERS if column in moves else OBJECT_BITS for column in range(columns)]
    found = [in_words(masks, words, size) for masks, size in zip(zip(*rows, strict=True), bits, strict=True)]
    return np.ascontiguousarray(np.stack(found, axis=-1).reshape(-1, columns))


def _words(rows: Sequence[object], columns: int = 0) -> np.ndarray:
    return np.array(rows, np.uint64).reshape((-1, columns) if columns else -1)


def _numbers(rows: Sequence[object], columns: int) -> np.ndarray:
    return np.array(rows, np.int64).reshape(-1, columns)


def tables(game: Game, board: GameBoard, layers: Sequence[int], keeps_restart: bool) -> Tables:
    """Return the tables of a game on the board of a level.

    game           the game of the level without what can never occur (`possible.restricted`)
    layers         the layers that its movements are of
    keeps_restart  whether checkpoints count
    """
    objects = len(game.object_names)
    made = _Maker(board, objects, keeps_restart)
    for program in (game.program, game.late):
        before = len(made.groups)
        for number, group in enumerate(program.groups):
            first = len(made.rules)
            for rule in group:
                made.rule(rule)
            back = before + program.loops[number] if number in program.loops else -1
            made.groups.append((first, len(made.rules), back))
            made.group_needs.append(_common([(rule.need, rule.moving) for rule in group]))
    words = words_needed(objects, len(layers))
    prelude = game.prelude
    numbers = [
        len(game.program.groups), len(made.groups), "require_player_movement" in prelude,
        "run_rules_on_level_start" in prelude, game.all_players,
    ]  # fmt: skip
    sizes = (board.height, board.width)
    shifts = [max(0, (size - 1).bit_length() - 6) for size in sizes]
    shape = np.array(
        [*sizes, *shifts, objects, -(-max(sizes) // WORD), objects + 5 * len(layers), max(sizes)], np.int64
    )
    bits = [(size - 1 >> shift) + 1 for size, shift in zip(sizes, shifts, strict=True)]
    lines = _words([(1 << bits[way]) - 1 for way in made.ways])
    conditions = game.conditions
    kinds = [(KINDS.index(each.kind), each.all_of, each.on_all, each.on != 0) for each in conditions]
    return Tables(
        _masks(made.patterns, (MOVING, RESTING, STILL, MOVED, RENEWED), 9, words), _numbers(made.facts, 3),
        in_words(made.some, words).reshape(-1), _numbers(made.rules, 7), _numbers(made.brackets, 9),
        _numbers(made.parts, 6), _masks(made.needs, (1,), 2, words), _numbers(made.groups, 3),
        in_words([game.layers[layer] for layer in layers], words), np.array(game.rigid, np.int64),
        in_words([game.players], words), np.array(numbers, np.int64),
        in_words([mask for each in conditions for mask in (each.what, each.on)], words), _numbers(kinds, 4),
        _words(made.bracket_needs), _masks(made.group_needs, (1,), 2, words), lines,
        np.array(made.ways, np.int64), shape, _words(made.terms, 3), _masks(made.looks, (1,), 2, words),
        (0,) if words == 1 else np.zeros(words, np.int64),
    )  # fmt: skip


def _common(needs: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the bits that all of some pairs have; all if there is no pair."""
    objects = moves = -1
    for need, moving in needs:
        objects, moves = objects & need, moves & moving
    return objects, moves


def work(game: Tables, board: GameBoard) -> TurnArrays:
    """Return the arrays for turns on boards of this size."""
    size, extent, words = board.width * board.height, max(board.width, board.height), len(game.words)
    slots = max((int(rule[3] - rule[2]) for rule in game.rules), default=1)
    gaps = max((int(bracket[1] - bracket[0]) for bracket in game.brackets), default=1) - 1
    room = size * extent**gaps
    planes = int(game.shape[6])
    return TurnArrays(
        cells=np.zeros(size * words, np.uint64), moving=np.zeros(size * words, np.uint64),
        marks=np.zeros(size * words, np.uint64),
        found=np.zeros((slots, room, 3), np.int32), counts=np.zeros(slots, np.int64),
        state=np.zeros(STATE + PER_WORD * words, np.uint64),
        index=np.zeros(slots, np.int64), banned=np.zeros(int(game.numbers[1]) + 1, np.bool_),
        players=np.zeros(size, np.int64), planes=np.zeros(2 * extent * planes * int(game.shape[5]), np.uint64),
        where=np.zeros(2 * planes, np.uint64), saved_cells=np.zeros((4, size * words), np.uint64),
        saved_touched=np.zeros((4, 2), np.uint64), clean=np.zeros(len(game.brackets), np.uint64),
        columns=np.repeat(np.arange(board.width, dtype=np.int32), board.height),
        hints=np.zeros(len(game.kinds), np.int64), waiting=np.zeros(size, np.int32),
        quiet=np.zeros(len(game.brackets), np.uint64), words=game.words,
    )  # fmt: skip
