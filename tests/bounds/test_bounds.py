"""Lower bounds: ours against all distances, a person's from Python and from other packages, and wrong ones."""

from __future__ import annotations

import json
import math
import operator
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import reduce
from itertools import combinations, product
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

import packages
import puzzlespace
from commands import run
from peg_boards import DIAGONAL, LATTICE, ORTHOGONAL, board, problem
from places import PACKAGE, ROOT
from puzzlespace import (
    NO_WAY,
    Bound,
    BoundError,
    Custom,
    InputError,
    Limits,
    Status,
    UnsupportedError,
    compare,
    load,
    solve,
)
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api import comparison, dispatch
from puzzlespace.api.loader import from_text
from puzzlespace.bounds import BOUNDS, pegs, projection, template
from puzzlespace.bounds.choosing import chosen
from puzzlespace.contract.questions import Search
from puzzlespace.engines import astar, deepening, plain
from puzzlespace.errors import SelfCheckError
from puzzlespace.limits.watch import Watch
from puzzlespace.search.guide import stepping
from puzzlespace.structure.regions import RegionPacking, clusters, regions

BY_NAME = {bound.name: bound for bound in BOUNDS}

CROSS, TALL = ("~oo~", "oooo", "oooo", "~oo~"), ("ooo~", "oooo", "~ooo")
PEG_PROBLEMS = [
    *(problem(board(CROSS, ORTHOGONAL), *ends) for ends in (("b1", "b1"), ("b2", "c4"))),
    problem(board(TALL, LATTICE), "a1", "d3"),
    problem(board(("o", "oo", "ooo", "oooo"), LATTICE), "a2", "a3"),
    problem(board(("ooo", "ooo", "ooo"), DIAGONAL), "a1", "a1"),
]
MODELS = {
    "pegs": [puzzle.model(metric) for puzzle in PEG_PROBLEMS for metric in ("step", "chain")],
    "template": [load(name).model("step") for name in ("flip3", "lights:3x3", "hanoi:3,3", "hexagram")],
    "distance": [load("slide:2x3").model(metric) for metric in ("step", "run", "multi")],
    "assignment": [load("slide:2x3").model("step")],
    "inversion": [load("slide:2x3").model("step")],
    "walking": [load("slide:2x3").model("step")],
    "pattern": [load("slide:2x3").model(metric) for metric in ("step", "multi")],
    "projection": [
        *(load(name).model() for name in ("water", "wolf", "frogs33", "bridge")),
        *(load("slide:2x3").model(metric) for metric in ("run", "multi")),
    ],
}
"""Puzzles that each bound fits; those of slides have more in tests/heuristics/test_admissible.py."""


def reachable(model, start):
    """The moves of all positions that can be reached."""
    steps, found, waiting = stepping(model), {}, [start]
    while waiting:
        position = waiting.pop()
        if position not in found:
            found[position] = list(steps(position))
            waiting += [child for child, _ in found[position]]
    return found


def distances(edges, goals):
    """The number of moves from each position to a goal, by relaxation until nothing changes."""
    found = {position: 0 if position in goals else math.inf for position in edges}
    changed = True
    while changed:
        changed = False
        for position, steps in edges.items():
            least = min([found[child] + cost for child, cost in steps], default=math.inf)
            if least < found[position]:
                found[position], changed = least, True
    return found


def test_every_bound_has_puzzles_to_be_tested_on():
    assert set(MODELS) == {*BY_NAME, "template"}


@pytest.mark.parametrize("name", MODELS)
def test_no_bound_claims_too_much_of_any_position(name):
    bound = BY_NAME.get(name, template.BOUND)
    tells = 0
    for model in MODELS[name]:
        goals = goal_positions(model)
        start = model.start if model.start is not None else max(goals)
        model = replace(model, start=start)
        assert bound.fits(model, goals) is None
        evaluate = bound.make(model, goals, Watch())
        edges = reachable(model, start)
        true = distances(edges, set(goals))
        for position, steps in edges.items():
            left = evaluate(position)
            assert 0 <= left <= true[position]
            assert left > 0 or true[position] == 0 or name != "template"
            tells += left
            if bound.consistent:
                assert all(left <= cost + evaluate(child) for child, cost in steps)
    assert tells > 0


