import pytest

from puzzlespace.analysis import paths
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import plain
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.custom import Custom
from puzzlespace.model.goal import Goal
from toys import eight, flips, pegs, ring, turns

A089473 = (
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110, 23952,
    20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
)  # fmt: skip


def test_a_token_on_a_ring():
    found = plain.depths(Depths(ring(7), (ring(7).start,)), Watch())
    assert found.counts == (1, 2, 2, 2)
    assert found.deepest == (bytes([0, 0, 0, 1, 0, 0, 0]), bytes([0, 0, 0, 0, 1, 0, 0]))[::-1]
    assert found.complete


def test_the_8_puzzle_is_oeis_a089473():
    model = eight()
    found = plain.depths(Depths(model, (model.goals[0].position,)), Watch())
    assert found.counts == A089473
    assert found.deepest == (bytes([6, 4, 7, 8, 5, 0, 3, 2, 1]), model.start)


def test_several_sources_and_collected_goals():
    far = Goal.exactly(bytes([0, 0, 1, 0, 0, 0, 0]))
    sources = (bytes([1, 0, 0, 0, 0, 0, 0]), bytes([0, 0, 0, 0, 1, 0, 0]))
    found = plain.depths(Depths(ring(7), sources, collect=(far,)), Watch())
    assert found.counts == (2, 4, 1)
    assert found.collected == ((bytes([0, 0, 1, 0, 0, 0, 0]), 2),)


def test_shortest_solutions_are_found_and_counted():
    model = eight()
    found = plain.search(Search(model, model.start), Watch())
    assert len(found.layers) - 1 == found.bound == 31
    assert paths.count_paths(model, found.layers) == 40
    every = list(paths.all_paths(model, found.layers))
    assert len(every) == len(set(every)) == 40
    assert paths.first_path(model, found.layers) == every[0]


def test_no_solution_is_searched_to_the_end():
    model = eight(start=(1, 2, 3, 4, 5, 6, 8, 7, 0))
    found = plain.search(Search(model, model.start), Watch())
    assert (found.layers, found.bound, found.stopped) == ((), None, None)


@pytest.mark.parametrize(("limits", "kind"), [(Limits(positions=5000), "positions"), (Limits(seconds=1e-9), "seconds")])
def test_a_limit_stops_it_with_what_is_proved(limits, kind):
    model = eight()
    found = plain.search(Search(model, model.start), Watch(limits))
    assert found.stopped is not None
    assert found.stopped.kind == kind
    assert 0 < found.bound < 31
    table = plain.depths(Depths(model, (model.start,)), Watch(limits))
    assert not table.complete
    assert table.counts == A089473[: len(table.counts)] or len(table.counts) < 31


def test_it_takes_any_hashable_position():
    space = Custom(moves=lambda p: [(p[0] + 1, p[1]), (p[0], p[1] + 1)], start=(0, 0), goal=(2, 2))
    found = plain.search(Search(space, space.start), Watch())
    assert len(found.layers) == 5
    assert paths.count_paths(space, found.layers) == 6


def test_lrx_of_seven_is_the_published_table():
    model = turns(7, [[1, 2, 3, 4, 5, 6, 0], [1, 0, 2, 3, 4, 5, 6]])
    counts = plain.depths(Depths(model, (model.start,)), Watch()).counts
    published = "1 3 6 12 22 42 73 124 203 303 425 559 678 713 746 611 355 122 28 10 3 1"
    assert counts == tuple(map(int, published.split()))


@pytest.mark.parametrize(
    ("width", "height", "states", "depth", "hardest"),
    [(2, 2, 6, 2, 1), (3, 3, 192, 7, 8), (4, 3, 576, 6, 104), (4, 4, 1296, 6, 224), (5, 4, 20736, 10, 32)],
)
def test_line_flips_are_the_articles_table(width, height, states, depth, hardest):
    counts = plain.depths(Depths(flips(width, height), (bytes(width * height),)), Watch()).counts
    assert (sum(counts), len(counts) - 1, counts[-1]) == (states, depth, hardest)


def test_pegs_are_searched_one_way():
    model = pegs([(0, 1, 2), (1, 2, 3)], (1, 1, 0, 1))
    assert plain.depths(Depths(model, (model.start,)), Watch()).counts == (1, 1, 1)
