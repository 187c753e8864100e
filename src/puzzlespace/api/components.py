"""The components of a puzzle's placement space: listed placement by placement, or from tables, groups or parity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..analysis import alike, impossible
from ..analysis.impossible import Components, Group
from ..contract.questions import Depths
from ..limits.machine import has_arrays
from ..limits.watch import Limits, Progress, Watch, phase, watched
from ..model.facts import parities
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from . import dispatch, faults, loader
from .arguments import checked
from .clock import drawing
from .planning.positions import ORBIT, reachable

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
    found = _counted(model, watch) or _apart(model) or _listed(model, groups, watch)
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
    """Return the components if depth tables tell their sizes, or what pieces and moves are; else None."""
    bound = impossible.placement_count(model)
    if bound <= ONE_AT_LEAST or not model.reversible:
        return None

    def size(position: bytes, most: int) -> int | None:
        return _reached(model, (position,), watch) if bound < ONE_AT_MOST else proved_size(model, position, most)

    found = alike.components(model, watch, size)
    if found is not None:
        return found
    if size(impossible.anchor(model), bound) != bound:
        return None
    return Components(bound, ((bound, 1),), 0, bound if model.goals else None)


def proved_size(model: Model, position: bytes, most: int) -> int | None:
    """Return how many positions can be reached if that is proved without a search, else None.

    most  the number of placements that can be reached if pieces that every rule treats alike are one kind

    Generators of the group of the moves that were found prove that so many positions at least are reached. No more are
    if these are all, or half of them and an exchange of two pieces that every rule treats alike changes an invariant.
    """
    least = reachable(model, position)
    if least == most:
        return most
    if least is None or 2 * least != most:
        return None
    exchanged = [alike.exchanged(position, *found[:2]) for found in alike.alike(model)]
    kept = parities(replace(model, start=position, goals=()), 0)
    halved = any(parity.value(position) != parity.value(other) for parity in kept for other in exchanged)
    return least if halved else None


def _apart(model: Model) -> Components | None:
    """Return the components of all ways to put the pieces together, if there are too many placements to list."""
    if not has_arrays() or impossible.placement_count(model) <= impossible.MOST_PLACEMENTS:
        return None
    from ..ranking.wreath import taken_apart  # loads arrays

    position = impossible.anchor(model)
    found = taken_apart(model, position, ORBIT)
    if found is None or found.size == 1:
        return None
    solvable = found.size if [goal.position for goal in model.goals] == [position] else None
    sizes = ((found.size, found.ways // found.size),)
    return Components(found.ways, sizes, 0, solvable, found.pieces)


def _reached(model: Model, sources: tuple[bytes, ...], watch: Watch) -> int:
    """Return how many positions can be reached; raise LimitError if a limit stops the count."""
    with watch.known.aside():
        _, layers = dispatch.depths(Depths(model, sources, 0), watch)
    if layers.stopped is not None:
        raise layers.stopped
    return sum(layers.counts)
