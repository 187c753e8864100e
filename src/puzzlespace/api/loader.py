"""Read a puzzle from what a person types: a catalogue name or alias, a file, '-' for standard input, a family spec."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .. import catalogue
from ..errors import FormatError, InputError, UnsupportedError
from ..formats import format_of, formats, typed
from ..formats.base import Format
from ..formats.base import load as read_file
from ..formats.pzl import explain, print_draft
from ..limits.watch import phase
from ..puzzle.diagnostics import Diagnostic, tell
from ..puzzle.plain import plain, told
from ..puzzle.puzzle import Puzzle
from ..registry import FAMILIES, build, from_spec

MOST_SHOWN = 100
"""The most letters of a word that an error shows."""


def load(source: str) -> Puzzle:
    """Return the puzzle that `source` names.

    Raises InputError with the nearest known name, or FormatError with the place in the file.
    """
    if source == "-":
        return from_text(read_file("-"), "-")
    read = plain(source)
    if read != source and not os.path.exists(source) and (":" in read or catalogue.find(read) is not None):
        tell([each.located("puzzle", source) for each in told(source, read)])
        source = read
    family = source.partition(":")[0]
    if ":" in source and any(each.name == family for each in FAMILIES):
        with phase("the puzzle was built"):
            return from_spec(source if len(source) <= MOST_SHOWN else source[:MOST_SHOWN] + "...")
    name = catalogue.find(source)
    if name is not None:
        return from_text(catalogue.text(name), f"{name}.pzl", name)
    if not source.strip():
        raise InputError("puzzle: expected a catalogue name, a file or a family spec, found an empty word")
    if os.path.exists(source) or source.endswith(".pzl"):  # also for words that can be no name of a file
        return from_file(Path(source))
    file, _, number = source.rpartition("#")
    if number.isascii() and number.isdecimal() and len(number) < 6 and os.path.exists(file):
        return _from_level(Path(file), int(number))
    board = typed(source)
    if board is not None:
        return _built(*board, "puzzle", board[1])
    import difflib  # for this error only

    names = [*catalogue.names(None), *(f"{each.name}:" for each in FAMILIES)]
    near = difflib.get_close_matches(source[:MOST_SHOWN], names, 1)
    hint = f"; did you mean {near[0]}?" if near else "; `puzzlespace list` shows the catalogue"
    raise InputError(f"puzzle: expected a catalogue name, a file or a family spec, found {_shown(source)}{hint}")


def _shown(word: str) -> str:
    """Return a word as errors quote it: unprintable characters escaped, a long one cut."""
    return (
        repr(word) if len(word) <= MOST_SHOWN else f"{word[:MOST_SHOWN]!r} and {len(word) - MOST_SHOWN:,} more letters"
    )


def from_file(path: Path) -> Puzzle:
    """Return the puzzle of a file. Raises FormatError with the place of an error, or if the file cannot be read."""
    return from_text(read_file(str(path)), str(path), path.stem)


def _from_level(path: Path, number: int) -> Puzzle:
    """Return a level of a file with several; raise FormatError if it is another file, or has not so many."""
    from ..formats.sokoban import FORMAT as SOKOBAN
    from ..formats.sokoban import only_level

    text = read_file(str(path))
    if format_of(str(path), text) is not SOKOBAN:
        raise FormatError("expected a file of Sokoban levels before '#', found another one", file=str(path))
    try:
        level = only_level(text, number)
    except FormatError as error:
        raise error.located(str(path), text) from None
    return _built(SOKOBAN, level, str(path), f"{path.stem}#{number}")


def from_text(text: str, file: str, name: str = "") -> Puzzle:
    """Return the puzzle of a file's text. Raises FormatError with the place.

    file  the file's name in errors; its ending selects the format, otherwise the text does
    """
    return _built(format_of(file, text), text, file, name or file)


def _built(form: Format, text: str, file: str, name: str) -> Puzzle:
    try:
        with phase("the puzzle was read"):
            puzzle = build(form.parse(text, file), name)
    except InputError as error:
        raise explain(error, file, text) from None
    return with_diagnostics(puzzle, [each.located(file, text) for each in puzzle.diagnostics])


def with_diagnostics(puzzle: Puzzle, found: Sequence[Diagnostic]) -> Puzzle:
    """Return the puzzle with these diagnostics, which are told to the caller."""
    tell(found)
    return replace(puzzle, diagnostics=tuple(found))


def written(puzzle: Puzzle) -> str:
    """Return the puzzle as the text of a puzzle file; '' if a puzzle file cannot express it."""
    return print_draft(puzzle.draft) if puzzle.draft is not None else ""


def converted(puzzle: Puzzle, form: str) -> str:
    """Return the puzzle in the format of that name.

    Raises InputError if the name is unknown or the format cannot express the puzzle, UnsupportedError if the format is
    only read or the puzzle has no text.
    """
    found = next((each for each in formats() if each.name == form), None)
    if found is None:
        raise InputError(f"format: expected one of {', '.join(written_formats())}, found {form!r}")
    if found.write is None:
        raise UnsupportedError(f"format {form}: it is only read; {', '.join(written_formats())} are written")
    if puzzle.draft is None:
        raise UnsupportedError(f"{puzzle.name}: this puzzle has no text that could be written")
    try:
        return found.write(puzzle.draft)
    except FormatError as error:
        raise InputError(f"format {form}: {error.problem} ({puzzle.name})") from None


def written_formats() -> list[str]:
    """Return the names of the formats that puzzles can be written in."""
    return [each.name for each in formats() if each.write is not None]
