"""The automaton of redundant sequences of listed moves, held against all sequences of some random moves."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from puzzlespace.engines.deepening import move_words


def drawn(seed):
    """Two to four random permutations, some with powers or inverses beside them: [moves, rows, items]."""
    chance = random.Random(seed)
    items, rows = chance.choice([3, 4, 6]), chance.choice([1, 2])
    moves = [[chance.sample(range(items), items) for _ in range(rows)] for _ in range(chance.choice([1, 2]))]
    found = [np.array(move) for move in moves]
    for move in moves:
        other = np.argsort(np.array(move), axis=1)
        if chance.random() < 0.7 and not any((other == each).all() for each in found):
            found.append(other)
    if chance.random() < 0.3:
        found.append(np.tile(np.arange(items), (rows, 1)))
    return np.array(found)


def effect(acts, word):
    here = np.tile(np.arange(acts.shape[2]), (acts.shape[1], 1))
    for move in word:
        here = np.take_along_axis(acts[move], here, axis=1)
    return here.tobytes()


def accepted(after, word):
    state = 0
    for move in word:
        state = after[state, move]
        if state < 0:
            return False
    return True


@pytest.mark.parametrize("least", [2, 1 << 15])
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 200), marks=pytest.mark.long)])
def test_the_first_word_of_each_effect_may_be_followed(monkeypatch, every, least, seeds):
    monkeypatch.setattr(move_words, "MOST_WORDS", least)
    barred = 0
    for seed in seeds:
        move_words._automaton.cache_clear()
        acts = drawn(seed)
        after = move_words.automaton(acts, every)
        first = {}
        for length in range(7 if len(acts) < 4 else 6):
            for word in product(range(len(acts)), repeat=length):
                found = first.setdefault(effect(acts, word), word)
                right = length == len(found) if every else word == found
                allowed = accepted(after, word)
                assert allowed or not right, (seed, word)
                barred += not allowed
                if least > 2 or length <= 2:  # of so few words all lengths are tested, else only pairs of moves
                    assert allowed == right, (seed, word)
    assert barred > 500
    move_words._automaton.cache_clear()


def test_long_effects_are_compared_for_pairs_only():
    acts = np.array([np.roll(np.arange(300), turn) for turn in (1, -1, 2)])[:, None]
    after = move_words.automaton(acts, False)
    assert [accepted(after, word) for word in ((0, 1), (0, 0), (2, 0), (0, 2), (0, 2, 2))] == [
        False, False, False, True, True,
    ]  # fmt: skip
