"""Stages, laws and goals that are sentences on small puzzles whose answers are known."""

import pickle
from dataclasses import replace

import pytest

from puzzlespace.analysis.impossible import goal_positions, why_impossible
from puzzlespace.analysis.traces import count_up_to_commuting
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import bidirectional, frontier, plain
from puzzlespace.errors import EndlessError, LimitError, ModelError
from puzzlespace.limits.watch import Limits, Watch, watched
from puzzlespace.model.goal import Goal
from puzzlespace.model.metric import Metric, Stage
from puzzlespace.model.model import Model
from puzzlespace.model.replay import WrongAnswerError, replay
from puzzlespace.model.rule import ANY, Rule
from puzzlespace.model.sentence import Compared, Connected, Counted, Every, Law, Not, Shows, Some, needs_of
from puzzlespace.registry import ENGINES
from puzzlespace.symmetry.find import symmetries
from puzzlespace.tables.save import refusal
from toys import eight

BOAT, WOLF, GOAT, CABBAGE = range(4)


def same(one, other):
    return Some(tuple(needs_of([(one, 1 << bank), (other, 1 << bank)]) for bank in range(2)))


def crossing(**more):
    """Return wolf, goat and cabbage: 0 is the left bank, 1 the right one."""
    rules = []
    for cells in ([BOAT], [BOAT, WOLF], [BOAT, GOAT], [BOAT, CABBAGE]):
        for here in range(2):
            rules.append(Rule.put("cross", cells, [here] * len(cells), [1 - here] * len(cells), 2))
    laws = tuple(
        Law(name, Every((same(one, GOAT), Not(same(GOAT, BOAT)))))
        for name, one in (("wolf and goat alone", WOLF), ("goat and cabbage alone", CABBAGE))
    )
    given = {"start": bytes(4), "goals": (Goal.exactly(bytes([1] * 4)),), "metric": Metric(laws=laws)}
    return Model(4, 2, tuple(rules), **(given | more))


def engines_for(model, question):
    found = [e for e in ENGINES if getattr(e, question) is not None and e.refuses(model, question) is None]
    return {each.name: getattr(each, question) for each in found}


def test_wolf_goat_and_cabbage():
    model = crossing()
    counting, solving = engines_for(model, "depths"), engines_for(model, "search")
    assert set(counting) == {"plain", "frontier"}
    assert set(solving) == {"plain", "frontier", "bidirectional", "astar", "idastar"}
    for depths in counting.values():
        assert depths(Depths(model, (model.start,)), Watch()).counts == (1, 1, 1, 2, 2, 1, 1, 1)
    for search in solving.values():
        assert len(search(Search(model, model.start, goal_positions(model)), Watch()).layers) == 8
    assert model.reversible
    assert model.broken(bytes([1, 0, 0, 1])) == "wolf and goat alone"
    assert model.broken(bytes([1, 0, 0, 0])) == "wolf and goat alone"


def test_an_engine_that_reads_rules_alone_says_why_not():
    model = crossing()
    reasons = {each.name: each.refuses(model, "depths") for each in ENGINES}
    assert reasons["table"] == "some of its positions are forbidden"
    told = replace(model, metric=Metric(), goals=(Goal((ANY,) * 4, sentence=Shows(0, 2)),))
    assert next(each for each in ENGINES if each.name == "table").refuses(told, "depths") == "its goal is a sentence"
    assert symmetries(model).order == 2
    layers = plain.search(Search(model, model.start), Watch()).layers
    assert count_up_to_commuting(model, layers) is None


def test_moves_lead_out_of_a_forbidden_start_but_not_back():
    start = bytes([1, 0, 0, 1])  # wolf and goat are alone
    model = crossing(start=start)
    assert model.backward is None
    assert not model.reversible
    assert model.moves(start)
    assert all(start not in model.moves(child) for child in model.moves(start))
    question = Search(model, start, goal_positions(model))
    wanted = plain.search(question, Watch())
    assert wanted.layers
    assert frontier.search(question, Watch()).layers == bidirectional.search(question, Watch()).layers == wanted.layers


