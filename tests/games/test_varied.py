"""Levels to order: positions at a depth, and variations of a level."""

from random import Random

import pytest

from pushing import game
from puzzlespace import generate, solve
from puzzlespace.api.game_levels import generate_levels
from puzzlespace.errors import InputError, UnsupportedError
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game
from puzzlespace.games.varied import Variations, shortest
from puzzlespace.limits.watch import Limits, Watch


def level(number=1, **change):
    return GameLevel.of(read_game(game(**change)), number, "game")


@pytest.mark.parametrize("origin", ["goal", "start"])
def test_positions_have_the_depth_that_is_asked_for(origin):
    made = generate_levels(level(), (2, 4), 5, seed=3, origin=origin)
    assert len({each.start for each in made.levels}) == 5
    for found, depth, letters in zip(made.levels, made.depths, made.letters, strict=True):
        assert 2 <= depth <= 4
        assert len(letters) == depth
        if origin == "goal":
            assert solve(found, engine="plain").moves == depth
            assert found.typed(letters).won
        else:
            assert level().typed(letters) == found.start
    assert made.short == ""


def test_all_positions_of_a_depth_are_drawn():
    made = generate_levels(level(), 3, 1000, seed=1)
    assert len(made.levels) == made.counts[3]
    assert made.short == f"there are only {made.counts[3]} positions at these depths"


@pytest.mark.parametrize("seed", range(3))
def test_variations_need_what_they_say(seed):
    made = generate_levels(level(), (3, 99), 4, seed=seed, vary="P*o", tries=40)
    assert list(made.depths) == sorted(made.depths, reverse=True)
    assert made.drawn <= 40
    names = level().game.names
    for found, depth, letters in zip(made.levels, made.depths, made.letters, strict=True):
        assert solve(found, engine="plain").moves == depth >= 3
        assert found.typed(letters).won
        for mask in map(names.mask, ("player", "crate", "target", "wall")):
            there, here = (sum(cell & mask > 0 for cell in each.board.cells) for each in (found, level()))
            assert there == here


def test_the_same_seed_gives_the_same_variations():
    one, other = (generate_levels(level(), (1, 99), 3, seed=5, vary="P", tries=12) for _ in range(2))
    assert [each.board for each in one.levels] == [each.board for each in other.levels]
    assert one.letters == other.letters


def test_objects_lie_only_in_free_cells():
    search = Variations(level(), "p", 0, 99, 1, Random(1), Watch())
    targets, walls = (level().game.names.mask(each) for each in ("target", "wall"))
    assert not any(search.bare[at] & (targets | walls) for at in search.free)


@pytest.mark.parametrize("number", [1, 2])
def test_the_shortest_solution_of_a_variation(number):
    found = level(number)
    assert shortest(found, Watch()) == found.letters(solve(found).path)
    assert shortest(level(3), Watch()) is None


def test_a_limit_leaves_what_was_found():
    made = generate_levels(level(), (1, 99), 3, seed=1, vary="p*", tries=1000, limits=Limits(positions=1000))
    assert made.stopped.kind == "positions"
    assert 0 < made.drawn < 1000
    assert made.levels
    assert generate_levels(level(), 2, limits=Limits(positions=5)).stopped.kind == "positions"


@pytest.mark.parametrize(
    ("words", "problem"),
    [({"vary": "X"}, "letters of the legend"), ({"vary": "."}, "objects that the level has"),
     ({"vary": "q"}, "objects that the level has"), ({"vary": "p", "origin": "start"}, "from the start"),
     ({"depth": (4, 2)}, "in order"), ({"tries": 0}, "tries"), ({"origin": "there"}, "origin")],
)  # fmt: skip
def test_orders_that_cannot_be_made(words, problem):
    with pytest.raises(InputError, match=problem):
        generate_levels(level(), **{"depth": 3, **words})


def test_other_functions_name_the_one_for_levels(tmp_path):
    path = tmp_path / "game.ps"
    path.write_text(game())
    assert generate_levels(f"{path}#1", 2, seed=1).depths
    with pytest.raises(UnsupportedError, match="generate_levels"):
        generate(f"{path}#1", 2)
    with pytest.raises(InputError, match="such as"):
        generate_levels("eight", 2)
