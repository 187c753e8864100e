"""What counting by algebra takes."""

from __future__ import annotations

from math import prod

from ...contract.needs import Needs, Pair, Reference, Sizes, no_files
from ...errors import UnsupportedError
from ...model.model import Model
from . import ENGINE
from .counts import kinds_of


def needs(model: Model, sources: tuple[bytes, ...], memory: int | None) -> Needs:
    """Return what counting sets of presses by kinds takes. Raises UnsupportedError if algebra does not count them."""
    found = kinds_of(model, sources[0])
    if len(sources) != 1 or isinstance(found, str):
        raise UnsupportedError(f"engine linear: {found if isinstance(found, str) else 'there are several sources'}")
    moves, kinds = found
    sets = prod(size + 1 for size in kinds.sizes) if len(kinds.idle) > 1 else 0
    shape, independent = len(kinds.sizes), len(moves.directions) - (len(kinds.idle).bit_length() - 1)

    def work(sizes: Sizes, children: float) -> list[Pair]:
        """Go through all sets of presses for each idle combination; without one, multiply one factor a direction."""
        units = len(kinds.idle) * sets if sets else len(moves.directions) ** 3
        return [(0.0, units / max(1, len(sizes)))] * len(sizes)

    reference = ("linear", "lights:5x5") if sets else ("linear, no idle moves", "lights:15x15")

    return Needs(
        "linear algebra", moves.modulus**independent, "no table", 0, 0, 0,
        lambda sizes: float((4 * shape + 64) * sets), work, no_files, 0.0,
        Reference(*reference, "step", ENGINE, needs, "lights:3x3"), positions=moves.modulus**independent,
    )  # fmt: skip
