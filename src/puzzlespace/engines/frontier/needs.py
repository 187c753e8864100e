"""What layers of packed positions take, before they are counted."""

from __future__ import annotations

from ...contract.needs import Needs, Pair, Reference, Sizes, runs_traffic
from ...limits.watch import paced
from ...model.model import Model
from ..packed.hashed_layers import ARENA_BLOCK, LAYER_BITS, MOST_BYTES
from . import ENGINE, packing_of


def needs(model: Model, sources: tuple[bytes, ...], memory: int | None) -> Needs:
    """Return what counting takes. Raises UnsupportedError if positions cannot be packed."""
    packing = packing_of(model, sources)
    words, bits = packing.words, packing.width * len(packing.packed)
    reversible = model.reversible

    def held(sizes: Sizes) -> float:
        """Count three layers (all, and a copy of them, if moves cannot be undone), duplicates, and blocks not full."""
        largest = max(sizes, default=0.0)
        triples = zip([0.0, 0.0, *sizes], [0.0, *sizes], sizes, strict=False)
        kept = max(map(sum, triples), default=0.0) if reversible else 2 * sum(sizes)
        partly = min(16.0 * ARENA_BLOCK.usual * (1 << LAYER_BITS.usual), 64 * words * largest)  # two for each bucket
        return 8 * words * kept + min(MOST_BYTES, 24 * words * largest) + partly

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(0.0, words * size * children) for size in paced(sizes)]

    return Needs(
        f"packed positions of {bits} bits in {words} words", 0, f"{8 * words} bytes a position", 0, 0, 0, held, work,
        runs_traffic(bits, reversible), 0.0,
        Reference("frontier", "topspin:11,4", "step", ENGINE, needs, "topspin:10,4"),
    )  # fmt: skip
