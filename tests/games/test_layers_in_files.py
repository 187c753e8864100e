"""Levels whose positions do not fit the memory: counted on the disk, and what is then not known."""

from dataclasses import replace
from random import Random
from unittest import mock

import pytest

from drawn_levels import drawn_level
from pushing import game
from puzzlespace import depths
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import encoded, plain
from puzzlespace.errors import LimitError
from puzzlespace.games import compiled
from puzzlespace.games import layers as game_layers
from puzzlespace.games.layers import GameLayers
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game
from puzzlespace.games.survey import survey
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Watch
from puzzlespace.search.disk_layers import SPILL_FROM, OnDisk
from puzzlespace.search.merge import LEAST_AT_ONCE
from puzzlespace.search.runs import RUN_BLOCK

LEVEL = GameLevel.of(read_game(game(levels="#######\n#p..*.#\n#..o..#\n#.*o..#\n#######")), 1, "game")
move = OnDisk.move


def refused(monkeypatch, most):
    """Make arrays of more than so many bytes too large."""
    reserve = Watch.reserve

    def reserved(watch, wanted, bound=0):
        if wanted > most:
            raise LimitError("memory", "as if it were too small", bound)
        reserve(watch, wanted, bound)

    monkeypatch.setattr(Watch, "reserve", reserved)


@pytest.mark.parametrize("most", [800, 1_500, 3_000])
def test_a_level_larger_than_the_memory_is_counted_on_the_disk(most, monkeypatch):
    expected = depths(LEVEL, engine="plain", keep=10)
    monkeypatch.setattr(compiled, "ROOM", 8)
    monkeypatch.setattr(game_layers, "AT_ONCE", 5)
    refused(monkeypatch, most)
    fast = replace(LEVEL, encoding=lambda level: GameLayers(level.moves, 0))
    with mock.patch.object(OnDisk, "move", side_effect=move, autospec=True) as moved:
        found = encoded.depths(Depths(fast, (fast.start,), 10), Watch())
        whole = survey(LEVEL, Watch(), 0)
    assert moved.call_count == 2
    assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.hardest, True)
    assert whole.counts == expected.counts
    assert whole.stopped.kind == "memory"
    assert "dead ones are not known" in str(whole.stopped)


@pytest.mark.parametrize("seed", range(4))
def test_drawn_levels_on_the_disk_from_any_layer_on(seed, monkeypatch):
    monkeypatch.setattr(game_layers, "AT_ONCE", 7)
    draw, levels = Random(seed), 0
    while levels < 3:
        level = drawn_level(draw)
        if level is None:
            continue
        question = Depths(replace(level, encoding=lambda level: GameLayers(level.moves, 0)), (level.start,), 5)
        expected = plain.depths(question, Watch())
        for spill in (1, 10):
            watch = Watch(thresholds=Thresholds({SPILL_FROM: spill, LEAST_AT_ONCE: 4, RUN_BLOCK: 2}))
            found = encoded.depths(question, watch)
            assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.deepest, True)
        levels += max(expected.counts) > 10
