"""The pieces of listed moves, and the depth tables of some of them."""

from __future__ import annotations

import random
from dataclasses import replace
from math import factorial

import numpy as np
import pytest

from puzzlespace.api import questions
from puzzlespace.api.loader import from_text, load
from puzzlespace.contract.questions import Prospect, Search
from puzzlespace.engines import deepening, plain
from puzzlespace.engines.deepening import piece_search
from puzzlespace.engines.deepening.iterations import DIVIDED_FROM, PARTS, SLOTS
from puzzlespace.engines.deepening.piece_search import (
    BELOW_PIECES,
    BELOW_SMALL_PIECES,
    LARGE_PIECE_TABLES,
    PIECE_TABLES,
    SMALL_PIECE_TABLES,
    VISITED_SLACK,
)
from puzzlespace.errors import InputError, UnsupportedError
from puzzlespace.heuristics import inverses, kept, piece_layers, piece_tables, pieces
from puzzlespace.heuristics.kept import KEPT_BYTES
from puzzlespace.kernels.deepening import idastar_pieces as kernel
from puzzlespace.kernels.deepening.piece_tables import UNSEEN
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import STRIDE, Limits, Watch
from puzzlespace.model.effects import inverse
from puzzlespace.model.goal import Goal
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule

SMALL = ("pancake:6", "burnt:4", "topspin:6,4", "topspin:7,3", "lrx:6", "cube:2")
TINY = Thresholds(
    {
        SMALL_PIECE_TABLES: 300,
        PIECE_TABLES: 3000,
        BELOW_SMALL_PIECES: 50,
        LARGE_PIECE_TABLES: 9000,
        BELOW_PIECES: 200,
        SLOTS: 64,
        VISITED_SLACK: 0,
        KEPT_BYTES: 1 << 40,
    }
)
ALL_PARTS = TINY | {DIVIDED_FROM: -1, PARTS: 5000}
"""Many rounds begin from all positions that many moves away, so that nothing is left to search."""


def anywhere(model, seed, steps=100):
    chosen, position = random.Random(seed), model.goals[0].position
    for _ in range(steps):
        position = chosen.choice(model.steps(position))[1]
    return position


def read(spec, metric="step"):
    model = load(spec).model(metric)
    goal = model.goals[0].position
    found = pieces.read(model, goal)
    assert isinstance(found, pieces.Pieces)
    return model, found, goal


def chosen_tables(found, goal, most):
    return piece_tables.tables(found, [found.of(goal)], piece_tables.choose(found, most), lambda _: None, 1 << 40)


@pytest.mark.parametrize("metric", ["step", "run"])
@pytest.mark.parametrize("spec", SMALL)
def test_states_say_which_position_it_is_and_moves_change_them(spec, metric):
    model, found, goal = read(spec, metric)
    assert found.position(found.of(goal)) == goal
    for seed in range(5):
        position = anywhere(model, seed)
        states = found.of(position)
        assert found.position(states) == position
        after = {bytes(turn[range(len(states)), list(states)]) for turn in found.turns}
        assert after == set(map(found.of, model.moves(position)))


def test_corners_of_a_cube_are_blocks_of_three_stickers():
    _, found, _ = read("cube:2")
    assert found.arrangements == factorial(7) * 3**7
    assert found.variants == (3,) * 7
    assert {len(cells) for cells in found.cells} == {7}


def test_positions_with_other_pieces_have_no_states():
    _, found, goal = read("pancake:6")
    assert found.of(bytes([goal[1], *goal[1:]])) is None
    _, found, goal = read("cube:2")
    assert found.of(goal[::-1]) is None


def test_pieces_that_are_alike_or_move_on_conditions_have_no_tables():
    for spec, reason in (("flip:3x3", "alike"), ("hanoi:3,3", "conditions")):
        model = load(spec).model()
        assert reason in pieces.read(model, model.goals[0].position)


def depths_alone(table):
    """Return the depths of all arrangements of the pieces of a table, by breadth-first search."""
    found, depth = {}, 0
    inverse = np.argsort(table._whole(), axis=2)
    layer = {bytes(end[piece] for piece in table.chosen) for end in table.goals}
    while layer:
        found.update(dict.fromkeys(layer, depth))
        layer = {bytes(move[range(len(at)), list(at)].astype(np.uint8)) for at in layer for move in inverse}
        layer -= set(found)
        depth += 1
    return found


