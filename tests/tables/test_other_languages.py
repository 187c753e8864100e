"""Readers of saved layers in C and JavaScript, as examples/ has them."""

import shutil
import subprocess

import pytest

from commands import run
from places import ROOT, TESTS
from puzzlespace import open_table

READERS = ROOT / "examples" / "tables"
KEPT = TESTS / "data" / "kept" / "runs"


@pytest.fixture(params=["C", "JavaScript"], scope="module")
def reader(request, tmp_path_factory):
    """The words that start a reader."""
    if request.param == "JavaScript":
        node = shutil.which("node")
        if node is None:
            pytest.skip("no Node.js on this machine")
        return [node, str(READERS / "read_runs.mjs")]
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    made = tmp_path_factory.mktemp("reader") / "read_runs"
    words = ["-O2", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined", "-o", str(made)]
    subprocess.run([compiler, *words, str(READERS / "read_runs.c")], check=True)
    return [str(made)]


def read(reader, folder):
    return subprocess.run([*reader, str(folder)], capture_output=True, text=True, check=False)


def expected(name, folder):
    """The lines of a table, by the positions that the program reads, in their order."""
    table = open_table(name, folder)
    found = []
    for depth in range(len(table.counts)):
        words = [table.keys.words_of(row.tobytes()) for row in table.layer(depth)]
        found += sorted(f"{depth} {sum(w << 64 * at for at, w in enumerate(reversed(row))):032x}" for row in words)
    return found, table.keys.words


@pytest.mark.parametrize(("name", "words"), [("slide:3x2", 1), ("slide:2x4", 1), ("alice", 2)])
def test_a_reader_in_another_language_finds_the_same_positions(name, words, reader, tmp_path):
    folder = KEPT if name == "slide:3x2" else tmp_path / "saved"
    if folder != KEPT:
        origin = ("--from", "start") if name == "alice" else ()
        assert run("depths", name, *origin, "--engine", "frontier", "--save", str(folder), "-q")[0] == 0
    lines, found = expected(name, folder)
    assert found == words
    done = read(reader, folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.splitlines()) == sorted(lines)


def test_damage_is_an_error_in_another_language(reader, tmp_path):
    shutil.copytree(KEPT, tmp_path / "copy")
    file = tmp_path / "copy" / "layer-00014.run"
    whole = file.read_bytes()
    for wrong in (whole[:-30], whole[:5] + bytes([whole[5] ^ 1]) + whole[6:], b"", whole[:-16] + b"\xff" * 16):
        file.write_bytes(wrong)
        done = read(reader, tmp_path / "copy")
        assert done.returncode == 1
        assert done.stderr
    file.write_bytes(whole)
    assert read(reader, tmp_path / "copy").returncode == 0
