"""Levels of the desktop game Klotski: one character for each cell.

`#` is a wall, a space is free, `*` the piece to bring home, `.` a free cell of its home, `-` a gate that only it may
pass, any other character a piece. The goal is reached when each cell of the piece is on the home.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import FormatError
from ..puzzle.draft import BLANK, NOTHING, WILD, Draft, Drawing
from . import grids
from .base import Format, parser

PIECE, HOME, GATE, FREE, WALL = "*.- #"

Places = list[tuple[int, int]]


def fits(text: str) -> bool:
    """Return whether the text has walls, a piece to bring home and a home, and no row that could be a key.

    A text with a player and a box is a level of Sokoban, or a damaged one.
    """
    if "$" in text and ("@" in text or "+" in text):
        return False
    shown = grids.trimmed(grids.lines_of(text))
    return len(shown) > 2 and {PIECE, HOME, WALL} <= set(text) and all(shown) and not grids.KEY.search(text)


def _draft(text: str) -> Draft:
    rows = grids.rows_of(grids.trimmed(grids.lines_of(text)), FREE)
    if not rows:
        raise FormatError("expected a level, found an empty file")
    letters = [word for row in rows for word in row if word not in (HOME, GATE, FREE, WALL)]
    called = grids.names(letters) | dict.fromkeys((FREE, HOME, GATE), BLANK)
    piece, home = _where(rows, PIECE), _where(rows, HOME)
    if not piece:
        raise FormatError.at(rows[0][0], f"expected a piece {PIECE} to bring home, found none")
    gates = None
    if _where(rows, GATE):
        gates = grids.drawn(rows, _open(letters) | {GATE: called[PIECE], WALL: NOTHING})
    lying = list(_fitting(piece, home))
    spare = next((cell for cell in home if not any(cell in cells for cells in lying)), None)
    if spare or not home:
        (x, y), found = (spare, "a cell it cannot lie on") if spare else ((0, 0), "none")
        raise FormatError.at(rows[y][x], f"expected a home of {HOME} that {PIECE} fits on, found {found}")
    goals = [_goal(rows, cells, called[PIECE]) for cells in lying]
    return grids.blocks(grids.drawn(rows, called), goals, gates)


def _open(letters: Sequence[str]) -> dict[str, str]:
    return dict.fromkeys((*letters, FREE, HOME, GATE), WILD)


def _where(rows: Sequence[Sequence[str]], wanted: str) -> Places:
    return [(x, y) for y, row in enumerate(rows) for x, word in enumerate(row) if word == wanted]


def _fitting(piece: Places, home: Places) -> Iterator[Places]:
    """Yield the cells of the piece wherever all of them lie on the home."""
    (x, y), cells = piece[0], set(home)
    for column, row in home:
        moved = [(a + column - x, b + row - y) for a, b in piece]
        if cells.issuperset(moved):
            yield moved


def _goal(rows: grids.Rows, cells: Places, letter: str) -> Drawing:
    words = [[NOTHING if word == WALL else WILD for word in row] for row in rows]
    for x, y in cells:
        words[y][x] = letter
    return Drawing(tuple(map(tuple, words)), spaced=False)


def write(draft: Draft) -> str:
    """Return the level of a draft; `parse` reads the same draft. Raises FormatError if the format cannot express it."""
    draft = grids.matter(draft)
    rows = [list(row) for row in grids.plain_rows(draft)]
    shown = {str(word) for goal in draft.goals if isinstance(goal, Drawing) for word in goal.words} - {WILD}
    if len(shown) != 1:
        raise FormatError("expected one piece to bring home, found other goals")
    (letter,) = shown
    marks = [(goal, letter, HOME) for goal in draft.goals] + ([(draft.gates, letter, GATE)] if draft.gates else [])
    signs = {BLANK: FREE, letter: PIECE}
    level = [[signs.get(word, word) for word in row] for row in rows]
    for drawing, wanted, sign in marks:
        assert isinstance(drawing, Drawing)
        for x, y in _where(drawing.rows, wanted):
            if level[y][x] not in (FREE, sign):
                raise FormatError("expected a home and gates that are free at the start, found pieces on them")
            level[y][x] = sign
    text = "\n".join("".join(row) for row in level) + "\n"
    if _draft(text) != draft:
        raise FormatError("expected a level as the game has them, found one that would be read as another")
    return text


parse = parser(_draft)

FORMAT = Format("gnome", "level of the desktop game Klotski", (".klotski",), parse, write, fits)