def entries(table, arrangements):
    whole = [bytearray(len(table.pieces.cells)) for _ in arrangements]
    for row, states in zip(whole, arrangements, strict=True):
        for piece, state in zip(table.chosen, states, strict=True):
            row[piece] = state
    return table.bits.reshape(-1)[table.numbers(list(map(bytes, whole)))].tolist()


def test_cells_that_no_move_changes_are_no_pieces():
    text = "board:\n  a b c d\nrule: apply\nmoves:\n  m: (a b c)\ncount: step\nstart: 1 2 3 3\ngoal: 3 1 2 3\n"
    model = from_text(text, "corner.pzl").model()
    found = pieces.read(model, model.goals[0].position)
    assert len(found.cells) == 3
    assert found.of(model.start) is not None
    assert found.of(bytes([*model.start[:3], model.start[0]])) is None


def test_blocks_that_show_too_many_contents_are_no_pieces():
    colours = "ABCDEFGHIJKLMNOPQ"
    text = f"""board:
  a1 b1 a2 b2
rule: apply
swap: {" -> ".join(colours + "A")}
count: step
moves:
  exchange: (a1 a2)(b1 b2)
  turn: (a1 b1)
  dye: ~a1
start: A B C D
goal: B A C D
"""
    model = from_text(text, "dyes.pzl").model()
    assert isinstance(pieces.read(model, model.goals[0].position), str)


@pytest.mark.parametrize("goals", [1, 3])
@pytest.mark.parametrize("spec", SMALL)
def test_tables_have_the_depths_of_the_pieces_alone(spec, goals):
    model, found, _ = read(spec)
    ends = [found.of(anywhere(model, seed, 4 * seed)) for seed in range(goals)]
    for size in (1, 2, 3 if spec == "cube:2" else len(found.cells) - 1):
        table = piece_tables.PieceTable(found, tuple(random.Random(size).sample(range(len(found.cells)), size)), ends)
        total, right = table.build(2), depths_alone(table)
        assert total == len(right) == (table.bits != UNSEEN).sum()
        assert entries(table, right) == list(right.values())


@pytest.mark.parametrize("narrow", [1 << 16, pytest.param(2, marks=pytest.mark.long)])
def test_tables_of_random_groups_have_the_depths_of_the_pieces_alone(narrow, monkeypatch):
    """In short spans, on several threads, with lists of places of each set or of each thread; some pieces turn."""
    monkeypatch.setattr(piece_layers, "NARROW", narrow)
    reached = set()
    for seed in range(40):
        _, found, _ = random_group(seed)
        if isinstance(found, str):
            continue
        chance = random.Random(seed)
        monkeypatch.setattr(piece_layers, "AT_ONCE", chance.choice([1, 50, 1 << 20]))
        monkeypatch.setattr(piece_layers, "LISTED", chance.choice([0, 1 << 22]))
        orbit = chance.choice(found.cells)
        part = [piece for piece, cells in enumerate(found.cells) if cells == orbit]
        moved = [random.Random(seed + each).choices(range(len(found.turns)), k=5 * each) for each in range(2)]
        goals = [after(found, found.given.start, word) for word in moved[: seed % 2 + 1]]
        chosen = tuple(chance.sample(part, chance.randint(1, len(part))))
        table = piece_tables.PieceTable(found, chosen, list(map(bytes, goals)))
        layers = replace(table.layers(1), threads=chance.choice([1, 3]))
        table.bits = np.zeros(table.shape, np.uint8)
        total = layers.fill(table.bits.reshape(-1), table.numbers(table.goals).tolist(), UNSEEN - 1)
        right = depths_alone(table)
        assert total == len(right) == (table.bits != UNSEEN).sum(), seed
        assert entries(table, right) == list(right.values()), seed
        reached.add((total < table.size, layers.keeps(table.size), layers.threads, table.form[-1] > 1))
    assert len(reached) > 10


