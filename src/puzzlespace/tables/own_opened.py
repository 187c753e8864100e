"""Answer from the finished count of a puzzle written in Python or of a level: its layers, and shortest solutions.

Moves cannot always be taken back, so a solution is followed back from the first layer with a goal: the positions of the
layer before are those from which a move leads to it.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from ..contract.answers import Geodesics
from ..contract.questions import Depths, Engine, Search
from ..engines import encoded
from ..errors import LimitError
from ..kernels.packed.numpy_marks import contained, distinct, marks
from ..limits.watch import Watch
from ..model.custom import Custom
from ..search.encoding import Encoding
from ..search.runs import Run
from .identity import Note
from .manifests import finished
from .own_layers import check_same, refuses, saving_engine
from .runs import layers_opened
from .save import Saving

AT_ONCE = 1 << 16
"""Positions of a layer that are read at once."""

SPLIT = 16
"""Parts into which positions are cut until each is known to lead to a wanted one or not."""


def asking_engine(folder: Path, puzzle: Custom) -> Engine:
    """Return the engine that answers from the finished count in a folder.

    Raises TableError if there is none. Its answers raise TableError if it is damaged, or of another puzzle or start.
    """
    finished(folder)
    saving = Saving(folder, True, Note(puzzle.name))
    depths, search = saving_engine(saving).depths, partial(_search, saving)
    return Engine("encoded", refuses, depths=depths, search=search, lawful=True)


def _search(saving: Saving, question: Search, watch: Watch) -> Geodesics:
    """Find the positions on shortest solutions."""
    found = finished(saving.folder)
    check_same(found, Depths(question.space, (question.start,)), saving)
    encoding = encoded.encoding_of(question.space)
    encoding.file()
    encoding.enter((question.start,))
    runs = list(layers_opened(saving.folder, found))
    depth = 0
    try:
        for depth, run in enumerate(runs):
            met = _goals(encoding, run, watch)
            if len(met):
                layers = _ways(encoding, runs[:depth], met, question.every, watch)
                return Geodesics(layers, watch.generated, watch.seconds, depth)
            watch.known.prove(depth + 1)
    except LimitError as limit:
        return Geodesics((), watch.generated, watch.seconds, depth, limit)
    return Geodesics((), watch.generated, watch.seconds)


def _goals(encoding: Encoding, run: Run, watch: Watch) -> np.ndarray:
    """Return the goals of a layer as rows."""
    found = [np.empty((0, run.words), np.uint64)]
    for rows in run.pieces(AT_ONCE):
        watch.glance()
        found.append(encoding.rows_of(encoding.among(encoding.words_of(rows))))
    return np.concatenate(found)


def _ways(
    encoding: Encoding, runs: list[Run], met: np.ndarray, every: bool, watch: Watch
) -> tuple[frozenset[object], ...]:
    """Return the positions on all shortest ways through some layers to some rows, or those on one of them."""
    rows = [met if every else met[:1]]
    for run in reversed(runs):
        rows.append(_before(encoding, run, rows[-1], every, watch))
    return tuple(frozenset(encoding.leave(encoding.words_of(each))) for each in reversed(rows))


def _before(encoding: Encoding, run: Run, wanted: np.ndarray, every: bool, watch: Watch) -> np.ndarray:
    """Return the rows of a layer from which a move leads to some rows of the next one, or one of them."""
    found, sought = [wanted[:0]], distinct(marks(wanted))
    for rows in run.pieces(AT_ONCE):
        waiting = [rows]
        while waiting:
            part = waiting.pop()
            if not contained(marks(encoding.onward(part, watch, 0)), sought).any():
                continue
            if len(part) == 1 and not every:
                return part
            if len(part) == 1:
                found.append(part)
            else:
                waiting += np.array_split(part, min(SPLIT, len(part)))
    return np.concatenate(found)
