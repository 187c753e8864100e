"""Sokoban levels (`.xsb`, `.sok`): one character for each cell, perhaps run-length encoded, one level or several.

`#` is a wall, `@` or `p` the player, `$` or `b` a box, `.` a goal, `*` or `B` a box on a goal, `+` or `P` the player on
a goal; a space, `-` or `_` is floor. Run-length encoded, a number repeats the next character or group in parentheses,
and `|` ends a row. The goal is that every goal cell has a box; there may be more boxes than goals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..errors import FormatError, Word
from ..puzzle.draft import BLANK, NOTHING, PLAYER, WILD, Draft, Drawing
from ..puzzle.full_width import plain, told
from . import grids
from .base import LEVELS_LIMIT, Format, parser
from .sokoban_levels import (
    BOX,
    BOX_ON_GOAL,
    BOXES,
    CALLED,
    FLOOR,
    GOAL,
    GOALS,
    PLAYER_ON_GOAL,
    PLAYERS,
    ROW,
    WALL,
    Block,
    blocks_of,
    runs_of,
)
from .sokoban_texts import KEY, OTHER, Said, lines_between, texts_of


@dataclass(frozen=True)
class Level:
    """A level of a file, and what is said about it."""

    block: Block
    said: Said

    @property
    def rows(self) -> tuple[Word, ...]:
        """Its rows in the file."""
        return self.block.rows


def levels_of(text: str) -> list[Level]:
    """Return the levels of a file, in their order, also those that cannot be read."""
    text = _narrow(text)
    blocks = blocks_of(text)
    between = list(lines_between([block.rows for block in blocks], grids.lines_of(text)))
    return [Level(block, said) for block, said in zip(blocks, texts_of(between), strict=True)]


def _narrow(text: str) -> str:
    """Return a text with plain forms for full-width signs in its rows; every character keeps its place."""
    if not WIDE.search(text):
        return text
    lines = [(line, plain(line).replace("\u3000", FLOOR)) for line in text.split("\n")]
    return "\n".join(read if WALL in read and ROW.fullmatch(read) else line for line, read in lines)


WIDE = re.compile("[＃＠＄．＊＋]")
"""Full-width signs of cells."""

ONLY_CELLS = (
    "each row is a line of its own and has only # @ $ . * + - _ and spaces: remove quotes, numbers and separators"
)


def mistaken(text: str) -> FormatError | None:
    """Return the error for rows of a level that have something else on their lines, such as quotes; None for others."""
    if not ({*text} & {*PLAYERS} and {*text} & {*BOXES}):
        return None
    for line in grids.lines_of(text):
        cells = sum(sign in "#@$.*+-_ " for sign in line)
        if 2 * WALL in line and cells < len(line) and 3 * cells >= len(line):
            at = next(at for at, sign in enumerate(line) if sign not in "#@$.*+-_ \t")
            place = Word(line[at], line.line, line.column + at)
            return FormatError.at(place, f"expected the row of a level, found {line[at]!r} in it", ONLY_CELLS)
    return None


def fits(text: str) -> bool:
    """Return whether a text has a level with a player and a box, and no row that could be a key before it."""
    text = _narrow(text)
    runs = runs_of(text)
    rows = [row for run in runs for row in run]
    signs = {CALLED.get(sign, sign) for row in rows for sign in row}
    if len(rows) < 3 and "|" not in signs:
        return False
    first = text.split("\n")[: rows[0].line - 1] if rows else []
    keyed = any(grids.KEY.match(line) and not (KEY.fullmatch(line) or OTHER.fullmatch(line)) for line in first)
    if keyed or not (signs & set(PLAYERS) and signs & set(BOXES)):
        return False
    return bool({*"".join(rows)} & {*PLAYERS}) or any(block.fault is None for block in blocks_of(text))


def numbered(number: int) -> Format:
    """Return the format of a file of levels whose puzzle is the level of this number."""
    return replace(FORMAT, parse=parser(lambda text: _draft(text, number)))


def _draft(text: str, number: int | None = None) -> Draft:
    """Return the draft of the level of a number from 1; None: of the only level."""
    levels = levels_of(text)
    if not levels:
        error = mistaken(text)
        if error is not None:
            raise error
        raise FormatError("expected a level, found no row with walls '#' and a player, a box or a goal")
    level = only(levels) if number is None else level_of(levels, number)
    fault = level.block.fault
    if fault is not None:
        which = f"level {number}: " if number is not None else ""
        raise FormatError(which + fault.problem, line=fault.line, column=fault.column, hint=fault.hint)
    return replace(_drawn(level), diagnostics=told(text, _narrow(text)))


def only(levels: list[Level]) -> Level:
    """Return the only level of a file; raise FormatError at the second one."""
    if len(levels) > 1:
        raise FormatError.at(
            levels[1].rows[0], f"expected one level, found {len(levels)}", "FILE#2 is the second level of a file"
        )
    return levels[0]


def level_of(levels: list[Level], number: int) -> Level:
    """Return the level of a number from 1; raise FormatError if there are not so many."""
    if not 0 < number <= len(levels):
        raise FormatError(f"expected the number of a level from 1 to {len(levels)}, found {number}")
    return levels[number - 1]


def _drawn(level: Level) -> Draft:
    """Return the draft of a level's cells: those that the player can come to, and closed rooms with boxes."""
    cells, inside, said = level.block.cells, level.block.inside, level.said
    columns, lines = {x for x, _ in inside}, {y for _, y in inside}
    ys, xs = range(min(lines), max(lines) + 1), range(min(columns), max(columns) + 1)
    start = [[_start(cells[y][x], (x, y) in inside) for x in xs] for y in ys]
    goal = [[_goal(cells[y][x], (x, y) in inside) for x in xs] for y in ys]
    return Draft(
        rule="push",
        titles=(("", said.title),) if said.title else (),
        by=said.author,
        start=Drawing(tuple(map(tuple, start)), spaced=False),
        goals=(Drawing(tuple(map(tuple, goal)), spaced=False),),
    )