def test_tables_lie_in_one_array_also_if_they_are_read_from_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLESPACE_CACHE", str(tmp_path))
    _, found, goal = read("topspin:8,4")
    groups, reserved = ((0, 1, 2), (3, 4), (4, 5, 6, 7)), []
    made = [piece_tables.PieceTable(found, group, [found.of(goal)]) for group in groups]
    for table in made:
        table.build(1)
    whole = np.concatenate([table.bits.reshape(-1) for table in made])
    for _ in range(2):
        tables = piece_tables.tables(found, [found.of(goal)], groups, reserved.append, 1)
        assert piece_tables.joined(tables) is tables[0].bits.base
        assert (piece_tables.joined(tables) == whole).all()
    assert (piece_tables.joined(made) == whole).all()
    assert all(kept.is_kept(table) for table in tables)
    assert min(reserved) >= len(whole)


@pytest.mark.parametrize("spec", SMALL)
def test_greater_depths_than_a_table_holds_are_the_greatest_that_it_does(spec):
    _, found, goal = read(spec)
    table = piece_tables.PieceTable(found, (0, 1), [found.of(goal)])
    table.build(1, deepest=2)
    right = depths_alone(table)
    assert max(right.values()) > 2
    assert entries(table, right) == [min(depth, 2) for depth in right.values()]


@pytest.mark.parametrize("spec", [*SMALL, "topspin:8,4"])
def test_no_view_of_a_table_is_ever_too_great(spec):
    model, found, goal = read(spec)
    tables = chosen_tables(found, goal, 2000)
    arrays = piece_search.PieceArrays(found, tables, [found.of(goal)], every=False)
    layers = [{goal}, set(model.backward.moves(goal))]
    while layers[-1] and sum(map(len, layers)) < 3000:
        near = layers[-2] | layers[-1]
        layers.append({before for position in layers[-1] for before in model.backward.moves(position)} - near)
    seen: set[bytes] = set()
    for depth, layer in enumerate(layers):
        assert all(arrays.bound(found.of(position)) <= depth for position in layer - seen)
        seen |= layer
    assert arrays.bound(found.of(goal)) == 0


def test_symmetries_of_stickers_give_views_of_the_pieces_of_a_cube_none_of_them_too_great():
    model, found, goal = read("cube:3")
    tables = chosen_tables(found, goal, 30_000)
    arrays = piece_search.PieceArrays(found, tables, [found.of(goal)], False)
    inverted = arrays.views[0][:, kernel.INVERSE]
    assert len(tables) == 2
    assert (len(inverted) - sum(inverted), sum(inverted)) == (piece_tables.MOST_VIEWS, piece_tables.MOST_INVERSE)
    layer, seen = {goal}, set()
    for depth in range(3):
        assert all(arrays.bound(found.of(position)) <= depth for position in layer)
        seen |= layer
        layer = {child for position in layer for child in model.moves(position)} - seen if depth < 2 else layer


def test_what_an_orbit_cannot_use_is_for_the_tables_of_others():
    _, found, _ = read("cube:3")
    assert [len(group) for group in piece_tables.choose(found, 1 << 27)] == [7, 6]
    assert [len(group) for group in piece_tables.choose(found, 1 << 30)] == [7, 7]
    assert [len(group) for group in piece_tables.choose(found, 1 << 27, one_goal=False)] == [6, 6, 6, 6]


def after(found, goal, word, backward=False):
    """Return the states after moves from the goal, or after what undoes them."""
    states = list(found.of(goal))
    for move in reversed(word) if backward else word:
        for piece, state in enumerate(states):
            turn = found.turns[move, piece, : len(found.cells[piece]) * found.variants[piece]].tolist()
            states[piece] = turn.index(state) if backward else turn[state]
    return states


@pytest.mark.parametrize("metric", ["step", "run"])
@pytest.mark.parametrize("spec", [*SMALL, "topspin:8,4", "cube:3"])
def test_the_states_of_inverse_positions_are_those_after_the_moves_undone(spec, metric):
    _, found, goal = read(spec, metric)
    opposite = inverses.read(found, found.of(goal))
    assert opposite.known == set(range(len(found.cells)))
    for seed in range(20):
        chosen = random.Random(seed)
        word = [chosen.randrange(len(found.turns)) for _ in range(chosen.randrange(25))]
        assert opposite.of(after(found, goal, word)) == after(found, goal, word, backward=True)


def test_moves_that_no_move_undoes_have_no_inverse_positions():
    text = "board:\n  a b c d\nrule: apply\none-way: yes\nmoves:\n  m: (a b c)\n  n: (a b)(c d)\ncount: step\n"
    model = from_text(text + "start: 1 2 3 4\ngoal: 3 1 2 4\n", "turns.pzl").model()
    goal = model.goals[0].position
    found = pieces.read(model, goal)
    assert not inverses.read(found, found.of(goal)).known


