"""Peg solitaire: the engine `pegs` against the plain one, colouring by thirds, counts up to symmetry, known figures."""

import csv
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from math import factorial
from pathlib import Path
from random import Random

import numpy as np
import pytest

from peg_boards import DIAGONAL, LATTICE, ORTHOGONAL, board, problem
from places import DATA, SUPPORT
from puzzlespace.analysis import paths, thirds
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api import peg_survey, questions
from puzzlespace.api.loader import from_text, load
from puzzlespace.bounds.pegs import PegBound
from puzzlespace.bounds.pegs import read as peg_jumps
from puzzlespace.contract.answers import LISTED_WAYS, Status
from puzzlespace.contract.questions import Depths, Prospect, Search, WantedLayers
from puzzlespace.engines import pegs, plain
from puzzlespace.engines.pegs import beam, chains, layer_counts
from puzzlespace.engines.pegs.beam import WidthError
from puzzlespace.engines.pegs.layers import PegField, Pusher
from puzzlespace.engines.pegs.values import COUNT
from puzzlespace.errors import InputError, LimitError, UnsupportedError
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.rule import only
from puzzlespace.structure.jumps import Jumps, read

CROSS = ("~ooo~", "ooooo", "~ooo~", "~~o~~")
HOOK = ("oooo~", "oo~o~", "ooooo")
BOARDS = {
    "cross": (CROSS, ORTHOGONAL),
    "hook": (HOOK, ORTHOGONAL),
    "lattice": (CROSS, LATTICE),
    "diagonal": (HOOK, DIAGONAL),
    "row": (("ooooooo",), ORTHOGONAL),
    "two rows": (("oooooo", "~~~~~~", "ooooo~"), ORTHOGONAL),
}


def peg_boards():
    return [pytest.param(*BOARDS[name], id=name) for name in BOARDS]


def handed(engine, model, first, last):
    """What an engine hands over of some layers, and what it answers."""
    taken = {}

    def take(depth, blocks):
        taken[depth] = sorted(bytes(position) for block in blocks for position in block)

    found = engine.depths(Depths(model, (model.start,), 3, wanted=WantedLayers(take, first, last)), Watch())
    return taken, found.counts, found.complete, found.deepest


@pytest.mark.parametrize("metric", ["step", "chain"])
@pytest.mark.parametrize(("rows", "ways"), peg_boards())
def test_layers_are_handed_over_like_those_of_the_plain_engine(rows, ways, metric, monkeypatch):
    monkeypatch.setattr(layer_counts, "AT_ONCE", 3 if metric == "chain" else 512)
    model = board(rows, ways).model(metric)
    for first, last in ((0, 0), (1, 2), (2, None), (3, 90)):
        ours = handed(pegs, model, first, last)
        assert ours == handed(plain, model, first, last)
        assert set(ours[0]) == {*range(first, len(ours[1]))}
    none = replace(model, start=bytes(model.cells))
    assert handed(pegs, none, 0, 0) == handed(plain, none, 0, 0)


def test_layers_that_are_known_only_at_the_end_are_left_to_others():
    wanted = WantedLayers(lambda depth, blocks: None, 1, 1)
    for spec, metric, reason in (
        ("english", "chain", True),
        ("english", "step", False),
        ("peg:wiegleb45", "step", True),
    ):
        model = load(spec).model(metric)
        prospect = Prospect(Watch(), lambda: 0)
        asked = Depths(model, (model.start,), wanted=wanted)
        assert (pegs.worth(asked, prospect).reason is not None) == reason
        assert pegs.worth(replace(asked, wanted=None), prospect).reason is None


def one_peg(model):
    return Goal((-1,) * model.cells, ((1, 1),))


