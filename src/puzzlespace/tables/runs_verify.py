"""Check a finished table of runs: its checksums, a sample by the rules, and all by another count."""

from __future__ import annotations

import random

import numpy as np

from ..engines.shared.audit import LEAST, within
from ..errors import SelfCheckError, TableError
from ..limits.watch import Watch
from ..search.merge import KeptLayers, Store
from ..search.runs import BLOCK, whole
from .runs_engines import counted
from .runs_opened import RunTable


def verify(table: RunTable, sample: int, full: bool) -> dict[str, int]:
    """Check a table of runs; see `kinds.verify`."""
    for depth in range(len(table.counts)):
        table.run(depth).check_order()
    drawn = _drawn(table, sample) if sample else []
    for depth, position in drawn:
        _check_position(table, depth, position)
    if full:
        _again(table)
    return {"bytes": table.bytes, "states": sum(table.counts), "sampled": len(drawn)}


def check_some(table: RunTable, seconds: float) -> None:
    """Check random positions for some seconds, at least LEAST; raise SelfCheckError if one is wrong."""
    try:
        drawn = _drawn(table, 2 * LEAST)
        random.Random(1).shuffle(drawn)
        for depth, position in within(drawn, seconds):
            _check_position(table, depth, position)
    except TableError as error:
        raise SelfCheckError(str(error)) from error


def _drawn(table: RunTable, sample: int) -> list[tuple[int, bytes]]:
    """Return (depth, position) of a pseudo-random sample, always the same one, and of some sources and hardest ones."""
    chance = random.Random(0)
    places = sorted(chance.randrange(sum(table.counts)) for _ in range(sample))
    begins = np.concatenate([[0], np.cumsum(table.counts)])
    found = [(0, source) for source in table.sources[:sample]]
    found += [(len(table.counts) - 1, position) for position in table.hardest[:sample]]
    for place in places:
        depth = int(np.searchsorted(begins, place, "right")) - 1
        block, row = divmod(place - int(begins[depth]), BLOCK)
        rows = table.run(depth).rows(block, block + 1)
        found.append((depth, table.keys.position(whole(rows[row]))))
    return found


def _check_position(table: RunTable, depth: int, position: bytes) -> None:
    """Check the depth of a position, and of its neighbours by moves from it and to it; raise TableError if wrong.

    Towards the sources, depths decrease by at most one, and by one for some move; away from them they increase by at
    most one.
    """
    name = f"{table.folder}: {position.hex(' ')}"
    wrong = TableError(f"{name} has neighbours that its depth {depth} does not allow")
    if table.distance(position) != depth or (depth == 0) != (position in table.sources):
        raise TableError(f"{name} is listed in layer {depth} and is not found there")
    away = [table.distance(child) for child in table.counted.moves(position)]
    if any(each is None or each > depth + 1 for each in away):
        raise wrong
    back = table.counted.backward
    if back is None:
        return
    near = [each for each in map(table.distance, back.moves(position)) if each is not None]
    if (depth > 0 and depth - 1 not in near) or any(each < depth - 1 for each in near):
        raise wrong


class _Again(Store):
    """A store that keeps all layers in its temporary folder."""

    keeping = True


def _again(table: RunTable) -> None:
    """Count all layers again; raise TableError if any differs."""
    store = _Again()
    question = KeptLayers(table.counted, table.sources, len(table.hardest), store=store)
    layers = counted(question, Watch())
    if layers.counts != table.counts or layers.deepest != table.hardest:
        raise TableError(f"{table.folder}: counted again, the counts or the hardest positions differ")
    for depth, noted in enumerate(table.manifest["layers"]):
        if store.layers[depth].sums != noted["sums"]:
            raise TableError(f"{table.folder}: counted again, the positions of layer {depth} differ")
