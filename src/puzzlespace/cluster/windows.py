"""Tasks for tables of sliding puzzles: each computes new pieces of a table from pieces of the last layer."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..errors import TableError
from ..limits.thresholds import Thresholds
from .copies import NEXT, OLDER, Copies
from .cuts import cut_of
from .jobs import Job
from .pieces import (
    FRESH,
    HIGH,
    KINDS,
    KNOWN,
    LOW,
    read_piece,
)

SPELL = 1.0
"""Seconds after which a task begins no further layer."""


def _copies(job: Job) -> Copies:
    return job.mine("copies", lambda: Copies(job, cut_of(job)))


def begin(job: Job, message: Any) -> dict[str, Any]:
    """Write the pieces that contain sources, and describe the cut."""
    cut = cut_of(job)
    copies = _copies(job)
    copies.begin({"depth": -1, "pieces": {}})
    placed: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for row, word, bit in map(cut.listing.place, job.sources):
        block = int(np.searchsorted(cut.ground.shape.start, word, side="right")) - 1
        placed.setdefault((row, int(cut.of_block[block])), []).append((word, bit))
    made = {}
    for (row, piece), bits in placed.items():
        first, last = cut.span(piece)
        copies.load(KNOWN, row, np.arange(first, last))
        fresh = np.zeros(last - first, np.uint8)
        for word, bit in bits:
            copies.table[row, word] |= np.uint64(1 << bit)
            fresh[np.searchsorted(cut.ground.shape.start, word, side="right") - 1 - first] = FRESH
        name = f"~{row}.{piece}"
        copies.unwritten[name] = fresh
        entry = made[f"{row}.{piece}"] = {KNOWN: [name, 0, 0], "depth": 0, "new": len(bits), "full": False}
        copies.publish(row, piece, entry, KNOWN)
    each = range(len(cut.first) - 1)
    shape = {
        "rows": cut.rows,
        "words": cut.words,
        "positions": cut.rows * cut.ground.plan.orders,
        "count": len(each),
        "sizes": [int(copies.sizes(piece).sum()) for piece in each],
        "blocks": [copies.sizes(piece).tolist() for piece in each],
        "sections": len(copies.section),
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
        entry, sizes = state["pieces"][f"{row}.{piece}"], cut.sizes(piece)
        nothing = np.zeros(sizes.sum(), np.uint64)
        for kind in KINDS:
            try:
                read_piece(job.place, entry, kind, sizes, nothing)
            except TableError as error:
                bad.append([row, piece, kind, str(error)])
    return {"bad": bad}


def step(job: Job, message: Any) -> dict[str, Any]:
    """Compute the next layer of some pieces; return its size and the lines of the pieces that it adds to.

    message  state: the line of the state; pieces: [row, piece] …; memory: bytes for copies; spell: None, or how many
             positions may be found by the layers of a task that goes on with the layers after this one, -1: any number
    """
    copies = _copies(job)
    copies.advise(message["memory"])
    copies.begin(job.state(message["state"]))
    copies.read = copies.written = 0
    found = _layer(copies, message) if message["spell"] is None else _spell(copies, message["spell"])
    copies.drop(message["memory"])
    return {**found, "read": copies.read, "written": copies.written}


def _layer(copies: Copies, message: Any) -> dict[str, Any]:
    """Compute the next layer of some pieces, one after the other."""
    cut, memory = copies.cut, message["memory"]
    made: dict[str, Any] = {}
    roomy = copies.table.nbytes <= memory
    for row, piece in message["pieces"]:
        entry = copies.following(row, piece, False)
        if entry is not None:
            made[f"{row}.{piece}"] = entry
            copies.publish(row, piece, entry, NEXT if cut.two_tables else KNOWN)
            if copies.plane and not roomy:  # it is read again three layers later
                copies.forget(copies.section[copies.plane] + row, piece)
                copies.release(copies.section[copies.plane] + row, piece)
        copies.drop(memory)
    size = sum(entry["new"] for entry in made.values())
    return {"made": made, "sizes": [size] if size else []}


def _spell(copies: Copies, most: int) -> dict[str, Any]:
    """Compute layers of the whole table, for about a second, in memory; then write the pieces that changed."""
    cut, made, sizes, ended = copies.cut, {}, [], False
    older: dict[str, Any] = {}
    began = time.perf_counter()
    while not ended:
        fresh = {int(key.split(".")[0]) for key, e in copies.state["pieces"].items() if e["depth"] == copies.depth - 1}
        new: dict[str, Any] = {}
        for row in cut.targets(copies.depth):
            if fresh & cut.reaching[row]:
                for piece in range(len(cut.first) - 1):
                    full = (copies.entry(row, piece) or {}).get("full")
                    entry = None if full else copies.following(row, piece, True)
                    if entry is not None:
                        new[f"{row}.{piece}"] = entry
        ended = not new
        if new:
            older = {key: copies.state["pieces"][key] for key in new if key in copies.state["pieces"]}
            copies.advance(new)
            made |= new
            sizes.append(sum(entry["new"] for entry in new.values()))
            if time.perf_counter() - began > SPELL or 0 <= most < sum(sizes):
                break
    for key in older:
        row, piece = map(int, key.split("."))
        at = copies.section[OLDER] + row
        older[key] = {KNOWN: copies.write(f"older-{row}-{piece}", at, piece, np.zeros(len(copies.sizes(piece)), "u1"))}
        copies.release(at, piece)
    for key, entry in made.items():
        row, piece = map(int, key.split("."))
        copies.publish(row, piece, entry, KNOWN)
    return {"made": made, "sizes": sizes, "older": older, "ended": ended}


def first_of_last(job: Job, message: Any) -> dict[str, Any]:
    """Write the first positions, sorted, that the last layer added to some pieces; return the line of the file.

    message  state, older: lines of the state and of the one before; pieces: [row, piece] …; keep: how many
    """
    cut = cut_of(job)
    now, older = job.state(message["state"]), job.state(message["older"])
    start = cut.ground.shape.start
    least: Iterable[bytes] = ()
    for row, piece in message["pieces"]:
        span = cut.span(piece)
        sizes = np.diff(start[span[0] : span[1] + 1])
        key, nothing = f"{row}.{piece}", cut.unused(span)
        words, before = (read_piece(job.place, each["pieces"].get(key), KNOWN, sizes, nothing) for each in (now, older))
        bits = words & ~before
        numbers = np.flatnonzero(bits)
        notes = [(row * cut.words + int(start[span[0]]) + numbers, bits[numbers])]
        found = cut.listing.least(message["keep"], notes, Thresholds().slide_written)
        least = sorted([*least, *found])[: message["keep"]]
    data = b"".join(least)
    with job.place.new("first") as file:
        file.path.write_bytes(data)
        return {"line": [file.publish(), len(data), zlib.crc32(data)]}
