"""Kept depth tables: every distance, all best moves, export, commands. Held against the obvious search."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from kept import EIGHT, command, distances, saved_table
from puzzlespace import load
from puzzlespace.api import questions
from puzzlespace.api.loader import from_text
from puzzlespace.api.saved import asking, open_table, saving
from puzzlespace.contract.answers import Status
from puzzlespace.contract.questions import Search
from puzzlespace.errors import TableError, UnsupportedError
from puzzlespace.limits.watch import Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.rule import ANY
from puzzlespace.tables import asking as table_asking
from puzzlespace.tables import export
from puzzlespace.tables.kinds import verify
from puzzlespace.tables.opened import BitTable

KINDS = [
    (EIGHT, ""),
    ("slide:2x4", ""),
    ("slide:2x4", "multi"),
    ("hexagram", ""),
    ("burnt:5", ""),
    ("pancake:7", ""),
    ("lights:3x2", ""),
    ("hanoi:4,4", ""),
    ("flip:4x4", ""),
]


@pytest.mark.parametrize(("spec", "metric"), KINDS)
def test_every_distance_and_all_best_moves(spec, metric, tmp_path):
    counted = saved_table(spec, tmp_path / "table", metric)
    known = distances(spec, metric)
    table = open_table(spec, tmp_path / "table", metric=metric)
    assert (
        counted.counts == table.counts == tuple(list(known.values()).count(d) for d in range(max(known.values()) + 1))
    )
    chance = random.Random(1)
    for position in chance.sample(sorted(known), min(300, len(known))):
        assert table.distance(position) == known[position]
        nearer = {p for p in table.model.moves(position) if known[p] == known[position] - 1}
        assert set(table.best(position)) == nearer
    drawn = chance.sample(sorted(known), min(300, len(known)))
    assert table.distances(drawn) == [known[position] for position in drawn]
    swapped = bytearray(drawn[0])
    first, second = (drawn[0].index(symbol) for symbol in sorted(set(drawn[0]))[-2:])
    swapped[first], swapped[second] = swapped[second], swapped[first]
    others = [bytes(reversed(drawn[0])), bytes(swapped), drawn[0]]
    assert table.distances(others) == [known.get(position) for position in others]
    assert verify(tmp_path / "table", table.model, 100, True)["states"] == len(known)


@pytest.mark.parametrize("spec", ["slide:2x4", "burnt:5", "pancake:7", "lights:3x2"])
def test_a_count_that_was_stopped_after_its_last_layer_has_the_same_answer(spec, tmp_path):
    owner = load(spec)
    right = saved_table(spec, tmp_path / "whole")

    def stop(progress):
        if progress.layer == len(right.counts) - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        questions.depths(owner, origin="goal", engine=saving(owner, tmp_path / "table", every=0), progress=stop)
    found = saved_table(spec, tmp_path / "table", resume=True)
    assert (found.counts, found.hardest, found.complete) == (right.counts, right.hardest, True)
    for path in (tmp_path / "whole").glob("depths.*"):
        assert path.read_bytes() == (tmp_path / "table" / path.name).read_bytes()


@pytest.mark.parametrize(("spec", "metric"), [(EIGHT, ""), ("slide:2x4", "multi"), ("burnt:5", ""), ("pancake:7", "")])
def test_the_export_has_every_depth_by_rank(spec, metric, tmp_path):
    saved_table(spec, tmp_path / "table", metric)
    known = distances(spec, metric)
    table = open_table(spec, tmp_path / "table", metric=metric)
    depths = export.depths_of(table)
    assert len(depths) == table.places.positions
    for position, depth in list(known.items())[::17]:
        assert depths[table.rank(position)] == depth
        assert table.position(table.rank(position)) == position
    assert (depths == export.UNREACHED).sum() == len(depths) - len(known)


def test_goals_of_both_parities_share_a_table(tmp_path):
    """Goals that no moves connect: the table numbers all orders of the pieces, not half of them."""
    text = "rule: slide\ncount: step\ndistinct: all\ngoal: 1 2 3 / 4 5 .\ngoal 2: 1 2 * / * * .\n"
    puzzle = from_text(text, "both.pzl")
    expected = questions.depths(puzzle, engine="plain")
    counted = questions.depths(puzzle, engine=saving(puzzle, tmp_path / "table"))
    assert questions.depths(puzzle, engine=asking(puzzle, tmp_path / "table")).counts == counted.counts
    assert counted.counts == expected.counts
    table = BitTable(tmp_path / "table", puzzle.model())
    depths = export.depths_of(table)
    assert len(depths) == table.places.positions == sum(counted.counts) == 720
    for rank in range(0, 720, 7):
        assert table.rank(table.position(rank)) == rank
        assert table.distance(table.position(rank)) == depths[rank]
    assert verify(tmp_path / "table", puzzle.model(), 50, True)["sampled"] > 50


def test_parquet_holds_one_column_of_depths(eight, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = open_table(EIGHT, eight)
    export.write_parquet(table, tmp_path / "eight.parquet")
    file = parquet.ParquetFile(tmp_path / "eight.parquet")
    column = file.read()["depth"].to_pylist()
    assert file.schema_arrow.names == ["depth"]
    assert str(file.schema_arrow.field("depth").type) == "uint8"
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    assert [column.count(depth) for depth in range(len(table.counts))] == list(table.counts)


def test_lists_of_the_counts():
    assert list(export.csv_lines([1, 2, 4])) == ["depth,positions", "0,1", "1,2", "2,4"]
    assert list(export.b_lines([1, 2, 4])) == ["0 1", "1 2", "2 4"]


def test_the_questions_of_the_commands_are_answered_from_the_table(eight):
    owner = load("eight")
    engine = asking(owner, eight)
    searched = questions.solve(owner, count=True, engine="bidirectional")
    answer = questions.solve(owner, count=True, engine=engine)
    assert (answer.moves, answer.solutions, answer.status) == (searched.moves, searched.solutions, Status.OPTIMAL)
    start = questions.with_start(owner, "1 2 3 / 4 5 6 / 7 . 8").start
    assert questions.distance(owner, start, engine=engine).next == questions.distance(owner, start).next
    assert questions.depths(owner, engine=engine, classes=True).hardest == questions.depths(owner, classes=True).hardest
    far = questions.solve(questions.with_start(owner, "2 1 3 / 4 5 6 / 7 8 ."), engine=engine)
    assert far.status is Status.IMPOSSIBLE


def test_other_questions_are_refused(eight):
    owner = load("eight")
    with pytest.raises(UnsupportedError, match="measure"):
        questions.depths(owner, origin="start", engine=asking(owner, eight))
    other = questions.with_goal(owner, "1 2 3 / 4 5 6 / 7 . 8")
    with pytest.raises(UnsupportedError, match="goal"):
        questions.solve(questions.with_start(other, "1 2 3 / 4 . 6 / 7 5 8"), engine=asking(other, eight))
    with pytest.raises(TableError, match="another puzzle"):
        open_table("slide:2x4", eight)
    with pytest.raises(TableError, match="counts moves in the metric step, not run"):
        open_table("eight", eight, metric="run")


def test_what_cannot_be_undone_is_not_kept(tmp_path):
    owner = load("star13")
    with pytest.raises(UnsupportedError, match="undone"):
        questions.depths(owner, origin="start", engine=saving(owner, tmp_path / "table", engine="table"))


def test_the_commands_of_the_documents(tmp_path, capsys):
    folder = tmp_path / "table"
    assert command("depths", "eight", "--save", folder, "-q") == 0
    assert command("depths", "eight", "--save", folder, "-q") == 30
    assert "finished" in capsys.readouterr().err
    assert command("depths", "eight", "--save", folder, "--resume", "-q", "--oeis") == 0
    assert capsys.readouterr().out.startswith("1, 2, 4, 8, 16")
    assert command("table", "info", folder, "--json") == 0
    about = json.loads(capsys.readouterr().out)
    assert (about["states"], about["origin"]) == (181_440, "goal")
    assert command("table", "verify", folder, "--full", "--sample", "50") == 0
    assert "every position is the same" in capsys.readouterr().out
    assert command("distance", "eight", "1 2 3 / 4 5 6 / 7 . 8", "--table", folder) == 0
    assert "1 move to the goal" in capsys.readouterr().out
    assert command("solve", "eight", "--table", folder, "--json") == 0
    assert json.loads(capsys.readouterr().out)["engine"] == "table"
    assert command("hardest", "eight", "--table", folder, "--solution") == 0
    assert command("depths", "eight", "--table", folder, "--oeis") == 0
    assert (
        command("table", "export", folder, "--csv", tmp_path / "e.csv", "--b-file", tmp_path / "e.txt", "--oeis") == 0
    )
    assert (tmp_path / "e.txt").read_text().splitlines()[1] == "1 2"
    assert (tmp_path / "e.csv").read_text().splitlines()[-1] == "31,2"
    capsys.readouterr()
    assert command("table", "export", folder) == 30
    assert command("depths", "eight", "--resume") == 30
    assert command("solve", "goat", "--table", folder) == 30
    assert "another puzzle" in capsys.readouterr().err


@pytest.mark.parametrize("engine", ["table", "frontier"])
@pytest.mark.parametrize("goals", ["goal: 1 2 3 / 4 . .\ngoal 2: 2 1 3 / 4 . .\n", "goal: 1 * 3 / 4 * *\n"])
def test_a_position_that_is_a_goal_is_answered_from_a_table_of_several_goals(tmp_path, goals, engine):
    puzzle = from_text(f"rule: slide\ncount: step\ndistinct: all\nstart: 1 2 3 / 4 . .\n{goals}", "two.pzl")
    counted = questions.depths(puzzle, engine=saving(puzzle, tmp_path / "table", engine=engine))
    assert counted.counts[0] > 1
    for position, expected in (("1 2 3 / 4 . .", 0), ("1 2 . / 4 . 3", 1)):
        assert questions.distance(puzzle, position, engine=asking(puzzle, tmp_path / "table")).distance == expected


@pytest.mark.long
def test_a_table_of_more_goals_than_a_search_lists_answers(tmp_path):
    goals = "goal: 1 * * / * * * / * * *\ngoal 2: * 1 * / * * * / * * *\ngoal 3: * * 1 / * * * / * * *\n"
    puzzle = from_text(f"rule: slide\ncount: step\ndistinct: all\nstart: 1 2 3 / 4 5 6 / 7 8 .\n{goals}", "many.pzl")
    counted = questions.depths(puzzle, engine=saving(puzzle, tmp_path / "table"))
    assert counted.counts[0] == 60_480
    far = questions.with_start(puzzle, "3 2 4 / 5 6 7 / 8 1 .")
    found = questions.solve(far, engine=asking(puzzle, tmp_path / "table"))
    assert found.moves == questions.solve(far, engine="bidirectional").moves


def test_goals_that_are_too_many_to_compare_are_refused(eight, monkeypatch):
    owner = load("eight")
    monkeypatch.setattr(table_asking, "MOST_GOALS", 1)
    assert questions.solve(owner, engine=asking(owner, eight)).status is Status.OPTIMAL
    monkeypatch.setattr(table_asking, "MOST_GOALS", 0)
    model = replace(owner.model(), goals=(Goal((ANY,) * 9),))
    with pytest.raises(UnsupportedError, match="too many positions"):
        asking(owner, eight).search(Search(model, owner.model().start), Watch())
