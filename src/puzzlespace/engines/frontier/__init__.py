"""Breadth-first search in layers of packed positions; it stores two layers if moves can be undone, else all.

If every move can be undone, a child of layer d is in layer d - 1, d or d + 1, so older layers can be dropped (Korf,
Zhang, Thayer and Hohwald, "Frontier search", JACM 52, 2005). Small searches use NumPy alone. If the work reaches
`Thresholds.compile_frontier`, the search continues with compiled kernels on all processors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...contract.answers import Geodesics, Layers
from ...contract.questions import Depths, Engine, Prospect, Search, Space, Worth, model_of, unfit
from ...errors import LimitError, UnsupportedError
from ...limits.watch import Watch
from ...model.model import Model
from ..packed.positions import Packing, refusal
from ..packed.switching import switch_if_large

if TYPE_CHECKING:
    from ..packed.front import Front
    from .disk_layers import Spilled
    from .merge import Store


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer (no rules, or positions of more than four words), or None."""
    model = model_of(space)
    return unfit(space) or (refusal(model) if model is not None else None)


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return after how many positions the engine beats slower ones; it is not worthwhile for small depth tables."""
    thresholds = prospect.watch.thresholds
    if isinstance(question, Search):
        return refuses(question.space, "search") or thresholds.attempt_both
    if prospect.bound() <= thresholds.few_placements:
        return "there are few positions, or it is not known how many"
    return refuses(question.space, "depths") or 0


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    return count_layers(question, watch, _switch(watch))


def _switch(watch: Watch) -> int | None:
    """Return from how many generated positions on loops are compiled; None if a limit of positions comes before."""
    switch, left = watch.thresholds.compile_frontier, watch.positions_left
    return None if switch is None or (left is not None and left <= switch) else switch


def count_layers(question: Depths, watch: Watch, switch: int | None) -> Layers:
    """Answer `depths`.

    switch  the number of generated positions from which on compiled kernels are used; None for never
    """
    from ..packed.arrays import Goals, least, positions_of

    model = question.space
    assert isinstance(model, Model)
    packing = packing_of(model, question.sources)
    store = store_of(question)
    front, counts = first_front(model, packing, question.sources, store, watch)
    goals = Goals(question.collect, packing)
    collected: list[tuple[bytes, int]] = []
    stopped = None
    try:
        while front.size:
            counts.append(front.size)
            watch.layer(front.depth, front.size, front.found)
            for piece in front.pieces() if question.collect else ():
                met = goals.among(piece)
                collected += [(p, front.depth) for p in positions_of(packing, least(met, len(met)))]
            if question.wanted is not None and question.wanted.hand(
                front.depth, _listed(packing, front, watch.thresholds.decoded)
            ):
                return Layers(tuple(counts), (), False, watch.generated, watch.seconds, tuple(collected))
            front = advanced(front, store, watch, switch)
            if front.depth < len(counts):
                front.grow(watch)
    except LimitError as error:
        stopped = error
    deepest = tuple(positions_of(packing, front.first(question.kept(counts[-1] if counts else 0, stopped))))
    return Layers(
        tuple(counts), deepest, stopped is None, watch.generated, watch.seconds, tuple(collected), stopped=stopped
    )


def _listed(packing: Packing, front: Front | Spilled, at_once: int) -> Iterator[list[bytes]]:
    """Yield the positions of the last layer, so many at a time."""
    from ..packed.arrays import positions_of

    for piece in front.pieces():
        for first in range(0, len(piece), at_once):
            yield positions_of(packing, piece[first : first + at_once])


def first_front(
    model: Model, packing: Packing, sources: tuple[bytes, ...], store: Store | None, watch: Watch
) -> tuple[Front | Spilled, list[int]]:
    """Return the front to continue with, and the counts of the layers before its last one."""
    from ..packed.front import Front as Grown

    front = Grown(model, packing, tuple(dict.fromkeys(sources)), record=False)
    if store is None or not store.layers:
        return front, []
    from .disk_layers import resumed

    counts = [run.size for _, run in sorted(store.layers.items())]
    return resumed(front, store, watch), counts[:-1]


def advanced(front: Front | Spilled, store: Store | None, watch: Watch, switch: int | None) -> Front | Spilled:
    """Return the front with its next layer; write the last layer first if the store keeps all layers.

    If the front does not fit the memory, or is on disk already, return a front on disk that does not have its next
    layer yet.
    """
    from ..packed.front import Front as Grown

    if not isinstance(front, Grown):
        return front
    try:
        if store is not None and store.keeping:
            _keep(front, store, watch)
        if watch.thresholds.spill_from is None or front.size < watch.thresholds.spill_from:
            switch_if_large(switch, watch.thresholds, front)
            front.grow(watch)
            return front
    except LimitError as error:
        kept = not front.dropped or (store is not None and front.depth - 1 in store.layers)
        if error.kind != "memory" or not kept:
            raise
    from .disk_layers import spill
    from .merge import Store as Temporary

    return spill(front, store or Temporary(watch.thresholds.run_block), watch)


def _keep(front: Front, store: Store, watch: Watch) -> None:
    """Write the last layer unless it is already saved."""
    if front.depth not in store.layers:
        from .merge import write_layer

        write_layer(store, front.depth, front.method, front.layer, front.plan.packing.words, watch)


def store_of(question: Depths) -> Store | None:
    """Return the store of a question whose layers are kept, or None."""
    return getattr(question, "store", None)


def search(question: Search, watch: Watch) -> Geodesics:
    """Find every position on a shortest solution."""
    return find(question, watch, _switch(watch))


def find(question: Search, watch: Watch, switch: int | None) -> Geodesics:
    """Answer `search`; `switch` as in `count_layers`."""
    from ..packed.front import meeting

    model = question.space
    assert isinstance(model, Model)
    ends = (question.start, *(question.goals or ()))
    forward, backward = _fronts(model, question, packing_of(model, ends))
    proved = 0
    try:
        while True:
            depth = proved = forward.depth + (backward.depth if backward else 0)
            layers = meeting(forward, backward, watch.thresholds.parents_at_once)
            if layers:
                return Geodesics(layers, watch.generated, watch.seconds, depth)
            proved = depth + 1
            watch.known.prove(proved)
            side = backward if backward and backward.size < forward.size else forward
            if not side.size:
                return Geodesics((), watch.generated, watch.seconds)
            watch.layer(depth, side.size, forward.found + (backward.found if backward else 0))
            switch_if_large(switch, watch.thresholds, forward, *([backward] if backward else []))
            side.grow(watch)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, proved, error)


def _fronts(model: Model, question: Search, packing: Packing) -> tuple[Front, Front | None]:
    """Return the front from the start, and the one from the goals if they are listed and moves can be taken back."""
    from ..packed.front import Front as Grown

    forward = Grown(model, packing, (question.start,), record=True)
    if question.goals is None or model.backward is None:
        return forward, None
    return forward, Grown(model.backward, packing, question.goals, record=True)


def packing_of(model: Model, ends: tuple[bytes, ...]) -> Packing:
    """Return the packing; raise UnsupportedError if the ends differ in more cells than can be packed."""
    reason = refusal(model, ends)
    if reason:
        raise UnsupportedError(f"engine frontier: {reason}")
    return Packing.of(model, ends)


ENGINE = Engine("frontier", refuses, depths=depths, search=search, speed=10, worth=worth, lists=True)
