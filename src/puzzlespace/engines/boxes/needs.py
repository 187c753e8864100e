"""What counting all positions of pushed boxes takes."""

from __future__ import annotations

from typing import Any

from ...contract.needs import Needs, Pair, Reference, Sizes
from ...errors import UnsupportedError
from ...limits.watch import paced
from ...model.model import Model
from ...structure.boxes import Warehouse, read_rules
from ..packed.needs import traffic_of
from . import ENGINE


def needs(model: Model, sources: tuple[Any, ...], memory: int | None) -> Needs:
    """Return what the positions and their hash table take. Raises UnsupportedError if the rules are others."""
    level = read_rules(model)
    if not isinstance(level, Warehouse):
        raise UnsupportedError(f"engine boxes: {level}")
    each = 8 * -(-level.cells // 64) * len(level.boxes) + 2

    def held(sizes: Sizes) -> float:
        """Count arrays that are between half full and full, with two slots a place, and a copy while they grow."""
        room = 2.0 ** int(sum(sizes)).bit_length()
        return (1.5 * each + 2 * 4) * room

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(0.0, size * children) for size in paced(sizes)]

    return Needs(
        "sets of cells with boxes in a hash table", 0, f"{each} bytes a position, and 8 to 16 in the hash table", 0, 0,
        0, held, work, traffic_of(model, sources, undone=False), 0.0,
        Reference("boxes", "microban36", "push", ENGINE, needs, "microban6"),
    )  # fmt: skip
