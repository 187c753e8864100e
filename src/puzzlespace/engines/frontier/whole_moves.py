"""Moves that go on until no piece can move, as moves after which the rest happens by itself.

A metric that `exhausts` makes the rules of one group again and again. Here a move only marks its group, in a few cells
that the position has besides its own; the rules of the marked group are then a stage, and so is taking the mark away.
Between moves nothing is marked. Both mean the same where the order of the rules of a group does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...contract.answers import Geodesics, Layers
from ...contract.questions import Depths, Search, WantedLayers
from ...limits.watch import Watch, paced
from ...model.goal import Goal
from ...model.metric import Metric, Stage
from ...model.model import Model
from ...model.rule import Rule, only
from ...search.layers import Collected


@dataclass(frozen=True)
class Marked:
    """A model of `cells` cells, with further ones for marks: all blank (symbol 0) between moves."""

    model: Model
    cells: int

    @property
    def marks(self) -> int:
        """The number of cells for marks."""
        return self.model.cells - self.cells

    @classmethod
    def of(cls, model: Model) -> Marked:
        """Return the form of a model whose metric exhausts."""
        bare = model.bare.kept(_marked)
        goals = tuple(bare.goal(goal) for goal in model.goals)
        start = None if model.start is None else bare.entered(model.start)
        return replace(bare, model=replace(bare.model, start=start, goals=goals))

    def entered(self, position: Any) -> bytes:
        """Return a position with its marks."""
        return position + bytes(self.marks)

    def left(self, position: Any) -> bytes:
        """Return a position without its marks."""
        return position[: self.cells]

    def goal(self, goal: Goal) -> Goal:
        """Return a goal with nothing marked."""
        counts = tuple((symbol, count + (0 if symbol else self.marks)) for symbol, count in goal.counts)
        return Goal((*goal.need, *[only(0)] * self.marks), counts, goal.sentence)

    def depths(self, question: Depths) -> Depths:
        """Return the question for this model."""
        wanted = question.wanted
        return replace(
            question, space=self.model, sources=tuple(map(self.entered, question.sources)),
            collect=tuple(map(self.goal, question.collect)),
            wanted=None if wanted is None else replace(wanted, take=self._taken(wanted)),
        )  # fmt: skip

    def _taken(self, wanted: WantedLayers) -> Any:
        def blocks(given: Iterable[Any]) -> Iterable[Any]:
            for block in given:
                bare = isinstance(block, np.ndarray)
                yield block[:, : self.cells] if bare else list(map(self.left, paced(block)))

        return lambda depth, given: wanted.take(depth, blocks(given))

    def layers(self, found: Layers, watch: Watch) -> Layers:
        """Return an answer for the model whose form this is."""
        arrivals = {pair: (depth, self.left(position)) for pair, (depth, position) in found.arrivals.items()}
        watch.known.arrivals.update(arrivals)
        collected = found.collected
        if isinstance(collected, Collected):
            leave = collected.leave
            collected = Collected(lambda words: list(map(self.left, leave(words))), collected.layers)
        return replace(found, deepest=tuple(map(self.left, found.deepest)), collected=collected, arrivals=arrivals)

    def search(self, question: Search) -> Search:
        """Return the question for this model."""
        goals = question.goals and tuple(map(self.entered, question.goals))
        return replace(question, space=self.model, start=self.entered(question.start), goals=goals)

    def ways(self, found: Geodesics) -> Geodesics:
        """Return an answer for the model whose form this is."""
        return replace(found, layers=tuple(frozenset(map(self.left, layer)) for layer in found.layers))


def _marked(model: Model) -> Marked:
    groups = list(dict.fromkeys(model.followers))
    marks = len(groups).bit_length()
    cells = range(model.cells, model.cells + marks)
    begin, steps = list[Rule](), list[Rule]()
    for number, group in enumerate(groups, 1):
        mark = [number >> bit & 1 for bit in range(marks)]
        begin.append(Rule.put(model.rules[group[0]].name, cells, [0] * marks, mark, model.symbols))
        for rule in paced(model.rules[each] for each in group):
            size = len(rule.cells)
            steps.append(
                Rule(
                    rule.name, (*rule.cells, *cells), (*rule.need, *map(only, mark)),
                    (*rule.source, *range(size, size + marks)), (*rule.table, *[None] * marks),
                )
            )  # fmt: skip
    end = [Rule.put("end", [cell], [1], [0], model.symbols) for cell in cells]
    first = len(begin) + len(steps)
    stages = Stage(tuple(range(len(begin), first))), Stage(tuple(range(first, first + marks)))
    metric = Metric(model.metric.name, automatic=stages)
    return Marked(Model(model.cells + marks, model.symbols, (*begin, *steps, *end), metric), model.cells)