@pytest.mark.parametrize("metric", ["step", "chain"])
@pytest.mark.parametrize(("rows", "ways"), peg_boards())
def test_depths_agree_with_plain_forwards_and_backwards(rows, ways, metric):
    model = board(rows, ways).model(metric)
    single = bytes([*[0] * (model.cells - 1), 1])
    for space, source in ((model, model.start), (model.backward, single)):
        question = Depths(space, (source,), 5, (one_peg(model), Goal((-1, only(1), *[-1] * (model.cells - 2)))))
        found, expected = (engine.depths(question, Watch()) for engine in (pegs, plain))
        assert (found.counts, found.deepest) == (expected.counts, expected.deepest)
        assert sorted(found.collected) == sorted(expected.collected)


@pytest.mark.parametrize("metric", ["step", "chain"])
@pytest.mark.parametrize(("rows", "ways"), peg_boards())
def test_solutions_agree_with_plain_from_every_third_hole(rows, ways, metric):
    puzzle = board(rows, ways)
    for hole in puzzle.board.names[metric == "chain" :: 3]:
        model = replace(problem(puzzle, hole, hole).model(metric), goals=(one_peg(puzzle.model()),))
        goals = goal_positions(model)
        question = Search(model, model.start, goals)
        found, expected = (engine.search(question, Watch()).layers for engine in (pegs, plain))
        assert found == expected
        one = pegs.search(replace(question, every=False), Watch()).layers
        assert len(one) == len(expected)
        assert all(each <= layer for each, layer in zip(one, expected, strict=True))


def test_goals_of_several_numbers_of_pegs():
    puzzle = board(CROSS)
    for metric, counts in product(("step", "chain"), ((2, 5), (3, 4))):
        goals = tuple(Goal((only(1), *[-1] * (puzzle.board.cells - 1)), ((1, count),)) for count in counts)
        model = replace(puzzle.model(metric), goals=goals)
        question = Search(model, model.start, goal_positions(model))
        assert len(question.goals) > 10
        found, expected = (engine.search(question, Watch()) for engine in (pegs, plain))
        assert found.bound == expected.bound
        assert found.layers == expected.layers


def test_where_solutions_are_too_many_to_list_they_are_counted():
    puzzle, few = load("star13"), Thresholds({LISTED_WAYS: 10})
    question = Search(puzzle.model("step"), puzzle.start, tuple(goal.position for goal in puzzle.goals))
    expected = plain.search(question, Watch())
    found = pegs.search(question, Watch(thresholds=few))
    assert found.solutions == paths.count_paths(question.space, expected.layers) == 5664
    assert [len(layer) for layer in found.layers] == [1] * len(expected.layers)
    engine = replace(pegs.ENGINE, search=lambda asked, _: pegs.search(asked, Watch(thresholds=few)))
    answer = questions.solve(puzzle, metric="step", engine=engine, count=True)
    assert (answer.solutions, answer.solutions_symmetry) == (5664, None)
    with pytest.raises(LimitError, match="too many to list"):
        next(questions.solutions(puzzle, metric="step", engine=engine))
    assert pegs.search(replace(question, space=puzzle.model("chain")), Watch(thresholds=few)).stopped is not None


@pytest.mark.parametrize(("rows", "ways"), peg_boards()[:4])
def test_positions_are_counted_up_to_symmetry_as_by_hand(rows, ways):
    puzzle = board(rows, ways)
    for hole in puzzle.board.names[::3]:
        asked = replace(problem(puzzle, hole, hole), goals=(one_peg(puzzle.model()),))
        model = asked.model("step")
        seen, layer = set(), {model.start}
        while layer:
            seen |= layer
            layer = {child for each in layer for child in model.moves(each)}
        group = questions.symmetries(replace(asked, goals=(Goal.exactly(model.start),)), metric="step")
        ways_found = plain.search(Search(model, model.start), Watch()).layers
        found = peg_survey.census(asked)
        assert found.reached == (len(seen), len(group.orbits(seen)))
        both = questions.symmetries(asked, metric="step", start=True)
        on_ways = {each for layer in ways_found for each in layer}
        assert found.on_ways == (len(on_ways), len(both.orbits(on_ways)) if on_ways else 0)
        assert found.ways == (paths.count_paths(model, ways_found) if ways_found else 0)


