"""Whether a count is known to be hopeless before it begins: too large for this machine, or longer than ten minutes.

Cheap checks come first, so that small counts do not wait. What is not known is not called hopeless: the limit of memory
ends such a count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..contract.needs import COUNTLESS, estimated
from ..contract.questions import Depths, Engine, WantedLayers
from ..errors import PuzzlespaceError
from ..limits.machine import spare_memory
from ..limits.watch import Limits, Watch
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from . import choice
from .measuring import default_origin

if TYPE_CHECKING:
    from ..contract.plans import Plan

FEW = 1_000_000
"""Up to this many positions every engine counts in memory, in less than LONG seconds."""

FAST, FASTER = 300_000_000, 5_000_000_000
"""Up to so many positions any table, and one of a sliding puzzle, is counted in about a minute if it fits."""

MANY = 10**12
"""More positions than this, estimated, are not listed layer by layer."""

LONG = 600.0
"""Seconds."""

NUMBERING, PLANNING = 2.0, 10.0
"""Seconds, at most, to find the number of positions without a search, and to plan the count."""

UNIT = 1e-6
"""Seconds that a unit of work takes at most (`contract.needs`)."""


@dataclass(frozen=True)
class Hopeless:
    """A count that is hopeless here.

    positions  that it has
    plan       what it takes; None if there are so many positions that no plan is needed
    memory     whether the memory is too small; else it takes too long
    """

    positions: int
    plan: Plan | None
    memory: bool


def hopeless(
    owner: Puzzle,
    metric: str = "",
    origin: str = "",
    engine: str = "auto",
    last: int | None = None,
    listed: bool = False,
) -> Hopeless | None:
    """Return why a count of depths is hopeless, or None if it may be possible.

    last    the last layer that is wanted, if not all are
    listed  whether the positions of the layers are wanted, which not every engine has
    """
    model = owner.model(metric)
    if 0 < choice.bound(model) <= FEW:
        return None
    try:
        return _hopeless(owner, model, origin or default_origin(model), engine, last, listed)
    except PuzzlespaceError:
        return None  # an error of the question itself is raised by the count


def _hopeless(owner: Puzzle, model: Model, origin: str, engine: str, last: int | None, listed: bool) -> Hopeless | None:
    asked = _question(model, origin)
    if asked is None:
        return None
    asked = replace(asked, wanted=WantedLayers(lambda _, __: None)) if listed else asked
    from ..engines.shared import audit  # loads arrays

    positions = audit.reachable(replace(asked.space, start=asked.sources[0], goals=()), NUMBERING)  # type: ignore[type-var]
    if positions is None or positions <= FEW:
        return None
    first = next(choice.engines_for(asked, Watch(within=None), engine))
    if first.name == "linear" or _fits(asked, first, positions):
        return None
    if last is None and positions > COUNTLESS:
        return Hopeless(positions, None, True)
    from .planning.plan import plan

    engine = first.name if listed else engine
    found = plan(owner, metric=model.metric.name, origin=origin, engine=engine, limits=Limits(seconds=PLANNING))
    return _judged(found, positions, last)


def _question(model: Model, origin: str) -> Depths | None:
    """Return the count from one position; None if it begins at several, or where is not known."""
    space = model if origin == "start" or model.reversible else model.backward
    single = model.goals[0].position if len(model.goals) == 1 else None
    source = single if origin == "goal" and single is not None else model.start
    known = origin == "start" or single is not None or model.reversible
    return Depths(space, (source,), 0) if space is not None and source is not None and known else None


def _fits(asked: Depths, engine: Engine, positions: int) -> bool:
    """Return whether a count surely fits, without a plan."""
    from ..registry import needs_of

    told = needs_of(engine)
    if told is None:
        return True
    space = asked.space
    assert isinstance(space, Model)
    needs = told(space, asked.sources, None)
    spare = spare_memory()
    if needs.table:
        return needs.memory((estimated(positions),)) <= spare and positions <= (FASTER if needs.pieces else FAST)
    sizes, children = (estimated(positions),), float(len(space.rules))
    units = sum(table + position for table, position in needs.work(sizes, children))
    return needs.memory(sizes) <= spare and units * UNIT <= LONG


def _judged(found: Plan, positions: int, last: int | None) -> Hopeless | None:
    """Return why the planned count is hopeless, or None."""
    if not found.positions.exact:
        return None
    if last is not None:
        listed = sum(layer.positions for layer in found.layers[: last + 1])
        return Hopeless(int(listed), found, True) if listed > MANY else None
    in_files = found.where == "files" and found.engine == "table"
    if found.memory.least > found.free and not in_files:
        return Hopeless(positions, found, True)
    return Hopeless(positions, found, False) if found.seconds.least > LONG else None
