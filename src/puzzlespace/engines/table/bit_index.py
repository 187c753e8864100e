"""The bit index of a position, computed from the model and the sources alone, without the table.

The same model, sources and kind give the same bit indices in every process; `Places.fingerprint` verifies this.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...errors import InputError, UnsupportedError
from ...model.model import Model
from . import Chosen, choose

if TYPE_CHECKING:
    from .slide.numbering import SlidePlan as SlidePlan
    from .slide.walk_down import SlideDescent

SAMPLED = 64
"""The number of positions in a fingerprint."""

Place = Callable[[bytes], int]
"""Returns the bit index of a position; raises InputError if it has none."""

MOST_NUMBERED = 1 << 62
"""The most positions that rows and columns, which are words, can number."""


@dataclass(frozen=True)
class Places:
    """The bit indices of one kind of table.

    words    the number of 64-bit words of the table
    bit      returns the bit index of a position
    stride   bits per row; the first `used` of each row are positions, in rank order. 0 if bits are in another order
    descent  returns the compiled walk for many positions at once, or None
    """

    chosen: Chosen
    words: int
    bit: Place
    stride: int
    used: int
    descent: Callable[[], SlideDescent | None] = lambda: None

    @property
    def kind(self) -> str:
        """The kind of table."""
        return self.chosen.kind

    @property
    def positions(self) -> int:
        """The number of ranks."""
        return self.chosen.plan.positions

    def fingerprint(self) -> str:
        """Return sixteen hex digits that depend on the bit indices of a sample of positions."""
        plan: Any = self.chosen.plan
        last = (len(plan.rows) * plan.orders if self.kind == "slide" else self.positions) - 1
        numbers = sorted({last * n // (SAMPLED - 1) for n in range(SAMPLED)})
        sampled = [(self.bit(position), position) for position in map(plan.unrank, numbers)]
        words = [self.kind, self.words, self.positions, sampled]
        return hashlib.sha256(repr(words).encode()).hexdigest()[:16]


def kinds(model: Model, sources: Sequence[bytes], kept: bool = True) -> list[Chosen]:
    """Return the kinds of table that can rank all sources, the fastest first; if `kept`, those that can be saved.

    Raises UnsupportedError if there is none.
    """
    chosen = choose(replace(model, start=sources[0], goals=()))
    chosen = chosen.keeping() if chosen is not None and kept else chosen
    if chosen is None:
        raise UnsupportedError("no ranking of its positions was found: a table of it cannot be saved")
    try:
        bit = places_of(chosen, sources).bit
        for source in sources:
            bit(source)
    except InputError:
        text = "the positions to measure from do not fit one ranking: a table of them cannot be saved"
        raise UnsupportedError(text) from None
    found = []
    while chosen is not None:
        found.append(chosen)
        chosen = chosen.leaner
    return found


def places_of(chosen: Chosen, sources: Sequence[bytes]) -> Places:
    """Return the bit indices of a kind of table. Raises UnsupportedError if there are too many."""
    plan: Any = chosen.plan
    if chosen.kind == "slide":
        return _slide(chosen, sources)
    if chosen.kind in ("frame", "product"):
        from .row_column import bit_index

        if plan.positions > MOST_NUMBERED:
            raise UnsupportedError("it has more positions than words can number: a table of it cannot be saved")
        first, last = plan.number(plan.unrank(0)), plan.number(plan.unrank(plan.positions - 1))
        assert first == (0, 0)
        bit, width = bit_index(plan.number, last[1] + 1)
        return Places(chosen, (last[0] + 1) * width, bit, 64 * width, last[1] + 1)
    if chosen.kind == "words":
        return Places(chosen, plan.words, plan.bit, 128, plan.used)
    if chosen.kind == "digits":
        return Places(chosen, plan.words, plan.bit, 64, plan.used)
    words = max(1, (plan.positions + 63) // 64)
    return Places(chosen, words, plan.rank, 64 * words, plan.positions)


def _slide(chosen: Chosen, sources: Sequence[bytes]) -> Places:
    """Return the places of a table of slides: row, head and tail of the order of the pieces."""
    from ...kernels.table.windows_orders import Orders
    from .slide.arrays import fitting, rows_of
    from .slide.positions import bit_index

    plan: SlidePlan = chosen.plan  # type: ignore[assignment]
    if len(fitting(plan.slides, sources)) < len(sources):
        raise InputError("source: expected the pieces of the plan on its board")
    plan = replace(plan, more=tuple(sorted(rows_of(plan, sources))))
    rows = {row: n for n, row in enumerate(plan.rows)}
    orders = Orders(plan.counts, plan.halved, plan.tail)

    def many() -> SlideDescent | None:
        from .slide.walk_down import descent

        return descent(plan, rows, orders)

    bit = bit_index(plan, orders, rows)
    return Places(replace(chosen, plan=plan), len(rows) * plan.words, bit, 0, len(rows) * plan.orders, many)