def test_more_symmetries_than_are_used_give_no_number_up_to_symmetry():
    lines = [[f"{row}{place}" for place in "123"] for row in "abcde"]
    text = f"""board:
  {" ".join(name for line in lines for name in line)}
rule: jump
lines: {" ".join(map("-".join, lines))}
start: {"o o . " * 5}
goal: {". . o " * 5}
"""
    asked = from_text(text, "rows.pzl")
    model = asked.model("step")
    group = questions.symmetries(asked, metric="step", start=True)
    assert group.order == factorial(5)
    found = peg_survey.census(asked)
    assert (found.reached, found.on_ways, found.ways) == ((32, None), (32, None), factorial(5))
    right = plain.depths(Depths(model, (model.start,), 10), Watch())
    for metric in ("step", "chain"):
        table = pegs.depths(Depths(asked.model(metric), (model.start,), 10), Watch())
        assert (table.counts, table.deepest) == (right.counts, right.deepest)
    outcomes = list(peg_survey.problems(asked))
    assert sum(len(each.alike) for each in outcomes) == 15 * 15


@pytest.mark.parametrize(("rows", "ways"), peg_boards())
def test_colouring_by_thirds_rules_out_what_sums_modulo_2_do(rows, ways):
    puzzle = board(rows, ways)
    jumps = read(puzzle.model("step"))
    assert isinstance(jumps, Jumps)
    names = puzzle.board.names
    excluded = 0
    for hole, last in product(names[::2], names):
        asked = problem(puzzle, hole, last)
        model, goal = asked.model("step"), asked.goals[0].position
        reason = thirds.reason(model, asked.start, [goal], names, [".", "o"])
        if reason is not None:
            excluded += 1
            assert jumps.bound(jumps.word(asked.start)) != jumps.bound(jumps.word(goal))
            assert plain.search(Search(model, asked.start, (goal,)), Watch(Limits(positions=100_000))).layers == ()
    assert excluded > 0 or not thirds.colourings(puzzle.model())


def test_the_reason_names_the_colours_and_their_pegs():
    answer = questions.solve(problem(board(("ooooooo",)), "c1", "c1"))
    assert answer.reason is not None
    assert answer.reason.kind == "invariant"
    assert answer.reason.text.endswith("on a1 d1 g1 | b1 e1 | c1 f1: start 3 2 1; goal 0 0 1")


def test_a_board_with_a_peg_left_over_in_the_middle_is_ruled_out_at_once():
    french = questions.solve(problem(load("peg:french37"), "d4", "d4"))
    anywhere = questions.solve(replace(load("peg:french37"), start=problem(load("peg:french37"), "d4", "d4").start))
    for answer in (french, anywhere):
        assert (answer.status, answer.reason.kind, answer.generated) == (Status.IMPOSSIBLE, "invariant", 0)
    assert anywhere.reason.text.endswith("start 12 12 12; goals 0 0 1, 0 1 0, 1 0 0")


def test_boards_that_tell_no_thirds():
    assert thirds.colourings(load("star13").model("step")) == []
    assert thirds.colourings(load("eight").model()) == []
    assert len(thirds.colourings(load("peg:english33").model("step"))) == 2


@pytest.mark.parametrize(
    "spec", ["peg:french37", pytest.param("peg:diamond41", marks=pytest.mark.long), "peg:wiegleb45"]
)
def test_one_way_on_large_boards(spec):
    answer = questions.solve(spec, metric="step")
    assert (answer.status, answer.engine) == (Status.OPTIMAL, "pegs")
    assert answer.moves == load(spec).start.count(1) - 1


