"""A template for an engine: breadth-first search that stores only two layers. Copy it, rename it, make it fast.

If every move can be undone, a child of layer d is in layer d-1, d or d+1, so older layers can be dropped. The template
is tested like every engine, but it is not in the registry.
"""

from __future__ import annotations

import heapq
from typing import Any

from ..contract.answers import Layers
from ..contract.questions import FEW_PLACEMENTS, Depths, Engine, Prospect, Search, Space, Worth, model_of
from ..errors import LimitError
from ..limits.watch import Watch


def refuses(space: Space, question: str) -> str | None:
    """Return why this engine cannot answer, or None."""
    model = model_of(space)
    if model is None or not model.reversible:
        return "some moves cannot be undone, so old layers cannot be dropped"
    return None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return that this engine starts at once, unless there are too few positions for it or it cannot answer."""
    return Worth.unless(prospect.few(FEW_PLACEMENTS) or refuses(question.space, "depths"))


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    before: set[Any] = set()
    layer: set[Any] = set(question.sources)
    last = layer
    counts: list[int] = []
    collected: list[tuple[Any, int]] = []
    stopped = None
    try:
        while layer:
            collected += [(p, len(counts)) for p in layer if any(goal.holds(p) for goal in question.collect)]
            counts.append(len(layer))
            watch.layer(len(counts) - 1, len(layer), sum(counts))
            last = layer
            before, layer = layer, next_layer(question.space, layer, watch) - layer - before
    except LimitError as error:
        stopped = error
    deepest = tuple(heapq.nsmallest(question.keep, last))
    return Layers(
        tuple(counts), deepest, stopped is None, watch.generated, watch.seconds, tuple(collected), stopped=stopped
    )


def next_layer(space: Space, layer: set[Any], watch: Watch) -> set[Any]:
    """Return every position one move away from a layer."""
    children: set[Any] = set()
    for position in layer:
        found = list(space.moves(position))
        watch.tick(len(found))
        children.update(found)
    return children


ENGINE = Engine("template", refuses, depths=depths, speed=2, worth=worth)
