"""Classes of positions under the symmetries that preserve the goals or the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..errors import LimitError
from ..model.goal import Goal
from ..model.model import Model
from .find import symmetries


def classes(model: Model, positions: Sequence[bytes], origin: str) -> tuple[tuple[bytes, ...], ...] | None:
    """Return positions by class, each class sorted, classes by their first position.

    Positions of one class are images of each other under symmetries that preserve the goals (origin 'goal') or the
    start ('start'), so they have the same distance from there. None if not all symmetries are known or there are too
    many images.
    """
    if origin == "start":
        assert model.start is not None
        model = replace(model, start=None, goals=(Goal.exactly(model.start),))
    if len(positions) < 2:
        return tuple((position,) for position in positions)
    if model.metric.free:  # the image of a position is not the one that stands for its class
        return None
    group = symmetries(model)
    if not group.complete:
        return None
    try:
        return group.orbits(positions)
    except LimitError:
        return None
