"""Puzzles written with NumPy, and encodings of a person's own, are held against the plain engine."""

from __future__ import annotations

import runpy
import shutil
from dataclasses import replace
from itertools import chain
from unittest import mock

import numpy as np
import pytest

import puzzlespace
from array_puzzles import pancakes, random_arrays
from places import ROOT
from puzzlespace import Arrays, Custom, Encoding, InputError, Limits, Status
from puzzlespace.contract.questions import Depths, Search, WantedLayers
from puzzlespace.engines import encoded, plain
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Watch
from puzzlespace.search.disk_layers import SPILL_FROM, OnDisk
from puzzlespace.search.layers import count, find
from puzzlespace.search.merge import LEAST_AT_ONCE
from puzzlespace.search.runs import RUN_BLOCK
from puzzlespace.search.sorted_rows import SortedRows

move = OnDisk.move
TEMPLATE = ROOT / "examples" / "own_encoding.py"


@pytest.mark.parametrize("undone", [True, False])
def test_random_puzzles_are_counted_and_solved_as_plain_does(undone):
    lengths = set()
    for seed in range(30):
        puzzle = random_arrays(seed, undone)
        question = Depths(puzzle, (puzzle.start,), 5)
        expected = plain.depths(question, Watch())
        asked = Search(puzzle, puzzle.start, puzzle.goals)
        solved = plain.search(asked, Watch())
        for at_once in (3, 1 << 16):
            found = count(SortedRows(puzzle, at_once), question, Watch())
            assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.deepest, True)
            ends = [SortedRows(puzzle, at_once)]
            if puzzle.goals is not None and undone:
                ends.append(SortedRows(puzzle.backward, at_once))
            ways = find(asked, Watch(), *ends)
            assert (ways.layers, ways.bound) == (solved.layers, solved.bound)
        lengths.add(len(solved.layers))
    assert len(lengths) > 5


@pytest.mark.parametrize("undone", [True, False])
def test_random_puzzles_are_counted_on_disk_as_plain_does(undone):
    for seed in range(30):
        puzzle = random_arrays(seed, undone)
        expected = plain.depths(Depths(puzzle, (puzzle.start,), 5), Watch())
        for spill in (1, 30):
            taken = []
            wanted = WantedLayers(lambda depth, blocks, taken=taken: taken.extend(chain.from_iterable(blocks)))
            watch = Watch(thresholds=Thresholds({SPILL_FROM: spill, LEAST_AT_ONCE: 7, RUN_BLOCK: 4}))
            with mock.patch.object(OnDisk, "move", side_effect=move, autospec=True) as moved:
                found = encoded.depths(Depths(puzzle, (puzzle.start,), 5, wanted=wanted), watch)
            assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.deepest, True)
            assert moved.called == (max(found.counts) >= spill)
            assert len(taken) == len(set(taken)) == sum(found.counts)


def test_layers_larger_than_the_memory_are_on_disk():
    puzzle = pancakes(9)
    whole = puzzlespace.depths(puzzle)
    with mock.patch.object(OnDisk, "move", side_effect=move, autospec=True) as moved:
        found = puzzlespace.depths(puzzle, limits=Limits(memory=4_000_000))
    assert moved.called
    assert found.counts == whole.counts == (1, 8, 56, 391, 2278, 10666, 38015, 93585, 132697, 79379, 5804)
    assert found.hardest == whole.hardest


def test_layers_are_handed_over_and_limits_leave_what_is_known():
    puzzle = random_arrays(3, undone=True)
    taken = []
    wanted = WantedLayers(lambda depth, blocks: taken.extend((depth, each) for block in blocks for each in block), 2, 3)
    found = encoded.depths(Depths(puzzle, (puzzle.start,), wanted=wanted), Watch())
    assert len(found.counts) == 4
    assert not found.complete
    assert [sum(depth == number for depth, _ in taken) for number in (2, 3)] == list(found.counts[2:])
    whole = puzzlespace.depths(puzzle).counts
    stopped = puzzlespace.depths(puzzle, limits=Limits(positions=60))
    assert not stopped.complete
    assert stopped.counts == whole[: len(stopped.counts)]


def test_the_automatic_choice_uses_the_encoding():
    puzzle = random_arrays(3, undone=True)
    assert puzzlespace.depths(puzzle).engine == "encoded"
    assert puzzlespace.depths(puzzle).counts == puzzlespace.depths(puzzle, engine="plain").counts
    assert puzzlespace.solve(puzzle).engine == "encoded"
    nearer = puzzlespace.distance(puzzle, puzzle.start)
    assert nearer.distance == puzzlespace.solve(puzzle, engine="plain").moves
    assert len(list(puzzlespace.solutions(puzzle))) == puzzlespace.solve(puzzle, count=True, engine="plain").solutions
    assert puzzlespace.solve(puzzlespace.with_goal(puzzle, puzzle.start)).moves == 0


