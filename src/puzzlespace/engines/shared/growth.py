"""Arrays that grow while a search runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...errors import LimitError
from ...limits.watch import Watch

if TYPE_CHECKING:
    import numpy as np


def lengthen(arrays: Sequence[np.ndarray], room: int, watch: Watch, bound: int = 0) -> None:
    """Make arrays of one length longer, in place: twice as long, or less if the memory is too small for that.

    The new rows are zeros. The arrays must own their memory, and no other array may share it.

    room   the least number of rows more; raises LimitError if there is no memory for them
    bound  the length that is proved, for the error
    """
    size = more = max(len(arrays[0]), room)
    rows = [each.nbytes // len(each) for each in arrays]
    while True:
        try:
            watch.reserve(more * sum(rows) + (size + more) * max(rows), bound)  # the system may move the largest one
            break
        except LimitError:
            if more < 2 * room:
                raise
            more //= 2
    for each in arrays:
        each.resize((len(each) + more, *each.shape[1:]), refcheck=False)
