"""What each mistake in a puzzle file says: file, line, column, expected, found, the row, the caret, the hint."""

import re
from pathlib import Path

import pytest

from puzzlespace.errors import FormatError
from puzzlespace.formats import pzl
from puzzlespace.formats.base import LIMIT
from puzzlespace.formats.pzl import parse
from pzl_mistakes import MISTAKES


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
