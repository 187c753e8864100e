"""Puzzles written in Python: every public function answers for them, or says which part is missing."""

import ast
import dataclasses
import re
from inspect import isfunction
from itertools import count
from pathlib import Path

import pytest

import puzzlespace
from puzzlespace import Custom, FormatError, InputError, LimitError, Limits, Status, UnsupportedError
from puzzlespace.api import certification
from puzzlespace.cli.parameters import as_options
from puzzlespace.errors import PuzzlespaceError


def steps(number):
    """The numbers one step away on the way from 0 to 9."""
    return [each for each in (number - 1, number + 1) if 0 <= each <= 9]


def is_seven(number):
    return number == 7


PUZZLES = {
    (back, goal): Custom(steps, 2, 7 if goal == "position" else is_seven, back and steps, "walk")
    for back in (None, steps)
    for goal in ("position", "function")
}

IDS = [f"{goal}-{'back' if back else 'no back'}" for back, goal in PUZZLES]

MADE = puzzlespace.generate("slide:3x2", 3, 1, seed=1, solutions=True)

ANSWERED = {
    "best_solutions": lambda walk, folder: len(puzzlespace.best_solutions(walk, 1, start=0).solutions) == 1,
    "near_solutions": lambda walk, folder: puzzlespace.near_solutions(walk, start=0).counts[0] > 0,
    "comparison_plot": lambda walk, folder: puzzlespace.comparison_plot(
        list(puzzlespace.compare(walk, algorithms=["bfs"])) if isinstance(walk, Custom) else walk
    ),
    "compare": lambda walk, folder: [row.moves for row in puzzlespace.compare(walk, ["plain"], start=0)] == [7],
    "plan": lambda walk, folder: puzzlespace.plan(walk),
    "solve": lambda walk, folder: puzzlespace.solve(walk, count=True).solutions == 1,
    "solutions": lambda walk, folder: [each.path for each in puzzlespace.solutions(walk)] == [(2, 3, 4, 5, 6, 7)],
    "depths": lambda walk, folder: puzzlespace.depths(walk).counts == (1, 2, 2, 1, 1, 1, 1, 1),
    "distance": lambda walk, folder: puzzlespace.distance(walk, 9).distance == 2,
    "with_start": lambda walk, folder: puzzlespace.solve(puzzlespace.with_start(walk, 5)).moves == 2,
    "with_goal": lambda walk, folder: puzzlespace.solve(puzzlespace.with_goal(walk, 0)).moves == 2,
}

REFUSED = {
    "asking": lambda walk, folder: puzzlespace.asking(walk, folder),
    "certify": lambda walk, folder: list(puzzlespace.certify([walk])),
    "check_known": lambda walk, folder: puzzlespace.check_known(walk),
    "components": lambda walk, folder: puzzlespace.components(walk),
    "design": lambda walk, folder: puzzlespace.design(walk),
    "generate": lambda walk, folder: puzzlespace.generate(walk, 3),
    "level_lines": lambda walk, folder: puzzlespace.level_lines(walk, MADE),
    "load": lambda walk, folder: puzzlespace.load(walk),
    "open_table": lambda walk, folder: puzzlespace.open_table(walk, folder),
    "random_positions": lambda walk, folder: puzzlespace.random_positions(walk),
    "read_levels": lambda walk, folder: puzzlespace.read_levels(walk, folder / "levels.jsonl"),
    "read_position": lambda walk, folder: puzzlespace.read_position(walk, "3"),
    "saving": lambda walk, folder: puzzlespace.saving(walk, folder),
    "symmetries": lambda walk, folder: puzzlespace.symmetries(walk),
    "targets": lambda walk, folder: list(puzzlespace.targets(walk)),
    "with_turned_goals": lambda walk, folder: puzzlespace.with_turned_goals(walk),
    "with_moves": lambda walk, folder: puzzlespace.with_moves(walk, "up"),
}


def test_every_public_function_is_in_a_table():
    functions = {name for name in puzzlespace.__all__ if isfunction(getattr(puzzlespace, name))}
    assert functions == {*ANSWERED, *REFUSED}


@pytest.mark.parametrize("walk", PUZZLES.values(), ids=IDS)
@pytest.mark.parametrize("name", ANSWERED)
def test_functions_that_answer(name, walk, tmp_path):
    assert ANSWERED[name](walk, tmp_path)


@pytest.mark.parametrize("walk", PUZZLES.values(), ids=IDS)
@pytest.mark.parametrize("name", REFUSED)
def test_functions_that_need_a_board(name, walk, tmp_path):
    with pytest.raises(UnsupportedError, match=rf"{name}|saved table"):
        REFUSED[name](walk, tmp_path)


