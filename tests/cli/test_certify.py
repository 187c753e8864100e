"""`certify`: optima, printed numbers and solutions, duplicates, and going on after a stop."""

import csv
import json

import pytest

from commands import run
from puzzlespace import Limits, certify, solve
from puzzlespace.api import certification

BOARD = "title: {}\nrule: slide\nstart:\n  {}\ngoal:\n  1 2 3\n  4 5 6\n  7 8 .\n{}"
NEAR = "1 2 3\n  4 . 6\n  7 5 8"
TURNED = "1 2 3\n  4 . 5\n  7 8 6"  # NEAR with rows and columns exchanged, and pieces renamed


@pytest.fixture
def folder(tmp_path):
    """A folder with a right puzzle, its image under a symmetry, a wrong number, an impossible and an invalid one."""
    (tmp_path / "a.pzl").write_text(BOARD.format("A", NEAR, "known: solution 2, solution 2 in run, depth 31\n"))
    (tmp_path / "b.pzl").write_text(BOARD.format("B", TURNED, "known: solution 3\n"))
    (tmp_path / "c.pzl").write_text(BOARD.format("C", "1 2 3\n  4 5 6\n  8 7 .", ""))
    (tmp_path / "d.pzl").write_text("rule: slyde\n")
    return tmp_path


def found_in(*words):
    code, out, err = run("certify", *map(str, words), "--json", "-q")
    return code, {row["name"].rpartition("/")[2]: row for row in map(json.loads, out.splitlines())}, err


def test_each_puzzle_of_a_folder(folder):
    code, found, _ = found_in(folder)
    assert code == 30
    assert [found[name]["status"] for name in sorted(found)] == ["optimal", "optimal", "impossible", "invalid"]
    assert (found["a.pzl"]["moves"], found["a.pzl"]["solutions"], found["a.pzl"]["wrong"]) == (2, 1, False)
    assert [claim["found"] for claim in found["a.pzl"]["claims"]] == [2, 2, 31]
    assert [claim["holds"] for claim in found["b.pzl"]["claims"]] == [False]
    assert found["a.pzl"]["alike"] == ""
    assert found["b.pzl"]["alike"].endswith("a.pzl")
    assert "rule" in found["d.pzl"]["reason"]
    assert found["c.pzl"]["reason"]
    code, out, _ = run("certify", str(folder / "a.pzl"), "-q")
    assert code == 0
    assert "2 moves (count: step); 1 shortest, 1 up to commuting moves; solution 2 (step) ok" in out
    assert "1 puzzles: 1 solved; 3 of 3 computed numbers are right; 0 duplicates" in out


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("5 up, 8 left", "ok"),
        ("5 up\n8 left ; done", "ok"),
        ("5 up", "after its move the goal is not reached"),
        ("5 up, 8 right", "move 2, '8 right', is not a legal move there"),
        ("5 up, 8 left, 8 right, 8 left", "it has 4 moves, 2 suffice"),
    ],
)
def test_printed_solutions_are_replayed(folder, text, verdict):
    (folder / "a.solution").write_text(text)
    (found,) = certify([str(folder / "a.pzl")], count=False)
    assert found.printed == verdict
    assert found.wrong == (verdict != "ok")


def test_solutions_of_blocks_can_be_printed(tmp_path):
    answer = solve("rush60", metric="run")
    (tmp_path / "rush.solution").write_text(", ".join(answer.names))
    entry = certification.CollectedPuzzle("rush", "rush60", solution=tmp_path / "rush.solution")
    (found,) = certify([entry], metric="run", count=False)
    assert (found.moves, found.printed) == (answer.moves, "ok")


@pytest.mark.parametrize("goal", [". a . / a . .", "a . . / . a ."])
def test_a_printed_move_may_lead_to_two_positions(tmp_path, goal):
    """Either of two like pieces can go right: a solution is right if some reading of it is."""
    (tmp_path / "two.pzl").write_text(f"rule: slide\ncount: step\nstart: a . . / a . .\ngoal: {goal}\n")
    (tmp_path / "two.solution").write_text("a right")
    (found,) = certify([str(tmp_path / "two.pzl")])
    assert (found.moves, found.printed) == (1, "ok")


def test_lines_of_a_collection(tmp_path, folder):
    file = tmp_path / "list.txt"
    rows = [
        "60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332",
        "",
        "; nothing here",
        "1 a.pzl",
        "hanoi:3,3 ; a spec",
        "nosuch",
    ]
    file.write_text("\n".join(rows))
    code, found, _ = found_in(file, "--no-count")
    assert code == 30
    assert list(found) == ["list.txt:1", "list.txt:4", "list.txt:5", "list.txt:6"]
    assert [claim["holds"] for claim in found["list.txt:1"]["claims"]] == [True]
    assert found["list.txt:4"]["claims"][-1] == {
        "what": "solution", "metric": "step", "value": 1, "found": 2, "holds": False,
    }  # fmt: skip
    assert (found["list.txt:5"]["moves"], found["list.txt:6"]["status"]) == (7, "invalid")


