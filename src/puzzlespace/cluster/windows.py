"""Tasks for tables of sliding puzzles: each computes new pieces of a table from pieces of the last layer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..engines.table.slide.counting import SLIDE_WRITTEN
from ..errors import TableError
from .copies import Copies
from .cuts import cut_of
from .jobs import Job
from .mending import mend
from .pieces import FRESH, HIGH, KINDS, KNOWN, LOW, read_piece, write_piece


def begin(job: Job, message: Any) -> dict[str, Any]:
    """Write the pieces that contain sources, and describe the cut."""
    cut = cut_of(job)
    start, made = cut.ground.shape.start, {}
    blocks = [(row, np.searchsorted(start, word, side="right") - 1) for row, word, _ in cut.placed]
    for row, piece in dict.fromkeys((row, int(cut.of_block[block])) for row, block in blocks):
        sizes, found = cut.sizes(piece), cut.sources(row, piece)
        many = np.add.reduceat(np.bitwise_count(found), np.cumsum(sizes) - sizes, dtype=np.int64)
        words, flags = found | cut.unused(cut.span(piece)), (FRESH * (many > 0)).astype(np.uint8)
        lines = [write_piece(job.place, f"piece-{row}-{piece}-0-{KNOWN}", words, sizes, flags), None]
        made[f"{row}.{piece}"] = {KNOWN: lines, "depth": 0, "new": int(many.sum()), "full": False}
    sizes = [cut.sizes(piece) for piece in range(len(cut.first) - 1)]
    shape = {
        "rows": cut.rows,
        "words": cut.words,
        "positions": cut.rows * cut.ground.plan.orders,
        "count": len(sizes),
        "sizes": [int(each.sum()) for each in sizes],
        "targets": [cut.targets(0), cut.targets(1)],
        "from": [sorted(rows) for rows in cut.reaching],
        "mended": [] if cut.ground.plan.slides.chained else [KNOWN] if cut.two_tables else [KNOWN, LOW, HIGH],
    }
    return {"made": made, "shape": shape}


def check(job: Job, message: Any) -> dict[str, Any]:
    """Read all files of some pieces; return those that are damaged, as [row, piece, kind, what is wrong].

    message  state: the line of the state; pieces: [row, piece] …
    """
    cut, state = cut_of(job), job.state(message["state"])
    bad = []
    for row, piece in message["pieces"]:
        sizes = cut.sizes(piece)
        for kind in KINDS:
            try:
                read_piece(job.place, state["pieces"][f"{row}.{piece}"], kind, sizes, np.zeros(sizes.sum(), np.uint64))
            except TableError as error:
                bad.append([row, piece, kind, str(error)])
    return {"bad": bad}


def step(job: Job, message: Any) -> dict[str, Any]:
    """Compute the next layer of some pieces; return what the manifest says of those that it adds to.

    message  state: the line of the state; pieces: [row, piece] …; memory: bytes for copies
    """
    copies = job.local.copies = getattr(job.local, "copies", None) or Copies(job, cut_of(job), message["memory"])
    copies.memory = message["memory"]
    copies.begin(job.state(message["state"]))
    made: dict[str, Any] = {}
    for row, piece in message["pieces"]:
        entry = copies.step(row, piece)
        if entry is not None:
            made[f"{row}.{piece}"] = entry
        copies.drop()
    return {"made": made, "read": copies.read, "written": copies.written}


def first_of_last(job: Job, message: Any) -> dict[str, Any]:
    """Write the first positions, sorted, that the last layer added to some pieces; return the line of the file.

    message  state, older: lines of the state and of the one before; pieces: [row, piece] …; keep: how many
    """
    cut = cut_of(job)
    now, older = job.state(message["state"]), job.state(message["older"])
    least: Iterable[bytes] = ()
    for row, piece in message["pieces"]:
        key, span, sizes = f"{row}.{piece}", cut.span(piece), cut.sizes(piece)
        words, before = (
            read_piece(job.place, each["pieces"].get(key), KNOWN, sizes, cut.unused(span)) for each in (now, older)
        )
        bits = words & ~before
        numbers = np.flatnonzero(bits)
        notes = [(row * cut.words + cut.where(span).start + numbers, bits[numbers])]
        found = cut.listing.least(message["keep"], notes, SLIDE_WRITTEN.usual)
        least = sorted([*least, *found])[: message["keep"]]
    return {"line": job.place.put("first", b"".join(least))}


TASKS: dict[str, Callable[[Job, Any], dict[str, Any]]] = {
    "begin": begin, "check": check, "step": step, "first": first_of_last, "mend": mend,
}  # fmt: skip
