"""Laws, stages and sentences as goals: random small models against their moves straight from the definition."""

import os
from dataclasses import replace
from functools import lru_cache
from random import Random

import pytest

from lawful_models import Reached, happened, meets, moves, random_model, reached
from puzzlespace.analysis.impossible import components, few_goals, goal_positions, why_impossible
from puzzlespace.api import dispatch
from puzzlespace.contract.bound import NO_WAY, bound_of
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines.frontier import packing_of
from puzzlespace.engines.packed import settling
from puzzlespace.engines.packed.arrays import NET_FROM
from puzzlespace.engines.packed.front import COMPILE_FRONTIER, PARENTS_AT_ONCE
from puzzlespace.engines.packed.hashed_layers import LAYER_BITS
from puzzlespace.errors import EndlessError, UnsupportedError
from puzzlespace.graph.positions import explored
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Watch
from puzzlespace.model.replay import one_move, replay
from puzzlespace.model.rule import ANY, Rule
from puzzlespace.registry import ENGINES
from puzzlespace.search.disk_layers import SPILL_FROM
from puzzlespace.search.merge import LEAST_AT_ONCE

MODELS = int(os.environ.get("LAWFUL_MODELS", "200"))
FIRST = int(os.environ.get("LAWFUL_FIRST", "0"))
PARTS = 4


def each_model(part):
    for seed in range(FIRST + part, FIRST + MODELS, PARTS):
        yield seed, *case(seed)


@lru_cache(500)
def case(seed):
    model = random_model(Random(seed))
    try:
        return model, reached(model)
    except EndlessError:
        return model, None


def sizes(found: Reached):
    counts = [0] * (max(found.distance.values()) + 1)
    for depth in found.distance.values():
        counts[depth] += 1
    return tuple(counts)


def shortest(model, found: Reached):
    """Return the positions on shortest solutions by their distance; () if there is no solution."""
    if model.start not in found.left:
        return ()
    length = found.left[model.start]
    layers = [set() for _ in range(length + 1)]
    for position, depth in found.distance.items():
        if depth + found.left.get(position, NO_WAY) == length:
            layers[depth].add(position)
    return tuple(map(frozenset, layers))


@pytest.mark.parametrize("part", range(PARTS))
def test_every_engine_counts_and_solves_random_models(part):
    accepted: set[tuple[str, str]] = set()
    for seed, model, found in each_model(part):
        if found is None:
            for name in ("plain", "frontier"):
                engine = next(each for each in ENGINES if each.name == name)
                if engine.refuses(model, "depths") is None:
                    with pytest.raises(EndlessError):
                        engine.depths(Depths(model, (model.start,)), Watch())
            continue
        goals = few_goals(model)
        for engine in ENGINES:
            if engine.depths is not None and engine.refuses(model, "depths") is None:
                answer = engine.depths(Depths(model, (model.start,), collect=model.goals), Watch())
                wanted = sorted((p, d) for p, d in found.distance.items() if meets(model, p))
                assert (seed, engine.name, answer.counts) == (seed, engine.name, sizes(found))
                assert (seed, engine.name, sorted(answer.collected)) == (seed, engine.name, wanted)
                accepted.add((engine.name, "depths"))
            if engine.search is not None and engine.refuses(model, "search") is None:
                answer = engine.search(Search(model, model.start, goals), Watch())
                assert (seed, engine.name, answer.layers) == (seed, engine.name, shortest(model, found))
                accepted.add((engine.name, "search"))
    if MODELS >= 200:
        both = {(name, question) for name in ("plain", "frontier") for question in ("depths", "search")}
        assert accepted >= both | {(name, "search") for name in ("bidirectional", "astar", "idastar")}


@pytest.mark.parametrize("part", range(PARTS))
def test_compiled_loops_and_runs_on_disk_count_and_solve_random_models(part, monkeypatch):
    monkeypatch.setattr(settling, "LONGEST", 1)  # loops stop after each rule that happens by itself, and go on
    frontier = next(engine for engine in ENGINES if engine.name == "frontier")
    compiled = {COMPILE_FRONTIER: 0, PARENTS_AT_ONCE: 2, LAYER_BITS: 2}
    endless = 0
    for seed, model, found in each_model(part):
        if frontier.refuses(model, "depths") is not None:
            continue
        net = {NET_FROM: seed % 2 - 1}
        if found is None:
            endless += 1
            with pytest.raises(EndlessError):
                frontier.depths(Depths(model, (model.start,)), Watch(thresholds=Thresholds(compiled | net)))
            continue
        wanted = sorted((p, d) for p, d in found.distance.items() if meets(model, p))
        for more in ({}, {SPILL_FROM: 5, LEAST_AT_ONCE: 7}):
            by = Thresholds(compiled | net | more)
            answer = frontier.depths(Depths(model, (model.start,), collect=model.goals), Watch(thresholds=by))
            assert (seed, answer.counts, sorted(answer.collected)) == (seed, sizes(found), wanted)
        answer = frontier.search(Search(model, model.start, few_goals(model)), Watch(thresholds=by))
        assert (seed, answer.layers) == (seed, shortest(model, found))
    assert endless or MODELS < 200


def widened(model, chance):
    """Return the model on a larger board; the other cells all change at once, by a move of their own."""
    cells = chance.randint(5, 16) * 64 // max(1, (model.symbols - 1).bit_length())
    others = [cell for cell in range(cells) if cell not in (places := chance.sample(range(cells), model.cells))]
    table = (1, 0, *range(2, model.symbols))
    turn = Rule("turn", tuple(others), (ANY,) * len(others), tuple(range(len(others))), (table,) * len(others))
    rules = (*(replace(rule, cells=tuple(places[cell] for cell in rule.cells)) for rule in model.rules), turn)
    costs = (*model.metric.costs, 1) if model.metric.costs else ()
    start = bytearray(cells)
    for cell, symbol in zip(places, model.start, strict=True):
        start[cell] = symbol
    metric = replace(model.metric, costs=costs, laws=())
    return replace(model, cells=cells, rules=rules, metric=metric, start=bytes(start), goals=())