@pytest.mark.parametrize("engine", [astar, deepening])
@pytest.mark.parametrize("name", MODELS)
def test_every_bound_finds_what_plain_breadth_first_search_finds(name, engine):
    for model in MODELS[name]:
        goals = goal_positions(model)
        start = model.start if model.start is not None else plain_far(model, goals[0])
        question = Search(model, start, goals, bound=BY_NAME.get(name, template.BOUND))
        expected, found = plain.search(question, Watch()), engine.search(question, Watch(Limits(positions=20_000)))
        if found.stopped is None:
            assert found.layers == expected.layers
            assert (found.rests_on, found.assumed) == (name, name == "template" and found.assumed)


def plain_far(model, goal):
    """A position some moves from a goal."""
    position = goal
    for _ in range(9):
        position = max(model.moves(position))
    return position


def test_bounds_say_for_which_puzzles_they_are_not():
    walk = Custom(lambda n: [n + 1], 0, 5)
    for bound, space in product((*BOUNDS, template.BOUND), (walk, load("water").model(), load("microban36").model())):
        goals = [5] if space is walk else None
        assert bound.fits(space, goals) or (bound is projection.BOUND and space is not walk)
    with pytest.raises(UnsupportedError, match=r"bound pegs: .*jump"):
        solve("eight", bound="pegs")
    with pytest.raises(UnsupportedError, match="bound distance: some of its moves cannot be undone"):
        solve("english", bound="distance")


def test_full_regions_of_the_english_board():
    model = load("english").model("chain")
    evaluate = pegs.BOUND.make(model, goal_positions(model), Watch())
    assert evaluate(model.start) >= 12  # 8 corners, 4 blocks of 2 x 2: without further search


HEXAGON = ("ooo~~", "oooo~", "ooooo", "~oooo", "~~ooo")


@pytest.mark.parametrize("seed", range(12))
def test_regions_of_seven_cells_claim_too_much_of_no_position(seed):
    """The middle of a hexagon and its neighbours are full; most other cells are empty, so that few positions follow."""
    random = Random(seed)
    model = board(HEXAGON, LATTICE).model("chain")
    middle = {cell for cell, (x, y) in enumerate(CELLS_OF_HEXAGON) if (x - 2, y - 2) in NEAR}
    start = bytes(int(cell in middle or random.random() < 0.25) for cell in range(model.cells))
    goals = list(dict.fromkeys(drawn_from(random, model, start) for _ in range(3)))
    evaluate = pegs.BOUND.make(model, goals, Watch())
    seven = next(each for each in regions(evaluate.jumps.jumps, model.cells) if each.bit_count() == 7)
    assert seven == sum(1 << cell for cell in middle)
    true = distances(reachable(model, start), set(goals))
    full = [position for position in true if all(position[cell] for cell in middle)]
    assert any(evaluate(position) >= 1 for position in full)
    assert all(evaluate(position) <= left for position, left in true.items())


CELLS_OF_HEXAGON = [(x, y) for y, row in enumerate(HEXAGON) for x, sign in enumerate(row) if sign == "o"]
NEAR = {(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)}


def drawn_from(random, model, position):
    """A position after some drawn moves."""
    for _ in range(random.randrange(1, 6)):
        position = random.choice(sorted(model.moves(position)) or [position])
    return position


def test_the_most_disjoint_regions_as_by_trying_all_sets():
    for seed in range(40):
        random = Random(seed)
        group = [sum(1 << cell for cell in random.sample(range(14), random.randrange(1, 5))) for _ in range(8)]
        group, pegs_in = list(dict.fromkeys(group)), random.getrandbits(14) | random.getrandbits(14)
        goal = pegs_in & random.getrandbits(14) & random.getrandbits(14)
        full = [each for each in group if pegs_in & each == each and goal & each != each]
        families = (family for size in range(9) for family in combinations(full, size))
        best = max(len(each) for each in families if sum(map(int.bit_count, each)) == union(each).bit_count())
        packings = [RegionPacking(each) for each in clusters(group)]
        assert sum(each.most(pegs_in, goal) for each in packings) == best


