"""`rule: stack`: each row is a stack, and the piece on top of one is put on another one. Symbol 0 is the blank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from ..errors import FormatError
from ..model.rule import only
from ..puzzle.board import Board
from ..puzzle.draft import BLANK, WILD, Draft, Drawing
from ..puzzle.puzzle import Puzzle, RuleKind
from ..puzzle.tool import Help, Tool
from . import common, sentences
from .common import Texts, Walled
from .landing import TAKES, check_colours, landing_in_words, size_of

if TYPE_CHECKING:
    from ..model.domain import Domain
    from .change.scope import Scope
    from .stack_rules import Row

WIDE = 2
"""How wide stacks of pieces that differ in size are drawn, in cells."""


@dataclass(frozen=True)
class Stacked(Walled):
    """Letters of positions in which no piece lies over a blank."""

    rows: tuple[Row, ...] = ()

    def encode(self, words: Sequence[str]) -> bytes:
        position = super().encode(words)
        for row in self.rows:
            for below, cell in pairwise(row):
                if position[cell] and not position[below]:
                    raise FormatError.at(
                        words[cell], f"expected pieces at the left of the row, found {str(words[cell])!r} over a blank",
                        "a row is a stack, its floor at the left",
                    )  # fmt: skip
        return position

    def filled(self, words: Sequence[str]) -> list[str]:
        """Return the words of a goal, in which '*' is a piece if there is one over it and no blank under it."""
        found = list(words)
        for row in self.rows:
            pieces = [place for place, cell in enumerate(row) if words[cell] not in (BLANK, WILD)]
            blanks = [place for place, cell in enumerate(row) if words[cell] == BLANK]
            high = min(max(pieces, default=0), min(blanks, default=len(row)))
            for place, cell in enumerate(row):
                if words[cell] == WILD:
                    found[cell] = self.letters[place < high][0]
        return found


def build(draft: Draft, name: str) -> Puzzle:
    """Return the puzzle of a draft with `rule: stack`; raise FormatError at the word that is wrong."""
    from .change.goals import goals_of, laws_of
    from .stack_rules import rules_of

    board = _board(draft)
    rows = _rows(draft, board)
    texts = common.texts_of(draft, board)
    letters = _letters(texts)
    common.check_number(len(letters))
    common.check_counts(texts, letters)
    view = Stacked(tuple((letter,) for letter in letters), rows=rows)
    start = view.encode(texts.start) if texts.start else None
    scope = _scope(draft, board, texts, letters, start)
    goals = goals_of(draft, texts, scope, view)
    laws = laws_of(draft.changes.get("forbid", ()), scope)
    domain = _nothing_floats(rows, len(letters))
    rules = rules_of(draft, rows, letters, scope.kinds)
    metrics = common.metrics_of(draft, rules, len(letters), start, KIND.counts)
    return Puzzle(name, KIND, board, view, len(letters), rules, metrics, start, goals, laws=laws, domain=domain)


def _board(draft: Draft) -> Board:
    for key, found in (("lines", draft.lines), ("links", draft.links)):
        if found:
            raise FormatError.at(draft.place(key), f"{key}: has no meaning for rule {draft.rule}")
    board = common.board_of(draft)
    if not board.grid:
        raise FormatError("board: expected rows of cells, each of which is a stack, found another board")
    sized = not draft.colours and any("larger" in words or "smaller" in words for _, words in draft.put)
    return replace(board, upright=WIDE if sized else 1)


def _rows(draft: Draft, board: Board) -> tuple[Row, ...]:
    """Return the cells of each row. Raises FormatError if a row has none, or one after a place without a cell."""
    found: list[Row] = []
    for number, row in enumerate(board.rows, 1):
        cells = tuple(cell for cell in row if cell is not None)
        if not cells or None in row[: len(cells)]:
            drawn = draft.board if isinstance(draft.board, Drawing) else draft.start
            place = [each for each in drawn.rows if each][number - 1] if drawn is not None else ()
            wrong = next((word for word, cell in zip(place, row, strict=False) if cell is None), "")
            raise FormatError.at(wrong, f"expected '#' only after the cells of row {number}, found it before a cell"
                                 if cells else f"expected a cell in row {number}, found none")  # fmt: skip
        found.append(cells)
    return tuple(found)


def _nothing_floats(rows: Iterable[Row], symbols: int) -> Domain:
    """Return the sentences that no piece lies over a blank."""
    from ..model.sentence import Shows, Some

    pieces = (1 << symbols) - 1 & ~only(0)
    return tuple([Some((Shows(below, pieces), Shows(cell, only(0)))) for row in rows for below, cell in pairwise(row)])


def _letters(texts: Texts) -> list[str]:
    """Return the letter of each symbol, the blank's first. Raises FormatError if something is missing."""
    pieces = {str(word) for word in (texts.start or texts.words) if word not in (BLANK, WILD)}
    letters = [BLANK, *sorted(pieces, key=common.natural)]
    whole = texts.whole
    if not pieces:
        raise FormatError("start: expected a drawing with a piece, found none")
    if whole is not None and BLANK not in whole:
        raise FormatError.at(whole[-1], f"expected a blank '{BLANK}' for a piece to be put on, found none")
    for goal in texts.goals:
        common.check_symbols((word for word in goal if word != WILD), letters)
    return letters


