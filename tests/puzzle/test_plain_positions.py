"""Positions in the notation of other programs: rows of numbers, lists, `0` or `_` for the blank."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlespace.api import batch_rows, questions
from puzzlespace.api.loader import from_text, load
from puzzlespace.errors import FormatError, InputError
from puzzlespace.puzzle.diagnostics import listening

EIGHT, KORF = load("eight"), load("slide:4x4")

SHAPES = {
    "row": lambda rows: " ".join(" ".join(row) for row in rows),
    "commas": lambda rows: ",".join(",".join(row) for row in rows),
    "list": lambda rows: "[" + ", ".join(", ".join(row) for row in rows) + "]",
    "lists": lambda rows: "[" + ",".join("[" + ",".join(row) + "]" for row in rows) + "]",
    "lines": lambda rows: "[" + ",\n ".join("[" + ", ".join(row) + "]" for row in rows) + "]",
    "ours": lambda rows: " / ".join(" ".join(row) for row in rows),
}


@given(st.permutations(range(16)), st.sampled_from("0_."), st.sampled_from(sorted(SHAPES)))
def test_every_notation_is_the_same_position(tiles, sign, shape):
    words = [str(tile) if tile else sign for tile in tiles]
    rows = [words[at : at + 4] for at in range(0, 16, 4)]
    ours = " / ".join(" ".join(word if word != sign else "." for word in row) for row in rows)
    assert KORF.read(SHAPES[shape](rows)) == KORF.read(ours)


def told(puzzle, text):
    found = []
    with listening(found.extend):
        questions.read_position(puzzle, text)
    return [(each.code, each.severity, each.text) for each in found]


def test_a_note_says_how_the_blank_was_read_and_which_goal_is_meant():
    (note,) = told(EIGHT, "1 2 3 4 5 6 7 0 8")
    assert note == ("blank-sign", "note", "'0' is read as the blank '.'; the goal is 1 2 3 / 4 5 6 / 7 8 .")
    assert told(EIGHT, "1 2 3 4 5 6 7 . 8") == []
    first = questions.with_goal(EIGHT, "0 1 2 3 4 5 6 7 8")
    assert told(first, "_ 1 2 3 4 5 6 7 8")[0][2].endswith("the goal is . 1 2 / 3 4 5 / 6 7 8")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2 3 4 5 6 7 0 0", "1:17: expected '0', the blank, as often as the puzzle has blanks, found more"),
        ("1 2 3 4 5 6 7 0 _", "1:17: expected one sign for the blank, found '0' and '_'"),
        ("1 2 3 4 5 6 7 0 .", "1:15: expected one of the symbols . 1 2 3 4 5 6 7 8, found '0'"),
        ("9 1 2 3 4 5 6 7 0 8", "1:1: expected 3 rows, or one of 9 places, found one of 10"),
        ("[[1,2,3],[4,5,6],[7,0]]", "expected 3 places in row 3, found 2"),
        ("[1 2 3 4 5 6 7 0 8", "expected one of the symbols . 1 2 3 4 5 6 7 8, found '[1'"),
    ],
)
def test_what_fits_no_reading_says_where(text, words):
    with pytest.raises(FormatError) as caught:
        questions.read_position(EIGHT, text)
    assert words in str(caught.value)


def test_a_zero_that_is_a_piece_stays_one():
    own = from_text("rule: slide\nstart: 0 1\n  2 .\ngoal: 0 1\n  . 2\n", "own.pzl")
    assert own.line(own.read("0 1 . 2")) == "0 1 / . 2"
    with pytest.raises(FormatError, match="found '_'"):
        questions.read_position(EIGHT, "_ _ 3 4 5 6 . 7 8")


def test_an_empty_position_is_an_error():
    with pytest.raises(InputError, match="found an empty text"):
        questions.with_start(EIGHT, " ")


def test_patterns_read_the_same_signs():
    assert EIGHT.pattern("0 * * * * * * * 1") == EIGHT.pattern(". * * / * * * / * * 1")


@pytest.mark.parametrize("sign", ["0", "_"])
def test_a_file_may_write_its_blank_in_another_way(sign):
    text = "rule: slide\nstart: 1 2 3 / 4 5 6 / 7 {0} 8\ngoal: 1 2 3 / 4 5 6 / 7 8 {0}\n"
    read, ours = from_text(text.format(sign), "a.pzl"), from_text(text.format("."), "a.pzl")
    assert (read.model().fingerprint, read.start, read.draft) == (ours.model().fingerprint, ours.start, ours.draft)
    (note,) = read.diagnostics
    assert (note.code, note.severity, note.line, note.column) == ("blank-sign", "note", 2, 26)


def test_several_blanks_are_a_warning_and_two_signs_an_error():
    found = []
    with listening(found.extend):
        several = from_text("rule: slide\ncount: step\nstart: 1 0 / 2 0\ngoal: 0 1 / 0 2\n", "a.pzl")
    assert several.line(several.start) == "1 . / 2 ."
    assert [(each.code, each.severity) for each in found] == [("blank-sign", "warning")]
    with pytest.raises(FormatError, match="found both '0' and '_'"):
        from_text("rule: slide\nstart: 1 0 / 2 _\ngoal: 0 1 / _ 2\n", "a.pzl")


@pytest.mark.parametrize("key", ["fixed: 0", "blocks: 0", "distinct: 0", "picture:\n  0: colour red"])
def test_a_sign_that_a_key_names_is_a_piece(key):
    with pytest.raises(FormatError, match="expected at least one blank"):
        from_text(f"rule: slide\n{key}\nstart: 1 0 / 2 3\ngoal: 0 1 / 2 3\n", "a.pzl")


def test_a_start_with_another_sign_than_the_goal_says_what_to_write():
    with pytest.raises(FormatError, match=r"write '\.' for the blank, not '0'"):
        from_text("rule: slide\nstart: 1 2 / 3 0\ngoal: 1 2 / . 3\n", "a.pzl")


KINDS = {
    "slide": "rule: slide\ncount: step\n{0}: 1 . 2 / 3 4 5\n{1}: . 1 2 / 3 4 5\n",
    "blocks": "rule: slide\ncount: step\nblocks: all\n{0}: A A . / B C .\n{1}: * * * / C * *\n",
    "jump": "rule: jump\ncount: step\n{0}: {p} {p} . {p} / {p} {p} {p} {p}\n{1}: . . {p} . / . . . .\n",
    "words": "rule: jump\ncount: step\n{0}: {p} {p} . {p} / {p} {p} {p} {p}\ngoal: any one peg\n",
    "glide": "rule: glide\ncount: piece\n{0}: A . . / . B .\n{1}: . . A / * * *\n",
    "push": "rule: push\ncount: push\n{0}: @ $ . / . . .\n{1}: . . $ / . . .\n",
}
"""Puzzles of each rule kind with a blank; the drawings are written with '.', which the tests replace."""


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("sign", ["0", "_", "○"])
@pytest.mark.parametrize("peg", ["o", "1", "●"])
def test_every_rule_kind_reads_other_blanks_or_says_what_to_write(name, sign, peg):
    text = KINDS[name].format("start", "goal", p=peg)
    ours = from_text(text, "a.pzl")
    other = "".join(
        f"{key}:{value.replace('.', sign) if key in ('start', 'goal') else value}\n"
        for key, _, value in (line.partition(":") for line in text.splitlines())
    )
    if sign not in ours.kind.blanks:
        with pytest.raises(FormatError, match="expected at least one"):
            from_text(other, "a.pzl")
        return
    found = []
    with listening(found.extend):
        read = from_text(other, "a.pzl")
    assert (read.model().fingerprint, read.start, read.goals) == (ours.model().fingerprint, ours.start, ours.goals)
    several = read.line(read.start).count(".") > 1
    assert [(each.code, each.severity) for each in found] == [("blank-sign", "warning" if several else "note")]
    written = ours.line(ours.start).replace(".", sign)
    with listening(found.extend):
        assert questions.with_start(ours, written).start == ours.start
    assert found[-1].code == "blank-sign"


PEGS = load("english")


@given(st.lists(st.booleans(), min_size=33, max_size=33), st.sampled_from(PEGS.kind.blanks))
def test_a_peg_position_may_have_any_number_of_holes(holes, sign):
    """Jumps make holes, so a position may have more of them than the start."""
    here = iter(holes)
    words = ["# " if cell is None else ". " if next(here) else "o " for row in PEGS.board.rows for cell in row]
    text = "/".join("".join(words[at : at + 7]) for at in range(0, 49, 7))
    assert PEGS.read(text.replace(".", sign)) == PEGS.read(text)


@given(st.lists(st.sampled_from("oOx1●"), min_size=4, max_size=6), st.booleans())
def test_a_start_without_a_hole_is_no_puzzle(words, as_goal):
    """No peg could ever jump, so an answer would be about another puzzle than the one that is meant."""
    with pytest.raises(FormatError, match="expected at least one hole to jump into, found only") as caught:
        from_text(f"rule: jump\ncount: step\n{'goal' if as_goal else 'start'}: {' '.join(words)}\n", "a.pzl")
    assert caught.value.hint == "write '.' for a hole"
    assert caught.value.line == 3


def test_a_sign_for_holes_beside_holes_is_a_peg_with_a_warning():
    text = "rule: jump\ncount: step\nstart: . 1 1 1 . / 1 1 0 1 1\ngoal: any one peg\n"
    found = []
    with listening(found.extend):
        from_text(text, "a.pzl")
    assert [(each.code, each.severity, each.line, each.column) for each in found] == [("blank-sign", "warning", 3, 24)]
    with pytest.raises(FormatError, match=r"expected at least one hole to jump into"):
        from_text("rule: jump\ncount: step\nstart: o o O o\ngoal: . . o .\n", "a.pzl")
    with pytest.raises(FormatError) as caught:
        from_text("rule: jump\ncount: step\nstart: o o _ o\ngoal: . . o .\n", "a.pzl")
    assert caught.value.hint == "write '.' for a hole, not '_'"


@pytest.mark.parametrize("name", [each for each in KINDS if each != "words"])
@pytest.mark.parametrize("seed", range(4))
def test_a_goal_with_open_cells_is_that_of_a_file(name, seed):
    draw = Random(seed)
    text = KINDS[name].format("start", "goal", p="o").replace("count", "distinct: all\ncount", name != "jump")
    start, goal = (line.partition(": ")[2] for line in text.splitlines() if line.startswith(("start", "goal")))
    shown = goal if name in ("blocks", "jump", "push") else start
    words = "".join("*" if each not in "/ " and draw.random() < 0.5 else each for each in shown)
    words = words.replace("@", "*")
    wanted, puzzle = from_text(text.replace(goal, words), "a.pzl"), from_text(text, "a.pzl")
    for each in (words, words.replace(" / ", "\n"), words.replace(" / ", " "), words.replace("*", "＊")):
        assert questions.with_goal(puzzle, each).goals == wanted.goals, each
    (row,) = batch_rows.rows(puzzle, ["start,goal", f"{start},{words}"])
    assert row.puzzle.goals == wanted.goals


def test_an_open_goal_says_that_a_letter_stands_for_like_pieces():
    text = "rule: slide\ncount: step\nblocks: none\nstart: A B . / C . .\ngoal: * * C / * * *\n"
    found = []
    with listening(found.extend):
        puzzle = questions.with_goal(from_text(text, "a.pzl"), "B * * / * * *")
    assert [(each.code, each.severity, each.column) for each in found] == [("like-pieces", "warning", 1)]
    assert "'B' stands for any of the like pieces A B" in found[0].text
    assert questions.solve(puzzle).moves == 0
    found.clear()
    with listening(found.extend):
        questions.with_goal(puzzle, "B A * / * * *")
        questions.with_goal(puzzle, "* * * / C * *")
    assert found == []


def test_open_cells_of_a_cube_need_the_rows_of_the_board():
    cube = load("cube:2")
    solved = cube.line(cube.goals[0].position)
    rows = solved.replace("U", "*")
    for goal in (questions.with_goal(cube, rows).goals[0], cube.pattern(rows)):
        assert goal.need.count(-1) == 4
    for read in (cube.pattern, lambda text: questions.with_goal(cube, text)):
        with pytest.raises(FormatError, match=r"expected the rows of the board around '\*', found one row"):
            read("* " * 4 + "R R R R F F F F D D D D L L L L B B B B")
    assert cube.pattern("UUUURRRRFFFFDDDDLLLLBBBB").position == cube.goals[0].position
