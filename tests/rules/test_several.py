"""Files with several rules."""

import warnings

import pytest

from puzzlespace.api import questions
from puzzlespace.errors import FormatError, PuzzleWarning
from puzzlespace.formats import pzl
from puzzlespace.model.domain import within
from texts import puzzle

TURN = """
title: Slide and turn
count: step
rule: slide
fixed: X
rule: change
moves: turn: A B / C D -> C A / D B  right
start:
  A B E
  C D .
  X . .
goal:
  * * *
  A B *
  * * *
"""


def loaded(text):
    with warnings.catch_warnings(action="ignore", category=PuzzleWarning):
        return puzzle(text)


def mistake(text):
    with pytest.raises(FormatError) as caught:
        loaded(text)
    return str(caught.value).split("\n")[0]


def names(text):
    return [frame.name for frame in questions.solve(loaded(text)).frames[1:]]


def test_the_moves_are_those_of_all_rules_and_have_their_names():
    found = loaded(TURN)
    model = found.model()
    made = {found.frames((model.start, child), model)[1].name for child in model.moves(model.start)}
    assert made == {"turn a1-b2", "c1-c2", "b2-c2", "b2-b3"}
    assert found.kind.name == "several"
    assert found.metrics == ("step",)


def test_what_the_parts_say_is_told():
    lines = loaded(TURN).kind.words(loaded(TURN))
    assert lines is not None
    text = "\n".join(lines)
    assert "a piece slides up, down, left or right into blanks" in text
    assert "turn: A B / C D -> C A / D B  right" in text
    assert "Never moves: X." in text


def test_a_file_is_written_with_the_keys_of_each_rule_below_it():
    draft = loaded(TURN).draft
    text = pzl.print_draft(draft)
    assert pzl.parse(text) == draft
    assert text.index("rule: slide") < text.index("fixed: X") < text.index("rule: change") < text.index("moves:")
    assert text.index("moves:") < text.index("start:")


def test_a_player_opens_a_door_and_pushes_on():
    text = "rule: push\nrule: change\nmoves: open: @ k, D -> @ ., .\nstart: . @ $ D .\ngoal: . . . . $"
    assert names(text.replace("@ k, D -> @ ., .", "@ $ D -> @ $ .  row")) == ["open b1-d1", "c1-d1", "d1-e1"]


def test_symbols_that_one_rule_makes_are_moved_by_the_others():
    text = "rule: change\nmoves: dye: A -> B  if a1 = A\nrule: slide\nstart: A . .\ngoal: . . B"
    assert names(text) == ["dye a1", "a1-b1", "b1-c1"]
    lamps = "rule: apply\nmoves: on: ~a1\nswap: o -> lit -> o\none-way: yes\nrule: slide\nstart: o .\ngoal: . lit"
    assert names(lamps) == ["on", "a1-b1"]


def test_what_is_forbidden_and_what_happens_by_itself_is_about_all_rules():
    text = "rule: slide\nrule: change\nmoves: hop: A . . -> . . A  right\n{}start: A . . . B\ngoal: some A on d1"
    assert len(names(text.format(""))) == 2
    assert names(text.format("forbid: some A on b1\n")) == ["hop a1-c1", "c1-d1"]
    assert names(text.format("after: A . -> . A  right\n")) == []  # it falls before the first move
    falls = "rule: slide\nrule: change\nmoves: up: . / A -> A / .  right\nafter: A . -> . A  right  once\n"
    assert names(falls + "start: A . . .\ngoal: some A on c1") == ["a1-b1"]


@pytest.mark.parametrize(
    ("rule", "more", "moves"),
    [
        ("slide", "", ["b1-c1"]),
        ("jump", "", []),
        ("glide", "edge: lost\n", ["b1-b1", "b1-d1"]),
        ("apply", "moves:\n  one: (a1 b1)\n  two: (b1 c1)\n  three: (a1 c1 b1)\none-way: yes\n", ["two"]),
        ("apply", "moves: all: ~a1 ~b1\nswap: 1 -> 3 -> 2 -> 1\n", ["all'"]),
    ],
)
def test_no_rule_puts_a_number_out_of_its_range(rule, more, moves):
    text = f"rule: {rule}\n{more}rule: change\nmoves: up: a1 -> + 1\nnumbers: a1 0-2\nstart: 1 3 . .\ngoal: a1 = {{}}"
    found = loaded(text.format(3))
    assert [each.code for each in found.diagnostics] == ["idle-goal"]
    model = found.model()
    assert sorted(model.rules[way].name for way, _ in model.steps(found.start)) == sorted([*moves, "up"])
    assert within(model.rules, model.domain, model.symbols) == model.rules


def test_costs_of_one_rule_are_counted_beside_moves_that_count_one():
    text = (
        "rule: slide\nrule: change\ncount: cost\nmoves: hop: A . . -> . . A  right  cost {}\nstart: A . .\ngoal: . . A"
    )
    assert names(text.format(3)) == ["a1-b1", "b1-c1"]
    assert loaded(text.format(1)).metrics == ("cost", "step")
    assert names(text.format(1)) == ["hop a1-c1"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rule: slide\nrule: slide\nstart: A .",
         "2:7: expected another rule, or other keys below it, found slide again"),
        ("rule: slide\nrule: change\nstart: A .", "2:7: moves: expected at least one move for rule change, found none"),
        ("rule: slide\nblocks: A\nrule: change\nmoves: A -> B\nstart: A A .",
         "2:9: blocks: expected pieces of one cell beside other rules, found larger"),
        ("rule: slide\nrule: change\ncount: piece\nmoves: A -> B\nstart: A .",
         "3:8: count: expected step or cost for several rules, found 'piece'"),
        ("rule: slide\nrule: change\ndistinct: A\nmoves: A -> B\nstart: A .",
         "3:11: distinct: has no meaning beside other rules: all letters differ"),
        ("rule: glide\ntilt: yes\nrule: change\nmoves: A -> B\nstart: A .",
         "2:7: tilt: has no meaning beside other rules"),
        ("rule: slide\nmoves: a: (a1 b1)\nrule: jump\nstart: A .", "2:8: moves: has no meaning for rule slide"),
        ("rule: slide\nrule: jump\nafter: A . -> . A  right\nstart: A . .",
         "3:8: after: has no meaning for rule slide"),
        ("rule: slide\nrule: change\nmoves: A -> B\ngoal: . A",
         "1:7: start: expected a drawing of the start for several rules, found none"),
        ("rule: stack\nrule: change\nmoves: A -> B\nstart: A .",
         "1:7: rule: expected a rule that can stand beside others, found stack"),
        ("rule: slide\nfixed: A\nfixed: A\nrule: change\nstart: A .",
         "3:1: expected fixed once, found it again (first in line 2)"),
        ("rule: slide\nrule: chnge\nstart: A .",
         "2:7: expected slide, slide along, jump, glide, push, apply, change or stack, found 'chnge'"),
        ("rule: slide\npull: yes\nrule: change\nmoves: A -> B\nstart: A .",
         "2:7: pull: has no meaning for rule slide"),
    ],
)  # fmt: skip
def test_mistakes_are_shown_with_their_place(text, expected):
    assert mistake(text) == f"test.pzl:{expected}"
