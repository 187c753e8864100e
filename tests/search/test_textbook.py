"""The algorithms of textbooks: their counts against plain twins, what is proved of their answers, the command."""

import json
from random import Random

import pytest

import puzzlespace
from commands import run
from puzzlespace import Custom, InputError, Limits
from puzzlespace.search.textbook import ALGORITHMS

MODEL = puzzlespace.load("eight").model()
GOAL = bytes([1, 2, 3, 4, 5, 6, 7, 8, 0])
STARTS = ["1 2 3 / 7 . 4 / 8 6 5", ". 3 6 / 2 7 5 / 1 4 8", ". 7 1 / 2 6 3 / 5 4 8"]


def misplaced(position):
    return sum(piece not in (0, place) for place, piece in enumerate(position, 1))


def manhattan(position):
    places = [(place, piece - 1) for place, piece in enumerate(position) if piece]
    return sum(abs(a // 3 - b // 3) + abs(a % 3 - b % 3) for a, b in places)


def tiles(position):
    """The moves of the 8-puzzle, in the order in which the model lists them."""
    return list(MODEL.moves(position))


def plain_astar(start, moves, goal, bound, weight=1):
    """Scan all positions that wait, in the order in which they came."""
    best, waiting, expanded, generated = {start: 0}, [(start, 0)], 0, 0
    while waiting:
        position, cost = min(waiting, key=lambda each: (each[1] + weight * bound(each[0]), -each[1]))
        waiting.remove((position, cost))
        if position == goal:
            return cost, expanded, generated, len(best)
        expanded += 1
        for child in moves(position):
            generated += 1
            if cost + 1 < best.get(child, 99):
                waiting = [each for each in waiting if each[0] != child] + [(child, cost + 1)]
                best[child] = cost + 1
    return None


def plain_idastar(start, moves, goal, bound):
    """Recurse; return the length, positions expanded and generated, and the greatest length of a path."""
    counts = [0, 0, 0]

    def below(path, limit):
        counts[0] += 1
        counts[2] = max(counts[2], len(path))
        children, least = moves(path[-1]), 99
        counts[1] += len(children)
        for child in children:
            length = len(path) + bound(child)
            if child in path:
                continue
            if length > limit:
                least = min(least, length)
            elif child == goal or (found := below([*path, child], limit)) is True:
                return True
            else:
                least = min(least, found)
        return least

    limit = bound(start)
    while (found := below([start], limit)) is not True:
        limit = found
    return limit, *counts


def plain_breadth(start, moves, goal):
    layers, seen, expanded, generated = [[start]], {start}, 0, 0
    while True:
        layers.append([])
        for position in layers[-2]:
            expanded += 1
            children = moves(position)
            generated += len(children)
            for child in children:
                if child not in seen:
                    seen.add(child)
                    layers[-1].append(child)
                    if child == goal:
                        return len(layers) - 1, expanded, generated, len(seen)


def plain_beam(start, moves, goal, bound, width):
    kept, seen, length, expanded, generated = [start], {start}, 0, 0, 0
    while True:
        length += 1
        new = []
        for position in kept:
            expanded += 1
            generated += len(moves(position))
            new += [child for child in moves(position) if child not in seen and child not in new]
            if goal in new:
                return length, expanded, generated
        kept = sorted(new, key=bound)[:width]
        seen.update(kept)


def rows(puzzle, *algorithms, **options):
    return list(puzzlespace.compare(puzzle, algorithms=algorithms, **options))


@pytest.mark.parametrize("start", STARTS)
def test_counts_of_the_eight_puzzle_are_those_of_plain_twins(start):
    bounds = [misplaced, manhattan]
    found = rows("eight", *["bfs", "astar", "idastar", "weighted-astar:3", "beam:5"], bounds=bounds, start=start)
    here = bytes(puzzlespace.with_start(puzzlespace.load("eight"), start).start)
    wanted = [plain_breadth(here, tiles, GOAL)]
    wanted += [plain_astar(here, tiles, GOAL, bound) for bound in bounds]
    wanted += [plain_idastar(here, tiles, GOAL, bound) for bound in bounds]
    wanted += [plain_astar(here, tiles, GOAL, bound, 3) for bound in bounds]
    assert [(row.moves, row.expanded, row.generated, row.held) for row in found[:7]] == wanted
    wanted = [plain_beam(here, tiles, GOAL, bound, 5) for bound in bounds]
    assert [(row.moves, row.expanded, row.generated) for row in found[7:]] == wanted
    assert {row.moves for row in found[:5]} == {puzzlespace.distance("eight", start).distance}


def test_a_nearer_bound_saves_positions_and_ours_is_the_same_as_the_own_one():
    first, own, ours = rows("eight", "astar", bounds=[misplaced, manhattan, "distance"], start=STARTS[1])
    assert first.expanded > own.expanded == ours.expanded
    assert (own.proof, ours.proof) == ("proved if the bound 'manhattan' never claims too much", "proved")


def graph(seed):
    """A random graph, its distances to the goal, and a bound that is not consistent."""
    drawn = Random(seed)
    size = drawn.randint(4, 8)
    edges = {each: sorted(drawn.sample(range(size), drawn.randint(1, 3))) for each in range(size)}
    back = {each: [other for other in edges if each in edges[other]] for each in edges}
    far = {size - 1: 0}
    for position in (queue := [size - 1]):
        for other in back[position]:
            if other not in far:
                far[other] = far[position] + 1
                queue.append(other)
    claims = {each: drawn.randint(0, far.get(each, 5)) for each in edges}
    return Custom(edges.__getitem__, 0, size - 1, back.__getitem__), far.get(0), claims.__getitem__


def test_on_random_graphs_each_answer_is_what_it_says():
    unsolved = 0
    for seed in range(150):
        puzzle, shortest, bound = graph(seed)
        unsolved += shortest is None
        for row in rows(puzzle, *(each.name for each in ALGORITHMS), "weighted-astar:1.5", "beam:1", bounds=[bound]):
            if row.proof.startswith("proved"):
                assert row.moves == shortest, (seed, row)
            elif row.moves is not None:
                assert row.moves >= shortest
                weight = {"weighted-astar": 2, "weighted-astar:1.5": 1.5}.get(row.engine, 99)
                assert row.moves <= weight * shortest
            assert row.held >= 1
    assert 10 < unsolved < 100


def test_a_position_is_expanded_again_if_it_is_reached_on_a_shorter_path():
    edges = {"s": "ab", "a": "c", "b": "d", "d": "c", "c": "e", "e": "f", "f": "g", "g": ""}
    edges |= {"s": "xb", "x": "y", "y": "c", "b": "c"}
    claims = {"b": 4, "s": 0, "x": 0, "y": 0, "c": 0, "e": 2, "f": 1, "g": 0, "d": 0, "a": 0}
    (row,) = rows(Custom(edges.__getitem__, "s", "g"), "astar", bounds=[claims.__getitem__])
    assert (row.moves, row.expanded) == (5, 8)  # s x y c, then b c again, e f


def test_what_is_wrong_or_cannot_be_answered_is_said_in_its_row():
    def wrong(position):
        return 9 if position != GOAL else 0

    short = "1 2 3 / 4 5 . / 7 8 6"
    assert (
        "it claims that 9 or more moves are left, but 1 are enough"
        in rows("eight", "astar", bounds=[wrong], start=short)[0].problem
    )
    (row,) = rows("eight", "bfs", limits=Limits(positions=500))
    assert (row.moves, row.proof, row.problem[:7]) == (None, "", "stopped")
    assert row.expanded > 100
    (row,) = rows("14-15", "astar")
    assert ("parity" in row.problem, row.proof, row.generated) == (True, "proved", 0)
    (row,) = rows(Custom(lambda n: [n + 1], 0, 5), "bidirectional")
    assert "moves taken back" in row.problem
    (row,) = rows(Custom(lambda n: [n + 1] if n < 3 else [], 0, 5), "beam")
    assert (row.problem, row.proof) == ("no solution was found", "not proved")


def test_moves_with_costs_are_added_or_refused():
    puzzle = puzzlespace.load("bridge")
    shortest = puzzlespace.solve(puzzle).moves
    breadth, uniform, best = rows(puzzle, "bfs", "uniform-cost", "astar")
    assert "costs" in breadth.problem
    assert uniform.moves == best.moves == shortest > 10


@pytest.mark.parametrize(
    ("algorithms", "words"),
    [
        ("dfs", "expected one of bfs"), ("beam:0", "a whole number of 1 or more"), ("beam:1.5", "whole"),
        ("weighted-astar:x", "a number of 1 or more"), ("weighted-astar:inf", "1 or more"), ("bfs:3", "no number"),
    ],
)  # fmt: skip
def test_unknown_algorithms_and_numbers_are_bad_input(algorithms, words):
    with pytest.raises(InputError, match=words):
        puzzlespace.compare("eight", algorithms=[algorithms])
    with pytest.raises(InputError, match="no engines"):
        puzzlespace.compare("eight", ["plain"], algorithms=["bfs"])


def test_the_command_prints_rows_and_draws_them(tmp_path):
    ask = ("compare", "eight", "--algorithms", "bfs,beam:5", "--bounds", "distance", "--start", STARTS[0], "-q")
    code, out, _ = run(*ask, "--plot", str(tmp_path / "a.svg"))
    lines = [line.split(None, 7) for line in out.splitlines()]
    assert (code, lines[0][-1], lines[1][0], lines[2][0]) == (0, "held", "bfs", "beam:5")
    assert [line[-1] for line in lines[1:]] == ["proved", "not proved"]
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")
    code, out, _ = run(*ask, "--json")
    told = json.loads(out)["rows"]
    assert [(row["held"] > 0, row["memory"]) for row in told] == [(True, None)] * 2
    assert "--bounds" in run("compare", "eight", "--algorithms", "bfs", "--bounds", "distance")[2]