def test_pieces_that_leave_open_what_a_move_does_to_others_have_no_inverse_positions():
    text = "board:\n  a b c d\nrule: apply\nmoves:\n  m: (a b c)\n  n: (a b)\n  o: (c d)\ncount: step\n"
    model = from_text(text + "start: 1 2 3 4\ngoal: start\n", "open.pzl").model()
    found, goal = pieces.read(model, model.start), model.start
    fewer = replace(
        found, cells=found.cells[1:], variants=found.variants[1:], turns=np.ascontiguousarray(found.turns[:, 1:])
    )
    assert inverses.read(found, found.of(goal)).known == {0, 1, 2, 3}
    assert not inverses.read(fewer, found.of(goal)[1:]).known


def test_pieces_that_only_turn_together_have_no_inverse_positions():
    """Each of them tells of all others, so which one tells of which is not known."""
    text = "board:\n  a b c\nrule: apply\nmoves:\n  m: (a b c)\ncount: step\nstart: 1 2 3\ngoal: start\n"
    model = from_text(text, "wheel.pzl").model()
    found = pieces.read(model, model.start)
    assert not inverses.read(found, found.of(model.start)).known


def random_group(seed):
    """Random moves of four to six pieces in one or two orbits, and those that undo them; some turn pieces over."""
    chosen = random.Random(seed)
    cells = chosen.choice([4, 5, 6])
    parts = [list(range(cells))] if chosen.random() < 0.6 else [list(range(3)), list(range(3, cells))]
    symbols = 2 * cells
    same, over = tuple(range(symbols)), tuple(symbol ^ 1 for symbol in range(symbols))
    turning = chosen.choice([0.0, 0.4])
    rules = []
    for _ in range(chosen.choice([1, 2, 3])):
        source = [cell for part in parts for cell in chosen.sample(part, len(part))]
        tables = tuple(over if chosen.random() < turning else same for _ in range(cells))
        rule = Rule("", tuple(range(cells)), (ANY,) * cells, tuple(source), tables)
        rules += [rule, inverse(rule, symbols)]
    goal = bytes(range(0, symbols, 2))
    model = Model(cells, symbols, tuple(rules), start=goal, goals=(Goal.exactly(goal),))
    return model, pieces.read(model, goal), goal


def test_views_of_random_groups_are_never_too_great():
    inverted = 0
    for seed in range(30):
        model, found, goal = random_group(seed)
        if isinstance(found, str):
            continue
        ends = [found.of(goal)]
        chosen = random.Random(seed)
        parts = [[p for p, there in enumerate(found.cells) if there == cells] for cells in dict.fromkeys(found.cells)]
        groups = [chosen.sample(part, chosen.randint(1, max(1, len(part) - 2))) for part in parts]
        tables = [piece_tables.PieceTable(found, tuple(group), ends) for group in groups]
        for table in tables:
            table.build(1)
        arrays = piece_search.PieceArrays(found, tables, ends, every=False)
        inverted += int(arrays.views[0][:, kernel.INVERSE].any())
        opposite, moves = inverses.read(found, ends[0]), len(found.turns)
        for word in ([], [0], [0, moves - 1, 0], list(range(moves))):
            there, back = opposite.of(after(found, goal, word)), after(found, goal, word, backward=True)
            assert all(there[piece] == back[piece] for piece in opposite.known), seed
        seen, layer, depth = set(), {goal}, 0
        while layer and len(seen) < 500:
            assert all(arrays.bound(found.of(position)) <= depth for position in layer), seed
            seen |= layer
            layer = {child for position in layer for child in model.moves(position)} - seen
            depth += 1
    assert inverted > 10


