"""Lower bounds: what they look up, how they are asked for, the solutions below them."""

import csv
import random
import time
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations, product

import pytest

from depth_tables import distances, distances_of, near
from places import DATA
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api import questions
from puzzlespace.api.loader import from_text, load
from puzzlespace.bounds.choosing import names, slide_heuristic
from puzzlespace.contract.questions import Search
from puzzlespace.engines import deepening, plain
from puzzlespace.engines.deepening.methods import ATTEMPT_PLAIN, PLAIN_ORDERS
from puzzlespace.engines.deepening.patterns import BELOW_SMALL, SMALL_TABLES
from puzzlespace.errors import InputError, LimitError, UnsupportedError
from puzzlespace.heuristics import assignment, labels, spelling, walking
from puzzlespace.heuristics.assignment import ENDLESS, cheapest
from puzzlespace.heuristics.colours import Colours
from puzzlespace.heuristics.database import Database
from puzzlespace.heuristics.distance import DistanceBound
from puzzlespace.heuristics.grouping import choose
from puzzlespace.heuristics.inversion import moves
from puzzlespace.heuristics.mirror import MOST_STEPS, mirrors
from puzzlespace.heuristics.pattern import Grid, PatternNumbering, column
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Watch, watched
from puzzlespace.model.metric import Metric
from puzzlespace.structure import rectangle, slides
from toys import grid_edges, links, slide


def test_goat_with_every_bound():
    model = load("goat").model()
    board, goal = slides.read(model), goal_positions(model)[0]
    bounds = [slide_heuristic(each, board, model.goals, goal) for each in ("distance", "assignment", "pattern")]
    pieces = labels.read(board, model.start, goal, tell_apart=True)
    assert pieces.unique_targets
    bounds.append(Database(board, goal, pieces, choose(board, goal, pieces, 100_000)))
    bounds[-1].build()
    layer, seen = [goal], {goal}
    for depth in range(12):
        assert all(bound.bound(position) <= depth for bound in bounds for position in layer[:7])
        layer = [c for c in dict.fromkeys(c for p in layer for c in model.moves(p)) if c not in seen]
        seen.update(layer)


def test_the_table_of_one_whole_puzzle_is_its_depth_table():
    model = load("slide:2x4").model()
    board, goal = slides.read(model), goal_positions(model)[0]
    pieces = labels.read(board, goal, goal, tell_apart=False)
    base = Database(board, goal, pieces, (tuple(range(7)),))
    base.build()
    assert all(base.bound(position) == depth for position, depth in distances("slide:2x4").items())


def test_walking_distance_has_24964_entries():
    model = load("slide:4x4").model()
    board = slides.read(model)
    bound = walking.Walking(board, rectangle.read(board), goal_positions(model)[0])
    assert [len(axis.depths) for axis in bound.axes] == [24_964, 24_964]
    assert max(bound.axes[0].depths) == 35


def test_inversions_mended_by_slides():
    for passed, most in ((1, 20), (2, 20), (3, 20), (4, 20)):
        reached = {0: 0}
        for depth in range(1, 22):
            for total in [t for t, d in reached.items() if d == depth - 1]:
                for change in range(-passed, passed + 1, 2):
                    reached.setdefault(total + change, depth)
        for total in range(most):
            assert total not in reached or moves(total, passed) == reached[total]


def test_matchings_even_and_odd():
    costs = [[3, 1, 4], [1, 5, 9], [2, 6, 5]]
    found = {0: ENDLESS, 1: ENDLESS}
    for places in product(range(3), repeat=3):
        if len(set(places)) == 3:
            odd = sum(a > b for i, a in enumerate(places) for b in places[i + 1 :]) % 2
            found[odd] = min(found[odd], sum(costs[place][cell] for cell, place in enumerate(places)))
    assert cheapest((0, 1, 2), costs) == (found[0], found[1])


