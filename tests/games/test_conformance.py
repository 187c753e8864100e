"""Recorded plays of the original program, and small games for single points of the semantics: cell by cell."""

import json
from functools import cache

import pytest

from places import DATA
from puzzlespace.games.play import Play, recorded
from puzzlespace.games.reading import read_game

FOLDER = DATA / "puzzlescript"
QUICK = 500
"""Cases with at most this many rules times turns run always."""


@cache
def cases(file):
    found = json.loads((FOLDER / f"{file}.json").read_text())
    return found["cases"] if file == "handed" else [*found["directed"], *found["random"]]


def final(case):
    play = Play(read_game(case["source"]), int(case["level"]))
    for key in case["inputs"]:
        play.press(key)
    return recorded(play.game, play.cells, play.turns.width)


def quick(case):
    return case["rule_count"] * case["engine_turns"] <= QUICK


HANDED = [
    pytest.param(number, id=f"{each['index']}", marks=() if quick(each) and number % 4 == 0 else pytest.mark.long)
    for number, each in enumerate(cases("handed"))
]


@pytest.mark.parametrize("number", HANDED)
def test_a_recorded_play_ends_in_the_recorded_level(number):
    assert final(cases("handed")[number]) == cases("handed")[number]["final"]


def test_single_points_of_the_semantics():
    wrong = [case["name"] for case in cases("probes")[:67] if final(case) != case["final"]]
    assert wrong == []


@pytest.mark.parametrize("part", range(10))
@pytest.mark.long
def test_random_games(part):
    wrong = [case["name"] for case in cases("probes")[67 + part :: 10] if final(case) != case["final"]]
    assert wrong == []
