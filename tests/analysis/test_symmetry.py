"""Symmetries against every renaming of small boards, known orders, and what each generator must do everywhere."""

from functools import cache
from itertools import permutations, product
from random import Random

import pytest

from puzzlespace import catalogue
from puzzlespace.analysis.impossible import goal_positions, placements
from puzzlespace.api import questions
from puzzlespace.api.loader import from_text, load
from puzzlespace.errors import InputError, LimitError
from puzzlespace.model.facts import symbol_classes
from puzzlespace.model.goal import Goal
from puzzlespace.model.metric import Metric
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule, only
from puzzlespace.registry import FAMILIES
from puzzlespace.symmetry import classes, cycles, symmetries
from toys import eight, flips, grid_edges, links, pegs, ring, slide, turns

SPECS = [f"{family.name}:{example}" for family in FAMILIES for example in family.examples]
NAMES = [*catalogue.names(), *SPECS]


def renamings(model):
    return product(permutations(range(model.cells)), permutations(range(model.symbols)))


def renamed(position, cells, symbols):
    image = bytearray(len(position))
    for cell, symbol in enumerate(position):
        image[cells[cell]] = symbols[symbol]
    return bytes(image)


def by_brute_force(model, start=False):
    """Every renaming that keeps rules, metric and goals, each looked at as what it does to every position there is."""
    every = [bytes(p) for p in product(range(model.symbols), repeat=model.cells)]
    does = [tuple(rule.apply(p) for p in every) for rule in model.rules]
    after = [{does[f] for f in followers} for followers in model.followers]
    goals = {p for p in every if model.is_goal(p)}
    kinds = symbol_classes(model.rules, model.symbols)
    stock = [sum(kinds[s] == kind for s in model.start or b"") for kind in kinds]
    rules = dict(zip(does, after, strict=True))
    found = set()
    for cells, symbols in renamings(model):
        if any(stock[symbols[s]] != stock[s] for s in range(model.symbols)):
            continue
        image = {p: renamed(p, cells, symbols) for p in every}
        if {image[p] for p in goals} != goals or (start and image[model.start] != model.start):
            continue
        moved = {}
        for each in does:
            children = dict(zip((image[p] for p in every), each, strict=True))
            moved[each] = tuple(children[p] and image[children[p]] for p in every)
            if moved[each] not in rules:
                break
        else:
            if all({moved[f] for f in followers} == rules[moved[r]] for r, followers in rules.items()):
                found.add((cells, symbols))
    return found


def two_pieces(count):
    edges = grid_edges(3, 2)
    return slide(edges, (1, 2, 0, 0, 0, 0), (0, 0, 0, 0, 2, 1), count)


def open_goal(model, need, counts=()):
    return Model(model.cells, model.symbols, model.rules, model.metric, model.start, (Goal(need, counts),))


LINE = [(a, a + 1, a + 2) for a in range(3)]
SMALL = {
    "ring of 5": ring(5),
    "ring of 6": ring(6),
    "pegs in a row": pegs(LINE, (0, 1, 1, 1, 1)),
    "pegs in a ring": pegs([(a, (a + 1) % 6, (a + 2) % 6) for a in range(6)], (0, 1, 1, 1, 1, 1), "chain"),
    "flips 2x2": flips(2, 2),
    "flips 3x2": flips(3, 2),
    "turns": turns(4, [(1, 2, 3, 0), (1, 0, 2, 3)]),
    "turns in runs": turns(4, [(1, 2, 3, 0)], "run"),
    "3 tiles": slide(grid_edges(2, 2), (1, 2, 3, 0), (0, 1, 2, 3)),
    "2 tiles in 6 cells": two_pieces("step"),
    "2 tiles in runs": two_pieces("run"),
    "goal left open": open_goal(two_pieces("step"), (ANY, ANY, ANY, ANY, only(2), ANY)),
    "goal counted": open_goal(pegs(LINE, (0, 1, 1, 1, 1)), (ANY, ANY, only(1), ANY, ANY), ((1, 1),)),
    "two of one piece": open_goal(slide(grid_edges(2, 2), (1, 1, 2, 0), (0,) * 4), (ANY,) * 4),
}


@pytest.mark.parametrize("start", [False, True])
@pytest.mark.parametrize("name", SMALL)
def test_every_renaming_of_small_boards(name, start):
    model = SMALL[name]
    group = symmetries(model, start)
    found = {(each.cells, each.symbols) for each in group.elements()}
    assert group.complete
    assert found == by_brute_force(model, start)
    assert len(found) == group.order


@pytest.mark.parametrize("name", ["theta", "ring", "slide:3x2"])
def test_every_renaming_of_the_cells_where_the_goal_tells_the_symbols(name):
    model = load(name).model()
    (goal,) = goal_positions(model)
    edges = {rule.cells for rule in model.rules}
    order = 0
    for cells in permutations(range(model.cells)):
        symbols = dict(zip(goal, (goal[cell] for cell in cells), strict=True))
        if symbols[0] == 0 and {(cells[a], cells[b]) for a, b in edges} == edges:
            order += 1
    assert symmetries(model).order == order


