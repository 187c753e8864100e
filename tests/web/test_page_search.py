"""Distances that the page finds by itself, in a file without a table: those of the library."""

import shutil

import pytest
import test_export_html
from test_export_html import PASSING

import page_search
import puzzlespace
from puzzlespace import load
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.limits.watch import Watch

opened = test_export_html.opened

FOUND = """async (space, ids) => {
  const found = [];
  for (const id of ids) {
    const at = await space.model.distance(id, {});
    const { path } = await space.model.solution(id, {});
    found.push([at.distance, at.state, path.length, at.moves.filter((move) => move.best).length]);
  }
  return found;
}"""

TURNED = """rule: apply
count: step
board: grid 3x2
swap: r -> g -> b -> r
start: r g b / r r g
goal: * * * / r r r
moves:
  turn: (a1 b1 b2 a2)
  on: (a1 c1) ~c1 ~c2
"""

FILES = {"passing": PASSING, "turned": TURNED}
NAMES = ["star13", "wolf", "tol", "tilt3", "flip3", "frogs33", "jugs853", "hanoi:3,3", "slide:3x2", *FILES]


LISTED = ("wolf", "tilt3")
"""Those whose positions the page lists by itself."""


@pytest.mark.parametrize("name", NAMES)
def test_distances_are_those_of_the_library(opened, tmp_path, name):
    if name in FILES:
        file = tmp_path / f"{name}.pzl"
        file.write_text(FILES[name], encoding="utf-8")
        name = str(file)
    puzzle = load(name)
    model = puzzle.model()
    far = plain.depths(Depths(model, (puzzle.anchor,), keep=2), Watch()).deepest
    positions = [*dict.fromkeys((puzzle.anchor, *model.moves(puzzle.anchor), *far))][-6:]
    page = opened(name, most=1)
    assert page.locator("puzzle-space").evaluate("(space) => space.model.table") is None
    compiled = page.locator("puzzle-space").evaluate("(space) => space.model.program !== null")
    assert compiled is (name not in LISTED)
    found = page.locator("puzzle-space").evaluate(FOUND, [puzzle.id(position) for position in positions])
    for position, (distance, state, length, best) in zip(positions, found, strict=True):
        assert distance == puzzlespace.distance(puzzle, position).distance, puzzle.line(position)
        assert (state, best > 0) == ("lost" if distance is None else "known", bool(distance))
        assert length == (distance + 1 if distance else 0)


def test_a_search_ends_at_its_memory_and_is_stopped(opened):
    page = opened("slide:4x4", most=1)
    space = page.locator("puzzle-space")
    at = space.evaluate("async (space) => space.model.distance(await space.model.sample('', 'hard'), {unasked: true})")
    assert at["state"] in ("unknown", "known")
    stopped = """async (space) => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 50);
      const far = await space.model.sample("", "hard");
      return space.model.distance(far, { signal: stop.signal }).then(() => "found", (error) => error.name);
    }"""
    assert space.evaluate(stopped) in ("AbortError", "found")


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node on this machine")
@pytest.mark.filterwarnings("ignore::puzzlespace.PuzzleWarning")
@pytest.mark.parametrize("first", [1092, pytest.param(2000, marks=pytest.mark.long)])
def test_the_search_on_random_puzzles_of_every_kind(first, capsys):
    assert page_search.main(first, 6 if first == 1092 else 300) == 0, capsys.readouterr().out
