"""`rule: jump`: a peg jumps over a neighbour into the hole behind it, and the neighbour is removed (peg solitaire).

Symbol 0 is the hole; any peg jumps over any peg.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import FormatError
from ..limits.watch import paced
from ..model.goal import Goal
from ..model.rule import ANY, Motion, Rule, only
from ..puzzle.board import Board
from ..puzzle.draft import BLANK, WILD, Draft
from ..puzzle.ground import Floor
from ..puzzle.puzzle import Puzzle, RuleKind
from ..puzzle.tool import Tool
from . import common, sentences
from .common import Texts, Walled
from .said import KEYS, said_of

SIGNS = ("0", "_", "○")
"""Signs of other programs for a hole, in a text without '.'."""

HOLE = 0
"""The symbol of a hole."""

PEG = "o"
"""The letter of the pegs if no drawing shows one."""


def build(draft: Draft, name: str) -> Puzzle:
    """Return the puzzle of a draft with `rule: jump`; raise FormatError at the word that is wrong."""
    board = common.board_of(draft)
    texts = common.texts_of(draft, board)
    _check_holes(texts)
    letters = _letters(draft, texts)
    common.check_number(len(letters))
    said = said_of(draft, board, texts, letters)
    symbols = {letter: symbol for symbol, letter in enumerate(letters)}
    view = Walled(tuple((letter,) for letter in letters), None, texts.standing(draft.fixed, symbols))
    fixed = [symbols[letter] for letter in draft.fixed]
    rules = tuple(_rules(board, len(letters), sum(map(only, {*range(1, len(letters))} - {*fixed})), said.floor))
    start = view.encode(texts.start) if texts.start else None
    one_peg = _one_peg(texts.cells, len(letters), len(view.walls))
    goals = common.goals_of(draft, texts, view, one_peg, said.goals_in(view, board))
    anchor = view.encode(texts.whole) if texts.whole else None
    metrics = common.metrics_of(draft, rules, len(letters), anchor, KIND.counts)
    return Puzzle(
        name, KIND, board, view, len(letters), rules, metrics, start, goals, diagnostics=said.doubts(),
        laws=said.laws_in(view, board), floor=said.floor,
    )  # fmt: skip


def _check_holes(texts: Texts) -> None:
    """Raise FormatError if start or goal is a whole position without a hole: no peg could ever jump."""
    whole = texts.whole
    if whole is None or BLANK in whole or texts.shared is not None:
        return
    sign = next((word for word in whole if word in SIGNS), "")
    hint = f"write '{BLANK}' for a hole, not {str(sign)!r}" if sign else f"write '{BLANK}' for a hole"
    shown = " ".join(dict.fromkeys(map(str, whole)))
    raise FormatError.at(sign or whole[0], f"expected at least one hole to jump into, found only {shown}", hint)


def _letters(draft: Draft, texts: Texts) -> list[str]:
    """Return the letter of each symbol, the hole's first; raise FormatError for unknown ones."""
    pegs = {str(word) for word in texts.known if word != BLANK}
    letters = [BLANK, *(sorted(pegs, key=common.natural) or [PEG])]
    for goal in texts.goals:
        common.check_symbols((word for word in goal if word != WILD), letters)
    common.check_symbols(draft.fixed, letters, "fixed")
    if not {*letters[1:]} - {*draft.fixed}:
        raise FormatError.at(draft.fixed[0], "fixed: expected some peg that may move, found none")
    return letters


def _one_peg(cells: int, symbols: int, walls: int) -> Goal:
    """Return the goal 'any one peg': one cell shows the peg; with several kinds of peg, all cells but one a hole.

    walls  the number of cells with fixed pegs
    """
    if symbols == 2:
        return Goal((ANY,) * cells, ((1, 1),))
    return Goal((ANY,) * cells, ((HOLE, cells - walls - 1),))


def _rules(board: Board, symbols: int, pegs: int, floor: Floor) -> Iterator[Rule]:
    gone = (HOLE,) * symbols
    for a, over, b, direction in paced(board.jumps):
        if a != b and not floor.parts(board, a, over, b):
            motion = Motion(-1, a, b, direction)
            name = f"{board.names[a]}-{board.names[b]}"
            yield Rule(name, (a, over, b), (pegs, pegs, only(HOLE)), (0, 1, 0), (gone, gone, None), motion)


def in_words(puzzle: Puzzle) -> list[str]:
    """Return the rule, and the lines that are long enough for a jump."""
    return [
        "Rule: a peg jumps over a neighbour along a line into the empty hole behind it and removes it.",
        f"An empty hole is '{BLANK}'.",
        *sentences.lines(puzzle, shortest=3),
        *sentences.said(puzzle),
    ]


KIND = RuleKind(
    "jump", build, in_words, keys=("diagonals", "fixed", *KEYS), counts=("step", "chain"), metrics={"step": "one jump"},
    named="cells", ground="holes", path="over", play="leap", blanks=SIGNS, sentences=True,
    tool=Tool("pegs jump", "pegs jump over others, which are removed.", peg=PEG),
)  # fmt: skip
