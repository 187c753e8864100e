"""Limits hold while a question is prepared, searched and shown; and no limit, wherever it bites, makes an answer wrong.

Times are those of the processor, as other programs may run beside the tests, with wide margins.
"""

import gc
import json
import re
import threading
import time
from collections import deque

import pytest

from large_puzzles import SPECS, written
from limit_cells import COMMANDS as PROCESSES
from limit_cells import KINDS, cell
from puzzlespace import LimitError, Limits, depths, distance, load, solutions, solve, symmetries
from puzzlespace.api.loader import from_text
from puzzlespace.cli.app import app
from puzzlespace.cli.terminal import guarded
from puzzlespace.contract.answers import Status
from puzzlespace.graph import explore
from puzzlespace.graph.layout import lay_out
from puzzlespace.limits.stopping import graced
from puzzlespace.limits.threads import Crew
from puzzlespace.limits.watch import Watch, checkpoint, compiling, overdue, paced, phase, unwatched, watched
from puzzlespace.render import files

SECONDS, MARGIN = 0.1, 1.5
"""What each cell of the table is given, and what it may take beyond that: cells of the short table share a process."""


@pytest.fixture(autouse=True)
def _without_what_other_tests_left():
    """Keep the garbage collector from objects of other tests: a search of all of them can take longer than a margin."""
    gc.freeze()
    yield
    gc.unfreeze()


COMMANDS = (
    "solve", "solve --count", "depths", "depths --from start", "hardest", "components", "symmetries", "show",
    "convert", "check", "pegs --count", "solve --json", "generate --depth 9", "random", "plan",
)  # fmt: skip


@pytest.fixture(scope="session")
def large(tmp_path_factory):
    """The paths of the large puzzles by name."""
    paths = written(tmp_path_factory.mktemp("large"))
    return {**{spec: spec for spec in SPECS}, **{name: str(path) for name, path in paths.items()}}


def once(capsys, *arguments):
    """Run a command in this process; return exit code, output, errors and processor time."""
    began = time.process_time()
    code = guarded(lambda: app(list(arguments), standalone_mode=False))
    shown = capsys.readouterr()
    return code, shown.out, shown.err, time.process_time() - began


def run(capsys, *words, seconds):
    """Run a command; once more if it was late: the first in a process compiles and loads what all that follow share."""
    ran = once(capsys, *words, "--seconds", str(seconds), "-q")
    return ran if ran[-1] < seconds + MARGIN else once(capsys, *words, "--seconds", str(seconds), "-q")


LARGE = (*SPECS, "bars.pzl", "chains.pzl", "complete.pzl", "dense-jumps.pzl", "open-goal.pzl", "twelve-turns.tws")


def _countless(name, code, err):
    """Return whether it is said at once, whatever the limits, that a puzzle has too many positions to count."""
    return (name, code) == ("lights:11x11", 21) and "too many to count one by one" in err


@pytest.mark.parametrize("name", LARGE)
def test_a_command_stops_in_whatever_it_is_doing(capsys, large, name):
    """One row of a table of 13 puzzles by 14 commands."""
    for command in COMMANDS:
        word, *more = command.split()
        code, out, err, took = run(capsys, word, large[name], *more, seconds=SECONDS)
        assert took < SECONDS + MARGIN, command
        assert code in (0, 10, 20, 22, 30, 31) or _countless(name, code, err), (command, err)
        if code == 20 and command == "solve --json":
            assert json.loads(out)["status"] == "stopped"
        elif code == 20:
            assert "stopped after" in out + err, command


@pytest.mark.parametrize("name", LARGE)
def test_a_limit_of_memory_stops_it_too(capsys, large, name):
    for command in ("show", "depths"):
        code, out, err, took = run(capsys, command, large[name], "--memory", "300K", seconds=1)
        assert took < 1 + MARGIN, command
        assert code in (0, 20, 21, 30, 31), (command, out, err)


@pytest.mark.parametrize("name", LARGE)
def test_little_memory_that_is_never_passed_does_not_hide_the_clock(capsys, monkeypatch, large, name):
    monkeypatch.setattr("puzzlespace.limits.watch.held_memory", lambda enough: 1 << 20)
    code, out, err, took = run(capsys, "depths", large[name], "--memory", "300K", seconds=0.5)
    assert took < 0.5 + MARGIN
    assert code in (20, 21, 22, 30, 31), (out, err)


@pytest.mark.parametrize("name", LARGE)
def test_a_limit_of_positions_stops_a_search(capsys, large, name):
    code, out, err, took = run(capsys, "depths", large[name], "--positions", "500", seconds=0.5)
    assert took < 0.5 + MARGIN
    assert code in (20, 22, 30, 31) or _countless(name, code, err), (out, err)


