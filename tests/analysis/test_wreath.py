"""All ways to put pieces together, and the components that moves make of them: against all ways one by one."""

from itertools import permutations, product
from random import Random

import pytest

from puzzlespace import components
from puzzlespace.model.metric import Metric
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule
from puzzlespace.ranking.wreath import taken_apart


def turned_pieces(chance):
    """Sets of different pieces with states, and moves that exchange and turn some of them."""
    sets, cells, symbols = [], 0, 0
    for _ in range(chance.randint(1, 2)):
        count, states = chance.choice([(1, 3), (2, 1), (2, 3), (3, 2), (3, 1), (3, 3), (4, 1), (4, 2)])
        sets.append((range(cells, cells + count), states, symbols))
        cells, symbols = cells + count, symbols + count * states
    rules = []
    for number in range(chance.randint(1, 3)):
        source, turns = list(range(cells)), [0] * cells
        for each, states, _ in sets:
            some = chance.sample(each, chance.randint(0, len(each)))
            for to, origin in zip(some, some[1:] + some[:1], strict=True):
                source[to], turns[to] = origin, chance.choice((0, 0, 1, 2)) % states
        tables = []
        for cell in range(cells):
            table = list(range(symbols))
            each, states, first = next(one for one in sets if cell in one[0])
            for at in range(len(each) * states):
                table[first + at] = first + at - at % states + (at + turns[cell]) % states
            tables.append(tuple(table))
        rules.append(Rule(str(number), tuple(range(cells)), (ANY,) * cells, tuple(source), tuple(tables)))
    start = bytes(first + at * states for each, states, first in sets for at in range(len(each)))
    return Model(cells, symbols, tuple(rules), Metric(), start), sets


def every_way(sets):
    """All ways to put the pieces of the sets together."""
    kinds = []
    for each, states, first in sets:
        pieces = [[first + at * states + state for state in range(states)] for at in range(len(each))]
        kinds.append([shown for order in permutations(pieces) for shown in product(*order)])
    return [bytes(symbol for part in parts for symbol in part) for parts in product(*kinds)]


def component_sizes(model, ways):
    """The sizes of the components that the moves make of all ways."""
    left, sizes = set(ways), []
    while left:
        pending, size = [left.pop()], 0
        while pending:
            position = pending.pop()
            size += 1
            for _, child in model.steps(position):
                if child in left:
                    left.remove(child)
                    pending.append(child)
        sizes.append(size)
    return sizes


def test_sizes_and_numbers_of_components_are_those_of_all_ways():
    known = 0
    for seed in range(400):
        model, sets = turned_pieces(Random(seed))
        ways = every_way(sets)
        found = taken_apart(model, model.start, 10.0)
        if found is None or len(ways) > 3000:
            continue
        sizes = component_sizes(model, ways)
        assert set(sizes) == {found.size}, seed
        idle = len(ways) // found.ways  # ways of pieces that no move changes, or exchanges in fewer places
        assert len(sizes) == found.ways // found.size * idle, seed
        known += found.size > 1
    assert known > 100


@pytest.mark.parametrize(
    ("name", "size", "count", "pieces"),
    [
        ("cube:3", 43_252_003_274_489_856_000, 12, ((8, 3), (12, 2))),
        ("cube:2", 3_674_160, 3, ((7, 3),)),
        ("examples/twisty/pyraminx-tips.tws", 75_582_720, 4, ((6, 2), *[(1, 3)] * 8)),
    ],
)
def test_components_of_turning_puzzles(name, size, count, pieces):
    found, _ = components(name)
    assert (found.sizes, found.pieces, found.solvable) == (((size, count),), pieces, size)
    assert found.positions == size * count
