"""The example puzzles: each is read, printed, solved by two engines, drawn, and gives the numbers it claims."""

import json
import re
import subprocess
import sys

import pytest

from places import ROOT
from puzzlespace import formats
from puzzlespace.api import questions
from puzzlespace.api.loader import from_file
from puzzlespace.contract.questions import Search
from puzzlespace.engines import plain
from puzzlespace.formats import pzl
from puzzlespace.limits.watch import Watch
from puzzlespace.render import svg, text

FILES = sorted((ROOT / "examples").glob("*.pzl"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_example(file):
    draft = pzl.parse(file.read_text(), file.name)
    assert pzl.parse(pzl.print_draft(draft)) == draft
    puzzle = from_file(file)
    claims = questions.check_known(puzzle)
    assert len(claims) == 5
    assert all(claim.holds for claim in claims)
    solutions = [questions.solve(puzzle, engine=engine) for engine in ("plain", "bidirectional")]
    assert solutions[0].path == solutions[1].path
    frames = puzzle.frames(solutions[0].path, puzzle.model())
    picture = svg.solution_svg(puzzle, frames, puzzle.title)
    assert picture.count("<text") > len(frames)
    boards = text.strip(puzzle, frames, 100)
    assert all(frame.name.split()[0] in boards for frame in frames[1:])


def test_there_are_puzzles_of_every_kind():
    drafts = [pzl.parse(file.read_text()) for file in FILES]
    assert len(drafts) == 11
    assert all([draft.rule for draft in drafts].count(rule) >= 2 for rule in ("slide", "jump", "apply"))
    assert "push" in [draft.rule for draft in drafts]


DRAWN = ROOT / "examples" / "drawn"


@pytest.mark.parametrize(
    ("file", "form", "moves"),
    [("parking.rush", "rushhour", 5), ("cellar.klotski", "gnome", 9), ("removal.boards", "boards", 3)],
)
def test_boards_of_other_formats_are_read_and_solved(file, form, moves):
    puzzle = from_file(DRAWN / file)
    assert formats.format_of(file).name == formats.recognised((DRAWN / file).read_text()).name == form
    solutions = [questions.solve(puzzle, engine=engine) for engine in ("plain", "bidirectional")]
    assert solutions[0].path == solutions[1].path
    assert solutions[0].moves == moves
    assert pzl.parse(pzl.print_draft(puzzle.draft)) == puzzle.draft


def test_a_carousel_is_read_and_counted():
    puzzle = from_file(DRAWN / "carousel.tws")
    tables = [
        questions.depths(puzzle, engine=engine, metric=metric)
        for engine in ("plain", "frontier")
        for metric in ("run", "step")
    ]
    assert tables[0].counts == tables[2].counts == (1, 8, 32, 125, 401, 723, 385, 5)
    assert tables[1].counts == tables[3].counts
    assert tables[0].states == tables[1].states == 8 * 7 * 6 * 5 * 4 * 3 * 2 // (2 * 2 * 6)  # riders in four colours


def test_stairs_cannot_be_solved_for_a_reason_of_colouring():
    puzzle = from_file(DRAWN / "stairs.pzl")
    answer = questions.solve(puzzle)
    assert (answer.status, answer.reason.kind, answer.generated) == (questions.Status.IMPOSSIBLE, "invariant", 0)
    assert "thirds" in answer.reason.text
    searched = plain.search(Search(puzzle.model(), puzzle.start), Watch())
    assert searched.layers == ()


def test_the_script_of_a_lesson_prints_its_table_and_draws_it(tmp_path):
    plot = tmp_path / "lesson.svg"
    script = [sys.executable, ROOT / "examples" / "teacher.py", plot]
    done = subprocess.run(script, capture_output=True, text=True, check=True)
    rows = [line.split(None, 6) for line in done.stdout.splitlines()[1:]]
    assert [row[0] for row in rows] == ["bfs", *2 * ["astar"], *2 * ["idastar"], *2 * ["weighted-astar:2"]]
    assert {row[2] for row in rows[1:5]} == {rows[0][1]} == {"22"}
    assert "not proved" in rows[-1][-1]
    assert int(rows[2][3].replace(",", "")) < int(rows[1][3].replace(",", ""))
    assert plot.read_text().startswith("<?xml")


def test_the_script_of_a_paper_proves_its_set_twice_and_goes_on_after_a_stop(tmp_path):
    proofs = tmp_path / "proofs.jsonl"
    script = [sys.executable, ROOT / "examples" / "researcher.py", proofs]
    done = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    rows = [line.strip("| ").split(" | ") for line in done.splitlines() if line.startswith("|")][2:]
    assert len(rows) == 8
    assert all(published == proved for _, published, proved, *_ in rows)
    assert "8 of 8 published lengths are proved, each by 2 searches." in done
    for line, row in zip(proofs.read_text().splitlines(), rows, strict=True):
        kept = json.loads(line)
        assert (kept["number"], len(kept["path"]) - 1) == (row[0], int(row[2]))
        assert kept["path"][-1] == "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15".replace("0", ".", 1)
    cite = (ROOT / "CITATION.cff").read_text()
    for field, key in (("title", "title"), ("version", "version"), ("license", "license"), ("author", "  - name")):
        told = re.search(rf"{field} = {{+([^}}]+)}}", done).group(1)
        assert f"{key}: {told}\n" in cite
    kept = [*proofs.read_text().splitlines()]
    proofs.write_text("\n".join(kept[:-1]) + "\n")
    again = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    assert len(proofs.read_text().splitlines()) == 8
    assert [line for line in again.splitlines() if line.startswith("|")][:-1] == [
        line for line in done.splitlines() if line.startswith("|")
    ][:-1]
