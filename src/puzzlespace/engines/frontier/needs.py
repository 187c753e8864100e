"""What layers of packed positions take, before they are counted."""

from __future__ import annotations

from math import log2

from ...contract.needs import Needs, Pair, Reference, Sizes
from ...limits.watch import paced
from ...model.model import Model
from ..packed.hashed_layers import ARENA_BLOCK, LAYER_BITS, MOST_BYTES
from . import ENGINE, packing_of


def run_bytes(size: float, bits: int, block: int = 512) -> float:
    """Return about how many bytes the run of a layer takes: gaps of sorted numbers of so many bits, seven bits a byte.

    Numbers are taken to be spread evenly over all those of so many bits that a layer could have; positions use few of
    these, so real gaps vary more, and this is what the mean gap takes.
    """
    if size < 1:
        return 0.0
    gap = max(1.0, bits - log2(size) + 0.5)
    return size * -(-gap // 7) + -(-size // block) * 8 * (2 + -(-bits // 64))


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

    def traffic(sizes: Sizes, children: float) -> list[Pair]:
        """Read the layer, write and read its children without most duplicates, read older layers, write the next."""
        found: list[Pair] = []
        runs = [run_bytes(size, bits) for size in paced(sizes)]
        for depth, size in enumerate(paced(sizes)):
            made = run_bytes(size * children / 2, bits)
            older = sum(runs[max(0, depth - 1) if reversible else 0 : depth + 1])
            found.append((runs[depth] + made + older, made + (runs[depth + 1] if depth + 1 < len(sizes) else 0.0)))
        return found

    return Needs(
        f"packed positions of {bits} bits in {words} words", 0, f"{8 * words} bytes a position", 0, 0, 0, held, work,
        traffic, 0.0, Reference("frontier", "topspin:11,4", "step", ENGINE, needs, "topspin:10,4"),
    )  # fmt: skip
