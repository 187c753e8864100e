"""Goal positions of sentences that are split into cases are those that the sentence is true of."""

from random import Random

import lawful_models as lawful
from puzzlespace.analysis import placements
from puzzlespace.analysis.impossible import goal_positions


def test_split_sentences_have_the_goal_positions_of_whole_ones(monkeypatch):
    split = 0
    for seed in range(2026, 2026 + 400):
        model = lawful.random_model(Random(seed))
        found = goal_positions(model)
        goal_positions.cache_clear()
        with monkeypatch.context() as patched:
            patched.setattr(placements, "LEAST_TRIED", 10**9)  # then no sentence is split
            whole = goal_positions(model)
        goal_positions.cache_clear()
        assert found is not None
        assert set(found) == set(whole)
        assert all(lawful.meets(model, position) for position in found)
        split += any(goal.sentence is not None for goal in model.goals) and len(found) > 2
    assert split > 20


def test_a_sentence_with_many_placements_is_listed_by_its_cases():
    from puzzlespace import load

    model = load("ballsort").model()
    goals = goal_positions(model)
    assert len(goals) == 60
    assert all(map(model.is_goal, goals))
