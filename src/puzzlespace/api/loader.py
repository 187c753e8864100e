"""Read a puzzle from what a person types: a catalogue name or alias, a file, '-' for standard input, a family spec."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .. import catalogue
from ..errors import FormatError, InputError, UnsupportedError
from ..formats import doubts, format_of, formats, read_text, typed
from ..formats.base import LEVELS_LIMIT, Format
from ..formats.pzl import FORMAT as PZL
from ..formats.pzl import explain, print_draft
from ..limits.watch import phase
from ..model.custom import Custom
from ..plugins import plugin, plugin_names
from ..puzzle.diagnostics import Diagnostic, tell
from ..puzzle.full_width import plain, told
from ..puzzle.puzzle import Puzzle
from ..registry import FAMILIES, build, family_of, from_spec

TYPED = "puzzle"
"""The name, in errors, of a board that was typed instead of a file's name."""

FOR_LEVELS = "solve, depths, hardest, plan, generate, show, card and certify"
"""The commands that answer for levels of games."""

MOST_SHOWN = 100
"""The most letters of a word that an error shows."""


def puzzle_of(puzzle: object, asked: str = "this question") -> Puzzle:
    """Return a puzzle, or load the one that a word or a path names.

    asked  what is asked of it, for the error
    Raises UnsupportedError for a puzzle written in Python, which has moves but no board, InputError for anything else,
    and what `load` raises.
    """
    if isinstance(puzzle, Puzzle):
        return puzzle
    if isinstance(puzzle, Custom):
        raise UnsupportedError(
            f"{puzzle.name}: {asked} needs a puzzle with a board, such as a file or a catalogue name; a puzzle "
            "written in Python has only moves, for solve, solutions, depths, distance and plan"
        )
    if isinstance(puzzle, str | Path):
        return load(str(puzzle)) if isinstance(puzzle, str) else from_file(puzzle)
    raise InputError(f"puzzle: expected a puzzle, a name or a file, found {puzzle!r:.100}")


def load(source: str) -> Puzzle:
    """Return the puzzle that `source` names.

    Raises InputError with the nearest known name, or FormatError with the place in the file.
    """
    if source == "-":
        return from_file(Path("-"))
    read = plain(source)
    if read != source and not os.path.exists(source) and (":" in read or catalogue.find(read) is not None):
        tell([each.located("puzzle", source) for each in told(source, read)])
        source = read
    family = source.partition(":")[0]
    if ":" in source and family_of(family) is not None:
        with phase("the puzzle was built"):
            return from_spec(source if len(source) <= MOST_SHOWN else source[:MOST_SHOWN] + "...")
    name = catalogue.find(source)
    if name is not None:
        return from_text(catalogue.text(name), f"{name}.pzl", name)
    if not source.strip():
        raise InputError("puzzle: expected a catalogue name, a file or a family spec, found an empty word")
    file, number = file_of(source)
    if os.path.exists(file) or source.endswith(".pzl"):  # also for words that can be no name of a file
        return from_file(Path(file), number)
    board = typed(source)
    if board is not None:
        return _built(*board, TYPED, board[1])
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


def file_of(word: str) -> tuple[str, int | None]:
    """Return the file that a word names, and the number of a level in it: `FILE#7`; None if it names the whole file."""
    file, _, number = word.rpartition("#")
    if number.isascii() and number.isdecimal() and len(number) < 6 and os.path.exists(file):
        return (word, None) if os.path.exists(word) else (file, int(number))
    return word, None


def from_file(path: Path, number: int | None = None) -> Puzzle:
    """Return the puzzle of a file, or a level of a file with several.

    Raises FormatError with the place of an error, if the file cannot be read, or if it has not so many levels.
    """
    text, notes = read_text(str(path), format_of(str(path)).limit if number is None else LEVELS_LIMIT)
    form, name = format_of(str(path), text), path.stem
    if number is not None:
        from ..formats import sokoban
        from ..games.lines import fits as is_game

        if is_game(text):
            raise UnsupportedError(f"{path}: levels of PuzzleScript games are for {FOR_LEVELS}")
        if form is not sokoban.FORMAT:
            raise FormatError("expected a file of Sokoban levels before '#', found another one", file=str(path))
        form, name = sokoban.numbered(number), f"{name}#{number}"
    return _built(form, text, str(path), name, notes)


def count_levels(path: Path) -> int:
    """Return the number of levels in a file of Sokoban levels; 0 for another file, or one that cannot be read."""
    from ..formats import sokoban

    try:
        text, _ = read_text(str(path), LEVELS_LIMIT)
        known = format_of(str(path), text) is sokoban.FORMAT
        return len(sokoban.levels_of(text)) if known else 0
    except FormatError:
        return 0


def first_of(text: str, file: str) -> tuple[Puzzle, int]:
    """Return the puzzle of a text, or the first of several Sokoban levels, and the number of levels, 1 for a puzzle.

    file  as for `from_text`; '' if only the text tells its format
    Raises FormatError with the place.
    """
    name = file.partition(".")[0] or TYPED
    try:
        return from_text(text, file, name), 1
    except FormatError:
        from ..formats import sokoban

        levels = len(sokoban.levels_of(text)) if sokoban.fits(text) else 0
        if levels < 2:
            raise
        return _built(sokoban.numbered(1), text, file, name), levels


def from_text(text: str, file: str, name: str = "") -> Puzzle:
    """Return the puzzle of a file's text. Raises FormatError with the place.

    file  the file's name in errors; its ending selects the format, otherwise the text does
    """
    return _built(format_of(file, text), text, file, name or file)


def _built(form: Format, text: str, file: str, name: str, notes: Sequence[Diagnostic] = ()) -> Puzzle:
    if form is PZL and not form.fits(text):
        from ..games.lines import fits as is_game

        if is_game(text):
            raise UnsupportedError(f"{file}: a PuzzleScript game has levels, such as {file}#1, for {FOR_LEVELS}")
        from ..formats.sokoban import mistaken  # for errors only
        from ..formats.unread import unread

        error = mistaken(text) or unread(file, text)
        if error is not None:
            raise explain(error, file, text)
    try:
        with phase("the puzzle was read"):
            puzzle = build(form.parse(text, file), name)
    except InputError as error:
        raise explain(error, file, text) from None
    told = puzzle.diagnostics if file.lower().endswith(form.suffixes) else (*puzzle.diagnostics, *doubts(form, text))
    return with_diagnostics(puzzle, [*notes, *(each.located(file, text) for each in told)])


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
    found = next((each for each in formats() if each.name == form), None) or plugin("formats", form, Format)
    if found is None:
        known = ", ".join([*written_formats(), *plugin_names("formats")])
        raise InputError(f"format: expected one of {known}, found {form!r}")
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
