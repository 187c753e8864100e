"""Layers partitioned by hash, computed by compiled kernels on all processors.

Layers and children live in blocks of one arena. A layer is computed in rounds. In each round the threads expand
positions until the blocks of the round are full or all are done, and put the children into buckets by hash. Then
duplicates and known positions are removed from each bucket, which needs only the same part of the older layers and of
the layer so far; its different children stay in its blocks, and the other blocks are free again. There are no locks,
memory is bounded by the blocks of a round, and the result does not depend on the number of threads.

If moves have marks (`undoing`), each position of a layer says which moves lead back to the layer before. These are not
tried, so that layer need not be subtracted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np

from ...kernels.packed import dedupe, expand, expand_lawful, expand_wide, happening
from ...limits.threads import Crew, processors
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from .arrays import NET_FROM, PackedRules, Trials

MOST_BYTES = 1 << 30
"""The most bytes of the blocks of a round (a quarter of the memory limit, if that is less)."""

ASIDE = 6 << 20
"""Bytes left for a round besides its blocks (an eighth of the memory limit, if that is less): for the tables of the
threads, and for lists of blocks."""

SPARSE = 2
"""A layer is moved out of the arena if its blocks have room for more than SPARSE times its positions."""

LAYER_BITS = Threshold(10)
"""Layers have 2 to this power parts, so that a part of a layer of ten million positions fits the cache of a processor
core; at least 2.

Measured: with 7 counts of pancake:9 and topspin:9,4 took 1.0 times as long, with 13 1.4 times.
"""

ARENA_BLOCK = Threshold(512)
"""Words in a block of the arena: a power of two, at least MOST_WORDS.

Measured: with an eighth `depths pancake:9` took 1.15 times as long, with eight times as many 1.3 times.
"""

ARENA_EXTRA = Threshold(64)
"""Blocks of a round, at least, besides those of the buckets."""


@dataclass(frozen=True)
class KeyParts:
    """A set of positions by parts, as `kernels.packed.dedupe` describes it: part p has segments firsts[p] … .

    marked  whether the positions have all marks of moves that lead back to the layer before
    """

    source: np.ndarray
    places: np.ndarray
    counts: np.ndarray
    firsts: np.ndarray
    words: int
    size: int
    marked: bool = False

    @property
    def kernel(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The layer as the kernels take it."""
        return self.source, self.places, self.counts, self.firsts

    @property
    def sizes(self) -> np.ndarray:
        """The number of positions in each part."""
        return np.diff(np.concatenate([[0], np.cumsum(self.counts)])[self.firsts])

    @property
    def segments(self) -> np.ndarray:
        """The segments as the kernels that expand take them."""
        parts = np.repeat(np.arange(len(self.firsts) - 1), np.diff(self.firsts))
        return np.column_stack([self.places, self.counts, parts])


