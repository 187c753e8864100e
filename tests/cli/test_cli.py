"""The command line as a person uses it: words, exit codes, JSON, limits, and nothing lost on errors."""

import io
import json
import subprocess
import sys

import pytest

from commands import run, run_json
from puzzlespace import __version__
from puzzlespace.cli.terminal import Reporter, guarded, parse_size
from puzzlespace.errors import InputError
from puzzlespace.limits.watch import Progress


def test_version_and_help():
    assert run("--version")[:2] == (0, f"puzzlespace {__version__}\n")
    code, out, _ = run("--help")
    assert code == 0
    assert all(
        word in out for word in ("solve", "depths", "hardest", "distance", "components", "check", "list", "show")
    )


COMMANDS = [
    "list",
    "show",
    "solve",
    "depths",
    "hardest",
    "plan",
    "oeis",
    "distance",
    "components",
    "symmetries",
    "check",
    "design",
    "generate",
    "random",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"puzzlespace {command} " in " ".join(out.replace("Usage:", "").split()) + " "


def test_boards_and_the_list_of_moves_have_the_same_names(tmp_path):
    ring = "rule: change\nboard: a b c d e f\nlines: a-b-c-d-e-f-a\nmoves:\n  turn: H T -> H H  line\n"
    (tmp_path / "ring.pzl").write_text(f"{ring}  off: H H -> . .  line\nstart: H T H T T T\ngoal: only .\n")
    _, text, _ = run("solve", str(tmp_path / "ring.pzl"))
    _, answer = run_json("solve", str(tmp_path / "ring.pzl"))
    assert len(answer["names"]) == 7
    assert " ".join(answer["names"]) in text
    assert all(f"{number}: {name}" in text for number, name in enumerate(answer["names"], 1))


def test_solve_prints_boards_and_names():
    code, out, _ = run("solve", "goat")
    assert code == 0
    assert "goat: 20 moves (count: step), proved shortest" in out
    assert "20" in out


def test_solve_json_is_stable():
    code, answer = run_json("solve", "no-off-b", "--count")
    assert code == 0
    assert list(answer) == [
        "schema", "puzzle", "metric", "status", "moves", "bound", "unchecked", "solutions", "solutions_commuting",
        "solutions_unordered", "solutions_symmetry", "path", "names", "reason", "stopped", "engine", "positions",
        "expanded", "rests_on", "seconds", "notes", "warnings", "complete",
    ]  # fmt: skip
    assert (answer["schema"], answer["status"], answer["moves"], answer["solutions"]) == (1, "optimal", 56, 3)
    assert answer["complete"] is True
    assert len(answer["path"]) == len(answer["names"]) + 1 == 57
    assert answer["reason"] is None


def test_solve_all_lists_every_solution():
    _, answer = run_json("solve", "no-off-b", "--all")
    assert len(answer["all"]) == 3
    assert all(each["path"][0] == answer["path"][0] and len(each["names"]) == 56 for each in answer["all"])
    _, out, _ = run("solve", "no-off-b", "--all")
    assert "   3  " in out


def test_impossible_has_its_own_exit_code_and_reason():
    code, answer = run_json("solve", "eight", "--start", "1 2 3 / 4 5 6 / 8 7 .")
    assert code == 10
    assert (answer["status"], answer["reason"]["kind"], answer["moves"], answer["positions"]) == (
        "impossible", "parity", None, 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("solve", "eight", "--engine", "plain", "--positions", "1000"), 22),
        (("solve", "eight", "--engine", "plain", "--seconds", "0.000001"), 20),
        (("depths", "eight", "--engine", "plain", "--positions", "1000"), 22),
        (("solve", "nosuch"), 30),
        (("solve", "eight", "--metric", "chain"), 30),
        (("solve", "eight", "--engine", "nosuch"), 30),
        (("solve", "eight", "--memory", "lots"), 30),
        (("solve", "eight", "--seconds", "-1"), 30),
        (("solve", "eight", "--start", "1 2 3"), 30),
        (("solve", "eight", "--start", "1 2 3 / 4 5 6 / 7 8 9"), 30),
        (("solve", "slide:0x4"), 30),
        (("solve", "slide:3x3"), 30),
        (("depths", "eight", "--from", "middle"), 30),
        (("solve", "eight", "--glyphs", "klingon"), 30),
        (("nosuch",), 30),
        (("solve", "eight", "--nosuch"), 30),
        (("depths", "eight", "--engine", "bidirectional"), 31),
    ],
)
def test_exit_codes(words, code):
    assert run(*words)[0] == code


def test_the_exit_code_of_a_limit_of_memory():
    """In a process of its own: another one may hold memory that was freed, which the search uses first."""
    command = [sys.executable, "-m", "puzzlespace", "solve", "eight", "--engine", "plain", "--memory", "1K"]
    assert subprocess.run(command, capture_output=True).returncode == 21


def test_errors_go_to_stderr_with_what_to_do_next():
    code, out, err = run("solve", "hexagrm")
    assert (code, out) == (30, "")
    assert "did you mean hexagram?" in err
    assert "Traceback" not in err


