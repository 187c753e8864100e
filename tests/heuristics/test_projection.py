"""The bound `projection` against all distances of small puzzles: random models, drawn files in every metric."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice, product
from math import inf
from random import Random

import pytest

import lawful_models
from fuzz import changes_drawn, generators
from puzzlespace import Custom, Limits, Status, load, solve
from puzzlespace.api.loader import from_text
from puzzlespace.bounds import projection
from puzzlespace.contract.questions import Search
from puzzlespace.engines import astar, deepening, plain
from puzzlespace.errors import EndlessError, PuzzlespaceError
from puzzlespace.heuristics.projection_choice import PROJECTION_NODES, PROJECTION_WORK, ProjectionChoice
from puzzlespace.heuristics.projection_conditions import KeptConditions, function_of
from puzzlespace.heuristics.projection_phases import discounted, phases_of
from puzzlespace.heuristics.projection_rules import ProjectionView, RuleProjector, TooLargeError
from puzzlespace.heuristics.projection_sentences import outlook
from puzzlespace.heuristics.projection_table import Exploration, ProjectedGoals, Work
from puzzlespace.limits.thresholds import USUAL
from puzzlespace.limits.watch import Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.sentence import Counted
from puzzlespace.search.guide import stepping
from puzzlespace.structure import reached

SMALL = USUAL | {PROJECTION_NODES: 12, PROJECTION_WORK: 60_000}
"""So few positions that no projection keeps everything."""


MOST = 200
"""The most positions of a puzzle that is looked at as a whole."""


def reachable(model, most=MOST):
    """The moves of all positions that the start reaches, or None if there are too many."""
    steps, found, waiting = stepping(model), {}, [model.start]
    while waiting:
        position = waiting.pop()
        if position not in found:
            found[position] = list(steps(position))
            waiting += [child for child, _ in found[position]]
            if len(found) > most:
                return None
    return found


def distances(edges, goals):
    """What the moves from each position to a goal count, by relaxation until nothing changes."""
    found = {position: 0 if position in goals else inf for position in edges}
    changed = True
    while changed:
        changed = False
        for position, steps in edges.items():
            least = min([found[child] + cost for child, cost in steps], default=inf)
            if least < found[position]:
                found[position], changed = least, True
    return found


def random_view(chance, model):
    """A projection that keeps some cells, and of each symbol some class."""
    cells = sorted(chance.sample(range(model.cells), chance.randint(1, min(model.cells, 6))))
    if chance.random() < 0.4:
        cells = list(range(model.cells))
    classes = [chance.randrange(chance.randint(1, model.symbols)) for _ in range(model.symbols)]
    if chance.random() < 0.4:
        classes = list(range(model.symbols))
    number = {each: place for place, each in enumerate(dict.fromkeys(classes))}
    return ProjectionView(tuple(cells), bytes(number[each] for each in classes) + bytes(256 - model.symbols))


def tables(chance, model, goals):
    """Tables of random projections, for the goals one by one and as sets."""
    facts, phases = reached.read(model), phases_of(model)
    for _ in range(2):
        exploration = Exploration(random_view(chance, model), facts, phases, Work(100_000))
        try:
            exploration.run(2_000)
        except TooLargeError:
            continue
        yield exploration.table(ProjectedGoals(None, model.goals))
        yield exploration.table(ProjectedGoals(sorted(goals), model.goals))


def hold(evaluate, edges, true):
    """Hold a bound against all distances; count what it tells."""
    told = Counter[str]()
    for position, steps in edges.items():
        left = evaluate(position)
        assert left <= true[position], position
        assert all(left <= cost + evaluate(child) for child, cost in steps), position
        told["far" if 0 < left < inf else "dead" if left else "nothing"] += 1
    return told


def lawful(seed):
    """A random model with stages, laws and sentences, the moves of its positions, and their distances to a goal."""
    model = lawful_models.random_model(Random(seed))
    try:
        found = lawful_models.reached(model)
    except EndlessError:
        return None
    edges = {position: list(moves.items()) for position, moves in found.moves.items()}
    return model, edges, {position: found.left.get(position, inf) for position in edges}


def test_projections_of_random_models_with_stages_and_laws_claim_too_much_of_no_position():
    told = Counter[str]()
    for seed in range(150):
        if (case := lawful(seed)) is not None:
            model, edges, true = case
            goals = [position for position, left in true.items() if left == 0]
            for table in tables(Random(seed), model, goals):
                assert all(table.view.of(position) in table.left for position in edges)
                told += hold(table.bound, edges, true)
            if goals:
                told += hold(projection.make(model, None, Watch(thresholds=SMALL)), edges, true)
    assert told["far"] > 100
    assert told["dead"] > 500


DRAWS = {
    "slides, jumps, listed moves": (generators.draw, 8),
    "glides": (generators.draw_glide, 6),
    "pushes": (generators.draw_push, 3),
    "changes and stacks": (changes_drawn.draw, 10),
    "chains": (changes_drawn.chains, 4),
}


def models(text, chance):
    """The models of a file in its metrics, with a goal that the start reaches; none if the file is refused."""
    try:
        puzzle = from_text(text, "drawn.pzl")
    except PuzzlespaceError:
        return
    for metric in puzzle.metrics:
        try:
            model = puzzle.model(metric)
            if model.start is None:
                continue
            model = replace(model, start=model.settled(model.start))
            edges = reachable(model)
        except PuzzlespaceError:
            continue
        if edges is not None:
            goals = {position for position in edges if model.is_goal(position)}
            if not goals or chance.random() < 0.3:
                goals = {chance.choice(sorted(edges))}
                model = replace(model, goals=tuple(map(Goal.exactly, goals)))
            yield model, edges, goals


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", DRAWS)
def test_projections_of_drawn_puzzles_claim_too_much_of_no_position(kind):
    draw, number = DRAWS[kind]
    told = Counter[str]()
    for seed in range(number):
        chance = Random(seed)
        for model, edges, goals in islice(models(draw(seed), chance), 3):
            true = distances(edges, goals)
            told += hold(projection.make(model, None, Watch(thresholds=SMALL)), edges, true)
            for table in tables(chance, model, goals):
                told += hold(table.bound, edges, true)
    assert told["far"] > 15


def test_projections_of_moves_until_nothing_can_move_claim_too_much_of_no_position():
    model = load("tilt16").model("tilt")
    chance, told = Random(0), Counter[str]()
    edges = reachable(model, 500)
    assert model.metric.exhausts
    for goal in chance.sample(sorted(edges), 6):
        asked = replace(model, goals=(Goal.exactly(goal),))
        true = distances(edges, {goal})
        told += hold(projection.make(asked, None, Watch(thresholds=SMALL)), edges, true)
        for table in tables(chance, asked, {goal}):
            told += hold(table.bound, edges, true)
    assert told["far"] > 500


def test_a_rule_that_counts_elsewhere_may_begin_a_move_that_counts_here_too():
    """A move of several rules counts once, with its first rule; if that is free for a projection, the whole move is."""
    model = from_text("rule: slide\ncount: piece\nstart: A . .\ngoal: . . A\n", "row.pzl").model()
    facts, used, found = reached.read(model), frozenset(), []
    for cell in (0, 2):
        view = ProjectionView((cell,), bytes(range(model.symbols)) + bytes(256 - model.symbols))
        exploration = Exploration(view, facts, discounted(phases_of(model), used), Work(10_000))
        exploration.run(100)
        found.append(exploration.table(ProjectedGoals(None, model.goals)))
        used |= found[-1].counted
    assert [table.bound(model.start) for table in found] == [1, 0]
    assert len(model.moves(model.start)) == 2


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", DRAWS)
def test_searches_below_projections_find_what_plain_finds(kind):
    draw, number = DRAWS[kind]
    for seed in range(100, 100 + number // 2):
        for model, _, goals in islice(models(draw(seed), Random(seed)), 2):
            question = Search(model, model.start, tuple(sorted(goals)), bound=projection.BOUND)
            expected = plain.search(question, Watch())
            for engine in (astar, deepening):
                assert engine.search(question, Watch(thresholds=SMALL)).layers == expected.layers


def test_what_a_sentence_can_be_covers_what_it_is():
    sure = 0
    for seed in range(400):
        chance = Random(seed)
        cells, symbols = chance.randint(1, 4), chance.randint(2, 3)
        said = lawful_models.sentence(chance, cells, symbols)
        shown = [chance.randint(1, 2**symbols - 1) for _ in range(cells)]
        sets = [[symbol for symbol in range(symbols) if each >> symbol & 1] for each in shown]
        found = {lawful_models.true(said, position) for position in product(*sets)}
        true, false = outlook(said, shown)
        assert (true or True not in found, false or False not in found) == (True, True), seed
        sure += not (true and false)
        if isinstance(said, Counted):
            assert (true, false) == (True in found, False in found)
    assert sure > 100


def test_tests_of_projections_hold_if_a_sentence_does():
    refuted = 0
    for seed in range(300):
        if (case := lawful(seed)) is None:
            continue
        model, edges, _ = case
        chance = Random(seed)
        projector = RuleProjector(random_view(chance, model), reached.read(model))
        said = lawful_models.sentence(chance, model.cells, model.symbols)
        tests = {truth: function_of(KeptConditions(projector).may(said, truth)) for truth in (True, False)}
        for position in edges:
            kept = projector.number(projector.view.of(position))
            assert projector.kept(kept) == projector.view.of(position)
            assert tests[lawful_models.true(said, tuple(position))](kept)
            refuted += not (tests[True](kept) and tests[False](kept))
    assert refuted > 300


def test_facts_hold_in_every_position():
    conserved = 0
    for seed in range(300):
        if (case := lawful(seed)) is not None:
            model, edges, _ = case
            facts = reached.read(model)
            for position in edges:
                assert all(each >> symbol & 1 for each, symbol in zip(facts.possible, position, strict=True))
                for symbols, number in facts.conserved:
                    assert sum(symbols >> symbol & 1 for symbol in position) == number
            conserved += sum(1 for symbols, _ in facts.conserved if symbols != (1 << model.symbols) - 1)
    assert conserved > 30


def test_the_man_and_his_load_are_conserved():
    """In Block Dude a man is one of four symbols, two of which are a man who carries a block."""
    puzzle = load("blockdude")
    symbol = {letter: number for number, (letter, *_) in enumerate(puzzle.view.letters)}
    conserved = dict(reached.read(puzzle.model()).conserved)
    assert conserved[sum(1 << symbol[each] for each in "LRlr")] == 1
    assert conserved[sum(1 << symbol[each] for each in "$c")] == 3


def sums(name, **limits):
    """The sums of projections for a puzzle."""
    model = load(name).model()
    goals = ProjectedGoals(None, model.goals)
    work, most = limits.get("work", PROJECTION_WORK.usual), limits.get("most", PROJECTION_NODES.usual)
    return model, ProjectionChoice(reached.read(model), goals, work, most).sums()


def test_projections_are_added_if_no_move_changes_two_of_them():
    model, found = sums("bishopsattack")
    assert max(sum(table.bound(model.start) for table in each) for each in found) == 36
    assert len(found[0]) == 2  # the bishops on white squares, and those on black ones
    for each in found:
        for one, other in product(each, each):
            assert one is other or one.counted.isdisjoint(other.counted)


@pytest.mark.parametrize("name", ["ballsort", "klotski", "samegame", "floodit", "english", "amaze"])
def test_little_work_is_enough_for_a_bound(name):
    model, found = sums(name, work=20_000)
    assert all(table.bound(model.start) >= 0 for each in found for table in each)
    assert sum(table.nodes for each in found for table in each) < 2_000


def test_a_projection_proves_that_there_is_no_way():
    model = load("chessmixed").model()
    assert projection.make(model, None, Watch())(model.start) == inf
    watch = Watch()
    found = astar.search(Search(model, model.start, None, bound=projection.BOUND), watch)
    assert (found.layers, watch.expanded, found.assumed) == ((), 0, False)


@pytest.mark.parametrize(("name", "moves", "most"), [("pullonly", 46, 4_000), ("ballsort", 12, 500)])
def test_fewer_positions_are_expanded(name, moves, most):
    answer = solve(name, engine="astar", bound="projection", limits=Limits(seconds=60))
    assert (answer.moves, answer.rests_on) == (moves, "projection")
    assert answer.expanded < most


def test_puzzles_without_the_bound():
    counting = Custom(lambda number: [number + 1], 0, 5)
    assert "Python functions" in projection.fits(counting, None)
    model = load("eight").model()
    assert projection.fits(model, None) is None
    assert "start" in projection.fits(replace(model, start=None), None)
    assert "at most 20,000 rules" in projection.fits(replace(model, rules=model.rules * 1000), None)


def test_it_is_taken_only_if_it_is_asked_for():
    assert solve("wolf", engine="astar").rests_on == ""
    for engine in ("auto", "astar", "idastar"):
        answer = solve("wolf", engine=engine, bound="projection")
        assert (answer.moves, answer.status, answer.rests_on) == (7, Status.OPTIMAL, "projection")
