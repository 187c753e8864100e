"""Depth tables of every kind, held against the plain engine on small puzzles and against known counts on large ones."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest

import random_models
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain, table
from puzzlespace.engines.table import digits, frames, one_bit, products, toggles, unranked, words
from puzzlespace.engines.table.alternating import alternating
from puzzlespace.engines.table.classes import LEAST_SLAB
from puzzlespace.engines.table.factor_tables import AllOrders, Coordinate
from puzzlespace.engines.table.one_bit import LISTED_WORDS, TWO_BITS
from puzzlespace.engines.table.order_turns import OrderTables, block, orders_of
from puzzlespace.engines.table.products import MOST_VALUES
from puzzlespace.engines.table.words import LEAST_PIECES, SINGLE_BITS
from puzzlespace.errors import InputError, LimitError
from puzzlespace.limits import memory
from puzzlespace.limits.memory import words_in_file
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Limits, Watch, watched
from puzzlespace.model.custom import Custom
from puzzlespace.model.goal import Goal
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule
from tiny import TINY
from toys import eight, grid_edges, ring, slide

KINDS = {
    "xor": toggles, "product": products, "frame": frames, "words": words, "rank": unranked,
    "digits": digits,
}  # fmt: skip


ONE_BIT = Thresholds({TWO_BITS: -1})
"""With it no table has two sets of bits in memory."""

FEW = USUAL | {LEAST_PIECES: 0}
"""Sizes with which seven pieces have a table by words."""


def model_of(spec, metric="step"):
    model = load(spec).model(metric)
    return model if model.start is not None else replace(model, start=model.goals[0].position)


def one_way(width):
    """Different pieces in a row, shifted one way or the first two exchanged."""
    shift, swap = [(c + 1) % width for c in range(width)], [1, 0, *range(2, width)]
    cells = tuple(range(width))
    rules = (
        Rule("shift", cells, (ANY,) * width, tuple(shift), (None,) * width),
        Rule("swap", cells[:2], (ANY,) * 2, tuple(swap[:2]), (None,) * 2),
    )
    return Model(width, width, rules, start=bytes(cells))


TWO_BLANKS = slide(grid_edges(3, 3), (0, 0, 1, 1, 2, 2, 3, 3, 3), (0, 0, 1, 1, 2, 2, 3, 3, 3))
PAIRS = slide(grid_edges(4, 3), (0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2), (0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2))

CASES = {
    "lights 3x2": ("xor", model_of("lights:3x2")),
    "lights 4x4": ("xor", model_of("lights:4x4")),
    "burnt": ("product", model_of("burnt:5")),
    "flips 4x4": ("product", model_of("flip:4x4")),
    "flips 5x4": ("product", model_of("flip:5x4")),
    "8-puzzle": ("frame", eight((0, 1, 2, 3, 4, 5, 6, 7, 8))),
    "two blanks": ("frame", TWO_BLANKS),
    "two colours": ("frame", PAIRS),
    "lrx as frames": ("frame", model_of("lrx:7")),
    "topspin as frames": ("frame", model_of("topspin:7,4")),
    "more pancakes by words": ("words", model_of("pancake:8")),
    "lrx by words": ("words", model_of("lrx:7")),
    "topspin by words": ("words", model_of("topspin:8,4")),
    "pancakes by words": ("words", model_of("pancake:7")),
    "half the orders by words": ("words", model_of("topspin:7,4")),
    "one way by words": ("words", one_way(7)),
    "hanoi, 3 pegs": ("digits", model_of("hanoi:3,8")),
    "hanoi, 4 pegs": ("digits", model_of("hanoi:4,6")),
    "hanoi, 5 pegs": ("digits", model_of("hanoi:5,6")),
    "token": ("rank", ring(7)),
    "hanoi": ("rank", model_of("hanoi:4,4")),
    "hexagram": ("rank", model_of("hexagram")),
    "no-off": ("rank", model_of("no-off-a")),
    "klotski": ("rank", model_of("klotski")),
    "ranked pancakes": ("rank", model_of("pancake:6")),
    "ranked burnt": ("rank", model_of("burnt:4")),
    "ranked flips": ("rank", model_of("flip:4x3")),
    "ranked lights": ("rank", model_of("lights:3x3")),
    "ranked tiles": ("rank", slide(grid_edges(3, 2), (0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 4, 5))),
    "ranked, one way": ("rank", one_way(6)),
}


def asked(model):
    """A question with everything: the seven deepest, and all positions with the greatest symbol twice or in front."""
    most = model.symbols - 1
    goals = (Goal((1 << most, *(ANY,) * (model.cells - 1))), Goal((ANY,) * model.cells, ((most, 2),)))
    return Depths(model, (model.start,), keep=7, collect=goals)


def same(found, expected):
    """Whether two answers agree in all that does not depend on how they were found."""
    assert found.counts == expected.counts
    assert found.deepest == expected.deepest
    assert sorted(found.collected) == sorted(expected.collected)
    assert (found.complete, found.exact, found.stopped) == (True, True, None)
    return True


@pytest.mark.parametrize("name", CASES)
def test_every_kind_counts_as_the_plain_engine_does(name):
    kind, model = CASES[name]
    plan = KINDS[kind].plan(model, FEW)
    assert plan is not None
    expected = plain.depths(asked(model), Watch())
    for threads in (1, 2, 3):
        for by in (USUAL, ONE_BIT):
            assert same(KINDS[kind].depths(plan, asked(model), Watch(thresholds=by), threads), expected)
    assert plan.positions >= sum(expected.counts)
    assert plan.bytes > 0


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name][0] in ("xor", "product", "words")])
def test_many_positions_are_ranked_as_single_ones(name):
    kind, model = CASES[name]
    plan, chance = KINDS[kind].plan(model, FEW), random.Random(name)
    held = [plan.unrank(chance.randrange(plan.positions)) for _ in range(200)]
    mixed = [bytes(chance.sample(position, len(position))) for position in held]
    changed = [bytes([chance.randrange(model.symbols), *position[1:]]) for position in held]
    rows = np.frombuffer(b"".join(every := [*held, *mixed, *changed]), np.uint8).reshape(len(every), -1)

    def rank(position):
        try:
            return plan.rank(position)
        except InputError:
            return -1

    assert plan.ranks(rows).tolist() == list(map(rank, every))
    fields = []

    def noted(make, *_):
        fields.append(make())

    with mock.patch.object(KINDS[kind], "count_layers", noted):
        KINDS[kind].depths(plan, asked(model), Watch(), 1)
    places = fields[0].places(rows[:200])
    assert places.tolist() == list(map(fields[0].bit, held))


@pytest.mark.parametrize("seed", range(24))
def test_random_permutations_are_counted_by_words_as_by_ranks(seed):
    model = random_models.permuted(random.Random(seed), 7 + seed % 2)
    plan, other = words.plan(model, TINY), unranked.plan(model)
    if plan is not None:
        assert other is not None
        expected = unranked.depths(other, asked(model), Watch(), 1)
        for single in (0, 1, 1 << 60):
            for by in (USUAL, ONE_BIT):
                watch = Watch(thresholds=by | {SINGLE_BITS: single})
                assert same(words.depths(plan, asked(model), watch, 1 + seed % 3), expected)


def odd(moves):
    """Whether all of these orders are odd permutations."""
    return all(sum(a > b for a, b in itertools.combinations(move, 2)) % 2 for move in moves)


@pytest.mark.parametrize("seed", range(12))
def test_layers_of_odd_moves_alternate_and_take_one_bit(seed):
    chance = random.Random(seed)
    while True:
        model = random_models.permuted(chance, 7 + seed % 2)
        model = replace(model, rules=tuple(rule for rule in model.rules if odd([rule.source])))
        plan = words.plan(model, TINY)
        if plan is not None:
            break
    expected = plain.depths(Depths(model, (model.start,)), Watch())
    again = [each for each in expected.deepest if odd([each]) == odd([model.start])]
    sources = (model.start, *again[: seed % 3])
    goals = tuple(map(Goal.exactly, [model.start, *expected.deepest[:3], bytes(model.cells)]))
    question = Depths(model, sources, keep=7, collect=goals)
    assert alternating(plan.alternates, question) is not None
    for few in (0, 1, 1 << 13, 1 << 60):
        by = USUAL | {LISTED_WORDS: few}
        with mock.patch.object(one_bit, "OneBitCount", None), mock.patch.object(one_bit, "TableCount", None):
            found = words.depths(plan, question, Watch(thresholds=by), 1 + seed % 3)
        assert same(found, plain.depths(question, Watch()))


def test_half_of_the_orders_of_a_tail_are_odd():
    digits = [(tail % 2, tail // 2 % 3, tail // 6 % 4, tail // 24) for tail in range(120)]
    bits = sum(1 << tail for tail, each in enumerate(digits) if sum(each) % 2)
    assert bits == int(words.ODD[0]) | int(words.ODD[1]) << 64


@pytest.mark.parametrize("name", ["lrx by words", "more pancakes by words", "half the orders by words"])
def test_layers_alternate_only_if_all_moves_are_odd_and_no_layer_is_asked_for(name):
    _, model = CASES[name]
    plan = words.plan(model, TINY)
    rules = {rule.source for rule in model.rules}
    assert (plan.alternates is not None) == odd(rules)
    eight = model_of("lrx:8")
    plan = words.plan(eight, TINY)
    swapped = bytes([1, 0, *range(2, 8)])
    assert alternating(plan.alternates, Depths(eight, (eight.start,))) is not None
    assert alternating(plan.alternates, Depths(eight, (eight.start, swapped))) is None
    assert alternating(plan.alternates, asked(eight)) is None


@pytest.mark.parametrize("seed", range(3))
def test_random_permutations_of_nine_cells_are_counted_by_words_as_by_ranks(seed):
    chance = random.Random(seed)
    drawn = (random_models.permuted(chance, 9) for _ in range(100))
    model = next(each for each in drawn if words.plan(each) is not None)
    plan, other = words.plan(model), unranked.plan(model)
    expected = unranked.depths(other, asked(model), Watch(), 2)
    for by in (USUAL, ONE_BIT):
        assert same(words.depths(plan, asked(model), Watch(thresholds=by), 2), expected)


@pytest.mark.parametrize("seed", range(3))
def test_many_random_permutations_are_counted_by_words_as_by_ranks(seed):
    model = random_models.permuted(random.Random(seed), 7, 60)
    plan, other = words.plan(model, TINY), unranked.plan(model)
    assert len(plan.moves) > 40
    for by in (USUAL, ONE_BIT):
        found = words.depths(plan, asked(model), Watch(thresholds=by), 2)
        assert same(found, unranked.depths(other, asked(model), Watch(), 1))


@pytest.mark.parametrize("cells", [7, 9, 11, 14])
def test_a_move_leads_each_head_to_one_head_and_turns_its_bits(cells):
    chance = random.Random(cells)
    moves = tuple(tuple(chance.sample(range(cells), cells)) for _ in range(5))
    plan = words.WordPlan(bytes(range(cells)), tuple(range(cells)), moves)
    arranged, (heads, turns, within, _) = words.WordField(plan, 1).arranged
    for number in chance.sample(range(plan.positions), 200):
        position = plan.unrank(number)
        here = plan.bit(position)
        left = sum(1 << position.index(piece) for piece in range(words.FIRST))
        for index, move in enumerate(moves):
            back = plan.bit(bytes(position[move.index(cell)] for cell in range(cells)))
            entry = int(heads[arranged[index, left], (here >> 7) % words.HEADS])
            assert (back >> 7) % words.HEADS == entry & 63
            chunk, bit = divmod(here & 127, 24)
            before, way = turns[entry >> 6, chunk]
            assert (back & 127) // 24 == before
            byte, shift = divmod((back & 127) % 24, 8)
            assert within[way, byte, 1 << shift] == 1 << bit


@pytest.mark.parametrize("name", CASES)
def test_numbers_of_a_plan_go_there_and_back(name):
    kind, model = CASES[name]
    plan = KINDS[kind].plan(model, FEW)
    assert plan is not None
    step = 1 + plan.positions // 200
    numbers = range(0, plan.positions, step)
    assert [plan.rank(plan.unrank(number)) for number in numbers] == list(numbers)
    assert plan.unrank(plan.rank(model.start)) == model.start
    if kind not in ("xor", "digits", "rank"):
        with pytest.raises(InputError):
            plan.rank(bytes([model.symbols - 1] * (model.cells - 1) + [0]))


def test_numbers_beyond_a_word_go_there_and_back():
    """A hundred lamps, each with a move of its own, are a hundred coordinates."""
    moves = [Rule(str(cell), (cell,), (ANY,), (0,), ((1, 0),)) for cell in range(100)]
    plan = products.plan(Model(100, 2, tuple(moves), start=bytes(100)))
    assert plan is not None
    assert plan.positions == 1 << 100
    for position in (bytes([1] * 100), bytes([0, 1] * 50)):
        assert plan.unrank(plan.rank(position)) == position


@pytest.mark.parametrize("spec", ["burnt:4", "flip:3x3"])
def test_coordinates_follow_the_moves(spec):
    model = load(spec).model()
    ranking, found = products.coordinates(model, FEW)
    assert ranking.merged is None
    layer = seen = {model.anchor}
    while layer:
        layer = {rule.apply(position) for position in layer for rule in model.rules} - seen
        seen = seen | layer
    for each in found:
        assert sorted(each.keys) == list(each.keys)
        assert {each.value(position) for position in seen} == set(range(each.size))
        for number, rule in enumerate(model.rules):
            led = [each.after[number, each.value(position)] for position in sorted(seen)]
            assert led == [each.value(rule.apply(position)) for position in sorted(seen)]


def test_too_many_orders_to_list_are_ranked():
    model = model_of("burnt:5")
    plan = products.plan(model, FEW | {MOST_VALUES: 2 ** len(model.start)})
    assert [type(each) for each in (*plan.rows, *plan.columns)] == [AllOrders, Coordinate]
    listed = products.plan(model, FEW)
    for number in range(0, plan.positions, 7):
        position = plan.unrank(number)
        assert plan.rank(position) == number == plan.ranks(np.frombuffer(position, np.uint8)[None])[0]
        assert listed.rank(position) >= 0
    expected = plain.depths(asked(model), Watch())
    for by in (USUAL, ONE_BIT):
        assert same(products.depths(plan, asked(model), Watch(thresholds=by), 2), expected)
    with pytest.raises(InputError):
        plan.rank(bytes([0, 0, *model.start[2:]]))
    assert products.plan(model, FEW | {MOST_VALUES: 1}) is None


@pytest.mark.parametrize(
    ("spec", "metric", "kind"),
    [
        ("pancake:11", "step", "words"),
        ("lrx:11", "step", "words"),
        ("reversals:11", "step", "words"),
        ("lrx:7", "run", "frame"),
        ("burnt:5", "step", "product"),
        ("cube:2", "run", "product"),
        ("flip:5x5", "step", "product"),
        ("lights:5x5", "step", "xor"),
        ("goat", "step", "frame"),
        ("slide:3x3", "step", "slide"),
        ("klotski", "step", "rank"),
        ("hanoi:4,5", "step", "rank"),
        ("hanoi:4,6", "step", "digits"),
    ],
)
def test_the_kind_that_fits_is_chosen(spec, metric, kind):
    model = load(spec).model(metric)
    chosen = table.choose(model)
    assert chosen is not None
    assert chosen.kind == kind
    assert table.worthwhile(model) == (kind != "rank")
    assert table.refuses(model, "depths") is None


@pytest.mark.parametrize("seed", range(60))
def test_random_puzzles_that_change_one_digit_at_a_time_are_counted_as_the_plain_engine_does(seed):
    model = random_models.digits(random.Random(seed))
    plan = digits.plan(model, TINY)
    assert plan is not None
    expected = plain.depths(asked(model), Watch())
    assert plan.positions == sum(expected.counts)
    for by in (USUAL, ONE_BIT):
        assert same(digits.depths(plan, asked(model), Watch(thresholds=by), 1), expected)


NARROW = TINY | {LEAST_SLAB: 1}


@pytest.mark.parametrize("seed", range(16))
def test_positions_that_stand_for_their_images_are_counted_as_all_of_them(seed):
    chance, narrowed = random.Random(seed), 0
    while narrowed < 3:
        model, images = random_models.alike(chance)
        plan = digits.plan(model, TINY)
        if plan is None:
            continue
        for sources in ((model.start,), tuple(images)):
            goals = tuple(Goal.exactly(plan.unrank(chance.randrange(plan.positions))) for _ in range(3))
            question = Depths(model, sources, keep=chance.choice([0, 7]), collect=(*goals, Goal.exactly(model.start)))
            narrow = plan.narrowed(question, NARROW | {LEAST_SLAB: chance.choice([1, 2, 5, 20])})
            narrowed += narrow.classes is not None
            found = digits.depths(narrow, question, Watch(), 1 + seed % 3)
            assert same(found, plain.depths(question, Watch()))


@pytest.mark.parametrize(("spec", "ways"), [("hanoi:3,8", 2), ("hanoi:4,7", 6), ("hanoi:5,5", 24)])
def test_empty_pegs_are_exchanged(spec, ways):
    model = model_of(spec)
    plan = digits.plan(model, TINY)
    question = Depths(model, (model.start,), keep=30)
    narrow = plan.narrowed(question, NARROW)
    assert len(narrow.classes.values) == ways
    assert sum(images * (last - first) for images, first, last in narrow.classes.kept()) == plan.words
    assert plan.words / ways <= narrow.kept_words < plan.words
    assert same(digits.depths(narrow, question, Watch(), 2), plain.depths(question, Watch()))
    assert same(table.depths(question, Watch(thresholds=USUAL | {LEAST_SLAB: 1})), plain.depths(question, Watch()))
    fewer = plan.narrowed(replace(question, sources=(plan.unrank(5),)), NARROW).classes
    assert (1 if fewer is None else len(fewer.values)) < ways
    assert plan.narrowed(asked(model), NARROW).classes is None


def test_digits_are_refused_if_a_rule_changes_two_cells_or_cells_need_each_other():
    two = Rule.put("two", (0, 1), (0, 0), (1, 1), 2)
    first, second = Rule.put("a", (0, 1), (0, 0), (1, 0), 2), Rule.put("b", (1, 0), (0, 0), (1, 0), 2)
    back = [Rule.put("c", (0,), (1,), (0,), 2), Rule.put("d", (1,), (1,), (0,), 2)]
    for rules in ((two,), (first, second, *back), (first, second)):
        assert digits.plan(Model(2, 2, rules, start=bytes(2)), TINY) is None


@pytest.mark.parametrize("metric", ["step", "run"])
def test_powers_of_a_listed_move_are_moves_where_runs_count(metric):
    model = model_of("lrx:6", metric)
    assert same(table.depths(asked(model), Watch()), plain.depths(asked(model), Watch()))


def test_a_metric_that_joins_different_rules_is_refused():
    model = load("klotski").model("piece")
    assert "no numbering" in (table.refuses(model, "depths") or "")


def test_what_it_cannot_answer_is_refused_with_the_reason():
    model = eight()
    assert "depths only" in (table.refuses(model, "search") or "")
    custom = Custom(moves=lambda n: [n + 1], start=0, goal=3)
    assert "Python functions" in (table.refuses(custom, "depths") or "")
    assert "no numbering" in (table.refuses(replace(model, start=None, goals=()), "depths") or "")


@pytest.mark.parametrize("name", ["pancakes by words", "flips 4x4", "lights 4x4", "two blanks", "klotski"])
def test_several_sources_are_one_first_layer(name):
    _, model = CASES[name]
    far = plain.depths(Depths(model, (model.start,)), Watch()).deepest
    question = Depths(model, (model.start, *far[:2]), keep=5)
    assert same(table.depths(question, Watch()), plain.depths(question, Watch()))


def test_sources_of_different_content_are_counted_apart_and_put_together():
    model = eight((0, 1, 2, 3, 4, 5, 6, 7, 8))
    other = bytes((0, 2, 1, 3, 4, 5, 6, 7, 8))
    fewer = bytes((0, 1, 1, 1, 1, 1, 1, 1, 1))
    question = replace(asked(model), sources=(model.start, other, fewer))
    assert same(table.depths(question, Watch()), plain.depths(question, Watch()))


@pytest.mark.parametrize("most", [1, 10, 30, 45])
def test_counts_of_several_components_that_a_limit_stops_are_those_of_whole_layers(most):
    model = model_of("topspin:5,4")
    sources = (model.start, bytes((0, 0, 0, 0, 1)), bytes((0, 0, 0, 1, 1)))
    question = Depths(model, sources, keep=10)
    found = table.depths(question, Watch(Limits(positions=most)))
    whole = plain.depths(question, Watch())
    assert found.stopped is not None
    assert not found.complete
    assert found.counts == whole.counts[: len(found.counts)]


def test_flips_from_dark_and_light_fall_into_different_parts():
    model = model_of("flip:3x3")
    question = replace(asked(model), sources=(model.start, bytes([1, 0, 0, 0, 0, 0, 0, 0, 0])))
    assert same(table.depths(question, Watch()), plain.depths(question, Watch()))


@pytest.mark.parametrize("name", ["pancakes by words", "flips 4x4", "lights 4x4", "two blanks", "klotski"])
def test_a_limit_of_memory_refuses_before_anything_is_taken(name, monkeypatch):
    kind, model = CASES[name]
    for module in (memory, one_bit):
        monkeypatch.setattr(module, "disk_room", lambda: 0)
    found = KINDS[kind].depths(KINDS[kind].plan(model, FEW), asked(model), Watch(Limits(memory=1000)))
    assert found.counts == ()
    assert not found.complete
    assert found.stopped is not None
    assert (found.stopped.kind, found.stopped.exit_code) == ("memory", 21)


@pytest.mark.parametrize("name", ["pancakes by words", "flips 4x4", "lights 4x4", "two blanks", "klotski"])
def test_bits_that_do_not_fit_the_memory_live_in_a_file(name, monkeypatch):
    kind, model = CASES[name]
    made = []
    monkeypatch.setattr(one_bit, "fits", lambda watch, whole, bits, positions=0: not 0 < bits <= whole)
    monkeypatch.setattr(one_bit, "words_in_file", lambda *shape: made.append(shape) or words_in_file(*shape))
    question = asked(model)
    assert same(KINDS[kind].depths(KINDS[kind].plan(model, FEW), question, Watch()), plain.depths(question, Watch()))
    assert len(made) == 2


@pytest.mark.parametrize("name", ["pancakes by words", "flips 5x4", "two blanks", "klotski"])
def test_a_limit_of_positions_keeps_the_whole_layers(name):
    kind, model = CASES[name]
    expected = plain.depths(asked(model), Watch())
    found = KINDS[kind].depths(KINDS[kind].plan(model, FEW), asked(model), Watch(Limits(positions=500)))
    assert 0 < len(found.counts) < len(expected.counts)
    assert found.counts == expected.counts[: len(found.counts)]
    assert found.stopped is not None
    assert (found.stopped.kind, found.stopped.bound) == ("positions", len(found.counts))


def test_an_interruption_comes_through():
    def interrupted(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        table.depths(asked(model_of("pancake:7")), Watch(report=interrupted))


def test_layers_are_reported_as_they_are_done():
    reports = []
    found = table.depths(asked(model_of("pancake:7")), Watch(report=reports.append))
    assert [report.size for report in reports] == list(found.counts)
    assert reports[-1].found == 5040
    assert found.generated > 5040


def test_a_limit_between_parts_is_passed_on():
    model = model_of("flip:3x3")
    sources = (model.start, bytes([1, *[0] * 8]), bytes([0, 1, *[0] * 7]))
    found = table.depths(Depths(model, sources), Watch(Limits(positions=1200)))
    assert found.stopped is not None
    assert isinstance(found.stopped, LimitError)
    assert not found.complete


KNOWN = [
    ("cube:2", "run", (1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644)),
    ("cube:2", "step", (1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276)),
    ("pancake:10", "step", (1, 9, 72, 575, 3963, 22825, 106461, 377863, 919365, 1309756, 814678, 73232)),
    ("burnt:7", "step", (1, 7, 42, 252, 1386, 6230, 24024, 71568, 159326, 222995, 136301, 21951, 1021, 15, 1)),
    (
        "lights:5x5",
        "step",
        (
            1,
            25,
            300,
            2300,
            12650,
            53130,
            176176,
            467104,
            982335,
            1596279,
            1935294,
            1684446,
            1004934,
            383670,
            82614,
            7350,
        ),
    ),
    (
        "topspin:8,4",
        "step",
        (
            1,
            3,
            6,
            12,
            23,
            44,
            85,
            148,
            244,
            389,
            621,
            996,
            1584,
            2484,
            3764,
            5452,
            6968,
            7138,
            6292,
            3036,
            848,
            166,
            16,
        ),
    ),
]


@pytest.mark.parametrize(("spec", "metric", "counts"), KNOWN, ids=[f"{spec} {metric}" for spec, metric, _ in KNOWN])
def test_published_counts_come_out(spec, metric, counts):
    model = model_of(spec, metric)
    assert table.depths(Depths(model, (model.start,)), Watch()).counts == counts


@pytest.mark.parametrize(
    ("spec", "positions", "depth", "hardest"),
    [("flip:5x5", 663552, 13, 4608), ("flip:6x6", 10077696, 12, 96), ("lrx:10", 3628800, 45, 1)],
)
def test_known_depths_come_out(spec, positions, depth, hardest):
    model = model_of(spec)
    found = table.depths(Depths(model, (model.start,)), Watch())
    assert (sum(found.counts), len(found.counts) - 1, found.counts[-1]) == (positions, depth, hardest)


def test_goat_to_its_goal():
    model = load("goat").model()
    found = table.depths(Depths(model, (model.goals[0].position,)), Watch())
    assert (sum(found.counts), len(found.counts) - 1, found.counts[-1]) == (5443200, 52, 7)
    assert len(found.deepest) == 7


@pytest.mark.parametrize("kind", [frames, words])
def test_pancakes_of_11_by_frames_and_by_words(kind):
    model = model_of("pancake:11")
    found = kind.depths(kind.plan(model), Depths(model, (model.start,)), Watch())
    assert found.counts == (
        1, 10, 90, 809, 6429, 43891, 252737, 1174766, 4126515, 9981073, 14250471, 9123648, 956354, 6,
    )  # fmt: skip


def test_where_memory_is_short_a_leaner_kind_is_taken():
    chosen = table.choose(model_of("pancake:9"))
    assert chosen is not None
    assert chosen.kind == "words"
    assert chosen.within(None).kind == "words"
    assert chosen.plan.bytes > 60_000
    assert chosen.within(60_000).kind == "words"
    assert chosen.least(60_000) == chosen.plan.words * 8
    assert chosen.within(48_000).kind == "rank"
    assert chosen.within(10).least(10) < 48_000


@pytest.mark.parametrize("least", [1, 4, 7])
@pytest.mark.parametrize("count", range(2, 8))
def test_turns_of_few_items_write_their_own_table_only(count, least):
    chance = random.Random(count)
    for _ in range(5):
        turn = tuple(chance.sample(range(count), count))
        made = OrderTables(tuple(range(count)), least)
        size = orders_of(block(made.items, turn, least))
        room = np.full(size + 50, 999_999, np.uint32)
        made.turned(turn, room[:size])
        assert (room[size:] == 999_999).all()
        slow = OrderTables(made.items, 99)
        expected = np.empty(orders_of(made.items), np.uint32)
        slow.turned(turn, expected)
        assert (room[:size] == expected[:size]).all()


def test_a_choice_that_a_limit_stops_is_made_again_by_the_next_question():
    for looks in range(1, 400, 3):
        table.choose_kind.cache_clear()
        model = model_of("pancake:5")
        model = replace(model, rules=tuple(model.rules))  # nothing is kept with these
        left = iter(range(looks))

        def look(left=left):
            if next(left, None) is None:
                raise LimitError("seconds", "stopped")

        with watched(Limits()) as watch:
            watch.glance = look
            try:
                stopped = table.choose_kind(model, "rank") is None
            except LimitError:
                stopped = True
        assert table.choose_kind(model, "rank") is not None, looks
    assert not stopped


@pytest.mark.parametrize("part", [1, 7, 100])
def test_tables_of_one_parity_are_made_in_parts(part, monkeypatch):
    model = model_of("topspin:7,4")
    monkeypatch.setattr(frames, "PART", part)
    plan = frames.plan(model)
    assert plan.signs is not None
    question = Depths(model, (model.start,), 5)
    found = frames.depths(plan, question, Watch())
    expected = plain.depths(question, Watch())
    assert (found.counts, found.deepest) == (expected.counts, expected.deepest)


def test_fifteen_pieces_have_no_table_by_words():
    assert words.plan(model_of("topspin:14,4")) is not None
    assert words.plan(model_of("topspin:15,4")) is None
