"""Saved layers of puzzles written in Python: interrupted, resumed, killed, in memory and on disk, of another puzzle."""

import json
import subprocess
import sys
from dataclasses import replace
from functools import cache, partial
from random import Random

import pytest

from array_puzzles import pancakes, random_arrays
from drawn_levels import drawn_level
from kept import command
from places import SUPPORT
from puzzlespace import Custom, InputError, Limits, TableError, UnsupportedError, depths, solve
from puzzlespace.api.saved import asking, kept, saving
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import plain
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Watch
from puzzlespace.search.disk_layers import SPILL_FROM
from puzzlespace.search.merge import LEAST_AT_ONCE
from puzzlespace.tables import own_opened

COUNTS = (1, 5, 20, 79, 199, 281, 133, 2)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("layer-*")}


@cache
def levels(seed):
    """A level of a random game with some positions; the first one has checkpoints to which its rules go back."""
    chance = Random(seed)
    while True:
        found = drawn_level(chance)
        if found is not None and found.moves.keeps_restart >= (seed == 0) and sum(depths(found).counts) > 20:
            return found


DRAWN = {"undone": partial(random_arrays, undone=True), "onward": partial(random_arrays, undone=False), "games": levels}
"""For each kind of puzzle a function of a seed that draws one."""


@pytest.mark.parametrize("kind", DRAWN)
@pytest.mark.parametrize("spill", [None, 1, 30])
def test_random_puzzles_are_stopped_and_resumed_to_the_same_files(kind, spill, tmp_path):
    stops = 0
    for seed in range(8):
        puzzle, chance = DRAWN[kind](seed), Random(seed)
        question = Depths(puzzle, (puzzle.start,), 5)
        expected = plain.depths(question, Watch())
        by = Thresholds({SPILL_FROM: spill, LEAST_AT_ONCE: 7})
        whole, parts = tmp_path / f"whole-{seed}", tmp_path / f"parts-{seed}"
        assert saving(puzzle, whole).depths(question, Watch(thresholds=by)).counts == expected.counts
        assert len(contents(whole)) == len(expected.counts)
        for most in (*sorted(chance.choices(range(2, 3 * sum(expected.counts)), k=6)), None):
            watch = Watch(Limits(positions=most), thresholds=by)
            found = saving(puzzle, parts, resume=True, every=0).depths(question, watch)
            assert found.counts == expected.counts[: len(found.counts)]
            stops += found.stopped is not None
        assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.deepest, True)
        assert contents(parts) == contents(whole)
    assert stops > 12


def test_a_finished_count_answers_again_but_only_its_own_puzzle(tmp_path):
    folder, puzzle = tmp_path / "count", pancakes(6)
    assert depths(puzzle, engine=saving(puzzle, folder)).counts == COUNTS
    again = depths(puzzle, engine=saving(puzzle, folder, resume=True))
    assert (again.counts, again.complete) == (COUNTS, True)
    assert again.hardest == depths(puzzle, engine="plain").hardest
    with pytest.raises(TableError, match="resume=True answers from it"):
        depths(puzzle, engine=saving(puzzle, folder))
    other = pancakes(6, 3)
    with pytest.raises(TableError, match=r"another puzzle \(pancakes 2\)"):
        depths(other, engine=saving(other, folder, resume=True))
    layer = folder / "layer-00004.run"
    layer.write_bytes(layer.read_bytes()[:-1] + b"?")
    with pytest.raises(TableError, match="damaged"):
        depths(puzzle, engine=saving(puzzle, folder, resume=True))


def test_from_the_goal_and_what_cannot_be_saved(tmp_path):
    puzzle = pancakes(6)
    table = depths(puzzle, origin="goal", engine=saving(puzzle, tmp_path / "goal"))
    assert (table.counts, table.origin, kept(tmp_path / "goal").origin) == (COUNTS, "goal", "goal")
    plainly = Custom(moves=lambda number: [2 * number % 7], start=3, goal=6)
    with pytest.raises(UnsupportedError, match="no encoding of its own"):
        depths(plainly, engine=saving(plainly, tmp_path / "plain"))
    with pytest.raises(InputError, match="counts_only"):
        saving(puzzle, tmp_path / "counts", counts_only=True)
    assert not (tmp_path / "counts").exists()


