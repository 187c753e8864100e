"""Solutions counted up to commuting moves and up to symmetry, held against listing and joining by the definition."""

import pytest

from puzzlespace import catalogue
from puzzlespace.analysis import paths, traces
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api import dispatch, questions
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Search
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.model import Model
from puzzlespace.model.rule import Rule
from puzzlespace.symmetry import symmetries
from toys import eight, flips, grid_edges, links, pegs, slide, turns

MOST = 3000
"""Solutions listed at most by the definition."""


def layers_of(model):
    """All positions on shortest solutions, or () where there are too many positions or solutions."""
    question = Search(model, model.start, goal_positions(model))
    found = dispatch.search(question, Watch(Limits(positions=100_000)))[1].layers
    return found if found and paths.count_paths(model, found) <= MOST else ()


def moves_with_cells(model, position):
    """Every set of cells that a move can be made with: (position reached, generator) -> sets, nothing left out."""
    found, seen = {}, set()
    pending = [(child, rule, frozenset(model.rules[rule].cells), rule) for rule, child in model.steps(position)]
    while pending:
        child, rule, cells, first = pending.pop()
        if (child, rule, cells, first) in seen:
            continue
        seen.add((child, rule, cells, first))
        found.setdefault((child, model.generators[first]), set()).add(cells)
        for other in model.followers[rule]:
            further = model.rules[other].apply(child)
            if further not in (None, child):
                pending.append((further, other, cells | {*model.rules[other].cells}, first))
    return found


def listed(model, layers):
    """Every solution as (position, generator) pairs."""
    return [
        tuple((position, model.generators[rules[0]] if rules else None) for position, rules in path)
        for path in paths.all_paths(model, layers)
    ]


def joined(items, neighbours):
    """How many classes there are when neighbours are put together."""
    left, number = set(items), 0
    while left:
        number += 1
        pending = [left.pop()]
        while pending:
            for other in neighbours(pending.pop()):
                if other in left:
                    left.remove(other)
                    pending.append(other)
    return number


def commuting_by_definition(model, layers):
    cells = {p: moves_with_cells(model, p) for layer in layers for p in layer}

    def exchanged(path):
        for at in range(1, len(path) - 1):
            (before, _), first, second = path[at - 1 : at + 2]
            for (between, generator), ways in cells[before].items():
                if generator != second[1] or (second[0], first[1]) not in cells.get(between, ()):
                    continue
                disjoint = any(
                    not a & b for a in cells[before][first] for b in cells[first[0]][second]
                    if a in cells[between][second[0], first[1]] and b in ways
                )  # fmt: skip
                if disjoint:
                    yield (*path[:at], (between, second[1]), (second[0], first[1]), *path[at + 2 :])

    return joined(listed(model, layers), exchanged)


def symmetric_by_definition(model, layers, group):
    def images(path):
        for each in group.elements():
            named = {g: model.generators[each.rules[g]] for g in model.generators if g >= 0}
            yield tuple((each.apply(position), named.get(g, g)) for position, g in path)

    return joined(listed(model, layers), images)


def two_ways_round():
    """A piece that goes round a square on either side, and another elsewhere: its move can be made in two ways."""
    edges = links((0, 1), (1, 2), (2, 3), (3, 0), (4, 5))
    return slide(edges, (1, 0, 0, 0, 2, 0), (0, 0, 1, 0, 0, 2), "piece")


def two_squares():
    edges = links((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4))
    return slide(edges, (1, 0, 0, 2, 3, 0, 0, 0), (2, 0, 1, 0, 0, 0, 3, 0), "piece")


def coins(count):
    """Coins, each turned over by itself."""
    rules = tuple(Rule(str(c), (c,), (-1,), (0,), ((1, 0),)) for c in range(count))
    return Model(count, 2, rules, start=bytes(count), goals=(Goal.exactly(bytes([1]) * count),))


def left(model, count):
    """Pegs of which so many are to be left."""
    return Model(model.cells, 2, model.rules, model.metric, model.start, (Goal((-1,) * model.cells, ((1, count),)),))


