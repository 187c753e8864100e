"""Best-first search (A*) for a player who pushes boxes; docs/methods/boxes.md.

`reading` reads the level, `pushes` searches in the metric `push` with boxes of one kind, `counted` in the other metrics
and with boxes of several kinds.
"""

from __future__ import annotations

from ...contract.answers import Geodesics
from ...contract.questions import Depths, Engine, Prospect, Search, Space, Worth, model_of
from ...errors import LimitError
from ...limits.watch import Watch
from ...model.model import Model
from .reading import Warehouse, read


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer, or None."""
    if question != "search":
        return "it searches for a solution and builds no depth table"
    model = model_of(space)
    if model is None:
        return "its moves are Python functions, not rules"
    found = read(model)
    return found if isinstance(found, str) else None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return how many positions plain Python may generate before, or why this engine cannot answer."""
    return refuses(question.space, "search") or prospect.watch.thresholds.attempt_boxes


def search(question: Search, watch: Watch) -> Geodesics:
    """Return the positions on shortest solutions: on all if the question asks for every, else on one."""
    from .counted import CountedSearch
    from .pushes import PushSearch

    model = question.space
    assert isinstance(model, Model)
    if model.is_goal(question.start):
        return Geodesics((frozenset([question.start]),), 0, watch.seconds, 0)
    level = read(model)
    assert isinstance(level, Warehouse)
    pushes = level.metric == "push" and len(level.boxes) == 1
    try:
        best = (PushSearch if pushes else CountedSearch)(model, question.start, question.every, watch)
        length = best.run()
        if length is None:
            best.check_impossible()
        layers = () if length is None else best.layers(length, model)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, error.bound, error)
    return Geodesics(layers, watch.generated, watch.seconds, length)


ENGINE = Engine("boxes", refuses, search=search, speed=3000, worth=worth)
