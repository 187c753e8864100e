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
from puzzlespace.games.positions import NONE, Positions
from puzzlespace.games.possible import ObjectBits, moving_layers, object_bits, possible, runs
from puzzlespace.games.reading import read_game
from puzzlespace.games.survey import known, survey
from puzzlespace.limits.watch import Limits, Watch, watched
from random_games import HEAD, random_game
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
    """Positions of a play at which the two turns differ; None if the game is endless or takes long."""
    try:
        with watched(Limits(seconds=20)):
            found = read_game(source)
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


def teeming(source, draw):
    """A game with eighty more objects that occur, in twenty layers, and rules with some; None on tiny boards."""
    before, levels = source.split("LEVELS\n")
    rows = [list(row) for row in levels.split("\n\n")[0].split()]
    free = [(y, x) for y, row in enumerate(rows) for x, _ in enumerate(row)]
    players = [(y, x) for y, x in free if rows[y][x] == "p"]
    if len(free) < 5:
        return None
    layers = [[f"Extra{layer}x{kind}" for kind in range(4)] for layer in range(20)]
    names = [name for layer in layers for name in layer]
    for kind, (y, x) in enumerate(draw.sample([each for each in free if each != players[0]], 4)):
        rows[y][x] = "0123"[kind]
    head, rules = before.split("RULES\n")
    rules, wins = rules.split("WINCONDITIONS\n")
    own = ("Player", "Crate", "Rock", "Dot", "Mark", "Gem", "Wall")
    words = [draw.choice(names) if word in own and draw.random() < 0.3 else word for word in rules.split(" ")]
    head = head.replace("LEGEND\n", "".join(f"{name}\nred\n\n" for name in names) + "LEGEND\n" + "".join(
        f"{kind} = {' and '.join(layer[kind] for layer in layers)}\n" for kind in range(4)
    ))  # fmt: skip
    head += "\n".join(", ".join(layer) for layer in layers) + "\n\n"
    boards = "\n".join("".join(row) for row in rows)
    return f"{head}RULES\n{' '.join(words)}WINCONDITIONS\n{wins}LEVELS\n{boards}\n"


@pytest.mark.parametrize("seed", SEEDS)
def test_random_games_whose_cells_are_several_words(seed):
    draw, compared = Random(seed), []
    while len(compared) < 3:
        source = teeming(random_game(draw), draw)
        found = source and wrong(source, [draw.randrange(len(INPUTS)) for _ in range(3)])
        if found is not None:
            compared.append(found)
            game = read_game(source)
            objects, moves = possible(game, [game.boards[0].cells])
            assert object_bits(game, objects).objects.bit_count() > 64 or len(moving_layers(game, moves)) > 12
    assert compared == [[], [], []]


CHECKPOINTS = ["[ Player Dot ] -> checkpoint", "late [ Player | Crate ] -> checkpoint again",
               "[ > Player | Gem ] -> [ Player | ] checkpoint again", "[ Mark ] -> checkpoint",
               "[ action Player ] -> restart checkpoint", "[ > Player ] -> checkpoint"]  # fmt: skip
RESTARTS = ["[ > Player | Wall ] -> restart", "late [ Mark | Crate ] -> restart", "[ Player Dot ] -> restart",
            "[ action Player ] -> restart again", "[ left Player ] -> restart",
            "[ Rock | Player ] -> [ Player | ] restart"]  # fmt: skip


def resuming(source, draw):
    """A game with rules for checkpoints and restarts."""
    head, rules = source.split("RULES\n")
    more = draw.sample(CHECKPOINTS, 2) + draw.sample(RESTARTS, draw.randint(1, 2))
    draw.shuffle(more)
    if draw.random() < 0.4:
        head = head.replace("\n", "\nrun_rules_on_level_start\n", 1)
    at = 0 if draw.random() < 0.5 else rules.index("WINCONDITIONS")
    return f"{head}RULES\n{rules[:at]}\n" + "\n".join(more) + f"\n\n{rules[at:]}"


@pytest.mark.parametrize("seed", SEEDS)
def test_random_games_with_checkpoints_and_restarts(seed):
    draw, compared = Random(seed), []
    while len(compared) < 6:
        found = wrong(resuming(random_game(draw), draw), [draw.randrange(len(INPUTS)) for _ in range(6)])
        if found is not None:
            compared.append(found)
    assert compared == [[]] * 6


def test_a_checkpoint_in_a_turn_that_would_follow_a_restart_does_not_count():
    rules = """[ Mark Dot ] -> checkpoint
[ Dot no Mark ] -> [ Dot Mark ] again
[ left Player ] -> restart
[ action Player ] -> [ Player Dot ] checkpoint"""
    source = HEAD.format(prelude="run_rules_on_level_start", rules=rules, wins="", levels="p..")
    assert wrong(source, [4, 1]) == []
    found = read_game(source)
    first, second = walked(LevelMoves(found, found.boards[0]), [4, 1])[1:]
    assert first.cells == first.restart == second.restart != second.cells


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
