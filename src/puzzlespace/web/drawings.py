"""Answers with drawings: the map of all positions, pictures and texts to download, the catalogue."""

from __future__ import annotations

import base64
import json
from array import array
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from .. import catalogue
from ..api.loader import from_text
from ..api.planning.positions import positions
from ..api.questions import with_start
from ..contract.answers import Status
from ..errors import InputError, LimitError
from ..formats import format_of
from ..graph import explore
from ..limits.machine import has_arrays
from ..limits.watch import watched
from ..puzzle.answers import PuzzleSolution
from ..puzzle.draft import Draft
from ..puzzle.puzzle import Position
from ..registry import FAMILIES, from_spec
from ..render import json_output, text
from ..render.animation import animation
from ..render.svg import position_svg, solution_svg
from ..render.theme import Style, theme
from ..rules import RULES
from . import gestures, standalone, wire
from .japanese import directed, japanese, with_japanese
from .questions import Object, Opened, WorkerState, position_of, reporter, shortest, word
from .wire import Say

if TYPE_CHECKING:
    import numpy as np

    from ..graph.listed import ListedGraph
    from ..graph.positions import Graph

SHORT = 32_000
"""Layers and distances are sent in 16 bits; deeper graphs are refused."""


def map_(state: WorkerState, question: Object, say: Say) -> Object:
    """Send all positions as points in space: their places in two layouts, depths, symbols, and moves.

    Buffers, little-endian: float32 [n, 3] twice, int16 [n] distance to the goal (-1: none), int16 [n] layer from the
    first position, uint32 [m, 2] moves (each pair once), uint8 [n, cells] symbols. If there are too many positions,
    only the layers around the position of the question are sent.
    """
    opened = state.puzzle(question)
    if not has_arrays():
        return _unlaid(state, opened, question, say)
    from ..graph.layout import lay_out  # loads arrays

    graph, distance = _graph(state, opened, question, say)
    say({"progress": {"phase": "layout", "found": len(graph)}})
    measured = _measured(opened, graph.complete)
    layout = lay_out(graph, distance if measured == "goal" else graph.layers)
    pairs = graph.pairs
    say(
        _head(state, opened, graph, len(pairs), measured),
        layout.space.astype("<f4"),
        layout.layers.astype("<f4"),
        distance.astype("<i2"),
        graph.layers.astype("<i2"),
        pairs.astype("<u4"),
        graph.symbols,
    )
    return {}


def _measured(opened: Opened, complete: bool) -> str:
    """Return what the map is coloured by: the distance to the goal, or from the position in its middle."""
    return "goal" if opened.model.goals and complete else "position"


def _head(state: WorkerState, opened: Opened, graph: Graph | ListedGraph, moves: int, measured: str) -> Object:
    """Return the line before the buffers of a map."""
    return {
        "map": {
            "count": len(graph),
            "moves": moves,
            "cells": opened.model.cells,
            "complete": graph.complete,
            "limit": state.bounds.map,
            "measured": measured,
        }
    }


