"""From what a person types to a Puzzle: a catalogue name or alias, a file, '-' for standard input, or a family spec."""

from __future__ import annotations

import difflib
from pathlib import Path

from . import catalogue
from .errors import InputError
from .formats import format_of
from .formats.base import load as read_file
from .formats.pzl import explain, print_draft
from .puzzle import Puzzle
from .registry import FAMILIES, build, from_spec


def load(source: str) -> Puzzle:
    """Return the puzzle that `source` names. Raises InputError with the nearest known name or the place in the file."""
    if source == "-":
        return from_text(read_file("-"), "-")
    family = source.partition(":")[0]
    if ":" in source and any(each.name == family for each in FAMILIES):
        return from_spec(source)
    name = catalogue.find(source)
    if name is not None:
        return from_text(catalogue.text(name), f"{name}.pzl", name)
    if Path(source).exists() or source.endswith(".pzl"):
        return from_file(Path(source))
    names = [*catalogue.names(), *(f"{each.name}:" for each in FAMILIES)]
    near = difflib.get_close_matches(source, names, 1)
    hint = f"; did you mean {near[0]}?" if near else "; `puzzlespace list` shows the catalogue"
    raise InputError(f"puzzle: expected a catalogue name, a file or a family spec, found {source!r}{hint}")


def from_file(path: Path) -> Puzzle:
    """Return the puzzle of a file. Raises FormatError with its place, or where it cannot be read."""
    return from_text(read_file(str(path)), str(path), path.stem)


def from_text(text: str, file: str, name: str = "") -> Puzzle:
    """Return the puzzle of a puzzle file's text; `file` is how errors call it, its ending tells the format."""
    try:
        return build(format_of(file).parse(text, file), name or file)
    except InputError as error:
        raise explain(error, file, text) from None


def written(puzzle: Puzzle) -> str:
    """Return the puzzle as the text of a puzzle file; '' for one that no file can say."""
    return print_draft(puzzle.draft) if puzzle.draft is not None else ""
