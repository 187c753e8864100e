"""A*, IDA* and A* that goes on as IDA*, held against the plain engine: random graphs and puzzles, random bounds."""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush
from random import Random

import pytest

from fuzz.generators import accepted, draw, draw_glide, draw_push
from puzzlespace import Custom
from puzzlespace.contract.bound import NO_WAY, bound_of
from puzzlespace.contract.questions import Search
from puzzlespace.engines import plain
from puzzlespace.errors import BoundError
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.search import best_first
from puzzlespace.search.best_first import STORED_POSITIONS, VISITED_POSITIONS
from puzzlespace.search.guide import stepping

WAYS = {
    "A*": (best_first.astar, USUAL),
    "IDA*": (best_first.idastar, USUAL),
    "IDA* with a small table": (best_first.idastar, Thresholds({VISITED_POSITIONS: 3})),
    "IDA* without a table": (best_first.idastar, Thresholds({VISITED_POSITIONS: 0})),
    "A*, then IDA*": (best_first.astar, Thresholds({STORED_POSITIONS: 7})),
    "A*, then IDA* with a small table": (best_first.astar, Thresholds({STORED_POSITIONS: 12, VISITED_POSITIONS: 2})),
}

FEW = 60
"""Without a table, depth-first search is tried only on at most so many positions: it follows every path."""

MOST = 300
"""Positions at most of the puzzles that are drawn."""

FEWER = Limits(positions=20_000)
"""What a search may generate: depth-first search without a solution comes back to positions very often."""


def edges_of(space, start):
    """The moves of all positions that can be reached: {position: [(child, cost)]}; None if there are too many."""
    steps, found, waiting = stepping(space), {}, [start]
    while waiting:
        position = waiting.pop()
        if position not in found:
            found[position] = list(steps(position))
            waiting += [child for child, _ in found[position]]
            if len(found) > MOST:
                return None
    return found


def distances(edges, goals):
    """The number of moves from each position to the nearest goal, by Dijkstra's algorithm on the moves turned round."""
    back = {position: [] for position in edges}
    for position, steps in edges.items():
        for child, cost in steps:
            back[child].append((position, cost))
    found, waiting = {}, [(0, number, goal) for number, goal in enumerate(goals)]
    number = len(waiting)
    while waiting:
        depth, _, position = heappop(waiting)
        if position in found:
            continue
        found[position] = depth
        for parent, cost in back[position]:
            number += 1
            heappush(waiting, (depth + cost, number, parent))
    return found


def graph(seed):
    """A random directed graph as a puzzle: sparse or dense, with one or several goals or none that can be reached."""
    chance = Random(seed)
    size = chance.choice((2, 5, 12, 30, 80))
    degree = chance.choice((1, 1.5, 2, 4))
    ahead = {node: [] for node in range(size)}
    for _ in range(int(size * degree)):
        one = chance.randrange(size)
        other = (one + chance.randint(1, 4)) % size if chance.random() < 0.6 else chance.randrange(size)
        ahead[one].append(other)
        if chance.random() < 0.5:
            ahead[other].append(one)
    back = {node: [other for other in ahead if node in ahead[other]] for node in ahead}
    aims = frozenset(chance.sample(range(size), chance.choice((1, 1, 2))))
    goal = next(iter(aims)) if len(aims) == 1 and chance.random() < 0.7 else lambda node: node in aims
    return Custom(ahead.__getitem__, chance.randrange(size), goal, back.__getitem__ if chance.random() < 0.5 else None)


def models(seed):
    """The models of a random puzzle in every metric: slides, blocks, jumps, listed moves; costs in some."""
    text = (draw, draw, draw_glide, draw_push)[seed % 4](seed)
    puzzle = accepted(text)
    if puzzle is None or puzzle.start is None or not puzzle.goals:
        return
    for metric in puzzle.metrics:
        yield puzzle.model(metric)


def spaces(seed):
    """Small spaces with their moves and true distances."""
    for space in [graph(seed), *models(seed)]:
        edges = edges_of(space, space.start)
        if edges is not None:
            yield space, edges, distances(edges, [each for each in edges if space.is_goal(each)])


