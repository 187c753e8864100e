"""Positions written as moves: the names that a solution prints, typed back, lead to its end."""

import warnings

import pytest

from commands import run, run_json
from fuzz import generators
from puzzlespace import PuzzleWarning, load, solve
from puzzlespace.api.loader import from_text
from puzzlespace.api.questions import read_position, with_goal, with_start
from puzzlespace.errors import FormatError, PuzzlespaceError
from puzzlespace.limits.watch import Limits

SEVERAL = "these moves lead to several positions"
KINDS = {
    "draw": generators.draw, "glide": generators.draw_glide, "push": generators.draw_push,
    "crates": generators.draw_crates,
}  # fmt: skip


def solved(puzzle):
    """A shortest solution in each metric of a puzzle that has some."""
    for metric in puzzle.metrics:
        try:
            answer = solve(puzzle, metric=metric, limits=Limits(positions=500, seconds=1))
        except PuzzlespaceError:
            continue
        if answer.moves:
            yield answer


def typed(puzzle, answer, prefix="from start: "):
    """The position that the names of a solution lead to; None if they fit several moves."""
    between = " " if puzzle.listed else ", "
    try:
        return read_position(puzzle, prefix + between.join(answer.names))
    except FormatError as error:
        if error.problem.startswith(SEVERAL):
            return None
        raise


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seeds", [range(24), pytest.param(range(24, 480), marks=pytest.mark.long)])
def test_names_of_a_solution_lead_to_its_end(kind, seeds):
    told = {}
    for seed in seeds:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PuzzleWarning)
            puzzle = generators.accepted(KINDS[kind](seed))
        for answer in solved(puzzle) if puzzle is not None else ():
            end, right = typed(puzzle, answer), bytes(answer.path[-1])
            assert end == right, (seed, answer.names)
            assert puzzle.listed or typed(puzzle, answer, "") == end, (seed, answer.names)
            told[puzzle.kind.name] = told.get(puzzle.kind.name, 0) + 1
    assert told.keys() >= {"draw": {"slide", "jump", "apply"}, "glide": {"glide"}}.get(kind, {"push"})


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("eight", "multi"), ("goat", "run"), ("no-off-a", "piece"), ("flip3", "run"), ("hexagram", "step"),
        ("star13", "chain"), ("lunar39", "piece"), ("tilt16", "tilt"), ("water", "piece"),
    ],
)  # fmt: skip
def test_solutions_of_the_catalogue_typed_back(name, metric):
    puzzle = load(name)
    answer = solve(puzzle, metric=metric)
    assert typed(puzzle, answer) == bytes(answer.path[-1])


def test_letters_stay_with_their_pieces():
    puzzle = load("eight")
    answer = solve(puzzle)
    moved = with_start(puzzle, ", ".join(answer.names))
    assert solve(moved).moves == 0
    assert with_start(puzzle, "5 down, 6 down").start == puzzle.read("8 . 7 / 2 6 4 / 3 5 1")
    assert with_goal(puzzle, "5 down").goals[0].position == puzzle.read("8 6 7 / 2 . 4 / 3 5 1")


def test_where_the_moves_begin():
    flips = load("flip3")
    at_start, at_goal = read_position(flips, "from start: row1"), read_position(flips, "from goal: row1")
    assert at_start != at_goal
    assert read_position(flips, "row1") == at_goal
    assert read_position(flips, "FROM Goal :row1") == at_goal
    assert flips.line(at_goal) == "x x x / o o o / o o o"
    eight = load("eight")
    assert read_position(eight, "5 down, 6 down") == read_position(eight, "from start: 5 down, 6 down")
    assert read_position(eight, "from goal: 8 right") == eight.read("1 2 3 / 4 5 6 / 7 . 8")
    code, found = run_json("solve", "flip3", "--start", "row1")
    assert (code, [(each["code"], each["text"]) for each in found["notes"]]) == (
        0, [("moves-from", "the moves are made from the goal")]
    )  # fmt: skip
    assert run_json("solve", "flip3", "--start", "from start: row1")[1]["notes"] == []
    assert run("solve", "flip3", "--start", "row1", "--strict", "-q")[0] == 0


@pytest.mark.parametrize("text", ["5 down, 6 down", "5 down\n6 down", "1: 5 down, 2: 6 down", "5 down,6 down ; so far"])
def test_ways_of_writing_moves(text):
    eight = load("eight")
    assert eight.line(read_position(eight, text)) == "8 . 7 / 2 6 4 / 3 5 1"


WRONG = {
    ("eight", "5 down, 6 dwn"): "position:1:9: expected a move (6 down, 2 right, 4 left, 5 up), found '6 dwn'",
    ("eight", "from start: 5 down, 1 left"): (
        "position:1:21: expected a move (6 down, 2 right, 4 left, 5 up), found '1 left'"
    ),
    ("eight", "down"): "position:1:1: expected a move (5 down, 3 right, 1 left), found 'down'",
    ("flip3", "row1, row9"): "position:1:7: expected a move (row1, row2, row3, col1, col2, col3), found 'row9'",
    ("cube2", "from start: R"): "position:1:13: expected a start to make moves from, found none",
    ("klotski", "from goal: A up"): ("position:1:12: moves lead to a position only from a goal that is one position"),
}


