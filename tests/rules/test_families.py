"""Puzzles by size: known numbers, sizes out of bounds, and the template for a new family."""

from dataclasses import replace
from itertools import product

import pytest

from puzzlespace.analysis import impossible
from puzzlespace.api import dispatch
from puzzlespace.api.loader import load
from puzzlespace.api.questions import read_position, solve, with_start
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import plain
from puzzlespace.errors import FormatError, InputError
from puzzlespace.families import template
from puzzlespace.heuristics import pieces
from puzzlespace.limits.watch import Watch
from puzzlespace.puzzle.draft import Draft
from puzzlespace.puzzle.puzzle import Puzzle
from puzzlespace.registry import FAMILIES, build, from_spec

SMALL = 70_000
"""Examples up to this many positions are counted by the plain engine in every run, larger ones with `-m long`."""

EXAMPLES = [(family.name, size, family.examples[size]) for family in FAMILIES for size in family.examples]


def found(puzzle, metric):
    """The numbers that come out for a puzzle in one metric, by what they are."""
    model = puzzle.model(metric)
    goals = impossible.goal_positions(model)
    numbers = {}
    if model.reversible:
        counts = dispatch.depths(Depths(model, goals), Watch())[1].counts
        numbers |= {"states": sum(counts), "depth": len(counts) - 1, "hardest": counts[-1]}
    if model.start is not None:
        layers = dispatch.search(Search(model, model.start, goals), Watch())[1].layers
        numbers["solution"] = len(layers) - 1
    return numbers


def cases(wanted):
    return [
        pytest.param(name, size, known, id=f"{name}:{size}")
        for name, size, known in EXAMPLES
        if (max((each.value for each in known if each.what == "states"), default=0) <= SMALL) == wanted
        and name != "peg"
    ]


def check(name, size, known):
    puzzle = from_spec(f"{name}:{size}")
    for metric in {each.metric for each in known}:
        numbers = found(puzzle, metric)
        for each in known:
            if each.metric == metric and each.what != "solutions":
                assert numbers[each.what] == each.value, f"{each}"


@pytest.mark.parametrize(("name", "size", "known"), cases(True))
def test_known_numbers_of_small_sizes(name, size, known):
    check(name, size, known)


@pytest.mark.long
@pytest.mark.parametrize(("name", "size", "known"), cases(False))
def test_known_numbers_of_large_sizes(name, size, known):
    check(name, size, known)


@pytest.mark.parametrize(("size", "metric", "moves"), [("star13", "chain", 7), ("star13", "step", 11)])
def test_pegs(size, metric, moves):
    model = from_spec(f"peg:{size}").model(metric)
    assert len(plain.search(Search(model, model.start), Watch()).layers) - 1 == moves


def test_the_triangle_needs_ten_chains_from_its_top():
    model = from_spec("peg:triangle15").model()
    assert len(plain.search(Search(model, model.start), Watch()).layers) - 1 == 10


COUNTS = {
    "burnt:5": (1, 5, 20, 80, 280, 680, 1214, 1127, 389, 40, 4),
    "topspin:8,4": (1, 3, 6, 12, 23, 44, 85, 148, 244, 389, 621, 996, 1584, 2484, 3764, 5452, 6968, 7138, 6292, 3036,
                    848, 166, 16),
    "lrx:7": (1, 3, 6, 12, 22, 42, 73, 124, 203, 303, 425, 559, 678, 713, 746, 611, 355, 122, 28, 10, 3, 1),
    "lights:4x4": (1, 16, 120, 560, 1387, 1440, 540, 32),
    "hanoi:4,5": (1, 3, 6, 12, 30, 30, 66, 96, 126, 204, 282, 126, 36, 6),
}  # fmt: skip


@pytest.mark.parametrize("spec", COUNTS)
def test_every_layer_has_its_published_size(spec):
    model = from_spec(spec).model()
    (goal,) = impossible.goal_positions(model)
    assert plain.depths(Depths(model, (goal,)), Watch()).counts == COUNTS[spec]


@pytest.mark.parametrize(
    ("spec", "metric", "layers"),
    [
        ("cube:2", "run", (1, 9, 54, 321, 1847)),
        ("cube:2", "step", (1, 6, 27, 120, 534, 2256)),
        ("cube:3", "run", (1, 18, 243)),
        ("cube:3", "step", (1, 12, 114)),
    ],
)
def test_cubes_begin_as_published(spec, metric, layers):
    model = from_spec(spec).model(metric)
    layer, seen = set(impossible.goal_positions(model)), set()
    for size in layers:
        assert len(layer) == size
        seen |= layer
        layer = {child for position in layer for child in model.moves(position)} - seen


def test_the_pieces_of_the_cube_of_three_can_be_put_together_in_twelve_times_as_many_ways_as_moves_lead_to():
    cube = from_spec("cube:3")
    found = pieces.read(cube.model("step"), cube.goals[0].position)
    assert not isinstance(found, str)
    assert found.arrangements == 12 * 43_252_003_274_489_856_000
    assert {cube.board.names[cell][1] for cell in range(54)} - {
        cube.board.names[cell][1] for rule in cube.rules for cell in rule.cells
    } == {"5"}


