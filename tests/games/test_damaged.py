"""Damaged games: only errors with their place escape."""

import random
import re

import pytest

from pushing import game
from puzzlespace.errors import PuzzlespaceError
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game

WORDS = re.findall(
    r"\S+", "[ ] | -> ... no > late + or and = ( ) Crate Solid @ message startloop rigid moving again # \0 é"
)
RULES = """[ > Player | Crate ] -> [ > Player | > Crate ]
late [ Crate Target | ... | Wall ] -> [ Crate | ... | Wall ] again"""


def damaged(text, draw):
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(text))
        text = draw.choice([
            text[:at] + f" {draw.choice(WORDS)} " + text[at:], text[:at] + text[at + draw.randint(1, 12) :],
            text[:at] + text[at:].partition("\n")[2],
        ]) or "x"  # fmt: skip
    return text


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 30))])
def test_damaged_games(seed):
    draw = random.Random(seed)
    errors = 0
    for _ in range(60):
        try:
            level = GameLevel.of(read_game(damaged(game(rules=RULES), draw)), 1, "game")
            level.moves(level.start)
        except PuzzlespaceError:
            errors += 1
    assert 0 < errors < 60


@pytest.mark.parametrize(
    "damage", [("Wall #", "Wall ... #"), ("LEGEND\n", "LEGEND\n... = Wall\n... = Wall or Crate\n")]
)
def test_an_ellipsis_is_no_name(damage):
    whole = game(rules=RULES)
    assert damage[0] in whole
    found = read_game(whole.replace(*damage))
    rules, expected = (
        [list(map(len, program.groups)) for program in (each.program, each.late)] for each in (found, read_game(whole))
    )
    assert rules == expected
    assert any("means any distance in rules" in each.text for each in found.diagnostics)
