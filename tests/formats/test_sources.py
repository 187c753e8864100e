"""What a person types in place of a puzzle, however strange, is a puzzle or an error of ours, and never waited for."""

from __future__ import annotations

import os
import socket

import pytest

from kept import command
from puzzlespace.api.loader import load
from puzzlespace.errors import InputError, PuzzlespaceError

WORDS = {
    "empty": "", "spaces": "  ", "wide space": "\u3000", "long": "x" * 300, "longer": "x" * 5000,
    "deep": "a/" * 3000, "deep file": "a/" * 3000 + ".pzl", "long file": "x" * 300 + ".pzl", "null": "a\0b",
    "null file": "a\0b.pzl", "surrogate": "\ud800", "surrogate file": "\ud800.pzl", "byte": "a\udcffb",
    "byte file": "\udcff.pzl", "no size": "slide:", "size of digits": "slide:" + "9" * 5000, "size null": "slide:\0",
    "disks": "hanoi:3," + "9" * 9000, "wide digits": "slide:３x９９９９", "other digits": "lrx:٣", "colons": ":" * 1000,
    "address": "https://no.example/" + "a" * 3000, "escape": "\x1b[31mred", "dots": "..",
}  # fmt: skip


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS)
def test_strange_words_are_bad_input(word, capsys):
    with pytest.raises(InputError) as raised:
        load(word)
    assert len(str(raised.value)) < 700
    assert "\0" not in str(raised.value)
    assert command("show", "--", word) == 30
    assert "bug of ours" not in capsys.readouterr().err


def test_strange_files_are_bad_input(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("folder", "folder.pzl"):
        os.mkdir(name)
    for name in ("pipe", "pipe.pzl"):
        os.mkfifo(name)
    os.symlink("loop.pzl", "loop.pzl")
    os.symlink("nowhere", "dangling.pzl")
    files = {"empty": b"", "null.pzl": b"rule: slide\0", "large": b"a" * 70_000, "bytes.pzl": b"rule: \xff\xfe"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.pzl")
        names = sorted(os.listdir())
        assert len(names) == 11
        for name in (*names, "/dev/null", "/dev/zero", "/"):
            with pytest.raises(InputError, match=name if name != "loop.pzl" else "loop"):
                load(name)


def test_a_file_that_may_not_be_read_is_bad_input(tmp_path):
    locked = tmp_path / "locked.pzl"
    locked.write_text("rule: slide\nstart: ab.\n")
    locked.chmod(0)
    try:
        load(str(locked))
    except PuzzlespaceError as error:
        found = str(error)
    else:
        found = "Permission denied"  # of the superuser nothing is kept back
    assert "Permission denied" in found or "start" in found


def test_a_pipe_that_is_written_to_is_read(tmp_path):
    read, write = os.pipe()
    os.write(write, b"rule: slide\ncount: step\nstart: ab.\ngoal: .ab\n")
    os.close(write)
    assert load(f"/dev/fd/{read}").board.cells == 3
    os.close(read)