BLOCKS = """rule: slide
blocks: all
count: {}
start:
  {}
goal:
  {}
"""


@pytest.mark.parametrize("count", ["step", "run", "piece"])
@pytest.mark.parametrize(
    ("start", "goal", "order"),
    [
        ("AA.\n  BB.\n  ...", "...\n  .AA\n  .BB", 1),
        ("AAC\n  BBD\n  ...", "***\n  ***\n  ***", None),
        ("AA.\n  ..B", ".AA\n  B..", None),
        ("A.\n  A.\n  BB", "BB\n  *A\n  *A", None),
        ("AAB\n  A..\n  ..C", "***\n  *AA\n  *A*", None),
        ("AAB\n  AA.\n  ..C", "***\n  AA*\n  AA*", None),
    ],
)
def test_blocks_against_every_renaming_of_the_cells(start, goal, order, count):
    """What a renaming does is worked out from drawings: pieces as sets of cells."""
    model = from_text(BLOCKS.format(count, start, goal), "blocks.pzl").model()
    every = list(placements(model))
    drawn = {p: drawing(model, p) for p in every}
    back = {picture: p for p, picture in drawn.items()}
    moves = {p: set(model.moves(p)) for p in every}
    goals = {p for p in every if model.is_goal(p)}
    body = model.shapes.body
    wanted = set()
    for symbols in permutations(range(model.symbols)):
        for cells in permutations(range(model.cells)) if symbols[body] == body and model.cells < 8 else ():
            image = {p: back.get(moved(drawn[p], cells, symbols)) for p in every}
            if None in image.values() or {image[p] for p in goals} != goals:
                continue
            if all({image[child] for child in moves[p]} == moves[image[p]] for p in every):
                wanted.add(tuple(image[p] for p in every))
    group = symmetries(model)
    found = {tuple(each.apply(p) for p in every) for each in group.elements()}
    assert group.complete
    assert order in (None, group.order)
    for each in group.elements():
        assert all(drawing(model, each.apply(p)) == moved(drawn[p], each.cells, each.symbols) for p in every)
        assert all({each.apply(child) for child in moves[p]} == set(model.moves(each.apply(p))) for p in every)
    if model.cells < 8:
        assert found == wanted


def moved(picture, cells, symbols):
    return frozenset((symbols[symbol], frozenset(cells[cell] for cell in where)) for symbol, where in picture)


def drawing(model, position):
    covers = model.shapes.covers
    pieces = [(s, c) for c, s in enumerate(position) if s != model.shapes.body]
    return frozenset((symbol, frozenset({cell, *covers[symbol][cell]})) for symbol, cell in pieces)


