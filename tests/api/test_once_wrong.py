"""Puzzles that were once answered wrongly, not at all, or not within limits; each stands for a class of faults.

docs/reliability.md names the classes. The large ones are written by the code here.
"""

import time
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, product

import pytest
from numba.core.event import install_timer

import puzzlespace
from commands import run
from puzzlespace.api import peg_survey
from puzzlespace.api.loader import from_text, written
from puzzlespace.bounds import BOUND_NAMES
from puzzlespace.contract.answers import LISTED_WAYS, Status
from puzzlespace.engines import pegs
from puzzlespace.errors import FormatError, LimitError, UnsupportedError
from puzzlespace.limits.watch import Limits
from puzzlespace.registry import ENGINES


def puzzle(text, name="once.pzl"):
    return from_text(text, name)


PRODUCT = """rule: apply
count: step
swap: 1 <-> 1', 2 <-> 2', 3 <-> 3', 4 <-> 4', 5 <-> 5'
start: 1 2 3 4 5 A B C D
goal: start
moves:
  m0: (b1 d1 e1)(f1 g1 h1) ~a1
  m1: (a1 e1)(f1 h1 i1 g1) ~c1
"""


@pytest.mark.parametrize("engine", ["auto", "plain", "table", "frontier"])
def test_cells_of_one_orbit_that_never_show_some_symbols(engine):
    table = puzzlespace.depths(puzzle(PRODUCT), origin="start", engine=engine)
    assert (table.states, table.depth) == (1536, 13)


MULTI = """rule: slide
count: multi
board:
  a b c d e f g h
lines:
  c-h-b-g
  d-g-b
  f-g-b
start: a 1 c . 1 c 2 3
goal: a 3 * * * 2 1 *
"""
RUN = """rule: slide
count: step
board:
  a b c d e
lines:
  b-c-a-d
  d-a-c
  c-a-b-e-d
  e-a-b-c
  c-d-e
start: b . 3 . .
goal: . 3 . . b
"""


@pytest.mark.parametrize(("text", "metric", "counts"), [(MULTI, "multi", (1, 2, 3)), (RUN, "run", (1, 6, 12, 1))])
@pytest.mark.parametrize("engine", ["auto", "plain", "frontier"])
def test_a_link_on_several_lines_goes_on_along_each(text, metric, counts, engine):
    assert puzzlespace.depths(puzzle(text), origin="start", metric=metric, engine=engine).counts == counts


TWO_GOALS = """rule: slide
count: multi
diagonals: yes
fixed: 2
start: 4 1 / 2 # / 1 # / . 3 / 1 .
goal: 1 4 / 2 # / . # / 3 . / 1 1
goal 2: 1 . / 2 # / 1 # / 4 * / 1 3
"""


def test_goals_that_the_start_does_not_reach_are_named():
    table = puzzlespace.depths(puzzle(TWO_GOALS))
    assert table.states == 30
    assert table.measured is not None
    assert (table.measured.reached, table.measured.left_out) == (False, (2,))
    assert puzzlespace.solve(puzzle(TWO_GOALS)).status is Status.IMPOSSIBLE


EQUAL_GOALS = "rule: slide\nblocks: A\ncount: run\nstart: . A A\ngoal: * A A\ngoal 2: * A A\n"
MET_AT_THE_START = "rule: slide\ncount: piece\nblocks: A B\nstart: B . A / B B A\ngoal: B * A / B B A\n"
NO_BLANK_WAY = "rule: slide\ncount: step\nblocks: A B\nstart: A A B / . # B\ngoal: * * B / * # B\n"
ONE_WAY = """rule: apply
count: step
moves:
  m0: (a1 b1)(c1 d1)
  m1: (c1 a1)
one-way: yes
start: A B A B
goal: * * * A
goal 2: B B A A
"""


@pytest.mark.parametrize("text", [EQUAL_GOALS, MET_AT_THE_START, NO_BLANK_WAY, ONE_WAY])
def test_no_engine_raises(text):
    asked = puzzle(text)
    right = {metric: puzzlespace.solve(asked, metric=metric, engine="plain") for metric in asked.metrics}
    for (metric, expected), engine, bound in product(right.items(), ENGINES, BOUND_NAMES):
        if engine.search is None or (bound and engine.bounds is None):
            continue
        try:
            answer = puzzlespace.solve(asked, metric=metric, engine=engine.name, heuristic=bound)
        except UnsupportedError:
            continue
        assert (answer.status, answer.moves) == (expected.status, expected.moves), (metric, engine.name, bound)


def test_half_a_block_in_a_goal_is_an_error():
    with pytest.raises(FormatError, match="expected the block C in one shape, found another one"):
        puzzle("rule: slide\nblocks: C\ncount: step\ngoal: C * . A\ngoal 2: C C . A\n")
    with pytest.raises(FormatError, match="expected the block C once and in its own shape"):
        puzzle("rule: slide\nblocks: C\ncount: step\nstart: C C . A\ngoal: C * . A\n")


def test_a_goal_with_fixed_symbols_is_shown():
    asked = puzzle("rule: slide\ncount: run\nblocks: A\nfixed: u\nstart: u . u u / . A A A\ngoal: u * u u / * A A A\n")
    assert puzzlespace.solve(asked).moves == 0
    assert run("show", "line")[0] == 0


