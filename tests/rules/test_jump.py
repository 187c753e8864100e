"""`rule: jump`: lines, kinds of pegs, goals by count, chains."""

import pytest

from puzzlespace.api import questions
from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError
from puzzlespace.model.goal import Goal
from puzzlespace.model.rule import only
from texts import mistake, puzzle


def test_a_jump_removes_the_peg_in_between():
    row = puzzle("rule: jump\nstart:\n  o o . .")
    rule = row.rules[0]
    assert (rule.name, rule.cells, rule.need) == ("a1-c1", (0, 1, 2), (only(1), only(1), only(0)))
    assert rule.apply(bytes([1, 1, 0, 0])) == bytes([0, 0, 1, 0])
    assert (rule.motion.origin, rule.motion.target) == (0, 2)


def test_any_peg_jumps_any_peg():
    row = puzzle("rule: jump\nstart:\n  A B .\ngoal:\n  . . A")
    assert questions.solve(row).moves == 1
    assert row.rules[0].apply(row.start) == bytes([0, 0, 1])
    assert row.model().backward is None


def test_one_kind_of_peg_can_be_put_back():
    assert puzzle("rule: jump\nstart:\n  o o .").model().backward is not None


def test_any_one_peg():
    assert puzzle("rule: jump\nstart:\n  o o .\ngoal: any one peg").goals == (Goal((-1,) * 3, ((1, 1),)),)
    several = puzzle("rule: jump\nfixed: X\nstart:\n  A B . X\ngoal: any one peg")
    assert several.goals == (Goal((-1,) * 4, ((0, 2),)),)
    assert questions.solve(several).moves == 1


def test_a_count_as_the_goal():
    assert puzzle("rule: jump\nstart:\n  o o .\ngoal: count o = 1").goals[0].counts == ((1, 1),)


def test_chains_count_one_where_the_same_peg_goes_on():
    text = "rule: jump\ncount: {}\nstart:\n  o o . o .\ngoal: any one peg"
    assert [questions.solve(puzzle(text.format(count))).moves for count in ("chain", "step")] == [1, 2]
    assert questions.solve(puzzle(text.format("chain"))).names == ("a1-c1-e1",)


def test_a_closed_line_of_two_makes_no_jump():
    ring = puzzle("rule: jump\nboard:\n  a b c\nlines: a-b-a b-c\nstart:\n  o o .\ngoal: any one peg")
    assert ring.rules == ()


@pytest.mark.parametrize(
    ("diagonals", "jumps"), [("no", 20), ("yes", 32)], ids=["rows and columns", "diagonals as well"]
)
def test_the_star_has_the_jumps_of_the_article(diagonals, jumps):
    star = f"rule: jump\ncount: step\ndiagonals: {diagonals}\nboard: star13\nstart:\n"
    star += "  # # o # #\n  # o o o #\n  o o . o o\n  # o o o #\n  # # o # #\n"
    assert len(puzzle(star).rules) == jumps


def test_where_the_star_has_only_rows_and_columns_no_start_is_solvable():
    star = "rule: jump\ncount: step\nstart:\n  # # o # #\n  # o o o #\n  o o . o o\n  # o o o #\n  # # o # #\n"
    assert questions.solve(puzzle(star + "goal: any one peg\n")).status.value == "impossible"


MISTAKES = {
    "rule: jump\nstart:\n  o o .\ngoal:\n  . . Q": "test.pzl:5:7: expected one of the symbols . o, found 'Q'",
    "rule: jump\nstart:\n  o o . o .": (
        "test.pzl:1:7: count: must say what one move is: step or chain (they differ for this puzzle)"
    ),
    "rule: jump\ncount: run\nstart:\n  o o .": (
        "test.pzl:2:8: count: expected one of step, chain for rule jump, found 'run'"
    ),
    "rule: jump\nfixed: o\nstart:\n  o o .": "test.pzl:2:8: fixed: expected some peg that may move, found none",
    "rule: jump\nfixed: Q\nstart:\n  o o .": "test.pzl:2:8: fixed: expected one of the symbols . o, found 'Q'",
    "rule: jump\nblocks: all\nstart:\n  o o .": "test.pzl:2:9: blocks: has no meaning for rule jump",
    "rule: jump\none-way: yes\nstart:\n  o o .": "test.pzl:2:10: one-way: has no meaning for rule jump",
    "rule: jump\nstart:\n  o o .\ngoal: count o = 9": "test.pzl:4:13: goal: expected a count up to 3, found 9",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_say_where_and_what(text):
    assert mistake(text) == MISTAKES[text]


def test_pegs_that_are_all_fixed_are_refused_without_a_drawn_peg_too():
    with pytest.raises(FormatError, match="fixed: expected some peg that may move"):
        from_text("rule: jump\ncount: step\nfixed: o\nstart: . . .\n", "x.pzl")
