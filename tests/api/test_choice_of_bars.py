"""The engine that the automatic choice takes for the puzzles whose speed `benchmarks/solving.py` measures by name.

A benchmark that names its engine says nothing about the choice: a wrong choice once made `lights:9x9` unsolvable while
its benchmark was fast.
"""

from __future__ import annotations

from random import Random

import pytest

from puzzlespace.api.choice import advice, engines_for
from puzzlespace.api.loader import load
from puzzlespace.api.questions import solve, with_start
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.limits.watch import Limits, Watch


def scrambled(spec: str, moves: int, seed: int) -> bytes:
    model, rng = load(spec).model(), Random(seed)
    position = model.goals[0].position
    assert position is not None
    for _ in range(moves):
        position = rng.choice(sorted(model.moves(position)))
    return position


@pytest.mark.parametrize(
    ("spec", "engine"),
    [
        ("pancake:16", "idastar"),
        ("pancake:20", "idastar"),
        ("pancake:50", "idastar"),
        ("burnt:12", "idastar"),
        ("burnt:15", "idastar"),
        ("lights:9x9", "linear"),
        ("lights:25x25", "linear"),
    ],
)
def test_a_scrambled_position_is_solved_by(spec: str, engine: str) -> None:
    found = solve(with_start(load(spec), scrambled(spec, 300, 1)), limits=Limits(seconds=60))
    assert found.moves
    assert found.engine == engine


def test_towers_of_four_pegs_are_moved_by_astar() -> None:
    found = solve(load("hanoi:4,12"), limits=Limits(seconds=60))
    assert (found.engine, found.moves) == ("astar", 81)


@pytest.mark.parametrize("spec", ["topspin:16,4", "topspin:18,4", "cube:3", "slide:4x4"])
def test_a_position_that_takes_seconds_would_be_solved_below_a_bound(spec: str) -> None:
    model = load(spec).model()
    goal = model.goals[0].position
    assert goal is not None
    assert advice(Search(model, scrambled(spec, 40, 1), (goal,))) == (
        "the automatic choice is idastar: one hard position of far too many to list"
    )


@pytest.mark.parametrize(
    ("spec", "engine"),
    [
        ("topspin:12,4", "table"),
        ("hanoi:4,12", "table"),
        ("pancake:12", "table"),
        ("flip:5x5", "table"),
        ("lights:6x6", "linear"),
        ("lights:25x25", "linear"),
    ],
)
def test_all_positions_would_be_counted_by(spec: str, engine: str) -> None:
    model = load(spec).model()
    goal = model.goals[0].position
    assert goal is not None
    assert next(engines_for(Depths(model, (goal,)), Watch(Limits()), "auto")).name == engine
