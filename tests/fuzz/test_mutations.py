"""Damaged puzzle files, positions, words, commands and manifests: 2,000 with a fixed seed; endless with `-m fuzz`."""

from __future__ import annotations

import itertools
import time

import pytest

from fuzz import mutations
from puzzlespace.errors import FormatError

SEED, COUNT, MANY = 20261122, 2_000, 20_000


def faults(seed, numbers):
    """The faults of mutants, each with the command that shows it, and the numbers of accepted mutants."""
    told = []

    def tell(number, kind, given, words):
        if kind:
            told.append(f"{words}: python -m tests.fuzz.mutations --seed {seed} --only {number}")

    with mutations.bench() as bench:
        found = mutations.run(bench, seed, numbers, tell)
    print(f"seed {seed}: {found.words()}")
    return told, found


@pytest.mark.parametrize("numbers", [range(COUNT), pytest.param(range(COUNT, MANY), marks=pytest.mark.long)])
def test_damaged_input_is_a_puzzle_or_an_error_of_ours(numbers):
    told, found = faults(SEED, numbers)
    assert not told, told
    assert set(found.tried) == {"puzzle", "position", "word", "command", "manifest", "bytes"}
    assert found.accepted["puzzle"] > 40
    assert found.accepted["position"] > 8
    assert found.accepted["manifest"] > 4


@pytest.mark.fuzz
def test_damaged_input_without_end():
    seed = int(time.time())
    for first in itertools.count(0, 10_000):
        told, _ = faults(seed, range(first, first + 10_000))
        assert not told, told


def test_a_fault_is_noticed_and_named():
    def wrong(seed, number):
        return "puzzle", ("rule: slide", "x.pzl"), None

    with mutations.bench() as bench:
        bench.mutant = wrong
        bench.tried = lambda *given: [].pop()
        found = mutations.run(bench, 1, iter([5]), lambda *told: None)
    assert found.faults == {"IndexError": [5]}


def test_mutants_come_from_seed_and_number_alone():
    with mutations.bench() as bench:
        first = [bench.mutant(3, number)[:2] for number in range(200)]
        assert [bench.mutant(3, number)[:2] for number in range(200)] == first
        assert [bench.mutant(4, number)[:2] for number in range(200)] != first


def test_errors_are_words_that_no_terminal_obeys():
    text = "rule: \x1b[31mslide\n\u202eabc\ttab"
    error = FormatError("expected '\x1b' here", line=1, column=8, hint="\u2028").located("a\x07b", text)
    assert all(letter.isprintable() or letter == "\n" for letter in str(error))
    mutations.explained(error)