def double(rows):
    return np.concatenate([2 * rows, rows - 1])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"following": 3}, "following to be a function"),
        ({"following": lambda rows: [1]}, r"shape \(n, 1\), found \[1\]"),
        ({"following": lambda rows: rows.astype(float)}, r"found float64 \(1, 1\)"),
        ({"following": lambda rows: rows[:, 0]}, r"found int64 \(1,\)"),
        ({"back": lambda rows: None}, "found None"),
        ({"start": [[3]]}, "start to be a row of integers"),
        ({"start": [300], "width": "uint8"}, "start to be a row of integers of the width uint8"),
        ({"goal": "x"}, "goal to be a row of integers"),
        ({"goal": lambda rows: True}, "goal to return an array of bool"),
        ({"below": 8}, "integers from 0 to 7, found 8 to 8"),
        ({"below": 9, "start": [8]}, "integers from 0 to 8, found 7 to 16"),
        ({"below": 0}, "below to be a number"),
        ({"width": "float64"}, "a type of integers as width"),
        ({"width": "word"}, "a type of integers as width"),
    ],
)
def test_parts_that_are_wrong(given, words):
    with pytest.raises(InputError, match=words):
        puzzlespace.solve(Arrays(**{"following": double, "start": [3], "goal": [8], **given}))


class Numbers(Encoding):
    """The numbers 0 … 99 as a Python set: add one or double."""

    def enter(self, positions):
        self.seen = set(positions)
        return sorted(positions)

    def following(self, layer, watch, bound):
        watch.tick(2 * len(layer), bound)
        new = {each for number in layer for each in (number + 1, 2 * number) if each < 100} - self.seen
        self.seen |= new
        return sorted(new)

    def size(self, layer):
        return len(layer)

    def pieces(self, layer):
        yield layer

    def leave(self, words):
        return words


class Solved(Numbers):
    """The same, with what a search needs."""

    def met(self, layer):
        return np.array([number for number in layer if number == 77], np.int64)

    def before(self, words, layer, watch):
        return np.array([n for n in layer if {n + 1, 2 * n} & set(words.tolist())], np.int64)

    def leave(self, words):
        return np.asarray(words).tolist()


def test_an_encoding_of_ones_own_counts_and_solves():
    def moves(number):
        return [each for each in (number + 1, 2 * number) if each < 100]

    usual = Custom(moves, 1, lambda number: number == 77)
    own = Custom(moves, 1, lambda number: number == 77, encoding=lambda puzzle: Solved())
    assert puzzlespace.depths(own, keep=3) == replaced(puzzlespace.depths(usual, keep=3), "encoded")
    assert puzzlespace.solve(own, count=True).solutions == puzzlespace.solve(usual, count=True).solutions
    counted = Custom(moves, 1, 77, encoding=lambda puzzle: Numbers())
    assert puzzlespace.depths(counted).counts == puzzlespace.depths(usual).counts
    with pytest.raises(puzzlespace.UnsupportedError, match="Numbers: it does not find goals"):
        puzzlespace.solve(counted)
    with pytest.raises(InputError, match="encoding to return an Encoding"):
        puzzlespace.solve(Custom(moves, 1, 77, encoding=lambda puzzle: 3))
    with pytest.raises(InputError, match="encoding to be a function"):
        Custom(moves, 1, 77, encoding=3)


def replaced(table, engine):
    """The same table by another engine, in as many seconds as any."""
    return replace(table, engine=engine, seconds=mock.ANY, generated=mock.ANY)


def test_a_wrong_encoding_is_found_out():
    class Wrong(Numbers):
        def following(self, layer, watch, bound):
            return super().following(layer, watch, bound)[1:]

    own = Custom(lambda n: [each for each in (n + 1, 2 * n) if each < 100], 1, 77, encoding=lambda puzzle: Wrong())
    table = puzzlespace.depths(own)
    assert table.engine != "encoded"
    assert table.states == 99


def test_the_example_of_the_document_runs():
    text = (ROOT / "docs" / "adding-an-encoding.md").read_text()
    example = text.split("```python\n")[1].split("```")[0]
    made = {}
    exec(example, made)
    assert puzzlespace.depths(made["puzzle"]).engine == "encoded"


def test_the_template_runs_as_it_is_copied(tmp_path, capsys):
    shutil.copy(TEMPLATE, tmp_path / "mine.py")
    runpy.run_path(str(tmp_path / "mine.py"), run_name="__main__")
    shown = capsys.readouterr().out.splitlines()
    made = runpy.run_path(str(TEMPLATE))["puzzle"]
    table = puzzlespace.depths(made, engine="plain")
    answer = puzzlespace.solve(made, engine="plain")
    assert shown == [f"{answer.moves} moves", f"{table.states} positions, the farthest {table.depth} moves away"]
    assert answer.status is Status.OPTIMAL
    assert puzzlespace.solve(made).engine == "encoded"
