"""The levels in a file of Sokoban levels: which lines are rows, where a level begins and ends, what is said about it.

A row has only the signs of cells, or numbers, parentheses and `|` if it is run-length encoded. Rows without a break and
with a wall are a block. A block is a level unless it is a frame of walls. Blocks that are open towards each other and
have one player together are one level with a line that does not belong there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..errors import FormatError, Word, visible
from ..limits.watch import paced
from ..puzzle.draft import PLAYER
from . import grids

WALL, BOX, GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL, FLOOR = "#$.*+ "
PLAYERS, BOXES, GOALS = PLAYER + PLAYER_ON_GOAL, BOX + BOX_ON_GOAL, GOAL + BOX_ON_GOAL + PLAYER_ON_GOAL
CALLED = {"-": FLOOR, "_": FLOOR, "p": PLAYER, "P": PLAYER_ON_GOAL, "b": BOX, "B": BOX_ON_GOAL}
"""Other signs of cells."""

CELLS = WALL + PLAYERS + BOXES + GOAL + FLOOR + "".join(CALLED)
CODING = "0123456789()|"

ROW = re.compile(rf"[{re.escape(CELLS + CODING)}\t]*[{re.escape(CELLS)}][{re.escape(CELLS + CODING)}\t]*")
NUMBER = re.compile(r"[ \t(]*#?[ \t]*[0-9]+[ \t.:)]*|(?=.*[0-9pPbB])[0-9pPbB \t.()]+")
"""A line that numbers or names a level, though it has only signs of rows: `3`, `#3`, `(3)`, `B`."""

UNCODED = re.compile(r"([^0-9()|])\1{3}")
"""Equal signs that a number would stand for: a digit in such a level is a mistake, unless `|` ends every row."""

MOST_JOINED = 200
"""The most rows of parts that are taken for one level."""

MOST_PLACES = 16 * grids.MOST_PLACES
"""The most places of all levels of a file."""


@dataclass(frozen=True)
class Block:
    """Rows without a break, and what they are as a level.

    cells        their signs as `#@$.*+` and space; () if they cannot be read
    inside       the cells of the level: those that the player can come to if boxes were no obstacles, and rooms with
                 boxes or goals
    fault        why they are not a level, or None
    open_above   whether the level goes on above the first row; `open_below`: below the last row
    """

    rows: tuple[Word, ...]
    cells: grids.Rows
    inside: frozenset[tuple[int, int]] = frozenset()
    fault: FormatError | None = None
    open_above: bool = False
    open_below: bool = False

    @property
    def idle(self) -> bool:
        """Whether there are only walls, floor and boxes on goals."""
        return bool(self.cells) and not any(sign in PLAYERS + BOX + GOAL for row in self.cells for sign in row)

    @property
    def bare(self) -> bool:
        """Whether it is a frame or an ornament instead of a level."""
        return self.idle and (len(self.rows) < 3 or not any(map(_has_gap, self.cells)))

    @property
    def players(self) -> int:
        """The number of players."""
        return sum(sign in PLAYERS for row in self.cells for sign in row)


def blocks_of(text: str) -> list[Block]:
    """Return the levels in a text, in their order."""
    lines = grids.lines_of(text)
    found: list[Block] = []
    places = 0
    for rows in paced(_runs(lines)):
        for part in _parts(rows):
            block = _block(part)
            places += sum(map(len, block.cells)) or sum(map(_repeats, part))
            if places > MOST_PLACES:
                raise FormatError.at(part[0], f"expected at most {MOST_PLACES:,} places in all levels, found more")
            if found and _cut(found[-1], block):
                found[-1] = _joined(found[-1], block, lines)
            else:
                found.append(block)
    return [block for block in found if not block.bare]


def _repeats(row: str) -> int:
    """Return at most how many signs were made of a row that could not be read."""
    return min(grids.MOST_PLACES, len(row) + sum(map(int, re.findall("[0-9]{1,4}", row))))


def runs_of(text: str) -> list[list[Word]]:
    """Return the rows of each block, which may be a level, without looking at their cells."""
    return list(_runs(grids.lines_of(text)))


def _runs(lines: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the rows that follow each other, if there is a wall in them; a row with a wrong sign is among them."""
    rows: list[Word] = []
    for line in [*lines, Word("")]:
        if _is_row(line) or (rows and _is_damaged(line)) or (not rows and _above_row(line, lines)):
            rows.append(line)
            continue
        if any(WALL in row for row in rows):
            yield rows
        rows = []


def _is_row(line: str) -> bool:
    return ROW.fullmatch(line) is not None and not NUMBER.fullmatch(line)


def _above_row(line: Word, lines: Sequence[Word]) -> bool:
    return _is_damaged(line) and line.line < len(lines) and _is_row(lines[line.line])


def _is_damaged(line: str) -> bool:
    """Return whether a line is a row with a few wrong signs."""
    signs = [sign for sign in line if not sign.isspace()]
    return WALL in line and 2 * sum(sign in "#@$.*+-_" for sign in signs) > len(signs)


def _parts(rows: Sequence[Word]) -> list[list[Word]]:
    """Return the rows of levels that only rows of floor separate: each part has its own player."""
    parts: list[list[Word]] = [[]]
    for row in rows:
        if set(row) <= {"-", "_"}:
            parts.append([])
        else:
            parts[-1].append(row)
    several = [part for part in parts if part]
    own = all(sum(CALLED.get(sign, sign) in PLAYERS for row in part for sign in row) == 1 for part in several)
    return several if own and len(several) > 1 else [list(rows)]


