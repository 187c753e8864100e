"""A puzzle as one HTML file: its data, its script, and played in a browser without a server."""

import json
import re
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import puzzlespace
from puzzlespace import load, solve
from puzzlespace.cli.app import app
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.limits.watch import Watch
from puzzlespace.web import standalone, wire
from puzzlespace.web.deals import WALKS


def until(page, expression):
    """Wait until an expression is true in the page (the file's policy forbids `wait_for_function`)."""
    end = time.monotonic() + 60
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"not within 60 s: {expression}"
        time.sleep(0.02)


@pytest.fixture
def opened(browser, tmp_path):
    """Open the exported file of a puzzle; the page fails the test where its script fails."""
    errors, pages = [], []

    def open_(name, most=standalone.MOST):
        file = tmp_path / "puzzle.html"
        file.write_text(standalone.page(load(name), most=most), encoding="utf-8")
        page = browser.new_page(viewport={"width": 800, "height": 800}, reduced_motion="reduce")
        pages.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(file.as_uri())
        until(page, "document.querySelector('puzzle-space').at")
        return page

    yield open_
    for page in pages:
        page.close()
    assert errors == []


SPACE = "document.querySelector('puzzle-space')"

TABLE = """async (space) => {
  const model = space.model, found = {};
  const queue = [model.about.start];
  for (const id of queue) {
    if (id in found) continue;
    const at = await model.at(id);
    found[id] = [at.distance, at.goal, at.moves.map((move) => [move.to, move.name]).sort()];
    queue.push(...at.moves.map((move) => move.to));
  }
  return found;
}"""


@pytest.mark.parametrize("name", ["no-off-a", "star13", "flip3", "hanoi:3,3", "wolf", "tol"])
def test_every_position_of_a_file_has_the_moves_names_and_distance_of_the_library(opened, name):
    puzzle = load(name)
    model = puzzle.model()
    found = opened(name).locator("puzzle-space").evaluate(TABLE)
    assert len(found) == len({*plain_positions(model, puzzle.start)})
    distances = plain_distances(model, puzzle)
    for number, (word, (distance, solved, moves)) in enumerate(sorted(found.items())):
        position = puzzle.read(word)
        assert (distance, solved) == (distances.get(position), model.is_goal(position))
        if number % 23 == 0 and position != puzzle.start:
            expected = [[move["to"], move["name"]] for move in wire.at(puzzle, model, position)["moves"]]
            assert moves == sorted(expected)


CELLS = """rule: glide
count: step
start: R . . . o / . . . . . / . o . . .
goal: * * * * * / * * * R * / * * * * *
"""


BOXES = """rule: push
count: {count}
pull: {pull}
start: . @ . . / . $ . . / . . $ .
goal: . . . . / . . . . / . . . $
"""

CRATES = """rule: push
blocks: A B
count: {count}
pull: {pull}
start: . @ . . . / . A . B . / . A A B . / . . . . .
goal: * * * * * / * * * * * / * * A * B / * * A A B
"""

PLAYERS = """rule: push
count: push
start: @ . . @ / . $ . . / . . $ .
goal: * * * * / * * * * / $ * * $
"""

PASSING = """rule: glide
count: piece
passing: yes
start: R . . . o / . . . . . / . o . . B
goal: * * * * * / * * * R * / * * * * *
"""

FILES = {
    "cells": CELLS,
    "passing": PASSING,
    "players": PLAYERS,
    "crates": CRATES.format(count="push", pull="yes"),
    "crates run": CRATES.format(count="run", pull="no"),
    "pushes": BOXES.format(count="push", pull="no"),
    "pulls": BOXES.format(count="push", pull="yes"),
    "runs": BOXES.format(count="run", pull="no"),
    "player": BOXES.format(count="move", pull="no"),
}


