"""What counting a depth table takes: bytes, and work for each layer, before it is counted."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...contract.needs import MOST_ESTIMATED, Needs, Pair, Reference, Sizes
from ...contract.questions import Depths
from ...errors import UnsupportedError
from ...limits.machine import spare_memory
from ...limits.memory import sized
from ...limits.watch import paced
from ...model.model import Model
from . import Chosen, OneBit, choose_kind
from . import of_kind as counting_with
from .bit_index import kinds, places_of
from .mod3 import kept_bytes, saved_bytes
from .slide.needs import needs as slides

REFERENCES = {
    "slide": ("slide:2x6", "step", "slide:2x5"),
    "slide, two tables": ("slide:2x5", "multi", "slide:2x4"),
    "frame": ("topspin:11,4", "step", "topspin:10,4"),
    "words": ("pancake:11", "step", "pancake:9"),
    "product": ("burnt:8", "step", "burnt:7"),
    "xor": ("lights:5x5", "step", "lights:4x4"),
    "digits": ("hanoi:4,11", "step", "hanoi:4,10"),
    "rank": ("topspin:9,4", "step", "topspin:8,4"),
}
"""For each kind of table a puzzle that is counted in about a second: spec, metric, and a smaller puzzle."""


def needs(model: Model, sources: tuple[Any, ...], memory: int | None = None) -> Needs:
    """Return what the fastest kind of table that fits `memory` takes. Raises UnsupportedError if there is none."""
    return needs_of(kinds(model, sources, kept=False)[0].within(memory), model, sources, memory)


def of_kind(kind: str, model: Model, sources: tuple[Any, ...], memory: int | None = None) -> Needs:
    """Return what one kind of table takes."""
    chosen = choose_kind(model, kind)
    if chosen is None:
        raise UnsupportedError(f"the kind of table {kind} does not fit")
    return needs_of(chosen, model, sources, memory)


def reference(kind: str, table: str) -> Reference:
    """Return the reference for a kind of work; it is counted with a kind of table."""
    spec, metric, warm = REFERENCES[kind]
    return Reference(f"table:{kind}", spec, metric, counting_with(table), partial(of_kind, table), warm)


def needs_of(chosen: Chosen, model: Model, sources: tuple[Any, ...], memory: int | None = None) -> Needs:
    """Return what a kind of table takes: with one bit a position in memory if two do not fit."""
    plan: Any = chosen.plan
    if plan.bytes > MOST_ESTIMATED:
        raise UnsupportedError(f"engine table: no machine has room for a table of {sized(plan.bytes)}")
    chosen = chosen.narrowed(Depths(model, sources))
    plan = chosen.plan
    if chosen.kind == "slide":
        return slides(chosen.plan, sources, reference)
    if chosen.kind == "turn":
        return _turns(chosen)
    words = places_of(chosen, sources).words
    kept = kept_bytes(words)
    words = getattr(plan, "kept_words", words)
    bits = 16 * words
    one = None if memory is None else chosen.one_bit(min(memory, spare_memory()))
    if one is not None:
        return _one_bit(chosen, one, words)
    held = plan.bytes

    def within(sizes: Sizes) -> float:
        return held

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(float(words * _passes(chosen)), size * children) for size in paced(sizes)]

    def traffic(sizes: Sizes, children: float) -> list[Pair]:
        """Go through both bit sets in each layer: bits lie at random, so no part of them is skipped."""
        return [(float(bits), float(bits)) for _ in paced(sizes)]

    return Needs(
        f"table of bits, kind {chosen.kind}", plan.positions, f"{8 * held / max(1, plan.positions):.1f} bits a number",
        bits, saved_bytes(kept), 2 * kept, within, work, traffic,
        max(0, plan.bytes - bits), reference(chosen.kind, chosen.kind),
    )  # fmt: skip


def _passes(chosen: Chosen) -> int:
    """Return how often all words are gone through for a layer."""
    plan: Any = chosen.plan
    return len(plan.masks) if chosen.kind == "xor" else len(plan.moves) if chosen.kind == "words" else 1


PAGE = 4096
"""The least bytes of a file that are written."""

SINGLE = ("frame", "product", "rank")
"""The kinds that start from the positions of a layer if that takes less time: then two more files are gone through."""


def _one_bit(chosen: Chosen, one: OneBit, words: int) -> Needs:
    """Return what a kind of table takes that has one bit a position in memory."""
    plan: Any = chosen.plan
    kept = kept_bytes(words)
    more = 2 if chosen.kind in SINGLE else 1
    alone = getattr(plan, "alternates", None) is not None  # nothing but the positions seen is needed

    def memory(sizes: Sizes) -> float:
        return one.memory

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(float(words * _passes(chosen)), size * children) for size in paced(sizes)]

    def traffic(sizes: Sizes, children: float) -> list[Pair]:
        """Write the pages with new positions."""
        pages = [0.0 if alone else min(8.0 * words, PAGE * size) for size in paced(sizes)]
        return [(more * page, more * page) for page in pages]

    bits = f"{8 * one.memory / max(1, plan.positions):.1f} bits a number"
    return Needs(
        f"table of bits, kind {chosen.kind}", plan.positions, bits, 0, saved_bytes(kept), 2 * kept, memory, work,
        traffic, max(0, one.memory - 8 * words), reference(chosen.kind, chosen.kind), files=0 if alone else one.files,
    )  # fmt: skip


def _turns(chosen: Chosen) -> Needs:
    """Return what a table of turns takes: no files, and nothing is saved."""
    plan: Any = chosen.plan

    def memory(sizes: Sizes) -> float:
        return plan.bytes

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(plan.bytes / 8, size * children) for size in paced(sizes)]

    def traffic(sizes: Sizes, children: float) -> list[Pair]:
        return [(0.0, 0.0) for _ in paced(sizes)]

    bits = f"{8 * plan.bytes / plan.positions:.1f} bits a number"
    return Needs(
        "table of bits, kind turn", plan.positions, bits, 0, 0, 0, memory, work, traffic, plan.bytes,
        reference("product", "product"),
    )  # fmt: skip
