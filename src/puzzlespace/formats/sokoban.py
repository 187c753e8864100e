"""Sokoban levels (`.xsb`, `.sok`): one character for each cell, perhaps run-length encoded, one level or several.

`#` is a wall, `@` the player, `$` a box, `.` a goal, `*` a box on a goal, `+` the player on a goal; a space, `-` or `_`
is floor. Run-length encoded, a number repeats the next character or group in parentheses, and `|` ends a row. The
goal is that every goal cell has a box; there may be more boxes than goals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..errors import FormatError, Word
from ..limits.watch import paced
from ..puzzle.draft import BLANK, NOTHING, PLAYER, WILD, Draft, Drawing
from . import grids
from .base import LEVELS_LIMIT, Format, parser

WALL, BOX, GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL = "#$.*+"
FLOOR = " -_"
PLAYERS, BOXES, GOALS = PLAYER + PLAYER_ON_GOAL, BOX + BOX_ON_GOAL, GOAL + BOX_ON_GOAL + PLAYER_ON_GOAL

ROW = re.compile(r"[-_ 0-9()|]*#[-_ 0-9()|#@$.*+]*")
"""A row of a level: it has a wall, and no other sign before the first wall."""

KEY = re.compile(r"\s*(title|author)\s*:\s*(.*?)\s*", re.IGNORECASE)
GAME = re.compile(r"\s*(solution|snapshot|saved game)\b([^:]*:)?.*", re.IGNORECASE)
"""The line above the moves of a solution or of an unfinished game; moves may follow a colon in it."""

SOLUTION = "solution"

MOVES = re.compile(r"[LURDlurd0-9() \t]*[LURDlurd)][ \t]*")


@dataclass(frozen=True)
class Level:
    """The rows of a level in a file, the name in the line before it, and its title and author below it.

    solutions  the lines of moves of each solution below it
    """

    rows: tuple[Word, ...]
    before: str
    title: str = ""
    author: str = ""
    solutions: tuple[tuple[Word, ...], ...] = ()


def levels_of(text: str) -> list[Level]:
    """Return the levels of a file, in their order."""
    found: list[Level] = []
    before, game, rows = "", "", list[Word]()
    for line in [*grids.lines_of(text), Word("")]:
        if ROW.fullmatch(line):
            rows.append(line)
            continue
        if rows:
            found.append(Level(tuple(rows), before))
            before, game, rows = "", "", []
        key, begun = KEY.fullmatch(line), GAME.fullmatch(line)
        if key and found:
            name = "title" if key[1].lower() == "title" else "author"
            found[-1] = replace(found[-1], **{name: key[2]})
        elif begun and found:
            before, game = line.strip("; "), begun[1].lower()
            if game == SOLUTION:
                found[-1] = replace(found[-1], solutions=(*found[-1].solutions, ()))
            at = begun.end(2) if begun[2] else len(line)
            line = Word(line[at:], line.line, at + 1)
        if game and MOVES.fullmatch(line):
            before = ""
            if game == SOLUTION:
                *others, last = found[-1].solutions
                found[-1] = replace(found[-1], solutions=(*others, (*last, line)))
        elif line.strip("; ") and not key and not begun:
            before, game = line.strip("; "), ""
        elif not line and game and not before:
            game = ""
    return found


def only_level(text: str, number: int) -> str:
    """Return the text with one level only, in its own lines. Raises FormatError if there are not so many."""
    levels = levels_of(text)
    if not 0 < number <= len(levels):
        raise FormatError(f"expected the number of a level from 1 to {len(levels)}, found {number}")
    first, last = (levels[number - 1].rows[end].line for end in (0, -1))
    after = levels[number].rows[0].line if number < len(levels) else len(text.split("\n")) + 1
    earlier = levels[number - 2].rows[-1].line if number > 1 else 0
    lines = [""] * earlier + text.split("\n")[earlier : after - 1]
    named = [k for k in range(earlier, first - 1) if lines[k].strip()][-1:]
    for k in range(earlier, first - 1):  # what belongs to the level before
        if k not in named or KEY.fullmatch(lines[k]):
            lines[k] = ""
    if number < len(levels):  # the name of the next level
        last_named = [k for k in range(last, after - 1) if lines[k].strip() and not KEY.fullmatch(lines[k])][-1:]
        for k in last_named:
            lines[k] = ""
    return "\n".join(lines)


def fits(text: str) -> bool:
    """Return whether a text has a level with a player and a box, and no row that could be a key before it."""
    rows = [line for line in grids.lines_of(text) if ROW.fullmatch(line)]
    signs = set("".join(rows))
    if len(rows) < 3 and "|" not in signs:
        return False
    first = text.split("\n")[: rows[0].line - 1] if rows else []
    keyed = any(grids.KEY.match(line) and not KEY.fullmatch(line) for line in first)
    return bool(signs & set(PLAYERS)) and bool(signs & set(BOXES)) and not keyed


def _draft(text: str) -> Draft:
    levels = levels_of(text)
    if not levels:
        raise FormatError("expected a level, found no row with walls '#'")
    if len(levels) > 1:
        raise FormatError.at(
            levels[1].rows[0], f"expected one level, found {len(levels)}", "FILE#2 is the second level of a file"
        )
    level = levels[0]
    rows = grids.rows_of([_plain(row) for row in level.rows], " ") if not _coded(level) else _decoded(level)
    players = [word for row in rows for word in row if word in PLAYERS]
    boxes = [word for row in rows for word in row if word in BOXES]
    goals = [word for row in rows for word in row if word in GOALS]
    if not players:
        raise FormatError.at(rows[0][0], f"expected a player '{PLAYER}', found none")
    if len(players) > 1:
        raise FormatError.at(players[1], f"expected one player, found {len(players)}")
    if not goals:
        raise FormatError.at(rows[0][0], f"expected a goal '{GOAL}', found none")
    if len(goals) > len(boxes):
        raise FormatError.at(
            goals[len(boxes)], f"expected at most as many goals as boxes ({len(boxes)}), found {len(goals)}"
        )
    return _drawn(rows, level)


def _plain(row: Word) -> Word:
    """Return a row that is not encoded; raise FormatError at a digit or another sign of an encoded one."""
    for at, sign in enumerate(row):
        if sign in "0123456789()":
            raise FormatError.at(Word(sign, row.line, row.column + at), f"expected a cell of a level, found {sign!r}")
    return row


def _coded(level: Level) -> bool:
    return any("|" in row or re.search("[0-9]", row) for row in level.rows)


def _decoded(level: Level) -> grids.Rows:
    """Return the rows of a run-length encoded level, padded with floor."""
    rows: grids.Rows = []
    for line in level.rows:
        at = 0
        for part in line.split("|"):
            if part.strip():
                rows.append(grids.repeated(Word(part, line.line, line.column + at)))
            elif "|" in line and at < len(line):
                rows.append([Word(" ", line.line, line.column + at)])
            at += len(part) + 1
    width = max(map(len, rows))
    if width * len(rows) > grids.MOST_PLACES:
        raise FormatError.at(rows[0][0], f"expected at most {grids.MOST_PLACES:,} places, found more")
    return [row + [Word(" ", row[-1].line, row[-1].column + 1)] * (width - len(row)) for row in rows]


def _drawn(rows: grids.Rows, level: Level) -> Draft:
    """Return the draft: the cells that the player can come to if boxes were no obstacles, and rooms with boxes."""
    inside = _inside(rows)
    columns, lines = {x for x, _ in inside}, {y for _, y in inside}
    ys, xs = range(min(lines), max(lines) + 1), range(min(columns), max(columns) + 1)
    start = [[_start(rows[y][x], (x, y) in inside) for x in xs] for y in ys]
    goal = [[_goal(rows[y][x], (x, y) in inside) for x in xs] for y in ys]
    title = level.title or level.before
    return Draft(
        rule="push",
        titles=(("", title),) if title else (),
        by=level.author,
        start=Drawing(tuple(map(tuple, start)), spaced=False),
        goals=(Drawing(tuple(map(tuple, goal)), spaced=False),),
    )


def _start(word: Word, inside: bool) -> Word:
    sign = PLAYER if word in PLAYERS else BOX if word in BOXES else BLANK
    return Word(sign if inside else NOTHING, word.line, word.column)


def _goal(word: Word, inside: bool) -> Word:
    return Word((BOX if word in GOALS else WILD) if inside else NOTHING, word.line, word.column)


def _inside(rows: grids.Rows) -> set[tuple[int, int]]:
    """Return the cells of the level; raise FormatError at a cell where its walls are open."""
    height, width = len(rows), len(rows[0])
    found: set[tuple[int, int]] = set()
    for first in paced(_first_cells(rows)):
        pending = [first]
        while pending:
            x, y = pending.pop()
            if (x, y) in found:
                continue
            found.add((x, y))
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if not (0 <= near[0] < width and 0 <= near[1] < height):
                    raise FormatError.at(_edge(rows, x, y), "expected walls '#' all around, found an opening")
                if rows[near[1]][near[0]] != WALL:
                    pending.append(near)
    return found


def _edge(rows: grids.Rows, x: int, y: int) -> Word:
    return rows[y][x]


def _first_cells(rows: Sequence[Sequence[Word]]) -> Iterator[tuple[int, int]]:
    """Yield the cell of the player, and those of boxes and goals that are not in the same place."""
    for signs in (PLAYERS, BOX + GOAL):
        for y, row in enumerate(rows):
            for x, word in enumerate(row):
                if word in signs:
                    yield x, y


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


FORMAT = Format("sokoban", "levels of Sokoban programs", (".xsb", ".sok"), parser(_draft), write, fits, LEVELS_LIMIT)
