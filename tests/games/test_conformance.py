"""Recorded plays of the original program, and small games for single points of the semantics: cell by cell."""

import numpy as np
import pytest

from pushing import game
from puzzlespace.games.compiled import PackedPositions
from puzzlespace.games.game import GameBoard
from puzzlespace.games.moves import GamePosition, LevelMoves
from puzzlespace.games.reading import read_game
from puzzlespace.limits.watch import Watch
from recorded_games import cases, quick
from recorded_play import Play, recorded


class CompiledPlay(Play):
    """A play whose inputs are made by the compiled turn, with all turns that follow by themselves.

    The board of the last checkpoint is kept if the game has checkpoints: a key brings it back, too.
    """

    def load(self, level):
        super().load(level)
        board = self.game.levels[level]
        if isinstance(board, GameBoard):
            self.moves = LevelMoves(self.game, board)
            self.moves.keeps_restart = "checkpoint" in self.game.commands()
            self.places = PackedPositions(self.moves, [GamePosition(board.cells)], [])

    def _turn(self, pressed):
        if pressed == 0 or self.text:
            super()._turn(pressed)
            return
        here = GamePosition(self.cells, self.restart if self.moves.keeps_restart else ())
        after = self.after(here, pressed)
        self.undo.append(self.cells)
        self.cells, self.restart = after.cells, after.restart or self.restart
        self.after_win() if after.won else None

    def after(self, here, pressed):
        number = self.places._enter([here])[0]
        self.places.inputs = np.array([pressed])  # others may be endless
        while self.places.extend(number, number + 1, Watch()) == number:
            pass
        there = self.places.links_of(number)[0]
        return here if there < 0 else self.places.listed([there])[0]


def final(case, kind=Play):
    play = kind(read_game(case["source"]), int(case["level"]))
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


def test_all_recorded_plays_with_the_compiled_turn():
    assert len(cases("handed")) == 246
    assert [case["index"] for case in cases("handed") if final(case, CompiledPlay) != case["final"]] == []


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
