"""Levels of boxes read from the rules of a model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from ..limits.watch import paced
from ..model.goal import Goal
from ..model.model import Model
from ..model.rule import ANY, Rule, only, single_symbol
from .quick import no_boxes


class Push(NamedTuple):
    """A push: the cells of the player and of the box before it, and the cell that the box enters."""

    player: int
    box: int
    entered: int


@dataclass(frozen=True)
class Warehouse:
    """The rules of a player, boxes and one goal, read from a model.

    metric      one of `quick.METRICS`
    boxes       the symbol of each kind of box
    steps       (cell, neighbour) of the player
    directions  those of the steps
    onward      for each push the number of the one that may follow it at no cost, -1 without one
    goals       the cells that must have a box
    goal_kinds  the kinds of these boxes
    """

    metric: str
    cells: int
    player: int
    boxes: tuple[int, ...]
    blank: int
    steps: tuple[tuple[int, int], ...]
    directions: tuple[str, ...]
    pushes: tuple[Push, ...]
    onward: tuple[int, ...]
    goals: tuple[int, ...]
    goal_kinds: tuple[int, ...]

    @property
    def returns(self) -> bool:
        """Whether each step of the player can be taken back at once."""
        return {(b, a) for a, b in self.steps} <= set(self.steps)

    def placed(self, position: bytes) -> list[list[int]]:
        """Return the cells of the boxes of each kind."""
        return [[cell for cell, symbol in enumerate(position) if symbol == box] for box in self.boxes]

    def boxes_in(self, position: bytes) -> list[int]:
        """Return the cells of all boxes, kind by kind."""
        return [cell for cells in self.placed(position) for cell in cells]


def _read_rules(model: Model, start: bytes | None) -> Warehouse | str:
    reason = no_boxes(model)
    if reason is not None:
        return reason
    name, free = model.metric.name, set(model.metric.free)
    walking = next((rule for rule in paced(model.rules) if len(rule.cells) == 2), None)
    pushing = next((rule for rule in paced(model.rules) if len(rule.cells) == 3), None)
    if walking is None or pushing is None or start is None:
        return "there are no boxes to push, or there is no start"
    player, blank = (single_symbol(need) for need in walking.need)
    kinds = pushing.need[1]
    if player is None or blank is None or kinds < 0 or kinds >> player & 1 or kinds >> blank & 1:
        return "some rules are not steps of a player or pushes of boxes"
    steps: dict[tuple[int, int], str] = {}
    pushes: list[Push] = []
    numbers: dict[int, int] = {}
    for number, rule in enumerate(paced(model.rules)):
        walks = name == "move" or number in free
        if walks and _moves(rule, (only(player), only(blank)), (1, 0)):
            steps[rule.cells[0], rule.cells[1]] = rule.motion.direction if rule.motion else ""
        elif number not in free and _moves(rule, (only(player), kinds, only(blank)), (2, 0, 1)):
            numbers[number] = len(pushes)
            pushes.append(Push(*rule.cells))
        else:
            return "some rules are not steps of a player or pushes of boxes"
    if not all({(a, b), (b, a), (b, c), (c, b)} <= set(steps) for a, b, c in pushes):
        return "the player cannot walk where boxes are pushed"
    onward = _onward(model, numbers, pushes)
    if onward is None:
        return "a box that is pushed on leaves its line"
    if start.count(player) != 1:
        return "there are several players"
    boxes = tuple(symbol for symbol in range(model.symbols) if kinds >> symbol & 1 and symbol in start)
    if not boxes or not set(start) <= {player, blank, *boxes}:
        return "there are no boxes, or other pieces"
    return Warehouse(
        name, model.cells, player, boxes, blank, tuple(steps), tuple(steps.values()), tuple(pushes), onward, (), ()
    )


def _read(bare: Model, start: bytes | None, goals: tuple[Goal, ...]) -> Warehouse | str:
    level = bare.kept(_read_rules, start)
    if isinstance(level, str):
        return level
    if len(goals) != 1 or goals[0].counts:
        return "there is not one goal"
    assert start is not None
    wanted = _goals(goals[0], start, level)
    if isinstance(wanted, str):
        return wanted
    cells, kinds = zip(*wanted, strict=True) if wanted else ((), ())
    return replace(level, goals=cells, goal_kinds=kinds)


def _moves(rule: Rule, need: tuple[int, ...], source: tuple[int, ...]) -> bool:
    """Return whether a rule needs exactly these symbols and carries them as `source` says."""
    return rule.need == need and rule.source == source and not any(rule.table)


def _onward(model: Model, numbers: dict[int, int], pushes: list[Push]) -> tuple[int, ...] | None:
    """Return for each push the one that may follow it, -1 for none; None unless these are lines with an end."""
    found: list[int] = []
    for number, place in numbers.items():
        after = model.metric.after[number] if model.metric.after else ()
        if len(after) > 1 or any(pushes[numbers[other]][:2] != pushes[place][1:] for other in after):
            return None
        found.append(numbers[after[0]] if after else -1)
    later = [place for place in found if place >= 0]
    seen = set(range(len(found))).difference(later)
    for first in list(seen):
        place = found[first]
        while place >= 0 and place not in seen:
            seen.add(place)
            place = found[place]
    return tuple(found) if len(set(later)) == len(later) and len(seen) == len(found) else None


def _goals(goal: Goal, start: bytes, level: Warehouse) -> tuple[tuple[int, int], ...] | str:
    """Return the cells that must have a box and its kind, or why the goal is another one."""
    player, boxes, blank = level.player, level.boxes, level.blank
    goals: list[tuple[int, int]] = []
    enough = True
    for symbol in boxes:
        cells = [cell for cell, need in enumerate(goal.need) if need == only(symbol)]
        enough &= len(cells) == start.count(symbol)
        if len(cells) > start.count(symbol):
            return "there are more goals than boxes"
        goals.extend((cell, boxes.index(symbol)) for cell in cells)
    every = sum(map(only, boxes))
    for need in goal.need:
        if need == ANY or any(need == only(symbol) for symbol in boxes):
            continue
        if not (need >> blank & 1 and need >> player & 1):
            return "the goal says where the player is, or leaves the kind of a box open"
        if need & every != every and not enough:
            return "the goal wants cells free, and there are more boxes than goals"
    return tuple(sorted(goals))


def read_rules(model: Model) -> Warehouse | str:
    """Return the level of a model without its goals, or why its rules are others."""
    return model.bare.kept(_read_rules, model.start)


def read(model: Model) -> Warehouse | str:
    """Return the level of a model, or why its rules or goals are others."""
    return model.bare.kept(_read, model.start, model.goals)
