"""Distances that the page finds by itself, in a file without a table: those of the library."""

import shutil
from importlib import resources
from pathlib import Path
from random import Random

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


FAR = """async (space, ids) => {
  const found = [];
  for (const id of ids) {
    const { distance, beyond } = await space.model.distance(id, { unasked: true });
    const { path } = distance === null ? { path: null } : await space.model.solution(id, {});
    found.push([distance, beyond, path]);
  }
  return found;
}"""


@pytest.mark.parametrize(
    ("name", "walks"), [("slide:4x4", (16, 20)), ("cube:3", (4, 5, 9)), ("english", (5, 7)), ("goat", (30,))]
)
def test_large_puzzles_are_searched_from_both_ends(opened, tmp_path, name, walks):
    if name == "english":
        file = tmp_path / "english.pzl"
        text = (resources.files("puzzlespace.catalogue") / "english.pzl").read_text(encoding="utf-8")
        file.write_text(text.replace("count: chain", "count: step"), encoding="utf-8")
        name = str(file)
    puzzle, random = load(name), Random(1)
    model = puzzle.model()
    ways = []
    for steps in walks:
        way = [model.goals[0].position]
        for _ in range(steps):
            way.append(random.choice(sorted(model.backward.moves(way[-1]))))
        ways.append(way)
    page = opened(name, most=1)
    assert page.locator("puzzle-space").evaluate("(space) => space.model.program !== null")
    found = page.locator("puzzle-space").evaluate(FAR, [puzzle.id(way[-1]) for way in ways])
    for way, (distance, beyond, ids) in zip(ways, found, strict=True):
        if distance is None:
            assert 0 < beyond < len(way)
            continue
        assert distance == puzzlespace.distance(puzzle, way[-1], engine="bidirectional").distance
        path = [puzzle.read(each) for each in ids or ()]
        assert distance == max(0, len(path) - 1)
        assert all(after in model.moves(before) for before, after in zip(path, path[1:], strict=False))


def test_a_file_says_how_far_the_goal_is_at_least(opened):
    page = opened("cube:3", most=1)
    space = page.locator("puzzle-space")
    space.evaluate("async (space) => { space.position = await space.model.sample('', 'hard'); }")
    status = f"{test_export_html.SPACE}.shadowRoot.querySelector('.status').textContent"
    test_export_html.until(page, f"/more than [0-9]+ moves to the goal/.test({status})")
    space.evaluate("(space) => { space.model.distance = async (id) => space.at; }")  # it would take seconds
    page.locator("puzzle-space [data-do=hint]").click()
    assert page.locator("puzzle-space .status").inner_text().endswith("Hints are found nearer to the goal.")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "steps", "told"),
    [("cube:3", 40, "the cube, whose hints begin {} moves"), ("slide:4x4", 4000, "4x4 tiles ({} moves)")],
)
def test_hints_begin_as_far_from_the_goal_as_the_documentation_says(opened, name, steps, told):
    model, random = load(name).model(), Random(1)
    at = model.goals[0].position
    for _ in range(steps):
        at = random.choice(sorted(model.moves(at)))
    far = (
        opened(name, most=1)
        .locator("puzzle-space")
        .evaluate("(space, id) => space.model.distance(id)", load(name).id(at))
    )
    page = (Path(__file__).parents[2] / "docs" / "page.md").read_text(encoding="utf-8")
    assert far["state"] == "unknown"
    assert told.format(far["beyond"]) in page


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
