"""The methods of the engine `idastar`: which of them answer a question, and that the board is analysed once for it."""

import random
from dataclasses import replace

import pytest

from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api import dispatch, questions
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import FEW_PLACEMENTS, MANY_PLACEMENTS, SOME_PLACEMENTS, Search
from puzzlespace.engines import deepening, plain
from puzzlespace.engines.blocks import ATTEMPT_BLOCK_RULES, ATTEMPT_BLOCKS
from puzzlespace.engines.deepening import ATTEMPT_COLOURS, methods
from puzzlespace.engines.deepening.methods import ATTEMPT_PLAIN, PLAIN_ORDERS, QUICK_POSITIONS
from puzzlespace.engines.frontier import ATTEMPT_BOTH
from puzzlespace.heuristics.colours import COLOURED_TABLES
from puzzlespace.limits.thresholds import USUAL, Thresholds
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


SOON = Thresholds({PLAIN_ORDERS: 10, ATTEMPT_PLAIN: 0, QUICK_POSITIONS: 0})


@pytest.mark.parametrize(
    ("name", "metric", "heuristic", "by", "used"),
    [
        ("slide:4x4", "", "", USUAL, ["quick lines"]),
        ("slide:4x4", "", "", SOON, ["small patterns"]),
        ("slide:4x4", "", "walking+inversion", SOON, ["lines"]),
        ("eight", "", "", SOON, ["distances"]),
        ("eight", "", "pattern:4-4+walking", SOON, ["patterns"]),
        ("slide:2x4", "multi", "pattern", SOON, ["tracks"]),
        ("hexagram", "multi", "pattern", SOON, ["colours"]),
        ("slide:2x4", "multi", "", USUAL, ["few positions"]),
        ("slide:2x4", "multi", "", SOON, ["moves"]),
        ("slide:2x4", "multi", "", SOON | {MANY_PLACEMENTS: 0}, ["tracks"]),
        ("hexagram", "multi", "", SOON | {MANY_PLACEMENTS: 0}, ["colours"]),
        ("eight", "", "inversion+distance", SOON, ["best first"]),
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
        by = Thresholds(
            {
                FEW_PLACEMENTS: 0,
                SOME_PLACEMENTS: 0,
                ATTEMPT_BOTH: 0,
                ATTEMPT_BLOCKS: 0,
                ATTEMPT_BLOCK_RULES: 0,
                PLAIN_ORDERS: 0,
                MANY_PLACEMENTS: 0,
                ATTEMPT_COLOURS: 0,
                COLOURED_TABLES: chance.choice([300, 3000, 100_000]),
            }
        )
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
