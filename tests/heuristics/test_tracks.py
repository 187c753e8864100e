"""Tables of tracks, for moves that carry a line on a rectangle: against whole depth tables, in searches, uncompiled."""

import csv
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from depth_tables import distances, distances_of
from places import DATA, SUPPORT
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api.loader import load
from puzzlespace.bounds.choosing import slide_heuristic
from puzzlespace.contract.questions import Search
from puzzlespace.engines import deepening, plain
from puzzlespace.engines.deepening.methods import PLAIN_ORDERS
from puzzlespace.errors import UnsupportedError
from puzzlespace.heuristics import kept, tracks
from puzzlespace.heuristics.colours import COLOURED_TABLES
from puzzlespace.heuristics.track_words import BITS, Words, partitions, split, ways
from puzzlespace.kernels import bits
from puzzlespace.kernels.loop import kernel
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.model import Model
from puzzlespace.structure import slides
from toys import grid_edges, slide

KORF = DATA / "korf15.csv"


def made(model: Model, memory: int = COLOURED_TABLES.usual) -> tracks.Tracks:
    found = tracks.read(slides.read(model), goal_positions(model)[0], memory)
    assert found is not None
    return found


def tiles(width: int, height: int, goal: tuple[int, ...]) -> Model:
    return slide(grid_edges(width, height), goal, goal, "multi")


@pytest.mark.parametrize(
    "model",
    [
        load("slide:2x3").model("multi"),
        tiles(3, 2, (1, 2, 3, 4, 0, 5)),
        tiles(2, 3, (1, 1, 0, 2, 3, 3)),
        tiles(2, 4, (0, 1, 2, 2, 3, 4, 5, 5)),
    ],
    ids=["corner", "middle", "like pieces", "2x4"],
)
def test_with_a_colour_for_nearly_each_piece_the_bound_is_the_distance(model):
    bound = made(model)
    found = distances_of(model)
    some = random.Random(4).sample(sorted(found), min(len(found), 360))
    assert [bound.bound(position) for position in some] == [found[position] for position in some]
    assert bound.bound(bound.goal) == 0


@pytest.mark.parametrize("memory", [2500, 6000, 20_000])
def test_with_fewer_colours_no_bound_passes_the_distance(memory):
    bound, table = made(load("slide:2x4").model("multi"), memory), distances("slide:2x4", "multi")
    some = random.Random(memory).sample(sorted(table), 600)
    values = [(bound.bound(position), table[position]) for position in some]
    assert all(value <= depth for value, depth in values)
    assert 10 * max(depth for _, depth in values) < 20 * max(value for value, _ in values)
    assert sum(table.size for table in bound.tables) * 5 / 4 <= memory


def test_first_and_last_ways_are_told_apart():
    model, table = load("slide:2x3").model("multi"), distances("slide:2x3", "multi")
    bound = made(model)
    shape = bound.shape

    def axis(before: bytes, after: bytes) -> int:
        """0 where the blank stays in its row."""
        return int(shape.rows[before.index(0)] != shape.rows[after.index(0)])

    best = {(bound.goal, a, b): 99 for a in (0, 1) for b in (0, 1)}
    for position, depth in table.items():
        for child in model.moves(position):
            for last in (0, 1):
                rest = 0 if child == bound.goal and axis(position, child) == last else 99
                if depth == table[child] + 1 and child != bound.goal:
                    rest = min(best.get((child, first, last), 99) for first in (0, 1))
                key = position, axis(position, child), last
                best[key] = min(best.get(key, 99), 1 + rest)
    told = {key: length for key, length in best.items() if length < 99}
    assert len(told) > len(table) - 2
    assert all(bound.least(*key) <= length for key, length in told.items())
    shortest = [key for key, length in told.items() if length == table[key[0]]]
    assert all(bound.least(*key) == table[key[0]] for key in shortest)


def test_searches_agree_with_the_whole_table_and_all_solutions_with_plain():
    small = Thresholds({COLOURED_TABLES: 3000})
    model, table = load("slide:2x4").model("multi"), distances("slide:2x4", "multi")
    goal = goal_positions(model)
    for position in [goal[0], *random.Random(5).sample(sorted(table), 40)]:
        watch = Watch(thresholds=small)
        found = deepening.search(Search(model, position, goal, every=False, heuristic="pattern"), watch)
        assert [table[one] for (one,) in found.layers] == list(range(table[position], -1, -1))
        assert found.bound == table[position]
    for depth in (1, 2, 7, 14):
        question = Search(model, next(p for p, d in table.items() if d == depth), goal, heuristic="pattern")
        watch = Watch(thresholds=small | {PLAIN_ORDERS: 10})
        assert deepening.search(question, watch).layers == plain.search(question, Watch()).layers


def test_a_sample_of_korfs_positions_with_small_tables():
    small = Thresholds({COLOURED_TABLES: 20 << 20})
    model, goal = load("slide:4x4").model("multi"), bytes(range(16))
    rows = list(csv.DictReader(KORF.open()))
    for number in (12, 48, 55, 79):
        row = rows[number - 1]
        start = bytes(int(row[f"t{cell}"]) for cell in range(16))
        question = Search(model, start, (goal,), every=False, heuristic="pattern")
        found = deepening.search(question, Watch(thresholds=small))
        assert found.bound == int(row["optimal_multitile"])
        path = [position for (position,) in found.layers]
        assert (path[0], path[-1]) == (start, goal)
        assert all(after in model.moves(before) for before, after in zip(path, path[1:], strict=False))