class Compiled:
    """Layers by compiled kernels; `numpy_layers.Flat` has the same methods.

    bits     at least 2: there are 2^bits parts and buckets
    threads  None for one on each processor
    most     the most bytes of the blocks of a round
    block    words in a block of the arena, a power of two
    extra    blocks of a round, at least, besides those of the buckets
    net_from  see `arrays.NET_FROM`
    """

    compiled = True

    def __init__(
        self,
        bits: int = LAYER_BITS.usual,
        threads: int | None = None,
        most: int = MOST_BYTES,
        block: int = ARENA_BLOCK.usual,
        extra: int = ARENA_EXTRA.usual,
        net_from: int = NET_FROM.usual,
    ) -> None:
        self.bits = bits
        self.net_from = net_from
        self.crew = Crew(threads or processors())
        self.most = most
        self.block = block
        self.ratio = self.marked_ratio = 4.0
        self.extra = extra
        self.least = 0
        self.release()

    def wrap(self, keys: np.ndarray) -> KeyParts:
        """Return the layer of some rows of words, all different."""
        words = keys.shape[1]
        records, part = np.empty(keys.size, np.uint64), np.empty(len(keys), np.int64)
        with np.errstate(over="ignore"):
            dedupe.encoded(np.ascontiguousarray(keys), self.bits, part, records)
        order = np.argsort(part, kind="stable")
        sizes = np.bincount(part, minlength=1 << self.bits)
        return self._flat(records.reshape(-1, words)[order].reshape(-1), sizes, words)

    def _flat(self, records: np.ndarray, sizes: np.ndarray, words: int, marked: bool = False) -> KeyParts:
        """Return the layer of records in the order of the parts, which have these sizes."""
        places = (np.cumsum(sizes) - sizes) * words
        firsts = np.arange((1 << self.bits) + 1)
        return KeyParts(records, places, sizes.astype(np.int64), firsts, words, len(records) // words, marked)

    def keys(self, layer: KeyParts) -> np.ndarray:
        """Return the rows of words of a layer."""
        return self._rows(layer, 0, 1 << self.bits)

    def _rows(self, layer: KeyParts, first: int, last: int) -> np.ndarray:
        """Return the rows of words of some parts of a layer."""
        begin, end = layer.firsts[first], layer.firsts[last]
        out = np.empty((int(layer.counts[begin:end].sum()), layer.words), np.uint64)
        with np.errstate(over="ignore"):
            dedupe.plain_rows(layer.kernel, np.array([first, last]), self.bits, out)
        return out

    def pieces(self, layer: KeyParts, at_once: int) -> Iterator[np.ndarray]:
        """Yield the rows of words of a layer, about `at_once` at a time, but whole parts."""
        first, held = 0, 0
        for part, size in enumerate(layer.sizes.tolist()):
            if held and held + size > at_once:
                yield self._rows(layer, first, part)
                first, held = part, 0
            held += size
        if held:
            yield self._rows(layer, first, 1 << self.bits)

    def marked(self, layer: KeyParts) -> bool:
        """Return whether the positions have marks of all moves that lead back, so that none of these is tried."""
        return layer.marked

    def size(self, layer: KeyParts) -> int:
        return layer.size

    def merge(self, one: KeyParts, other: KeyParts) -> KeyParts:
        """Return the union of two disjoint layers."""
        sizes = one.sizes + other.sizes
        offsets = np.cumsum(sizes) - sizes
        out = np.empty((one.size + other.size) * one.words, np.uint64)
        span = np.array([0, 1 << self.bits])
        dedupe.copy_parts(one.kernel, span, one.words, out, offsets)
        dedupe.copy_parts(other.kernel, span, one.words, out, offsets + one.sizes)
        return self._flat(out, sizes, one.words)

    def recycle(self, layer: KeyParts) -> None:
        """Free the blocks of a layer that is not needed any more."""
        if layer.source is self.arena:
            self.free = np.concatenate([self.free, layer.places // self.block])

    def release(self) -> None:
        """Give up the arena, and all layers in it."""
        self.arena, self.link, self.free = (np.empty(0, kind) for kind in (np.uint64, np.int64, np.int64))

    def shrink(self, *layers: KeyParts) -> list[KeyParts]:
        """Keep only these layers in the arena, and release the rest of it; return them, as they are then."""
        blocks = [layer.places // self.block for layer in layers if layer.source is self.arena]
        used = np.concatenate([*blocks, self.free[:0]])
        kept = len(used)
        holes = np.setdiff1d(np.arange(kept), used)
        moved = np.arange(len(self.link))
        moved[used[used >= kept]] = holes
        size = self.block
        for old in used[used >= kept].tolist():
            self.arena[moved[old] * size : (moved[old] + 1) * size] = self.arena[old * size : (old + 1) * size]
        self.arena.resize(kept * size, refcheck=False)
        self.link, self.free = np.empty(kept, np.int64), self.free[:0]
        return [
            replace(layer, places=moved[layer.places // size] * size) if layer.source is self.arena else layer
            for layer in layers
        ]

    def common(self, one: KeyParts, other: KeyParts) -> np.ndarray:
        """Return the intersection of two layers, as rows of words."""
        few, many = sorted((one, other), key=self.size)
        out = np.empty((few.size, few.words), np.uint64)
        table = np.empty(few.words << dedupe.table_bits(int(few.sizes.max(initial=0))), np.uint64)
        with np.errstate(over="ignore"):
            found = dedupe.common(few.kernel, many.kernel, table, self.bits, few.words, out)
        return out[:found]

    def following(self, plan: PackedRules, layer: KeyParts, seen: tuple[KeyParts, ...], watch: Watch) -> KeyParts:
        """Return the positions one move from `layer` that are in none of the (one or two) layers `seen`."""
        work = _Work(
            plan, plan.trials(self.bits, self.net_from), layer.source, layer.segments, layer.words, layer.marked
        )
        return self._children(work, seen, watch)

    def children(self, plan: PackedRules, rows: np.ndarray, watch: Watch) -> KeyParts:
        """Return the positions one move from some rows of words."""
        words = rows.shape[1]
        begins = np.arange(0, len(rows), max(1, self.block // words))
        counts = np.diff(np.append(begins, len(rows)))
        segments = np.column_stack([begins * words, counts, np.full(len(begins), -1)])
        work = _Work(
            plan, plan.trials(self.bits, self.net_from), np.ascontiguousarray(rows).reshape(-1), segments, words, False
        )
        return self._children(work, (), watch)

    def _children(self, work: _Work, seen: tuple[KeyParts, ...], watch: Watch) -> KeyParts:
        """Return the positions one move from those to expand that are in none of the layers `seen`."""
        words = work.words
        new = none = self._none(words)
        jobs = work.jobs(self.crew.threads)
        while jobs:
            ratio = self.marked_ratio if work.marked else self.ratio
            blocks = self._blocks(work.rows(jobs) * ratio, words, watch)
            books = self._expand(work, jobs, blocks, watch)
            fresh, heads = np.zeros(1 << self.bits, np.int64), np.empty((1 << self.bits, 2), np.int64)
            chains = dedupe.Chains(self.arena, self.link, books, fresh, heads)
            self._sift((*seen, none, none)[:2], chains, new, watch)
            new = self._collected(chains, words, work.trials.marked)
        return self._dense(new, watch)

    def _none(self, words: int) -> KeyParts:
        """Return a layer without positions and without segments."""
        places = np.empty(0, np.int64)
        return KeyParts(np.empty(0, np.uint64), places, places, np.zeros((1 << self.bits) + 1, np.int64), words, 0)

    def _room(self, words: int) -> int:
        """Return the number of positions that fit a block."""
        return self.block // words

    def _blocks(self, children: float, words: int, watch: Watch) -> int:
        """Return the number of blocks for a round with so many children; enlarge the arena such that these are free."""
        size = 8 * self.block
        slack = self.crew.threads << self.bits
        limit = watch.limits.memory
        most = self.most if limit is None else min(self.most, limit // 4)
        wanted = int(children * 1.02 / self._room(words)) + slack + self.extra
        blocks = max(min(wanted, most // size), slack // 2 + self.extra, self.least)
        more = blocks - len(self.free)
        if more > 0:
            watch.reserve(more * size + (0 if limit is None else min(ASIDE, limit // 8)))
            held = len(self.link)
            self.arena.resize((held + more) * self.block, refcheck=False)  # layers refer to the array, which may move
            self.link = np.empty(held + more, np.int64)
            self.free = np.concatenate([self.free, np.arange(held, held + more)])
        return blocks

    def _expand(self, work: _Work, jobs: deque[np.ndarray], blocks: int, watch: Watch) -> np.ndarray:
        """Expand jobs until all are done or the first `blocks` free blocks are full; return the books of the threads.

        Unfinished jobs stay in the queue.
        """
        words, threads = work.words, self.crew.threads
        tables, loop = work.tables, work.loop
        books = np.zeros((threads, expand.HEAD + (3 << self.bits)), np.int64)
        books[:, 2:5] = 64 - self.bits, self.block.bit_length() - 1, 1 << self.bits
        books[:, expand.HEAD + (1 << self.bits) :: 2] = -1
        lots = deque(np.array_split(np.arange(blocks), min(blocks, 64 * threads)))
        pools = [np.empty((16, words + 1), np.uint64) for _ in books]
        scratch = [work.scratch() for _ in books]
        made = [0] * threads
        rows = work.rows(jobs)

        def expanded(thread: int, job: np.ndarray) -> bool:
            while True:
                with np.errstate(over="ignore"):
                    made[thread] += loop(
                        *tables, work.source, work.segments, job, scratch[thread], pools[thread],
                        self.arena, self.link, self.free, books[thread],
                    )  # fmt: skip
                if job[3] == happening.LONG:
                    work.go_on(pools[thread][0, :words])
                elif job[3] == expand.CRAMPED:
                    pools[thread] = np.empty((2 * len(pools[thread]), words + 1), np.uint64)
                elif job[3] == expand.FULL:
                    try:
                        lot = lots.popleft()
                    except IndexError:
                        return False
                    books[thread, :2] = lot[0], lot[-1] + 1
                else:
                    return True

        self.crew.run(jobs, expanded, partial(watch.tick, 0))
        rows -= work.rows(jobs)
        if rows and work.marked:
            self.marked_ratio = sum(made) / rows
        elif rows:
            self.ratio = sum(made) / rows
        else:
            self.least = 2 * blocks
        unused = [*lots, *(np.arange(book[0], book[1]) for book in books), np.arange(blocks, len(self.free))]
        self.free = self.free[np.concatenate(unused)]
        watch.tick(sum(made))
        return books

    def _spans(self) -> deque[np.ndarray]:
        parts = np.array_split(np.arange(1 << self.bits), min(1 << self.bits, 32 * self.crew.threads))
        return deque(np.array([part[0], part[-1] + 1]) for part in parts)

    def _sift(self, sets: tuple[KeyParts, ...], chains: dedupe.Chains, prior: KeyParts, watch: Watch) -> None:
        """Drop duplicates and known positions from the buckets, which continue the layer `prior`."""
        words, size = prior.words, self.block
        ends = chains.books[:, expand.HEAD :][:, : 1 << self.bits]
        last, blocks = chains.books[:, expand.HEAD + (1 << self.bits) :].reshape(len(ends), -1, 2).transpose(2, 0, 1)
        made = np.where(blocks > 0, (blocks - 1) * self._room(words) + (ends - last * size) // words, 0).sum(axis=0)
        most = int((made + prior.sizes + sum(each.sizes for each in sets)).max())
        longest = int((blocks.sum(axis=0) + np.diff(prior.firsts)).max())
        known = tuple(each.kernel for each in sets)
        scratch: list[tuple[np.ndarray, np.ndarray] | None] = [None] * self.crew.threads

        def sifted(thread: int, span: np.ndarray) -> bool:
            held = scratch[thread]
            if held is None:
                table = np.empty(words << dedupe.table_bits(most), np.uint64)
                held = scratch[thread] = table, np.empty(longest, np.int64)
            with np.errstate(over="ignore"):
                if words == 1:
                    dedupe.sift1(known, chains, prior.kernel[1:], span, *held, self.bits)
                else:
                    dedupe.siftw(known, chains, prior.kernel[1:], span, *held, self.bits, words)
            return True

        self.crew.run(self._spans(), sifted, partial(watch.tick, 0))

    def _collected(self, chains: dedupe.Chains, words: int, marked: bool) -> KeyParts:
        """Return the layer of the new children in the buckets; free the blocks without any."""
        used = len(self.link) - len(self.free)
        firsts, places, counts, freed = (np.empty(size, np.int64) for size in (len(chains.fresh) + 1, used, used, used))
        kept, gone = dedupe.collect(chains, self._room(words), firsts, places, counts, freed)
        self.free = np.concatenate([self.free, freed[:gone]])
        size = int(chains.fresh.sum())
        return KeyParts(self.arena, places[:kept].copy(), counts[:kept].copy(), firsts, words, size, marked)

    def _dense(self, layer: KeyParts, watch: Watch) -> KeyParts:
        """Return the layer; outside of the arena if its blocks are mostly empty."""
        if layer.source is not self.arena or len(layer.places) * self._room(layer.words) <= SPARSE * layer.size:
            return layer
        watch.reserve(8 * layer.size * layer.words)
        out, sizes = np.empty(layer.size * layer.words, np.uint64), layer.sizes
        dedupe.copy_parts(layer.kernel, np.array([0, 1 << self.bits]), layer.words, out, np.cumsum(sizes) - sizes)
        self.recycle(layer)
        return self._flat(out, sizes, layer.words, layer.marked)


@dataclass(frozen=True)
class _Work:
    """What to expand, for all threads; `marked` as in `KeyParts`."""

    plan: PackedRules
    trials: Trials
    source: np.ndarray
    segments: np.ndarray
    words: int
    marked: bool

    def go_on(self, row: np.ndarray) -> None:
        """Answer the reason LONG to stop; see `PackedSettling.go_on`."""
        assert self.plan.settling is not None
        self.plan.settling.go_on(row)

    @property
    def wide(self) -> bool:
        """Whether positions are expanded as rows of words."""
        return self.words > 1 or self.plan.settling is not None or len(self.trials.net) > 0

    @property
    def loop(self) -> Any:
        """The kernel that expands."""
        if self.plan.settling is not None:
            return expand_lawful.expand_lawful
        return expand_wide.expandw if self.wide else expand.expand1

    @property
    def tables(self) -> tuple[Any, ...]:
        """Return the first arguments of the kernel."""
        rules = self.plan.code, *self.trials[:3]
        if not self.wide:
            return rules
        ends = () if self.plan.settling is None else tuple(self.plan.settling.compiled)
        return *rules, self.trials.net, ends

    @cached_property
    def ends(self) -> np.ndarray:
        """How many positions there are before each segment, and in all."""
        return np.concatenate([[0], np.cumsum(self.segments[:, 1])])

    def jobs(self, threads: int) -> deque[np.ndarray]:
        """Return spans of segments with about as many positions each."""
        total = int(self.ends[-1])
        stride = max(256, min(1 << 15, total // (8 * threads)))
        cuts = np.unique(np.searchsorted(self.ends, np.append(np.arange(0, total, stride), total)))
        return deque(np.array([first, last, 0, 0]) for first, last in pairwise(cuts.tolist()))

    def scratch(self) -> Any:
        """Return the working memory of a thread for the kernel: pairs for one word, a position for several."""
        tries, net = self.trials.tries, self.trials.net
        if not self.wide:
            return np.empty(expand.BATCH + len(tries), np.uint64), np.empty(expand.BATCH + len(tries), np.int64)
        row = np.empty((1, self.words), np.uint64), np.empty(len(tries) + len(net), np.int64)
        return row if self.plan.settling is None else (*row, *self.plan.settling.scratch())

    def rows(self, jobs: deque[np.ndarray]) -> int:
        """Return how many positions the jobs have to expand."""
        return sum(int(self.ends[job[1]] - self.ends[job[0]] - job[2]) for job in jobs)
