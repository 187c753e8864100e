"""The classes of positions that lie equally far from the goal or the start, up to symmetry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..errors import LimitError
from ..model.model import Goal, Model
from .find import symmetries


def classes(model: Model, positions: Sequence[bytes], origin: str) -> tuple[tuple[bytes, ...], ...] | None:
    """Return positions by class, each class in order, classes by their first position.

    Positions of one class are images of each other under symmetries that keep the goals (origin 'goal') or the start
    ('start'), so they are equally far from there. None where not all symmetries are known or there are too many.
    """
    if origin == "start":
        assert model.start is not None
        model = replace(model, start=None, goals=(Goal.exactly(model.start),))
    if len(positions) < 2:
        return tuple((position,) for position in positions)
    group = symmetries(model)
    if not group.complete:
        return None
    try:
        return group.orbits(positions)
    except LimitError:
        return None
