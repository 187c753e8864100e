"""What each mistake in a puzzle file says: file, line, column, expected, found, the row, the caret, the hint."""

import re
from pathlib import Path

import pytest

from puzzlespace.errors import FormatError
from puzzlespace.formats import pzl
from puzzlespace.formats.base import LIMIT
from puzzlespace.formats.pzl import parse

KEYS = (
    "known are title, by, source, note, rule, count, board, lines, links, diagonals, blocks, apart, fixed, gates, "
    "start, goal, moves, swap, one-way, distinct, picture, known, pieces, blanks, walls"
)
BOARD = "a board that is drawn begins in the row below 'board:'"
WAYS = "'SYMBOL: colour navy, glyph ●'"

MISTAKES = [
    # a text with ⟦ before the place, what is wrong, the hint
    ("", "expected a puzzle, found an empty file", ""),
    (" \n; only a comment\n", "expected a puzzle, found an empty file", ""),
    ("title: x\n", "expected a line 'rule: slide', 'rule: jump' or 'rule: apply', found none", ""),
    ("rule: slide\n⟦strat:\n  1 .\n", "expected a key, found 'strat'", "did you mean 'start'?"),
    ("⟦Titel: x\n", "expected a key, found 'Titel'", "did you mean 'title'?"),
    ("⟦xyzzy: 3\n", "expected a key, found 'xyzzy'", KEYS),
    ("⟦goals: x\n", "expected a key, found 'goals'", "did you mean 'goal'?"),
    ("⟦: x\n", "expected a key, found ''", KEYS),
    ("rule: slide\n⟦rule: jump\n", "expected rule once, found it again (first in line 1)", ""),
    ("title: a\ntitle[ja]: b\n⟦title[ja]: c", "expected title[ja] once, found it again (first in line 2)", ""),
    (
        "goal: start\n⟦goal: 1 .\n",
        "expected goal 1 once, found it again (first in line 1)",
        "another goal is written 'goal 2:'",
    ),
    ("goal ⟦two: start\n", "expected a number after goal, found 'two'", ""),
    ("title⟦[ja: x\n", "expected ']' to close this '['", ""),
    ("title[⟦]: x\n", "expected a language such as 'ja', found ''", ""),
    ("by⟦[ja]: x\n", "expected no language after by, found '[ja]'", "only titles have one"),
    (
        "rule: slide\nstart:\n  1 2\n⟦3 .\n",
        "expected 'key: value', found '3 .'",
        "rows that belong to the key above them are indented",
    ),
    ("  ⟦1 2\nrule: slide\n", "expected a key at the beginning of the line, found '1 2'", ""),
    ("⟦rule:\n", "expected a value after rule:, found none", ""),
    ("rule: slide\n⟦start: ; nothing\ngoal: start\n", "expected a value after start:, found none", ""),
    ('title: ⟦"x\n', "expected '\"' to close this '\"'", ""),
    ('title: "x" ⟦y\n', "expected nothing after the closing '\"', found 'y'", ""),
    ('title: ⟦""\n', 'expected a value after title:, found ""', ""),
    ("rule: ⟦slid\n", "expected slide, slide along, jump or apply, found 'slid'", "did you mean 'slide'?"),
    ("rule: ⟦dance\n", "expected slide, slide along, jump or apply, found 'dance'", ""),
    ("count: ⟦steps\n", "expected step, run, piece, chain or multi, found 'steps'", "did you mean 'step'?"),
    ("count: ⟦7\n", "expected step, run, piece, chain or multi, found '7'", ""),
    ("diagonals: ⟦maybe\n", "expected yes or no, found 'maybe'", ""),
    ("one-way: ⟦yes yes\n", "expected yes or no, found 'yes yes'", ""),
    ("fixed: ⟦,\n", "expected symbols after fixed:, found ','", ""),
    ("start: 1 2 /⟦ / 3 4\n", "expected symbols before '/', found ' /'", ""),
    ("start: 1 2 /⟦ 3 /\n", "expected symbols after '/', found the end of the row", ""),
    (
        "board: ⟦english34\n",
        "expected one of english33, french37, wiegleb45, diamond41, star13, triangle15, grid WxH, hex N, triangle N, "
        "found 'english34'",
        BOARD,
    ),
    ("board: ⟦grid 99x1\n", "expected 2 whole numbers from 1 to 26, found '99x1'", BOARD),
    ("board: ⟦grid 0269999999x1\n", "expected 2 whole numbers from 1 to 26, found '0269999999x1'", BOARD),
    ("board: grid 2x2\n  ⟦a b\n", "expected nothing after the board 'grid 2x2', found 'a b'", BOARD),
    ("board:\n  a ⟦b-1\n", "expected a cell's name without '-', found 'b-1'", ""),
    ("board:\n  a ⟦~\n", "expected a cell's name without '~', found '~'", ""),
    ("lines: 0-1 ⟦2\n", "expected a chain of cells such as 0-2-5, found '2'", ""),
    ("lines: ⟦0--1\n", "expected a chain of cells such as 0-2-5, found '0--1'", ""),
    ("lines: 0-1 ⟦-1-2\n", "expected a chain of cells such as 0-2-5, found '-1-2'", ""),
    ("lines: 0-1 ⟦1 - 2\n", "expected a chain of cells such as 0-2-5, found '1'", ""),
    (
        "lines: 0-1 ⟦- 2-3\n",
        "expected a chain of cells such as 0-2-5, found '-'",
        "a chain is one word, without spaces",
    ),
    ("links:\n  ⟦0 2 3\n", "expected a cell in one word and ':', as in '0: 2 3', found '0 2 3'", ""),
    ("links:\n  ⟦0 1: 2 3\n", "expected a cell in one word and ':', as in '0: 2 3', found '0 1'", ""),
    ("links:\n  ⟦0:\n", "expected a value after '0:', as in '0: 2 3', found none", ""),
    ("goal: ⟦count o\n", "expected 'count SYMBOL = NUMBER' or 'any one peg', found 'count o'", ""),
    ("goal: ⟦any peg\n", "expected 'count SYMBOL = NUMBER' or 'any one peg', found 'any peg'", ""),
    ("goal: count o = ⟦one\n", "expected a whole number, found 'one'", ""),
    ("goal: count o = ⟦-1\n", "expected a whole number, found '-1'", ""),
    (
        "moves:\n  ⟦(a b c)\n",
        "expected a move's name in one word and ':', as in 'turn: (a b c)', found '(a b c)'",
        "",
    ),
    ("moves:\n  ⟦turn:\n", "expected a value after 'turn:', as in 'turn: (a b c)', found none", ""),
    ("moves:\n  m: ⟦(a b\n", "expected ')' to close this '(', found the end of the row", ""),
    ("moves:\n  m: (a b⟦(c d)\n", "expected a cell or ')', found '('", ""),
    ("moves:\n  m: (a ⟦~b)\n", "expected a cell or ')', found '~b'", ""),
    ("moves:\n  m: (a b)⟦)\n", "expected '(' or '~' and a cell, found ')'", ""),
    ("moves:\n  m: (a b) ⟦c\n", "expected '(' or '~' and a cell, found 'c'", ""),
    ("moves:\n  m: (a b) ⟦~ c\n", "expected '(' or '~' and a cell, found '~'", ""),
    ("moves:\n  m: ~c ⟦(a b)\n", "expected '~' and a cell (cycles come first), found '('", ""),
    ("moves:\n  m: ⟦(a)\n", "expected two or more cells in a cycle, found 1", ""),
    ("moves:\n  m: ⟦flip\n", "expected cells after flip, found none", ""),
    (
        "moves:\n  m: ⟦filp a b\n",
        "expected cycles '(a b c)', '~a', flip or reverse, found 'filp'",
        "did you mean 'flip'?",
    ),
    ("moves:\n  m: ⟦a b\n", "expected cycles '(a b c)', '~a', flip or reverse, found 'a'", ""),
    ("swap: ⟦x o\n", "expected 'x <-> o' or 'a -> b -> c -> a', found 'x o'", ""),
    ("swap: ⟦x\n", "expected a cycle that ends as it begins, 'a -> b -> a', found 'x'", ""),
    ("swap: ⟦x -> o\n", "expected a cycle that ends as it begins, 'a -> b -> a', found 'x -> o'", ""),
    ("swap: ⟦x <-> o <-> y\n", "expected 'x <-> o' with two symbols, found 'x <-> o <-> y'", ""),
    ("swap: ⟦x <->\n", "expected 'x <-> o' or 'a -> b -> c -> a', found 'x <->'", ""),
    ("swap: ⟦x <-> o -> x\n", "expected 'x <-> o' or 'a -> b -> c -> a', found 'x <-> o -> x'", ""),
    ("swap: ⟦x <-> o,\n", "expected something before and after each ',', found 'x <-> o,'", ""),
    ("picture: ⟦B colour navy\n", f"expected {WAYS}, found 'B colour navy'", ""),
    ("picture:\n  B: ⟦color navy\n", "expected colour, mark, glyph or name, found 'color'", "did you mean 'colour'?"),
    ("picture:\n  B: colour ⟦url(x)\n", "expected a colour's name or #rrggbb, found 'url(x)'", ""),
    ("picture:\n  B: mark x, ⟦mark y\n", "expected mark once, found it again", ""),
    ("picture:\n  B: ⟦mark\n", "expected a word after mark, found none", ""),
    ("picture:\n  B: mark x\n  ⟦B: mark y\n", "expected each symbol once under picture:, found 'B' again", ""),
    (
        "known: ⟦stats 5\n",
        "expected one of states, depth, hardest, solution, solutions, found 'stats'",
        "did you mean 'states'?",
    ),
    ("known: depth ⟦many\n", "expected a whole number, found 'many'", ""),
    ("known: ⟦depth\n", "expected 'depth 30' or 'solution 90 in run', found 'depth'", ""),
    ("known: depth 3, ⟦from start\n", "expected 'depth 30' or 'solution 90 in run', found 'from start'", ""),
    ("known: ⟦depth 3 by run\n", "expected 'depth 30' or 'solution 90 in run', found 'depth 3 by run'", ""),
    ("known: depth 3 in ⟦rnu\n", "expected step, run, piece, chain or multi, found 'rnu'", "did you mean 'run'?"),
    ("known: depth 3⟦, ; x\n", "expected a number before and after ',', found none", ""),
    ("known: ⟦depth 3,, hardest 4\n", "expected something before and after each ',', found 'depth 3,, hardest 4'", ""),
    ("known: depth ⟦" + "9" * 5000 + "\n", "expected a whole number, found '" + "9" * 36 + " ...'", ""),
    ("rule: slide\nstart:\n  ⟦\u200b 2\n", "expected visible characters, found U+200B", ""),
]


