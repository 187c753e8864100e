"""Formats of other programs: what they mean, both ways where they are written, every mistake with its place."""

import pytest

from boards import rows
from places import ROOT
from puzzlespace.api import questions
from puzzlespace.api.loader import converted, from_text, load
from puzzlespace.errors import FormatError, InputError, UnsupportedError
from puzzlespace.formats import boards, format_of, formats, gnome, hrd, pzl, recognised, rushhour, typed

WALLED = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"

LEVEL = """\
######
#abcd#
#**ee#
#f*g #
#fh i-
####--
    ..
     .
"""

ROYAL = """
    --==+
    ##|/.
    ##|*.
    __mm$

    .....
    ...##
    ...##
    .....
"""

BOX = """\
% Start $ a board
A A . $ one piece
# . .
% Goal
. . .
# A A
"""

SAFE = """\
start:
+AA+
+BB+
+__+
finish:
+..+
+BB+
+..+
"""

CARD = "o_g_p_____y_________b___R"

TEXTS = {
    "rushhour": [WALLED, f"60 {WALLED.replace('o', '.')} 2332", "AAoo oooo oxxo oooo"],
    "hrd": ["1A9BF0C", "4WVE1", "HAAI/HAAI/JBBK/JNOK/P..Q", "HAAI HAAI JBBK JNOK P@@Q"],
    "lunar": [CARD, "-R-/o-g/-y-", "x_x\n___\nR__"],
    "gnome": [LEVEL, "#**a#\n#..-#\n#...#", "####\n#*.#\n#..#"],
    "boards": [ROYAL, BOX, SAFE, "A.\n\n.A"],
}
BY_NAME = {each.name: each for each in formats()}
CASES = [(name, text) for name, texts in TEXTS.items() for text in texts]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_a_board_comes_back_as_it_was_written(name, text):
    form = BY_NAME[name]
    draft = form.parse(text, "x")
    assert form.parse(form.write(draft), "x") == draft
    assert pzl.parse(pzl.print_draft(draft)) == draft
    assert from_text(form.write(draft), f"x{form.suffixes[0]}").draft == draft


@pytest.mark.parametrize(("name", "text"), CASES)
def test_a_text_is_recognised(name, text):
    wanted = name if text not in ("HAAI HAAI JBBK JNOK P@@Q", "A.\n\n.A") else None
    assert getattr(recognised(text), "name", None) == wanted
    assert format_of("x.txt", pzl.print_draft(BY_NAME[name].parse(text, ""))).name == "pzl"


@pytest.mark.parametrize(("text", "moves"), [(WALLED, 60), ("1A9BF0C00", 81), (BOX, 1), (SAFE, 0), (CARD, 13)])
def test_what_is_typed_is_solved(text, moves):
    assert questions.solve(text).moves == moves


def test_an_address_with_a_board_is_read_and_nothing_fetched():
    address = f"https://no.example/rush/#{WALLED}/60"
    assert typed(address) == (rushhour.FORMAT, WALLED)
    assert load(address).name == WALLED
    assert typed("https://no.example/rush/60") is None
    assert typed("o" * 3000) is None


@pytest.mark.parametrize("word", ["klotsky", "facade", "goats", "abcdefghijklmnop", "deadbeefs", "1", "", "x" * 36])
def test_other_words_are_no_boards(word):
    assert typed(word) is None


@pytest.mark.parametrize("row", rows("rush"), ids=lambda row: row["board"])
def test_every_board_of_the_list_is_written_as_it_was(row):
    board = row["board"].replace(".", "o")
    assert rushhour.write(rushhour.parse(row["board"])) == board + "\n"
    assert recognised(row["board"]).name == "rushhour"
    assert recognised("\n".join(row["board"][at : at + 6] for at in range(0, 36, 6))).name == "rushhour"


def test_codes_and_letters_mean_the_same_boards():
    for row in rows("blocks_4x5"):
        code, letters = hrd.parse(row["common_code"]), hrd.parse(row["board"])
        assert hrd.write(code).strip() == row["common_code"]
        names = {}
        pairs = zip(code.start.words, letters.start.words, strict=True)
        assert all(names.setdefault(one, other) == other for one, other in pairs)


def test_all_boards_are_numbered():
    assert hrd.boards() == 29_334_498  # published, dnomd343/klotski
    assert hrd.write(hrd.parse("11111")).strip() == "000000000"


def test_letters_are_given_anew_only_if_they_cannot_stand():
    file = ROOT / "examples" / "garage.pzl"
    puzzle = load(str(file))
    assert converted(puzzle, "rushhour").strip() == "AAoBoCoooBoCRRoBECDxooEoDoFoHHDoFooo"
    other = from_text(file.read_text().replace("RR", "GG"), "garage.pzl")
    board = converted(other, "rushhour").strip()
    assert board == "BBoCoDoooCoDAAoCEDFxooEoFoGoHHFoGooo"
    assert questions.solve(board).moves == questions.solve(puzzle).moves == 6


def test_a_goal_piece_may_have_several_homes():
    draft = gnome.parse("####\n#*.#\n#..#\n")
    assert len(draft.goals) == 3
    assert gnome.parse(gnome.write(draft)) == draft


def test_walls_are_told_from_pieces_by_where_they_stand():
    assert boards.parse("#A\n#.\n\n#.\n#A").start.rows[0] == ("#", "A")
    assert boards.parse("#A\n..\n\n..\n#.").start.rows[0] == ("B", "A")


CONVERTED = [("klotski", "hrd"), ("rush60", "rushhour"), ("quzzle", "boards"), ("dads", "boards"), ("lunar39", "lunar")]


