"""A puzzle as one HTML file that works without a server: the board to play on, its distances, a solution."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from importlib import resources
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from ..api.questions import solve
from ..contract.answers import Status
from ..errors import InputError, LimitError, UnsupportedError
from ..graph import MOST
from ..limits.machine import has_arrays
from ..limits.watch import Limits, watched
from ..model.effects import allowed
from ..model.model import Model
from ..model.rule import ANY, symbols_of
from ..model.sentence import Sentence
from ..puzzle.puzzle import Puzzle
from ..registry import browser_program
from ..render.glyphs import printable
from .japanese import with_japanese
from .modules import joined
from .wire import about, played, step

if TYPE_CHECKING:
    import numpy as np

PLAYER = 'import "./puzzle-space.js";\nimport { LocalModel } from "./local.js";\n'
"""The imports of a script that plays without a server."""

MOST_PROGRAM = 1 << 20
"""The most letters of the rules as arrays in a file."""

LOST = 0xFFFF
"""Sentinel in the table of distances: no goal can be reached."""


def page(puzzle: Puzzle, metric: str = "", limits: Limits = Limits(), most: int = MOST) -> str:
    """Return the file's text.

    most  if there are at most so many positions, the file has their distances; otherwise one shortest solution
    Raises InputError if the puzzle has no position to show, or no such metric; UnsupportedError if the page cannot make
    its moves.
    """
    kept = puzzle_data(puzzle, metric, limits, most)
    title = escape(printable(puzzle.title))
    texts = [kept["about"]["note"], " ".join(kept["about"]["rules"])]
    remarks = (*kept["about"]["warnings"], *kept["about"]["notes"])
    texts += [" — ".join(filter(None, (each["text"], each["hint"]))) for each in remarks]
    notes = "".join(f"<p>{escape(printable(text))}</p>\n" for text in texts if text)
    code = "\n" + joined(PLAYER + OPENING)
    data = json.dumps(kept, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="mobile-web-app-capable" content="yes">\n<link rel="icon" href="{_icon()}">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(code)}">\n<title>{title}</title>\n'
        f"<style>{PAGE_STYLE}</style>\n<main>\n<h1>{title}</h1>\n<puzzle-space></puzzle-space>\n<section>\n{notes}</section>\n</main>\n"
        f'<script type="application/json" id="puzzle">{data}</script>\n'
        f'<script type="module">{code}</script>\n</html>\n'
    )


def _icon() -> str:
    """Return the page's icon as an address that has all of it."""
    icon = (resources.files("puzzlespace.web") / "static" / "icon.svg").read_bytes().strip()
    return "data:image/svg+xml;base64," + base64.b64encode(icon).decode()


def _policy(code: str) -> str:
    """Return the content security policy of the file: its own script, loops, style and icon, and nothing is loaded."""
    script, style = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (code, PAGE_STYLE))
    allowed = f"default-src 'none'; script-src 'sha256-{script}' 'wasm-unsafe-eval'; style-src 'sha256-{style}'"
    allowed += "; img-src data:; manifest-src data:"
    return f"{allowed}; base-uri 'none'; form-action 'none'"


PAGE_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:1rem;background:#fff;color:#1c1c1c}"
    "main{max-width:52rem;margin:auto;overflow-wrap:anywhere}h1{font-size:1.3rem;text-align:center}"
    "@media(prefers-color-scheme:dark){body{background:#15171c;color:#f2f0ea}}"
    "@media(max-width:40rem){body{margin:.6rem}h1{margin:.3rem}puzzle-space{--board-high:max(14rem,100vh - 24rem)}}"
    "@media(max-height:30rem) and (min-width:40rem){body{margin:.3rem 1rem}h1{margin:.2rem}"
    "puzzle-space{--board-high:max(12rem,100vh - 5rem)}}"
)

