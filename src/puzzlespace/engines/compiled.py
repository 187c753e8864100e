"""Layers as parts by hash, grown in compiled loops on all cores: children into buckets, each bucket sifted in cache.

A layer is grown in rounds. In a round the threads expand positions until the arena of blocks is full or all are done;
then each bucket is held against the same part of the layers before, and of what earlier rounds found, and what is left
joins the new layer. Nothing is locked, memory is bounded by the arena, and the set found does not depend on the threads.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from ..kernels import expand, expandw, sift
from ..result import Watch, peak_memory
from .crew import Crew, processors
from .plan import Plan

BITS = 10
"""Layers have 2^BITS parts: enough that a part of some ten million positions stays in a core's cache."""

ROOM = 512
"""Children in a block of the arena."""

MOST_BYTES = 1 << 29
"""The arena takes at most so many bytes (a quarter of the memory limit, if that is less)."""


@dataclass(frozen=True)
class Parts:
    """A set of positions: part p is keys[starts[p]:starts[p + 1]], keys of shape [n] or [n, words]."""

    keys: np.ndarray
    starts: np.ndarray

    @property
    def pair(self) -> tuple[np.ndarray, np.ndarray]:
        """What the loops take."""
        return self.keys, self.starts

    @property
    def flat(self) -> tuple[np.ndarray, np.ndarray]:
        """The same with the words one after another."""
        return self.keys.reshape(-1), self.starts

    @property
    def sizes(self) -> np.ndarray:
        """The number of positions in each part."""
        return np.diff(self.starts)


def claim_memory(watch: Watch, wanted: int) -> None:
    """Raise LimitError where `wanted` bytes on top of what is held now would pass the limit."""
    if watch.limits.memory is not None:
        watch.reserve(max(0, wanted - (peak_memory() - held_memory())))