KNOWN = {
    "eight": (2, 1), "flip3": (8, 2), "hexagram": (2, 2), "star13": (8, 8), "klotski": (2, 2), "lights5": (8, None),
    "cube:2": (6, None), "theta": (4, 4), "line": (8, 8), "peg:english33": (8, 8), "peg:triangle15": (6, 2),
    "goat": (1, 1), "rush60": (1, 1), "flip:4x4": (128, None), "flip:5x5": (128, None), "lights:10x10": (8, None),
    "slide:8x8": (2, None),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_known_orders(name):
    model = load(name).model()
    order, with_start = KNOWN[name]
    assert symmetries(model).order == order
    assert with_start is None or symmetries(model, start=True).order == with_start


@cache
def walk(name):
    """Some positions of a puzzle, by chance from its start or goal."""
    model = load(name).model()
    random = Random(2026)
    position = model.start if model.start is not None else goal_positions(model)[0]
    found = [position]
    for _ in range(15):
        position = random.choice(sorted(model.moves(position)) or [position])
        found.append(position)
    return found


CASES = [(name, metric) for name in NAMES for metric in load(name).metrics]


@pytest.mark.parametrize("start", [False, True])
@pytest.mark.parametrize(("name", "metric"), CASES)
def test_the_moves_of_an_image_are_the_images_of_the_moves(name, metric, start):
    model = load(name).model(metric)
    group = symmetries(model, start)
    assert group.complete
    for each in (*group.generators, group.identity):
        undo = each.inverse()
        assert undo.compose(each) == each.compose(undo) == group.identity
        for position in walk(name):
            image = each.apply(position)
            assert undo.apply(image) == position
            assert model.is_goal(image) == model.is_goal(position)
            assert {each.apply(child) for child in model.moves(position)} == set(model.moves(image))
            for rule, child in model.steps(position):
                assert model.rules[each.rules[rule]].apply(image) == each.apply(child)
        assert not start or model.start is None or each.apply(model.start) == model.start


@pytest.mark.parametrize("name", ["flip3", "klotski", "cube:2", "hanoi:4,5", "flip:4x3"])
def test_a_group_is_closed_and_has_its_order(name):
    group = symmetries(load(name).model())
    every = set(group.elements())
    assert len(every) == group.order
    assert group.elements()[0] == group.identity
    assert {a.compose(b) for a in every for b in every} == every
    position = walk(name)[-1]
    assert (every.pop().compose(every.pop()).apply(position)) in group.orbit(position)


def test_tiles_left_open_may_be_renamed_as_one_likes():
    model = open_goal(eight(), (only(1), *[ANY] * 8))
    group = symmetries(model)
    assert group.order == 2 * 5040
    assert symmetries(Model(9, 9, model.rules)).order == 8 * 40320
    assert group.canonical(model.start) == min(each.apply(model.start) for each in group.elements())


def test_orbits_and_canonical_positions():
    model = load("flip3").model()
    group = symmetries(model)
    hardest = questions.depths("flip3").hardest
    found = group.orbits(hardest)
    assert sorted(sum(found, ())) == sorted(hardest)
    assert [len(each) for each in found] == [4, 4]
    assert [each[0] for each in found] == sorted(each[0] for each in found)
    for each in found:
        assert len({group.canonical(position) for position in each}) == 1
    assert len({group.canonical(position) for position in hardest}) == 2


@pytest.mark.parametrize(
    ("name", "origin", "count", "wanted"),
    [("flip3", "goal", 8, 2), ("eight", "goal", 2, 1), ("hexagram", "goal", 7, 4), ("no-off-a", "goal", 3, 3),
     ("hexagram", "start", 7, 4), ("line", "goal", 6, 3), ("lights:3x3", "goal", 1, 1)],
)  # fmt: skip
def test_hardest_positions_up_to_symmetry(name, origin, count, wanted):
    table = questions.depths(name, origin=origin, keep=3)
    assert (table.counts[-1], table.classes) == (count, wanted)
    assert len(table.hardest) == min(count, 3)
    each = questions.depths(name, origin=origin, classes=True, keep=100)
    assert len(each.hardest) == each.classes == wanted
    assert questions.depths(name, origin=origin, keep=0).classes is None
    model = load(name).model()
    if origin == "start":
        model = Model(model.cells, model.symbols, model.rules, model.metric, goals=(Goal.exactly(model.start),))
    elements = symmetries(model).elements()
    every = questions.depths(name, origin=origin, keep=100).hardest
    assert len({min(each.apply(position) for each in elements) for position in every}) == wanted


def test_positions_of_one_class_are_equally_far():
    model = load("star13").model()
    puzzle = load("star13")
    (found,) = classes(model, list(model.moves(model.start)), "start")
    assert len({questions.distance(puzzle, position).distance for position in found}) == 1


def test_a_search_that_gives_up_says_so():
    model = load("lights5").model()
    none, *some = (symmetries(model, work=work) for work in (1, *range(500, 8000, 250)))
    assert (none.order, none.complete, none.generators) == (1, False, ())
    assert {(each.order, each.complete) for each in some} >= {(1, False), (2, False), (8, True)}
    assert all(len(each.elements()) == each.order for each in some)


def test_groups_too_large_to_walk_through():
    group = symmetries(Model(9, 9, eight().rules))
    with pytest.raises(LimitError, match="322,560 symmetries, more than 50,000"):
        group.elements()
    with pytest.raises(LimitError, match="too many others"):
        group.orbit(bytes(range(9)), 1000)
    assert classes(Model(9, 9, eight().rules), [bytes(range(9)), bytes([1, 0, *range(2, 9)])], "goal") is None


def test_rules_that_cannot_be_compared_have_no_group():
    rule = Rule("a", (0, 1), (1, 2), (1, 0), (None, None))
    twice = Model(2, 2, (rule, Rule("b", (0, 1), (1, 2), (1, 0), (None, None))), Metric("run", ((0,), ())))
    assert not symmetries(twice).complete
    klotski = load("klotski").model()
    body = Goal((only(klotski.shapes.body), *[ANY] * 19))
    half = Model(20, 6, klotski.rules, klotski.metric, klotski.start, (body,), klotski.shapes)
    assert (symmetries(half).order, symmetries(half).complete) == (1, False)
    assert classes(half, [klotski.start, klotski.start], "goal") is None


def test_cycles():
    assert cycles((1, 2, 0, 3, 5, 4)) == ((0, 1, 2), (4, 5))


def test_the_start_can_only_be_kept_where_there_is_one():
    assert questions.symmetries("star13", start=True).order == 8
    with pytest.raises(InputError, match="lights:3x3: expected a start to keep, found none"):
        questions.symmetries("lights:3x3", start=True)


def test_a_piece_on_links_in_a_path():
    model = slide(links((0, 1), (1, 2), (2, 3)), (1, 0, 0, 0), (0, 0, 0, 1), "piece")
    assert symmetries(model).order == 1
    assert symmetries(open_goal(model, (ANY,) * 4)).order == 2