OPENING = """
const player = document.querySelector("puzzle-space");
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => { player.theme = dark.matches ? "dark" : "light"; };
dark.addEventListener("change", paint);
const lang = navigator.language.startsWith("ja") ? "ja" : "en";
const kept = JSON.parse(document.getElementById("puzzle").textContent);
player.lang = document.documentElement.lang = lang;
if (lang === "ja") {
  const { titles, ja } = kept.about;
  document.title = document.querySelector("h1").textContent = titles.ja ?? document.title;
  const remarks = [...ja.warnings, ...ja.notes].map(({ text, hint }) => [text, hint].filter(Boolean).join(" — "));
  const notes = [ja.note, ja.rules.join(" "), ...remarks].filter(Boolean);
  const written = (textContent) => Object.assign(document.createElement("p"), { textContent });
  document.querySelector("section").replaceChildren(...notes.map(written));
}
paint();
if (location.protocol !== "file:") {
  const icons = [{ src: document.querySelector("[rel=icon]").href, sizes: "any", type: "image/svg+xml" }];
  const address = location.href.replace(/#.*/, "");
  const app = { name: document.title, start_url: address, id: address, scope: address, display: "standalone", icons };
  const href = `data:application/manifest+json,${encodeURIComponent(JSON.stringify(app))}`;
  document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href }));
}
addEventListener("keydown", (event) => { if (document.activeElement === document.body) player.key(event); });
player.keeps = true;
player.model = await LocalModel.open(kept);
"""


def puzzle_data(puzzle: Puzzle, metric: str = "", limits: Limits = Limits(), most: int = MOST) -> dict[str, Any]:
    """Return the data for `local.js`: the rules, and the distances if they are few or a solution of the start.

    Raises InputError if the puzzle has no position to show, or no such metric.
    """
    puzzle = played(puzzle)
    model = puzzle.model(metric)
    if puzzle.anchor is None:
        raise InputError(f"{puzzle.name}: expected a start or a whole goal to show, found neither")
    with watched(limits):
        table = _table(puzzle, model, limits, most) if puzzle.goals else None
        found = searched(puzzle, metric, limits) if table is None else UNSEARCHED
    program = program_data(model) if table is None else None
    return {**rules_data(puzzle, model), **found, "table": table, "program": program}


def program_data(model: Model) -> dict[str, str] | None:
    """Return what `breadth.js` searches the positions of a model with, compressed; None if it lists them by itself."""
    metric = model.metric
    listed = (
        metric.costs or metric.free or metric.automatic or metric.laws or any(goal.sentence for goal in model.goals)
    )
    found = None if listed or not model.goals else browser_program(model)
    texts = {} if found is None else {name: _text(content) for name, content in found.items()}
    return texts if 0 < sum(map(len, texts.values())) <= MOST_PROGRAM else None


def rules_data(puzzle: Puzzle, model: Model) -> dict[str, Any]:
    """Return what `local.js` needs to make moves and to know goals."""
    return {
        "about": about(puzzle, model.metric.name),
        "rules": [_rule(puzzle, model, number) for number in range(len(model.rules))],
        "after": model.metric.after,
        "costs": model.metric.costs,
        "free": model.metric.free,
        "stages": [{"rules": stage.rules, "once": stage.once} for stage in model.metric.automatic],
        "laws": [_sentence(law.sentence) for law in model.metric.laws],
        "goals": [
            {
                "need": _needs(model, goal.need),
                "counts": goal.counts,
                "sentence": None if goal.sentence is None else _sentence(goal.sentence),
            }
            for goal in model.goals
        ],
    }


def _sentence(sentence: Sentence) -> dict[str, Any]:
    """Return a sentence for `sentences.js`: the name of its class, and its fields; a set of symbols as a list."""
    return {"is": type(sentence).__name__} | {
        each.name: _said(each.name, getattr(sentence, each.name))
        for each in fields(sentence)  # type: ignore[arg-type]
    }


