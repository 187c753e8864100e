"""Depth tables on disk: killed, gone on with, damaged, truncated, on a full disk, with two writers."""

from __future__ import annotations

import builtins
import errno
import json
import os
import random
import subprocess
import sys

import pytest

from kept import EIGHT, NAMES, command, copied, distances, saved_table
from places import SUPPORT
from puzzlespace import load
from puzzlespace.api import questions
from puzzlespace.api.saved import kept, open_table, saving
from puzzlespace.errors import RoomError, TableError
from puzzlespace.limits.watch import Limits
from puzzlespace.storage import files
from puzzlespace.tables import save
from puzzlespace.tables.kinds import verify


def killed(spec, kills, engine):
    """Kill savings of a table at random moments; return what came out."""
    words = [sys.executable, str(SUPPORT / "kills.py"), spec, str(kills), "5", engine]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize(("spec", "engine"), [(EIGHT, "table"), ("burnt:5", "file")])
def test_killed_at_random_moments_it_goes_on_to_the_same_bytes(spec, engine):
    found = killed(spec, 8, engine)
    assert found["kills"] >= 8
    assert found["finished"] == found["same"] > 0


LONG = [
    (EIGHT, "table"),
    (EIGHT, "file"),
    ("slide:2x5", "file"),
    ("burnt:5", "file"),
    ("burnt:6", "table"),
    ("dads", "frontier"),
    ("dads", "disk"),
]


@pytest.mark.long
@pytest.mark.parametrize(("spec", "engine"), LONG)
def test_killed_again_and_again_in_memory_and_on_disk(spec, engine):
    found = killed(spec, 40, engine)
    assert found["kills"] >= 40
    assert found["finished"] == found["same"] > 0


HELD = """
import sys
from puzzlespace import depths, load
from puzzlespace.api.saved import saving

def wait(progress):
    print(progress.layer, flush=True)
    sys.stdin.readline()

owner = load("eight")
depths(owner, engine=saving(owner, sys.argv[1], every=0), progress=wait)
"""


def test_of_two_live_processes_the_second_is_refused_and_a_killed_one_holds_nothing(tmp_path):
    folder = tmp_path / "table"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    first = subprocess.Popen([sys.executable, "-c", HELD, str(folder)], **pipes)
    try:
        assert first.stdout.readline() == "0\n"
        words = [sys.executable, "-m", "puzzlespace", "depths", "eight", "--save", str(folder), "--resume"]
        second = subprocess.run(words, capture_output=True, text=True)
        assert second.returncode == 30
        assert f"another process (pid {first.pid})" in second.stderr
        first.stdin.write("\n\n\n")
        first.stdin.flush()
        assert [first.stdout.readline() for _ in range(3)] == ["1\n", "2\n", "3\n"]
    finally:
        first.kill()
        first.communicate()
    assert (folder / "holder").read_text() == f"{first.pid}\n"
    assert saved_table(EIGHT, folder, resume=True).complete
    assert verify(folder, load(EIGHT).model(), 10, True)["states"] == 181_440


def test_ctrl_c_leaves_a_folder_to_go_on_with_and_says_how(tmp_path, capsys, monkeypatch):
    note = save.FolderKeeper.note

    def interrupted(keeper, name, sums):
        note(keeper, name, sums)
        if len(keeper.counts) == 9:
            raise KeyboardInterrupt

    monkeypatch.setattr(save, "EVERY", 0.0)
    with monkeypatch.context() as patched:
        patched.setattr(save.FolderKeeper, "note", interrupted)
        assert command("depths", "eight", "--save", tmp_path / "table", "--engine", "table", "-q") == 130
    assert f"run the command with --save {tmp_path / 'table'} --resume" in capsys.readouterr().err
    assert len(json.loads((tmp_path / "table" / "progress.json").read_text())["counts"]) == 9
    assert command("depths", "eight", "--save", tmp_path / "table", "--resume", "-q", "--oeis") == 0
    assert capsys.readouterr().out.startswith("1, 2, 4, 8, 16")
    assert verify(tmp_path / "table", load(EIGHT).model(), 10, True)["states"] == 181_440