def test_symmetries_give_more_views_of_the_same_tables():
    model, found, goal = read("topspin:8,4")
    tables = chosen_tables(found, goal, 2000)
    assert len(piece_tables.views(found, tables, [found.of(goal)])) == 2 * len(tables)
    assert len(piece_tables.views(found, tables, [found.of(goal), found.of(anywhere(model, 1))])) == len(tables)


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("spec", [*SMALL[:-1], "cube:2"])
def test_lengths_and_positions_on_solutions_agree_with_plain(spec, every):
    model, _, goal = read(spec)
    for seed in range(3):
        start = anywhere(model, seed, 5 if spec == "cube:2" else 100)
        question = Search(model, start, (goal,), every)
        right = plain.search(question, Watch())
        for thresholds in (TINY, TINY | {DIVIDED_FROM: -1, PARTS: 6, STRIDE: 50}, ALL_PARTS):
            found = piece_search.search(question, Watch(thresholds=thresholds))
            assert len(found.layers) == len(right.layers)
            assert all(one <= other for one, other in zip(found.layers, right.layers, strict=True))
            assert not every or found.layers == right.layers


@pytest.mark.parametrize("every", [False, True])
def test_positions_of_several_words_are_searched(every):
    cells = [f"c{number}" for number in range(33)]
    text = f"""board:
  {" ".join(cells)}
rule: apply
one-way: yes
count: step
moves:
  turn: ({" ".join(cells[:16])})({" ".join(cells[16:])})
start: {" ".join(f"p{number}" for number in range(33))}
goal: start
"""
    model = from_text(text, "rings.pzl").model()
    steps = [model.start]
    while len(steps) <= 16 * 17:  # after so many moves both rings are as they were
        steps.append(model.steps(steps[-1])[0][1])
    assert steps[-1] == model.start
    for left in (1, 20, 33):
        question = Search(model, steps[-1 - left], (model.start,), every)
        found = piece_search.search(question, Watch(thresholds=TINY | {SMALL_PIECE_TABLES: 2000}))
        assert found.layers == tuple(frozenset([step]) for step in steps[-1 - left :])


def test_several_goals_have_common_tables():
    model, _, _ = read("burnt:4")
    goals = tuple(anywhere(model, seed, 3) for seed in range(3))
    several = replace(model, goals=tuple(map(Goal.exactly, goals)))
    for seed in range(4):
        question = Search(several, anywhere(model, seed), goals)
        found = piece_search.search(question, Watch(thresholds=TINY))
        assert found.layers == plain.search(question, Watch()).layers


def test_a_goal_out_of_reach_is_proved_so():
    model, _, goal = read("topspin:7,4")
    question = Search(model, bytes([1, 0, *goal[2:]]), (goal,))
    assert piece_search.search(question, Watch(thresholds=TINY)).layers == ()
    other = Search(model, bytes([1, 1, *goal[2:]]), (goal,))
    found = piece_search.search(other, Watch(thresholds=TINY))
    assert (found.layers, found.stopped) == ((), None)


def test_a_start_with_the_pieces_of_a_later_goal_is_solved():
    model, _, goal = read("lrx:6")
    other = bytes([1, 1, *goal[2:]])
    both = replace(model, goals=(Goal.exactly(other), Goal.exactly(goal)))
    question = Search(both, anywhere(model, 1), (other, goal))
    assert piece_search.search(question, Watch(thresholds=TINY)).layers == plain.search(question, Watch()).layers


def test_a_goal_whose_pieces_are_alike_refuses_unless_another_has_the_pieces_of_the_start():
    model, _, goal = read("lrx:6")
    alike = bytes([1, 1, *goal[2:]])
    both = replace(model, goals=(Goal.exactly(alike), Goal.exactly(goal)))
    with pytest.raises(UnsupportedError, match="alike"):
        piece_search.search(Search(both, alike[1:] + alike[:1], (alike, goal)), Watch())


def test_tables_are_worthwhile_for_many_positions():
    for spec, many in (("topspin:16,4", True), ("topspin:10,4", False)):
        model = load(spec).model()
        question = Search(model, anywhere(model, 1), (model.goals[0].position,))
        found = deepening.worth(question, Prospect(Watch(), lambda model=model: factorial(model.cells)))
        assert (found.reason is None) is many


def test_tables_of_visited_positions_fit_the_memory():
    puzzle = questions.with_start(load("topspin:16,4"), anywhere(load("topspin:16,4").model(), 1, 12))
    limits = Limits(memory=60 << 20)
    answer = questions.solve(puzzle, engine="idastar", heuristic="pattern", cache="off", limits=limits)
    assert answer.moves == questions.solve(puzzle, engine="bidirectional").moves


