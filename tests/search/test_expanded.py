"""Positions expanded, as each search counts them, are those of a plain search below the same bound."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlespace.api.loader import load
from puzzlespace.api.questions import solve
from puzzlespace.bounds.choosing import chosen
from puzzlespace.contract.questions import Search
from puzzlespace.engines import bidirectional, deepening, frontier, plain
from puzzlespace.engines.deepening.blank_links import FIRST_WORDS
from puzzlespace.engines.deepening.methods import ATTEMPT_PLAIN, PLAIN_ORDERS
from puzzlespace.engines.deepening.unsolvable import EXHAUST_AFTER, EXHAUST_ROUNDS
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Watch

UNDOING = Thresholds(
    {FIRST_WORDS: 0, PLAIN_ORDERS: 0, ATTEMPT_PLAIN: 0, EXHAUST_AFTER: 1 << 40, EXHAUST_ROUNDS: 1 << 40}
)
"""Of all redundant sequences of moves, only that of a move and its opposite is pruned, and all is in compiled loops."""


def shuffled(spec, seed, steps):
    """Return a model, and a position so many random moves from its goal."""
    model = load(spec).model()
    here, chance = model.goals[0].position, random.Random(seed)
    for _ in range(steps):
        here = chance.choice(sorted(model.moves(here)))
    return replace(model, start=here)


def in_plain_python(model, bound, left):
    """Return the positions generated and expanded in a round that finds nothing; None if there is a solution."""
    made = opened = 0
    path = [(model.start, None, 0)]
    while path:
        position, before, depth = path.pop()
        if model.is_goal(position):
            return None
        opened += 1
        children = [child for child in model.moves(position) if child != before]
        made += len(children)
        path += [(child, position, depth + 1) for child in children if depth + 1 + left(child) <= bound]
    return made, opened


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(["slide:3x2", "slide:3x3", "slide:4x2"]), st.integers(0, 999), st.integers(4, 40))
def test_rounds_of_compiled_and_of_plain_depth_first_search_expand_the_same_number(spec, seed, steps):
    model = shuffled(spec, seed, steps)
    if model.is_goal(model.start):
        return
    rounds = {}
    question = Search(model, model.start, tuple(goal.position for goal in model.goals), heuristic="distance")
    watch = Watch(Limits(), lambda told: rounds.update({told.layer: (told.size, watch.opened)}), thresholds=UNDOING)
    found = deepening.search(question, watch)
    left = chosen(question, Watch()).evaluate
    before = 0
    for bound, (made, opened) in rounds.items():
        wanted = in_plain_python(model, bound, left)
        assert wanted is None if bound == found.bound else wanted == (made, opened - before)
        before = opened
    assert list(rounds)[-1] == found.bound
    assert watch.expanded == before <= watch.generated + len(rounds)


def nearer_than_a_goal(model):
    """Return how many positions are nearer to the start than the nearest goal."""
    seen = layer = {model.start}
    while not any(map(model.is_goal, layer)):
        layer = {child for position in layer for child in model.moves(position)} - seen
        seen = seen | layer
    return len(seen) - len(layer)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(["slide:3x2", "slide:4x2"]), st.integers(0, 999), st.integers(0, 40))
def test_layers_expand_each_position_nearer_than_the_goal_once(spec, seed, steps):
    model = shuffled(spec, seed, steps)
    nearer = nearer_than_a_goal(model)
    question = Search(model, model.start, None)
    for search in (plain.search, bidirectional.search, frontier.search):
        watch = Watch()
        search(question, watch)
        assert watch.expanded == nearer


@pytest.mark.parametrize(
    ("puzzle", "engine", "bound"),
    [
        ("water", "astar", ""),
        ("goat", "blocks", ""),
        ("eight", "astar", "distance"),
        ("eight", "idastar", "walking"),
        ("flip4", "idastar", ""),
    ],
)
def test_every_search_tells_how_many_positions_it_expanded(puzzle, engine, bound):
    reports = []
    answer = solve(puzzle, engine=engine, heuristic=bound, cache="off", progress=reports.append)
    assert answer.moves <= answer.expanded <= answer.generated + len(reports) + 1
    assert answer.to_dict()["expanded"] == answer.expanded


def test_a_search_that_does_not_count_says_nothing():
    assert solve("english", engine="pegs", limits=Limits(positions=100_000)).expanded is None
