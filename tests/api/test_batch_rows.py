"""Batches: every row has its own answer or error, whatever the others are; CSV files and numbers beside positions."""

import csv
import io
import json
from pathlib import Path
from random import Random

import pytest

from boards import DATA
from puzzlespace.api import batch_columns, batch_rows, batches, questions, spread
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
        list(batches.answered(spread.answers([SMALL] * 3, "local:1")))


CELLS = SMALL.board.names


def header(random, kind):
    """Names of the columns of the cells, in the order of the cells."""
    begin = random.choice((0, 1))
    prefix = random.choice(("t", "tile", "cell_", "s", "p "))
    return {
        "numbers": [f"{prefix}{number + begin}" for number in range(6)],
        "names": [*CELLS],
        "places": [f"r{y + begin}c{x + begin}" for x, y in SMALL.board.places],
    }[kind]


@pytest.mark.parametrize("kind", ["numbers", "names", "places"])
@pytest.mark.parametrize("seed", range(12))
def test_columns_of_cells_are_placed_by_their_names_in_any_order(kind, seed):
    random = Random(seed)
    between = random.choice([",", ";", "\t", ", ", " "])
    names = header(random, kind)
    if between == " ":
        names = [name.replace(" ", "") for name in names]
    order = random.choice([random.sample(range(6), 6), sorted(range(6), key=lambda at: names[at]), [5, 4, 3, 2, 1, 0]])
    extra = [] if between == " " else random.choice([[], ["id"]])
    lines, wanted = [between.join([*extra, *(names[at] for at in order)])], []
    for number in range(5):
        tiles = random.sample(["0", "1", "2", "3", "4", "5"], 6)
        lines.append(between.join([*(str(number) for _ in extra), *(tiles[at] for at in order)]))
        wanted.append(SMALL.read(" ".join(tiles)))
    assert [row.puzzle.start for row in batch_rows.rows(SMALL, lines)] == wanted, lines


@pytest.mark.parametrize("seed", range(12))
def test_a_header_that_does_not_name_every_cell_is_refused(seed):
    """A data row must not be answered as if its columns were in reading order."""
    random = Random(seed)
    names = header(random, random.choice(["numbers", "names", "places"]))
    at = random.randrange(6)
    names[at] = random.choice([names[at - 1], "t17", "x", "r9c9"])
    between = random.choice([",", ";", "\t"])
    with pytest.raises(FormatError) as caught:
        list(batch_rows.rows(SMALL, [between.join(names), between.join("123450")], "a.csv"))
    assert (caught.value.line, caught.value.file) == (1, "a.csv")
    assert "expected" in caught.value.problem


NAMELESS = {
    "puzzle,optimal": "expected the name of a column with the position, found puzzle, optimal",
    "id;scramble": "expected the name of a column with the position, found id, scramble",
    "state,goal,board": "expected one column with the position, found 'state' and 'board'",
    "board,board": "expected one column with the position, found 'board' and 'board'",
    "board,t0,t1,t2,t3,t4,t5": "expected one column with the position, found 'board' and 't0'",
    "goal,start,target": "expected one column with the goal, found 'goal' and 'target'",
    "start,g0,g1,g2,g3,g4": "expected columns g0 to g5, or g1 to g6, each once, found g0, g1, g2, g3, g4",
    "goal,moves": "expected the name of a column with the position, found goal, moves",
}


@pytest.mark.parametrize("row", NAMELESS)
def test_a_header_without_one_column_of_positions_says_so(row):
    with pytest.raises(FormatError) as caught:
        list(batch_rows.rows(SMALL, [row, "1 2 3 / 4 5 ."]))
    assert caught.value.problem == NAMELESS[row]
    assert ("named position, start, board, state, tiles" in caught.value.hint) == ("name of a column" in NAMELESS[row])


@pytest.mark.parametrize("between", [",", ";", "\t"])
@pytest.mark.parametrize("seed", range(6))
def test_a_column_of_goals_is_the_goal_of_each_row(between, seed):
    random = Random(seed)
    tiles = ["1", "2", "3", "4", "5", "."]
    rows = [[" ".join(random.sample(tiles, 6)) for _ in range(2)] for _ in range(4)]
    whole = [between.join(["id", "start", "goal"]), *(between.join(["7", *row]) for row in rows)]
    numbered = [
        between.join([*(f"t{at}" for at in range(6)), *(f"g{at}" for at in reversed(range(6)))]),
        *(between.join([*start.split(), *reversed(goal.split())]) for start, goal in rows),
    ]
    for lines in (whole, numbered):
        for found, (start, goal) in zip(batch_rows.rows(SMALL, lines), rows, strict=True):
            assert found.puzzle.start == SMALL.read(start)
            assert [each.position for each in found.puzzle.goals] == [SMALL.read(goal)]
    bad = list(batch_rows.rows(SMALL, [whole[0], between.join(["1", rows[0][0], "1 2"]), between.join(["1", "", ""])]))
    assert "goal: expected 3 rows" in str(bad[0].error)
    assert "found an empty column" in str(bad[1].error)


@pytest.mark.parametrize(
    "first", ["1 2 3 4 5 . ; start", "1,2,3,4,5,.", "5 down ; a, start", "5 down, 3 right", "down", "?, 1"]
)
def test_a_first_row_that_is_a_position_is_no_header(first):
    assert batch_columns.columns(SMALL, first) is None
    assert len(list(batch_rows.rows(SMALL, [first, "1 2 3 4 5 ."]))) == 2


def test_a_goal_in_the_file_beside_a_given_one_is_refused():
    eight = load("eight")
    lines = ["board,goal", "1 2 3 4 5 6 7 . 8,1 2 3 4 5 6 7 8 ."]
    assert [row.error for row in batch_rows.rows(eight, lines)] == [None]
    with pytest.raises(FormatError, match="expected no column of goals beside the goal that is given"):
        list(batch_rows.rows(eight, lines, aimed=True))


def test_rows_of_semicolons_without_a_position_are_told():
    found = list(batch_rows.rows(load("eight"), ["moves;board", "1;1 2 3 4 5 6 7 . 8", ";1 2 3 4 5 6 7 . 8", "", "2;"]))
    assert [(row.line, row.error is None) for row in found] == [(2, True), (3, True), (5, False)]
    found = list(batch_rows.rows(load("eight"), ["board;moves", ";1", "1 2 3 4 5 6 7 . 8;1"]))
    assert [(row.line, row.error is None) for row in found] == [(2, False), (3, True)]