def union(sets):
    return reduce(operator.or_, sets, 0)


@pytest.mark.parametrize("side", [7, 10])
def test_the_bound_of_full_regions_falls_by_at_most_one_with_a_move(side):
    ends = f"start:\n{triangle(side, 1)}\ngoal:\n{triangle(side, 2, '.o')}\n"
    text = f"rule: jump\ncount: chain\nboard: triangle {side}\n{ends}"
    model = from_text(text, "triangle.pzl").model("chain")
    evaluate = pegs.BOUND.make(model, goal_positions(model), Watch())
    random = Random(side)
    for _ in range(3):
        position, left = model.start, evaluate(model.start)
        while moves := sorted(model.moves(position)):
            position, before = random.choice(moves), left
            left = evaluate(position)
            assert left >= before - 1


def triangle(side, cell, symbols="o."):
    """A triangle with one symbol everywhere but in one cell."""
    signs = [symbols[number == cell] for number in range(side * (side + 1) // 2)]
    return "\n".join("  " + " ".join(signs[row * (row + 1) // 2 :][: row + 1]) for row in range(side))


def random_pegs(seed, rows, columns):
    """A peg board whose cells are there by chance, some pegs, and positions that jumps lead to as goals."""
    random = Random(seed)
    shape = ["".join(random.choice("oooo~") for _ in range(columns)) for _ in range(rows)]
    shape[0] = "ooo" + shape[0][3:]  # some jump is there
    model = board(shape, random.choice((ORTHOGONAL, LATTICE, DIAGONAL))).model(random.choice(("step", "chain")))
    start = bytes(random.choice((0, 1, 1)) for _ in model.start)
    goals = []
    for _ in range(random.randrange(1, 4)):
        goal = start
        for _ in range(random.randrange(1, 6)):
            goal = random.choice(sorted(model.moves(goal)) or [goal])
        goals.append(goal)
    return replace(model, start=start), list(dict.fromkeys(goals))


def test_the_bound_of_pegs_claims_too_much_of_no_random_board():
    told = unsolvable = 0
    for seed in range(60):
        model, goals = random_pegs(seed, *((3, 4) if seed % 3 else (1, 20)))
        evaluate = pegs.BOUND.make(model, goals, Watch())
        edges = reachable(model, model.start)
        for position, true in distances(edges, set(goals)).items():
            left = evaluate(position)
            assert left <= true, (seed, position)
            told += 0 < left < NO_WAY
            unsolvable += left == NO_WAY
    assert told > 100
    assert unsolvable > 100


@pytest.mark.parametrize("seed", range(30))
def test_no_jump_raises_a_pagoda_function(seed):
    """Also on rows much longer than the distance from which the numbers no longer fall."""
    model, goals = random_pegs(seed, *((1, 26), (26, 2), (4, 4))[seed % 3])
    bound = pegs.BOUND.make(model, goals, Watch())
    lane = (1 << pegs.LANE) - 1
    for number in range(bound.guards.bit_length() // pegs.LANE):
        worth = [weight >> pegs.LANE * number & lane for weight in bound.weights]
        assert sum(worth) < 1 << pegs.LANE - 1
        assert all(worth[left] + worth[over] >= worth[entered] for left, over, entered in bound.jumps.jumps)


# Bounds of a person


def fewer(number):
    """How far a number is above 8: halves take one move each, so it is only claimed for moves that subtract 1."""
    return max(0, number - 8)


def steps(number):
    return [each for each in (number - 1, number + 1) if 0 <= each <= 30]


@pytest.mark.parametrize("engine", ["auto", "astar", "idastar"])
def test_a_function_is_a_bound_of_a_puzzle_in_python(engine):
    asked = Custom(steps, 20, 8, steps, bound=fewer, consistent=True)
    answer = solve(asked, engine=engine, count=True)
    assert (answer.moves, answer.solutions, answer.rests_on) == (12, 1, "fewer")
    assert answer.expanded < answer.generated
    assert (answer.engine, answer.status) == ("astar" if engine == "auto" else engine, Status.ASSUMED)
    assert answer.bound <= 12
    assert puzzlespace.distance(asked, 10).distance == 2
    assert solve(Custom(steps, 20, 8), bound=fewer).moves == 12
    assert [each.moves for each in puzzlespace.solutions(Custom(steps, 20, 8), bound=fewer)] == [12]


def test_what_needs_no_bound_is_proved():
    assert solve(Custom(steps, 1, 2, bound=fewer)).status is Status.OPTIMAL
    answer = solve(Custom(lambda n: [n + 1] if n < 5 else [], 0, 9, bound=lambda n: 9 - n))
    assert (answer.status, answer.rests_on) == (Status.IMPOSSIBLE, "bound")
    answer = solve(Custom(lambda n: [n + 1] if n < 5 else [], 0, 9, bound=lambda n: NO_WAY if n > 2 else 1))
    assert (answer.status, answer.moves, answer.reason.kind) == (Status.ASSUMED, None, "searched")
    assert "never claims too much" in answer.reason.text


def test_a_function_is_a_bound_of_any_puzzle():
    puzzle = load("eight")
    goal = puzzle.goals[0].position

    def wrong_cells(position):
        return sum(here != there and here != 0 for here, there in zip(position, goal, strict=True))

    answer = solve(puzzlespace.with_start(puzzle, "1 2 3 / 4 5 6 / . 7 8"), bound=wrong_cells)
    assert (answer.moves, answer.rests_on, answer.names) == (2, "wrong_cells", ("7 left", "8 left"))
    batched = Bound("batched", lambda space, goals: None, lambda space, goals, watch: Batched(wrong_cells))
    start = puzzlespace.with_start(puzzle, "4 1 3 / 7 2 6 / . 5 8")
    both = [solve(start, bound=bound, count=True) for bound in (wrong_cells, batched)]
    assert [(each.moves, each.solutions) for each in both] == [(6, 1)] * 2


class Batched:
    """A bound that evaluates many positions at once, as numbers of NumPy."""

    def __init__(self, one):
        self.one = one

    def __call__(self, position):
        return np.int64(self.one(position))

    def batch(self, positions):
        return np.array([self.one(position) for position in positions])


@pytest.mark.parametrize("engine", ["astar", "idastar"])
@pytest.mark.parametrize("value", [-1, 2.5, None, math.nan, -math.inf, "3"])
def test_a_bound_returns_a_whole_number(value, engine):
    with pytest.raises(BoundError, match=r"bound bound: expected a whole number .* found .* at the position 20"):
        solve(Custom(steps, 20, 8, bound=lambda n: value), engine=engine)


@pytest.mark.parametrize("engine", ["astar", "idastar"])
def test_a_bound_that_claims_too_much_is_an_error_with_the_position(engine):
    with pytest.raises(
        BoundError, match="bound bound: it claims that 13 or more moves are left, but 12 are enough"
    ) as at:
        solve(Custom(steps, 20, 8, steps, bound=lambda n: abs(n - 8) + (n == 20)), engine=engine)
    assert (at.value.position, at.value.shown) == (20, "20")
    with pytest.raises(BoundError, match="no goal can be reached, but 1 are enough, at the position 9"):
        solve(Custom(steps, 20, 8, steps, bound=lambda n: NO_WAY if n == 9 else 0), engine=engine)
    with pytest.raises(BoundError, match=r"4 or more moves are left, but 2 .* 1 2 3 / 4 5 6 / \. 7 8"):
        solve(puzzlespace.with_start(load("eight"), "1 2 3 / 4 5 6 / . 7 8"), bound=lambda p: 4, engine=engine)


@pytest.mark.parametrize("engine", ["astar", "idastar"])
def test_a_bound_that_hides_a_shorter_solution_is_found_out(engine):
    """Doubling is hidden by the bound, and nothing can be taken back: the short search from the start finds it."""
    asked = Custom(lambda n: [2 * n, n + 1], 3, 12, bound=lambda n: 50 if n == 6 else 0)
    with pytest.raises(BoundError, match="it claims 50 moves or more, but 1 are enough, at the position 6"):
        solve(asked, engine=engine)


def test_a_bound_that_is_said_to_be_consistent_and_is_not():
    for engine in ("astar", "idastar"):
        with pytest.raises(
            BoundError, match="says that it is consistent, but a move that counts 1 takes it from 10 to 0"
        ):
            solve(Custom(steps, 20, 8, bound=lambda n: 10 * (n % 2 == 0 and n > 17), consistent=True), engine=engine)


def test_what_is_no_bound_and_bounds_beside_an_engine_without():
    for wrong in (5, ["distance"]):
        with pytest.raises(InputError, match="expected a name, a function or a Bound"):
            solve("eight", bound=wrong)
    with pytest.raises(InputError, match="expected bound to be a function"):
        Custom(steps, 20, 8, bound=3)
    with pytest.raises(InputError, match="expected the engine astar or idastar beside 'fewer', found plain"):
        solve(Custom(steps, 20, 8), bound=fewer, engine="plain")
    with pytest.raises(InputError, match="expected none beside bound"):
        solve("eight", bound="distance", heuristic="walking")


def test_a_bound_of_ours_that_claims_too_much_is_our_fault(monkeypatch):
    wrong = Bound("pegs", lambda space, goals: None, lambda space, goals, watch: lambda position: 40)
    monkeypatch.setattr("puzzlespace.bounds.choosing.OURS", {**BY_NAME, "pegs": wrong})
    model = load("star13").model("step")
    question = Search(model, model.start, goal_positions(model), False, heuristic="pegs")
    assert chosen(question, Watch()).ours
    with pytest.raises(SelfCheckError, match="40 or more moves are left"):
        astar.search(question, Watch())
    watch = Watch()
    name, found = dispatch.search(question, watch, "astar")
    assert (name != "astar", len(found.layers) - 1, watch.faults[0].engine) == (True, 11, "astar")


# Names, and packages of others


def test_bounds_are_joined_by_name():
    start = puzzlespace.with_start(load("eight"), "4 1 3 / 7 2 6 / . 5 8")
    for text in ("walking+inversion", "distance+pattern:3-2", "max:distance,walking"):
        answer = solve(start, bound=text, engine="astar")
        assert (answer.moves, answer.status, answer.rests_on) == (6, Status.OPTIMAL, text)


MODULE = """
from puzzlespace import Bound
from puzzlespace.bounds import template
MINE = Bound("mine", template.fits, template.make)
THREE = 3
"""
ENTRIES = """[puzzlespace.bounds]
mine = mine_bounds:MINE
three = mine_bounds:THREE
none = mine_bounds:NONE
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    with packages.installed(tmp_path, monkeypatch, "mine_bounds", MODULE, ENTRIES):
        yield


def test_a_bound_of_another_package_is_found_by_its_name(installed):
    answer = solve("flip3", bound="mine", count=True)
    assert (answer.moves, answer.rests_on) == (solve("flip3").moves, "mine")
    with pytest.raises(InputError, match="expected a Bound, found 3"):
        solve("flip3", bound="three")
    with pytest.raises(InputError, match=r"expected mine_bounds:NONE, found AttributeError"):
        solve("flip3", bound="none")
    with pytest.raises(InputError, match=r"pegs, projection, mine, none, three joined by '\+', found 'other'"):
        solve("flip3", bound="other")
    asked = comparison.ComparedQuestion("flip3", limits=Limits(seconds=60))
    row = comparison.row(asked, "astar", "mine")
    assert (row.moves, row.problem, row.expanded is not None) == (answer.moves, "", True)


def test_a_comparison_lists_bounds_of_a_person_beside_ours():
    asked = comparison.ComparedQuestion("eight", start="1 2 3 / 4 5 6 / . 7 8", limits=Limits(seconds=60))
    rows = [comparison.row(asked, "astar", bound) for bound in ("distance", nothing_left)]
    assert [(row.heuristic, row.moves) for row in rows] == [("distance", 2), ("nothing_left", 2)]
    assert rows[0].expanded <= rows[1].expanded


def nothing_left(position):
    return 0


def next_numbers(position):
    return [position - 1, position + 1]


def test_compare_answers_in_processes_of_their_own():
    ways = {"engines": ["plain", "astar"], "bounds": ["distance", nothing_left], "limits": Limits(seconds=60)}
    rows = list(compare(load("eight"), start="1 2 3 / 4 5 6 / . 7 8", **ways))
    assert [(row.engine, row.heuristic, row.moves) for row in rows] == [
        ("plain", "", 2), ("astar", "distance", 2), ("astar", "nothing_left", 2),
    ]  # fmt: skip
    assert all(row.memory > 0 for row in rows)
    numbers = Custom(moves=next_numbers, start=0, goal=4, back=next_numbers)
    assert [row.moves for row in compare(numbers, ["plain", "bidirectional", "auto"])] == [4, 4, 4]
    assert "listed one by one" not in next(iter(compare(numbers, ["idastar"], ["distance"]))).problem


def test_what_cannot_be_compared_is_said_before_a_process_starts():
    with pytest.raises(InputError, match=r"engine: expected one of auto, .*, found 'plane'"):
        compare("eight", ["plane"])
    with pytest.raises(InputError, match="expected functions that a module defines"):
        compare("eight", ["astar"], [lambda position: 0])


def test_entry_points_are_not_read_for_our_names(monkeypatch):
    monkeypatch.setattr("puzzlespace.bounds.choosing.plugin", SimpleNamespace())
    assert solve(puzzlespace.with_start(load("eight"), "1 2 3 / 4 5 6 / . 7 8"), bound="distance").moves == 2


# The page for newcomers


PAGE = (ROOT / "docs/adding-a-bound.md").read_text()


def test_the_example_of_the_page_runs(capsys):
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    exec(code, {})
    assert capsys.readouterr().out == "3\n"


def test_a_bound_is_one_file_and_one_line(tmp_path):
    """Do what the page says in a copy of the package: copy the template, rename it, and add it to the tuple."""
    copied = tmp_path / "puzzlespace"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__", "static"))
    text = (copied / "bounds/template.py").read_text()
    assert 'Bound("template"' in text
    (copied / "bounds/corners.py").write_text(text.replace('Bound("template"', 'Bound("corners"'))
    room = copied / "bounds/__init__.py"
    line = "from . import assignment, "
    assert line in room.read_text()
    assert "\n    pegs.BOUND,\n" in room.read_text()
    changed = room.read_text().replace(line, f"{line}corners, ")
    room.write_text(changed.replace("\n    pegs.BOUND,\n", "\n    pegs.BOUND,\n    corners.BOUND,\n"))
    command = [sys.executable, "-m", "puzzlespace", "solve", "flip3", "--bound", "corners", "--json", "-q"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=True)
    found = json.loads(ran.stdout)
    assert (found["status"], found["engine"], found["rests_on"]) == ("optimal", "astar", "corners")
    assert found["moves"] == solve("flip3").moves
    assert 0 < found["expanded"] <= found["positions"]


def test_the_command_line_says_which_bound_an_answer_rests_on(installed):
    start = "1 2 3 / 4 5 6 / . 7 8"
    for bound, said in (("distance", "proved shortest"), ("mine", "2 moves (count: step)")):
        code, out, _ = run("solve", "eight", "--start", start, "--engine", "astar", "--bound", bound, "-q")
        assert code == 0
        assert said in out.splitlines()[0]
        assert f"expanded, by astar below the bound {bound}" in out.splitlines()[-1]
    code, _, err = run("solve", "eight", "--bound", "far", "-q")
    assert (code, "--bound: expected some of distance" in err) == (30, True)