def test_numbers_of_patterns_are_one_to_one():
    grid = Grid.of(6, [(a, b) for a, b, _ in grid_edges(3, 2)])
    numbering = PatternNumbering(grid, 3)
    numbers = {
        (numbering.index(cells, blank)[0], column([grid.place[cell] for cell in cells]))
        for cells in product(range(6), repeat=3)
        if len(set(cells)) == 3
        for blank in set(range(6)) - set(cells)
    }
    rows, words = numbering.shape
    assert words == 1
    assert len(numbers) == 6 * rows
    assert len({row for row, _ in numbers}) == rows >= 20


def test_mirror_images_of_boards():
    square = Grid.of(16, [(a, b) for a, b, _ in grid_edges(4, 4)])
    assert len(list(mirrors(square, 0))) == 2
    assert next(mirrors(square, 0)) == tuple(range(16))
    assert len(list(mirrors(Grid.of(25, [(a, b) for a, b, _ in grid_edges(5, 5)]), 12))) == 8
    assert len(list(mirrors(Grid.of(3, [(0, 1), (1, 2)]), 0))) == 1


def test_mirror_images_are_as_many_as_can_be_found_soon():
    path = [(at, at + 1) for at in range(6)]
    assert list(mirrors(Grid.of(24, path), 0)) == [tuple(range(24))]  # not 17! maps of the cells without neighbours
    assert [image[:7] for image in mirrors(Grid.of(24, path), 3)] == [(0, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 0)]
    star = list(mirrors(Grid.of(21, [(0, at) for at in range(1, 21)]), 0))
    assert 1 < len(star) == len(set(star)) <= MOST_STEPS
    assert all(sorted(image) == list(range(21)) and image[0] == 0 for image in star)
    grid = Grid.of(21, [(0, at) for at in range(1, 21)])
    with watched(Limits(seconds=1e-6)):
        time.sleep(0.001)
        with pytest.raises(LimitError):
            list(mirrors(grid, 0))


@pytest.mark.parametrize("seed", range(60))
def test_mirror_images_of_random_boards_are_all_maps_that_keep_neighbours(seed):
    chance = random.Random(seed)
    cells, fixed = chance.randrange(2, 7), chance.randrange(2)
    edges = {pair for pair in combinations(range(cells), 2) if chance.random() < 0.5}
    joined = {cell for edge in edges for cell in edge}
    maps = {
        image
        for image in permutations(range(cells))
        if image[fixed] == fixed
        and all(image[cell] == cell for cell in range(cells) if cell not in joined)
        and {tuple(sorted((image[a], image[b]))) for a, b in edges} == edges
    }
    found = list(mirrors(Grid.of(cells, sorted(edges)), fixed))
    assert found[0] == tuple(range(cells))
    assert len(found) == len(maps)
    assert set(found) == maps


def test_coloured_tables_of_a_board_with_many_cells_that_are_not_joined():
    names = " ".join(f"c{cell}" for cell in range(24))
    text = f"rule: slide\nboard:\n  {names}\nlines: c1-c17-c15-c0-c16-c6-c4\ncount: step\n"
    text += "start: . x 1 2 x 2 x 2 2 1 1 1 2 1 2 1 x x 1 2 1 2 1 1\n"
    model = from_text(text + "goal: x . 1 2 x 2 x 2 2 1 1 1 2 1 2 1 x x 1 2 1 2 1 1\n", "cells.pzl").model()
    board = slides.read(model)
    assert len(Colours(board, goal_positions(model)[0]).views) == 1


def test_rectangles_are_read_from_directions():
    board = slides.read(load("slide:3x4").model())
    shape = rectangle.read(board)
    assert {shape.width, shape.height} == {3, 4}
    assert rectangle.read(slides.read(load("hexagram").model())) is None
    assert rectangle.read(slides.read(slide(links((0, 1), (1, 2)), (1, 2, 0), (2, 1, 0)))) is None