def test_a_forbidden_goal_is_out_of_reach():
    goal = bytes([0, 1, 1, 0])
    model = crossing(goals=(Goal.exactly(goal),))
    assert model.backward is None
    assert goal_positions(model) == ()
    reason = why_impossible(model, model.start, ())
    assert (reason.kind, reason.text) == ("law", "every goal is forbidden: wolf and goat alone")
    assert plain.search(Search(model, model.start), Watch()).layers == ()


def falling(start, goals=(), **more):
    """Return a column of cells, 0 at the top, with a piece that is lifted by one cell and falls down."""
    count = len(start)
    lift = [Rule.put(f"lift {c}", [c, c - 1], [1, 0], [0, 1], 2) for c in range(1, count)]
    fall = [Rule.put(f"fall {c}", [c, c + 1], [1, 0], [0, 1], 2) for c in range(count - 1)]
    stage = Stage(tuple(range(len(lift), 2 * len(lift))), **more)
    return Model(count, 2, (*lift, *fall), Metric(automatic=(stage,)), bytes(start), tuple(goals))


def test_what_is_lifted_falls_and_that_is_no_move():
    model = falling([0, 0, 0, 1])
    assert model.moves(model.start) == {}
    assert model.moves(bytes([0, 1, 0, 0])) == {bytes([0, 0, 0, 1]): (0, 3, 4, 5)}
    assert model.settle(bytes([0, 1, 0, 0])) == model.start


def test_what_happens_once_happens_after_moves_only():
    model = falling([0, 0, 0, 1], once=True)
    assert model.settle(bytes([0, 1, 0, 0])) == bytes([0, 1, 0, 0])
    assert model.moves(bytes([0, 1, 0, 0])) == {}  # it falls by one cell only, to where it was


def guard():
    """Return a guard who goes one cell on after each move, and a player who waits or goes on to the last cell.

    Cells are the places of a ring of four; 1 is the player, 2 the guard. Waiting changes nothing by itself.
    """
    wait = Rule.put("wait", [0], [1], [1], 3)
    walk = [Rule.put(f"guard {c}", [c, c + 1], [2, 0], [0, 2], 3) for c in range(1, 3)]
    law = Law("the guard is at the end", Shows(3, 1 << 2))
    return Model(4, 3, (wait, *walk), Metric(automatic=(Stage((1, 2), once=True),), laws=(law,)), bytes([1, 2, 0, 0]))


def test_waiting_is_a_move_if_something_happens_after_it():
    model = guard()
    assert model.moves(model.start) == {bytes([1, 0, 2, 0]): (0, 1)}
    assert model.moves(bytes([1, 0, 2, 0])) == {}  # the guard would come to the end, which is forbidden
    assert frontier.depths(Depths(model, (model.start,)), Watch()).counts == (1, 1)
    replay(replace(model, goals=(Goal.exactly(bytes([1, 0, 2, 0])),)), (model.start, bytes([1, 0, 2, 0])))
    with pytest.raises(WrongAnswerError, match="move 2"):
        replay(model, (model.start, bytes([1, 0, 2, 0]), bytes([1, 0, 0, 2])))


def test_what_never_ends_is_an_error_with_the_positions():
    flip = [Rule.put("on", [0], [0], [1], 2), Rule.put("off", [0], [1], [0], 2)]
    push = Rule.put("push", [1], [0], [1], 2)
    model = Model(2, 2, (push, *flip), Metric(automatic=(Stage((1, 2)),)), bytes(2))
    words = r"never ends: .* found \[[01], 1\] -> \[[01], 1\] -> \[[01], 1\]$"
    for depths in engines_for(model, "depths").values():
        with pytest.raises(EndlessError, match=words) as caught:
            depths(Depths(model, (model.start,)), Watch())
        assert sorted(caught.value.positions) == [bytes([0, 1]), bytes([1, 1])]
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(EndlessError):
        model.settle(model.start)
    with pytest.raises(EndlessError):
        replay(model, (model.start, bytes([1, 1])))


