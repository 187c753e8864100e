"""Random tiny puzzles: all engines, metrics, bounds and questions against a second implementation of the format."""

import datetime
import heapq
import itertools
import os
from collections import Counter
from importlib import import_module
from random import Random

import pytest

import puzzlespace
from fuzz import engines, found, judge, large, reference, shrink
from fuzz.generators import accepted, draw, draw_crates, draw_glide, draw_push
from fuzz.harness import examine
from fuzz.running import one, smallest
from fuzz.variants import VARIANTS
from places import PACKAGE
from puzzlespace.api import crosscheck, dispatch
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import plain
from puzzlespace.engines.deepening.known import KnownFacts
from puzzlespace.graph import explore
from puzzlespace.limits.thresholds import Threshold
from puzzlespace.limits.watch import Watch
from puzzlespace.structure import slides

WITH_THRESHOLDS = "limits", "contract", "ranking", "heuristics", "search", "engines"
"""The rooms whose modules have thresholds."""

CHUNK = 25
"""Puzzles of one test, so that processes can share the work."""

TODAY = int(os.environ.get("PUZZLESPACE_FUZZ_SEED", datetime.datetime.now(datetime.UTC).strftime("%Y%m%d")))
"""The first seed of the day, times 1000; the environment sets another."""


USUAL_ENGINES = {"auto", "plain", "bidirectional", "frontier", "table", "idastar", "astar"}
"""The engines that answer about a third of all puzzles or more, so in every chunk."""

RARE = {"blocks", "gliders", "linear", "pegs", "template"}
"""Those that answer about fewer puzzles; they must do so in each of the chunks that `pytest` runs."""

TABLES = {f"table:{kind}" for kind in ("digits", "frame", "product", "rank", "slide", "turn", "xor")}
SEARCHES = {"cosets", "listed", "pieces"}
"""Kinds of tables, and searches of `idastar`, which must take part in one of these chunks."""


def look(seeds, parts):
    """Examine puzzles, each under an alarm; the first fault is told with its seed and the puzzle.

    The named engines and their parts must have answered, and every set of thresholds must have been tried.
    """
    answered = Counter()
    for seed in seeds:
        _, text, examination = one(seed)
        faults = examination.faults
        assert not faults, f"seed {seed}\n{text}\n" + "\n".join(map(str, faults[:5]))
        answered += examination.answered
    assert parts | set(VARIANTS) <= {part for both in answered for part in both}


FIXED = [
    (0, RARE | TABLES),
    (1, RARE | SEARCHES),
    *(pytest.param(c, set(), marks=pytest.mark.long) for c in range(2, 40)),
]


@pytest.mark.parametrize(("chunk", "rare"), FIXED)
def test_puzzles_of_a_fixed_seed(chunk, rare):
    look(range(CHUNK * chunk, CHUNK * (chunk + 1)), USUAL_ENGINES | rare)


@pytest.mark.parametrize("chunk", [0, *(pytest.param(chunk, marks=pytest.mark.long) for chunk in range(1, 4))])
def test_puzzles_of_the_day(chunk):
    look(range(1000 * TODAY + CHUNK * chunk, 1000 * TODAY + CHUNK * (chunk + 1)), USUAL_ENGINES)


def test_gliding_pieces_of_a_fixed_seed():
    for seed in range(16):
        text = draw_glide(seed)
        faults = examine(text, seed).faults
        assert not faults, f"seed {seed}\n{text}\n" + "\n".join(map(str, faults[:5]))


def shortest_paths(puzzle, start):
    """Distances in cells travelled and numbers of shortest paths, by Dijkstra's algorithm on the second reading."""
    distance, ways, waiting, done = {start: 0}, Counter({start: 1}), [(0, start)], set()
    while waiting:
        here, position = heapq.heappop(waiting)
        if position in done:
            continue
        done.add(position)
        for after, length in puzzle.lengths(position).items():
            if here + length < distance.get(after, 1 << 30):
                distance[after] = here + length
                ways[after] = 0
                heapq.heappush(waiting, (here + length, after))
            if here + length == distance[after]:
                ways[after] += ways[position]
    return distance, ways