def test_a_move_that_can_go_on_without_end_is_one_move():
    model = load("slide:2x3").model()
    model = replace(model, metric=Metric("endless", (tuple(range(len(model.rules))),) * len(model.rules)))
    depths = distances("slide:2x3", "step")
    board, far = slides.read(model), max(depths, key=depths.get)
    assert board.joint == 0
    assert DistanceBound(board, model.goals).bound(far) == 1
    by = Thresholds({PLAIN_ORDERS: 0, ATTEMPT_PLAIN: 0})
    found = deepening.search(Search(model, far, None, False, "distance"), Watch(thresholds=by))
    assert found.bound == plain.search(Search(model, far), Watch()).bound == 1


def test_a_sum_over_pieces_where_a_move_carries_several():
    model = load("eight").model("multi")
    board = slides.read(model)
    assert board.joint == 2
    assert DistanceBound(board, model.goals).bound(model.start) < DistanceBound(
        slides.read(load("eight").model()), model.goals
    ).bound(model.start)
    with pytest.raises(UnsupportedError, match="several"):
        slide_heuristic("inversion", board, model.goals, goal_positions(model)[0])


def test_unknown_names_and_puzzles_without_the_bound():
    model = load("hexagram").model()
    with pytest.raises(InputError, match="distance"):
        names("walkign")
    for name in ("walking", "inversion"):
        with pytest.raises(UnsupportedError, match="rectangle"):
            slide_heuristic(name, slides.read(model), model.goals, model.start)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sum:walking,inversion", r"expected 'walking\+inversion'"),
        ("max:walking,far", "found 'far'"),
        ("pattern:6-x", "found 'pattern:6-x'"),
        ("pattern:", "sizes of groups"),
        ("pattern:4-0", "sizes of groups"),
        ("walking:4-4", "found 'walking:4-4'"),
    ],
)
def test_combinations_and_groups_that_are_none(text, found):
    with pytest.raises(InputError, match=found):
        names(text)


def test_combinations_and_groups_by_name():
    assert names("max:walking,pattern:6-6-3") == ("walking", "pattern")
    assert spelling.divisions("walking+pattern:6-6-3+pattern") == ((6, 6, 3), ())
    model = load("slide:2x4").model()
    board, goal = slides.read(model), goal_positions(model)[0]
    both, *each = (
        slide_heuristic(text, board, model.goals, goal).bound
        for text in ("max:walking,inversion", "walking", "inversion")
    )
    table = list(distances("slide:2x4"))[::97]
    assert [both(position) for position in table] == [max(bound(p) for bound in each) for p in table]


def test_groups_of_the_sizes_asked_for():
    model = load("slide:2x4").model()
    board, goal = slides.read(model), goal_positions(model)[0]
    pieces = labels.read(board, goal, goal, tell_apart=False)
    groups = choose(board, goal, pieces, 1 << 20, (4, 2))
    assert [len(group) for group in groups] == [4, 2]
    assert len({piece for group in groups for piece in group}) == 6
    asked = Search(model, list(distances("slide:2x4"))[-1], (goal,), every=False, heuristic="pattern:4-3")
    found = deepening.search(asked, Watch())
    assert found.bound == 36
    assert deepening.search(replace(asked, heuristic="pattern:1-1"), Watch()).generated > found.generated
    for sizes, said in (("5-3", "8 pieces asked for"), ("9", "there are 7")):
        with pytest.raises(InputError, match=said):
            deepening.search(replace(asked, heuristic=f"pattern:{sizes}"), Watch())


def test_groups_of_the_pieces_asked_for():
    model = load("slide:2x4").model()
    goal, letters, table = goal_positions(model)[0], load("slide:2x4").view.letters, distances("slide:2x4")
    made = []
    for text in ("1 2 3 4/5 6 7", "1 4 5/2 3 6 7", "1 2 3 4/5 6 7+pattern:1 4 5/2 3 6 7"):
        asked = Search(model, goal, (goal,), every=False, heuristic=f"pattern:{text}", letters=letters)
        found = {start: deepening.search(replace(asked, start=start), Watch()) for start in list(table)[-400::80]}
        assert all(answer.bound == table[start] for start, answer in found.items())
        made.append(sum(answer.generated for answer in found.values()))
    assert made[2] < min(made[:2])


