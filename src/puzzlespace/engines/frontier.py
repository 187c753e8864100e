"""Breadth-first layers of packed positions: two layers at a time where moves can be undone, all of them otherwise.

Where every move can be undone, a child of layer d lies in layer d - 1, d or d + 1, so older layers are forgotten
(frontier search: Korf, Zhang, Thayer and Hohwald, "Frontier search", JACM 52, 2005). Small searches run on NumPy alone;
once the work passes `SWITCH` the same layers go on in compiled loops on all processor cores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import LimitError, UnsupportedError
from ..model import Model
from ..result import Depths, Engine, Geodesics, Layers, Search, Space, Watch, model_of
from .packing import Packing, refusal

if TYPE_CHECKING:
    from .front import Front


SWITCH = 500_000
"""So much work (positions generated, see `Front.work`) is worth the half second that compiled loops take to load."""


def refuses(space: Space, question: str) -> str | None:
    """Return why it cannot answer: no rules to compile, or positions of more than four words."""
    model = model_of(space)
    return "its moves are Python functions, not rules" if model is None else refusal(model)


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    return count_layers(question, watch, SWITCH)


def count_layers(question: Depths, watch: Watch, switch: int | None) -> Layers:
    """Answer `depths`; from `switch` positions generated on in compiled loops (None: never)."""
    from .front import Front as Grown
    from .plan import Goals, least, positions_of

    model = question.space
    assert isinstance(model, Model)
    packing = _packing(model, question.sources)
    front = Grown(model, packing, tuple(dict.fromkeys(question.sources)), record=False)
    goals = Goals(question.collect, packing)
    counts: list[int] = []
    collected: list[tuple[bytes, int]] = []
    stopped = None
    last = front.keys
    try:
        while front.size:
            counts.append(front.size)
            last = front.keys
            watch.layer(front.depth, front.size, front.found)
            if question.collect:
                met = goals.among(last)
                collected += [(p, front.depth) for p in positions_of(packing, least(met, len(met)))]
            wake(switch, front)
            front.grow(watch)
    except LimitError as error:
        stopped = error
    deepest = tuple(positions_of(packing, least(last, question.keep)))
    return Layers(
        tuple(counts), deepest, stopped is None, watch.generated, watch.seconds, tuple(collected), stopped=stopped
    )


def search(question: Search, watch: Watch) -> Geodesics:
    """Find every position on a shortest way from the start to a goal."""
    return find(question, watch, SWITCH)


def find(question: Search, watch: Watch, switch: int | None) -> Geodesics:
    """Answer `search`; from `switch` positions generated on in compiled loops (None: never)."""
    from .front import meeting

    model = question.space
    assert isinstance(model, Model)
    ends = (question.start, *(question.goals or ()))
    forward, backward = _fronts(model, question, _packing(model, ends))
    try:
        while True:
            depth = forward.depth + (backward.depth if backward else 0)
            layers = meeting(forward, backward)
            if layers:
                return Geodesics(layers, watch.generated, watch.seconds, depth)
            side = backward if backward and backward.size < forward.size else forward
            if not side.size:
                return Geodesics((), watch.generated, watch.seconds)
            watch.layer(depth, side.size, forward.found + (backward.found if backward else 0))
            wake(switch, forward, *([backward] if backward else []))
            side.grow(watch)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, depth + 1, error)


def _fronts(model: Model, question: Search, packing: Packing) -> tuple[Front, Front | None]:
    """Return the layers from the start, and from the goals where they are listed and moves can be taken back."""
    from .front import Front as Grown

    forward = Grown(model, packing, (question.start,), record=True)
    if question.goals is None or model.backward is None:
        return forward, None
    return forward, Grown(model.backward, packing, question.goals, record=True)


def _packing(model: Model, ends: tuple[bytes, ...]) -> Packing:
    """Return the packing; raise UnsupportedError where the ends differ in more cells than can be packed."""
    reason = refusal(model, ends)
    if reason:
        raise UnsupportedError(f"engine frontier: {reason}")
    return Packing.of(model, ends)


def wake(switch: int | None, *fronts: Front) -> None:
    """Let the fronts go on in compiled loops once their work, the next layer's included, comes to `switch`."""
    if switch is None or fronts[0].way.compiled:
        return
    if sum(front.work + front.ahead for front in fronts) >= switch:
        from .compiled import Compiled

        way = Compiled()
        for front in fronts:
            front.compile(way)


ENGINE = Engine("frontier", refuses, depths=depths, search=search)
