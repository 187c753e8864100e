"""Levels of Sokoban programs: signs, run lengths, several levels, mistakes with their place."""

import pytest

import puzzlespace
from puzzlespace.api.loader import converted, from_text, load, written
from puzzlespace.errors import FormatError
from puzzlespace.formats import format_of
from puzzlespace.formats.sokoban import FORMAT, levels_of

LEVEL = "####\n# .#\n#  ###\n#*@  #\n#  $ #\n#  ###\n####\n"
"""Level 1 of Microban by David W. Skinner."""

CODED = "4#|#-.#|#2-3#|#*@2-#|#2-$-#|#2-3#|4#\n"
SEVERAL = f"; first\n\n{LEVEL}\nTitle: One\nAuthor: A. Person\n\nThe second\n{LEVEL}\n; third\n{CODED}"


def parse(text):
    return FORMAT.parse(text, "x.xsb")


def test_a_level_is_read():
    puzzle = from_text(LEVEL, "x.xsb")
    assert puzzlespace.solve(puzzle).moves == 8
    assert format_of("x.txt", LEVEL) is FORMAT
    assert format_of("-", CODED) is FORMAT
    assert format_of("-", "rule: push\nstart:\n  # # #\n  # @ $\n").name == "pzl"


def test_the_level_of_14_cells_with_most_moves():
    """The example of OEIS A195667: 48 steps of the player, the most for 14 free cells."""
    puzzle = from_text("#####\n##@.#\n##$ #\n#   #\n# #$###\n#   *.#\n#######\n", "x.xsb")
    assert puzzle.board.cells == 14
    assert puzzlespace.solve(puzzle, metric="move").moves == 48


def test_run_lengths():
    assert parse(CODED) == parse(LEVEL)
    assert parse("7#|#-2(.$)@#|7#") == parse("#######\n# .$.$@#\n#######")
    assert parse("5#\n#@$.#\n5#") == parse("#####\n#@$.#\n#####")


def test_one_of_several_levels(tmp_path):
    found = levels_of(SEVERAL)
    assert [(level.said.title, level.said.author) for level in found] == [
        ("One", "A. Person"), ("The second", ""), ("third", ""),
    ]  # fmt: skip
    file = tmp_path / "several.sok"
    file.write_text(SEVERAL)
    assert [load(f"{file}#{number}").title for number in (1, 2, 3)] == ["One", "The second", "third"]
    assert load(f"{file}#1").draft.by == "A. Person"
    first = load(f"{file}#2").draft.start.words[0]
    assert (first.line, first.column) == (16, 2)
    with pytest.raises(FormatError, match="expected the number of a level from 1 to 3, found 4"):
        load(f"{file}#4")
    with pytest.raises(FormatError, match=r"several.sok:15:1: expected one level, found 3"):
        load(str(file))


def test_levels_are_written():
    draft = parse(LEVEL + "Title: One\nAuthor: A. Person\n")
    assert parse(FORMAT.write(draft)) == draft
    assert FORMAT.write(draft).startswith("######\n#")
    puzzle = load("microban36")
    again = from_text(converted(puzzle, "sokoban"), "x.xsb")
    assert (again.start, again.goals) == (puzzle.start, puzzle.goals)
    for text in ("pull: yes\nstart: @ $ .\ngoal: * * $", "start: @ A .\ngoal: * * A", "start: @ $ .", "count: run\n"):
        with pytest.raises(FormatError):
            FORMAT.write(
                from_text(f"rule: push\n{text}\n" + ("start: @ $ .\n" if "start" not in text else ""), "x").draft
            )


def test_cells_out_of_reach_are_left_out():
    draft = parse("#######\n#@$.#*#\n#######\n")
    assert draft.start.rows == (("@", "$", "."),)
    assert "." in parse("#######\n#@$.#.#\n#-$-###\n#######\n").start.rows[0][4]
    assert written(from_text(LEVEL, "x.xsb")).startswith("rule: push\n")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "expected a level, found no row with walls '#'"),
        ("####\n#$.#\n####\n", "x.xsb:1:1: expected a player '@', found none"),
        ("#####\n#@$+#\n#####\n", "x.xsb:2:4: expected one player, found 2"),
        ("####\n#@$#\n####\n", "x.xsb:1:1: expected a goal '.', found none"),
        ("######\n#@$..#\n######\n", "x.xsb:2:5: expected at most as many goals as boxes (1), found 2"),
        ("#####\n#@$.\n#####\n", "x.xsb:2:5: expected walls '#' all around, found an opening"),
        ("#####\n#@$.#\n## ##\n", "x.xsb:3:3: expected walls '#' all around, found an opening"),
        ("5#|#@(2$.#|5#", "x.xsb:1:10: expected ')', found none"),
        ("5#|#@2)$.#|5#", "x.xsb:1:7: expected '(' before ')', found none"),
        ("5#|#@$.#3|5#", "x.xsb:1:9: expected a sign after a number, found none"),
        ("5#|#@$99999.#|5#", "x.xsb:1:11: expected a number of at most 4 digits, found 99999"),
        ("####\n#(@$.)#\n####\n", "x.xsb:2:2: expected a cell of a level, found '('"),
    ],
)
def test_mistakes(text, error):
    with pytest.raises(FormatError) as found:
        parse(text)
    assert str(found.value).split("\n")[0] == error if error.startswith("x") else error in str(found.value)
