"""Distances that the page keeps: every position it is asked about, those that the start does not reach too."""

import base64
import zlib
from dataclasses import dataclass

import numpy as np
import pytest

from puzzlespace.api import questions
from puzzlespace.api.loader import from_text
from puzzlespace.web import measured, standalone, tasks
from puzzlespace.web.bounds import Bounds
from puzzlespace.web.questions import WorkerState

TWO_PARTS = "rule: slide\nstart: 1 2 3 / 4 . 5\ngoal: 1 2 3 / 4 5 .\ngoal 2: 2 1 3 / 4 5 .\n"

ODD_START = "rule: slide\nstart: 1 2 3 / 4 5 .\ngoal: 2 1 3 / 4 5 .\n"

JUMPS = "rule: jump\ncount: step\nstart: o o . . . .\ngoal: . . o . . .\n"

ONE_WAY = """rule: apply
count: step
board:
  a b c
moves:
  go: (a b) ~b
  on: (b c)
one-way: yes
swap: r -> g -> b -> r
"""

NO_START = [
    "rule: slide\ndistinct: all\ngoal:\n  1 2 3\n  4 . 5\ngoal 2:\n  * 2 1\n  * * *\n",
    "rule: slide\ncount: run\nboard: grid 4x2\ngoal: 1 2 3 . / 4 . 5 .\ngoal 2: . 3 1 . / 4 5 . 2\n",
    f"{ONE_WAY}goal:\n  r g b\n",
    f"{ONE_WAY}goal:\n  r r *\ngoal 2:\n  r g b\n",
    "rule: jump\nboard: grid 4x2\ncount: step\ngoal: . . . . / . o . .\n",
]


@dataclass
class Page:
    """What a visitor asks about one puzzle."""

    state: WorkerState
    text: str

    def ask(self, task, position=""):
        return tasks.TASKS[task](self.state, {"text": self.text, "position": position}, lambda *said: None)


@pytest.fixture
def page(tmp_path):
    (tmp_path / "tables").mkdir()
    state = WorkerState(Bounds(), tmp_path / "tables", tmp_path / "scratch")
    return lambda text: Page(state, text)


@pytest.mark.parametrize("first", [measured.FIRST, 0], ids=["graph", "table"])
@pytest.mark.parametrize(
    ("text", "position"),
    [(TWO_PARTS, "2 1 3 / 4 . 5"), (ODD_START, "2 1 3 / 4 . 5"), (JUMPS, "o . o o . ."), (JUMPS, "o . . . . ."),
     (TWO_PARTS, "1 2 3 / . 4 5"), (ODD_START, "1 2 3 / 4 . 5")],
)  # fmt: skip
def test_positions_that_the_start_does_not_reach_have_their_own_distance(monkeypatch, page, text, position, first):
    monkeypatch.setattr(measured, "FIRST", first)
    asked = page(text)
    asked.ask("measure")
    known = questions.distance(from_text(text, "puzzle.pzl"), position).distance
    told = asked.ask("search", position)
    assert told["distance"] == known
    assert told["state"] == ("lost" if known is None else "known")
    assert asked.ask("at", position)["distance"] in (known, None)
    assert asked.ask("at", position)["state"] in (told["state"], "unknown")
    path = asked.ask("path", position)["path"]
    assert len(path) == (0 if known is None else known + 1)
    for move in told["moves"]:
        after = questions.distance(from_text(text, "puzzle.pzl"), move["to"]).distance
        assert move["distance"] == after or move["state"] == "unknown"
        assert (move["state"] == "lost") <= (after is None)


BOXES = "rule: push\ncount: push\nstart: @ . . . / . $ . . / . . . .\ngoal: . . . . / . . . . / . . . $\n"

PRICED = """rule: change
count: cost
moves:
  walk: a . -> . a  right  cost 2
  leap: a . . -> . . a  right  cost 3
start: a . . . .
goal: . . . . a
"""


@pytest.mark.parametrize("text", [BOXES, BOXES.replace("push\nstart", "move\nstart"), PRICED, TWO_PARTS])
def test_the_best_moves_are_those_of_the_library_before_and_after_a_count(page, text):
    asked, puzzle = page(text), from_text(text, "puzzle.pzl")
    model, known = puzzle.model(), questions.distance(from_text(text, "puzzle.pzl"), puzzle.start)
    best = {puzzle.id(model.settled(puzzle.read(str(child)))) for _, child in known.next}
    for task in ("search", "measure", "at", "search"):
        told = asked.ask(task)
        if task != "measure":
            assert (told["distance"], told["state"]) == (known.distance, "known")
            assert {move["to"] for move in told["moves"] if move["best"]} == best


def kept_depths(text):
    """The depths of the table in a file, sorted."""
    table = standalone.puzzle_data(from_text(text, "puzzle.pzl"))["table"]
    low, high = np.frombuffer(zlib.decompress(base64.b64decode(table["depths"])), "u1").reshape(2, -1).astype(int)
    return sorted((low + 256 * high).tolist())


def test_a_file_tells_positions_that_no_goal_is_reached_from_those_that_it_does_not_hold():
    assert kept_depths(JUMPS) == [0, 1]
    lost = JUMPS.replace(". . o . . .", ". . . o . .").replace("start: o o . . . .", "start: o o . . o o")
    assert set(kept_depths(lost)) == {standalone.LOST}


@pytest.mark.parametrize("text", NO_START)
def test_puzzles_without_a_start_are_counted_to_all_their_goals(page, text):
    puzzle = from_text(text, "puzzle.pzl")
    expected = questions.depths(puzzle, engine="plain")
    found = page(text).ask("measure")["table"]
    assert (found["origin"], tuple(found["counts"])) == (expected.origin, expected.counts)