def test_ways_to_group_are_looked_up_once():
    model = load("slide:4x4").model()
    board, goal = slides.read(model), bytes(range(16))
    pieces = labels.read(board, goal, goal, tell_apart=False)
    rows, columns = (
        ((0, 1, 2), (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)),
        ((3, 7, 11), (0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14)),
    )
    square = ((0, 3, 4), (1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14))
    for ways, images, tables in (
        ((rows,), 2, 2),
        ((square,), 1, 2),
        ((rows, rows), 2, 2),
        ((rows, columns), 2, 4),
        ((rows, square), 3, 4),
    ):
        base = Database(board, goal, pieces, ways[0], ways[1:])
        assert (len(base.images), len(base.patterns)) == (images, tables)


def test_pieces_of_groups_are_read_with_their_place():
    letters = ((".",), ("a",), ("b", "c"), ("d",))
    assert spelling.numbered("walking+pattern:a d/b c", letters) == "walking+pattern:#1#3/#2"
    assert spelling.numbered("pattern:ad/b", letters) == "pattern:#1#3/#2"
    assert spelling.numbered("max:walking,pattern:a/b c", letters) == "walking+pattern:#1/#2"
    assert spelling.numbered("pattern:2-1+distance", letters) == "pattern:2-1+distance"
    assert spelling.divisions("pattern:#1#3/#2+pattern:2-1") == (((1, 3), (2,)), (2, 1))
    for text, said in (
        ("distance+pattern:a/x", "column 20: expected a piece of the puzzle, found 'x'"),
        ("pattern:a b/c", "column 13: expected each piece in one group, found 'c' in two"),
        ("pattern:a//b", "column 11: expected pieces of a group, found none"),
    ):
        with pytest.raises(InputError, match=said):
            spelling.numbered(text, letters)
    with pytest.raises(UnsupportedError, match="one cell"):
        questions.solve("goat", engine="idastar", heuristic="pattern:A")


def test_groups_of_the_sizes_asked_for_with_several_blanks():
    model = slide(grid_edges(3, 3), (1, 2, 3, 4, 5, 5, 4, 0, 0), (1, 2, 3, 4, 5, 5, 4, 0, 0))
    board = slides.read(model)
    made = slide_heuristic("pattern:3-2", board, model.goals, model.start)
    assert made.symbols == ((1, 2, 3), (4,))
    assert slide_heuristic("pattern:#1#4/#3", board, model.goals, model.start).symbols == ((1, 4), (3,))
    assert all(made.bound(position) <= depth for position, depth in list(distances_of(model).items())[::11])
    for sizes, said in (("4", "equal pieces"), ("7", "20,000"), ("3-2-1", "equal pieces")):
        with pytest.raises(UnsupportedError, match=said):
            slide_heuristic(f"pattern:{sizes}", board, model.goals, model.start)
    joint = load("eight").model("multi")
    with pytest.raises(UnsupportedError, match="several pieces"):
        slide_heuristic("pattern:4-4", slides.read(joint), joint.goals, joint.start)


KORF = {row["id"]: row for row in csv.DictReader((DATA / "korf15.csv").read_text().splitlines())}


@pytest.mark.parametrize("heuristic", ["pattern", "walking+inversion", "walking", "inversion"])
def test_lengths_of_korfs_positions(heuristic):
    model = load("slide:4x4").model()
    for number in ("12", "42", "79", "55") if heuristic == "pattern" else ("12", "79"):
        start = bytes(int(KORF[number][f"t{cell}"]) for cell in range(16))
        question = Search(model, start, (bytes(range(16)),), every=False, heuristic=heuristic)
        found = deepening.search(question, Watch())
        assert found.bound == int(KORF[number]["optimal_length"])


