import pytest

from puzzlespace.errors import InputError
from puzzlespace.model.metrics import NAMES, metric
from toys import eight, flips, grid_edges, pegs, ring, slide, turns


def reached(model):
    return set(model.moves(model.start))


def test_with_one_blank_run_and_piece_are_step():
    for name in ("run", "piece"):
        assert metric(name, eight().rules, 9, eight().start).after == ()


def test_with_two_blanks_a_run_is_longer_than_a_step():
    row = [(a, b, way) for a, b, way in grid_edges(4, 1)]
    start = (1, 0, 0, 2)
    assert reached(slide(row, start, start)) == {bytes(p) for p in [(0, 1, 0, 2), (1, 0, 2, 0)]}
    run = {bytes(p) for p in [(0, 1, 0, 2), (0, 0, 1, 2), (1, 0, 2, 0), (1, 2, 0, 0)]}
    assert reached(slide(row, start, start, "run")) == run


def test_a_piece_turns_corners_where_a_run_does_not():
    start = (1, 0, 2, 0)
    edges = grid_edges(2, 2)
    around = bytes((0, 0, 2, 1))
    assert around not in reached(slide(edges, start, start, "run"))
    assert around in reached(slide(edges, start, start, "piece"))


def test_several_tiles_in_line_are_one_multi_move():
    model = slide(grid_edges(3, 1), (1, 2, 0), (0, 1, 2), "multi")
    assert reached(model) == {bytes((1, 0, 2)), bytes((0, 1, 2))}


def test_any_power_of_a_listed_move_is_one_run():
    shift = [1, 2, 3, 4, 0]
    assert len(reached(turns(5, [shift]))) == 2
    assert len(reached(turns(5, [shift], "run"))) == 4


def test_a_listed_move_that_undoes_itself_has_no_powers():
    assert metric("run", flips(3, 3).rules, 2, bytes(9)).after == ()


def test_a_chain_goes_on_with_the_same_peg_only():
    model = pegs([(0, 1, 2), (2, 3, 4), (5, 6, 7)], (1, 1, 0, 1, 0, 1, 1, 0), "chain")
    assert bytes((0, 0, 0, 0, 1, 1, 1, 0)) in reached(model)
    assert bytes((0, 0, 1, 1, 0, 0, 0, 1)) not in reached(model)


def test_a_move_never_ends_where_it_began():
    model = slide(grid_edges(2, 2), (1, 0, 0, 0), (0, 1, 0, 0), "piece")
    assert model.start not in reached(model)
    assert len(reached(model)) == 3


def test_an_unknown_metric_names_the_known_ones():
    with pytest.raises(InputError, match="expected one of " + ", ".join(NAMES)):
        metric("stride", ring(5).rules, 2)
