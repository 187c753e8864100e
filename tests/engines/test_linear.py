"""Linear algebra instead of a search: the same answers as the plain engine, and known numbers of large boards."""

import re
import sys
from dataclasses import replace
from math import comb, factorial
from random import Random

import pytest

from puzzlespace import depths, load, solve, with_start
from puzzlespace.analysis import paths
from puzzlespace.api.loader import from_text
from puzzlespace.contract.answers import LISTED_WAYS
from puzzlespace.contract.questions import Depths, Prospect, Search
from puzzlespace.engines import linear, plain
from puzzlespace.engines.linear import counts, farthest, systems
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule
from puzzlespace.structure import additions


def lamps(random):
    """A puzzle of random presses; three symbols form a circle of three, which presses turn one or two steps."""
    circle = random.choice(("xy", "xy", "xyz"))
    inverse = len(circle) == 3 and random.random() < 0.5
    cells = [f"{column}{row}" for row in (1, 2) for column in "abcd"]
    swap = " -> ".join((*circle, circle[0])) if len(circle) > 2 else " <-> ".join(circle)
    moves = []
    for _ in range(random.randint(1, 7)):
        pressed = random.sample(cells, random.randint(1, 4))
        moves.append(" ".join(f"~{cell}" for cell in pressed))
        if inverse:
            moves.append(" ".join(f"~{cell} ~{cell}" for cell in pressed))
    listed = "\n".join(f"  m{number}: {move}" for number, move in enumerate(moves))
    start = [random.choice(circle) for _ in cells]
    goal = [random.choice((*circle, "*")) if random.random() < 0.3 else None for _ in cells]
    keys = "rule: apply\ncount: step\n" + "one-way: yes\n" * (random.random() < 0.5)
    text = f"{keys}swap: {swap}\nmoves:\n{listed}\nstart: {drawn(start)}\ngoal: {drawn(start)}\n"
    model = from_text(text, "lamps.pzl").model()
    position = model.start
    for _ in range(random.randint(1, 9)):
        position = random.choice(sorted(model.moves(position)))
    end = from_text(text, "lamps.pzl").at(position)
    words = [shown if mark is None else mark for shown, mark in zip("".join(str(end).split()).replace("/", ""), goal)]  # noqa: B905
    return from_text(text.replace(f"goal: {drawn(start)}", f"goal: {drawn(words)}"), "lamps.pzl").model()


def drawn(words):
    return f"{' '.join(words[:4])} / {' '.join(words[4:])}"


@pytest.mark.parametrize("seed", range(60))
def test_the_same_solutions_as_the_plain_engine(seed):
    model = lamps(Random(seed))
    assert linear.refuses(model, "search") is None
    question = Search(model, model.start)
    right = plain.search(question, Watch())
    assert linear.search(question, Watch()).layers == right.layers
    few = linear.search(question, Watch(thresholds=Thresholds({LISTED_WAYS: 0})))
    assert len(few.layers) == len(right.layers)
    assert all(one <= every for one, every in zip(few.layers, right.layers, strict=True))
    if len(right.layers) > 1:
        assert few.solutions == paths.count_paths(model, right.layers)
        assert few.first == right.layers[1]


@pytest.mark.parametrize("seed", range(60))
def test_the_same_counts_as_the_plain_engine(seed):
    model = lamps(Random(seed))
    question = Depths(model, (model.start,), 5, tuple(goal for goal in model.goals if goal.position))
    if linear.refuses(model, "depths") is not None:
        assert model.symbols == 3
        return
    found, right = linear.depths(question, Watch()), plain.depths(question, Watch())
    assert (found.counts, found.deepest, found.complete) == (right.counts, right.deepest, True)
    assert sorted(found.collected) == sorted(right.collected)


def arbitrary(random):
    """A model of random changes of cells in place: they may lose contents, or be no additions."""
    symbols, cells = random.choice((2, 2, 3, 3, 4, 5)), random.randint(1, 4)
    turn = tuple((each + 1) % symbols for each in range(symbols))
    rules = []
    for number in range(random.randint(1, 4)):
        changed = random.sample(range(cells), random.randint(1, cells))
        tables = [turn if random.random() < 0.8 else tuple(random.choices(range(symbols), k=symbols)) for _ in changed]
        whole = range(len(changed))
        rules.append(Rule(f"m{number}", tuple(changed), (ANY,) * len(changed), tuple(whole), tuple(tables)))
    start, goal = (bytes(random.choices(range(symbols), k=cells)) for _ in range(2))
    return Model(cells, symbols, tuple(rules), start=start, goals=(Goal.exactly(goal),))


