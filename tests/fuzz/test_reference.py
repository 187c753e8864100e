"""The second implementation of the format against published numbers; the package is used only to find the files."""

import re
from pathlib import Path

import pytest

from fuzz import reference

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "src" / "puzzlespace" / "catalogue"
LIMIT = 20_000

#: puzzle, metric, (states, depth, hardest, solution, solutions), where depths are measured from; sources: in the files
KNOWN = [
    (CATALOGUE / "dads.pzl", "piece", (1398, 78, None, 59, None), "goal"),
    (CATALOGUE / "dads.pzl", "run", (1398, None, None, 62, None), "goal"),
    (CATALOGUE / "dads.pzl", "step", (1398, 108, None, 83, None), "goal"),
    (CATALOGUE / "flip3.pzl", "", (192, 7, 8, 7, 224), "goal"),
    (CATALOGUE / "hexagram.pzl", "", (12012, 30, 7, 30, 388), "goal"),
    (CATALOGUE / "no-off-a.pzl", "", (540, 56, 3, 44, 1), "goal"),
    (CATALOGUE / "no-off-b.pzl", "", (540, 56, 3, 56, 3), "goal"),
    (CATALOGUE / "ring.pzl", "", (42, 21, 1, 12, None), "goal"),
    (CATALOGUE / "rush60.pzl", "run", (2332, 60, None, 60, None), "goal"),
    (CATALOGUE / "rush60.pzl", "step", (2332, 103, None, 103, None), "goal"),
    (CATALOGUE / "star13.pzl", "chain", (None, None, None, 7, 72), ""),
    (CATALOGUE / "star13.pzl", "step", (None, None, None, 11, None), ""),
    (CATALOGUE / "theta.pzl", "", (840, 29, 1, 29, None), "goal"),
]
EXAMPLES = ["bridge", "conveyor", "crossing", "folding", "signals", "snowflake", "two-rings", "wheel"]


def found(puzzle, metric, origin):
    counts = None
    if origin == "start":
        counts = reference.depths_from(puzzle, [puzzle.start], metric, LIMIT)
    elif origin == "goal":
        counts = reference.depths_to_goal(puzzle, metric, LIMIT)
    about = (sum(counts), len(counts) - 1, counts[-1]) if counts else (None,) * 3
    return *about, *reference.shortest(puzzle, metric, LIMIT)


@pytest.mark.parametrize(("file", "metric", "known", "origin"), KNOWN, ids=lambda value: getattr(value, "stem", None))
def test_numbers_of_the_catalogue(file, metric, known, origin):
    puzzle = reference.read(file.read_text(encoding="utf-8"))
    answer = found(puzzle, metric or puzzle.metric, origin)
    assert tuple(has if want is not None else None for want, has in zip(known, answer, strict=True)) == known


@pytest.mark.parametrize("name", EXAMPLES)
def test_numbers_of_the_examples(name):
    text = (ROOT / "examples" / f"{name}.pzl").read_text(encoding="utf-8")
    known = tuple(map(int, re.findall(r" (\d+)", text[text.index("known:") :].partition(";")[0])))
    puzzle = reference.read(text)
    assert found(puzzle, puzzle.metric, "start") == known


@pytest.mark.parametrize(
    ("text", "metric", "counts"),
    [
        (
            "rule: slide\nboard:\n  a b c d e f g h\nlines:\n  c-h-b-g\n  d-g-b\n  f-g-b\nstart: a 1 c . 1 c 2 3\n"
            "goal: a 3 * * * 2 1 *\n",
            "multi",
            [1, 2, 3],
        ),
        (
            "rule: slide\nboard:\n  a b c d e\nlines:\n  b-c-a-d\n  d-a-c\n  c-a-b-e-d\n  e-a-b-c\n  c-d-e\n"
            "start: b . 3 . .\ngoal: . 3 . . b\n",
            "run",
            [1, 6, 12, 1],
        ),
        # tables of rectangular boards, blank of the goal in the corner
        ("rule: slide\nstart: . 1 / 2 3\n", "multi", [1, 2, 2, 2, 2, 2, 1]),
        # pancakes of three
        ("rule: apply\nmoves:\n  a: reverse a1 b1\n  b: reverse a1 b1 c1\nstart: 1 2 3\n", "step", [1, 2, 2, 1]),
    ],
)
def test_layers_from_the_start(text, metric, counts):
    puzzle = reference.read(text)
    assert reference.depths_from(puzzle, [puzzle.start], metric, LIMIT) == counts


def test_lights():
    cells = [(row, column) for row in range(3) for column in range(3)]
    name = {cell: f"{'abc'[cell[1]]}{cell[0] + 1}" for cell in cells}
    moves = "".join(
        f"  {name[cell]}: "
        + " ".join(f"~{name[other]}" for other in cells if abs(cell[0] - other[0]) + abs(cell[1] - other[1]) < 2)
        + "\n"
        for cell in cells
    )
    puzzle = reference.read(f"rule: apply\nswap: x <-> o\nmoves:\n{moves}goal: o o o / o o o / o o o\n")
    assert reference.depths_to_goal(puzzle, "step", LIMIT) == [1, 9, 36, 84, 126, 126, 84, 36, 9, 1]


def test_components_of_a_two_by_two_board():
    puzzle = reference.read("rule: slide\nstart: 1 2 / 3 .\ngoal: 2 1 / 3 .\n")
    parts = reference.components(puzzle, LIMIT)
    assert (parts.positions, parts.sizes, parts.fixed, parts.solvable) == (24, [(12, 2)], 0, 12)
    assert reference.shortest(puzzle, "step", LIMIT) == (None, 0)
    assert reference.reversible(puzzle, "step")


def test_listed_moves_that_do_or_undo_the_same_are_one_move():
    puzzle = reference.read(
        "rule: apply\nmoves:\n  a: (a1 b1 c1)\n  b: (a1 c1 b1)\n  c: (a1 b1 c1)\nstart: r g b\ngoal: b r g\n"
    )
    assert reference.shortest(puzzle, "step", LIMIT) == (1, 1)
    assert puzzle.moves(puzzle.start, "step") == {puzzle.position("b r g"): 1, puzzle.position("g b r"): 1}


def test_different_listed_moves_to_one_position_are_two_solutions():
    puzzle = reference.read("rule: apply\nmoves:\n  a: (a1 b1)\n  b: (a1 b1)(c1 d1)\nstart: r g x x\ngoal: g r x x\n")
    assert reference.shortest(puzzle, "step", LIMIT) == (1, 2)