@pytest.mark.parametrize(("name", "form"), CONVERTED)
def test_catalogue_puzzles_are_converted(name, form):
    puzzle = load(name)
    again = from_text(converted(puzzle, form), f"x{BY_NAME[form].suffixes[0]}")
    assert len(again.rules) == len(puzzle.rules)
    assert again.view.decode(again.start) == puzzle.view.decode(puzzle.start)
    assert again.metrics == puzzle.metrics


def test_what_a_format_cannot_say_is_said():
    for name, form in (
        ("goat", "rushhour"),
        ("eight", "hrd"),
        ("star13", "gnome"),
        ("flip3", "boards"),
        ("century", "rushhour"),
        ("water", "lunar"),
    ):
        with pytest.raises(InputError, match=rf"format {form}: expected .*\({name}\)"):
            converted(load(name), form)
    with pytest.raises(
        InputError, match="format: expected one of pzl, rushhour, hrd, lunar, sokoban, gnome, boards, found 'xml'"
    ):
        converted(load("eight"), "xml")
    with pytest.raises(UnsupportedError, match="format tws: it is only read"):
        converted(load("eight"), "tws")


MISTAKES = {
    ("rushhour", ""): "x: expected the letters of a board, found none",
    ("rushhour", "AAooo"): (
        "x:1:1: expected a square board, such as 36 letters, or rows, from 3x3 to 16x16, found 5 letters"
    ),
    ("rushhour", "BBooooooooooooooo"[:16]): "x:1:1: expected a red car (X, x, R, r or A) in one row, found none",
    ("rushhour", "AoooAooooooooooo"): "x:1:1: expected a red car (X, x, R, r or A) in one row, found A in one column",
    ("rushhour", "AAoxoooooooooooo"): "x:1:4: expected a way out at the right of the car A, found a wall",
    ("rushhour", "AAoBoooooooooooo"): "x:1:4: expected the car B to be two or more cells in a line, found one cell",
    ("rushhour", "AAoo\nBoBo\noooo\noooo"): (
        "x:2:1: expected the car B to be two or more cells in a line, found another shape"
    ),
    ("rushhour", "AAo7oooooooooooo"): "x:1:4: expected a car's letter, a blank (o . 0 - _) or a wall (x #), found '7'",
    ("rushhour", "AAoo ooo"): "x:1:6: expected one board in rows of 4 letters, found 3 letters in row 2",
    ("lunar", " "): "x: expected the letters of a board, found none",
    ("lunar", "R_o_"): (
        "x:1:1: expected a square board with a middle, such as 25 letters, from 3x3 to 15x15, found 4 letters"
    ),
    ("lunar", "R__ _o_ __R"): "x:1:11: expected one robot R, found 2",
    ("lunar", "r__\n_o_\n__x"): "x:3:3: expected one robot R, found 0",
    ("lunar", "R__ _7_ ___"): "x:1:6: expected a robot's letter, _ or -, found '7'",
    ("lunar", "R__ _o ____"): "x:1:5: expected one board, or 3 rows of 3 letters, found others",
    ("hrd", " "): "x: expected the code of a board, found none",
    ("hrd", "zz"): "x:1:1: expected 20 letters, 9 hexadecimal digits or 5 of base 32, found 'zz'",
    ("hrd", "F00000000"): "x:1:1: expected a cell for the corner of the 2x2 block, found the digit 'F'",
    ("hrd", "000000005"): "x:1:1: expected zeros behind the last cell, found more pieces in '000000005'",
    ("hrd", "155555555"): "x:1:1: expected a board, found a piece in cell 0 without room in '155555555'",
    ("hrd", "ZZZZZ"): "x:1:1: expected the number of one of 29,334,498 boards, found 'ZZZZZ'",
    ("hrd", "AAABBBCCCDDDEEEFFFGG"): "x:1:1: expected one block of 2x2, found none",
    ("hrd", "AABBAABBCCDDCCDD...."): "x:1:3: expected one block of 2x2, found 4",
    ("hrd", "AABBAABBCCDDCCDD...7"): "x:1:20: expected a piece's letter, @ or ., found '7'",
    ("hrd", "1A9BF0C 4WVE1"): "x:1:9: expected one code, found '4WVE1' after it",
    ("gnome", "\n"): "x: expected a level, found an empty file",
    ("gnome", "#a.#"): "x:1:1: expected a piece * to bring home, found none",
    ("gnome", "#*a#"): "x:1:1: expected a home of . that * fits on, found none",
    ("gnome", "#**#\n#.a#\n#.a#"): "x:2:2: expected a home of . that * fits on, found a cell it cannot lie on",
    ("gnome", "#*.#\n#\ta#"): "x:2:2: expected characters that can be seen, found '\\t'",
    ("boards", "A"): "x:1:1: expected two boards with an empty line between, found 1",
    ("boards", "A\n\nB\n\nC"): "x:5:1: expected two boards with an empty line between, found 3",
    ("boards", "A.\n\n.A\n.."): "x:3:1: expected a goal of 1 row as the start, found 2",
    ("boards", "% Start\nA."): "x:1:1: expected one heading for the start and one for the goal, found 1",
    ("boards", "% Start\nA.\n% Goal\n"): "x:3:1: expected a board below, found none",
    ("boards", "A\n% Start\nA.\n% Goal\n.A"): "x:1:1: expected a heading such as '% Start' first, found 'A'",
    ("boards", "AB.\n\n.AX"): "x:3:3: expected one of the symbols . A B, found 'X'",
}


@pytest.mark.parametrize(("name", "text"), MISTAKES)
def test_mistakes_say_where_and_what(name, text):
    with pytest.raises(FormatError) as caught:
        from_text(text, f"x{BY_NAME[name].suffixes[0]}")
    message = str(caught.value).split("\n")[0].replace(BY_NAME[name].suffixes[0], "", 1)
    assert message == MISTAKES[name, text]
