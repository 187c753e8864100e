"""Counts on a cluster are held against one process: counts, hardest positions, and the bytes of saved tables."""

import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import get_ident
from time import sleep

import numpy as np
import pytest
from hypothesis import given, settings

import random_models
from commands import run
from places import ROOT
from puzzlespace.api import batches, certification, clusters, peg_survey, questions, spread
from puzzlespace.api.saved import saving
from puzzlespace.cluster import copies, count, jobs, places, workers
from puzzlespace.cluster.pieces import KINDS, Patch, PieceFile, files_of, lines_of, write_piece
from puzzlespace.cluster.tasks import answer
from puzzlespace.cluster.workers import LostError, of_executor
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.engines.table.slide.counting import SLIDE_BLOCK
from puzzlespace.errors import InputError, LimitError, RoomError, TableError, UnsupportedError
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.storage import files
from puzzlespace.storage.files import write_json
from puzzlespace.tables.save import Saving
from small_models import small_models

SMALL = Thresholds({SLIDE_BLOCK: 2})
MANIFESTS = {"manifest.json", "lock"}


@pytest.fixture(scope="module")
def pool():
    with ThreadPoolExecutor(2) as executor:
        yield executor


def counting(folder, pool, model=None, **options):
    """How a small count is done: tiny pieces, few partitions, a manifest after each layer."""
    run = partial(answer, version="", model_of=lambda name, text, metric: model) if model else clusters.work
    saved = Saving(folder, options.pop("resume", False), program="" if model else clusters.PROGRAM, every=0)
    given = {"piece": 8, "partitions": 4, "memory": 1 << 24, "small": 0} | options
    return count.Counting(saved, given.pop("where", pool), given.pop("work", run), **given)


def held_against_plain(model, folder, pool, **options):
    """The cluster and the plain engine give the same layers."""
    question = Depths(model, (model.start,))
    expected = plain.depths(question, Watch())
    found = count.depths(question, Watch(thresholds=SMALL), counting(folder, pool, model, **options))
    assert (found.counts, found.deepest[:20], found.complete) == (expected.counts, expected.deepest, True)
    return found


def tiles():
    """The 2x3 puzzle, measured from its goal."""
    model = questions.load("slide:2x3").model()
    return replace(model, start=model.anchor)


@pytest.mark.parametrize("seed", range(6))
def test_random_slides_and_listed_moves(seed, tmp_path, pool):
    model = random_models.model(seed, 6)
    held_against_plain(model, tmp_path / "runs", pool, engine="frontier", keep=seed % 2 == 0)
    held_against_plain(model, tmp_path / "auto", pool)
    held_against_plain(model, tmp_path / "here", pool, small=1 << 20)


@pytest.mark.parametrize("seed", range(3))
def test_random_slides_with_patches(seed, tmp_path, pool, monkeypatch):
    written = []
    write = Patch.write
    monkeypatch.setattr(Patch, "write", lambda *given: written.append(1) or write(*given))
    monkeypatch.setattr(copies, "PATCHED", 1)
    monkeypatch.setattr(copies, "SPARSE", 1)
    model = random_models.slides(random.Random(seed), 6) if seed else tiles()
    held_against_plain(model, tmp_path / "roomy", pool, engine="auto")
    held_against_plain(model, tmp_path / "counts", pool, engine="auto", keep=False)
    held_against_plain(model, tmp_path / "small", pool, engine="auto", memory=1000)
    assert written or seed


@given(small_models())
@settings(max_examples=6, deadline=None)
def test_random_models_with_moves_that_cannot_be_undone(tmp_path_factory, pool, drawn):
    held_against_plain(drawn[0], tmp_path_factory.mktemp("count"), pool, keep=False)


