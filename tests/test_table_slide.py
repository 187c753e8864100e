"""Windows on bits: slides into one blank, held against the plain engine on every kind of board."""

import random

import pytest

from puzzlespace.engines import plain, table_slide
from puzzlespace.model import Goal
from puzzlespace.result import Depths, Watch
from toys import eight, grid_edges, links, ring, slide

HEXAGON = links((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (6, 0), (6, 2), (6, 4))
TRIANGLES = links((0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5), (5, 1))
STAR = links((0, 1), (0, 2), (0, 3), (3, 4), (4, 5), (5, 3), (2, 6))


def grid(width, height, start=None, count="step"):
    start = start or [*range(1, width * height), 0]
    return slide(grid_edges(width, height), start, start, count)


BOARDS = {
    "2x2": grid(2, 2),
    "2x3": grid(2, 3),
    "2x4": grid(2, 4),
    "3x3": grid(3, 3),
    "3x3 from the middle": eight(),
    "3x3 two colours": grid(3, 3, [0, 1, 1, 2, 1, 2, 2, 1, 2]),
    "3x3 three colours": grid(3, 3, [1, 1, 1, 2, 0, 2, 3, 3, 3]),
    "4x3 two colours": grid(4, 3, [1] * 5 + [2] * 6 + [0]),
    "3x4 pairs": grid(3, 4, [1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 0]),
    "2x4 one pair": grid(2, 4, [1, 1, 2, 3, 4, 5, 6, 0]),
    "4x4 one odd": grid(4, 4, [2] + [1] * 14 + [0]),
    "5x1 line": grid(5, 1),
    "hexagon with centre": slide(HEXAGON, range(7), range(7)),
    "triangles": slide(TRIANGLES, range(6), range(6)),
    "triangles, alike": slide(TRIANGLES, [0, 1, 1, 2, 2, 2], [0, 1, 1, 2, 2, 2]),
    "star": slide(STAR, range(7), range(7)),
    "two cells": slide(links((0, 1)), [0, 1], [1, 0]),
    "one way": slide([(0, 1, ""), (1, 2, ""), (2, 0, ""), (2, 3, ""), (3, 1, "")], range(4), range(4)),
    "2x4 multi": grid(2, 4, count="multi"),
    "3x3 multi": grid(3, 3, count="multi"),
    "4x3 two colours multi": grid(4, 3, [1] * 5 + [2] * 6 + [0], "multi"),
    "5x1 multi": grid(5, 1, count="multi"),
    "3x3 run": grid(3, 3, count="run"),
    "3x3 two blanks": grid(3, 3, [0, 1, 2, 3, 4, 5, 6, 7, 0]),
    "2x4 three blanks": grid(2, 4, [0, 1, 2, 0, 3, 4, 5, 0]),
    "3x3 two blanks, alike": grid(3, 3, [0, 1, 1, 1, 2, 2, 2, 3, 0]),
    "triangles, two blanks": slide(TRIANGLES, [0, 0, 1, 2, 3, 4], [0, 0, 1, 2, 3, 4]),
    "3x3 two blanks, run": grid(3, 3, [0, 1, 1, 1, 2, 2, 2, 3, 0], "run"),
    "3x3 two blanks, multi": grid(3, 3, [0, 1, 1, 1, 2, 2, 2, 3, 0], "multi"),
    "2x3 two blanks, multi": grid(2, 3, [0, 1, 2, 3, 4, 0], "multi"),
    "ring of one token": ring(7),
}


def both(model, threads=None, **more):
    question = Depths(model, more.pop("sources", (model.start,)), **more)
    plan = table_slide.plan(model)
    assert plan is not None
    return table_slide.depths(plan, question, Watch(), threads), plain.depths(question, Watch())


@pytest.mark.parametrize("model", BOARDS.values(), ids=BOARDS)
def test_the_same_layers_as_the_plain_engine(model):
    any_last = Goal((-1,) * (model.cells - 1) + (1 << model.symbols - 1 | 1,))
    found, expected = both(model, keep=5, collect=(Goal.exactly(model.start[::-1]), any_last))
    assert found.counts == expected.counts
    assert found.deepest == expected.deepest
    assert sorted(found.collected) == sorted(expected.collected)
    assert found.complete


@pytest.mark.parametrize("model", BOARDS.values(), ids=BOARDS)
def test_every_position_has_its_number(model):
    plan = table_slide.plan(model)
    assert plan.unrank(plan.rank(model.start)) == model.start
    numbers = range(plan.positions) if plan.positions < 2000 else random.Random(2026).sample(range(plan.positions), 500)
    assert all(plan.rank(plan.unrank(number)) == number for number in numbers)
    assert len({plan.unrank(number) for number in numbers}) == len(numbers)
