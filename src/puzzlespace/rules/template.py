"""A template for a rule kind: `rule: hop`, a piece goes to the blank beside it, or over one piece to the blank behind.

It is complete and tested, but not in RULES. Copy and rename it, then change it: docs/adding-a-rule-kind.md has the
steps.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import FormatError
from ..limits.watch import paced
from ..model.rule import Motion, Rule, only
from ..puzzle.board import Board
from ..puzzle.draft import BLANK, WILD, Draft
from ..puzzle.puzzle import Puzzle, RuleKind
from ..puzzle.tool import Tool
from . import common, sentences
from .common import Texts, Walled

EMPTY = 0
"""The symbol of the blank."""


def build(draft: Draft, name: str) -> Puzzle:
    """Return the puzzle of a draft with `rule: hop`; raise FormatError at the word that is wrong."""
    board = common.board_of(draft)
    texts = common.texts_of(draft, board)
    letters = _letters(texts)
    common.check_number(len(letters))
    common.check_counts(texts, letters)
    view = Walled(tuple((letter,) for letter in letters))
    rules = tuple(_rules(board, len(letters)))
    start = view.encode(texts.start) if texts.start else None
    goals = common.goals_of(draft, texts, view)
    metrics = common.metrics_of(draft, rules, len(letters), start, KIND.counts)
    return Puzzle(name, KIND, board, view, len(letters), rules, metrics, start, goals)


def _letters(texts: Texts) -> list[str]:
    """Return the letter of each symbol, the blank's first; raise FormatError for a goal's letter without a piece."""
    pieces = {str(word) for word in (texts.start or texts.words) if word != BLANK}
    letters = [BLANK, *sorted(pieces, key=common.natural)]
    if not pieces:
        raise FormatError("start: expected a drawing with a piece, found none")
    for goal in texts.goals:
        common.check_symbols((word for word in goal if word != WILD), letters)
    return letters


def _rules(board: Board, symbols: int) -> Iterator[Rule]:
    piece, blank = (1 << symbols) - 1 - only(EMPTY), only(EMPTY)
    for a, b, direction in paced(board.steps):
        motion = Motion(-1, a, b, direction)
        yield Rule(f"{board.names[a]}-{board.names[b]}", (a, b), (piece, blank), (1, 0), (None, None), motion)
    for a, over, b, direction in paced(board.jumps):
        if a != b:
            need, motion = (piece, piece, blank), Motion(-1, a, b, direction)
            yield Rule(f"{board.names[a]}-{board.names[b]}", (a, over, b), need, (2, 1, 0), (None, None, None), motion)


def in_words(puzzle: Puzzle) -> list[str]:
    """Return what one may do, and the lines of the board."""
    rule = f"Rule: a piece goes to a blank beside it, or over one piece to the blank behind; the blank is '{BLANK}'."
    return [rule, *sentences.lines(puzzle)]


TOOL = Tool("pieces hop", "a piece goes to the blank beside it, or over one piece to the blank behind.")

KIND = RuleKind("hop", build, in_words, keys=("diagonals",), path="straight", tool=TOOL)
