"""Check a finished table: its checksums, its counts, a sample by the rules, and all by another count."""

from __future__ import annotations

import random

import numpy as np

from ..engines.table.mod3 import UNSEEN, Keeper, KeptDepths
from ..errors import SelfCheckError, TableError
from ..limits.watch import Watch
from .opened import BitTable


def verify(table: BitTable, sample: int, full: bool) -> dict[str, int]:
    """Check a table of bits; see `kinds.verify`."""
    table.check_all()
    table.check_counts()
    sampled = _check_sample(table, sample)
    if full:
        again(table, Keeper())
    return {"bytes": len(table.data), "states": sum(table.counts), "sampled": sampled}


def planes_of(table: BitTable) -> np.ndarray:
    """Return the data as two planes of words: the low bits and the high bits of the depths mod 3."""
    return np.frombuffer(table.data, np.uint64).reshape(2, -1)


def _check_sample(table: BitTable, sample: int) -> int:
    """Check the neighbours of a pseudo-random sample, always the same one; return how many positions were reached."""
    chance = random.Random(0)
    plan = table.places.chosen.plan
    drawn = _numbered(table, [chance.randrange(plan.positions) for _ in range(sample)])
    if sample:
        drawn += [*table.sources, *table.hardest[:sample]]
    reached = [(position, value) for position in drawn if (value := table.value(position)) != UNSEEN]
    for position, value in reached:
        around = [table.value(child) for child in table.model.moves(position)]
        nearer = around.count((value - 1) % 3)
        if UNSEEN in around or (nearer == 0) != (position in table.sources):
            raise TableError(f"{table.folder}: {position.hex(' ')} has neighbours that its depth does not allow")
    for position in table.hardest[: min(sample, 20)]:
        if table.distance(position) != len(table.counts) - 1:
            raise TableError(f"{table.folder}: {position.hex(' ')} is listed as hardest and is not")
    return len(reached)


def _numbered(table: BitTable, numbers: list[int]) -> list[bytes]:
    """Return the positions of some ranks; raise SelfCheckError if ranks or bit indices are not one-to-one."""
    plan, bits = table.places.chosen.plan, dict[int, bytes]()
    drawn = [plan.unrank(number) for number in numbers]
    for number, position in zip(numbers, drawn, strict=True):
        if table.value(position) == UNSEEN:
            continue
        back = plan.rank(position)
        if back != number or bits.setdefault(table.bit(position), position) != position:
            raise SelfCheckError(
                f"{table.folder}: {position.hex(' ')} has the rank {back:,}, but it is the position of rank {number:,}"
            )
    return drawn


def again(table: BitTable, keeper: Keeper) -> None:
    """Count the table again with this keeper; raise TableError if any depth differs."""
    chosen = table.places.chosen
    asked = KeptDepths(table.model, table.sources, len(table.hardest), keeper=keeper)
    layers = chosen.count(chosen.plan, asked, Watch(), None)
    if layers.counts != table.counts or layers.deepest != table.hardest:
        raise TableError(f"{table.folder}: counted again, the counts or the hardest positions differ")
    different = np.flatnonzero((keeper.planes != planes_of(table)).any(axis=0))
    if len(different):
        raise TableError(f"{table.folder}: counted again, {len(different):,} words of 64 positions differ")