@pytest.mark.parametrize("spec", ["burnt:1", "lights:1x2", "flip:1x1"])
def test_the_smallest_puzzles_read_back(spec):
    made = puzzlespace.load(spec)
    assert puzzle(written(made)).model() == made.model()


def complete(cells):
    """A board on which every cell is next to every other one."""
    names = " ".join(map(str, range(cells)))
    links = "\n".join(f"  {cell}: {' '.join(map(str, range(cell)))}" for cell in range(1, cells))
    pieces = " ".join(f"p{cell}" for cell in range(1, cells))
    return f"rule: slide\ncount: step\nboard:\n  {names}\nlinks:\n{links}\nstart: {pieces} .\ngoal: . {pieces}\n"


def chains(size):
    """Pegs on a large board, counted in chains of jumps."""
    rows = "\n".join("  " + " ".join("o" if (x + y) % 3 else "." for x in range(size)) for y in range(size))
    return f"rule: jump\ncount: chain\nboard: grid {size}x{size}\nstart:\n{rows}\ngoal: any one peg\n"


def jumps_everywhere(cells):
    """Pegs on lines through all pairs of cells."""
    names = " ".join(map(str, range(cells)))
    pairs = [(a, (a + b) % cells, b) for a, b in combinations(range(cells), 2)]
    lines = "\n".join(f"  {a}-{over}-{b}" for a, over, b in pairs if over not in (a, b))
    start = " ".join("o" if cell % 3 else "." for cell in range(cells))
    return f"rule: jump\ncount: chain\nboard:\n  {names}\nlines:\n{lines}\nstart: {start}\ngoal: any one peg\n"


def blocks(size):
    """Many squares of four cells on a large grid, two rows of it empty; one of them is to come down."""

    def drawn(other, last):
        rows = [[other(f"b{y // 2}x{x // 2}") for x in range(size)] for y in range(size - 2)]
        return "\n".join("  " + " ".join(row) for row in [*rows, last, last])

    start = drawn(str, ["."] * size)
    goal = drawn(lambda word: "*", ["b0x0"] * 2 + ["*"] * (size - 2))
    return f"rule: slide\nblocks: all\ncount: piece\nstart:\n{start}\ngoal:\n{goal}\n"


LARGE = {"complete": complete(80), "chains": chains(20), "jumps": jumps_everywhere(50), "blocks": blocks(14)}
SECONDS = 1.0


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("question", ["solve", "depths", "components", "symmetries"])
def test_large_puzzles_keep_to_their_seconds(name, question):
    options = {"origin": "start"} if question == "depths" else {}
    compiled, began = [0.0], time.perf_counter()
    with install_timer("numba:compile", compiled.append), suppress(LimitError, UnsupportedError):
        getattr(puzzlespace, question)(puzzle(LARGE[name]), limits=Limits(seconds=SECONDS), **options)
    assert time.perf_counter() - began - sum(compiled) < 10 * SECONDS


@pytest.mark.parametrize("listed", [0, 100_000])
def test_all_best_moves_are_known_though_one_solution_is_listed(listed):
    """The engine lists one solution if the positions on all of them are too many; `distance` named its move alone."""

    def search(question, watch):
        watch.thresholds = watch.thresholds | {LISTED_WAYS: listed}
        return pegs.search(question, watch)

    lines = "lines: c-g f-a-c-b d-a-c-g g-e-d-b-f f-c-b-a-e c-g-e-c"
    cross = puzzle(f"board:\n  g d a\n  c b\n  e\n  f\n{lines}\nrule: jump\ncount: step\ngoal: any one peg\n")
    for position in ("o . o / o o / o / o", "o o . / o o / o / o"):
        found = puzzlespace.distance(cross, position, engine=replace(pegs.ENGINE, search=search))
        plain = puzzlespace.distance(cross, position, engine="plain")
        assert (found.distance, found.next) == (plain.distance, plain.next)
        assert found.distance is None or found.next


def test_any_one_peg_does_not_count_fixed_pegs_of_a_goal():
    """Without a start the fixed pegs are those of the first goal without `*`; they were counted as pegs."""
    text = "rule: jump\nfixed: o\ncount: chain\ngoal: any one peg\ngoal 2:\n  . . x x\n  o . o x\n"
    for engine in ("auto", "plain"):
        assert puzzlespace.depths(puzzle(text), engine=engine).counts == (7, 4, 2)


def test_positions_on_ways_to_goals_of_several_numbers_of_pegs_are_counted_once():
    drawn = "start:\n  o\n  oo\n  ooo\n  ooo.\ngoal:\n  *\n  * *\n  * * *\n  * . . *\n"
    triangle = puzzle(f"board: triangle 4\nrule: jump\ncount: chain\n{drawn}")
    model = triangle.model("step")
    reached, layer = {model.start}, {model.start}
    while layer:
        layer = {child for position in layer for child in model.moves(position)} - reached
        reached |= layer
    on_ways = {position for position in reached if model.is_goal(position)}
    for position in sorted(reached, key=lambda each: each.count(1)):
        if any(child in on_ways for child in model.moves(position)):
            on_ways.add(position)
    found = peg_survey.census(triangle)
    assert found.reached[0] == len(reached)
    assert found.on_ways == (len(on_ways), len(on_ways))  # no symmetry keeps start and goals
