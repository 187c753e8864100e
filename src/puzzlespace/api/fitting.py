"""How many positions of each layer fit a pattern: engines hand over the layers, and their positions are tested."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from ..contract.answers import DepthTable, Fitting
from ..contract.questions import WantedLayers
from ..errors import InputError, SelfCheckError, plural
from ..limits.watch import checkpoint, paced
from ..model.arrays import Arrays
from ..model.custom import Custom
from ..model.goal import Goal
from ..puzzle.puzzle import Puzzle
from .positions import is_given, read_goal, with_goal

AT_ONCE = 1 << 16
"""Rows that are tested between two checks of the limits."""


def tally_of(puzzle: Puzzle | Custom, metric: str, only: Any) -> Tally | None:
    """Return a tally of the positions that fit a pattern, or one of a list of patterns; None for ''.

    only  what `with_goal` takes; of a puzzle with rules also a list of these
    Raises InputError for an empty list, and what `with_goal` raises.
    """
    if not is_given(only):
        return None
    if isinstance(puzzle, Custom):
        asked = with_goal(puzzle, only)
        return Tally(asked.met if isinstance(asked, Arrays) else None, asked.is_goal, asked)
    several = only if isinstance(only, list | tuple) else [only]
    if not several:
        raise InputError("only: expected a pattern, found an empty list")
    goals = tuple(read_goal(puzzle, each, "only") for each in several)
    goals = replace(puzzle, goals=goals).model(metric).goals
    return Tally(lambda rows: _any(rows, goals), lambda position: any(goal.holds(position) for goal in goals))


def _any(rows: Any, goals: Sequence[Goal]) -> Any:
    from ..engines.shared.draws import fits  # only counts with arrays need it

    met = fits(rows, goals[0])
    for goal in goals[1:]:
        met |= fits(rows, goal)
    return met


class Tally:
    """Counts the positions of layers that fit.

    many    tests rows: bool [n]; None if only single positions can be tested
    one     tests a position
    space   a puzzle written in Python; None for one with rules
    wanted  what engines hand over
    """

    def __init__(
        self, many: Callable[[Any], Any] | None, one: Callable[[Any], bool], space: Custom | None = None
    ) -> None:
        self.many, self.one = many, one
        self.listed = space if isinstance(space, Arrays) else None
        self.wanted = WantedLayers(self.take, begin=self.begin)
        self.begin()

    def begin(self) -> None:
        """Forget all layers: an engine begins to count."""
        self.seen: dict[int, int] = {}
        self.found: dict[int, int] = {}

    def take(self, depth: int, blocks: Iterable[Any]) -> None:
        """Count the positions of a layer, or of a part of it."""
        for block in blocks:
            if isinstance(block, list):
                block = self.listed.rows(block) if self.listed is not None and block else block
            found = self._in_list(block) if isinstance(block, list) else self._in_rows(block)
            self.found[depth] = self.found.get(depth, 0) + found
            self.seen[depth] = self.seen.get(depth, 0) + len(block)

    def _in_list(self, block: list[Any]) -> int:
        return sum(1 for position in paced(block) if self.one(position))

    def _in_rows(self, block: Any) -> int:
        assert self.many is not None
        found = 0
        for first in range(0, len(block), AT_ONCE):
            checkpoint()
            found += int(self.many(block[first : first + AT_ONCE]).sum())
        return found

    def of(self, counts: Sequence[int]) -> Fitting:
        """Return what fits in the layers of these sizes that were looked at to their ends."""
        whole = takewhile(lambda layer: self.seen.get(layer[0], 0) == layer[1], enumerate(counts))
        return Fitting(tuple(self.found.get(depth, 0) for depth, _ in whole))

    def checked(self, table: DepthTable) -> Fitting:
        """Return what fits in a table. Raises SelfCheckError if an engine did not hand over all positions."""
        found = self.of(table.counts)
        depth = len(found.counts)
        if table.complete and depth < len(table.counts):
            counted = plural(table.counts[depth], "position")
            text = f"{counted} at depth {depth}, handed over were {self.seen.get(depth, 0):,}"
            raise SelfCheckError(f"engine {table.engine}: counted {text}")
        return found
