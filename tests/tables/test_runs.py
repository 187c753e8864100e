"""Layers of the frontier engine as runs: on disk where memory is small, kept, asked, killed, damaged, disk full."""

from __future__ import annotations

import builtins
import errno
import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kept import command, copied
from places import SUPPORT
from puzzlespace import load
from puzzlespace.api import measuring, questions
from puzzlespace.api.saved import asking, open_table, saving
from puzzlespace.contract.answers import Status
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import frontier, plain
from puzzlespace.engines.packed import hashed_layers
from puzzlespace.engines.packed.front import Front
from puzzlespace.errors import InputError, LimitError, TableError, UnsupportedError
from puzzlespace.kernels.packed.runs import decode, decode1
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.search import merge, runs
from puzzlespace.search.ends import End
from puzzlespace.search.merge import LEAST_AT_ONCE, MOST_AT_ONCE
from puzzlespace.storage import files
from puzzlespace.tables.kinds import verify

KINDS = [
    ("dads", "", "goal"),
    ("rush60", "", "goal"),
    ("star13", "", "goal"),
    ("star13", "step", "start"),
    ("slide:2x3", "multi", "goal"),
    ("peg:triangle15", "chain", "start"),
]
"""One word and two; moves that can be undone and that cannot; to the goal and from the start."""


FEW = Thresholds({LEAST_AT_ONCE: 600, MOST_AT_ONCE: 600})
"""Only a few hundred positions are handled at once."""


def runs_of(spec, folder, metric="", origin="goal", thresholds=USUAL, **options):
    """Save the layers of a puzzle."""
    owner = load(spec)
    engine = saving(owner, folder, engine="frontier", metric=metric, **options)

    def tuned(question, watch):
        watch.thresholds = thresholds
        return engine.depths(question, watch)

    return questions.depths(owner, origin=origin, metric=metric, engine=replace(engine, depths=tuned))


def depths_of(table):
    """The depth of every position, by the obvious search on the model that was counted."""
    found = dict.fromkeys(table.sources, 0)
    layer = list(table.sources)
    while layer:
        following = []
        for position in layer:
            for child in table.counted.moves(position):
                if child not in found:
                    found[child] = found[position] + 1
                    following.append(child)
        layer = following
    return found


@pytest.fixture(scope="module")
def star(tmp_path_factory):
    """The folder of the star's layers, to the goal: moves cannot be undone."""
    folder = tmp_path_factory.mktemp("runs") / "star"
    runs_of("star13", folder)
    return folder


def no_memory_from(depth, monkeypatch):
    """Let the memory be too small for layers from some depth on."""
    grow = End.grow

    def limited(end, watch, bound=0):
        if end.depth >= depth and isinstance(end.encoding, Front):
            raise LimitError("memory", "as if it were too small")
        grow(end, watch, bound)

    monkeypatch.setattr(End, "grow", limited)


def names_and_bytes(folder):
    """The files of a table but those that say when it was made."""
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name not in ("manifest.json", "lock", "holder")}