def _start(word: Word, inside: bool) -> Word:
    sign = PLAYER if word in PLAYERS else BOX if word in BOXES else BLANK
    return Word(sign if inside else NOTHING, word.line, word.column)


def _goal(word: Word, inside: bool) -> Word:
    return Word((BOX if word in GOALS else WILD) if inside else NOTHING, word.line, word.column)


SIGNS = {
    (PLAYER, False): PLAYER, (PLAYER, True): PLAYER_ON_GOAL, (BOX, False): BOX, (BOX, True): BOX_ON_GOAL,
    (BLANK, False): " ", (BLANK, True): GOAL,
}  # fmt: skip


def write(draft: Draft) -> str:
    """Return the level of a draft. Raises FormatError if the format cannot express it."""
    bare = grids.matter(replace(draft, count="" if draft.count == "push" else draft.count))
    goal = draft.goals[0] if len(draft.goals) == 1 else None
    if bare.start is None or not isinstance(goal, Drawing) or bare != Draft(
        rule="push", start=bare.start, goals=(replace(goal, spaced=False),)
    ):  # fmt: skip
        raise FormatError(
            "expected a player who pushes boxes on squares to the cells of one goal, found another puzzle"
        )
    if {*bare.start.words} - {PLAYER, BOX, BLANK} or {*goal.words} - {WILD, BOX} or bare.start.words.count(PLAYER) != 1:
        raise FormatError(f"expected one player, boxes '{BOX}' and a goal of '{BOX}' and '{WILD}', found others")
    rows = [[WALL] * (2 + len(bare.start.rows[0])) for _ in range(2 + len(bare.start.rows))]
    for y, (row, wanted) in enumerate(zip(bare.start.rows, goal.rows, strict=True), 1):
        for x, (word, want) in enumerate(zip(row, wanted, strict=True), 1):
            rows[y][x] = WALL if word == NOTHING else SIGNS[str(word), want == BOX]
    title = dict(draft.titles).get("", "")
    below = "".join(f"{key}: {value}\n" for key, value in (("Title", title), ("Author", draft.by)) if value)
    text = "\n".join("".join(row) for row in rows) + "\n" + below
    kept = replace(bare, titles=(("", title),) if title else (), by=draft.by)
    if _draft(text) != kept:
        raise FormatError("expected a level with a closed floor that the player can walk, found another one")
    return text


FORMAT = Format(
    "sokoban", "levels of Sokoban programs", (".xsb", ".sok"), parser(_draft), write, fits, LEVELS_LIMIT, latin=True
)