def expected_message(text, problem, hint):
    """The whole message, worked out from where ⟦ stands."""
    before = text.partition("⟦")[0] if "⟦" in text else None
    if before is None:
        return f"x.pzl: {problem}" + (f"\n{hint}" if hint else "")
    line, column = before.count("\n"), len(before.split("\n")[-1])
    row = text.replace("⟦", "").split("\n")[line].replace("\u200b", "?")[: column + 100]
    lines = [f"x.pzl:{line + 1}:{column + 1}: {problem}", f"  {row}", "  " + " " * column + "^"]
    return "\n".join([*lines, hint] if hint else lines)


@pytest.mark.parametrize(("text", "problem", "hint"), MISTAKES, ids=range(len(MISTAKES)))
def test_every_mistake_says_where_and_what(text, problem, hint):
    with pytest.raises(FormatError) as caught:
        parse(text.replace("⟦", ""), "x.pzl")
    assert str(caught.value) == expected_message(text, problem, hint)


def test_one_message_in_full():
    with pytest.raises(FormatError) as caught:
        parse("title: Goat\nrule: slide\nstrat:\n  1 .\n", "goat.pzl")
    assert str(caught.value) == "goat.pzl:3:1: expected a key, found 'strat'\n  strat:\n  ^\ndid you mean 'start'?"


