"""Packed positions and rules on words, held against the rules as written."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlespace.engines.packed.arrays import Goals, PackedRules, least, packed_keys, positions_of
from puzzlespace.engines.packed.numpy_layers import children
from puzzlespace.engines.packed.positions import Packing, changed_cells, packed_rules, refusal, stock, width_of
from puzzlespace.engines.packed.records import coded, follower_lists, triggers
from puzzlespace.kernels.packed.numpy_marks import contained, distinct, marks, rows_of
from puzzlespace.limits.watch import Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.model import Model
from puzzlespace.model.rule import Rule
from puzzlespace.structure.whole_moves import compose, joined
from small_models import long_row, small_models
from toys import eight, flips, grid_edges, slide, turns


@pytest.mark.parametrize(("symbols", "width"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (16, 4), (17, 5), (64, 6)])
def test_bits_of_a_symbol(symbols, width):
    assert width_of(symbols) == width


@given(data=st.data())
def test_positions_pack_in_order_and_come_back(data):
    cells, symbols = data.draw(st.sampled_from([(7, 2), (16, 16), (20, 9), (64, 2), (70, 5), (40, 64)]))
    rules = tuple(Rule(str(c), (c, (c + 1) % cells), (-1, -1), (1, 0), (None, None)) for c in range(cells))
    model = Model(cells, symbols, rules)
    position = st.lists(st.integers(0, symbols - 1), min_size=cells, max_size=cells).map(bytes)
    some = data.draw(st.lists(position, min_size=2, max_size=5))
    packing = Packing.of(model, (some[0],))
    keys = packed_keys(packing, some)
    assert [packing.pack(p) for p in some] == [tuple(row) for row in keys.tolist()]
    assert positions_of(packing, keys) == some
    assert positions_of(packing, least(keys, len(some))) == sorted(some)
    assert positions_of(packing, least(keys, 1)) == [min(some)]
    assert rows_of(marks(keys)).tolist() == keys.tolist()
    assert positions_of(packing, rows_of(distinct(marks(keys)))) == sorted(set(some))


def test_cells_that_no_rule_changes_are_left_out():
    rules = (Rule("a", (0, 2), (-1, 1), (0, 1), ((1, 0), None)), Rule("b", (3,), (2,), (0,), ((1, 1),)))
    model = Model(4, 2, rules)
    assert changed_cells(model) == (0,)
    assert changed_cells(model, (bytes(4), bytes([0, 1, 0, 0]))) == (0, 1)
    packing = Packing.of(model, (bytes([1, 1, 0, 1]),))
    assert packing.pack(bytes([1, 1, 0, 1])) == (1,)
    assert packing.unpack((0,)) == bytes([0, 1, 0, 1])


def test_what_cannot_be_packed_is_said():
    lamps = tuple(Rule(str(c), (c,), (-1,), (0,), ((1, 0),)) for c in range(1025))
    assert refusal(Model(1025, 2, lamps[:1024])) is None
    assert "17 words" in refusal(Model(1025, 2, lamps))
    assert "65" in refusal(Model(1, 65, ()))


def test_a_slide_is_one_compare_and_one_shift():
    model = eight()
    packing = Packing.of(model, (model.start,))
    for rule in packed_rules(model, packing, (model.start,)):
        assert (len(rule.moved), rule.lookups, rule.demand.tests) == (1, [], [])
    assert stock(model, packing, (model.start,)) == dict.fromkeys(range(9), 1)


def test_a_test_stays_where_a_second_blank_may_stand():
    model = slide(grid_edges(3, 2), (1, 2, 3, 4, 0, 0), (1, 2, 3, 4, 0, 0))
    packing = Packing.of(model, (model.start,))
    assert all(len(rule.demand.tests) == 1 for rule in packed_rules(model, packing, (model.start,)))


def test_a_turned_line_is_shifts_and_an_exchange():
    model = flips(3, 3)
    packing = Packing.of(model, (model.start,))
    for rule in packed_rules(model, packing, (model.start,)):
        assert rule.lookups == []
        assert sorted(by for _, _, by in rule.moved) in ([-2, 2], [-6, 6])


def test_every_rule_is_tried_in_one_slot_by_its_rarest_symbol():
    model = eight()
    packing = Packing.of(model, (model.start,))
    packed = packed_rules(model, packing, (model.start,))
    symbols, slots = triggers(packed, packing)
    assert symbols == [0]
    assert sorted(rule for slot in slots for rule in slot) == list(range(len(model.rules)))
    assert max(map(len, slots)) == 4
    assert slots[-1] == []


def test_the_code_holds_head_slots_records_and_followers():
    model = slide(grid_edges(3, 2), (1, 2, 3, 4, 0, 0), (1, 2, 3, 4, 0, 0), "piece")
    packing = Packing.of(model, (model.start,))
    packed = packed_rules(model, packing, (model.start,))
    groups = follower_lists(model, packed)
    code = coded(packed, groups, packing, triggers(packed, packing))
    assert code[:3] == [3, 1, 1]
    slots = code[5 : 5 + 64 + 2]
    assert slots == sorted(slots)
    walked, at = 0, slots[0]
    while at < slots[-1]:
        walked += 1
        assert code[at + 1] == 0 or code[code[at + 1]] == len(groups[1][groups[0][0]]) or code[code[at + 1]] > 0
        at = code[at]
    assert walked == len(model.rules)
    assert all(0 <= number < 1 << 64 for number in code)


@settings(max_examples=200, deadline=None)
@given(drawn=small_models())
def test_moves_of_any_model_are_the_models_own(drawn):
    model, start, _ = drawn
    packing = Packing.of(model, (start,))
    plan = PackedRules.of(model, packing, (start,))
    found = positions_of(packing, rows_of(children(plan, marks(packed_keys(packing, (start,))), Watch())))
    assert set(found) - {start} == set(model.moves(start))


@settings(max_examples=300, deadline=None)
@given(drawn=small_models(), data=st.data())
def test_two_rules_compose_to_one(drawn, data):
    model, start, other = drawn
    first, then = data.draw(st.tuples(*[st.sampled_from(model.rules)] * 2))
    both = compose(first, then, model.symbols)
    for position in (start, other, *model.moves(start)):
        between = first.apply(position)
        assert (both and both.apply(position)) == (between and then.apply(between))


@settings(max_examples=300, deadline=None)
@given(drawn=small_models())
def test_joined_moves_are_the_models_moves(drawn):
    model, start, other = drawn
    whole = joined(model)
    for position in (start, other, *model.moves(start)):
        assert whole is None or set(whole.moves(position)) == set(model.moves(position))


@pytest.mark.parametrize(
    ("model", "rules"),
    [
        (turns(5, [[1, 2, 3, 4, 0]], "run"), 4),
        (slide(grid_edges(4, 1), (0, 1, 2, 3), (0, 1, 2, 3), "multi"), 12),
        (slide(grid_edges(2, 2), (0, 0, 1, 2), (0, 1, 2, 0), "piece"), None),
        (eight(), 24),
    ],
)
def test_where_joining_pays(model, rules):
    whole = joined(model)
    assert (whole and len(whole.rules)) == rules
    assert whole is None or all(
        set(whole.moves(p)) == set(model.moves(p)) for p in [model.start, *model.moves(model.start)]
    )


@pytest.mark.parametrize("cells", [8, 30, 44])
def test_moves_over_several_words(cells):
    model = long_row(cells, 3, [0, 1, *([2] * (cells - 2))])
    packing = Packing.of(model, (model.start,))
    plan = PackedRules.of(model, packing, (model.start,))
    found = positions_of(packing, rows_of(children(plan, marks(packed_keys(packing, (model.start,))), Watch())))
    assert sorted(found) == sorted(model.moves(model.start))


@given(data=st.data())
def test_goals_on_rows_are_the_goals_on_positions(data):
    model, start, _ = data.draw(small_models())
    need = st.one_of(st.just(-1), st.integers(1, (1 << model.symbols) - 1))
    counts = st.lists(st.tuples(st.integers(0, model.symbols - 1), st.integers(0, 3)), max_size=2).map(tuple)
    goal = st.builds(Goal, st.tuples(*[need] * model.cells), counts)
    goals = data.draw(st.lists(goal, max_size=3))
    packing = Packing.of(model, (start,))
    some = [packing.unpack(packing.pack(start)), *model.moves(start)]
    met = Goals(goals, packing).among(packed_keys(packing, some))
    assert sorted(positions_of(packing, met)) == sorted(p for p in some if any(g.holds(p) for g in goals))


def test_sets_as_sorted_marks():
    keys = np.array([[3, 1], [0, 2], [3, 0], [0, 2]], np.uint64)
    ordered = distinct(marks(keys))
    assert rows_of(ordered).tolist() == [[0, 2], [3, 0], [3, 1]]
    assert contained(marks(keys), ordered[:2]).tolist() == [False, True, True, True]
    assert contained(marks(keys), ordered[:0]).tolist() == [False] * 4