@pytest.mark.parametrize(
    ("option", "value", "code", "said"),
    [
        ("--seconds", "0.5", 20, "stopped after"),
        ("--memory", "1M", 21, r"bytes more are needed|bytes of memory \(the limit is 1,048,576\)"),
        ("--positions", "99", 22, "positions generated"),
    ],
)
def test_limits_stop_a_search_for_pushes(capsys, tmp_path, option, value, code, said):
    room = ["#" * 16, *("#" + " " * 14 + "#" for _ in range(14)), "#" * 16]
    for y in (3, 6, 9, 12):
        room[y] = "#  $ $ $  . . .#"
    room[1] = "#@" + room[1][2:]
    path = tmp_path / "room.xsb"
    path.write_text("\n".join(room) + "\n", encoding="utf-8")
    words = ["solve", str(path), "--engine", "boxes", option, value, "-q"]
    ended, out, err, took = once(capsys, *words)
    for _ in range(2):  # a limit stops a try while a loop is compiled or loaded; the next try may need another loop
        if option == "--seconds" and took > 0.5 + MARGIN:
            ended, out, err, took = once(capsys, *words)
    assert ended == code, (out, err)
    assert re.search(said, out + err)
    assert option != "--seconds" or took < 0.5 + MARGIN


def test_what_was_being_done_is_said():
    with watched(Limits(seconds=1e-6)):
        time.sleep(0.001)
        with pytest.raises(LimitError, match=r"stopped after 0\.0 seconds while tea was made"), phase("tea was made"):
            checkpoint()


def test_a_question_within_a_question_obeys_both():
    with watched(Limits(positions=10)) as outer:
        inner = Watch(Limits(positions=100))
        inner.tick(8)
        with pytest.raises(LimitError):
            inner.tick(8)
        assert (outer.generated, inner.generated) == (16, 16)
        with unwatched():
            checkpoint()
            assert Watch().within is None


def test_the_guard_ends_a_command_for_its_own_limit_only():
    with watched(Limits(seconds=1e-6)):
        time.sleep(0.001)
        assert "stopped after" in str(overdue(0, 0))
        with unwatched(), watched(Limits(seconds=1e-6)):
            time.sleep(0.001)
            assert overdue(0, 0) is None
            with pytest.raises(LimitError):
                checkpoint()
        assert overdue(0, 0) is not None


def test_threads_that_work_together_obey_the_watch_around():
    done = []

    def work(thread, job):
        checkpoint()
        time.sleep(0.001)
        done.append(job)
        return True

    with watched(Limits(seconds=0.05)), pytest.raises(LimitError):
        Crew(3).run(deque(range(10_000)), work)
    assert len(done) < 5000


def test_a_crew_does_each_job_once_even_if_threads_lose_their_turn():
    done = []

    def work(thread, job):
        time.sleep(0.002)
        done.append(job)
        return True

    for _ in range(10):
        Crew(4).run(deque(range(6)), work)
    assert sorted(done) == sorted(10 * list(range(6)))


@pytest.mark.parametrize("threads", [1, 3])
def test_a_limit_that_a_crew_looks_at_stops_it_after_a_job(threads, monkeypatch):
    monkeypatch.setattr("puzzlespace.limits.threads.GLANCE", 60)
    done = []

    def work(thread, job):
        time.sleep(0.01)
        done.append(job)
        return True

    def look():
        if done:
            raise LimitError("positions", "enough")

    with pytest.raises(LimitError, match="enough"):
        Crew(threads).run(deque(range(1000)), work, look)
    assert len(done) < 50


def test_after_a_brief_queue_threads_join_only_if_the_next_one_takes_long(monkeypatch):
    crew, numbers = Crew(3), []

    def work(thread, job):
        assert (threading.current_thread() is threading.main_thread()) == (job == "brief")
        numbers.append(thread)
        return True

    def slow(thread, job):
        time.sleep(0.02)
        numbers.append(thread)
        return True

    monkeypatch.setattr("puzzlespace.limits.threads.BRIEF", 60)
    crew.run(deque(["first"] * 3), work)
    numbers.clear()
    crew.run(deque(["brief"] * 20), work)
    assert numbers == [0] * 20
    numbers.clear()
    monkeypatch.setattr("puzzlespace.limits.threads.BRIEF", 0.01)
    crew.run(deque(["slow"] * 12), slow)
    assert (numbers[0], len(numbers)) == (0, 12)
    assert len(set(numbers)) > 1
    numbers.clear()
    crew.run(deque(["first"] * 12), work)  # the last queue was not brief
    assert len(numbers) == 12


