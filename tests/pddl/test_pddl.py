"""Planning tasks, read by a reader that shares no code with the program: positions, distances, refusals."""

import heapq
from dataclasses import replace

import pytest

from commands import run
from pddl_reader import Planning
from puzzlespace import InputError, UnsupportedError, load
from puzzlespace.api.loader import from_text
from puzzlespace.model.goal import Goal
from puzzlespace.pddl import task as tasks
from puzzlespace.pddl.text import task

TILT = "rule: glide\ntilt: yes\nstart:\n  A.\n  .B\n  ..\ngoal:\n  **\n  **\n  BA\n"
LINE = "rule: jump\ncount: chain\nstart:\n  oo.ooo\n  oo....\ngoal: count o = 1\n"
TURNS = "rule: change\nmoves:\n  A A -> . . row\n  . A -> A A row\nstart:\n  A . A A .\ngoal: count A = 1 or a1 = .\n"
FALLING = """rule: change
kinds:
  block = A B
moves:
  block . -> . block  row
after:
  block . -> . block  down
  A A -> a a          straight
  a -> .
forbid:
  corner: c3 = B
  pair: a3 = B and b3 = A
start:
  A . B
  # . #
  . A .
goal: no A
"""

SMALL = (
    ("slide:2x2", "step"), ("moving-day", "run"), ("moving-day", "piece"), ("moving-day", "multi"),  # slide
    ("simplicity", "piece"), ("microban1", "push"), ("microban1", "run"), ("microban1", "move"),  # push
    (LINE, "chain"), (LINE, "step"), ("flip:2x3", "run"), ("lights:2x3", "step"),  # jump, apply
    ("pancake:4", "step"), ("lrx:4", "run"), ("hanoi:3,3", "step"), ("tol", "step"),  # apply, stack
    ("bridge", "cost"), ("wolf", "step"), ("frogs33", "step"), (FALLING, "step"),  # change
    (TILT, "tilt"), (TURNS, "step"),  # glide
)  # fmt: skip


def distances(model, start):
    """The least cost of each position from the start, by the moves of the model alone."""
    found, waiting = {}, [(0, start)]
    while waiting:
        cost, position = heapq.heappop(waiting)
        if position not in found:
            found[position] = cost
            for child, path in model.moves(position).items():
                heapq.heappush(waiting, (cost + model.cost(path), child))
    return found


def puzzle_of(source):
    puzzle = load(source) if "\n" not in source else from_text(source, "small.pzl")
    return puzzle if puzzle.start is not None else replace(puzzle, start=puzzle.anchor)


@pytest.mark.parametrize(("source", "metric"), SMALL)
def test_a_planner_sees_the_same_positions_and_distances(source, metric):
    puzzle = puzzle_of(source)
    model = puzzle.model(metric)
    planning = Planning(*task(puzzle, metric))
    cells = [name for name, kind in planning.objects.items() if kind == "cell"]
    symbols = [name for name, kind in planning.objects.items() if kind == "symbol"]
    chained = bool(model.metric.after) and not model.metric.exhausts
    found, ends = {}, []
    for state, cost in planning.distances().items():
        if planning.goal <= state:
            ends.append(cost)
        if chained or not any(fact[0] == "now" and fact[1] != "ready" for fact in state):
            shown = dict(fact[1:] for fact in state if fact[0] == "shows")
            position = model.settled(bytes(symbols.index(shown[cell]) for cell in cells))
            found[position] = min(cost, found.get(position, cost))
    expected = distances(model, model.settled(puzzle.start))
    assert found == expected
    assert len(found) > 5
    goals = [cost for position, cost in expected.items() if model.is_goal(position)]
    assert min(ends, default=None) == min(goals, default=None)


def test_rules_with_many_cases_have_conditional_effects():
    cube = puzzle_of("cube:2")
    domain, problem = task(cube, "step")
    assert "(when (shows u3 sb) (shows u1 sb))" in domain
    planning, model = Planning(domain, problem), cube.model("step")
    children = {frozenset(state) for state, _ in planning.after(planning.start)}
    assert len(children) == len(model.moves(cube.start))


def test_names_of_pieces_and_cells_that_pddl_confuses_get_other_names():
    puzzle = from_text("rule: slide\nstart:\n A a\n . B\ngoal:\n B a\n . A\n", "small.pzl")
    domain, problem = task(puzzle)
    assert "; Symbols: s0 ., s1 A, s2 B, s3 a." in domain
    assert len(set(Planning(domain, problem).objects)) == 8


def test_what_pddl_cannot_say_is_refused_with_the_reason(monkeypatch):
    with pytest.raises(UnsupportedError, match="expected a puzzle with a start, found none"):
        task(load("cube:2"))
    with pytest.raises(UnsupportedError, match="torn apart has too many cases"):
        task(load("bandaged222"))
    eight = load("eight")
    with pytest.raises(UnsupportedError, match="expected a puzzle with a goal"):
        task(replace(eight, goals=()))
    with pytest.raises(UnsupportedError, match="no position meets the goal"):
        task(replace(eight, goals=(Goal((0,) * 9),)))
    monkeypatch.setattr(tasks, "MOST_TRIED", 0)
    with pytest.raises(UnsupportedError, match=r"what happens by itself .* has too many cases"):
        task(from_text(FALLING, "falling.pzl"))
    monkeypatch.setattr(tasks, "MOST_ACTIONS", 20)
    with pytest.raises(UnsupportedError, match="more than 20 actions"):
        task(eight)


def test_the_command_writes_two_files(tmp_path):
    words, folder = ("convert", "cube:2", "--to", "pddl", "--start", "R U2"), tmp_path / "new"
    assert run(*words, "--output", str(folder))[0] == 0
    domain, problem = ((folder / f"{name}.pddl").read_text() for name in ("domain", "problem"))
    assert run(*words)[:2] == (0, f"{domain}\n{problem}")
    for option in (["--metric", "step"], ["--start", "R"], ["--output", "x"]):
        code, _, said = run("convert", "rush60", "--to", "rushhour", *option)
        assert code == InputError.exit_code
        assert f"{option[0]}: only planning tasks have it" in said