@pytest.mark.parametrize("name", ["tilt16", "tilt3", *FILES])
def test_tilts_cells_travelled_and_walks_are_those_of_the_library(opened, tmp_path, name):
    if name in FILES:
        file = tmp_path / f"{name}.pzl"
        file.write_text(FILES[name], encoding="utf-8")
        name = str(file)
    puzzle = load(name)
    model = puzzle.model()
    table = TABLE.replace("[move.to, move.name]", "[move.to, move.name, move.cost, move.best]")
    found = opened(name).locator("puzzle-space").evaluate(table)
    assert len(found) == len(plain_positions(model, puzzle.start))
    for word, (distance, solved, moves) in sorted(found.items())[:: max(61, len(found) // 12)]:
        position = puzzle.read(word)
        told = puzzlespace.distance(puzzle, position, cache="off")
        assert (distance, solved) == (told.distance, model.is_goal(position))
        best = {model.settled(after) for _, after in told.next}
        expected = [(move["to"], move["name"], move["cost"], model.settled(puzzle.read(move["to"])) in best)
                    for move in wire.at(puzzle, model, position)["moves"]]  # fmt: skip
        assert list(map(tuple, moves)) == sorted(expected)


def test_a_board_is_tilted_by_an_arrow_key_and_by_a_swipe(opened):
    page = opened("tilt16")
    start, *after = page.evaluate(
        f"[{SPACE}.position, ...['up', 'right'].map((way) => {SPACE}.at.moves.find((move) => move.way === way).to)]"
    )
    page.locator("puzzle-space .cells button").first.focus()
    page.keyboard.press("ArrowUp")
    until(page, f"{SPACE}.position === '{after[0]}'")
    page.keyboard.press("Control+z")
    until(page, f"{SPACE}.position === '{start}'")
    cell = page.locator('puzzle-space [aria-label$=": empty"]').first.bounding_box()
    x, y = cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + cell["width"], y, steps=4)
    page.mouse.up()
    until(page, f"{SPACE}.position === '{after[1]}'")


PEGS = "rule: jump\ncount: step\nstart: . . . / . o . / . o .\ngoal: . o . / . . . / . . .\n"


def test_pegs_are_walked_by_arrow_keys_and_jump_when_one_is_chosen(opened, tmp_path):
    file = tmp_path / "pegs.pzl"
    file.write_text(PEGS)
    page = opened(str(file))
    start = page.evaluate(f"{SPACE}.position")
    page.locator('puzzle-space [aria-label^="b3:"]').focus()
    page.keyboard.press("ArrowUp")
    focused = f"{SPACE}.shadowRoot.activeElement.getAttribute('aria-label')"
    assert page.evaluate(f"[{SPACE}.position, {focused}.slice(0, 2)]") == [start, "b2"]
    page.locator('puzzle-space [aria-label^="b3:"]').click()
    until(page, f"{SPACE}.position !== '{start}'")


@pytest.mark.parametrize(("name", "count"), [("klotski", 1), ("microban1", 2), (PEGS, 1), ("wolf", 0), ("flip3", 0)])
def test_the_places_of_a_goal_are_marked_on_the_board(opened, tmp_path, name, count):
    if name == PEGS:
        name = str(tmp_path / "pegs.pzl")
        Path(name).write_text(PEGS)
    page = opened(name, most=1)
    for group in ("ghosts", "wanted"):
        assert page.locator(f"puzzle-space .board .{group} > *").count() == count


def plain_positions(model, start):
    seen, queue = {start}, [start]
    for position in queue:
        fresh = [child for child in model.moves(position) if child not in seen]
        seen.update(fresh)
        queue += fresh
    return seen


def plain_distances(model, puzzle):
    """Distances by the plain engine, layer by layer from the goals that can be reached."""
    goals = tuple(position for position in plain_positions(model, puzzle.start) if model.is_goal(position))
    backward = model if model.reversible else model.backward
    every = model.goals[0].__class__((-1,) * model.cells)
    return dict(plain.ENGINE.depths(Depths(backward, goals, 0, (every,)), Watch()).collected)


def test_a_solution_is_played_to_the_end_and_said(opened):
    page = opened("flip3")
    page.evaluate(f"{SPACE}.speed = 1")
    page.evaluate(f"{SPACE}.solve()")
    until(page, f"{SPACE}.at.goal")
    status = page.locator("puzzle-space .status").inner_text()
    assert status == f"Solved! {solve('flip3').moves} moves, the shortest possible, with help"


PLAY = """async (space) => {
  const told = [];
  for (const id of (await space.model.path(space.position)).slice(1)) {
    const move = space.at.moves.find((each) => each.to === id);
    await space.step();
    told.push([id, move.name, space.at.words]);
  }
  return told;
}"""


def test_moves_and_pieces_of_a_solution_are_named_as_the_library_names_them(opened):
    page = opened("dads")
    told = page.locator("puzzle-space").evaluate(PLAY)
    puzzle = load("dads")
    model = puzzle.model()
    path = [puzzle.start, *(puzzle.read(word) for word, _, _ in told)]
    frames = puzzle.frames(path, model)[1:]
    assert [[frame.name, list(frame.words)] for frame in frames] == [[name, words] for _, name, words in told]
    assert any(frame.words != puzzle.view.decode(frame.position) for frame in frames)


def test_a_block_is_dragged_and_taken_back(opened):
    page = opened("dads")
    start = page.evaluate(f"{SPACE}.position")
    cell = page.locator('puzzle-space [aria-label$=": E"]').bounding_box()
    x, y = cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + cell["width"], y, steps=4)
    page.mouse.up()
    until(page, f"{SPACE}.position !== '{start}'")
    assert page.locator("puzzle-space .status").inner_text().startswith("1 move ")
    page.keyboard.press("Control+z")
    until(page, f"{SPACE}.position === '{start}'")