def test_the_caret_stands_under_wide_characters():
    with pytest.raises(FormatError) as caught:
        parse("picture: 箱: color navy", "x.pzl")
    row, caret = str(caught.value).splitlines()[1:3]
    assert row == "  picture: 箱: color navy"
    assert caret == "  " + " " * 9 + "\u3000" + " " * 2 + "^"


def test_control_characters_never_reach_the_terminal():
    for text in ("title: \x1b[31mred\x1b[0m\n", "rule: slide\rcount: step\n", "title: a\u202eb\n", "a: \udc80\n"):
        with pytest.raises(FormatError, match=r"^x\.pzl:1:[0-9]+: expected visible characters, found U\+") as caught:
            parse(text, "x.pzl")
        assert not re.search("[\x1b\r\u202e\udc80]", str(caught.value))


def test_long_rows_are_shown_around_the_place():
    with pytest.raises(FormatError) as caught:
        parse("known: " + "depth 3, " * 5000 + "deep 4", "x.pzl")
    problem, row, caret, hint = str(caught.value).splitlines()
    assert problem.startswith("x.pzl:1:45008: expected one of states")
    assert row.endswith("depth 3, deep 4")
    assert row[caret.index("^") :] == "deep 4"
    assert len(row) < 250
    assert hint == "did you mean 'depth'?"