def test_the_best_of_each_layer_find_what_there_is_or_say_that_they_prove_nothing():
    model = board(CROSS, LATTICE).model("step")
    jumps = read(model)
    field = pegs.field_of(model, jumps, [[model.start], [model.start]])
    word = jumps.word(model.start)
    for bit in range(model.cells):
        goal = jumps.position(1 << bit)
        expected = plain.search(Search(model, model.start, (goal,)), Watch()).layers
        found = beam.find(PegField(jumps, field.places[:1]), word, [1 << bit], (100_000,), Watch())
        assert len(found) == len(expected)
    with pytest.raises(WidthError, match="the 1 best"):
        beam.find(PegField(jumps, field.places[:1]), word, [0b11 << 10], (1,), Watch())


def test_what_the_engine_refuses():
    several = load("star13")
    assert pegs.refuses(load("eight").model(), "search") is not None
    assert pegs.refuses(several.model("chain"), "search") is None
    run = replace(several.model("chain"), metric=several.model("chain").metric.__class__("odd", ((0,),) * 32))
    assert "joins other moves" in pegs.refuses(run, "search")
    for metric in ("step", "chain"):
        with pytest.raises(UnsupportedError, match="does not count them"):
            questions.solve("peg:diamond41", metric=metric, engine="pegs", count=True)
    model = load("peg:diamond41").model("chain")
    counted = Search(model, model.start, goal_positions(model), every=True)
    assert "does not count them" in pegs.worth(counted, Prospect(Watch(), int)).reason
    model = several.model("chain")
    with pytest.raises(UnsupportedError, match="differ in their number of pegs"):
        pegs.depths(Depths(model, (model.start, model.goals[0].position)), Watch())


@pytest.fixture(params=["usual", "small"])
def below_a_bound(request, monkeypatch):
    """Every board is searched in layers below a bound; if `small`, with beams and room so small that all is used."""
    monkeypatch.setattr(pegs, "MOST_FREE", -1)
    if request.param == "small":
        small = {"WIDTHS": (1, 3, None), "LARGEST_TABLE": 2, "ROWS": 1, "ROOM": 1, "MOVES_ROOM": 2, "SPARE": 1}
        for name, value in small.items():
            monkeypatch.setattr(chains, name, value)


@pytest.mark.parametrize(("rows", "ways"), peg_boards())
def test_chains_below_a_bound_agree_with_plain(rows, ways, below_a_bound):
    puzzle = board(rows, ways)
    names = puzzle.board.names
    for hole in names[::4]:
        model = problem(puzzle, hole, hole).model("chain")
        for goals in [[bytes(int(name == last) for name in names)] for last in names[::3]]:
            check_chains(model, goals)
        check_chains(model, [bytes(int(name == last) for name in names) for last in names])


def check_chains(model, goals):
    """Hold the engine's solutions, one for each number of pegs, against the plain ones: as long, and made of moves."""
    model = replace(model, goals=tuple(map(Goal.exactly, goals)))
    question = Search(model, model.start, tuple(goals), every=False)
    layers = pegs.search(question, Watch()).layers
    assert len(layers) == len(plain.search(question, Watch()).layers)
    for before, after in pairwise(layers):
        assert after <= {child for position in before for child in model.moves(position)}
    assert not layers or (layers[0] == {model.start} and layers[-1] <= set(goals))


def test_chains_to_goals_in_which_regions_are_full(below_a_bound):
    model = board(("oooo", "oooo", "oooo"), LATTICE).model("chain")
    random = Random(2026)
    for _ in range(12):
        position = start = bytes(random.choice((0, 1, 1, 1)) for _ in range(model.cells))
        goals = set()
        for _ in range(4):
            position = random.choice(sorted(model.moves(position)) or [start])
            goals.add(position)
        check_chains(replace(model, start=start), sorted(goals))


@pytest.mark.parametrize("seed", range(8))
def test_chains_on_drawn_boards(seed, below_a_bound):
    """Boards with holes in them, any lines, goals that can be reached and goals that perhaps cannot."""
    random = Random(seed)
    rows = ["".join(random.choice("oooo~") for _ in range(4)) for _ in range(4)]
    model = board((*rows, "ooooo"), random.choice((ORTHOGONAL, LATTICE, DIAGONAL))).model("chain")
    start = bytes(random.choice((0, 1, 1)) for _ in range(model.cells))
    position, goals = start, {bytes(random.sample(start, len(start)))}
    for _ in range(random.randrange(1, 6)):
        position = random.choice(sorted(model.moves(position)) or [position])
    goals |= {position, bytes(random.sample(position, len(position)))}
    check_chains(replace(model, start=start), sorted(goals))


