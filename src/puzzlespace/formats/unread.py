"""Formats of other programs that are not read: their names, how they are recognised, and what to do instead."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import FormatError


@dataclass(frozen=True)
class Unread:
    """A format that is not read.

    endings  of its files' names, with the dot
    sign     a pattern that its texts have
    hint     what to do instead
    """

    title: str
    endings: tuple[str, ...]
    sign: str
    hint: str


LEVELS = "convert it to text levels (.xsb) with a Sokoban program; formats that are read: docs/formats.md"
RULES = "write its moves in a puzzle file (docs/format.md)"
MOVES = (
    "write its generators as moves of a puzzle file with `rule: apply` (docs/format.md), or as .tws (docs/formats.md)"
)
LEVEL = "name a level of the whole game, in a file such as game.ps: game.ps#1 (docs/games.md)"
GAMES = "it is no puzzle of one player's moves"
ROWS = "give a position as the start of a puzzle such as slide:4x4, or many as a batch"

TABLE = (
    Unread("a Sokoban collection in SLC (XML)", (".slc",), r"<SokobanLevels\b", LEVELS),
    Unread("a PuzzleScript game", (".ps", ".puzzlescript"), r"^COLLISIONLAYERS\s*$", LEVEL),
    Unread("a planning problem in PDDL", (".pddl",), r"^[ \t]*\([ \t]*define\s*\(\s*(domain|problem)\b", RULES),
    Unread("a planning task in SAS", (".sas",), r"\Abegin_version\b", RULES),
    Unread("a permutation group of GAP", (".g", ".gap"), r"\bGroup\s*\(\s*\[?\s*\(\s*\d|:=\s*\(\s*\d+\s*,", MOVES),
    Unread("a permutation group of SageMath", (".sage",), r"\bPermutationGroup\s*\(", MOVES),
    Unread("a problem in DIMACS", (".cnf", ".dimacs"), r"^p\s+(cnf|wcnf|edge|col|sp|max)\s+\d+\s+\d+", RULES),
    Unread("a record of a game in SGF", (".sgf",), r"\A\s*\(\s*;\s*([A-Z]{1,2}\[|$)", GAMES),
    Unread("a chess game in PGN", (".pgn",), r"\A\s*\[Event\s+\"", GAMES),
    Unread("a chess position in FEN", (".fen",), r"\A\s*([1-8pnbrqk]{1,8}/){7}[1-8pnbrqk]{1,8}\s+[wb]\s", GAMES),
    Unread("a web page (HTML)", (".html", ".htm"), r"\A\s*<(!doctype\s+html|html)\b", "save the puzzle itself as text"),
    Unread("an XML file of another program", (".xml",), r"\A\s*<(\?xml\b|!DOCTYPE\b)", LEVELS),
    Unread("a JSON file of another program", (), r"\A\s*[{\[]\s*[\"{\[\]}]", "JSON is KPuzzle only: docs/formats.md"),
    Unread("rows of numbers without a puzzle", (), r"\A(?=\D*\d)(?:[\s\d,;.]|#[^\n]*(?:\n|\Z))+\Z", ROWS),
)  # fmt: skip
"""The formats, in the order in which a text is compared with them."""


def unread(file: str, text: str) -> FormatError | None:
    """Return the error for a file in one of these formats, known by its text or by the ending of its name, or None."""
    flags = re.MULTILINE | re.IGNORECASE
    found = next((each for each in TABLE if re.search(each.sign, text, flags)), None)
    if found is None:
        ending = file.lower()
        found = next((each for each in TABLE if each.endings and ending.endswith(each.endings)), None)
    if found is None:
        return None
    return FormatError(f"expected a puzzle, found {found.title}, which is not read", file=file, hint=found.hint)
