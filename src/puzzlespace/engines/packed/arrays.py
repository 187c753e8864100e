"""Convert a model to the arrays of the kernels on packed positions: rules by trigger, followers, goals."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from ...kernels.packed.numpy_marks import CELLS_AT_ONCE, Padded, Rules, marks, padded, steps
from ...limits.thresholds import Threshold
from ...limits.watch import paced
from ...model.goal import Goal
from ...model.model import Model
from ...structure.whole_moves import joined
from .net import net_of
from .positions import MOST_SYMBOLS, WORD, PackedRule, Packing, packed_rules
from .records import Triggers, coded, follower_lists, record_places, triggers
from .settling import PackedSettling, PackedStage, told
from .undoing import return_colours

NET_FROM = Threshold(32)
"""Rules tried by their triggers at a source, from which on a net is made; it is used if it looks at fewer nodes and
rules. -1: always.

Measured: an eighth and eight times as many changed counts of pancake:9 and topspin:9,4 by at most 7 %.
"""


@dataclass(frozen=True)
class PackedRules:
    """A model's rules on packed positions: `rules` and `padded` for NumPy, `code` for the compiled kernels.

    packed    all rules that may apply
    rules     without those that happen by themselves
    settling  what happens by itself, and which positions are forbidden; None if rules alone determine the moves
    """

    model: Model
    packing: Packing
    sources: tuple[bytes, ...]
    packed: list[PackedRule]
    rules: Rules
    padded: Padded
    settling: PackedSettling | None = None

    @classmethod
    def of(
        cls, model: Model, packing: Packing, sources: Sequence[bytes], numbers: Collection[int] | None = None
    ) -> PackedRules:
        """Return the model's rules for all positions that the sources can reach.

        numbers  of the rules that are made for NumPy; None: all
        """
        packed = packed_rules(model, packing, sources)
        chosen = range(len(model.rules)) if numbers is None else numbers
        movers = [rule for rule in paced(packed) if rule.number in chosen and rule.number not in model.automatic]
        rules = rule_arrays(movers, follower_lists(model, movers), packing)
        settling = _settling(model, packing, packed, sources) if model.metric.lawful else None
        return cls(model, packing, tuple(sources), packed, rules, padded(rules), settling)

    @classmethod
    def by_cost(cls, model: Model, packing: Packing, sources: Sequence[bytes]) -> list[tuple[int, PackedRules]]:
        """Return each cost of moves with the rules of this cost; without costs all rules count 1."""
        parts: dict[int, list[int]] = {}
        for number, cost in enumerate(model.metric.costs or (1,) * len(model.rules)):
            if number not in model.automatic:
                parts.setdefault(cost, []).append(number)
        found = sorted(parts.items()) or [(1, [])]
        return [(cost, cls.of(model, packing, sources, frozenset(part))) for cost, part in found]

    def ends(self, keys: np.ndarray, groups: np.ndarray | None, at_once: int = CELLS_AT_ONCE):
        """Yield (rows, rules, children): where the moves of some positions end, in batches that bound the memory."""
        settling = self.settling
        idle = settling is not None and bool(settling.stages)
        for rows, numbers, made in steps(self.rules, self.padded, keys, groups, at_once, idle):
            if settling is not None:
                fine, made = settling.ends(made, at_once)
                rows, numbers = rows[fine], numbers[fine]
            yield rows, numbers, made

    @cached_property
    def code(self) -> np.ndarray:
        """The rules in one array, grouped by the symbol and cell that trigger them; see `kernels.packed.expand`.

        Every move is one rule if that does not give too many rules.
        """
        model, packed, found = self._compiled
        return np.array(coded(packed, follower_lists(model, packed), self.packing, found), np.uint64)

    @cached_property
    def _compiled(self) -> tuple[Model, list[PackedRule], Triggers]:
        """The model whose rules are compiled, the rules that may apply, and their triggers."""
        model = joined(self.model) or self.model
        packed = self.packed if model is self.model else packed_rules(model, self.packing, self.sources)
        packed = [rule for rule in packed if rule.number not in model.automatic]
        return model, packed, triggers(packed, self.packing)

    def trials(self, bits: int, net_from: int = NET_FROM.usual) -> Trials:
        """Return which rules are tried where, as the kernels that expand take it, with at most `bits` marks.

        net_from  see NET_FROM
        """
        if bits not in self._trials:
            self._trials[bits] = self._tried(bits, net_from)
        return self._trials[bits]

    @cached_property
    def _trials(self) -> dict[int, Trials]:
        return {}

    def _tried(self, bits: int, net_from: int) -> Trials:
        from ...kernels.packed.expand import CHILD, NEVER, TRIED

        model, packed, found = self._compiled
        back = [rule.number for rule in packed]
        colours = None if model.automatic else return_colours(model, self.sources, back, bits - 1)
        places = record_places(packed, self.packing, found)
        rules = np.zeros((len(packed) + 1, TRIED), np.uint64)
        net, slots = self._slots(packed, found, net_from)
        narrow = self.packing.words == 1 and self.settling is None and not net
        for number, rule in enumerate(paced(packed)):
            brief = narrow and not (rule.demand.tests or rule.lookups) and len(rule.moved) < 2
            if brief and not model.followers[rule.number]:
                ((_, _, by), mask), *_ = (*rule.moved.items(), ((0, 0, 0), 0))
                simple = rule.demand.mask, rule.demand.want, rule.keep, rule.put, [mask, max(0, by), max(0, -by)]
                rules[number, :7] = list(chain.from_iterable(simple))
            else:
                rules[number, 8] = places[number]
            if self.settling is not None:
                rules[number, 0] = self.settling.laws.start(rule.number)
            rules[number, 7] = 1 << colours[number][1] if colours else CHILD
        filled = [[*slot, *(len(packed),) * (-len(slot) % FILLED)] for slot in slots]
        own = [1 << colour for colour, _ in colours] if colours else [0] * len(packed)
        numbers, barred = list(chain.from_iterable(filled)), [*own, NEVER]
        firsts = accumulate(map(len, filled), initial=len(filled) + 1)
        before = [0] * (len(filled) + 1)
        return Trials(
            np.array([*firsts, *numbers], np.int64),
            np.array([*before, *(barred[number] for number in numbers)], np.uint64),
            rules.reshape(-1),
            np.array(net, np.int32),
            colours is not None,
        )

    def _slots(self, packed: list[PackedRule], found: Triggers, net_from: int) -> tuple[list[int], list[list[int]]]:
        """Return a net, if it is worth having, and the rules by slot."""
        symbols, slots = found
        mask = (1 << self.packing.width) - 1
        starts = [self.packing.pack(source) for source in self.sources[:FEW]]
        tried = len(slots[-1]) + sum(
            len(slots[(number * self.packing.words + word) * WORD + shift])
            for words in starts
            for number, symbol in enumerate(symbols)
            for _, word, shift in self.packing.packed
            if words[word] >> shift & mask == symbol
        ) // max(1, len(starts))
        if tried <= net_from:
            return [], slots
        net = net_of(packed, self.packing)
        visited = sum(net.visited(words, mask) for words in starts) // max(1, len(starts))
        return (net.nodes, net.slots) if visited < tried or net_from < 0 else ([], slots)


FILLED = 4
"""The number of rules to try in a slot is filled up to a multiple of this."""


class Trials(NamedTuple):
    """Which rules are tried where; see `kernels.packed.expand`. `marked`: whether rules have marks.

    net  see `kernels.packed.expand_wide.expand_rows`; empty if rules are found by their triggers
    """

    tries: np.ndarray
    own: np.ndarray
    rules: np.ndarray
    net: np.ndarray
    marked: bool


def _settling(model: Model, packing: Packing, packed: list[PackedRule], sources: Sequence[bytes]) -> PackedSettling:
    by_number = {rule.number: rule for rule in packed}
    stages: list[PackedStage] = []
    for stage in model.metric.automatic:
        mine = [by_number[number] for number in stage.rules if number in by_number]
        rules = rule_arrays(mine, ([-1] * len(mine), []), packing)
        stages.append(PackedStage(mine, rules, padded(rules), stage.once))
    lawful = all(model.broken(source) is None for source in sources)
    return PackedSettling(model, packing, stages, all(map(model.is_settled, sources)), lawful)


def rule_arrays(packed: list[PackedRule], groups: tuple[list[int], list[tuple[int, ...]]], packing: Packing) -> Rules:
    """Return packed rules as flat arrays."""
    tests, moved, lookups, tables = [], [], [], []
    first = [(0, 0, 0)]
    for rule in paced(packed):
        tests += rule.demand.tests
        moved += [(a, b, mask, max(0, by), max(0, -by)) for (a, b, by), mask in rule.moved.items()]
        for *place, table in rule.lookups:
            lookups.append((*place, len(tables)))
            tables.append((*table, *(0,) * (MOST_SYMBOLS - len(table))))
        first.append((len(tests), len(moved), len(lookups)))
    words = [(rule.demand.mask, rule.demand.want, rule.keep, rule.put) for rule in packed]
    return Rules(
        _array(words, np.uint64).reshape(len(packed), 4, packing.words),
        _array(first, np.int64),
        _array(tests, np.uint64, 3),
        _array(moved, np.uint64, 5),
        _array(lookups, np.uint64, 5),
        _array(tables, np.uint64, MOST_SYMBOLS),
        *_follow(*groups),
        _array([packing.width], np.int64),
    )


def _array(values: Sequence[object], kind: type, columns: int = 0) -> np.ndarray:
    found = np.array(values, kind)
    return found.reshape(len(values), columns) if columns else found


def _follow(groups: list[int], lists: list[tuple[int, ...]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return `Rules.group`, `follow` and `followers`."""
    lengths = [len(after) for after in lists]
    return (
        _array(groups, np.int64),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        _array([rule for after in lists for rule in after], np.int64),
    )


