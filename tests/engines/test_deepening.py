"""The compiled depth-first search for any slide puzzle is held against the plain engine, bound by bound."""

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from depth_tables import near
from places import SUPPORT
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api.loader import from_text, load
from puzzlespace.bounds.choosing import slide_heuristic
from puzzlespace.contract.questions import Search
from puzzlespace.engines import bidirectional, deepening, plain
from puzzlespace.engines.deepening import iterations
from puzzlespace.engines.deepening.iterations import DIVIDED_FROM, PARTS, RoundParts
from puzzlespace.engines.deepening.methods import ATTEMPT_PLAIN, PLAIN_ORDERS
from puzzlespace.engines.deepening.moves import Moves
from puzzlespace.engines.deepening.unsolvable import EXHAUST_AFTER, EXHAUST_ROUNDS, EXHAUST_SHARE, Exhaust
from puzzlespace.errors import UnsupportedError
from puzzlespace.heuristics import sums
from puzzlespace.kernels.deepening import idastar_bounds as bounds
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Progress, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.model import Model
from puzzlespace.model.replay import replay
from puzzlespace.structure import slides
from toys import grid_edges, links, slide

METRICS = ["step", "run", "piece", "multi"]


def compiled(divided=False, **limits):
    """Let nothing be done in plain Python; with `divided` every round begins from several positions."""
    more = {DIVIDED_FROM: -1, PARTS: 6} if divided else {}
    return Watch(Limits(**limits), thresholds=Thresholds({PLAIN_ORDERS: 0, ATTEMPT_PLAIN: 0, **more}))


@st.composite
def strange(draw, most=7):
    """A slide puzzle on a random connected graph: like pieces, one to three blanks, any metric."""
    cells = draw(st.integers(4, most))
    pairs = [(cell, draw(st.integers(0, cell - 1))) for cell in range(1, cells)]
    pairs += draw(st.lists(st.tuples(st.integers(0, cells - 1), st.integers(0, cells - 1)), max_size=4))
    pairs = list({tuple(sorted(pair)) for pair in pairs if pair[0] != pair[1]})
    ways = [draw(st.sampled_from(["a", "b"])) for _ in pairs]
    edges = [(x, y, f"{w}{x < y}") for (p, q), w in zip(pairs, ways, strict=True) for x, y in ((p, q), (q, p))]
    blanks = draw(st.integers(1, 3))
    contents = [0] * blanks + draw(st.lists(st.integers(1, 4), min_size=cells - blanks, max_size=cells - blanks))
    names = {symbol: number for number, symbol in enumerate(sorted(set(contents)))}
    start = draw(st.permutations([names[symbol] for symbol in contents]))
    return slide(edges, start, draw(st.permutations(start)), draw(st.sampled_from(METRICS)))


def same(model, heuristic, divided=False, goals=None):
    """Hold one solution and all of them against the plain engine."""
    expected = plain.search(Search(model, model.start), Watch())
    every = deepening.search(Search(model, model.start, goals, heuristic=heuristic), compiled(divided))
    one = deepening.search(Search(model, model.start, goals, every=False, heuristic=heuristic), compiled(divided))
    assert (every.layers, every.bound, every.stopped) == (expected.layers, expected.bound, None)
    assert (one.bound, one.stopped, len(one.layers)) == (expected.bound, None, len(expected.layers))
    if one.layers:
        path = [next(iter(layer)) for layer in one.layers]
        assert all(len(layer) == 1 for layer in one.layers)
        replay(model, path)


def held(model, heuristic, divided):
    goals = tuple(goal.position for goal in model.goals)
    if slides.read(model).joint != 1 and not (heuristic == "pattern" and coloured(model)):
        heuristic = "distance"
    same(model, heuristic, divided, goals)


def coloured(model):
    """Whether there are coloured tables for moves that carry lines."""
    try:
        slide_heuristic("pattern", slides.read(model), model.goals, model.start)
    except UnsupportedError:
        return False
    return True


NAMES = st.sampled_from(["distance", "assignment", "pattern", "distance+assignment"])


