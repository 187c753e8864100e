"""The frontier engine, on NumPy alone and in compiled loops, is held against the plain engine."""

import csv
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from places import DATA
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import frontier, plain
from puzzlespace.engines.packed.front import COMPILE_FRONTIER
from puzzlespace.engines.packed.hashed_layers import LAYER_BITS
from puzzlespace.errors import LimitError, UnsupportedError
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.custom import Custom
from puzzlespace.model.goal import Goal
from puzzlespace.model.metrics import metric
from puzzlespace.model.model import Model
from puzzlespace.model.rule import Motion, Rule
from puzzlespace.search.ends import begun
from small_models import long_row, small_models
from toys import eight, flips, grid_edges, links, pegs, ring, slide, turns

WAYS = pytest.mark.parametrize("switch", [None, 0, 40], ids=["numpy", "compiled", "both"])
"""Positions generated before the compiled loops take over: never, at once, and in the middle."""

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"

PARTS = USUAL if COMPILED else Thresholds({LAYER_BITS: 4})
"""Of a small layer most parts are empty; uncompiled, the loops over the usual number of them take most of the time."""


def tables_agree(model, switch, sources=None, **options):
    """Both engines give the same depth table."""
    question = Depths(model, sources or (model.start,), **options)
    expected = plain.depths(question, Watch())
    found = frontier.count_layers(question, Watch(thresholds=PARTS), switch)
    assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.deepest, True)
    assert sorted(found.collected) == sorted(expected.collected)
    return found


def ways_agree(model, switch, start=None, goals=None):
    """Both engines find the same positions on shortest solutions."""
    start = start or model.start
    expected = plain.search(Search(model, start), Watch())
    found = frontier.find_ways(Search(model, start, goals), Watch(thresholds=PARTS), switch)
    assert (found.layers, found.bound, found.stopped) == (expected.layers, expected.bound, None)
    return found


def with_goals(model, *positions):
    return replace(model, goals=tuple(Goal.exactly(p) for p in positions))


@WAYS
def test_a_token_on_a_ring(switch):
    assert tables_agree(ring(7), switch).counts == (1, 2, 2, 2)
    ways_agree(ring(7), switch, goals=(ring(7).goals[0].position,))


@WAYS
def test_the_same_for_any_number_kept(switch):
    model = slide(grid_edges(3, 2), (1, 2, 3, 4, 0, 0), (1, 2, 3, 4, 0, 0))
    for keep in (0, 1, 3, 1000):
        tables_agree(model, switch, keep=keep)


def test_the_8_puzzle():
    expected = plain.depths(Depths(eight(), (eight().start,)), Watch())
    for switch in (None, 1000) if COMPILED else (None,):
        found = frontier.count_layers(Depths(eight(), (eight().start,)), Watch(), switch)
        assert (found.counts, found.deepest) == (expected.counts, expected.deepest)
        if switch is None:
            assert found.generated == expected.generated
        else:  # of the two directions of each edge, one is not generated after NumPy's layers
            assert expected.generated / 2 <= found.generated < expected.generated / 2 + 2 * switch


def published_tables():
    """(rows, columns, metric) -> counts, for the blank in a corner of the goal, boards of at most ten cells."""
    found = {}
    with (DATA / "tiles_depths.csv").open() as file:
        for row in csv.DictReader(file):
            rows, columns = map(int, row["board_rows_x_cols"].split("x"))
            if row["blank_in_goal"] == "corner" and rows * columns <= 10:
                found.setdefault((rows, columns, row["metric"]), []).append(int(row["positions"]))
    return found


@pytest.mark.skipif(not COMPILED, reason="takes minutes without the compiler")
@pytest.mark.parametrize(("board", "counts"), published_tables().items(), ids=map(str, published_tables()))
def test_published_tables_of_tiles(board, counts):
    rows, columns, count = board
    start = tuple(range(rows * columns))
    model = slide(grid_edges(columns, rows), start, start, {"single": "step"}.get(count, count))
    found = frontier.depths(Depths(model, (model.start,)), Watch())
    assert found.counts == tuple(counts)


@pytest.mark.parametrize("count", ["step", "run", "piece", "multi"])
@WAYS
def test_metrics_with_two_blanks(count, switch):
    model = slide(grid_edges(3, 2), (1, 2, 3, 4, 0, 0), (4, 3, 2, 1, 0, 0), count)
    tables_agree(model, switch)
    ways_agree(model, switch, goals=(model.goals[0].position,))
    ways_agree(model, switch)


@pytest.mark.parametrize("count", ["step", "chain"])
@WAYS
def test_pegs_are_searched_one_way(count, switch):
    model = pegs([(0, 1, 2), (1, 2, 3), (2, 3, 4), (5, 2, 6), (0, 5, 4)], (1, 1, 0, 1, 1, 1, 1), count)
    assert not model.reversible
    tables_agree(model, switch, collect=model.goals)
    ways_agree(model, switch)
    one = [bytes(int(c == cell) for c in range(7)) for cell in range(7)]
    ways_agree(with_goals(model, *one), switch, goals=tuple(one))


