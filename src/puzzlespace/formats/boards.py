"""Sliding blocks as two boards one below the other, one character for each cell: the start, then the goal.

Equal characters are one piece, `.` is empty. The goal shows the pieces whose place matters, and `.` in other cells.
Programs differ in the rest, and the heading shows which notation is used:

- no heading, an empty line between the boards: a space is not a cell, nor is `#` if both boards have the same ones;
- `% Start` and `% Goal`: `#` is a wall, `$` begins a comment, spaces are ignored;
- `start:` and `finish:` (or `goal:`): `+` is a wall, `_` is empty.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from ..errors import FormatError, Word, plural
from ..puzzle.draft import BLANK, NOTHING, WILD, Draft, Drawing
from . import grids
from .base import Format, parser

HEADING = re.compile(r"(%\s*)?(start|goal|finish)(\s*:)?", re.IGNORECASE)
SPACE, COMMENT = " ", "$"


def fits(text: str) -> bool:
    """Return whether the text is two boards of as many rows, with an empty line between or with headings."""
    lines = grids.lines_of(text)
    headings = [line for line in lines if _heading(line)]
    if headings:
        return len(headings) == 2 and bool(_heading(grids.trimmed(lines)[0])) and all("=" not in line for line in lines)
    parts = _parts(lines)
    return len(parts) == 2 and len(parts[0]) == len(parts[1]) > 1 and not grids.KEY.search(text)


def _heading(line: str) -> bool:
    found = HEADING.fullmatch(line.split(COMMENT)[0].strip())
    return found is not None and bool(found[1] or found[3])


def _parts(lines: Sequence[Word]) -> list[list[Word]]:
    return [list(part) for empty, part in groupby(lines, key=lambda line: not line) if not empty]


def _draft(text: str) -> Draft:
    lines = grids.lines_of(text)
    marks = [line for line in lines if _heading(line)]
    parts = _headed(lines, marks) if marks else _bare(lines)
    width = max(len(line) for part in parts for line in part)
    rows = grids.rows_of([Word(line.ljust(width), line.line, line.column) for part in parts for line in part], SPACE)
    start, goal = rows[: len(parts[0])], rows[len(parts[0]) :]
    if len(start) != len(goal):
        raise FormatError.at(
            goal[0][0], f"expected a goal of {plural(len(start), 'row')} as the start, found {len(goal)}"
        )
    signs = _signs(str(marks[0]) if marks else "", start, goal)
    called = grids.names(word for row in rows for word in row if word not in signs)
    ends = grids.drawn(goal, called | signs | {BLANK: WILD})
    return grids.blocks(grids.drawn(start, called | signs), [ends])


def _signs(heading: str, start: grids.Rows, goal: grids.Rows) -> dict[str, str]:
    """Return the meaning of the characters that are not pieces, as symbols of drawings."""
    if "%" in heading:
        return {BLANK: BLANK, NOTHING: NOTHING, SPACE: NOTHING}
    if heading:
        return {BLANK: BLANK, "_": BLANK, "+": NOTHING, SPACE: NOTHING}
    signs = {BLANK: BLANK, SPACE: NOTHING}
    walls = ([word == NOTHING for row in rows for word in row] for rows in (start, goal))
    return signs | {NOTHING: NOTHING} if next(walls) == next(walls) else signs


def _bare(lines: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Return the lines of the two boards, without common leading spaces."""
    parts = _parts(lines)
    if len(parts) != 2:
        place = parts[2][0] if len(parts) > 2 else lines[0]
        raise FormatError.at(place, f"expected two boards with an empty line between, found {len(parts)}")
    indent = min(len(line) - len(line.lstrip()) for part in parts for line in part)
    start, goal = ([Word(line[indent:], line.line, indent + 1) for line in part] for part in parts)
    return start, goal


def _headed(lines: Sequence[Word], marks: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Return the lines of the two boards below their headings; raise FormatError for other headings."""
    kinds = ["start" in mark.lower() for mark in marks]
    if sorted(kinds) != [False, True]:
        raise FormatError.at(marks[-1], f"expected one heading for the start and one for the goal, found {len(marks)}")
    boards: list[list[Word]] = [[], []]
    for line in lines:
        if line.line == marks[0].line or line.line == marks[1].line:
            continue
        shown = line.split(COMMENT)[0].replace(SPACE, "") if "%" in marks[0] else str(line)
        if shown and line.line < marks[0].line:
            raise FormatError.at(line, f"expected a heading such as {str(marks[0])!r} first, found {str(line)[:40]!r}")
        if shown:
            boards[line.line > marks[1].line].append(Word(shown, line.line, 1))
    for mark, board in zip(marks, boards, strict=True):
        if not board:
            raise FormatError.at(mark, "expected a board below, found none")
    return (boards[0], boards[1]) if kinds[0] else (boards[1], boards[0])


def write(draft: Draft) -> str:
    """Return start and goal below headings; `parse` reads the same draft. Raises FormatError for other puzzles."""
    draft = grids.matter(draft)
    rows = grids.plain_rows(draft)
    (goal,) = draft.goals if len(draft.goals) == 1 and draft.gates is None else (None,)
    if not isinstance(goal, Drawing):
        raise FormatError("expected blocks with one goal and without gates, found more")
    ends = [[BLANK if word == WILD else str(word) for word in row] for row in goal.rows]
    parts = ("% Start", *map("".join, rows), "", "% Goal", *map("".join, ends))
    text = "\n".join(parts) + "\n"
    if _draft(text) != draft:
        raise FormatError("expected boards as they are read, found blanks in the goal or other letters")
    return text


parse = parser(_draft)

FORMAT = Format("boards", "start and goal as two boards", (".boards",), parse, write, fits)
