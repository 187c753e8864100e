"""Plans of puzzles written in Python and of levels of games: what is known of them, and what is said to be unknown."""

import tracemalloc
from random import Random

import numpy as np
import pytest

from array_puzzles import pancakes, random_arrays
from commands import run, run_json
from drawn_levels import drawn_level
from pushing import game
from puzzlespace import Arrays, Cluster, Custom, Encoding, UnsupportedError, depths, plan
from puzzlespace.api.planning import growth
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import encoded, plain
from puzzlespace.games import compiled
from puzzlespace.games.layers import GameLayers
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game
from puzzlespace.limits.watch import Watch
from puzzlespace.search.layers import count
from puzzlespace.search.sorted_rows import SortedRows

TEXT = game(levels="#######\n#p..*.#\n#..o..#\n#.*o..#\n#######")
LEVEL = GameLevel.of(read_game(TEXT), 1, "game")


def onward(below):
    """Numbers below some number, with moves that cannot be undone."""

    def following(rows):
        return np.concatenate([(3 * rows + 7) % below, (rows * rows + rows) % below, (rows + 1) % below])

    return Arrays(following=following, start=[3], goal=[5])


def drawn(seed):
    """A small puzzle of arrays, or a level of a random game."""
    if seed % 2:
        return random_arrays(seed, seed % 4 == 1)
    found, chance = None, Random(seed)
    while found is None:
        found = drawn_level(chance)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_small_puzzles_are_counted_to_plan(seed):
    puzzle = drawn(seed)
    found, counts = plan(puzzle), plain.depths(Depths(puzzle, (puzzle.start,)), Watch()).counts
    assert (found.engine, found.positions.exact, found.positions.least) == ("encoded", True, sum(counts))
    assert tuple(layer.positions for layer in found.layers) == counts
    assert found.memory.exact
    assert found.seconds.exact


@pytest.mark.parametrize("puzzle", [pancakes(9), LEVEL], ids=lambda puzzle: puzzle.name)
def test_of_others_only_the_least_is_told(puzzle, monkeypatch):
    monkeypatch.setattr(growth, "POSITIONS", 300)
    found, counts = plan(puzzle), depths(puzzle).counts
    assert tuple(layer.positions for layer in found.layers) == counts[: found.counted]
    assert found.counted < len(counts)
    assert (found.positions.least, found.positions.most) == (sum(counts[: found.counted]), None)
    assert found.memory.most is found.seconds.most is found.processor.most is None
    assert "how many there are is not known" in found.reason


@pytest.mark.parametrize("puzzle", [pancakes(9), onward(50_000)], ids=["undone", "onward"])
def test_arrays_take_the_memory_that_is_planned(puzzle):
    encoding, question = SortedRows(puzzle, 500), Depths(puzzle, (puzzle.start,), 0)
    tracemalloc.start()
    counts = count(encoding, question, Watch()).counts
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken / 1.3 < encoded.needs(puzzle, (puzzle.start,), None).memory(counts) < 1.3 * taken


def test_games_take_the_memory_that_is_planned(monkeypatch):
    monkeypatch.setattr(compiled, "ROOM", 8)
    encoding = GameLayers(LEVEL.moves, 0)
    counts = count(encoding, Depths(LEVEL, (LEVEL.start,), 0), Watch()).counts
    held = sum(each.nbytes for each in encoding.positions.store.arrays)
    assert held < encoded.needs(LEVEL, (LEVEL.start,), None).memory(counts) < 2 * held


def test_what_cannot_be_said_is_refused():
    class Numbers(Encoding):
        enter = following = size = pieces = leave = lambda self, *_: []

    own = Custom(lambda number: [], 1, 2, encoding=lambda puzzle: Numbers())
    with pytest.raises(UnsupportedError, match="does not say how much memory"):
        encoded.needs(own, (1,), None)
    with pytest.raises(UnsupportedError, match="workers cannot build it"):
        plan(pancakes(6), cluster=Cluster(2))
    with pytest.raises(UnsupportedError, match="need back="):
        plan(Custom(lambda number: [number // 2], 9, 0), origin="goal")
    assert plan(pancakes(6), origin="goal").origin == "goal"
    assert plan(Custom(lambda number: [number // 2], 9, 0)).engine == "plain"


def test_the_command_plans_a_level(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(TEXT)
    code, shown = run_json("plan", str(path))
    assert (code, shown["metric"], shown["positions"]) == (0, "input", {"least": 325, "most": 325})
    assert "325: all layers were counted to plan" in run("plan", str(path))[1]
    code, _, err = run("plan", str(path), "--workers", "2")
    assert (code, "--workers" in err) == (31, True)