def test_how_much_there_is_is_said_at_once():
    code, _, err = run("depths", "slide:4x4", "--seconds", "1.5")
    assert code == 20
    assert "10,461,394,944,000 numbered positions need" in err.splitlines()[0]
    code, _, err = run("depths", "slide:3x4", "--memory", "8M")
    assert code == 21
    assert "239,500,800 positions need 54 MB" in err
    assert "left of the limit of 8.4 MB" in err


def test_an_answer_says_which_limit_stopped_it():
    code, answer = run_json("depths", "slide:3x4", "--memory", "8M", "-q")
    assert code == 21
    assert answer["stopped"]["kind"] == "memory"
    code, answer = run_json("depths", "slide:3x3", "--positions", "100", "-q")
    assert (code, answer["stopped"]["kind"]) == (22, "positions")
    code, answer = run_json("solve", "eight", "--engine", "plain", "--positions", "1000")
    assert (code, answer["status"], answer["stopped"]["kind"]) == (22, "stopped", "positions")
    assert run_json("solve", "goat")[1]["stopped"] is None


def test_a_stopped_search_says_what_is_proved():
    _, answer = run_json("solve", "eight", "--engine", "plain", "--positions", "1000")
    assert answer["status"] == "stopped"
    assert 0 < answer["bound"] < 31


def test_depths_as_text_json_and_oeis():
    code, answer = run_json("depths", "no-off-a")
    assert code == 0
    assert (answer["origin"], answer["states"], answer["depth"], answer["complete"]) == ("goal", 540, 56, True)
    assert sum(answer["counts"]) == 540
    assert answer["hardest"]["count"] == len(answer["hardest"]["positions"]) == 3
    _, out, _ = run("depths", "no-off-a", "--oeis")
    assert [int(word) for word in out.split(",")] == answer["counts"]
    _, out, _ = run("depths", "no-off-a")
    assert "depth" in out
    assert "540" in out


def test_the_farthest_positions_of_the_hexagram_are_the_articles():
    _, answer = run_json("depths", "hexagram", "--from", "start")
    shown = {"".join(position.split(" / ")).replace(" ", "") for position in answer["hardest"]["positions"]}
    article = ".WWWWWWBBBBBB WW.WWWWBBBBBB WWWWWW.BBBBBB WWWWWWBBBB.BB WWWWWWBBBBBB. W.WWWWWBBBBBB WWWWWWBBBBB.B"
    assert shown == set(article.split())
    assert (answer["states"], answer["depth"]) == (12012, 30)


def test_hardest_with_a_solution():
    code, answer = run_json("hardest", "no-off-a", "-n", "2", "--solution")
    assert code == 0
    assert len(answer["hardest"]["positions"]) == 2
    assert answer["solution"]["moves"] == 56


def test_hardest_positions_up_to_symmetry():
    _, out, _ = run("depths", "flip3")
    assert "greatest depth 7, 8 hardest, 2 up to symmetry" in out
    assert "hardest: 8 positions at depth 7 to the goal, 2 up to symmetry\n" in out
    _, out, _ = run("hardest", "flip3", "--classes")
    assert "hardest: 8 positions at depth 7 to the goal, 2 up to symmetry, one of each class\n" in out
    _, answer = run_json("hardest", "flip3", "--classes")
    assert (answer["hardest"]["count"], answer["hardest"]["classes"]) == (8, 2)
    assert len(answer["hardest"]["positions"]) == 2
    _, answer = run_json("hardest", "flip3", "-n", "1")
    assert (answer["hardest"]["classes"], len(answer["hardest"]["positions"])) == (2, 1)


COUNTED = ("solutions", "solutions_commuting", "solutions_unordered", "solutions_symmetry")


def test_solutions_are_counted_in_four_ways():
    _, out, _ = run("solve", "star13", "--count")
    assert "\n72 shortest solutions, 72 up to commuting moves, 28 up to the order of moves, 9 up to symmetry\n" in out
    _, answer = run_json("solve", "klotski", "--count")
    assert [answer[key] for key in COUNTED] == [256, 12, 8, 128]
    _, answer = run_json("solve", "klotski")
    assert [answer[key] for key in COUNTED] == [None] * 4
    _, answer = run_json("solve", "14-15", "--count")
    assert [answer[key] for key in COUNTED] == [0] * 4


def test_symmetries_as_text_and_json():
    code, out, _ = run("symmetries", "eight")
    assert code == 0
    assert out.startswith("eight: 2 symmetries keep the rules and the goal, the one that changes nothing included\n")
    assert "  1: cells (b1 a2) (c1 a3) (c2 b3); symbols (2 4) (3 7) (6 8)\n" in out
    _, answer = run_json("symmetries", "eight")
    assert (answer["keeps"], answer["order"], answer["complete"]) == (["goal"], 2, True)
    assert answer["generators"] == [
        {"cells": [["b1", "a2"], ["c1", "a3"], ["c2", "b3"]], "symbols": [["2", "4"], ["3", "7"], ["6", "8"]]}
    ]
    _, out, _ = run("symmetries", "eight", "--start")
    assert out == "eight: only the symmetry that changes nothing keeps the rules and the goal and the start\n"
    assert run("symmetries", "lights:3x3", "--start")[0] == 30