def packed_keys(packing: Packing, positions: Sequence[bytes]) -> np.ndarray:
    """Return the words of the positions, shape [n, words]."""
    return np.array([packing.pack(p) for p in positions], np.uint64).reshape(len(positions), packing.words)


def keys_of(packing: Packing, shown: np.ndarray) -> np.ndarray:
    """Return the words of positions that are rows of symbols, shape [n, words]."""
    keys = np.zeros((len(shown), packing.words), np.uint64)
    for cell, word, shift in packing.packed:
        keys[:, word] |= shown[:, cell].astype(np.uint64) << np.uint64(shift)
    return keys


FEW = 16
"""Fewer positions than this are unpacked one by one."""


def positions_of(packing: Packing, keys: np.ndarray) -> list[bytes]:
    """Return the positions of rows of words."""
    if len(keys) < FEW:
        return [packing.unpack(row) for row in keys.tolist()]
    return [row.tobytes() for row in symbols_of(packing, keys)]


def symbols_of(packing: Packing, keys: np.ndarray) -> np.ndarray:
    """Return the positions of rows of words as rows of symbols."""
    shown = np.tile(np.frombuffer(packing.fixed, np.uint8), (len(keys), 1))
    words, mask = keys.astype(np.uint64, copy=False), np.uint64((1 << packing.width) - 1)
    for cell, word, shift in packing.packed:
        shown[:, cell] = words[:, word] >> np.uint64(shift) & mask
    return shown