def test_a_search_stops_at_its_limit_and_one_without_an_end_is_no_search():
    model, goal = load("slide:4x4").model("multi"), bytes(range(16))
    start = bytes([15, 2, 1, 12, 8, 5, 6, 11, 4, 9, 10, 7, 3, 14, 13, 0])
    watch = Watch(Limits(positions=100_000), thresholds=Thresholds({COLOURED_TABLES: 20 << 20}))
    found = deepening.search(Search(model, start, (goal,), every=False, heuristic="pattern"), watch)
    assert found.stopped is not None
    assert found.stopped.kind == "positions"
    assert 15 < found.bound < 44
    small, odd = load("slide:2x3").model("multi"), bytes([0, 2, 1, 3, 4, 5])
    found = deepening.search(
        Search(small, odd, (bytes(range(6)),), heuristic="pattern"), Watch(thresholds=Thresholds({PLAIN_ORDERS: 10}))
    )
    assert (found.layers, found.stopped) == ((), None)


@pytest.mark.long
def test_all_of_korfs_positions_in_the_multi_metric():
    model = load("slide:4x4").model("multi")
    for row in csv.DictReader(KORF.open()):
        start = bytes(int(row[f"t{cell}"]) for cell in range(16))
        question = Search(model, start, (bytes(range(16)),), every=False, heuristic="pattern")
        assert deepening.search(question, Watch()).bound == int(row["optimal_multitile"])


def test_groups_of_colours():
    assert list(partitions(5, 3)) == [(5,), (1, 4), (1, 1, 3), (1, 2, 2), (2, 3)]
    assert len(list(partitions(15, 8))) == 146
    for counts in partitions(15, 8):
        high = split(counts)
        if high is not None:
            assert ways([counts[colour] for colour in high]) <= BITS
            assert 0 < len(high) <= 4
            assert len(counts) - len(high) <= 4
    assert split((5, 5, 5)) is not None
    assert split((15,)) is None
    assert split((20,) * 2) is None


def test_turns_undo_each_other_and_words_have_numbers_of_their_own():
    words = Words(3, 2, (1, 1), (2, 1))
    (rows, low, high), (befores, _, still) = words.turns
    for cell in range(6):
        there, back = rows[0, cell], rows[1, cell]
        assert (back[there] == np.arange(len(words.places))).all()
        for row in range(len(words.places)):
            after, before = befores[low[0, cell, row]], befores[low[1, cell, there[row]]]
            assert (before[after] == np.arange(words.shape[2])).all()
            assert still[high[0, cell, row]] == still[high[1, cell, there[row]]]


@kernel
def _gathered(word, mask):
    return bits.gathered(word, mask)


def test_bits_are_gathered_as_one_by_one():
    rng = random.Random(8)
    for _ in range(50):
        word, mask = np.uint64(rng.getrandbits(64)), np.uint64(rng.getrandbits(64) & rng.getrandbits(64))
        picked = [int(word) >> at & 1 for at in range(64) if int(mask) >> at & 1]
        expected = sum(bit << at for at, bit in enumerate(picked))
        assert bits.gathered(word, mask) == _gathered(word, mask) == expected


def test_the_cache_is_checked(tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLESPACE_CACHE", str(tmp_path))
    bound = made(load("slide:2x3").model("multi"))
    bound.fill(least=1)
    assert len({kept.place_of(table) for table in bound.tables}) == 4
    for table in bound.tables:
        right, table.bits = table.bits, table.bits[:0]
        assert kept.fetch(table)
        assert (table.bits == right).all()
    place = kept.place_of(bound.tables[0]) / kept.BITS
    place.write_bytes(bytes(place.stat().st_size))
    assert not kept.fetch(bound.tables[0])


def test_it_is_for_rectangles_with_moves_along_whole_lines():
    for name, metric in (("hexagram", "multi"), ("slide:2x3", "run")):
        model = load(name).model(metric)
        if metric == "multi":
            assert tracks.read(slides.read(model), goal_positions(model)[0]) is None
    three = slide(grid_edges(3, 1), (1, 2, 0), (1, 2, 0), "multi")
    assert tracks.read(slides.read(three), three.start) is None
    with pytest.raises(UnsupportedError, match="fits 100 bytes"):
        _ = made(load("eight").model("multi"), 100).views
    board = load("eight").model("multi")
    assert isinstance(slide_heuristic("pattern", slides.read(board), board.goals, board.start), tracks.Tracks)


PROGRAM = """
from depth_tables import distances
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.engines import deepening, plain
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Search
from puzzlespace.limits.watch import Watch
from puzzlespace.engines.deepening.methods import PLAIN_ORDERS
from puzzlespace.heuristics.colours import COLOURED_TABLES
from puzzlespace.limits.thresholds import Thresholds
model = load("slide:2x3").model("multi")
for memory in (2500, 1 << 20):
    some = Thresholds({PLAIN_ORDERS: 0, COLOURED_TABLES: memory})
    for position, depth in list(distances("slide:2x3", "multi").items())[::31]:
        question = Search(model, position, goal_positions(model), heuristic="pattern")
        found = deepening.search(question, Watch(thresholds=some)).layers
        assert found == plain.search(question, Watch()).layers
"""


def test_the_loops_pass_uncompiled():
    places = os.pathsep.join(map(str, (Path(__file__).parent, SUPPORT, *filter(None, sys.path))))
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": places}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", PROGRAM]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
