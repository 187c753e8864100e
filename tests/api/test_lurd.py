"""Solutions in the letters l, u, r, d: written, read back, checked; mistakes with their place."""

import re
from random import Random

import pytest

from commands import run
from puzzlespace.api import lurd, questions
from puzzlespace.api.loader import from_text, load
from puzzlespace.api.proposed import lengths, proposed
from puzzlespace.contract.answers import Status
from puzzlespace.contract.questions import Search
from puzzlespace.engines import plain
from puzzlespace.errors import FormatError, UnsupportedError
from puzzlespace.formats.sokoban import levels_of
from puzzlespace.limits.watch import Limits, Watch
from random_levels import level

PULLED = """
rule: push
pull: yes
start:
  $ . . #
  . @ . .
  # . . #
goal:
  * * * #
  * * * $
  # * * #
"""
NOTCH = """rule: push
blocks: all
pull: {}
start: . B B . . / A A A . . / A . A . . / # . . @ #
goal: A A A * * / A * A * * / * * * * * / # * * * #
"""
LEVEL = "####\n# .#\n#  ###\n#*@  #\n#  $ #\n#  ###\n####\n"
SHORTEST = "dlUrrrdLullddrUluRuulDrddrruLdlUU"


def letters(puzzle, metric):
    answer = questions.solve(puzzle, metric=metric, engine="plain")
    return lurd.letters_for(puzzle, [puzzle.rules[rule] for made in answer.rules for rule in made])


def coded(random, text):
    """Return letters with numbers for some repetitions, a group, and line breaks."""
    parts, at = [], 0
    while at < len(text):
        size = next(n for n in range(1, len(text) + 1) if text[at : at + n + 1] != text[at] * (n + 1))
        parts.append(
            random.choice((text[at] * size, f"{size}{text[at]}", f"1({text[at] * size})", f"{text[at] * size}\n "))
        )
        at += size
    return "".join(parts)


@pytest.mark.parametrize("metric", ["push", "move", "run"])
def test_solutions_of_random_levels_are_written_and_read_back(metric):
    solved = 0
    for seed in range(40):
        puzzle = from_text(level(Random(seed)), "x.xsb")
        model = puzzle.model(metric)
        if model.is_goal(model.start):
            continue
        found = plain.search(Search(model, model.start), Watch(limits=Limits(positions=300)))
        if not found.layers:
            continue
        text = letters(puzzle, metric)
        (answer,) = proposed(puzzle, coded(Random(seed), text), metric=metric)
        assert answer.is_shortest, (seed, text)
        assert dict(answer.moves)[metric] == found.bound
        assert dict(answer.moves)["move"] == len(text)
        assert dict(answer.moves)["push"] == sum(map(str.isupper, text))
        (cut,) = proposed(puzzle, text[:-1], metric=metric) if len(text) > 1 else (None,)
        assert cut is None or "the goal is not reached" in cut.problem.problem
        solved += 1
    assert solved > 8


def test_every_broken_letter_is_refused_at_its_place():
    """A letter is legal if and only if some rule does the same: tried with all letters at all places."""
    for text in (LEVEL, PULLED, NOTCH.format("no"), NOTCH.format("yes")):
        puzzle = from_text(text, "x.xsb" if text == LEVEL else "x.pzl")
        right, model = letters(puzzle, "push"), puzzle.model("move")
        position, legal = puzzle.start, 0
        for at in range(len(right)):
            moved = {lurd.letter_of(model.rules[rule]) for rule, _ in model.steps(position)}
            for letter in "lurdLURD":
                changed = lurd.solutions_of(right[:at] + letter)[0]
                if letter in moved:
                    lurd.rules_of(puzzle, changed)
                    legal += 1
                else:
                    with pytest.raises(FormatError, match=f"move {at + 1}, {letter}: expected") as error:
                        lurd.rules_of(puzzle, changed)
                    assert (error.value.line, error.value.column) == (1, at + 1)
            position = puzzle.rules[lurd.rules_of(puzzle, lurd.solutions_of(right[: at + 1])[0])[-1]].apply(position)
        assert legal > len(right)
        assert any(goal.holds(position) for goal in puzzle.goals)


