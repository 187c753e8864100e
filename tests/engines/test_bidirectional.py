"""The search from both ends is held against the plain engine."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlespace.contract.questions import Search
from puzzlespace.engines import bidirectional, plain
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.custom import Custom
from puzzlespace.model.goal import Goal
from puzzlespace.model.model import Model
from puzzlespace.model.rule import Rule
from toys import eight, flips, grid_edges, links, pegs, ring, slide, turns


def agree(space, start, goals, length="as plain"):
    """Both engines give the same layers; return them."""
    expected = plain.search(Search(space, start), Watch())
    found = bidirectional.search(Search(space, start, goals), Watch())
    assert (found.layers, found.bound, found.stopped) == (expected.layers, expected.bound, None)
    if length != "as plain":
        assert found.bound == length
    return found


def with_goals(model, *positions):
    return Model(
        model.cells, model.symbols, model.rules, model.metric, model.start, tuple(Goal.exactly(p) for p in positions)
    )


def test_a_token_on_a_ring():
    model = with_goals(ring(7), bytes([0, 0, 0, 1, 0, 0, 0]))
    agree(model, model.start, (bytes([0, 0, 0, 1, 0, 0, 0]),), 3)


def test_the_start_is_a_goal():
    model = with_goals(ring(7), ring(7).start, bytes([0, 1, 0, 0, 0, 0, 0]))
    goals = tuple(goal.position for goal in model.goals)
    assert agree(model, model.start, goals, 0).layers == (frozenset([model.start]),)


def test_the_nearest_of_several_goals_and_both_of_equally_near_ones():
    near, far, same = bytes([0, 0, 1, 0, 0, 0, 0]), bytes([0, 0, 0, 1, 0, 0, 0]), bytes([0, 0, 0, 0, 0, 1, 0])
    model = with_goals(ring(7), near, far, same)
    found = agree(model, model.start, (far, near, same), 2)
    assert found.layers[-1] == {near, same}


def test_the_8_puzzle_with_a_tenth_of_the_work():
    model = eight()
    goal = (model.goals[0].position,)
    expected = plain.search(Search(model, model.start), Watch())
    found = bidirectional.search(Search(model, model.start, goal), Watch())
    assert found.layers == expected.layers
    assert found.bound == 31
    assert found.generated * 10 < expected.generated


@pytest.mark.parametrize("count", ["step", "run", "piece", "multi"])
def test_metrics_on_a_board_with_two_blanks(count):
    model = slide(grid_edges(3, 2), (1, 2, 3, 4, 0, 0), (4, 3, 2, 1, 0, 0), count)
    agree(model, model.start, (model.goals[0].position,))


def test_no_solution_is_searched_to_the_end():
    model = slide(grid_edges(3, 2), (1, 2, 3, 4, 5, 0), (2, 1, 3, 4, 5, 0))
    assert agree(model, model.start, (model.goals[0].position,), None).layers == ()
    assert agree(with_goals(model), model.start, (), None).layers == ()


def test_pegs_backwards_and_with_goals_not_listed():
    lines = [(0, 1, 2), (1, 2, 3), (2, 3, 4), (5, 2, 6)]
    model = pegs(lines, (1, 1, 0, 1, 1, 1, 0))
    agree(model, model.start, None)
    one = [bytes(int(c == cell) for c in range(7)) for cell in range(7)]
    agree(with_goals(model, *one), model.start, tuple(one))


def test_rules_that_forget_are_searched_forwards_only():
    rules = (Rule("wipe", (0, 1), (-1, -1), (0, 0), (None, (0, 0, 0))), Rule("up", (0,), (-1,), (0,), ((1, 2, 0),)))
    model = Model(2, 3, rules, start=bytes([0, 2]), goals=(Goal.exactly(bytes([2, 0])),))
    assert model.backward is None
    agree(model, model.start, (bytes([2, 0]),), 3)


def test_listed_moves():
    model = turns(6, [[1, 2, 3, 4, 5, 0], [1, 0, 2, 3, 4, 5]])
    for start in (bytes([5, 4, 3, 2, 1, 0]), bytes([1, 0, 3, 2, 5, 4])):
        agree(model, start, (model.start,))
    model = flips(3, 3)
    start = plain.search(Search(with_goals(model), model.start), Watch())
    assert start.layers == ()
    agree(with_goals(model, bytes([0, 1, 0, 0, 1, 0, 0, 1, 0])), model.start, (bytes([0, 1, 0, 0, 1, 0, 0, 1, 0]),))


@pytest.mark.parametrize(("limits", "kind"), [(Limits(positions=900), "positions"), (Limits(seconds=1e-9), "seconds")])
def test_a_limit_stops_it_with_what_is_proved(limits, kind):
    model = eight()
    found = bidirectional.search(Search(model, model.start, (model.goals[0].position,)), Watch(limits))
    assert found.stopped is not None
    assert found.stopped.kind == kind
    assert found.layers == ()
    assert 0 < found.bound < 31


def test_any_hashable_position():
    space = Custom(moves=lambda p: [(p[0] + 1, p[1]), (p[0], p[1] + 1)], start=(0, 0), goal=(2, 2))
    agree(space, space.start, None, 4)


def test_it_builds_no_depth_table():
    assert bidirectional.refuses(ring(7), "depths")
    assert bidirectional.refuses(ring(7), "search") is None


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_random_graphs_with_random_goals(data):
    cells = data.draw(st.integers(3, 6))
    cell = st.integers(0, cells - 1)
    pairs = data.draw(st.lists(st.tuples(cell, cell).filter(lambda p: p[0] != p[1]), min_size=2, max_size=8))
    start = bytes([0, 2, *data.draw(st.lists(st.integers(0, 2), min_size=cells - 2, max_size=cells - 2))])
    goals = data.draw(st.lists(st.permutations(list(start)).map(bytes), min_size=1, max_size=3))
    base = slide(links(*sorted(set(pairs))), start, start)
    agree(with_goals(base, *goals), start, tuple(goals))
