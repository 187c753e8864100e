"""The methods of the engine `idastar`: which of them answer a question, and that the board is analysed once for it."""

import random
from dataclasses import replace

import pytest

from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api import dispatch, questions
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Search
from puzzlespace.engines import deepening, plain
from puzzlespace.engines.deepening import methods
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Watch
from puzzlespace.structure import slides
from toys import grid_edges, slide


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
        ("slide:2x4", "multi", "", replace(SOON, many_orders=0), ["tracks"]),
        ("hexagram", "multi", "", replace(SOON, many_orders=0), ["colours"]),
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


def carried(chance: random.Random) -> Search:
    """Return a question about moves that carry several pieces, on a rectangle or on one without a cell or two."""
    width, height = chance.choice([(2, 3), (3, 2), (2, 4), (4, 2), (3, 3)])
    kept = list(range(width * height))
    for _ in range(chance.randint(*((1, 2) if len(kept) > 8 else (0, 1)))):
        kept.remove(chance.choice(kept))
    number = {cell: index for index, cell in enumerate(kept)}
    edges = [(number[a], number[b], way) for a, b, way in grid_edges(width, height) if a in number and b in number]
    kinds = chance.choice([3, len(kept), len(kept)])
    goal = [0, *(1 + n % (kinds - 1) for n in range(len(kept) - 1))]
    chance.shuffle(goal)
    model = slide(edges, goal, goal, "multi")
    start = model.start
    for _ in range(chance.randint(0, 40)):
        start = chance.choice(sorted(model.moves(start)))
    if chance.random() < 0.2:
        start = bytes(chance.sample(goal, len(goal)))
    return Search(replace(model, start=start), start, (model.start,), every=chance.random() < 0.5)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_the_automatic_choice_for_moves_that_carry_pieces_agrees_with_plain(first, monkeypatch):
    ran = set()

    def noted(method):
        return replace(method, run=lambda known: (ran.add(method.name), method.run(known))[1])

    monkeypatch.setattr(methods, "METHODS", tuple(map(noted, methods.METHODS)))
    for seed in range(first, first + 20):
        chance = random.Random(seed)
        question = carried(chance)
        by = replace(
            Thresholds(few_placements=0, some_placements=0, attempt_both=0, attempt_blocks=0, attempt_block_rules=0),
            plain_orders=0, many_orders=0, attempt_colours=0, coloured_tables=chance.choice([300, 3000, 100_000]),
        )  # fmt: skip
        _, found = dispatch.search(question, Watch(thresholds=by))
        expected = plain.search(replace(question, every=True), Watch())
        assert len(found.layers) == len(expected.layers), seed
        if question.every:
            assert found.layers == expected.layers, seed
    assert {"tracks", "colours"} <= ran


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