@pytest.mark.parametrize("chunk", range(4))
def test_changes_that_are_no_additions_are_refused_and_others_counted_right(chunk):
    refused = answered = 0
    for seed in range(100 * chunk, 100 * chunk + 100):
        model = arbitrary(Random(seed))
        if linear.refuses(model, "search") is not None:
            refused += 1
            continue
        answered += 1
        search = Search(model, model.start)
        assert linear.search(search, Watch()).layers == plain.search(search, Watch()).layers, seed
        if linear.refuses(model, "depths") is None:
            count = Depths(model, (model.start,), 3, model.goals)
            found, right = linear.depths(count, Watch()), plain.depths(count, Watch())
            assert (found.counts, found.deepest) == (right.counts, right.deepest), seed
            assert sorted(found.collected) == sorted(right.collected), seed
    assert refused > 10
    assert answered > 10


@pytest.mark.parametrize(("size", "idle"), [(5, 2), (6, 0), (9, 8), (25, 0)])
def test_idle_presses_of_lamps(size, idle):
    """The numbers that docs/methods/linear.md states."""
    model = load(f"lights:{size}x{size}").model()
    moves = additions.read(model, model.anchor)
    cells = list(range(model.cells))
    assert systems.System(moves, cells, [0] * model.cells).combinations == 2**idle


SMALL = [f"lights:{width}x{height}" for width in range(1, 5) for height in range(1, 5)]


@pytest.mark.parametrize("spec", [*SMALL, "lights:3x5", *range(20)])
def test_first_layers_are_those_of_the_plain_engine(spec):
    model = lamps(Random(spec)) if isinstance(spec, int) else load(spec).model()
    found = counts.first_layers(model, model.anchor)
    if found is None:
        moves = additions.read(model, model.anchor)
        assert moves.modulus == 3 or len(counts.kinds_of(model, model.anchor)[1].idle) == 1
        return
    right = plain.depths(Depths(model, (model.anchor,)), Watch())
    assert found.positions == sum(right.counts)
    assert right.counts[: len(found.counts)] == found.counts
    assert found.depth[0] <= len(right.counts) - 1 <= found.depth[1]


@pytest.mark.parametrize("spec", [*SMALL, "lights:3x5", *range(20)])
def test_greatest_depths_by_integer_programming_are_those_of_the_plain_engine(spec):
    model = lamps(Random(spec)) if isinstance(spec, int) else load(spec).model()
    known = counts.first_layers(model, model.anchor)
    if known is None:
        return
    system = counts.with_idle(model, model.anchor)
    found = farthest.farthest(system, counts.kinds_in(system), known.depth, Watch())
    right = len(plain.depths(Depths(model, (model.anchor,)), Watch()).counts) - 1
    assert (found.least, found.most) == (right, right)


def test_programs_that_do_not_end_leave_a_range(monkeypatch):
    monkeypatch.setattr(farthest, "NODES", 0)
    model = load("lights:9x9").model()
    system = counts.with_idle(model, model.anchor)
    found = farthest.farthest(system, counts.kinds_in(system), (29, 40), Watch())
    assert 29 <= found.least < found.most <= 40
    monkeypatch.setattr(farthest, "MOST_SIZES", 255)
    assert (
        farthest.farthest(system, counts.kinds_in(system), (29, 40), Watch()).hint
        == " (more than 255 idle combinations)"
    )
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "scipy", None)
    found = farthest.farthest(system, counts.kinds_in(system), (29, 40), Watch())
    assert (found.least, found.most) == (29, 40)
    assert "algebra" in found.hint


def test_greatest_depths_of_large_lamps():
    assert str(depths("lights:11x11").stopped).endswith("the greatest depth is 65")
    whole = depths("lights:17x17")
    assert (whole.depth, len(whole.counts)) == (199, 200)
    assert sum(whole.counts) == 2 ** (17 * 17 - 2)
    assert whole.stopped is not None
    assert "too many to list" in str(whole.stopped)


@pytest.mark.parametrize("spec", SMALL)
def test_random_lamps_of_small_boards_are_solved_as_by_the_plain_engine(spec):
    model, random = load(spec).model(), Random(spec)
    position = model.anchor
    for _ in range(model.cells):
        position = random.choice(model.rules).apply(position)
    question = Search(model, position)
    assert len(linear.search(question, Watch()).layers) == len(plain.search(question, Watch()).layers)


