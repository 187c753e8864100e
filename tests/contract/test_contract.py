"""What every engine, family and catalogue entry must keep; new ones are picked up from the registry, none escapes."""

import pkgutil
from importlib import import_module

import pytest

from puzzlespace import catalogue
from puzzlespace.analysis import paths
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api import questions
from puzzlespace.api.loader import load
from puzzlespace.bounds import BOUNDS
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import plain, template
from puzzlespace.formats import formats, pzl
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.registry import ENGINES, FAMILIES
from puzzlespace.rules import RULES

SMALL, MIDDLE = 13_000, 30_000
"""Puzzles of at most so many positions are held against the plain engine, and of so many in the long tests."""

NAMES = catalogue.names()
SPECS = [f"{family.name}:{example}" for family in FAMILIES for example in family.examples]


def metrics_that_differ(puzzle):
    """The metrics of a puzzle but those that are `step` under another name."""
    return [name for name in puzzle.metrics if name == "step" or puzzle.model(name).metric.after]


def size(puzzle):
    """Return the number of positions that is known, or 0."""
    return max((known.value for known in puzzle.known if known.what == "states"), default=0)


LARGE = {"microban36", "english", "french37", "diamond41"}
"""Peg boards that the plain engine would only be stopped on, with more solutions than can be listed; and a level of
boxes that takes it long. The other level is compared in the metric `push`."""

CASES = [
    pytest.param(
        puzzle, metric, marks=[pytest.mark.long] if SMALL < size(puzzle) <= MIDDLE else [], id=f"{name}-{metric}"
    )
    for name, puzzle in ((name, load(name)) for name in [*NAMES, *SPECS] if name not in LARGE)
    if size(puzzle) <= MIDDLE or name == "eight"
    for metric in metrics_that_differ(puzzle)
    if (name, metric) != ("microban6", "run")
]


PLAIN = Limits(positions=120_000)
"""What the plain engine may generate to tell what the others must find."""

ASKED = Limits(positions=300_000)
"""What the others may: iterative deepening comes back to positions where a graph search does not."""


def twin(model):
    """The plain engine's table from the start (or the goal), or None if the puzzle is too large."""
    source = model.start if model.start is not None else goal_positions(model)[0]
    question = Depths(model, (source,), keep=7, collect=(Goal((-1,) * model.cells, ((model.symbols - 1, 1),)),))
    layers = plain.depths(question, Watch(PLAIN))
    return (question, layers) if layers.complete and sum(layers.counts) <= MIDDLE else None


def solved(model):
    """The plain engine's shortest solutions, or None if the puzzle is too large or has nothing to solve."""
    if model.start is None or not model.goals:
        return None
    question = Search(model, model.start, goal_positions(model))
    found = plain.search(question, Watch(PLAIN))
    return (question, found) if found.stopped is None else None


@pytest.mark.parametrize(("puzzle", "metric"), CASES)
def test_every_engine_agrees_with_plain(puzzle, metric):
    engines = [engine for engine in (*ENGINES, template.ENGINE) if engine is not plain.ENGINE]
    model = puzzle.model(metric)
    counted, solution = twin(model), solved(model)
    answered = [engine.name for engine in engines if agreed(engine, model, counted, solution)]
    assert bool(answered) == bool(counted or solution)


def agreed(engine, model, counted, solution):
    """Whether an engine answers what the plain engine can; assert that the answers are the same."""
    answered = False
    if counted and engine.depths and engine.refuses(model, "depths") is None:
        question, expected = counted
        found = engine.depths(question, Watch())
        assert found.counts == expected.counts, engine.name
        assert found.deepest == expected.deepest, engine.name
        assert sorted(found.collected) == sorted(expected.collected), engine.name
        assert found.complete, engine.name
        answered = True
    if solution and engine.search and engine.refuses(model, "search") is None:
        question, expected = solution
        found = engine.search(question, Watch(ASKED))
        if found.stopped is None:
            assert found.layers == expected.layers, engine.name
        else:
            assert engine.name == "idastar"
            assert found.bound < len(expected.layers) or not expected.layers
        answered = True
    return answered


