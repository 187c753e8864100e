"""Cubes drawn from two corners: every sticker is seen once, and those of a corner of the cube meet."""

import re
from itertools import combinations

import pytest

from commands import run
from puzzlespace import load
from puzzlespace.puzzle.letters import Frame
from puzzlespace.render import cubes
from puzzlespace.render.looks import paints
from puzzlespace.render.sheet import Sheet

CORNERS = ["U9 F3 R1", "U7 L3 F1", "U3 R3 B1", "D3 R7 F9", "D7 B9 L7", "D1 F7 L9", "D9 B7 R9"]


def shape(path):
    """The corners of the first path element in a text, in hundredths of a cell."""
    return {
        tuple(round(100 * float(each)) for each in pair.split(",")) for pair in re.findall(r"[-\d.]+,[-\d.]+", path)
    }


@pytest.mark.parametrize("size", [2, 3])
def test_every_sticker_is_seen_once(size):
    puzzle = load(f"cube:{size}")
    frame = Frame(puzzle.anchor, puzzle.shown(puzzle.anchor))
    elements = cubes.views(Sheet(puzzle, paints(puzzle, frame.words), (0.0, 0.0), 1.0), frame)
    assert len(elements) == 2 * 6 * size * size  # the body and the sticker of each
    assert len({each for each in elements if cubes.BODY in each}) == 6 * size * size
    wide, high = cubes.need_cube(puzzle).extent
    for x, y in set().union(*map(shape, elements)):
        assert -1 <= x <= 100 * wide + 1
        assert -1 <= y <= 100 * high + 1


def test_the_stickers_of_a_corner_meet():
    puzzle = load("cube:3")
    cube = cubes.need_cube(puzzle)
    sheet = Sheet(puzzle, {}, (0.0, 0.0), 1.0)
    square = {
        (name, side): shape(cubes._square(sheet, cube, cube.facets[cell], side, 1.0))
        for cell, name in enumerate(puzzle.board.names)
        for side in (1, -1)
    }
    for corner in CORNERS:
        for one, other in combinations(corner.split(), 2):
            side = 1 if {one[0], other[0]} <= set("UFR") else -1 if {one[0], other[0]} <= set("DLB") else 0
            if side:
                assert len(square[one, side] & square[other, side]) == 2, (one, other)  # they share an edge


def test_other_puzzles_and_animations_are_refused(tmp_path):
    code, _, err = run("show", "goat", "--svg", str(tmp_path / "goat.svg"), "--solid")
    assert (code, "expected a cube drawn as a net" in err) == (31, True)
    code, _, err = run("solve", "cube:2", "--start", "R", "--gif", str(tmp_path / "cube.gif"), "--solid")
    assert (code, "animations show the net" in err) == (31, True)
    assert not list(tmp_path.iterdir())


def test_solutions_and_sheets_show_cubes(tmp_path):
    flat, solid = tmp_path / "flat.svg", tmp_path / "solid.svg"
    assert run("solve", "cube:2", "--start", "R U", "--svg", str(flat), "-q")[0] == 0
    assert run("solve", "cube:2", "--start", "R U", "--svg", str(solid), "--solid", "-q")[0] == 0
    assert cubes.BODY not in flat.read_text()
    assert solid.read_text().count(cubes.BODY) == 2 * 3 * 24  # fill and line of each body, three boards