def test_a_long_settling_obeys_the_limit_of_time():
    cells = 60  # a binary counter that would count to 2 ** 60
    count = [Rule.put(f"{c}", range(c + 1), [1] * c + [0], [0] * c + [1], 2) for c in range(cells)]
    model = Model(cells, 2, tuple(count), Metric(automatic=(Stage(tuple(range(cells))),)), bytes(cells))
    with pytest.raises(LimitError), watched(Limits(seconds=0.2)):
        model.settle(model.start)
    moved = replace(model, rules=(*count, Rule.put("first", [0], [0], [1], 2)))
    with watched(Limits(seconds=0.2)):
        found = frontier.depths(Depths(moved, (moved.start,)), Watch())
    assert found.stopped.kind == "seconds"


def test_costs_with_stages_count_the_rule_of_the_move_alone():
    model = replace(falling([0, 1, 0, 0]), metric=Metric(costs=(3, 1, 1, 9, 9, 9), automatic=(Stage((3, 4, 5)),)))
    ((child, rules),) = model.moves(model.start).items()
    assert (child, model.cost(rules)) == (bytes([0, 0, 0, 1]), 3)
    assert plain.depths(Depths(model, (model.start,)), Watch()).counts == (1, 0, 0, 1)


RULES = (Rule.put("a", [0], [0], [1], 2), Rule.put("b", [1], [0], [1], 2))


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        (Metric(automatic=(Stage((2,)),)), "expected a rule below 2 in a stage, found 2"),
        (Metric(automatic=(Stage((-1,)),)), "expected a rule below 2 in a stage, found -1"),
        (Metric(automatic=(Stage((1, 1)),)), "expected different rules in a stage"),
        (Metric(laws=(Law("far", Shows(2, 1)),)), "law 'far': expected cells below 2"),
        (Metric(laws=(Law("sum", Compared(((0, (1,)),), 1, 1)),)), "numbers for each of 2 symbols"),
        (Metric(laws=(Law("deep", Not(Some((Counted(1, (0, 5), 0, 1),)))),)), "law 'deep': expected cells below 2"),
        (Metric(laws=(Law("links", Connected(1, ((1,), (4,)))),)), "law 'links': expected cells below 2"),
        (Metric(after=((), ()), laws=(Law("one", Shows(0, 1)),)), "expected moves of one rule each"),
        (Metric(free=(0,), automatic=(Stage((1,)),)), "expected moves of one rule each"),
    ],
)
def test_stages_and_laws_that_do_not_fit_are_refused(metric, words):
    with pytest.raises(ModelError, match=words):
        Model(2, 2, RULES, metric, bytes(2))


def test_a_goal_that_does_not_fit_is_refused():
    with pytest.raises(ModelError, match="goal: expected 2 cells"):
        Model(2, 2, RULES, goals=(Goal((ANY, ANY), sentence=Shows(2, 1)),))


def test_a_goal_with_a_sentence_is_no_position():
    goal = Goal((1, 2), sentence=Shows(0, 2))
    model = Model(2, 2, RULES, start=bytes(2), goals=(goal,))
    assert goal.position is None
    assert not model.is_goal(bytes([0, 1]))
    assert goal_positions(model) == ()


def test_a_goal_whose_cells_contradict_its_counts_is_no_position():
    assert Goal((1, 2), counts=((0, 2),)).position is None
    assert Goal((1, 2), counts=((0, 1),)).position == bytes([0, 1])


def test_fingerprints_know_stages_and_laws_and_the_old_ones_stay():
    plain_model = replace(crossing(), metric=Metric())
    assert eight().fingerprint == "2606dc04f9699060"
    stage, law = (Stage((0,)),), (Law("one", Shows(0, 1)),)
    metrics = [
        Metric(), Metric(automatic=stage), Metric(automatic=(Stage((0,), once=True),)), Metric(laws=law),
        Metric(laws=(Law("other", Shows(1, 1)),)), Metric(automatic=stage, laws=law),
    ]  # fmt: skip
    found = [replace(plain_model, metric=metric).fingerprint for metric in metrics]
    assert len(set(found)) == len(found)
    renamed = replace(plain_model, metric=Metric(laws=(Law("two", Shows(0, 1)),)))
    assert renamed.fingerprint == found[3]  # what people call a law does not matter


def test_no_table_of_it_can_be_saved():
    assert "the engine frontier saves them in layers" in refusal(crossing())