def least(keys: np.ndarray, keep: int) -> np.ndarray:
    """Return the first `keep` rows, sorted."""
    if not keep:
        return keys[:0]
    if len(keys) > keep:
        keys = keys[keys[:, 0] <= np.partition(keys[:, 0], keep - 1)[keep - 1]]
    return keys[np.argsort(marks(keys))][:keep]


class Goals:
    """Goals as tests of packed positions, for all rows of a layer at once."""

    def __init__(self, goals: Sequence[Goal], packing: Packing) -> None:
        self.packing = packing
        found = [(packing.demand(enumerate(goal.need)), goal) for goal in goals]
        self.goals = [(demand, goal) for demand, goal in found if demand is not None]

    def among(self, keys: np.ndarray) -> np.ndarray:
        """Return the rows that meet one of the goals."""
        chosen = np.zeros(len(keys), bool)
        for demand, goal in self.goals:
            fits = np.ones(len(keys), bool)
            for word, (mask, want) in enumerate(zip(demand.mask, demand.want, strict=True)):
                if mask:
                    fits &= (keys[:, word] & np.uint64(mask)) == np.uint64(want)
            rows = np.flatnonzero(fits)
            for word, shift, symbols in demand.tests:
                rows = rows[(np.uint64(symbols) >> self._symbol(keys[rows, word], shift) & np.uint64(1)) == 1]
            for symbol, count in goal.counts:
                rows = rows[self._count(keys[rows], symbol) == count]
            if goal.sentence is not None:
                rows = rows[told(goal.sentence, self.packing, keys[rows])]
            chosen[rows] = True
        return keys[chosen]

    def _symbol(self, words: np.ndarray, shift: int) -> np.ndarray:
        return words >> np.uint64(shift) & np.uint64((1 << self.packing.width) - 1)

    def _count(self, keys: np.ndarray, symbol: int) -> np.ndarray:
        """Return how many cells of each position show the symbol, including cells that never change."""
        unpacked = [s for s, place in zip(self.packing.fixed, self.packing.places, strict=True) if place is None]
        total = np.full(len(keys), unpacked.count(symbol))
        for _, word, shift in self.packing.packed:
            total += self._symbol(keys[:, word], shift) == symbol
        return total
