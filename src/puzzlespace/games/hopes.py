"""Which objects a win needs, and which can never get there: with that, positions are seen to be hopeless.

The proof is in docs/methods/games.md ('Lost objects').
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..kernels.games import lost as kernels
from ..kernels.games.rules import COMMANDS, RESTARTING, WIN
from .game import Condition
from .tables import KINDS, Tables, bits_of

Facts = tuple[np.ndarray, ...]

MOST_NEEDS = 16
"""The most needs that are looked at; others are left out."""


class Hopes(NamedTuple):
    """What `kernels.games.lost.hopeless` looks at."""

    lost: np.ndarray
    useful: np.ndarray
    least: np.ndarray


def no_hopes(size: int) -> Hopes:
    """Return what finds no position hopeless, on a board of so many words."""
    return Hopes(np.zeros(0, np.uint64), np.zeros((0, size), np.uint64), np.zeros(0, np.int64))


def hopes(tables: Tables, facts: Facts, layers: Sequence[int], pressed: int) -> Hopes:
    """Return which objects are lost where, and which ones the win conditions need.

    tables   with one word a cell
    facts    the objects that cells may have and may lack, and the movements (`kernels/games/reach.py`)
    layers   the objects of each layer; no cell has two of a layer
    pressed  the movements of all inputs
    """
    lost = np.zeros(len(facts[0]), np.uint64)
    if any(int(commands) & (RESTARTING | WIN) for commands in tables.rules[:, COMMANDS]):
        return no_hopes(len(lost))
    level = _Level(tables, facts, layers, pressed)
    needs: list[tuple[np.ndarray, int]] = []
    masks = tables.conditions[:, 0].tolist()
    for what, on, (kind, all_of, on_all, _) in zip(masks[::2], masks[1::2], tables.kinds.tolist(), strict=True):
        condition = Condition(KINDS[kind], what, on, bool(all_of), bool(on_all), "")
        lost |= level.lost(condition)
        needs += level.needs(condition)
    needs = needs[:MOST_NEEDS]
    if not (lost.any() or needs):
        return no_hopes(len(lost))
    useful = np.array([masks for masks, _ in needs], np.uint64).reshape(-1, len(lost))
    return Hopes(lost, useful, np.array([least for _, least in needs], np.int64))


class _Level:
    """What is known of a level.

    present, always  the objects that each cell may have, and those that it always has
    """

    def __init__(self, tables: Tables, facts: Facts, layers: Sequence[int], pressed: int) -> None:
        self.tables, self.facts, self.layers = tables, facts, np.array(layers, np.uint64)
        self.present: list[int] = facts[0].tolist()
        self.always: list[int] = (facts[0] & ~facts[1]).tolist()
        self.ways = np.zeros((len(self.present), 4), np.uint64)
        kernels.noted(tuple(tables), facts, self.layers, np.uint64(pressed), self.ways)

    def spread(self, good: Sequence[int], losing: bool) -> tuple[np.ndarray, bool]:
        """Return the objects of each cell that may become good ones, and whether a good one may be new.

        losing  whether objects that are lost are good
        """
        words, made = np.array(good, np.uint64) & self.facts[0], np.zeros(1, np.bool_)
        able = np.zeros(len(self.tables.rules), np.bool_)
        kernels.spread_back(tuple(self.tables), self.facts, self.layers, self.ways, words, losing, made, able)
        return words, bool(made[0])

    def lost(self, condition: Condition) -> np.ndarray:
        """Return the objects that break a condition where they are, and wherever they can get to."""
        wrong = [self.wrong(condition, at) for at in range(len(self.present))]
        return (
            self.facts[0]
            & ~self.spread([here & ~mask for here, mask in zip(self.present, wrong, strict=True)], True)[0]
        )

    def wrong(self, condition: Condition, at: int) -> int:
        """Return the objects that break a condition if they are in a cell."""
        what, on = condition.what, condition.on
        if condition.kind == "some" or (condition.all_of and what & what - 1):
            return 0
        if condition.kind == "all":
            return 0 if not on or _has(self.present[at], on, condition.on_all) else what
        bits = (1 << bit for bit in bits_of(what))
        return sum(bit for bit in bits if not on or _has(self.always[at] | bit, on, condition.on_all))

    def needs(self, condition: Condition) -> list[tuple[np.ndarray, int]]:
        """Return what a condition needs: the objects that may meet it, and how many of them there must be."""
        what, on, cells = condition.what, condition.on, range(len(self.present))
        asked: list[tuple[int, list[int]]] = []
        if condition.kind == "some":
            there = [at for at in cells if not on or _has(self.present[at], on, condition.on_all)]
            asked += [(mask, there) for mask in _masks(what, condition.all_of)]
            there = [at for at in cells if _has(self.present[at], what, condition.all_of)]
            asked += [(mask, there) for mask in _masks(on, condition.on_all)]
        found = [self.need(mask, there, 1) for mask, there in asked]
        if condition.kind == "all":
            there = [at for at in cells if _has(self.always[at], what, condition.all_of)]
            for mask in _masks(on, condition.on_all):
                ends = [at for at in there if not self.always[at] & mask]
                found += [self.need(mask, ends, len(ends)), *(self.need(mask, [at], 1) for at in ends)]
        return [need for need in found if need is not None]

    def need(self, mask: int, cells: Sequence[int], least: int) -> tuple[np.ndarray, int] | None:
        """Return which objects may become one of some objects in some cells; None if others may become that, too."""
        among = set(cells)
        useful, made = self.spread([mask if at in among else 0 for at in range(len(self.present))], False)
        return None if made or not least else (useful, least)


def _has(cell: int, mask: int, all_of: bool) -> bool:
    return cell & mask == mask if all_of else bool(cell & mask)


def _masks(mask: int, all_of: bool) -> list[int]:
    """Return sets of objects: a cell meets a condition if it has one of each."""
    return [1 << bit for bit in bits_of(mask)] if all_of else [mask] if mask else []