def noisy(true, chance, dead=True):
    """A bound that is never too great: the distance, less something random for each position."""
    share = chance.choice((0, 0.3, 1))
    table: dict = {}

    def bound(position):
        if position not in table:
            if position in true:
                left = true[position]
                table[position] = left if chance.random() > share else chance.randint(0, left)
            else:
                table[position] = NO_WAY if dead and chance.random() < 0.5 else chance.randint(0, 20)
        return table[position]

    return bound


def asked(space, every, bound):
    goals = space.goals if isinstance(space, Custom) else None
    return Search(space, space.start, goals, every, bound=bound_of(bound))


def judged(question, found, expected, name):
    """Assert that an answer is that of the plain engine: all positions on solutions, or one solution among them."""
    assert found.stopped is None
    assert len(found.layers) == len(expected.layers), name
    if question.every:
        assert found.layers == expected.layers, name
        return
    assert all(mine <= every for mine, every in zip(found.layers, expected.layers, strict=True)), name
    path = [min(layer, key=repr) for layer in found.layers if layer]
    assert all(len(layer) <= 1 for layer in found.layers)
    steps = stepping(question.space)
    for one, other in zip(path, path[1:], strict=False):
        assert other in dict(steps(one)), name


def compared(seed):
    """Compare all ways of searching on the spaces of a seed; return how many answers were compared."""
    answers = Counter()
    for space, edges, true in spaces(seed):
        chance = Random(seed)
        for every in (True, False):
            bound = noisy(true, chance)
            question = asked(space, every, bound)
            expected = plain.search(question, Watch())
            for name, (search, thresholds) in WAYS.items():
                if "table" in name and len(edges) > FEW:
                    continue
                found = search(question, Watch(FEWER, thresholds=thresholds))
                if found.stopped is not None:
                    assert "IDA*" in name
                    continue
                judged(question, found, expected, name)
                assert (found.rests_on, found.assumed) == ("bound", found.assumed)
                if found.assumed and found.layers:
                    assert found.bound < len(found.layers) - 1
                answers[name] += 1
    return answers


@pytest.mark.parametrize("chunk", [0, 1, *(pytest.param(chunk, marks=pytest.mark.long) for chunk in range(2, 60))])
def test_bounds_that_are_never_too_great_give_all_shortest_solutions(chunk):
    answers = Counter()
    for seed in range(20 * chunk, 20 * chunk + 20):
        answers += compared(seed)
    assert set(answers) == set(WAYS)
    assert min(answers.values()) > 20


def claiming(true, chance):
    """A bound that claims too much of some positions."""
    right, wrong = noisy(true, chance), chance.choice((0.02, 0.2, 0.7))
    table: dict = {}

    def bound(position):
        if position not in table:
            much = chance.choice((1, 3, 10, NO_WAY)) if chance.random() < wrong else 0
            table[position] = right(position) + much
        return table[position]

    return bound


def claimed(seed):
    """Search below a bound that claims too much; return how often it was found out, harmless, or only assumed."""
    outcomes = Counter()
    for space, edges, true in spaces(seed):
        chance = Random(seed)
        for every in (True, False):
            question = asked(space, every, claiming(true, chance))
            length = true.get(space.start)
            for name, (search, thresholds) in WAYS.items():
                if "table" in name and len(edges) > FEW:
                    continue
                found, error = None, None
                try:
                    found = search(question, Watch(FEWER, thresholds=thresholds))
                except BoundError as fault:
                    error = fault
                if error is not None:
                    assert "enough" in str(error)
                    assert question.bound.make(space, None, Watch())(error.position) > true[error.position]
                    outcomes["found out"] += 1
                    continue
                if found.stopped is not None:
                    continue
                assert found.bound is None or length is None or found.bound <= length, name
                if not found.assumed:
                    assert (len(found.layers) - 1 if found.layers else None) == length, name
                    outcomes["proved"] += 1
                else:
                    assert length is None or not found.layers or len(found.layers) - 1 >= length, name
                    outcomes["assumed"] += 1
    return outcomes


@pytest.mark.parametrize("chunk", [0, 1, *(pytest.param(chunk, marks=pytest.mark.long) for chunk in range(2, 60))])
def test_a_bound_that_claims_too_much_is_found_out_or_the_answer_does_not_say_proved(chunk):
    outcomes = Counter()
    for seed in range(20 * chunk, 20 * chunk + 20):
        outcomes += claimed(seed)
    assert set(outcomes) == {"found out", "proved", "assumed"}
