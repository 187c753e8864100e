"""What the page asks unasked is quick, hard questions hold up no light ones, and all processes fit the machine."""

import asyncio
import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from statistics import median

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlespace import catalogue, load
from puzzlespace.web import bounds, measured, tasks
from puzzlespace.web.app import answered
from puzzlespace.web.bounds import Bounds
from puzzlespace.web.pool import Pool
from puzzlespace.web.questions import WorkerState
from webserver import running


@pytest.mark.parametrize("gigabytes", [4, 8, 16, 24, 64, 512])
@pytest.mark.parametrize("processors", [1, 2, 8, 96])
def test_all_processes_together_fit_the_memory_of_the_machine(monkeypatch, gigabytes, processors):
    monkeypatch.setattr(bounds, "machine_memory", lambda: gigabytes * 2**30)
    monkeypatch.setattr(bounds, "processors", lambda: processors)
    found = Bounds()
    assert found.whole <= bounds.SHARE * gigabytes * 2**30
    assert found.memory >= bounds.LEAST
    assert 1 <= found.short_workers <= 3
    assert 1 <= found.long_workers <= max(4, processors)
    assert Bounds.from_json(found.to_json()) == found


def test_all_processes_together_fit_the_memory_of_this_machine():
    assert Bounds().whole < bounds.machine_memory()


def scrambled(name):
    puzzle, dice = load(name), random.Random(5)
    model, position = puzzle.model(), puzzle.anchor
    for _ in range(60):
        position = dice.choice(list(model.moves(position)))
    return puzzle.id(position)


def arrived(connection):
    """Return what has arrived of an answer."""
    found = b""
    connection.sock.settimeout(0.05)
    with suppress(TimeoutError):
        while part := connection.sock.recv(65_536):
            found += part
    return found


def test_hard_questions_of_all_visitors_hold_up_no_light_ones():
    hard = {"puzzle": "cube:3", "position": scrambled("cube:3")}
    light = [
        ("open", {"puzzle": "goat"}), ("at", {"puzzle": "goat"}), ("measure", {"puzzle": "no-off-a", "brief": True}),
        ("search", {"puzzle": "no-off-a", "brief": True}), ("path", {"puzzle": "no-off-a", "brief": True}),
    ]  # fmt: skip
    with running(short_workers=2, long_workers=2) as host:
        asked = [host.send("search", hard, source=f"127.0.0.{1 + k}") for k in range(4)]
        for task, question in light:
            host.ask(task, question)  # loads code
        times = {}
        for task, question in light:
            for _ in range(3):
                began = time.monotonic()
                answer = host.ask(task, question)
                times.setdefault(task, []).append(time.monotonic() - began)
                assert "error" not in answer
        assert [b'"done":true' in arrived(each) for each in asked] == 4 * [False]
        assert max(map(median, times.values())) < 1
        for each in asked:
            each.close()


class FakeWorker:
    """A process that answers when it is told to."""

    running = True

    def __init__(self):
        self.end = asyncio.Event()
        self.seconds = 0.0

    def held(self):
        return 0

    async def ask(self, question, seconds):
        self.seconds = seconds
        await self.end.wait()
        yield {"done": True, "question": question}, b""


def test_one_process_is_kept_for_brief_questions(tmp_path):
    async def asked():
        pool = Pool(Bounds(), tmp_path, range(3), 100.0, 9, 5.0)
        workers = [FakeWorker() for _ in range(3)]
        for worker in workers:
            pool.free.put_nowait(worker)
        long = [asyncio.create_task(answered(pool.ask("long", f"visitor {k}"))) for k in range(5)]
        await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        assert pool.free.qsize() == 1
        brief = asyncio.create_task(answered(pool.ask("brief", "visitor 0", True)))
        await asyncio.sleep(0.01)
        assert pool.free.qsize() == 0
        assert sorted(worker.seconds for worker in workers) == [5.0, 100.0, 100.0]
        for worker in workers:
            worker.end.set()
        assert [each["question"] for each in await asyncio.gather(*long, brief)] == 5 * ["long"] + ["brief"]
        assert not pool.turns

    with ThreadPoolExecutor(1) as apart:  # a browser of other tests may have its loop in this thread
        apart.submit(asyncio.run, asked()).result()


@pytest.mark.parametrize("count", [3, 4, 8])
def test_a_visitor_never_has_all_processes(tmp_path, count):
    async def asked():
        pool = Pool(Bounds(), tmp_path, range(count), 100.0, 9, 5.0)
        workers = [FakeWorker() for _ in range(count)]
        for worker in workers:
            pool.free.put_nowait(worker)
        mine = [asyncio.create_task(answered(pool.ask("mine", "me", kind))) for kind in (False, True) * 8]
        await asyncio.sleep(0.01)
        assert pool.free.qsize() >= 1
        other = asyncio.create_task(answered(pool.ask("other", "you", True)))
        await asyncio.sleep(0.01)
        assert sum(worker.seconds > 0 for worker in workers) == count - pool.free.qsize()
        for worker in workers:
            worker.end.set()
        assert (await other)["question"] == "other"
        await asyncio.gather(*mine)

    with ThreadPoolExecutor(1) as apart:  # a browser of other tests may have its loop in this thread
        apart.submit(asyncio.run, asked()).result()


@pytest.fixture
def ask(tmp_path):
    """Ask a worker a question; return its answer."""
    (tmp_path / "tables").mkdir()
    state = WorkerState(Bounds(), tmp_path / "tables", tmp_path / "scratch")
    return lambda task, question: tasks.TASKS[task](state, question, lambda *said: None)


@pytest.mark.parametrize("name", ["cube:3", "slide:4x4", "slide:5x5", "english", "loyd", "cleopatra"])
def test_what_takes_long_is_not_counted_unasked(monkeypatch, ask, name):
    monkeypatch.setattr(measured, "measure", None)
    name = "14-15" if name == "loyd" else name
    answer = ask("measure", {"puzzle": name, "brief": True})["estimate"]
    assert answer["positions"] > 100_000
    assert answer["seconds"] is None or answer["seconds"] > 2


@pytest.mark.parametrize("name", ["eight", "klotski", "no-off-a", "star13", "hexagram", "lights:3x3"])
def test_what_is_quick_is_counted_unasked(ask, name):
    assert "estimate" not in ask("measure", {"puzzle": name, "brief": True})
    assert ask("measure", {"puzzle": name, "brief": True}) == ask("measure", {"puzzle": name})


def test_far_fewer_positions_than_placements_are_tried_for_a_short_time(ask):
    text, known, _ = catalogue.text("rush60").partition("known:")
    assert known
    found = ask("measure", {"text": text, "brief": True})
    assert found["table"]["states"] == 2332