@WAYS
def test_rules_that_forget(switch):
    wipe = Rule("wipe", (0, 1, 3), (-1, -1, 1), (0, 0, 2), (None, (0, 0, 0), None), Motion(-1, 0, 1, ""))
    rules = (
        wipe,
        Rule("up", (0,), (-1,), (0,), ((1, 2, 0),), Motion(-1, 1, 0, "")),
        Rule("mix", (1, 2), (6, -1), (1, 0), ((2, 1, 0), None), Motion(-1, 0, 2, "")),
    )
    for relation in (metric("step", rules, 3), metric("piece", rules, 3)):
        model = Model(4, 3, rules, relation, bytes([0, 2, 1, 0]), (Goal.exactly(bytes([2, 0, 2, 0])),))
        assert model.backward is None
        tables_agree(model, switch)
        ways_agree(model, switch)
        ways_agree(model, switch, goals=(bytes([2, 0, 2, 0]),))


@WAYS
def test_flips_with_tables(switch):
    tables_agree(flips(3, 3), switch)
    tables_agree(flips(4, 4), switch)
    far = bytes([0, 1, 0, 0, 1, 0, 0, 1, 0])
    ways_agree(with_goals(flips(3, 3), far), switch, goals=(far,))
    ways_agree(with_goals(flips(3, 3), bytes([1] + [0] * 8)), switch, goals=(bytes([1] + [0] * 8),))


@pytest.mark.parametrize("count", ["step", "run"])
@WAYS
def test_listed_moves(count, switch):
    model = turns(6, [[1, 2, 3, 4, 5, 0], [1, 0, 2, 3, 4, 5]], count)
    tables_agree(model, switch)
    ways_agree(model, switch, start=bytes([5, 4, 3, 2, 1, 0]), goals=(model.start,))


@pytest.mark.parametrize(("cells", "symbols", "words"), [(9, 5, 1), (23, 5, 2), (21, 40, 3), (40, 33, 4), (64, 2, 1)])
@WAYS
def test_positions_of_several_words(cells, symbols, words, switch):
    edges = [(a, b, "") for a in range(cells) for b in (a - 1, a + 1) if 0 <= b < cells]
    ring_of = slide(edges, [1, 0, *([symbols - 1] * (cells - 2))], [0, 1, *([symbols - 1] * (cells - 2))])
    assert frontier.packing_of(ring_of, (ring_of.start,)).words == words
    tables_agree(ring_of, switch)
    assert ways_agree(ring_of, switch, goals=(ring_of.goals[0].position,)).bound == 1
    far = bytes([symbols - 1, 1, *([symbols - 1] * (cells - 3)), 0])
    ways_agree(with_goals(ring_of, far), switch, goals=(far,))


@pytest.mark.parametrize("cells", [8, 30, 44])
@WAYS
def test_tables_and_swaps_over_several_words(cells, switch):
    model = long_row(cells, 3, [0, 1, *([2] * (cells - 2))])
    tables_agree(model, switch)


@WAYS
def test_a_full_word_of_ones_is_a_position_like_others(switch):
    rules = [Rule(str(c), (c,), (-1,), (0,), ((1, 0),)) for c in (0, 31, 63)]
    rules.append(Rule("all", tuple(range(64)), (-1,) * 64, tuple(range(64)), ((1, 0),) * 64))
    model = Model(64, 2, tuple(rules), start=bytes([1] * 64))
    found = tables_agree(model, switch)
    assert sum(found.counts) == 16


@WAYS
def test_several_sources_also_ones_that_differ_where_no_rule_reaches(switch):
    model = slide(links((0, 1), (1, 2), (3, 4)), (1, 2, 0, 1, 2, 1), (1, 2, 0, 1, 2, 1))
    sources = (model.start, bytes([2, 1, 0, 1, 2, 1]), bytes([1, 2, 0, 1, 0, 2]), model.start)
    found = tables_agree(model, switch, sources=sources)
    assert found.counts[0] == 3


@WAYS
def test_goals_by_sets_and_by_number(switch):
    model = slide(grid_edges(3, 2), (1, 2, 3, 3, 0, 0), (1, 2, 3, 3, 0, 0))
    some = (Goal((-1, 6, -1, 1, -1, -1), ((0, 2), (3, 2))), Goal((4, -1, -1, -1, 9, -1)), Goal((-1,) * 6, ((0, 3),)))
    found = tables_agree(model, switch, collect=some)
    assert found.collected
    ways_agree(replace(model, goals=some), switch)
    ways_agree(replace(model, goals=some[2:]), switch)


@WAYS
def test_cells_that_never_change_decide_once(switch):
    rules = [
        Rule("only with 1", (0, 2, 1), (-1, 2, -1), (2, 1, 0), (None, None, None)),
        Rule("never", (0, 2), (-1, 1), (0, 1), ((1, 1, 1), None)),
        Rule("copy", (3, 2), (-1, -1), (1, 1), ((2, 2, 0), None)),
    ]
    model = Model(4, 3, tuple(rules), start=bytes([0, 2, 1, 1]))
    assert tables_agree(model, switch).counts == (1, 2, 1)


