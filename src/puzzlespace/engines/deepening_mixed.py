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


def rounds(base: Database, walking: Walking | None, inversion: Inversion | None, pieces: Labels) -> Rounds:
    """Return the rounds of a search below the greater of a database and of a bound for rows and columns."""
    arrays = deepening_patterns.arrays_of(base)
    lines = deepening_lines.Lines.of(walking, inversion, arrays.links)

    def descend(start: bytes, here: Labels) -> PatternDescent:
        large = here.cells != pieces.cells
        found, rows = arrays.descent(start, here, large), lines.stack(start)
        board = found.links.table, found.links.edits

        def go(state: np.ndarray, bound: int) -> int:
            bounds = (*arrays.lookups, arrays.bars(found.every, large)), lines.data
            return idastar_mixed.deepen(board, bounds, found.parts, (found.stack, rows), state, bound)

        found.root, found.kernel = max(found.root, int(rows[0, 6] + rows[0, 7])), go
        return found

    made = deepening.rounds(base.slides, pieces, descend)
    made.sparing = True
    return made
