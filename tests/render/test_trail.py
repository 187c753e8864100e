"""Arrows and crosses: where a piece came from, by which way, and what it took."""

import re
from itertools import pairwise

from drawn import SVG, after, blocks, frames, hexagram, parsed, pegs, tiles
from puzzlespace import solve
from puzzlespace.api.loader import from_text
from puzzlespace.render import svg
from puzzlespace.render.ways import change


def arrows(puzzle, shown):
    root = parsed(svg.solution_svg(puzzle, shown, "t"))
    return [path.get("d") for path in root.iter(SVG + "path") if path.get("stroke-linecap") == "round"]


def test_the_way_of_a_slide_is_an_arrow_where_it_is_straight():
    assert len(arrows(tiles(), frames(tiles(), 3))) == 3
    assert len(arrows(hexagram(), frames(hexagram(), 2))) == 2
    block = blocks("AA../....")
    assert len(arrows(block, after(block, ".AA.....", [1, 2]))) == 1
    assert len(arrows(block, after(block, "....AA..", [4, 5]))) == 1


def test_the_way_of_a_slide_bends_where_the_piece_turned():
    block = blocks("AA../....")
    (path,) = arrows(block, after(block, ".....AA.", [5, 6]))
    assert len(re.findall(r"[ML]", path)) == 6
    assert len(set(re.findall(r"[-\d.]+,[-\d.]+", path))) == 5


def corners(path):
    """The corners of an arrow, without its head."""
    *line, end = (tuple(map(float, pair.split(","))) for pair in re.findall(r"[-\d.]+,[-\d.]+", path.split("M")[1]))
    return [*line, end]


def test_the_arrow_of_an_angle_is_square_to_its_side():
    angle = blocks("AA../A..B")
    (path,) = arrows(angle, after(angle, ".AA..A.B", [1, 2, 5]))
    (x1, y1), (x2, y2) = corners(path)[:2]
    assert y1 == y2
    assert x1 < x2


def test_an_arrow_that_bends_stays_outside_of_its_block():
    square = blocks("..../.AA./.AA.")
    (path,) = arrows(square, after(square, "AA..AA......", [0, 1, 4, 5]))
    (x0, y0), (x1, y1), (x2, y2) = corners(path)[:3]
    assert x0 == x1 > x2
    assert y0 > y1 == y2
    assert x1 - x2 < 0.6 * (y0 - y1)


def test_several_pieces_moved_at_once_have_an_arrow_each():
    line = tiles("1 2 .")
    assert len(arrows(line, after(line, [".", "1", "2"], [1, 2]))) == 2


def test_arrows_point_from_the_cell_left_to_the_piece():
    (path,) = arrows(tiles("1 ."), after(tiles("1 ."), [".", "1"], [1]))
    (x1, y1), (x2, y2) = (tuple(map(float, pair.split(","))) for pair in re.findall(r"[-\d.]+,[-\d.]+", path)[:2])
    assert x1 < x2
    assert y1 == y2


def test_jumps_leave_an_arrow_and_a_cross_where_the_peg_was_taken():
    root = parsed(svg.solution_svg(pegs(), frames(pegs(), 1), "t"))
    crosses = [path.get("d") for path in root.iter(SVG + "path") if path.get("d").count("M") == 2]
    assert len(crosses) == 2
    assert len(arrows(pegs(), frames(pegs(), 1))) == 1


def test_a_player_walks_around_the_box_that_it_pushes():
    """No stop of the player but the last ones, from which it pushes, is in a cell that the box covered before."""
    for start, goal, walk in (
        (". . . . / @ $ . . / . . . .", "* * * * / $ * * * / * * * *", 6),
        ("@ A . / . A . / . . .", "A * * / A * * / * * *", 7),
    ):
        puzzle = from_text(
            f"rule: push\nblocks: {'A' if 'A' in start else '$'}\nstart: {start}\ngoal: {goal}\n", "x.pzl"
        )
        answer = solve(puzzle)
        shown = puzzle.frames(answer.path, puzzle.model())
        for before, now in pairwise(shown):
            covered = {cell for cell, word in enumerate(before.words) if word not in ".@"}
            (player,) = [way.route for way in change(puzzle, before, now).ways if way.words[0] == "@"]
            assert covered.isdisjoint(player[:-1])
            assert all((a, b) in puzzle.board.directions for a, b in pairwise(player))
            assert len(player) == walk
        assert len(shown) == 2