def test_the_loops_pass_uncompiled():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    chosen = "hold_any or (from_disk and star13 and 4)"
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        str(Path(__file__)),
        "-k",
        chosen,
    ]
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@given(st.integers(1, 3), st.lists(st.integers(0, 2**192 - 1), max_size=60), st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_runs_hold_any_positions(tmp_path_factory, words, numbers, cut):
    numbers = sorted({n >> (192 - 64 * words) for n in numbers} | {0, 2 ** (64 * words) - 1, 5, 6})
    rows = np.array([[n >> 64 * w & (2**64 - 1) for w in reversed(range(words))] for n in numbers], np.uint64)
    order = np.random.default_rng(1).permutation(len(rows))
    with np.errstate(over="ignore"):
        assert (runs.in_order(rows[order]) == rows).all()
    path = tmp_path_factory.getbasetemp() / "any.run"
    writer = runs.Writer(path, words)
    for part in (rows[:cut], rows[cut:]):
        writer.append(part)
    run = writer.finish()
    again = runs.opened(path, words, run.size, run.sums)
    assert run.bytes == path.stat().st_size
    assert (again.rows(0, len(again.index)) == rows).all()
    assert again.listed(0) == numbers[: runs.BLOCK]
    reader = runs.Reader(again)
    middle = rows[len(rows) // 2 :][:1]
    assert np.concatenate([reader.below(middle), reader.below(None)]).tolist() == rows.tolist()


@pytest.mark.parametrize(("data", "fits"), [([5], True), ([133], False), ([5, 5], False), ([133] * 30, False)])
def test_bytes_that_do_not_end_where_their_block_ends_are_refused(data, fits):
    out, gap = np.zeros((2, 2), np.uint64), np.zeros(2, np.uint64)
    written, ends = np.array(data, np.uint8), np.array([len(data)])
    with np.errstate(over="ignore"):
        assert decode(written, ends, runs.BLOCK, gap, out) == fits
        assert decode1(written, ends, runs.BLOCK, np.zeros(2, np.uint64)) == fits


@pytest.mark.parametrize("at_once", [1, 1500, runs.RUN_ENCODED.usual])
def test_blocks_of_a_long_run(tmp_path, at_once):
    rows = (np.arange(5000, dtype=np.uint64) ** np.uint64(3))[:, None]
    writer = runs.Writer(tmp_path / "long.run", 1, at_once=at_once)
    for first in range(0, 5000, 700):
        writer.append(rows[first : first + 700])
    run = writer.finish()
    whole = runs.Writer(tmp_path / "whole.run", 1)
    whole.append(rows)
    assert whole.finish().path.read_bytes() == run.path.read_bytes()
    assert len(run.index) == -(-5000 // runs.BLOCK)
    assert np.concatenate(list(run.pieces(1000))).tolist() == rows.tolist()
    assert run.listed(3) == rows[3 * runs.BLOCK : 4 * runs.BLOCK, 0].tolist()


@pytest.mark.parametrize(("spec", "metric"), [("dads", ""), ("rush60", ""), ("star13", "step"), ("slide:3x2", "")])
@pytest.mark.parametrize("depth", [0, 4])
def test_counts_from_disk_are_the_same(spec, metric, depth, monkeypatch):
    model = load(spec).model(metric)
    question = Depths(model, (model.start or model.goals[0].position,), 50, model.goals)
    expected = plain.depths(question, Watch())
    no_memory_from(depth, monkeypatch)
    for switch in (None, 0):
        found = frontier.count_layers(question, Watch(thresholds=FEW), switch)
        assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.deepest, True)
        assert sorted(found.collected) == sorted(expected.collected)


def test_too_little_memory_goes_on_from_disk_and_holds_it(monkeypatch):
    monkeypatch.setattr(hashed_layers, "processors", lambda: 2)
    model = load("burnt:7").model()
    question = Depths(model, (model.goals[0].position,))
    counts = frontier.depths(question, Watch()).counts
    no_memory_from(4, monkeypatch)
    for _ in range(3):
        frontier.depths(question, Watch())  # loads the loops; and the allocator keeps what such a count takes
    left, watch = [], Watch(Limits(memory=16 << 20))
    monkeypatch.setattr(merge.Store, "need", lambda store, wanted: left.append(watch.memory_left()))
    assert frontier.depths(question, watch).counts == counts
    assert left
    assert min(left) > 0


def test_a_disk_too_small_for_the_next_layer_is_said(monkeypatch):
    monkeypatch.setattr(merge.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    no_memory_from(3, monkeypatch)
    model = load("dads").model()
    found = frontier.count_layers(Depths(model, (model.start,)), Watch(), None)
    assert isinstance(found.stopped, LimitError)
    assert "on the disk" in str(found.stopped)
    assert len(found.counts) == 4
    assert len(found.deepest) == min(20, found.counts[-1])


@pytest.mark.parametrize(("spec", "metric", "origin"), KINDS)
def test_every_distance_and_all_best_moves(spec, metric, origin, tmp_path):
    folder = tmp_path / "table"
    counted = runs_of(spec, folder, metric, origin)
    table = open_table(spec, folder, metric=metric)
    known = depths_of(table)
    assert counted.counts == table.counts == tuple(np.bincount(list(known.values())))
    drawn = random.Random(1).sample(sorted(known), min(200, len(known)))
    assert [table.distance(position) for position in drawn] == [known[position] for position in drawn]
    outside = bytes(reversed(drawn[0]))
    assert table.distances([*drawn, outside, b"\xff"]) == [*(known.get(each) for each in (*drawn, outside)), None]
    for position in drawn:
        if table.onward:
            with pytest.raises(UnsupportedError, match="from its sources"):
                table.best(position)
        else:
            nearer = {p for p in table.model.moves(position) if known.get(p) == known[position] - 1}
            assert set(table.best(position)) == (nearer if known[position] else set())
    assert verify(folder, table.model, 100, True)["states"] == len(known)


@pytest.mark.parametrize(("spec", "metric"), [("star13", ""), ("rush60", "")])
def test_stopped_anywhere_it_goes_on_to_the_same_bytes(spec, metric, tmp_path, monkeypatch):
    runs_of(spec, tmp_path / "whole", metric, thresholds=FEW)
    wanted = names_and_bytes(tmp_path / "whole")
    counts = open_table(spec, tmp_path / "whole", metric=metric).counts
    chance = random.Random(2)
    for depth in sorted(chance.sample(range(1, len(counts)), 3)):
        folder = tmp_path / f"stopped-{depth}"
        with monkeypatch.context() as patched:
            grow = End.grow

            def stopping(end, watch, bound=0, depth=depth, grow=grow):
                if end.depth == depth:
                    raise LimitError("seconds", "as if the time were up")
                grow(end, watch, bound)

            sources = open_table(spec, tmp_path / "whole", metric=metric).sources
            patched.setattr(measuring, "_goal_sources", lambda *rest, sources=sources: (sources, None))
            patched.setattr(End, "grow", stopping)
            assert not runs_of(spec, folder, metric, thresholds=FEW).complete
        with pytest.raises(TableError, match="unfinished"):
            open_table(spec, folder, metric=metric)
        with monkeypatch.context() as patched:
            if depth % 2:
                no_memory_from(0, patched)
            assert runs_of(spec, folder, metric, thresholds=FEW, resume=True).counts == counts
        assert names_and_bytes(folder) == wanted


def test_an_interruption_leaves_a_folder_to_go_on_with(star, tmp_path, monkeypatch):
    folder = tmp_path / "part"
    with monkeypatch.context() as patched:
        grow = End.grow

        def interrupted(end, watch, bound=0):
            if end.depth == 4:
                raise KeyboardInterrupt
            grow(end, watch, bound)

        patched.setattr(End, "grow", interrupted)
        with pytest.raises(KeyboardInterrupt):
            runs_of("star13", folder)
    assert len(json.loads((folder / "progress.json").read_text())["layers"]) == 5
    runs_of("star13", folder, resume=True)
    assert names_and_bytes(folder) == names_and_bytes(star)


@pytest.mark.parametrize("words", [("star13", "12", "3", "frontier"), ("star13", "8", "4", "disk")])
def test_killed_at_random_moments_it_goes_on_to_the_same_bytes(words):
    script = [sys.executable, str(SUPPORT / "kills.py"), *words]
    found = json.loads(subprocess.run(script, capture_output=True, text=True, check=True, timeout=300).stdout)
    assert found["kills"] >= int(words[1])
    assert found["finished"] == found["same"] > 0


def test_a_flipped_bit_or_a_cut_is_refused_or_harmless(star, tmp_path):
    folder = copied(star, tmp_path / "copy")
    model = load("star13").model()
    known = depths_of(open_table("star13", star))
    asked = random.Random(3).sample(sorted(known), 30)
    chance = random.Random(4)
    refused = 0
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        for turn in range(24 if path.name != "lock" else 0):
            damaged = bytearray(data)
            at = chance.randrange(8 * len(data))
            damaged[at >> 3] ^= 1 << (at & 7)
            path.write_bytes(damaged if turn < 20 else data[: (0, 1, len(data) // 2, len(data) - 2)[turn - 20]])
            try:
                table = open_table("star13", folder)
                assert [table.distance(position) for position in asked] == [known[position] for position in asked]
                table = open_table("star13", folder)
                assert table.distances(asked * 2) == [known[position] for position in asked * 2]
            except TableError as error:
                assert "damaged" in str(error) or "expected" in str(error)  # noqa: PT017
                refused += 1
            with pytest.raises(TableError):
                verify(folder, model, 10, False)
        path.write_bytes(data)
    assert refused > 150
    assert verify(folder, model, 10, False)["states"] == len(known)


def test_damage_to_what_a_run_goes_on_from_is_refused(tmp_path):
    owner = load("star13")
    folder = tmp_path / "part"
    engine = saving(owner, folder, every=0)
    assert not questions.depths(owner, origin="goal", engine=engine, limits=Limits(positions=3000)).complete
    named = json.loads((folder / "progress.json").read_text())["counts"]
    chance = random.Random(5)
    for name in ("progress.json", *(f"layer-{depth:05}.run" for depth in range(len(named)))):
        data = (folder / name).read_bytes()
        for turn in range(8):
            damaged = bytearray(data)
            at = chance.randrange(8 * len(data))
            damaged[at >> 3] ^= 1 << (at & 7)
            (folder / name).write_bytes(damaged if turn else data[:-2])
            with pytest.raises(TableError, match=r"damaged|expected"):
                runs_of("star13", folder, resume=True)
        (folder / name).write_bytes(data)
    assert runs_of("star13", folder, resume=True).complete


class FullDisk:
    """Files that take so many bytes in all and then say that the disk is full."""

    def __init__(self, room):
        self.room = room

    def open(self, path, mode="r", *rest):
        file = builtins.open(path, mode, *rest)  # noqa: SIM115
        return Limited(self, file) if "w" in mode else file


class Limited:
    """A file of a disk that may be full."""

    def __init__(self, disk, file):
        self.disk, self.file = disk, file
        self.flush, self.fileno, self.close = file.flush, file.fileno, file.close

    def write(self, data):
        self.disk.room -= len(data)
        if self.disk.room < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.file.write(data)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.file.close()


@pytest.mark.parametrize("disk", [False, True], ids=["memory", "disk"])
@pytest.mark.parametrize("room", [0, 700, 3_000, 9_000, 12_000])
def test_a_full_disk_is_said_and_the_run_goes_on_later(room, disk, star, tmp_path, monkeypatch):
    folder = tmp_path / "part"
    with monkeypatch.context() as patched:
        full = FullDisk(room)
        patched.setattr(files, "open", full.open, raising=False)
        patched.setattr(runs, "open", full.open, raising=False)
        if disk:
            no_memory_from(1, patched)
        with pytest.raises(TableError, match="No space left"):
            runs_of("star13", folder, thresholds=FEW, every=0)
    assert not list(folder.glob("*.tmp"))
    assert runs_of("star13", folder, thresholds=FEW, resume=True).complete
    assert names_and_bytes(folder) == names_and_bytes(star)


def test_room_on_the_disk_is_looked_at_first(tmp_path, monkeypatch):
    monkeypatch.setattr(files.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    with pytest.raises(TableError, match="needed"):
        runs_of("star13", tmp_path / "table")


def test_a_second_writer_and_a_finished_table_are_refused(star, tmp_path):
    (tmp_path / "table").mkdir()
    with files.locked(tmp_path / "table"), pytest.raises(TableError, match="another process"):
        runs_of("star13", tmp_path / "table")
    with pytest.raises(TableError, match="finished"):
        runs_of("star13", star)


def test_an_unfinished_table_of_the_other_kind_is_refused(tmp_path):
    owner = load("slide:2x3")
    for first, second in (("table", "frontier"), ("frontier", "table")):
        folder = tmp_path / first
        engine = saving(owner, folder, every=0, engine=first)
        assert not questions.depths(owner, engine=engine, limits=Limits(positions=200)).complete
        with pytest.raises(TableError):
            questions.depths(owner, engine=saving(owner, folder, resume=True, engine=second))
        assert questions.depths(owner, engine=saving(owner, folder, resume=True)).complete
    with pytest.raises(InputError, match="gliders or table"):
        saving(owner, tmp_path / "other", engine="plain")


def test_questions_of_the_commands_are_answered_from_the_runs(tmp_path):
    owner = load("dads")
    runs_of("dads", tmp_path / "table")
    engine = asking(owner, tmp_path / "table")
    searched = questions.solve(owner, count=True, engine="bidirectional")
    answer = questions.solve(owner, count=True, engine=engine)
    assert (answer.moves, answer.solutions, answer.status) == (searched.moves, searched.solutions, Status.OPTIMAL)
    assert questions.distance(owner, owner.start, engine=engine).next == questions.distance(owner, owner.start).next
    assert questions.depths(owner, engine=engine, classes=True).hardest == questions.depths(owner, classes=True).hardest
    with pytest.raises(UnsupportedError, match="measure"):
        questions.depths(owner, origin="start", engine=engine)
    with pytest.raises(TableError, match="another puzzle"):
        open_table("century", tmp_path / "table")


def test_one_way_tables_solve_to_the_goal_and_no_other_way(star, tmp_path):
    owner = load("star13")
    assert questions.solve(owner, engine=asking(owner, star)).moves == questions.solve(owner).moves
    runs_of("star13", tmp_path / "start", origin="start")
    table = asking(owner, tmp_path / "start")
    assert (
        questions.depths(owner, origin="start", engine=table).counts == questions.depths(owner, origin="start").counts
    )
    with pytest.raises(UnsupportedError, match="measure"):
        questions.solve(owner, engine=table)
    with pytest.raises(UnsupportedError, match="another puzzle"):
        questions.depths(owner, origin="goal", engine=table)


def test_verify_finds_layers_that_do_not_fit(star, tmp_path):
    folder = copied(star, tmp_path / "copy")
    found = files.read_json(folder / "manifest.json")
    layers = [(folder / f"layer-{depth:05}.run").read_bytes() for depth in (2, 3)]
    for depth, other in ((2, 1), (3, 0)):
        (folder / f"layer-{depth:05}.run").write_bytes(layers[other])
    for key in ("layers", "counts"):
        found[key][2], found[key][3] = found[key][3], found[key][2]
    files.write_json(folder / "manifest.json", found)
    with pytest.raises(TableError, match="depth"):
        verify(folder, load("star13").model(), 100, False)
    with pytest.raises(TableError, match="counted again"):
        verify(folder, load("star13").model(), 0, True)


def test_parquet_holds_every_position_with_its_depth(star, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert command("table", "export", star, "--parquet", tmp_path / "star.parquet") == 0
    rows = parquet.read_table(tmp_path / "star.parquet").to_pydict()
    assert dict(zip(rows["position"], rows["depth"], strict=True)) == depths_of(open_table("star13", star))


def test_the_commands_of_the_documents(tmp_path, capsys):
    folder = tmp_path / "table"
    assert command("depths", "dads", "--engine", "frontier", "--save", folder, "-q") == 0
    assert command("depths", "dads", "--engine", "plain", "--save", folder, "-q") == 30
    assert command("table", "info", folder, "--json") == 0
    shown = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (shown["kind"], shown["states"]) == ("runs", sum(shown["counts"]))
    assert command("table", "verify", folder, "--full", "--sample", "50") == 0
    assert "every position is the same" in capsys.readouterr().out
    assert command("solve", "dads", "--table", folder, "--json") == 0
    assert json.loads(capsys.readouterr().out)["engine"] == "frontier"
    assert command("depths", "dads", "--table", folder, "--oeis") == 0
    assert command("hardest", "dads", "--table", folder, "--solution") == 0
    assert command("table", "export", folder, "--csv", tmp_path / "dads.csv") == 0
    assert (tmp_path / "dads.csv").read_text().startswith("depth,positions\n0,")
    assert os.listdir(folder)
