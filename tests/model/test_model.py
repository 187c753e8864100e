import hashlib
from random import Random

import pytest

import random_models
from puzzlespace import load
from puzzlespace.errors import ModelError
from puzzlespace.model.effects import canonical, inverse
from puzzlespace.model.goal import Goal
from puzzlespace.model.metric import Metric
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule, only, single_symbol
from toys import eight, flips, grid_edges, pegs, ring, slide, turns


def test_a_rule_rewrites_all_cells_at_once():
    exchange = Rule("x", (0, 2), (ANY, ANY), (1, 0), (None, None))
    assert exchange.apply(bytes([1, 0, 2])) == bytes([2, 0, 1])


def test_a_rule_needs_its_symbols():
    rule = Rule.put("jump", (0, 1, 2), (1, 1, 0), (0, 0, 1), 2)
    assert rule.apply(bytes([1, 1, 0])) == bytes([0, 0, 1])
    assert rule.apply(bytes([1, 0, 0])) is None


def test_a_table_changes_what_is_carried():
    rule = Rule("flip", (0, 1), (ANY, ANY), (1, 0), ((1, 0), (1, 0)))
    assert rule.apply(bytes([0, 1])) == bytes([0, 1])
    assert rule.apply(bytes([0, 0])) == bytes([1, 1])


@pytest.mark.parametrize("model", [eight(), ring(7), flips(3, 2), turns(5, [[1, 2, 3, 4, 0]])])
def test_inverses_lead_back(model):
    for rule in model.rules:
        back = inverse(rule, model.symbols)
        assert back is not None
        for _, child in [s for s in model.steps(model.start) if model.rules[s[0]] is rule]:
            assert back.apply(child) == model.start
        assert canonical(inverse(back, model.symbols), model.symbols) == canonical(rule, model.symbols)


def test_a_rule_that_forgets_has_no_inverse():
    assert inverse(Rule("clear", (0,), (ANY,), (0,), ((0, 0),)), 2) is None


def test_a_rule_that_copies_has_no_inverse():
    assert inverse(Rule("copy", (0, 1), (ANY, ANY), (0, 0), (None, None)), 2) is None


def test_what_is_reversible():
    assert eight().reversible
    assert flips(3, 3).reversible
    assert slide(grid_edges(2, 2), (1, 2, 0, 0), (2, 1, 0, 0), "piece").reversible
    assert not pegs([(0, 1, 2)], (1, 1, 0)).reversible
    shift = Rule("shift", (0, 1, 2), (ANY,) * 3, (1, 2, 0), (None,) * 3)
    assert not Model(3, 3, (shift,), start=bytes(range(3))).reversible


def test_pegs_can_be_traced_back():
    model = pegs([(0, 1, 2)], (1, 1, 0))
    assert list(model.moves(model.start)) == [bytes([0, 0, 1])]
    assert list(model.backward.moves(bytes([0, 0, 1]))) == [bytes([1, 1, 0])]


def test_a_chain_is_one_move_and_is_undone_as_one():
    board = [(0, 1, 2), (2, 3, 4)]
    model = pegs(board, (1, 1, 0, 1, 0), "chain")
    assert set(model.moves(model.start)) == {bytes([0, 0, 1, 1, 0]), bytes([0, 0, 0, 0, 1])}
    assert model.moves(model.start)[bytes([0, 0, 0, 0, 1])] == (0, 2)
    assert set(model.backward.moves(bytes([0, 0, 0, 0, 1]))) == {bytes([0, 0, 1, 1, 0]), bytes([1, 1, 0, 1, 0])}


@pytest.mark.parametrize("model", [eight(), eight(count="multi"), pegs([(0, 1, 2), (1, 2, 3)], (1, 1, 0, 1), "chain")])
def test_backward_moves_are_the_moves_turned_round(model):
    layer = [model.start]
    for _ in range(4):
        layer = [child for position in layer for child in model.moves(position)]
        for position in layer:
            assert all(position in model.backward.moves(child) for child in model.moves(position))
            assert all(position in model.moves(parent) for parent in model.backward.moves(position))


def test_goals():
    goal = Goal((only(1), ANY, ANY), ((2, 1),))
    assert goal.holds(bytes([1, 2, 0]))
    assert not goal.holds(bytes([1, 2, 2]))
    assert not goal.holds(bytes([0, 2, 1]))
    assert goal.position is None
    assert Goal.exactly(bytes([3, 1])).position == bytes([3, 1])


def test_a_need_of_one_symbol_tells_the_symbol():
    assert [single_symbol(only(symbol)) for symbol in (0, 1, 254)] == [0, 1, 254]
    assert [single_symbol(need) for need in (0, 3, 6, ANY)] == [None] * 4