def test_undo_redo_and_start_again_keep_count_of_the_moves(opened):
    page = opened("flip3")

    def status():
        return page.evaluate(f"{SPACE}.ready.then(() => {SPACE}.shadowRoot.querySelector('.status').textContent)")

    def pressed(tool):
        page.locator(f"puzzle-space [data-do={tool}]").click()
        return status()

    start = page.evaluate(f"{SPACE}.position")
    best = solve("flip3").moves
    page.evaluate(f"{SPACE}.step().then(() => {SPACE}.step())")
    second = page.evaluate(f"{SPACE}.position")
    assert status().startswith(f"2 moves of at least {best} · {best - 2} to the goal")
    assert pressed("undo").startswith("1 move of")
    assert pressed("undo").startswith("0 moves of")
    assert page.evaluate(f"{SPACE}.position") == start
    assert page.locator("puzzle-space [data-do=undo]").get_attribute("aria-disabled") == "true"
    pressed("redo")
    assert pressed("redo").startswith("2 moves of")
    assert page.evaluate(f"{SPACE}.position") == second
    assert pressed("reset").startswith("0 moves of")
    assert page.evaluate(f"{SPACE}.position") == start
    assert pressed("undo").startswith("2 moves of")
    page.evaluate(f"{SPACE}.position = {SPACE}.at.moves[0].to")
    assert status().startswith("0 moves")


def test_a_listed_move_is_hinted_and_made_and_the_slider_sets_the_speed(opened):
    left = solve("flip3").moves - 1
    page = opened("flip3")
    page.locator("puzzle-space [data-do=hint]").click()
    best = page.locator("puzzle-space .listed .best")
    name = best.text_content()
    assert page.locator("puzzle-space .status").inner_text().endswith(f"Hint: {name}, then {left} to the goal")
    assert page.locator("puzzle-space .over .hint").count() > 0
    best.click()
    until(page, f"{SPACE}.at.distance === {left}")
    page.locator("puzzle-space [data-do=solve]").click()
    page.locator("puzzle-space [name=speed]").press("End")
    assert page.evaluate(f"{SPACE}.speed") == 100
    page.locator("puzzle-space [name=speed]").press("Home")
    assert page.evaluate(f"{SPACE}.speed") == 1500


