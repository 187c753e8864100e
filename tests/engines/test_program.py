"""Rule programs: compiled loops for browsers, as machine code and as WebAssembly, against the plain engine."""

import base64
import json
import random
import shutil
import subprocess
import sys
from contextlib import suppress
from itertools import chain
from pathlib import Path

import pytest

from fuzz import generators
from fuzz.variants import VARIANTS
from puzzlespace import depths, load
from puzzlespace.api.loader import from_text
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import plain, program, table
from puzzlespace.engines.program import layers, packing
from puzzlespace.engines.shared import loops as shared_loops
from puzzlespace.engines.table.slide import counting, in_browser, numbering, plain_windows
from puzzlespace.errors import UnsupportedError
from puzzlespace.kernels.program import loops
from puzzlespace.kernels.program.fields import AT, END, KEYED, MARKED
from puzzlespace.kernels.table import windows
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.metric import Metric, Stage
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule
from puzzlespace.registry import counts_in_browser
from puzzlespace.structure.redundant import redundant
from puzzlespace.structure.whole_moves import joined

ROOT = Path(__file__).parents[2]
SHIPPED = Path(loops.__file__).with_suffix(".wasm")

NODE = """
const fs = require("node:fs");
const memory = new WebAssembly.Memory({ initial: 64 });
const module = new WebAssembly.Module(fs.readFileSync(process.argv[1]));
const { exports } = new WebAssembly.Instance(module, { env: { memory } });
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [name, ...texts] = JSON.parse(line);
  const numbers = texts.filter((each) => typeof each === "number");
  const arrays = texts.filter((each) => typeof each === "string").map((text) => Buffer.from(text, "base64"));
  let end = 1024;
  const places = arrays.map((each) => { const at = end; end += (each.length + 15) & ~7; return at; });
  const [here, told] = [[...places], [...numbers]];
  if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / 65536));
  arrays.forEach((each, number) => new Uint8Array(memory.buffer).set(each, places[number]));
  const answer = exports[name](...texts.map((each) => (typeof each === "number" ? told : here).shift()));
  const found = arrays.map((each, number) => Buffer.from(memory.buffer, places[number], each.length));
  const shown = found.map((each) => each.toString("base64"));
  console.log(JSON.stringify(answer === undefined ? shown : [...shown, answer]));
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


@pytest.mark.parametrize("cells", [63, 64])
def test_a_word_of_all_bits_is_found_in_a_table_of_numbers(cells):
    """Presses of lamps from all lit: a position of 64 cells is a word whose hash may be anything."""
    pressed = [range(first, cells, 8) for first in range(8)]
    rules = tuple(
        Rule(str(lamps), tuple(lamps), (ANY,) * len(lamps), tuple(range(len(lamps))), ((1, 0),) * len(lamps))
        for lamps in pressed
    )
    model = Model(cells, 2, rules, Metric(), bytes([1]) * cells, (Goal((1,) * cells),))
    used = layers.ProgramLayers(model, (model.start,), (), Watch())
    assert (used.wide, used.state[KEYED]) == (1, cells < 64)
    found, right = compared(model, Watch())
    assert found == right
    assert sum(found[0]) == 1 << 8


def shown_by(rule, position):
    after = rule.apply(position)
    return position if after is None else after


def test_a_redundant_rule_leads_to_what_was_found_before():
    draw, needed = random.Random(8), 0
    for model in [*models(), *(turns(draw) for _ in range(30))]:
        model = joined(model) or model
        for rule, left_out in zip(model.rules, redundant(model), strict=True):
            for _ in range(20):
                position = bytes(draw.randrange(model.symbols) for _ in range(model.cells))
                position = draw.choice((position, model.start, *model.moves(model.start)))
                after = rule.apply(position)
                near = {position, *(shown_by(each, position) for each in model.rules)}
                for other in left_out if after is not None else ():
                    assert shown_by(model.rules[other], after) in near | {after}
                    needed += after != position
    assert needed > 1000


def test_no_rule_is_redundant_where_moves_count_differently_or_something_happens_by_itself():
    lamp = Rule("lamp", (0,), (ANY,), (0,), ((1, 0),))
    for metric, left_out in ((Metric(), {0}), (Metric("cost", costs=(3,)), set())):
        assert redundant(Model(1, 2, (lamp,), metric)) == [left_out]
    after = Metric(automatic=(Stage((1,)),))
    assert redundant(Model(1, 2, (lamp, lamp), after)) == [set(), set()]


def looked_up(model, run):
    """Yield where `meet` finds one of four positions in a search that has found two, and where none of the others."""
    found = layers.ProgramLayers(model, (model.start,), (), Watch())
    starts = [model.start, *model.moves(model.start)]
    found.state[KEYED] = 0
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


MODULES = [SHIPPED, Path(windows.__file__).with_suffix(".wasm")]


@pytest.mark.parametrize("number", [0, 1])
def test_the_module_is_made_of_the_present_sources(number, build):
    made = build(f"sources(SHIPPED[{number}])").encode()
    assert made in MODULES[number].read_bytes(), "run python .ci/browser_loops.py"


@pytest.mark.parametrize("number", [0, 1])
def test_the_same_tools_make_the_same_module(number, build, tmp_path):
    if shutil.which("wasm-ld") is None or build("tools()").encode() not in MODULES[number].read_bytes():
        pytest.skip("the tools that made loops.wasm are not on this machine")
    build(f"write(SHIPPED[{number}], Path({str(tmp_path / 'made.wasm')!r}))")
    assert (tmp_path / "made.wasm").read_bytes() == MODULES[number].read_bytes()


def boards(chance, number):
    """Yield drawn puzzles of tiles: on boards with walls, some tiles alike, with one blank or several."""
    made = 0
    while made < number:
        width, height = chance.choice([(2, 2), (3, 2), (4, 2), (3, 3), (5, 2)])
        cells = [".", *chance.choices(".ABCD" if chance.random() < 0.5 else "ABCDEFGHI", k=width * height - 1)]
        if chance.random() < 0.4:
            cells[-1] = "#"
        if chance.random() < 0.3:
            cells = [".", *"ABCDEFGHI"[: width * height - 1]]
        chance.shuffle(cells)
        rows = " / ".join(" ".join(cells[at : at + width]) for at in range(0, len(cells), width))
        model = from_text(f"rule: slide\ncount: step\nstart: {rows}\n", "drawn.pzl", "drawn").model("step")
        if in_browser.unfit(model) is None:
            made += 1
            yield model


def asked(model, chance):
    """Return a question about a drawn model: what is three moves away is looked up, and all shallow layers listed."""
    far = model.start
    for _ in range(3):
        far = chance.choice(sorted(model.moves(far)) or [far])
    goal = Goal(tuple(1 << symbol for symbol in far))
    return Depths(model, (model.start,), 5, (goal,))


def test_slides_are_counted_in_bits_without_arrays(monkeypatch):
    chance, sizes = random.Random(3), []
    monkeypatch.setattr(in_browser, "CALL_WORDS", 1)  # so that a layer takes several calls
    monkeypatch.setattr(in_browser, "BLOCK", 1)
    for model in boards(chance, 12):
        question = asked(model, chance)
        try:
            found = in_browser.depths(question, Watch())
        except UnsupportedError:
            continue  # its board has two colours, but not its rows
        right = plain.depths(question, Watch(Limits(positions=20000)))
        if right.stopped is None:
            told = [(each.counts, each.deepest, list(each.collected)) for each in (found, right)]
            assert told[0] == told[1]
            sizes.append(sum(found.counts))
    assert len(sizes) > 5
    assert max(sizes) > 500


@pytest.mark.parametrize("least", [1, 1024])
def test_tables_of_windows_are_those_made_with_arrays(least):
    for model in boards(random.Random(7), 6):
        plan = numbering.plan(model)
        ground = counting.Ground(plan, [model.start], least)
        ground.build()
        orders = plain_windows.PlainOrders(plan.counts, plan.halved, plan.tail)
        depth = plain_windows.block_depth(orders, ground.windows, least)
        made = plain_windows.PlainWindows(orders, ground.windows, depth)
        assert depth == ground.depth
        right = {**ground.shape._asdict(), **ground.program._asdict()}
        assert made.fives == right.pop("fives")
        assert {name: list(getattr(made, name)) for name in right} == {
            name: each.reshape(-1).tolist() for name, each in right.items()
        }


def test_limits_stop_a_count_of_slides_with_what_is_known():
    model = load("slide:3x3").model()
    question = Depths(model, (model.goals[0].position,), 5)
    right = plain.depths(question, Watch(Limits(positions=3000))).counts
    found = in_browser.depths(question, Watch(Limits(positions=3000)))
    assert found.stopped is not None
    assert found.stopped.kind == "positions"
    assert len(found.counts) > 10
    assert found.counts[: len(right)] == right[: len(found.counts)]
    assert in_browser.depths(question, Watch(Limits(memory=1))).stopped.kind == "memory"


def test_a_browser_counts_large_tables_of_slides_in_bits_and_others_by_hashing(monkeypatch):
    monkeypatch.setattr(shared_loops, "_given", [print])
    for name, tabled, worth in (("slide:3x4", True, True), ("slide:3x3", True, False), ("goat", False, None)):
        model = load(name).model()
        assert counts_in_browser(model, in_bits=True) == tabled
        if tabled:
            question = Depths(model, (model.goals[0].position,), 5)
            assert (in_browser.unworthy(question) is None) == worth
    assert "up to 3,000,000,000 positions" in table.refuses(load("slide:4x4").model(), "depths")
    assert "depths only" in table.refuses(load("slide:3x4").model(), "search")
    with pytest.raises(UnsupportedError, match="sliding puzzles only"):
        depths("goat", engine="table")


def test_what_counts_in_a_browser_keeps_no_layers_in_files(monkeypatch):
    monkeypatch.setitem(sys.modules, "puzzlespace.search.disk_layers", None)  # it needs NumPy
    small = load("slide:3x2").model()
    question = Depths(small, (small.goals[0].position,), 5)
    expected = plain.depths(question, Watch()).counts
    assert program.depths(question, Watch()).counts == in_browser.depths(question, Watch()).counts == expected


def test_webassembly_counts_slides_as_machine_code_does(monkeypatch):
    if shutil.which("node") is None:
        pytest.skip("no Node.js on this machine")
    words = ["node", "-e", NODE, MODULES[1]]
    node = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    native, sums = in_browser.step_layer, []

    def both(span, tables, shape, program, fives, arcs, work):
        groups = [*tables, *shape, *program], [*arcs, *work]
        arrays = [each for group in groups for each, _ in group]
        texts = [[[base64.b64encode(each.tobytes()).decode(), *sizes] for each, sizes in group] for group in groups]
        told = [*span, *chain(*texts[0]), int(fives), *chain(*texts[1])]
        node.stdin.write(json.dumps(["step_layer", *told]) + "\n")
        node.stdin.flush()
        found = native(span, tables, shape, program, fives, arcs, work)
        *texts, answer = json.loads(node.stdout.readline())
        assert [base64.b64decode(text) for text in texts] == [each.tobytes() for each in arrays]
        assert answer == found
        sums.append(found)
        return found

    monkeypatch.setattr(in_browser, "step_layer", both)
    chance = random.Random(5)
    try:
        for model in boards(chance, 4):
            with suppress(UnsupportedError):
                in_browser.depths(asked(model, chance), Watch())
    finally:
        node.stdin.close()
        node.wait()
        node.stdout.close()
    assert sum(sums) > 500
