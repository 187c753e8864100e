"""Puzzles of pieces with sentences against the two second readings, and all engines against the plain one."""

import warnings
from random import Random

import pytest

from fuzz import worded
from fuzz.engines import compared
from puzzlespace.api.loader import from_text
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.errors import FormatError, PuzzleWarning
from puzzlespace.limits.watch import Watch

SOME = range(60)
FEWER = range(2000, 2015)
LARGEST = 3000
MANY = 5000
"""Files of the long test."""


def drawn(seed):
    """The text and the puzzle of a seed; no puzzle if a word of its sentence has two meanings, or no one clear one."""
    text = worded.sketched(seed)
    try:
        with warnings.catch_warnings(action="ignore", category=PuzzleWarning):
            return text, from_text(text, "worded.pzl")
    except FormatError:
        return text, None


def numbers_of(puzzle):
    model = puzzle.model()
    found = plain.depths(Depths(model, (model.start,), keep=0, collect=model.goals), Watch())
    solution = min((depth for _, depth in found.collected), default=None)
    counts = found.counts
    return {"states": sum(counts), "depth": len(counts) - 1, "hardest": counts[-1], "solution": solution}


def checked(seeds):
    """How many puzzles have the numbers of the second readings, by rule kind.

    Letters that no sentence distinguishes may be interchangeable. Then only the length of the solution is the same.
    """
    found = {}
    for seed in seeds:
        text, puzzle = drawn(seed)
        expected = puzzle and worded.Reading(text).numbers(LARGEST)
        if not expected or puzzle.model().metric.costs:
            continue
        alike = puzzle.shapes is not None or any(len(letters) > 1 for letters in puzzle.view.letters)
        words = ["solution"] if alike and "distinct" not in text else list(expected)
        mine = numbers_of(puzzle)
        assert {word: mine[word] for word in words} == {word: expected[word] for word in words}, (seed, text)
        found[puzzle.kind.name] = found.get(puzzle.kind.name, 0) + 1
    return found


def test_sentences_about_pieces_mean_what_the_second_readings_say():
    found = checked(SOME)
    assert found.keys() == {"slide", "push", "jump", "glide", "apply"}
    assert sum(found.values()) > 0.7 * len(SOME)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, MANY, 500))
def test_many_sentences_about_pieces_mean_what_the_second_readings_say(first):
    assert sum(checked(range(first, first + 500)).values()) > 350


def compared_engines(seeds):
    """Compare all engines; return how many answers each gave."""
    total = None
    for seed in seeds:
        text, puzzle = drawn(seed)
        if puzzle is not None:
            answers, wrong = compared(puzzle, Random(seed), f"worded {seed}")
            assert not wrong, (wrong, text)
            total = answers if total is None else total + answers
    return total


def test_every_engine_that_accepts_sentences_answers_as_the_plain_one():
    assert {"frontier", "bidirectional", "astar", "idastar"} <= compared_engines(FEWER).keys()


@pytest.mark.long
@pytest.mark.parametrize("first", range(2000, 2000 + MANY // 5, 100))
def test_every_engine_answers_many_puzzles_as_the_plain_one(first):
    assert compared_engines(range(first, first + 100)).total() > 100
