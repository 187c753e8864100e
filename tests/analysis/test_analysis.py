from collections import Counter
from dataclasses import replace
from importlib import import_module
from itertools import islice, pairwise, permutations, product
from random import Random

import pytest

import random_models
from puzzlespace.analysis import alike, impossible, paths, placements
from puzzlespace.api import questions
from puzzlespace.api.loader import from_text
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import plain
from puzzlespace.errors import LimitError, UnsupportedError
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.metric import Metric
from puzzlespace.model.model import Model
from puzzlespace.model.replay import one_move
from puzzlespace.model.rule import ANY, only
from toys import eight, flips, grid_edges, links, pegs, ring, slide

FOURTEEN_FIFTEEN = (*range(1, 14), 15, 14, 0)
SOLVED = (*range(1, 16), 0)
THETA = links((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 6), (6, 3))


def test_placements_are_all_arrangements():
    model = slide(grid_edges(2, 2), (1, 2, 2, 0), (0, 1, 2, 2))
    assert set(impossible.placements(model)) == {bytes(p) for p in permutations((1, 2, 2, 0))}
    assert impossible.placement_bound(model) == 12


def test_placements_of_flips_are_all_contents():
    assert set(impossible.placements(flips(2, 2))) == {bytes(p) for p in product((0, 1), repeat=4)}
    assert impossible.placement_bound(flips(2, 2)) == 16


def test_placements_keep_each_piece_in_its_room():
    edges = [*grid_edges(2, 1), (2, 3, "r"), (3, 2, "l")]
    model = slide(edges, (1, 0, 2, 0), (0, 1, 2, 0))
    assert len(list(impossible.placements(model))) == 4


def test_placements_that_meet_a_goal():
    model = eight()
    goal = Goal((only(1), ANY, ANY, ANY, ANY, ANY, ANY, ANY, only(0)))
    found = list(impossible.placements(model, goal))
    assert len(found) == 5040
    assert all(goal.holds(position) for position in found)


def test_goal_positions_of_one_peg():
    model = pegs([(0, 1, 2), (1, 2, 3)], (1, 1, 0, 1))
    assert set(impossible.goal_positions(model)) == {bytes(int(a == b) for a in range(4)) for b in range(4)}
    assert impossible.goal_positions(model, limit=3) is None


def test_14_15_is_impossible_by_parity_with_its_numbers():
    model = slide(grid_edges(4, 4), FOURTEEN_FIFTEEN, SOLVED)
    reason = impossible.why_impossible(model, model.start, [bytes(SOLVED)])
    assert reason.kind == "parity"
    assert "start 16 + " in reason.text
    assert "goal 15 + " in reason.text


def test_pieces_that_differ_are_the_reason():
    model = eight()
    reason = impossible.why_impossible(model, model.start, [bytes([1, 2, 3, 4, 5, 6, 7, 7, 0])])
    assert reason.kind == "pieces"


def test_an_odd_number_of_dark_pieces_in_a_group_is_an_invariant():
    model = flips(3, 3)
    start = bytes([1, 0, 0, 0, 0, 0, 0, 0, 0])
    reason = impossible.why_impossible(model, start, [bytes(9)], "abcdefghi", "ox")
    assert reason.kind == "invariant"
    assert "showing o among a c g i: start 3 (odd), goal 4 (even)" in reason.text


def reachable(model, goal):
    return bool(plain.search(Search(Model(model.cells, model.symbols, model.rules, start=model.start,
                                          goals=(Goal.exactly(goal),)), model.start), Watch()).layers)  # fmt: skip


@pytest.mark.parametrize(
    "model",
    [
        slide(grid_edges(3, 2), (1, 2, 3, 4, 5, 0), (1, 2, 3, 4, 5, 0)),
        slide(links(*[(a, (a + 1) % 6) for a in range(6)]), (1, 2, 3, 4, 5, 0), (1, 2, 3, 4, 5, 0)),
        slide(THETA[:-2], (1, 2, 3, 4, 5, 6, 0), (1, 2, 3, 4, 5, 6, 0)),
        flips(2, 2),
        flips(3, 2),
    ],
)
def test_a_reason_is_only_ever_given_where_the_search_agrees(model):
    for number, goal in enumerate(impossible.placements(model)):
        if number % 7 == 0 and impossible.why_impossible(model, model.start, [goal]) is not None:
            assert not reachable(model, goal)


def test_the_theta_graph_falls_into_six_parts():
    start = (1, 2, 3, 4, 5, 6, 0)
    found = impossible.components(slide(THETA, start, start), Watch())
    assert found.positions == 5040
    assert found.sizes == ((840, 6),)


def test_components_agree_with_plain_depths():
    model = flips(3, 3)
    found = impossible.components(model, Watch())
    left = set(impossible.placements(model))
    sizes = Counter()
    while left:
        layers = plain.depths(Depths(model, (min(left),), keep=10**6, collect=(Goal((ANY,) * 9),)), Watch())
        left -= {position for position, _ in layers.collected}
        sizes[sum(layers.counts)] += 1
    assert dict(found.sizes) == dict(sizes)
    assert found.positions == 512
    assert found.solvable == 192


def test_positions_of_the_4x4_line_flips_that_no_move_changes():
    model = flips(4, 4)
    found = impossible.components(model, Watch())
    fixed = [p for p in impossible.placements(model) if not model.steps(p)]
    assert found.fixed == len(fixed) > 0


def test_groups_of_line_flips_are_the_articles():
    groups = impossible.groups(flips(3, 3))
    assert sorted(len(group.cells) for group in groups) == [1, 2, 2, 4]
    by_size = {len(group.cells): dict(group.sizes) for group in groups}
    assert by_size[4] == {6: 1, 4: 2, 1: 2}
    assert by_size[1] == {2: 1}
    assert impossible.groups(eight()) == ()