@settings(max_examples=40, deadline=None)
@given(strange(), NAMES, st.booleans())
def test_random_graphs_blanks_like_pieces_and_metrics_agree_with_plain(model, heuristic, divided):
    held(model, heuristic, divided)


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize(("start", "heuristic"), [((1, 2, 3, 0, 0), "pattern:3"), ((1, 2, 3, 4, 0), "pattern:2")])
def test_an_order_that_no_goal_has_is_refuted_by_its_pattern(start, heuristic, every):
    goal = (*start[1:3], start[0], *start[3:])
    model = slide(links((0, 1), (1, 2), (2, 3), (3, 4)), start, goal)
    question = Search(model, model.start, (bytes(goal),), every, heuristic, [[str(n)] for n in range(5)])
    found = deepening.search(question, compiled())
    assert (found.layers, found.bound, found.stopped) == ((), None, None)
    assert found.generated <= 1


def test_fixed_pieces_in_other_cells_than_the_goal_are_told_at_once():
    text = "board: grid 3x2\nrule: slide\nfixed: x y\nstart:\n  1 x .\n  2 y 3\ngoal: start\n"
    model = from_text(text, "fixed.pzl").model()
    one, other = (model.start.index(symbol) for symbol in (model.start[1], model.start[4]))
    goal = bytearray(model.start)
    goal[one], goal[other] = goal[other], goal[one]
    found = deepening.search(Search(model, model.start, (bytes(goal),)), compiled())
    assert (found.layers, found.bound, found.generated) == ((), None, 0)


def test_more_equal_pieces_than_are_matched_count_alone():
    cells = 13
    around = links(*((cell, (cell + 1) % cells) for cell in range(cells)), (0, 6))
    rng = random.Random(7)
    model = slide(around, [2, *[1] * 11, 0], [2, *[1] * 11, 0])
    position = model.start
    for _ in range(30):
        position = rng.choice(list(model.moves(position)))
    asked = replace(model, start=position)
    for every in (False, True):
        question = Search(asked, position, (model.start,), every, "assignment")
        layers = deepening.search(question, compiled()).layers
        right = plain.search(Search(asked, position), Watch()).layers
        assert layers == right if every else len(layers) == len(right)


@pytest.mark.long
@settings(max_examples=5000, deadline=None)
@given(strange(8), NAMES, st.booleans())
def test_many_more_random_graphs_agree_with_plain(model, heuristic, divided):
    held(model, heuristic, divided)


def block_puzzle(rng):
    """Return the text of a random board of blocks: rectangles laid down one after the other, some cells left open."""
    width, height = rng.choice([(3, 3), (4, 3), (3, 4)])
    rows = [["."] * width for _ in range(height)]
    for letter in "ABCDEF":
        w, h = rng.choice([(1, 1), (1, 1), (2, 1), (1, 2), (2, 2)])
        x, y = rng.randrange(width - w + 1), rng.randrange(height - h + 1)
        cells = [(y + dy, x + dx) for dy in range(h) for dx in range(w)]
        if all(rows[a][b] == "." for a, b in cells):
            for a, b in cells:
                rows[a][b] = letter
    return rows


def block_model(rng, tmp_path, metric):
    file = tmp_path / "blocks.pzl"
    while True:
        rows = block_puzzle(rng)
        if not any("." in row for row in rows):
            continue
        drawn = "\n".join("  " + "".join(row) for row in rows)
        file.write_text(f"rule: slide\nblocks: all\ncount: {metric}\nstart:\n{drawn}\ngoal:\n{drawn}\n")
        model = load(str(file)).model(metric)
        reached = walk(model, rng)
        if len(reached) > 5:
            return model, rng.choice(reached)


def walk(model, rng, steps=60):
    """Return the positions of a random walk from the start."""
    found = [model.start]
    for _ in range(steps):
        moves = sorted(model.moves(found[-1]))
        if not moves:
            break
        found.append(rng.choice(moves))
    return list(dict.fromkeys(found))


def blocks_agree(seeds, tmp_path):
    for seed in seeds:
        rng = random.Random(seed)
        model, goal = block_model(rng, tmp_path, rng.choice(METRICS[:3]))
        model = replace(model, goals=(Goal.exactly(goal),))
        held(model, rng.choice(["distance", "assignment", "pattern"]), rng.random() < 0.5)


def test_random_blocks_agree_with_plain(tmp_path):
    blocks_agree(range(15), tmp_path)


