"""Pieces that stay in their lines: the search line by line has the answers of the search of all packings."""

import pytest

from designs import random_cars
from puzzlespace import FormatError, LimitError, Limits, design, solve
from puzzlespace.api.designing import puzzle_of
from puzzlespace.errors import SelfCheckError
from puzzlespace.formats.pzl import parse
from puzzlespace.graph.designs import layout as layouts
from puzzlespace.graph.designs import lines as by_lines
from puzzlespace.graph.designs.lines import LineSearch
from puzzlespace.graph.designs.packings import Packings
from puzzlespace.graph.designs.search import UnionSearch, Wanted
from puzzlespace.limits.watch import Watch

CARS = """rule: slide along
count: run
board: grid 5x5
pieces:
  A 2x1: 1
  1x2 | 1x3 | 2x1 | 3x1: any
goal: *****/*****/***AA/*****/*****
"""

NOT_COUNTED = Wanted(components=False, by="group")

LONG = [pytest.param(range(first, first + 100), marks=pytest.mark.long) for first in range(30, 1030, 100)]


def by_numbers(search):
    """What a search found, for each multiset of pieces."""
    search.run()
    return {
        each.group.numbers: (
            each.packings, each.goals, each.solvable, each.depth, each.hardest,
            [(start.depth, start.pieces, start.blanks) for start in each.starts],
        )
        for each in search.found
    }  # fmt: skip


@pytest.mark.parametrize("seeds", [range(30), *LONG])
def test_random_cars_have_the_numbers_of_the_search_of_all_packings(seeds, monkeypatch):
    monkeypatch.setattr(by_lines, "FIRST_ROOM", 4)
    monkeypatch.setattr(by_lines, "AT_ONCE", 7)
    deep = 0
    for seed in seeds:
        try:
            packings = Packings(layouts.layout(parse(random_cars(seed))))
        except FormatError:
            continue
        search = LineSearch(packings, NOT_COUNTED, Watch())
        if not search.fits:  # walls have too many ways to lie in a line
            continue
        assert by_numbers(search) == by_numbers(UnionSearch(packings, NOT_COUNTED, Watch(), 1)), seed
        deep += max(each.depth or 0 for each in search.found) > 1
    assert deep >= len(seeds) / 4


@pytest.mark.parametrize("seeds", [range(0, 30, 3), *LONG])
def test_starts_of_random_cars_need_as_many_moves_as_is_said(seeds):
    checked = 0
    for seed in seeds:
        try:
            found = design(random_cars(seed), by="group", components=False, confirm=False)
        except FormatError:
            continue
        for each in found.puzzles[:: len(found.puzzles) // 4 + 1]:
            assert solve(puzzle_of(each), engine="plain").moves == each.moves, (seed, each.start)
            checked += 1
    assert checked >= len(seeds)


def test_a_start_of_every_multiset_of_cars_on_5x5():
    found = design(CARS, components=False, by="all")
    assert (found.packings, found.solvable, found.hardest.moves, found.confirmed) == (11_889_592, 7_104_587, 20, 1)
    assert found.searched_groups == found.groups


@pytest.mark.parametrize(
    "change",
    [
        ("rule: slide along", "rule: slide"),
        ("3x1: any", "3x1: any\n  1x1: 1"),
        ("3x1: any", "3x1: any\n  2x2: 1"),
        ("3x1: any", "3x1: any\n  oo/o.: 1"),
        ("goal:", "start: *****/*****/*****/*****/AA***\ngoal:"),
    ],
)
def test_other_layouts_are_searched_as_a_whole(change):
    made = layouts.layout(parse(CARS.replace(*change)))
    assert not LineSearch(Packings(made), NOT_COUNTED, Watch()).fits


@pytest.mark.parametrize("wanted", [Wanted(), Wanted(components=False, needed=True), Wanted(False, symmetric=True)])
def test_other_questions_are_answered_by_the_search_of_all_packings(wanted):
    assert not LineSearch(Packings(layouts.layout(parse(CARS))), wanted, Watch()).fits


def test_a_stopped_search_says_what_it_searched(monkeypatch):
    monkeypatch.setattr(by_lines, "AT_ONCE", 1000)
    found = design(CARS, components=False, limits=Limits(positions=500_000))
    assert isinstance(found.stopped, LimitError)
    assert 0 < found.searched < found.packings
    assert found.searched_groups < found.groups


def test_a_wrong_number_of_packings_is_a_fault(monkeypatch):
    search = LineSearch(Packings(layouts.layout(parse(CARS.replace("5x5", "4x4").replace(
        "*****/*****/***AA/*****/*****", "****/**AA/****/****")))), NOT_COUNTED, Watch())  # fmt: skip
    search.__dict__["_all_jobs"] = search._all_jobs[1:]
    with pytest.raises(SelfCheckError, match="packings of"):
        search.run()
