"""Pushed boxes: known numbers, each option, positions that differ by walking, errors with their place."""

import pytest

import puzzlespace
from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError
from puzzlespace.model.replay import one_move

CORNER = "start:\n  . . .\n  . $ .\n  @ . .\ngoal:\n  $ * *\n  * * *\n  * * *\n"


def push(start, goal="", **keys):
    text = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return from_text(f"rule: push\n{text}start: {start}\n" + (f"goal: {goal}\n" if goal else ""), "p.pzl")


def after(puzzle, metric=""):
    model = puzzle.model(metric)
    return {puzzle.line(position) for position in model.moves(model.start)}


def test_steps_and_pushes():
    puzzle = push(". @ $ . / . # . $")
    assert after(puzzle, "move") == {"@ . $ . / . # . $", ". . @ $ / . # . $"}
    assert after(push("@ $ $ ."), "move") == set()
    assert after(push("@ $ # ."), "move") == set()
    assert after(push("@ $ . ."), "run") == {". @ $ .", ". . @ $"}


def test_walking_is_free_but_in_moves():
    puzzle = from_text("rule: push\n" + CORNER, "p.pzl")
    assert [puzzlespace.solve(puzzle, metric=metric).moves for metric in ("push", "move", "run")] == [2, 5, 2]
    model = puzzle.model()
    assert model.start == model.settled(puzzle.start) != puzzle.start
    assert puzzlespace.depths(puzzle).counts[0] == 1
    assert puzzlespace.depths(puzzle, metric="move").states > puzzlespace.depths(puzzle).states
    answer = puzzlespace.solve(puzzle)
    assert answer.path[0] == puzzle.start
    assert all(one_move(model, a, b) for a, b in zip(answer.path, answer.path[1:], strict=False))
    assert not one_move(model, answer.path[0], answer.path[2])
    assert answer.names == ("b2-a2", "a2-a1") or answer.names == ("b2-b1", "b1-a1")


def test_a_pull_undoes_a_push():
    assert after(push("$ @ . ", pull="yes"), "move") == {"$ . @", ". $ @"}
    puzzle = push(". . $ @", pull="yes", goal="* * * *")
    assert puzzle.model().reversible
    assert not push(". . $ @").model().reversible
    assert puzzlespace.depths(push(". $ @ .", "* * * $", pull="yes")).origin == "goal"


def test_two_players_and_boxes_of_kinds():
    puzzle = push("@ A . / . B @", "* * A / * * *")
    assert puzzlespace.solve(puzzle).moves == 1
    assert puzzlespace.solve(push("@ A . / . B .", "* * B / * * *")).status.name == "IMPOSSIBLE"
    assert {"@", "A", "B"} == set(puzzle.alphabet)


def test_a_box_is_pushed_along_the_lines_of_a_board():
    text = "rule: push\nboard: triangle 3\nstart: @ / $ . / . . .\ngoal: * / * * / $ * *\n"
    assert puzzlespace.solve(from_text(text, "p.pzl")).moves == 1


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("count: step\nstart: @ $ .\n", r"2:8: count: expected push, move or run for rule push, found 'step'"),
        ("start: . $ .\n", r"2:8: start: expected a player '@', found none"),
        ("goal: @ $ .\n", r"start: expected a drawing of the start, found none"),
        ("start: @ $ .\ngoal: * $ @\n", r"3:11: goal: expected boxes, '.' or '\*', found the player"),
        ("start: @ $ .\ngoal: start\n", r"3:7: goal: expected a drawing of the boxes"),
        ("start: @ $ .\ngoal: * $ $\n", r"3:11: goal: expected at most as many \$ as in the start, found more"),
        ("board:\n  a b\nlinks:\n  a: b\nstart: @ .\n", r"5:3: links: expected lines: to push along, found links"),
        ("board:\n  a b c\nlines: a-b-c c-b\nstart: @ $ .\n", r"neighbours on one line, found two"),
        ("edge: lost\nstart: @ $ .\n", r"2:7: edge: has no meaning for rule push"),
        ("pull: perhaps\nstart: @ $ .\n", r"2:7: expected yes or no, found 'perhaps'"),
    ],
)
def test_mistakes(text, error):
    with pytest.raises(FormatError, match=error):
        from_text(f"rule: push\n{text}", "p.pzl")
