"""`compare`, `solve --heuristic` and `solve --batch`, and what the automatic choice makes of hard positions."""

import json

import pytest

from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api import batches, choice, comparison, questions
from puzzlespace.api.loader import load
from puzzlespace.cli.app import app
from puzzlespace.cli.terminal import guarded
from puzzlespace.contract.answers import Status
from puzzlespace.contract.questions import Prospect, Search, Worth
from puzzlespace.engines import deepening
from puzzlespace.errors import InputError
from puzzlespace.limits.watch import Limits, Watch


def run(capsys, *words):
    code = guarded(lambda: app(list(words), standalone_mode=False))
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_a_batch_as_csv_and_as_json(tmp_path, capsys):
    file = tmp_path / "positions.txt"
    file.write_text("8 6 7 / 2 5 4 / 3 . 1\n\n1 2 3 / 4 5 6 / 7 . 8 ; one move\n1 2 3 / 4 5 6 / 8 7 .\n")
    code, out, _ = run(capsys, "solve", "eight", "--batch", str(file), "-q")
    rows = [line.split(",") for line in out.splitlines()]
    assert code == 10
    assert rows[0] == ["start", "status", "moves", "generated", "seconds"]
    assert [(row[1], row[2]) for row in rows[1:]] == [("optimal", "31"), ("optimal", "1"), ("impossible", "")]
    _, out, _ = run(capsys, "solve", "eight", "--batch", str(file), "--json", "--heuristic", "walking", "-q")
    assert [json.loads(line)["moves"] for line in out.splitlines()] == [31, 1, None]


def test_a_wrong_line_of_a_batch_says_where(tmp_path, capsys):
    file = tmp_path / "positions.txt"
    file.write_text("8 6 7 / 2 5 4 / 3 . 1\n\n  8 6 7 / 2 5 x / 3 . 1 ; wrong\n")
    code, _, err = run(capsys, "solve", "eight", "--batch", str(file), "-q")
    assert code == 30
    place, row, caret = err.splitlines()[:3]
    assert f"{file.name}:3:" in place
    assert row[caret.index("^")] == "x"
    file.write_text("8 6 7 / 2 5 4 / 3 . 1\n8 6 7\n")
    _, _, err = run(capsys, "solve", "eight", "--batch", str(file), "-q")
    assert f"{file.name}:2:1: expected 3 rows, found 1" in err


def test_a_batch_goes_on_from_its_file(tmp_path, capsys, monkeypatch):
    file, journal = tmp_path / "positions.txt", tmp_path / "answers.jsonl"
    texts = [
        "1 2 3 / 4 5 6 / 7 . 8",
        "1 2 3 / 4 5 6 / 8 7 .",
        "1 2 x",
        "1 2 3 / 4 5 6 / . 7 8",
        "1 2 3 / 4 . 6 / 7 5 8",
    ]
    file.write_text("\n".join(texts[:4]))
    words = ("solve", "eight", "--batch", str(file), "--save", str(journal), "-q")
    code, first, _ = run(capsys, *words)
    assert code == 30
    assert [line.split(",")[1:3] for line in first.splitlines()[1:]] == [
        ["optimal", "1"], ["impossible", ""], ["invalid", ""], ["optimal", "2"],
    ]  # fmt: skip
    lines = journal.read_text().splitlines(keepends=True)
    assert len(lines) == 3
    journal.write_text(lines[0] + lines[1] + lines[2][:1])
    file.write_text("\n".join(texts))
    asked, solve = [], questions.solve
    monkeypatch.setattr(questions, "solve", lambda puzzle, **given: asked.append(puzzle) or solve(puzzle, **given))
    _, second, _ = run(capsys, *words)
    assert len(asked) == 2  # the line that was cut off, and the new row
    assert second.splitlines()[:4] == first.splitlines()[:4]
    assert [line.split(",")[2] for line in second.splitlines()[4:]] == ["2", "2"]
    _, found, _ = run(capsys, *words, "--json")
    assert len(asked) == 2
    assert [json.loads(line).get("moves") for line in found.splitlines()] == [1, None, None, 2, 2]
    run(capsys, *words, "--goal", "1 2 3 / 4 5 6 / 7 . 8")
    assert len(asked) == 6
    journal.write_text("another\n\n")
    code, _, said = run(capsys, *words)
    assert code == 30
    assert "answers.jsonl:1: expected a line that solve --batch wrote" in said