@pytest.mark.parametrize(("metric", "engine"), [("", "auto"), ("multi", "auto"), ("", "frontier")])
def test_the_saved_table_has_the_bytes_of_one_process(metric, engine, tmp_path, pool, monkeypatch):
    monkeypatch.setattr(copies, "PATCHED", 2)
    monkeypatch.setattr(copies, "SPARSE", 2)
    puzzle = questions.load("slide:2x3")
    alone = saving(puzzle, tmp_path / "alone", engine=engine, metric=metric)
    options = {"piece": 64, "metric": metric, "engine": engine, "small": 0, "every": 0}
    options["memory"] = 1000  # pieces are dropped, and read again
    spread = clusters.counting(puzzle, pool, tmp_path / "spread", **options)
    one, other = (questions.depths(puzzle, engine=each, metric=metric, cache="off") for each in (alone, spread))
    assert (one.counts, one.hardest, one.measured) == (other.counts, other.hardest, other.measured)
    names = {path.name for path in (tmp_path / "alone").iterdir()}
    assert names == {path.name for path in (tmp_path / "spread").iterdir()}
    for name in names - MANIFESTS:
        assert (tmp_path / "alone" / name).read_bytes() == (tmp_path / "spread" / name).read_bytes(), name


@pytest.fixture(scope="module")
def client():
    distributed = workers._distributed()
    given = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
    with distributed.LocalCluster(**given) as cluster, distributed.Client(cluster) as found:
        yield found


class Faulty:
    """Runs tasks as a bad cluster does: twice, with errors, and with answers that never come."""

    def __init__(self, run, every, calls):
        self.run, self.every, self.calls = run, every, calls

    def __call__(self, message):
        with open(self.calls, "ab") as file:
            file.write(b".")
        number = self.calls.stat().st_size
        if number % self.every == 0:
            raise TableError("no space left on device")
        if number % self.every == 1:
            self.run(message)  # a first execution, whose answer is lost
        return self.run(message)


@pytest.mark.parametrize("engine", ["table", "frontier"])
def test_tasks_that_run_twice_or_fail_do_not_change_the_count(engine, tmp_path, client):
    model = tiles()
    good = counting(tmp_path, client, model)
    bad = Faulty(good.work, 9, tmp_path / "calls")
    held_against_plain(model, tmp_path / "count", client, engine=engine, work=bad)
    assert bad.calls.stat().st_size > 9


def test_a_task_that_always_fails_stops_the_count(tmp_path, client):
    model = tiles()
    question = Depths(model, (model.start,))
    bad = Faulty(None, 1, tmp_path / "calls")
    with pytest.raises(TableError, match="no space left on device"):
        count.depths(question, Watch(), counting(tmp_path / "count", client, model, work=bad))
    assert bad.calls.stat().st_size == 1 + workers.RETRIES


@pytest.mark.parametrize("engine", ["table", "frontier"])
@pytest.mark.parametrize("harm", ["stop", "damage"])
def test_a_stopped_count_is_resumed_and_a_damaged_piece_is_counted_again(engine, harm, tmp_path, pool):
    model = tiles()
    question = Depths(model, (model.start,))
    folder = tmp_path / "count"
    stopped = count.depths(
        question, Watch(Limits(positions=200), thresholds=SMALL), counting(folder, pool, model, engine=engine)
    )
    assert stopped.stopped is not None
    assert 0 < len(stopped.counts) < 22
    with pytest.raises(TableError, match="continue it with resume=True"):
        count.depths(question, Watch(), counting(folder, pool, model, engine=engine))
    if harm == "damage":
        jobs.closed(str((folder / count.FILES).resolve()))
        note = json.loads((folder / count.NOTE).read_text())["state"]
        line = (
            files_of(next(iter(note["pieces"].values())), "known")[0]
            if engine == "table"
            else next(iter(note["layers"][str(len(stopped.counts) - 1)].values()))
        )
        path = folder / count.FILES / line[0]
        data = bytearray(path.read_bytes())
        data[0] ^= 1
        path.write_bytes(data)
    found = held_against_plain(model, folder, pool, engine=engine, resume=True)
    assert found.counts[: len(stopped.counts)] == stopped.counts
    assert {path.name for path in folder.iterdir()} <= {"manifest.json", "lock", "depths.bits", "depths.sums"} | {
        f"layer-{depth:05}.run" for depth in range(len(found.counts))
    }


class Told:
    """A report that collects what is said."""

    def __init__(self):
        self.words = []

    def say(self, words):
        self.words.append(words)

    def __call__(self, progress):
        pass


