"""Positions that a caller gives: read from text, as the start or the goal of a puzzle."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

from ..errors import FormatError, InputError
from ..model.custom import Custom
from ..model.goal import Goal
from ..puzzle.diagnostics import Diagnostic, tell
from ..puzzle.draft import BLANK, PLAYER, WILD
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Position, Puzzle
from ..puzzle.walking import check_player
from . import arguments, loader, typed_moves
from .clock import drawing


@drawing
def read_position(puzzle: Puzzle, text: str) -> bytes:
    """Return the position that a person wrote: a drawing, one line with '/' between rows, a short id, or moves.

    Moves have the names of solutions: `R U R' U'`, `B right, C up`. `typed_moves` says where they begin. A puzzle may
    have another notation, such as the facelets of a cube; a note says so, and also if `0` or `_` is read as the blank.
    Raises FormatError with the place in the text.

    >>> goat = load("goat")
    >>> goat.line(read_position(goat, "I right"))
    'r - A A / . I D G / L - J W'
    """
    puzzle = loader.puzzle_of(puzzle, "read_position")
    arguments.text("position", text)
    position, said = _written(puzzle, text, f"; the goal is {_goal_words(puzzle)}")
    tell(said)
    return bytes(position)


def _written(
    puzzle: Puzzle, text: str, more: str = "", what: str = "position"
) -> tuple[Position, tuple[Diagnostic, ...]]:
    """Return the position that a person wrote, with the letters of its pieces, and how it was read.

    more  the end of the note about the sign of a blank
    what  the name of the position, for errors and notes
    """
    if not text.strip():
        raise InputError(f"{what}: expected a position, found an empty text")
    read = typed_moves.in_plain_forms(puzzle, text, what)
    try:
        puzzle.written(read)  # a mistake in the other notation is an error, not the beginning of moves
        try:
            return puzzle.at(read), _notes(puzzle, read, more, what)
        except FormatError as error:
            position = typed_moves.position_after(puzzle, read)
            if position is None:
                error.hint = error.hint or typed_moves.hint(puzzle, read)
                raise
            return position, ()
    except FormatError as error:
        raise error.located(what, text) from None


def _notes(puzzle: Puzzle, text: str, more: str, what: str) -> tuple[Diagnostic, ...]:
    """Return how a position was read, if it is not written in the puzzle's own way."""
    if text.startswith("~"):
        return ()
    written = puzzle.written(text)
    if written is not None:
        return tuple(each.located(what, text) for each in written.told)
    sign = puzzle.plain(text)[1]
    words = f"{sign!r} is read as the blank '{BLANK}'{more}"
    return (Diagnostic("blank-sign", words, "note", file=what),) if sign else ()


def _goal_words(puzzle: Puzzle) -> str:
    """Return the goal as notes name it."""
    position = puzzle.goals[0].position if len(puzzle.goals) == 1 else None
    return "another drawing" if position is None else puzzle.line(position)


def _puzzle_to_place(puzzle: object, asked: str, position: object, what: str = "position") -> Puzzle:
    """Return the puzzle that gets a position; raise InputError if that is neither a text nor of so many cells."""
    owner = loader.puzzle_of(puzzle, asked)
    if isinstance(position, bytes):
        if len(position) != owner.board.cells:
            raise InputError(f"{what}: expected {owner.board.cells} cells, found {len(position)}")
    elif not isinstance(position, str):
        raise arguments.wrong(what, "a text, or a position of the puzzle", position)
    return owner


@overload
def with_start(puzzle: Puzzle, position: str | bytes) -> Puzzle: ...
@overload
def with_start(puzzle: Custom, position: Hashable) -> Custom: ...
def with_start(puzzle: Puzzle | Custom, position: Any) -> Puzzle | Custom:
    """Return the puzzle with another start, whose like pieces keep the letters that a text or `Position` gives them.

    Raises FormatError if it is not a position.

    >>> solve(with_start(load("slide:3x2"), "1 2 3 / . 4 5")).moves
    2
    """
    if isinstance(puzzle, Custom):
        return replace(puzzle, start=position)
    puzzle = _puzzle_to_place(puzzle, "with_start", position)
    start, said = position, ()
    if isinstance(position, str):
        start, said = _written(puzzle, position, f"; the goal is {_goal_words(puzzle)}")
        tell(said)
    if puzzle.walked_by_a_player:
        check_player(puzzle.view.decode(start), "start: ")
    loaded = puzzle.loaded or puzzle
    told = (*loaded.diagnostics, *said)
    return replace(puzzle, start=bytes(start), letters=puzzle.at(start).words, loaded=loaded, diagnostics=told)


