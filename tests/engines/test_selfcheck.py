"""Wrong answers of fast engines are noticed in the run that gives them: each kind of wrong answer, planted."""

from collections import Counter
from dataclasses import replace
from functools import cache
from math import inf

import pytest

import puzzlespace
from commands import run, run_json
from fuzz.generators import draw
from liar import LIAR
from puzzlespace.api import choice, dispatch
from puzzlespace.api.loader import from_text
from puzzlespace.contract.answers import Geodesics
from puzzlespace.contract.questions import Depths, Engine, Search
from puzzlespace.engines import frontier, pegs, plain
from puzzlespace.engines.shared import selfcheck
from puzzlespace.engines.shared.plain_arrays import ArrayMoves
from puzzlespace.errors import LimitError, SelfCheckError, SelfCheckWarning
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.model import Model
from puzzlespace.model.rule import Rule
from toys import eight, ring

RING = ring(12)


def question(**other):
    return Depths(RING, (RING.start,), **other)


def right(**other):
    return plain.depths(question(**other), Watch())


@cache
def eight_counted():
    asked = Depths(eight(), (eight().start,))
    return asked, plain.depths(asked, Watch())


WRONG = {
    "a layer too small": lambda layers: replace(layers, counts=(1, 2, 2, 1, 2, 2, 1)),
    "a layer too large": lambda layers: replace(layers, counts=(1, 2, 3, 2, 2, 2, 1)),
    "the last layer missing": lambda layers: replace(layers, counts=layers.counts[:-1]),
    "a layer too many": lambda layers: replace(layers, counts=(*layers.counts, 1)),
    "no layers": lambda layers: replace(layers, counts=()),
    "another hardest position": lambda layers: replace(layers, deepest=(RING.start,)),
    "a hardest position missing": lambda layers: replace(layers, deepest=()),
}


def test_right_counts_pass():
    assert selfcheck.wrong_counts(question(), right()) is None
    assert selfcheck.wrong_counts(question(keep=0), right(keep=0)) is None


@pytest.mark.parametrize("change", WRONG.values(), ids=list(WRONG))
def test_wrong_counts_are_noticed(change):
    assert selfcheck.wrong_counts(question(), change(right())) is not None


