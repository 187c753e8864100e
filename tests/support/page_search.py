"""Hold the search of the page (`static/breadth.js`) against the library on random puzzles of every kind.

    python tests/support/page_search.py FIRST COUNT

draws puzzles of COUNT seeds from FIRST on in every metric, runs the page's own modules in Node, and prints each
difference with its puzzle; the exit code is then 1. Distances are equal, solutions are replayed, and the moves of each
position lead where those of the library lead. If several moves lead to one position, their names may differ.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz import changes_drawn, generators, worded
from puzzlespace import distance
from puzzlespace.api.loader import from_text
from puzzlespace.errors import PuzzlespaceError
from puzzlespace.puzzle.puzzle import Puzzle
from puzzlespace.web import modules, wire
from puzzlespace.web.standalone import program_data, rules_data

KINDS: tuple[Callable[[int], str], ...] = (
    generators.draw, generators.draw_glide, generators.draw_push, generators.draw_crates, worded.sketched,
    changes_drawn.draw,
)  # fmt: skip

WALKS = (0, 3, 8)
"""The steps of the walks from the start that end in the positions which are asked for."""

SEARCH = """
import { createInterface } from "node:readline";
const { LocalModel } = await import(process.argv[1] + "/local.js");
const { Both, thresholds } = await import(process.argv[1] + "/breadth.js");
const { symbolsOf } = await import(process.argv[1] + "/positions.js");
const usual = { ...thresholds };
/** The answers of a search from both ends that has little memory first, then more; its first search is given up. */
async function limited({ compiled, goals, about }, id) {
  if (!compiled?.back_rules) return [];
  Object.assign(thresholds, { room: 4, chunk: 2 });
  const [both, found, stop] = [new Both(compiled, goals), [], new AbortController()];
  const given = both.shortest(symbolsOf(about, id), 2 ** 20, stop.signal).catch(() => null);
  stop.abort();
  for (const most of [0, 40_000, 2 ** 25, 0]) {
    const { path, whole, beyond } = await both.shortest(symbolsOf(about, id), most);
    found.push([path && path.length - 1, whole, beyond ?? null]);
  }
  await given;
  Object.assign(thresholds, usual);
  return found;
}
for await (const line of createInterface({ input: process.stdin })) {
  const { kept, ids } = JSON.parse(line);
  const found = [];
  for (const id of ids) {
    try {
      const model = new LocalModel({ ...kept, path: [], table: null });
      const before = await model.at(id);
      const { distance, state } = await model.distance(id);
      const { path } = await model.solution(id);
      const moves = before.moves.map(({ to }) => to);
      found.push({ distance, state, path, goal: before.goal, moves, limited: await limited(model, id) });
    } catch (error) {
      found.push({ error: error.stack });
    }
  }
  console.log(JSON.stringify(found));
}
"""


def drawn(seed: int) -> Iterator[tuple[str, Puzzle, str]]:
    """Yield the text, the puzzle and the metric of what is drawn with a seed."""
    text = KINDS[seed % len(KINDS)](seed)
    try:
        puzzle = from_text(text, "random.pzl")
    except PuzzlespaceError:
        return
    if puzzle.anchor is None or not puzzle.goals:
        return
    for metric in puzzle.metrics:
        yield text, puzzle, metric


def positions(puzzle: Puzzle, metric: str, seed: int) -> list[bytes]:
    """Return the start and the ends of some walks."""
    random, model = Random(seed), puzzle.model(metric)
    found = []
    for steps in WALKS:
        assert puzzle.anchor is not None
        at = puzzle.anchor
        for _ in range(steps):
            following = sorted(model.moves(at))
            if not following:
                break
            at = random.choice(following)
        found.append(at)
    return [*dict.fromkeys(found)]


def searched(asked: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return what the page's modules find for rules and ids of positions."""
    node = shutil.which("node")
    assert node is not None
    lines = "".join(json.dumps(each) + "\n" for each in asked)
    with TemporaryDirectory() as folder:
        for name, text in (modules.sources() | {name: made() for name, made in modules.MADE.items()}).items():
            (Path(folder) / f"{name}.js").write_text(text, encoding="utf-8")
        command = [node, "--no-warnings", "--input-type=module", "-e", SEARCH, Path(folder).as_uri()]
        ran = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def faults(puzzle: Puzzle, metric: str, position: bytes, found: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong in the answers of the page about a position."""
    if "error" in found:
        yield found["error"]
        return
    model = puzzle.model(metric)
    here = wire.at(puzzle, model, position)
    expected = sorted(move["to"] for move in here["moves"])
    moves = sorted(found["moves"])
    if moves != expected:
        yield f"moves {moves}, expected {expected}"
    if found["goal"] != here["goal"]:
        yield f"goal {found['goal']}, expected {here['goal']}"
    right = distance(puzzle, position, metric=metric, engine="plain").distance
    unasked = bool(model.metric.costs or model.metric.free)
    if found["state"] == "unknown" and unasked:
        return
    if (found["state"], found["distance"]) != ("lost" if right is None else "known", right):
        yield f"{found['state']} {found['distance']}, expected {right}"
        return
    for moves, whole, beyond in found["limited"]:
        near = beyond is not None and right is not None and right <= beyond
        if moves != right if whole else moves is not None or near:
            yield f"with little memory {moves} moves, whole: {whole}, beyond {beyond}; expected {right}"
    ids = found["path"]
    if right and not _replayed(puzzle, metric, ids, right):
        yield f"a solution {ids} of {right} moves that is none"


def _replayed(puzzle: Puzzle, metric: str, ids: list[str], right: int) -> bool:
    model, path = puzzle.model(metric), [puzzle.read(word) for word in ids]
    steps = all(after in model.moves(before) for before, after in zip(path, path[1:], strict=False))
    whole = bool(model.metric.costs) or len(path) == right + 1
    return steps and whole and model.is_goal(path[-1])


def main(first: int, count: int) -> int:
    """Print all differences; return how many there are."""
    asked, told = [], []
    for seed in range(first, first + count):
        for text, puzzle, metric in drawn(seed):
            places = positions(puzzle, metric, seed)
            model = puzzle.model(metric)
            kept = {**rules_data(puzzle, model), "program": program_data(model)}
            asked.append({"kept": kept, "ids": [puzzle.id(at) for at in places]})
            told.append((seed, text, puzzle, metric, places))
    wrong = 0
    answers = searched(asked)
    for (seed, text, puzzle, metric, places), found in zip(told, answers, strict=True):
        for place, each in zip(places, found, strict=True):
            for fault in faults(puzzle, metric, place, each):
                wrong += 1
                print(f"seed {seed}, {metric}, {puzzle.line(place)}: {fault}\n{text}\n")
    limited = [search for found in answers for each in found for search in each.get("limited", ())]
    ended = sum(not whole for _, whole, _ in limited)
    print(f"{len(limited)} searches from both ends, {ended} of them ended by memory")
    print(f"{len(told)} puzzles, {sum(map(len, (each[-1] for each in told)))} positions, {wrong} differences")
    return wrong


if __name__ == "__main__":
    raise SystemExit(1 if main(*map(int, sys.argv[1:3])) else 0)
