"""A player who pushes boxes: best-first search (A*), and layers of all positions; docs/methods/boxes.md.

`structure.boxes` reads a level, `pushes` searches in the metric `push`
with boxes of one kind, `counted` in the other metrics and with boxes of several kinds, `layers` counts all positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...contract.answers import Geodesics, Layers
from ...contract.questions import (
    ATTEMPT_LOADED,
    FEW_PLACEMENTS,
    Depths,
    Engine,
    Prospect,
    Search,
    Space,
    Worth,
    model_of,
)
from ...errors import LimitError
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from ...structure.quick import no_boxes

if TYPE_CHECKING:
    from ...structure.boxes import Warehouse

ATTEMPT_BOXES = Threshold(40_000)
"""Positions that plain Python may generate before a search: about a second, as long as the loop takes to load (to
compile, once: 20 s)."""


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer, or None."""
    model = model_of(space)
    if model is None:
        return "its moves are Python functions, not rules"
    reason = no_boxes(model)
    if reason is not None:
        return reason
    from ...structure.boxes import Warehouse, read, read_rules

    found = read(model) if question == "search" else read_rules(model)
    if question == "depths" and isinstance(found, Warehouse):
        return None if found.returns else "the player cannot step back from a cell"
    return found if isinstance(found, str) else None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return how many positions plain Python may generate before, or why this engine cannot answer."""
    by = prospect.watch.thresholds
    if isinstance(question, Search):
        return Worth.unless(refuses(question.space, "search"), by[ATTEMPT_BOXES])
    return Worth.unless(prospect.few(FEW_PLACEMENTS) or refuses(question.space, "depths"), by[ATTEMPT_LOADED])


def _only_pushes(level: Warehouse) -> bool:
    """Return whether `pushes` searches the level."""
    return level.metric == "push" and len(level.boxes) == 1


def search(question: Search, watch: Watch) -> Geodesics:
    """Return the positions on shortest solutions: on all if the question asks for every, else on one."""
    from ...structure.boxes import Warehouse, read
    from .counted import CountedSearch
    from .pushes import PushSearch

    model = question.model
    if model.is_goal(question.start):
        return Geodesics((frozenset([question.start]),), 0, watch.seconds, 0)
    level = read(model)
    assert isinstance(level, Warehouse)
    try:
        best = (PushSearch if _only_pushes(level) else CountedSearch)(model, question.start, question.every, watch)
        length = best.run()
        if length is None:
            best.check_impossible()
        layers = () if length is None else best.layers(length, model)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, error.bound, error)
    return Geodesics(layers, watch.generated, watch.seconds, length)


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    from ...search.layers import count
    from ...structure.boxes import Warehouse, read_rules
    from .layers import BoxLayers

    model = question.model
    level = read_rules(model)
    assert isinstance(level, Warehouse)
    return count(BoxLayers(level, model, question.collect, watch, question.sources), question, watch)


ENGINE = Engine("boxes", refuses, depths=depths, search=search, speed=3000, worth=worth, lists=True, arrivals=True)
