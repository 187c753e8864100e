"""Pictures as SVG, whole and by themselves: no scripts, no fonts or files from elsewhere, the text board within."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from ..puzzle import Frame, Puzzle
from ..result import DepthTable
from .drawing import draw
from .glyphs import printable, wrap
from .looks import INK, PAPER, paints
from .sheet import Sheet, extent, label, tag
from .tables import depth_table
from .text import board, strip

PAGE = 960.0
"""The greatest width of a strip in pixels, unless one board alone is wider."""

MARGIN, GUTTER = 14.0, 22.0
TITLE, NAME = 17.0, 12.5
LETTER = 0.6
"""The width of a letter of the usual fonts as a part of its height."""


def position_svg(
    puzzle: Puzzle, position: bytes, words: Sequence[str] | None = None, changed: Iterable[int] = ()
) -> str:
    """Return one position as a picture.

    words    what to write in every cell (default: the puzzle's letters for the position)
    changed  cells whose pieces are marked as moved
    """
    shown = tuple(words) if words is not None else puzzle.view.decode(position)
    frame = Frame(position, shown, changed=frozenset(changed))
    left, top, right, bottom = extent(puzzle)
    unit = _unit(right - left, bottom - top)
    sheet = Sheet(puzzle, paints(puzzle, shown), (MARGIN - left * unit, MARGIN - top * unit), unit)
    size = ((right - left) * unit + 2 * MARGIN, (bottom - top) * unit + 2 * MARGIN)
    return _document(puzzle.title, "\n".join(board(puzzle, shown)), size, draw(sheet, frame))


def solution_svg(puzzle: Puzzle, frames: Sequence[Frame], title: str) -> str:
    """Return a strip of numbered boards, one for each frame, with the moves' names and what moved marked."""
    left, top, right, bottom = extent(puzzle)
    unit = _unit(right - left, bottom - top)
    wide, high = (right - left) * unit, (bottom - top) * unit
    room = max(wide, 92.0)
    across = max(1, min(len(frames), int((PAGE - 2 * MARGIN + GUTTER) // (room + GUTTER))))
    labels = [_label(number, frame.name, room) for number, frame in enumerate(frames)]
    paint = paints(puzzle, [word for frame in frames for word in frame.words])
    page = across * (room + GUTTER) - GUTTER + 2 * MARGIN
    elements, y = _heading(title, page)
    for first in range(0, len(frames), across):
        for number in range(first, min(first + across, len(frames))):
            x = MARGIN + (number - first) * (room + GUTTER) + room / 2
            sheet = Sheet(puzzle, paint, (x - wide / 2 - left * unit, y - top * unit), unit)
            elements += draw(sheet, frames[number], frames[number - 1] if number else None)
            elements += _caption(labels[number], x, y + high + 1.7 * NAME)
        y += high + (max(map(len, labels[first : first + across])) + 1.9) * 1.3 * NAME
    return _document(title, strip(puzzle, frames), (page, y), elements)


def _unit(width: float, height: float) -> float:
    """Return the pixels per cell: boards of about 150 pixels, with cells from 18 to 44."""
    return max(18.0, min(44.0, 150.0 / max(width, height, 1.0)))


def _label(number: int, name: str, room: float) -> list[str]:
    """Return the lines under a board."""
    letters = max(8, int(room / (LETTER * NAME)))
    return wrap(f"{number}  {printable(name)}".rstrip(), letters)


def _caption(lines: Sequence[str], x: float, y: float) -> list[str]:
    """Return the lines under a board as elements, the number in bold."""
    number, _, rest = lines[0].partition("  ")
    first = tag("tspan", escape(number), font_weight="bold") + (escape(" " + rest) if rest else "")
    style = {"font_size": NAME, "fill": INK}
    texts = [tag("text", first, x=x, y=y, **style)]
    return texts + [
        label(line.strip(), (x, y + k * 1.3 * NAME - 0.36 * NAME), NAME, fill=INK)
        for k, line in enumerate(lines[1:], 1)
    ]


def _heading(title: str, page: float) -> tuple[list[str], float]:
    """Return the title's elements and where the boards begin."""
    lines = wrap(printable(title), max(10, int((page - 2 * MARGIN) / (LETTER * TITLE))))
    texts = [
        tag(
            "text",
            escape(line),
            x=MARGIN,
            y=MARGIN + (k + 0.8) * 1.3 * TITLE,
            font_size=TITLE,
            fill=INK,
            text_anchor="start",
        )
        for k, line in enumerate(lines)
    ]
    return texts, MARGIN + len(lines) * 1.3 * TITLE + 10


def _document(title: str, text: str, size: tuple[float, float], elements: Iterable[str]) -> str:
    """Return the whole picture: title, description for those who do not see it, paper, drawing."""
    width, height = round(size[0]), round(size[1])
    ground = tag("rect", width=width, height=height, fill=PAPER)
    drawing = tag("g", "\n".join(elements), font_family="system-ui, sans-serif", text_anchor="middle")
    parts = [tag("title", escape(printable(title))), tag("desc", "\n" + escape(text) + "\n"), ground, drawing]
    return tag(
        "svg",
        "\n" + "\n".join(parts) + "\n",
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
    )


def table_svg(puzzle: Puzzle, table: DepthTable) -> str:
    """Return a depth table as bars, one for each depth."""
    step, high = 12.0, 160.0
    most = max(table.counts, default=1)
    elements, top = _heading(f"{puzzle.title}: {table.states:,} positions, greatest depth {table.depth}", 640.0)
    for depth, count in enumerate(table.counts):
        x, tall = MARGIN + depth * step, max(1.0, high * count / most)
        bar = tag("rect", x=x, y=top + high - tall, width=step - 2, height=tall, fill="#0072B2")
        elements.append(tag("g", tag("title", f"depth {depth}: {count:,}") + bar))
        if depth % 5 == 0:
            elements.append(label(str(depth), (x + step / 2 - 1, top + high + NAME), NAME, fill=INK))
    size = (max(640.0, len(table.counts) * step + 2 * MARGIN), top + high + 2.2 * NAME)
    return _document(f"Depths of {puzzle.title}", depth_table(puzzle, table), size, elements)
