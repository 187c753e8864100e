"""Positions in the notation of other programs: rows of numbers, lists, `0` or `_` for the blank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlespace.api import questions
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
    pegs = load("english")
    with pytest.raises(FormatError):
        pegs.read(pegs.line(pegs.start).replace(".", "0"))


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
