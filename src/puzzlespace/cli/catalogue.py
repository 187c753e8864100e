"""The commands `list` and `convert`."""

from __future__ import annotations

from typing import Annotated

from .. import catalogue
from ..api.loader import converted, load, written_formats
from ..errors import InputError
from ..registry import FAMILIES
from ..render import json_output, text
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


@limited
def convert(
    puzzle: PuzzleArgument,
    form: Annotated[str, Option("--to", metavar="FORMAT", help=f"one of {', '.join(written_formats())}")] = "pzl",
    *,
    asked: CommonOptions,
) -> int:
    """Print the puzzle in another format. Example: puzzlespace convert rush60 --to rushhour"""
    print(converted(load(puzzle), form), end="")
    return 0