def test_a_limit_leaves_a_folder_to_go_on_with(tmp_path):
    saved_table(EIGHT, tmp_path / "whole")
    owner = load(EIGHT)
    stopped = questions.depths(
        owner, engine=saving(owner, tmp_path / "part", every=0), limits=Limits(positions=100_000)
    )
    assert not stopped.complete
    assert any(path.name.startswith(save.SNAPSHOT) for path in (tmp_path / "part").iterdir())
    with pytest.raises(TableError, match="unfinished"):
        open_table(EIGHT, tmp_path / "part")
    with pytest.raises(TableError, match="resume=True"):
        saved_table(EIGHT, tmp_path / "part")
    went_on = saved_table(EIGHT, tmp_path / "part", resume=True)
    assert went_on.counts == questions.depths(owner).counts
    assert went_on.hardest == questions.depths(owner).hardest
    assert {path.name for path in (tmp_path / "part").iterdir()} - {"lock"} == set(NAMES)
    for name in ("depths.bits", "depths.sums"):
        assert (tmp_path / "part" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_a_flipped_bit_is_refused_or_harmless(name, eight, tmp_path):
    folder = copied(eight, tmp_path / "copy")
    data = (folder / name).read_bytes()
    chance = random.Random(3)
    known = distances(EIGHT)
    asked = chance.sample(sorted(known), 40)
    refused = 0
    for _ in range(60):
        at = chance.randrange(8 * len(data))
        damaged = bytearray(data)
        damaged[at >> 3] ^= 1 << (at & 7)
        (folder / name).write_bytes(damaged)
        try:
            table = open_table(EIGHT, folder)
            assert [table.distance(position) for position in asked] == [known[position] for position in asked]
            assert open_table(EIGHT, folder).distances(asked) == [known[position] for position in asked]
        except TableError as error:
            assert "damaged" in str(error) or "expected" in str(error)  # noqa: PT017
            refused += 1
    assert refused > 30
    with pytest.raises(TableError):
        verify(folder, load(EIGHT).model(), 10, False)


@pytest.mark.parametrize("name", NAMES)
def test_a_truncated_file_is_refused(name, eight, tmp_path):
    folder = copied(eight, tmp_path / "copy")
    data = (folder / name).read_bytes()
    for length in (0, 1, len(data) // 2, len(data) - 2):
        (folder / name).write_bytes(data[:length])
        with pytest.raises(TableError):
            open_table(EIGHT, folder)
    (folder / name).unlink()
    with pytest.raises(TableError):
        open_table(EIGHT, folder)


def test_damage_to_what_a_run_goes_on_from_is_refused(tmp_path):
    owner = load(EIGHT)
    questions.depths(owner, engine=saving(owner, tmp_path / "part", every=0), limits=Limits(positions=90_000))
    chance = random.Random(4)
    snapshot = next(path.name for path in (tmp_path / "part").iterdir() if path.name.startswith(save.SNAPSHOT))
    for name in ("progress.json", snapshot):
        data = (tmp_path / "part" / name).read_bytes()
        for _ in range(20):
            damaged = bytearray(data)
            at = chance.randrange(8 * len(data))
            damaged[at >> 3] ^= 1 << (at & 7)
            (tmp_path / "part" / name).write_bytes(damaged)
            with pytest.raises(TableError, match=r"damaged|expected"):
                saved_table(EIGHT, tmp_path / "part", resume=True)
        for length in (0, 1, len(data) // 2, len(data) - 2):
            (tmp_path / "part" / name).write_bytes(data[:length])
            with pytest.raises(TableError, match=r"damaged|expected"):
                saved_table(EIGHT, tmp_path / "part", resume=True)
        (tmp_path / "part" / name).write_bytes(data)
    assert saved_table(EIGHT, tmp_path / "part", resume=True).complete


class FullDisk:
    """Files that take so many bytes in all and then say that the disk is full."""

    def __init__(self, room):
        self.room = room

    def open(self, path, mode="r", **rest):
        file = builtins.open(path, mode, **rest)  # noqa: SIM115
        if "w" in mode:
            write = file.write

            class Limited:
                def write(limited, data):  # noqa: N805
                    self.room -= len(data)
                    if self.room < 0:
                        raise OSError(errno.ENOSPC, "No space left on device")
                    return write(data)

                def __enter__(limited):  # noqa: N805
                    return limited

                def __exit__(limited, *error):  # noqa: N805
                    file.close()

                def flush(limited):  # noqa: N805
                    file.flush()

                def fileno(limited):  # noqa: N805
                    return file.fileno()

            return Limited()
        return file


@pytest.mark.parametrize("room", [0, 500, 5_000, 60_000, 300_000, 1_000_000, 1_400_000])
def test_a_full_disk_is_said_and_the_run_goes_on_later(room, tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(files, "open", FullDisk(room).open, raising=False)
        with pytest.raises(TableError, match="No space left"):
            saved_table(EIGHT, tmp_path / "part", every=0)
    assert not list((tmp_path / "part").glob("*.tmp"))
    assert saved_table(EIGHT, tmp_path / "part", resume=True).complete
    assert open_table(EIGHT, tmp_path / "part").counts == questions.depths(load(EIGHT)).counts


def test_room_on_the_disk_is_looked_at_first(tmp_path, monkeypatch):
    monkeypatch.setattr(files.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    with pytest.raises(RoomError, match=r"181,440 positions need .* bytes on this disk, 1,000 are free"):
        saved_table(EIGHT, tmp_path / "table")


def test_a_second_writer_is_refused_and_a_stale_lock_is_not(tmp_path):
    folder = tmp_path / "table"
    folder.mkdir()
    with files.locked(folder), pytest.raises(TableError, match=f"another process .pid {os.getpid()}"):
        saved_table(EIGHT, folder)
    for name in ("lock", "holder"):
        (folder / name).write_text("999999\n")
    assert saved_table(EIGHT, folder).complete
    with pytest.raises(TableError, match="finished"):
        saved_table(EIGHT, folder)


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("dear reader")
    with pytest.raises(TableError, match=r"letter\.txt"):
        saved_table(EIGHT, tmp_path)
    with pytest.raises(TableError, match="no depth table"):
        open_table(EIGHT, tmp_path)
    (tmp_path / "manifest.json").write_text('{"checksum": 3}')
    with pytest.raises(TableError, match="damaged"):
        kept(tmp_path)
    files.write_json(tmp_path / "manifest.json", {"format": "x"})
    with pytest.raises(TableError, match="something else"):
        kept(tmp_path)


def test_another_numbering_is_refused(eight, tmp_path):
    folder = copied(eight, tmp_path / "copy")
    found = files.read_json(folder / "manifest.json")
    found["numbering"]["fingerprint"] = "0" * 16
    files.write_json(folder / "manifest.json", found)
    with pytest.raises(TableError, match="ranks the positions differently"):
        open_table(EIGHT, folder)


def test_verify_finds_depths_that_do_not_fit(eight, tmp_path):
    folder = copied(eight, tmp_path / "copy")
    data = bytearray((folder / "depths.bits").read_bytes())
    data[4096:4112] = bytes(16)
    found = files.read_json(folder / "manifest.json")
    sums = files.block_sums(data)
    found["data"]["sums"] = files.checksum(sums)
    (folder / "depths.bits").write_bytes(data)
    (folder / "depths.sums").write_bytes(sums)
    files.write_json(folder / "manifest.json", found)
    with pytest.raises(TableError, match="counts"):
        verify(folder, load(EIGHT).model(), 0, False)