def cells_travelled(seed):
    """Compare depth tables, graph and solutions in the metric `step` with shortest paths of a second reading."""
    text = draw_glide(seed)
    puzzle, ref = accepted(text), reference.read(text)
    if puzzle is None or puzzle.start is None or len(explore(puzzle, most=2000)) == 2000:
        return
    distance, ways = shortest_paths(ref, ref.start)
    counts = Counter(distance.values())
    told = puzzlespace.depths(puzzle, origin="start", metric="step", cache="off")
    assert told.counts == tuple(counts[depth] for depth in range(max(counts) + 1)), text
    graph = explore(puzzle, metric="step")
    assert Counter(graph.from_start().tolist()) == counts, text
    if not puzzle.goals:
        return
    solved = [position for position in distance if ref.is_goal(position)]
    least = min((distance[position] for position in solved), default=None)
    answer = puzzlespace.solve(puzzle, metric="step", count=True, cache="off")
    assert answer.moves == least, text
    if least is not None:
        assert answer.solutions == sum(ways[position] for position in solved if distance[position] == least), text
        assert answer.solutions == len(list(puzzlespace.solutions(puzzle, metric="step", cache="off"))), text
        assert graph.distances(graph.goals(puzzle.model()))[0] == least, text


def test_cells_travelled_of_a_fixed_seed():
    for seed in range(40):
        cells_travelled(seed)


@pytest.mark.long
def test_cells_travelled_of_many_seeds():
    for seed in range(40, 1000):
        cells_travelled(seed)


@pytest.mark.long
def test_gliding_pieces_of_many_seeds():
    for seed in range(16, 400):
        text = draw_glide(seed)
        faults = examine(text, seed).faults
        assert not faults, f"seed {seed}\n{text}\n" + "\n".join(map(str, faults[:5]))


@pytest.mark.parametrize("kind", ["glide", "push", "crates"])
@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 200), marks=pytest.mark.long)])
def test_engines_agree_on_boards_of_a_fixed_seed(kind, seeds):
    answers = Counter()
    for seed in seeds:
        more, wrong = engines.compare(kind, seed)
        assert wrong == []
        answers += more
    special = {"glide": {"gliders"}, "push": {"boxes"}, "crates": set()}[kind]
    assert {"bidirectional", "frontier", "table"} | special <= set(answers)


@pytest.mark.parametrize("seeds", [[3], pytest.param(range(100), marks=pytest.mark.long)])
def test_engines_agree_on_puzzles_of_thousands_of_positions(seeds):
    answers = Counter()
    for seed in seeds:
        more, differing = large.compare(seed)
        assert differing == [], large.draw(seed)
        answers += more
    assert {"plain", "bidirectional", "frontier", "table", "idastar", "auto"} <= set(answers)


def test_a_wrong_automatic_answer_about_thousands_of_positions_is_noticed(monkeypatch):
    metric = accepted(large.draw(3)).metrics[0]
    other = crosscheck.Answer("solve", metric, "plain", "", "1000 moves", "", 0.0)
    monkeypatch.setattr(large.crosscheck, "answers", lambda puzzle, limits: [other])
    _, differing = large.compare(3)
    assert len(differing) == 1
    assert "auto" in differing[0]


@pytest.mark.parametrize("seeds", [range(80), pytest.param(range(80, 3000), marks=pytest.mark.long)])
def test_tables_take_over_from_plain_python(seeds):
    names = Counter()
    for seed in seeds:
        puzzle = accepted(draw(seed))
        model = puzzle.model(puzzle.metrics[0])
        if model.start is None:
            continue
        question = Depths(model, (model.start,), keep=5)
        name, counted = dispatch.depths(question, Watch(thresholds=VARIANTS["few kept"]))
        expected = plain.depths(question, Watch())
        assert (counted.counts, counted.deepest) == (expected.counts, expected.deepest), seed
        names[name] += 1
    assert min(names["plain"], names["table"]) > len(seeds) / 10


def gated(random):
    """Return a slide on a small grid with walls, of few kinds of pieces, half of them with cells for one kind only."""
    width, height = random.choice(((2, 3), (3, 2), (2, 4), (4, 2), (3, 3)))
    cells = width * height
    words = [".", *random.choices(".#ABBCCC", k=cells - 1)]
    random.shuffle(words)
    gates = ["*"] * cells
    for cell in random.sample(range(cells), random.choice((0, 0, 1, 2))):
        gates[cell] = random.choice("ABC") if words[cell] != "#" else "*"
    gates = ["#" if word == "#" else gate for word, gate in zip(words, gates, strict=True)]
    return f"rule: slide\ncount: step\ngates:{large.drawing(gates, width)}start:{large.drawing(words, width)}"