def test_it_goes_on_where_it_was_stopped(folder, monkeypatch):
    journal = folder / "journal"
    first, second = certification.entries([str(folder / "a.pzl"), str(folder / "b.pzl")])
    before = list(certify([first], journal=journal))
    solved = []
    monkeypatch.setattr(
        certification, "solve", lambda puzzle, **given: solved.append(puzzle.name) or solve(puzzle, **given)
    )
    with open(journal, "a") as file:
        file.write('{"name": "b", "sta')  # cut off by a crash
    after = list(certify([first, second], journal=journal))
    assert solved == ["b"]
    assert after[0] == before[0]
    assert list(certify([first, second], journal=journal)) == after
    assert solved == ["b"]
    (folder / "a.pzl").write_text(BOARD.format("A", NEAR, "known: solution 4\n"))
    assert [found.wrong for found in certify([first, second], journal=journal)] == [True, True]
    assert solved == ["b", "a"]
    journal.write_text("nonsense")
    code, _, err = run("certify", str(folder), "--save", str(journal))
    assert code == 30
    assert "journal:1" in err


def test_what_a_limit_stopped_is_computed_again(tmp_path):
    journal = tmp_path / "journal"
    (found,) = certify(["eight"], journal=journal, count=False, limits=Limits(positions=100))
    assert (found.status, found.whole) == ("stopped", False)
    (found,) = certify(["eight"], journal=journal, count=False)
    assert (found.status, found.moves) == ("optimal", 31)
    code, _, _ = run("certify", "eight", "--positions", "100", "-q")
    assert code == 20


def test_files_and_words_that_are_not_there(tmp_path):
    code, _, err = run("certify", str(tmp_path))
    assert code == 30
    assert "found none" in err
    code, out, _ = run("certify", "nosuch", "-q")
    assert code == 30
    assert "invalid" in out
    run("certify", "hanoi:3,3", "--csv", str(tmp_path / "table.csv"), "-q")
    (row,) = csv.DictReader((tmp_path / "table.csv").read_text().splitlines())
    assert (row["status"], row["moves"]) == ("optimal", "7")


def test_a_puzzle_seen_in_a_mirror_is_the_same(tmp_path):
    cars = "rule: slide along\ncount: run\nstart: {}\ngoal: {}\nblocks: {}\n"
    (tmp_path / "a.pzl").write_text(cars.format("AA.B/..CB/..C.", "**AA/****/****", "A B C"))
    (tmp_path / "b.pzl").write_text(cars.format(".Y../XY../X.ZZ", "****/****/ZZ**", "X Y Z"))
    (tmp_path / "c.pzl").write_text(cars.format("AA.B/..CB/..C.", "****/****/**AA", "A B C"))
    _, found, _ = found_in(tmp_path)
    assert [found[name]["alike"].rpartition("/")[2] for name in sorted(found)] == ["", "a.pzl", ""]


PACK = "; one\n#####\n#@$.#\n#####\n\n; two\n#####\n#@$$#\n#####\n\n; thr\xe9e\n######\n#@ $.#\n######\nrR\n"


@pytest.mark.parametrize("name", ["pack.xsb", "pack.txt"])
def test_each_level_of_a_file_has_its_own_answer(tmp_path, name):
    (tmp_path / name).write_bytes(PACK.encode("latin-1"))
    code, found, _ = found_in(tmp_path / name)
    assert code == 30
    assert [(each, row["status"], row["moves"]) for each, row in found.items()] == [
        (f"{name}#1", "optimal", 1), (f"{name}#2", "invalid", None), (f"{name}#3", "optimal", 1),
    ]  # fmt: skip
    assert f"{name}:7:1: level 2: expected a goal '.', found none" in found[f"{name}#2"]["reason"]
    code, whole, _ = found_in(tmp_path)
    assert (code, list(whole)) == ((30, list(found)) if name == "pack.xsb" else (30, []))


def test_wrong_rows_of_a_collection_do_not_stop_the_others(tmp_path):
    (tmp_path / "pack.xsb").write_bytes(PACK.encode("latin-1"))
    rows = [
        b"60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332",
        b" 7 IBBxooIooLDDJAALooBoKEEMFFKooMGGHHHM ; B is broken",
        b"\xe9\xff",
        b"A" * 400,
        b"pack.xsb#3",
        b"pack.xsb#2",
        b"pack.xsb#9",
        b"7 hanoi:3,3",
    ]
    (tmp_path / "list.txt").write_bytes(b"\r\n".join(rows))
    code, found, _ = found_in(tmp_path / "list.txt", "--no-count")
    assert code == 30
    assert [row["status"] for row in found.values()] == [
        "optimal",
        *["invalid"] * 3,
        "optimal",
        *["invalid"] * 2,
        "optimal",
    ]
    assert list(found) == [f"list.txt:{number}" for number in range(1, 9)]
    reasons = [row["reason"].split("\n")[0].removeprefix(f"{tmp_path}/") for row in found.values()]
    assert reasons[1] == "list.txt:2:5: expected the car B to be two or more cells in a line, found another shape"
    assert reasons[5] == "pack.xsb:7:1: level 2: expected a goal '.', found none"
    assert reasons[6] == "pack.xsb: expected the number of a level from 1 to 3, found 9"
