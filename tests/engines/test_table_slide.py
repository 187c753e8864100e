"""Windows on bits: slides into one blank, held against the plain engine on every kind of board."""

import csv
import doctest
import os
import random
import subprocess
import sys
import time
from functools import cache
from itertools import permutations
from math import perm
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from places import DATA, DOCS, SUPPORT
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.engines.table.slide import arrays, counting, numbering, order_numbers, positions
from puzzlespace.engines.table.slide.counting import SLIDE_BLOCK, SLIDE_LISTED, SLIDE_NOTES, SLIDE_THREADS
from puzzlespace.errors import InputError
from puzzlespace.kernels.table.windows import gather
from puzzlespace.kernels.table.windows_orders import Orders
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Watch, watched
from puzzlespace.model.goal import Goal
from puzzlespace.model.metric import Metric
from puzzlespace.model.model import Model
from puzzlespace.model.rule import Rule
from toys import eight, flips, grid_edges, links, pegs, ring, slide, turns

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
    "2x4 run": grid(2, 4, count="run"),
    "2x4 two blanks": grid(2, 4, [0, 1, 2, 3, 4, 5, 6, 0]),
    "2x4 three blanks": grid(2, 4, [0, 1, 2, 0, 3, 4, 5, 0]),
    "3x3 two blanks, alike": grid(3, 3, [0, 1, 1, 1, 2, 2, 2, 3, 0]),
    "triangles, two blanks": slide(TRIANGLES, [0, 0, 1, 2, 3, 4], [0, 0, 1, 2, 3, 4]),
    "3x3 two blanks, run": grid(3, 3, [0, 1, 1, 1, 2, 2, 2, 3, 0], "run"),
    "3x3 two blanks, multi": grid(3, 3, [0, 1, 1, 1, 2, 2, 2, 3, 0], "multi"),
    "2x3 two blanks, multi": grid(2, 3, [0, 1, 2, 3, 4, 0], "multi"),
    "ring of one token": ring(7),
}
LARGE = {
    "3x3": grid(3, 3),
    "3x3 run": grid(3, 3, count="run"),
    "3x3 two blanks": grid(3, 3, [0, 1, 2, 3, 4, 5, 6, 7, 0]),
}


def both(model, threads=None, **more):
    question = Depths(model, more.pop("sources", (model.start,)), **more)
    plan = numbering.plan(model)
    assert plan is not None
    return counting.depths(plan, question, Watch(), threads), plain.depths(question, Watch())


def agree(found, expected):
    assert found.counts == expected.counts
    assert found.deepest == expected.deepest
    assert sorted(found.collected) == sorted(expected.collected)
    assert found.complete


@cache
def twin(name):
    """A question about one of the boards, and the plain engine's answer."""
    model = (BOARDS | LARGE)[name]
    any_last = Goal((-1,) * (model.cells - 1) + (1 << model.symbols - 1 | 1,))
    question = Depths(model, (model.start,), keep=1000, collect=(Goal.exactly(model.start[::-1]), any_last))
    return question, plain.depths(question, Watch())


@pytest.mark.parametrize("name", [*BOARDS, *(pytest.param(name, marks=pytest.mark.long) for name in LARGE)])
def test_the_same_layers_as_the_plain_engine(name):
    model = (BOARDS | LARGE)[name]
    question, expected = twin(name)
    agree(counting.depths(numbering.plan(model), question, Watch()), expected)
    few = Depths(model, question.sources, keep=3)
    assert counting.depths(numbering.plan(model), few, Watch()).deepest == expected.deepest[:3]


@pytest.mark.parametrize("name", BOARDS)
def test_the_same_with_small_blocks_many_threads_and_no_room_for_notes(name):
    small = Thresholds({SLIDE_BLOCK: 1, SLIDE_THREADS: 0, SLIDE_NOTES: 1, SLIDE_LISTED: 2})
    question, expected = twin(name)
    agree(counting.depths(numbering.plan(BOARDS[name]), question, Watch(thresholds=small), 3), expected)