def test_runs_are_counted():
    puzzle = from_text("########\n#@$  . #\n#      #\n########\n", "x.xsb")
    assert dict(lengths(puzzle, lurd.solutions_of("RRR")[0])) == {"push": 3, "move": 3, "run": 1}
    assert dict(lengths(puzzle, lurd.solutions_of("RlrRR")[0])) == {"push": 3, "move": 5, "run": 2}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("l", "a:1:1: move 1, l: expected a free cell, found a box (a push is L)"),
        ("d\ndd", "a:2:2: move 3, d: expected a free cell, found a wall"),
        ("U2(dR)", "a:1:1: move 1, U: expected a box to push, found a free cell"),
        ("L", "a:1:1: move 1, L: expected a free cell behind the box, found a wall"),
        ("dx", "a:1:2: expected one of the letters l, u, r, d, L, U, R, D, found 'x'"),
        ("2(dr", "a:1:4: expected ')', found none"),
        ("", "a: expected moves in the letters l, u, r and d, found none"),
        (LEVEL, "a:7:1: expected a solution below the level, found none"),
    ],
)
def test_mistakes(text, problem):
    puzzle = from_text(LEVEL, "x.xsb")
    with pytest.raises(FormatError) as error:  # noqa: PT012
        (found,) = proposed(puzzle, text, "a")
        raise found.problem
    assert str(error.value).split("\n")[0] == problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("uL", "move 2, L: expected free cells for the box, found a wall behind a2"),
        ("uuuLL", "move 5, L: expected free cells for the box, found a wall behind a1"),
        ("lluU", "move 4, U: expected free cells for the box, found a box in b1"),
        ("luU", "move 2, u: expected a free cell, found a box (a push is U)"),
        ("llU", "move 3, U: expected a box to push or to pull, found none"),
        ("lluRrR", "move 5, r: expected a free cell, found a box (a push is R)"),
        ("uuuuR", "move 4, u: expected a free cell, found a wall"),
    ],
)
def test_mistakes_with_a_box_of_several_cells(text, problem):
    puzzle = from_text(NOTCH.format("yes"), "x.pzl")
    with pytest.raises(FormatError, match=re.escape(problem)):
        lurd.rules_of(puzzle, lurd.solutions_of(text)[0])


def test_a_pull_of_a_box_of_several_cells_needs_room_for_all_of_them():
    puzzle = from_text("rule: push\nblocks: A\npull: yes\nstart: . . . / @ $ . / A A .\n", "x.pzl")
    with pytest.raises(FormatError, match="move 1, U: expected free cells for the box, found a box in b2"):
        lurd.rules_of(puzzle, lurd.solutions_of("U")[0])
    assert len(lurd.rules_of(puzzle, lurd.solutions_of("RlU")[0])) == 3


def test_solutions_below_levels(tmp_path):
    several = (
        f"first\n{LEVEL}Author: A\n\nSolution/Moves\n{SHORTEST[:9]}\n{SHORTEST[9:]}\n\nSnapshot\nullr\n\n"
        f"Solution: {SHORTEST[:1]}ud{SHORTEST[1:]}\n\nDull\n{LEVEL}\nSolution\nrrrr\n"
    )
    found = levels_of(several)
    assert [(each.said.title, list(map(len, each.said.solutions))) for each in found] == [
        ("first", [2, 1]),
        ("Dull", [1]),
    ]
    file = tmp_path / "some.sok"
    file.write_text(several)
    one, other = proposed(load(f"{file}#1"), several, level=1)
    assert (dict(one.moves)["move"], dict(other.moves)["move"]) == (33, 35)
    code, out, _ = run("check", f"{file}#1", "--solution", f"{file}#1", "--metric", "move", "-q")
    assert code == 0
    assert "solution 1 is legal: 33 moves (count: move), 8 in push, 7 in run; proved shortest" in out
    assert "solution 2 is legal: 35 moves (count: move), 8 in push, 7 in run; 33 suffice" in out
    code, out, _ = run("check", f"{file}#2", "--solution", f"{file}#2", "-q")
    assert code == 30
    assert "some.sok:30:3: move 3, r: expected a free cell, found a wall\n  rrrr\n    ^" in out


def test_names_of_moves_are_checked_too():
    puzzle = load("microban1")
    answer = questions.solve(puzzle)
    assert proposed(puzzle, ", ".join(answer.names))[0].is_shortest
    assert proposed(load("eight"), ", ".join(questions.solve("eight").names))[0].is_shortest
    (wrong,) = proposed(puzzle, "c4-b4,\n  a3-a9", "n")
    assert str(wrong.problem).startswith("n:2:3: move 2, 'a3-a9', is not a legal move there\n")


def test_a_limit_stops_the_search_for_a_shorter_one():
    long = letters(load("microban1"), "push")
    (found,) = proposed(from_text(LEVEL, "x.xsb"), long, limits=Limits(positions=1))
    assert found.is_shortest is None
    assert found.shortest.status is Status.STOPPED
    with pytest.raises(UnsupportedError, match="eight: expected one player"):
        lurd.check(load("eight"))


def test_letters_are_printed(tmp_path):
    code, out, _ = run("solve", "microban1", "--notation", "lurd", "-q")
    assert code == 0
    (text,) = (line for line in out.splitlines() if set(line) and set(line) <= set("lurdLURD"))
    (tmp_path / "a").write_text(text)
    assert run("check", "microban1", "--solution", str(tmp_path / "a"), "-q")[0] == 0
    assert f'"lurd": "{text}"' in run("solve", "microban1", "--notation", "lurd", "--json", "-q")[1]
    assert run("solve", "eight", "--notation", "lurd", "-q")[0] == 31
    assert run("solve", "microban1", "--notation", "words", "-q")[0] == 30
    assert run("check", "microban1", "--metric", "push", "-q")[0] == 30
