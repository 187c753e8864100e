"""Breadth-first search in layers of packed positions; it stores two layers if moves can be undone, else all.

If every move can be undone, a child of layer d is in layer d - 1, d or d + 1, so older layers can be dropped (Korf,
Zhang, Thayer and Hohwald, "Frontier search", JACM 52, 2005). Small searches use NumPy alone. If the work reaches
`packed.front.COMPILE_FRONTIER`, the search continues with compiled kernels on all processors.
"""

from __future__ import annotations

from dataclasses import replace

from ...contract.answers import Geodesics, Layers
from ...contract.questions import (
    FEW_PLACEMENTS,
    Depths,
    Engine,
    Prospect,
    Search,
    Space,
    Worth,
    model_of,
    unfit,
)
from ...errors import UnsupportedError
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from ...model.model import Model
from ..packed.positions import Packing, refusal

ATTEMPT_BOTH = Threshold(10_000)
"""Positions that the bidirectional search in plain Python may generate first: about as many as it does while layers
with NumPy load (0.1 s).

Measured: with an eighth `solve pancake:9` took 1.10 times as long, with eight times as many `solve cube:2` 1.12 times.
"""


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer (no rules, or positions of too many words), or None."""
    model = model_of(space)
    if model is not None and model.metric.exhausts:
        from .whole_moves import Marked

        return refusal(Marked.of(model).model)
    return unfit(space) or (refusal(model) if model is not None else None)


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return after how many positions the engine beats slower ones; it is not worthwhile for small depth tables."""
    if isinstance(question, Search):
        return Worth.unless(refuses(question.space, "search"), prospect.watch.thresholds[ATTEMPT_BOTH])
    return Worth.unless(prospect.few(FEW_PLACEMENTS) or refuses(question.space, "depths"))


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    model = question.model
    if model.metric.exhausts:
        from .whole_moves import Marked

        marked = Marked.of(model)
        return marked.layers(count_layers(marked.depths(question), watch, _switch(watch)), watch)
    return count_layers(question, watch, _switch(watch))


def _switch(watch: Watch) -> int | None:
    """Return from how many generated positions on loops are compiled; None: a limit of positions comes first."""
    from ..packed.front import COMPILE_FRONTIER

    switch, left = watch.thresholds[COMPILE_FRONTIER], watch.positions_left
    return None if switch is None or (left is not None and left <= switch) else switch


def count_layers(question: Depths, watch: Watch, switch: int | None) -> Layers:
    """Answer `depths`.

    switch  the number of generated positions from which on compiled kernels are used; None for never
    """
    from ...search.layers import count
    from ..packed.front import Front, Switch

    model = question.model
    if model.metric.costs:
        from .priced import Priced

        return count(Priced(model, packing_of(model, question.sources), question.collect), question, watch)
    front = Front(model, packing_of(model, question.sources), question.collect, switch=Switch(switch))
    return count(front, question, watch)


def search(question: Search, watch: Watch) -> Geodesics:
    """Find every position on a shortest solution."""
    model = question.model
    if model.metric.exhausts:
        from .whole_moves import Marked

        marked = Marked.of(model)
        return marked.ways(find_ways(marked.search(question), watch, _switch(watch)))
    return find_ways(question, watch, _switch(watch))


def find_ways(question: Search, watch: Watch, switch: int | None) -> Geodesics:
    """Answer `search`; `switch` as in `count_layers`."""
    from ...search.layers import find
    from ..packed.front import Front, Switch

    model = question.model
    packing = packing_of(model, (question.start, *(question.goals or ())))
    if model.metric.costs:
        from .priced import Priced

        return find(replace(question, every=True), watch, Priced(model, packing, model.goals, record=True))
    shared = Switch(switch)
    forward = Front(model, packing, model.goals, record=True, taken_back=model.backward, switch=shared)
    backward = None
    if question.goals is not None and model.backward is not None:
        backward = Front(model.backward, packing, record=True, switch=shared)
        forward.partner, backward.partner = backward, forward
    return find(replace(question, every=True), watch, forward, backward)


def packing_of(model: Model, ends: tuple[bytes, ...]) -> Packing:
    """Return the packing; raise UnsupportedError if the ends differ in more cells than can be packed."""
    reason = refusal(model, ends)
    if reason:
        raise UnsupportedError(f"engine frontier: {reason}")
    return Packing.of(model, ends)


ENGINE = Engine(
    "frontier",
    refuses,
    depths=depths,
    search=search,
    speed=10,
    worth=worth,
    lists=True,
    arrivals=True,
    lawful=True,
    general=True,
)