@pytest.mark.parametrize("most", [standalone.MOST, 0])
def test_a_file_whose_start_is_solved_opens_with_a_game_and_deals_others(opened, tmp_path, most):
    file = tmp_path / "solved.pzl"
    text = f"title: {'W' * 300}\nnote: Bring <all> home.\nrule: slide\n"
    file.write_text(f"{text}start: 1 2 3 / 4 5 .\ngoal: 1 2 3 / 4 5 .\n")
    page = opened(str(file), most=most)
    assert not page.evaluate(f"{SPACE}.at.goal")
    before = page.evaluate(f"{SPACE}.position")
    page.locator("puzzle-space [data-level=hard]").click()
    until(page, f"!{SPACE}.at.goal && {SPACE}.position !== '{before}'")
    assert page.locator("puzzle-space .status").inner_text().startswith("0 moves")
    assert page.get_by_text("Bring <all> home.").is_visible()
    walks = ", ".join(map(str, (WALKS["easy"], WALKS["medium"]))) + f" or {WALKS['hard']} random moves"
    assert (walks in page.locator("puzzle-space .deal").inner_text()) == (most == 0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 800


def test_a_file_runs_no_script_but_its_own(opened):
    page = opened("flip3")
    page.evaluate("""() => {
      document.addEventListener("securitypolicyviolation", (event) => { window.refused = event.violatedDirective; });
      document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = 1" }));
    }""")
    until(page, "window.refused")
    assert page.evaluate("[window.ran, window.refused]") == [None, "script-src-elem"]


def test_keys_alone_make_a_move_and_it_is_announced(opened):
    page = opened("no-off-a")
    move, wide = page.evaluate(f"[{SPACE}.at.moves[0], {SPACE}.about.board.rows[0].length]")
    keys = {1: "ArrowRight", -1: "ArrowLeft", wide: "ArrowDown", -wide: "ArrowUp"}
    page.locator("puzzle-space .cells button").first.focus()
    page.keyboard.press(keys[move["target"] - move["piece"]])
    until(page, f"{SPACE}.position === '{move['to']}'")
    until(page, f"{SPACE}.shadowRoot.querySelector('.status').textContent.startsWith('1 move')")


def test_a_puzzle_too_large_for_a_table_keeps_a_solution(opened):
    page = opened("hexagram", most=100)
    assert "30 to the goal" in page.locator("puzzle-space .status").inner_text()
    page.evaluate(f"{SPACE}.step()")
    until(page, f"{SPACE}.at.distance === 29")


def test_a_position_that_the_start_does_not_reach_is_not_called_lost(opened, tmp_path):
    file = tmp_path / "two.pzl"
    file.write_text("rule: slide\nstart: 1 2 3 / 4 . 5\ngoal: 1 2 3 / 4 5 .\ngoal 2: 2 1 3 / 4 5 .\n")
    puzzle = load(str(file))
    ids = [puzzle.id(puzzle.read(text)) for text in ("1 2 3 / 4 . 5", "2 1 3 / 4 . 5")]
    page = opened(str(file))
    states = [page.evaluate(f"{SPACE}.model.at('{word}').then((at) => [at.distance, at.state])") for word in ids]
    assert states == [[1, "known"], [None, "unknown"]]


def test_the_script_has_no_import_left_and_text_cannot_end_it():
    puzzle = load("hexagram")
    page = standalone.page(puzzle)
    assert not re.search(r"^(import|export) ", page, flags=re.MULTILINE)
    data = re.search(r'id="puzzle">(.*?)</script>', page, flags=re.DOTALL)
    assert json.loads(data[1])["about"]["name"] == "hexagram"
    assert "<" not in data[1]


def test_the_command_writes_the_file_and_says_where_it_cannot(tmp_path):
    target = tmp_path / "star.html"
    assert CliRunner().invoke(app, ["export", "html", "star13", "-o", str(target)]).exit_code == 0
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")
    refused = CliRunner().invoke(app, ["export", "html", "star13", "-o", str(tmp_path / "none" / "star.html")])
    assert "cannot be written" in str(refused.exception)
