"""Concrete rules as masks over the bits of objects and movements, in groups and loops."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import FormatError
from .expanding import Concrete
from .faults import Faults
from .game import ACTION, ANY, DOWN, LEFT, RIGHT, UP, Cell, ConcreteRule, Rewrite, RuleList
from .names import Names
from .rule_lines import ELLIPSIS, Content

BITS = {"up": UP, "down": DOWN, "left": LEFT, "right": RIGHT, "action": ACTION}
MOST_RIGID = 30
"""The most rigid groups."""


def programs(
    rules: Sequence[Concrete], loops: Sequence[tuple[int, int]], names: Names, faults: Faults
) -> tuple[RuleList, RuleList, tuple[int, ...]]:
    """Return the rules before the movement, the late ones, and which groups of the former are rigid."""
    masks = _Masks(names)
    made = [(rule, cells) for rule in rules if (cells := masks.cells(rule)) is not None]
    _tell_lost(rules, made, faults)
    programs = (_program(made, loops, late) for late in (False, True))
    (program, rigid), (late, _) = programs
    if len(rigid) > MOST_RIGID:
        raise FormatError(f"expected at most {MOST_RIGID} groups of rigid rules, found {len(rigid)}")
    return program, late, rigid


Brackets = tuple[tuple[tuple[Cell, ...], ...], ...]
Made = Sequence[tuple[Concrete, Brackets]]


def _tell_lost(rules: Sequence[Concrete], made: Made, faults: Faults) -> None:
    """Warn of the lines of which no rule can ever match."""
    left = {rule.line.at.line for rule, _ in made}
    lost = {rule.line.at.line: rule.line.at for rule in rules if rule.line.at.line not in left}
    for word in lost.values():
        faults.warn(word, "expected a rule that can match, found one that cannot: two objects of one layer in a cell, "
                          "or an object and 'no' of it")  # fmt: skip


def _program(made: Made, loops: Sequence[tuple[int, int]], late: bool) -> tuple[RuleList, tuple[int, ...]]:
    """Return groups and loops of the late or of the other rules, and the numbers of the rigid groups."""
    grouped: dict[int, list[tuple[Concrete, Brackets]]] = {}
    for rule, cells in made:
        if rule.line.late == late:
            grouped.setdefault(rule.line.group, []).append((rule, cells))
    ordered = [grouped[number] for number in sorted(grouped)]
    rigid = tuple(number for number, group in enumerate(ordered) if any(rule.line.rigid for rule, _ in group))
    groups = tuple(
        tuple(_rule(rule, cells, rigid.index(number) + 1 if number in rigid else 0) for rule, cells in group)
        for number, group in enumerate(ordered)
    )
    back: dict[int, int] = {}
    for first, last in loops:
        within = [number for number, group in enumerate(groups) if first <= group[0].line <= last]
        if within:
            back[within[-1]] = within[0]
    return RuleList(groups, back), rigid


def _rule(rule: Concrete, cells: Brackets, rigid: int) -> ConcreteRule:
    need = moving = 0
    for cell in (cell for bracket in cells for part in bracket for cell in part):
        need |= cell.need
        moving |= cell.moving
    return ConcreteRule(
        rule.line.at.line, BITS[rule.direction], cells, bool(rule.right), rule.line.commands,
        rigid if rule.line.rigid else 0, need, moving, rule.line.message,
    )  # fmt: skip


class _Masks:
    """The masks of cells."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.layer_bits = [names.of_layer(layer) for layer in range(len(names.layers))]

    def cells(self, rule: Concrete) -> Brackets | None:
        """Return the brackets of a rule as masks, or None if it never matches."""
        found: list[tuple[tuple[Cell, ...], ...]] = []
        for number, bracket in enumerate(rule.left):
            parts: list[list[Cell]] = [[]]
            for at, content in enumerate(bracket):
                if ELLIPSIS in content:
                    parts.append([])
                    continue
                cell = self._cell(content, rule.right[number][at] if rule.right else None)
                if cell is None:
                    return None
                parts[-1].append(cell)
            found.append(tuple(map(tuple, parts)))
        return tuple(found)

    def _layer(self, name: str) -> int:
        return self.names.layer[name] if name in self.names.objects else self.names.single[name]

    def _cell(self, left: Content, right: Content | None) -> Cell | None:
        """Return the mask of a cell on the left with its change, or None if it never matches."""
        names = self.names
        need = without = moving = resting = 0
        some: list[int] = []
        used: set[int] = set()
        owned: set[int] = set()  # the layers in which an object is asked for, not a property
        for move, name in left:
            if move == "no":
                without |= names.mask(name)
                continue
            layer = self._layer(name)
            if layer in used:
                return None
            used.add(layer)
            if name in names.objects:
                need |= names.mask(name)
                owned.add(layer)
            else:
                some.append(names.mask(name))
            if move == "stationary":
                resting |= ANY << 5 * layer
            elif move:
                moving |= BITS[move] << 5 * layer
        if need & without:
            return None
        change = None if right is None else self._change(need, moving, used, owned, right)
        return Cell(need, without, tuple(some), moving, resting, change)

    def _change(self, need: int, moving: int, used: set[int], owned: set[int], right: Content) -> Rewrite | None:
        """Return what the right side makes of a cell; None if nothing."""
        names = self.names
        clear = put = still = moved = 0
        renewed: set[int] = set()
        there: set[int] = set()
        placed: set[int] = set()
        for move, name in right:
            if move == "no":
                clear |= names.mask(name)
                continue
            layer = self._layer(name)
            there.add(layer)
            if name in names.objects:
                put |= names.mask(name)
                clear |= self.layer_bits[layer]
                placed.add(layer)
            if move == "stationary":
                still |= ANY << 5 * layer
            elif move:
                moved |= BITS[move] << 5 * layer
            if move:
                renewed.add(layer)
        if need & ~put:
            clear |= need
        if moving & ~moved:
            still |= moving
        for layer in used - there:
            clear |= self.layer_bits[layer]
            renewed.add(layer)
        renewed |= owned - placed
        if not (clear or put or still or moved or renewed):
            return None
        return Rewrite(clear, put, still, moved, sum(ANY << 5 * layer for layer in renewed))
