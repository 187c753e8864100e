"""Depth tables on disk: kept, gone on with, killed, damaged, asked. Held against the plain engine's distances."""

from __future__ import annotations

import builtins
import errno
import json
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from puzzlespace import api, load
from puzzlespace.cli import app
from puzzlespace.engines import room, slide_layers
from puzzlespace.errors import LimitError, TableError, UnsupportedError
from puzzlespace.result import Limits, Status, Watch, held_memory
from puzzlespace.saved import asking, kept, open_table, saving
from puzzlespace.tables import export, files, save
from puzzlespace.tables.verify import verify
from puzzlespace.terminal import guarded

EIGHT = "slide:3x3"
KINDS = [
    (EIGHT, ""),
    ("slide:2x4", "multi"),
    ("hexagram", ""),
    ("burnt:5", ""),
    ("pancake:7", ""),
    ("lights:3x2", ""),
    ("hanoi:4,4", ""),
    ("flip:4x4", ""),
]


@cache
def distances(spec, metric=""):
    """The distance of every position to the goals, by the obvious search."""
    model = load(spec).model(metric)
    layer = [goal.position for goal in model.goals]
    found = dict.fromkeys(layer, 0)
    while layer:
        following = []
        for position in layer:
            for child in model.moves(position):
                if child not in found:
                    found[child] = found[position] + 1
                    following.append(child)
        layer = following
    return found


def saved_table(spec, folder, metric="", **options):
    """Save the table of distances to the goal."""
    owner = load(spec)
    return api.depths(owner, origin="goal", metric=metric, engine=saving(owner, folder, **options))


@pytest.fixture(scope="module")
def eight(tmp_path_factory):
    """The folder of the table of the 8-puzzle."""
    folder = tmp_path_factory.mktemp("tables") / "eight"
    saved_table(EIGHT, folder)
    return folder


def copied(folder, target):
    """A copy of a folder, file by file."""
    target.mkdir()
    for path in folder.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    return target


@pytest.mark.parametrize(("spec", "metric"), KINDS)
def test_every_distance_and_all_best_moves(spec, metric, tmp_path):
    counted = saved_table(spec, tmp_path / "table", metric)
    known = distances(spec, metric)
    table = open_table(spec, tmp_path / "table", metric=metric)
    assert (
        counted.counts == table.counts == tuple(list(known.values()).count(d) for d in range(max(known.values()) + 1))
    )
    chance = random.Random(1)
    for position in chance.sample(sorted(known), min(300, len(known))):
        assert table.distance(position) == known[position]
        nearer = {p for p in table.model.moves(position) if known[p] == known[position] - 1}
        assert set(table.best(position)) == nearer
    drawn = chance.sample(sorted(known), min(300, len(known)))
    assert table.distances(drawn) == [known[position] for position in drawn]
    outside = bytes(reversed(drawn[0]))
    assert table.distances([outside, drawn[0]]) == [known.get(outside), known[drawn[0]]]
    assert verify(tmp_path / "table", table.model, 100, True)["states"] == len(known)


@pytest.mark.parametrize(("spec", "metric"), [(EIGHT, ""), ("slide:2x4", "multi"), ("burnt:5", ""), ("pancake:7", "")])
def test_the_export_has_every_depth_by_rank(spec, metric, tmp_path):
    saved_table(spec, tmp_path / "table", metric)
    known = distances(spec, metric)
    table = open_table(spec, tmp_path / "table", metric=metric)
    depths = export.depths_of(table)
    assert len(depths) == table.places.positions
    for position, depth in list(known.items())[::17]:
        assert depths[table.rank(position)] == depth
        assert table.position(table.rank(position)) == position
    assert (depths == export.UNREACHED).sum() == len(depths) - len(known)


