"""What is left out of positions: it never occurs or never changes, and no answer depends on it."""

from dataclasses import replace
from functools import reduce
from operator import or_
from random import Random

import numpy as np
import pytest

from drawn_levels import MANY, drawn_level, surveyed
from pushing import game
from puzzlespace import solve
from puzzlespace.games import compiled
from puzzlespace.games.compiled import PackedPositions
from puzzlespace.games.game import ANY
from puzzlespace.games.layers import GameLayers
from puzzlespace.games.level import GameLevel
from puzzlespace.games.moves import GamePosition, LevelMoves
from puzzlespace.games.possible import possible
from puzzlespace.games.reading import read_game
from puzzlespace.games.survey import survey
from puzzlespace.games.tables import in_words
from puzzlespace.limits.watch import Watch
from recorded_games import cases

SEEDS = [*range(8), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(8, 200))]

PUSHING = "[ > Player | Crate ] -> [ > Player | > Crate ]"


def level(**change):
    return GameLevel.of(read_game(game(**change)), 1, "game")


def levels(seed, count=3):
    """Random levels with a few hundred positions at most."""
    draw, found = Random(seed), []
    while len(found) < count:
        drawn = drawn_level(draw)
        found += [drawn] if drawn is not None else []
    return found


def varying(drawn):
    """The objects that may change in each cell of a level."""
    return PackedPositions(drawn.moves, [drawn.start], []).changing


def everything(monkeypatch):
    """Leave nothing out of positions, and no line out of the scans."""

    def whole(store, _):
        every = (1 << len(store.moves.game.object_names)) - 1
        objects = in_words([every] * len(store.board.cells), store.words).reshape(-1)
        return objects, objects, np.full(store.size, ~np.uint64(0)), np.zeros((2, store.words, 2), np.uint64)

    monkeypatch.setattr(
        compiled, "possible", lambda game, _: ((1 << len(game.object_names)) - 1, (1 << 5 * len(game.layers)) - 1)
    )
    monkeypatch.setattr(PackedPositions, "_facts", whole)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_left_out_never_occurs_or_never_changes(seed):
    for drawn in levels(seed):
        objects, masks = possible(drawn.game, [drawn.board.cells, drawn.start.cells])[0], varying(drawn)
        found = survey(drawn, Watch(), 1 << 40)
        for place in found.places.places:
            for cell, was, mask in zip(place.cells, drawn.start.cells, masks, strict=True):
                assert cell & ~objects == 0
                assert (cell ^ was) & ~mask == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_no_answer_depends_on_what_is_left_out(seed, monkeypatch):
    drawn = levels(seed)
    fast = [replace(each, encoding=lambda level: GameLayers(level.moves, 0)) for each in drawn]

    def answers():
        counted = [solve(each, count=True) for each in fast]
        return [surveyed(each, 0) for each in drawn], [(each.moves, each.solutions, each.path) for each in counted]

    reduced = answers()
    everything(monkeypatch)
    assert answers() == reduced


def test_rules_that_can_match_add_nothing_that_cannot_occur():
    for case in cases("handed")[4::16]:
        found = read_game(case["source"])
        board = found.levels[case["level"]]
        objects, moves = possible(found, [getattr(board, "cells", found.boards[0].cells)])
        for program, some in ((found.program, moves), (found.late, 0)):
            for rule in (rule for group in program.groups for rule in group):
                cells = [cell for bracket in rule.brackets for part in bracket for cell in part]
                needed = all(mask & objects for cell in cells for mask in cell.some)
                if needed and not rule.need & ~objects and not rule.moving & ~some:
                    assert all(not each.change.set & ~objects for each in cells if each.change)
                    assert all(not each.change.moved & ~moves for each in cells if each.change)


def test_walls_stand_unless_a_rule_may_change_them():
    def changes(**change):
        drawn = level(**change)
        wall = drawn.game.names.mask("wall")
        return any(mask & wall for mask in varying(drawn))

    assert not changes()
    for rule in (
        "[ > Player | Wall ] -> [ > Player | > Wall ]",
        "[ > Player | Wall ] -> [ > Player | ]",
        "[ > Player | Crate ] -> [ > Player | Wall ]",
        "[ > Player | Solid ] -> [ > Player | > Solid ]",
    ):
        assert changes(rules=rule, levels="p..\n..#\n.*.\n.o.")
    for rule in ("[ > Player | Wall ] -> [ Player | Wall ]", f"{PUSHING}\n[ > Crate | no Wall ] -> [ Crate | Crate ]"):
        assert not changes(rules=rule)


def test_a_cell_has_bits_for_what_may_be_there_only():
    rooms = level(levels="#######\n#p.#*.#\n#######")
    player = rooms.game.names.mask("player")
    assert [mask for mask in varying(rooms) if mask] == [player, player]


def test_a_cell_has_the_number_of_the_object_of_each_layer():
    """Three objects and none are four cases, two bits; in a layer that has two objects in a cell, each has a bit."""
    rules = "[ Wall ] -> [ Target ]", "[ > Player | Crate ] -> [ Wall | Player ]", "[ Player ] -> [ Player Target ]"
    three = level(rules="\n".join(rules), levels="p*.o\n.#..")
    store = PackedPositions(three.moves, [three.start], [])
    layers = [part for part in store.parts if part.bit_count() > 1]
    assert len(layers) == 1
    assert store.form[2][-1] == sum(
        (mask & layers[0]).bit_count().bit_length() + (mask & ~layers[0]).bit_count() for mask in store.masks.tolist()
    )
    names = three.game.names
    both = list(three.start.cells)
    both[0] |= names.mask("crate")
    crowded = replace(three, start=GamePosition(tuple(both)))
    store = PackedPositions(crowded.moves, [crowded.start], [])
    assert all(part.bit_count() == 1 for part in store.parts if part & layers[0])
    assert store.form[2][-1] == sum(mask.bit_count() for mask in store.masks.tolist())
    assert surveyed(crowded, 0) == surveyed(crowded, MANY)


def test_a_key_takes_at_most_a_word_more_than_the_objects_of_the_changing_layers():
    seen = 0
    for case in cases("handed")[::8]:
        found = read_game(case["source"])
        moves = LevelMoves(found, found.boards[0])
        store = PackedPositions(moves, [GamePosition(moves.board.cells)], [])
        mask = reduce(or_, store.changing, 0)
        needed = len(moves.board.cells) * sum(each.bit_count() for each in found.layers if each & mask)
        assert 64 * store.keys.shape[1] <= needed + 64
        seen += 1
    assert seen > 20


def test_movements_of_a_layer_where_nothing_moves_are_no_movements():
    drawn = level()
    moves = possible(drawn.game, [drawn.board.cells])[1]
    assert [layer for layer in range(len(drawn.game.layers)) if moves >> 5 * layer & ANY] == [2]
