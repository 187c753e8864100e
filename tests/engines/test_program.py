"""Rule programs: compiled loops for browsers, as machine code and as WebAssembly, against the plain engine."""

import base64
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz import generators
from fuzz.variants import VARIANTS
from puzzlespace import load
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import plain, program
from puzzlespace.engines.program import layers, packing
from puzzlespace.kernels.program import loops
from puzzlespace.kernels.program.fields import AT, END, MARKED
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.metric import Metric
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule

ROOT = Path(__file__).parents[2]
SHIPPED = Path(loops.__file__).with_suffix(".wasm")

NODE = """
const fs = require("node:fs");
const memory = new WebAssembly.Memory({ initial: 64 });
const module = new WebAssembly.Module(fs.readFileSync(process.argv[1]));
const { exports } = new WebAssembly.Instance(module, { env: { memory } });
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [name, ...texts] = JSON.parse(line);
  const arrays = texts.map((text) => Buffer.from(text, "base64"));
  let end = 1024;
  const places = arrays.map((each) => { const at = end; end += (each.length + 15) & ~7; return at; });
  if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / 65536));
  arrays.forEach((each, number) => new Uint8Array(memory.buffer).set(each, places[number]));
  exports[name](...places);
  const found = arrays.map((each, number) => Buffer.from(memory.buffer, places[number], each.length));
  console.log(JSON.stringify(found.map((each) => each.toString("base64"))));
});
"""


def models():
    """Yield drawn puzzles in all metrics that the engine answers."""
    for seed in range(60):
        draw = (generators.draw, generators.draw_glide, generators.draw_crates)[seed % 3]
        puzzle = generators.accepted(draw(seed))
        for metric in puzzle.metrics if puzzle is not None and puzzle.start is not None else ():
            model = puzzle.model(metric)
            if program.ENGINE.refuses(model, "depths") is None:
                yield model


def compared(model, watch):
    """Return the answers of the engine about a model, and those that are right; None if it is too large."""
    question = Depths(model, (model.start,), keep=5, collect=model.goals)
    right = plain.depths(question, Watch(Limits(positions=3000)))
    if right.stopped is not None:
        return None
    found = program.ENGINE.depths(question, watch)
    pairs = [(found.counts, right.counts), (found.deepest, right.deepest)]
    pairs.append((sorted(found.collected), sorted(right.collected)))
    if model.goals:
        search = Search(model, model.start)
        pairs.append((program.ENGINE.search(search, watch).layers, plain.search(search, Watch()).layers))
    return tuple(zip(*pairs, strict=True))


@pytest.mark.parametrize("variant", ["usual", "low"])
def test_answers_are_those_of_plain_python(variant, monkeypatch):
    if variant == "low":
        monkeypatch.setattr(packing, "SPAN_BYTES", 0)  # so that cells are tested one by one
    number = 0
    for model in models():
        answer = compared(model, Watch(thresholds=VARIANTS[variant]))
        if answer is not None:
            number += 1
            assert answer[0] == answer[1]
    assert number > 30


def turns(draw):
    """Return a drawn model: turns that carry many cells from word to word, and turns of these are one move."""
    cells, symbols = draw.randint(12, 50), draw.choice((2, 3, 12))
    rules = []
    for name in "ab":
        chosen = draw.sample(range(cells), draw.choice((4, 8, 12)))
        source = [place ^ 1 if name == "a" else place - place % 4 + (place + 1) % 4 for place in range(len(chosen))]
        mapped = tuple(draw.sample(range(symbols), symbols)) if draw.random() < 0.2 else None
        tables = [draw.choice((mapped, None)) for _ in chosen]
        rules.append(Rule(name, tuple(chosen), (ANY,) * len(chosen), tuple(source), tuple(tables)))
    start = bytearray(cells)
    for cell in draw.sample(range(cells), 4):
        start[cell] = draw.randrange(symbols)
    goal = Goal(tuple(draw.choice(((1 << symbols) - 1, 1)) for _ in range(cells)))
    metric = Metric(*draw.choice((("step",), ("run", ((0,), (1,))))))
    return Model(cells, symbols, tuple(rules), metric, bytes(start), (goal,))


def test_turns_of_many_cells_are_those_of_plain_python():
    draw, sizes = random.Random(5), []
    for _ in range(30):
        answer = compared(turns(draw), Watch())
        if answer is not None:
            assert answer[0] == answer[1]
            sizes.append(sum(answer[0][0]))
    assert len(sizes) > 15
    assert max(sizes) > 100


def looked_up(model, run):
    """Yield where `meet` finds one of four positions in a search that has found two, and where none of the others."""
    found = layers.ProgramLayers(model, (model.start,), (), Watch())
    starts = [model.start, *model.moves(model.start)]
    found.enter(starts[:2])
    others = found.program.packed([starts[2], starts[3], starts[1], starts[2]])
    for first in (0, 3):
        found.state[AT], found.state[END] = first, 4
        run("meet", found.program.numbers, found.state, found.words, found.table, others)
        yield (found.state[AT] if found.state[MARKED] >= 0 else found.state[END]), found.state[MARKED]


def test_webassembly_writes_the_bytes_of_machine_code(monkeypatch):
    if shutil.which("node") is None:
        pytest.skip("no Node.js on this machine")
    node = subprocess.Popen(["node", "-e", NODE, SHIPPED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    native, calls = layers.run, []

    def both(name, *arrays):
        texts = [base64.b64encode(each.tobytes()).decode() for each in arrays]
        node.stdin.write(json.dumps([name, *texts]) + "\n")
        node.stdin.flush()
        native(name, *arrays)
        assert [base64.b64decode(text) for text in json.loads(node.stdout.readline())] == [a.tobytes() for a in arrays]
        calls.append(name)

    monkeypatch.setattr(layers, "run", both)
    try:
        draw = random.Random(1)
        for model in (*draw.sample([*models()], 20), *(turns(draw) for _ in range(5))):
            compared(model, Watch(thresholds=VARIANTS["low"]))
        model = load("klotski").model("piece")
        assert program.ENGINE.depths(Depths(model, (model.start,)), Watch()).counts[-1] > 0
        assert [*looked_up(model, both)] == [(2, 1), (4, -1)]
    finally:
        node.stdin.close()
        node.wait()
        node.stdout.close()
    assert set(calls) == {"enter", "expand", "met", "meet", "shown"}


@pytest.fixture
def build():
    """The script that makes the module, run in a process of its own: it sets Numba up for other code."""

    def run(*arguments):
        asked = "import runpy, sys; made = runpy.run_path(sys.argv[1]); print(eval(sys.argv[2], made))"
        words = [sys.executable, "-W", "ignore", "-c", asked, ROOT / ".ci" / "browser_loops.py", *arguments]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()

    return run


def test_the_module_is_made_of_the_present_sources(build):
    assert build("sources()").encode() in SHIPPED.read_bytes(), "run python .ci/browser_loops.py"


def test_the_same_tools_make_the_same_module(build, tmp_path):
    if shutil.which("wasm-ld") is None or build("tools()").encode() not in SHIPPED.read_bytes():
        pytest.skip("the tools that made loops.wasm are not on this machine")
    build(f"main(Path({str(tmp_path / 'made.wasm')!r}))")
    assert (tmp_path / "made.wasm").read_bytes() == SHIPPED.read_bytes()