@pytest.mark.parametrize("model", BOARDS.values(), ids=BOARDS)
def test_every_position_has_its_number(model):
    plan = numbering.plan(model)
    assert plan.unrank(plan.rank(model.start)) == model.start
    numbers = range(len(plan.rows) * plan.orders)
    numbers = numbers if len(numbers) < 2000 else random.Random(2026).sample(numbers, 500)
    assert all(plan.rank(plan.unrank(number)) == number for number in numbers)
    assert len({plan.unrank(number) for number in numbers}) == len(numbers)
    assert plan.bytes > plan.positions / 8


@pytest.mark.parametrize("model", BOARDS.values(), ids=BOARDS)
def test_every_window_moves_every_bit_as_the_rule_moves_the_position(model):
    plan = numbering.plan(model)
    ground = counting.Ground(plan, [model.start], Watch().thresholds[SLIDE_BLOCK])
    ground.build()
    listing = counting.Listing(plan, ground.orders, ground.rows)
    fresh = np.ones(len(ground.shape.kind), bool)
    pick = random.Random(2026)
    for link, row, target, window in pick.sample(ground.arcs, min(30, len(ground.arcs))):
        position = plan.unrank(plan.rows.index(ground.rows[row]) * plan.orders + pick.randrange(plan.orders))
        moved = bytearray(position)
        origin, blank = plan.slides.links[link]
        moved[origin], moved[blank] = moved[blank], moved[origin]
        at, word, bit = listing.place(position)
        assert at == row
        source = np.zeros(plan.words, np.uint64)
        source[word] = 1 << bit
        found = [
            (target, int(ground.shape.start[block]) + place, int(bits).bit_length() - 1)
            for block in range(len(fresh))
            for place, bits in enumerate(_gathered(ground, window, row, block, (source, fresh)))
            if bits
        ]
        assert found == [listing.place(bytes(moved))]


def _gathered(ground, window, row, block, rows):
    size = int(np.diff(ground.shape.start).max())
    work = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
    gather((window, block), ground.rows[row][1], ground.shape, ground.program, rows, work)
    return work[0]


@some.composite
def boards(draw):
    """Connected graphs of up to 7 cells, some links one-way, with like or different pieces and one or two blanks."""
    cells = draw(some.integers(2, 7))
    tree = [(draw(some.integers(0, cell - 1)), cell) for cell in range(1, cells)]
    more = draw(some.lists(some.tuples(some.integers(0, cells - 1), some.integers(0, cells - 1)), max_size=6))
    one_way = [(a, b, "") for a, b in more[:1] if a != b]
    both_ways = links(*{(min(pair), max(pair)) for pair in [*tree, *more[1:]] if pair[0] != pair[1]})
    pieces = draw(some.lists(some.integers(1, 3), min_size=cells - 1, max_size=cells - 1))
    if draw(some.booleans()):
        pieces = list(range(1, cells))
    if cells > 3 and draw(some.booleans()):
        pieces[0] = 0
    start = [0, *pieces]
    return slide(dict.fromkeys([*both_ways, *one_way]), start, start)


@given(boards())
@settings(max_examples=60, deadline=None)
def test_the_same_on_any_graph(model):
    agree(*both(model, keep=50))