TOYS = {
    "two ways round": two_ways_round(),
    "two squares": two_squares(),
    "coins": coins(5),
    "near the solved 8-puzzle": eight((1, 2, 3, 4, 0, 6, 7, 5, 8)),
    "flips": Model(9, 2, flips(3, 3).rules, start=bytes([1, 0, 1, 0, 1, 1, 1, 1, 1]), goals=flips(3, 3).goals),
    "pegs in rows": left(pegs([(0, 1, 2), (1, 2, 3), (4, 5, 6), (5, 6, 7)], (1, 1, 0, 1, 1, 1, 0, 1), "chain"), 2),
    "pieces in steps": slide(grid_edges(3, 3), (1, 0, 0, 0, 0, 0, 0, 0, 2), (0, 0, 1, 0, 0, 0, 2, 0, 0)),
    "pieces in runs": slide(grid_edges(3, 3), (1, 0, 0, 0, 3, 0, 0, 0, 2), (0, 0, 1, 0, 3, 0, 2, 0, 0), "run"),
    "pieces on paths": slide(grid_edges(3, 3), (1, 0, 3, 0, 0, 0, 0, 0, 2), (2, 0, 0, 0, 0, 0, 3, 0, 1), "piece"),
    "two rings": Model(
        8, 8, turns(8, [(1, 2, 3, 0, 4, 5, 6, 7), (0, 1, 2, 3, 5, 6, 7, 4)]).rules, start=bytes(range(8)),
        goals=(Goal.exactly(bytes([2, 3, 0, 1, 6, 7, 4, 5])),),
    ),
}  # fmt: skip
LARGE = {"english", "french37", "diamond41", "microban36"}
"""Boards of pegs with more solutions than can be listed; a level of boxes whose pushed runs take long to list."""

SHIPPED = {
    f"{name} {metric}": (name, metric)
    for name in (*sorted({*catalogue.names()} - LARGE), "peg:triangle15", "hanoi:4,5", "hanoi:3,4")
    for metric in load(name).metrics
    if load(name).start is not None
}


@pytest.mark.parametrize("name", [*TOYS, *SHIPPED])
def test_all_small_puzzles_against_the_definition(name):
    if name in SHIPPED:
        puzzle, metric = SHIPPED[name]
        model = load(puzzle).model(metric)
        layers = () if questions.solve(puzzle, metric=metric).moves is None else layers_of(model)
    else:
        model = TOYS[name]
        layers = layers_of(model)
        assert layers
    if not layers:
        assert name in SHIPPED  # out of reach, or too many positions or solutions to list here
        return
    group = symmetries(model, start=True)
    if model.metric.costs or model.metric.free:
        assert traces.count_up_to_commuting(model, layers) is traces.count_up_to_symmetry(model, layers, group) is None
        return
    assert traces.count_up_to_commuting(model, layers) == commuting_by_definition(model, layers)
    assert traces.count_up_to_symmetry(model, layers, group) == symmetric_by_definition(model, layers, group)


def test_moves_in_several_ways_are_listed_and_joined():
    model = two_ways_round()
    layers = layers_of(model)
    ways = traces._Ways(model, layers)
    assert not ways.single
    assert sorted(map(sorted, ways.touched[model.start].values())) == [[0b111, 0b1101], [0b110000]]
    assert traces.count_up_to_commuting(model, layers) == 1


@pytest.mark.parametrize("name", [name for name in TOYS if name not in ("two ways round", "two squares")])
def test_counting_least_words_and_listing_agree(name):
    model = TOYS[name]
    layers = layers_of(model)
    ways = traces._Ways(model, layers)
    if ways.single:
        assert traces._count_least(ways, layers) == traces._count_listed(ways, layers)
    else:
        assert name in ("pieces on paths",)


def test_coins_can_be_turned_in_any_order():
    answer = traces.count_up_to_commuting(coins(5), layers_of(coins(5)))
    assert (answer, paths.count_paths(coins(5), layers_of(coins(5)))) == (1, 120)
    group = symmetries(coins(5), start=True)
    assert group.order == 120
    assert traces.count_up_to_symmetry(coins(5), layers_of(coins(5)), group) == 1


@pytest.mark.parametrize(
    ("name", "metric", "wanted"),
    [("star13", "chain", (72, 72, 9)), ("star13", "step", (5664, 336, 708)), ("klotski", "piece", (256, 12, 128)),
     ("century", "step", (289371264000, 8, 289371264000)), ("hexagram", "step", (388, 388, 194)),
     ("flip3", "step", (224, 128, 112)), ("eight", "step", (40, 40, 40))],
)  # fmt: skip
def test_three_numbers(name, metric, wanted):
    answer = questions.solve(name, metric=metric, count=True)
    assert (answer.solutions, answer.solutions_commuting, answer.solutions_symmetry) == wanted


def test_too_much_work_is_no_number(monkeypatch):
    model = two_ways_round()
    layers = layers_of(model)
    group = symmetries(model, start=True)
    monkeypatch.setattr(traces, "MOST_LISTED", 1)
    assert traces.count_up_to_commuting(model, layers) is None
    monkeypatch.setattr(traces, "MOST_WAYS", 3)
    assert traces.count_up_to_commuting(model, layers) is None
    monkeypatch.setattr(traces, "MOST_FIXED", 3)
    assert traces.count_up_to_symmetry(model, layers, group) is None
    monkeypatch.setattr(traces, "MOST_POSITIONS", 2)
    assert traces.count_up_to_commuting(model, layers) is None
    assert traces.count_up_to_symmetry(model, layers, group) is None
