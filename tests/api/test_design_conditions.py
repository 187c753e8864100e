"""Conditions on starts, and goals that only some packings can meet: random files against a direct search."""

import pytest

from every_design import Design
from puzzlespace import FormatError, design, load, solve
from puzzlespace.formats.pzl import print_draft
from puzzlespace.graph.designs import climb

HEAD = "rule: slide\ncount: step\npieces:\n"


def hardest(text, **conditions):
    """The moves and the start of the hardest puzzle, which is solved again."""
    found = design(text, by="all", confirm=True, **conditions).hardest
    return (found.moves, found.start) if found is not None else None


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("method", ["union", "climb"])
def test_hardest_starts_of_random_files_agree_with_a_direct_search(method, symmetric, monkeypatch):
    monkeypatch.setattr(climb, "CLIMBS", 2)
    monkeypatch.setattr(climb, "FAILED", 20)
    checked = several = 0
    for seed in range(120 if method == "union" else 60):
        file = Design(seed)
        if file.broken:
            continue
        found = hardest(file.text, symmetric=symmetric, method=method, components=False)
        starts = file.starts(symmetric)
        best = max(starts.values(), default=0)
        assert (found[0] if found else 0) == best or (method == "climb" and (found[0] if found else 0) < best), seed
        checked += found is not None
        several += len(file.goals) > 1
    assert checked >= (4 if symmetric else 12)
    assert several >= 8


def test_a_goal_with_a_wall_that_the_start_lacks_is_left_out():
    text = HEAD + "  A 1x1: 1\n  wall: 0-1\nwalls: ? . . .\ngoal: * * * A\ngoal 2: X A * *\n"
    assert hardest(text) == (3, "A...")
    for each in design(text, by="pieces").puzzles + design(text, by="group").puzzles:
        assert solve(load(each.draft)).moves == each.moves
        assert ("X" in each.start) == (print_draft(each.draft).count("goal") == 2)


def test_a_goal_with_a_blank_where_the_start_has_a_wall_is_left_out():
    text = HEAD + "  A 1x1: 1\n  wall: 0-1\nwalls: ? . . .\ngoal: * * * A\ngoal 2: . A * *\n"
    assert [(each.moves, each.start) for each in design(text, by="group", confirm=True).puzzles] == [
        (1, "A..."), (2, "XA.."),
    ]  # fmt: skip


def test_symmetric_starts_are_kept_by_a_reflection_or_turn_that_moves_a_cell():
    row = HEAD + "  A 1x1: 1\n  1x1: any\nblanks: 1 or more\ngoal: "
    for goal, start in (("* * A", ".A."), ("* / * / A", "./A/.")):
        assert [each.start for each in design(row + goal, by="group", symmetric=True).puzzles] == [start]


def test_pieces_of_two_rows_may_be_each_others_images():
    text = HEAD + "  A 1x1: 1\n  1x2: 1\n  2x1: 1\ngoal: A * * / * * * / * * *\n"
    assert hardest(text, symmetric=True) == (8, ".BB/C../C.A")
    one = text.replace("  1x2: 1\n  2x1: 1\n", "  1x2 | 2x1: 2\n")
    assert hardest(one, symmetric=True)[0] >= 8


def test_walls_that_always_stand_may_be_images_of_walls_that_may():
    text = HEAD + "  A 1x1: 1\n  wall: 0-1\nwalls: X . . . ?\ngoal: * A * * *\n"
    assert hardest(text, symmetric=True) == (1, "X.A.X")


def test_a_start_may_name_one_of_several_like_pieces():
    text = HEAD + "  A 1x1: 1\n  B 1x1: 2\ngoal: A * / * *\nstart: * B / * *\n"
    assert hardest(text) == (5, ".o/oA")


@pytest.mark.parametrize(
    ("drawing", "place", "words"),
    [
        ("goal: A * .", "7:7", "expected X or * in a cell that walls: makes a wall, found A"),
        ("goal: . * A", "7:7", "expected X or * in a cell that walls: makes a wall, found ."),
        ("goal: * * A\nstart: A * .", "8:8", "expected X or * in a cell that walls: makes a wall, found A"),
        ("goal: * X A", "7:9", "expected . or * in a cell that cannot be a wall, found X"),
    ],
)
def test_drawings_that_contradict_the_walls_are_refused(drawing, place, words):
    with pytest.raises(FormatError, match=words.replace("*", r"\*")) as caught:
        design(HEAD + f"  A 1x1: 1\n  wall: 0-1\nwalls: X . ?\n{drawing}\n")
    assert f":{place}:" in str(caught.value)
