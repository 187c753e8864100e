"""Sentences that the rule kinds share: about pieces, fixed symbols, gates, and the lines of the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..puzzle.board import Board, parts
from ..puzzle.diagnostics import Diagnostic
from ..puzzle.draft import Draft, Drawing
from ..puzzle.ground import NONE, Floor
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Puzzle
from .common import Walled

if TYPE_CHECKING:
    from ..model.goal import Goal
    from ..model.sentence import Law, Sentence

MOST_LISTED = 40
"""The most lines, pieces or moves that are listed."""


def listed(words: Sequence[str], between: str = ", ") -> str:
    """Return words joined; after MOST_LISTED of them only the number of the others."""
    rest = len(words) - MOST_LISTED
    return between.join(words[:MOST_LISTED]) + (f"{between}and {rest:,} more" if rest > 0 else "")


def pieces(puzzle: Puzzle) -> Iterator[str]:
    """Yield sentences about blocks, interchangeable pieces, fixed symbols and gates."""
    blocks = _blocks(puzzle)
    if blocks:
        yield f"Blocks: {listed(blocks)}."
    same = _interchangeable(puzzle)
    if same:
        yield f"Interchangeable: {listed(same)}."
    if puzzle.draft is not None and puzzle.draft.fixed:
        yield f"Never moves: {' '.join(puzzle.draft.fixed)}."
    gates: dict[str, list[str]] = {}
    for cell, letter in puzzle.gates.items():
        gates.setdefault(letter, []).append(puzzle.board.names[cell])
    for letter, names in gates.items():
        yield f"Only {letter} may enter: {listed(names)}."


def _blocks(puzzle: Puzzle) -> list[str]:
    """Return every piece of more than one cell in the start with its shape: 'B 2x2', 'L 2x2 without a corner'."""
    position = puzzle.anchor
    if position is None:
        return []
    words = puzzle.view.decode(position)
    shapes: dict[str, list[str]] = {}
    for piece in puzzle.view.pieces(position):
        if len(piece) > 1:
            shapes.setdefault(_shape(puzzle, piece), []).append(words[piece[0]])
    return [f"{' '.join(letters)} ({shape})" for shape, letters in shapes.items()]


def _shape(puzzle: Puzzle, piece: Sequence[int]) -> str:
    """Return 'WxH' of a block, with the number of its missing cells and of its parts."""
    places = [puzzle.board.places[cell] for cell in piece]
    wide = max(x for x, _ in places) - min(x for x, _ in places) + 1
    high = max(y for _, y in places) - min(y for _, y in places) + 1
    missing = wide * high - len(piece)
    apart = len(parts(puzzle.board, piece))
    lacks = f" without {missing:,} cell{'s' if missing > 1 else ''}" if missing else ""
    return f"{wide}x{high}{lacks}" + (f" in {apart} parts" if apart > 1 else "")


def _interchangeable(puzzle: Puzzle) -> list[str]:
    """Return the groups of letters of interchangeable pieces."""
    if not isinstance(puzzle.view, Letters):
        return []
    groups = [[letter for letter in letters if letter in puzzle.alphabet] for letters in puzzle.view.letters]
    return [" = ".join(group) for group in groups if len(group) > 1]


TOLD = {"kinds": "Kinds of symbols:", "places": "Places:", "forbid": "Forbidden are positions with:"}


def said(puzzle: Puzzle) -> Iterator[str]:
    """Yield what lies under the pieces, the kinds and places, and the forbidden positions."""
    draft = puzzle.draft
    if draft is None:
        return
    if any({*wall} <= {*puzzle.board.places} for wall in puzzle.ground.walls):
        yield "There are walls between cells, as drawn."
    ground = () if puzzle.ground.rows else draft.ground
    for text, rows in (("Ground:", ground), *((text, draft.changes.get(key, ())) for key, text in TOLD.items())):
        yield from [text] if rows else []
        yield from (f"  {row}" for row in rows)


def lines(puzzle: Puzzle, shortest: int = 2) -> list[str]:
    """Return the lines of at least `shortest` cells of a board that is not a plain grid, by the names of its cells."""
    if puzzle.board.grid:
        diagonal = puzzle.draft is not None and puzzle.draft.diagonals
        return ["Lines: rows, columns and diagonals."] if diagonal else []
    names = puzzle.board.names
    found = ["-".join(names[cell] for cell in line) for line in puzzle.board.lines if len(line) >= shortest]
    return [f"{'Lines' if puzzle.board.straight else 'Links'}: {listed(found, ' ')}"]


@dataclass(frozen=True)
class Unworded:
    """A draft that says nothing in sentences.

    goals  for each goal of the draft its sentence, or None if it is none
    """

    draft: Draft
    letters: Sequence[str]
    goals: tuple[Sentence | None, ...]
    laws: tuple[Law, ...] = ()

    @property
    def floor(self) -> Floor:
        """The walls between cells."""
        return NONE

    @property
    def told(self) -> Mapping[str, tuple[object, ...]]:
        """What the sentences say of each letter: equal values if they say the same of both."""
        return dict.fromkeys(map(str, self.letters), ())

    @property
    def distinguishes(self) -> bool:
        """Whether pieces are distinguished only by what drawings and sentences say of their letters."""
        goals = self.draft.goals
        return bool(goals) and all(
            isinstance(goal, Drawing) or said is not None for goal, said in zip(goals, self.goals, strict=True)
        )

    def laws_in(self, view: Walled, board: Board) -> tuple[Law, ...]:
        """Return the forbidden positions of a model whose symbols are those of the view."""
        return ()

    def goals_in(self, view: Walled, board: Board) -> tuple[Goal | None, ...]:
        """Return for each goal of the draft that is a sentence the goal of the model, for others None."""
        return (None,) * len(self.goals)

    def doubts(self) -> tuple[Diagnostic, ...]:
        """Return what may be meant in another way."""
        return ()
