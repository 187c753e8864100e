"""The commands `list` and `convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from .. import catalogue
from ..api import questions
from ..api.loader import converted, load, written_formats
from ..errors import InputError
from ..registry import FAMILIES
from ..render import json_output, text
from ..storage.files import write_file
from .options import CommonOptions, Json, PuzzleArgument, limited
from .parser import Argument, Option
from .terminal import print_json


@limited
def list_(
    word: Annotated[str, Argument(metavar="[WORD]", help="a folder, or part of a name, title or author")] = "",
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print the catalogue, with sizes and known numbers, and the families.

    Examples: puzzlespace list · puzzlespace list blocks · puzzlespace list 箱入り娘 · puzzlespace list --json
    """
    names = catalogue.search(word) if word else catalogue.names(None) if as_json else catalogue.names()
    if not names:
        raise InputError(
            f"list: expected a folder ({', '.join(catalogue.FOLDERS)}) or a word of a puzzle, found {word!r}"
        )
    puzzles = [load(name) for name in names]
    families = [] if word else [(family.form, family.title) for family in FAMILIES]
    folders = [] if word else [(name, len(catalogue.names(name)), what) for name, what in catalogue.FOLDERS.items()]
    if as_json:
        print_json(
            {
                "schema": json_output.SCHEMA,
                "puzzles": [json_output.summary(puzzle) for puzzle in puzzles],
                "families": [{"form": form, "title": title} for form, title in families],
            }
        )
    else:
        print(text.listing(puzzles, families, folders))
    return 0


PLANNED = "pddl"
"""The format of planning tasks, which have two files, a metric and a start."""


@limited
def convert(
    puzzle: PuzzleArgument,
    form: Annotated[
        str, Option("--to", metavar="FORMAT", help=f"one of {', '.join(written_formats())}, {PLANNED}")
    ] = "pzl",
    *,
    metric: Annotated[str, Option(help="with --to pddl: what counts as one move")] = "",
    start: Annotated[str, Option(help="with --to pddl: start from this position, or from moves: R U2")] = "",
    output: Annotated[
        Path | None,
        Option("--output", "-o", metavar="FOLDER", help="with --to pddl: write domain.pddl and problem.pddl there"),
    ] = None,
    asked: CommonOptions,
) -> int:
    """Print the puzzle in another format, or as a planning task.

    Examples: puzzlespace convert rush60 --to rushhour · puzzlespace convert klotski --to pddl -o folder
    """
    if form == PLANNED:
        from ..pddl.text import task

        owner = load(puzzle)
        _print_task(task(questions.with_start(owner, start) if start else owner, metric), output)
        return 0
    given = [name for name, value in (("--metric", metric), ("--start", start), ("--output", output)) if value]
    if given:
        raise InputError(f"{given[0]}: only planning tasks have it (--to pddl)")
    print(converted(load(puzzle), form), end="")
    return 0


def _print_task(texts: tuple[str, str], folder: Path | None) -> None:
    """Write the domain and the problem into a folder, or print both."""
    if folder is None:
        print("\n".join(texts), end="")
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
    for name, content in zip(("domain", "problem"), texts, strict=True):
        path = folder / f"{name}.pddl"
        write_file(path, [content.encode()])
        print(f"{path}: {len(content.encode()):,} bytes")
