"""The engine for sliding blocks is held against the plain engine: codes, metrics, forgetting, ways back, limits."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import blocks as board_of
from boards import klotski, rush
from fuzz import judge
from puzzlespace.api import questions
from puzzlespace.api.loader import from_text, load
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import blocks, plain
from puzzlespace.engines.blocks.code_set import KEPT_WHOLE, CodeSet
from puzzlespace.errors import FormatError, UnsupportedError
from puzzlespace.kernels.blocks import moves
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model import replay
from puzzlespace.model.goal import Goal
from puzzlespace.model.metric import Metric
from puzzlespace.model.rule import ANY
from toys import flips, grid_edges, pegs, slide

METRICS = ("step", "run", "piece")
ELLS = board_of("AAB./A.BB/CD../CDE.", "..../..../..AA/..A.")


def tables_agree(model, sources=None, by=USUAL, **options):
    """Both engines give the same depth table."""
    question = Depths(model, sources or (model.start,), **options)
    expected = plain.depths(question, Watch())
    found = blocks.depths(question, Watch(thresholds=by))
    assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.deepest, True)
    assert sorted(found.collected) == sorted(expected.collected)
    return found


def ways_agree(model, goals=None):
    """Both engines find the same positions on shortest solutions; one solution lies among them."""
    expected = plain.search(Search(model, model.start), Watch())
    found = blocks.search(Search(model, model.start, goals), Watch())
    assert (found.layers, found.bound, found.stopped) == (expected.layers, expected.bound, None)
    one = blocks.search(Search(model, model.start, goals, every=False), Watch())
    assert all(len(layer) == 1 and layer <= whole for layer, whole in zip(one.layers, expected.layers, strict=True))
    return found


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", ["dads", "rush60"])
def test_blocks_of_the_catalogue(name, metric):
    model = load(name).model(metric)
    tables_agree(model, keep=5, collect=model.goals)
    ways_agree(model)


@pytest.mark.parametrize("metric", METRICS)
def test_blocks_that_are_no_rectangles(metric):
    model = ELLS.model(metric)
    tables_agree(model, keep=3)
    ways_agree(model)


@pytest.mark.parametrize("metric", METRICS)
def test_gates_and_walls(metric):
    model = board_of("#####../#AAB#../#C.B-../#CDD-../#####..", "#####../#...#../#....../#....AA/#####..").model(metric)
    assert blocks.refuses(model, "search") is None
    assert model.reversible
    tables_agree(model, keep=3)
    ways_agree(model)


@pytest.mark.parametrize("metric", METRICS)
def test_pieces_of_one_cell_and_several_blanks(metric):
    model = slide(grid_edges(3, 2), (1, 2, 3, 3, 0, 0), (2, 1, 3, 3, 0, 0), metric)
    tables_agree(model, keep=4, collect=(Goal((-1, 6, -1, 1, -1, -1), ((0, 2), (3, 2))), Goal((4, -1, -1, -1, 9, -1))))
    ways_agree(model)
    ways_agree(model, (model.goals[0].position,))


def test_from_both_ends():
    model = load("dads").model()
    far = plain.depths(Depths(model, (model.start,), keep=3), Watch()).deepest
    ways_agree(replace(model, goals=tuple(map(Goal.exactly, far))), far)
    assert blocks.search(Search(model, model.start, (), every=False), Watch()).layers == ()


def test_several_sources():
    model = load("dads").model()
    sources = plain.depths(Depths(model, (model.start,), keep=3), Watch()).deepest
    tables_agree(model, (*sources, model.start, sources[0]), keep=2)


@pytest.mark.parametrize("whole", [1, 20, 300])
@pytest.mark.parametrize("every", [True, False])
def test_ways_back_past_what_is_forgotten(whole, every):
    model = load("dads").model()
    question = Search(model, model.start, every=every)
    expected = blocks.search(question, Watch())
    by = Thresholds({KEPT_WHOLE: whole})
    found = blocks.search(question, Watch(thresholds=by))
    assert found.bound == expected.bound
    if every:
        assert found.layers == expected.layers
    else:
        path = [position for layer in found.layers for position in layer]
        assert len(path) == found.bound + 1
        assert replay.replay(model, path) is None
    assert tables_agree(model, by=by, keep=3).complete


@pytest.mark.parametrize("bits", [12, 17, 33, 40, 55, 64])
def test_a_set_of_codes_yields_those_of_a_depth(bits):
    chance, table = Random(bits), CodeSet(bits, Watch())
    layers = [np.array(sorted({chance.getrandbits(bits) for _ in range(900)}), np.uint64) for _ in range(3)]
    seen = np.empty(0, np.uint64)
    for depth, codes in enumerate(layers):
        layers[depth] = codes = np.setdiff1d(codes, seen)
        seen = np.union1d(seen, codes)
        table.enter(codes, depth + 4)
    for depth, codes in enumerate(layers):
        assert np.sort(np.concatenate(list(table.codes(depth + 1)))).tolist() == codes.tolist()


def test_codes_of_a_position_are_one_to_one():
    from puzzlespace.engines.blocks.codes import Codes

    for name in ("dads", "rush60"):
        model = load(name).model()
        codes = Codes.of(model, (model.start,))
        positions = plain.depths(Depths(model, (model.start,), keep=10**6), Watch()).deepest
        assert codes.read(codes.rows(codes.codes(positions))).tolist() == codes.codes(positions).tolist()
        positions += tuple(model.moves(model.start))
        packed = codes.codes(positions)
        assert len(set(packed.tolist())) == len(positions)
        assert codes.positions(packed) == list(positions)
        assert codes.code(bytes([model.shapes.body] * model.cells)) is None


@pytest.mark.parametrize("kind", ["positions", "seconds", "memory"])
def test_a_limit_stops_it_with_what_is_proved(kind):
    model = klotski("HAAI/HAAI/JBBK/JNOK/P..Q").model()
    limits = {"positions": Limits(positions=2000), "seconds": Limits(seconds=1e-9), "memory": Limits(memory=1 << 16)}
    found = blocks.depths(Depths(model, (model.start,)), Watch(limits[kind]))
    assert (found.stopped.kind, found.complete) == (kind, False)
    whole = blocks.depths(Depths(model, (model.start,)), Watch())
    assert found.counts == whole.counts[: len(found.counts)]
    way = blocks.search(Search(model, model.start), Watch(limits[kind]))
    assert (way.stopped.kind, way.layers) == (kind, ())


LINES = """rule: slide
board:
  c4
  c1
  c2 c0
  c3
