"""Tables in the cache folder: when they are made, that commands, Python and the page use them, and what damage does."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

from puzzlespace import load
from puzzlespace.api import batches, cached, dispatch, questions, table_making
from puzzlespace.api.cached import CachedTable
from puzzlespace.api.loader import from_text
from puzzlespace.cli.app import app
from puzzlespace.cli.terminal import guarded
from puzzlespace.contract.answers import Status
from puzzlespace.errors import InputError, TableWarning
from puzzlespace.limits.watch import Limits
from puzzlespace.storage import cache
from puzzlespace.tables import kinds
from puzzlespace.web import worker

ASKED = "1 2 3 / 4 5 6 / 7 . 8"


@pytest.fixture(autouse=True)
def _room(tmp_path, monkeypatch):
    """An empty cache, and tables worth making from small puzzles on."""
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "cache"))
    monkeypatch.setattr(table_making, "SOME", 1000)


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
    monkeypatch.setattr(table_making, "SOME", 400_000)
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
    monkeypatch.setattr(table_making, "TRIED", 100)
    start = load("dads").line(load("dads").start)
    first, _ = answered(capsys, "distance", "dads", start)
    assert [entry.whole for entry in cache.entries()] == [True]
    monkeypatch.setattr(table_making.TableMaking, "make", None)
    again, _ = answered(capsys, "distance", "dads", start)
    assert first["distance"] == again["distance"] == 59


def test_a_damaged_table_is_made_anew_with_a_word(capsys):
    answered(capsys, "distance", "eight", ASKED)
    entry = cache.entries()[0]
    data = entry.folder / cached.TABLE / "depths.bits"
    whole = data.read_bytes()
    data.write_bytes(bytes(255 - byte for byte in whole))
    found, said = answered(capsys, "distance", "eight", ASKED)
    assert found["distance"] == 1
    assert "damaged" in said
    assert "made anew" in said
    assert data.read_bytes() == whole
    (entry.folder / cached.TABLE / "manifest.json").unlink()
    solved, said = answered(capsys, "solve", "eight")
    assert (solved["moves"], "removed" in said) == (31, True)
    assert cache.entries() == []


def test_a_table_that_is_stopped_is_not_kept():
    owner = load("eight")
    table_making.cached_table("make", owner, owner.model(), limits=Limits(memory=1000))
    assert cache.entries() == []


def test_positions_that_a_table_does_not_hold_are_searched(capsys):
    answered(capsys, "distance", "eight", ASKED)
    assert command("distance", "eight", "2 1 3 / 4 5 6 / 7 8 .") == 10
    assert "parity" in capsys.readouterr().out


def place(spec, metric="", origin="goal"):
    owner = load(spec)
    return CachedTable(owner, owner.model(metric), origin).place


def test_starts_with_one_goal_share_a_table():
    assert place("goat") == place("goat-hard")
    assert place("goat", "run") != place("goat")
    assert place("goat", origin="start") != place("goat-hard", origin="start")


@pytest.fixture
def kept():
    """The 8-puzzle, with its table in the cache."""
    owner = load("eight")
    assert questions.distance(owner, ASKED, cache="make").distance == 1
    assert len(cache.entries()) == 1
    return owner


def test_python_answers_from_the_table(kept):
    begun = questions.with_start(kept, ASKED)
    assert questions.solve(kept).engine == questions.solve(begun).engine == "table"
    assert [found.engine for found in questions.solutions(begun)] == ["table"]
    assert questions.distance(kept, kept.start).solution.engine == "table"
    counted = questions.depths(kept, classes=True)
    plain = questions.depths(kept, classes=True, cache="off")
    assert (counted.engine, counted.generated) == ("table", 0)
    assert (counted.counts, counted.hardest, counted.classes) == (plain.counts, plain.hardest, plain.classes)
    assert [found.engine for found in batches.solve([kept, begun])] == ["table", "table"]


def test_python_makes_a_table_only_if_asked():
    owner = load("eight")
    for cache_use in ("use", "off"):
        assert questions.distance(owner, ASKED, cache=cache_use).distance == 1
        assert questions.depths(owner, cache=cache_use).depth == 31
    assert cache.entries() == []
    assert questions.depths(owner, cache="make").engine == "table"
    assert len(cache.entries()) == 1


def test_python_leaves_the_table_alone_if_asked(kept, monkeypatch):
    monkeypatch.setattr(cached, "_opened", None)
    assert questions.solve(kept, cache="off").moves == 31
    assert questions.solve(kept, engine="bidirectional").moves == 31
    assert questions.solve(kept, heuristic="distance").engine == "idastar"
    other = questions.with_goal(kept, ASKED)
    assert questions.solve(other).moves == questions.solve(other, engine="bidirectional").moves
    with pytest.raises(InputError, match="use, make or off"):
        questions.solve(kept, cache="no")


def test_a_damaged_table_is_passed_over_in_python(kept):
    table = cache.entries()[0].folder / cached.TABLE
    data = table / "depths.bits"
    whole = data.read_bytes()
    data.write_bytes(bytes(255 - byte for byte in whole))
    with pytest.warns(TableWarning, match=r"damaged.*removed"):
        found = questions.solve(kept)
    assert (found.moves, found.engine == "table") == (31, False)
    assert cache.entries() == []
    questions.distance(kept, ASKED, cache="make")
    data.write_bytes(bytes(len(whole)))
    with pytest.warns(TableWarning, match=r"damaged.*made anew"):
        assert questions.distance(kept, ASKED, cache="make").solution.engine == "table"
    assert data.read_bytes() == whole


def test_a_table_that_answers_wrongly_is_passed_over(kept, monkeypatch):
    right = kinds.answering_engine
    monkeypatch.setattr(cached, "_open", {})

    def answering_engine(folder, model):
        table = right(folder, model)

        def depths(question, watch):
            layers = table.depths(question, watch)
            return replace(layers, counts=(*layers.counts[:3], layers.counts[3] + 1, *layers.counts[4:]))

        return replace(table, depths=depths)

    monkeypatch.setattr(kinds, "answering_engine", answering_engine)
    with pytest.warns(TableWarning, match="engine table: .*removed"):
        assert questions.depths(kept).counts[:4] == (1, 2, 4, 8)
    assert cache.entries() == []


def test_the_page_answers_from_the_table(kept, tmp_path, monkeypatch):
    from puzzlespace.web import tasks
    from puzzlespace.web.bounds import Bounds

    asked = []
    searched = dispatch._from_table

    def noted(*given):
        found = searched(*given)
        asked.append(found and found[0])
        return found

    monkeypatch.setattr(dispatch, "_from_table", noted)
    state = tasks.WorkerState(Bounds(), tmp_path / "tables", tmp_path / "scratch")
    question = {"puzzle": "eight", "position": ASKED}
    written = io.BytesIO()
    for task in (tasks.search, tasks.path):
        worker.answer(task, state, question, written)
    found, way = map(json.loads, written.getvalue().decode().splitlines())
    assert (found["distance"], len(way["path"])) == (1, 2)
    assert asked == ["table", "table"]


SEVERAL = "rule: slide\ncount: step\ndistinct: all\nstart: 1 2 3 / 4 5 .\n"


@pytest.mark.parametrize("goals", ["goal: 2 1 3 / 5 4 .\ngoal 2: 1 2 3 / 5 4 .\n", "goal: 4 * * / * * .\n"])
def test_tables_to_several_goals_answer_for_the_start_they_were_made_for(goals, monkeypatch):
    monkeypatch.setattr(table_making, "SOME", 100)
    owner = from_text(SEVERAL + goals, "several.pzl")
    near = questions.with_start(owner, "1 2 3 / 4 . 5")
    outside = questions.with_start(owner, "2 1 3 / 4 . 5")
    expected = {each: questions.solve(each, engine="plain") for each in (owner, near, outside)}
    counted = questions.depths(owner, engine="plain", origin="goal")
    made = questions.depths(near, origin="goal", cache="make")
    assert len(cache.entries()) == 1
    assert (made.engine, made.counts, made.measured) == ("table", counted.counts, counted.measured)
    for each, right in expected.items():
        found = questions.solve(each)
        assert (found.status, found.moves) == (right.status, right.moves)
        assert (found.engine == "table") == (each is not outside)
        depths = questions.depths(each, origin="goal")
        assert depths.counts == questions.depths(each, engine="plain", origin="goal").counts
        assert (depths.engine == "table" and depths.generated == 0) == (each is not outside)
    assert expected[owner].status is Status.OPTIMAL
