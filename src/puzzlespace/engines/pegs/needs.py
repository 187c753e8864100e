"""What counting depths of peg solitaire takes, before they are counted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ...contract.answers import Layers
from ...contract.needs import Needs, Pair, Reference, Sizes, no_files
from ...contract.questions import Depths, Engine
from ...errors import LimitError, UnsupportedError
from ...limits.watch import Watch, paced
from ...model.model import Model
from ...structure.jumps import Jumps
from . import ENGINE, field_of, jumps_of
from .layer_counts import by_chains
from .reach import PegReach, words_of
from .values import MOST_FREE

QUICK = 29
"""Classes of at most 2^QUICK positions are counted to plan: the English board in about a second."""

MEASURED = 12
"""Jumps after which the count stops that measures this machine: some 100,000 classes of the English board."""

WORKING = 32
"""Bytes for each class of the next layer while it is sorted: its key and values again, and its place in the order."""


def needs(model: Model, sources: tuple[bytes, ...], memory: int | None) -> Needs:
    """Return what counting takes. Raises UnsupportedError if the engine does not count this puzzle."""
    jumps = jumps_of(model)
    refused = jumps if isinstance(jumps, str) else ENGINE.refuses(model, "depths")
    if isinstance(jumps, str) or refused:
        raise UnsupportedError(f"engine pegs: {refused}")
    pegs = _by_pegs(jumps, sources)
    if not jumps.chain and jumps.free <= MOST_FREE:
        return _bits(jumps, sum(pegs))
    return _classes(model, jumps, sources, pegs)


def _by_pegs(jumps: Jumps, sources: tuple[bytes, ...]) -> Sequence[int]:
    """Return the exact number of positions after each number of jumps, or () if that takes too long."""
    if jumps.free > QUICK:
        return ()
    try:
        reach = PegReach(jumps, [jumps.word(source) for source in sources], Watch())
        reach.grow(Watch())
    except (LimitError, UnsupportedError):
        return ()
    return reach.counts


def _bits(jumps: Jumps, positions: int) -> Needs:
    """Return what one bit for each position of the class takes: every layer goes through all of them."""
    words = words_of(jumps)

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(float(words), 0.0) for _ in paced(sizes)]

    return Needs(
        f"a set of the 2^{jumps.free} positions of the class", 1 << jumps.free, "1 bit a position of the class",
        0, 0, 0, lambda sizes: 8.0 * words, work, no_files, 0.0,
        Reference("pegs", "peg:english33", "step", ENGINE, needs, "peg:star13"), positions=positions,
    )  # fmt: skip


def _classes(model: Model, jumps: Jumps, sources: tuple[bytes, ...], pegs: Sequence[int]) -> Needs:
    """Return what layers of classes by number of pegs take: keys, values and a table of hashes for each."""
    symmetries = len(field_of(model, jumps, [list(sources)]).places)
    values = 2 if jumps.chain else 0

    def memory(sizes: Sizes) -> float:
        """Count a layer, the next one, its hashes with room for a quarter more, and what sorting takes."""
        most = 0.0
        for here, after in pairwise(size / symmetries for size in (0, *(pegs or sizes), 0)):
            slots = 1 << int(2.5 * after).bit_length()
            most = max(most, 8 * (1 + values) * (here + after) + 4 * slots + WORKING * after)
        return most

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(0.0, size / symmetries) for size in paced(sizes)]

    start = Engine("pegs", ENGINE.refuses, depths=_first_layers)
    return Needs(
        f"classes under {symmetries} symmetries, by number of pegs", 1 << jumps.free, f"{8 + 8 * values} bytes a class",
        0, 0, 0, memory, work, no_files, 0.0,
        Reference("pegs, classes", "peg:english33", "chain", start, needs, "peg:star13"), positions=sum(pegs),
    )  # fmt: skip


def _first_layers(question: Depths, watch: Watch) -> Layers:
    """Count the positions of the first jumps."""
    model: Any = question.space
    jumps = jumps_of(model)
    assert isinstance(jumps, Jumps)
    return by_chains(field_of(model, jumps, [list(question.sources)]), question, watch, MEASURED)