@pytest.mark.parametrize("name", [*ANSWERED, *REFUSED])
@pytest.mark.parametrize("wrong", [5, None, b"eight", ["eight"]])
def test_what_is_no_puzzle_is_refused_by_every_function(name, wrong, tmp_path):
    with pytest.raises(PuzzlespaceError, match="expected"):
        {**ANSWERED, **REFUSED}[name]([wrong] if name == "certify" else wrong, tmp_path)


def test_depths_from_the_goal():
    table = puzzlespace.depths(PUZZLES[steps, "position"], origin="goal")
    assert (table.origin, table.counts, table.hardest) == ("goal", (1, 2, 2, 1, 1, 1, 1, 1), (0,))
    doubled = Custom(lambda n: [2 * n] if n < 50 else [], 3, 48, lambda n: [n // 2] if n % 2 == 0 and n else [])
    assert puzzlespace.depths(doubled, origin="start").counts == (1,) * 6  # 3 6 12 24 48 96
    assert puzzlespace.depths(doubled, origin="goal").counts == (1,) * 5


@pytest.mark.parametrize(
    ("back", "goal", "words"),
    [(None, "position", "back="), (None, "function", "back="), (steps, "function", "goal=")],
)
def test_depths_from_the_goal_name_the_part_that_is_missing(back, goal, words):
    with pytest.raises(UnsupportedError, match=words):
        puzzlespace.depths(PUZZLES[back, goal], origin="goal")


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"origin": "middle"}, InputError),
        ({"classes": True}, UnsupportedError),
        ({"metric": "step"}, InputError),
        ({"engine": "table"}, UnsupportedError),
        ({"engine": "nothing"}, InputError),
        ({"device": "gpu"}, UnsupportedError),
    ],
)
def test_parameters_of_depths_that_do_not_fit(given, error):
    with pytest.raises(error):
        puzzlespace.depths(PUZZLES[steps, "position"], **given)


def test_limits_of_another_kind_are_refused():
    for limited in (puzzlespace.solve, puzzlespace.depths, puzzlespace.symmetries):
        with pytest.raises(InputError, match="limits: expected Limits"):
            limited("eight", limits=5)


def test_distance_names_all_best_next_positions():
    ring = Custom(lambda n: [(n + 1) % 10, (n - 1) % 10], 0, 5)
    assert puzzlespace.distance(ring, 0).next == (("", 1), ("", 9))
    assert (puzzlespace.distance(ring, 5).distance, puzzlespace.distance(ring, 5).next) == (0, ())
    apart = puzzlespace.distance(Custom(lambda n: [(n + 2) % 10], 0, 5), 2)
    assert (apart.distance, apart.solution.status) == (None, Status.IMPOSSIBLE)


SETS = Custom(lambda held: [held ^ {each} for each in range(4)], frozenset(), frozenset({0, 1, 2, 3}))
MIXED = Custom(lambda p: ["a", frozenset({1}), 2.5] if p == 0 else [(2,)] if p == 2.5 else [], 0, (2,))


def test_positions_without_an_order_are_counted():
    table = puzzlespace.depths(SETS, keep=3)
    assert (table.counts, table.hardest) == ((1, 4, 6, 4, 1), (frozenset({0, 1, 2, 3}),))
    for keep in range(6):
        short = puzzlespace.depths(
            Custom(lambda held: SETS.moves(held) if len(held) < 2 else [], SETS.start, 0), keep=keep
        )
        assert short.counts == (1, 4, 6)
        assert len({*short.hardest}) == min(keep, 6)
    assert puzzlespace.depths(MIXED).counts == (1, 3, 1)
    assert puzzlespace.solve(MIXED, count=True).solutions == 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"moves": 3}, "moves to be a function"),
        ({"back": 3}, "back to be a function"),
        ({"start": [1]}, "start to be hashable"),
        ({"goal": [1]}, "goal to be hashable"),
        ({"moves": lambda p: None}, "moves to return positions"),
        ({"moves": lambda p: [[1]]}, "position that moves returns to be hashable"),
        ({"back": lambda p: [{1}]}, "position that back returns to be hashable"),
    ],
)
def test_parts_that_are_wrong(given, words):
    with pytest.raises(InputError, match=words):
        puzzlespace.solve(Custom(**{"moves": steps, "start": 1, "goal": 2, **given}))


