"""What is known of an answer is not lost if the question is stopped: by limits, and between any two steps."""

import gc
import tracemalloc
from dataclasses import replace
from random import Random

import pytest

from fuzz.generators import draw
from puzzlespace.api import batches, choice, dispatch, questions
from puzzlespace.api.loader import from_text
from puzzlespace.contract.answers import Status
from puzzlespace.contract.questions import Depths, Engine
from puzzlespace.engines import plain
from puzzlespace.errors import LimitError, PuzzlespaceError
from puzzlespace.limits.known import KnownSoFar
from puzzlespace.limits.stopping import Overdue, interrupted
from puzzlespace.limits.watch import Limits, Watch, watched
from puzzlespace.model import replay
from puzzlespace.registry import ENGINES

NAMES = ["auto", *(each.name for each in ENGINES if each.depths is not None)]


def _tables(seed):
    """Yield the true counts of a random puzzle, and a function that counts with an engine, for each that can."""
    owner = from_text(draw(seed), "drawn.pzl")
    model = owner.model("")
    origin = "goal" if model.goals and model.reversible else "start"
    try:
        true = questions.depths(owner, origin=origin, engine="plain", cache="off")
    except PuzzlespaceError:
        return
    for name in NAMES:
        if name == "auto" or choice.engine(name).refuses(model, "depths") is None:

            def count(name=name, **more):
                return questions.depths(owner, origin=origin, engine=name, cache="off", **more)

            yield true, count


def _prefixes(seed, stopped):
    """Check that what `stopped` counts is a part of the true layers; return how many counts were stopped."""
    found = 0
    for true, count in _tables(seed):
        try:
            table = stopped(count, true)
        except PuzzlespaceError:
            continue
        finally:
            interrupted.clear()
        assert table.counts == true.counts[: len(table.counts)]
        assert table.complete or table.stopped is not None
        if table.complete:
            assert table.counts == true.counts
        found += table.stopped is not None
    return found


@pytest.mark.parametrize("first", range(0, 24, 8))
def test_layers_before_a_limit_of_positions_are_true(first):
    def stopped(count, true):
        return count(limits=Limits(positions=chance.randint(1, max(1, true.generated))))

    found = 0
    for seed in range(first, first + 8):
        chance = Random(seed)
        found += _prefixes(seed, stopped)
    assert found > 8


class Stopper:
    """A report that stops the command at a random layer, as the guard does or as Ctrl-C does."""

    def __init__(self, chance, hard):
        self.left, self.hard = chance.randint(1, 6), hard
        self.layers = 0

    def __call__(self, progress):
        self.left -= 1
        if not progress.bound:
            self.layers = max(self.layers, progress.layer + 1)
        if self.left == 0:
            if self.hard:
                raise Overdue(LimitError("seconds", "late"))
            interrupted[:] = [True]


@pytest.fixture(autouse=True)
def _nothing_is_interrupted():
    yield
    interrupted.clear()


@pytest.mark.parametrize("hard", [True, False])
def test_layers_before_an_interruption_are_true(hard):
    def stopped(count, true):
        stopper = Stopper(chance, hard)
        table = count(progress=stopper)
        if hard and stopper.left <= 0 and table.stopped is not None and true.origin == "start":
            assert len(table.counts) >= stopper.layers
        return table

    found = 0
    for seed in range(20):
        chance = Random(seed)
        found += _prefixes(seed, stopped)
    assert found > 10


def _engine(name, layers, end):
    """Return an engine that counts some layers of the answer of the plain engine and then raises an error."""

    def depths(question, watch):
        for depth, size in enumerate(plain.depths(question, Watch()).counts[:layers]):
            watch.layer(depth, size, size)
        raise end

    return Engine(name, lambda space, question: None, depths=depths, general=True)


def test_an_engine_that_counted_fewer_layers_does_not_make_the_answer_shorter(monkeypatch):
    from puzzlespace.errors import UnsupportedError

    engines = _engine("far", 5, UnsupportedError("it gives up")), _engine("near", 2, Overdue(LimitError("seconds", "")))
    monkeypatch.setattr(choice, "worth_using", lambda question, watch: iter([(each, 0) for each in engines]))
    model = questions.load("hanoi:3,3").model()
    name, found = dispatch.depths(Depths(model, (model.start,)), Watch())
    assert (name, found.counts, found.complete) == ("near", (1, 2, 2, 4, 2), False)


def test_layers_of_a_wrong_engine_are_forgotten():
    known = KnownSoFar()
    known.begin("depths", "a")
    known.layer(0, 1)
    known.layer(1, 7)
    known.count_anew()
    known.layer(0, 1)
    assert known.layers == (1, 7)
    known.forget()
    assert known.layers == ()


def test_another_question_does_not_show_in_the_answer():
    known = KnownSoFar()
    known.begin("depths", "a")
    known.layer(0, 1)
    with known.aside():
        known.begin("depths", "b")
        known.layer(0, 5)
        known.layer(1, 5)
        assert known.apart
    assert (known.layers, known.apart) == ((1,), 0)
    known.begin("depths", "a")
    assert known.layers == (1,)
    known.begin("depths", "b")
    assert known.layers == ()


def test_questions_on_other_threads_note_elsewhere():
    eight = questions.load("eight")
    far = [questions.with_start(eight, text) for text in ("8 6 7 / 2 5 4 / 3 . 1", "1 2 3 / 4 5 6 / 7 . 8")]
    with watched(Limits()) as watch:
        answers = list(batches.solve(far, limits=Limits()))
        assert watch.known.bound == 0
    assert [answer.moves for answer in answers] == [31, 1]


@pytest.mark.parametrize("late", [LimitError("seconds", "late"), Overdue(LimitError("seconds", "late"))])
def test_a_solution_whose_replay_is_stopped_is_told_as_unchecked(monkeypatch, late):
    def stopped(model, path):
        raise late

    monkeypatch.setattr(replay, "replay", stopped)
    answer = questions.solve("eight", cache="off")
    assert (answer.status, answer.moves, answer.unchecked, answer.bound) == (Status.STOPPED, None, 31, 31)
    assert answer.path == ()


def test_a_replay_goes_on_for_a_moment_after_an_interruption(monkeypatch):
    monkeypatch.setattr(dispatch, "_wrong_path", lambda question, found, watch: interrupted.append(True))
    answer = questions.solve("eight", cache="off")
    assert (answer.status, answer.moves) == (Status.OPTIMAL, 31)


def test_the_bound_is_known_although_the_search_was_not_begun():
    eight = questions.load("eight")
    answer = questions.solve(replace(eight), cache="off", limits=Limits(positions=1), engine="plain")
    assert answer.bound is not None
    assert 1 <= answer.bound <= 31


@pytest.mark.parametrize("engine", ["plain", "frontier", "bidirectional", "astar"])
def test_an_answer_that_a_limit_ended_keeps_nothing_else_of_the_search(engine):
    def asked():
        found = questions.solve("klotski", engine=engine, limits=Limits(positions=15_000))
        assert found.stopped is not None
        return found

    asked()
    gc.collect()
    tracemalloc.start()
    try:
        found = [asked() for _ in range(2)]
        gc.collect()
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found) == 2
    assert kept < 200_000 < most