def test_moves_lead_to_a_position_from_the_goal():
    cube = load("cube:3")
    scrambled = read_position(cube, "R U R' U'")
    answer = solve(with_start(cube, "R U R' U'"))
    assert (answer.moves, answer.names) == (4, ("U", "R", "U'", "R'"))
    for text in ("R U R3 U3", "R U\nR' U3", "R U R'1 U'", " R U R1' U'"):
        assert read_position(cube, text) == scrambled
    assert read_position(cube, "R2' U4") == read_position(cube, "R2")


@pytest.mark.parametrize(
    ("spec", "text", "error"),
    [
        ("cube:3", "R U\nR X2", r"position:2:3: expected a move \(U, D, R, L, F, B, U', .*, B'\), found 'X2'"),
        ("cube:3", "X R U", "expected 9 rows, found 1"),
        ("cube:3", "R U0", "expected a move"),
        ("eight", "right 2", r"expected a move \(5 down, 3 right, 1 left\), found 'right 2'"),
        ("pancake:5", "2 3", "expected 5 places in row 1, found 2"),
        ("hanoi:3,2", "2:A-B", "the move 2:A-B is not possible"),
        ("no-moves", "a", "moves lead to a position only from a goal that is one position"),
    ],
)
def test_a_word_that_is_no_move_is_named(spec, text, error):
    puzzle = load(spec) if spec != "no-moves" else replace(load("lights:2x2"), goals=())
    with pytest.raises(FormatError, match=error):
        read_position(puzzle, "a1 b1" if spec == "no-moves" else text)


def test_three_stickers_of_the_cube_stay():
    cube = from_spec("cube:2")
    touched = {cube.board.names[cell] for rule in cube.rules for cell in rule.cells}
    assert set(cube.board.names) - touched == {"D3", "L3", "B4"}


WRONG = {
    "slide:4": "puzzle: expected slide:WxH with W from 1 to 15, H from 1 to 15, found 'slide:4'",
    "slide:99x4": "puzzle: expected slide:WxH with W from 1 to 15, H from 1 to 15, found 'slide:99x4'",
    "slide:": "puzzle: expected slide:WxH with W from 1 to 15, H from 1 to 15, found 'slide:'",
    "flip:axb": "puzzle: expected flip:WxH with W from 1 to 15, H from 1 to 15, found 'flip:axb'",
    "pancake:1": "puzzle: expected pancake:N with N from 2 to 60, found 'pancake:1'",
    "burnt:x": "puzzle: expected burnt:N with N from 1 to 60, found 'burnt:x'",
    "topspin:8": "puzzle: expected topspin:N,K with N from 3 to 60, K from 2 to 60, found 'topspin:8'",
    "topspin:4,5": "puzzle: expected topspin:N,K with K up to N, found 'topspin:4,5'",
    "lrx:²": "puzzle: expected lrx:N with N from 3 to 60, found 'lrx:²'",
    "lights:0x3": "puzzle: expected lights:WxH with W from 1 to 25, H from 1 to 25, found 'lights:0x3'",
    "cube:4": "puzzle: expected cube:N with N from 2 to 3, found 'cube:4'",
    "hanoi:2,3": "puzzle: expected hanoi:PEGS,DISKS with PEGS from 3 to 20, DISKS from 1 to 60, found 'hanoi:2,3'",
    "peg:moon": (
        "puzzle: expected peg:BOARD with one of english33, french37, wiegleb45, diamond41, triangle15, star13, "
        "found 'peg:moon'"
    ),
}


@pytest.mark.parametrize("spec", WRONG)
def test_sizes_out_of_bounds_say_the_form(spec):
    with pytest.raises(InputError) as caught:
        from_spec(spec)
    assert str(caught.value) == WRONG[spec]


def test_an_unknown_family_lists_the_known_ones():
    with pytest.raises(InputError, match=r"expected one of cube:N, flip:WxH, .* slide:WxH, found 'chess:8x8'"):
        from_spec("chess:8x8")


@pytest.mark.parametrize("family", [*FAMILIES, template.FAMILY], ids=lambda family: family.name)
def test_a_family_says_what_it_makes(family):
    assert family.form.startswith(f"{family.name}:")
    assert family.title
    for size, known in family.examples.items():
        made = family.make(size)
        assert isinstance(made, Draft | Puzzle)
        assert known
        assert all(each.source for each in known)


@pytest.mark.parametrize("spec", ["slide:1x1", "slide:15x15", "flip:1x1", "lights:1x1", "burnt:1", "hanoi:3,1"])
def test_the_least_and_the_greatest_sizes_build(spec):
    model = from_spec(spec).model()
    assert len(impossible.goal_positions(model)) == 1


def test_the_template_is_a_working_family():
    (size,) = template.FAMILY.examples
    puzzle = build(template.make(size), f"bits:{size}")
    numbers = found(puzzle, "")
    for each in template.FAMILY.examples[size]:
        assert numbers[each.what] == each.value


@pytest.mark.parametrize("family", [each for each in FAMILIES if each.sliders], ids=lambda family: family.name)
def test_every_size_of_the_gallery_is_a_puzzle(family):
    sizes = product(*(range(low, high + 1) for low, high, _ in family.sliders))
    specs = [family.spec(size) for size in sizes]
    assert [from_spec(spec).name for spec in specs] == specs