@given(boards(), some.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_many_positions_are_ranked_and_found_by_goals_as_single_ones(model, chance):
    plan = numbering.plan(model)
    if plan is None:
        return
    every = sorted(map(bytes, set(permutations(model.start))))
    fits = [position for position in every if plan.slides.fits(position)]
    assert arrays.fitting(plan.slides, [*every, bytes(model.cells), b""]) == fits
    rows = sorted({plan.row(position) for position in chance.sample(fits, min(3, len(fits)))})
    numbers = {row: number for number, row in enumerate(rows)}
    orders = Orders(plan.counts, plan.halved, plan.tail)
    bit = positions.bit_index(plan, orders, numbers)
    expected = [bit(position) if plan.row(position) in numbers else -1 for position in fits]
    symbols = np.frombuffer(b"".join(fits), np.uint8).reshape(len(fits), -1)
    assert arrays.BoardRanks(plan, orders, numbers).bits(symbols).tolist() == expected
    assert arrays.rows_of(plan, fits) == {plan.row(position) for position in fits}
    need = tuple(chance.choice((-1, chance.getrandbits(model.symbols))) for _ in range(model.cells))
    goal = Goal(need, ((chance.randrange(model.symbols), chance.randint(0, 2)),) if chance.random() < 0.3 else ())
    with mock.patch.object(arrays, "AT_ONCE", chance.choice((1, 3, 1 << 13))):
        met = [row.tobytes() for rows in arrays.meeting(plan, goal) for row in rows]
    assert sorted(met) == [position for position in fits if goal.holds(position)]


def test_a_goal_of_many_positions_stops_at_the_limit_of_time():
    model = grid(4, 3)
    asked = Depths(model, (model.start,), collect=(Goal((-1,) * 12),))
    began = time.process_time()
    with watched(Limits(seconds=0.2)) as watch:
        found = counting.depths(numbering.plan(model), asked, watch)
    assert found.stopped.kind == "seconds"
    assert time.process_time() - began < 3


def test_sources_of_both_colours_and_parities():
    model = grid(2, 3)
    odd = bytes([2, 1, 3, 4, 5, 0])
    for sources in [(model.start, bytes([1, 2, 3, 4, 0, 5])), (model.start, odd), (odd, model.start, model.start)]:
        agree(*both(model, sources=sources))


def test_a_goal_with_symbols_counted_is_collected():
    model = grid(2, 3, [1, 1, 2, 2, 2, 0])
    everything = (Goal((-1,) * 6, ((1, 2),)), Goal((-1,) * 6, ((1, 3),)))
    found, expected = both(model, collect=everything)
    agree(found, expected)
    assert len(found.collected) == sum(found.counts)


def test_the_known_counts_of_tiles():
    known = {}
    with (DATA / "tiles_depths.csv").open() as file:
        for row in csv.DictReader(file):
            if row["blank_in_goal"] == "corner":
                known.setdefault((row["board_rows_x_cols"], row["metric"]), []).append(int(row["positions"]))
    for board, metric, size in [
        ("2x5", "single", (2, 5)), ("2x5", "multi", (5, 2)), ("3x3", "multi", (3, 3)),
        ("3x4", "single", (4, 3)), ("3x4", "single", (3, 4)), ("2x6", "single", (6, 2)),
    ]:  # fmt: skip
        model = grid(*size, count="multi" if metric == "multi" else "step")
        layers = counting.depths(numbering.plan(model), Depths(model, (model.start,)), Watch())
        assert list(layers.counts) == known[board, metric], (board, metric)
        assert len(layers.deepest) == min(20, layers.counts[-1])


def test_two_colours_on_four_by_four():
    model = grid(4, 4, [1] * 7 + [2] * 8 + [0])
    layers = counting.depths(numbering.plan(model), Depths(model, (model.start,)), Watch())
    assert sum(layers.counts) == numbering.plan(model).positions == 102_960


def test_models_that_are_no_slides_of_single_pieces():
    everything = [flips(2, 2), pegs([(0, 1, 2)], [1, 1, 0]), turns(4, [(1, 0, 2, 3)])]
    everything.append(Model(2, 2, (), start=bytes(2)))
    model = grid(2, 3)
    everything.append(Model(6, 6, model.rules))
    swap = Rule("swap", (0, 1), (-1, -1), (1, 0), (None, None))
    everything.append(Model(6, 6, (*model.rules, swap), start=model.start))
    in_circles = Metric("odd", tuple((number,) for number in range(len(model.rules))))
    assert numbering.plan(Model(6, 6, model.rules, in_circles, model.start)) is not None
    everything.append(grid(3, 3, [0, 1, 1, 1, 2, 2, 2, 3, 0], "piece"))
    everything.append(slide(links((0, 1), (2, 3)), [0, 1, 0, 2], [0, 1, 0, 2]))
    everything.append(grid(6, 3, [1] + [0] * 8 + [2] * 9))
    everything.append(grid(12, 1))
    everything.append(slide(links(*((n, (n + 1) % 12) for n in range(12))), range(12), range(12)))
    everything.append(slide(grid_edges(3, 4) + links((11, 12)), range(13), range(13)))
    rules = tuple(r for r in model.rules if r.cells != (0, 1))
    fussy = Rule("fussy", (0, 1), (0b111110, 1), (1, 0), (None, None))
    assert numbering.plan(Model(6, 6, (*rules, fussy), start=model.start)) is not None
    fussy = Rule("fussy", (0, 1), (0b11110, 1), (1, 0), (None, None))
    everything.append(Model(6, 6, (*rules, fussy), start=model.start))
    assert [numbering.plan(each) for each in everything] == [None] * len(everything)


def test_walls_stand_still_and_are_no_part_of_the_number():
    model = grid(3, 3)
    walled = tuple(
        Rule(r.name, r.cells, tuple(need & ~0b10000 if need != 1 else 1 for need in r.need), r.source, r.table)
        for r in model.rules
    )
    model = Model(9, 9, walled, start=bytes([1, 2, 3, 8, 4, 5, 6, 7, 0]))
    plan = numbering.plan(model)
    assert plan.positions == 8 * 2520
    assert 4 not in plan.order
    agree(*both(model, keep=50))
    with pytest.raises(InputError, match="expected the pieces"):
        both(model, sources=(bytes([1, 2, 3, 4, 8, 5, 6, 7, 0]),))


def test_numbers_and_positions_out_of_reach_are_errors():
    plan = numbering.plan(grid(2, 3))
    with pytest.raises(InputError, match="expected one with the pieces"):
        plan.rank(bytes([2, 1, 3, 4, 5, 0]))
    with pytest.raises(InputError, match="below 360"):
        plan.unrank(360)


def test_limits_stop_between_layers():
    model = grid(3, 3)
    question = Depths(model, (model.start,), collect=(Goal.exactly(bytes([0, *range(1, 9)])),))
    found = counting.depths(numbering.plan(model), question, Watch(Limits(positions=1000)))
    whole = plain.depths(question, Watch())
    assert not found.complete
    assert found.stopped.kind == "positions"
    assert found.counts == whole.counts[: len(found.counts)]
    assert sum(found.counts) > 1000
    refused = counting.depths(numbering.plan(model), question, Watch(Limits(memory=1)))
    assert refused.counts == ()
    assert refused.stopped.kind == "memory"


def test_an_interruption_passes():
    small = Thresholds({SLIDE_BLOCK: 1, SLIDE_THREADS: 0})
    model = grid(3, 3)

    def interrupt(progress):
        if progress.layer == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counting.depths(
            numbering.plan(model), Depths(model, (model.start,)), Watch(report=interrupt, thresholds=small), 2
        )


def rotated(row, first, last, left):
    window = row[first:last]
    window = window[1:] + window[:1] if left else window[-1:] + window[:-1]
    return row[:first] + window + row[last:]


@pytest.mark.parametrize("pieces", [(0, 1, 2, 3, 4, 5), (0, 0, 1, 1, 1, 2), (0, 1, 1, 2, 3, 3)])
def test_rotated_digits_are_the_digits_of_the_rotated_order(pieces):
    counts = tuple(pieces.count(kind) for kind in sorted(set(pieces)))
    tree = Orders(counts, False, 0)
    rows = sorted(set(permutations(pieces)))
    digits, states = tree.spell(tree.root, 6)
    assert tree.number(digits, states, range(6)).tolist() == list(range(len(rows)))
    for first in range(6):
        for last in range(first + 1, 7):
            for left in (True, False):
                found = tree.number(*tree.rotated(digits, states, range(first, last), left), range(6))
                assert [rows[n] for n in found] == [rotated(row, first, last, left) for row in rows]


UNCOMPILED = """
import sys
sys.path[:0] = [{tests!r}, {support!r}]
import test_table_slide as t
from numba import config
assert config.DISABLE_JIT
for name in ("2x4", "3x3 two colours", "2x4 one pair", "triangles", "2x3 two blanks, multi", "one way"):
    t.agree(*t.both(t.BOARDS[name], 2))
print("agreed")
"""


def test_the_same_with_the_compiler_switched_off():
    code = UNCOMPILED.format(tests=str(Path(__file__).parent), support=str(SUPPORT))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "error::RuntimeWarning"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "agreed\n", done.stderr


def test_the_examples_run():
    page = DOCS / "methods" / "windows.md"
    for found in (doctest.testmod(order_numbers), doctest.testfile(str(page), module_relative=False)):
        assert found.attempted > 3
        assert found.failed == 0


def test_beginnings_of_many_pieces_are_counted_fast():
    assert order_numbers.beginnings((1022, 1), 958) == 959
    assert order_numbers.beginnings((1,) * 300, 250) == perm(300, 250)
