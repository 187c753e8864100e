"""Questions of the page in a Python without NumPy and Numba, such as one in a browser."""

import json
import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from puzzlespace import depths, distance, load
from puzzlespace.api.loader import from_text
from puzzlespace.engines.shared import loops
from puzzlespace.errors import InputError, LimitError
from puzzlespace.graph import explore
from puzzlespace.graph.layout import lay_out
from puzzlespace.limits import machine, watch
from puzzlespace.web import drawings, inside, measured, worker
from puzzlespace.web.listed import whole_list

BLOCKED = """
import json, sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numpy", "numba", "llvmlite", "filelock", "platformdirs", "starlette", "click"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocked())
from puzzlespace.web.inside import asker
ask, found = asker(), []
for question in json.loads(sys.argv[1]):
    lines = []
    ask(json.dumps(question), lines.append)
    found.append({key: value for line in lines for key, value in json.loads(line).items()})
print(json.dumps(found))
"""

TEXT = "rule: slide\ncount: step\nstart: A B . / C . .\ngoal: . B A / C . .\n"

QUESTIONS = [
    {"task": "open", "puzzle": "klotski"},
    {"task": "search", "puzzle": "flip3"},
    {"task": "path", "text": TEXT},
    {"task": "measure", "puzzle": "wolf", "brief": True},
    {"task": "measure", "puzzle": "flip3"},
    {"task": "sample", "puzzle": "flip3", "level": "easy"},
    {"task": "copy", "puzzle": "flip3", "what": "strip"},
    {"task": "search", "text": "rule: slide\nstart: A B\n"},
    {"task": "make", "puzzle": "flip3", "depth": 3},
]


