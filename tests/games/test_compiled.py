"""The compiled turn against the plain one: recorded plays, random games, whole levels."""

from dataclasses import replace
from random import Random

import pytest

from drawn_levels import MANY, drawn_level, surveyed
from pushing import game
from puzzlespace import depths, solve
from puzzlespace.errors import EndlessError, FormatError, LimitError
from puzzlespace.games import compiled
from puzzlespace.games.game import INPUTS, LETTERS
from puzzlespace.games.layers import GameLayers
from puzzlespace.games.level import GameLevel
from puzzlespace.games.moves import LevelMoves
from puzzlespace.games.positions import NONE, Positions, is_small
from puzzlespace.games.possible import ObjectBits, runs
from puzzlespace.games.reading import read_game
from puzzlespace.games.survey import known, survey
from puzzlespace.limits.watch import Limits, Watch, watched
from random_games import random_game
from recorded_games import cases, quick


def compiled_after(moves, positions):
    """The positions one move after each of some, by the compiled turn."""
    found = []
    for each in positions:
        places = Positions(moves, [each], 0)
        places.extend(0, 1, Watch())
        assert places.store is not None
        found.append(places.listed([there for there in places.links_of(0) if there != NONE]))
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
            if not is_small(found, found.boards[number]):
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


def crowded(source, draw):
    """A game with a hundred more objects before and between its own, in layers and named by rules that never match."""
    head, _, rest = source.partition("OBJECTS\n")
    more = [f"Extra{number}" for number in range(100)]
    declared = "".join(f"{name}\nred\n\n" for name in more)
    rest, _, layers = rest.partition("COLLISIONLAYERS\n")
    names, _, rules = layers.partition("RULES\n")
    rows = [row for row in names.split("\n") if row]
    for name in more:
        at = draw.randrange(len(rows))
        rows[at] = f"{name}, {rows[at]}" if draw.random() < 0.5 else f"{rows[at]}, {name}"
    never = f"[ {more[0]} | Player ] -> [ Player | {more[1]} ]\n"
    return f"{head}OBJECTS\n{declared}{rest}COLLISIONLAYERS\n" + "\n".join(rows) + f"\n\nRULES\n{never}{rules}"


@pytest.mark.parametrize("seed", SEEDS)
def test_random_games_with_objects_that_never_occur(seed):
    draw, compared = Random(seed), []
    while len(compared) < 3:
        found = wrong(crowded(random_game(draw), draw), [draw.randrange(len(INPUTS)) for _ in range(4)])
        if found is not None:
            compared.append(found)
    assert compared == [[], [], []]


def stretched(source, wide):
    """A game with its first level repeated, to more columns or rows than a word has bits."""
    head, _, levels = source.partition("LEVELS\n")
    rows = levels.split("\n\n")[0].split()
    rows = [(row * 70)[:67] for row in rows] if wide else (rows * 70)[:67]
    return f"{head}LEVELS\n" + "\n".join(rows) + "\n"


@pytest.mark.parametrize("seed", SEEDS)
def test_random_games_on_long_boards(seed):
    draw = Random(seed)
    compared = [wrong(stretched(random_game(draw), wide), [draw.randrange(4)]) for wide in (True, False, True)]
    assert [each for each in compared if each] == []


@pytest.mark.parametrize("part", range(20))
@pytest.mark.long
def test_recorded_plays(part):
    plays = [case for case in cases("handed")[part::20] if quick(case)]
    assert len([case for case in plays if wrong(case["source"], case["inputs"][:12])]) == 0
    assert plays


def test_whole_levels_agree_with_the_plain_search():
    plain = GameLevel.of(read_game(game()), 1, "game")
    fast = replace(plain, encoding=lambda level: GameLayers(level.moves, 0))
    assert depths(fast).counts == depths(plain, engine="plain").counts
    assert depths(fast).hardest == depths(plain, engine="plain").hardest
    answer = solve(fast, count=True)
    assert (answer.engine, answer.moves, answer.solutions) == ("encoded", 2, 1)
    assert answer.path == solve(plain, engine="plain").path


@pytest.mark.parametrize("seed", SEEDS)
def test_the_survey_of_drawn_levels(seed):
    draw, levels = Random(seed), []
    while len(levels) < 3:
        level = drawn_level(draw)
        if level is None:
            continue
        levels.append(level)
        plain = surveyed(level, MANY)
        assert surveyed(level, 0) == plain
        assert surveyed(level, 5) == plain
        for way in plain.traps:
            assert level.typed(way.letters) == way.position
        asked = [level, *(known(level, survey(level, Watch(), few)) for few in (0, 5, MANY))]
        answers = [solve(each, engine="encoded", count=True) for each in asked]
        assert len({(each.status, each.moves, each.solutions, each.path) for each in answers}) == 1


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_survey_of_the_levels_of_a_game(number):
    level = GameLevel.of(read_game(game()), number, "game")
    plain = surveyed(level, MANY)
    assert surveyed(level, 0) == plain
    assert plain.dead or number == 2


def test_a_survey_has_room_for_more_and_more_positions(monkeypatch):
    monkeypatch.setattr(compiled, "ROOM", 8)
    level = GameLevel.of(read_game(game(levels="#######\n#p..*.#\n#..o..#\n#.*o..#\n#######")), 1, "game")
    found = surveyed(level, 0)
    assert found == surveyed(level, MANY)
    assert sum(found.counts) == 325


def test_bits_of_objects_that_occur():
    numbers = ObjectBits(0b1101 << 70 | 0b10)
    assert [numbers.narrow(1 << bit) for bit in (0, 1, 70, 71, 72, 73, 99)] == [0, 1, 2, 0, 4, 8, 0]
    assert all(numbers.narrow(numbers.wide(mask)) == mask for mask in range(16))


def test_runs_of_bits():
    assert runs(0) == []
    assert [tuple(map(int, each)) for each in runs(0b1101110)] == [(1, 0, 7), (5, 3, 3)]
