"""What the static site keeps of a puzzle: its rules, the distances and numbers of its positions, its map."""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..api.planning.positions import positions
from ..errors import LimitError, UnsupportedError
from ..graph import MOST
from ..graph.layout import lay_out
from ..graph.positions import Graph
from ..limits.stopping import Overdue
from ..limits.watch import Limits
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from . import folders, measured
from .standalone import UNSEARCHED, Tabled, program_data, rules_data, searched, tabled
from .wire import played

MAPPED = MOST
"""Up to so many positions the site has the map, which is laid out beforehand."""

SHADES = 2047
"""The places of a map are told apart so finely along the longest side."""


NOT_KEPT = dict.fromkeys(("moves", "table", "summary", "map", "program"))
"""What the data of a puzzle have unless it is known."""


@dataclass(frozen=True)
class Kept:
    """What the site keeps of a puzzle in one metric.

    data   for `site.js`: as an exported file has it, with the `shape` of the table, its `summary`, the `map`, and the
           `moves` of a shortest solution from the start; each None if it is not known. For `lost` see `searched`
    table  keys and depths, compressed; b'' without a table
    map    places, layers, and moves by the numbers of the table, compressed; b'' without a map
    """

    data: dict[str, Any]
    table: bytes = b""
    map: bytes = b""


def kept(puzzle: Puzzle, metric: str = "", limits: Limits = Limits(), most: int = MOST, mapped: int = MAPPED) -> Kept:
    """Return what the site keeps of a puzzle: everything if there are few positions, else one shortest solution.

    limits  for all searches together; what they stop is left out. Raises LimitError after Ctrl-C, or if memory is short
            while all positions are counted
    most    the most positions of a table
    mapped  the most positions of a map
    """
    puzzle = played(puzzle)
    model = puzzle.model(metric)
    data = {**rules_data(puzzle, model), **UNSEARCHED, **NOT_KEPT}
    began, known, table = time.perf_counter(), None, None
    graph = _graph(puzzle, model, limits, most) if puzzle.goals else None
    if graph is not None:
        known = graph.distances(graph.goals(model))
        table = tabled(graph.symbols, known, model.symbols)
    if graph is None or known is None or table is None:
        if limits.seconds is not None:
            limits = replace(limits, seconds=max(limits.seconds - (time.perf_counter() - began), 0.01))
        found = _searched(puzzle, metric, limits)
        found |= {"moves": len(found["path"]) - 1 if found["path"] else None, "program": program_data(model)}
        return Kept({**data, **found})
    lost = int((known < 0).sum())
    counted = folders.graph_table(puzzle, model, graph, Limits())
    if counted.stopped is not None:
        raise counted.stopped
    data |= {
        "table": table.shape,
        "summary": measured.numbers(puzzle, counted, lost, int(known.max())),
        "moves": int(known[0]) if puzzle.start is not None and known[0] >= 0 else None,
    }
    packed = _packed(table.keys + table.depths)
    if len(graph) > mapped or not len(graph.goals(model)):
        return Kept(data, packed)
    told, drawn = _map(graph, model, known, table)
    return Kept({**data, "map": told}, packed, drawn)


def _graph(puzzle: Puzzle, model: Model, limits: Limits, most: int) -> Graph | None:
    """Return all positions; None if there are too many, or a limit is reached."""
    least = positions(puzzle, model)
    if least.exact and least.most is not None and least.most > most:
        return None
    try:
        return folders.whole_graph(puzzle, model, most, limits)
    except (LimitError, Overdue, UnsupportedError):
        return None


def _searched(puzzle: Puzzle, metric: str, limits: Limits) -> dict[str, Any]:
    """Return a shortest solution, or why there is none."""
    try:
        return searched(puzzle, metric, limits)
    except Overdue:  # the guard of the command line ends a long step
        return UNSEARCHED


def _map(graph: Graph, model: Model, known: np.ndarray, table: Tabled) -> tuple[dict[str, Any], bytes]:
    """Return the numbers of the map, and its bytes in the order of the table's keys.

    The bytes: by coordinate, low and high bytes [n] six times, the places in space and by layers; the same of the
    layers from the first position; then the moves, each once, sorted: how far its first position is after that of the
    move before, and its second after its first, each as four planes of bytes [m].
    """
    layout = lay_out(graph, known)
    rank = np.empty(len(graph), np.int64)
    rank[table.order] = np.arange(len(graph))
    pairs = np.sort(rank[graph.pairs], axis=1)
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    steps = np.column_stack([np.diff(pairs[:, 0], prepend=0), pairs[:, 1] - pairs[:, 0]]).astype("<u4")
    parts = [_planes(side, 2) for each in (layout.space, layout.layers) for side in _shaded(each)[table.order].T]
    parts.append(_planes(graph.layers[table.order].astype("<u2"), 2))
    parts += [_planes(steps[:, side], 4) for side in (0, 1)]
    told = {
        "count": len(graph), "moves": len(pairs), "cells": model.cells, "complete": True, "limit": MOST,
        "measured": "goal",
    }  # fmt: skip
    return told, _packed(b"".join(parts))


def _shaded(places: np.ndarray) -> np.ndarray:
    """Return places as whole numbers; the longest side has all of them."""
    low = places.min(axis=0)
    return np.round((places - low) * (SHADES / max(float((places - low).max()), 1e-6))).astype("<u2")


def _planes(numbers: np.ndarray, size: int) -> bytes:
    """Return all low bytes, then all bytes after them, and so on."""
    return np.ascontiguousarray(numbers).view(np.uint8).reshape(-1, size).T.tobytes()


def _packed(data: bytes) -> bytes:
    return zlib.compress(data, 9)
