"""Depth tables of puzzles with rules, and the goal positions or the start that they measure from.

docs/format.md says which goal positions distances are measured to ('What exactly is counted').
"""

from __future__ import annotations

from collections.abc import Iterable

from ..analysis import impossible
from ..contract.answers import DepthTable, Layers, Measured
from ..contract.questions import Depths, Engine, Space, WantedLayers
from ..errors import InputError, LimitError, UnsupportedError
from ..limits.watch import Watch, phase
from ..model.custom import Custom
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from . import dispatch
from .cached import CachedTable

MOST_GOALS, MOST_TRIED = 2_000_000, 100_000_000
"""The most goal positions that distances are measured to, and the most steps to list them."""


def default_origin(model: Model) -> str:
    """Return 'goal' if there is one, and every move can be undone or there is no start; else 'start'."""
    return "goal" if model.goals and (model.reversible or model.start is None) else "start"


def measured(
    owner: Puzzle,
    space: Model,
    origin: str,
    keep: int,
    watch: Watch,
    engine: str | Engine,
    cached: CachedTable | None = None,
    wanted: WantedLayers | None = None,
    device: str = "auto",
) -> DepthTable:
    """Return the depth table of a puzzle with rules, with up to `keep` of its hardest positions, not yet in classes.

    cached  the table in the cache folder that may answer
    wanted  the layers whose positions are wanted
    device  where to count, see `Depths`
    Raises InputError if the start or goal to measure from is missing, UnsupportedError if distances to the goal cannot
    be measured.
    """
    if origin == "start":
        if space.start is None:
            raise InputError(f"{owner.name}: expected a start to measure from, found none")
        layers = dispatch.depths(
            Depths(space, (space.start,), keep, wanted=wanted, device=device), watch, engine, cached
        )
        return table_of(layers, origin, space, watch)
    if space.backward is None:
        raise UnsupportedError("distances to the goal need moves that can be traced back; measure from the start")
    if space.start is not None and _choice_of_goals(space):
        asked = Depths(space, (space.start,), keep, space.goals, wanted, device=device)
        answer = dispatch.goal_depths(asked, watch, engine, cached)
        if answer is not None:
            reached = (position for position, _ in answer[1].collected)
            target = _measured_to(space, reached, len(answer[1].collected), True)
            return table_of(answer, origin, space, watch, target)
    try:
        with watch.known.aside():  # layers from the start are none of the answer
            sources, reached = _goal_sources(owner, space, watch, engine, device)
    except LimitError as error:
        name = engine if isinstance(engine, str) else engine.name
        return DepthTable((), origin, metric_of(space), (), False, True, name, watch.generated, watch.seconds, error)
    question = Depths(space if space.reversible else space.backward, sources, keep, wanted=wanted, device=device)
    layers = dispatch.depths(question, watch, engine, cached)
    return table_of(layers, origin, space, watch, _measured_to(space, sources, len(sources), reached))


def _measured_to(model: Model, positions: Iterable[bytes], number: int, reached: bool | None) -> Measured:
    """Return a description of the `number` goal positions that distances are measured to."""
    unmet = dict(enumerate(model.goals, 1))
    for position in positions:
        if not unmet:
            break
        unmet = {order: goal for order, goal in unmet.items() if not goal.holds(position)}
    return Measured(len(model.goals), number, reached, tuple(unmet))


def _choice_of_goals(model: Model) -> bool:
    """Return whether the goal positions that count depend on the start's component."""
    single = [goal.position for goal in model.goals]
    return model.reversible and (len(single) > 1 or None in single)


def _goal_sources(
    owner: Puzzle, model: Model, watch: Watch, engine: str | Engine, device: str
) -> tuple[tuple[bytes, ...], bool | None]:
    """Return the goal positions to measure to, and whether the start reaches them (None: not known)."""
    if not model.goals:
        raise InputError(f"{owner.name}: expected a goal to measure to, found none")
    reached = None
    if model.start is not None and _choice_of_goals(model):
        _, layers = dispatch.depths(Depths(model, (model.start,), 0, model.goals, device=device), watch, engine)
        if layers.stopped is not None:
            raise layers.stopped
        if layers.collected:
            return tuple(position for position, _ in layers.collected), True
        reached = False
    with phase("the goal positions were listed"):
        goals = impossible.goal_positions(model, MOST_GOALS, tried=MOST_TRIED)
    if not goals:
        forbidden = None if goals is None else impossible.every_goal_forbidden(model, goals)
        none = "no way of placing the pieces meets a goal" if forbidden is None else forbidden.text
        none = "the goal positions cannot be listed" if goals is None else none
        raise UnsupportedError(f"{owner.name}: {none}; measure from the start")
    return goals, reached


def table_of(
    answer: tuple[str, Layers], origin: str, space: Space, watch: Watch, measured: Measured | None = None
) -> DepthTable:
    """Return an engine's layers as a depth table; `answer` is the engine's name with its layers."""
    name, layers = answer
    return DepthTable(
        layers.counts, origin, metric_of(space), tuple(layers.deepest), layers.complete, layers.exact, name,
        watch.generated, watch.seconds, layers.stopped, measured=measured,
    )  # fmt: skip


def custom_depths(space: Custom, origin: str) -> Depths:
    """Return the question for the depths of a puzzle written in Python; raise UnsupportedError if a part is missing."""
    if origin != "goal":
        return Depths(space, (space.start,))
    if space.backward is None:
        raise UnsupportedError(f"{space.name}: distances to the goal need back=, the positions one move before another")
    if space.goals is None:
        raise UnsupportedError(f"{space.name}: distances to the goal need a position as goal=, found a function")
    return Depths(space.backward, space.goals)


def metric_of(space: Space) -> str:
    """Return the name of the metric."""
    return space.metric.name if isinstance(space, Model) else "step"
