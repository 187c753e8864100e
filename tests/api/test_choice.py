"""The automatic choice: engines say themselves when they are worth using."""

import ast
from dataclasses import replace
from inspect import getsource

import pytest

from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api import choice, dispatch
from puzzlespace.api.loader import from_text, load
from puzzlespace.contract.answers import Geodesics, Layers
from puzzlespace.contract.questions import FEW_PLACEMENTS, SOME_PLACEMENTS, Depths, Prospect, Search, Worth
from puzzlespace.engines import table, template
from puzzlespace.errors import LimitError, UnsupportedError
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.registry import ENGINES


def search_of(name, metric="step"):
    model = load(name).model(metric)
    goals = goal_positions(model)
    return Search(model, model.start or goals[0], goals if goals is None else tuple(goals))


def depths_of(name, metric="step"):
    model = load(name).model(metric)
    return Depths(model, (model.start or goal_positions(model)[0],))


@pytest.fixture
def asked(monkeypatch):
    """The engines that are asked, each with its limit of positions; every answer is that the limit was passed."""
    log = []

    def noted(each):
        def search(question, watch):
            log.append((each.name, watch.limits.positions))
            return Geodesics((), 0, 0.0, 1, LimitError("positions", "enough"))

        def depths(question, watch):
            log.append((each.name, watch.limits.positions))
            if len(log) == 1 and each.name == "table":
                raise UnsupportedError("not these sources")
            return Layers((1,), (), False, 0, 0.0, stopped=LimitError("positions", "enough"))

        return replace(each, search=each.search and search, depths=each.depths and depths)

    monkeypatch.setattr(choice, "ENGINES", tuple(map(noted, choice.ENGINES)))
    monkeypatch.setattr(dispatch.selfcheck, "wrong_counts", lambda question, found: None)
    return log


@pytest.mark.parametrize(
    ("name", "engines"),
    [
        ("eight", [("bidirectional", 10_000), ("frontier", None)]),
        ("klotski", [("bidirectional", 10_000), ("frontier", 200_000), ("blocks", None)]),
        ("traffic-jam-1", [("plain", 5_000), ("blocks", None)]),
        ("english", [("pegs", None)]),
        ("slide:4x4", [("idastar", None)]),
    ],
)
def test_a_search_is_taken_over_by_faster_engines(asked, name, engines):
    name_of_last, _ = dispatch.search(search_of(name), Watch())
    assert asked == engines
    assert name_of_last == engines[-1][0]


def test_boxes_are_pushed_by_plain_python_for_about_a_second(asked):
    dispatch.search(search_of("microban36", "push"), Watch())
    assert asked == [("bidirectional", 40_000), ("boxes", None)]


def test_a_small_limit_of_positions_is_for_the_first_engine(asked):
    dispatch.search(search_of("eight"), Watch(Limits(positions=1_000)))
    assert asked == [("bidirectional", 1_000)]


def test_one_end_is_searched_from_if_goals_are_not_listed(asked):
    dispatch.search(replace(search_of("eight"), goals=None), Watch())
    assert asked[0] == ("plain", 10_000)


def test_a_bound_asked_for_by_name_goes_to_the_engine_that_uses_bounds(asked):
    dispatch.search(replace(search_of("eight"), heuristic="distance"), Watch())
    assert asked == [("idastar", None)]
    dispatch.search(replace(search_of("english"), heuristic="distance"), Watch())
    assert asked[1:] == [("astar", None)]


@pytest.mark.parametrize(
    ("name", "engines"),
    [
        ("hanoi:3,3", ["plain"]), ("eight", ["frontier"]), ("goat", ["table", "blocks"]), ("english", ["pegs"]),
        ("slide:3x4", ["table", "frontier"]),
    ],
)  # fmt: skip
def test_depths_are_counted_by_the_fastest_engine_worth_using_and_by_the_next_if_it_cannot(asked, name, engines):
    dispatch.depths(depths_of(name), Watch())
    assert [engine for engine, _ in asked] == engines


def test_no_large_table_is_made_for_few_reachable_positions():
    """Pieces block each other: 10,920 of 89 million numbered positions are reachable; the table has 442 MB."""
    model = from_text("rule: slide\ncount: step\nstart: C C # F / E # # C / A D C D / G B . D\n", "blocked").model()
    question = Depths(model, (model.start,))
    name, found = dispatch.depths(question, Watch())
    assert (name, sum(found.counts)) == ("plain", 10_920)
    assert table.worth(question, Prospect(Watch(), lambda: 10**8)).after > found.generated
    assert table.worth(replace(question, sources=(model.start,) * 10**5), Prospect(Watch(), lambda: 10**8)) == Worth()


def test_a_new_engine_is_chosen_because_it_says_so(monkeypatch):
    monkeypatch.setattr(choice, "ENGINES", (*ENGINES, replace(template.ENGINE, speed=5_000)))
    assert dispatch.depths(depths_of("eight"), Watch())[0] == "template"
    assert dispatch.depths(depths_of("hanoi:3,3"), Watch())[0] == "plain"


def test_engines_of_equal_speed_are_asked_in_the_order_of_the_registry(monkeypatch):
    twin = replace(ENGINES[0], name="twin")
    for engines in ((twin, ENGINES[0]), (ENGINES[0], twin)):
        monkeypatch.setattr(choice, "ENGINES", engines)
        assert dispatch.depths(depths_of("hanoi:3,3"), Watch())[0] == engines[0].name


def test_the_choice_names_no_engine():
    words = {node.value for node in ast.walk(ast.parse(getsource(choice))) if isinstance(node, ast.Constant)}
    assert words.isdisjoint({each.name for each in ENGINES})


LOW = Thresholds({FEW_PLACEMENTS: 0, SOME_PLACEMENTS: 0})


@pytest.mark.parametrize("name", ["goat", "eight", "cube2", "english"])
@pytest.mark.parametrize("engine", [*ENGINES, template.ENGINE], ids=lambda engine: engine.name)
def test_an_engine_that_refuses_is_not_worth_using(engine, name):
    assert engine.worth is not None
    assert engine.speed > 0
    for metric in (load(name).metrics[0], load(name).metrics[-1]):
        for what, question in (("search", search_of(name, metric)), ("depths", depths_of(name, metric))):
            if getattr(engine, what) is not None:
                worth = engine.worth(question, Prospect(Watch(thresholds=LOW), lambda: 10**9))
                assert worth.reason or (worth.after >= 0 and engine.refuses(question.space, what) is None)
