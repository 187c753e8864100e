import random
from dataclasses import replace
from itertools import permutations

import pytest

from puzzlespace import load
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import frontier, plain, table
from puzzlespace.limits.watch import Watch
from puzzlespace.model import facts
from puzzlespace.model.facts import parities, told_apart
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule
from toys import eight, flips, grid_edges, links, pegs, ring, slide, turns

THETA = links((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 6), (6, 3))


def test_tiles_stay_what_they_are_and_flips_do_not():
    assert facts.symbol_classes(eight().rules, 9) == tuple(range(9))
    assert facts.symbol_classes(flips(2, 2).rules, 2) == (0, 0)
    assert facts.symbol_classes(pegs([(0, 1, 2)], (1, 1, 0)).rules, 2) == (0, 0)


def test_a_token_put_from_cell_to_cell_is_conserved():
    assert facts.symbol_classes(ring(5).rules, 2) == (0, 1)


def test_flips_exchange_cells_in_groups_of_four():
    labels = facts.orbits(flips(4, 4))[0]
    assert len(set(labels)) == 4
    assert sorted(labels.count(label) for label in set(labels)) == [4, 4, 4, 4]


def test_tiles_of_two_rooms_never_meet():
    model = slide([*grid_edges(2, 1), (2, 3, "r"), (3, 2, "l")], (1, 0, 2, 0), (0, 1, 2, 0))
    labels = facts.orbits(model)[1]
    assert labels[0] == labels[1] != labels[2] == labels[3]


@pytest.mark.parametrize(
    ("model", "yes"),
    [(eight(), True), (ring(6), True), (ring(7), False), (flips(3, 3), True), (turns(5, [[1, 2, 3, 4, 0]]), False)],
)
def test_bipartite(model, yes):
    colour = facts.bipartite(model)
    assert (colour is not None) == yes
    if colour is not None:
        for _, child in model.steps(model.start):
            assert colour.value(child) != colour.value(model.start)


def test_a_metric_of_longer_moves_has_no_colouring():
    assert facts.bipartite(eight(count="multi")) is None


@pytest.mark.parametrize("model", [eight(), flips(3, 3), turns(4, [[1, 0, 2, 3], [1, 2, 3, 0]]), ring(6)])
def test_no_rule_changes_an_invariant(model):
    layer = {model.start}
    for _ in range(5):
        layer |= {child for position in layer for _, child in model.steps(position)}
    for parity in facts.parities(model, 0):
        assert len({parity.value(position) for position in layer}) == 1


def test_the_invariants_of_the_2x3_tiles_halve_the_placements():
    start = (1, 2, 3, 4, 5, 0)
    model = slide(grid_edges(3, 2), start, start)
    sums = facts.parities(model, 0)
    same = [p for p in permutations(range(6)) if all(s.value(bytes(p)) == s.value(model.start) for s in sums)]
    assert len(same) == 360


def test_different_tiles_are_bipartite_on_any_board_like_ones_only_where_the_board_is():
    odd = links((0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 5), (5, 2))
    for edges in (THETA, odd):
        cells = max(cell for edge in edges for cell in edge[:2]) + 1
        different = (*range(1, cells), 0)
        assert facts.bipartite(slide(edges, different, different)) is not None
    like = (1, 1, 1, 1, 1, 0)
    assert facts.bipartite(slide(odd, like, like)) is None
    assert facts.bipartite(slide(grid_edges(3, 2), like, like)) is not None


def test_overwriting_joins_the_symbols_it_loses():
    clear = Rule("clear", (0,), (-1,), (0,), ((0, 0, 0),))
    assert facts.symbol_classes([clear], 3) == (0, 0, 0)
    assert facts.conserved(Model(2, 3, (clear,)), bytes([2, 1])) == {(0, 0): 1, (0, 1): 1}


@pytest.mark.parametrize("spec", ["eight", "14-15", "star13", "goat", "flip:3x3", "lights:3x3", "burnt:4", "klotski"])
def test_one_elimination_says_whether_any_sum_tells_positions_apart(spec):
    """Held against a basis of all sums, on positions near the start."""
    model = load(spec).model()
    start = model.start or next(goal.position for goal in model.goals)
    model, chance = replace(model, start=start), random.Random(spec)
    basis = parities(model, 0)
    for _ in range(40):
        goals = []
        for _ in range(chance.randint(1, 2)):
            cells = list(start)
            for _ in range(chance.randint(1, 3)):
                a, b = chance.randrange(len(cells)), chance.randrange(len(cells))
                cells[a], cells[b] = cells[b], cells[a]
            goals.append(bytes(cells))
        told = all(any(each.value(start) != each.value(goal) for each in basis) for goal in goals)
        assert told_apart(model, start, goals) == told


def test_contents_that_a_rule_doubles_are_one_class_with_what_they_replace():
    """A rule copies whatever stands in the first cell over the second one: no piece is conserved."""
    copied = Rule("copy", (0, 1), (ANY, ANY), (0, 0), (None, None))
    moved = Rule("swap", (1, 2), (ANY, ANY), (1, 0), (None, None))
    model = Model(3, 3, (copied, moved), start=bytes([0, 1, 2]))
    assert set(facts.symbol_classes(model.rules, 3)) == {0}
    assert {label for labels in facts.orbits(model) for label in labels} == {0}
    found = plain.depths(Depths(model, (model.start,)), Watch())
    assert frontier.depths(Depths(model, (model.start,)), Watch()).counts == found.counts
    assert table.of_kind("rank").depths(Depths(model, (model.start,)), Watch()).counts == found.counts
