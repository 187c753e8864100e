"""Solutions that begin with given moves, against walks that are counted one move after the other."""

import warnings
from collections import Counter
from random import Random

import pytest

from commands import run, run_json
from fuzz import generators
from puzzlespace import Custom, PuzzleWarning, Status, asking, depths, load, saving, solutions, solve, with_moves
from puzzlespace.api.questions import with_start
from puzzlespace.errors import FormatError, InputError, UnsupportedError
from puzzlespace.limits.watch import Limits

DRAWN = {
    "draw": generators.draw, "glide": generators.draw_glide, "push": generators.draw_push,
    "crates": generators.draw_crates,
}  # fmt: skip
MOST = 1500
"""The most positions of a drawn puzzle."""


def first_moves(puzzle, model):
    """The moves from the start: their names, where they lead, and how many are different."""
    begin, found = puzzle.at(puzzle.start), []
    for ways in model.ways(begin).values():
        for way in ways:
            after = bytes(begin)
            for number in way:
                after = model.rules[number].apply(after) or after
            frame = puzzle.frames((begin, after), model, [way])[1]
            found.append(({frame.name, frame.brief}, model.settled(after), way[0]))
    return found


def walks(model, ends):
    """The least number of moves after which some walks from these positions are at a goal, and how many walks."""
    length, seen = 1, set(ends)
    while not any(map(model.is_goal, ends)):
        following = Counter()
        for position, count in ends.items():
            for child, ways in model.different(position).items():
                following[child] += count * len(ways)
        if following.keys() <= seen and length > 4 * MOST:
            return None
        seen |= following.keys()
        if len(seen) > MOST or not following:
            return ("large", 0) if following else None
        if length > 60:
            return ("large", 0) if any(map(model.is_goal, seen)) else None
        ends, length = following, length + 1
    return length, sum(count for position, count in ends.items() if model.is_goal(position))


def expected(puzzle, model, words):
    ends, apart = Counter(), set()
    for names, after, rule in first_moves(puzzle, model):
        key = (after, model.counted_apart[rule])
        if not names.isdisjoint(words) and key not in apart:
            apart.add(key)
            ends[after] += 1
    return walks(model, ends)


@pytest.mark.parametrize("kind", DRAWN)
@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 1500), marks=pytest.mark.long)])
def test_solutions_of_drawn_puzzles_that_begin_with_drawn_moves(kind, seeds):
    seen = Counter()
    for seed in seeds:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PuzzleWarning)
            puzzle = generators.accepted(DRAWN[kind](seed))
        if puzzle is None or puzzle.start is None or not puzzle.goals or puzzle.board.cells > 30:
            continue
        random = Random(seed)
        for metric in puzzle.metrics:
            model = puzzle.model(metric)
            names = sorted({name for each, _, _ in first_moves(puzzle, model) for name in each})
            if not names or model.metric.costs:
                continue
            words = random.sample(names, min(len(names), random.choice((1, 1, 2))))
            right = expected(puzzle, model, words)
            if right is not None and right[0] == "large":
                continue
            answer = solve(puzzle, first=words, metric=metric, count=True, limits=Limits(positions=200_000))
            if right is None:
                assert answer.status is Status.IMPOSSIBLE, (seed, metric, words)
                assert (answer.moves, answer.solutions) == (None, 0)
                seen["impossible"] += 1
                continue
            assert (answer.moves, answer.solutions) == right, (seed, metric, words)
            assert answer.bound == answer.moves == len(answer.names) == len(answer.path) - 1
            if answer.solutions <= 200:
                every = list(solutions(puzzle, first=words, metric=metric))
                assert len(every) == answer.solutions == len({(each.path, each.rules) for each in every})
                assert all(each.moves == answer.moves for each in every)
                started = {names for names, *_ in [(each.names[0],) for each in every]}
                assert started <= {name for names, _, _ in first_moves(puzzle, model) for name in names
                                   if not names.isdisjoint(words)}  # fmt: skip
            seen["solved"] += 1
    assert seen["solved"] > len(seeds) / 8, seen


