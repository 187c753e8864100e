"""What a model certainly is not: tests of a few fields, so that most questions do not load the readers of rules."""

from __future__ import annotations

from ..model.model import Model

METRICS = ("push", "move", "run")
"""The metrics of levels of boxes, in the order of the numbers PUSH, MOVE and RUN of the kernels."""


def no_boxes(model: Model) -> str | None:
    """Return why a model is certainly no level of boxes, or None."""
    if model.metric.beyond_rules is not None:
        return model.metric.beyond_rules
    name, free = model.metric.name, bool(model.metric.free)
    if name not in METRICS or (model.metric.after and name != "run") or (name != "move") != free:
        return "it counts pushes, runs of a box, or moves of a player"
    return None if model.shapes is None else "some boxes have several cells"


def no_additions(model: Model) -> str | None:
    """Return why moves are certainly no additions, or None."""
    if model.metric.beyond_rules is not None:
        return model.metric.beyond_rules
    if model.metric.after or not model.rules or model.rules[0].motion is not None:
        return "only listed moves, each of which counts as one, can be additions"
    return None
