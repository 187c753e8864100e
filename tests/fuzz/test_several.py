"""Files with several rules against the second readings of the single rules."""

import warnings
from random import Random

import pytest

from fuzz import changes_reference, several
from fuzz.engines import compared
from puzzlespace import catalogue
from puzzlespace.api.loader import from_text
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.errors import FormatError, PuzzleWarning
from puzzlespace.formats import pzl
from puzzlespace.limits.watch import Limits, Watch

SOME = range(40)
FEWER = range(500, 512)
LARGEST = 300
MANY = 3000
"""Files of the long test."""


def drawn(seed):
    text, parts = several.sketched(seed)
    try:
        with warnings.catch_warnings(action="ignore", category=PuzzleWarning):
            return text, parts, from_text(text, "several.pzl")
    except FormatError:  # some name symbols that are nowhere
        return text, parts, None


def checked(seeds, most):
    """How many puzzles of at most so many positions have the numbers of the second readings."""
    count = 0
    for seed in seeds:
        text, parts, puzzle = drawn(seed)
        if puzzle is None:
            continue
        assert pzl.parse(pzl.print_draft(puzzle.draft)) == puzzle.draft, seed
        model = puzzle.model()
        found = plain.depths(
            Depths(model, (model.start,), keep=0, collect=model.goals), Watch(Limits(positions=4 * most))
        )
        counts, solution = found.counts, min((depth for _, depth in found.collected), default=None)
        if found.stopped is not None or sum(counts) > most:
            continue
        mine = {"states": sum(counts), "depth": len(counts) - 1, "hardest": counts[-1], "solution": solution}
        assert several.Together(text, parts).numbers(2 * most) == mine, (seed, text)
        count += 1
    return count


def test_several_rules_together_mean_what_the_second_readings_say():
    assert checked(SOME, LARGEST) > 0.3 * len(SOME)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, MANY, 300))
def test_many_files_of_several_rules_mean_what_the_second_readings_say(first):
    assert checked(range(first, first + 300), 1000) > 100


@pytest.mark.long
def test_a_puzzle_of_the_catalogue_has_the_numbers_of_the_second_readings():
    text = catalogue.text("babylon")
    keys = changes_reference.reference.sections(text)
    slide = f"rule: slide\nlines: {keys['lines'][0]}\n"
    turn = "rule: apply\nmoves:\n  " + "\n  ".join(keys["moves"]) + "\n"
    found = several.Together(text + "kinds: k = A\nplaces: p = a1\n", [slide, turn]).numbers(6000)
    assert found == changes_reference.known(text)


def test_a_loop_is_found_in_both_readings():
    text = "rule: slide\nrule: change\nmoves:\n  A -> B\nafter:\n  A . -> . A  row\nstart: A . .\n"
    with pytest.raises(FormatError, match="expected an end of what happens by itself, found a loop"):
        from_text(text, "several.pzl")
    with pytest.raises(changes_reference.EndlessError):
        several.Together(text + "kinds: k = A\nplaces: p = a1\ngoal: some A on a1\n", text.split("start")[:1])


def test_every_engine_that_accepts_several_rules_answers_as_the_plain_one():
    total = 0
    for seed in FEWER:
        text, _, puzzle = drawn(seed)
        if puzzle is not None:
            answers, wrong = compared(puzzle, Random(seed), f"several {seed}")
            assert not wrong, (wrong, text)
            total += answers.total()
    assert total > 50