def harm(files, note, chance):
    """Damage one file of pieces that a manifest names: a byte, the length, or all of it; return its kind."""
    state = note["state"]
    lines = [(kind, each) for entry in state["pieces"].values() for kind in KINDS for each in lines_of(entry, [kind])]
    lines += [("older", each) for entry in state["older"].values() for each in lines_of(entry)]
    kind, line = chance.choice(lines)
    path = files / line[0]
    data = bytearray(path.read_bytes())
    how = chance.choice(("byte", "byte", "byte", "short", "gone"))
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data if how == "byte" else data[: len(data) // 2])
    if how == "gone":
        path.unlink()
    return kind


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_piece_is_rebuilt_from_those_around_it(seed, tmp_path, pool, monkeypatch):
    monkeypatch.setattr(copies, "PATCHED", 1 + 99 * (seed % 2))
    monkeypatch.setattr(copies, "SPARSE", 1 + seed % 3)
    monkeypatch.setattr(places, "WAITS", ())
    chance = random.Random(seed)
    model = tiles() if seed < 3 else random_models.slides(chance, 6)
    question = Depths(model, (model.start,))
    alone = held_against_plain(model, tmp_path / "alone", pool, engine="auto")
    for turn in range(2):
        folder, told = tmp_path / str(turn), Told()
        limits = Limits(positions=chance.randrange(1, max(2, sum(alone.counts) - 1)))
        stopped = count.depths(question, Watch(limits, thresholds=SMALL), counting(folder, pool, model))
        note = json.loads((folder / count.NOTE).read_text()) if stopped.stopped else {"state": {}}
        if "pieces" in note["state"]:
            jobs.closed(str((folder / count.FILES).resolve()))
            kind = harm(folder / count.FILES, note, chance)
            watch = Watch(report=told, thresholds=SMALL)
            found = count.depths(question, watch, counting(folder, pool, model, resume=True))
            assert (found.counts, found.deepest) == (alone.counts, alone.deepest)
            if kind in note["state"]["shape"]["mended"]:
                assert "rebuilt from the pieces around it" in told.words[0]
            else:
                assert "the last" in told.words[0] or "counted again" in told.words[0]
            for path in (tmp_path / "alone").iterdir():
                if path.name not in MANIFESTS:
                    assert path.read_bytes() == (folder / path.name).read_bytes(), path.name


def test_a_file_that_only_the_last_layer_needs_is_missed_only_there(tmp_path, pool):
    model, told = tiles(), Told()
    question = Depths(model, (model.start,))
    stopped = count.depths(question, Watch(Limits(positions=359), thresholds=SMALL), counting(tmp_path, pool, model))
    assert (sum(stopped.counts), stopped.complete) == (360, False)
    jobs.closed(str((tmp_path / count.FILES).resolve()))
    for entry in json.loads((tmp_path / count.NOTE).read_text())["state"]["older"].values():
        path = tmp_path / count.FILES / entry["known"][0][0]
        path.write_bytes(b"?" * path.stat().st_size)
    watch = Watch(report=told, thresholds=SMALL)
    found = count.depths(question, watch, counting(tmp_path, pool, model, resume=True))
    expected = plain.depths(question, Watch())
    assert (found.counts, found.deepest) == (expected.counts, expected.deepest)
    assert [words.split("; ")[-1] for words in told.words] == [
        "it is needed only if this layer is the last", "all layers are counted again",
    ]  # fmt: skip


def test_a_damaged_piece_stops_a_running_count(tmp_path):
    place = places.Storage(str(tmp_path))
    sizes, flags = np.array([3, 2]), np.zeros(2, np.uint8)
    words = np.arange(5, dtype=np.uint64)
    line = write_piece(place, "piece", words, sizes, flags)
    read = np.empty(5, np.uint64)
    PieceFile(place, line, sizes).fill(1, 2, read[3:])
    assert list(read[3:]) == [3, 4]
    path = tmp_path / line[0]
    path.write_bytes(path.read_bytes()[:30] + b"!" + path.read_bytes()[31:])
    PieceFile(place, line, sizes).fill(0, 1, read[:3])
    assert list(read[:3]) == [0, 1, 2]
    with pytest.raises(TableError, match="does not match its checksum"):
        PieceFile(place, line, sizes).fill(1, 2, read[3:])


def test_files_are_waited_for_and_then_missed(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "WAITS", (0.01, 0.01))
    place = places.Storage(str(tmp_path))
    with pytest.raises(TableError, match="is missing"):
        place.read("none", 0, 4)
    (tmp_path / "short").write_bytes(b"ab")
    with pytest.raises(TableError, match="expected 4 bytes, found 2"):
        place.read("short", 0, 4)


@pytest.mark.parametrize("url", ["memory://count", "folder"])
def test_files_are_written_read_and_deleted(url, tmp_path):
    place = places.Storage(url if "://" in url else str(tmp_path / url))
    place.create()
    line = place.put("stem", b"abcdef")
    assert place.names() == line[:1]
    assert (place.read(line[0], 2, 3), place.get(line)) == (b"cde", b"abcdef")
    with pytest.raises(TableError, match="its checksum does not match"):
        place.get([*line[:2], line[2] ^ 1])
    place.flush({line[0]})
    place.fetch(line[0], tmp_path / "fetched")
    assert (tmp_path / "fetched").read_bytes() == b"abcdef"
    place.delete([line[0], "other"])
    assert place.names() == []
    place.remove()


def test_an_unknown_store_is_refused():
    with pytest.raises(UnsupportedError, match="nowhere://count: Protocol not known"):
        places.Storage("nowhere://count")


@pytest.mark.parametrize("engine", ["table", "frontier"])
def test_a_count_whose_files_are_in_an_object_store(engine, tmp_path, pool):
    model = tiles()
    held_against_plain(model, tmp_path, pool, engine=engine, storage=f"memory://{engine}")


def test_answers_come_from_any_executor_and_stop_with_a_limit():
    def stop():
        raise LimitError("seconds", "it is late")

    with ThreadPoolExecutor(2) as executor:
        hired = of_executor(executor, 2, 1 << 20)
        found = dict(hired.answers(lambda text: {"text": text}, [str(n) for n in range(20)], lambda: None))
        assert found == {n: {"text": str(n)} for n in range(20)}
        with pytest.raises(LimitError, match="it is late"):
            list(hired.answers(lambda text: {"text": text}, ["a", "b"], stop))
        with pytest.raises(LostError, match="a task was lost: OSError: the worker is gone"):
            list(hired.answers(gone, [""], lambda: None))
    with pytest.raises(LostError, match="it takes no more tasks"):
        list(hired.answers(lambda text: {"text": text}, ["a"], lambda: None))


def gone(message):
    raise OSError("the worker is gone")


def where_it_ran(message):
    from distributed import get_worker

    return {"worker": get_worker().address}


def test_tasks_go_to_the_worker_that_had_their_pieces_before(client):
    hired = workers.of_client(client, 1 << 20)
    spots = hired.spots()
    assert (hired.slots(), len(set(spots))) == (2, 2)
    homes = [0.1, 0.9, 0.4, 0.6]
    for _ in range(3):
        found = dict(hired.answers(where_it_ran, [str(n) for n in range(4)], lambda: None, homes))
        assert [found[n]["worker"] for n in range(4)] == [spots[0], spots[1], spots[0], spots[1]]


def test_a_cluster_without_workers_is_lost(client, monkeypatch):
    monkeypatch.setattr(workers, "LOST", 0.3)
    hired = workers.of_client(client, 1 << 20)
    monkeypatch.setattr(client, "nthreads", dict)
    with pytest.raises(LostError, match="no worker for 0 seconds"):
        list(hired.answers(sleepy, ["a"], lambda: None))


def sleepy(message):
    sleep(2)
    return {}


def test_processes_are_started_for_the_first_tasks_that_can_run_at_a_time(monkeypatch, client):
    begun = []

    @contextmanager
    def started(count, memory):
        begun.append(count)
        yield client
        begun.append("ended")

    monkeypatch.setattr(workers, "_local", started)
    with workers.hired("local:3", 1 << 20) as hired:
        assert hired.slots() == 3
        here = [list(hired.answers(lambda text: {"in": get_ident()}, [""], lambda: None)) for _ in range(2)]
        assert here[0] == here[1] != [(0, {"in": get_ident()})]  # the same thread, which keeps its pieces
        assert not begun
        found = dict(hired.answers(lambda text: {"text": text}, ["a", "b"], lambda: None))
        assert found == {0: {"text": "a"}, 1: {"text": "b"}}
        assert (begun, hired.slots()) == ([3], 2)
        assert list(hired.answers(lambda text: {"text": text}, ["c"], lambda: None)) == [(0, {"text": "c"})]
    assert begun == [3, "ended"]


@pytest.mark.parametrize("engine", ["table", "frontier"])
def test_a_small_count_starts_no_process(engine, tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError("processes were started")

    monkeypatch.setattr(workers, "_local", refuse)
    given = {"where": "local:4", "engine": engine, "partitions": 0, "small": 1 << 20}
    held_against_plain(tiles(), tmp_path, None, **given)


def test_a_worker_refuses_another_version_and_another_puzzle(tmp_path, pool):
    model = tiles()
    question = Depths(model, (model.start,))
    other = partial(answer, version="other", model_of=lambda *_: model)
    with pytest.raises(TableError, match="install the same version everywhere"):
        count.depths(question, Watch(), counting(tmp_path / "a", pool, model, work=other))
    wrong = partial(answer, version="", model_of=lambda *_: questions.load("slide:2x4").model())
    with pytest.raises(TableError, match="builds another puzzle"):
        count.depths(question, Watch(), counting(tmp_path / "b", pool, model, work=wrong))


def test_what_cannot_be_counted_is_refused(tmp_path, pool):
    with pytest.raises(UnsupportedError, match="only tables of sliding puzzles"):
        questions.depths(
            "lights:3x3", engine=clusters.counting(questions.load("lights:3x3"), pool, tmp_path, engine="table")
        )
    with pytest.raises(InputError, match="expected local"):
        questions.depths("slide:2x2", engine=clusters.counting(questions.load("slide:2x2"), "mpi:3", tmp_path / "b"))
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "mine.txt").touch()
    with pytest.raises(TableError, match=r"expected an empty folder, found mine\.txt"):
        questions.depths("slide:2x2", engine=clusters.counting(questions.load("slide:2x2"), pool, tmp_path / "c"))


def test_the_python_interface(tmp_path, pool):
    found = questions.depths("slide:2x2", cluster=pool, save=tmp_path)
    assert (found.counts, found.engine, found.complete) == ((1, 2, 2, 2, 2, 2, 1), "cluster", True)
    with pytest.raises(InputError, match="expected save='DIR'"):
        questions.depths("slide:2x2", cluster=pool)
    with pytest.raises(InputError, match="expected a cluster beside them"):
        questions.depths("slide:2x2", save=tmp_path)


def test_a_batch_is_solved_one_task_a_position(pool):
    puzzle = questions.with_goal(questions.load("eight"), "1 2 3 / 4 5 6 / 7 . 8")
    starts = [questions.with_start(puzzle, row) for row in ("8 6 7 / 2 5 4 / 3 . 1", "1 2 3 / 4 5 6 / . 7 8")]
    given = {"heuristic": "distance", "engine": "idastar"}
    expected, found = (list(each) for each in (batches.solve(starts, **given), spread.answers(starts, pool, **given)))
    assert [(each.moves, each.path, each.names) for each in found] == [
        (each.moves, each.path, each.names) for each in expected
    ]
    with pytest.raises(InputError, match="bound: expected some of"):
        list(batches.answered(spread.answers(starts, pool, engine="idastar", heuristic="none such")))


def test_a_peg_board_is_solved_one_task_a_hole(pool):
    puzzle = questions.load("peg:triangle15")
    expected = list(peg_survey.problems(puzzle, holes=["a1", "b1"], lasts=["a1", "c2"]))
    found = list(spread.pegs(puzzle, pool, holes=["a1", "b1"], lasts=["a1", "c2"]))
    assert [(each.hole, each.last, each.alike, each.answer.moves) for each in found] == [
        (each.hole, each.last, each.alike, each.answer.moves) for each in expected
    ]


def test_a_collection_is_certified_one_task_a_puzzle(tmp_path, pool):
    (tmp_path / "one.pzl").write_text("rule: slide\nstart: 2 1 / 3 .\ngoal: 2 1 / . 3\nknown: solution 2\n")
    (tmp_path / "one.solution").write_text("3 left")
    (tmp_path / "all.txt").write_text(f"1 one.pzl\n5 none.pzl\npack.xsb#3\n{'AAoBoo' * 6}\n")
    level = "; {}\n#####\n#@$.#\n#####\n"
    pack = f"{level.format(1)}; 2\n#####\n#@$x#\n#####\n{level.format(3)}; J\xe9\n"
    (tmp_path / "pack.xsb").write_bytes(pack.encode("latin-1"))
    words = [str(tmp_path / name) for name in ("one.pzl", "all.txt", "pack.xsb")] + ["slide:2x2"]

    def shown(certificates):
        return [replace(each, seconds=0.0, key="") for each in certificates]

    expected = shown(certification.certify(words))
    spread_out = shown(certification.certify(words, answers=lambda listed: spread.certificates(listed, pool)))
    assert [each.status for each in expected] == [
        "optimal", "optimal", "invalid", "optimal", "invalid", "optimal", "invalid", "optimal", "open",
    ]  # fmt: skip
    assert spread_out == expected
    assert expected[6].name == str(tmp_path / "pack.xsb#2")
    assert expected[6].reason.startswith(f"{tmp_path / 'pack.xsb'}:7:4: level 2: ")


def test_what_is_left_beside_a_finished_table_is_deleted(tmp_path, pool):
    questions.depths("slide:2x2", cluster=pool, save=tmp_path)
    files = tmp_path / count.FILES
    files.mkdir()
    (files / "piece").touch()
    write_json(tmp_path / count.NOTE, {"url": str(files)})
    count.tidy(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"depths.bits", "depths.sums", "lock", "manifest.json"}


def script(*words):
    """Run benchmarks/cluster.py; return what it prints."""
    done = subprocess.run([sys.executable, ROOT / "benchmarks" / "cluster.py", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize("engine", ["table", "frontier"])
def test_dask_counts_what_one_process_counts(engine, tmp_path):
    def answer_of(*more):
        command = [sys.executable, "-m", "puzzlespace", "depths", "slide:3x3", "--engine", engine, "--json", *more]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    alone = answer_of("--save", str(tmp_path / "alone"))
    spread_out = answer_of("--save", str(tmp_path / "spread"), "--cluster", "local:2")
    assert (alone["counts"], alone["hardest"]) == (spread_out["counts"], spread_out["hardest"])
    for path in (tmp_path / "alone").iterdir():
        if path.name not in MANIFESTS:
            assert path.read_bytes() == (tmp_path / "spread" / path.name).read_bytes()


@pytest.mark.long
def test_named_puzzles_on_local_clusters():
    assert script("equal").count("same counts, hardest positions and bytes") == 21


@pytest.mark.long
def test_sixty_kills():
    assert "'worker': 20, 'scheduler': 20, 'client': 20" in script("kills", "--kills", "60")


def test_dask_is_not_loaded_before_it_is_needed():
    code = "import puzzlespace.api.clusters, puzzlespace.cluster.count, sys; print('distributed' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


@pytest.mark.parametrize(("keep", "copies"), [(False, 2), (True, 4)])
def test_room_on_the_disk_is_looked_at_first(keep, copies, tmp_path, pool, monkeypatch):
    monkeypatch.setattr(files.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 0}))
    model = questions.load("slide:3x3").model()
    given = counting(tmp_path, pool, model, piece=1 << 12, keep=keep)
    with pytest.raises(RoomError, match=r"181,440 positions need [0-9,]+ bytes on this disk, 0 are free") as caught:
        count.depths(Depths(model, (model.goals[0].position,)), Watch(thresholds=SMALL), given)
    wanted = int(str(caught.value).split(" need ")[1].split()[0].replace(",", ""))
    assert copies - 0.5 < wanted / (181_440 / 8) < copies + 0.5


def test_the_file_of_a_scheduler_says_where_it_is(tmp_path, monkeypatch):
    file = tmp_path / "dask.json"
    file.write_text(json.dumps({"type": "Scheduler", "address": "tcp://10.0.0.1:8786"}))
    assert workers._address(str(file)) == "tcp://10.0.0.1:8786"
    assert workers._address("tls://10.0.0.1:8786") == "tls://10.0.0.1:8786"
    monkeypatch.setattr(workers, "FILE_SECONDS", 0.2)
    for text in ("{", "[]", "{}"):
        file.write_text(text)
        with pytest.raises(InputError, match="does not say where a scheduler is"):
            workers._address(str(file))


def test_a_scheduler_with_certificates_is_refused_without_any(tmp_path):
    words = ["depths", "slide:2x3", "--cluster", "tls://127.0.0.1:9", "--save", str(tmp_path / "table")]
    code, _, err = run(*words)
    assert code == 30
    assert "no scheduler answers at tls://127.0.0.1:9: TLS expects" in err