def bits_of(position):
    return sum(1 << cell for cell, symbol in enumerate(position) if symbol)


@pytest.mark.parametrize("seed", range(40))
def test_the_next_layer_has_all_positions_whose_bound_is_small_enough(seed, monkeypatch):
    """What is left out early is what the bound, computed in plain Python for each position, leaves out."""
    monkeypatch.setattr(chains, "LARGEST_TABLE", 20)
    random = Random(seed)
    model = board(("ooooo",) * 4, random.choice((ORTHOGONAL, LATTICE, DIAGONAL))).model("chain")
    start = bytes(random.choice((0, 1, 1, 1, 1, 1)) for _ in range(model.cells))
    goal = bytes(int(cell == 7) for cell in range(model.cells))
    jumps, bound = read(model), PegBound(peg_jumps(model), model.cells, [goal])
    field = pegs.field_of(model, jumps, [[start], [goal]])
    search = chains.ChainSearch(field, jumps.word(start), [jumps.word(goal)], Watch())
    needed = {child: bound._chains(bits_of(child), bits_of(goal)) for child in model.moves(start)}
    for left in range(1, 12):
        layer = search._following(chains._words([jumps.word(start)]), left, None)
        kept = [min(field.images(jumps.word(child))) for child, moves in needed.items() if moves <= left]
        assert sorted(low | high << 64 for low, high in layer.keys.tolist()) == sorted(set(kept))


