"""Check an answer by replaying it move by move with `Rule.apply` alone, independently of engines. Plain Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import SelfCheckError
from ..limits.watch import checkpoint
from .model import Model, changed_cell


class WrongAnswerError(SelfCheckError):
    """An engine returned a solution that is not correct: a fault of this program, never of the user."""


def replay(model: Model, path: Sequence[bytes]) -> None:
    """Raise WrongAnswerError unless the path leads from the start to a goal by legal moves."""
    if path[0] != model.start:
        raise WrongAnswerError(f"the path begins at {list(path[0])}, not at the start")
    for number, (before, after) in enumerate(zip(path, path[1:], strict=False), 1):
        if not one_move(model, before, after):
            raise WrongAnswerError(f"move {number} from {list(before)} to {list(after)} is not a legal move")
    if not model.is_goal(path[-1]):
        raise WrongAnswerError(f"the path ends at {list(path[-1])}, which is not a goal")


def one_move(model: Model, before: bytes, after: bytes) -> bool:
    """Return whether a sequence of rules that the metric counts as one move leads from `before` to `after`."""
    if before == after:
        return False
    free = set(model.metric.free)
    if free:
        return _one_free_move(model, free, before, after)
    if model.metric.exhausts:
        return after in (_exhausted(model, before, group) for group in set(model.metric.after))
    numbers: Sequence[int] = range(len(model.rules))
    if not model.metric.after:  # one rule, which writes each cell that changes
        cell = changed_cell(before, after)
        numbers = () if cell is None else model.rules_at(cell)
    open_ends = [(before, number) for number in numbers]
    seen: set[tuple[bytes, int]] = set()
    while open_ends:
        position, number = open_ends.pop()
        checkpoint()
        child = model.rules[number].apply(position)
        if child is None or (child, number) in seen:
            continue
        if child == after:
            return True
        seen.add((child, number))
        if model.metric.after:
            open_ends += [(child, follower) for follower in model.metric.after[number]]
    return False


def _one_free_move(model: Model, free: set[int], before: bytes, after: bytes) -> bool:
    """Return whether free rules, one move of other rules and free rules again lead from `before` to `after`.

    Each free rule is undone by one (docs/methods/metrics.md), so those after the move are looked for from `after`,
    which takes less time. Then they are made forwards, so no move is accepted because of this assumption.
    """
    seen: set[tuple[bytes, int]] = set()
    walking, others = _by_first_cell(model, free), _by_first_cell(model, set(range(len(model.rules))) - free)
    wanted = _freely(model, walking, after)
    pending = [(here, number) for here in _freely(model, walking, before) for number in _fitting(others, here)]
    while pending:
        position, number = pending.pop()
        checkpoint()
        child = model.rules[number].apply(position)
        if child is None or (child, number) in seen:
            continue
        if child in wanted and after in _freely(model, walking, child):
            return True
        seen.add((child, number))
        if model.metric.after:
            pending += [(child, follower) for follower in model.metric.after[number]]
    return False


Fitting = dict[tuple[int, int], list[int]]
"""The numbers of rules by their first cell and the symbols that they need there."""


def _by_first_cell(model: Model, numbers: set[int]) -> Fitting:
    found: Fitting = {}
    for number in numbers:
        rule = model.rules[number]
        found.setdefault((rule.cells[0], rule.need[0]), []).append(number)
    return found


def _fitting(rules: Fitting, position: bytes) -> Iterator[int]:
    """Yield the rules whose first cell shows a symbol that they need."""
    for (cell, need), numbers in rules.items():
        if need >> position[cell] & 1:
            yield from numbers


def _freely(model: Model, free: Fitting, position: bytes) -> set[bytes]:
    """Return the positions to which free rules lead from a position."""
    found, pending = {position}, [position]
    while pending:
        position = pending.pop()
        checkpoint()
        for number in _fitting(free, position):
            child = model.rules[number].apply(position)
            if child is not None and child not in found:
                found.add(child)
                pending.append(child)
    return found


def _exhausted(model: Model, position: bytes, group: Sequence[int]) -> bytes:
    """Return the position after the first rule of a group that applies, then the first again, until none applies."""
    while True:
        checkpoint()
        made = (model.rules[number].apply(position) for number in group)
        child = next((each for each in made if each is not None), None)
        if child is None:
            return position
        position = child