QUESTIONS = {
    "solve": lambda puzzle, **more: puzzlespace.solve(puzzle, **more),
    "plain": lambda puzzle, **more: puzzlespace.solve(puzzle, engine="plain", **more),
    "bidirectional": lambda puzzle, **more: puzzlespace.solve(puzzle, engine="bidirectional", **more),
    "solutions": lambda puzzle, **more: list(puzzlespace.solutions(puzzle, **more)),
    "depths": lambda puzzle, **more: puzzlespace.depths(puzzle, **more),
    "distance": lambda puzzle, **more: puzzlespace.distance(puzzle, puzzle.start, **more),
}
"""Every question about a custom puzzle."""


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (None, "expected moves to return positions, found None"),
        (7, "expected moves to return positions, found 7"),
        ([[1]], r"expected a position that moves returns to be hashable, such as a tuple, found \[1\]"),
    ],
)
@pytest.mark.parametrize("at", [0, 3])
def test_positions_that_are_wrong_are_told_wherever_they_come(asked, wrong, words, at):
    puzzle = Custom(lambda p: wrong if p == at else [p + 1], 0, 9)
    with pytest.raises(InputError, match=rf"custom puzzle: {words} \(after position {at}\)"):
        asked(puzzle)


def test_wrong_positions_before_others_are_told_as_back():
    puzzle = Custom(
        lambda p: [2 * p + 101, 2 * p + 102], 0, 90, lambda p: [p - 1] if p > 80 else None if p == 80 else []
    )
    found = "expected back to return positions, found None .after position 80."
    with pytest.raises(InputError, match=found):
        puzzlespace.depths(puzzle, origin="goal")
    with pytest.raises(InputError, match=found):
        puzzlespace.solve(puzzle, engine="bidirectional")


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("error", [TypeError("mine"), ValueError("mine"), KeyError("mine")])
def test_errors_of_the_functions_themselves_are_not_changed(asked, error):
    def moves(position):
        if position == 3:
            raise error
        return [position + 1]

    with pytest.raises(type(error)) as raised:
        asked(Custom(moves, 0, 9))
    assert raised.value is error


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("at", [0, 3])
@pytest.mark.parametrize("limits", [Limits(positions=5000), Limits(seconds=0.05)])
def test_limits_hold_while_a_function_yields_positions_without_end(asked, at, limits):
    puzzle = Custom(lambda p: count(10) if p == at else [p + 1] if p < at else [], 0, -1)
    try:
        answer = asked(puzzle, limits=limits)
        stopped = getattr(answer, "solution", answer).stopped
    except LimitError as error:
        stopped = error
    assert stopped.kind in ("positions", "seconds")


SOURCE = Path(puzzlespace.__file__).parent
SHOWN = [
    path for path in sorted(SOURCE.rglob("*.py")) if not {"cli", "web", "render"} & {*path.relative_to(SOURCE).parts}
]


def texts(path):
    """The texts of a module that may be messages: all in `raise`, others without an option as their first word."""
    tree = ast.parse(path.read_text())
    bodies = [part for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list) for part in node.body]
    documented = {id(part.value) for part in bodies if isinstance(part, ast.Expr)}
    raised = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value if id(node) in raised else node.value.lstrip("-")


def test_errors_of_python_functions_name_no_options():
    found = {(path.name, text) for path in SHOWN for text in texts(path) if re.search(r"(^|[^\w-])--[a-z]", text)}
    assert not found
    assert any("resume=True" in text for path in SHOWN for text in texts(path))


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("origin: expected start or goal, found 'x'", "--from: expected start or goal, found 'x'"),
        ("walks need moves; use origin='start'", "walks need moves; use --from start"),
        ("another origin (origin=?)", "another origin (--from?)"),
        ("it is there; resume=True continues it", "it is there; --resume continues it"),
        (
            "goat: expected a goal to solve to, found none",
            "goat: expected a goal to solve to, found none (give one with --goal)",
        ),
        ("device='cpu' counts on the processor", "--device cpu counts on the processor"),
    ],
)
def test_the_command_line_says_options_instead(message, shown):
    assert as_options(message) == shown


VALUES = ["x", "", None, -1, 0, 2.5, float("nan"), True, [1], (), b"x", {}, object()]
"""Values that are of a wrong kind for most parameters."""

COUNTER = Custom(lambda p: [(p + 1) % 7], 0, 5)

