"""The page's server: what it answers, what it refuses, and that nobody holds up another."""

import asyncio
import gzip
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlespace import catalogue, depths, distance, load, solve
from puzzlespace.api.questions import with_start
from puzzlespace.web import wire
from puzzlespace.web.app import Server, answered, remove_left_folders
from puzzlespace.web.bounds import Bounds
from puzzlespace.web.guard import HEADERS
from puzzlespace.web.modules import MADE, joined, sources
from puzzlespace.web.pool import KEPT, BusyError, Pool
from puzzlespace.web.tasks import _walked
from webserver import running

ENDLESS = """title: Far away
rule: slide
start:
  24 23 22 21 20
  19 18 17 16 15
  14 13 12 11 10
  9 8 7 6 5
  4 3 2 1 .
goal:
  1 2 3 4 5
  6 7 8 9 10
  11 12 13 14 15
  16 17 18 19 20
  21 22 23 24 .
"""


@pytest.fixture(scope="module")
def visitor():
    with running() as found:
        yield found


def test_places_that_a_goal_names_are_met_by_every_solution():
    for name in ("alice", "conway", "pullonly", "theseus", "tilt3", "thinice"):
        puzzle = load(name)
        last = puzzle.view.decode(solve(puzzle).path[-1])
        found = [last[cell] == word for cell, word in wire.places(puzzle)]
        assert any(found)
        assert all(found) or name == "conway", name
    assert [wire.places(load(name)) for name in ("cube33", "floodit", "icesoko", "wolf", "klotski")] == [[]] * 5


def test_a_position_on_the_wire_agrees_with_the_library():
    puzzle = load("no-off-a")
    model, known = puzzle.model(), distance(puzzle, puzzle.start)
    told = wire.at(puzzle, model, puzzle.start, lambda positions: [distance(puzzle, p).distance for p in positions])
    assert told["distance"] == known.distance
    assert {move["to"] for move in told["moves"]} == {puzzle.id(child) for child in model.moves(puzzle.start)}
    best = {(move["name"], move["to"]) for move in told["moves"] if move["best"]}
    assert best == {(name, puzzle.id(position)) for name, position in known.next}
    assert {move["state"] for move in wire.at(puzzle, model, puzzle.start)["moves"]} == {"unknown"}


@pytest.mark.parametrize("name", ["klotski", "star13", "flip3", "ring", "cube2"])
def test_the_steps_of_a_move_carry_what_the_rules_carry(name):
    puzzle = load(name)
    model, start = puzzle.model(), puzzle.anchor
    for move in wire.at(puzzle, model, start)["moves"]:
        child, symbols = puzzle.read(move["to"]), list(start)
        for step in move["steps"]:
            before = list(symbols)
            for origin, target in step["carry"]:
                symbols[target] = before[origin]
        changed = {cell for step in move["steps"] for cell in step["change"]}
        if move["piece"] is None:
            assert all(symbols[cell] == child[cell] for cell in range(model.cells) if cell not in changed)
        else:
            assert child[move["target"]] == start[move["piece"]] == symbols[move["target"]]
        assert puzzle.listed or all(child[cell] == 0 != start[cell] for cell in changed)


def test_a_puzzle_opens_and_its_distances_become_known(visitor):
    opened = visitor.ask("open", {"puzzle": "箱入り娘"})
    assert opened["about"]["name"] == "klotski"
    assert opened["at"]["state"] == "unknown"
    table = visitor.ask("measure", {"puzzle": "klotski"})["table"]
    assert (table["states"], table["depth"], sum(table["counts"])) == (25955, 93, 25955)
    here = visitor.ask("at", {"puzzle": "klotski"})
    assert (here["distance"], here["state"]) == (81, "known")
    assert {move["distance"] for move in here["moves"]} <= {80, 81, 82}
    path = visitor.ask("path", {"puzzle": "klotski"})["path"]
    puzzle = load("klotski")
    assert len(path) == 82
    assert puzzle.model().is_goal(puzzle.read(path[-1]))
    deep = visitor.ask("sample", {"puzzle": "klotski", "depth": 93})
    assert deep["distance"] == 93