def held_memory() -> int:
    """Return the memory that this process holds now, in bytes (its peak where the system does not say)."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return peak_memory()


class Compiled:
    """The way to keep and grow layers with compiled loops.

    bits     2^bits parts and buckets, at least 1
    threads  None for one on each processor core
    most     bytes of the arena at most
    """

    compiled = True

    def __init__(self, bits: int = BITS, threads: int | None = None, most: int = MOST_BYTES, room: int = ROOM) -> None:
        self.bits = bits
        self.crew = Crew(threads or processors())
        self.most = most
        self.room = room
        self.ratio = 4.0
        self.least = 0
        self.arena = np.empty(0, np.uint64)
        self.link = np.empty(0, np.int64)

    def wrap(self, keys: np.ndarray) -> Parts:
        """Return the layer of some different rows of words."""
        with np.errstate(over="ignore"):
            mixed = np.zeros(len(keys), np.uint64)
            for word in range(keys.shape[1]):
                mixed ^= keys[:, word]
                mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)
        part = (mixed >> np.uint64(64 - self.bits)).astype(np.int64)
        order = np.argsort(part, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(part, minlength=1 << self.bits))]).astype(np.int64)
        return Parts(np.ascontiguousarray(keys[order, 0] if keys.shape[1] == 1 else keys[order]), starts)

    def keys(self, layer: Parts) -> np.ndarray:
        """Return the rows of words of a layer."""
        return layer.keys.reshape(len(layer.keys), -1) if layer.keys.ndim > 1 else layer.keys[:, None]

    def size(self, layer: Parts) -> int:
        """Return how many positions a layer has."""
        return len(layer.keys)

    def merge(self, one: Parts, other: Parts) -> Parts:
        """Return the layer of both; they have nothing in common."""
        starts = one.starts + other.starts
        out = np.empty((int(starts[-1]), *one.keys.shape[1:]), np.uint64)
        words = _words(one.keys)
        span = np.array([0, 1 << self.bits])
        sift.copy_parts(one.flat, span, words, out.reshape(-1), starts)
        sift.copy_parts(other.flat, span, words, out.reshape(-1), starts[:-1] + one.sizes)
        return Parts(out, starts)

    def common(self, one: Parts, other: Parts) -> np.ndarray:
        """Return the rows of words that are in both layers."""
        few, many = sorted((one, other), key=self.size)
        keys, others = self.keys(few), self.keys(many)
        out = np.empty_like(keys)
        most = int(few.sizes.max(initial=0))
        scratch = np.empty((1 << _bits_of(most)) + 1, np.int64), np.empty((most + 1, keys.shape[1]), np.uint64)
        with np.errstate(over="ignore"):
            found = sift.common((keys, few.starts), (others, many.starts), scratch, self.bits, out)
        return out[:found]

    def following(self, plan: Plan, layer: Parts, seen: tuple[Parts, ...], watch: Watch) -> Parts:
        """Return the positions one move from `layer` that are in none of the (one or two) layers `seen`."""
        stride = max(256, min(1 << 15, len(layer.keys) // (8 * self.crew.threads)))
        jobs = deque(
            np.array([row, min(row + stride, len(layer.keys)), 0]) for row in range(0, len(layer.keys), stride)
        )
        new = Parts(layer.keys[:0].copy(), np.zeros_like(layer.starts))
        seen = (*seen, Parts(new.keys, new.starts))[:2]
        while jobs:
            sinks = self._sinks(sum(int(job[1] - job[0]) for job in jobs), _words(layer.keys), watch)
            self._expand(plan, layer, jobs, sinks, watch)
            chains = self._chains(sinks)
            self._sift((*seen, new), chains, watch)
            new = self._gather(new, chains, watch)
        return new

    def _sinks(self, rows: int, words: int, watch: Watch) -> list[expand.Sink]:
        """Return an empty sink for each thread, all on one arena that the children of `rows` positions should fit."""
        block = 8 * words * self.room
        slack = self.crew.threads << self.bits
        limit = watch.limits.memory
        most = self.most if limit is None else min(self.most, limit // 4)
        wanted = int(rows * self.ratio * 1.1 / self.room) * 17 // 16 + slack + 64
        blocks = max(min(wanted, most // block), slack // 2 + 64, self.least)
        if blocks > len(self.link):
            self.arena = np.empty(0, np.uint64)
            claim_memory(watch, blocks * block)
            self.arena = np.empty(blocks * self.room * words, np.uint64)
            self.link = np.empty(blocks, np.int64)
        self.lots = iter(np.array_split(np.arange(len(self.link)), min(len(self.link), 64 * self.crew.threads)))
        arena = self.arena.reshape((-1, self.room) if words == 1 else (-1, self.room, words))
        sinks = []
        for _ in range(self.crew.threads):
            cursor = np.zeros((1 << self.bits, 4), np.int64)
            cursor[:, 0] = -1
            sinks.append(expand.Sink(arena, self.link, cursor, np.array([0, 0, 64 - self.bits])))
        return sinks

    def _expand(self, plan: Plan, layer: Parts, jobs: deque, sinks: list[expand.Sink], watch: Watch) -> None:
        """Expand jobs (spans of rows) until none is left or the arena is full; unfinished ones stay in the queue."""
        words = _words(layer.keys)
        loop = expand.expand1 if words == 1 else expandw.expandw
        pools = [_pool(16, words) for _ in sinks]
        made = [0] * len(sinks)
        rows = sum(int(job[1] - job[0]) for job in jobs)

        def work(thread: int, job: np.ndarray) -> bool:
            while True:
                with np.errstate(over="ignore"):
                    made[thread] += loop(plan.rules, layer.keys, job, sinks[thread], pools[thread])
                if job[2] == expand.CRAMPED:
                    pools[thread] = _pool(2 * len(pools[thread].groups), words)
                elif job[2] == expand.FULL:
                    lot = next(self.lots, None)
                    if lot is None:
                        return False
                    sinks[thread].lot[:2] = lot[0], lot[-1] + 1
                else:
                    return True

        self.crew.run(jobs, work, watch)
        rows -= sum(int(job[1] - job[0]) for job in jobs)
        if rows:
            self.ratio = sum(made) / rows
        else:
            self.least = 2 * len(self.link)
        watch.tick(sum(made))

    def _chains(self, sinks: list[expand.Sink]) -> sift.Chains:
        """Return the buckets of all threads, each as one chain."""
        heads = np.full(1 << self.bits, -1)
        totals = np.zeros(1 << self.bits, np.int64)
        used = np.full(len(self.link), self.room)
        for sink in sinks:
            last, held, first, blocks = sink.cursor.T
            some = np.flatnonzero(last >= 0)
            used[last[some]] = held[some]
            self.link[first[some]] = heads[some]
            heads[some] = last[some]
            totals[some] += (blocks[some] - 1) * self.room + held[some]
        return sift.Chains(sinks[0].arena, self.link, used, heads, totals, np.zeros(1 << self.bits, np.int64))

    def _spans(self) -> deque[np.ndarray]:
        parts = np.array_split(np.arange(1 << self.bits), min(1 << self.bits, 32 * self.crew.threads))
        return deque(np.array([part[0], part[-1] + 1]) for part in parts)

    def _sift(self, sets: tuple[Parts, ...], chains: sift.Chains, watch: Watch) -> None:
        """Leave in the chains what is in none of the sets, each once."""
        most = int((chains.totals + sum(each.sizes for each in sets)).max())
        words = _words(sets[0].keys)
        pairs = tuple(each.pair for each in sets)
        scratch: list = [None] * self.crew.threads

        def work(thread: int, span: np.ndarray) -> bool:
            if scratch[thread] is None:
                scratch[thread] = _scratch(most, words)
            loop = sift.sift1 if words == 1 else sift.siftw
            with np.errstate(over="ignore"):
                loop(pairs, chains, span, scratch[thread], self.bits)
            return True

        self.crew.run(self._spans(), work, watch)

    def _gather(self, earlier: Parts, chains: sift.Chains, watch: Watch) -> Parts:
        """Return the set of `earlier` and what the chains hold."""
        starts = np.concatenate([[0], np.cumsum(earlier.sizes + chains.fresh)])
        claim_memory(watch, int(starts[-1]) * 8 * _words(earlier.keys))
        out = np.empty((int(starts[-1]), *earlier.keys.shape[1:]), np.uint64)
        words, flat, arena = _words(earlier.keys), out.reshape(-1), chains.arena.reshape(-1)
        links = (chains.link, chains.used, chains.heads, chains.fresh)
        behind = starts[:-1] + earlier.sizes

        def work(thread: int, span: np.ndarray) -> bool:
            sift.copy_parts(earlier.flat, span, words, flat, starts)
            sift.copy_chains(arena, links, span, words, flat, behind)
            return True

        self.crew.run(self._spans(), work, watch)
        return Parts(out, starts)


def _words(keys: np.ndarray) -> int:
    return 1 if keys.ndim == 1 else keys.shape[1]


def _bits_of(wanted: int) -> int:
    """Return the bits of a table that holds `wanted` keys; as `sift.room`."""
    return max(4, (wanted * 3 // 2 + 1).bit_length())


def _pool(held: int, words: int) -> expand.Pool:
    return expand.Pool(np.empty(held if words == 1 else (held, words), np.uint64), np.empty(held, np.int64))


def _scratch(most: int, words: int):
    """Return the scratch of `sift1` or `siftw` for at most so many keys in a part."""
    if words == 1:
        return np.empty(1 << _bits_of(most), np.uint64)
    return np.empty((1 << _bits_of(most)) + 1, np.int64), np.empty((most + 1, words), np.uint64)