@pytest.mark.parametrize("kind", DRAWN)
def test_solutions_are_read_from_a_finished_count(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(own_opened, "AT_ONCE", 600)
    monkeypatch.setattr(own_opened, "SPLIT", 3)
    statuses = set()
    for seed in range(8):
        puzzle, folder = DRAWN[kind](seed), tmp_path / str(seed)
        counts = depths(puzzle, engine=saving(puzzle, folder)).counts
        engine, found = asking(puzzle, folder), plain.search(Search(puzzle, puzzle.start), Watch())
        asked = engine.search(Search(puzzle, puzzle.start), Watch())
        assert (asked.layers, asked.bound) == (found.layers, found.bound)
        one = engine.search(Search(puzzle, puzzle.start, every=False), Watch())
        assert [len(layer) for layer in one.layers] == [1] * len(found.layers)
        assert all(here <= there for here, there in zip(one.layers, found.layers, strict=True))
        answer = solve(puzzle, engine=engine, count=True)
        assert (answer.status, answer.moves) == (solve(puzzle).status, solve(puzzle).moves)
        assert depths(puzzle, engine=engine).counts == counts
        late = engine.search(Search(puzzle, puzzle.start), Watch(Limits(seconds=0)))
        assert found.bound is None or late.bound <= found.bound
        statuses.add(answer.status)
        if len(counts) > 1:
            other = replace(puzzle, start=puzzle.moves(puzzle.start)[0]) if kind == "games" else pancakes(5)
            with pytest.raises(TableError, match="another puzzle"):
                engine.search(Search(other, other.start), Watch())
    assert len(statuses) == 2
    with pytest.raises(TableError, match="no depth table"):
        asking(pancakes(5), tmp_path)


@pytest.mark.parametrize("kind", DRAWN)
def test_commands_read_what_needs_no_puzzle(kind, tmp_path, capsys):
    folder, puzzle = tmp_path / "count", DRAWN[kind](0)
    counts = depths(puzzle, engine=saving(puzzle, folder)).counts
    assert (kept(folder).name, kept(folder).origin) == (puzzle.name, "start")
    assert command("table", "info", folder, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["puzzle"], told["origin"], tuple(told["counts"])) == (puzzle.name, "start", counts)
    assert command("table", "export", folder, "--oeis") == 0
    assert capsys.readouterr().out == ", ".join(map(str, counts)) + "\n"
    assert command("table", "verify", folder) == 0
    told = capsys.readouterr().out
    size = sum(len(content) for content in contents(folder).values())
    assert f"{size:,} bytes match" in told
    assert "no position was checked" in told
    for words in (("verify", folder, "--full"), ("export", folder, "--parquet", tmp_path / "all.parquet")):
        assert command("table", *words) == 31
        assert f"does not contain its puzzle {puzzle.name!r}" in capsys.readouterr().err


def test_every_changed_byte_of_a_layer_is_found_without_the_puzzle(tmp_path, capsys):
    folder, puzzle = tmp_path / "count", pancakes(6)
    depths(puzzle, engine=saving(puzzle, folder))
    layer = folder / "layer-00004.run"
    whole = layer.read_bytes()
    for place in range(0, len(whole), 7):
        layer.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        assert command("table", "verify", folder) == 30
        assert "damaged" in capsys.readouterr().err
    layer.write_bytes(whole[:-1])
    assert [command("table", word, folder) for word in ("info", "verify")] == [30, 30]


@pytest.mark.parametrize("words", [("pancakes", "10", "3"), ("pancakes", "6", "4", "disk"), ("game", "6", "5", "disk")])
def test_killed_at_random_moments_it_goes_on_to_the_same_bytes(words):
    script = [sys.executable, str(SUPPORT / "kills.py"), *words]
    found = json.loads(subprocess.run(script, capture_output=True, text=True, check=True, timeout=300).stdout)
    assert found["kills"] >= int(words[1])
    assert found["finished"] == found["same"] > 0
