"""Listed moves below the bound of adjacent pairs."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from puzzlespace.api import questions
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Search
from puzzlespace.engines import deepening, plain
from puzzlespace.engines.deepening import listed, listed_search
from puzzlespace.engines.deepening.iterations import DIVIDED_FROM, PARTS
from puzzlespace.engines.deepening.listed_search import LOOKED_UP
from puzzlespace.heuristics import adjacency
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import STRIDE, Limits, Watch
from puzzlespace.structure.permutations import generators

SMALL = ("pancake:6", "burnt:4", "topspin:6,4", "topspin:7,3", "lrx:6", "flip:3x2", "cube:2")


def anywhere(model, seed, steps=200):
    chosen, position = random.Random(seed), model.goals[0].position
    for _ in range(steps):
        position = chosen.choice(model.steps(position))[1]
    return position


def depths_of(model, most=20_000):
    """The distance to the goal of all positions, or of the nearest ones."""
    found, layer, depth = {model.goals[0].position: 0}, [model.goals[0].position], 0
    while layer and len(found) < most:
        depth += 1
        layer = [child for position in layer for child in model.backward.moves(position)]
        layer = [child for child in dict.fromkeys(layer) if child not in found]
        found.update(dict.fromkeys(layer, depth))
    return found


@pytest.mark.parametrize("metric", ["step", "run"])
@pytest.mark.parametrize("spec", SMALL)
def test_the_bound_is_never_too_great(spec, metric):
    model = load(spec).model(metric)
    goal = model.goals[0].position
    bound = adjacency.find(generators(model), [goal])
    assert bound is not None
    assert bound.bound(goal) == 0
    depths = depths_of(model)
    assert all(bound.bound(position) <= depth for position, depth in depths.items())
    assert max(map(bound.bound, depths)) > 0


@pytest.mark.parametrize("count", [6, 16, 30])
def test_the_bound_of_pancakes_is_the_gap_bound(count):
    model = load(f"pancake:{count}").model()
    bound = adjacency.find(generators(model), [model.goals[0].position])
    for seed in range(20):
        position = anywhere(model, seed)
        stack = [*position, count]
        gaps = sum(abs(a - b) != 1 for a, b in zip(stack, stack[1:], strict=False))
        assert bound.bound(position) == gaps


@pytest.mark.parametrize("count", [4, 6, 8, 15])
def test_the_bound_of_burnt_pancakes_counts_sides(count):
    model = load(f"burnt:{count}").model()
    moves = generators(model)
    bound = adjacency.find(moves, [model.goals[0].position])
    back = next(move.table[0] for move in moves if move.source[0] == 0)
    for seed in range(20):
        position = anywhere(model, seed)
        signed = [symbol + 1 if symbol < count else -back[symbol] - 1 for symbol in position]
        gaps = sum(below != above + 1 for above, below in zip(signed, [*signed[1:], count + 1], strict=True))
        assert bound.bound(position) == gaps


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("spec", [*SMALL[:-1], "pancake:7"])
def test_lengths_and_positions_on_solutions_agree_with_plain(spec, every):
    model = load(spec).model()
    for seed in range(4):
        question = Search(model, anywhere(model, seed, 5), (model.goals[0].position,), every)
        found = listed_search.search(question, Watch(), strong=0)
        right = plain.search(question, Watch())
        assert len(found.layers) == len(right.layers)
        if every:
            assert found.layers == right.layers
        else:
            assert all(one <= other for one, other in zip(found.layers, right.layers, strict=True))


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("spec", ["pancake:6", "burnt:4", "topspin:6,4", "topspin:7,3", "lrx:6"])
def test_moves_that_are_looked_up_lose_no_solution(spec, every):
    model = load(spec).model()
    goal = model.goals[0].position
    read = listed.read(model, (goal,), 0)
    arrays = listed_search.ListedArrays(read, (goal,), every, looked_up=0)
    assert len(arrays.likely[0]) > 0
    for seed in range(4):
        question = Search(model, anywhere(model, seed), (goal,), every)
        found = listed_search.search(question, Watch(thresholds=Thresholds({LOOKED_UP: 0})), strong=0)
        right = plain.search(question, Watch())
        assert len(found.layers) == len(right.layers)
        assert all(one <= other for one, other in zip(found.layers, right.layers, strict=True))
        assert not every or found.layers == right.layers


def test_rounds_from_many_positions_find_the_same():
    model = load("burnt:5").model()
    for seed in range(4):
        question = Search(model, anywhere(model, seed), (model.goals[0].position,))
        for parts in (6, 2000):  # 2000: rounds may begin from all positions that many moves away
            thresholds = Thresholds({DIVIDED_FROM: -1, PARTS: parts, STRIDE: 50})
            found = listed_search.search(question, Watch(thresholds=thresholds), strong=0)
            assert found.layers == plain.search(question, Watch()).layers


def test_several_goals_are_all_good():
    model = load("pancake:6").model()
    goals = tuple(anywhere(model, seed, 3) for seed in range(3))
    several = replace(model, goals=tuple(replace(model.goals[0], need=tuple(1 << s for s in each)) for each in goals))
    for seed in range(5):
        question = Search(several, anywhere(model, seed), goals)
        found = listed_search.search(question, Watch(), strong=0)
        assert found.layers == plain.search(question, Watch()).layers


def test_a_goal_that_no_move_reaches_is_proved_out_of_reach():
    model = load("topspin:7,4").model()
    odd = bytes([1, 0, 2, 3, 4, 5, 6])
    found = listed_search.search(Search(model, odd, (model.goals[0].position,)), Watch(), strong=0)
    assert plain.search(Search(model, odd, None), Watch()).layers == ()
    assert (found.layers, found.stopped) == ((), None)


def test_fifty_pancakes_are_solved_by_the_usual_choice():
    puzzle = load("pancake:50")
    start = anywhere(puzzle.model(), 3)
    answer = questions.solve(questions.with_start(puzzle, start))
    stack = [*start, 50]
    gaps = sum(abs(a - b) != 1 for a, b in zip(stack, stack[1:], strict=False))
    assert answer.engine == "idastar"
    assert gaps <= answer.moves <= gaps + 1
    assert bytes(answer.path[-1]) == puzzle.goals[0].position


def test_a_weak_bound_is_refused_and_a_named_one_too():
    assert "adjacent" in deepening.not_compiled(load("flip:4x4").model())
    assert deepening.not_compiled(load("pancake:12").model()) is None
    model = load("pancake:6").model()
    question = Search(model, anywhere(model, 1), (model.goals[0].position,), heuristic="walking")
    with pytest.raises(TypeError, match="adjacent pairs"):
        deepening.search(question, Watch())


def test_a_stopped_search_says_what_is_proved():
    model = load("burnt:12").model()
    question = Search(model, anywhere(model, 1), (model.goals[0].position,), False)
    found = deepening.search(question, Watch(Limits(positions=3000)))
    assert found.stopped is not None
    assert found.bound >= 10


def test_moves_that_cannot_be_followed_by_another_are_those_of_equal_effect():
    model = load("flip:3x2").model()
    read = listed.read(model, (model.goals[0].position,), 0)
    one, every = listed.followers_of(listed.acts_of(read.moves)[:, 0])
    for first, second in ((0, 1), (1, 0)):
        both = read.moves[first].then(read.moves[second])
        commute = both == read.moves[second].then(read.moves[first])
        assert (second in every[first]) is (not both.idle and both not in read.moves)
        assert commute
    assert (1 in one[0]) + (0 in one[1]) == 1