@pytest.mark.long
def test_many_more_random_blocks_agree_with_plain(tmp_path):
    blocks_agree(range(100, 1100), tmp_path)


def one_blank_and_a_block(rng, tmp_path):
    """Return a full board of pieces of one cell, one of two, and one blank, and a goal far from its start."""
    width, height = rng.choice([(3, 3), (4, 2), (2, 4)])
    cells = [(x, y) for y in range(height) for x in range(width)]
    block = rng.choice([((x, y), other) for x, y in cells for other in ((x + 1, y), (x, y + 1)) if other in cells])
    rest = [cell for cell in cells if cell not in block]
    rng.shuffle(rest)
    symbols = dict.fromkeys(block, "A") | dict(zip(rest, "." + rng.choice(["BCDEFG", "BBDEFG"]), strict=False))
    drawn = "\n".join("  " + "".join(symbols[x, y] for x in range(width)) for y in range(height))
    file = tmp_path / "block.pzl"
    file.write_text(f"rule: slide\nblocks: A\nstart:\n{drawn}\ngoal:\n{drawn}\n")
    model = load(str(file)).model()
    return replace(model, goals=(Goal.exactly(walk(model, rng, 2_000)[-1]),))


@pytest.mark.parametrize("heuristic", ["distance", "assignment", "pattern"])
@pytest.mark.parametrize("seed", range(8))
def test_words_of_links_are_barred_beside_a_block_where_nothing_is_lost(seed, heuristic, tmp_path):
    same(one_blank_and_a_block(random.Random(seed), tmp_path), heuristic)


GATED = """rule: slide
distinct: all
gates:
  A * * *
  * * * *
  * * * *
start:
  A 1 2 3
  4 . 6 7
  8 9 B C
goal: start
"""


@pytest.fixture(scope="module")
def gated():
    """A board with a gate, its goal 60 random moves away, and all its shortest solutions."""
    model = from_text(GATED, "gated").model()
    goal = walk(model, random.Random(0), 60)[-1]
    model = replace(model, goals=(Goal.exactly(goal),))
    return model, goal, bidirectional.search(Search(model, model.start), Watch())


@pytest.mark.parametrize("heuristic", ["", "distance", "walking", "walking+inversion", "pattern", "pattern+walking"])
def test_a_gate_stays_shut_for_other_pieces(heuristic, gated):
    model, goal, expected = gated
    found = deepening.search(Search(model, model.start, (goal,), every=False, heuristic=heuristic), compiled())
    assert found.bound == len(expected.layers) - 1
    assert all(one <= all_ for one, all_ in zip(found.layers, expected.layers, strict=True))


@pytest.mark.parametrize("name", ["goat", "no-off-a", "no-off-b"])
def test_puzzles_of_the_catalogue(name):
    for metric in load(name).metrics:
        same(load(name).model(metric), "distance", goals=None)


def test_open_goals_and_several():
    model = slide(grid_edges(3, 3), (1, 2, 3, 4, 5, 5, 4, 0, 0), (1, 2, 3, 4, 5, 5, 4, 0, 0))
    far = (5, 0, 4, 2, 0, 3, 4, 1, 5)
    goals = (Goal((*(-1,) * 5, 1 << 1, -1, -1, 1 << 2)), Goal.exactly(bytes(far)))
    same(Model(model.cells, model.symbols, model.rules, model.metric, model.start, goals), "distance")


@pytest.mark.parametrize("heuristic", ["distance", "assignment", "pattern"])
@pytest.mark.parametrize("count", METRICS)
def test_bounds_carried_along_are_those_of_the_plain_heuristic(count, heuristic):
    board = (1, 2, 3, 4, 5, 5, 4, 0, 0) if heuristic != "assignment" else (1, 2, 3, 4, 5, 5, 4, 6, 0)
    model = slide(grid_edges(3, 3), board, board, count)
    view = slides.read(model)
    if view.joint != 1:
        heuristic = "distance"
    made = sums.make(heuristic, view, model.goals)
    assert made is not None
    bound = slide_heuristic(heuristic, view, model.goals, model.start).bound
    moves = Moves(Search(model, model.start), model.goals, made)
    rng, position = random.Random(2026), model.start
    rows = np.zeros((1, 2 * moves.packing.words), np.uint64), np.zeros((1, bounds.VIEW + len(made.views)), np.int64)
    for _ in range(200):
        position = rng.choice(sorted(model.moves(position)))
        rows[0][0, : moves.packing.words] = moves.packing.pack(position)
        rows[1][0] = moves.begin(position)
        found = bounds.bound_of(moves.plan, rows, 0)
        assert found >= bound(position) if heuristic == "pattern" else found == bound(position)


