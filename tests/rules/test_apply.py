"""`rule: apply`: cycles, swaps, flips, reversals, what undoes them, and listed moves that do the same."""

import pytest

from puzzlespace.api import questions
from texts import mistake, puzzle

ROW = """
    rule: apply
    count: step
    board:
      a b c
    {more}
    moves:
      m: {move}
    start:
      {start}
"""


def after(move, start="1 2 3", more=""):
    """The position after the one listed move."""
    row = puzzle(ROW.format(move=move, start=start, more=more))
    return row.line(row.rules[0].apply(row.start))


def test_a_cycle_carries_contents_to_the_next_cell():
    assert after("(a b c)") == "3 1 2"


def test_cycles_are_done_from_left_to_right():
    assert after("(a b)(b c)") == "2 3 1"
    assert after("(b c)(a b)") == "3 1 2"


def test_changes_come_after_the_cycles():
    assert after("(a b) ~b", "x o o", "swap: x <-> o") == "o o o"
    assert after("~a ~a", "1 2 3", "swap: 1 -> 2 -> 3 -> 1") == "3 2 3"


def test_flip_and_reverse():
    assert after("reverse a b c") == "3 2 1"
    assert after("flip a b c", "x x o", "swap: x <-> o") == "x o o"
    assert after("flip a", "x x o", "swap: x <-> o") == "o x o"


def names(text):
    return [rule.name for rule in puzzle(text).rules]


def test_each_move_may_be_undone():
    turn = "rule: apply\n{}count: step\nboard:\n  a b c\nmoves:\n  t: (a b c)\nstart:\n  1 2 3"
    assert names(turn.format("")) == ["t", "t'"]
    assert names(turn.format("one-way: yes\n")) == ["t"]


def test_a_move_that_undoes_itself_or_another_is_there_once():
    assert names("rule: apply\nboard:\n  a b c\nmoves:\n  x: (a b)\n  y: (a b)\nstart:\n  1 2 3") == ["x"]
    both = "rule: apply\ncount: step\nboard:\n  a b c\nmoves:\n  l: (c b a)\n  r: (a b c)\nstart:\n  1 2 3"
    assert names(both) == ["l", "r"]


def test_three_symbols_in_a_cycle_are_undone_by_going_on_twice():
    text = "rule: apply\ncount: step\nswap: 1 -> 2 -> 3 -> 1\nboard:\n  a b\nmoves:\n  m: ~a ~b\nstart:\n  1 1"
    turned = puzzle(text)
    assert [rule.name for rule in turned.rules] == ["m", "m'"]
    assert turned.rules[1].apply(turned.rules[0].apply(turned.start)) == turned.start
    assert turned.model().reversible


def test_any_power_of_a_move_counts_one_in_runs():
    text = "rule: apply\ncount: run\nboard:\n  a b c d e\nmoves:\n  t: (a b c d e)\n"
    ring = puzzle(text + "start:\n  1 2 3 4 5\ngoal:\n  4 5 1 2 3")
    assert ring.metrics == ("run", "step")
    assert questions.solve(ring).moves == 1
    assert questions.solve(ring).names == ("t2",)
    assert questions.solve(ring, metric="step").moves == 2


def test_a_goal_may_show_what_only_swaps_make():
    lamp = puzzle("rule: apply\nswap: x <-> o\nboard:\n  a b\nmoves:\n  p: ~a ~b\nstart:\n  x x\ngoal:\n  o o")
    assert questions.solve(lamp).names == ("p",)


def test_every_symbol_of_the_board_is_known():
    lamp = puzzle("rule: apply\nswap: x <-> o\nboard:\n  a b\nmoves:\n  p: ~a\nstart:\n  x q\ngoal: count o = 1")
    assert lamp.view.letters == (("o",), ("q",), ("x",))


HEAD = "rule: apply\nboard:\n  a b c\n"
MISTAKES = {
    HEAD + "moves:\n  m: (a q)\nstart:\n  1 2 3": "test.pzl:5:9: expected the name of a cell, found 'q'",
    HEAD + "moves:\n  m: (a b a)\nstart:\n  1 2 3": "test.pzl:5:11: expected every cell once, found 'a' again",
    HEAD + "moves:\n  m: flip a b\nstart:\n  1 2 3": (
        "test.pzl:5:11: expected swap: to say what ~ and flip do to a symbol, found no swap:"
    ),
    HEAD + "moves:\n  m: (a b)(a b)\nstart:\n  1 2 3": (
        "test.pzl:5:3: expected a move that changes something, found 'm'"
    ),
    HEAD + "swap: p <-> q\nmoves:\n  m: ~a\nstart:\n  1 2 3": (
        "test.pzl:4:7: swap: expected one of the symbols 1 2 3, found 'p'"
    ),
    HEAD + "swap: 1 <-> #\nmoves:\n  m: ~a\nstart:\n  1 2 3": "test.pzl:4:13: swap: expected a symbol, found '#'",
    HEAD + "start:\n  1 2 3": "test.pzl:1:7: moves: expected at least one move for rule apply, found none",
    HEAD + "moves:\n  m: (a b c)\nstart:\n  1 2 3": (
        "test.pzl:1:7: count: must say what one move is: step or run (they differ for this puzzle)"
    ),
    HEAD + "moves:\n  m: (a b)\nstart:\n  1 2 3\ngoal:\n  1 1 2": (
        "test.pzl:9:3: expected '1' as often in the goal as in the start, "
        "found it 1 times in the start and 2 times in the goal"
    ),
    HEAD + "moves:\n  m: (a b)\nstart:\n  1 2 3\ngoal:\n  1 2 4": (
        "test.pzl:9:7: expected one of the symbols 1 2 3, found '4'"
    ),
    HEAD + "fixed: 1\nmoves:\n  m: (a b)\nstart:\n  1 2 3": "test.pzl:4:8: fixed: has no meaning for rule apply",
    HEAD
    + "moves:\n  m: (a b)\ngoal: start": "test.pzl:1:7: start: expected a drawing of the start or the goal, found none",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_say_where_and_what(text):
    assert mistake(text) == MISTAKES[text]
