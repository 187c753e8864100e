"""Graphs of positions: held against Model.moves and the plain search; places in space."""

import os
import subprocess
import sys
from collections import deque
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lawful_models
import random_models
from puzzlespace import InputError, LimitError, Limits, load
from puzzlespace.errors import EndlessError
from puzzlespace.graph import explore
from puzzlespace.graph.layout import lay_out
from puzzlespace.graph.listed import listed
from puzzlespace.graph.positions import explored
from puzzlespace.limits.watch import Watch

SMALL = [
    ("no-off-a", ""),
    ("flip3", ""),
    ("ring", ""),
    ("star13", ""),
    ("star13", "step"),
    ("dads", ""),
    ("dads", "run"),
]


def distances(model, source, moves):
    """Distances by a queue."""
    found, queue = dict.fromkeys(source, 0), deque(source)
    while queue:
        position = queue.popleft()
        for child in moves(position):
            if child not in found:
                found[child] = found[position] + 1
                queue.append(child)
    return found


@pytest.mark.parametrize(("name", "metric"), SMALL)
def test_a_graph_is_what_the_model_says(name, metric):
    puzzle = load(name)
    model = puzzle.model(metric)
    graph = explore(puzzle, metric=metric)
    layers = distances(model, [puzzle.start], model.moves)
    assert graph.complete
    assert {graph.position(v): int(graph.layers[v]) for v in range(len(graph))} == layers
    back = {}
    for v in range(len(graph)):
        children = {graph.position(int(w)) for w in graph.targets[graph.starts[v] : graph.starts[v + 1]]}
        assert children == set(model.moves(graph.position(v)))
        for child in children:
            back.setdefault(child, []).append(graph.position(v))
    goals = [position for position in layers if model.is_goal(position)]
    assert {graph.position(int(v)) for v in graph.goals(model)} == set(goals)
    nearest = distances(model, goals, lambda position: back.get(position, ()))
    found = graph.distances(graph.goals(model))
    assert {graph.position(v): int(d) for v, d in enumerate(found) if d >= 0} == nearest


def test_a_graph_that_is_cut_off_has_whole_layers_around_a_position():
    puzzle = load("eight")
    model = puzzle.model()
    around = next(iter(model.moves(puzzle.start)))
    graph = explore(puzzle, around=around, most=500)
    layer, inside = {around}, {around}
    for _ in range(int(graph.layers.max())):
        layer = {child for position in layer for child in model.moves(position)} - inside
        inside |= layer
    assert not graph.complete
    assert {graph.position(v) for v in range(len(graph))} == inside
    assert len(graph) <= 500
    assert len({child for position in layer for child in model.moves(position)} | inside) > 500


def test_graphs_keep_to_limits_and_need_a_beginning():
    puzzle = load("eight")
    with pytest.raises(LimitError):
        explore(puzzle, limits=Limits(positions=1000))
    with pytest.raises(InputError, match="expected a position to begin from"):
        explore(replace(puzzle, start=None, goals=()))


def test_places_in_space_keep_neighbours_near_and_far_positions_far():
    puzzle = load("dads")
    graph = explore(puzzle)
    depth = graph.distances(graph.goals(puzzle.model()))
    layout = lay_out(graph, depth)
    assert np.isfinite(layout.space).all()
    origins = np.repeat(np.arange(len(graph)), np.diff(graph.starts))
    lengths = np.linalg.norm(layout.space[origins] - layout.space[graph.targets], axis=1)
    assert 0.5 < np.median(lengths) < 2
    apart = np.linalg.norm(layout.space - layout.space[0], axis=1)
    assert np.corrcoef(apart, graph.layers)[0, 1] > 0.8
    assert np.ptp(layout.layers[:, 1] - depth) < 1e-3
    again = lay_out(graph, depth)
    assert (again.space == layout.space).all()


def compared(model, source, most):
    """Hold the lists of positions against the arrays."""
    try:
        graph = explored(model, [source], most, Watch())
    except EndlessError:
        with pytest.raises(EndlessError):
            listed(model, [source], most, Watch())
        return
    lists = listed(model, [source], most, Watch())
    assert (len(lists), lists.complete) == (len(graph), graph.complete)
    assert set(lists.positions) == set(graph.numbers)
    assert [int(graph.layers[graph.numbers[each]]) for each in lists.positions] == lists.layers.tolist()
    order = np.array([graph.numbers[each] for each in lists.positions])
    pairs = np.sort(order[np.array(lists.pairs, np.int64).reshape(-1, 2)], axis=1)
    assert sorted(map(tuple, pairs.tolist())) == sorted(map(tuple, graph.pairs.tolist()))
    found = graph.distances(graph.goals(model))
    assert [int(found[graph.numbers[each]]) for each in lists.positions] == lists.distances(model).tolist()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([20, 300]), st.booleans())
def test_lists_of_positions_are_the_graph(seed, most, lawful):
    model = lawful_models.random_model(Random(seed)) if lawful else random_models.model(seed, 6)
    compared(model, model.start, most)


@pytest.mark.parametrize("name", ["tol", "jugs853", "microban6", "dads", "bridge"])
def test_lists_of_positions_of_puzzles_are_the_graph(name):
    puzzle = load(name)
    compared(puzzle.model(), puzzle.start, 3_000)


PROGRAM = """
from puzzlespace import load
from puzzlespace.graph import explore
from puzzlespace.graph.layout import lay_out
puzzle = load("flip3")
graph = explore(puzzle)
layout = lay_out(graph, graph.distances(graph.goals(puzzle.model())))
print(layout.space.tobytes().hex(), layout.layers.tobytes().hex())
"""


def test_the_loops_pass_uncompiled():
    told = [
        subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True).stdout
        for environment in (os.environ, os.environ | {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert told[0] == told[1] != ""
