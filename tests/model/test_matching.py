"""Rules and laws found by sets, against trying them one by one: random models of many rules."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from lawful_models import random_model
from puzzlespace.errors import EndlessError
from puzzlespace.model import matching, trying
from puzzlespace.model.matching import Matching
from puzzlespace.model.metric import STEP
from puzzlespace.model.rule import Motion


def outcome(function, position):
    try:
        return function(position)
    except EndlessError:
        return "endless"


def answers(model):
    """Return what models say of all positions: moves in their order, what happens by itself, which law forbids."""
    asked = (model.steps, model.settle, model.broken, lambda p: model.rule_between(p, model.start))
    every = map(bytes, product(range(model.symbols), repeat=model.cells))
    return [[outcome(function, position) for function in asked] for position in every]


def large(chance: Random):
    """Return a random model with laws and stages, or without; some of its rules are whole moves of a piece."""
    model = random_model(chance)
    rules = list(model.rules)
    for number, rule in enumerate(rules):
        if rule.cells and chance.random() < 0.3:
            rules[number] = replace(rule, motion=Motion(-1, rule.cells[0], rule.cells[-1], "", whole=True))
    if not model.metric.costs:
        rules += chance.choices(rules, k=chance.randrange(12))
    model = replace(model, rules=tuple(rules))
    return model if chance.random() < 0.7 else replace(model, metric=STEP)


def anew(model):
    """Return the model with nothing kept."""
    return replace(model, rules=(*model.rules,))


@pytest.mark.parametrize("part", range(4))
def test_many_rules_are_found_by_sets_in_the_same_order(monkeypatch, part):
    found = 0
    for seed in range(part, 40, 4):
        model = large(Random(seed))
        monkeypatch.setattr(trying, "MANY", 1 << 30)
        monkeypatch.setattr(matching, "MOST_BYTES", -1)
        expected = answers(anew(model))
        monkeypatch.undo()
        monkeypatch.setattr(trying, "MANY", -1)
        again = anew(model)
        assert answers(again) == expected, seed
        found += again._matching is not None
        monkeypatch.undo()
    assert found > 6


def test_sets_are_the_conjunctions_that_hold():
    chance = Random(3)
    for _ in range(50):
        cells, symbols = chance.choice(((1, 1), (2, 3), (3, 2), (3, 4)))
        needs = [
            [(chance.randrange(cells), chance.choice((-1, chance.randrange(1, 1 << symbols)))) for _ in range(width)]
            for width in chance.choices(range(4), k=chance.choice((0, 1, 7, 8, 9, 30)))
        ]
        sets = matching.matching(needs, symbols)
        assert isinstance(sets, Matching)
        for position in map(bytes, product(range(symbols), repeat=cells)):
            met = [n for n, each in enumerate(needs) if all(need >> position[cell] & 1 for cell, need in each)]
            assert list(sets.met(position)) == met


def test_sets_that_take_too_much_memory_are_not_made(monkeypatch):
    monkeypatch.setattr(matching, "MOST_BYTES", 3)
    assert matching.matching([[(0, 1)]], 3) is not None
    assert matching.matching([[(0, 1), (1, 1)]], 3) is None
    assert matching.matching([[(0, 7), (1, 1)]], 3) is not None
