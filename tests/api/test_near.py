"""Solutions that are longer than a shortest one, against a list of all paths; the command."""

import json
from collections import Counter
from random import Random

import pytest

import puzzlespace
from commands import run
from puzzlespace import Custom, InputError, Limits, Status
from puzzlespace.analysis.paths import steps_of


def lengths(space, start, most):
    """The number of solutions of each length, by following every path."""
    found = Counter()

    def follow(path, cost):
        if space.is_goal(path[-1]):
            found[cost] += 1
            return
        for (child, _), more in steps_of(space, path[-1], 0):
            if child not in path and cost + more <= most:
                follow([*path, child], cost + more)

    follow([start], 0)
    return found


def graph(seed, back):
    drawn = Random(seed)
    size = drawn.randint(3, 9)
    edges = {each: sorted(drawn.sample(range(size), drawn.randint(1, 3))) for each in range(size)}
    goals = set(drawn.sample(range(size), drawn.randint(1, 2)))
    parents = {each: [other for other in edges if each in edges[other]] for each in edges}
    if back:
        return Custom(edges.__getitem__, 0, min(goals), parents.__getitem__)
    return Custom(edges.__getitem__, 0, goals.__contains__)


@pytest.mark.parametrize("back", [True, False])
def test_on_random_graphs_every_solution_is_counted_once(back):
    solved = 0
    for seed in range(120):
        puzzle = graph(seed, back)
        answer = puzzlespace.near_solutions(puzzle, seed % 6)
        wanted = lengths(puzzle, 0, answer.most)
        if answer.shortest is None:
            assert (wanted, answer.counts) == ({}, ())
            continue
        solved += 1
        assert answer.shortest == min(wanted)
        assert answer.counts == tuple(wanted[length] for length in range(answer.shortest, answer.most + 1)), seed
        paths = [each.path for each in answer.solutions]
        assert len(set(paths)) == len(paths) == sum(answer.counts)
        assert [each.moves for each in answer.solutions] == sorted(each.moves for each in answer.solutions)
    assert solved > 60


@pytest.mark.parametrize(
    ("name", "start", "within"), [("slide:3x2", "4 1 2 / . 5 3", 8), ("bridge", "", 4), ("no-off-a", "", 2)]
)
def test_puzzles_have_the_solutions_that_all_paths_have(name, start, within):
    puzzle = puzzlespace.load(name)
    puzzle = puzzlespace.with_start(puzzle, start) if start else puzzle
    answer = puzzlespace.near_solutions(puzzle, within, keep=3)
    assert answer.counts[0] == puzzlespace.solve(puzzle, count=True).solutions
    if name != "no-off-a":
        wanted = lengths(puzzle.model(), puzzle.model().start, answer.most)
        assert answer.counts == tuple(wanted[length] for length in range(answer.shortest, answer.most + 1))
    for each in answer.solutions:
        assert each.status is (Status.OPTIMAL if each.moves == answer.shortest else Status.FOUND)
        assert (each.bound, len(each.names) > 0) == (answer.shortest, True)
    assert len(answer.solutions) == min(3, sum(answer.counts))


def test_no_solution_limits_and_wrong_numbers():
    assert puzzlespace.near_solutions("14-15", 2).reason.kind == "parity"
    assert puzzlespace.near_solutions("goat", at_most=19).counts == ()
    stopped = puzzlespace.near_solutions("goat", 2, limits=Limits(positions=20))
    assert (stopped.counts, stopped.stopped.kind) == ((), "positions")
    for wrong in ({"within": -1}, {"at_most": 1.5}, {"keep": -1}, {"within": 1, "at_most": 3}):
        with pytest.raises(InputError, match="expected"):
            puzzlespace.near_solutions("goat", **wrong)


def test_the_command_counts_and_lists_them():
    code, out, _ = run("solve", "no-off-b", "--within", "2", "--all", "-q")
    lines = out.splitlines()
    at = lines.index("56 moves: 3 solutions")
    assert (code, lines[at + 1 : at + 3]) == (0, ["57 moves: 0 solutions", "58 moves: 2 solutions"])
    assert [line.split()[0] for line in lines[at + 3 :]] == ["56"] * 3 + ["58"] * 2
    code, out, _ = run("solve", "no-off-b", "--at-most", "58", "--json")
    assert json.loads(out)["near"]["counts"][-1] == {"moves": 58, "solutions": 2}
    assert "no solution has at most 9 moves" in run("solve", "no-off-b", "--at-most", "9", "-q")[1]


@pytest.mark.parametrize("back", [True, False])
def test_the_best_solutions_of_random_graphs_are_the_first_of_all(back):
    fewer = 0
    for seed in range(80):
        puzzle = graph(seed, back)
        every = lengths(puzzle, 0, 100)
        answer = puzzlespace.best_solutions(puzzle, 1 + seed % 7)
        wanted = sorted(every.elements())[: 1 + seed % 7]
        assert [each.moves for each in answer.solutions] == wanted, seed
        assert len({each.path for each in answer.solutions}) == len(wanted)
        assert all(number == every[answer.shortest + at] for at, number in enumerate(answer.counts))
        assert answer.stopped is None
        fewer += len(wanted) < 1 + seed % 7
    assert fewer > 10


def test_best_solutions_count_costs_and_end_at_limits():
    puzzle = puzzlespace.load("bridge")
    wanted = sorted(lengths(puzzle.model(), puzzle.model().start, 21).elements())[:6]
    assert [each.moves for each in puzzlespace.best_solutions(puzzle, 6).solutions] == wanted
    assert puzzlespace.best_solutions("14-15", 2).reason.kind == "parity"
    assert puzzlespace.best_solutions("goat", 2, limits=Limits(positions=20)).stopped.kind == "positions"
    for wrong in (0, -1, 1.5, "2"):
        with pytest.raises(InputError, match="expected"):
            puzzlespace.best_solutions("goat", wrong)


def test_the_command_lists_the_best_solutions():
    code, out, _ = run("solve", "no-off-b", "--best", "4", "--json")
    assert (code, [each["moves"] for each in json.loads(out)["near"]["solutions"]]) == (0, [56, 56, 56, 58])
    code, out, _ = run("solve", "slide:2x2", "--start", "2 3 / 1 .", "--best", "9", "-q")
    assert [line.split()[0] for line in out.splitlines() if line.startswith("   ")] == ["4", "8"]
    assert "no solution" not in run("solve", "eight", "--best", "1", "-q")[1]
