"""Which moves certainly do not add, told without reading the rules."""

from __future__ import annotations

from ...model.model import Model


def unlisted(model: Model) -> str | None:
    """Return why the moves are not listed one by one, or None; only listed moves are additions."""
    if model.metric.after or not model.rules or model.rules[0].motion is not None:
        return "only listed moves, each of which counts as one, can be additions"
    return None
