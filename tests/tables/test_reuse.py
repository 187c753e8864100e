"""Tables made once and used again by the commands: when they are made, that they are used, and what damage does."""

from __future__ import annotations

import json

import pytest

from puzzlespace import load
from puzzlespace.api import questions, reuse
from puzzlespace.cli.app import app
from puzzlespace.cli.terminal import guarded
from puzzlespace.limits.watch import Limits
from puzzlespace.storage import cache

ASKED = "1 2 3 / 4 5 6 / 7 . 8"


@pytest.fixture(autouse=True)
def _room(tmp_path, monkeypatch):
    """An empty cache, and tables worth making from small puzzles on."""
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "cache"))
    monkeypatch.setattr(reuse, "SOME", 1000)


def command(*words):
    """Run a command line in this process; return its exit code."""
    return guarded(lambda: app(list(map(str, words)), standalone_mode=False))


def answered(capsys, *words):
    """Run a command with --json; return the object it prints and what it says on stderr."""
    assert command(*words, "--json") == 0
    told = capsys.readouterr()
    return json.loads(told.out), told.err


def test_a_distance_makes_a_table_that_all_commands_use(capsys):
    first, _ = answered(capsys, "distance", "eight", ASKED)
    assert first["distance"] == 1
    assert [entry.about for entry in cache.entries()] == ["eight, metric step, to the goal"]
    begun = load("eight")
    for words in (("solve",), ("depths",), ("hardest", "-n", "1")):
        found, said = answered(capsys, words[0], "eight", *words[1:])
        assert found["engine"] == "table"
        assert said == ""
    assert found["counts"] == list(questions.depths(begun).counts)
    assert len(cache.entries()) == 1
    moved, _ = answered(capsys, "solve", "eight", "--start", ASKED)
    assert (moved["engine"], moved["moves"]) == ("table", 1)


def test_named_engines_and_other_goals_do_without(capsys):
    answered(capsys, "distance", "eight", ASKED)
    assert answered(capsys, "solve", "eight", "--engine", "bidirectional")[0]["engine"] == "bidirectional"
    assert answered(capsys, "solve", "eight", "--heuristic", "distance")[0]["engine"] == "idastar"
    other = answered(capsys, "solve", "eight", "--goal", ASKED)[0]
    assert other["engine"] != "table"
    assert other["moves"] == questions.solve(questions.with_goal(load("eight"), ASKED)).moves


def test_small_puzzles_limits_and_other_commands_make_none(capsys, monkeypatch):
    answered(capsys, "distance", "eight", ASKED, "--seconds", "60")
    answered(capsys, "solve", "eight")
    monkeypatch.setenv(cache.SIZE, "1M")
    answered(capsys, "distance", "eight", ASKED)
    monkeypatch.delenv(cache.SIZE)
    monkeypatch.setattr(reuse, "SOME", 400_000)
    answered(capsys, "distance", "eight", ASKED)
    assert cache.entries() == []


def test_other_metrics_and_moves_that_cannot_be_undone_have_tables_of_layers(capsys):
    for spec, metric in (("dads", "piece"), ("star13", "step")):
        owner = load(spec)
        searched = questions.distance(owner, owner.start, metric=metric)
        for _ in range(2):
            found, _ = answered(capsys, "distance", spec, owner.line(owner.start), "--metric", metric)
            assert found["distance"] == searched.distance
            assert [each["position"] for each in found["next"]] == [owner.line(p) for _, p in searched.next]
        assert answered(capsys, "solve", spec, "--metric", metric)[0]["engine"] == "frontier"
    assert len(cache.entries()) == 2


def test_a_table_that_turns_out_too_large_is_tried_once(capsys, monkeypatch):
    monkeypatch.setattr(reuse, "TRIED", 100)
    start = load("dads").line(load("dads").start)
    first, _ = answered(capsys, "distance", "dads", start)
    assert [entry.whole for entry in cache.entries()] == [True]
    monkeypatch.setattr(reuse, "_made", None)
    again, _ = answered(capsys, "distance", "dads", start)
    assert first["distance"] == again["distance"] == 59


def test_a_damaged_table_is_made_anew_with_a_word(capsys):
    answered(capsys, "distance", "eight", ASKED)
    entry = cache.entries()[0]
    data = entry.folder / reuse.TABLE / "depths.bits"
    whole = data.read_bytes()
    data.write_bytes(bytes(255 - byte for byte in whole))
    found, said = answered(capsys, "distance", "eight", ASKED)
    assert found["distance"] == 1
    assert "damaged" in said
    assert "made anew" in said
    assert data.read_bytes() == whole
    (entry.folder / reuse.TABLE / "manifest.json").unlink()
    solved, said = answered(capsys, "solve", "eight")
    assert (solved["moves"], "removed" in said) == (31, True)
    assert cache.entries() == []


def test_a_table_that_is_stopped_is_not_kept():
    wanted = reuse.WantedTable(load("eight"), "", limits=Limits(memory=1000))
    assert reuse.answer(wanted, lambda engine: engine, make=True) == "auto"
    assert cache.entries() == []


def test_positions_that_a_table_does_not_hold_are_searched(capsys):
    answered(capsys, "distance", "eight", ASKED)
    assert command("distance", "eight", "2 1 3 / 4 5 6 / 7 8 .") == 10
    assert "parity" in capsys.readouterr().out


def test_starts_with_one_goal_share_a_table():
    goat, hard = reuse.WantedTable(load("goat"), ""), reuse.WantedTable(load("goat-hard"), "")
    assert goat.place == hard.place
    assert reuse.WantedTable(load("goat"), "run").place != goat.place
    assert reuse.WantedTable(load("goat"), "", "start").place != reuse.WantedTable(load("goat-hard"), "", "start").place
