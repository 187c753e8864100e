"""What is said about the levels of a file between their rows: titles, authors, and solutions.

If there is a title above the first level and none below the last one, all titles belong to the level below them, and
the other way round. If there are both, a title belongs to the level that it touches without an empty line, else to the
level below. Lines with a key, such as `Title:`, belong to the level that they touch, else to the level above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..errors import Word
from ..limits.watch import paced

KEY = re.compile(r"[\s;]*(title|author)\s*:\s*(.*?)\s*", re.IGNORECASE)
OTHER = re.compile(
    r"[\s;]*(comments?(-end| end)?|copyright|collection|date( created)?|date of last change|difficulty|e-?mail"
    r"|description|homepage|id|level ?set|licen[cs]e|rating|set|source|url|web ?site|www)\s*:.*",
    re.IGNORECASE,
)
"""A line with another key."""

NOTES = re.compile(r"[\s;]*comments?\s*:\s*", re.IGNORECASE)
END = re.compile(r"[\s;]*comments?[- ]end\s*:.*", re.IGNORECASE)
"""The lines before and after comments of several lines."""

GAME = re.compile(r"\s*(solution|snapshot|saved game)\b([^:]*:)?.*", re.IGNORECASE)
"""The line above the moves of a solution or of an unfinished game; moves may follow a colon in it."""

SOLUTION = "solution"

MOVES = re.compile(r"[LURDlurd0-9() \t]*[LURDlurd)][ \t]*")


@dataclass
class Gap:
    """What is said between two levels.

    names    the lines that may be a title, and whether each touches the level above and the one below
    keys     `title` and `author`, with the same
    solutions  the lines of moves of each solution of the level above
    """

    names: list[tuple[str, bool, bool]] = field(default_factory=list[tuple[str, bool, bool]])
    keys: list[tuple[str, str, bool, bool]] = field(default_factory=list[tuple[str, str, bool, bool]])
    solutions: list[list[Word]] = field(default_factory=list[list[Word]])


@dataclass(frozen=True)
class Said:
    """The title, the author and the solutions of a level."""

    title: str = ""
    author: str = ""
    solutions: tuple[tuple[Word, ...], ...] = ()


def texts_of(between: Sequence[Sequence[Word]]) -> list[Said]:
    """Return what is said about each level.

    between  the lines before the first level, between two levels, and after the last one
    """
    gaps = [_gap(lines, first=not number, last=number + 1 == len(between)) for number, lines in enumerate(between)]
    count = len(gaps) - 1
    below = bool(gaps[0].names)
    mixed = below == bool(gaps[-1].names)
    keyed = [bool(gap.keys) for gap in gaps]
    keys_below = keyed[0] and not keyed[-1] and (count == 1 or any(keyed[1:-1]))
    names: list[list[str]] = [[] for _ in range(count)]
    after: list[list[str]] = [[] for _ in range(count)]
    keys: list[dict[str, str]] = [{} for _ in range(count)]
    for number, gap in enumerate(gaps):
        for name, above, under in gap.names:
            mine = under or not above if mixed else below
            to, found = (number, names) if mine else (number - 1, after)
            if 0 <= to < count:
                found[to].append(name)
        for key, value, above, under in gap.keys:
            to = number - (not (under if above != under else keys_below))
            if 0 <= to < count:
                keys[to][key] = value
    general = next((value for key, value, *_ in gaps[0].keys if key == "author"), "")
    return [
        Said(
            keys[level].get("title", "") or _title(names[level][::-1]) or _title(after[level]),
            keys[level].get("author", "") or general,
            tuple(map(tuple, gaps[level + 1].solutions)),
        )
        for level in range(count)
    ]


def _title(lines: Sequence[str]) -> str:
    """Return the title among lines, the nearest to the level first: one in quotes, else the first one."""
    quoted = (line[1:-1].strip() for line in lines if len(line) > 2 and line[0] == line[-1] and line[0] in "'\"")
    return next(quoted, "") or next(iter(lines), "")


def _gap(lines: Sequence[Word], *, first: bool, last: bool) -> Gap:
    """Return what the lines of a gap say; there is no level above the first one, and none below the last one."""
    gap = Gap()
    game, begun, notes = "", "", False
    empty = [at for at, line in enumerate(lines) if not line]
    top, bottom = (empty[0], empty[-1]) if empty else (len(lines), -1)
    end = max((at for at, line in enumerate(lines) if END.fullmatch(line)), default=-1)
    for number, line in enumerate(paced(lines)):
        touches = not first and number < top, not last and number > bottom
        key, head = KEY.fullmatch(line), None if first else GAME.fullmatch(line)
        notes = notes and not END.fullmatch(line)
        if notes or OTHER.fullmatch(line):
            notes = notes or (NOTES.fullmatch(line) is not None and number < end)
        elif key:
            gap.keys.append((key[1].lower(), key[2], *touches))
        elif head or (game and MOVES.fullmatch(line)):
            if head:
                game, begun = head[1].lower(), line.strip("; ")
                gap.solutions += [[]] if game == SOLUTION else []
                at = head.end(2) if head[2] else len(line)
                line = Word(line[at:], line.line, at + 1)
                gap.names.append((begun, *touches))
            if MOVES.fullmatch(line):
                if begun:
                    gap.names.pop()
                begun = ""
                if game == SOLUTION:
                    gap.solutions[-1].append(line)
        elif _is_name(line, touches[1]):
            gap.names.append((line.strip("; \t"), *touches))
            game = begun = ""
        elif not line and not begun:
            game = ""
    return gap


def _is_name(line: str, above_level: bool) -> bool:
    """Return whether a line may be a title: a word or a number, and no moves."""
    return any(map(str.isalnum, line)) and (not MOVES.fullmatch(line) or (above_level and line.istitle()))


def lines_between(rows: Sequence[Sequence[Word]], lines: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield the lines before, between and after the rows of levels."""
    end = 0
    for each in rows:
        yield lines[end : each[0].line - 1]
        end = each[-1].line
    yield lines[end:]
