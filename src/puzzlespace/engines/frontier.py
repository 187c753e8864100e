"""Breadth-first layers of packed positions: two layers at a time where moves can be undone, all of them otherwise.

Where every move can be undone, a child of layer d lies in layer d - 1, d or d + 1, so older layers are forgotten (frontier
search: Korf, Zhang, Thayer and Hohwald, "Frontier search", JACM 52, 2005). Small searches run on NumPy alone; once
`SWITCH` positions are found the same layers go on in compiled loops on all processor cores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import LimitError
from ..model import Model
from ..result import Depths, Engine, Geodesics, Layers, Search, Space, Watch, model_of
from .packing import Packing, refusal

if TYPE_CHECKING:
    import numpy as np

    from .plan import Plan

SWITCH = 300_000
"""So many positions found are worth the time that the compiler takes to wake up."""


def refuses(space: Space, question: str) -> str | None:
    """Return why it cannot answer: no rules to compile, or positions of more than four words."""
    model = model_of(space)
    return "its moves are Python functions, not rules" if model is None else refusal(model)


class Front:
    """Layers grown from one end. `layer` is the last one, number `depth`; `found` positions so far.

    With `record` all layers are kept in `history`, to walk back.
    """

    def __init__(self, model: Model, packing: Packing, ends: tuple[bytes, ...], record: bool) -> None:
        from .flat import Flat
        from .plan import Plan, packed_keys

        self.model = model
        self.ends = ends
        self.plan = Plan.of(model, packing)
        self.way: Any = Flat()
        self.layer = self.way.wrap(packed_keys(packing, ends))
        self.older = self.way.wrap(packed_keys(packing, ()))
        self.alternates = False
        self.depth = 0
        self.found = self.size
        self.history = [self.layer] if record else None

    @property
    def size(self) -> int:
        """The number of positions in the last layer."""
        return self.way.size(self.layer)

    @property
    def keys(self) -> np.ndarray:
        """The last layer as rows of words."""
        return self.way.keys(self.layer)

    def compile(self, way: Any) -> None:
        """Go on in compiled loops."""
        if self.way.compiled:
            return
        plain, self.way = self.way, way
        self.alternates = self.model.reversible and alternates(self.model, self.ends)
        kept = [way.wrap(plain.keys(layer)) for layer in self.history or [self.layer]]
        self.layer = kept[-1]
        self.older = way.wrap(plain.keys(self.older))
        self.history = kept if self.history else None

    def grow(self, watch: Watch) -> None:
        """Replace the layer by the next one."""
        seen = (self.older,) if self.alternates else (self.older, self.layer)
        new = self.way.following(self.plan, self.layer, seen, watch)
        self.older = self.layer if self.model.reversible else self.way.merge(self.older, self.layer)
        self.layer = new
        self.depth += 1
        self.found += self.size
        if self.history is not None:
            self.history.append(new)


def alternates(model: Model, ends: tuple[bytes, ...]) -> bool:
    """Return whether every rule proves to change the colour of a position, and all ends have one colour."""
    from dataclasses import replace

    from ..facts import bipartite

    if len(ends) != 1 or len(model.rules) * model.cells > 20_000:
        return False
    return bipartite(replace(model, start=ends[0])) is not None


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    return count_layers(question, watch, SWITCH)


def count_layers(question: Depths, watch: Watch, switch: int | None) -> Layers:
    """Answer `depths`; `switch` positions found start the compiled loops (None: never)."""
    from .plan import Goals, least, positions_of

    model = question.space
    assert isinstance(model, Model)
    packing = Packing.of(model, question.sources)
    front = Front(model, packing, tuple(dict.fromkeys(question.sources)), record=False)
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
            wake(switch, watch, front)
            front.grow(watch)
    except LimitError as error:
        stopped = error
    deepest = tuple(positions_of(packing, least(last, question.keep)))
    return Layers(
        tuple(counts), deepest, stopped is None, watch.generated, watch.seconds, tuple(collected), stopped=stopped
    )


def wake(switch: int | None, watch: Watch, *fronts: Front) -> None:
    """Let the fronts go on in compiled loops once they have found `switch` positions."""
    if switch is not None and not fronts[0].way.compiled and sum(front.found for front in fronts) >= switch:
        from .compiled import Compiled

        way = Compiled()
        for front in fronts:
            front.compile(way)


ENGINE = Engine("frontier", refuses, depths=depths)
