"""Images of puzzles: turned, reflected and renamed puzzles have the same words and the same answers."""

import string
from dataclasses import replace
from random import Random

import pytest

from fuzz import generators
from puzzlespace import Limits, load, solve
from puzzlespace.api.loader import from_text
from puzzlespace.formats.pzl import print_draft
from puzzlespace.puzzle.draft import Drawing
from puzzlespace.puzzle.images import NAMELESS, least_image

DRAWS = (generators.draw, generators.draw_glide, generators.draw_push, generators.draw_crates)


def turned(drawing):
    """A drawing turned by a quarter, written anew: cell (x, y) of the drawing becomes cell (height - 1 - y, x)."""
    wide, high = max(map(len, drawing.rows)), len(drawing.rows)
    cells = {(high - 1 - y, x): word for y, row in enumerate(drawing.rows) for x, word in enumerate(row)}
    return Drawing(tuple(tuple(cells.get((x, y), "#") for x in range(high)) for y in range(wide)), drawing.spaced)


def reflected(drawing):
    """A drawing seen in a mirror beside it."""
    wide = max(map(len, drawing.rows))
    return Drawing(tuple(tuple(reversed((*row, *"#" * (wide - len(row))))) for row in drawing.rows), drawing.spaced)


def renamed(draft, random):
    """A draft with other letters for its pieces."""
    words = sorted({word for each in (draft.start, *draft.goals) for word in each.words})
    kept = {".", "*", "#", *draft.fixed}
    pieces = [word for word in words if word not in kept]
    others = [letter for letter in string.ascii_letters if letter not in kept]
    names = dict(zip(pieces, random.sample(others, len(pieces)), strict=True))

    def words_of(words):
        return words if isinstance(words, str) else tuple(names.get(word, word) for word in words)

    def drawn(drawing):
        return Drawing(tuple(tuple(names.get(word, word) for word in row) for row in drawing.rows), drawing.spaced)

    return replace(
        draft, start=drawn(draft.start), goals=tuple(map(drawn, draft.goals)), blocks=words_of(draft.blocks),
        apart=words_of(draft.apart), distinct=words_of(draft.distinct), picture=(), known=(),
    )  # fmt: skip


def seen(draft, change):
    """A draft with all drawings changed."""
    return replace(draft, start=change(draft.start), goals=tuple(map(change, draft.goals)), known=())


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 1000), marks=pytest.mark.long)])
def test_turned_reflected_and_renamed_puzzles_have_the_same_words_and_answers(seeds):
    checked = 0
    for seed in seeds:
        random = Random(seed)
        puzzle = from_text(random.choice(DRAWS)(seed), "random.pzl")
        words = least_image(puzzle)
        if not words or not puzzle.goals:
            continue
        draft = puzzle.draft
        for change in random.choices((turned, reflected), k=3):
            draft = seen(draft, change)
        if draft.rule in NAMELESS and draft.board is None:
            draft = renamed(draft, random)
        other = from_text(print_draft(draft), "image.pzl")
        assert least_image(other) == words, seed
        limits = Limits(positions=20_000)
        assert solve(other, limits=limits).moves == solve(puzzle, limits=limits).moves, seed
        checked += 1
    assert checked >= len(seeds) / 4


BOARD = "rule: slide\ncount: step\nstart: {}\ngoal: {}\n"

OTHERS = [
    ("12./3ab", "*1*/***"),  # another goal
    ("1.2/3ab", "1**/***"),  # pieces on other cells
    ("12#/3a.", "1*#/***"),  # another board
    ("12./3aa", "1**/***"),  # two pieces alike
]


@pytest.mark.parametrize(("start", "goal"), OTHERS)
def test_other_puzzles_have_other_words(start, goal):
    assert least_image(from_text(BOARD.format(start, goal), "a.pzl")) != least_image(
        from_text(BOARD.format("12./3ab", "1**/***"), "b.pzl")
    )


@pytest.mark.parametrize("name", ["hexagram", "lights:3x3", "pancake:5", "hanoi:3,3"])
def test_puzzles_without_a_drawing_on_a_grid_have_none(name):
    assert least_image(load(name)) == ""
