"""Solutions counted up to the order of their moves, held against sets of moves of all solutions, listed one by one."""

from collections import Counter
from random import Random

import pytest
from test_traces import TOYS, layers_of

from puzzlespace import load, solutions, solve
from puzzlespace.analysis import traces, unordered
from puzzlespace.analysis.paths import all_paths
from puzzlespace.contract.questions import Search
from puzzlespace.engines import plain
from puzzlespace.limits.watch import Limits, Watch


def by_listing(model, layers):
    """The number of sets of moves of all solutions: rules of listed moves, else the changes of the cells."""
    found = set()
    for path in all_paths(model, layers):
        moves = Counter()
        for (before, _), (after, rules) in zip(path, path[1:], strict=False):
            cells = enumerate(zip(before, after, strict=True))
            changes = tuple((cell, old, new) for cell, (old, new) in cells if old != new)
            moves[rules if model.counted_apart[rules[0]] >= 0 else changes] += 1
        found.add(frozenset(moves.items()))
    return len(found)


@pytest.mark.parametrize("name", TOYS)
def test_toys_against_the_definition(name):
    model = TOYS[name]
    layers = layers_of(model)
    assert unordered.count_up_to_order(model, layers) == by_listing(model, layers)


SPECS = [
    "slide:3x3",
    "slide:2x3",
    "lights:3x3",
    "pancake:5",
    "cube:2",
    "hanoi:3,4",
    "hanoi:4,4",
    "topspin:7,4",
    "burnt:4",
]


def test_drawn_positions_against_the_definition():
    several = 0
    for spec in SPECS:
        model, random = load(spec).model(), Random(spec)
        for _ in range(6):
            position = model.anchor
            for _ in range(random.randint(2, 12)):
                position = random.choice([*model.moves(position)])
            found = plain.search(Search(model, position, model.goals), Watch(Limits(positions=200_000)))
            if found.stopped is None:
                count = unordered.count_up_to_order(model, found.layers)
                assert count == by_listing(model, found.layers), spec
                assert count <= (traces.count_up_to_commuting(model, found.layers) or count), spec
                several += count > 1
    assert several > 5


LISTED = ["lights:3x3", "lights:4x4", "pancake:5", "cube:2", "topspin:7,4", "burnt:4", "flip:3x3"]


@pytest.mark.parametrize("spec", LISTED)
def test_listed_moves_in_any_order_have_the_same_names(spec):
    puzzle, random, fewer = load(spec), Random(spec), 0
    for _ in range(6):
        position = puzzle.model().anchor
        for _ in range(random.randint(2, 6)):
            position = random.choice([*puzzle.model().moves(position)])
        names = [each.names for each in solutions(puzzle, start=position)]
        answer = solve(puzzle, start=position, count=True)
        assert answer.solutions_unordered == len({frozenset(Counter(each).items()) for each in names})
        fewer += answer.solutions_unordered < len(names)
    assert fewer or not spec.startswith("lights")


def test_presses_of_lamps_in_any_order_are_one_set():
    start = "x x o o o / x o o o o / o o o o o / o o o o x / o o o x x"
    answer = solve("lights:5x5", start=start, count=True)
    assert (answer.moves, answer.solutions, answer.solutions_unordered) == (2, 2, 1)


def test_too_many_sets_are_not_counted(monkeypatch):
    model = load("goat").model()
    layers = layers_of(model)
    assert unordered.count_up_to_order(model, layers) == by_listing(model, layers)
    monkeypatch.setattr(unordered, "MOST_STEPS", 10)
    assert unordered.count_up_to_order(model, layers) is None
    monkeypatch.undo()
    monkeypatch.setattr(unordered, "MOST_BITS", 100)
    assert unordered.count_up_to_order(model, layers) is None


def test_walks_that_are_free_are_not_counted():
    model = load("microban1").model("push")
    found = plain.search(Search(model, model.start, model.goals), Watch())
    assert unordered.count_up_to_order(model, found.layers) is None