@pytest.mark.parametrize(("name", "text"), WRONG)
def test_an_error_says_which_moves_there_are(name, text):
    with pytest.raises(FormatError) as caught:
        read_position(load(name), text)
    assert str(caught.value).split("\n")[0] == WRONG[name, text]


def test_a_drawing_on_one_line_that_does_not_fit_is_told_both_ways():
    with pytest.raises(FormatError) as caught:
        read_position(load("eight"), "5 dwn")
    assert caught.value.problem == "expected 3 rows, found 1"
    assert caught.value.hint == "moves are written as 5 down, 3 right, 1 left"


def test_pieces_of_one_letter_are_told_apart_by_their_cells():
    puzzle = from_text("rule: slide\ncount: step\nstart: x 1 x / . . .\n", "x.pzl")
    with pytest.raises(FormatError, match="several moves can be meant: x a1 down, x c1 down"):
        read_position(puzzle, "x down")
    with pytest.raises(FormatError, match=r"expected a move \(x a1 down, 1 down, x c1 down\), found 'x up'"):
        read_position(puzzle, "x up")
    assert puzzle.line(read_position(puzzle, "x c1 down")) == "x 1 . / . . x"


def test_names_tell_moves_of_one_piece_apart():
    passing = from_text("rule: glide\ncount: piece\npassing: yes\nstart: R . . .\ngoal: * * R *\n", "x.pzl")
    assert [passing.line(read_position(passing, move)) for move in ("R right", "R right to c1")] == [
        ". . . R",
        ". . R .",
    ]
    assert solve(passing).names == ("R right to c1",)
    pulled = from_text("rule: push\npull: yes\nstart:\n  . . @ $\ngoal: * $ * *\n", "x.pzl")
    assert solve(pulled).names == ("d1-c1 pull", "c1-b1 pull")
    two = from_text("rule: push\nstart:\n  @ . $ . .\n  # # # . @\ngoal:\n  * * * $ *\n  # # # * *\n", "x.pzl")
    assert solve(two).names == ("c1-d1 by a1",)


def test_names_that_fit_several_moves_are_asked(monkeypatch):
    """None is known; two moves get the same name here."""
    puzzle = from_text("rule: glide\ncount: piece\npassing: yes\nstart: R . . .\ngoal: * * R *\n", "x.pzl")
    monkeypatch.setattr("puzzlespace.puzzle.puzzle.Puzzle.naming", lambda puzzle, rules: ((), "right"))
    with pytest.raises(FormatError) as caught:
        read_position(puzzle, "from start: right")
    assert caught.value.problem.startswith(f"{SEVERAL}, such as '. . ")
    assert caught.value.hint == "write the position as a drawing"


def place(puzzle, text):
    with warnings.catch_warnings(action="ignore", category=PuzzleWarning):
        return puzzle.line(read_position(puzzle, text))


ROWS = "rule: change\nmoves:\n  s: A . -> . A right\n  t: A * -> . A right\nstart: A . B\ngoal: c1 = A\n"
TILTED = (
    "rule: change\nalso: way = no\nmoves:\n  right: way no -> r\n  up: way no -> u\nafter:\n"
    "  A . -> . A  right  if way = r\n  A . -> . A  up  if way = u\n  way -> no\n"
    "start:\n  . . .\n  A . .\ngoal: c1 = A\n"
)  # fmt: skip
CASES = "rule: change\nmoves:\n  x: (a1 b1)  if c1 = C or c1 = B\n  y: (b1 c1)\nstart: A B C\ngoal: C B A\n"
LAWFUL = "rule: apply\ncount: step\nmoves:\n  x: (a1 b1)\n  y: (b1 c1)\nforbid: b1 = A\nstart: A B C\ngoal: C B A\n"


@pytest.mark.parametrize(
    ("text", "moves", "end"),
    [
        (ROWS, "from start: t a1-b1", ". A B"), (ROWS, "s a1-b1, t b1-c1", ". . A"), (ROWS, "s a1-b1 t b1-c1", ". . A"),
        (TILTED, "right", ". . . / . . A / no # #"), (TILTED, "up right", ". . A / . . . / no # #"),
        (CASES, "x, y", "B C A"), (CASES, "y x", "C A B"), (LAWFUL, "from start: y y", "A B C"),
    ],
)  # fmt: skip
def test_rows_of_changes_are_typed_by_their_whole_names_with_all_that_happens_after_them(text, moves, end):
    assert place(from_text(text, "rows.pzl"), moves) == end


@pytest.mark.parametrize(
    ("text", "moves", "problem"),
    [
        (LAWFUL, "from start: x", "the move x is not possible after the moves before it"),
        (TILTED, "right right", "expected a move (up), found 'right'"),
        (ROWS, "s a1-b1, s b1-c1", "expected a move (t b1-c1), found 's b1-c1'"),
        (ROWS, "t a1-b1, t b1-c1, t c1-d1", "no move is possible here: expected the end, found 't c1-d1'"),
    ],
)
def test_moves_that_a_law_forbids_or_that_do_not_fit_are_errors(text, moves, problem):
    with pytest.raises(FormatError) as caught:
        place(from_text(text, "rows.pzl"), moves)
    assert caught.value.problem == problem


def test_a_ferry_typed_in_moves_obeys_its_laws():
    assert place(load("wolf"), "goat alone") == "L L R L"
    with pytest.raises(FormatError, match="expected a move"):
        place(load("wolf"), "from start: cabbage")
