"""Search below lower bounds is held against the plain engine, and its bounds against whole depth tables."""

import csv
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from depth_tables import distances, distances_of
from places import DATA
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Search
from puzzlespace.engines import deepening, plain
from puzzlespace.engines.deepening.blank_links import FEW_WORDS, FIRST_WORDS
from puzzlespace.engines.deepening.methods import PLAIN_ORDERS
from puzzlespace.heuristics.distance import DistanceBound
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.custom import Custom
from puzzlespace.model.goal import Goal
from puzzlespace.structure import slides
from toys import eight, flips, grid_edges, links, pegs, slide

SMALL = [
    ("slide:2x4", "multi"), ("hexagram", "multi"), ("dads", "step"), ("dads", "piece"), ("dads", "run"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "metric"), SMALL)
def test_distance_never_passes_the_distance_of_any_position(name, metric):
    model = load(name).model(metric)
    bound = DistanceBound(slides.read(model), model.goals).bound
    table = distances(name, metric)
    assert len(table) > 300
    assert all(bound(position) <= depth for position, depth in table.items())
    assert max(map(bound, table)) > 0


@pytest.mark.parametrize("count", ["step", "run", "piece", "multi"])
def test_distance_with_two_blanks(count):
    model = slide(grid_edges(3, 3), (1, 2, 3, 4, 5, 5, 4, 0, 0), (1, 2, 3, 4, 5, 5, 4, 0, 0), count)
    bound = DistanceBound(slides.read(model), model.goals).bound
    table = distances_of(model)
    assert len(table) == 45360
    assert all(bound(position) <= depth for position, depth in table.items())


@st.composite
def strange(draw):
    """A slide puzzle on a random connected graph: like pieces, one to three blanks, any metric."""
    cells = draw(st.integers(4, 7))
    pairs = [(cell, draw(st.integers(0, cell - 1))) for cell in range(1, cells)]
    pairs += draw(st.lists(st.tuples(st.integers(0, cells - 1), st.integers(0, cells - 1)), max_size=4))
    pairs = list({tuple(sorted(pair)) for pair in pairs if pair[0] != pair[1]})
    ways = [draw(st.sampled_from(["a", "b"])) for _ in pairs]
    edges = [(x, y, f"{w}{x < y}") for (p, q), w in zip(pairs, ways, strict=True) for x, y in ((p, q), (q, p))]
    blanks = draw(st.integers(1, 3))
    contents = [0] * blanks + draw(st.lists(st.integers(1, 4), min_size=cells - blanks, max_size=cells - blanks))
    names = {symbol: number for number, symbol in enumerate(sorted(set(contents)))}
    start = draw(st.permutations([names[symbol] for symbol in contents]))
    goal = draw(st.permutations(start))
    return slide(edges, start, goal, draw(st.sampled_from(["step", "run", "piece", "multi"])))


def same(model, goals=None, by=USUAL, **more):
    expected = plain.search(Search(model, model.start), Watch())
    found = deepening.search(Search(model, model.start, goals, **more), Watch(thresholds=by))
    assert (found.layers, found.bound, found.stopped) == (expected.layers, expected.bound, None)
    return found


@settings(max_examples=150, deadline=None)
@given(strange())
def test_random_graphs_blanks_and_metrics_agree_with_plain(model):
    same(model)


@settings(max_examples=40, deadline=None)
@given(strange())
def test_the_compiled_search_agrees_with_plain_on_random_graphs(model):
    if model.metric.after or model.start.count(0) != 1 or not plain.search(Search(model, model.start), Watch()).layers:
        return
    same(model, by=Thresholds({PLAIN_ORDERS: 0}))


def test_several_goals_and_open_goals():
    model = load("hexagram").model()
    goals = tuple(Goal.exactly(child) for child in list(model.moves(model.start))[:2])
    several = type(model)(model.cells, model.symbols, model.rules, model.metric, model.start, (*model.goals, *goals))
    assert same(several).bound == 1
    open_goal = Goal((*model.goals[0].need[:5], *(-1,) * 8))
    several = type(model)(model.cells, model.symbols, model.rules, model.metric, model.start, (open_goal,))
    assert same(several).bound > 5


