"""What a file of pieces says in sentences: goals and forbidden positions.

Sentences are read as said of the letters that a drawing of the position shows. A piece of several cells shows its
letter in each of them, and pieces whose letters no sentence distinguishes may share a symbol: `InSymbols` says the
same of symbols.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..errors import FormatError, Word
from ..model.goal import Goal
from ..model.rule import ANY, symbols_of
from ..model.sentence import Alike, Compared, Connected, Counted, Every, Law, Not, Sentence, Shows, Some
from ..puzzle.board import Board
from ..puzzle.diagnostics import Diagnostic
from ..puzzle.draft import BLANK, CountGoal, Draft
from ..puzzle.ground import Floor
from . import common
from .change.conditions import read
from .change.doubts import idle_goals, idle_laws, unused
from .change.goals import laws_of
from .change.scope import ANY as ANYTHING
from .change.scope import Scope
from .change.words import Declared, declared, scope_of
from .common import Texts, Walled
from .sentences import Unworded


@dataclass(frozen=True, kw_only=True)
class Worded(Unworded):
    """The sentences of a draft, said of letters: the symbols of `scope` are letters."""

    known: Declared
    scope: Scope

    @property
    def floor(self) -> Floor:
        return self.known.floor

    @cached_property
    def told(self) -> dict[str, tuple[object, ...]]:
        atoms = [atom for each in self._all for atom in _atoms(each)]
        tables = {table for atom in atoms if isinstance(atom, Compared) for _, table in atom.terms}
        needs = {atom.need for atom in atoms if isinstance(atom, Shows | Counted | Connected)}
        alike = any(isinstance(atom, Alike) for atom in atoms)
        ordered = sorted(tables), sorted(needs)
        return {
            letter: (
                *(table[number] for table in ordered[0]), *(need >> number & 1 for need in ordered[1]),
                letter if alike and not self.scope.vacant >> number & 1 else BLANK,
            )
            for number, letter in enumerate(self.scope.letters)
        }  # fmt: skip

    @property
    def _all(self) -> Iterator[Sentence]:
        yield from (goal for goal in self.goals if goal is not None)
        yield from (law.sentence for law in self.laws)

    def laws_in(self, view: Walled, board: Board) -> tuple[Law, ...]:
        if not self.laws:
            return ()
        drawn = InSymbols(self.scope, view, board)
        return tuple([Law(law.name, drawn.said(law.sentence)) for law in self.laws])

    def goals_in(self, view: Walled, board: Board) -> tuple[Goal | None, ...]:
        if not any(self.goals):
            return (None,) * len(self.goals)
        drawn = InSymbols(self.scope, view, board)
        return tuple(
            [None if each is None else Goal((ANY,) * board.cells, (), drawn.said(each)) for each in self.goals]
        )

    def doubts(self) -> tuple[Diagnostic, ...]:
        if not self.draft.places:
            return ()
        laws, goals = idle_laws(self.draft, self.scope, self.laws), idle_goals(self.draft, self.scope, self.goals)
        return (*unused(self.draft, self.known), *laws, *goals)


def read_from(draft: Draft, board: Board, texts: Texts, letters: Sequence[str], vacant: str, **how: bool) -> Worded:
    """Return what a draft says in sentences about letters: `said.said_of`. Raises FormatError."""
    known = declared(draft, board, texts, **how)
    for members in known.kinds.values():
        named = (word for word in members if word not in known.kinds and word not in ("not", ANYTHING))
        common.check_symbols(named, letters, "kinds")
    known.shown.update(letters)
    if known.floor.rows and draft.diagonals:
        raise FormatError.at(draft.ground[0], "ground: expected no walls with diagonals, found both")
    scope = scope_of(known, (), texts.start, vacant)
    laws = laws_of(draft.changes.get("forbid", ()), scope)
    goals = tuple([_goal(goal, scope) for goal in draft.goals])
    return Worded(draft, letters, goals, laws, known=known, scope=scope)


def _goal(goal: object, scope: Scope) -> Sentence | None:
    """Return the sentence of a goal; None for a drawing, 'start', and a count of one symbol."""
    if isinstance(goal, CountGoal) and goal.symbol is not None and goal.symbol in scope.kinds:
        return Counted(scope.kinds[str(goal.symbol)], tuple(range(scope.board.cells)), goal.count, goal.count)
    if isinstance(goal, str) and goal != "start":
        return read(goal if isinstance(goal, Word) else Word(goal), scope)
    return None


def _atoms(sentence: Sentence) -> Iterator[Sentence]:
    """Yield the sentences of which a sentence is made."""
    if isinstance(sentence, Every | Some):
        for part in sentence.parts:
            yield from _atoms(part)
    elif isinstance(sentence, Not):
        yield from _atoms(sentence.part)
    else:
        yield sentence


class InSymbols:
    """Says of the symbols of positions what sentences say of the letters that are drawn.

    A cell shows the letter of the piece that covers it; a position has the symbol of a piece in its first cell.
    """

    def __init__(self, scope: Scope, view: Walled, board: Board) -> None:
        self.scope, self.view, self.board = scope, view, board
        self.numbers = [scope.letters.index(letters[0]) if letters else -1 for letters in view.letters]
        self.covering: list[dict[int, int]] = [{} for _ in range(board.cells)]
        for symbol, number in enumerate(self.numbers):
            for first in range(board.cells) if number >= 0 else ():
                for cell in self._covered(symbol, first):
                    here = self.covering[cell]
                    here[first] = here.get(first, 0) | 1 << symbol

    def _covered(self, symbol: int, first: int) -> tuple[int, ...]:
        """Return the cells of a piece of this symbol whose first cell is `first`; none if it cannot lie there."""
        others = self.view.shapes.covers[symbol][first] if self.view.shapes is not None else ()
        return () if others is None else (first, *others)

    def said(self, sentence: Sentence) -> Sentence:
        """Return a sentence about letters as one about symbols. Raises FormatError."""
        match sentence:
            case Every(parts):
                return Every(tuple(map(self.said, parts)))
            case Some(parts):
                return Some(tuple(map(self.said, parts)))
            case Not(part):
                return Not(self.said(part))
            case Shows(cell, need):
                return self._shows(cell, need)
            case Counted(need, cells, low, high):
                return self._counted(need, cells, low, high)
            case Compared(terms, low, high):
                return self._compared(terms, low, high)
            case Alike(cells):
                return self._alike(cells)
            case Connected(need, links):
                return Connected(self._single(need), links)
            case _:
                raise AssertionError(sentence)

    def _symbols(self, need: int) -> int:
        """Return the symbols of letters."""
        return sum([1 << symbol for symbol, number in enumerate(self.numbers) if number >= 0 and need >> number & 1])

    def _shows(self, cell: int, need: int) -> Sentence:
        symbols = self._symbols(need)
        parts = [Shows(first, here & symbols) for first, here in self.covering[cell].items() if here & symbols]
        return parts[0] if len(parts) == 1 else Some(tuple(parts))

    def _counted(self, need: int, cells: tuple[int, ...], low: int, high: int) -> Sentence:
        symbols = self._symbols(need)
        if all(self.view.size(symbol) == 1 for symbol in symbols_of(symbols)):
            return Counted(symbols, cells, low, high)
        table = tuple([need >> number & 1 for number in range(len(self.scope.letters))])
        return self._compared(tuple([(cell, table) for cell in cells]), low, high)

    def _compared(self, terms: Sequence[tuple[int, tuple[int, ...]]], low: int | None, high: int | None) -> Sentence:
        values: dict[int, list[int]] = {}
        for cell, table in terms:
            for first, here in self.covering[cell].items():
                row = values.setdefault(first, [0] * len(self.numbers))
                for symbol in symbols_of(here):
                    row[symbol] += table[self.numbers[symbol]]
        return Compared(tuple([(first, tuple(row)) for first, row in values.items()]), low, high)

    def _alike(self, cells: tuple[int, ...]) -> Sentence:
        if self.view.shapes is None and not self.scope.vacant:
            return Alike(cells)
        every = {self.scope.need(letter) or 0 for letter in self.scope.letters}
        found = {need for need in every if not need & self.scope.vacant or need == self.scope.blank}
        return Some(tuple([Every(tuple([self._shows(cell, need) for cell in cells])) for need in sorted(found)]))

    def _single(self, need: int) -> int:
        """Return the symbols of letters of pieces of one cell. Raises FormatError for a block."""
        symbols = self._symbols(need)
        block = next((symbol for symbol in symbols_of(symbols) if self.view.size(symbol) > 1), None)
        if block is not None:
            letter = self.view.letters[block][0]
            raise FormatError(f"connected: expected symbols of pieces of one cell, found {letter!r} of a larger piece")
        return symbols
