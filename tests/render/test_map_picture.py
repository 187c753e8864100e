"""Maps of all positions: what each position means, and how it is drawn."""

from random import Random

import pytest

from drawn import SVG, parsed
from pushing import game
from puzzlespace import load
from puzzlespace.errors import UnsupportedError
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game
from puzzlespace.games.survey import survey
from puzzlespace.graph import explore
from puzzlespace.graph.kinds import DEAD, OPEN, STUCK, WON, joined, kinds
from puzzlespace.limits.watch import Watch
from puzzlespace.render import game_pictures, map_picture


def reached(links, place):
    """All positions that can be reached from one."""
    seen = [place]
    for each in seen:
        seen += [there for there in links[each] if there >= 0 and there not in seen]
    return set(seen)


@pytest.mark.parametrize("seed", range(40))
def test_kinds_of_drawn_graphs(seed):
    draw = Random(seed)
    size, moves = draw.randint(1, 12), draw.randint(1, 3)
    links = [[draw.choice((-1, draw.randrange(size))) for _ in range(moves)] for _ in range(size)]
    goals = [each for each in range(size) if draw.random() < 0.2]
    graph = joined(links, [size])
    assert [sorted({each for each in row if each >= 0}) for row in links] == [
        graph.targets[graph.starts[each] : graph.starts[each + 1]].tolist() for each in range(size)
    ]
    dead = [reached(links, each).isdisjoint(goals) for each in range(size)]
    after = {there for here, row in enumerate(links) if not dead[here] for there in row if there >= 0 and dead[there]}
    assert kinds(graph, goals).tolist() == [
        WON if each in goals else STUCK if each in after else DEAD if dead[each] else OPEN for each in range(size)
    ]


def level(**change):
    return GameLevel.of(read_game(game(**change)), 1, "game")


def words_of(root):
    return ["".join(each.itertext()) for each in root.iter(SVG + "text")]


@pytest.mark.parametrize("few", [0, 1 << 40])
def test_the_map_of_a_level_shows_where_a_player_gets_stuck(few):
    shown = level()
    found = survey(shown, Watch(), few)
    words = words_of(parsed(game_pictures.map_svg(shown, found)))
    assert f"{found.wins}: goal" in words
    assert f"{found.dead - len(found.traps)}: no goal can be reached" in words
    assert f"{len(found.traps)}: here a player gets stuck" in words
    assert words[-1] == f"1 after {found.traps[0].letters}"


def test_a_map_of_one_position():
    shown = level(levels="###\n#p#\n###\n#*#")
    words = words_of(parsed(game_pictures.map_svg(shown, survey(shown, Watch()))))
    assert words == ["Two crates, level 1 of 1: 1 position, 0 ways to get stuck", "0"]


@pytest.mark.parametrize("origin", ["goal", "start"])
def test_the_map_of_a_puzzle(origin):
    puzzle = load("wolf")
    graph = explore(puzzle)
    root = parsed(map_picture.puzzle_svg(puzzle, graph, "step", origin))
    assert words_of(root)[1:] == ["9: the goal can be reached", "1: goal", *map(str, range(8))]


def test_a_map_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(map_picture, "MOST", 9)
    puzzle = load("wolf")
    with pytest.raises(UnsupportedError, match="at most 9 positions"):
        map_picture.puzzle_svg(puzzle, explore(puzzle), "step", "goal")
    with pytest.raises(UnsupportedError, match="found more"):
        map_picture.puzzle_svg(puzzle, explore(puzzle, most=9), "step", "goal")
