"""The files of the finished count of a puzzle written in Python or of a level, checked without the puzzle.

Their rows are as the encoding of the puzzle makes them, so only with the puzzle they can be read as positions. Counts,
checksums and the order of the rows can be checked without it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .runs import layers_opened


def counts(folder: Path, manifest: dict[str, Any]) -> tuple[int, ...]:
    """Return the number of positions at each depth; raise TableError if the files do not match them."""
    for run in layers_opened(folder, manifest):
        run.check_size()
    return tuple(manifest["counts"])


def verify(folder: Path, manifest: dict[str, Any]) -> dict[str, int]:
    """Read all layers; return how much that was, as `kinds.verify` does.

    Raises TableError if a checksum or count is wrong, or if a layer is not sorted.
    """
    size = 0
    for run in layers_opened(folder, manifest):
        run.check_order()
        size += run.bytes
    return {"bytes": size, "states": sum(manifest["counts"]), "sampled": 0}
