"""Standard sets as they are published: converted without running code, and the samples are solved as published."""

import csv
import pickle

import numpy as np
import pytest

from places import ROOT
from puzzlespace import load, solve, with_start
from puzzlespace.api.loader import from_text

DATA = ROOT / "tests" / "data"


@pytest.fixture(scope="module")
def published():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        import published

        yield published


@pytest.fixture(scope="module")
def sets():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        import sets

        yield sets


def rows(name):
    return list(csv.DictReader((DATA / name).read_text().splitlines()))


class State:
    """A state as a learner keeps it."""

    def __init__(self, tiles):
        self.tiles = tiles
        self.hash = None


class Trap:
    """What would touch a file if its code ran."""

    def __init__(self, file):
        self.file = file

    def __reduce__(self):
        return (open, (str(self.file), "w"))


@pytest.mark.parametrize("kind", [np.uint8, np.int64])
def test_states_are_read_from_a_pickle(published, kind):
    tiles = [*range(15, -1, -1)]
    kept = published.unpickled(pickle.dumps({"states": [State(np.array(tiles, kind))], "solutions": [["L"]]}))
    assert published.numbers(kept["states"][0]) == tiles
    assert kept["solutions"] == [["L"]]


def test_no_code_of_a_pickle_runs(published, tmp_path):
    found = published.unpickled(pickle.dumps([Trap(tmp_path / "touched"), 7]))
    assert found[1] == 7
    assert not (tmp_path / "touched").exists()


def test_learned_fifteen_puzzles_have_the_published_lengths(sets):
    kept = rows("learned15.csv")
    assert len(kept) == 20
    for row in sorted(kept, key=lambda row: int(row["optimal_length"]))[:5]:
        assert solve("slide:4x4", start=sets.tiles(row)).moves == int(row["optimal_length"])


def test_lamps_are_put_out_as_the_plain_algebra_says(sets):
    puzzle = load("lights:7x7")
    for row in rows("lights7.csv")[:4]:
        start = with_start(puzzle, sets.lamps(row))
        answer = solve(start)
        lit = np.array([*map(int, row["lamps"])]).reshape(7, 7)
        for name in answer.names:
            column, line = ord(name[0]) - ord("a"), int(name[1:]) - 1
            for x, y in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
                if 0 <= line + y < 7 and 0 <= column + x < 7:
                    lit[line + y, column + x] ^= 1
        assert not lit.any()
        assert answer.moves == len(answer.names) < 30


def test_cubes_of_the_competition_have_the_published_lengths(sets):
    kept = rows("ipc_rubik.csv")
    assert [int(row["quarter_turns"]) for row in kept] == [*range(1, 21)]
    for row in kept[:9]:
        assert solve("cube:3", start=sets.cube(row), metric="step").moves == int(row["quarter_turns"])


TASK = """(define (problem p) (:init
    (cube1 red white blue) (cube2 orange white blue) (cube3 red yellow blue) (cube4 orange yellow blue)
    (cube5 red white green) (cube6 orange white green) (cube7 red yellow green) (cube8 orange yellow green)
    (edge12 white blue) (edge24 orange blue) (edge34 yellow blue) (edge13 red blue)
    (edge15 red white) (edge26 orange white) (edge48 orange yellow) (edge37 red yellow)
    (edge56 white green) (edge68 orange green) (edge78 yellow green) (edge57 red green)
) (:goal (and)))"""


def test_a_solved_cube_of_a_task_is_solved(published):
    assert published.facelets(TASK) == "".join(9 * face for face in "URFDLB")


TURN = """cube5 red white green > cube7 white red green
cube7 red yellow green > cube8 yellow red green
cube8 orange yellow green > cube6 yellow orange green
cube6 orange white green > cube5 white orange green
edge57 red green > edge78 red green
edge78 yellow green > edge68 yellow green
edge68 orange green > edge56 orange green
edge56 white green > edge57 white green"""
"""What the action R of the domain does: it turns the green face."""


def test_one_turn_of_a_task_is_one_quarter_turn(published):
    turned = TASK
    for before, after in (line.split(" > ") for line in TURN.splitlines()):
        turned = turned.replace(f"({before})", f"<{after})")
    answer = solve("cube:3", start=published.facelets(turned.replace("<", "(")), metric="step")
    assert (answer.moves, answer.names[0][0]) == (1, "B")


ROOM = """(define (problem r) (:objects cell-1-1 cell-1-2 cell-1-3 cell-2-1 cell-2-2 cell-2-3 cell-3-1 cell-3-2
  cell-3-3 - cell)
(:init (BLOCKED cell-2-1 east) (BLOCKED cell-3-1 west) (BLOCKED cell-1-2 south) (BLOCKED cell-1-3 north)
  (at robot-1 cell-1-1) (at robot-2 cell-3-3) (free cell-2-2))
(:goal (and (at robot-2 cell-2-1) (nothing-is-moving))))"""


def test_a_board_of_robots_becomes_a_puzzle(published):
    text = published.ricochet(ROOM, "A room")
    assert text.split("ground:\n")[1].split("start:")[0] == (
        "  +-+-+-+\n  |. .|.|\n  + + + +\n  |. . .|\n  +-+ + +\n  |. . .|\n  +-+-+-+\n"
    )
    assert text.split("start:\n")[1] == "  a . .\n  . . .\n  . . b\ngoal:\n  * b *\n  * * *\n  * * *"
    puzzle = from_text(text, "room.pzl")
    found = [solve(puzzle, engine=engine) for engine in ("plain", "gliders")]
    assert found[0].moves == found[1].moves