def _unlaid(state: WorkerState, opened: Opened, question: Object, say: Say) -> Object:
    """Send the map without places: the page's worker lays it out (`layout.js`)."""
    from ..graph.listed import listed

    puzzle, model, most = opened.puzzle, opened.model, state.bounds.map
    here = position_of(opened, question)
    start = puzzle.start if puzzle.start is not None else here
    counted = positions(puzzle, model)
    large = counted.exact and counted.most is not None and counted.most > most
    with watched(state.limits, reporter(say)) as watch:
        graph = None if large else listed(model, [start], most, watch)
        if graph is None or not graph.complete:
            graph = listed(model, [here], state.bounds.around, watch)
        if graph.layers[-1] > SHORT:
            raise LimitError("positions", f"deeper than {SHORT:,} moves")
        measured = _measured(opened, graph.complete)
        distance = graph.distances(model) if measured == "goal" else array("i", [-1]) * len(graph)
        pairs = graph.pairs
    if max(distance) > SHORT:
        raise LimitError("positions", f"deeper than {SHORT:,} moves")
    say({"progress": {"phase": "layout", "found": len(graph)}})
    shown = array("h", distance), array("h", graph.layers), pairs, b"".join(graph.positions)
    say(_head(state, opened, graph, len(pairs) // 2, measured), *shown)
    return {}


def _graph(state: WorkerState, opened: Opened, question: Object, say: Say) -> tuple[Graph, np.ndarray]:
    """Return the graph of all positions and their distances to the goal; if too large, the part around a position."""
    import numpy as np

    from .folders import GraphFolder, TableFolder

    known = opened.distances()
    if isinstance(known, GraphFolder):
        return known.graph, np.array(known.distance)
    puzzle, name = opened.puzzle, opened.model.metric.name
    options: dict[str, Any] = {"metric": name, "limits": state.limits, "progress": reporter(say)}
    start = puzzle.start if puzzle.start is not None else position_of(opened, question)
    large = isinstance(known, TableFolder) and sum(known.table.counts) > state.bounds.map
    graph = None if large else explore(puzzle, around=start, most=state.bounds.map, **options)
    if graph is None or not graph.complete:
        graph = explore(puzzle, around=position_of(opened, question), most=state.bounds.around, **options)
    if int(graph.layers.max()) > SHORT:
        raise LimitError("positions", f"deeper than {SHORT:,} moves")
    if not graph.complete:
        return graph, np.full(len(graph), -1, np.int32)
    return graph, graph.distances(graph.goals(opened.model))


def warm(state: WorkerState, question: Object, say: Say) -> Object:
    """Answer a small question, so that the code for maps and tables is loaded."""
    from ..graph.layout import lay_out

    opened = state.puzzle({"puzzle": "flip3"})
    graph = explore(opened.puzzle)
    distance = graph.distances(graph.goals(opened.model))
    lay_out(graph, distance)
    return {"states": len(graph), "depth": int(distance.max())}


def copy(state: WorkerState, question: Object, say: Say) -> Object:
    """Return a download: a position or a solution, as text, SVG, JSON, or GIF (base64); or the puzzle as HTML.

    Titles and directions are in the language `lang` ('ja'; else English). Like pieces have the letters that the
    question gives as `words`, one for each cell; else the puzzle's own.
    """
    opened = state.puzzle(question)
    position, what = _lettered(opened, position_of(opened, question), question.get("words")), word(question, "what")
    style = Style(theme(word(question, "theme") or "light"))
    puzzle, model = opened.puzzle, opened.model
    if what == "text":
        return {"type": "text/plain", "text": "\n".join(text.board(puzzle, puzzle.shown(position)))}
    if what == "svg":
        return {"type": "image/svg+xml", "text": position_svg(puzzle, position, theme=style.theme)}
    if what == "html":
        found = standalone.page(with_start(puzzle, position), model.metric.name, state.limits)
        return {"type": "text/html", "text": found}
    if what not in ("json", "gif", "strip"):
        raise InputError("copy: expected one of text, svg, strip, json, gif, html")
    answer = _solution(opened, position, shortest(opened, position, state.limits, say))
    if what == "json":
        found = json_output.solution(with_start(puzzle, position), model, answer)
        return {"type": "application/json", "text": json.dumps(found, ensure_ascii=False, indent=1)}
    if not answer.path:
        raise InputError("there is no solution from here")
    title = f"{puzzle.title}: {answer.moves} moves"
    frames = answer.frames
    said = f"{wire.titles(puzzle).get('ja', puzzle.title)}: {answer.moves} 手"
    if word(question, "lang") == "ja":
        title, frames = said, [replace(frame, name=directed(puzzle, frame.name)) for frame in frames]
    if what == "strip":
        return {"type": "image/svg+xml", "text": solution_svg(puzzle, frames, title, style)}
    return {
        "type": "image/gif",
        "base64": base64.b64encode(animation(puzzle, frames, title, style, "gif")).decode(),
    }


def _lettered(opened: Opened, position: bytes, words: object) -> bytes:
    """Return the position with the letters that a visitor's board shows. Raises InputError if they do not fit."""
    if words is None:
        return position
    shown = tuple(map(str, words)) if isinstance(words, list) else ()
    if len(shown) != opened.model.cells or opened.puzzle.view.encode(shown) != position:
        raise InputError("words: expected the words of the cells in this position")
    return Position(opened.puzzle, position, shown)


def _solution(opened: Opened, position: bytes, way: Sequence[bytes]) -> PuzzleSolution:
    """Return a path of positions as a solution; without a path, the answer that there is none."""
    puzzle, model = with_start(opened.puzzle, position), opened.model
    if model.metric.free and way:
        walked = puzzle.walked(way, model)
        way, rules = [at for at, _ in walked], tuple(made for _, made in walked[1:])
    else:
        rules = tuple(model.move_between(before, after) for before, after in zip(way, way[1:], strict=False))
    frames = puzzle.frames(way, model, rules) if way else ()
    status = Status.OPTIMAL if way else Status.IMPOSSIBLE
    moves = len(way) - 1 if way else None
    return PuzzleSolution(
        status, model.metric.name, moves, moves,
        tuple(Position(puzzle, frame.position, frame.words) for frame in frames),
        tuple(frame.name for frame in frames[1:]), "table", 0, 0.0, puzzle=puzzle, rules=rules,
    )  # fmt: skip


def catalogue_(state: WorkerState, question: Object, say: Say) -> Object:
    """Return what the gallery shows: for each puzzle its names, note, source and known numbers, and the families."""
    return {"puzzles": [_entry(name) for name in catalogue.names(None)], "families": families()}


def families() -> list[Object]:
    """Return the families of the gallery: their forms, names and sliders, and the first size of each as `about`."""
    found: list[Object] = []
    for family in FAMILIES:
        if not family.sliders:
            continue
        first = family.spec([slider.first for slider in family.sliders])
        names = {language: list(every) for language, every in family.names.items()}
        found.append(
            {
                "name": family.name,
                "form": family.form,
                "names": names,
                "sliders": family.sliders,
                "about": wire.about(from_spec(first)),
            }
        )
    return found


def _entry(name: str) -> Object:
    file = f"{name}.pzl"
    text = catalogue.text(name)
    draft = format_of(file).parse(text, file)
    if draft.moves or draft.parts:  # only how listed moves are played depends on the whole puzzle
        puzzle = from_text(text, file, name)
        gesture = gestures.gesture(puzzle, gestures.board(puzzle), puzzle.model())
    else:
        gesture = next(kind.play for kind in RULES if kind.name == draft.rule)
    return entry(name, dict(draft.titles), draft, gesture)


def entry(name: str, titles: dict[str, str], draft: Draft | None, gesture: str) -> Object:
    """Return a puzzle as the gallery shows it."""
    note, source = (draft.note, draft.source) if draft is not None else ("", "")
    return {
        "name": name,
        "titles": titles,
        "aliases": [alias for alias, meant in catalogue.ALIASES.items() if meant == name],
        "note": note,
        "source": source,
        "by": draft.by if draft is not None else "",
        "kind": draft.rule if draft is not None else "",
        "gesture": gesture,
        "known": [with_japanese(asdict(known), "source") for known in (draft.known if draft is not None else ())],
        "ja": {key: japanese(text) or text for key, text in (("note", note), ("source", source))},
    }


def picture(state: WorkerState, question: Object, say: Say) -> Object:
    """Return the picture of a catalogue puzzle."""
    puzzle = state.puzzle(question).puzzle
    if puzzle.anchor is None:
        raise InputError("expected a start or a goal to draw, found none")
    return {"svg": position_svg(puzzle, puzzle.anchor, theme=theme(word(question, "theme") or "light"))}