@pytest.mark.parametrize("name", NAMES)
def test_every_catalogue_entry_reads_prints_and_draws(name):
    draft = pzl.parse(catalogue.text(name), name)
    assert pzl.parse(pzl.print_draft(draft), name) == draft
    puzzle = load(name)
    assert puzzle.known, f"{name}: expected known numbers with their source"
    assert all(known.source for known in puzzle.known)


@pytest.mark.parametrize("name", [*NAMES, *SPECS])
def test_positions_travel_as_text(name):
    puzzle = load(name)
    model = puzzle.model()
    position = model.start if model.start is not None else goal_positions(model)[0]
    for _ in range(4):
        assert puzzle.read(puzzle.line(position)) == position
        assert puzzle.read(puzzle.id(position)) == position
        position = max(model.moves(position), default=position)


@pytest.mark.parametrize("name", [*NAMES, *SPECS])
def test_every_rule_keeps_what_the_facts_say(name):
    model = load(name).model()
    position = model.start if model.start is not None else goal_positions(model)[0]
    if model.backward is not None:
        for child in model.moves(position):
            assert position in model.backward.moves(child)
    if model.reversible:
        for child in model.moves(position):
            assert position in model.moves(child)


@pytest.mark.parametrize("name", NAMES)
def test_known_numbers_come_out(name):
    claims = questions.check_known(name)
    assert claims
    for claim in claims:
        assert claim.found == claim.known.value, f"{claim.known}"


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name not in LARGE and load(name).start is not None and load(name).goals]
)
def test_solutions_replay_and_are_counted_as_listed(name):
    found = questions.solve(name, count=True)
    if found.status is not questions.Status.OPTIMAL or found.solutions > 200:
        return
    every = list(questions.solutions(name))
    assert len(every) == len({(each.path, each.names) for each in every}) == found.solutions
    assert all(len(each.path) == found.moves + 1 for each in every)


def test_the_8_puzzle_from_both_ends_generates_under_a_tenth():
    both, one = (questions.solve("eight", engine=engine).generated for engine in ("bidirectional", "plain"))
    assert both * 10 < one


def test_a_ring_counts_its_paths_both_ways():
    puzzle = load("eight")
    model = puzzle.model()
    found = plain.search(Search(model, model.start), Watch())
    assert paths.count_paths(model, found.layers) == questions.solve(puzzle, count=True).solutions == 40


def exported(room, name, helpers):
    """What the modules and sub-packages of a room export under a name, imported one by one; templates apart."""
    found = []
    for module in pkgutil.iter_modules(import_module(f"puzzlespace.{room}").__path__):
        if module.name not in {"template", *helpers}:
            here = import_module(f"puzzlespace.{room}.{module.name}")
            several = getattr(here, f"{name[:-1]}IES" if name.endswith("Y") else f"{name}S", ())
            found += [*several, *([getattr(here, name)] if hasattr(here, name) else [])]
            assert several or hasattr(here, name), f"{room}.{module.name} exports no {name}"
    return found


GRAMMAR = {
    "algs", "base", "grids", "orbits", "pzl_columns", "pzl_doubts", "pzl_plain", "pzl_read", "pzl_rows", "pzl_stacks",
    "pzl_values", "pzl_words", "pzl_write", "red_cars", "rush_rows", "sokoban_levels", "sokoban_texts", "unread",
}  # fmt: skip
"""What several formats share, and the parts of the puzzle file, of Rush Hour boards and of Sokoban levels."""


@pytest.mark.parametrize(
    ("room", "name", "helpers", "registered"),
    [
        ("engines", "ENGINE", {"shared", "packed"}, ENGINES),
        ("bounds", "BOUND", {"choosing", "of_slides"}, BOUNDS),
        ("families", "FAMILY", {"cube_places", "cube_turns", "facelets", "solvable"}, FAMILIES),
        (
            "rules",
            "KIND",
            {
                "blanks",
                "checks",
                "common",
                "doubts",
                "landing",
                "listed",
                "pieces",
                "said",
                "sentences",
                "several",
                "stack_rules",
                "worded",
            },
            RULES,
        ),
        ("formats", "FORMAT", GRAMMAR, formats()),
    ],
)
def test_what_is_there_is_registered(room, name, helpers, registered):
    found = exported(room, name, helpers)
    assert sorted(each.name for each in found) == sorted(each.name for each in registered)
    assert all(each in registered for each in found)


def test_every_family_has_examples():
    assert all(family.examples for family in FAMILIES)