def test_the_start_is_the_goal():
    model = eight((1, 2, 3, 4, 5, 6, 7, 8, 0))
    assert same(model).layers == (frozenset([model.start]),)


def test_blocks_in_the_compiled_search():
    model = load("goat").model()
    found = deepening.search(Search(model, model.start, goal_positions(model)), Watch())
    assert found.bound == 20
    assert found.layers == plain.search(Search(model, model.start), Watch(Limits(positions=200_000))).layers


def test_one_solution_where_not_every_one_is_wanted():
    model = eight()
    found = deepening.search(Search(model, model.start, goal_positions(model), every=False), Watch())
    every = deepening.search(Search(model, model.start, goal_positions(model)), Watch())
    assert len(found.layers) == 32
    assert all(len(one) == 1 and one <= all_ for one, all_ in zip(found.layers, every.layers, strict=True))


def test_a_limit_reports_the_bound_proved():
    model = load("slide:4x4").model()
    start = bytes([14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3])
    goal = (bytes(range(16)),)
    found = deepening.search(Search(model, start, goal, heuristic="distance"), Watch(Limits(positions=1_000_000)))
    assert found.stopped.kind == "positions"
    assert found.generated <= 1_000_000 + 4, "all moves of a position are generated at once"
    assert 41 <= found.bound <= 57


def korfs(number, thresholds=USUAL):
    """Solve a position below `distance`: the result, its length, and the positions that IDA* is known to generate."""
    file = DATA / "korf15.csv"
    row = next(row for row in csv.DictReader(file.open()) if row["id"] == number)
    start = bytes(int(row[f"t{cell}"]) for cell in range(16))
    question = Search(load("slide:4x4").model(), start, (bytes(range(16)),), every=False, heuristic="distance")
    return (
        deepening.search(question, Watch(thresholds=thresholds)),
        int(row["optimal_length"]),
        int(row["ida_manhattan_nodes"]) - 1,
    )


@pytest.mark.parametrize("number", ["12", "42", "79"])
def test_without_barred_words_korfs_positions_generate_the_known_numbers(number):
    found, length, known = korfs(number, Thresholds({FIRST_WORDS: 0, FEW_WORDS: 0}))
    assert found.bound == length
    siblings = found.generated - known
    assert 0 <= siblings <= 2 * length, "what is generated together with a position of the solution is counted with it"


@pytest.mark.parametrize("number", ["12", "42", "79"])
def test_barred_words_leave_out_a_fifth_of_the_positions(number):
    found, length, known = korfs(number, Thresholds({FIRST_WORDS: FEW_WORDS.usual}))
    assert found.bound == length
    assert found.generated < 0.8 * known


@pytest.mark.parametrize(
    ("space", "word"),
    [
        (pegs([(0, 1, 2)], (1, 1, 0)), "undone"),
        (flips(2, 2), "adjacent"),
        (Custom(start=0, goal=lambda p: p == 3, moves=lambda p: [p + 1]), "Python"),
    ],
)
def test_it_says_why_there_is_no_compiled_loop(space, word):
    assert word in deepening.not_compiled(space)
    assert deepening.refuses(space, "search") is None


def test_it_counts_no_layers():
    assert "count" in deepening.refuses(eight(), "depths")


def test_rounds_stop_where_nothing_was_left_out():
    line = slide(links((0, 1), (1, 2)), (1, 2, 0), (2, 1, 0))
    assert same(line).layers == ()


def test_random_walks_on_the_15_puzzle():
    model = load("slide:4x4").model()
    goal = goal_positions(model)[0]
    rng = random.Random(2026)
    for _ in range(5):
        position = goal
        for _ in range(14):
            position = rng.choice(sorted(model.moves(position)))
        question = Search(model, position, (goal,))
        assert deepening.search(question, Watch()).layers == plain.search(question, Watch()).layers