def test_plain_python_answers_what_is_small_and_says_what_it_cannot(tmp_path):
    words = [sys.executable, "-c", BLOCKED, json.dumps(QUESTIONS)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    opened, searched, path, wolf, flips, sampled, strip, wrong, made = json.loads(done.stdout)
    assert opened["about"]["name"] == "klotski"
    assert searched["distance"] == distance("flip3", load("flip3").start).distance
    assert len(path["path"]) == len(path["moves"]) + 1 > 1
    for found, name in ((wolf, "wolf"), (flips, "flip3")):
        assert found["table"]["counts"] == list(depths(name).counts)
    assert sampled["state"] in ("known", "unknown")
    assert strip["text"].startswith("<svg")
    assert wrong["error"]["kind"] == "input"
    assert made["error"]["kind"] == "unsupported"
    assert "NumPy" in made["error"]["message"]


LAY_OUT = """
import { laidOut } from "LAYOUT";
import { readFileSync, writeFileSync } from "node:fs";
const raw = readFileSync("map");
const numbers = (kind, begin, length) => new kind(Uint8Array.from(raw.subarray(begin, begin + length)).buffer);
const distance = numbers(Int16Array, 0, 2 * COUNT);
const places = laidOut(COUNT, numbers(Uint32Array, 4 * COUNT, 8 * MOVES), distance);
writeFileSync("places", Buffer.concat(places.map((each) => Buffer.from(each.buffer))));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node on this machine")
@pytest.mark.parametrize("name", ["wolf", "flip3", "microban6"])
def test_a_map_of_a_browser_is_as_good_as_that_of_the_server(name, tmp_path, monkeypatch):
    for module in (drawings, worker):
        monkeypatch.setattr(module, "has_arrays", lambda: False)
    lines = []
    inside.asker()(json.dumps({"task": "map", "puzzle": name}), lambda *line: lines.append(line))
    told = [json.loads(line[0]) for line in lines]
    ((line, raw),) = [each for each in lines if len(each) == 2]
    assert told[-1] == {"done": True}
    told = json.loads(line)
    graph = explore(load(name))
    known = graph.distances(graph.goals(load(name).model()))
    count, moves = told["map"]["count"], told["map"]["moves"]
    assert (count, moves, told["bytes"]) == (len(graph), len(graph.pairs), len(raw))
    symbols = [
        raw[4 * count + 8 * moves :][at * graph.symbols.shape[1] :][: graph.symbols.shape[1]] for at in range(count)
    ]
    order = np.array([graph.numbers[each] for each in symbols])
    assert np.frombuffer(raw, "<i2", count).tolist() == known[order].tolist()
    (tmp_path / "map").write_bytes(raw)
    module = Path(drawings.__file__).parent / "static" / "layout.js"
    script = LAY_OUT.replace("LAYOUT", module.as_uri()).replace("COUNT", str(count)).replace("MOVES", str(moves))
    subprocess.run(["node", "--no-warnings", "--input-type=module", "-e", script], cwd=tmp_path, check=True)
    places = np.frombuffer((tmp_path / "places").read_bytes(), "<f4").reshape(2, count, 3)
    ours, theirs = lay_out(graph, known), np.empty_like(places)
    theirs[:, order] = places

    def strain(found):
        """How far positions are from where their distances from the first one want them, on average."""
        away = np.linalg.norm(found - found[0], axis=1)[1:]
        return float((((away - graph.layers[1:]) / graph.layers[1:]) ** 2).mean())

    for here, there in ((ours.space, theirs[0]), (ours.layers, theirs[1])):
        assert strain(there) == pytest.approx(strain(here), rel=0.2, abs=0.02)


@pytest.mark.parametrize("name", ["star13", "microban1", "flip3"])
def test_games_of_a_distance_are_dealt_also_if_moves_cannot_be_undone(name, monkeypatch):
    for module in (drawings, worker, measured):
        monkeypatch.setattr(module, "has_arrays", lambda: False)
    ask = inside.asker()

    def asked(task, **question):
        lines = []
        ask(json.dumps({"task": task, "puzzle": name, **question}), lambda line: lines.append(json.loads(line)))
        return {key: value for line in lines for key, value in line.items()}

    table, graph = asked("measure")["table"], explore(load(name))
    known = graph.distances(graph.goals(load(name).model()))
    assert (table["away"], table["lost"]) == (int(known.max()), int((known < 0).sum()))
    numbers = {load(name).id(graph.position(node)): node for node in range(len(graph))}
    for depth in (1, table["away"]):
        found = asked("sample", level="hard", depth=depth)
        assert found["distance"] == depth == known[numbers[found["position"]]]
        shown = numbers[asked("sample", depth=depth)["position"]]
        assert (known if table["origin"] == "goal" else graph.layers)[shown] == depth
    other = asked("sample", level="easy")
    assert other["distance"] == max(1, round(table["away"] / 4))


@pytest.mark.parametrize("start", ["1 2 3 / 4 5 .", "2 1 3 / 4 5 ."])
def test_distances_are_listed_once_a_game_is_dealt_and_are_those_of_the_goal(start, monkeypatch):
    for module in (drawings, worker, measured):
        monkeypatch.setattr(module, "has_arrays", lambda: False)
    lists = []
    monkeypatch.setattr(measured, "whole_list", lambda *words: lists.append(words) or whole_list(*words))
    text, ask = f"rule: slide\nstart: {start}\ngoal: 1 2 3 / . 4 5\n", inside.asker()

    def asked(task, **question):
        lines = []
        ask(json.dumps({"task": task, "text": text, **question}), lambda line: lines.append(json.loads(line)))
        return {key: value for line in lines for key, value in line.items()}

    table = asked("measure")["table"]
    found = from_text(text, "six.pzl", "six")
    assert (table["lost"], table["away"], table["depth"]) == (0, depths(found).depth, depths(found).depth)
    assert not lists
    for depth in (1, 5, table["away"]):
        at = asked("sample", level="hard", depth=depth)
        assert at["distance"] == depth == distance(found, found.read(at["position"])).distance
    assert len(lists) == 1
    shown = asked("search", position=found.id(found.start))
    assert shown["distance"] == distance(found, found.start).distance


def test_the_package_for_browsers_has_what_questions_need(tmp_path):
    names = set(ZipFile(BytesIO(inside.package())).namelist())
    assert {"puzzlespace/web/tasks.py", "puzzlespace/catalogue/klotski.pzl", "puzzlespace/web/static/page.js"} <= names
    assert not [name for name in names if "__pycache__" in name or "/cli/" in name]
    with pytest.raises(InputError, match=r"found no pyodide\.mjs"):
        inside.interpreter(tmp_path)


@pytest.mark.parametrize(
    ("name", "seconds", "slowly"), [("goat", 0.0, 0.0), ("eight", 10.0, 0.0), ("flip3", 10.0, 10.0)]
)
def test_what_a_browser_counts_unasked_depends_on_its_loops(monkeypatch, name, seconds, slowly):
    monkeypatch.setattr(measured, "has_arrays", lambda: False)
    puzzle = load(name)

    def told():
        return measured.estimate(puzzle, puzzle.model(), 10.0, 2.0)

    assert told().seconds == slowly
    monkeypatch.setattr(loops, "_given", [print])
    assert told().seconds == seconds
    assert told().rate > measured.RATE_SLOW


def test_the_memory_that_a_browser_tells_counts(monkeypatch):
    held = [100 << 20]
    monkeypatch.setattr(machine, "_told", [])
    machine.take_memory(lambda: held[0])
    with watch.watched(watch.Limits(memory=50 << 20)) as begun:
        begun.reserve(40 << 20)
        held[0] += 40 << 20
        with pytest.raises(LimitError, match="10,485,760 are left"):
            begun.reserve(20 << 20)