def test_positions_of_many_words_are_counted():
    widest = 0
    frontier = next(engine for engine in ENGINES if engine.name == "frontier")
    for seed in range(0, MODELS, 10):
        model, found = case(seed)
        chance = Random(seed)
        if found is None or frontier.refuses(model, "depths") is not None:
            continue
        wide = widened(model, chance)
        try:
            all_found = reached(wide)
        except EndlessError:
            continue
        packing = packing_of(wide, (wide.start,))
        widest = max(widest, packing.words)
        for switch in (None, 0):
            answer = frontier.depths(
                Depths(wide, (wide.start,)), Watch(thresholds=Thresholds({COMPILE_FRONTIER: switch}))
            )
            assert (seed, answer.counts) == (seed, sizes(all_found))
    assert widest > 8 or MODELS < 200


@pytest.mark.parametrize("part", range(PARTS))
def test_the_chosen_engine_and_its_checks_agree(part):
    for seed, model, found in each_model(part):
        if found is None:
            continue
        goals = goal_positions(model)
        chance = Random(seed)
        left = {position: far if chance.random() < 0.5 else far // 2 for position, far in found.left.items()}
        lost = dict.fromkeys(found.distance.keys() - left.keys(), NO_WAY)
        guess = bound_of(lambda position, known={**left, **lost}: known.get(position, 0))
        for bound in (None, guess):
            answer = dispatch.search(Search(model, model.start, goals, bound=bound), Watch())[1]
            assert (seed, answer.layers, answer.stopped) == (seed, shortest(model, found), None)
        for position in answer.layers[-1:]:
            replay(model, path_to(model, found, next(iter(position))))
        if goals is not None and why_impossible(model, model.start, goals) is not None:
            assert (seed, found.left.get(model.start)) == (seed, None)
        counted = dispatch.depths(Depths(model, (model.start,)), Watch())[1]
        assert (seed, counted.counts) == (seed, sizes(found))


def path_to(model, found, position):
    path = [position]
    while path[-1] != model.start:
        depth = found.distance[path[-1]]
        path.append(next(p for p, to in found.moves.items() if depth - found.distance[p] == to.get(path[-1])))
    return path[::-1]


@pytest.mark.parametrize("part", range(PARTS))
def test_moves_their_costs_and_the_replay_are_those_of_the_definition(part):
    for seed, model, found in each_model(part):
        if found is None:
            continue
        chance = Random(seed)
        some = chance.sample(sorted(found.distance), min(12, len(found.distance)))
        for position in some:
            made = model.moves(position)
            assert (seed, {child: model.cost(rules) for child, rules in made.items()}) == (seed, found.moves[position])
            assert (seed, set(model.ways(position))) == (seed, set(made))
            assert (seed, {child for _, child in model.steps(position)}) == (seed, set(made))
            for child, rules in made.items():
                assert model.move_between(position, child) == rules
                end = position
                for number in rules:
                    end = model.rules[number].apply(end)
                assert (seed, end) == (seed, child)
            for other in some:
                assert (seed, one_move(model, position, other)) == (seed, other in made)


@pytest.mark.parametrize("part", range(PARTS))
def test_moves_taken_back_are_exact(part):
    backwards = 0
    for seed, model, found in each_model(part):
        back = model.backward
        if found is None or back is None:
            assert found is None or not model.reversible
            continue
        backwards += 1
        for position, children in found.moves.items():
            for child in children:
                assert (seed, position in back.moves(child)) == (seed, True)
                if model.reversible:
                    assert (seed, position in found.moves[child]) == (seed, True)
            for before in back.moves(position):
                assert (seed, position in moves(model, before)) == (seed, True)
    assert backwards


@pytest.mark.parametrize("part", range(PARTS))
def test_the_graph_and_the_components_are_those_of_the_moves(part):
    compared = 0
    for seed, model, found in each_model(part):
        if found is None:
            continue
        graph = explored(model, (model.start,), 10_000, Watch())
        assert (seed, len(graph)) == (seed, len(found.distance))
        for number in range(len(graph)):
            ends = graph.targets[graph.starts[number] : graph.starts[number + 1]]
            assert (seed, {graph.position(end) for end in ends}) == (seed, set(found.moves[graph.position(number)]))
        near = graph.distances(graph.goals(model))
        assert (seed, [found.left.get(graph.position(n), -1) for n in range(len(graph))]) == (seed, near.tolist())
        assert [found.distance[graph.position(n)] for n in range(len(graph))] == graph.from_start().tolist()
        if model.is_stable(model.start):
            try:
                parts = components(model, Watch())
            except (EndlessError, UnsupportedError):
                continue
            compared += 1
            assert (seed, parts.positions >= len(found.distance)) == (seed, True)
            if model.reversible:
                assert (seed, len(found.distance) in dict(parts.sizes)) == (seed, True)
    assert compared


def test_what_happens_before_the_first_move():
    settled = 0
    for seed in range(MODELS):
        model = random_model(Random(seed))
        try:
            wanted = bytes(happened(model, tuple(model.start), once=False))
        except EndlessError:
            with pytest.raises(EndlessError):
                model.settle(model.start)
            continue
        assert (seed, model.settle(model.start)) == (seed, wanted)
        settled += wanted != model.start
    assert settled > MODELS // 20