@pytest.mark.parametrize("name", ["eight", "flip5"])
def test_a_kept_table_tells_the_distances_of_neighbours(visitor, name):
    counts = visitor.ask("measure", {"puzzle": name})["table"]["counts"]
    puzzle = load(name)
    at = visitor.ask("sample", {"puzzle": name, "depth": len(counts) // 2})
    assert at["distance"] == len(counts) // 2
    for move in [at, *at["moves"]][:4]:
        position = move.get("position") or move["to"]
        assert move["distance"] == distance(puzzle, position).distance


def test_shuffling_leads_elsewhere_and_nowhere_lost(visitor):
    visitor.ask("measure", {"puzzle": "star13"})
    here = load("star13").id(load("star13").start)
    for _ in range(5):
        there = visitor.ask("sample", {"puzzle": "star13", "position": here})
        assert there["position"] != here
        assert there["state"] == "known"
        here = there["position"]


def test_the_map_has_every_position_and_move(visitor):
    found = visitor.ask("map", {"puzzle": "no-off-a"})
    about, raw = found["map"], found["raw"]
    assert (about["count"], about["complete"], about["measured"]) == (540, True, "goal")
    assert len(raw) == 540 * (2 * 12 + 2 * 2 + about["cells"]) + 8 * about["moves"]
    part = visitor.ask("map", {"puzzle": "goat"})["map"]
    assert (part["complete"], part["limit"]) == (False, 200_000)
    assert 1 < part["count"] <= 20_000


def test_puzzles_that_can_be_lost_say_so(visitor):
    table = visitor.ask("measure", {"puzzle": "star13"})["table"]
    assert (table["states"], table["lost"], table["origin"]) == (2344, 1878, "start")
    states = {move["state"] for move in visitor.ask("at", {"puzzle": "star13"})["moves"]}
    assert states <= {"known", "lost"}
    dealt = visitor.ask("sample", {"puzzle": "star13", "level": "hardest", "depth": table["away"]})
    assert dealt["distance"] == table["away"] == distance("star13", load("star13").read(dealt["position"])).distance


def test_what_cannot_be_solved_says_why(visitor):
    odd = {"text": "rule: slide\nstart:\n  A B\n  C .\ngoal:\n  B A\n  C .\n"}
    table = visitor.ask("measure", odd)["table"]
    assert (table["states"], table["lost"], table["origin"]) == (12, 12, "start")
    assert "parity" in table["reason"] or "permutation" in table["reason"]
    assert visitor.ask("at", odd)["state"] == "lost"
    assert visitor.ask("search", {"puzzle": "14-15"})["reason"]
    assert visitor.ask("path", odd)["path"] == []


def test_what_is_taken_away_is_what_the_library_draws(visitor):
    board = visitor.ask("copy", {"puzzle": "eight", "what": "text"})
    assert board["text"].split() == ["8", "6", "7", "2", "5", "4", "3", ".", "1"]
    answer = json.loads(visitor.ask("copy", {"puzzle": "no-off-a", "what": "json"})["text"])
    assert (answer["moves"], len(answer["path"])) == (44, 45)
    assert visitor.ask("copy", {"puzzle": "no-off-a", "what": "strip"})["text"].startswith("<svg")


def test_a_mistake_has_its_place_and_nothing_of_ours(visitor):
    error = visitor.ask("open", {"text": "title: x\nrule: slode\n"})["error"]
    assert (error["kind"], error["line"], error["column"]) == ("input", 2, 7)
    for word in ("/etc/passwd", "../../pyproject.toml", "x.pzl", "-", "slide:999999x999999", "~", "\0", "a" * 5000):
        told = visitor.ask("open", {"puzzle": word})
        assert told["error"]["kind"] == "input", word
        assert "Traceback" not in json.dumps(told)
        assert "puzzlespace/" not in json.dumps(told)


def test_every_catalogue_puzzle_opens_with_its_picture(visitor):
    listed = json.loads(visitor.get("/api/catalogue")[2])["puzzles"]
    assert [each["name"] for each in listed] == list(catalogue.names(None))
    assert "華容道" in next(each["aliases"] for each in listed if each["name"] == "klotski")
    for name in catalogue.names()[:: max(1, len(catalogue.names()) // 12)]:
        assert visitor.ask("open", {"puzzle": name})["at"]["moves"]
    assert visitor.get("/api/picture/goat/dark")[2].startswith(b"<svg")
    assert visitor.get("/api/picture/goat/../../x")[0] == 404
    assert visitor.get("/api/picture/nobody/dark")[0] == 404


def test_only_the_files_of_the_page_are_served(visitor):
    status, headers, body = visitor.get("/")
    assert (status, b"<puzzle-space" in body) == (200, True)
    assert {name: headers[name] for name in HEADERS} == HEADERS
    assert "unsafe" not in headers["content-security-policy"]
    for path in ("/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/x.js"):
        assert visitor.get(path)[0] == 404, path


def test_one_script_has_every_module_that_the_page_imports(visitor):
    page = visitor.get("/")[2].decode()
    ((folder, first),) = re.findall(r'<script type="module" src="(/static/\w+/)(.*?)">', page)
    status, headers, text = visitor.get(folder + first)
    assert (status, "immutable" in headers["cache-control"]) == (200, True)
    assert not re.search(r"^(import|export) ", text.decode(), flags=re.MULTILINE)
    modules = sources() | {name: text() for name, text in MADE.items()}
    needed, queue = set(), [first]
    while queue:
        source = modules[queue.pop().removesuffix(".js")]
        fresh = set(re.findall(r'^import [^;]*?"\./(.*?)";', source, flags=re.MULTILINE)) - needed
        needed |= fresh
        queue += fresh
    assert "puzzle-space.js" in needed
    parts = re.findall(r"^const module_(\w+) = ", text.decode(), flags=re.MULTILINE)
    assert sorted(parts) == sorted(name.removesuffix(".js").replace("-", "_") for name in needed)
    assert visitor.get("/static/another/page.js")[0] == 404


def test_files_are_compressed_for_those_who_read_them_so(visitor):
    plain, packed = visitor.get("/static/page.js"), visitor.get("/static/page.js", **{"Accept-Encoding": "br, gzip"})
    assert "content-encoding" not in plain[1]
    assert packed[1]["content-encoding"] == "gzip"
    assert gzip.decompress(packed[2]) == plain[2]
    assert 3 * len(packed[2]) < len(plain[2])


def test_modules_in_a_circle_are_not_joined():
    with pytest.raises(ValueError, match="modules import each other: one, two"):
        joined('import "./one.js";\n', {"one": 'import { b } from "./two.js";\n', "two": 'import "./one.js";\n'})


def test_an_order_ends_within_the_time_that_it_names(visitor):
    began = time.monotonic()
    assert visitor.ask("make", {"puzzle": "cube:3", "depth": 17, "seconds": 1})["error"]["kind"] == "seconds"
    assert time.monotonic() - began < 20


def test_an_order_that_cannot_be_met_says_how_many_positions_there_are(visitor):
    assert visitor.ask("make", {"puzzle": "ring", "depth": 99})["none"] == {"there": 0, "deepest": depths("ring").depth}
    assert visitor.ask("make", {"puzzle": "ring", "depth": 0})["error"]["kind"] == "input"
    assert visitor.ask("make", {"puzzle": "ring"})["error"]["kind"] == "input"


def test_a_family_is_not_opened_as_a_puzzle_and_a_wrong_one_has_its_place(visitor):
    text = "rule: slide\ncount: step\npieces:\n  A 1x2: 1\ngoal:\n  * A\n  * A\n"
    assert visitor.ask("open", {"text": text})["family"] is True
    assert visitor.ask("design", {"text": text, "by": "all"})["family"]["packings"] == 2
    assert visitor.ask("design", {"text": text, "by": "size"})["error"]["kind"] == "input"
    wrong = visitor.ask("design", {"text": text.replace("1x2: 1", "1x2: one")})["error"]
    assert (wrong["kind"], wrong["line"]) == ("input", 4)


def test_strangers_are_refused(visitor):
    assert visitor.get("/", Host="puzzles.example")[0] == 403
    assert visitor.begin("open", {"puzzle": "goat"}, Origin="http://puzzles.example")[1].status == 403
    assert visitor.begin("open", {"puzzle": "goat"}, **{"Content-Type": "text/plain"})[1].status == 415
    assert visitor.begin("shutdown", {})[1].status == 404
    assert visitor.begin("warm", {})[1].status == 404


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'"x"', b"[" * 60_000, b"\xff\xfe"])
def test_what_cannot_be_read_is_refused(visitor, body):
    assert visitor.begin("open", body)[1].status == 400


def test_large_questions_are_refused(visitor):
    assert visitor.begin("open", b" " * 200_000)[1].status == 413
    text = "title: x\n" + "# long\n" * 9_500
    assert "65,536" in visitor.ask("open", {"text": text})["error"]["message"]
    for wrong in (
        {"text": 5},
        {"puzzle": ["goat"]},
        {"puzzle": "goat", "text": "x"},
        {},
        {"puzzle": "goat", "metric": {}},
    ):
        assert visitor.ask("open", wrong)["error"]["kind"] == "input"


def test_an_endless_search_ends_with_its_visitor_and_holds_up_nobody(visitor):
    before = visitor.workers()
    connection, answer = visitor.begin("search", {"text": ENDLESS})
    while b"progress" not in answer.readline():
        pass  # empty lines come while it waits for the process
    began = time.monotonic()
    assert visitor.ask("at", {"puzzle": "goat"})["position"]
    assert time.monotonic() - began < 5
    connection.sock.close() if connection.sock else answer.close()
    answer.close()
    for _ in range(200):
        if before - visitor.workers():
            break
        time.sleep(0.05)
    assert len(before - visitor.workers()) == 1
    assert visitor.ask("search", {"puzzle": "no-off-b"})["distance"] == 56


FULL = "\n".join(["  " + 31 * "A "] * 30 + ["  " + 30 * "A " + "."])
SLOW = f"rule: slide\ncount: multi\nstart:\n{FULL}\ngoal:\n{FULL}\n"
"""A puzzle that takes seconds to open."""


def test_unfinished_connections_keep_nobody_out_and_are_closed(visitor):
    begun = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
    sockets = [socket.create_connection(("127.0.0.1", visitor.port)) for _ in range(200)]
    for each in sockets:
        each.sendall(begun)
    began = time.monotonic()
    assert visitor.get("/")[0] == 200
    assert time.monotonic() - began < 1
    for each in sockets:
        each.settimeout(10)
        with suppress(ConnectionResetError):
            assert each.recv(1) == b""
        each.close()
    assert time.monotonic() - began < 10


def test_one_visitor_with_many_open_questions_does_not_delay_another():
    with running(short_workers=2) as host:
        before = host.workers()
        asked = [host.send("open", {"text": SLOW}, **{"X-Forwarded-For": f"10.0.0.{k}"}) for k in range(20)]
        time.sleep(0.5)
        began = time.monotonic()
        assert host.ask("at", {"puzzle": "goat"}, source="127.0.0.2")["position"]
        assert time.monotonic() - began < 1
        closed = time.monotonic()
        for each in asked:
            each.close()
        while not before - host.workers():
            assert time.monotonic() - closed < 4
            time.sleep(0.05)


@pytest.fixture(scope="module")
def guarded():
    with running(host="0.0.0.0", token="open sesame", seconds=1.0) as found:
        yield found


def test_the_token_is_asked_for_before_anything_else(guarded):
    question = {"puzzle": "goat"}
    wrong = [{"Origin": "http://puzzles.example"}, {"Content-Type": "text/plain"}]
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    answers = [guarded.begin("open", question, **each)[1] for each in wrong]
    told = [(answer.status, answer.read()) for answer in answers]
    told += [guarded.get("/nowhere")[::2], guarded.get("/", **upgrade)[::2]]
    assert {(status, body.split(b":")[0]) for status, body in told} == {(403, b"A token is needed")}


def test_other_machines_need_the_token_and_time_is_limited(guarded):
    assert guarded.get("/")[0] == 403
    assert guarded.begin("open", {"puzzle": "goat"})[1].status == 403
    assert guarded.get("/?token=wrong")[0] == 403
    status, headers, _ = guarded.get("/?token=open+sesame")
    assert (status, headers["location"]) == (303, "/")
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    shown = {"Cookie": cookie.split(";")[0]}
    assert guarded.get("/", **shown)[0] == 200
    assert guarded.ask("search", {"text": ENDLESS}, **shown)["error"]["kind"] == "seconds"


def test_the_least_recently_used_tables_are_deleted():
    server = Server(Bounds(tables=2500))
    try:
        for age, name in enumerate(("new", "old", "older")):
            folder = server.tables_folder / name
            folder.mkdir()
            (folder / "data").write_bytes(bytes(1000))
            (folder / "summary.json").write_text("{}")
            os.utime(folder, (1000 - age, 1000 - age))
        server.tidy()
        assert {folder.name for folder in server.tables_folder.iterdir() if folder.is_dir()} == {"new", "old"}
    finally:
        server.lock.release()
        shutil.rmtree(server.tables_folder)


def test_the_folder_of_a_killed_server_is_removed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    others = tmp_path / "puzzlespace-page"
    others.mkdir()
    with running() as killed:
        killed.process.kill()
        killed.process.wait(20)
    server = Server(Bounds())
    try:
        old = set(tmp_path.glob("puzzlespace-page-*")) - {server.tables_folder}
        for folder in (*old, server.tables_folder):
            os.utime(folder, (1, 1))
        remove_left_folders()
        assert {*tmp_path.iterdir()} == {others, server.tables_folder}
    finally:
        server.lock.release()


def test_a_process_that_holds_much_memory_after_its_answer_is_replaced(tmp_path, monkeypatch):
    async def asked():
        pool = Pool(Bounds(), tmp_path, range(1), 60.0, 2)
        (worker,) = pool.workers
        try:
            await pool.start({"task": "warm"}, 1)
            first = worker.process.pid
            assert 0 < worker.held() < KEPT
            await answered(pool.ask({"task": "at", "puzzle": "flip3"}))
            assert worker.process.pid == first
            monkeypatch.setattr("puzzlespace.web.pool.KEPT", worker.held() // 2)
            assert (await answered(pool.ask({"task": "at", "puzzle": "flip3"})))["moves"]
            await asyncio.gather(*pool.restarts)
            assert worker.process.pid != first
            assert pool.free.qsize() == 1
        finally:
            await pool.stop()

    with ThreadPoolExecutor(1) as apart:  # a browser of other tests may have its loop in this thread
        apart.submit(asyncio.run, asked()).result()


class FakeWorker:
    """A process that says when it begins and ends a question."""

    running = True

    def held(self):
        return 0

    def __init__(self, log):
        self.log = log

    async def ask(self, question, seconds):
        self.log.append(f"begin {question}")
        await asyncio.sleep(0.01)
        self.log.append(f"end {question}")
        yield {"done": True}, b""


def test_a_visitor_has_two_processes_at_a_time(tmp_path):
    async def asked():
        log = []
        pool = Pool(Bounds(), tmp_path, range(4), 1.0, 2)
        for _ in range(4):
            pool.free.put_nowait(FakeWorker(log))
        mine = [answered(pool.ask(name, "me")) for name in ("first", "second", "third")]
        await asyncio.gather(*mine, answered(pool.ask("other", "you")))
        assert log.index("end first") < log.index("begin third")
        assert log.index("begin other") < log.index("end first")
        assert log.index("begin second") < log.index("end first")
        assert not pool.turns
        pool.lanes[False].waiting = 2
        with pytest.raises(BusyError):
            await answered(pool.ask("last", "me"))

    with ThreadPoolExecutor(1) as other:  # a browser of other tests may have its loop in this thread
        other.submit(asyncio.run, asked()).result()


def test_an_open_address_is_warned_of(visitor):
    command = [sys.executable, "-m", "puzzlespace", "serve", "--host", "0.0.0.0", "--port", str(visitor.port)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert "need the token" in found.stderr


def test_a_port_that_is_taken_is_said(visitor):
    command = [sys.executable, "-m", "puzzlespace", "serve", "--port", str(visitor.port)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert found.returncode == 30
    assert "--port 0" in found.stderr


def test_games_of_pegs_without_a_table_are_walks_back_from_the_goal(visitor):
    about = visitor.ask("open", {"puzzle": "english"})["about"]
    assert (about["reversible"], about["dealt"]) == (False, True)
    at = visitor.ask("sample", {"puzzle": "english", "level": "easy"})
    assert 1 < at["words"].count("o") < 32
    small = load("star13")
    model = small.model()
    for steps in range(1, 7):
        goal = model.goals[0].position
        found = _walked(model.backward, goal, steps, goal)
        assert 0 < solve(with_start(small, found)).moves <= steps


def test_a_walk_does_not_deal_the_position_that_is_shown():
    model = load("slide:2x2").model()
    goal = model.goals[0].position
    shown = _walked(model, goal, 8, goal)
    assert shown not in [_walked(model, goal, 8, shown) for _ in range(100)]
