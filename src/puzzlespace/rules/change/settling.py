"""What happens by itself, made on the position of a start before the first move."""

from __future__ import annotations

from collections.abc import Sequence

from ...limits.watch import paced
from ...model.metric import Stage
from ...model.rule import Rule


class EndlessError(ValueError):
    """What happens by itself comes back to a position; `positions` are those that it goes through."""

    def __init__(self, positions: Sequence[bytes]) -> None:
        super().__init__("it goes on for ever")
        self.positions = positions


def settled(position: bytes, rules: Sequence[Rule], stages: Sequence[Stage]) -> bytes:
    """Return the position after everything has happened by itself, as `Stage` says. Raises EndlessError."""
    seen = {position: None}
    left = list(stages)
    while True:
        before = position
        for stage in tuple(left):
            while (after := _first(position, rules, stage)) is not None:
                position = after
                if stage.once:
                    left.remove(stage)
                    seen.clear()
                if position in seen:
                    raise EndlessError(tuple(seen))
                seen[position] = None
                if stage.once:
                    break
        if position == before:
            return position


def _first(position: bytes, rules: Sequence[Rule], stage: Stage) -> bytes | None:
    """Return the position after the first rule of a stage that changes it, or None."""
    for number in paced(stage.rules):
        after = rules[number].apply(position)
        if after is not None and after != position:
            return after
    return None
