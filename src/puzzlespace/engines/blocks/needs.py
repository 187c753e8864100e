"""What a count of blocks takes: the hash set and the layers."""

from __future__ import annotations

from itertools import pairwise

from ...contract.needs import Needs, Pair, Reference, Sizes
from ...limits.watch import paced
from ...model.model import Model
from ..packed.needs import traffic_of
from . import ENGINE, prepared
from .code_set import FULLEST, KEPT_WHOLE


def needs(model: Model, sources: tuple[bytes, ...], memory: int | None) -> Needs:
    """Return what the hash set and the layers take. Raises UnsupportedError if the engine cannot read the puzzle."""
    codes, _ = prepared(model, sources)
    far = 8 if codes.bits > 40 else 4  # bytes of a slot, see `code_set.CodeSet._make`

    def held_bytes(sizes: Sizes) -> float:
        """Count a table that is at most 0.8 full, and half full at least, and two layers of codes."""
        held = max((a + b for a, b in pairwise([0.0, *sizes])), default=0.0)
        held = max(held, min(sum(sizes), KEPT_WHOLE.usual))
        return far * 2.0 ** (int(held / FULLEST).bit_length()) + 32 * max(sizes, default=0.0)

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(0.0, size * children) for size in paced(sizes)]

    return Needs(
        f"codes of {codes.bits} bits in a hash set", 0, f"{far} bytes a slot", 0, 0, 0, held_bytes, work,
        traffic_of(model, sources, undone=True), 0.0, Reference("blocks", "century", "step", ENGINE, needs, "klotski"),
    )  # fmt: skip
