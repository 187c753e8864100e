"""Wrong answers that a check found: the puzzle is saved as a file, and a warning says how to report it."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Sequence
from pathlib import Path

from ..errors import SelfCheckWarning
from ..limits.watch import Fault
from ..puzzle.puzzle import Puzzle
from .loader import written

FOLDER = "faults"
"""The folder in the user's cache folder for the puzzles that were answered wrongly."""


def report(puzzle: Puzzle, metric: str, found: Sequence[Fault]) -> None:
    """Save the puzzle of wrong answers as a file and issue a SelfCheckWarning; do nothing if there are none.

    The caller's answer comes from another engine.
    """
    if not found:
        return
    faults = [f"engine {each.engine}, {each.question}, metric {metric}: {each.text}" for each in found]
    faults += [str(puzzle.allowed)] if puzzle.allowed else []
    place = _kept(puzzle, faults)
    where = f"; the puzzle is saved in {place}: please report the fault with this file" if place else ""
    what = f"{puzzle.name}: a wrong answer was found, and another engine answered instead ({'; '.join(faults)})"
    warnings.warn(what + where, SelfCheckWarning, stacklevel=3)


def _kept(puzzle: Puzzle, faults: Sequence[str]) -> Path | None:
    """Write the puzzle, with the faults as comments before it; return the file, or None if it cannot be written."""
    from ..contract.version import __version__
    from ..storage import cache  # imports NumPy, which is loaded only if needed

    text = written(puzzle) or f"; no text: made by {puzzle.name}\n"
    comments = [f"; puzzlespace {__version__}", f"; puzzle {puzzle.name}", *(f"; {fault}" for fault in faults)]
    whole = "\n".join((*(" ".join(comment.split()) for comment in comments), text))
    place = cache.root() / FOLDER / f"{hashlib.sha256(whole.encode()).hexdigest()[:16]}.pzl"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(whole, encoding="utf-8")
    except OSError:
        return None
    return place
