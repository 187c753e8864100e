"""All engines by all metrics and bounds side by side: agreement is found, and so is an engine that is wrong."""

import pytest

from commands import run, run_json
from liar import LIAR
from puzzlespace import load
from puzzlespace.api import crosscheck
from puzzlespace.limits.watch import Limits
from puzzlespace.registry import ENGINES


@pytest.mark.parametrize("spec", ["hanoi:3,3", "lights:2x2", "pancake:4", "slide:2x3"])
def test_all_engines_agree(spec):
    puzzle = load(spec)
    found = list(crosscheck.answers(puzzle))
    assert crosscheck.differences(found) == []
    assert {each.metric for each in found} == set(puzzle.metrics)
    assert {each.engine for each in found} == {each.name for each in ENGINES if puzzle.start is not None or each.depths}
    assert sum(bool(each.found) for each in found) > len(puzzle.metrics)


def test_an_engine_that_is_wrong_is_named(monkeypatch):
    honest = next(each for each in ENGINES if each.name == "frontier")
    engines = tuple(LIAR if each is honest else each for each in ENGINES)
    monkeypatch.setattr(crosscheck, "ENGINES", engines)
    differing = crosscheck.differences(crosscheck.answers(load("hanoi:3,3")))
    assert {each.question for each in differing} == {"solve", "depths from start", "depths to goal"}
    wrong = {words: names for each in differing for words, names in each.answers if words.startswith("wrong: ")}
    assert wrong
    assert all(names == ("frontier",) for names in wrong.values())


def test_an_answer_that_a_limit_stopped_is_not_compared():
    found = list(crosscheck.answers(load("no-off-a"), Limits(positions=100)))
    assert all(not each.found for each in found if each.question == "depths to goal")
    assert crosscheck.differences(found) == []


def test_the_command_prints_every_answer():
    code, out, _ = run("check", "hanoi:3,3", "--engines")
    assert code == 0
    assert "questions with different answers: 0" in out
    code, answer = run_json("check", "hanoi:3,3", "--engines")
    assert (code, answer["differences"]) == (0, [])
    assert {each["engine"] for each in answer["answers"]} == {each.name for each in ENGINES}