def test_the_position_after_the_move_and_one():
    for word in ("5 down", "3 right", "1 left"):
        after = with_start(load("eight"), word)
        answer, rest = solve("eight", first=word, count=True), solve(after, count=True)
        assert (answer.moves, answer.solutions) == (rest.moves + 1, rest.solutions)
        assert answer.names[0] == word
    assert (solve("eight", first=("5 down", "3 right", "1 left"), count=True).solutions, solve("eight").moves) == (
        solve("eight", count=True).solutions, 31
    )  # fmt: skip


def test_a_solved_puzzle_is_turned_and_turned_back():
    assert solve("cube:2", start="U U'", first="U").names == ("U", "U'")
    assert solve("cube:2", start="R U", first="U").moves == 3


def test_it_goes_with_some_moves_only_with_saved_tables_and_with_every_engine(tmp_path):
    held = with_start(with_moves("cube:2", only="U R"), "R U")
    assert solve(held, first="R").names[0] == "R"
    assert {*solve(held, first="R").names} <= {"U", "U'", "U2", "R", "R'", "R2"}
    with pytest.raises(FormatError, match="expected a move"):
        solve(held, first="F")
    folder = str(tmp_path / "table")
    depths("slide:3x2", engine=saving("slide:3x2", folder))
    start = "4 5 . / 1 2 3"
    lengths = {
        solve("slide:3x2", start=start, first="5 right", engine=engine).moves
        for engine in ("auto", "plain", "astar", "idastar", "bidirectional", asking("slide:3x2", folder))
    }
    assert lengths == {21}


def test_the_command_says_what_the_solutions_begin_with():
    code, out, _ = run("solve", "goat", "--first", "I right", "--all", "--metric", "piece")
    assert code == 0
    assert "only solutions that begin with I right" in out
    code, found = run_json("solve", "cube:2", "--start", "R U", "--first", "U", "--first", "R,R2", "--all")
    assert (code, found["moves"], found["solutions"], len(found["all"])) == (
        0,
        3,
        found["solutions"],
        found["solutions"],
    )
    assert found["notes"][-1]["code"] == "first-move"


@pytest.mark.parametrize(
    ("words", "code", "problem"),
    [
        (("eight", "--first", "5 dwn"), 30, "first:1:1: expected a move (5 down, 3 right, 1 left), found '5 dwn'"),
        (("eight", "--first", ","), 30, "--first: expected the name of a move, found ','"),
        (("eight", "--first", "5 down", "--within", "2"), 30, "--first: expected no --within beside it"),
        (("cube:2", "--first", "R"), 30, "expected a start to solve from, found none"),
    ],
)  # fmt: skip
def test_first_moves_that_cannot_be_made_are_errors(words, code, problem):
    found, out, err = run("solve", *words)
    assert (found, out) == (code, "")
    assert problem in err


def test_what_is_refused_from_python():
    with pytest.raises(UnsupportedError, match="Python functions, which have no names"):
        solve(Custom(lambda number: [number + 1], start=0, goal=3), first="x")
    with pytest.raises(InputError, match="first: expected a list of texts, found 3"):
        solve("eight", first=3)


def test_a_limit_leaves_a_lower_bound_that_holds_for_all_first_moves():
    answer = solve("eight", first=("5 down", "3 right"), engine="plain", limits=Limits(positions=3000))
    assert (answer.status, answer.moves) == (Status.STOPPED, None)
    assert 0 < answer.bound <= solve("eight", first=("5 down", "3 right")).moves
    code, found = run_json("solve", "eight", "--first", "5 down", "--positions", "3000", "--engine", "plain")
    assert (code, found["status"]) == (22, "stopped")
    assert found["bound"] <= 31
