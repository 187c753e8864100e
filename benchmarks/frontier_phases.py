"""Where compiled layers of the frontier engine spend their time, beside radix sorts of as many words as they generate.

    python benchmarks/frontier_phases.py                  layers 0 … 26 of slide:4x4 (2 GB of memory)
    python benchmarks/frontier_phases.py slide:4x4 24
    python benchmarks/frontier_phases.py topspin:11,4 40 --threads 2
    python benchmarks/frontier_phases.py --no-sort        without the sorts
    python benchmarks/frontier_phases.py --bits 12        with 4096 buckets instead of 1024

Processor seconds (user and system) of this process, loops compiled. `arena` enlarges the arena, which touches fresh
memory; `expand` also puts the children into buckets; `dedupe` also subtracts known layers and writes the new layer;
`lists` updates the lists of blocks; `other` is the rest. The last row sorts, for each layer, as many random 64-bit
words as were generated: once by the highest ten bits into buckets, then in the cache by the others, eleven at a time.
"""

from __future__ import annotations

import argparse
import os
import resource
import time

import numpy as np

from machine import described
from puzzlespace import load
from puzzlespace.engines import frontier
from puzzlespace.engines.packed.front import Front
from puzzlespace.engines.packed.hashed_layers import LAYER_BITS, Compiled
from puzzlespace.kernels.loop import loop
from puzzlespace.limits.watch import Watch
from puzzlespace.search.ends import begun

PHASES = {"_blocks": "arena", "_expand": "expand", "_sift": "dedupe", "_collected": "lists", "_dense": "lists"}


class Timed(Compiled):
    """Compiled layers that add up the processor time of their phases."""

    def __init__(self, **options: int) -> None:
        self.spent = dict.fromkeys(PHASES.values(), 0.0)
        super().__init__(**options)

    def __getattribute__(self, name: str) -> object:
        found = super().__getattribute__(name)
        if name not in PHASES:
            return found

        def timed(*given: object) -> object:
            began = time.process_time()
            try:
                return found(*given)
            finally:
                self.spent[PHASES[name]] += time.process_time() - began

        return timed


@loop
def radix_sort(words, other, starts, counts):
    """Sort `words`; `other` is working memory of the same size, starts and counts of 1025 and 2048 numbers."""
    starts[:] = 0
    for index in range(len(words)):
        starts[np.int64(words[index] >> np.uint64(54)) + 1] += 1
    for part in range(1024):
        starts[part + 1] += starts[part]
        counts[part] = starts[part]
    for index in range(len(words)):
        part = np.int64(words[index] >> np.uint64(54))
        other[counts[part]] = words[index]
        counts[part] += 1
    for part in range(1024):
        source, target = other, words
        for shift in range(0, 54, 11):
            counts[:] = 0
            for index in range(starts[part], starts[part + 1]):
                counts[np.int64(source[index] >> np.uint64(shift) & np.uint64(2047))] += 1
            at = starts[part]
            for digit in range(2048):
                at, counts[digit] = at + counts[digit], at
            for index in range(starts[part], starts[part + 1]):
                digit = np.int64(source[index] >> np.uint64(shift) & np.uint64(2047))
                target[counts[digit]] = source[index]
                counts[digit] += 1
            source, target = target, source


def sort_seconds(sizes: list[int]) -> float:
    """Return the processor time of sorting so many random words, one array after the other."""
    words, other = (np.ones(max(sizes, default=0), np.uint64) for _ in range(2))
    rng = np.random.default_rng(1)
    starts, counts = np.empty(1025, np.int64), np.empty(2048, np.int64)
    radix_sort(words[:0], other, starts, counts)
    spent = 0.0
    for size in sizes:
        words[:size] = rng.integers(0, 1 << 64, size, np.uint64)
        began = time.process_time()
        radix_sort(words[:size], other, starts, counts)
        spent += time.process_time() - began
        assert size < 2 or bool((words[: size - 1] <= words[1:size]).all())
    return spent


def searched(name: str, deepest: int, threads: int, bits: int) -> tuple[list[int], list[int], dict[str, float], float]:
    """Return the sizes of the layers, how many positions each generated, the seconds of phases, and all seconds."""
    model = load(name).model()
    source = next((goal.position for goal in model.goals if goal.position is not None), model.start)
    assert source is not None
    method, watch = Timed(threads=threads, bits=bits), Watch()
    front = Front(model, frontier.packing_of(model, (source,)))
    end = begun(front, (source,))
    front.compile(method)
    made = []
    began = time.process_time()
    while end.size and end.depth < deepest:
        before = watch.generated
        end.grow(watch)
        made.append(watch.generated - before)
    return end.sizes, made, method.spent, time.process_time() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("puzzle", nargs="?", default="slide:4x4")
    parser.add_argument("deepest", nargs="?", type=int, default=26)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--bits", type=int, default=LAYER_BITS.usual, help="of the hash that select the bucket")
    parser.add_argument("--no-sort", action="store_true", help="leave out the radix sorts")
    chosen = parser.parse_args()
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[-chosen.threads :]))
    searched(chosen.puzzle, min(chosen.deepest, 8), chosen.threads, chosen.bits)  # compiles, or loads what is compiled
    before = resource.getrusage(resource.RUSAGE_SELF)
    counts, made, spent, total = searched(chosen.puzzle, chosen.deepest, chosen.threads, chosen.bits)
    after = resource.getrusage(resource.RUSAGE_SELF)
    generated = sum(made)
    print(f"{chosen.puzzle}, layers 0-{len(counts) - 1}, {chosen.threads} threads, {described()}")
    print(f"{sum(counts):,} positions, {counts[-1]:,} in the last layer, {generated:,} generated")
    rows = {**spent, "other": total - sum(spent.values()), "together": total}
    if not chosen.no_sort:
        rows["radix sort of the generated words"] = sort_seconds(made)
    for name, seconds in rows.items():
        print(f"{name:<34}{seconds:8.2f} s{seconds / generated * 1e9:8.1f} ns for each generated position")
    print(f"of this in the system: {after.ru_stime - before.ru_stime:.2f} s; peak {after.ru_maxrss / 2**10:,.0f} MiB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
