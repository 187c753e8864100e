"""Readings of rules: those that are kept are equal to fresh ones, and models with equal rules share them."""

import gc
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from weakref import ref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import random_models
from fuzz import generators
from puzzlespace import LimitError, Limits, load
from puzzlespace.limits.watch import watched
from puzzlespace.model import kept
from puzzlespace.model.facts import changed_cells, orbits, symbol_classes
from puzzlespace.model.model import Model
from puzzlespace.model.rule import Rule
from puzzlespace.structure import (
    additions,
    blocks,
    boxes,
    digits,
    frames,
    glides,
    jumps,
    lines,
    permutations,
    possible,
    reached,
    rectangle,
    rows,
    slides,
)

DRAWN = (generators.draw, generators.draw_glide, generators.draw_push)


def of_slides(read, model):
    """What a reader of slides returns, or why the rules are no slides."""
    board = slides.read(model)
    return board if isinstance(board, str) else read(board)


OF_RULES = {
    "slides": slides.read,
    "blocks": blocks.read,
    "rectangle": lambda model: of_slides(rectangle.read, model),
    "lines": lambda model: of_slides(lines.read, model),
    "jumps": jumps.read,
    "actions": permutations.actions,
    "generators": permutations.generators,
    "orbits": orbits,
    "changed cells": changed_cells,
    "rows": lambda model: rows.read(model.rules, model.cells),
    "reversible": lambda model: model.reversible,
}

OF_POSITIONS = {
    "boards": slides.board_of,
    "glides": lambda model: glides.read(model, model.start),
    "boxes": boxes.read,
    "levels": boxes.read_rules,
    "additions": lambda model: additions.read(model, model.start),
    "digits": digits.read,
    "reached": reached.read,
    "within reach": lambda model: possible.within_reach(model, model.start),
    "usable": lambda model: None if model.metric.lawful else possible.usable(model, model.start),
    "alike": lambda model: frames.alike(model, model.start),
}


def models(seed):
    """Models of one random puzzle in all its metrics, or a random model."""
    kind, number = seed % 5, seed // 5
    if kind < 3:
        puzzle = generators.accepted(DRAWN[kind](number))
        return [puzzle.model(name) for name in puzzle.metrics if puzzle.start is not None]
    return [random_models.model(number) if kind == 3 else random_models.slides(Random(number))]


def fresh(model):
    """The same model with rules that keep nothing yet."""
    return replace(model, rules=tuple(model.rules))


def elsewhere(model, chance):
    """The model with another start: a few moves away, or with two cells exchanged."""
    here = model.start
    for _ in range(chance.randint(1, 4)):
        here = chance.choice(sorted(model.moves(here)) or [here])
    if chance.random() < 0.3:
        a, b = sorted(chance.choices(range(model.cells), k=2))
        here = here[:a] + here[b : b + 1] + here[a + 1 : b] + here[a : a + 1] + here[b + 1 :] if a < b else here
    return replace(model, start=here, goals=model.goals[: chance.randint(0, 2)])


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2000))
def test_kept_readings_are_equal_to_fresh_ones(seed):
    for model in models(seed):
        others = [model, *(elsewhere(model, Random(seed + number)) for number in range(3)), model]
        for name, read in (OF_RULES | OF_POSITIONS).items():
            for each in others:
                assert read(each) == read(fresh(each)), name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["goat", "eight", "english", "lights:5x5", "microban1", "slide:3x3", "flip:3x3"])
def test_models_with_equal_rules_share_readings(name):
    model = load(name).model()
    other = replace(model, start=None, goals=())
    for what, read in OF_RULES.items():
        assert read(other) is read(model), what
    assert other.bare is model.bare
    assert other.bare.bare is model.bare
    assert model.bare.start is None
    assert model.bare.goals == ()


def test_other_metrics_have_readings_of_their_own():
    puzzle = load("slide:3x3")
    step, multi = puzzle.model("step"), puzzle.model("multi")
    assert step.rules is multi.rules
    assert slides.read(step).joint == 1
    assert slides.read(multi).joint == 2
    assert symbol_classes(step.rules, step.symbols) is symbol_classes(multi.rules, multi.symbols)


def test_readings_go_with_the_rules():
    model = fresh(load("slide:3x3").model())
    board, classes = ref(slides.read(model)), ref(model.rules._results)
    assert board() is slides.read(model)
    del model
    gc.collect()
    assert board() is None
    assert classes() is None


def test_only_the_latest_rules_keep_readings():
    first, *others = (fresh(load("slide:3x3").model()) for _ in range(kept.MOST_CACHES + 1))
    board = slides.read(first)
    assert slides.read(first) is board
    for model in others:
        slides.read(model)
    assert slides.read(replace(first)) == board
    assert not first.rules._results.keys() & {slides._read}
    assert slides.read(replace(first)) is slides.read(replace(first))


def test_only_the_latest_results_of_a_function_are_kept():
    rules, made = kept.keeping([1, 2]), []

    def noted(given, more):
        made.append(more)
        return given, more

    for more in range(kept.MOST_RESULTS + 1):
        assert rules.kept(noted, more) == ((1, 2), more)
    rules.kept(noted, kept.MOST_RESULTS)
    assert len(made) == kept.MOST_RESULTS + 1
    rules.kept(noted, 0)
    assert made[-1] == 0


def test_lists_keep_nothing():
    given = [Rule("", (0,), (-1,), (0,), ((1, 0),))]
    assert symbol_classes(given, 2) == (0, 0)
    given.clear()
    assert symbol_classes(given, 2) == (0, 1)


def test_pickled_models_bring_no_readings():
    model = load("slide:3x3").model()
    board = slides.read(model)
    other = pickle.loads(pickle.dumps(model))
    assert other == model
    assert "_results" not in other.rules.__dict__
    assert slides.read(other) == board
    assert slides.read(other) is not board


def test_threads_share_readings():
    model = fresh(load("slide:4x4").model())
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: slides.read(replace(model, goals=())), range(64)))
    assert all(each == found[0] for each in found)
    assert slides.read(model) in found


def test_an_interrupted_reading_is_not_kept():
    rule = Rule("", (0, 1), (-1, -1), (1, 0), (None, None))
    model = Model(2, 2, (rule,) * 2000, start=b"\0\1")
    with watched(Limits(seconds=0)), pytest.raises(LimitError):
        permutations.actions(model)
    assert permutations._actions not in model.bare.__dict__.get("_results", {})
    assert len(permutations.actions(model)) == 2000