lines: c3-c0-c2-c1-c4-c3 c3-c2-c1-c4 c3-c2-c0 c1-c0-c4-c2-c3
count: run
start: . / 1 / . 2 / .
"""


@pytest.mark.parametrize("metric", ["step", "run", "piece"])
def test_there_is_room_for_every_line_along_which_a_piece_comes_to_a_place(metric):
    model = from_text(LINES, "lines.pzl").model(metric)
    expected = plain.depths(Depths(model, (model.start,), 100), Watch())
    assert blocks.depths(Depths(model, (model.start,), 100), Watch()).counts == expected.counts
    right = judge.of_model(model)
    most = max(sum(right.moves(p).values()) for layer in right.layers([model.start]) for p in layer)
    assert blocks.prepared(model, (model.start,))[1].flags[moves.CHILDREN] >= most


def test_more_ways_than_a_word_has_bits_are_refused():
    lines = " ".join(f"a-b-c{n}" for n in range(70))
    names = " ".join(f"c{n}" for n in range(70))
    text = f"rule: slide\ncount: run\nboard:\n  a b {names}\nlines: {lines}\nstart: 1 . {'x ' * 70}\n"
    model = from_text(text, "many.pzl").model()
    with pytest.raises(UnsupportedError, match="ways and at most 64"):
        blocks.depths(Depths(model, (model.start,)), Watch())


def test_what_it_refuses():
    model = load("dads").model()
    assert blocks.refuses(model, "depths") is None
    assert "does not move a piece into a blank" in blocks.refuses(flips(2, 2), "depths")
    assert blocks.refuses(pegs([(0, 1, 2), (1, 2, 3)], (1, 1, 0, 1)), "search")
    assert "functions" in blocks.refuses(questions.Custom(lambda n: [n + 1], 0, 3), "search")
    assert "pieces" in blocks.refuses(replace(model, start=None), "depths")
    tiles = load("slide:3x3").model("multi")
    assert "another piece" in blocks.refuses(replace(tiles, start=tiles.goals[0].position), "search")
    some = Metric("odd", tuple(after[1:] for after in load("klotski").model().followers))
    assert "some directions" in blocks.refuses(replace(load("klotski").model(), metric=some), "search")
    number = next(n for n, rule in enumerate(model.rules) if rule.motion.shape >= 0)
    wider = replace(model.rules[number], need=(ANY, *model.rules[number].need[1:]))
    rules = (*model.rules[:number], wider, *model.rules[number + 1 :])
    assert "more than move one piece" in blocks.refuses(replace(model, rules=rules), "search")
    with pytest.raises(UnsupportedError, match="different pieces"):
        blocks.depths(Depths(model, (model.start, bytes(model.cells))), Watch())


def test_moves_that_cannot_be_taken_back_are_refused():
    model = load("dads").model("step")
    assert "taken back" in blocks.refuses(replace(model, rules=model.rules[:-1]), "search")


@st.composite
def boards(draw):
    """A small board of up to five pieces with two blanks at least, and a metric."""
    width, height = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    cells = [["."] * width for _ in range(height)]
    shapes = [[(0, 0)], [(0, 0), (1, 0)], [(0, 0), (0, 1)], [(0, 0), (1, 0), (0, 1)], [(1, 0), (0, 1), (1, 1)]]
    for letter in "ABCDE"[: draw(st.integers(1, 5))]:
        shape = draw(st.sampled_from(shapes))
        x, y = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
        where = [(x + dx, y + dy) for dx, dy in shape]
        if all(a < width and b < height and cells[b][a] == "." for a, b in where):
            for a, b in where:
                cells[b][a] = letter
    start = ["".join(row) for row in cells]
    goal = [draw(st.sampled_from(["*" * width, row])) for row in reversed(start)]
    return start, goal, draw(st.sampled_from(METRICS))


@settings(max_examples=60, deadline=None)
@given(boards())
def test_random_boards(drawn):
    start, goal, metric = drawn
    if "." not in "".join(start) or not set("".join(start)) - {"."} or set("".join(goal)) <= {"*", "."}:
        return
    text = "rule: slide\nblocks: all\ncount: piece\nstart:\n  {}\ngoal:\n  {}\n"
    try:
        puzzle = from_text(text.format("\n  ".join(start), "\n  ".join(goal)), "random.pzl")
    except FormatError:
        return
    model = puzzle.model(metric)
    assert blocks.refuses(model, "depths") is None
    tables_agree(model, keep=3, collect=model.goals)
    ways_agree(model)


@pytest.mark.parametrize("metric", METRICS)
def test_distances_to_the_goals_of_the_component(metric):
    for puzzle in (load("dads"), ELLS, klotski("BBAA/HIAA/HICC/DDNO/EE..")):
        plainly = questions.depths(puzzle, metric=metric, engine="plain", keep=9)
        found = questions.depths(puzzle, metric=metric, engine="blocks", keep=9)
        assert (found.counts, found.hardest, found.classes) == (plainly.counts, plainly.hardest, plainly.classes)
    model = ELLS.model(metric)
    assert blocks.goal_depths(Depths(model, (model.start,), collect=()), Watch()).counts == ()
    stopped = blocks.goal_depths(Depths(model, (model.start,), collect=model.goals), Watch(Limits(positions=9)))
    assert stopped.stopped.kind == "positions"


def test_what_is_collected_is_a_sequence():
    model = load("dads").model()
    expected = plain.depths(Depths(model, (model.start,), collect=model.goals), Watch()).collected
    found = blocks.depths(Depths(model, (model.start,), collect=model.goals), Watch()).collected
    assert len(found) == len(expected) > 20
    assert [each[1] for each in found] == [each[1] for each in expected]
    assert (found[0], found[-1], found[3:5]) == (next(iter(found)), tuple(found)[-1], tuple(found)[3:5])
    with pytest.raises(IndexError):
        found[len(found)]


def test_a_rush_hour_board():
    model = rush("BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN").model()
    assert blocks.search(Search(model, model.start), Watch()).bound == 58
    assert sum(blocks.depths(Depths(model, (model.start,)), Watch()).counts) == 9192


@pytest.mark.parametrize("metric", METRICS)
def test_more_cells_than_a_word_has_bits(metric):
    start = ["AA.......", *["." * 9] * 7]
    text = "rule: slide\nblocks: all\ncount: piece\nstart:\n  {}\n"
    tables_agree(from_text(text.format("\n  ".join(start)), "wide.pzl").model(metric), keep=3)


@pytest.mark.parametrize("metric", ["step", "run"])
def test_codes_that_leave_no_room_for_tags(metric):
    from puzzlespace.engines.blocks.arrays import board_of
    from puzzlespace.engines.blocks.codes import Codes
    from puzzlespace.kernels.blocks.moves import TAGS

    start = (*range(1, 13), 0, 0, 0, 0, 0)
    model = slide(grid_edges(17, 1), start, start[::-1], metric)
    assert board_of(Codes.of(model, (model.start,))).flags[TAGS] == 0
    found = blocks.depths(Depths(model, (model.start,), 1), Watch())
    assert sum(found.counts) == 6188
    assert found.deepest == (bytes((0, 0, 0, 0, 0, *range(1, 13))),)
    assert len(found.counts) - 1 == (60 if metric == "step" else 12)
