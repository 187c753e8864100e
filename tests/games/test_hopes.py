"""Positions that are seen to be hopeless: no answer depends on it, and pushing games have many."""

from dataclasses import replace
from random import Random

import pytest

from drawn_levels import MANY, drawn_level, surveyed
from pushing import game
from puzzlespace import solve
from puzzlespace.errors import EndlessError
from puzzlespace.games.layers import GameLayers
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game
from puzzlespace.games.survey import survey
from puzzlespace.limits.watch import Limits, Watch

SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 200))]

PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"
RULES = [
    PUSH,
    f"{PUSH}\n[ > Crate | Crate ] -> [ > Crate | > Crate ]",
    f"{PUSH}\n[ < Player | Crate ] -> [ < Player | < Crate ]",
    f"{PUSH}\nlate [ Crate | Crate | Crate ] -> [ | | ]",
    f"{PUSH}\nlate [ Crate Target ] -> [ Wall Target ]",
    f"{PUSH}\nlate [ Crate | Crate | Crate ] -> [ Crate | Wall | Crate ]",
    "[ > Player | Crate | ] -> [ Player | | Crate ]",
    "[ > Player | Crate | ... | no Solid ] -> [ > Player | | ... | Crate ]",
    "[ > Player | Crate ] [ Target no Solid ] -> [ > Player | ] [ Target Crate ]",
    f"[ > Player | Wall ] [ Crate ] -> [ > Player | Crate ] [ Wall ]\n{PUSH}",
    f"{PUSH}\n[ Crate | no Solid ] [ > Player | Wall ] -> [ | Crate ] [ Player | Wall ]",
    f"{PUSH}\n[ action Player | Wall ] -> [ Player | Crate ]",
    f"{PUSH}\n[ action Player | Crate ] -> [ Crate | Player ]",
    f"{PUSH}\n[ Crate ] -> [ right Crate ] again",
    f"{PUSH}\n[ action Player ] [ Crate | Target ] -> [ Player ] [ Target | Crate ]",
]
WINS = ["all Crate on Target", "all Target on Crate", "some Crate on Target", "no Crate", "no Crate on Target",
        "all Target on Crate\nno Wall on Target", "all Player on Target\nall Crate on Target", "no Target"]  # fmt: skip


def pushed(draw):
    """A small level of a game of pushing; None if it has too many positions, or a turn never ends."""
    height, width = draw.choice([(3, 4), (4, 4), (3, 6)])
    cells = [draw.choice("......##*o@") for _ in range(height * width)]
    cells[draw.randrange(len(cells))] = "p"
    rows = ["".join(cells[at : at + width]) for at in range(0, len(cells), width)]
    found = read_game(game(rules=draw.choice(RULES), wins=draw.choice(WINS), levels="\n".join(rows)))
    try:
        level = GameLevel.of(found, 1, "drawn")
        return level if survey(level, Watch(Limits(positions=800)), MANY).stopped is None else None
    except EndlessError:
        return None


def left_out(level):
    """How many positions are seen to be hopeless in a search of a level, after its answer was compared."""
    layers = GameLayers(level.moves, 0)
    found = solve(replace(level, encoding=lambda _: layers), engine="encoded", count=True)
    plain = solve(level, engine="plain", count=True)
    assert (found.status, found.moves, found.solutions, found.path) == (
        plain.status, plain.moves, plain.solutions, plain.path,
    )  # fmt: skip
    store = layers.positions.store
    return 0 if store is None else store.left_out


@pytest.mark.parametrize("seed", SEEDS)
def test_no_answer_of_a_game_of_pushing_depends_on_hopeless_positions(seed):
    draw, seen = Random(seed), 0
    for _ in range(40):
        level = pushed(draw)
        seen += left_out(level) if level is not None else 0
    assert seen


@pytest.mark.parametrize("seed", SEEDS)
def test_no_answer_of_a_random_game_depends_on_hopeless_positions(seed):
    draw, levels = Random(seed), []
    while len(levels) < 5:
        levels += [level] if (level := drawn_level(draw)) is not None else []
    assert all(left_out(level) >= 0 for level in levels)


@pytest.mark.parametrize("wins", ["all Crate on Target", "all Target on Crate", "some Crate on Target"])
def test_crates_at_a_wall_are_hopeless_if_a_win_needs_them(wins):
    rows = ["#######", "#.....#", "#p*...#", "#...*.#", "#.oo..#", "#.....#", "#######"]
    level = GameLevel.of(read_game(game(wins=wins, levels="\n".join(rows))), 1, "walls")
    assert (left_out(level) > 0) == wins.startswith("all")


def test_all_positions_are_counted_all_the_same():
    level = GameLevel.of(read_game(game()), 1, "game")
    assert surveyed(level, 0) == surveyed(level, MANY)
    assert surveyed(level, 0).dead
