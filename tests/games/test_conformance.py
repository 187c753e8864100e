"""Recorded plays of the original program, and small games for single points of the semantics: cell by cell."""

import pytest

from pushing import game
from puzzlespace.games.play import Play, recorded
from puzzlespace.games.reading import read_game
from recorded_games import cases, quick


def final(case):
    play = Play(read_game(case["source"]), int(case["level"]))
    for key in case["inputs"]:
        play.press(key)
    return recorded(play.game, play.cells, play.turns.width)


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


def test_a_restart_while_a_level_starts_again_can_be_undone():
    rules = "right [ Player | no Player ] -> [ | Player ]\n[ Player ] -> restart"
    play = Play(read_game(game(rules=rules, levels="p..", prelude="run_rules_on_level_start")))
    begun = play.cells
    play.press(0)
    assert play.cells == begun
    play.press("undo")
    assert play.cells == play.restart != begun