@overload
def with_goal(puzzle: Puzzle, position: str | bytes) -> Puzzle: ...
@overload
def with_goal(puzzle: Custom, position: Hashable) -> Custom: ...
def with_goal(puzzle: Puzzle | Custom, position: Any) -> Puzzle | Custom:
    """Return the puzzle with this position as its only goal; the symbols of like pieces do not change.

    In a text '*' is a cell with anything in it. A warning says so if a letter then stands for several like pieces.
    If a player walks, a text has only the boxes, and the player may be anywhere; a position given as bytes with a
    player is reached with the player there. Raises FormatError if the text is not a position.

    >>> solve(with_goal(load("goat"), "* * * * / * * * * / * * * r")).moves
    15
    """
    if isinstance(puzzle, Custom):
        return replace(puzzle, goal=position)
    puzzle = loader.puzzle_of(puzzle, "with_goal")
    return replace(puzzle, goals=(read_goal(puzzle, position, "goal"),))


def read_goal(puzzle: Puzzle, position: str | bytes, what: str) -> Goal:
    """Return the goal, or another set of positions, that a person wrote, as `with_goal` reads it.

    what  its name, for errors and notes
    """
    puzzle = _puzzle_to_place(puzzle, "with_goal", position, what)
    if isinstance(position, str):
        position = typed_moves.in_plain_forms(puzzle, position, what)
    if puzzle.walked_by_a_player:
        return _boxes_goal(puzzle, position, what)
    if not isinstance(position, str):
        return Goal.exactly(bytes(position))
    if WILD in position and WILD not in puzzle.alphabet:
        return _open_goal(puzzle, position, what)
    found, said = _written(puzzle, position, what=what)
    tell(said)
    return Goal.exactly(bytes(found))


def placed(puzzle: Puzzle | Custom | str | Path, asked: str, start: Any, goal: Any) -> Puzzle | Custom | str | Path:
    """Return the puzzle with this start and goal; '' leaves that of the puzzle.

    asked  the function that was called, for errors
    Raises what `with_start` and `with_goal` raise.
    """
    if not is_given(start) and not is_given(goal):
        return puzzle
    found = puzzle if isinstance(puzzle, Custom) else loader.puzzle_of(puzzle, asked)
    found = with_goal(found, goal) if is_given(goal) else found
    return with_start(found, start) if is_given(start) else found


def is_given(position: object) -> bool:
    """Return whether a parameter that takes a position has one; its default is ''."""
    return not isinstance(position, str) or position != ""


def _open_goal(puzzle: Puzzle, text: str, what: str) -> Goal:
    """Return the goal of a drawing with open cells, and say how it was read."""
    try:
        goal = puzzle.pattern(text)
        words, sign = puzzle.plain(text)
    except FormatError as error:
        raise error.located(what, text) from None
    told = [Diagnostic("blank-sign", f"{sign!r} is read as the blank '{BLANK}'", "note", file=what)] if sign else []
    letters = puzzle.view.letters if isinstance(puzzle.view, Letters) else ()
    for alike in letters:
        named = next((word for word in words if word in alike), None)
        if named is not None and not {*alike} <= {*words}:
            said = f"{str(named)!r} stands for any of the like pieces {' '.join(alike)}"
            told.append(Diagnostic.at(named, "like-pieces", said, LIKE).located(what, text))
    tell(told)
    return goal


LIKE = "a puzzle file with this goal tells them apart, and so does 'distinct:'"
"""The hint for a letter of like pieces in an open goal."""


def _boxes_goal(puzzle: Puzzle, position: str | bytes, what: str) -> Goal:
    """Return the goal of boxes that a drawing, moves from the start, or a position shows."""
    if isinstance(position, str):
        with suppress(FormatError):
            moved = typed_moves.position_after(puzzle, position)
            if moved is not None:
                return puzzle.goal_of([BLANK if word == PLAYER else word for word in moved.words])
    try:
        words = puzzle.words(position) if isinstance(position, str) else puzzle.view.decode(position)
        if isinstance(position, bytes) and PLAYER in words:
            return Goal.exactly(position)
        return puzzle.goal_of(words or puzzle.view.decode(puzzle.read(str(position))))
    except FormatError as error:
        raise error.located(what, position) if isinstance(position, str) else error from None
