"""Rules without conditions as actions on the contents of all cells.

Each such rule permutes the cells and maps the symbols of each cell by a table. The cells are partitioned into orbits,
which never exchange contents. An orbit may have blocks of cells that always move together, such as the stickers of a
corner. A block can be read as one cell whose symbol stands for the tuple that its cells show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..limits.watch import paced
from ..model.effects import outcomes
from ..model.facts import Partition
from ..model.model import Model
from ..model.rule import ANY, MAX_SYMBOLS, Rule

MOST_POWERS = 64
"""The powers of a generator are not listed if its order is greater."""


@dataclass(frozen=True, slots=True)
class Action:
    """One move: new[cell] = table[cell][old[source[cell]]]."""

    source: tuple[int, ...]
    table: tuple[tuple[int, ...], ...]

    def then(self, other: Action) -> Action:
        """Return the action of this move followed by the other."""
        source = tuple(self.source[s] for s in other.source)
        table = tuple(
            tuple(after[new] for new in self.table[s]) for s, after in zip(other.source, other.table, strict=True)
        )
        return Action(source, table)

    @property
    def idle(self) -> bool:
        """Whether this is the identity."""
        return all(s == cell and t == tuple(range(len(t))) for cell, (s, t) in enumerate(zip(self.source, self.table)))  # noqa: B905


def actions(model: Model) -> tuple[Action, ...] | None:
    """Return the rules as actions, or None.

    None if a rule has conditions or is not a permutation of contents, or if rules alone do not determine the moves.
    """
    return model.bare.kept(_actions)


def _actions(model: Model) -> tuple[Action, ...] | None:
    if model.metric.lawful:
        return None
    found: list[Action] = []
    for rule in paced(model.rules):
        action = _action(rule, model)
        if action is None:
            return None
        found.append(action)
    return tuple(found)


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
    """Return every move of the metric as one action, without duplicates; None if that is not supported.

    Supported are the metric `step` and metrics in which only the same rule may follow a rule within a move: then the
    moves are powers of the rules.
    """
    return model.bare.kept(_generators)


def _generators(model: Model) -> tuple[Action, ...] | None:
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
    """Return the orbits of cells: the sets that exchange contents, each in ascending order."""
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
    """Return the minimal block systems of an orbit: partitions into blocks that every move maps onto blocks.

    For each other cell, this is the least system that joins it with the first cell: M. D. Atkinson, An algorithm for
    finding the blocks of a permutation group, Mathematics of Computation 29 (1975).
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
    """A model whose cells are blocks of cells of another model, and the conversion of positions.

    blocks  for each cell of `model` the cells of the other model, in the order of the tuples
    tuples  for each symbol of `model` the symbols that those cells show
    """

    model: Model
    blocks: tuple[tuple[int, ...], ...]
    tuples: tuple[tuple[int, ...], ...]

    def encode(self, position: bytes) -> bytes | None:
        """Return the position with blocks read as single cells, or None if a block shows an unknown tuple."""
        number = {symbols: index for index, symbols in enumerate(self.tuples)}
        found = [number.get(tuple(position[cell] for cell in block)) for block in self.blocks]
        return None if None in found else bytes(found)  # type: ignore[arg-type]

    def encode_rows(self, rows: Any) -> tuple[Any, Any]:
        """Return what `encode` does, and whether all tuples are known; rows and result are uint8 [positions, cells]."""
        import numpy as np

        prefixes = {(): 0} | {each[:length]: 0 for each in self.tuples for length in range(1, len(each) + 1)}
        prefixes = {prefix: number for number, prefix in enumerate(prefixes)}
        longer = np.full((len(prefixes) + 1, 256), len(prefixes))  # the last row is for unknown tuples
        symbol = np.full(len(prefixes) + 1, -1)
        for prefix, number in prefixes.items():
            if prefix:
                longer[prefixes[prefix[:-1]], prefix[-1]] = number
        for index, each in enumerate(self.tuples):
            symbol[prefixes[each]] = index
        found = np.empty((len(rows), len(self.blocks)), np.int64)
        for index, block in enumerate(self.blocks):
            read = np.zeros(len(rows), np.int64)
            for cell in block:
                read = longer[read, rows[:, cell]]
            found[:, index] = symbol[read]
        return found.astype(np.uint8), (found >= 0).all(axis=1)

    def decode(self, position: bytes) -> bytes:
        """Return the position of the other model."""
        out = bytearray(sum(map(len, self.blocks)))
        for block, symbol in zip(self.blocks, position, strict=True):
            for cell, shown in zip(block, self.tuples[symbol], strict=True):
                out[cell] = shown
        return bytes(out)

    def decode_rows(self, rows: Any) -> Any:
        """Return positions of the other model; rows and result are uint8 [positions, cells]."""
        import numpy as np

        out = np.empty((len(rows), sum(map(len, self.blocks))), np.uint8)
        for index, block in enumerate(self.blocks):
            shown = np.array([(*symbols, *(0,) * len(block))[: len(block)] for symbols in self.tuples], np.uint8)
            out[:, list(block)] = shown[rows[:, index]]
        return out


def merged(model: Model, moves: Sequence[Action], blocks: Sequence[tuple[int, ...]], anchor: bytes) -> Merged | None:
    """Return the model with each block read as one cell and `anchor` as start, or None if it needs too many symbols."""
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
"""For each place of a block: the place of the source block that it reads, and the table of symbols."""


def _local(move: Action, block: tuple[int, ...], home: dict[int, tuple[int, int]]) -> tuple[int, Local]:
    """Return the block that a block reads under a move, and how its places read it."""
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
    """Return the blocks with their cells ordered such that most moves map first to first, second to second, and so on.

    The order of one block of each orbit is carried to the others along a spanning tree of moves. Then a twist or flip
    is a permutation of symbols, and the number of tuples is small.
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