def _block(rows: Sequence[Word]) -> Block:
    try:
        cells = _cells(rows)
    except FormatError as error:
        return Block(tuple(rows), [], fault=error)
    inside, openings = _inside(cells)
    block = Block(
        tuple(rows), cells, inside, open_above=any(y < 0 for _, y in openings),
        open_below=any(y >= len(cells) for _, y in openings),
    )  # fmt: skip
    return replace(block, fault=_fault(block, openings))


def _cells(rows: Sequence[Word]) -> grids.Rows:
    """Return the signs of rows, padded with floor. Raises FormatError at a sign that is no cell."""
    coded = _coded(rows)
    for row in rows:
        for at, sign in enumerate(row):
            if sign not in CELLS and not (coded and sign in CODING):
                found = "a tab" if sign == "\t" else repr(sign)
                hint = "write spaces instead of tabs" if sign == "\t" else ""
                raise FormatError.at(
                    Word(sign, row.line, row.column + at), f"expected a cell of a level, found {found}", hint
                )
    signs = grids.coded_rows(rows, FLOOR) if coded else grids.rows_of(rows, FLOOR)
    return [[Word(CALLED.get(word, word), word.line, word.column) for word in row] for row in signs]


def _coded(rows: Sequence[str]) -> bool:
    """Return whether rows are run-length encoded: then no sign is repeated, or `|` ends every row."""
    ended = any("|" in row for row in rows) and all(row.endswith("|") for row in rows[:-1])
    return ended or (any(re.search("[0-9|]", row) for row in rows) and not any(map(UNCODED.search, rows)))


def _fault(block: Block, openings: Sequence[tuple[int, int]]) -> FormatError | None:
    """Return why a block is not a level, or None."""
    words = [block.cells[y][x] for x, y in sorted(block.inside, key=lambda place: place[::-1])]
    players = [word for row in block.cells for word in row if word in PLAYERS]
    goals, boxes = [word for word in words if word in GOALS], [word for word in words if word in BOXES]
    first = block.cells[0][0]
    if not players:
        return FormatError.at(first, f"expected a player '{PLAYER}', found none")
    if len(players) > 1:
        return FormatError.at(
            players[1], f"expected one player, found {len(players)}", "an empty line separates two levels"
        )
    if openings:
        wide, high = len(block.cells[0]), len(block.cells)
        x, y = openings[0]
        edge = block.cells[min(max(y, 0), high - 1)][min(max(x, 0), wide - 1)]
        return FormatError.at(edge, f"expected walls '{WALL}' all around, found an opening")
    if not goals:
        return FormatError.at(first, f"expected a goal '{GOAL}', found none")
    if len(goals) > len(boxes):
        return FormatError.at(
            goals[len(boxes)], f"expected at most as many goals as boxes ({len(boxes)}), found {len(goals)}"
        )
    return None


def _inside(cells: grids.Rows) -> tuple[frozenset[tuple[int, int]], list[tuple[int, int]]]:
    """Return the cells of a level, and the places off the rows that its open walls lead to.

    Boxes on goals without anything else are decoration: they are no cells of the level.
    """
    found: set[tuple[int, int]] = set()
    openings: list[tuple[int, int]] = []
    for signs in (PLAYERS, BOX + GOAL):
        for place in _places(cells, signs):
            openings += _spread(cells, place, found)
    return frozenset(found), openings


def _places(cells: grids.Rows, signs: str) -> Iterator[tuple[int, int]]:
    return ((x, y) for y, row in enumerate(cells) for x, word in enumerate(row) if word in signs)


def _spread(cells: grids.Rows, first: tuple[int, int], found: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Add the places that are connected to the first one to `found`; return the places off the rows beside them."""
    height, width = len(cells), len(cells[0])
    openings: list[tuple[int, int]] = []
    pending = [first]
    while pending:
        x, y = pending.pop()
        if (x, y) in found:
            continue
        if not (0 <= x < width and 0 <= y < height):
            openings.append((x, y))
        elif cells[y][x] != WALL:
            found.add((x, y))
            pending += ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
    return openings


def _cut(above: Block, below: Block) -> bool:
    """Return whether two blocks are parts of one level."""
    faulty = above.fault is not None and below.fault is not None and bool(above.cells and below.cells)
    if not faulty or len(above.rows) > MOST_JOINED or above.players + below.players > 1:
        return False
    lower = below.open_above or below.idle or _has_gap(below.cells[0])
    upper = above.open_below or above.idle or _has_gap(above.cells[-1])
    return (above.open_below and lower) or (below.open_above and upper)


def _has_gap(row: Sequence[str]) -> bool:
    """Return whether there is something else between two walls of a row."""
    return any(sign != WALL for sign in "".join(row).strip()) and WALL in row


def _joined(above: Block, below: Block, lines: Sequence[Word]) -> Block:
    """Return the parts of one level as a level with a fault: the first line between them."""
    between = lines[above.rows[-1].line]
    found = repr(visible(between)[:40]) if between else "an empty line"
    fault = FormatError.at(
        between, f"expected the next row of a level, found {found}",
        f"the rows above are open below, and those from line {below.rows[0].line} on are open above",
    )  # fmt: skip
    first = above.fault if above.rows[-1].line - above.rows[0].line >= len(above.rows) else fault
    return replace(
        above, rows=(*above.rows, *below.rows), cells=[*above.cells, *below.cells], fault=first,
        open_below=below.open_below or below.idle,
    )  # fmt: skip