def _said(name: str, value: Any) -> Any:
    if name == "need":
        return list(symbols_of(value))
    if isinstance(value, Sentence):
        return _sentence(value)
    return list(map(_sentence, value)) if name == "parts" else value


def _rule(puzzle: Puzzle, model: Model, number: int) -> dict[str, Any]:
    rule = model.rules[number]
    motion = rule.motion
    return {
        "cells": rule.cells,
        "need": _needs(model, rule.need),
        "source": rule.source,
        "table": rule.table,
        "generator": model.generators[number],
        "motion": None if motion is None else [motion.origin, motion.target, motion.direction, motion.free, motion.how],
        "step": step(puzzle, rule),
    }


def _needs(model: Model, needs: Iterable[int]) -> list[list[int] | None]:
    return [None if need == ANY else allowed(need, model.symbols) for need in needs]


def _table(puzzle: Puzzle, model: Model, limits: Limits, most: int) -> dict[str, Any] | None:
    """Return the distances of all positions as text; None if there are too many, or none can be kept."""
    if not has_arrays():
        return None
    from .folders import whole_graph  # loads arrays

    try:
        graph = whole_graph(puzzle, model, most, limits)
    except (LimitError, UnsupportedError):
        return None
    kept = tabled(graph.symbols, graph.distances(graph.goals(model)), model.symbols)
    return None if kept is None else {**kept.shape, "keys": _text(kept.keys), "depths": _text(kept.depths)}


@dataclass(frozen=True)
class Tabled:
    """The distances of positions for `local.js`, made for binary search.

    shape   `bits` of a cell in a key, and how many `positions`
    keys    sorted keys, all first bytes, then all second bytes and so on: then they are compressed best
    depths  the distance of each, LOST if no goal can be reached: all low bytes, then all high bytes
    order   the number of each key's position in the graph
    """

    shape: dict[str, int]
    keys: bytes
    depths: bytes
    order: np.ndarray


def tabled(symbols: np.ndarray, known: np.ndarray, count: int) -> Tabled | None:
    """Return a table of positions and distances (-1: no goal); None if a distance is too large for two bytes.

    The distance of a position without a key is unknown, because it may reach other goals.

    count  the number of symbols
    """
    import numpy as np

    if int(known.max(initial=0)) >= LOST:
        return None
    order = np.lexsort(symbols.T[::-1])
    bits = max(1, (count - 1).bit_length())
    split = (symbols[order][:, :, None] >> np.arange(bits - 1, -1, -1, dtype=np.uint8)) & 1
    flat = split.reshape(len(order), symbols.shape[1] * bits)
    keys = np.packbits(np.pad(flat, ((0, 0), (-flat.shape[1] % 8, 0))), axis=1)
    depths = np.where(known < 0, LOST, known)[order].astype("<u2")
    shape = {"bits": bits, "positions": len(order)}
    return Tabled(shape, keys.T.tobytes(), depths.view(np.uint8).reshape(-1, 2).T.tobytes(), order)


UNSEARCHED: dict[str, Any] = {"path": [], "lost": None}
"""What `searched` returns if nothing is found."""


def searched(puzzle: Puzzle, metric: str, limits: Limits) -> dict[str, Any]:
    """Return the positions of a shortest solution as `path`, [] if none is found; and `lost`, None if there may be one.

    Otherwise `lost` has the `reason` why the start cannot be solved, '' if a search of all positions says so.
    """
    if not puzzle.goals or puzzle.start is None:
        return UNSEARCHED
    try:
        answer = solve(puzzle, metric=metric, limits=limits)
    except LimitError:
        return UNSEARCHED
    reason = answer.reason.text if answer.reason is not None else ""
    lost = with_japanese({"reason": reason}, "reason") if answer.status is Status.IMPOSSIBLE else None
    return {"path": [puzzle.id(position) for position in answer.path], "lost": lost}


def _text(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode()
