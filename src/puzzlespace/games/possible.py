"""A game as it is played in one level: rules, objects and movements that can never occur there are left out.

Objects that occur get bits of their own, one after the other. What is left out is proved in docs/methods/games.md
('What positions need').
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from .game import ANY, INPUTS, Cell, ConcreteRule, Game, Rewrite, RuleList


def possible(game: Game, boards: Iterable[Iterable[int]]) -> tuple[int, int]:
    """Return the objects and the movements that may occur in positions that some boards lead to: never too few.

    An object occurs if it is on a board, or if a rule that can match writes it. A rule can match if all objects and
    movements that its cells need occur.
    """
    objects = moves = 0
    for board in boards:
        for cell in board:
            objects |= cell
    pressed = sum(INPUTS)
    before = None
    while before != (objects, moves):
        before = objects, moves
        for layer, bits in enumerate(game.layers):
            if bits & objects & game.players:
                moves |= pressed << 5 * layer
        for program, some in ((game.program, moves), (game.late, 0)):
            for rule in (rule for group in program.groups for rule in group if _can_match(rule, objects, some)):
                for change in _changes(rule):
                    objects |= change.set
                    moves |= change.moved
    return objects, moves


def _changes(rule: ConcreteRule) -> list[Rewrite]:
    return [cell.change for bracket in rule.brackets for part in bracket for cell in part if cell.change is not None]


def _can_match(rule: ConcreteRule, objects: int, moves: int) -> bool:
    if rule.need & ~objects or rule.moving & ~moves:
        return False
    return all(mask & objects for bracket in rule.brackets for part in bracket for cell in part for mask in cell.some)


def exclusive(game: Game, cells: Iterable[int]) -> list[int]:
    """Return sets of objects of which each cell has at most one on all boards: layers, or single objects.

    A layer is such a set if no cell of the first boards has two of its objects, and no rule adds two, or one beside
    another: it removes the others.

    cells  of the first boards
    """
    added = {(change.set, change.clear | change.set) for change in _all_changes(game)}
    added |= {(cell, -1) for cell in cells}
    found: list[int] = []
    for layer in game.layers:
        alone = all((put & layer).bit_count() < 2 and (not put & layer or not layer & ~gone) for put, gone in added)
        found += [layer] if alone else [1 << bit for bit in range(layer.bit_length()) if layer >> bit & 1]
    return [part for part in found if part]


def _all_changes(game: Game) -> Iterator[Rewrite]:
    for program in (game.program, game.late):
        for rule in (rule for group in program.groups for rule in group):
            yield from _changes(rule)


def moving_layers(game: Game, moves: int) -> tuple[int, ...]:
    """Return the layers in which some movements occur; all if the game has rigid rules, which mark others, too."""
    rules = (rule for program in (game.program, game.late) for group in program.groups for rule in group)
    if any(rule.rigid for rule in rules):
        return tuple(range(len(game.layers)))
    return tuple(layer for layer in range(len(game.layers)) if moves >> 5 * layer & ANY)


class BitRun(NamedTuple):
    """Neighbouring bits: the first, how many bits of the mask come before, and as many bits from 0 on."""

    bit: int
    number: int
    own: int


def runs(mask: int) -> list[BitRun]:
    """Return the runs of neighbouring bits of a mask."""
    found: list[BitRun] = []
    bit = number = 0
    while mask >> bit:
        length = 0
        while mask >> bit + length & 1:
            length += 1
        if length:
            found.append(BitRun(bit, number, (1 << length) - 1))
        number += length
        bit += max(1, length)
    return found


class ObjectBits:
    """Bits for the objects that a level needs, in the order of the game, without gaps.

    objects  the bits that they have in the game
    """

    def __init__(self, objects: int) -> None:
        self.objects, self.runs = objects, runs(objects)
        self.wide = cache(self._wide)
        self.narrow = cache(self._narrow)

    def _narrow(self, mask: int) -> int:
        """Return the bits here of those in the game; others are dropped."""
        return sum((mask >> bit & own) << number for bit, number, own in self.runs)

    def _wide(self, mask: int) -> int:
        """Return the bits in the game of those here."""
        return sum((mask >> number & own) << bit for bit, number, own in self.runs)


def object_bits(game: Game, objects: int) -> ObjectBits:
    """Return bits for the objects that occur, and for others without which a win condition would mean another thing.

    No object at all stands for every cell; and all of several objects are not all if one of them is left out.
    """
    named = [(game.players, game.all_players)]
    for each in game.conditions:
        named += [(each.what, each.all_of), (each.on, each.on_all)]
    for mask, every in named:
        if every:
            objects |= mask
        elif not mask & objects:
            objects |= mask & -mask
    return ObjectBits(objects)


def restricted(game: Game, numbers: ObjectBits, objects: int, moves: int) -> Game:
    """Return the game without rules that cannot match, and without objects and movements that do not occur.

    Its objects have the bits of `numbers`, and its movements are those of the moving layers only, one after the other.
    """
    layers, narrow = moving_layers(game, moves), numbers.narrow

    def moves_of(mask: int) -> int:
        return sum((mask >> 5 * layer & ANY) << 5 * number for number, layer in enumerate(layers))

    def change_of(change: Rewrite) -> Rewrite:
        return Rewrite(
            narrow(change.clear), narrow(change.set), moves_of(change.still), moves_of(change.moved),
            moves_of(change.renewed),
        )  # fmt: skip

    def cell_of(cell: Cell) -> Cell:
        change = None if cell.change is None else change_of(cell.change)
        return Cell(
            narrow(cell.need), narrow(cell.without), tuple(map(narrow, cell.some)), moves_of(cell.moving),
            moves_of(cell.resting & moves), change,
        )  # fmt: skip

    def rule_of(rule: ConcreteRule) -> ConcreteRule:
        brackets = tuple(tuple(tuple(map(cell_of, part)) for part in bracket) for bracket in rule.brackets)
        return replace(rule, brackets=brackets, need=narrow(rule.need), moving=moves_of(rule.moving))

    def list_of(program: RuleList, some: int) -> RuleList:
        groups = (tuple(rule_of(rule) for rule in group if _can_match(rule, objects, some)) for group in program.groups)
        return RuleList(tuple(groups), program.loops)

    bits = {name: numbers.narrow(1 << bit).bit_length() - 1 for name, bit in game.names.number.items()}
    number = {name: bit for name, bit in bits.items() if bit >= 0}
    layer = {name: game.names.layer[name] for name in number}
    conditions = tuple(replace(each, what=narrow(each.what), on=narrow(each.on)) for each in game.conditions)
    return replace(
        game, names=replace(game.names, number=number, layer=layer), players=narrow(game.players),
        conditions=conditions, program=list_of(game.program, moves), late=list_of(game.late, 0),
    )  # fmt: skip
