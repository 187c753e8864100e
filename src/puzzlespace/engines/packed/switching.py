"""Decide when a search continues with compiled kernels, because loading them takes longer than a small search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...limits.thresholds import Thresholds
from ...limits.watch import grown, held_memory

if TYPE_CHECKING:
    from .front import Front
    from .hashed_layers import Compiled  # loads the compiler


def switch_if_large(switch: int | None, by: Thresholds, *fronts: Front) -> None:
    """Let the fronts use compiled kernels if their work, including the next layer, reaches `switch`."""
    if switch is None or fronts[0].method.compiled:
        return
    if sum(front.work + front.ahead for front in fronts) >= switch:
        method = compiled_layers(by)
        for front in fronts:
            front.compile(method)


def compiled_layers(by: Thresholds) -> Compiled:
    """Load the compiled kernels, without charging their memory to the search, and return the layers that use them."""
    before = held_memory(0)
    from ..shared import compiler_memory
    from .hashed_layers import Compiled

    assert compiler_memory is not None
    grown(held_memory(0) - before)
    return Compiled(by.layer_bits, block=by.arena_block, extra=by.arena_extra)