def test_answers_of_a_batch_come_in_order():
    owner = load("eight")
    starts = [questions.with_start(owner, text) for text in ["1 2 3 / 4 5 6 / 7 . 8", "1 2 3 / 4 5 6 / . 7 8"] * 40]
    assert [found.moves for found in batches.solve(starts)] == [1, 2] * 40


def test_a_named_bound_is_used(capsys):
    code, out, _ = run(capsys, "solve", "goat", "--heuristic", "pattern", "--json", "-q")
    found = json.loads(out)
    assert (code, found["moves"], found["engine"]) == (0, 20, "idastar")
    code, _, err = run(capsys, "solve", "hexagram", "--heuristic", "walking", "-q")
    assert code == 31
    assert "rectangle" in err


def test_unknown_bounds_are_bad_input():
    with pytest.raises(InputError, match="walking"):
        questions.solve("eight", heuristic="manhatten")


def test_rows_of_a_comparison():
    asked = comparison.ComparedQuestion("eight", limits=Limits(seconds=60))
    rows = [comparison.row(asked, "idastar", each) for each in ("distance", "walking", "pattern")]
    assert [row.moves for row in rows] == [31, 31, 31]
    assert rows[0].generated > rows[1].generated > rows[2].generated
    assert (
        "several"
        in comparison.row(comparison.ComparedQuestion("eight", metric="multi"), "idastar", "inversion").problem
    )


def test_the_command_compare(capsys):
    code, out, _ = run(capsys, "compare", "no-off-a", "--engines", "plain,idastar", "--heuristics", "distance", "-q")
    assert code == 0
    lines = out.splitlines()[1:]
    assert [line.split()[:3] for line in lines[:2]] == [["plain", "-", "44"], ["idastar", "distance", "44"]]
    assert lines[2:] == ["the automatic choice is not idastar: blocks leave few ways: layers of positions stay small"]


@pytest.mark.parametrize(
    ("name", "metric", "reason"),
    [
        ("english", "", "undone"), ("slide:3x3", "multi", "listing"), ("dads", "", "several steps"),
        ("klotski", "step", "blanks"), ("goat-hard", "", "blocks"), ("cube:2", "", "adjacent pieces"),
    ],
)  # fmt: skip
def test_the_automatic_choice_says_why_it_does_not_deepen(name, metric, reason):
    model = load(name).model(metric)
    goals = goal_positions(model)
    assert reason in choice.advice(Search(model, model.start or goals[0], goals))


@pytest.mark.parametrize(
    ("name", "wanted"), [("slide:4x4", True), ("eight", False), ("klotski", False), ("goat-hard", False)]
)
def test_hard_positions_are_left_to_lower_bounds(name, wanted):
    puzzle = load(name)
    model = puzzle.model()
    goal = model.goals[0].position or model.start
    told = deepening.worth(Search(model, model.start or goal, (goal,)), Prospect(Watch(), lambda: 0))
    assert (told == Worth()) is wanted


def test_a_hard_position_is_solved_at_once():
    goal = ". 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15"
    puzzle = questions.with_goal(load("slide:4x4"), goal)
    found = questions.solve(questions.with_start(puzzle, "14 13 15 7 / 11 12 9 5 / 6 . 2 1 / 4 8 10 3"))
    assert (found.status, found.moves, found.engine) == (Status.OPTIMAL, 57, "idastar")
