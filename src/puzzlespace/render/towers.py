"""Drawings of disks on pegs: every cell is a disk, the smallest first, and its symbol is its peg."""

from __future__ import annotations

from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle
from .layout import DISK_HIGH, ROD, disk_width, tower_size
from .looks import ink_on
from .outline import Point, arrow, point
from .sheet import Sheet, label, tag


def place(puzzle: Puzzle, position: bytes, disk: int) -> Point:
    """Return the middle of a disk in cells; it is above all larger ones on its peg."""
    below = sum(position[other] == position[disk] for other in range(disk + 1, len(position)))
    return _peg(puzzle, position[disk]), tower_size(puzzle)[1] - 0.55 - (below + 0.5) * DISK_HIGH


def _peg(puzzle: Puzzle, peg: int) -> float:
    return (peg + 0.5) * (disk_width(puzzle.board.cells - 1) + 0.3)


def towers(sheet: Sheet, frame: Frame, before: Frame | None, after: Frame | None) -> list[str]:
    """Return the elements of a position, with the last move and the next one as arrows from peg to peg."""
    elements = stand(sheet, frame, frozenset())
    if before is not None:
        elements += [_hop(sheet, before, frame, "")]
    if after is not None:
        elements += [_hop(sheet, frame, after, f"{0.16 * sheet.unit:.1f} {0.12 * sheet.unit:.1f}")]
    return elements


def stand(sheet: Sheet, frame: Frame, without: frozenset[int]) -> list[str]:
    """Return pegs, base, letters of the pegs, and all disks except those in `without`."""
    puzzle, theme = sheet.puzzle, sheet.theme
    wide, high = tower_size(puzzle)
    names = [puzzle.view.decode(bytes([peg]) * puzzle.board.cells)[0] for peg in range(puzzle.symbols)]
    elements = [_box(sheet, (wide / 2, high - 0.5), (wide - 0.1, 0.1), theme.rim)]
    for peg, name in enumerate(names):
        x = _peg(puzzle, peg)
        tall = puzzle.board.cells * DISK_HIGH + 0.3
        elements.append(_box(sheet, (x, high - 0.55 - tall / 2), (ROD, tall), theme.rim))
        elements.append(label(name, sheet.at(x, high - 0.2), 0.42 * sheet.unit, fill=theme.ink))
    for number in range(puzzle.board.cells):
        if number not in without:
            elements += disk(sheet, number, place(puzzle, frame.position, number), number in frame.changed)
    return elements


def disk(sheet: Sheet, number: int, middle: Point, moved: bool) -> list[str]:
    """Return the elements of one disk with its number, 1 for the smallest."""
    theme = sheet.theme
    fill = theme.hues[number % len(theme.hues)]
    line = {"stroke": theme.ink if moved else theme.edge, "stroke_width": 0.085 * sheet.unit if moved else 1.0}
    box = _box(sheet, middle, (disk_width(number), DISK_HIGH - 0.05), fill, **line)
    return [box, label(str(number + 1), sheet.at(*middle), 0.36 * sheet.unit, fill=ink_on(fill))]


def _box(sheet: Sheet, middle: Point, extent: Point, fill: str, **line: str | float) -> str:
    (x, y), (wide, high) = sheet.at(middle[0] - extent[0] / 2, middle[1] - extent[1] / 2), extent
    corner = 0.35 * min(wide, high) * sheet.unit
    return tag(
        "rect", x=x, y=y, width=wide * sheet.unit, height=high * sheet.unit, rx=corner, fill=fill, **line
    )  # fmt: skip


def _hop(sheet: Sheet, before: Frame, after: Frame, dash: str) -> str:
    """Return an arrow above the pegs, from the peg that a disk leaves to the peg that it reaches."""
    moved = next((d for d, (a, b) in enumerate(zip(before.position, after.position, strict=True)) if a != b), None)
    if moved is None:
        return ""
    (a, b), top = ((_peg(sheet.puzzle, each.position[moved]) for each in (before, after)), 0.5)
    start, end, bend = sheet.at(a, top), sheet.at(b, top), sheet.at((a + b) / 2, -0.2)
    head = arrow(bend, end, 0.2 * sheet.unit).split("M", 2)[2]
    style = {"fill": "none", "stroke_linecap": "round", **({"stroke_dasharray": dash} if dash else {})}
    path = f"M{point(start)}Q{point(bend)} {point(end)}M{head}"
    return tag("path", d=path, stroke=sheet.theme.ink, stroke_width=0.07 * sheet.unit, **style)
