"""Best-first search on numbers written in digits, held against the plain engine on random puzzles and towers."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

import random_models
from puzzlespace.api import questions
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import astar, plain
from puzzlespace.heuristics.digit_tables import DigitTable, divided
from puzzlespace.heuristics.kept import KEPT_BYTES
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import STRIDE, Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.structure.digits import read

SMALL = Thresholds({STRIDE: 50, KEPT_BYTES: 1 << 60})


def asked(model, goals, every):
    aims = tuple(Goal.exactly(goal) for goal in goals)
    return Search(replace(model, goals=aims), model.start, goals, every)


@pytest.mark.parametrize("seed", range(50))
def test_random_puzzles_are_solved_as_the_plain_engine_does(seed, monkeypatch):
    monkeypatch.setattr(astar, "ROOM", 1)
    chance = Random(seed)
    model = random_models.digits(chance)
    digits = read(model)
    goals = tuple({digits.unrank(chance.randrange(digits.positions)): 0 for _ in range(chance.choice([1, 1, 3]))})
    assert astar.not_digits(model) is None
    expected = plain.search(asked(model, goals, True), Watch())
    found = astar.search(asked(model, goals, True), Watch(thresholds=SMALL))
    one = astar.search(asked(model, goals, False), Watch(thresholds=SMALL))
    assert found.layers == expected.layers
    assert found.bound == expected.bound == one.bound
    assert [len(layer) for layer in one.layers] == [1] * len(expected.layers)
    assert all(layer <= every for layer, every in zip(one.layers, expected.layers, strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_the_bound_is_never_too_great_and_changes_by_one_at_most(seed):
    chance = Random(1000 + seed)
    model = random_models.digits(chance)
    digits = read(model)
    goal = chance.randrange(digits.positions)
    first = chance.randint(0, len(digits.radix))
    cut = digits.weights[first]
    near = DigitTable(digits.part(0, first), [goal % cut])
    far = DigitTable(digits.part(first, len(digits.radix)), [goal // cut])
    for table in (near, far):
        table.build(2)
    bound = {
        digits.unrank(number): int(near.bits[number % cut]) + int(far.bits[number // cut])
        for number in range(digits.positions)
    }
    layers: dict[int, list[bytes]] = {}
    aim = (Goal((-1,) * model.cells),)
    for position, depth in plain.depths(Depths(model, (digits.unrank(goal),), collect=aim), Watch()).collected:
        layers.setdefault(depth, []).append(position)
        assert bound[position] <= depth
        assert all(abs(bound[child] - bound[position]) <= 1 for child in model.moves(position))
    assert sum(map(len, layers.values())) == digits.positions


def test_a_table_of_all_digits_has_the_distances():
    model = load("hanoi:4,5").model("step")
    digits = read(model)
    table = DigitTable(digits, [digits.positions - 1])
    assert table.build(1) == table.size == 1024
    assert tuple(np.bincount(table.bits)) == plain.depths(Depths(model, (digits.unrank(1023),)), Watch()).counts


def test_the_last_digits_get_the_larger_table():
    digits = read(load("hanoi:4,12").model("step"))
    assert [divided(digits, most) for most in (4**12, 4**10, 4**6, 4**5)] == [0, 2, 6, 6]


def test_towers_are_solved_by_it():
    answer = questions.solve("hanoi:4,9", cache="off")
    assert (answer.engine, answer.moves) == ("astar", 41)
    counted = questions.solve("hanoi:4,6", engine="astar", count=True)
    again = questions.solve("hanoi:4,6", engine="plain", count=True)
    assert (counted.moves, counted.solutions) == (again.moves, again.solutions)
    assert counted.moves <= counted.expanded <= again.expanded


def test_a_limit_tells_the_bound_proved():
    found = questions.solve("hanoi:4,9", engine="astar", cache="off", limits=Limits(positions=5_000))
    assert found.stopped is not None
    assert found.stopped.kind == "positions"
    assert 20 < (found.bound or 0) <= 41
    found = questions.solve("hanoi:4,14", engine="astar", cache="off", limits=Limits(memory=2_000_000))
    assert found.stopped is not None
    assert found.stopped.kind == "memory"


def test_what_has_no_compiled_loop_is_told_with_the_reason():
    assert "several cells" in (astar.not_digits(load("eight").model("step")) or "")
    assert "depth table" in (astar.refuses(load("hanoi:3,3").model("step"), "depths") or "")
    assert "4,294,967,296" in (astar.not_digits(load("hanoi:4,20").model("step")) or "")
