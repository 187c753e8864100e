"""Goals that may be turned: all images of a goal, and the shortest way to any of them by the plain engine."""

from random import Random

import pytest

from commands import run, run_json
from puzzlespace import UnsupportedError, depths, distance, load, solve, with_goal, with_start, with_turned_goals
from puzzlespace.api.loader import from_text

GRIDS = [("slide:3x3", True), ("slide:3x2", False), ("lights:3x3", True), ("lights:4x2", False), ("flip:3x3", True)]
"""Puzzles on boards, and whether they are squares."""


def images(words, width, square):
    """The board turned and reflected, as words in reading order."""
    rows = [tuple(words[at : at + width]) for at in range(0, len(words), width)]
    found = [rows, rows[::-1], [row[::-1] for row in rows], [row[::-1] for row in rows[::-1]]]
    if square:
        found += [[*zip(*each, strict=True)] for each in found]
    return {tuple(word for row in each for word in row) for each in found}


@pytest.mark.parametrize(("spec", "square"), GRIDS)
def test_all_images_of_a_goal_on_a_board_are_goals(spec, square):
    puzzle, random = load(spec), Random(spec)
    width = len(puzzle.board.rows[0])
    for _ in range(5):
        goal, start = puzzle.model().anchor, puzzle.model().anchor
        for _ in range(random.randint(1, 20)):
            goal = random.choice([*puzzle.model().moves(goal)])
            start = random.choice([*puzzle.model().moves(start)])
        found = with_start(with_turned_goals(with_goal(puzzle, goal)), start)
        expected = images(goal, width, square)
        assert {tuple(each.position) for each in found.goals} == expected
        lengths = [solve(with_goal(with_start(puzzle, start), bytes(each)), engine="plain").moves for each in expected]
        least = min((length for length in lengths if length is not None), default=None)
        assert solve(found).moves == solve(found, engine="plain").moves == least
        assert distance(found, start).distance == least


def test_triangles_are_turned_by_thirds():
    puzzle = load("peg:triangle15")
    blank, peg = sorted(set(puzzle.start), key=puzzle.start.count)
    lone = [bytes(peg if cell == corner else blank for cell in range(15)) for corner in (0, 10, 14)]
    assert {each.position for each in with_turned_goals(with_goal(puzzle, lone[0])).goals} == set(lone)


def test_open_goals_are_turned_too():
    found = with_turned_goals(with_goal("slide:3x3", "1 2 3 / * * * / * * *"))
    assert len(found.goals) == 8
    assert solve(with_start(found, "1 4 7 / 2 . 5 / 3 6 8")).moves == 0


def test_the_command_and_the_function_agree():
    code, answer = run_json("solve", "slide:2x2", "--start", "2 . / 1 3", "--turned")
    assert (code, answer["moves"], answer["path"]) == (0, 0, ["2 . / 1 3"])
    code, out, _ = run("depths", "slide:3x2", "--turned", "--json", "-q")
    assert code == 0
    assert f"{list(depths(with_turned_goals('slide:3x2')).counts)}" in out


def test_what_is_not_turned_says_why():
    with pytest.raises(UnsupportedError, match="several cells"):
        with_turned_goals("goat")
    with pytest.raises(UnsupportedError, match="no goal"):
        with_turned_goals(from_text("rule: slide\nstart: 1 2 .\n", "a.pzl"))
    assert len(with_turned_goals("cube:2").goals) == 1
    code, _, told = run("depths", "slide:3x2", "--turned", "--save", "never-made", "-q")
    assert code == 30
    assert "--turned" in told