def test_distance_names_every_best_next_move():
    code, answer = run_json("distance", "eight", "1 2 3 / 4 5 6 / 7 . 8")
    assert code == 0
    assert answer["distance"] == 1
    assert answer["next"] == [{"name": "8 left", "position": "1 2 3 / 4 5 6 / 7 8 ."}]
    assert run_json("distance", "eight", "1 2 3 / 4 5 6 / 7 8 .")[1]["distance"] == 0
    assert run("distance", "eight", "2 1 3 / 4 5 6 / 7 8 .")[0] == 10


def test_components_of_too_many_placements_are_refused():
    code, _, err = run("components", "hanoi:4,20")
    assert code == 31
    assert "too many placements to list" in err


def test_components_of_line_flips():
    code, answer = run_json("components", "flip:3x3")
    assert code == 0
    assert answer["positions"] == 512 == sum(c["size"] * c["count"] for c in answer["components"])
    assert answer["solvable"] == 192
    assert sorted(len(group["cells"]) for group in answer["groups"]) == [1, 2, 2, 4]


def test_check_says_whether_known_numbers_hold(tmp_path):
    code, answer = run_json("check", "no-off-a")
    assert code == 0
    assert all(known["holds"] for known in answer["known"])
    wrong = tmp_path / "wrong.pzl"
    wrong.write_text("rule: slide\nstart:\n  1 2 .\ngoal:\n  . 1 2\nknown: solution 3\n")
    code, out, _ = run("check", str(wrong))
    assert code == 30
    assert "3" in out


def test_a_puzzle_from_standard_input(monkeypatch):
    text = "rule: slide\nstart:\n  1 2 .\ngoal:\n  . 1 2\n"
    code, out, _ = run("solve", "-", "--json", stdin=text, monkeypatch=monkeypatch)
    assert code == 0
    assert json.loads(out)["moves"] == 2


def test_a_picture_is_written_or_the_reason_why_not(tmp_path):
    code, _, _ = run("solve", "eight", "--svg", str(tmp_path / "eight.svg"))
    assert code == 0
    assert (tmp_path / "eight.svg").read_text().startswith("<svg")
    assert run("solve", "eight", "--svg", str(tmp_path / "nowhere" / "x.svg"))[0] == 30


def test_japanese_names_find_the_puzzle():
    assert run_json("show", "箱入り娘")[1]["name"] == "klotski"


def test_list_has_every_known_number():
    code, answer = run_json("list")
    assert code == 0
    names = {puzzle["name"] for puzzle in answer["puzzles"]}
    wanted = "hexagram eight line no-off-a no-off-b flip3 star13 goat goat-hard klotski rush60 cube2 14-15"
    assert set(wanted.split()) <= names
    assert "goat" in run("list")[1]


def test_it_is_a_module_too():
    done = subprocess.run(
        [sys.executable, "-m", "puzzlespace", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"puzzlespace {__version__}\n"


@pytest.mark.parametrize("words", [("--help",), ("solve", "goat"), ("depths", "eight"), ("show", "klotski")])
def test_small_questions_do_not_load_the_compiler(words):
    program = (
        "import sys; from puzzlespace.cli.app import app\n"
        f"try:\n    app({list(words)!r}, standalone_mode=False)\nexcept SystemExit:\n    pass\n"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True).returncode == 0


def test_a_command_does_not_load_the_modules_of_others():
    program = (
        "import sys; from puzzlespace.cli.app import app\n"
        "app(['show', 'goat'], standalone_mode=False)\n"
        "print(*(name for name in sys.modules if name.startswith('puzzlespace.cli.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in done.stdout.splitlines()[-1].split()}
    assert loaded == {"app", "diagnosed", "exit_codes", "guard", "options", "parser", "partial", "show", "terminal"}


@pytest.mark.parametrize(("text", "size"), [("40M", 40 << 20), ("2g", 2 << 30), ("1.5K", 1536), ("1000", 1000)])
def test_sizes(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "M", "-1G", "1X", "inf", "nanG", "0"])
def test_sizes_that_are_none(text):
    with pytest.raises(InputError, match="expected a size such as 40M"):
        parse_size(text)


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_one_line_on_a_terminal_and_is_taken_away():
    screen = Screen()
    reporter = Reporter(screen)
    reporter(Progress(3, 10, 20, 30, 2.0))
    reporter(Progress(4, 10, 20, 30, 2.1))
    reporter(Progress(5, 10, 20, 60, 3.0))
    reporter.clear()
    assert "layer 3" in screen.getvalue()
    assert "layer 4" not in screen.getvalue()
    assert "\n" not in screen.getvalue()
    assert screen.getvalue().endswith("\r")


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 21, "are free here; a limit of memory"),
        (ZeroDivisionError("x"), 70, "a bug of ours"),
        (InputError("expected this"), 30, "expected this"),
    ],
)
def test_everything_that_can_happen_has_an_exit_code(error, code, words, capsys):
    def fail():
        raise error

    assert guarded(fail) == code
    assert words in capsys.readouterr().err