def test_what_a_goal_can_be_reached_from_in_a_puzzle_of_one_way_moves():
    model = pegs([(0, 1, 2)], (1, 1, 0))
    assert impossible.components(model, Watch()).solvable == 5


def test_without_pieces_there_is_no_placement_space():
    model = Model(9, 9, eight().rules, goals=(Goal((ANY,) * 9),))
    with pytest.raises(UnsupportedError, match="the pieces of this puzzle are not known"):
        list(impossible.placements(model))


def test_components_stop_at_a_limit():
    with pytest.raises(LimitError):
        impossible.components(eight(), Watch(Limits(positions=10_000)))


def test_a_ring_of_like_tiles_is_one_component():
    assert impossible.components(ring(5), Watch()).sizes == ((5, 1),)


@pytest.mark.parametrize("name", ["dads", "rush60"])
def test_blocks_that_meet_a_goal_are_listed_as_if_placed_one_by_one(name):
    model = questions.load(name).model()
    (goal,) = model.goals
    placer = placements._Placer(model, goal)
    listed = list(impossible.placements(model, goal))
    assert listed == [position for position in placer.fill() if goal.holds(position)]
    assert len(listed) > 0
    assert impossible.goal_positions(model, limit=len(listed) - 1) is None


def test_all_placements_of_blocks_are_counted_as_listed():
    model = questions.load("no-off-a").model()
    assert impossible.placement_count(model) == len(list(impossible.placements(model)))


def test_rules_that_nothing_can_use_join_no_cells_in_the_number_of_placements():
    cells, start = " ".join(f"c{n}" for n in range(20)), " ".join([".", "o", ".", *["o"] * 17])
    model = from_text(f"rule: jump\nboard:\n  {cells}\nlines: c0-c1-c2\nstart:\n  {start}\n", "still").model()
    assert impossible.placement_count(model) == impossible.placement_bound(model) == 1
    assert list(impossible.placements(model)) == [model.start]


def _by_pieces_alike(model, proved=None):
    """The components by `alike`, with sizes counted by plain layers, which are those proved without a search."""

    def size(position, most):
        counted = sum(plain.depths(Depths(model, (position,), 0), Watch()).counts)
        known = import_module("puzzlespace.api.components").proved_size(model, position, most)
        assert counted <= most
        assert known in (None, counted)
        if proved is not None and known is not None:
            proved.append(known)
        return counted

    return alike.components(model, Watch(), size)


@pytest.mark.parametrize("kind", [random_models.slides, random_models.listed])
def test_components_by_pieces_that_rules_treat_alike_are_the_listed_ones(kind):
    asked, proved = 0, []
    for seed in range(300):
        model = kind(Random(seed), 6)
        if not model.reversible or model.anchor is None or impossible.placement_count(model) > 5040:
            continue
        found = _by_pieces_alike(model, proved)
        if found is not None:
            asked += 1
            assert found == impossible.components(model, Watch()), seed
    assert asked > 20
    assert len(proved) > 3


def test_pieces_in_separate_rooms_are_not_alike():
    edges = [*grid_edges(3, 1), *((a + 3, b + 3, d) for a, b, d in grid_edges(3, 1))]
    model = slide(edges, (1, 2, 0, 3, 4, 0), (1, 2, 0, 3, 4, 0))
    assert alike.alike(model) == ((1, 2), (3, 4))
    assert _by_pieces_alike(model) == impossible.components(model, Watch())


def test_a_goal_of_other_pieces_is_reached_from_nowhere():
    model = slide(grid_edges(3, 2), (1, 2, 3, 4, 5, 0), (1, 2, 3, 4, 4, 0))
    assert _by_pieces_alike(model) == impossible.components(model, Watch())
    assert _by_pieces_alike(model).solvable == 0


@pytest.mark.parametrize("seed", range(120))
def test_looking_for_one_move_finds_what_looking_at_all_moves_finds(seed, monkeypatch):
    chance = Random(seed)
    models = [
        random_models.listed(chance, 6),
        random_models.permuted(chance, 5),
        random_models.digits(chance),
        random_models.slides(chance, 6),
    ]
    drawn = models[seed % 4]
    model = replace(drawn, metric=Metric())
    layers = _layers(model, 4, 60)
    for layer, following in pairwise(layers):
        for before in islice(sorted(layer), 4):
            steps = {}
            for number, child in model.steps(before):
                steps.setdefault(child, number)
            for after in [*sorted(following)[:30], before]:
                assert model.rule_between(before, after) == steps.get(after)
                assert one_move(model, before, after) == (after in steps)
            for counted in (model, drawn):
                for after, rules in counted.moves(before).items():
                    assert counted.move_between(before, after) == rules
            with pytest.raises(KeyError):
                model.move_between(before, before)
    found = [frozenset(layer) for layer in _on_paths(model, layers)]
    short = paths.first_path(model, found)
    monkeypatch.setattr(paths, "FEW", 0)
    assert paths.first_path(model, found) == short


def _layers(model, depth, most):
    """Return the positions at each depth up to `depth`, until a layer has more than `most`."""
    layers = [{model.start}]
    while len(layers) <= depth and len(layers[-1]) <= most:
        known = set().union(*layers)
        following = {child for position in layers[-1] for child in model.moves(position)} - known
        if not following:
            break
        layers.append(following)
    return layers


def _on_paths(model, layers):
    """Return of each layer the positions that lead to the greatest one of the last layer."""
    kept = [{max(layers[-1])}]
    for layer in reversed(layers[:-1]):
        kept.append({position for position in layer if kept[-1] & set(model.moves(position))})
    return kept[::-1]