@pytest.mark.parametrize("arrays", [False, True])
def test_a_layer_that_is_too_small_is_noticed_before_it_is_whole(arrays, monkeypatch):
    """Layers 9 and 10 begin in the budget; arrays make the moves of a few positions at once."""
    monkeypatch.setattr(selfcheck, "AT_ONCE", 7)
    asked, layers = eight_counted()
    for depth in (9, 10):
        small = replace(layers, counts=(*layers.counts[:depth], layers.counts[depth] // 8, *layers.counts[depth + 1 :]))
        budget = selfcheck.Budget(60, sum(layers.counts[:depth]) + layers.counts[depth] // 4, arrays=arrays)
        assert selfcheck.wrong_counts(asked, layers, budget) is None
        assert "or more" in str(selfcheck.wrong_counts(asked, small, budget))


@pytest.mark.parametrize("positions", range(14))
def test_right_counts_pass_wherever_the_budget_ends(positions):
    for budget in (selfcheck.Budget(60, positions), selfcheck.Budget(0, positions)):
        assert selfcheck.wrong_counts(question(), right(), budget) is None


def test_moves_made_together_are_those_made_one_by_one():
    """Moves from layers of random puzzles, except those that the arrays refuse."""
    together = Counter()
    for seed in range(60):
        puzzle = from_text(draw(seed), "x.pzl")
        for metric in puzzle.metrics:
            model = puzzle.model(metric)
            arrays = ArrayMoves(model)
            if model.anchor is None or arrays.least is None:
                continue
            layer = {model.anchor}
            for _ in range(3):
                layer |= {child for position in layer for child in model.moves(position)}
            alone = {child for position in layer for child in model.moves(position)}
            assert arrays.children(layer) - layer == alone - layer, seed
            together[puzzle.kind.name, metric] += 1
    assert len(together) > 6


def test_a_stopped_count_is_held_against_the_layers_that_it_has():
    stopped = replace(right(), counts=(1, 2, 2), complete=False)
    assert selfcheck.wrong_counts(question(), stopped) is None
    assert selfcheck.wrong_counts(question(), replace(stopped, counts=(1, 2, 1))) is not None


def test_wrong_solutions_are_noticed():
    asked = Search(RING, RING.start)
    found = plain.search(asked, Watch())
    budget = selfcheck.Budget()
    assert selfcheck.wrong_solution(asked, found, budget) is None
    longer = replace(found, layers=(*found.layers, *found.layers[-1:] * 2))
    assert "expected a solution of 1 move at most" in str(selfcheck.wrong_solution(asked, longer, budget))
    assert "no solution" in str(selfcheck.wrong_solution(asked, Geodesics((), 0, 0.0), budget))
    odd = replace(found, layers=(*found.layers, *found.layers[-1:]))
    assert "odd number of moves" in str(selfcheck.wrong_solution(asked, odd, selfcheck.Budget(0, 0)))


def searches(seed):
    """The searches of a random puzzle, with answers by plain layers; goals are listed if each is one position."""
    puzzle = from_text(draw(seed), "x.pzl")
    for metric in puzzle.metrics:
        model = puzzle.model(metric)
        if model.start is None or not model.goals:
            continue
        goals = tuple(goal.position for goal in model.goals if goal.position is not None and not goal.counts)
        asked = Search(model, model.start, goals if len(goals) == len(model.goals) else None)
        found = plain.search(asked, Watch(Limits(positions=20_000)))
        if found.stopped is None:
            yield asked, found


def longer(found, moves):
    return replace(found, layers=found.layers + found.layers[-1:] * moves)


def test_right_solutions_of_random_puzzles_pass_and_wrong_ones_are_noticed():
    """For small and large budgets, which end before, in and after layers around the goals."""
    checked = Counter()
    for seed in range(60):
        for asked, found in searches(seed):
            for budget in (selfcheck.Budget(0, moves=10), selfcheck.Budget(0, moves=300), selfcheck.Budget(60)):
                assert selfcheck.wrong_solution(asked, found, budget) is None, seed
            near = selfcheck._near_goals(asked, selfcheck.Budget(60))
            whole = near is not None and near.whole == inf
            if found.layers:
                length = len(found.layers) - 1
                for more in (1, 2):
                    wrong = selfcheck.wrong_solution(asked, longer(found, more), selfcheck.Budget(60))
                    assert (
                        f"expected a solution of {length} move{'s' * (length != 1)} at most, found {length + more}"
                        in wrong
                    ), seed
                assert "no solution" in selfcheck.wrong_solution(asked, Geodesics((), 0, 0.0), selfcheck.Budget(60))
            checked[bool(found.layers), near is not None, whole] += 1
    assert {(True, True, True), (True, False, False), (False, True, True)} <= checked.keys(), checked


def test_layers_around_the_goals_give_the_distances_of_plain_layers():
    compared = 0
    for seed in range(60):
        for asked, _ in searches(seed):
            near = selfcheck._near_goals(asked, selfcheck.Budget(0, moves=200))
            for position, distance in list(near.distances.items())[:40] if near is not None else ():
                found = plain.search(replace(asked, start=position), Watch())
                assert len(found.layers) == distance + 1, (seed, position)
                compared += 1
    assert compared > 500


def test_many_questions_share_layers_around_the_goal():
    """One check cannot see that 18 moves are two too many; 60 checks together can."""
    model = eight()
    goals = (model.start,)
    asked = Search(replace(model, goals=(Goal.exactly(model.start),)), model.start, goals)
    far = plain.depths(Depths(model, goals, keep=1), Watch(Limits(positions=30_000))).deepest[0]
    asked = replace(asked, start=far)
    right = plain.search(asked, Watch())
    assert len(right.layers) == 17
    budget = selfcheck.Budget(0, moves=600)
    checks = [selfcheck.wrong_solution(asked, longer(right, 2), budget) for _ in range(60)]
    assert checks[0] is None
    assert "expected a solution of" in checks[-1]
    assert selfcheck.wrong_solution(asked, right, budget) is None


def test_moves_that_layers_around_the_goal_do_not_need_are_made_from_the_start():
    """A token goes 149 cells along a line; 40 other cells lead to its end, so a second layer there does not fit."""
    edges = [(cell, cell + 1) for cell in range(149)] + [(cell, 149) for cell in range(150, 190)]
    rules = tuple(Rule.put(f"{a}-{b}", (a, b), (1, 0), (0, 1), 2) for a, b in edges)
    start, goal = (bytes(cell == token for cell in range(190)) for token in (0, 149))
    asked = Search(Model(190, 2, rules, start=start, goals=(Goal.exactly(goal),)), start, (goal,))
    wrong = longer(plain.search(asked, Watch()), 1)
    budget = selfcheck.Budget(0, moves=200)
    assert "149 moves at most, found 150" in str(selfcheck.wrong_solution(asked, wrong, budget))
    assert selfcheck._near_goals(asked, selfcheck.Budget(0, moves=1)).whole == 1


def test_layers_around_the_goals_cost_what_the_questions_allow():
    model = eight()
    near = selfcheck.NearGoals(model, (model.start,))
    for number in range(1, 30):
        near.grow(selfcheck.Budget(0, moves=300))
        assert near.made < 1.1 * 300 * number
    assert near.made > 2_000


def test_a_limit_while_layers_grow_leaves_them_right():
    """Moves raise a LimitError now and then: the layers that were found before stay as they were."""
    model = eight()

    class Stopping:
        calls = 0

        def moves(self, position):
            self.calls += 1
            if self.calls % 50 == 49:
                raise LimitError("seconds", "stopped")
            return model.moves(position)

    near = selfcheck.NearGoals(Stopping(), (model.start,))
    stopped = 0
    for _ in range(20):
        try:
            near.grow(selfcheck.Budget(0, moves=40))
        except LimitError:
            stopped += 1
    assert stopped
    assert near.whole > 3
    counts = Counter(near.distances.values())
    assert [counts[depth] for depth in range(int(near.whole) + 1)] == list(
        eight_counted()[1].counts[: int(near.whole) + 1]
    )


@pytest.fixture
def liar(monkeypatch, tmp_path):
    """The engine frontier gives wrong answers; what is kept goes to a folder of the test."""
    engines = tuple(LIAR if each.name == "frontier" else each for each in choice.ENGINES)
    monkeypatch.setattr(choice, "ENGINES", engines)
    monkeypatch.setenv("PUZZLESPACE_CACHE", str(tmp_path))
    return tmp_path


def test_a_solution_shorter_than_a_bound_is_noticed(monkeypatch):
    puzzle = puzzlespace.load("eight")
    found = Engine(
        "liar", lambda space, question: None, search=lambda asked, watch: frontier.ENGINE.search(asked, watch)
    )
    assert puzzlespace.solve(puzzle, engine=found).moves == 31
    monkeypatch.setattr(dispatch.DistanceBound, "bound", lambda bound, position: 32)
    with pytest.raises(SelfCheckError, match="expected a solution of 32 moves or more, found 31"):
        puzzlespace.solve(puzzle, engine=found)


def test_the_next_engine_answers_and_the_puzzle_is_kept(liar):
    expected = puzzlespace.depths("eight", engine="table").counts
    with pytest.warns(SelfCheckWarning, match="engine frontier, depths, metric step: depth 3"):
        table = puzzlespace.depths("eight", engine="frontier")
    assert table.counts == expected
    assert table.engine != "frontier"
    (kept,) = (liar / "faults").iterdir()
    assert puzzlespace.load(kept).model() == puzzlespace.load("eight").model()
    assert "; engine frontier, depths, metric step: depth 3" in kept.read_text()


def test_a_wrong_solution_is_replaced(liar):
    with pytest.warns(SelfCheckWarning, match="found no solution"):
        answer = puzzlespace.solve("hanoi:3,3", engine="frontier")
    assert answer.moves == 7


def test_the_command_line_gives_the_right_answer_and_the_code_of_a_bug(liar):
    code, answer = run_json("depths", "eight", "--engine", "frontier")
    assert (code, answer["states"], answer["depth"]) == (70, 181_440, 31)
    assert "please report" in run("depths", "eight", "--engine", "frontier")[2]


def test_an_engine_object_that_is_wrong_is_an_error():
    with pytest.raises(SelfCheckError, match="engine frontier: depth 3"):
        puzzlespace.depths("eight", engine=LIAR)


def test_a_table_that_is_wrong_is_not_finished(tmp_path, monkeypatch):
    from puzzlespace.tables import save

    puzzle = puzzlespace.load("eight")
    monkeypatch.setattr(save.selfcheck, "wrong_counts", lambda question, layers: "depth 3: planted")
    with pytest.raises(SelfCheckError, match="planted"):
        puzzlespace.depths(puzzle, engine=puzzlespace.saving(puzzle, tmp_path / "eight"))
    assert not (tmp_path / "eight" / "manifest.json").exists()


def test_numbers_of_ways_are_held_against_plain_layers(monkeypatch):
    from puzzlespace.api import peg_survey

    puzzle = from_text("rule: jump\ncount: step\nstart: o o . o\ngoal: any one peg\n", "pegs.pzl")
    found = peg_survey.census(puzzle)
    assert (found.reached[0], found.on_ways[0], found.ways) == (3, 3, 1)
    monkeypatch.setattr(pegs, "census", lambda *asked: replace(found, ways=found.ways + 1))
    with pytest.raises(SelfCheckError, match="engine pegs: expected"):
        peg_survey.census(puzzle)