@pytest.mark.parametrize("heuristic", ["assignment", "pattern", "walking", "inversion", "walking+inversion"])
def test_every_solution_with_every_bound(heuristic):
    model = load("eight").model()
    rng, table = random.Random(7), near(model, 16)
    for depth in (12, 14, 16):
        position = rng.choice([position for position, moves in table.items() if moves == depth])
        question = Search(model, position, goal_positions(model), heuristic=heuristic)
        assert deepening.search(question, Watch()).layers == plain.search(question, Watch()).layers


@cache
def all_solutions(name):
    """The positions on all shortest solutions, by the plain engine."""
    model = load(name).model()
    return plain.search(Search(model, model.start, goal_positions(model)), Watch(Limits(positions=400_000))).layers


@pytest.mark.parametrize("heuristic", ["distance", "assignment", "pattern"])
def test_like_pieces_and_blocks_with_every_bound(heuristic):
    for name in ("line", "goat"):
        model = load(name).model()
        question = Search(model, model.start, goal_positions(model), heuristic=heuristic)
        assert deepening.search(question, Watch()).layers == all_solutions(name)


def test_larger_tables_go_on_where_small_ones_stop():
    model, rng = load("slide:3x4").model(), random.Random(5)
    goal = position = goal_positions(model)[0]
    for _ in range(300):
        position = rng.choice(sorted(model.moves(position)))
    small = Thresholds({SMALL_TABLES: 100_000, BELOW_SMALL: 1 << 30})
    question = Search(model, position, (goal,), every=False)
    quick = deepening.search(question, Watch(thresholds=small))
    told = []
    less = small | {BELOW_SMALL: quick.generated // 2}
    both = deepening.search(question, Watch(report=told.append, thresholds=less))
    assert both.bound == quick.bound == deepening.search(replace(question, heuristic="distance"), Watch()).bound
    assert both.generated > quick.generated // 2
    assert [each.layer for each in told] == sorted(each.layer for each in told)
    stopped = deepening.search(question, Watch(Limits(positions=quick.generated // 4), thresholds=less))
    assert stopped.stopped.kind == "positions"


def test_goats_hard_start():
    model = load("goat-hard").model()
    found = deepening.search(Search(model, model.start, goal_positions(model)), Watch())
    assert found.bound == 52
    assert found.generated < 20_000_000


def test_all_of_korfs_positions_have_their_published_lengths():
    model = load("slide:4x4").model()
    total = 0
    for row in KORF.values():
        start = bytes(int(row[f"t{cell}"]) for cell in range(16))
        question = Search(model, start, (bytes(range(16)),), every=False, heuristic="pattern")
        found = deepening.search(question, Watch())
        assert found.bound == int(row["optimal_length"]), row["id"]
        total += found.bound
    assert total == 5305


@pytest.mark.parametrize("heuristic", ["distance", "walking+inversion", "pattern"])
def test_a_limit_of_positions_stops_every_loop(heuristic):
    model = load("slide:4x4").model()
    start = bytes(int(KORF["88"][f"t{cell}"]) for cell in range(16))
    question = Search(model, start, (bytes(range(16)),), every=False, heuristic=heuristic)
    found = deepening.search(question, Watch(Limits(positions=50_000)))
    assert found.stopped.kind == "positions"
    assert found.generated <= 50_000 + 4, "all moves of a position are generated at once"
    assert 40 < found.bound <= int(KORF["88"]["optimal_length"])


def test_many_blanks_are_one_symbol_where_like_pieces_are_told_apart():
    text = "rule: slide\ncount: step\nstart:\n  A . . .\n  . . . .\n  . . . B\ngoal:\n  B . . .\n  . . . .\n  . . . A\n"
    model = from_text(text, "blanks.pzl").model("step")
    goal = goal_positions(model)[0]
    told = assignment.swap_parities(slides.read(model), goal)
    assert isinstance(told, tuple)
    question = Search(model, model.start, (goal,), heuristic="assignment")
    assert len(deepening.search(question, Watch()).layers) == len(plain.search(question, Watch()).layers) == 11
