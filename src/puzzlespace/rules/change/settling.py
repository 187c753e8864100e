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
    first = True
    seen: dict[bytes, None] = {}
    while True:
        before = position
        for stage in stages:
            if first or not stage.once:
                position = _stage(position, rules, stage)
        first = False
        if position == before:
            return position
        if position in seen:
            raise EndlessError(tuple(seen))
        seen[position] = None


def _stage(position: bytes, rules: Sequence[Rule], stage: Stage) -> bytes:
    seen = {position: None}
    while True:
        after = next((new for n in paced(stage.rules) if (new := rules[n].apply(position)) not in (None, position)), None)
        if after is None:
            return position
        position = after
        if stage.once:
            return position
        if position in seen:
            raise EndlessError(tuple(seen))
        seen[position] = None
