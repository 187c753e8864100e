"""Tables of turns, held against the plain engine on random puzzles with two turns."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from places import ROOT
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Depths, WantedLayers
from puzzlespace.engines import plain, table
from puzzlespace.engines.shared import audit
from puzzlespace.engines.table import bit_index, turns
from puzzlespace.engines.table.products import ROW_COLUMNS
from puzzlespace.engines.table.turns.counting import TURN_NOTES
from puzzlespace.errors import InputError, SelfCheckError, UnsupportedError
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule
from random_models import two_turns
from tiny import TINY

LAMPS = {"even": tuple(range(0, 128, 2)), "odd": tuple(range(1, 128, 2))}
FEW_NOTES = Thresholds({TURN_NOTES: 2})


def drawn(seed, most=5):
    """A random model that the kind `turn` fits, with its engine and plan."""
    chance = Random(seed)
    sizes = TINY | {ROW_COLUMNS: chance.choice((4, 16, 512))}
    while True:
        model = two_turns(chance, most)
        chosen = table.choose_kind(model, "turn", sizes)
        if chosen is not None and chosen.plan.positions < 20_000:
            return model, table.of_kind("turn", sizes), chosen.plan


def deep():
    """A random model with many layers, and its engine."""
    for seed in range(100, 200):
        model, engine, plan = drawn(seed)
        if plan.positions > 100 and len(plain.depths(Depths(model, (model.start,)), Watch()).counts) > 6:
            return model, engine
    raise AssertionError("none of the seeds gives many layers")


def asked(model, chance):
    """A question from one or several sources, which collects some positions."""
    sources = {model.start, *list(model.moves(model.start))[: chance.choice((0, 0, 3))]}
    shuffled = (bytes(chance.sample(list(model.start), model.cells)) for _ in range(3))
    goals = tuple(map(Goal.exactly, (model.start, *shuffled)))
    return Depths(model, tuple(sorted(sources)), chance.choice((0, 1, 7, 10_000)), goals)


def held(seed, most):
    """Hold the counts, the hardest positions and the depths of some positions against the plain engine."""
    model, engine, plan = drawn(seed, most)
    chance = Random(seed)
    question = asked(model, chance)
    expected = plain.depths(question, Watch())
    found = engine.depths(question, Watch(thresholds=chance.choice((USUAL, FEW_NOTES))))
    assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.deepest, True)
    assert sorted(found.collected) == sorted(expected.collected)
    return plan


@pytest.mark.parametrize("seed", range(40))
def test_a_table_of_turns_counts_as_the_plain_engine_does(seed):
    held(seed, 5)


@pytest.mark.long
def test_tables_of_turns_count_as_the_plain_engine_does_on_many_puzzles():
    plans = [held(seed, 7) for seed in range(1000, 2000)]
    assert any(plan.blocks > 1 for plan in plans)
    assert any(plan.columns > 64 for plan in plans)
    assert any(len({len(turn) for turn in plan.turns}) == 1 for plan in plans)


def test_numbers_go_there_and_back():
    for seed in range(5):
        model, _, plan = drawn(seed)
        numbers = range(0, plan.positions, 1 + plan.positions // 100)
        assert [plan.rank(plan.unrank(number)) for number in numbers] == list(numbers)
        with pytest.raises(InputError):
            plan.rank(bytes([3] * model.cells))


def test_a_count_that_stops_has_whole_layers():
    model, engine = deep()
    expected = plain.depths(Depths(model, (model.start,)), Watch()).counts
    found = engine.depths(Depths(model, (model.start,)), Watch(Limits(positions=sum(expected[:4]))))
    assert found.stopped is not None
    assert found.counts == expected[: len(found.counts)]
    assert 1 <= len(found.counts) < len(expected)


def test_too_little_memory_is_said_before_the_count():
    model, engine = deep()
    found = engine.depths(Depths(model, (model.start,)), Watch(Limits(memory=100)))
    assert found.stopped is not None
    assert "positions need" in str(found.stopped)


@pytest.mark.parametrize("what", [{"wanted": WantedLayers(lambda *_: None)}, {"collect": (Goal((ANY,) * 12),)}])
def test_layers_are_not_handed_over(what):
    model, engine = deep()
    question = replace(Depths(model, (model.start,)), **what)
    with pytest.raises(UnsupportedError, match="cannot keep layers"):
        engine.depths(question, Watch())


@pytest.mark.parametrize("seed", range(8))
def test_orbits_that_the_count_forgot_are_noticed_in_every_run(seed, monkeypatch):
    """On a machine that leaves no time for the checks."""
    from puzzlespace.engines.table.turns.counting import TurnCount

    advance, chance = TurnCount.advance, Random(seed)
    model, engine = deep()
    parity, depth = chance.randrange(2), chance.randint(2, 4)

    def forgetful(self, crew, watch, bound):
        size = advance(self, crew, watch, bound)
        if bound == depth:
            for each in (self.first, self.second):
                each.words[parity::2] = 0
        return size

    monkeypatch.setattr(TurnCount, "advance", forgetful)
    for name in ("SECONDS", "SHARE", "PER_POSITION"):
        monkeypatch.setattr(audit, name, 0.0)
    monkeypatch.setattr(audit, "FIRST", replace(audit.FIRST, seconds=0.0))
    with pytest.raises(SelfCheckError, match="count"):
        engine.depths(Depths(model, (model.start,)), Watch())


def test_other_moves_are_no_two_turns():
    """Quarter turns that count one each, three turns, and one turn do not fit."""
    chosen = [turns.plan(load(spec).model("step"), TINY) for spec in ("cube:2", "topspin:6,4", "burnt:3", "flip:3x3")]
    model, _, _ = drawn(3)
    single = Model(model.cells, model.symbols, model.rules[:1], start=model.start)
    assert [*chosen, turns.plan(single, TINY)] == [None] * 5


def test_many_coordinates_are_refused_before_they_are_joined():
    """Two moves that change 64 lamps each: every lamp is a coordinate, and all but a few would be blocks."""
    lamps = [Rule(name, cells, (ANY,) * 64, tuple(range(64)), ((1, 0),) * 64) for name, cells in LAMPS.items()]
    assert turns.plan(Model(128, 2, tuple(lamps), start=bytes(128)), TINY) is None


def test_the_moon_spinner_needs_less_than_a_bit_for_each_position():
    model = load(str(ROOT / "examples" / "twisty" / "moon-spinner.tws")).model()
    chosen = table.choose(model)
    assert chosen is not None
    little = chosen.within(6 * 10**9)
    assert little.kind == "turn"
    assert little.plan.positions == 47_151_720_000
    assert little.plan.bytes < little.plan.positions / 8
    source = model.goals[0].position
    assert "turn" not in {kind.kind for kind in bit_index.kinds(model, [source])}
