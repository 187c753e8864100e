"""The arrays of `kernels.idastar_mixed` for one position: pattern tables beside walking distance or inversions."""

from __future__ import annotations

import numpy as np

from ..heuristics.database import Database
from ..heuristics.inversion import Inversion
from ..heuristics.labels import Labels
from ..heuristics.walking import Walking
from ..kernels import idastar_mixed
from . import deepening, deepening_lines, deepening_patterns
from .deepening_patterns import PatternDescent
from .deepening_rounds import Rounds
from .words import Ways


def rounds(base: Database, walking: Walking | None, inversion: Inversion | None, pieces: Labels) -> Rounds:
    """Return the rounds of a search below the greater of a database and of a bound for rows and columns."""
    arrays = deepening_patterns.arrays_of(base)
    lines = deepening_lines.Lines.of(walking, inversion, arrays.links)

    def descend(start: bytes, here: Labels) -> PatternDescent:
        found, rows = arrays.descent(start, here), lines.stack(start)

        def go(ways: Ways, state: np.ndarray, bound: int) -> int:
            bounds = arrays.lookups, lines.data
            return idastar_mixed.deepen(
                found.links.arrays, ways, bounds, found.parts, (found.stack, rows), state, bound
            )

        found.root, found.kernel = max(found.root, lines.bound(rows[0])), go
        return found

    return deepening.rounds(base.slides, pieces, descend)
