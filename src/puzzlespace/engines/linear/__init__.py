"""Moves that add: shortest solutions and depth counts by linear algebra, without a search; docs/methods/linear.md.

If no move carries a symbol from one cell to another, and every move adds a constant to each cell modulo a prime m (two
for lamps), the order of moves does not matter. A solution is then a solution of a system of linear equations, and a
shortest one has the least weight among them.

`structure.additions` reads the moves, `systems` solves equations, `solutions` searches, `counts` counts depths.
"""

from __future__ import annotations

from ...contract.answers import Geodesics, Layers
from ...contract.questions import (
    ATTEMPT_EASY,
    SOME_PLACEMENTS,
    Depths,
    Engine,
    Prospect,
    Search,
    Space,
    Worth,
    model_of,
    unfit,
)
from ...limits.watch import Watch
from ...model.model import Model
from ...structure.quick import no_additions


def refuses(space: Space, question: str) -> str | None:
    """Return why this engine cannot answer, or None."""
    model = model_of(space)
    if model is None or model.anchor is None:
        return "there is no position to which moves could add"
    if model.metric.free:
        return unfit(space)
    return no_additions(model) or _refusal(model, model.anchor, question)


def _refusal(model: Model, origin: bytes, question: str) -> str | None:
    """Return why listed moves are not additions to a position that can be solved or counted, or None."""
    if question == "depths":
        from .counts import begins, kinds_of

        kinds = kinds_of(model, origin)
        return kinds if isinstance(kinds, str) and not begins(model, origin) else None
    from .systems import systems_of

    found = systems_of(model, origin)
    return found if isinstance(found, str) else None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return after how many positions algebra is faster than a search, or why there is no algebra or no need of it."""
    model, by = question.space, prospect.watch.thresholds
    if not isinstance(model, Model):
        return Worth(reason="there is no position to which moves could add")
    if isinstance(question, Search):
        return Worth.unless(no_additions(model) or _refusal(model, question.start, "search"), by[ATTEMPT_EASY])
    if prospect.bound() <= by[SOME_PLACEMENTS]:
        return Worth(reason="tables of so few positions are as fast")
    if len(question.sources) != 1:
        return Worth(reason="there are several sources")
    return Worth.unless(no_additions(model) or _refusal(model, question.sources[0], "depths"))


def search(question: Search, watch: Watch) -> Geodesics:
    """Return the shortest solutions: all positions on them if they are few, else one solution and their number."""
    from .solutions import search as found

    return found(question, watch)


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from one source. Raises UnsupportedError if algebra does not count them."""
    from .counts import depths as counted

    return counted(question, watch)


ENGINE = Engine("linear", refuses, depths=depths, search=search, speed=20_000, worth=worth)