def test_limits_and_names():
    model = load("topspin:16,4").model()
    question = Search(model, anywhere(model, 1), (model.goals[0].position,), False, "pattern")
    thresholds = Thresholds(
        {SMALL_PIECE_TABLES: 1 << 16, PIECE_TABLES: 1 << 16, BELOW_SMALL_PIECES: 0, LARGE_PIECE_TABLES: 1 << 16}
    )
    found = deepening.search(question, Watch(Limits(positions=20_000), thresholds=thresholds))
    assert found.stopped is not None
    assert found.bound >= 15
    with pytest.raises(UnsupportedError, match="pattern"):
        deepening.search(replace(question, heuristic="walking"), Watch())
    with pytest.raises(UnsupportedError, match="memory"):
        piece_search.search(
            question, Watch(thresholds=thresholds | {SMALL_PIECE_TABLES: 1, PIECE_TABLES: 1, LARGE_PIECE_TABLES: 1})
        )


def division(chance, found):
    """Some groups of random pieces, each of one orbit, as a heuristic names them."""
    orbits = {}
    for piece, cells in enumerate(found.cells):
        orbits.setdefault(cells, []).append(piece)
    if chance.random() < 0.5:
        return "pattern:" + "-".join(str(chance.randint(1, len(members))) for members in orbits.values())
    groups = [chance.sample(members, chance.randint(1, len(members))) for members in orbits.values()]
    home = {piece: symbol for (cell, symbol), (piece, _) in found.states.items() if found.model.start[cell] == symbol}
    return "pattern:" + "/".join(" ".join(f"p{home[piece]}" for piece in group) for group in groups)


@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(30, 300), marks=pytest.mark.long)])
def test_groups_asked_for_give_the_lengths_of_plain(seeds):
    checked = 0
    for seed in seeds:
        model, found, goal = random_group(seed)
        if isinstance(found, str):
            continue
        chance = random.Random(seed)
        asked = "+".join(division(chance, found) for _ in range(chance.choice([1, 1, 2])))
        question = Search(
            model, anywhere(model, seed), (goal,), False, asked, letters=[[f"p{n}"] for n in range(model.symbols)]
        )
        answer = piece_search.search(question, Watch(thresholds=TINY))
        assert len(answer.layers) == len(plain.search(question, Watch()).layers), (seed, asked)
        checked += 1
    assert checked > len(seeds) * 2 // 3


@pytest.mark.parametrize(
    ("spec", "heuristic", "what"),
    [
        ("topspin:9,4", "pattern:9-9", "expected a group of at most 0 pieces that are left, found 9"),
        ("topspin:9,4", "pattern:1 2 x", "column 13: expected a piece of the puzzle, found 'x'"),
        ("topspin:9,4", "pattern:1 2/2", "column 13: expected each piece in one group, found '2' in two"),
        ("cube:3", "pattern:8-8-8", "expected a group of at most 4 pieces that are left, found 8"),
        ("cube:3", "pattern:U R", "several pieces show the same here, so groups are sizes"),
    ],
)
def test_groups_that_there_are_not_are_said(spec, heuristic, what):
    puzzle = load(spec)
    start = questions.with_start(puzzle, anywhere(puzzle.model(), 1, 5))
    with pytest.raises((InputError, UnsupportedError), match=what):
        questions.solve(start, engine="idastar", heuristic=heuristic, cache="off")


def test_moves_that_differ_only_for_contents_that_never_come_there_are_one_move():
    same, shift = tuple(range(10)), (1, 0, 3, 2, 5, 6, 4, 8, 9, 7)  # two pieces turn by halves, two by thirds
    twice = tuple(shift[shift[symbol]] for symbol in same)
    rules = [
        Rule("", (0, 1, 2, 3), (ANY,) * 4, (1, 0, 3, 2), (first, first, same, same))
        for first in (shift, tuple(shift[symbol] for symbol in twice))
    ]
    still = Rule("", (0, 1, 2, 3), (ANY,) * 4, (0, 1, 2, 3), (twice, twice, same, same))
    goal = bytes([0, 2, 4, 7])
    model = Model(4, 10, (*rules, still), start=goal, goals=(Goal.exactly(goal),))
    found = pieces.read(model, goal)
    assert len(found.moves) == len(found.turns) == 1
    assert found.position(bytes(found.turns[0][range(4), list(found.of(goal))].tolist())) in model.moves(goal)
