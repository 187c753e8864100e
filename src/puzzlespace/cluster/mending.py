"""Damaged pieces of a table by windows are computed from the pieces around them.

A position is known after a layer if it is a source, or if a neighbour was known before that layer. If every move leads
to a row of the other colour, the depths of neighbours differ by 1: so a position that is no source has a depth of r
mod 3 if it has a neighbour of depth r - 1 mod 3, and none of depth r mod 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import TableError
from ..kernels.table.windows import add_rule
from .copies import reserved
from .cuts import PieceCut, cut_of, spans
from .jobs import Job
from .pieces import FRESH, FULL, HIGH, KNOWN, LOW, PieceFile, files_of, full_blocks, read_piece, sums_of, write_piece

Damaged = Sequence[Any]
"""(row, piece, kind of file, what is wrong)"""


def possible(bad: Sequence[Damaged], older: Sequence[Damaged], shape: Any) -> bool:
    """Return whether the files around some damaged ones are whole, and tell what they held.

    older  damaged files from before the last layer
    shape  what `windows.begin` says of the table
    """
    rows = {row for row, *_ in (*bad, *older)}
    return all(kind in shape["mended"] and not rows & set(shape["from"][row]) for row, _, kind, _ in bad)


def mend(job: Job, message: Any) -> dict[str, Any]:
    """Write damaged files of pieces anew; return their lines, or {'failed': why}.

    message  state, older: lines of the state and of the one before, which has only the pieces that the last layer added
             to; files: [row, piece, kind] …
    """
    cut, now, older = cut_of(job), job.state(message["state"]), job.state(message["older"])["pieces"]

    def read(kind: str, row: int, piece: int, before: bool = False) -> np.ndarray:
        """Return the words of a piece after the last layer, or before it."""
        entry = now["pieces"].get(f"{row}.{piece}")
        if before and entry is not None and entry["depth"] == now["depth"]:
            entry = older.get(f"{row}.{piece}")
        nothing = cut.unused(cut.span(piece))
        return read_piece(job.place, entry, kind, cut.sizes(piece), nothing if kind == KNOWN else 0 * nothing)

    def of_depth(rest: int, row: int, piece: int) -> np.ndarray:
        """Return the positions of a piece whose depth mod 3 is `rest`."""
        low, high = read(LOW, row, piece), read(HIGH, row, piece)
        return (low, high)[rest - 1] if rest else read(KNOWN, row, piece) & ~(low | high)

    made = []
    for row, piece, kind in message["files"]:
        entry, sizes, unused = now["pieces"][f"{row}.{piece}"], cut.sizes(piece), cut.unused(cut.span(piece))
        flags = np.zeros(len(sizes), np.uint8)
        if kind == KNOWN:
            words = _reached(cut, row, piece, lambda *at: read(KNOWN, *at, before=True))
            words |= unused | cut.sources(row, piece)
            flags |= FULL * full_blocks(words, sizes).astype(np.uint8)
            flags |= np.uint8(FRESH if entry["depth"] == now["depth"] else 0)
        else:
            rest = {LOW: 1, HIGH: 2}[kind]
            before, same = (_reached(cut, row, piece, lambda *at, r=r: of_depth(r, *at)) for r in (rest - 1, rest))
            words = read(KNOWN, row, piece) & ~unused & before & ~same & ~cut.sources(row, piece)
        if not _alike(job, files_of(entry, kind), sizes, words):
            return {"failed": f"{row}.{piece}: what the pieces around it tell differs from its checksums"}
        stem = f"piece-{row}-{piece}-{entry['depth']}-{kind}"
        made.append([row, piece, kind, [write_piece(job.place, stem, words, sizes, flags), None]])
    return {"made": made, "failed": ""}


def _alike(job: Job, lines: Sequence[Any], sizes: np.ndarray, words: np.ndarray) -> bool:
    """Return whether words match the checksums of a damaged file; true if they cannot be known."""
    base, patch = lines
    try:
        index = PieceFile(job.place, base, sizes).index if patch is None else None
    except TableError:
        index = None
    end = np.concatenate([[0], np.cumsum(8 * sizes)])
    return index is None or sums_of(memoryview(words).cast("B"), end) == index["sum"].tolist()  # type: ignore[arg-type]


def _reached(cut: PieceCut, row: int, piece: int, read: Callable[[int, int], np.ndarray]) -> np.ndarray:
    """Return the positions of a piece that have a neighbour among those that `read` tells of each piece."""
    ground, every = cut.ground, np.arange(*cut.span(piece))
    found, source = (reserved(1, cut.words)[1][0] for _ in range(2))
    flags, none = np.ones(cut.blocks, bool), (np.empty(0, np.uint64), np.empty(0, bool))
    work = np.zeros(cut.largest, np.uint64), np.zeros(cut.largest, np.uint64)
    for arc in cut.into[row]:
        for each in np.unique(cut.of_block[cut.feeding(arc.window, every)]).tolist():
            source[cut.where(cut.span(each))] = read(arc.source, each)
        rows = (source, flags, found, found, flags.copy(), *none)
        window = arc.window, ground.rows[arc.source][1]
        for span in spans(every):
            add_rule(span, window, ground.shape, ground.program, rows, work)
    return found[cut.where(cut.span(piece))].copy()