@pytest.mark.parametrize("seeds", [range(200), pytest.param(range(200, 10_000), marks=pytest.mark.long)])
def test_goals_that_are_proved_to_be_reachable_are_reachable(seeds):
    proved = kept_out = 0
    for seed in seeds:
        random = Random(seed)
        puzzle = accepted(gated(random))
        if puzzle is None or puzzle.start is None or isinstance(slides.read(puzzle.model()), str):
            continue
        model = puzzle.model()
        reached = {bytes(row) for row in explore(puzzle).symbols}
        for _ in range(10):
            goal = bytes(random.sample(model.start, len(model.start)))
            known = KnownFacts.of(Search(model, model.start, (goal,)), Watch())
            assert goal in reached or not known.reached, (seed, goal)
            proved += known.reached
            kept_out += goal not in reached and known.board.unbroken
    assert proved > len(seeds)
    assert kept_out > len(seeds) / 10


def test_pushed_boxes_of_a_fixed_seed():
    for seed in range(12):
        text = draw_push(seed)
        faults = examine(text, seed).faults
        assert not faults, f"seed {seed}\n{text}\n" + "\n".join(map(str, faults[:5]))


@pytest.mark.long
def test_pushed_boxes_of_many_seeds():
    for seed in range(12, 400):
        text = draw_push(seed)
        faults = examine(text, seed).faults
        assert not faults, f"seed {seed}\n{text}\n" + "\n".join(map(str, faults[:5]))


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 300), marks=pytest.mark.long)])
def test_boxes_of_several_cells_of_a_fixed_seed(seeds):
    for seed in seeds:
        text = draw_crates(seed)
        faults = examine(text, seed).faults
        assert not faults, f"seed {seed}\n{text}\n" + "\n".join(map(str, faults[:5]))


@pytest.mark.fuzz
def test_puzzles_until_stopped():
    for seed in itertools.count(1000 * TODAY + 500):
        _, text, examination = one(seed)
        for fault in examination.faults[:1]:
            pytest.fail(f"seed {seed}: {fault}\n{smallest(text, fault, seed)}")


@pytest.mark.parametrize("name", found.PUZZLES)
@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 40), marks=pytest.mark.long)])
def test_puzzles_that_had_faults(name, seeds):
    asked = 0
    for seed in seeds:
        examination = examine(found.PUZZLES[name], seed)
        assert not examination.faults, "\n".join(map(str, examination.faults[:5]))
        asked += examination.asked.total()
    assert asked > 50


def test_every_rule_kind_and_key_is_drawn():
    keys, kinds, counted = set(), set(), set()
    for seed in range(150):
        text = draw(seed)
        keys |= {line.partition(":")[0] for line in text.split("\n") if line and not line[0].isspace()}
        kinds.add(text[text.index("rule:") :].split()[1])
        counted.add(text[text.index("count:") :].split("\n")[0].split()[-1])
    assert kinds == {"slide", "jump", "apply"}
    assert counted == {"step", "run", "piece", "multi", "chain"}
    assert keys == {
        "rule", "count", "board", "lines", "links", "diagonals", "blocks", "apart", "fixed", "gates", "distinct",
        "start", "goal", "goal 2", "goal 3", "moves", "swap", "one-way",
    }  # fmt: skip


def test_a_wrong_engine_is_noticed():
    """If every position loses one move, the layers and distances must differ."""
    puzzle = accepted("rule: slide\ncount: step\nstart: 1 2 / 3 .\ngoal: . 1 / 3 2\n")
    right = judge.of_model(puzzle.model())
    wrong = judge.Judge(lambda p: dict(list(right.moves(p).items())[1:]), puzzle.model().is_goal, None)
    assert right.layers([puzzle.start]) != wrong.layers([puzzle.start])
    assert right.to_goal(puzzle.start) != wrong.to_goal(puzzle.start)


def test_a_puzzle_is_shrunk_as_long_as_it_fails():
    text = (
        "rule: slide\ncount: run\nfixed: X\nstart:\n  1 2 .\n  X 3 .\ngoal:\n  2 1 .\n  X 3 .\ngoal 2: * * . / X * .\n"
    )

    def fails(made):
        puzzle = accepted(made)
        return puzzle is not None and "1" in made and puzzle.start is not None

    small = shrink.shrink(text, fails)
    assert small.count("\n") <= 3
    assert "goal" not in small
    assert fails(small)


def test_thresholds_are_all_low_in_some_variant():
    paths = [path for room in WITH_THRESHOLDS for path in (PACKAGE / room).rglob("*.py")]
    names = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in paths]
    modules = [vars(import_module(name.removesuffix(".__init__"))) for name in names]
    found = {(name, each) for module in modules for name, each in module.items() if isinstance(each, Threshold)}
    assert len(found) > 90
    assert [name for name, each in found if all(by[each] == each.usual for by in VARIANTS.values())] == []
