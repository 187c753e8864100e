"""The second reading of docs/changes.md against numbers that are known, and the generator of files."""

import re
import warnings
from pathlib import Path
from random import Random

import pytest

from fuzz import changes_drawn as drawn
from fuzz import changes_reference as reference
from puzzlespace.api.loader import from_text
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import frontier, plain
from puzzlespace.errors import FormatError, PuzzleWarning
from puzzlespace.limits.watch import Watch

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "src" / "puzzlespace" / "catalogue" / "classics").glob("*.pzl"))
BEYOND = ("babylon", "noleft", "theseus", "wordladder")
"""The second reading has one rule, no walls between cells, and no lists of boards."""
WIDE = ("planks",)
"""Files with so many cells that the second reading takes long."""
QUICK = 400
"""Files with more positions are checked by the long tests."""
NUMBERS = ("states", "depth", "hardest", "solution")


def texts() -> list:
    """The example files; those of many positions are long."""
    return [
        pytest.param(
            text,
            id=file.stem,
            marks=[] if file.stem not in WIDE and reference.known(text)["states"] <= QUICK else pytest.mark.long,
        )
        for file in EXAMPLES
        if file.stem not in BEYOND
        for text in [file.read_text(encoding="utf-8")]
    ]


@pytest.mark.parametrize("text", texts())
def test_numbers_of_the_examples(text):
    known = reference.known(text)
    assert known.keys() >= {"states", "depth", "hardest"}
    assert reference.numbers(reference.read(text)) == {"solution": None} | known


def blocks() -> list[str]:
    """The puzzles of the page; the parts of files have no title."""
    page = (ROOT / "docs" / "changes.md").read_text(encoding="utf-8")
    return re.findall(r"```pzl\n(.*?)```", page, re.DOTALL)


@pytest.mark.parametrize("text", [text for text in blocks() if reference.known(text).get("states", 0) <= QUICK])
def test_numbers_of_the_page(text):
    known = reference.known(text)
    found = reference.numbers(reference.read(text))
    assert known
    assert {word: found[word] for word in known} == known


def after(moves: str, start: str, more: str = "") -> set[str]:
    """The positions one move away."""
    text = f"rule: change\nmoves:\n  {moves}\nstart: {start}\ngoal: start\n{more}"
    puzzle = reference.read(text)
    return {"".join(position) for position in puzzle.moves(puzzle.start)}


@pytest.mark.parametrize(
    ("moves", "start", "found"),
    [
        pytest.param("A ... . -> . ... A  row", "..A.", {"A...", ".A..", "...A"}, id="any distance"),
        pytest.param("A ... . stop -> . ... A stop  row", "..A.", {"A...", "...A"}, id="until it stops"),
        pytest.param("any... E . -> . any... E  right", "AAE.", {"AA.E", "A.AE", ".AAE"}, id="any number comes along"),
        pytest.param("edge any... E . -> edge . any... E  right", "AAE.", {".AAE"}, id="all come along"),
        pytest.param("any any -> any .  row", "ABB", {"AB.", "A.B"}, id="one kind twice"),
        pytest.param("any1 any2 -> any1 .  right", "ABB", {"A.B", "AB."}, id="numbered kinds"),
        pytest.param("A ., B -> . A, .  row", "BA.B", {"..AB", "B.A."}, id="patterns in different cells"),
        pytest.param("A . / B . -> . A / . B  right", "A . / B .", {".A.B"}, id="two rows to the right"),
        pytest.param("A B / . . -> . . / A B  right", ". . / A B", set(), id="the second row is below"),
        pytest.param("A B / . . -> . . / A B  left", ". . / B A", {"BA.."}, id="or above, seen to the left"),
        pytest.param("A . . / * * . -> . . . / * * A  around", "A . . / . . .", {".....A"}, id="anything stays"),
        pytest.param("A . -> . A  knight", "A . . / . . .", {".....A"}, id="knight"),
        pytest.param("A . . -> . . A  path", "A . / . .", {"...A"}, id="path without a cell twice"),
        pytest.param("wait: A -> A", "A.", set(), id="a move changes something"),
    ],
)  # fmt: skip
def test_words_of_patterns(moves, start, found):
    assert after(moves, start) == found


def test_what_happens_by_itself_waits_for_moves_that_change_nothing():
    more = "also: turn = p\nafter:\n  A . -> . A  right  once\n"
    assert after("wait: B -> B", "A . . B", more) == {".A.Bp"}