@WAYS
@pytest.mark.parametrize("kind", ["positions", "seconds", "memory"])
def test_a_limit_stops_it_with_what_is_proved(kind, switch):
    model = slide(grid_edges(4, 2), tuple(range(8)), (7, 6, 5, 4, 3, 2, 1, 0))
    limits = {"positions": Limits(positions=2000), "seconds": Limits(seconds=1e-9), "memory": Limits(memory=1 << 20)}
    whole = plain.depths(Depths(model, (model.start,)), Watch())
    watches = [Watch(limits[kind], program=0, thresholds=PARTS) for _ in range(2)]
    found = frontier.count_layers(Depths(model, (model.start,)), watches[0], switch)
    assert isinstance(found.stopped, LimitError)
    assert found.stopped.kind == kind
    assert not found.complete
    assert found.counts == whole.counts[: len(found.counts)]
    way = frontier.find_ways(Search(model, model.start, (model.goals[0].position,)), watches[1], switch)
    assert way.stopped.kind == kind
    assert way.layers == ()
    assert 0 < way.bound <= len(whole.counts)


def test_what_it_refuses():
    assert frontier.refuses(ring(7), "depths") is None
    lamps = [Rule(str(c), (c,), (-1,), (0,), ((1, 0),)) for c in range(1100)]
    assert "18 words" in frontier.refuses(Model(1100, 2, tuple(lamps)), "depths")
    assert frontier.refuses(Model(1100, 2, tuple(lamps[:1024])), "depths") is None
    assert "65" in frontier.refuses(Model(2, 65, ()), "search")
    assert "functions" in frontier.refuses(Custom(lambda n: [n + 1], 0, 3), "search")
    two = (bytes(1100), bytes([1] * 1100))
    with pytest.raises(UnsupportedError, match="18 words"):
        frontier.depths(Depths(Model(1100, 2, tuple(lamps[:9])), two), Watch())


@pytest.mark.parametrize("seed", range(4))
def test_the_answer_does_not_depend_on_threads_parts_or_blocks(seed):
    from puzzlespace.engines.packed.front import Front
    from puzzlespace.engines.packed.hashed_layers import Compiled

    count = ("step", "run", "piece", "piece")[seed]
    model = slide(grid_edges(3, 2), (1, 2, 3, 0, 4, 0), (1, 2, 3, 0, 4, 0), count)
    if seed == 3:  # positions of two words
        line = (1, 4, *(0,) * 20)
        model = slide(grid_edges(22, 1), line, line, count)
    expected = plain.depths(Depths(model, (model.start,)), Watch()).counts
    for threads, bits, block, most in ((1, 2, 512, 1 << 20), (2, 3, 4, 1), (3, 6, 8, 1 << 14), (2, 2, 16, 300)):
        front = Front(model, frontier.packing_of(model, (model.start,)))
        end = begun(front, (model.start,))
        front.compile(Compiled(bits, threads, most, block))
        while end.size:
            end.grow(Watch())
        assert tuple(end.sizes) == expected


@pytest.mark.skipif(not COMPILED, reason="takes seconds only with the compiler")
def test_an_interruption_ends_the_threads():
    class Interrupted(Watch):
        def tick(self, generated, bound=0):
            super().tick(generated, bound)
            if self.generated > 3_000_000:
                raise KeyboardInterrupt

    start = tuple(range(12))
    model = slide(grid_edges(4, 3), start, start)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        frontier.depths(Depths(model, (model.start,)), Interrupted())
    assert threading.active_count() == before


@pytest.mark.skipif(not COMPILED, reason="this is the run without the compiler")
def test_the_loops_also_run_uncompiled():
    """This file once more with the compiler switched off, without the slow and the random tests."""
    chosen = "ring or pegs or forget or listed or (words and 64) or sources or change or (limit and both)"
    here = Path(__file__)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-x", "-p", "no:cacheprovider", str(here), "-k", chosen],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=here.parent.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]


@settings(max_examples=150, deadline=None)
@given(drawn=small_models(), switch=st.sampled_from([None, 0, 5]))
def test_random_models(drawn, switch):
    model, start, goal = drawn
    tables_agree(model, switch, collect=model.goals, keep=3)
    ways_agree(model, switch, start, (goal,))
    ways_agree(model, switch, start)


@pytest.mark.parametrize(("most", "switch"), [(None, 500), (501, 500), (500, None), (20, None)])
def test_nothing_is_compiled_for_a_search_that_ends_before_it_pays(monkeypatch, most, switch):
    given = []
    for name in ("find_ways", "count_layers"):
        monkeypatch.setattr(frontier, name, lambda question, watch, switch: given.append(switch))
    model = eight()
    watch = Watch(Limits(positions=most), thresholds=Thresholds({COMPILE_FRONTIER: 500}))
    frontier.search(Search(model, model.start), watch)
    frontier.depths(Depths(model, (model.start,)), watch)
    assert given == [switch] * 2