def _work_briefly(crew, monkeypatch):
    """Let the crew work so briefly that the next queue begins in the calling thread."""
    monkeypatch.setattr("puzzlespace.limits.threads.BRIEF", 60)
    crew.run(deque(range(3)), lambda thread, job: True)


def test_a_thread_that_begins_alone_and_loses_its_turn_leaves_the_jobs_to_others(monkeypatch):
    crew, done = Crew(3), []

    def work(thread, job):
        if thread == 0:
            return False
        done.append((thread, job))
        return True

    _work_briefly(crew, monkeypatch)
    crew.run(deque(range(40)), work)
    assert sorted(job for _, job in done) == list(range(40))
    assert {thread for thread, _ in done} <= {1, 2}


@pytest.mark.parametrize("kind", [LimitError("positions", "enough"), KeyboardInterrupt()])
def test_a_thread_that_begins_alone_stops_at_a_limit(kind, monkeypatch):
    crew, done = Crew(3), []

    def look():
        raise kind

    _work_briefly(crew, monkeypatch)
    with pytest.raises(type(kind)):
        crew.run(deque(range(40)), lambda thread, job: done.append(job) is None, look)
    assert done == [0]


def test_the_clock_begins_before_the_puzzle_is_read():
    limits = Limits(seconds=0.05)
    for answer in (solve("hanoi:20,60", limits=limits), distance("hanoi:20,60", "~1", limits=limits).solution):
        assert (answer.status, answer.stopped.kind) == (Status.STOPPED, "seconds")
    assert depths("hanoi:20,60", limits=limits).stopped.kind == "seconds"
    for question in (symmetries, solutions):
        with pytest.raises(LimitError):
            question("hanoi:20,60", limits=limits)


def _turns(count, places=255):
    """Moves of a permutation puzzle, as lists of where each place's piece comes from, numbered from 0."""
    identity = list(range(places))
    return {f"M{n}": identity[:1] + identity[2 + n % 200 :] + identity[1 : 2 + n % 200] for n in range(count)}


def _kpuzzle():
    pieces = list(range(255))
    moves = {name: {"A": {"permutation": came, "orientation": [0] * 255}} for name, came in _turns(2000).items()}
    orbit = {"orbitName": "A", "numPieces": 255, "numOrientations": 1}
    solved = {"A": {"pieces": pieces, "orientation": [0] * 255}}
    return json.dumps({"name": "Big", "orbits": [orbit], "defaultPattern": solved, "moves": moves})


def _tws():
    rows = ["Name Big", "Set A 255 1", "Solved", "A", " ".join(map(str, range(1, 256))), "End"]
    for name, came in _turns(3000).items():
        rows += [f"Move {name}", "A", " ".join(str(place + 1) for place in came), "End"]
    return "\n".join(rows) + "\n"


def _pzl():
    moves = "\n".join(f"  m{n}: (c{n % 60} c{(n + 1) % 60})" for n in range(50_000))
    cells, pieces = (" ".join(f"{letter}{n}" for n in range(60)) for letter in "cp")
    return f"rule: apply\nboard:\n  {cells}\nmoves:\n{moves}\ngoal:\n  {pieces}\n"


READ = {
    "moves.pzl": _pzl,
    "rows.pzl": lambda: "rule: slide\nstart:\n" + "  a b .\n" * 200_000,
    "big.tws": _tws,
    "big.kpuzzle.json": _kpuzzle,
    "nothing.txt": lambda: "x\n" * 1_000_000,
}


@pytest.mark.parametrize("name", READ)
def test_reading_a_large_file_stops(name):
    text = READ[name]()
    began = time.process_time()
    with watched(Limits(seconds=0.05)), pytest.raises(LimitError):
        from_text(text, name, name)
    assert time.process_time() - began < 0.05 + 0.5


def test_drawing_a_board_of_many_lines_stops(large, tmp_path):
    puzzle = load(large["complete.pzl"])
    began = time.process_time()
    with watched(Limits(seconds=0.05)), pytest.raises(LimitError):
        files.write_position(puzzle, files.WantedPicture(svg=tmp_path / "drawn.svg"))
    assert time.process_time() - began < 0.05 + 0.5


def test_a_layout_stops_between_its_rounds():
    graph = explore(load("slide:3x2"))
    depth = graph.distances(graph.goals(load("slide:3x2").model()))
    looks = [0]
    with watched(Limits(seconds=60)) as watch:
        watch.glance = lambda: looks.__setitem__(0, looks[0] + 1)
        lay_out(graph, depth)
    assert looks[0] > 10


