"""Breadth-first search for few pieces on a large board, such as the robots of Ricochet Robots; docs/methods/gliders.md.

A position is one word: the cells of the pieces. A move takes one piece from its cell to a cell that depends on the
nearest other piece in its way, which is looked up. Moves need not be possible to undo.

`structure.glides` reads the rules, `layers` searches from the start, `meeting` from both ends with lower bounds.
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
    unfit,
)
from ...errors import LimitError, UnsupportedError
from ...limits.watch import Watch
from ...model.model import Model

if TYPE_CHECKING:
    from ...structure.glides import Reading


def _known(model: Model) -> Reading | str:
    from ...structure.glides import read

    return "the pieces are not known" if model.anchor is None else read(model, model.anchor)


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer, or None."""
    model = model_of(space)
    if model is None or unfit(space):
        return unfit(space)
    if model.metric.after:
        return "its moves are made of several rules"
    from .meeting import placed

    found = _known(model)
    if isinstance(found, str):
        return found
    if found.width > 1 and (question == "depths" or not model.goals or placed(model.goals, found) is None):
        return "its pieces do not fit a word, and the goals do not say where each piece is"
    return None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return how many positions plain Python may generate before, or why other engines are as fast."""
    model = model_of(question.space)
    if model is None or all(rule.motion is None or not rule.motion.whole for rule in model.rules):
        return Worth(reason="its moves are steps, and other engines are as fast")
    if isinstance(question, Search):
        return Worth.unless(refuses(model, "search"), prospect.watch.thresholds[ATTEMPT_LOADED])
    return Worth.unless(prospect.few(FEW_PLACEMENTS) or refuses(model, "depths"))


def reading_of(model: Model, position: bytes) -> Reading:
    """Return the pieces of a position and their tracks; raise UnsupportedError if the rules are others."""
    from ...structure.glides import Reading, read

    known = _known(model)
    found = known if isinstance(known, Reading) and known.fits(position) else read(model, position)
    if isinstance(found, str):
        raise UnsupportedError(f"engine gliders: {found}")
    return found


def search(question: Search, watch: Watch) -> Geodesics:
    """Return the positions on shortest solutions: on all if the question asks for every, else on one."""
    from ...search.layers import find
    from .layers import Gliders
    from .meeting import placed, solve

    model = question.model
    if model.is_goal(question.start):
        return Geodesics((frozenset([question.start]),), 0, watch.seconds, 0)
    try:
        reading = reading_of(model, question.start)
        run = Gliders(model, reading, (question.start,), model.goals, watch, first_goal=not question.every)
        ends = placed(model.goals, reading)
        found = solve(run, question.start, ends, question.every) if ends is not None else None
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, error.bound, error)
    if found is not None:
        return Geodesics(found[0], watch.generated, watch.seconds, found[1])
    return find(question, watch, run)


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    from ...search.layers import count
    from .layers import Gliders

    model = question.model
    reading = reading_of(model, question.sources[0])
    if any(symbol == reading.blank for _, symbol in question.arrivals):
        raise UnsupportedError("engine gliders: expected pieces to arrive, found the blank")
    try:
        run = Gliders(model, reading, question.sources, question.collect, watch)
    except LimitError as error:
        return Layers((), (), False, watch.generated, watch.seconds, stopped=error)
    return count(run, question, watch)


ENGINE = Engine("gliders", refuses, depths=depths, search=search, speed=300, worth=worth, lists=True, arrivals=True)
