"""The example puzzles: each is read, printed, solved by two engines, drawn, and gives the numbers it claims."""

from pathlib import Path

import pytest

from puzzlespace import api
from puzzlespace.formats import pzl
from puzzlespace.loader import from_file
from puzzlespace.render import svg, text

FILES = sorted((Path(__file__).parent.parent / "examples").glob("*.pzl"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_example(file):
    draft = pzl.parse(file.read_text(), file.name)
    assert pzl.parse(pzl.print_draft(draft)) == draft
    puzzle = from_file(file)
    claims = api.check_known(puzzle)
    assert len(claims) == 5
    assert all(claim.holds for claim in claims)
    solutions = [api.solve(puzzle, engine=engine) for engine in ("plain", "bidirectional")]
    assert solutions[0].path == solutions[1].path
    frames = puzzle.frames(solutions[0].path, puzzle.model())
    picture = svg.solution_svg(puzzle, frames, puzzle.title)
    assert picture.count("<text") > len(frames)
    boards = text.strip(puzzle, frames, 100)
    assert all(frame.name.split()[0] in boards for frame in frames[1:])


def test_there_are_ten_of_every_kind():
    drafts = [pzl.parse(file.read_text()) for file in FILES]
    assert len(drafts) == 10
    assert all([draft.rule for draft in drafts].count(rule) >= 2 for rule in ("slide", "jump", "apply"))
