"""Puzzles of which only some moves may be made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import FormatError, InputError, UnsupportedError
from ..limits.watch import paced
from ..model.custom import Custom
from ..puzzle.allowed import ALL, Allowed, cases, turned
from ..puzzle.diagnostics import Diagnostic, tell
from ..puzzle.puzzle import Puzzle
from ..puzzle.words import nearest
from . import loader, typed_moves
from .arguments import texts


def with_moves(puzzle: Puzzle | str | Path, only: str | Sequence[str] = (), avoid: str | Sequence[str] = ()) -> Puzzle:
    """Return the puzzle of which only some moves may be made; it replaces what was chosen before.

    only   the moves that may be made: names as solutions have them, in one text with commas or in several; none: all.
           A listed move, such as `R`, stands for all its powers if they count as one move, and for `R'`; words such as
           `R2` and `R'` stand for themselves
    avoid  moves that are never made; each word stands for itself
    Of pieces, the names of single steps are taken: `5 down`. No step of a longer move may be one that is not allowed.
    A move may then be one that cannot be undone. The numbers that the puzzle says of itself (`known`) are left out.
    Raises FormatError for a name that is no move, InputError if it is none in the metric of a later question or no move
    is left, UnsupportedError for puzzles whose moves have no names.

    >>> solve(with_moves("cube:2", avoid="R"), start="from goal: R'").names
    ("R'", 'R2')
    >>> depths(with_moves("cube:3", only="U2 R2")).counts
    (1, 2, 2, 2, 2, 2, 1)
    """
    if isinstance(puzzle, Custom):
        raise UnsupportedError("with_moves: the moves of this puzzle are Python functions, which have no names")
    puzzle = loader.puzzle_of(puzzle, "with_moves")
    if not puzzle.allowed and only == avoid == ():
        return puzzle
    given = {"only": only, "avoid": avoid}
    for option, value in given.items():
        texts(option, value)
    chosen = {
        option: tuple(dict.fromkeys(_checked(puzzle, [value] if isinstance(value, str) else list(value), option)))
        for option, value in given.items()
    }
    allowed = Allowed(**chosen) if any(chosen.values()) else ALL
    said = (Diagnostic("some-moves", str(allowed), "note"),) if allowed else ()
    tell(said)
    loaded = puzzle.loaded and replace(puzzle.loaded, allowed=allowed, known=())
    others = tuple(each for each in puzzle.diagnostics if each.code != "some-moves")
    return replace(puzzle, allowed=allowed, known=() if allowed else puzzle.known, loaded=loaded,
                   diagnostics=(*others, *said))  # fmt: skip


def _checked(puzzle: Puzzle, given: Iterable[str], option: str) -> Iterator[str]:
    """Yield the names of moves in texts; raise FormatError at one that no move has."""
    known: dict[str, None] = {}
    for text in given:
        read = typed_moves.in_plain_forms(puzzle, text, option)
        words = typed_moves.separated(puzzle, read)
        if not words:
            raise InputError(f"{option}: expected the name of a move, found {text!r}")
        for word in words:
            known = known or dict.fromkeys(_names(puzzle))
            if word not in known and not _is_power(puzzle, word):
                shown = [*dict.fromkeys(each for each in known if each.count(" ") <= word.count(" "))] or [*known]
                expected = "one of its own moves" if _is_several(puzzle, word) else "a move"
                hint = nearest(word, shown[:MOST_SHOWN])
                error = FormatError.at(word, f"expected {expected}, found {str(word)!r}", hint)
                raise error.located("moves" if option == "only" else option, text)
            yield str(word)


MOST_SHOWN = 24
"""The most names of moves in an error."""


def _names(puzzle: Puzzle) -> Iterator[str]:
    """Yield the names of moves of one rule, in any metric."""
    tilting = "tilt" in puzzle.metrics
    for rule in paced(puzzle.rules):
        for case in (*cases(puzzle, rule), *(cases(puzzle, rule, exhausts=True) if tilting else ())):
            yield from (*case.names, *case.alike)


def _is_power(puzzle: Puzzle, word: str) -> bool:
    """Return whether a word repeats a listed move."""
    return puzzle.listed and turned(word, {rule.name: rule for rule in puzzle.rules}) is not None


def _is_several(puzzle: Puzzle, word: str) -> bool:
    """Return whether a word is read in positions, although it is no move of the puzzle: `Rw`, `x`, `M` of a cube."""
    return puzzle.notation is not None and puzzle.notation.is_move(word)
