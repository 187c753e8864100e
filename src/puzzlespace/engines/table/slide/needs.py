"""What counting a table of windows takes, layer by layer, before it is counted (docs/scale.md, 'The model')."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Any

from ....contract.needs import Arc, Needs, Pair, Reference, Sizes, TablePieces
from ....limits.watch import paced
from ..mod3 import kept_bytes, saved_bytes
from .counting import SLIDE_BLOCK, Ground, LinkArc
from .numbering import Window

PAGE = 4096
"""Bytes of a page of a file: the system writes a page if any bit of it changed."""

COPIED, TURNED, SHIFTED = 1.0, 4.0, 4.0
"""The work of a word: copied, with its bits permuted, composed of chunks (docs/methods/windows.md, 'Words')."""


def weight(window: Window, head: int) -> float:
    """Return the work of a window for each word; `head` is the number of places that select the word."""
    first, last, _ = window
    if last - first <= 1 or last <= head:
        return COPIED
    if first >= head:
        return TURNED
    return SHIFTED + (TURNED if last - head > 1 else 0.0)


def needs(plan: Any, sources: tuple[Any, ...], reference: Callable[[str, str], Reference]) -> Needs:
    """Return what counting takes.

    plan       a `SlidePlan`
    reference  returns the reference for a kind of work and a kind of table
    """
    ground = Ground(plan, sources, SLIDE_BLOCK.usual)
    rows, one = len(ground.rows), ground.colours is not None
    head = plan.pieces - plan.tail
    weights = [weight(window, head) for window in ground.windows]
    runs = _runs(ground)
    arcs = tuple(Arc(u, v, ground.windows[number], weights[number] * times) for (_, u, v, number), times in runs)
    each = sum(arc.weight for arc in arcs)
    blocks = ground.orders.ways(ground.orders.root, ground.depth)
    block_words, words = plan.words / blocks, rows * plan.words
    positions = rows * plan.orders
    colour = positions / 2 if one else positions
    fed = max(1.0, len(arcs) / rows)

    def share(size: float, part: float) -> float:
        """Return how many of the parts with `part` positions have one of `size` positions, spread evenly."""
        return 1 - exp(-size * part / colour)

    def active(sizes: Sizes) -> list[tuple[float, float, float]]:
        """Return for each layer the shares of: blocks computed, blocks read, pages written."""
        found = [(0.0, 0.0, share(sizes[0], PAGE / 8 / words * positions))] if sizes else []
        seen = [0.0, 0.0]
        for depth, size in enumerate(paced(sizes)):
            seen[depth % 2 if one else 0] += size
            if depth + 1 == len(sizes):
                break
            part = block_words / plan.words * plan.orders
            left = max(0.0, colour - seen[(depth + 1) % 2 if one else 0])
            fresh = share(size, part)
            open_ = share(left, part)
            computed = open_ * (1 - (1 - fresh) ** fed)
            found.append((computed, fresh, share(sizes[depth + 1], PAGE / 8 / words * positions)))
        return found

    half = 0.5 if one else 1.0

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(computed * half * each * plan.words, 0.0) for computed, _, _ in active(sizes)]

    def traffic(sizes: Sizes, children: float) -> list[Pair]:
        """Read the blocks that changed and those that are computed; write the pages that change."""
        table = 8 * words * half
        more = 1.0 if one else 2.0
        return [
            ((fresh + computed) * table * more, written * table * more) for computed, fresh, written in active(sizes)
        ]

    def memory(sizes: Sizes) -> float:
        return ground.bytes

    kept = kept_bytes(words)
    kind = "slide" if one else "slide, two tables"
    return Needs(
        f"table of bits by windows, {rows:,} rows", positions,
        f"{8 * ground.table_bytes / positions:.2f} bits a position",
        ground.table_bytes, saved_bytes(kept), 2 * kept, memory, work, traffic,
        ground.bytes - ground.table_bytes, reference(kind, "slide"),
        TablePieces(rows, tuple(ground.colours or [0] * rows), arcs, plan.words, plan.counts),
    )  # fmt: skip


def _runs(ground: Ground) -> list[tuple[LinkArc, int]]:
    """Return every arc with the number of times that a layer follows it: once, or once for each chain that has it."""
    if not ground.plan.slides.chained:
        return [(arc, 1) for arc in ground.arcs]
    waiting, times = [*ground.first_arcs], dict[LinkArc, int]()
    while waiting:
        arc = waiting.pop()
        times[arc] = times.get(arc, 0) + 1
        waiting += ground.going_on(arc)
    return sorted(times.items())