def refused(path):
    with pytest.raises(FormatError) as caught:
        pzl.load(str(path))
    assert caught.value.exit_code == 30
    return str(caught.value)


def test_a_file_of_50_mb_is_refused_unread(tmp_path, monkeypatch):
    file = tmp_path / "big.pzl"
    with open(file, "wb") as sparse:
        sparse.truncate(50_000_000)

    def never(*_args, **_kwargs):
        raise AssertionError("opened")

    monkeypatch.setattr("builtins.open", never)
    assert refused(file) == f"{file}: expected a puzzle file of at most 65,536 bytes, found 50,000,000"


def test_an_endless_input_is_refused(monkeypatch):
    class Endless:
        read_bytes = 0

        def read(self, count):
            self.read_bytes += count
            return b"x" * count

    endless = Endless()
    monkeypatch.setattr("sys.stdin", type("Standard", (), {"buffer": endless}))
    assert refused("-") == "-: expected a puzzle file of at most 65,536 bytes, found more"
    assert endless.read_bytes == LIMIT + 1
    assert refused("/dev/zero").endswith("found more")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x7fELF\x02\x01\x00\x00\xff", "expected text in UTF-8, found a binary file"),
        ("rule: slide".encode("utf-16"), "expected text in UTF-8, found UTF-16\nsave the file as UTF-8"),
        ("a: b\ntitle: 箱".encode("shift-jis"), "expected text in UTF-8, found the byte 0x94\nsave the file as UTF-8"),
    ],
)
def test_files_that_are_no_text(tmp_path, data, message):
    file = tmp_path / "x.pzl"
    file.write_bytes(data)
    place = f"{file}:2" if b"\n" in data else str(file)
    assert refused(file) == f"{place}: {message}"


def test_binary_text_and_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FormatError, match=r"^x\.pzl: expected text in UTF-8, found a binary file$"):
        parse("rule: slide\0", "x.pzl")
    nowhere = tmp_path / "nowhere.pzl"
    assert refused(nowhere) == f"{nowhere}: expected a file that can be read, found none (No such file or directory)"
    assert refused(tmp_path).endswith("(Is a directory)")
    assert "expected a file that can be read" in refused("a\0b")
    assert not Path("a").exists()


def test_an_empty_file(tmp_path):
    file = tmp_path / "empty.pzl"
    file.touch()
    with pytest.raises(FormatError) as caught:
        parse(pzl.load(str(file)), str(file))
    assert str(caught.value) == f"{file}: expected a puzzle, found an empty file"