def test_paced_items_are_the_items():
    with watched(Limits(seconds=60)):
        assert list(paced(range(5))) == [0, 1, 2, 3, 4]
    assert list(paced("ab")) == ["a", "b"]


STOPS = [1, 2, 4, 8, 16, 40, 120, 400]

SEARCHES = [("goat", engine, "piece") for engine in ("auto", "plain", "bidirectional", "frontier", "blocks")]
SEARCHES += [("slide:3x2", engine, "step") for engine in ("auto", "frontier", "idastar")]
SEARCHES += [("peg:triangle15", engine, "chain") for engine in ("pegs", "frontier")]
SEARCHES += [("goat", "frontier", "step"), ("pancake:5", "bidirectional", "step")]
SEARCHES += [("microban1", "boxes", metric) for metric in ("push", "move", "run")] + [("lunar39", "gliders", "piece")]


def _stopping(monkeypatch, at):
    """Let the limit of time be passed at the look number `at`, wherever that is."""
    looks = [0]

    def tick(self, generated, bound=0):
        self.generated += generated
        looks[0] += 1
        if looks[0] >= at:
            raise LimitError("seconds", "stopped for the test", bound)

    monkeypatch.setattr(Watch, "tick", tick)
    monkeypatch.setattr(Watch, "glance", lambda self: self.tick(0))
    return looks


def _asked(name):
    puzzle = load(name)
    if puzzle.start is not None:
        return puzzle
    from dataclasses import replace

    goal = puzzle.anchor
    return replace(puzzle, start=sorted(puzzle.model().moves(goal))[0])


@pytest.mark.parametrize(("name", "engine", "metric"), SEARCHES)
def test_no_answer_is_wrong_wherever_a_limit_bites(monkeypatch, name, engine, metric):
    puzzle = _asked(name)
    right = solve(puzzle, metric=metric, engine=engine)
    for at in STOPS:
        with monkeypatch.context() as patch:
            looks = _stopping(patch, at)
            found = solve(puzzle, metric=metric, engine=engine)
        if found.status is Status.STOPPED:
            assert right.moves is None or found.bound <= right.moves, at
        else:
            assert (found.status, found.moves) == (right.status, right.moves), at
        if looks[0] < at:
            break


COUNTS = [("slide:3x2", engine) for engine in ("plain", "frontier", "table")]
COUNTS += [("goat", "blocks"), ("peg:triangle15", "pegs")]


@pytest.mark.parametrize(("name", "engine"), COUNTS)
def test_no_count_is_wrong_wherever_a_limit_bites(monkeypatch, name, engine):
    puzzle = load(name)
    right = depths(puzzle, engine=engine)
    for at in STOPS:
        with monkeypatch.context() as patch:
            looks = _stopping(patch, at)
            found = depths(puzzle, engine=engine)
        assert found.counts == right.counts[: len(found.counts)], at
        assert not found.complete or found.counts == right.counts
        if looks[0] < at:
            break


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LARGE)
def test_the_table_of_processes(large, monkeypatch, tmp_path, name, kind):
    """78 cells for each kind of limit; benchmarks/limits.py prints them. Other programs may run beside them."""
    monkeypatch.setenv("PUZZLESPACE_CACHE", str(tmp_path))
    for command in PROCESSES:
        found = cell(command, large[name], kind, 2.0)
        assert found.code is not None, command
        assert not found.broken, command
        assert found.over < (5 if kind in ("seconds", "ctrl-c") else 15), command


def test_memory_used_for_compiling_is_not_counted_while_it_grows():
    with watched(Limits(memory=1)) as watch:
        watch.program = -(1 << 30)  # the process holds more than the limit and the margin
        compiling(1)
        watch.tick(0)
        assert overdue(0, 0) is None
        compiling(-1)
        assert "stopped at" in str(overdue(0, 0))
        with pytest.raises(LimitError, match="bytes of memory"):
            watch.tick(0)


def test_the_moment_to_check_a_solution_belongs_to_its_thread():
    passed, entered, left = Watch(Limits(positions=0), generated=1), threading.Event(), threading.Event()
    stopped: list[bool] = []

    def check_a_solution() -> None:
        with graced():
            entered.set()
            left.wait(10)
            stopped.append(_stops(passed))
        stopped.append(_stops(passed))

    with graced():
        other = threading.Thread(target=check_a_solution)
        other.start()
        assert entered.wait(10)
        assert not _stops(passed)
        assert passed.passed is not None
        assert not _stops(passed)
    assert _stops(passed)
    left.set()
    other.join(10)
    assert stopped == [False, True]
    assert _stops(passed)


def _stops(watch: Watch) -> bool:
    try:
        watch.tick(0)
    except LimitError:
        return True
    return False
