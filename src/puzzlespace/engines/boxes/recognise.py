"""Which models are certainly no levels of boxes, told without reading their rules."""

from __future__ import annotations

from ...model.model import Model

METRICS = ("push", "move", "run")
"""In the order of the numbers PUSH, MOVE and RUN of the kernels."""


def unlike(model: Model) -> str | None:
    """Return why a model is certainly no level of boxes, or None; this is told without reading the rules."""
    name, free = model.metric.name, bool(model.metric.free)
    if name not in METRICS or (model.metric.after and name != "run") or (name != "move") != free:
        return "it counts pushes, runs of a box, or moves of a player"
    return None if model.shapes is None else "some boxes have several cells"
