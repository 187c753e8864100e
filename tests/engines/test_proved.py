"""A search begins with the length that is proved already, and only with one that was proved of the same question."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from puzzlespace.api import choice, dispatch
from puzzlespace.api.loader import load
from puzzlespace.api.questions import depths, solve
from puzzlespace.contract.answers import Geodesics
from puzzlespace.contract.questions import FEW_PLACEMENTS, MANY_PLACEMENTS, SOME_PLACEMENTS, Search
from puzzlespace.engines import deepening, plain
from puzzlespace.engines.deepening import ATTEMPT_COLOURS, listed_search, piece_search
from puzzlespace.engines.deepening.iterations import DIVIDED_FROM, PARTS
from puzzlespace.engines.deepening.known import KnownFacts
from puzzlespace.engines.deepening.methods import ATTEMPT_PLAIN, METHODS, PLAIN_ORDERS, QUICK_POSITIONS
from puzzlespace.engines.deepening.piece_search import (
    BELOW_PIECES,
    BELOW_SMALL_PIECES,
    ENTRIES_FINER,
    LARGE_PIECE_TABLES,
    PIECE_TABLES,
    SMALL_PIECE_TABLES,
)
from puzzlespace.errors import LimitError, SelfCheckError, UnsupportedError
from puzzlespace.heuristics.colours import COLOURED_TABLES
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.replay import replay
from toys import grid_edges, slide

TINY = Thresholds(
    {
        FEW_PLACEMENTS: 0, SOME_PLACEMENTS: 0, PLAIN_ORDERS: 0, MANY_PLACEMENTS: 0, ATTEMPT_PLAIN: 100,
        QUICK_POSITIONS: 100, ATTEMPT_COLOURS: 0, COLOURED_TABLES: 3000, SMALL_PIECE_TABLES: 300, PIECE_TABLES: 3000,
        BELOW_SMALL_PIECES: 50, LARGE_PIECE_TABLES: 9000, BELOW_PIECES: 200,
    }
)  # fmt: skip
DIVIDED = {DIVIDED_FROM: -1, PARTS: 6}


def slides_of(chance: Random) -> Search:
    """Return a question about a small board: pieces that differ or are alike, every metric."""
    width, height = chance.choice([(2, 3), (3, 2), (2, 4), (3, 3)])
    kept = list(range(width * height))
    if chance.random() < 0.3:
        kept.remove(chance.choice(kept))
    number = {cell: index for index, cell in enumerate(kept)}
    edges = [(number[a], number[b], way) for a, b, way in grid_edges(width, height) if a in number and b in number]
    kinds = chance.choice([3, len(kept), len(kept)])
    goal = [0, *(1 + n % (kinds - 1) for n in range(len(kept) - 1))]
    model = slide(edges, goal, goal, chance.choice(["step", "run", "multi"]))
    return walked(model, chance, goals=(bytes(goal),))


def listed_of(chance: Random) -> Search:
    model = load(chance.choice(["pancake:6", "burnt:4", "topspin:6,4", "lrx:6"])).model(chance.choice(["step", "run"]))
    return walked(model, chance, goals=(model.goals[0].position,))


def walked(model, chance, goals) -> Search:
    start = goals[0]
    for _ in range(chance.randint(1, 30)):
        start = chance.choice(sorted(model.moves(start)))
    return Search(replace(model, start=start), start, goals, every=chance.random() < 0.5)


def proving(bound, by, report=None):
    """Return the watch of a search of which so much is proved."""
    watch = Watch(report=report, thresholds=by)
    watch.known.begin("search")
    watch.known.prove(bound)
    return watch


def ways_to_search(question):
    """Yield the name of each compiled search that fits a question, and a function that searches with a watch."""
    if deepening.is_listed(question.space):
        if not isinstance(listed_search.read(question.space, question.goals, 0.0), str):
            yield "pairs", lambda watch: listed_search.search(question, watch, 0.0)
        yield "pieces", lambda watch: piece_search.search(question, watch)
        cosets = {LARGE_PIECE_TABLES: 20_000, BELOW_SMALL_PIECES: 0, ENTRIES_FINER: 1 << 40}
        yield (
            "cosets",
            lambda watch: piece_search.search(question, replace(watch, thresholds=watch.thresholds | cosets)),
        )
        return
    for heuristic in ("", "walking", "inversion", "distance", "pattern"):
        facts = KnownFacts.of(replace(question, heuristic=heuristic), Watch(thresholds=TINY))
        try:
            assert facts.bound
        except UnsupportedError:
            continue
        for each in METHODS:
            if each.fits(facts) is None:
                yield (
                    f"{each.name} {heuristic}",
                    lambda watch, run=each.run, facts=facts: run(replace(facts, watch=watch)),
                )


def agrees(question, found, expected):
    """Compare an answer with the layers of all shortest solutions."""
    assert (found.stopped, found.bound, len(found.layers)) == (None, expected.bound, len(expected.layers))
    if question.every:
        assert found.layers == expected.layers
    elif all(len(layer) == 1 for layer in found.layers):
        replay(question.space, [next(iter(layer)) for layer in found.layers])


@pytest.mark.parametrize(("drawn", "count"), [(slides_of, 12), (listed_of, 5)])
def test_whatever_is_proved_before_the_answer_is_the_same_and_shorter_lengths_are_not_tried(drawn, count):
    used = set()
    for seed in range(count):
        chance = Random(seed)
        question = drawn(chance)
        expected = plain.search(replace(question, every=True), Watch())
        moves = len(expected.layers) - 1
        for name, search in ways_to_search(question):
            for proved in {0, moves, moves - 1, chance.randint(0, moves)} - {-1}:
                told = []
                by = TINY | (DIVIDED if chance.random() < 0.5 else {})
                found = search(proving(proved, by, told.append))
                agrees(question, found, expected)
                tried = [each.layer for each in told if each.bound]
                assert all(proved <= length <= moves for length in tried), (seed, name, proved)
                used.add(name.split()[0] if tried else "")
    wanted = {"pairs", "pieces", "cosets"} if drawn is listed_of else {"patterns", "lines", "distances", "tracks"}
    assert wanted <= used, used


@pytest.mark.parametrize("engine", ["auto", "idastar"])
def test_nothing_that_was_proved_of_another_question_is_used(engine):
    """One watch for many questions: other starts, goals and metrics of the same boards."""
    seen = set()
    for seed in range(8):
        chance, watch = Random(seed), Watch(thresholds=TINY)
        made = [slides_of(chance) if chance.random() < 0.7 else listed_of(chance) for _ in range(3)]
        made += [walked(replace(each.space, start=None), chance, each.goals) for each in made]
        made += [replace(each, start=each.goals[0]) for each in made[:2]]
        made += [replace(each, goals=(each.start,), start=each.goals[0]) for each in made[:2]]
        for each in chance.sample(made, len(made)):
            model = replace(each.space, start=each.start, goals=tuple(map(Goal.exactly, each.goals)))
            asked = replace(each, space=model)
            _, found = dispatch.search(asked, watch, engine)
            expected = plain.search(replace(asked, every=True), Watch())
            agrees(asked, found, expected)
            seen.add(found.bound)
        assert not watch.faults
    assert len(seen) > 6


@pytest.fixture
def near():
    """A question of a small board, and all its shortest solutions."""
    model = load("slide:3x3").model()
    question = walked(model, Random(1), (model.goals[0].position,))
    return question, plain.search(replace(question, every=True), Watch())


def test_what_a_wrong_engine_proved_is_forgotten(near, monkeypatch):
    question, expected = near

    def wrong(question, watch):
        watch.known.prove(expected.bound + 2)
        return Geodesics((), 0, 0.0)

    liar = replace(plain.ENGINE, name="liar", search=wrong, speed=20_000)
    monkeypatch.setattr(choice, "ENGINES", (liar, deepening.ENGINE, plain.ENGINE))
    watch = Watch(thresholds=TINY)
    name, found = dispatch.search(question, watch)
    assert [fault.engine for fault in watch.faults] == ["liar"]
    assert name == "idastar"
    agrees(question, found, expected)


def test_what_a_wrong_table_proved_is_forgotten(near, monkeypatch):
    question, expected = near

    def wrong(question, watch):
        watch.known.prove(expected.bound + 2)
        raise SelfCheckError("damaged")

    class Table:
        def engine(self):
            return replace(plain.ENGINE, name="table", search=wrong)

        def give_up(self, error):
            pass

    monkeypatch.setattr(choice, "ENGINES", (replace(deepening.ENGINE, worth=plain.worth), plain.ENGINE))
    name, found = dispatch.search(question, Watch(thresholds=TINY), cached=Table())
    assert name == "idastar"
    agrees(question, found, expected)


@pytest.mark.parametrize("asks", [lambda: solve("hanoi:3,4").moves, lambda: len(depths("hanoi:3,4").counts) - 1])
def test_a_question_that_is_asked_while_an_engine_is_at_work_is_another_one(asks):
    """A function of the user may ask one: the moves of a puzzle, or a report of progress."""

    def search(question, watch):
        watch.known.prove(2)
        assert asks() == 15
        assert (watch.known.question, watch.known.bound, watch.known.layers) == ("search", 2, ())
        raise LimitError("positions", "enough")

    answer = solve("eight", engine=replace(plain.ENGINE, name="asking", search=search))
    assert (answer.stopped.kind, answer.bound) == ("positions", 2)


def test_a_watch_of_no_question_keeps_no_bound():
    """An engine that is asked directly may get the same watch for several questions."""
    watch = Watch()
    watch.known.prove(1_000)
    assert watch.known.bound == 0
    watch.known.begin("search")
    watch.known.prove(3)
    with watch.known.aside():
        watch.known.prove(1_000)
        assert watch.known.bound == 0
    assert watch.known.bound == 3