def _scope(draft: Draft, board: Board, texts: Texts, letters: Sequence[str], start: bytes | None) -> Scope:
    """Return what words mean in sentences: colours are kinds too. Raises FormatError."""
    from .change.scope import Scope
    from .change.words import declared, scope_of

    check_colours(letters, draft)
    known = declared(draft, board, texts)
    scope = scope_of(known, (), texts.start)
    kinds = {name: _need(letters, (scope.letters[k] for k in range(len(scope.letters)) if need >> k & 1))
             for name, need in scope.kinds.items()}  # fmt: skip
    for name, members in draft.colours:
        if name in kinds:
            raise FormatError.at(name, f"colours: expected a name that no kind has, found {str(name)!r}")
        kinds[str(name)] = _need(letters, members)
    values = tuple(size_of(letter) for letter in letters)
    return Scope(board, letters, kinds, scope.places, values=values, start=start)


def _need(letters: Sequence[str], members: Iterable[str]) -> int:
    """Return the set of those members that are symbols of the puzzle."""
    return sum(only(letters.index(each)) for each in members if each in letters)


def in_words(puzzle: Puzzle) -> list[str]:
    """Return the rule, what may be put where and taken from where, and what is larger."""
    draft = puzzle.draft
    lines = [
        "Rule: the top piece of a stack is put on another stack.",
        f"A row is a stack, its floor at the left, and '{BLANK}' is room on top; the rows are 1, 2, 3 … from the top.",
    ]
    if draft is None:
        return lines
    usual = () if any(not row for row, _ in draft.put) else (("", ()),)
    lines += [f"{_on(row)} {landing_in_words(words)}." for row, words in (*usual, *draft.put)]
    lines += [f"One move takes {TAKES[' '.join(words)]}{_from(row)}." for row, words in draft.take]
    if draft.between:
        lines.append(f"Moves between rows ('1-2' both ways, '1>2' one way): {sentences.listed(draft.between)}.")
    if draft.order:
        lines.append(f"From small to large: {sentences.listed(draft.order, ' ')}.")
    lines += [f"{name}: {sentences.listed(members, ' ')}." for name, members in draft.colours]
    return [*lines, *sentences.said(puzzle)]


def _on(row: str) -> str:
    return f"On row {row} a piece goes" if row else "A piece goes"


def _from(row: str) -> str:
    return f" from row {row}" if row else ""


KIND = RuleKind(
    "stack", build, in_words, sentences=True, patterns=True,
    keys=("put", "take", "between", "order", "colours", "kinds", "places", "forbid"),
    metrics={"step": "one piece, or those that are taken together, put on another stack"},
    named="rows", path="straight", play="take",
    tool=Tool(
        "stacks of pieces", "each row is a stack, and the top piece goes onto another one.",
        help={
            "start": Help(
                "The start: each row is a stack, its floor at the left. `.` is room on top, `#` no room.",
                "start:\n  R G B\n  G R .",
            ),
            "goal": Help(
                "What shall be reached: a drawing, or a sentence: `rows alike`. Another goal is `goal 2`.",
                "goal: rows alike",
            ),
        },
    ),
)  # fmt: skip
