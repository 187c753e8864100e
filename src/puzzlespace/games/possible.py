"""A game as it is played in one level: rules, objects and movements that can never occur there are left out.

What is left out is proved in docs/methods/games.md ('What positions need').
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

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
    before = -1
    while before != objects | moves << 1:
        before = objects | moves << 1
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


def moving_layers(game: Game, moves: int) -> tuple[int, ...]:
    """Return the layers in which some movements occur; all if the game has rigid rules, which mark others, too."""
    rules = (rule for program in (game.program, game.late) for group in program.groups for rule in group)
    if any(rule.rigid for rule in rules):
        return tuple(range(len(game.layers)))
    return tuple(layer for layer in range(len(game.layers)) if moves >> 5 * layer & ANY)


def restricted(game: Game, objects: int, moves: int) -> Game:
    """Return the game without rules that cannot match, and without objects and movements that do not occur.

    Its movements are those of the moving layers only, one after the other.
    """
    layers = moving_layers(game, moves)

    def moves_of(mask: int) -> int:
        return sum((mask >> 5 * layer & ANY) << 5 * number for number, layer in enumerate(layers))

    def change_of(change: Rewrite) -> Rewrite:
        return Rewrite(
            change.clear & objects, change.set, moves_of(change.still), moves_of(change.moved),
            moves_of(change.renewed),
        )  # fmt: skip

    def cell_of(cell: Cell) -> Cell:
        change = None if cell.change is None else change_of(cell.change)
        some = tuple(mask & objects for mask in cell.some)
        return Cell(
            cell.need, cell.without & objects, some, moves_of(cell.moving), moves_of(cell.resting & moves), change
        )

    def rule_of(rule: ConcreteRule) -> ConcreteRule:
        brackets = tuple(tuple(tuple(map(cell_of, part)) for part in bracket) for bracket in rule.brackets)
        return replace(rule, brackets=brackets, moving=moves_of(rule.moving))

    def list_of(program: RuleList, some: int) -> RuleList:
        groups = (tuple(rule_of(rule) for rule in group if _can_match(rule, objects, some)) for group in program.groups)
        return RuleList(tuple(groups), program.loops)

    return replace(game, program=list_of(game.program, moves), late=list_of(game.late, 0))
