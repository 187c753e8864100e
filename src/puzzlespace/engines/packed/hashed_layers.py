"""Layers partitioned by hash, computed by compiled kernels on all processors.

A layer is computed in rounds. In each round the threads expand positions until the arena of blocks is full or all are
done, and put the children into buckets by hash. Then duplicates and known positions are removed from each bucket, which
needs only the same part of the older layers and of the layer so far. There are no locks, memory is bounded by the
arena, and the result does not depend on the number of threads.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...kernels.packed import dedupe, expand, expand_wide
from ...limits.threads import Crew, processors
from ...limits.thresholds import Thresholds
from ...limits.watch import Watch
from .arrays import PackedRules

BITS = Thresholds().layer_bits
"""Layers have 2^BITS parts, so that a part of a layer of ten million positions fits the cache of a processor core."""

BLOCK = Thresholds().arena_block
"""Words in a block of the arena, a power of two."""

EXTRA = Thresholds().arena_extra
"""Blocks of the arena, at least, besides those of the buckets."""

MOST_BYTES = 1 << 29
"""The most bytes of the arena (a quarter of the memory limit, if that is less)."""


@dataclass(frozen=True)
class KeyParts:
    """A set of positions: part p is keys[starts[p]:starts[p + 1]], keys of shape [n] or [n, words]."""

    keys: np.ndarray
    starts: np.ndarray

    @property
    def pair(self) -> tuple[np.ndarray, np.ndarray]:
        """(keys, starts), as the kernels take it."""
        return self.keys, self.starts

    @property
    def flat(self) -> tuple[np.ndarray, np.ndarray]:
        """(keys, starts) with the words in one dimension."""
        return self.keys.reshape(-1), self.starts

    @property
    def sizes(self) -> np.ndarray:
        """The number of positions in each part."""
        return np.diff(self.starts)


class Compiled:
    """Layers by compiled kernels; `numpy_layers.Flat` has the same methods.

    bits     at least 1: there are 2^bits parts and buckets
    threads  None for one on each processor
    most     the most bytes of the arena
    block    words in a block of the arena, a power of two: one for the link, the others for children
    extra    blocks of the arena, at least, besides those of the buckets
    """

    compiled = True

    def __init__(
        self,
        bits: int = BITS,
        threads: int | None = None,
        most: int = MOST_BYTES,
        block: int = BLOCK,
        extra: int = EXTRA,
    ) -> None:
        self.bits = bits
        self.crew = Crew(threads or processors())
        self.most = most
        self.block = block
        self.ratio = 4.0
        self.extra = extra
        self.least = 0
        self.arena = np.empty(0, np.uint64)
        self.spare: list[np.ndarray] = []

    def wrap(self, keys: np.ndarray) -> KeyParts:
        """Return the layer of some rows of words, all different."""
        with np.errstate(over="ignore"):
            mixed = np.zeros(len(keys), np.uint64)
            for word in range(keys.shape[1]):
                mixed ^= keys[:, word]
                mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)
        part = (mixed >> np.uint64(64 - self.bits)).astype(np.int64)
        order = np.argsort(part, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(part, minlength=1 << self.bits))]).astype(np.int64)
        return KeyParts(np.ascontiguousarray(keys[order, 0] if keys.shape[1] == 1 else keys[order]), starts)

    def keys(self, layer: KeyParts) -> np.ndarray:
        """Return the rows of words of a layer."""
        return layer.keys if layer.keys.ndim > 1 else layer.keys[:, None]

    def size(self, layer: KeyParts) -> int:
        return len(layer.keys)

    def merge(self, one: KeyParts, other: KeyParts) -> KeyParts:
        """Return the union of two disjoint layers."""
        starts = one.starts + other.starts
        out = np.empty((int(starts[-1]), *one.keys.shape[1:]), np.uint64)
        words = _words(one.keys)
        span = np.array([0, 1 << self.bits])
        dedupe.copy_parts(one.flat, span, words, out.reshape(-1), starts)
        dedupe.copy_parts(other.flat, span, words, out.reshape(-1), starts[:-1] + one.sizes)
        return KeyParts(out, starts)

    def recycle(self, layer: KeyParts) -> None:
        """Take back a layer that is not needed any more, to use its memory for a later one."""
        whole = layer.keys if layer.keys.base is None else layer.keys.base
        self.spare = [*self.spare, whole.reshape(-1)][-2:]

    def release(self) -> None:
        """Release memory that is kept only to compute the next layer faster."""
        self.arena, self.spare = np.empty(0, np.uint64), []

    def _empty(self, size: int, watch: Watch) -> np.ndarray:
        """Return an array of `size` words, recycled if possible."""
        for index, array in enumerate(self.spare):
            if size <= len(array) <= 4 * size:
                return self.spare.pop(index)[:size]
        watch.reserve(8 * size)
        return np.empty(size, np.uint64)

    def common(self, one: KeyParts, other: KeyParts) -> np.ndarray:
        """Return the intersection of two layers, as rows of words."""
        few, many = sorted((one, other), key=self.size)
        keys, others = self.keys(few), self.keys(many)
        out = np.empty_like(keys)
        most = int(few.sizes.max(initial=0))
        scratch = np.empty((1 << dedupe.table_bits(most)) + 1, np.int64), np.empty((most + 1, keys.shape[1]), np.uint64)
        with np.errstate(over="ignore"):
            found = dedupe.common((keys, few.starts), (others, many.starts), scratch, self.bits, out)
        return out[:found]

    def following(self, plan: PackedRules, layer: KeyParts, seen: tuple[KeyParts, ...], watch: Watch) -> KeyParts:
        """Return the positions one move from `layer` that are in none of the (one or two) layers `seen`."""
        stride = max(256, min(1 << 15, len(layer.keys) // (8 * self.crew.threads)))
        jobs = deque(
            np.array([row, min(row + stride, len(layer.keys)), 0]) for row in range(0, len(layer.keys), stride)
        )
        new = KeyParts(layer.keys[:0].copy(), np.zeros_like(layer.starts))
        seen = (*seen, KeyParts(new.keys, new.starts))[:2]
        while jobs:
            books = self._books(sum(int(job[1] - job[0]) for job in jobs), _words(layer.keys), watch)
            self._expand(plan, layer, jobs, books, watch)
            chains = self._chains(books, _words(layer.keys))
            self._sift((*seen, new), chains, watch)
            new = self._gather(new, chains, watch)
        return new

    def _room(self, words: int) -> int:
        """Return the number of children that fit a block."""
        return (self.block - 1) // words

    def _books(self, rows: int, words: int, watch: Watch) -> list[np.ndarray]:
        """Return a book for each thread; enlarge the arena such that the children of `rows` positions should fit."""
        size = 8 * self.block
        slack = self.crew.threads << self.bits
        limit = watch.limits.memory
        most = self.most if limit is None else min(self.most, limit // 4)
        wanted = int(rows * self.ratio * 1.1 / self._room(words)) * 17 // 16 + slack + self.extra
        blocks = max(min(wanted, most // size), slack // 2 + self.extra, self.least)
        if blocks * self.block > len(self.arena):
            self.arena = np.empty(0, np.uint64)
            watch.reserve(blocks * size)
            blocks = max(blocks, min(2 * blocks, most // size))
            self.arena = np.empty(blocks * self.block, np.uint64)
        blocks = len(self.arena) // self.block
        self.lots = iter(np.array_split(np.arange(blocks), min(blocks, 64 * self.crew.threads)))
        books = np.zeros((self.crew.threads, expand.HEAD + (3 << self.bits)), np.int64)
        books[:, 2:5] = 64 - self.bits, self.block.bit_length() - 1, 1 << self.bits
        return list(books)

    def _expand(self, plan: PackedRules, layer: KeyParts, jobs: deque, books: list[np.ndarray], watch: Watch) -> None:
        """Expand jobs (spans of rows) until all are done or the arena is full; unfinished jobs stay in the queue."""
        words = _words(layer.keys)
        loop = expand.expand1 if words == 1 else expand_wide.expandw
        pools = [np.empty((16, words + 1), np.uint64) for _ in books]
        made = [0] * len(books)
        rows = sum(int(job[1] - job[0]) for job in jobs)

        def work(thread: int, job: np.ndarray) -> bool:
            while True:
                with np.errstate(over="ignore"):
                    made[thread] += loop(plan.code, layer.keys, job, pools[thread], self.arena, books[thread])
                if job[2] == expand.CRAMPED:
                    pools[thread] = np.empty((2 * len(pools[thread]), words + 1), np.uint64)
                elif job[2] == expand.FULL:
                    lot = next(self.lots, None)
                    if lot is None:
                        return False
                    books[thread][:2] = lot[0], lot[-1] + 1
                else:
                    return True

        self.crew.run(jobs, work, partial(watch.tick, 0))
        rows -= sum(int(job[1] - job[0]) for job in jobs)
        if rows:
            self.ratio = sum(made) / rows
        else:
            self.least = 2 * len(self.arena) // self.block
        watch.tick(sum(made))

    def _chains(self, books: list[np.ndarray], words: int) -> dedupe.Chains:
        """Return the buckets; the blocks of all threads for a bucket are linked to one list."""
        heads = np.full(1 << self.bits, -1)
        totals = np.zeros(1 << self.bits, np.int64)
        used = np.full(len(self.arena) // self.block, self._room(words))
        for book in books:
            to = book[expand.HEAD :][: 1 << self.bits]
            first, blocks = book[expand.HEAD + (1 << self.bits) :].reshape(-1, 2).T
            some = np.flatnonzero(blocks)
            last, held = (to[some] - 1) // self.block, (to[some] - 1) % self.block // words
            used[last] = held
            self.arena[first[some] * self.block] = heads[some].astype(np.uint64)
            heads[some] = last
            totals[some] += (blocks[some] - 1) * self._room(words) + held
        return dedupe.Chains(self.arena, used, heads, totals, np.zeros(1 << self.bits, np.int64))

    def _spans(self) -> deque[np.ndarray]:
        parts = np.array_split(np.arange(1 << self.bits), min(1 << self.bits, 32 * self.crew.threads))
        return deque(np.array([part[0], part[-1] + 1]) for part in parts)

    def _sift(self, sets: tuple[KeyParts, ...], chains: dedupe.Chains, watch: Watch) -> None:
        """Drop duplicates and known positions from the buckets."""
        most = int((chains.totals + sum(each.sizes for each in sets)).max())
        words = _words(sets[0].keys)
        pairs = tuple(each.pair for each in sets)
        scratch: list = [None] * self.crew.threads

        def work(thread: int, span: np.ndarray) -> bool:
            if scratch[thread] is None:
                scratch[thread] = _scratch(most, words)
            loop = dedupe.sift1 if words == 1 else dedupe.siftw
            with np.errstate(over="ignore"):
                loop(pairs, chains, span, scratch[thread], self.bits)
            return True

        self.crew.run(self._spans(), work, partial(watch.tick, 0))

    def _gather(self, earlier: KeyParts, chains: dedupe.Chains, watch: Watch) -> KeyParts:
        """Return the union of `earlier` and the new children in the buckets."""
        starts = np.concatenate([[0], np.cumsum(earlier.sizes + chains.fresh)])
        words = _words(earlier.keys)
        flat = self._empty(int(starts[-1]) * words, watch)
        behind = starts[:-1] + earlier.sizes

        def work(thread: int, span: np.ndarray) -> bool:
            dedupe.copy_parts(earlier.flat, span, words, flat, starts)
            dedupe.copy_chains(chains, span, words, flat, behind)
            return True

        self.crew.run(self._spans(), work, partial(watch.tick, 0))
        return KeyParts(flat.reshape(-1, *earlier.keys.shape[1:]), starts)


def _words(keys: np.ndarray) -> int:
    return 1 if keys.ndim == 1 else keys.shape[1]


def _scratch(most: int, words: int):
    """Return the working memory of `sift1` or `siftw` for at most `most` keys in a part."""
    if words == 1:
        return np.empty(1 << dedupe.table_bits(most), np.uint64)
    return np.empty((1 << dedupe.table_bits(most)) + 1, np.int64), np.empty((most + 1, words), np.uint64)
