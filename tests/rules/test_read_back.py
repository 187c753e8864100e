"""Whatever can be written is read as the same puzzle: every family at its small sizes, the catalogue, every format."""

from __future__ import annotations

import pytest

from puzzlespace import catalogue
from puzzlespace.api.loader import converted, from_text, load, written
from puzzlespace.errors import InputError
from puzzlespace.formats import formats
from puzzlespace.puzzle.draft import Draft, Drawing
from puzzlespace.registry import FAMILIES, build
from puzzlespace.render.text import description
from pzl_examples import ARTICLES

SIZES = {
    **{name: [f"{w}x{h}" for w in range(1, 6) for h in range(1, 6)] + ["1x12", "12x1"] for name in ("flip", "lights")},
    "slide": [f"{w}x{h}" for w in range(1, 6) for h in range(1, 6)] + ["1x12", "12x1"],
    "pancake": [str(n) for n in range(2, 13)],
    "burnt": [str(n) for n in range(1, 13)],
    "reversals": [str(n) for n in range(2, 10)],
    "topspin": [f"{n},{k}" for n in range(3, 9) for k in range(2, n + 1)] + ["12,4"],
    "lrx": [str(n) for n in range(3, 13)],
    "hanoi": [f"{pegs},{disks}" for pegs in (3, 4) for disks in range(1, 4)],
    "cube": ["2"],
    "peg": ["english33", "french37", "wiegleb45", "diamond41", "triangle15", "star13"],
}


def assert_same(puzzle, again, but=()):
    """All that a puzzle is, by every metric; `but` names what a format cannot say."""
    assert puzzle.metrics == again.metrics
    for count in puzzle.metrics:
        model, other = puzzle.model(count), again.model(count)
        assert model.fingerprint == other.fingerprint
        assert (model.rules, model.start, model.goals, model.shapes) == (
            other.rules,
            other.start,
            other.goals,
            other.shapes,
        )
    for field in {"board", "view", "kind", "titles", "known", "picture", "spaced", "stacks"} - {*but}:
        assert getattr(puzzle, field) == getattr(again, field), field


def test_all_families_are_here():
    assert {family.name for family in FAMILIES} == set(SIZES)
    for family in FAMILIES:
        assert {*family.examples} - {*SIZES[family.name]} <= {"5x4", "8,4", "11", "3,7", "4,5", "4,8"}


@pytest.mark.parametrize("name", [*SIZES])
def test_families_are_read_back_at_every_small_size(name):
    family = next(family for family in FAMILIES if family.name == name)
    for size in SIZES[name]:
        made = family.make(size)
        puzzle = build(made, f"{name}:{size}") if isinstance(made, Draft) else made
        if not isinstance(made, Draft):
            assert written(puzzle) == ""
            continue
        again = from_text(written(puzzle), "x.pzl")
        assert_same(puzzle, again)
        assert written(from_text(written(again), "x.pzl")) == written(again)
        assert description(again).split("\n", 1)[1] == description(puzzle).split("\n", 1)[1]
        for position in positions(puzzle):
            line = puzzle.line(position)
            assert puzzle.read(line) == puzzle.read(line.replace(" / ", "\n")) == position
            assert puzzle.read(puzzle.id(position)) == position


def positions(puzzle):
    """The first position and those around it."""
    model = puzzle.model()
    first = puzzle.anchor
    return () if first is None else (first, *list(model.moves(first))[:5])


@pytest.mark.parametrize("name", catalogue.names(None))
def test_the_catalogue_is_read_back(name):
    puzzle = load(name)
    assert_same(puzzle, from_text(written(puzzle), "x.pzl"))


@pytest.mark.parametrize("text", ARTICLES.values(), ids=ARTICLES)
def test_examples_are_read_back(text):
    puzzle = from_text(text, "x.pzl")
    assert_same(puzzle, from_text(written(puzzle), "x.pzl"))


OTHERS = [each for each in formats() if each.write is not None and each.name != "pzl"]
BLOCKS = [*catalogue.names("blocks")[::9], "klotski", "dads", "century", "rush60", "microban1", "microban36", "lunar39"]


@pytest.mark.parametrize("form", OTHERS, ids=lambda form: form.name)
def test_other_formats_are_read_back(form):
    read = 0
    for name in BLOCKS:
        puzzle = load(name)
        try:
            text = converted(puzzle, form.name)
        except InputError:
            continue
        again = from_text(text, f"x{form.suffixes[0]}")
        model, other = puzzle.model(), again.model()
        assert len(model.rules) == len(other.rules)
        assert len(model.moves(model.start)) == len(other.moves(other.start))
        assert_same(again, from_text(written(again), "x.pzl"))
        assert converted(again, form.name) == text
        read += 1
    assert read > 0


NARROW = """\
rule: slide
count: step
start:
  10 #
  9 #
  . #
goal:
  9 #
  . #
  10 #
"""


def test_a_drawing_one_cell_wide_has_words_of_any_length():
    puzzle = from_text(NARROW, "x.pzl")
    assert puzzle.board.rows == ((0,), (1,), (2,))
    assert puzzle.draft.start == Drawing((("10",), ("9",), (".",)))
    assert puzzle.line(puzzle.start) == "10 / 9 / ."
    for text in ("10 / 9 / .", "10\n9\n.", "10 # / 9 # / . #"):
        assert puzzle.read(text) == puzzle.start
    assert_same(puzzle, from_text(written(puzzle), "x.pzl"))


def test_letters_of_a_narrow_board_may_also_stand_in_one_row():
    puzzle = load("slide:1x3")
    assert puzzle.read("1 / . / 2") == puzzle.read("1.2") == puzzle.read("1/./2") == puzzle.read("1 . 2")


EQUAL_GOALS = """\
rule: slide
count: run
blocks: A
fixed: u
start:
  u . u u
  .( A A A
goal:
  u * u u
  * A A A
goal 2:
  u * u u
  * A A A
"""


def test_equal_goals_with_blocks_are_shown_once():
    puzzle = from_text(EQUAL_GOALS, "x.pzl")
    assert len(puzzle.goals) == 1
    assert "u  .  u  u   u * u u\n.( A  A  A   * A A A\n" in description(puzzle)
