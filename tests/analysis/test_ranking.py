"""Rankings: every number is a position and every position a number, tight where rules allow it, alike in both forms."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import random_models
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.engines.shared.draws import numbered
from puzzlespace.engines.table.rank_program import fits, rank_code
from puzzlespace.errors import InputError, UnsupportedError
from puzzlespace.kernels.table.ranks import rank, unrank_many
from puzzlespace.limits.watch import Watch
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule
from puzzlespace.ranking.counting import counting_table, multinomial, rank_order, unrank_order, unrank_orders
from puzzlespace.ranking.find import find
from puzzlespace.ranking.invariants import relations
from puzzlespace.ranking.reach import orbit_draw, reached
from puzzlespace.structure.permutations import actions, as_rule, block_systems, generators, orbits
from toys import eight, grid_edges, links, ring, slide


def model_of(spec, metric=""):
    return load(spec).model(metric)


def added(cells, sets, modulus):
    """Cells that show numbers modulo `modulus`; each rule adds 1 in a set of cells."""
    up = tuple((s + 1) % modulus for s in range(modulus))
    rules = [
        Rule(f"{n}", tuple(each), (ANY,) * len(each), tuple(range(len(each))), (up,) * len(each))
        for n, each in enumerate(sets)
    ]
    return Model(cells, modulus, tuple(rules), start=bytes(cells))


def carried(*moves, start):
    """Pieces carried along permutations: new[c] = old[move[c]]."""
    width = len(start)
    rules = [Rule(f"{n}", tuple(range(width)), (ANY,) * width, move, (None,) * width) for n, move in enumerate(moves)]
    return Model(width, max(start) + 1, tuple(rules), start=bytes(start))


def reversed_lines(width, height):
    """Different pieces on a grid; each row and column can be reversed."""
    cells = range(width * height)
    lines = [cells[y * width : (y + 1) * width] for y in range(height)] + [cells[x::width] for x in range(width)]
    moves = []
    for line in lines:
        goes = dict(zip(line, reversed(line), strict=True))
        moves.append(tuple(goes.get(cell, cell) for cell in cells))
    return carried(*moves, start=list(cells))


def corners():
    """The 2x2x2 cube by its corners: cells that each show one of three turns of a piece."""
    ranking = find(model_of("cube:2"))
    assert ranking.merged
    return ranking.merged.model


SMALL = {
    "eight": (eight(), 181440),
    "three by two": (slide(grid_edges(3, 2), (0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 4, 5)), 360),
    "two blanks": (slide(grid_edges(3, 2), (0, 0, 1, 1, 2, 3), (0, 0, 1, 1, 2, 3)), 180),
    "triangle and tail": (slide(links((0, 1), (1, 2), (2, 0), (2, 3)), (0, 1, 2, 3), (0, 1, 2, 3)), 24),
    "token": (ring(7), 7),
    "pancakes": (model_of("pancake:6"), 720),
    "burnt": (model_of("burnt:4"), 384),
    "topspin": (model_of("topspin:7,4"), 2520),
    "lights": (model_of("lights:3x2"), 16),
    "lights 4x4": (model_of("lights:4x4"), 4096),
    "flips": (model_of("flip:3x3"), 192),
    "flips 4x3": (model_of("flip:4x3"), 576),
    "sums modulo 3": (added(4, [(0, 1), (1, 2), (2, 3), (3, 0)], 3), 27),
    "sums modulo 3, one invariant": (added(3, [(0, 1, 2), (0, 1, 2), (0, 0 + 1)], 3), 9),
    "hanoi": (model_of("hanoi:3,4"), 81),
    "no-off": (model_of("no-off-a"), 540),
    "hexagram": (model_of("hexagram"), 12012),
    "line": (model_of("line"), 90720),
}


LOOSE = {"triangle and tail": 8}
"""How many positions are reached where more are numbered: three pieces on a triangle only go round."""


@pytest.mark.parametrize("name", SMALL)
def test_all_numbers_are_positions_and_no_more_than_can_be_reached(name):
    model, size = SMALL[name]
    ranking = find(model)
    assert ranking is not None
    assert ranking.size == size
    chosen = range(size) if size < 5000 else [Random(2026).randrange(size) for _ in range(500)]
    positions = [ranking.unrank(number) for number in chosen]
    assert [ranking.rank(position) for position in positions] == list(chosen)
    assert len(set(positions)) == len(set(chosen))
    source = model.start if model.start is not None else model.goals[0].position
    if size < 20_000:
        found = plain.depths(Depths(model, (source,), keep=9), Watch())
        assert sum(found.counts) == LOOSE.get(name, size)
        assert all(ranking.unrank(ranking.rank(position)) == position for position in found.deepest)


LARGE = {
    "slide:4x4": factorial(16) // 2,
    "slide:2x7": factorial(14) // 2,
    "pancake:16": factorial(16),
    "burnt:8": 10321920,
    "cube:2": 3674160,
    "goat": 5443200,
    "lights:5x5": 1 << 23,
    "flip:5x5": 663552,
    "flip:6x6": 6**9,
    "klotski": 65880,
    "topspin:11,4": factorial(11) // 2,
}


@pytest.mark.parametrize("spec", LARGE)
def test_random_positions_of_large_puzzles_go_there_and_back_in_both_forms(spec):
    model = model_of(spec)
    ranking = find(model)
    assert ranking is not None
    assert ranking.size == LARGE[spec]
    random = Random(2026)
    numbers = [0, ranking.size - 1, *(random.randrange(ranking.size) for _ in range(60))]
    positions = [ranking.unrank(number) for number in numbers]
    assert [ranking.rank(position) for position in positions] == numbers
    position = positions[-1]
    for _ in range(60):
        position = random.choice(sorted(model.moves(position)))
        assert ranking.unrank(ranking.rank(position)) == position
    assert compiled(ranking, numbers) == positions


def compiled(ranking, numbers):
    """The positions of some numbers as the kernels see them, ranked back on the way."""
    assert fits(ranking)
    code = rank_code(ranking)
    rows = np.repeat(np.frombuffer(ranking.anchor, np.uint8)[None], len(numbers), axis=0)
    unrank_many(np.array(numbers, np.int64), code, rows)
    scratch = np.zeros(512, np.int64)
    assert [rank(row, code, scratch) for row in rows] == list(numbers)
    rows = ranking.merged.decode_rows(rows) if ranking.merged else rows
    return [row.tobytes() for row in rows]


@pytest.mark.parametrize("name", SMALL)
def test_the_compiled_form_is_the_plain_one(name):
    ranking = find(SMALL[name][0])
    assert ranking is not None
    numbers = range(0, ranking.size, 1 + ranking.size // 300)
    assert compiled(ranking, numbers) == [ranking.unrank(number) for number in numbers]


def test_a_corner_model_has_its_twist_sum_found():
    ranking = find(corners())
    assert ranking is not None
    assert ranking.merged is None
    assert ranking.size == factorial(7) * 3**6
    assert [pivot.relation.modulus for pivot in ranking.pivots] == [3]


def test_a_loose_ranking_still_numbers_all_that_is_reached():
    model = reversed_lines(3, 3)
    ranking = find(model)
    found = plain.depths(Depths(model, (model.start,), keep=100), Watch())
    assert ranking is not None
    assert sum(found.counts) == 96 <= ranking.size
    assert all(ranking.unrank(ranking.rank(position)) == position for position in found.deepest)


@pytest.mark.parametrize(
    ("model", "positions"),
    [
        (reversed_lines(3, 3), 96),
        (reversed_lines(4, 3), 1152),
        (corners(), 3674160),
        (model_of("cube:2"), 3674160),
        (model_of("topspin:11,4"), factorial(11) // 2),
        (model_of("pancake:12"), factorial(12)),
        (model_of("burnt:8"), 10321920),
        (model_of("pancake:2"), 2),
    ],
)
def test_how_many_positions_are_reached_is_known_beforehand_where_all_pieces_differ(model, positions):
    ranking = find(model)
    assert ranking is not None
    assert reached(ranking) == positions <= ranking.size


def test_where_pieces_are_alike_or_rules_ask_for_something_nothing_is_said():
    for model in (eight(), model_of("flip:4x4"), model_of("lights:3x3")):
        ranking = find(model)
        assert ranking is not None
        assert reached(ranking) is None


def test_positions_with_other_content_have_no_number():
    ranking = find(eight((0, 1, 2, 3, 4, 5, 6, 7, 8)))
    assert ranking is not None
    for wrong in ((0, 2, 1, 3, 4, 5, 6, 7, 8), (0, 1, 1, 3, 4, 5, 6, 7, 8)):
        with pytest.raises(InputError, match="expected the pieces and invariants"):
            ranking.rank(bytes(wrong))
    cube = find(model_of("cube:2"))
    assert cube is not None
    assert cube.merged
    solved = cube.unrank(0)
    turned = bytes([*solved[1:], solved[0]])
    with pytest.raises(InputError):
        cube.rank(turned)


def test_without_pieces_there_is_no_ranking():
    model = eight()
    assert find(Model(model.cells, model.symbols, model.rules)) is None


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_orders_are_numbered_by_their_last_places(items):
    number = rank_order(items)
    assert unrank_order(number, items) == items
    assert 0 <= number < multinomial([items.count(item) for item in set(items)])


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9), st.data())
def test_orders_are_unranked_together_as_one_by_one(items, data):
    last = multinomial([items.count(item) for item in set(items)]) - 1
    numbers = data.draw(st.lists(st.integers(0, last), max_size=20))
    found = unrank_orders(np.array(numbers, np.int64), items)
    assert found.tolist() == [unrank_order(number, items) for number in numbers]


def test_numbers_ascend_as_the_reversed_orders_do():
    orders = sorted(set(permutations((0, 0, 1, 2, 2))), key=lambda order: order[::-1])
    assert [rank_order(order) for order in orders] == list(range(len(orders)))


def test_a_counting_table_numbers_blocks_and_pieces():
    """One block of two neighbouring cells, two like pieces and a single one on a row of six cells."""
    covers = [[()] * 6, [(c + 1,) if c < 5 else None for c in range(6)], [()] * 6]
    table = counting_table(6, [2, 1, 2], covers)
    words = [
        word
        for word in product(range(4), repeat=6)
        if word.count(0) == 2 and word.count(1) == 1 and word.count(2) == 2 and word[word.index(1) + 1 :][:1] == (3,)
    ]
    assert table.size == len(words) == 5 * 6
    assert sorted(table.rank(word) for word in words) == list(range(30))
    assert all(tuple(table.unrank(table.rank(word), 6)) == word for word in words)
    assert table.rank((0, 0, 0, 1, 3, 2)) == -1


def test_a_counting_table_that_grows_too_large_is_given_up():
    with pytest.raises(UnsupportedError, match="counting table"):
        counting_table(40, [2] * 20, [[()] * 40] * 20)


def test_listed_moves_compose_and_have_powers():
    quarter = model_of("cube:2", "step")
    single = generators(quarter)
    powers = generators(model_of("cube:2", "run"))
    assert single is not None
    assert powers is not None
    assert (len(single), len(powers)) == (6, 9)
    assert set(single) < set(powers)
    move = single[0]
    assert move.then(move).then(move).then(move).idle
    once, twice, position = as_rule("once", move), as_rule("twice", move.then(move)), quarter.goals[0].position
    assert twice.apply(position) == once.apply(once.apply(position))
    assert actions(eight()) is None


def test_the_stickers_of_a_corner_are_found_to_move_together():
    moves = actions(model_of("cube:2", "step"))
    assert moves is not None
    moving = max(orbits(moves), key=len)
    systems = block_systems(moves, moving)
    assert [sorted(map(len, system)) for system in systems] == [[3] * 7]
    turning = actions(model_of("pancake:5"))
    assert turning is not None
    assert block_systems(turning, tuple(range(5))) == []


def test_sums_modulo_5_are_found():
    model = added(3, [(0, 1), (1, 2)], 5)
    sums = relations(model, 5)
    assert sums
    for move in range(10):
        child = model.rules[move % 2].apply(bytes([move % 5, 2, 4]))
        assert child is not None
        assert all(each.value(child) == each.value(bytes([move % 5, 2, 4])) for each in sums)


def unconditional(random):
    """A model whose rules move contents and rename symbols, on any position; pieces may be alike."""
    cells, symbols = random.randint(3, 6), random.randint(2, 4)
    rules = []
    for number in range(random.randint(1, 3)):
        touched = random.sample(range(cells), random.randint(2, min(4, cells)))
        sources = random.sample(range(len(touched)), len(touched))
        tables = tuple(tuple(random.sample(range(symbols), symbols)) for _ in touched)
        rules.append(Rule(f"{number}", tuple(touched), (ANY,) * len(touched), tuple(sources), tables))
    return Model(cells, symbols, tuple(rules), start=bytes(random.randrange(symbols) for _ in range(cells)))


def all_reached(model):
    every, layer = {model.start}, {model.start}
    while layer:
        layer = {child for each in layer for child in model.moves(each)} - every
        every |= layer
    return every


@pytest.mark.parametrize("seed", range(40))
def test_draws_from_the_group_are_uniform_over_all_that_can_be_reached(seed):
    """The square of the deviations from equal counts is within six standard deviations of its mean."""
    model = unconditional(Random(seed))
    every = all_reached(model)
    draw, chance, times = orbit_draw(model, model.start, 10), Random(seed), 8 * len(every)
    found = dict.fromkeys(every, 0)
    for _ in range(times):
        found[draw(chance.randrange)] += 1
    assert found.keys() == every
    deviation = sum((number - 8) ** 2 / 8 for number in found.values())
    freedom = len(every) - 1
    assert abs(deviation - freedom) <= 6 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("seed", range(40))
def test_every_combination_of_free_digits_is_reached(seed):
    model = random_models.digits(Random(seed))
    every = all_reached(model)
    found = numbered(model, model.start)
    if len(every) == 1:
        assert found is None
        return
    total, position = found
    assert {position(number) for number in range(total)} == every
    assert total == len(every)


def test_there_is_no_group_of_rules_with_conditions():
    model = load("goat").model()
    assert orbit_draw(model, model.start, 10) is None
