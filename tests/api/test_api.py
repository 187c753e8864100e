"""The functions a person calls from Python."""

import pickle
from importlib import import_module
from math import factorial
from xml.etree import ElementTree

import pytest

import puzzlespace
from puzzlespace import Custom, FormatError, InputError, Limits, Status, UnsupportedError
from puzzlespace.contract import questions as contract_questions
from puzzlespace.contract.questions import Search
from puzzlespace.engines import bidirectional, plain
from puzzlespace.limits.watch import Watch


def knight(square):
    x, y = square
    steps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
    return [(x + a, y + b) for a, b in steps if 0 <= x + a < 8 and 0 <= y + b < 8]


def test_a_puzzle_of_ones_own_is_solved_from_one_end_and_from_both():
    one = Custom(moves=knight, start=(0, 0), goal=(7, 7))
    both = Custom(moves=knight, start=(0, 0), goal=(7, 7), back=knight)
    first, second = puzzlespace.solve(one, count=True), puzzlespace.solve(both, count=True)
    assert (first.moves, first.solutions) == (second.moves, second.solutions) == (6, 108)
    assert second.generated < first.generated
    assert {each.path for each in puzzlespace.solutions(one)} == {each.path for each in puzzlespace.solutions(both)}


def test_every_engine_for_python_puzzles_works_without_a_way_back():
    one = Custom(moves=knight, start=(0, 0), goal=lambda square: square == (7, 7))
    for engine in ("plain", "bidirectional"):
        assert puzzlespace.solve(one, engine=engine).moves == 6
    with pytest.raises(UnsupportedError):
        puzzlespace.solve(one, engine="frontier")


def test_positions_of_ones_own_need_no_order():
    mixed = Custom(moves=lambda p: ["a", frozenset({1})] if p == 0 else [(2,)], start=0, goal=(2,))
    assert puzzlespace.solve(mixed, count=True).solutions == 2


def test_the_depths_of_a_puzzle_of_ones_own():
    table = puzzlespace.depths(Custom(moves=knight, start=(0, 0), goal=(7, 7)))
    assert (table.states, table.depth, table.origin) == (64, 6, "start")


def test_a_puzzle_without_a_solution_is_searched_to_the_end():
    answer = puzzlespace.solve(Custom(moves=lambda n: [(n + 2) % 10], start=0, goal=5))
    assert (answer.status, answer.reason.kind) == (Status.IMPOSSIBLE, "searched")