WRONG = {
    "solve": (puzzlespace.solve, "ring", {}, "metric engine heuristic cache limits progress"),
    "solve custom": (puzzlespace.solve, COUNTER, {}, "metric engine heuristic cache limits progress"),
    "solutions": (puzzlespace.solutions, "ring", {}, "metric engine cache limits"),
    "depths": (puzzlespace.depths, "ring", {}, "origin metric engine keep cache device save limits progress"),
    "depths custom": (puzzlespace.depths, COUNTER, {}, "origin metric engine keep cache device limits progress"),
    "depths cluster": (puzzlespace.depths, "ring", {"save": ""}, "cluster"),
    "distance": (puzzlespace.distance, "ring", {"position": "~1"}, "position metric engine cache limits progress"),
    "distance custom": (puzzlespace.distance, COUNTER, {"position": 1}, "metric engine cache limits progress"),
    "symmetries": (puzzlespace.symmetries, "ring", {}, "metric limits"),
    "check_known": (puzzlespace.check_known, "ring", {}, "limits progress"),
    "generate": (
        puzzlespace.generate, "ring", {"depth": 3, "count": 2, "seed": 1},
        "depth count seed origin metric pattern method engine limits progress",
    ),
    "random_positions": (puzzlespace.random_positions, "ring", {"seed": 1}, "count seed engine limits progress"),
    "plan": (puzzlespace.plan, "ring", {"engine": "plain"}, "metric origin cluster limits progress"),
    "targets": (puzzlespace.targets, "ring", {}, "pieces cells metric engine limits progress"),
    "components": (puzzlespace.components, "ring", {}, "limits progress"),
    "certify": (lambda given, **more: list(puzzlespace.certify(given, **more)), [], {}, "metric limits progress"),
    "saving": (puzzlespace.saving, "ring", {"folder": "/nowhere"}, "folder metric engine"),
    "asking": (puzzlespace.asking, "ring", {"folder": "/nowhere"}, "folder metric"),
    "open_table": (puzzlespace.open_table, "ring", {"folder": "/nowhere"}, "folder metric"),
    "level_lines": (puzzlespace.level_lines, "slide:3x2", {"answer": MADE}, "answer"),
    "read_levels": (puzzlespace.read_levels, "slide:3x2", {}, "source"),
    "with_start": (puzzlespace.with_start, "ring", {}, "position"),
    "with_goal": (puzzlespace.with_goal, "ring", {}, "position"),
    "read_position": (puzzlespace.read_position, "ring", {}, "text"),
    "design": (puzzlespace.design, "title: x", {}, "by metric method seed limits progress"),
}  # fmt: skip
"""Functions with a puzzle, values that are right, and the parameters that get a wrong one."""


@pytest.mark.parametrize("name", WRONG)
def test_a_value_of_another_kind_raises_no_bare_error(name, monkeypatch):
    monkeypatch.setattr(certification, "_read", lambda journal: {})
    function, puzzle, given, parameters = WRONG[name]
    refused = 0
    for parameter in parameters.split():
        for value in VALUES:
            try:
                function(puzzle, **{**given, parameter: value})
            except PuzzlespaceError as error:
                refused += "expected" in str(error)
    assert refused


@pytest.mark.parametrize("value", ["ring", "", None, -1, 2.5, True, b"x"])
def test_a_collection_that_is_no_list_is_refused(value):
    with pytest.raises(InputError, match="certify: expected a list of names and files, found"):
        list(puzzlespace.certify(value))


@pytest.mark.parametrize("name", ["seconds", "memory", "positions"])
@pytest.mark.parametrize("value", ["2G", "x", -1, float("nan"), float("inf"), True, [1]])
def test_limits_that_are_no_numbers_are_refused(name, value):
    with pytest.raises(InputError, match=rf"limits: {name}.*: expected a (finite|whole) number from 0, found"):
        Limits(**{name: value})


@pytest.mark.parametrize("name", ["workers", "memory", "disk", "network"])
@pytest.mark.parametrize("value", ["x", None, -1, 0, 2.5, True, [1]])
def test_clusters_that_are_no_numbers_are_refused(name, value):
    with pytest.raises(InputError, match=f"cluster: {name}: expected a whole number from 1, found"):
        puzzlespace.Cluster(**{"workers": 2, name: value})


def test_start_and_goal_are_taken_by_the_questions_themselves():
    piece = puzzlespace.load("slide:3x2")
    first = puzzlespace.solve("slide:3x2", start="1 2 3 / . 4 5")
    assert first == dataclasses.replace(
        puzzlespace.solve(puzzlespace.with_start(piece, "1 2 3 / . 4 5")), seconds=first.seconds
    )
    assert first.moves == 2
    assert puzzlespace.solve("slide:3x2", start="1 2 3 / . 4 5", goal=". 2 3 / 1 4 5").moves == 1
    assert [each.moves for each in puzzlespace.solutions("slide:3x2", start="1 2 3 / . 4 5")] == [2]
    assert puzzlespace.depths("slide:3x2", goal="1 2 3 / . 4 5").counts[:2] == (1, 2)
    walk = PUZZLES[steps, "position"]
    assert puzzlespace.solve(walk, start=5, goal=5).moves == 0
    with pytest.raises(FormatError, match="rows"):
        puzzlespace.solve("slide:3x2", start="1 2 3")
