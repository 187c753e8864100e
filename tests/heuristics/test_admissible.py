"""No lower bound passes the distance of any position at all, on small puzzles of every kind."""

import numpy as np
import pytest

import every_position
from puzzlespace import solve, with_start
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api.loader import from_text, load
from puzzlespace.bounds.choosing import slide_heuristic
from puzzlespace.errors import UnsupportedError
from puzzlespace.heuristics import labels, sums
from puzzlespace.heuristics.database import Database
from puzzlespace.heuristics.grouping import choose
from puzzlespace.structure import slides
from toys import grid_edges, slide

SAMPLED = 100
"""Positions of each puzzle where bounds are asked one by one as well."""


def two_blanks(count="step"):
    return slide(grid_edges(3, 3), (1, 2, 3, 4, 5, 5, 4, 0, 0), (1, 2, 3, 4, 5, 5, 4, 0, 0), count)


TALL = """rule: slide along
blocks: B
count: step
start: E C / A F / B D / B .
goal: E C / A F / B . / B D
"""

MODELS = {
    **{name: lambda name=name: load(name).model() for name in ("eight", "line", "hexagram", "slide:2x4")},
    **{name: lambda name=name: load(name).model() for name in ("no-off-a", "no-off-b", "goat")},
    "two alike": lambda: slide(grid_edges(3, 3), (1, 2, 3, 4, 5, 6, 7, 7, 0), (1, 2, 3, 4, 5, 6, 7, 7, 0)),
    **{f"two blanks, {count}": lambda count=count: two_blanks(count) for count in ("step", "run", "piece", "multi")},
    "one tall block": lambda: from_text(TALL, "tall.pzl").model(),
    "eight, multi": lambda: load("eight").model("multi"),
}
QUICK = [pytest.param(name, marks=pytest.mark.long if name == "goat" else ()) for name in MODELS]


TABLES = [
    *[(name, False) for name in ("eight", "line", "hexagram", "slide:2x4", "no-off-a", "no-off-b", "two alike")],
    ("two alike", True),
    *[pytest.param("goat", tell_apart, marks=pytest.mark.long) for tell_apart in (False, True)],
]
"""Puzzles, and whether two like pieces are told apart."""


def bounds_of(model, symbols):
    """Yield name, the bounds of all positions, and the bound of one position."""
    board, goal = slides.read(model), goal_positions(model)[0]
    for name in ("distance", "assignment", "walking", "pattern"):
        try:
            one, made = slide_heuristic(name, board, model.goals, goal), sums.make(name, board, model.goals)
        except UnsupportedError:
            continue
        if made is not None:
            yield name, every_position.of_sums(made, symbols), one
    try:
        one = slide_heuristic("inversion", board, model.goals, goal)
        yield "inversion", every_position.of_inversion(one, symbols), one
    except UnsupportedError:
        pass


@pytest.mark.parametrize("bound", ["walking", "inversion"])
def test_bounds_that_count_lines_are_refused_beside_a_block(bound):
    puzzle = from_text(TALL, "tall.pzl")
    with pytest.raises(UnsupportedError, match="no rectangle of pieces of one cell"):
        solve(puzzle, engine="idastar", heuristic=bound)
    far = puzzle.read("E C / B A / B F / . D")
    assert solve(with_start(puzzle, far), engine="idastar").moves == 3


@pytest.mark.parametrize("name", QUICK)
def test_no_bound_passes_the_distance_of_any_position(name):
    model = MODELS[name]()
    symbols, depths = every_position.listed(model)
    tried, step = {}, -(-len(symbols) // SAMPLED)
    for each, values, one in bounds_of(model, symbols):
        assert (values <= depths).all(), each
        assert values.max() > 0
        alone = np.array([one.bound(row.tobytes()) for row in symbols[::step]])
        assert (alone <= values[::step]).all() if each == "pattern" else (alone == values[::step]).all(), each
        tried[each] = values
    assert "distance" in tried
    assert (tried["distance"] <= tried.get("assignment", tried["distance"])).all()
    assert ({"walking", "inversion"} <= set(tried)) == (name in ("eight", "slide:2x4"))
    assert "pattern" in tried or name.endswith("multi")


@pytest.mark.parametrize(("name", "tell_apart"), TABLES)
def test_no_database_passes_the_distance_of_any_position(name, tell_apart):
    model = MODELS[name]()
    board, goal = slides.read(model), goal_positions(model)[0]
    pieces = labels.read(board, goal, goal, tell_apart)
    assert tell_apart == (pieces != labels.read(board, goal, goal, tell_apart=False))
    symbols, depths = every_position.listed(model)
    groups = choose(board, goal, pieces, 100_000 if name == "goat" else 5_000)
    last = (groups[0][:1] + groups[-1][1:],) if name in ("eight", "line") else ()
    base = Database(board, goal, pieces, groups, (last,) if last else ())
    base.build(2)
    values = every_position.of_database(base, symbols)
    assert (values <= depths).all()
    assert values.max() > 0
    step = -(-len(symbols) // SAMPLED)
    assert [base.bound(row.tobytes()) for row in symbols[::step]] == values[::step].tolist()