def test_the_anchor_is_the_start_or_a_goal_that_is_one_position():
    open_goal, closed = Goal((ANY, only(1))), Goal.exactly(bytes([1, 0]))
    assert Model(2, 2, (), goals=(open_goal, closed)).anchor == bytes([1, 0])
    assert Model(2, 2, (), start=bytes([0, 1]), goals=(closed,)).anchor == bytes([0, 1])
    assert Model(2, 2, (), goals=(open_goal,)).anchor is None


def test_the_fingerprint_tells_rules_and_metric_apart():
    prints = {eight().fingerprint, eight(count="multi").fingerprint, ring(7).fingerprint, ring(8).fingerprint}
    assert len(prints) == 4
    assert eight().fingerprint == eight(start=(1, 2, 3, 4, 5, 6, 7, 0, 8)).fingerprint


GOOD = Rule("x", (0, 1), (ANY, ANY), (1, 0), (None, None))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"symbols": 0}, "expected 1 to 255 symbols"),
        ({"symbols": 256}, "expected 1 to 255 symbols"),
        ({"start": bytes(3)}, "expected 2 cells, found 3"),
        ({"start": bytes([0, 2])}, "expected symbols below 2"),
        ({"goals": (Goal((ANY,)),)}, "goal: expected 2 cells"),
        ({"rules": (Rule("x", (0, 0), (ANY, ANY), (1, 0), (None, None)),)}, "different cells"),
        ({"rules": (Rule("x", (0, 2), (ANY, ANY), (1, 0), (None, None)),)}, "cells below 2"),
        ({"rules": (Rule("x", (0, 1), (ANY,), (1, 0), (None, None)),)}, "one need, source and table"),
        ({"rules": (Rule("x", (0, 1), (ANY, 4), (1, 0), (None, None)),)}, "needs that allow some of 2"),
        ({"rules": (Rule("x", (0, 1), (ANY, 0), (1, 0), (None, None)),)}, "needs that allow some of 2"),
        ({"rules": (Rule("x", (0, 1), (ANY, ANY), (2, 0), (None, None)),)}, "sources below 2"),
        ({"rules": (Rule("x", (0, 1), (ANY, ANY), (1, 0), (None, (0,))),)}, "tables of 2 symbols"),
        ({"metric": Metric("run", ((0,), (0,)))}, "expected 1 lists"),
        ({"metric": Metric("run", ((3,),))}, "expected a rule below 1, found 3"),
    ],
)
def test_what_does_not_fit_is_refused_on_construction(fields, message):
    with pytest.raises(ModelError, match=message):
        Model(**{"cells": 2, "symbols": 2, "rules": (GOOD,), **fields})


@pytest.mark.parametrize("name", ["goat", "eight", "star13", "hexagram", "flip3", "pancake:5"])
def test_a_fingerprint_is_that_of_the_whole_text(name):
    """It is worked out piece by piece; kept tables know their puzzle by it, so it must never change."""
    puzzle = load(name)
    for metric in puzzle.metrics:
        model = puzzle.model(metric)
        forms = [canonical(rule, model.symbols) for rule in model.rules]
        text = repr([model.cells, model.symbols, forms, model.metric.after])
        assert model.fingerprint == hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("seed", range(60))
def test_steps_are_what_rules_do(seed):
    model = random_models.model(seed) if seed % 2 else random_models.listed(Random(seed))
    chance, position = Random(seed), model.start
    for _ in range(20):
        expected = [(number, rule.apply(position)) for number, rule in enumerate(model.rules)]
        found = model.steps(position)
        assert sorted(found) == [(n, child) for n, child in expected if child is not None and child != position]
        position = chance.choice(found)[1] if found else model.start


def test_rules_of_one_cell_and_those_that_carry_everything():
    for cells in (1, 2, 3):
        source = (*range(1, cells), 0)
        model = Model(cells, 3, (Rule("shift", tuple(range(cells)), (ANY,) * cells, source, (None,) * cells),))
        position = bytes(range(cells))
        assert [child for _, child in model.steps(position)] == [position[1:] + position[:1]] * (cells > 1)


def test_goals_of_one_position_and_others_are_met():
    counted = Goal((ANY, ANY), ((1, 2),))
    model = Model(2, 3, (), goals=(Goal.exactly(b"\0\1"), Goal((1, 6)), Goal((1, 1), ((1, 1),)), counted))
    for position in (bytes([a, b]) for a in range(3) for b in range(3)):
        assert model.is_goal(position) == any(goal.holds(position) for goal in model.goals)
    assert not model.is_goal(b"\0\0")
    assert model.is_goal(b"\1\1")
