"""Levels of games on the command line."""

import re

import pytest

from commands import run, run_json
from pushing import game


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(game())
    return path


def test_solve_prints_the_inputs_and_takes_them_as_a_start(file):
    code, out, _ = run("solve", f"{file}#1", "--count")
    assert code == 0
    assert "2 inputs, no shorter solution exists; 1 shortest solution:\nRR\n" in out
    code, shown = run_json("solve", f"{file}#1", "--start", "R", "--all")
    assert (code, shown["moves"], shown["letters"], shown["inputs"], shown["all"]) == (0, 1, "R", [3], ["R"])


def test_a_level_that_cannot_be_solved(file):
    code, out, _ = run("solve", f"{file}#3")
    assert code == 10
    assert "meets 'all crate on target'" in out


def test_depths_say_where_one_gets_stuck(file):
    code, shown = run_json("depths", f"{file}#1")
    assert code == 0
    assert shown["states"] == sum(shown["counts"])
    assert shown["dead"] > 0
    assert shown["traps"] == ["DRRUL"]
    code, out, _ = run("depths", f"{file}#1")
    assert (code, "1 way to get stuck; the nearest:\n\nafter DRRUL\n" in out) == (0, True)
    code, out, _ = run("hardest", f"{file}#1", "-n", "1")
    assert (code, out.count("#######\n#")) == (0, 1)
    assert f"at {shown['depth']} inputs from the start" in out


def test_depths_are_saved_and_resumed(file, tmp_path):
    folder = tmp_path / "saved"
    whole = run_json("depths", f"{file}#1")[1]
    code, _, err = run("depths", f"{file}#1", "--save", str(folder), "--positions", "20")
    assert (code, "--resume" in err) == (22, True)
    code, shown = run_json("depths", f"{file}#1", "--save", str(folder), "--resume")
    assert (code, shown["complete"], shown["counts"]) == (0, True, whole["counts"])
    assert (shown["wins"], shown["dead"], shown["stuck"]) == (None, None, None)
    assert shown["hardest"]["count"] == whole["hardest"]["count"]
    code, out, _ = run("depths", f"{file}#1", "--save", str(folder), "--resume")
    assert f"{sum(whole['counts'])} positions; which are won or dead is told without --save" in out
    code, out, _ = run("solve", f"{file}#1", "--table", str(folder))
    assert (code, "2 inputs, no shorter solution exists:\nRR\n" in out) == (0, True)
    code, _, err = run("solve", f"{file}#1", "--table", str(folder), "--start", "R")
    assert (code, "they are of another puzzle" in err) == (30, True)
    code, _, err = run("depths", f"{file}#2", "--save", str(folder), "--resume")
    assert (code, "they are of another puzzle" in err) == (30, True)


def test_show_and_the_number_of_a_level(file):
    code, out, _ = run("show", f"{file}#2")
    assert code == 0
    assert "level 2 of 3, by A tester" in out
    code, _, err = run("solve", str(file))
    assert code == 30
    assert "the game has 3" in err
    code, _, err = run("solve", f"{file}#1", "--metric", "push")
    assert (code, "--metric" in err) == (31, True)
    for command in ("symmetries", "compare"):
        code, out, err = run(command, f"{file}#1")
        assert (code, out, "PuzzleScript" in err) == (31, "", True)


def test_certify_all_levels(file):
    code, out, _ = run("certify", str(file))
    lines = out.splitlines()
    assert code == 10
    assert lines[0].endswith(
        "game.txt#1  2 moves (count: input); 1 shortest; 1 way to get stuck, the nearest after DRRUL"
    )
    assert lines[1].endswith("1 shortest; 0 ways to get stuck")
    assert "impossible" in lines[2]
    assert "all crate on target" in lines[2]


def test_a_mistake_has_its_place(tmp_path):
    path = tmp_path / "game.ps"
    path.write_text(game(rules="[ Crate | ] -> [ Crate ]"))
    code, _, err = run("solve", f"{path}#1")
    assert code == 30
    assert "  [ Crate | ] -> [ Crate ]\n  ^" in err


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (("show",), ("--svg", "--png")),
        (("solve",), ("--svg", "--png", "--gif", "--webp")),
        (("hardest", "-n", "1"), ("--sheet",)),
        (("depths",), ("--map",)),
    ],
)
def test_pictures_are_written(words, options, file, tmp_path):
    wanted = [
        tmp_path / f"drawn.{option.strip('-').replace('sheet', 'svg').replace('map', 'png')}" for option in options
    ]
    drawn = [word for option, path in zip(options, wanted, strict=True) for word in (option, str(path))]
    assert run(words[0], f"{file}#1", *words[1:], *drawn)[0] == 0
    assert all(path.stat().st_size > 500 for path in wanted)


@pytest.mark.parametrize(("number", "options", "code", "pages"), [
    (1, (), 0, 3), (2, (), 0, 2), (3, (), 10, 1), (1, ("--positions", "5"), 22, 1),
])  # fmt: skip
def test_cards(number, options, code, pages, file, tmp_path):
    card = tmp_path / "card.pdf"
    assert run("card", f"{file}#{number}", "--pdf", str(card), *options)[0] == code
    assert len(re.findall(rb"/Type /Page\b", card.read_bytes())) == pages
    assert run("card", f"{file}#1", "--pdf", str(card), "--metric", "push")[0] == 31


@pytest.mark.parametrize(
    "words",
    [("show", "--names", "--svg", "x.svg"), ("solve", "--arrows", "none", "--svg", "x.svg"), ("solve", "--within", "1"),
     ("solve", "--glyphs", "ja"), ("depths", "--turned"), ("hardest", "--solid", "--sheet", "x.svg")],
)  # fmt: skip
def test_options_without_a_meaning_are_refused(words, file):
    code, out, err = run(words[0], f"{file}#1", *words[1:])
    assert (code, out) == (31, "")
    assert words[1] in err


def test_levels_to_order(file, tmp_path):
    ask = ("generate", f"{file}#1", "--depth", "2-3", "--seed", "1", "-n", "2")
    code, out, _ = run(*ask, "--solutions", "--sheet", str(tmp_path / "a.svg"), "--csv", str(tmp_path / "a.csv"))
    assert (code, out.count(" inputs: ")) == (0, 2)
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 3
    assert (tmp_path / "a.svg").stat().st_size > 500
    code, shown = run_json(*ask, "--vary", "P*", "--tries", "20")
    assert (code, shown["method"], len(shown["positions"])) == (0, "climb", 2)
    code, out, err = run(*ask, "--one-solution")
    assert (code, out, "--one-solution" in err) == (31, "", True)
    assert run("generate", "eight", "--depth", "3", "--vary", "1")[0] == 31
    assert run("generate", f"{file}#1", "--depth", "99", "-q")[0] == 10