@pytest.mark.parametrize(("name", "most", "height"), [("eight", 11, 6), ("slide:2x4", 30, 10)])
def test_walking_distance_where_a_move_carries_a_line(name, most, height):
    model = load(name).model("multi")
    goal = model.goals[0].position
    bound = slide_heuristic("walking", slides.read(model), model.goals, goal).bound
    table = near(model, most)
    rows = [(position, depth) for position, depth in table.items() if depth % 3 == 0 or depth == most][::5]
    assert all(bound(position) <= depth for position, depth in rows)
    assert max(bound(position) for position, _ in rows) > height
    for position, _ in rows[:: len(rows) // 2] if name == "slide:2x4" else []:
        same(replace(model, start=position), "walking", divided=True, goals=(goal,))


MIXED = ["pattern+walking", "max:walking,inversion,pattern:2-2-2-2", "pattern:4-4+inversion", "distance+walking"]


@pytest.mark.parametrize("heuristic", MIXED)
def test_the_greatest_of_patterns_and_lines(heuristic):
    model = load("eight").model()
    goal, rng = model.goals[0].position, random.Random(heuristic)
    far = [position for position, depth in near(model, 14).items() if depth == 14]
    for divided in (False, True):
        same(replace(model, start=rng.choice(far)), heuristic, divided, goals=(goal,))


def test_the_greatest_of_bounds_leaves_fewer_positions():
    model, made = load("slide:3x4").model(), []
    goals, rng = (model.goals[0].position,), random.Random(12)
    start = goals[0]
    for _ in range(120):
        start = rng.choice(sorted(model.moves(start)))
    for heuristic in ("walking", "inversion", "pattern:3-3-3-2", "pattern:3-3-3-2+walking+inversion"):
        found = deepening.search(Search(model, start, goals, every=False, heuristic=heuristic), compiled())
        made.append((found.bound, found.generated))
    lengths, generated = zip(*made, strict=True)
    assert len(set(lengths)) == 1
    assert generated[-1] < min(generated[:-1])


def test_the_answer_does_not_depend_on_the_number_of_threads(monkeypatch):
    model = slide(grid_edges(4, 3), (0, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1), (1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0))
    rng, position = random.Random(3), bytes(model.goals[0].position)
    for _ in range(60):
        position = rng.choice(sorted(model.moves(position)))
    found = []
    for threads in (1, 2, 3):
        monkeypatch.setattr(iterations, "processors", lambda threads=threads: threads)
        question = Search(model, position, goal_positions(model), every=False)
        found.append(deepening.search(question, compiled(divided=True)).layers)
    assert found[0] == found[1] == found[2]
    assert len(found[0]) > 10


def test_a_search_that_begins_beyond_its_limit_stops_instead_of_waiting(monkeypatch):
    def waiting(seconds):
        raise AssertionError("it waits for threads that there are not")

    monkeypatch.setattr(iterations, "sleep", waiting)
    model = load("eight").model()
    question = Search(model, model.start, goal_positions(model), heuristic="distance")
    watch = Watch(Limits(positions=5), thresholds=Thresholds({PLAIN_ORDERS: 0}), generated=10)
    found = deepening.search(question, watch)
    assert found.stopped is not None
    assert found.stopped.kind == "positions"


def test_the_parts_of_a_round_are_a_layer_with_its_ways():
    model = slide(grid_edges(3, 3), (8, 6, 7, 2, 5, 4, 3, 0, 1), (1, 2, 3, 4, 5, 6, 7, 8, 0))
    parts = RoundParts.of(model, model.start, 12, bytes, 96)
    assert len(parts.positions) >= 96
    for position in parts.positions[:5]:
        path = parts.path(position)
        assert len(path) == parts.depth + 1
        replay(Model(9, 9, model.rules, start=path[0], goals=(Goal.exactly(position),)), path)
        every = parts.before(position, every=True)
        assert all({each} <= layer for each, layer in zip(path, every, strict=False))


def test_an_unsolvable_start_that_no_parity_tells_ends():
    """Five pieces in a ring with a tail that takes no two: their order around the ring stays."""
    ring = [(cell, (cell + 1) % 11) for cell in range(11)]
    start = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    model = slide(links(*ring), start, (0, 2, 1, 4, 3, 5, 6, 7, 8, 9, 10))
    goals = (model.goals[0].position,)
    for heuristic in ("distance", "assignment"):
        found = deepening.search(Search(model, model.start, goals, heuristic=heuristic), compiled(seconds=60))
        assert (found.layers, found.bound, found.stopped) == ((), None, None)


THETA = links((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 6), (6, 3))

GATE_AT_THE_END = """rule: slide
gates: * * / * * / * * / * 2
start: 1 2 / . 1 / 1 2 / 1 2
goal: 2 2 / 2 1 / 1 1 / 1 .
"""


@pytest.mark.parametrize(
    "model",
    [
        slide(THETA, (1, 2, 3, 4, 5, 6, 0), (2, 1, 3, 4, 5, 6, 0)),
        from_text(GATE_AT_THE_END, "gate").model(),
    ],
    ids=["theta", "gate"],
)
def test_the_right_parity_does_not_mean_that_the_goal_can_be_reached(model):
    """On Wilson's exceptional board, and where a gate keeps a piece out, a search without a solution still ends."""
    start, goals = model.start, (model.goals[0].position,)
    assert plain.search(Search(model, start, goals), Watch()).layers == ()
    by = Thresholds({PLAIN_ORDERS: 0, ATTEMPT_PLAIN: 0, EXHAUST_AFTER: 0, EXHAUST_SHARE: 1})
    for heuristic in ("distance", "assignment", "pattern:1", "pattern"):
        question = Search(model, start, goals, heuristic=heuristic, letters=[[str(n)] for n in range(7)])
        found = deepening.search(question, Watch(Limits(positions=20_000), thresholds=by))
        assert (found.layers, found.bound, found.stopped) == ((), None, None), heuristic


def test_positions_too_wide_to_pack_have_no_proof_from_both_ends():
    row = (1, *(0,) * 1099)
    model = slide(grid_edges(1100, 1), row, row[::-1])
    exhaust = Exhaust(Search(model, model.start, (bytes(row[::-1]),)))
    watch = Watch(thresholds=Thresholds({EXHAUST_ROUNDS: 0}))
    assert [exhaust.proves(watch, rounds) for rounds in (1, 2)] == [False, False]
    assert not exhaust.ends


def test_progress_tells_the_bound_and_a_limit_what_is_proved():
    model = load("slide:4x4").model()
    start = bytes([14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3])
    told: list[Progress] = []
    watch = Watch(Limits(positions=12_000_000), told.append)
    found = deepening.search(Search(model, start, (bytes(range(16)),), every=False, heuristic="distance"), watch)
    assert found.stopped.kind == "positions"
    assert 12_000_000 < found.generated <= 12_000_003
    assert all(each.bound for each in told)
    assert [each.layer for each in told] == sorted(each.layer for each in told)
    assert told[-1].layer == found.bound
    assert told[-1].size <= told[-1].found


PROGRAM = """
from test_deepening import held
from toys import grid_edges, links, slide
tail = links((0, 1), (1, 2), (2, 3), (3, 0), (2, 4))
for count in ("step", "run", "piece", "multi"):
    held(slide(tail, (1, 2, 2, 0, 0), (2, 1, 2, 0, 0), count), "distance", True)
    held(slide(grid_edges(3, 2), (1, 0, 0, 2, 1, 0), (0, 0, 2, 1, 0, 1), count), "distance", False)
tiles = slide(grid_edges(3, 2), (4, 2, 5, 1, 0, 3), (1, 2, 3, 4, 5, 0))
held(tiles, "pattern:2-1+walking+inversion", False)
for heuristic in ("assignment", "pattern"):
    held(slide(tail, (1, 2, 2, 3, 0), (2, 1, 3, 2, 0)), heuristic, True)
    held(slide(tail, (1, 2, 2, 0, 0), (2, 1, 2, 0, 0)), heuristic, False)
"""


def test_the_loops_pass_uncompiled():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{SUPPORT}"}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", PROGRAM]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
