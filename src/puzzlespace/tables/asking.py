"""An engine that answers from a finished table of any kind, once it is sure that the table measures what is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from ..contract.answers import Geodesics, Layers
from ..contract.questions import Depths, Engine, Search, Space
from ..errors import UnsupportedError
from ..limits.watch import Watch
from ..model.model import Model


class KeptTable(Protocol):
    """A finished table of a model.

    counted  the model whose moves it counts: the model, or its moves taken back
    counts   positions at each depth, checked against what the table holds
    sources  the positions that it measures to, or from
    hardest  the first positions of the last layer, in order
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
        """Return of each position whether the table reaches it."""
        ...

    def layers(self, position: bytes, every: bool) -> Iterator[frozenset[bytes]]:
        """Yield the positions on the shortest ways to the sources, by distance; one way only unless `every`."""
        ...


def asker(table: KeptTable, name: str, counting: Callable[[Depths, Watch], Layers]) -> Engine:
    """Return the engine that answers from a table, called as the one that made it.

    counting  how depths are counted again where single positions are to be collected
    """

    def search(question: Search, watch: Watch) -> Geodesics:
        _check_goals(table, question)
        if not table.holds([question.start])[0]:
            return Geodesics((), 0, watch.seconds)
        layers = tuple(table.layers(question.start, getattr(question, "every", True)))
        watch.tick(sum(map(len, layers)), len(layers) - 1)
        return Geodesics(layers, watch.generated, watch.seconds, len(layers) - 1)

    def depths(question: Depths, watch: Watch) -> Layers:
        if question.collect:
            return counting(question, watch)
        _check_sources(table, question)
        return Layers(table.counts, table.hardest[: question.keep], True, 0, watch.seconds)

    return Engine(name, lambda space, question: _refuses(space, table), depths=depths, search=search)


def _refuses(space: Space, table: KeptTable) -> str | None:
    known = (table.model.fingerprint, table.counted.fingerprint)
    if not isinstance(space, Model) or space.fingerprint not in known:
        return "the table is of another puzzle"
    return None


def _check_sources(table: KeptTable, question: Depths) -> None:
    """Raise UnsupportedError where a table does not measure from the positions asked for, or lists fewer than asked."""
    asked = question.space
    if not isinstance(asked, Model) or asked.fingerprint != table.counted.fingerprint:
        raise UnsupportedError(f"{table.folder}: this table does not measure what is asked for (--from?)")
    if set(question.sources) != set(table.sources):
        raise UnsupportedError(f"{table.folder}: this table does not measure from the positions asked for (--from?)")
    if len(table.hardest) < min(question.keep, table.counts[-1]):
        raise UnsupportedError(f"{table.folder}: this table lists {len(table.hardest):,} hardest positions at most")


def _check_goals(table: KeptTable, question: Search) -> None:
    """Raise UnsupportedError where the goals asked for are not what the table measures to.

    Goals that the table does not list are no matter where it holds the start and not them: they cannot be reached.
    """
    goals, sources = set(question.goals or ()), set(table.sources)
    if not sources <= goals:
        raise UnsupportedError(f"{table.folder}: this table does not measure to the goal asked for")
    others = sorted(goals - sources)
    if others and not table.holds([question.start])[0]:
        raise UnsupportedError(f"{table.folder}: the position lies outside of this table")
    if any(table.holds(others)):
        raise UnsupportedError(f"{table.folder}: this table does not measure to all goals asked for")
