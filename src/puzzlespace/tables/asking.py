"""The engine that answers from a finished table of any kind, after it has checked that the table fits the question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from ..analysis.impossible import goal_positions
from ..contract.answers import Geodesics, Layers
from ..contract.questions import Depths, Engine, Search, Space, WantedLayers
from ..errors import LimitError, UnsupportedError
from ..limits.watch import Watch
from ..model.model import Model

MOST_GOALS, MOST_TRIED = 2_000_000, 100_000_000
"""The most goal positions that are compared with the sources of a table, and the most steps to list them."""


class KeptTable(Protocol):
    """A finished table of a model.

    counted  the model whose moves the table counts: the model, or the model with its moves taken back
    counts   the number of positions at each depth, compared with the data
    sources  the positions to which, or from which, it measures
    hardest  the first positions of the last layer, sorted
    """

    folder: Path
    model: Model
    sources: tuple[bytes, ...]

    @property
    def counts(self) -> tuple[int, ...]: ...

    @property
    def counted(self) -> Model: ...

    @property
    def hardest(self) -> tuple[bytes, ...]: ...

    def holds(self, positions: Sequence[bytes]) -> list[bool]:
        """Return for each position whether the table contains it as reachable."""
        ...

    def layers(self, position: bytes, every: bool) -> Iterator[frozenset[bytes]]:
        """Yield the positions on shortest paths to the sources, layer by layer; on one path only unless `every`."""
        ...


def answering_engine(
    table: KeptTable,
    name: str,
    counting: Callable[[Depths, Watch], Layers],
    rows: Callable[[int], Iterator[Any]] | None = None,
) -> Engine:
    """Return the engine that answers from a table, under the name of the engine that made it.

    counting  how depths are counted again if single positions are to be collected
    rows      yields the positions at a depth as rows of symbols, some at a time; None: layers are counted again
    """

    def search(question: Search, watch: Watch) -> Geodesics:
        assert isinstance(question.space, Model)
        goals = goal_positions(question.space, MOST_GOALS, tried=MOST_TRIED)
        if goals is None:
            raise UnsupportedError(f"{table.folder}: the goal has too many positions to compare them with the table's")
        _check_goals(table, goals, question.start)
        if not table.holds([question.start])[0]:
            return Geodesics((), 0, watch.seconds)
        layers = tuple(table.layers(question.start, getattr(question, "every", True)))
        watch.tick(sum(map(len, layers)), len(layers) - 1)
        return Geodesics(layers, watch.generated, watch.seconds, len(layers) - 1)

    def depths(question: Depths, watch: Watch) -> Layers:
        wanted = question.wanted
        if question.collect or (wanted is not None and (rows is None or not _answers(table, question))):
            return counting(question, watch)
        _check_sources(table, question)
        if wanted is not None and rows is not None:
            return _walked(table, rows, wanted, question.keep, watch)
        return Layers(table.counts, table.hardest[: question.keep], True, 0, watch.seconds)

    def goal_depths(question: Depths, watch: Watch) -> Layers:
        assert isinstance(question.space, Model)
        goals = goal_positions(question.space)
        if goals is None:
            with watch.known.aside():  # its layers are from the sources, not from the goals
                counted = counting(replace(question, keep=0, wanted=None), watch)
            if counted.stopped is not None:
                return replace(counted, counts=(), collected=())
            goals = tuple(position for position, _ in counted.collected)
        elif all(table.holds(question.sources)):
            goals = tuple(goal for goal, held in zip(goals, table.holds(goals), strict=True) if held)
        else:
            goals = ()
        watch.known.collected = tuple((goal, 0) for goal in goals)
        found = depths(Depths(question.space, goals, question.keep, wanted=question.wanted), watch)
        return replace(found, collected=watch.known.collected)

    refuses = partial(_refuses, table)
    ranks = name == "table"
    return Engine(
        name, refuses, depths=depths, search=search, goal_depths=goal_depths, lists=True, devices=ranks,
        lawful=not ranks,
    )  # fmt: skip


def _refuses(table: KeptTable, space: Space, question: str) -> str | None:
    known = (table.model.fingerprint, table.counted.fingerprint)
    if not isinstance(space, Model) or space.fingerprint not in known:
        return "the table is of another puzzle"
    return None


def _walked(
    table: KeptTable, rows: Callable[[int], Iterator[Any]], wanted: WantedLayers, keep: int, watch: Watch
) -> Layers:
    """Return the layers of a table, after those that are wanted were handed over."""
    for depth, size in enumerate(table.counts):
        try:
            watch.layer(depth, size, sum(table.counts[: depth + 1]))
            if wanted.hand(depth, rows(depth)):
                return Layers(table.counts[: depth + 1], (), False, 0, watch.seconds)
        except LimitError as limit:
            return Layers(table.counts[: depth + 1], (), False, 0, watch.seconds, stopped=limit)
    return Layers(table.counts, table.hardest[:keep], True, 0, watch.seconds)


def _answers(table: KeptTable, question: Depths) -> bool:
    """Return whether the layers of the table are those of the question."""
    try:
        _check_sources(table, question)
    except UnsupportedError:
        return False
    return True


def _check_sources(table: KeptTable, question: Depths) -> None:
    """Raise UnsupportedError if the table has other sources than the question, or lists too few hardest positions."""
    asked = question.space
    if not isinstance(asked, Model) or asked.fingerprint != table.counted.fingerprint:
        raise UnsupportedError(f"{table.folder}: this table does not measure what is asked for (origin=?)")
    if set(question.sources) != set(table.sources):
        raise UnsupportedError(f"{table.folder}: this table does not measure from the positions asked for (origin=?)")
    if len(table.hardest) < min(question.keep, table.counts[-1]):
        raise UnsupportedError(f"{table.folder}: this table lists {len(table.hardest):,} hardest positions at most")


def _check_goals(table: KeptTable, asked: Sequence[bytes], start: bytes) -> None:
    """Raise UnsupportedError if the goals asked for are not what the table measures to.

    Goals that the table does not list do not matter if it holds the start and not them: they cannot be reached.
    """
    goals, sources = set(asked), set(table.sources)
    if not sources <= goals:
        raise UnsupportedError(f"{table.folder}: this table does not measure to the goal asked for")
    others = sorted(goals - sources)
    if others and not table.holds([start])[0]:
        raise UnsupportedError(f"{table.folder}: the position lies outside of this table")
    if any(table.holds(others)):
        raise UnsupportedError(f"{table.folder}: this table does not measure to all goals asked for")
