"""Layers by cost of packed positions against the definition: random models with costs, laws, stages and sentences."""

import random
from dataclasses import replace
from functools import cache

import lawful_models as lawful
from puzzlespace import depths, load, solve
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import frontier, plain
from puzzlespace.errors import EndlessError
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal


@cache
def models():
    """Random models whose rules have costs, some of them with large gaps, and what the start reaches."""
    found = []
    for seed in range(2026, 2026 + 300):
        chance = random.Random(seed)
        model = lawful.random_model(chance)
        most = chance.choice((2, 3, 9))
        costs = [chance.randint(1, most) for _ in model.rules]
        if chance.random() < 0.6:  # as much there as back, if rules are written in pairs
            costs = [cost for cost in costs[::2] for _ in range(2)][: len(costs)]
        model = replace(model, metric=replace(model.metric, costs=tuple(costs)))
        try:
            reached = lawful.reached(model)
            if chance.random() < 0.8:
                goals = tuple(Goal.exactly(chance.choice([*reached.distance])) for _ in range(2))
                model = replace(model, goals=goals)
            found.append((model, lawful.reached(model)))
        except EndlessError:
            continue
    return found


def test_every_position_is_counted_at_its_least_cost():
    gaps = undone = 0
    for model, reached in models():
        distances = reached.distance
        question = Depths(model, (model.start,), 10**6, model.goals)
        found = frontier.depths(question, Watch())
        assert found.counts == tuple(
            list(distances.values()).count(depth) for depth in range(max(distances.values()) + 1)
        )
        last = max(distances.values())
        assert list(found.deepest) == sorted(p for p, depth in distances.items() if depth == last)
        assert dict(found.collected) == {p: depth for p, depth in distances.items() if lawful.meets(model, p)}
        assert found.complete
        gaps += 0 in found.counts
        undone += model.reversible and len(found.counts) > 4
    assert gaps > 30
    assert undone > 5


def test_all_cheapest_solutions_are_found():
    solved = several = 0
    for model, reached in models():
        question = Search(model, model.start)
        found, wanted = frontier.search(question, Watch()), plain.search(question, Watch())
        assert found.layers == wanted.layers
        assert (len(found.layers) - 1 if found.layers else None) == reached.left.get(model.start)
        solved += len(found.layers) > 2
        several += any(len(layer) > 1 for layer in found.layers)
    assert solved > 20
    assert several > 1


def test_a_count_that_is_stopped_has_the_first_layers():
    stopped = 0
    for model, _ in models()[:60]:
        whole = frontier.depths(Depths(model, (model.start,)), Watch()).counts
        found = frontier.depths(Depths(model, (model.start,)), Watch(Limits(positions=3)))
        assert found.counts == whole[: len(found.counts)]
        stopped += found.stopped is not None
        assert (found.stopped is not None) != found.complete
    assert stopped > 5


def test_the_bridge_and_the_same_puzzle_on_the_command_line():
    table = depths("bridge", engine="frontier")
    assert (table.states, table.counts) == (30, depths("bridge", engine="plain").counts)
    answer = solve("bridge", engine="frontier", count=True)
    assert (answer.moves, answer.solutions) == (17, 2)
    assert load("bridge").model().reversible
