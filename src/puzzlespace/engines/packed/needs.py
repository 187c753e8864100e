"""What layers of packed positions take in files: the rows in which every engine for models goes on there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...contract.needs import Pair, Sizes, no_files, runs_traffic
from ...model.model import Model
from .positions import Packing, too_wide


def traffic_of(model: Model, sources: Sequence[bytes], *, undone: bool) -> Callable[[Sizes, float], list[Pair]]:
    """Return the `traffic` of `Needs` for a count that goes on in files when memory ends, if positions can be packed.

    undone  as in `Encoding`
    """
    if too_wide(model, sources):
        return no_files
    packing = Packing.of(model, sources)
    return runs_traffic(packing.width * len(packing.packed), undone)
