"""`design`: the table, the puzzle files, which other commands confirm, CSV, JSON, limits and exit codes."""

import csv

from commands import run, run_json

TRAY = """title: Small trays
rule: slide
count: step
pieces:
  A 2x2: 1
  1x1: any
  1x2 | 2x1: any
blanks: 2 or more
goal:
  ***
  ***
  *AA
  *AA
"""


def tray(folder, text=TRAY):
    """The path of a design file."""
    (folder / "tray.pzl").write_text(text)
    return str(folder / "tray.pzl")


def test_the_puzzles_are_written_and_confirmed(tmp_path):
    code, out, _ = run("design", tray(tmp_path), "--output", str(tmp_path / "found"), "-q")
    assert code == 0
    assert "Small trays: 5,766 packings" in out
    files = sorted((tmp_path / "found").glob("*.pzl"))
    assert len(files) == 7
    table = [row.split() for row in out.split("\n\n")[1].splitlines()]
    assert table[0] == ["blanks", "moves", "pieces", "states", "depth", "shapes", "start"]
    moves = {row[0]: row[1] for row in table[1:]}
    assert all(file.with_suffix(".svg").read_text(encoding="utf-8").startswith("<svg") for file in files)
    for file in files:
        code, checked = run_json("check", str(file))
        assert code == 0
        assert {claim["what"] for claim in checked["known"]} == {"states", "depth", "hardest", "solution"}
        assert all(claim["holds"] for claim in checked["known"])
        known = {claim["what"]: claim["found"] for claim in checked["known"]}
        assert moves[file.stem.split("-")[1]] == str(known["solution"])


def test_json_and_csv_agree(tmp_path):
    code, answer = run_json("design", tray(tmp_path), "--by", "pieces", "--csv", str(tmp_path / "table.csv"), "-q")
    assert code == 0
    assert (answer["packings"], answer["searched"], answer["stopped"]) == (5766, 5766, None)
    assert answer["solvable"] == sum(each["packings"] * each["count"] for each in answer["components"])
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    assert [(row["moves"], row["start"]) for row in rows] == [
        (str(each["moves"]), each["start"]) for each in answer["puzzles"]
    ]
    code, out, err = run("design", tray(tmp_path), "--by", "all", "--csv", "-", "-q")
    assert (code, len(out.splitlines())) == (0, 2)
    assert "5,766 packings" in err


def test_bad_input_has_its_place(tmp_path):
    code, _, err = run("design", tray(tmp_path, TRAY.replace("1x1: any", "1x1: 9-3")), "-q")
    assert code == 30
    assert "tray.pzl:6:8: expected a range from less to more, found '9-3'" in err
    code, _, err = run("design", tray(tmp_path), "--by", "colour", "-q")
    assert code == 30
    assert "expected one of all, blanks, pieces, group, found 'colour'" in err
    code, _, err = run("design", tray(tmp_path), "--csv", "-", "--json")
    assert code == 30
    (tmp_path / "file").touch()
    code, _, err = run("design", tray(tmp_path), "--output", str(tmp_path / "file"))
    assert code == 30
    assert "--output: expected a folder" in err
    code, _, err = run("solve", tray(tmp_path))
    assert code == 30
    assert "puzzlespace design" in err
    code, _, err = run("design", "eight.pzl")
    assert code == 30


def test_limits_and_conditions_that_nothing_meets(tmp_path):
    code, _, err = run("design", tray(tmp_path), "--positions", "100", "-q")
    assert code == 22
    assert "positions generated" in err
    code, _, err = run("design", tray(tmp_path, TRAY + "start: ***/*B*/AA*/AA*\n"), "-q")
    assert code == 30
    assert "expected one of the symbols * . X A, found 'B'" in err
    code, out, _ = run("design", tray(tmp_path, TRAY + "start: ***/***/*AA/*AA\n"), "-q")
    assert code == 10
    assert "No start meets the conditions." in out


def test_any_place_of_a_piece_is_shown_as_a_goal(tmp_path):
    anywhere = TRAY[: TRAY.index("goal:")] + "board: grid 3x4\ngoal: any A\n"
    code, out, _ = run("design", tray(tmp_path, anywhere), "--by", "all", "-q")
    assert code == 0
    assert "6 goals, one for each place of the piece: all numbers are sums over them" in out
    table = [row.split() for row in out.split("\n\n")[1].splitlines()]
    assert table[0][-1] == "goal"
    assert table[1][-1].count("A") == 4