@pytest.mark.parametrize(
    ("rows", "start", "found"),
    [
        (["A . -> . A  right"], "A A . .", "..AA"),
        (["A . -> . A  right  once"], "A A . .", "AA.."),
        (["A A -> . B  row", "B . -> A .  row"], "A A A", "..A"),
        (["A A -> B .  right"], "A A A", "B.A"),
    ],
)
def test_order_of_what_happens_by_itself(rows, start, found):
    text = "\n  ".join(["rule: change\nmoves:", "C -> B"]) + "\nafter:\n  " + "\n  ".join(rows)
    puzzle = reference.read(f"{text}\nstart: {start}\ngoal: start\n")
    assert "".join(puzzle.start) == found


@pytest.mark.parametrize(
    ("rows", "start", "found"),
    [
        (["A . -> . A  right  once"], "A A . . C", "A.A.B"),
        (["A . -> . A  row  once"], ". A . C", "..AB"),
        (["A . -> . D  right  once", "D -> A  once"], "A . . C", ".A.B"),
        (["D -> A  once", "A . -> . D  right  once"], "A . . C", ".A.B"),
    ],
)
def test_what_happens_once_after_a_move(rows, start, found):
    assert after("C -> B", start, "after:\n  " + "\n  ".join(rows) + "\n") == {found}


def test_what_goes_on_for_ever_is_an_error():
    with pytest.raises(reference.EndlessError):
        reference.read("rule: change\nmoves:\n  A -> B\nafter:\n  A . -> . A  row\nstart: A .\ngoal: start\n")


@pytest.mark.parametrize(
    ("sentence", "true"),
    [
        ("count A = 2", True), ("count A on a1 b1 at most 1", False), ("all A on a1 c1", False),
        ("all A on a1 b1", True),
        ("each a1 shows A", True), ("no B on a1", True), ("some B on c1 d1", True), ("only A B", False),
        ("only A B .", True),
        ("see A ... B right", True), ("see B ... A right", False), ("connected A", True), ("connected B", False),
        ("rows alike", False),
        ("a1 = b1 != c1", True), ("a1 = A and not a1 = B", True),
        ("a1 = B or (b1 = A and c1 = .)", True),
        ("start", True),
    ],
)  # fmt: skip
def test_sentences(sentence, true):
    puzzle = reference.read(f"rule: change\nmoves:\n  A . -> . A  row\nstart: A A . B . B\ngoal: {sentence}\n")
    assert puzzle.is_goal(puzzle.start) is true


def test_the_generator_draws_all_features():
    found = set().union(*(drawn.features(drawn.sketched(Random(seed))) for seed in range(1500)))
    assert found == set(drawn.FEATURES)


@pytest.mark.parametrize("seed", range(6))
def test_drawn_files_have_moves_and_are_drawn_again(seed):
    text = drawn.draw(seed)
    assert 2 <= drawn.size(text, max(drawn.MOST)) <= max(drawn.MOST)
    assert drawn.draw(seed) == text


# The program against the second reading

SOME = range(30)
MANY = 5000
"""Files of the long test, `pytest -m long tests/fuzz/test_changes.py`."""


def numbers_of(puzzle):
    """What `reference.numbers` returns, by `Model.moves` in plain Python."""
    model = puzzle.model()
    asked = Depths(model, (model.start,), keep=0, collect=model.goals)
    found = plain.depths(asked, Watch())
    solution = min((depth for _, depth in found.collected), default=None)
    counts = found.counts
    return {"states": sum(counts), "depth": len(counts) - 1, "hardest": counts[-1], "solution": solution}


def compared(seeds):
    """How many drawn files the program reads; each has the numbers of the second reading."""
    read = 0
    for seed in seeds:
        text = drawn.draw(seed)
        try:
            with warnings.catch_warnings(action="ignore", category=PuzzleWarning):
                puzzle = from_text(text, "drawn.pzl")
        except FormatError:  # the generator also draws symbols that are nowhere, and pieces in the air
            continue
        read += 1
        found = {"solution": None} | reference.numbers(reference.read(text))
        assert found == numbers_of(puzzle), (seed, text)
        never = [each for each in puzzle.diagnostics if each.text == "no position meets this goal"]
        assert found["solution"] is None or len(never) < len(puzzle.goals), (seed, text)
    return read


def test_chains_of_one_piece_have_the_numbers_of_the_second_reading():
    for seed in range(120):
        text = drawn.chains(seed)
        with warnings.catch_warnings(action="ignore", category=PuzzleWarning):
            puzzle = from_text(text, "drawn.pzl")
        found = reference.numbers(reference.read(text))
        assert {"solution": None} | found == numbers_of(puzzle), (seed, text)
        counts = frontier.depths(Depths(puzzle.model(), (puzzle.start,)), Watch()).counts
        assert sum(counts) == found["states"], (seed, text)


def test_drawn_files_have_the_numbers_of_the_second_reading():
    assert compared(SOME) > 0.7 * len(SOME)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, MANY, 500))
def test_many_drawn_files_have_the_numbers_of_the_second_reading(first):
    assert compared(range(first, first + 500)) > 350
