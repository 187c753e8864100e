"""What a move leaves behind: the way of the one piece that slid, crosses in the holes that a jump emptied."""

from __future__ import annotations

from collections.abc import Sequence

from ..puzzle import BLANK, Frame
from .looks import INK
from .outline import Point, arrow, cross
from .sheet import DISC, INSET, Sheet, tag


def trail(sheet: Sheet, pieces: Sequence[Sequence[int]], frame: Frame, before: Frame) -> list[str]:
    """Return the elements that show where the pieces changed in `frame` were in the position before."""
    here = {cell for piece in pieces for cell in piece}
    vacated = [cell for cell, word in enumerate(before.words) if word != BLANK and cell not in here]
    if sheet.puzzle.kind == "jump":
        path = "".join(cross(sheet.middle(cell), 0.09 * sheet.unit) for cell in vacated)
        return [tag("path", d=path, stroke=INK, stroke_width=0.05 * sheet.unit, fill="none")] if path else []
    moved = [piece for piece in pieces if frame.changed.intersection(piece)]
    if sheet.puzzle.kind != "slide" or len(moved) != 1 or not vacated:
        return []
    return [_way(sheet, moved[0], vacated)]


def mean(places: Sequence[Point]) -> Point:
    """Return the middle of some places."""
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def _way(sheet: Sheet, piece: Sequence[int], vacated: Sequence[int]) -> str:
    """Return an arrow from the cells left to the piece where the way is straight, else a dot where the piece was."""
    start = mean([sheet.middle(cell) for cell in vacated])
    end = _end_on_line(sheet, piece[0], vacated[0]) if len(piece) == 1 else _end_at_side(sheet, piece, vacated)
    if end is None:
        return tag("circle", cx=start[0], cy=start[1], r=0.09 * sheet.unit, fill=INK)
    path = arrow(start, end, 0.17 * sheet.unit)
    return tag("path", d=path, stroke=INK, stroke_width=0.06 * sheet.unit, fill="none", stroke_linecap="round")


def _end_on_line(sheet: Sheet, cell: int, left: int) -> Point | None:
    """Return the rim of the piece in `cell` on the way from `left`, or None where no line joins the two."""
    if not any(cell in line and left in line for line in sheet.puzzle.board.lines):
        return None
    (x, y), (from_x, from_y) = sheet.middle(cell), sheet.middle(left)
    rim = (0.5 - INSET if sheet.puzzle.board.grid else DISC + 0.12) * sheet.unit
    part = rim / (((x - from_x) ** 2 + (y - from_y) ** 2) ** 0.5 or 1.0)
    return x + (from_x - x) * part, y + (from_y - y) * part


def _end_at_side(sheet: Sheet, piece: Sequence[int], vacated: Sequence[int]) -> Point | None:
    """Return the side of a block that it turned to the cells it left, or None where it did not go straight."""
    block, left = ([sheet.square(cell) for cell in cells] for cells in (piece, vacated))
    middle = mean([(x + 0.5, y + 0.5) for x, y in left])
    for axis in (0, 1):
        if {square[1 - axis] for square in block} == {square[1 - axis] for square in left}:
            along = [square[axis] for square in block]
            side = min(along) + INSET if middle[axis] < min(along) + 0.5 else max(along) + 1 - INSET
            return sheet.at(side, middle[1]) if axis == 0 else sheet.at(middle[0], side)
    return None
