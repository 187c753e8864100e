"""The compiled turn against the plain one: recorded plays, random games, whole levels."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from pushing import game
from puzzlespace import depths, solve
from puzzlespace.errors import EndlessError, FormatError, LimitError
from puzzlespace.games.compiled import CompiledMoves, GameRows, runs
from puzzlespace.games.game import INPUTS, LETTERS
from puzzlespace.games.level import GameLevel, is_small
from puzzlespace.games.moves import GamePosition, LevelMoves
from puzzlespace.games.reading import read_game
from puzzlespace.limits.watch import Limits, watched
from random_games import random_game
from recorded_games import cases, quick


def compiled_after(moves, positions):
    """The positions one move after each of some, by the compiled turn."""
    made = CompiledMoves(moves, positions[0].cells, 0)
    found = []
    for each in positions:
        rows = made.following(made.rows(np.array([each.cells], np.uint64), np.array([each.won])))
        boards = made.boards(rows).tolist()
        found.append(
            [GamePosition(tuple(cells), (), bool(won)) for cells, won in zip(boards, rows[:, -1], strict=True)]
        )
    return found


def walked(moves, inputs):
    """The positions of a play, in plain Python, as long as the level is not won."""
    place = moves.start()
    found = [place]
    for pressed in inputs:
        if pressed in range(len(moves.inputs)) and not place.won:
            place = next((to for letter, to in moves.named(place) if letter == LETTERS[pressed]), place)
            found.append(place)
    return list(dict.fromkeys(found))


def wrong(source, inputs, number=0):
    """Positions of a play at which the two turns differ; None if the game has no compiled turn or is endless."""
    try:
        with watched(Limits(seconds=20)):
            found = read_game(source)
            if not is_small(found):
                return None
            moves = LevelMoves(found, found.boards[number])
            places = walked(moves, inputs)
            expected = [[place for _, place in moves.named(each)] for each in places]
    except (EndlessError, FormatError, LimitError):
        return None
    return [
        each for each, one, other in zip(places, expected, compiled_after(moves, places), strict=True) if one != other
    ]


SEEDS = [*range(8), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(8, 200))]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_games(seed):
    draw = Random(seed)
    compared = [wrong(random_game(draw), [draw.randrange(len(INPUTS)) for _ in range(5)]) for _ in range(4)]
    assert [each for each in compared if each] == []


@pytest.mark.parametrize("part", range(20))
@pytest.mark.long
def test_recorded_plays(part):
    plays = [case for case in cases("handed")[part::20] if quick(case)]
    assert len([case for case in plays if wrong(case["source"], case["inputs"][:12])]) == 0
    assert plays


def test_whole_levels_agree_with_the_plain_search():
    plain = GameLevel.of(read_game(game()), 1, "game")
    made = CompiledMoves(plain.moves, plain.start.cells, 0)
    fast = replace(plain, encoding=lambda level: GameRows(made, level.start))
    assert depths(fast).counts == depths(plain, engine="plain").counts
    assert depths(fast).hardest == depths(plain, engine="plain").hardest
    answer = solve(fast, count=True)
    assert (answer.engine, answer.moves, answer.solutions) == ("encoded", 2, 1)
    assert answer.path == solve(plain, engine="plain").path


def test_runs_of_bits():
    assert runs(0) == []
    assert [tuple(map(int, each)) for each in runs(0b1101110)] == [(1, 0, 7), (5, 3, 3)]
