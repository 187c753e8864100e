"""What is left out of positions: it never occurs or never changes, and no answer depends on it."""

from dataclasses import replace
from random import Random

import pytest

from drawn_levels import drawn_level, surveyed
from pushing import game
from puzzlespace import solve
from puzzlespace.games import compiled
from puzzlespace.games.compiled import PackedPositions
from puzzlespace.games.game import ANY
from puzzlespace.games.layers import GameLayers
from puzzlespace.games.level import GameLevel
from puzzlespace.games.moves import GamePosition, LevelMoves
from puzzlespace.games.positions import is_small
from puzzlespace.games.possible import blocked, changing, moving_layers, possible, restricted, standing
from puzzlespace.games.reading import read_game
from puzzlespace.games.survey import survey
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


def reductions(drawn):
    """The objects that may occur in a level, those that may change, and those that stand."""
    boards = [drawn.board.cells, drawn.start.cells]
    objects, moves = possible(drawn.game, boards)
    played = restricted(drawn.game, objects, moves)
    stand = standing(played, moving_layers(drawn.game, moves), boards)
    return objects, changing(played, objects, moves), stand


def everything(monkeypatch):
    """Leave nothing out of positions."""

    def whole(game, *_):
        return (1 << len(game.object_names)) - 1

    monkeypatch.setattr(compiled, "possible", lambda game, boards: (whole(game), (1 << 5 * len(game.layers)) - 1))
    monkeypatch.setattr(compiled, "changing", whole)
    monkeypatch.setattr(compiled, "standing", lambda *_: 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_left_out_never_occurs_or_never_changes(seed):
    for drawn in levels(seed):
        objects, mask, stand = reductions(drawn)
        found = survey(drawn, Watch(), 1 << 40)
        first = drawn.start.cells
        for place in found.places.places:
            for cell, was in zip(place.cells, first, strict=True):
                assert cell & ~objects == 0
                assert (cell ^ was) & (~mask | stand) == 0
                assert not (blocked(drawn.game, was, mask & ~stand, stand) and cell != was)


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


def test_walls_stand_unless_a_rule_may_change_them():
    walls = level().game.names.mask("wall")
    assert reductions(level())[2] & walls
    for rule in (
        "[ > Player | Wall ] -> [ > Player | > Wall ]",
        "[ > Player | Wall ] -> [ > Player | ]",
        "[ > Player | Crate ] -> [ > Player | Wall ]",
        "[ > Player | Solid ] -> [ > Player | > Solid ]",
    ):
        assert not reductions(level(rules=rule))[2] & walls
    for rule in ("[ > Player | Wall ] -> [ Player | Wall ]", f"{PUSHING}\n[ > Crate | no Wall ] -> [ Crate | Crate ]"):
        assert reductions(level(rules=rule))[2] & walls


def test_walls_and_cells_of_walls_take_no_bits(monkeypatch):
    drawn = level()
    moves, places = drawn.moves, [drawn.start]
    free = sum(each not in "#\n" for each in "#######\n#p*.o.#\n#.....#\n#######")
    assert PackedPositions(moves, places, []).form[3].tolist() == [2, 2 * free]
    monkeypatch.setattr(compiled, "standing", lambda *_: 0)
    assert PackedPositions(moves, places, []).form[3].tolist() == [3, 3 * len(drawn.board.cells)]


def test_a_key_takes_at_most_a_word_more_than_the_objects_of_the_changing_layers():
    seen = 0
    for case in cases("handed")[::8]:
        found = read_game(case["source"])
        if not is_small(found, found.boards[0]):
            continue
        moves = LevelMoves(found, found.boards[0])
        objects, movements = possible(found, [moves.board.cells])
        mask = changing(restricted(found, objects, movements), objects, movements)
        needed = len(moves.board.cells) * sum(each.bit_count() for each in found.layers if each & mask)
        key = 64 * PackedPositions(moves, [GamePosition(moves.board.cells)], []).keys.shape[1]
        assert key <= needed + 64
        seen += 1
    assert seen > 20


def test_movements_of_a_layer_where_nothing_moves_are_no_movements():
    drawn = level()
    moves = possible(drawn.game, [drawn.board.cells])[1]
    assert [layer for layer in range(len(drawn.game.layers)) if moves >> 5 * layer & ANY] == [2]