def test_parquet_holds_one_column_of_depths(eight, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = open_table(EIGHT, eight)
    export.write_parquet(eight, table.model, tmp_path / "eight.parquet")
    file = parquet.ParquetFile(tmp_path / "eight.parquet")
    column = file.read()["depth"].to_pylist()
    assert file.schema_arrow.names == ["depth"]
    assert str(file.schema_arrow.field("depth").type) == "uint8"
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    assert [column.count(depth) for depth in range(len(table.counts))] == list(table.counts)


def test_lists_of_the_counts():
    assert list(export.csv_lines([1, 2, 4])) == ["depth,positions", "0,1", "1,2", "2,4"]
    assert list(export.b_lines([1, 2, 4])) == ["0 1", "1 2", "2 4"]


def test_the_questions_of_the_commands_are_answered_from_the_table(eight):
    owner = load("eight")
    engine = asking(owner, eight)
    searched = api.solve(owner, count=True, engine="bidirectional")
    answer = api.solve(owner, count=True, engine=engine)
    assert (answer.moves, answer.solutions, answer.status) == (searched.moves, searched.solutions, Status.OPTIMAL)
    start = api.with_start(owner, "1 2 3 / 4 5 6 / 7 . 8").start
    assert api.distance(owner, start, engine=engine).next == api.distance(owner, start).next
    assert api.depths(owner, engine=engine, classes=True).hardest == api.depths(owner, classes=True).hardest
    far = api.solve(api.with_start(owner, "2 1 3 / 4 5 6 / 7 8 ."), engine=engine)
    assert far.status is Status.IMPOSSIBLE


def test_other_questions_are_refused(eight):
    owner = load("eight")
    with pytest.raises(UnsupportedError, match="measure"):
        api.depths(owner, origin="start", engine=asking(owner, eight))
    other = api.with_goal(owner, "1 2 3 / 4 5 6 / 7 . 8")
    with pytest.raises(UnsupportedError, match="goal"):
        api.solve(api.with_start(other, "1 2 3 / 4 . 6 / 7 5 8"), engine=asking(other, eight))
    with pytest.raises(TableError, match="another puzzle"):
        open_table("slide:2x4", eight)
    with pytest.raises(TableError, match="--metric step"):
        open_table("eight", eight, metric="run")


def test_what_cannot_be_undone_is_not_kept(tmp_path):
    owner = load("star13")
    with pytest.raises(UnsupportedError, match="undone"):
        api.depths(owner, origin="start", engine=saving(owner, tmp_path / "table"))


@pytest.mark.parametrize("spec", [EIGHT, "burnt:5"])
def test_killed_at_random_moments_it_goes_on_to_the_same_bytes(spec):
    words = [sys.executable, str(Path(__file__).with_name("kills.py")), spec, "20", "5"]
    found = json.loads(subprocess.run(words, capture_output=True, text=True, check=True, timeout=300).stdout)
    assert found["kills"] >= 20
    assert found["finished"] == found["same"] > 0


def test_a_limit_leaves_a_folder_to_go_on_with(tmp_path):
    saved_table(EIGHT, tmp_path / "whole")
    owner = load(EIGHT)
    stopped = api.depths(owner, engine=saving(owner, tmp_path / "part", every=0), limits=Limits(positions=100_000))
    assert not stopped.complete
    assert any(path.name.startswith(save.SNAPSHOT) for path in (tmp_path / "part").iterdir())
    with pytest.raises(TableError, match="unfinished"):
        open_table(EIGHT, tmp_path / "part")
    with pytest.raises(TableError, match="--resume"):
        saved_table(EIGHT, tmp_path / "part")
    went_on = saved_table(EIGHT, tmp_path / "part", resume=True)
    assert went_on.counts == api.depths(owner).counts
    assert went_on.hardest == api.depths(owner).hardest
    assert sorted(path.name for path in (tmp_path / "part").iterdir()) == sorted([*NAMES, "lock"])
    for name in ("depths.bits", "depths.sums"):
        assert (tmp_path / "part" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


NAMES = ("manifest.json", "depths.bits", "depths.sums")


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
    api.depths(owner, engine=saving(owner, tmp_path / "part", every=0), limits=Limits(positions=90_000))
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

    def open(self, path, mode="r", *rest):
        file = builtins.open(path, mode, *rest)  # noqa: SIM115
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
    assert open_table(EIGHT, tmp_path / "part").counts == api.depths(load(EIGHT)).counts


def test_room_on_the_disk_is_looked_at_first(tmp_path, monkeypatch):
    monkeypatch.setattr(files.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    with pytest.raises(TableError, match="needed"):
        saved_table(EIGHT, tmp_path / "table")


def test_a_second_writer_is_refused_and_a_stale_lock_is_not(tmp_path):
    folder = tmp_path / "table"
    folder.mkdir()
    with files.locked(folder), pytest.raises(TableError, match="another process"):
        saved_table(EIGHT, folder)
    (folder / "lock").write_text("999999\n")
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
    with pytest.raises(TableError, match="numbers the positions otherwise"):
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


@pytest.mark.parametrize(("spec", "metric"), [("slide:2x5", ""), ("slide:3x3", "multi")])
def test_bits_live_in_a_file_where_memory_is_too_small_for_them(spec, metric, tmp_path, monkeypatch):
    owner = load(spec)
    whole = api.depths(owner, metric=metric, engine=saving(owner, tmp_path / "whole"))
    made = []
    monkeypatch.setattr(slide_layers, "fits", lambda watch, whole, bits: False)
    monkeypatch.setattr(
        slide_layers, "words_in_file", lambda shape, kind: made.append(shape) or room.words_in_file(shape, kind)
    )
    streamed = api.depths(owner, metric=metric, engine=saving(owner, tmp_path / "streamed"))
    assert len(made) >= 2
    assert (streamed.counts, streamed.hardest) == (whole.counts, whole.hardest)
    assert (tmp_path / "streamed" / "depths.bits").read_bytes() == (tmp_path / "whole" / "depths.bits").read_bytes()


def test_room_is_looked_for_in_memory_then_on_the_disk(monkeypatch):
    now = held_memory(0)
    assert room.fits(Watch(Limits(memory=now + (64 << 20))), 1 << 20, 1 << 10)
    watch = Watch(Limits(memory=now + (64 << 20)))
    assert not room.fits(watch, 512 << 20, 511 << 20)
    with pytest.raises(LimitError, match="more are needed"):
        room.fits(watch, 512 << 20, 1 << 20)
    monkeypatch.setattr(room.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    with pytest.raises(LimitError, match="more are needed"):
        room.fits(watch, 512 << 20, 511 << 20)


def test_pages_of_files_are_not_held():
    before = held_memory(0)
    words = room.words_in_file(1 << 22)
    words[:] = 1
    assert words.sum() == 1 << 22
    assert held_memory(0) < before + (16 << 20)


def test_too_little_memory_is_said(tmp_path):
    owner = load(EIGHT)
    answer = api.depths(owner, engine=saving(owner, tmp_path / "table"), limits=Limits(memory=1000))
    assert isinstance(answer.stopped, LimitError)
    assert answer.stopped.kind == "memory"


def command(*words):
    """Run a command line in this process; return its exit code."""
    return guarded(lambda: app(list(map(str, words)), standalone_mode=False))


def test_the_commands_of_the_documents(tmp_path, capsys):
    folder = tmp_path / "table"
    assert command("depths", "eight", "--save", folder, "-q") == 0
    assert command("depths", "eight", "--save", folder, "--resume", "-q") == 30
    assert "finished" in capsys.readouterr().err
    assert command("table", "info", folder, "--json") == 0
    assert json.loads(capsys.readouterr().out)["states"] == 181_440
    assert command("table", "verify", folder, "--full", "--sample", "50") == 0
    assert "every position is the same" in capsys.readouterr().out
    assert command("distance", "eight", "1 2 3 / 4 5 6 / 7 . 8", "--table", folder) == 0
    assert "1 moves" in capsys.readouterr().out
    assert command("solve", "eight", "--table", folder, "--json") == 0
    assert json.loads(capsys.readouterr().out)["engine"] == "table"
    assert command("hardest", "eight", "--table", folder, "--solution") == 0
    assert command("depths", "eight", "--table", folder, "--oeis") == 0
    assert (
        command("table", "export", folder, "--csv", tmp_path / "e.csv", "--b-file", tmp_path / "e.txt", "--oeis") == 0
    )
    assert (tmp_path / "e.txt").read_text().splitlines()[1] == "1 2"
    assert (tmp_path / "e.csv").read_text().splitlines()[-1] == "31,2"
    capsys.readouterr()
    assert command("table", "export", folder) == 30
    assert command("depths", "eight", "--resume") == 30
    assert command("solve", "goat", "--table", folder) == 30
    assert "another puzzle" in capsys.readouterr().err