def test_lamps_that_cannot_be_counted_have_exact_first_layers():
    found = depths("lights:9x9", limits=Limits(seconds=2))
    assert (found.engine, found.complete, found.stopped.kind) == ("linear", False, "memory")
    assert list(found.counts) == [comb(81, depth) for depth in range(14)]
    assert f"{2**73:,} positions" in str(found.stopped)
    assert "256 sets of presses with different effects" in str(found.stopped)
    least, most = map(int, re.findall(r"from (\d+) to (\d+)", str(found.stopped))[0])
    assert 29 <= least <= 37 <= most <= 40


def test_lamps_of_large_boards():
    assert depths("lights:5x5", engine="linear").counts == depths("lights:5x5", engine="table").counts
    table = depths("lights:6x6", keep=3)
    assert table.engine == "linear"
    assert list(table.counts) == [comb(36, depth) for depth in range(37)]
    assert len(table.hardest) == 1
    assert depths("lights:15x15", engine="linear").depth == 225


def test_the_largest_lamps_need_every_lamp_that_was_pressed():
    """No presses of 25 x 25 lamps are idle, so the solution is unique but for the order."""
    puzzle = load("lights:25x25")
    model = puzzle.model()
    pressed = Random(1).sample(range(625), 300)
    position = model.goals[0].position
    for number in pressed:
        position = model.rules[number].apply(position)
    answer = solve(with_start(puzzle, position))
    assert (answer.engine, answer.moves) == ("linear", 300)


def test_the_order_of_presses_is_counted():
    puzzle = load("lights:6x6")
    position = puzzle.model().goals[0].position
    for rule in puzzle.model().rules[:20]:
        position = rule.apply(position)
    answer = solve(with_start(puzzle, position), count=True)
    assert (answer.engine, answer.moves, answer.solutions) == ("linear", 20, factorial(20))


@pytest.mark.parametrize("size", [7, 9, 12])
def test_lamps_are_solved_by_algebra_if_nothing_is_named(size):
    """Other searches are worth using too: they would take hours."""
    puzzle = load(f"lights:{size}x{size}")
    position = puzzle.model().goals[0].position
    for rule in Random(size).sample(puzzle.model().rules, size * size // 2):
        position = rule.apply(position)
    answer = solve(with_start(puzzle, position), limits=Limits(seconds=60))
    assert answer.engine == "linear"
    assert 0 < answer.moves <= size * size // 2


@pytest.mark.parametrize("seed", range(10))
def test_numbers_of_positions_are_those_of_all_that_can_be_reached(seed):
    model = lamps(Random(seed))
    total, position = systems.reached(model, model.start)
    found = [position(number) for number in range(total)]
    layer = {model.start}
    reached = set(layer)
    while layer:
        layer = {child for each in layer for child in model.moves(each)} - reached
        reached |= layer
    assert sorted(found) == sorted(reached)


def test_moves_that_do_not_add_have_no_numbers():
    model = load("goat").model()
    assert systems.reached(model, model.start) is None


def test_a_goal_that_no_presses_reach_is_impossible():
    puzzle = load("lights:5x5")
    model = puzzle.model()
    lit = bytes([1 - model.goals[0].position[0], *model.goals[0].position[1:]])
    found = linear.search(Search(replace(model, start=lit), lit), Watch())
    assert (found.layers, found.bound, found.stopped) == ((), None, None)


def test_other_puzzles_are_refused():
    for name in ("goat", "flip5", "cube:2", "hanoi:3,3"):
        model = load(name).model()
        assert linear.refuses(model, "depths")
        question = Depths(model, (model.anchor,))
        assert linear.worth(question, Prospect(Watch(), lambda: 1 << 60)).reason


def test_a_limit_stops_it():
    model = load("lights:9x9").model()
    lit = model.rules[0].apply(model.goals[0].position)
    found = linear.search(Search(replace(model, start=lit), lit), Watch(Limits(positions=100)))
    assert found.stopped.kind == "positions"
    assert found.bound == 1


def test_packed_rows_are_reduced_as_others_are():
    import numpy as np

    random = np.random.default_rng(7)
    for _ in range(30):
        rows = random.integers(0, 2, (random.integers(1, 12), random.integers(2, 140)), np.int32)
        packed, single = rows.copy(), rows.copy()
        pivots = systems._reduce_bits(packed)
        assert pivots == systems._reduce_rows(single, 2)
        assert (packed == single).all()
