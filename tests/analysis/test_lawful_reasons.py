"""Reasons that name laws say only what is proved: each claim is compared with a search that shares no code with it."""

import re
from dataclasses import replace
from random import Random

import pytest

import lawful_models as reference
from puzzlespace.analysis import lawful
from puzzlespace.analysis.impossible import goal_positions, why_impossible
from puzzlespace.api import questions
from puzzlespace.errors import EndlessError, UnsupportedError

SEEDS = range(2026, 2026 + 900)


def lawful_models():
    """Yield random models with laws or stages, each with the distances of the reference."""
    for seed in SEEDS:
        model = reference.random_model(Random(seed))
        if not model.metric.lawful:
            continue
        try:
            yield model, reference.reached(model)
        except EndlessError:
            continue


def fewest(model):
    """Return the fewest moves from the start to a goal by the reference, or None."""
    try:
        return reference.reached(model).left.get(model.start)
    except EndlessError:
        return "unknown"


def without(model, names):
    laws = tuple(law for law in model.metric.laws if law.name not in names)
    return replace(model, metric=replace(model.metric, laws=laws))


def test_a_goal_that_is_said_to_be_forbidden_is_never_reached():
    said = {"forbidden": 0, "restless": 0}
    for model, reached in lawful_models():
        reason = lawful.forbidden_goals(model)
        if reason is not None:
            assert model.start not in reached.left
            said["forbidden" if reason.text.startswith("every goal is forbidden") else "restless"] += 1
    assert min(said.values()) > 5


def test_placements_that_meet_the_goal_but_are_forbidden_are_named():
    said = 0
    for model, reached in lawful_models():
        goals = goal_positions(model)
        reason = None if goals is None else why_impossible(model, model.start, goals)
        if reason is None or reference.meets(model, model.start):
            continue
        assert model.start not in reached.left
        if reason.text.startswith("every goal is forbidden: "):
            names = {law.name for law in model.metric.laws}
            assert {*reason.text.removeprefix("every goal is forbidden: ").split("; ")} <= names
            said += 1
        elif not goals and reason.kind == "pieces":
            assert not goal_positions(lawful.without(model, model.metric.laws))
    assert said > 15


def test_what_a_search_without_laws_shows_is_true():
    said = dict.fromkeys(("one", "all", "only", "without"), 0)
    for model, reached in lawful_models():
        if model.start in reached.left or not model.metric.laws:
            continue
        text = lawful.searched(model).text.removeprefix(lawful.SEARCHED)
        names = {law.name for law in model.metric.laws}
        lawless = fewest(without(model, names))
        alone = {name: fewest(without(model, {name})) for name in names}
        for name, number in re.findall(r"(law \d) \((?:cost|moves): (\d+)", text):
            assert alone.pop(name) == int(number)
            said["one"] += 1
        if text.startswith("; one can be reached if nothing is forbidden"):
            assert int(re.search(r"(\d+)", text)[1]) == lawless
            said["all"] += 1
            if text.endswith("left out"):
                assert not any(alone.values())
                said["only"] += 1
        elif text.startswith("; none can be"):
            assert lawless is None
            said["without"] += 1
        elif text:
            assert not any(number for number in alone.values() if number != "unknown")
        else:
            assert lawless == "unknown"
    assert min(said.values()) > 2, said


CROSSING = """
title: Four
rule: change
board: boat wolf goat cabbage
moves:
  alone: boat L <-> R
  wolf: boat wolf L <-> R
  goat: boat goat L <-> R
  cabbage: boat cabbage L <-> R
forbid:
  eaten: wolf = goat != boat
  nibbled: goat = cabbage != boat
{more}
start: L L L L
goal: {goal}
"""


def test_depths_to_goals_that_are_all_forbidden_say_why(tmp_path):
    file = tmp_path / "four.pzl"
    file.write_text(CROSSING.format(more="", goal="R L L *").strip())
    with pytest.raises(UnsupportedError, match="every goal is forbidden: eaten; measure from the start"):
        questions.depths(file, origin="goal")


@pytest.mark.parametrize(
    ("more", "goal", "kind", "text"),
    [
        ("", "R L L R", "law", "every goal is forbidden: eaten"),
        ("", "R L L *", "law", "every goal is forbidden: eaten"),
        ("", "wolf = goat != boat and cabbage = L", "law", "every goal is forbidden: eaten"),
        ("", "wolf = R and goat = R and boat = L or goat = cabbage != boat and wolf = R", "law",
         "every goal is forbidden: eaten; nibbled"),
        ("  shy: wolf = cabbage", "R R R R", "law",
         "every goal is forbidden: shy"),
        ("  shy: wolf = cabbage = L", "R R R R", "law",
         f"{lawful.SEARCHED}; one can be reached if one of these is allowed: eaten (moves: 5), nibbled (moves: 5), "
         "shy (moves: 7)"),
        ("  shy: count L at most 2 and boat = L", "R R R R", "law",
         f"{lawful.SEARCHED}; one can be reached if this is allowed: shy (moves: 7)"),
    ],
)  # fmt: skip
def test_the_reason_names_the_sentence_of_the_file(tmp_path, more, goal, kind, text):
    file = tmp_path / "four.pzl"
    file.write_text(CROSSING.format(more=more, goal=goal).strip())
    answer = questions.solve(file)
    assert (answer.reason.kind, answer.reason.text) == (kind, text)