@pytest.mark.parametrize("seed", range(8))
def test_chains_on_boards_of_two_words(seed):
    """Few pegs on 81 cells; every second time positions and goals are mirrored, so that classes have two positions."""
    model = board(("ooooooooo",) * 9, LATTICE).model("chain")
    random = Random(seed)
    left, top = random.randrange(5), random.randrange(5)
    middle = [9 * (top + row) + left + column for row in range(4) for column in range(4)]
    pegs_at = set(random.sample(middle, 7))
    if seed % 2:
        pegs_at |= {cell % 9 * 9 + cell // 9 for cell in pegs_at}
    position = start = bytes(int(cell in pegs_at) for cell in range(81))
    for _ in range(random.randrange(1, 4)):
        position = random.choice(sorted(model.moves(position)) or [position])
    mirrored = bytes(position[cell % 9 * 9 + cell // 9] for cell in range(81))
    assert pegs.refuses(model, "search") is None
    assert pegs.refuses(model, "depths") is not None
    check_chains(replace(model, start=start), sorted({position, mirrored} if seed % 2 else {position}))


def test_a_triangle_of_more_than_64_holes_gets_a_proved_bound():
    answer = questions.solve(triangle(11, 1), limits=Limits(positions=100_000))
    assert (answer.status, answer.engine, answer.bound) == (Status.STOPPED, "pegs", 18)


def triangle(side, hole):
    """The triangle with one hole, to any one peg."""
    signs = "".join("." if cell == hole else "o" for cell in range(side * (side + 1) // 2))
    rows = ["  " + " ".join(signs[row * (row + 1) // 2 :][: row + 1]) for row in range(side)]
    start = "\n".join(rows)
    return from_text(f"rule: jump\ncount: chain\nboard: triangle {side}\nstart:\n{start}\ngoal: any one peg\n", "t.pzl")


class EnoughError(Exception):
    """It is proved that no solution is shorter than the best one of other holes."""


def holes_of(side):
    """One hole of each class under the symmetries of the triangle."""
    found = {}
    for row in range(side):
        for place in range(row + 1):
            found.setdefault(tuple(sorted((side - 1 - row, place, row - place))), row * (row + 1) // 2 + place)
    return sorted(found.values())


@pytest.mark.parametrize(
    ("side", "moves"),
    [(4, 5), (5, 9), (6, 9), *(pytest.param(*each, marks=pytest.mark.long) for each in ((7, 12), (8, 13)))],
)
def test_the_fewest_chains_on_triangles(side, moves, monkeypatch):
    """OEIS A127500: the least of all problems from one hole to one peg. A search ends if it cannot be less."""
    monkeypatch.setattr(pegs, "MOST_FREE", -1)
    best = 99

    def seen(progress):
        if progress.bound and progress.layer >= best:
            raise EnoughError

    for hole in holes_of(side):
        with suppress(EnoughError):
            answer = questions.solve(triangle(side, hole), engine="pegs", progress=seen)
            assert answer.status in (Status.OPTIMAL, Status.IMPOSSIBLE)
            best = best if answer.moves is None else min(best, answer.moves)
    assert best == moves


@pytest.mark.long
def test_the_triangle_of_side_ten():
    """Some minutes, and 5 GB."""
    assert questions.solve(triangle(10, 1)).moves == 18


def test_a_stopped_search_below_a_bound_says_what_it_proved():
    answer = questions.solve(triangle(10, 1), limits=Limits(positions=10_000))
    assert (answer.status, answer.stopped.kind, answer.bound) == (Status.STOPPED, "positions", 17)


def test_limits_stop_it():
    for limits, kind in ((Limits(memory=1 << 20), "memory"), (Limits(positions=1000), "positions")):
        answer = questions.solve("peg:english33", limits=limits)
        assert (answer.status, answer.stopped.kind) == (Status.STOPPED, kind)
        table = questions.depths("peg:english33", metric="step", limits=limits)
        assert (table.complete, table.stopped.kind) == (False, kind)


def test_an_empty_board_is_one_position():
    text = "board: grid 3x2\nrule: jump\nstart:\n  . . .\n  . . .\ngoal:\n  o . .\n  . . .\n"
    empty = from_text(text, "empty.pzl")
    found = peg_survey.census(empty)
    assert (found.reached, found.on_ways, found.ways) == ((1, 1), (0, 0), 0)
    solved = replace(empty, goals=(Goal.exactly(empty.model().start),))
    found = peg_survey.census(solved)
    assert (found.reached, found.on_ways, found.ways) == ((1, 1), (1, 1), 1)
    model = empty.model()
    assert pegs.shortest_to_each(model, [model.start], Watch()) == {model.start: (model.start,)}
    assert pegs.depths(Depths(model, (model.start,), 3), Watch()).counts == (1,)


def test_a_stopped_count_of_chains_claims_only_its_sources():
    model = load("peg:triangle15").model("chain")
    found = pegs.depths(Depths(model, (model.start,), 3), Watch(Limits(positions=100)))
    assert (found.counts, found.deepest, found.complete) == ((1,), (model.start,), False)
    assert found.stopped.kind == "positions"


def test_ways_beyond_a_word_are_counted_and_beyond_two_said_to_be():
    puzzle = problem(board(CROSS, LATTICE), "b1", "b1")
    model = puzzle.model("step")
    jumps = read(model)
    field = pegs.field_of(model, jumps, [[model.start], [model.goals[0].position]])
    pusher = Pusher(field.ahead, COUNT, Watch())
    layer = field.layer([jumps.word(model.start)], COUNT)
    layer.values[0] = (1 << 64) - 1, 5
    for _ in range(3):
        ways = [int(low) + (int(high) << 64) for low, high in layer.values]
        made = [len(model.moves(jumps.position(int(key)))) for key in layer.keys]
        layer = pusher.grow(layer)
        total = sum(int(low) + (int(high) << 64) for low, high in layer.values)
        assert total == sum(a * b for a, b in zip(ways, made, strict=True)) > 1 << 64
    layer.values[:] = (1 << 64) - 1
    with pytest.raises(LimitError, match="2\\^128"):
        pusher.grow(pusher.grow(layer))


@cache
def truth():
    with (DATA / "pegs.csv").open() as file:
        return list(csv.DictReader(file))


def asked_by(row):
    ways = {"4": ORTHOGONAL, "6": LATTICE, "8": DIAGONAL}[row["jump_directions"][0]]
    puzzle = board(row["holes_ascii"].split("/"), ways)
    hole, last = (tuple(map(int, row[name].split(","))) for name in ("start_vacancy_rc", "finish_rc"))
    return problem(puzzle, *(f"{chr(97 + column)}{line + 1}" for line, column in (hole, last)))


def check_row(row, engine="auto"):
    puzzle = asked_by(row)
    answer = questions.solve(puzzle, engine=engine)
    if row["min_moves"] == "impossible":
        assert answer.status is Status.IMPOSSIBLE
        return
    assert answer.moves == int(row["min_moves"])
    if row["jumps"]:
        assert questions.solve(puzzle, metric="step", engine=engine).moves == int(row["jumps"])


def named(row):
    return "{board} {start_vacancy_rc} to {finish_rc}".format(**row)


SMALL = [row for row in truth() if row["board"].startswith(("diamond", "triangle 1"))]


@pytest.mark.parametrize(
    "row", SMALL[::3] + [row for row in truth() if row["board"].startswith("triangle 21")][:2], ids=named
)
def test_some_known_peg_problems(row):
    check_row(row, "pegs")


@pytest.mark.long
@pytest.mark.parametrize("row", truth(), ids=named)
def test_all_known_peg_problems(row):
    check_row(row)


@pytest.mark.long
def test_the_figures_of_the_english_board():
    with (DATA / "holes.csv").open() as file:
        known = {row["fact"]: row["value"] for row in csv.DictReader(file)}
    found = peg_survey.census(load("english"))
    reached = known["English 33 central vacancy: positions reachable by jumps"]
    assert found.reached == (int(reached), int(known["English 33 central vacancy: the same up to symmetry"]))
    assert found.on_ways[1] == int(known["English 33 centre to centre: positions on a solution path up to symmetry"])
    assert found.ways == int(known["English 33 centre to centre: jump sequences"])
    fewest = known["English 33 centre to centre: fewest chain moves"]
    assert questions.solve("english").moves == int(fewest)


def table(spec, holes=()):
    """Return the fewest moves, or None, of all problems of a board, those alike too, by the names of their cells."""
    puzzle = load(spec)
    names = puzzle.board.names
    return {
        (names[hole], names[last]): each.answer.moves
        for each in peg_survey.problems(puzzle, holes=holes)
        for hole, last in each.alike
    }


def check_table(found, title, cell):
    """Compare a table with the known rows of a board that it has; `cell` names a cell by line and column."""
    compared = 0
    for row in truth():
        ends = tuple(cell(*map(int, row[name].split(","))) for name in ("start_vacancy_rc", "finish_rc"))
        if row["board"] == title and ends in found:
            moves = row["min_moves"]
            assert found[ends] == (None if moves == "impossible" else int(moves)), ends
            compared += 1
    return compared


def test_the_table_of_the_star_from_its_middle():
    found = table("star13", ["c3"])
    assert check_table(found, "diamond 13 with both diagonals", lambda row, column: f"{chr(97 + column)}{row + 1}") == 2
    assert sorted(last for (_, last), moves in found.items() if moves) == ["a3", "c1", "c3", "c5", "e3"]


@pytest.mark.long
def test_the_tables_of_the_star_and_the_triangle():
    names = table("star13"), table("peg:triangle15")
    star = check_table(names[0], "diamond 13 with both diagonals", lambda row, column: f"{chr(97 + column)}{row + 1}")
    triangle = check_table(names[1], "triangle 15 (side 5)", lambda row, column: f"{chr(97 + row)}{column + 1}")
    assert [star, triangle] == [
        sum(row["board"] == title for row in truth())
        for title in ("diamond 13 with both diagonals", "triangle 15 (side 5)")
    ]
    assert [len(each) for each in names] == [13**2, 15**2]


@pytest.mark.long
def test_the_figures_of_the_star_and_the_triangle():
    with (DATA / "holes.csv").open() as file:
        known = {row["fact"]: row["value"] for row in csv.DictReader(file)}
    star = list(peg_survey.problems(load("star13")))
    solved = [each.answer.moves for each in star if each.answer.moves is not None]
    words = known["13-hole star with both diagonals: solvable one-vacancy to one-peg problems up to symmetry"].split()
    assert [len(solved), len(star)] == [int(words[0]), int(words[2])]
    assert (min(solved), max(solved)) == (7, 10)
    corner = peg_survey.problems(load("peg:triangle15"), holes=["c1"])
    fewest = [each.answer.moves for each in corner if each.answer.moves is not None]
    assert min(fewest) == int(known["triangle side 4 5 6 7: fewest chain moves over all problems"].split()[1])


def test_a_survey_covers_every_pair_once():
    puzzle = board(CROSS)
    pairs = [pair for each in peg_survey.problems(puzzle, metric="step") for pair in each.alike]
    assert sorted(pairs) == sorted(product(range(puzzle.board.cells), repeat=2))
    (one,) = peg_survey.problems(puzzle, holes=["b1"], lasts=["c4"])
    assert one.answer.metric == "chain"
    with pytest.raises(InputError, match="cell: expected some of"):
        next(peg_survey.problems(puzzle, holes=["z9"]))
    with pytest.raises(UnsupportedError, match="one kind of peg"):
        next(peg_survey.problems(load("eight")))


def test_a_survey_below_a_bound_has_the_same_answers(monkeypatch):
    puzzle = board(HOOK)

    def answers():
        found = [(each.alike, each.answer.moves) for each in peg_survey.problems(puzzle, holes=["a1", "b2"])]
        return sorted((sorted(alike), moves) for alike, moves in found)

    expected = answers()
    monkeypatch.setattr(pegs, "MOST_FREE", -1)
    assert answers() == expected


def test_no_word_loses_its_place():
    jumps = read(load("peg:wiegleb45").model("step"))
    for word in np.random.default_rng(2026).integers(0, 1 << 45, 50):
        assert jumps.word(jumps.position(int(word))) == word


PROGRAM = """
from dataclasses import replace
import peg_boards
from puzzlespace.engines import pegs, plain
from puzzlespace.engines.pegs import beam as pegs_beam
from puzzlespace.engines.pegs import chains as pegs_chains
from puzzlespace.structure.jumps import read
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.limits.watch import Watch

puzzle = peg_boards.board(("ooooo", "oo~oo", "~~o~~"))
for metric in ("step", "chain"):
    model = peg_boards.problem(puzzle, "c3", "a2").model(metric)
    question = Depths(model, (model.start,), 4)
    found, expected = pegs.depths(question, Watch()), plain.depths(question, Watch())
    assert (found.counts, found.deepest) == (expected.counts, expected.deepest), metric
    for hole, last in (("c3", "a2"), ("a1", "d1"), ("c1", "c1")):
        model = peg_boards.problem(puzzle, hole, last).model(metric)
        question = Search(model, model.start, (model.goals[0].position,))
        expected = plain.search(question, Watch())
        assert pegs.search(question, Watch()).layers == expected.layers, (metric, hole, last)
        jumps = read(model)
        field = pegs.field_of(model, jumps, [[model.start], question.goals])
        if metric == "step":
            words = [jumps.word(each) for each in (model.start, question.goals[0])]
            way = pegs_beam.find(field, words[0], words[1:], (1000,), Watch())
            assert len(way) == len(expected.layers)
            pegs.census(model, question.goals, Watch())
        else:
            way = pegs_chains.shortest(model, field, jumps.word(model.start), [jumps.word(question.goals[0])], Watch())
            assert len(way) == len(expected.layers)
"""


def test_the_loops_pass_uncompiled():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{SUPPORT}"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