def test_directed_moves_are_traced_back_as_given():
    space = Custom(
        moves=lambda n: [2 * n] if n < 40 else [], start=1, goal=32, back=lambda n: [] if n % 2 else [n // 2]
    )
    found = bidirectional.search(Search(space, 1, space.goals), Watch())
    assert found.layers == plain.search(Search(space, 1), Watch()).layers


def test_moves_that_are_no_function_are_refused():
    with pytest.raises(InputError, match="expected moves to be a function"):
        Custom(moves=[1, 2], start=1, goal=2)


def test_a_limit_is_an_answer():
    answer = puzzlespace.solve("eight", engine="plain", limits=Limits(positions=2000))
    assert answer.status is Status.STOPPED
    assert answer.stopped.kind == "positions"
    assert 0 < answer.bound < 31


@pytest.mark.parametrize(
    ("name", "metric", "engine"),
    [
        ("eight", "", "plain"),
        ("eight", "", "frontier"),
        ("klotski", "", "blocks"),
        ("french37", "step", "pegs"),
        ("water", "", "gliders"),
    ],
)
def test_after_a_limit_no_positions_of_a_large_layer_are_found(name, metric, engine, monkeypatch):
    asked = {"metric": metric, "engine": engine, "origin": "start"}
    few = puzzlespace.depths(name, limits=Limits(positions=2000), **asked)
    assert few.stopped is not None
    assert few.hardest
    monkeypatch.setattr(contract_questions, "MOST_AFTER_LIMIT", few.counts[-1] - 1)
    found = puzzlespace.depths(name, limits=Limits(positions=2000), **asked)
    assert found.counts == few.counts
    assert found.hardest == ()


def test_progress_is_reported_layer_by_layer():
    seen = []
    puzzlespace.depths("no-off-a", progress=seen.append)
    assert [report.layer for report in seen] == list(range(57))
    assert seen[-1].found == 540


def test_positions_know_their_puzzle():
    answer = puzzlespace.solve("eight")
    assert str(answer.path[0]) == "8 6 7 / 2 5 4 / 3 . 1"
    assert repr(answer.path[-1]) == "<eight: 1 2 3 / 4 5 6 / 7 8 .>"
    assert pickle.loads(pickle.dumps(answer.path[0])) == answer.path[0]
    eight = puzzlespace.load("eight")
    assert eight.at("867254 3.1".replace(" ", "")) == answer.path[0]


@pytest.mark.parametrize("name", ["eight", "hexagram", "cube2", "slide:2x2"])
def test_puzzles_positions_solutions_and_tables_draw_themselves(name):
    puzzle = puzzlespace.load(name)
    start = puzzle.start if puzzle.start is not None else puzzle.goals[0].position
    drawn = [puzzle, puzzle.at(start)]
    if puzzle.start is not None:
        drawn += [puzzlespace.solve(puzzle), puzzlespace.depths(puzzle)]
    for each in drawn:
        picture = ElementTree.fromstring(each._repr_svg_())
        assert picture.tag.endswith("svg")


def test_no_solution_draws_nothing():
    puzzle = puzzlespace.load("14-15")
    assert not hasattr(puzzlespace.solve(puzzle), "_repr_svg_")


def test_errors_of_positions_show_the_place():
    eight = puzzlespace.load("eight")
    with pytest.raises(FormatError, match="expected 3 rows, found 2"):
        puzzlespace.read_position(eight, "1 2 3 / 4 5 6")
    with pytest.raises(InputError, match="expected '~' and letters or digits"):
        puzzlespace.read_position(eight, "~!")
    with pytest.raises(InputError, match="expected the id of one"):
        puzzlespace.read_position(eight, "~" + "z" * 20)


def test_another_start_and_goal():
    eight = puzzlespace.load("eight")
    turned = puzzlespace.with_goal(puzzlespace.with_start(eight, "1 2 3 / 4 5 6 / 7 8 ."), "1 2 3 / 4 5 6 / . 7 8")
    assert puzzlespace.solve(turned).names == ("8 right", "7 right")


def test_distance_and_best_moves():
    answer = puzzlespace.distance("no-off-b", "@ @ N O / O F F .")
    assert (answer.distance, answer.next) == (0, ())
    answer = puzzlespace.distance("flip3", "x o x / o x x / x x x")
    assert answer.distance == 7
    assert {name for name, _ in answer.next} <= {"row1", "row2", "row3", "col1", "col2", "col3"}
    for _, position in answer.next:
        assert puzzlespace.distance("flip3", position).distance == 6


def test_depths_need_somewhere_to_measure_from():
    with pytest.raises(InputError, match="expected a start to measure from"):
        puzzlespace.depths("slide:2x2", origin="start")
    with pytest.raises(InputError, match="expected start or goal"):
        puzzlespace.depths("eight", origin="middle")


def test_depths_to_the_goal_of_moves_that_cannot_be_undone():
    table = puzzlespace.depths("star13", origin="goal", metric="step")
    assert table.origin == "goal"
    assert table.depth >= 11


def test_components_of_spaces_too_large_to_list():
    found, groups = puzzlespace.components("flip:5x5")
    assert (found.positions, found.sizes, found.solvable) == (2**25, (), 663_552)
    assert sorted(len(group.cells) for group in groups) == [1, 2, 2, 2, 2, 4, 4, 4, 4]
    words = r"too many placements to list: up to 1,099,511,627,776, at most 8,000,000 are listed; plan may know"
    with pytest.raises(UnsupportedError, match=words):
        puzzlespace.components("hanoi:4,20")


@pytest.mark.parametrize(
    ("name", "placements", "count"),
    [
        ("slide:4x4", factorial(16), 2),
        ("slide:5x5", factorial(25), 2),
        ("topspin:13,4", factorial(13), 2),
        ("topspin:14,4", factorial(14), 1),
        ("burnt:11", factorial(11) << 11, 1),
        ("lrx:15", factorial(15), 1),
    ],
)
def test_parity_divides_spaces_too_large_to_list(name, placements, count):
    found, _ = puzzlespace.components(name)
    assert (found.positions, found.sizes) == (placements, ((placements // count, count),))
    assert (found.fixed, found.solvable) == (0, placements // count)


@pytest.mark.parametrize("name", ["slide:3x3", "topspin:7,4", "topspin:8,4", "burnt:5", "lrx:8", "pancake:7"])
def test_components_without_a_search_are_those_of_depth_tables(monkeypatch, name):
    listed = puzzlespace.components(name)
    components = import_module("puzzlespace.api.components")
    monkeypatch.setattr(components, "ONE_AT_LEAST", 1)
    monkeypatch.setattr(components, "ONE_AT_MOST", 2)
    monkeypatch.setattr(components, "_reached", None)
    assert puzzlespace.components(name) == listed


@pytest.mark.parametrize(("name", "positions"), [("goat", 5_443_200), ("hexagram", 12_012), ("no-off-a", 540)])
def test_where_every_placement_can_be_reached_there_is_one_component(name, positions):
    found, groups = puzzlespace.components(name)
    assert (found.positions, found.sizes, found.fixed) == (positions, ((positions, 1),), 0)
    assert found.solvable == positions
    assert groups == ()


def test_like_pieces_keep_the_letters_that_a_position_is_written_with():
    swapped = "AABB/AACC/ED../FGHH/FGII"
    puzzle = puzzlespace.load("dads")
    answer = puzzlespace.solve(puzzlespace.with_start(puzzle, swapped))
    assert str(answer.path[0]) == str(puzzle.at(swapped)) == swapped
    assert puzzle.line(bytes(answer.path[0])) != swapped
    assert answer.names[0] in [name for name, _ in puzzlespace.distance(puzzle, swapped).next]
    for before, name, after in zip(answer.path, answer.names, answer.path[1:], strict=False):
        cells = [[cell for cell, word in enumerate(each.words) if word == name[0]] for each in (before, after)]
        others = [{(c, w) for c, w in enumerate(each.words) if w not in (name[0], ".")} for each in (before, after)]
        assert cells[0] != cells[1]
        assert others[0] == others[1]
