"""What happens by itself after the rules, and which positions are forbidden, for many packed positions at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...kernels.packed.numpy_marks import Padded, Rules, steps
from ...limits.watch import checkpoint, paced
from ...model.model import Model
from ...model.sentence import Sentence
from .positions import WORD, PackedRule, Packing
from .programs import Laws, laws_of
from .records import coded, record_places, triggers

LONGEST = 1 << 12
"""Compiled loops make so many rules in a position before it is asked whether this ever ends."""


class PackedStage(NamedTuple):
    """The rules of a `Stage` in its order, as far as they can apply: in full, and for NumPy."""

    packed: list[PackedRule]
    rules: Rules
    padded: Padded
    once: bool


def told(sentence: Sentence, packing: Packing, keys: np.ndarray) -> np.ndarray:
    """Return bool [n]: for which rows of words a sentence is true."""
    shown: dict[int, np.ndarray] = {}
    mask = np.uint64((1 << packing.width) - 1)

    def column(cell: int) -> np.ndarray:
        if cell not in shown:
            place = packing.places[cell]
            if place is None:
                shown[cell] = np.full(len(keys), packing.fixed[cell], np.uint8)
            else:
                word, shift = place
                shown[cell] = (keys[:, word] >> np.uint64(shift) & mask).astype(np.uint8)
        return shown[cell]

    found: Any = sentence.among(column) if len(keys) else False
    return np.broadcast_to(found, len(keys))


class CompiledEnds(NamedTuple):
    """Where moves end, as the kernels take it: see `kernels.packed.happening`, and `programs` for the laws."""

    stage: np.ndarray
    happens: np.ndarray
    offsets: np.ndarray
    fields: np.ndarray
    reading: np.ndarray
    laws: np.ndarray


@dataclass(frozen=True)
class PackedSettling:
    """The stages and laws of a model for positions packed into words.

    settled   whether what happens by itself, but for stages that are `once`, has happened in all positions
    lawful    whether no law forbids a source
    compared  how many words of positions NumPy has compared with those of rules: what happens by itself takes
    """

    model: Model
    packing: Packing
    stages: Sequence[PackedStage]
    settled: bool
    lawful: bool
    compared: list[int] = field(default_factory=list[int], compare=False)

    @cached_property
    def compiled(self) -> CompiledEnds:
        """The stages and laws for compiled kernels."""
        return CompiledEnds(*self._happening(), self.laws.values)

    @cached_property
    def laws(self) -> Laws:
        """The laws as programs, if possible for each rule."""
        alone = self.lawful and not self.stages
        return laws_of(self.model, self.packing, range(len(self.model.rules)) if alone else ())

    def scratch(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the working memory of a thread: `pending` of `kernels.packed.happening`, `reached` of `sentences`."""
        return np.zeros(sum(self.compiled.happens[:2]), np.uint64), np.zeros(2 * self.model.cells + 1, np.int64)

    def go_on(self, words: np.ndarray) -> None:
        """Let compiled loops make more rules in a position before they stop there again.

        Raises EndlessError if what happens by itself in the position never ends.
        """
        self.model.settle_after_move(self.packing.unpack(words.tolist()))
        self.compiled.happens[2] *= 2

    def _happening(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return `stage`, `happens`, `offsets`, `fields` and `reading` of `kernels.packed.happening`."""
        packing, rules = self.packing, [rule for stage in self.stages for rule in stage.packed]
        found = triggers(rules, packing)
        places = record_places(rules, packing, found)
        happens, bits, size = [len(self.stages), 0, LONGEST, int(self.settled)], list[int](), 0
        for stage in self.stages:
            first, count = size, len(stage.packed)
            size += -(-count // WORD)
            bits += range(first * WORD, first * WORD + count)
            happens += [first, size, int(stage.once)]
        happens[1] = size
        offsets = np.zeros(size * WORD, np.int64)
        offsets[bits] = [places[number] for number in range(len(rules))]
        fields = np.zeros((packing.words * WORD, 3), np.int64)
        reading = np.zeros((len(packing.packed) * packing.symbols + 1, 2, size), np.uint64)
        for bit in bits:
            reading[-1, 0, bit // WORD] |= np.uint64(1 << bit % WORD)
        rows: dict[int, int] = {}
        for number, (cell, word, shift) in enumerate(packing.packed):
            rows[cell] = number * packing.symbols
            fields[word * WORD + shift : word * WORD + shift + packing.width] = rows[cell], shift, packing.width
        symbols = np.arange(packing.symbols)
        for rule, bit in zip(paced(rules), bits, strict=True):
            full = self.model.rules[rule.number]
            for cell, need in zip(full.cells, full.need, strict=True):
                if cell in rows:
                    excluded = [need >> symbol & 1 ^ 1 for symbol in range(packing.symbols)]
                    reading[rows[cell] + symbols, excluded, bit // WORD] |= np.uint64(1 << bit % WORD)
        code = coded(rules, ([-1] * len(rules), []), packing, found)
        return np.array(code, np.uint64), np.array(happens, np.int64), offsets, fields, reading

    def ends(self, keys: np.ndarray, at_once: int) -> tuple[np.ndarray, np.ndarray]:
        """Return (rows, words): where the moves end whose rules made `keys`, without those that a law forbids.

        Raises EndlessError.
        """
        if self.stages:
            keys = Happening(self, keys).run(at_once)
        fine = np.ones(len(keys), bool)
        for law in self.model.metric.laws:
            rows = np.flatnonzero(fine)
            fine[rows] = ~told(law.sentence, self.packing, keys[rows])
        return np.flatnonzero(fine), keys[fine]


class Happening:
    """What happens by itself after some positions, step by step for all of them.

    over     bool [n, stages]: which stages happen no more
    marked   for each row a state to find states that are seen again, as in `model.settling`: words, stage, `over`
    """

    def __init__(self, settling: PackedSettling, keys: np.ndarray) -> None:
        self.settling, self.begun, self.keys = settling, keys, keys.copy()
        self.over = np.zeros((len(keys), len(settling.stages)), bool)
        self.count, self.power = np.zeros(len(keys), np.int64), np.ones(len(keys), np.int64)
        self.marked = keys.copy(), np.full(len(keys), -1), self.over.copy()

    def run(self, at_once: int) -> np.ndarray:
        """Return the words of the positions in which nothing more happens: no stage, one after the other."""
        stages = self.settling.stages
        quiet = np.zeros(len(self.keys), np.int64)  # how many of the last stages have nothing more to do
        active, number = np.arange(len(self.keys)), 0
        while len(active):
            quiet[active] += 1
            quiet[self._happen(active[~self.over[active, number]], number, at_once)] = 1
            active = active[quiet[active] < len(stages)]
            number = (number + 1) % len(stages)
        return self.keys

    def _happen(self, rows: np.ndarray, number: int, at_once: int) -> np.ndarray:
        """Let a stage happen, and return the rows that it has changed, perhaps with duplicates."""
        stage, changed = self.settling.stages[number], [rows[:0]]
        while len(rows):
            checkpoint()
            self.settling.compared.append(len(rows) * len(stage.packed) * self.keys.shape[1])
            at, made = first_changes(stage, self.keys[rows], at_once)
            rows = rows[at]
            self.keys[rows] = made
            changed.append(rows)
            if stage.once:
                self.over[rows, number] = True
            self._look(rows, number)
            if stage.once:
                break
        return np.concatenate(changed)

    def _look(self, rows: np.ndarray, stage: int) -> None:
        """Raise EndlessError if the state of one of the rows was seen before."""
        keys, stages, over = self.marked
        again = (keys[rows] == self.keys[rows]).all(axis=1) & (stages[rows] == stage)
        again &= (over[rows] == self.over[rows]).all(axis=1)
        for row in rows[again]:
            self.settling.model.settle_after_move(self.settling.packing.unpack(self.begun[row].tolist()))
        self.count[rows] += 1
        due = rows[self.count[rows] == self.power[rows]]
        keys[due], stages[due], over[due] = self.keys[due], stage, self.over[due]
        self.power[due] *= 2


def first_changes(stage: PackedStage, keys: np.ndarray, at_once: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (rows, children): the first rule of a stage that changes each position; rows without one are left out."""
    found = [(np.empty(0, np.int64), keys[:0])]
    for rows, _, made in steps(stage.rules, stage.padded, keys, None, at_once):
        first = np.ones(len(rows), bool)
        first[1:] = rows[1:] != rows[:-1]  # by row, then in the order of the rules
        found.append((rows[first], made[first]))
    return np.concatenate([rows for rows, _ in found]), np.concatenate([made for _, made in found])
