"""The files of the finished count of a puzzle written in Python or of a level, checked without the puzzle.

Their rows are as the encoding of the puzzle makes them, so positions and moves are known to the puzzle alone; counts,
checksums and the order of the rows are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..search.runs import Run
from .runs import layer_opened
from .runs_verify import check_layer


def counts(folder: Path, manifest: dict[str, Any]) -> tuple[int, ...]:
    """Return the number of positions at each depth; raise TableError if the files do not match them."""
    for run in _layers(folder, manifest):
        run.check_size()
    return tuple(manifest["counts"])


def verify(folder: Path, manifest: dict[str, Any]) -> dict[str, int]:
    """Read all layers; return how much that was, as `kinds.verify` does.

    Raises TableError if a checksum or count is wrong, or if a layer is not sorted.
    """
    read = 0
    for depth, run in enumerate(_layers(folder, manifest)):
        check_layer(folder, depth, run)
        read += run.bytes
    return {"bytes": read, "states": sum(manifest["counts"]), "sampled": 0}


def _layers(folder: Path, manifest: dict[str, Any]) -> Iterator[Run]:
    words = manifest["numbering"]["words"]
    for depth, noted in enumerate(manifest["layers"]):
        yield layer_opened(folder, depth, words, noted)
