"""Check an answer by replaying it move by move with `Rule.apply` alone, independently of engines. Plain Python."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import SelfCheckError
from ..limits.watch import checkpoint
from .model import Model


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
    open_ends = [(before, number) for number in range(len(model.rules))]
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
