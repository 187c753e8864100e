"""Depth tables by unrank, move, rank: for all rankings and rules, and the reference for the faster kinds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...contract.answers import Layers
from ...contract.questions import Depths
from ...limits.thresholds import USUAL, Thresholds
from ...limits.watch import Watch, paced
from ...model.effects import allowed
from ...model.model import Model
from ...ranking.find import MOST_LISTED, find
from ...ranking.numbering import Ranking
from . import OneBit
from .counting import Task, spans
from .one_bit import Ordered, Sets, count_layers, one_bit
from .rank_program import fits, rank_code

if TYPE_CHECKING:
    from ...kernels.table.ranks import RuleTable

ASKED = Thresholds({MOST_LISTED: 0})
"""With these values no model is too small: for a table that is asked for by the name of its kind."""


@dataclass(frozen=True)
class RankedPlan:
    """A ranking. With blocks of cells, the rules are those of the ranking's own model."""

    ranking: Ranking

    @property
    def positions(self) -> int:
        return self.ranking.size

    @property
    def bytes(self) -> int:
        return 2 * (self.positions + 64) // 8

    @property
    def one_bit(self) -> OneBit:
        return one_bit(-(-self.positions // 64), 0)

    def rank(self, position: bytes) -> int:
        return self.ranking.rank(position)

    def unrank(self, number: int) -> bytes:
        return self.ranking.unrank(number)


def plan(model: Model, by: Thresholds = USUAL) -> RankedPlan | None:
    """Return the ranking, or None if no ranking fits or the metric joins different rules."""
    if model.metric.after:
        return None
    ranking = find(model, listed=by[MOST_LISTED])
    if ranking is None or not fits(ranking):
        return None
    return RankedPlan(ranking)


def depths(plan: RankedPlan, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source."""
    return count_layers(lambda: RankField(plan), plan, question, watch, threads)


class RankField:
    """Bits by rank."""

    def __init__(self, plan: RankedPlan) -> None:
        self.plan = plan
        self.anchor = np.frombuffer(plan.ranking.anchor, np.uint8)
        self.words = (plan.positions + 63) // 64

    @cached_property
    def code(self) -> np.ndarray:
        """The ranking as one flat array, see `rank_program`."""
        return rank_code(self.plan.ranking)

    @cached_property
    def rules(self) -> RuleTable:
        """The rules as arrays."""
        return rule_table(self.plan.ranking.model)

    def bit(self, position: bytes) -> int:
        return self.plan.rank(position)

    def rows(self, bits: np.ndarray) -> np.ndarray:
        from ...kernels.table.ranks import unrank_many

        rows = np.repeat(self.anchor[None], len(bits), axis=0)
        unrank_many(bits, self.code, rows)
        merged = self.plan.ranking.merged
        return merged.decode_rows(rows) if merged else rows

    def phases(self, seen: np.ndarray, edge: np.ndarray, threads: int) -> Iterator[list[Task]]:
        yield self._expanded((seen, edge, seen, edge), threads)

    def ordered(self, sets: Sets, size: int, unseen: int, threads: int) -> Ordered:
        seen, layer, _ = sets
        return True, [self._expanded((layer, layer, seen, seen), threads)]

    def _expanded(self, bits: tuple[np.ndarray, ...], threads: int) -> list[Task]:
        from ...kernels.table.ranks import expand

        return [(expand, (self.code, self.rules, bits, self.anchor, span)) for span in spans(self.words, 8 * threads)]


def rule_table(model: Model) -> RuleTable:
    """Return a model's rules as arrays."""
    from ...kernels.table.ranks import RuleTable

    slots = [(rule, index) for rule in paced(model.rules) for index in range(len(rule.cells))]
    need = np.zeros((len(slots), model.symbols), np.uint8)
    table = np.tile(np.arange(model.symbols, dtype=np.uint8), (len(slots), 1))
    for slot, (rule, index) in enumerate(slots):
        need[slot, allowed(rule.need[index], model.symbols)] = 1
        table[slot] = rule.table[index] or table[slot]
    first = np.cumsum([0, *(len(rule.cells) for rule in paced(model.rules))]).astype(np.int64)
    cells = [(rule.cells[index], rule.cells[rule.source[index]]) for rule, index in slots]
    return RuleTable(first, np.array(cells, np.int64).reshape(len(slots), 2), need, table)
