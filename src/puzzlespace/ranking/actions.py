"""Listed moves as actions: what rules without conditions do to the contents of all cells at once.

Where no rule asks for anything, each move is a permutation of the cells with a table of symbols for each. Cells fall
into orbits that never exchange contents, and within an orbit into blocks that always move together (the stickers of a
corner); a block can be read as one cell showing one of the few tuples that its cells ever show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..limits.watch import paced
from ..model.facts import Partition
from ..model.model import ANY, MAX_SYMBOLS, Model, Rule, outcomes

MOST_POWERS = 64
"""A generator of higher order than this is not expanded into its powers."""


@dataclass(frozen=True, slots=True)
class Action:
    """One move: new[cell] = table[cell][old[source[cell]]]."""

    source: tuple[int, ...]
    table: tuple[tuple[int, ...], ...]

    def apply(self, position: Sequence[int]) -> bytes:
        """Return the position the move leads to."""
        return bytes(table[position[source]] for source, table in zip(self.source, self.table, strict=True))

    def then(self, other: Action) -> Action:
        """Return the move that does this one and the other after it."""
        source = tuple(self.source[s] for s in other.source)
        table = tuple(
            tuple(after[new] for new in self.table[s]) for s, after in zip(other.source, other.table, strict=True)
        )
        return Action(source, table)

    @property
    def idle(self) -> bool:
        """Whether it changes nothing."""
        return all(s == cell and t == tuple(range(len(t))) for cell, (s, t) in enumerate(zip(self.source, self.table)))  # noqa: B905


def actions(model: Model) -> tuple[Action, ...] | None:
    """Return the rules as actions, or None where one asks for something or does not permute what the cells show."""
    found = [_action(rule, model) for rule in paced(model.rules)]
    return None if None in found else tuple(found)  # type: ignore[return-value]


def _action(rule: Rule, model: Model) -> Action | None:
    everything = (1 << model.symbols) - 1
    if any(need & everything != everything for need in rule.need):
        return None
    same = tuple(range(model.symbols))
    source, table = list(range(model.cells)), [same] * model.cells
    for index, (read, pairs) in enumerate(outcomes(rule, model.symbols)):
        source[rule.cells[index]] = rule.cells[read]
        table[rule.cells[index]] = tuple(new for _, new in pairs)
    if len(set(source)) < model.cells or any(len(set(each)) < model.symbols for each in table):
        return None
    return Action(tuple(source), tuple(table))


def generators(model: Model) -> tuple[Action, ...] | None:
    """Return every move of the metric as one action, without repetitions; None where that cannot be said.

    Known are the metric step and powers of one rule (it may follow itself at no cost, nothing else may).
    """
    basic = actions(model)
    if basic is None:
        return None
    found: dict[Action, None] = {}
    for number, action in enumerate(basic):
        after = model.followers[number]
        if after not in ((), (number,)):
            return None
        power = action
        for _ in range(MOST_POWERS):
            if power.idle:
                break
            found[power] = None
            if not after:
                break
            power = power.then(action)
        else:
            return None
    return tuple(found)


def as_rule(name: str, move: Action) -> Rule:
    """Return the move as a rule without conditions, over the cells that it changes."""
    same = tuple(range(len(move.table[0])))
    moved = [
        c for c, (source, table) in enumerate(zip(move.source, move.table, strict=True)) if (source, table) != (c, same)
    ]
    place = {cell: index for index, cell in enumerate(moved)}
    tables = tuple(None if move.table[cell] == same else move.table[cell] for cell in moved)
    return Rule(name, tuple(moved), (ANY,) * len(moved), tuple(place[move.source[cell]] for cell in moved), tables)


def orbits(moves: Sequence[Action]) -> tuple[tuple[int, ...], ...]:
    """Return the sets of cells that exchange contents, each in order."""
    if not moves:
        return ()
    joined = Partition(len(moves[0].source))
    for move in moves:
        for cell, source in enumerate(move.source):
            joined.merge(cell, source)
    return _sets(joined.labels())


def _sets(labels: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    found: dict[int, list[int]] = {}
    for cell, label in enumerate(labels):
        found.setdefault(label, []).append(cell)
    return tuple(map(tuple, found.values()))


def block_systems(moves: Sequence[Action], orbit: tuple[int, ...]) -> list[tuple[tuple[int, ...], ...]]:
    """Return the smallest ways to cut an orbit into blocks that every move carries whole onto blocks.

    For each other cell the least system that joins it with the first one; Atkinson, An algorithm for finding the
    blocks of a permutation group, Mathematics of Computation 29 (1975).
    """
    found: dict[tuple[tuple[int, ...], ...], None] = {}
    for partner in orbit[1:]:
        joined = Partition(len(moves[0].source))
        pending = [(orbit[0], partner)]
        while pending:
            a, b = pending.pop()
            if joined.merge(a, b):
                pending += [(move.source[a], move.source[b]) for move in moves]
        blocks = tuple(block for block in _sets(joined.labels()) if set(block) <= set(orbit))
        if len(blocks) > 1 and len({len(block) for block in blocks}) == 1:
            found[blocks] = None
    return list(found)


@dataclass(frozen=True)
class Merged:
    """A model whose cells are blocks of another one's cells, and the way between their positions.

    blocks  for each cell of `model` the cells of the other, in the order in which its tuples list them
    tuples  for each symbol of `model` what those cells show
    """

    model: Model
    blocks: tuple[tuple[int, ...], ...]
    tuples: tuple[tuple[int, ...], ...]

    def encode(self, position: bytes) -> bytes | None:
        """Return the position with blocks read as single cells, None where a block shows what it never can."""
        number = {symbols: index for index, symbols in enumerate(self.tuples)}
        found = [number.get(tuple(position[cell] for cell in block)) for block in self.blocks]
        return None if None in found else bytes(found)  # type: ignore[arg-type]

    def decode(self, position: bytes) -> bytes:
        """Return the position of the other model."""
        out = bytearray(sum(map(len, self.blocks)))
        for block, symbol in zip(self.blocks, position, strict=True):
            for cell, shown in zip(block, self.tuples[symbol], strict=True):
                out[cell] = shown
        return bytes(out)

    def decode_rows(self, rows: Any) -> Any:
        """Return many positions of the other model; rows is an array uint8 [n, cells], so is what comes back."""
        import numpy as np

        out = np.empty((len(rows), sum(map(len, self.blocks))), np.uint8)
        for index, block in enumerate(self.blocks):
            shown = np.array([(*symbols, *(0,) * len(block))[: len(block)] for symbols in self.tuples], np.uint8)
            out[:, list(block)] = shown[rows[:, index]]
        return out


def merged(model: Model, moves: Sequence[Action], blocks: Sequence[tuple[int, ...]], anchor: bytes) -> Merged | None:
    """Return the model with each block read as one cell, begun at `anchor`; None where it needs too many symbols."""
    ordered = _aligned(moves, blocks)
    home = {cell: (number, place) for number, block in enumerate(ordered) for place, cell in enumerate(block)}
    tuples = dict.fromkeys(tuple(anchor[cell] for cell in block) for block in ordered)
    local = [[_local(move, block, home) for block in ordered] for move in moves]
    maps = {(size, local_map) for each in local for _, local_map in each for size in [len(local_map)]}
    pending = list(tuples)
    while pending:
        shown = pending.pop()
        for size, local_map in maps:
            if size == len(shown):
                after = _carry(shown, local_map)
                if after not in tuples:
                    tuples[after] = None
                    pending.append(after)
        if len(tuples) > MAX_SYMBOLS:
            return None
    listed = tuple(sorted(tuples, key=lambda t: (len(t), t)))
    rules = tuple(_block_rule(f"{number}", each, listed) for number, each in enumerate(local))
    inner = Model(len(ordered), len(listed), rules)
    found = Merged(inner, ordered, listed)
    return replace(found, model=replace(inner, start=found.encode(anchor)))


Local = tuple[tuple[int, tuple[int, ...]], ...]
"""For each place of a block: the place of the source block it reads, and the table."""


def _local(move: Action, block: tuple[int, ...], home: dict[int, tuple[int, int]]) -> tuple[int, Local]:
    """Return the block that a block reads, and how."""
    return home[move.source[block[0]]][0], tuple((home[move.source[cell]][1], move.table[cell]) for cell in block)


def _carry(shown: tuple[int, ...], local: Local) -> tuple[int, ...]:
    return tuple(table[shown[place]] for place, table in local)


def _block_rule(name: str, local: list[tuple[int, Local]], tuples: tuple[tuple[int, ...], ...]) -> Rule:
    number = {shown: index for index, shown in enumerate(tuples)}
    tables = [
        tuple(number[_carry(shown, each)] if len(shown) == len(each) else index for index, shown in enumerate(tuples))
        for _, each in local
    ]
    width = len(local)
    return Rule(name, tuple(range(width)), (ANY,) * width, tuple(source for source, _ in local), tuple(tables))


def _aligned(moves: Sequence[Action], blocks: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Return the blocks with their cells in such an order that most moves carry first to first, second to second.

    The order of one block of each orbit is carried to the others along a tree of moves, so that turning over or
    twisting shows as a table, and as few tuples as possible are seen.
    """
    number = {cell: index for index, block in enumerate(blocks) for cell in block}
    placed: dict[int, tuple[int, ...]] = {}
    for index, block in enumerate(blocks):
        if index in placed:
            continue
        placed[index] = block
        pending = [block]
        while pending:
            here = pending.pop(0)
            for move in moves:
                there = tuple(move.source[cell] for cell in here)
                if number[there[0]] not in placed:
                    placed[number[there[0]]] = there
                    pending.append(there)
    return tuple(placed[index] for index in range(len(blocks)))
