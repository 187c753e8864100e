"""Batches: every row has its own answer or error, whatever the others are; CSV files and numbers beside positions."""

import csv
import io
import json
from pathlib import Path
from random import Random

import pytest

from boards import DATA
from puzzlespace.api import batch_rows, batches, questions, spread
from puzzlespace.api.loader import load
from puzzlespace.cli.app import app
from puzzlespace.cli.terminal import guarded
from puzzlespace.errors import FormatError, InputError

SMALL, KORF = load("slide:2x3"), load("slide:4x4")
BAD = ["1 2 3", "1 2 3 / 4 5 x", "?", "1 2 3 4 5 5 5", "0 0 1 2 3 4", '"1 2', "[[1,2],[3,4]]", "~zzzzzzzzz", "1;2"]
COLUMNS = "position,depth,solution"


def run(capsys, *words):
    code = guarded(lambda: app(list(words), standalone_mode=False))
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def drawn(random, sign="."):
    """A row of the six places of the small puzzle."""
    tiles = random.sample(["1", "2", "3", "4", "5", sign], 6)
    return random.choice(
        [" ".join(tiles), ",".join(tiles), " / ".join(map(" ".join, zip(tiles[::2], tiles[1::2], strict=True)))]
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("as_json", [False, True])
def test_bad_rows_change_no_other_answer(seed, as_json, tmp_path, capsys):
    random = Random(seed)
    rows = [random.choice(BAD) if random.random() < 0.4 else drawn(random, random.choice(".0_")) for _ in range(12)]
    rows += [BAD[seed], "1 2 3 4 . 5"]
    padded = [line for row in rows for line in (row, *random.choice([[], [""], ["# a comment"], ["; another"]]))]
    file = tmp_path / "rows.txt"
    file.write_text("\n".join(padded))
    code, out, err = run(capsys, "solve", "slide:2x3", "--batch", str(file), "-q", *(["--json"] if as_json else []))
    found = [json.loads(line) for line in out.splitlines()] if as_json else list(csv.DictReader(io.StringIO(out)))
    assert code == 30
    assert len(found) == len(rows)
    for row, each in zip(rows, found, strict=True):
        try:
            alone = questions.solve(questions.with_start(SMALL, row.partition(";")[0]))
        except InputError:
            assert each["status"] == "invalid"
            assert not as_json or (each["error"] and padded[each["line"] - 1] == row)
            continue
        assert (each["status"], str(each["moves"] or 0)) == (alone.status.value, str(alone.moves or 0))
    bad = sum(each["status"] == "invalid" for each in found)
    assert err.count(f"{file}:") >= bad > 0


def test_a_question_that_an_engine_refuses_does_not_stop_the_batch():
    starts = [questions.with_start(SMALL, "1 2 3 4 . 5"), load("klotski"), questions.with_start(SMALL, "1 2 . 3 5 4")]
    found = list(batches.answers(starts, heuristic="walking"))
    assert [getattr(each, "moves", type(each).__name__) for each in found] == [1, "UnsupportedError", 2]


@pytest.mark.parametrize("seed", range(20))
def test_numbers_before_and_behind_a_position_are_told_from_it(seed):
    random = Random(seed)
    before, behind = random.choice([(1, 0), (0, 1), (1, 1), (1, 3)])
    rows = []
    for number in range(1, 9):
        tiles = random.sample(["0", "1", "2", "3", "4", "5"], 6)
        rows.append(([str(number)] * before + tiles + [str(random.randint(6, 99)) for _ in range(behind)], tiles))
    between = random.choice([" ", ",", "  ", ", "])
    read = batch_rows.rows(SMALL, [between.join(words) for words, _ in rows], "korf.txt")
    for found, (_, tiles) in zip(read, rows, strict=True):
        assert getattr(found.puzzle, "start", None) == SMALL.read(" ".join(tiles)), found


def test_a_row_that_may_begin_at_two_places_is_an_error_that_names_both():
    (alone,) = batch_rows.rows(SMALL, ["5 1 2 3 4 0 5"])
    assert "may begin at number 1 or at number 2" in str(alone.error)
    both = list(batch_rows.rows(SMALL, ["5 1 2 3 4 0 5", "9 1 2 3 4 0 5"]))
    assert [SMALL.line(row.puzzle.start) for row in both] == ["1 2 / 3 4 / . 5"] * 2


def test_published_positions_are_read_as_they_are_listed():
    lines = (DATA / "korf15.csv").read_text().splitlines()
    plain = [line.replace(",", " ") for line in lines[1:]]
    starts = [[row.puzzle.start for row in batch_rows.rows(KORF, each)] for each in (lines, plain)]
    assert starts[0] == starts[1]
    assert KORF.line(starts[0][0]) == "14 13 15 7 / 11 12 9 5 / 6 . 2 1 / 4 8 10 3"


def test_what_generate_writes_a_batch_reads(tmp_path, capsys):
    file = tmp_path / "made.csv"
    words = ("generate", "eight", "--depth", "12", "-n", "5", "--seed", "3", "--solutions", "--csv", str(file), "-q")
    assert run(capsys, *words)[0] == 0
    assert file.read_text().startswith(COLUMNS)
    code, out, _ = run(capsys, "solve", "eight", "--batch", str(file), "-q")
    assert (code, [row["moves"] for row in csv.DictReader(io.StringIO(out))]) == (0, ["12"] * 5)
    again = tmp_path / "again.csv"
    again.write_text(out)
    assert run(capsys, "solve", "eight", "--batch", str(again), "-q")[0] == 0
    file.write_text(f"{COLUMNS}\n,3,x\n")
    code, _, err = run(capsys, "solve", "eight", "--batch", str(file), "-q")
    assert (code, "expected a position, found an empty column" in err) == (30, True)


def test_wrong_names_are_one_error_and_not_one_a_row(tmp_path, capsys):
    file = Path(tmp_path / "a.txt")
    file.write_text("1 2 3 4 . 5\n" * 3)
    for words in (
        ("--metric", "x"),
        ("--engine", "x"),
        ("--heuristic", "x"),
        ("--engine", "plain", "--heuristic", "walking"),
    ):
        code, out, err = run(capsys, "solve", "slide:2x3", "--batch", str(file), *words)
        assert (code, out, err.count("expected")) == (30, "", 1), words


def test_a_cluster_gives_every_row_its_own_answer(monkeypatch):
    def outcomes(where, kind, bodies):
        for number, _ in enumerate(bodies):
            yield FormatError("no") if number == 1 else number

    monkeypatch.setattr(spread, "_outcomes", outcomes)
    found = list(spread.answers([SMALL] * 3, "local:1"))
    assert (found[0], str(found[1]), found[2]) == (0, "puzzle: no", 2)
    with pytest.raises(FormatError):
        list(spread.solve([SMALL] * 3, "local:1"))
