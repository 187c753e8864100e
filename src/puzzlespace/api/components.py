"""The components of a puzzle's placement space: listed placement by placement, or from depth tables and groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..analysis import alike, impossible
from ..analysis.impossible import Components, Group
from ..contract.questions import Depths
from ..limits.watch import Limits, Progress, Watch, phase, watched
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from . import dispatch, faults, loader
from .arguments import checked
from .clock import drawing

ONE_AT_LEAST, ONE_AT_MOST = 100_000, 10**9
"""Between these numbers of placements depth tables are tried first, because they may reach them all."""


@checked
@drawing
def components(
    puzzle: Puzzle | str | Path, *, limits: Limits = Limits(), progress: Callable[[Progress], None] | None = None
) -> tuple[Components, tuple[Group, ...]]:
    """Return the components of the whole placement space, and the groups of cells that only exchange with each other.

    Raises UnsupportedError if the space is too large to list and is not a product of groups either, LimitError at a
    limit.

    >>> every, groups = components("slide:3x2")
    >>> every.positions, every.solvable
    (720, 360)
    """
    with watched(limits, progress) as watch:
        return _components(puzzle, watch)


def _components(puzzle: Puzzle | str | Path, watch: Watch) -> tuple[Components, tuple[Group, ...]]:
    owner = loader.puzzle_of(puzzle, "components")
    with phase("the model was built"):
        model = owner.model()
    with phase("groups of cells were sought"):
        groups = impossible.groups(model)
    found = _counted(model, watch) or _listed(model, groups, watch)
    faults.report(owner, model.metric.name, watch.faults)
    return found, groups


def _listed(model: Model, groups: tuple[Group, ...], watch: Watch) -> Components:
    """Return the components of a space listed position by position, or from its groups if it is too large."""
    large = impossible.placement_count(model) > impossible.MOST_PLACEMENTS
    if not large or not groups or not all(group.sizes for group in groups):
        return impossible.components(model, watch)
    found = impossible.group_components(model, groups)
    goals = impossible.goal_positions(model) if model.reversible else None
    return replace(found, solvable=_reached(model, goals, watch) if goals else None)


def _counted(model: Model, watch: Watch) -> Components | None:
    """Return the components if depth tables tell their sizes, else None."""
    bound = impossible.placement_count(model)
    if not ONE_AT_LEAST < bound < ONE_AT_MOST or not model.reversible:
        return None

    def size(position: bytes) -> int:
        return _reached(model, (position,), watch)

    found = alike.components(model, watch, size)
    if found is not None:
        return found
    if size(impossible.anchor(model)) < bound:
        return None
    return Components(bound, ((bound, 1),), 0, bound if model.goals else None)


def _reached(model: Model, sources: tuple[bytes, ...], watch: Watch) -> int:
    """Return how many positions can be reached; raise LimitError if a limit stops the count."""
    with watch.known.aside():
        _, layers = dispatch.depths(Depths(model, sources, 0), watch)
    if layers.stopped is not None:
        raise layers.stopped
    return sum(layers.counts)
