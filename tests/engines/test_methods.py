"""The methods of the engine `idastar`: which of them answer a question, and that the board is analysed once for it."""

import random
from dataclasses import replace

import pytest

from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api import questions
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Search
from puzzlespace.engines import deepening
from puzzlespace.engines.deepening import methods
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Watch
from puzzlespace.structure import slides


def near(name, metric="", steps=14):
    """Return the model of a puzzle of one goal position, begun a random walk away from it."""
    model = load(name).model(metric)
    rng, position = random.Random(name), goal_positions(model)[0]
    for _ in range(steps):
        position = rng.choice(sorted(model.moves(position)))
    return replace(model, start=position)


SOON = Thresholds(plain_orders=10, attempt=0, quick_positions=0)


@pytest.mark.parametrize(
    ("name", "metric", "heuristic", "by", "used"),
    [
        ("slide:4x4", "", "", Thresholds(), ["quick lines"]),
        ("slide:4x4", "", "", SOON, ["quick lines", "small patterns"]),
        ("slide:4x4", "", "walking+inversion", SOON, ["lines"]),
        ("eight", "", "", SOON, ["distances"]),
        ("eight", "", "pattern:4-4+walking", SOON, ["patterns"]),
        ("slide:2x4", "multi", "pattern", SOON, ["tracks"]),
        ("hexagram", "multi", "pattern", SOON, ["colours"]),
        ("slide:2x4", "multi", "", Thresholds(), ["few layers"]),
        ("slide:2x4", "multi", "", SOON, ["few layers", "moves"]),
        ("eight", "", "inversion+distance", SOON, ["few layers", "layers"]),
    ],
)
def test_methods_are_tried_in_order(name, metric, heuristic, by, used, monkeypatch):
    model, ran = near(name, metric), []

    def noted(method):
        return replace(method, run=lambda known: (ran.append(method.name), method.run(known))[1])

    monkeypatch.setattr(methods, "METHODS", tuple(map(noted, methods.METHODS)))
    question = Search(model, model.start, goal_positions(model), every=False, heuristic=heuristic)
    found = deepening.search(question, Watch(thresholds=by))
    assert ran == used
    assert 1 < len(found.layers) <= 15


@pytest.mark.parametrize("engine", ["auto", "idastar"])
def test_the_rules_are_read_once_for_a_question(engine, monkeypatch):
    read = []

    def noted(model, work_out=slides._read):
        read.append(model)
        return work_out(model)

    monkeypatch.setattr(slides, "_read", noted)
    puzzle = replace(load("slide:4x4"), start=near("slide:4x4").start)
    answer = questions.solve(puzzle, engine=engine)
    assert answer.engine == "idastar"
    assert answer.moves is not None
    assert len(read) == 1
