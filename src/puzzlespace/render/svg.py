"""Self-contained SVG pictures: no scripts, no external fonts or files, with the text board as description."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

from ..contract.answers import DepthTable
from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle
from .cubes import need_cube
from .drawing import draw
from .floor import named_cells
from .glyphs import printable, wrap
from .looks import Paint, paints
from .outline import Point
from .sheet import Sheet, extent, label, tag
from .tables import depth_table
from .text import board, hardest, strip
from .theme import LIGHT, Style, Theme

MARGIN, GUTTER = 14.0, 22.0
TITLE, NAME = 17.0, 12.5
NARROWEST = 320.0
"""The least width of a strip or sheet, for its title."""

LETTER = 0.6
"""The width of a letter of the usual fonts as a fraction of its height."""

SMALLEST, LARGEST, BOARD = 24.0, 44.0, 150.0
"""The fewest and the most pixels per cell; the width or height that boards should have."""


@dataclass(frozen=True)
class Picture:
    """A board of a strip or sheet: a frame, its label, and the frames before and after it if their moves are shown."""

    frame: Frame
    label: str
    before: Frame | None = None
    after: Frame | None = None


def position_svg(
    puzzle: Puzzle,
    position: bytes,
    words: Sequence[str] | None = None,
    changed: Iterable[int] = (),
    after: Frame | None = None,
    theme: Theme = LIGHT,
    solid: bool = False,
    names: bool = False,
) -> str:
    """Return one position as a picture.

    words    the word in every cell (default: what `Puzzle.shown` returns)
    changed  cells whose pieces are marked as moved
    after    the frame that a move leads to, shown as an arrow
    solid    whether the net of a cube is drawn as a cube; raises UnsupportedError for other puzzles
    names    whether the names of all cells are drawn
    """
    shown = tuple(words) if words is not None else puzzle.shown(position)
    picture = Picture(Frame(position, shown, changed=frozenset(changed)), "", None, after)
    return frame_svg(puzzle, picture, theme, solid, names)


def frame_svg(puzzle: Puzzle, picture: Picture, theme: Theme = LIGHT, solid: bool = False, names: bool = False) -> str:
    """Return one board as a picture, without its label."""
    frame = picture.frame
    sheet, size = sole_sheet(puzzle, paints(puzzle, frame.words, theme), theme, solid, names)
    text = "\n".join(board(puzzle, frame.words))
    return document(puzzle.title, text, size, draw(sheet, frame, picture.before, picture.after), theme)


def sole_sheet(
    puzzle: Puzzle, paint: Mapping[str, Paint], theme: Theme, solid: bool = False, names: bool = False
) -> tuple[Sheet, tuple[float, float]]:
    """Return the sheet of a single board, and the size of the picture."""
    left, top, right, bottom = _extent(puzzle, solid)
    unit = unit_of(puzzle, right - left, bottom - top)
    size = ((right - left) * unit + 2 * MARGIN, (bottom - top) * unit + 2 * MARGIN)
    return Sheet(puzzle, paint, (MARGIN - left * unit, MARGIN - top * unit), unit, theme, solid, names), size


def _extent(puzzle: Puzzle, solid: bool) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a board or of the two views of a cube, in cells."""
    return (0.0, 0.0, *need_cube(puzzle).extent) if solid else extent(puzzle)


def solution_svg(puzzle: Puzzle, frames: Sequence[Frame], title: str, style: Style = Style()) -> str:
    """Return a strip of numbered boards, one for each frame, with names of moves and marks on moved pieces."""
    around = zip([None, *frames], frames, [*frames[1:], None], strict=False)
    pictures = [
        Picture(
            frame if style.last else replace(frame, changed=frozenset()),
            f"{number}  {printable(frame.name)}".rstrip(),
            before if style.last else None,
            after if style.next else None,
        )
        for number, (before, frame, after) in enumerate(around)
    ]
    return pages_svg(puzzle, pictures, title, strip(puzzle, frames), style)


def hardest_svg(puzzle: Puzzle, table: DepthTable, style: Style = Style()) -> str:
    """Return a contact sheet of the deepest positions of a table, numbered."""
    pictures = [
        Picture(Frame(position, puzzle.view.decode(position)), str(number))
        for number, position in enumerate(table.hardest, 1)
    ]
    text = hardest(puzzle, table)
    head = text.partition("\n")[0]
    return pages_svg(puzzle, pictures, f"{puzzle.title}: {head} (count: {table.metric})", text, style)


def pages_svg(puzzle: Puzzle, pictures: Sequence[Picture], title: str, text: str, style: Style) -> str:
    """Return boards in rows that fit the style's page, below a title; `text` is the description."""
    left, top, right, bottom = _extent(puzzle, style.solid)
    unit = unit_of(puzzle, right - left, bottom - top)
    paint = paints(puzzle, [word for picture in pictures for word in picture.frame.words], style.theme)

    def drawn(number: int, corner: Point) -> list[str]:
        origin, picture = (corner[0] - left * unit, corner[1] - top * unit), pictures[number]
        sheet = Sheet(puzzle, paint, origin, unit, style.theme, style.solid, style.names)
        return draw(sheet, picture.frame, picture.before, picture.after)

    size = (right - left) * unit, (bottom - top) * unit
    return boards_svg(size, [picture.label for picture in pictures], drawn, title, text, style)


def boards_svg(
    size: tuple[float, float], words: Sequence[str], drawn: Callable[[int, Point], list[str]], title: str, text: str,
    style: Style,
) -> str:  # fmt: skip
    """Return boards of one size in rows that fit the style's page, below a title; `text` is the description.

    size   the width and the height of a board in pixels
    words  what is written below each board
    drawn  returns the elements of a board, by its number and the pixel of its upper left corner
    """
    room = max(size[0], 92.0)
    across = max(1, min(len(words), _across(room, style.page)))
    page = max(across * (room + GUTTER) - GUTTER, min(NARROWEST, style.page)) + 2 * MARGIN
    head, top = heading(title, page, style.theme)
    rows, bottom = rows_of_boards(size, words, drawn, top, style)
    return document(title, text, (page, bottom), [*head, *rows], style.theme)


def rows_of_boards(
    size: tuple[float, float], words: Sequence[str], drawn: Callable[[int, Point], list[str]], y: float, style: Style
) -> tuple[list[str], float]:
    """Return the elements of boards in rows that fit the style's page, and the y below; arguments: `boards_svg`."""
    wide, high = size
    room = max(wide, 92.0)
    across = max(1, min(len(words), _across(room, style.page)))
    labels = [_label(each, room) for each in words]
    elements: list[str] = []
    for first in range(0, len(words), across):
        for number in range(first, min(first + across, len(words))):
            x = MARGIN + (number - first) * (room + GUTTER) + room / 2
            elements += drawn(number, (x - wide / 2, y))
            elements += caption(labels[number], x, y + high + 1.7 * NAME, style.theme)
        y += high + (max(map(len, labels[first : first + across])) + 1.9) * 1.3 * NAME
    return elements, y


def _across(room: float, page: float) -> int:
    """Return how many boards fit beside each other."""
    return int((page - 2 * MARGIN + GUTTER) // (room + GUTTER))


def unit_of(puzzle: Puzzle, width: float, height: float) -> float:
    """Return the pixels per cell for a board of so many cells; names need more room."""
    least = LARGEST if named_cells(puzzle).start == 0 and puzzle.board.grid else SMALLEST
    return max(least, min(LARGEST, BOARD / max(width, height, 1.0)))


def _label(text: str, room: float) -> list[str]:
    """Return the lines below a board."""
    return wrap(text, max(8, int(room / (LETTER * NAME))))


def caption(lines: Sequence[str], x: float, y: float, theme: Theme) -> list[str]:
    """Return the lines below a board as elements, the number in bold."""
    number, _, rest = lines[0].partition("  ")
    first = tag("tspan", escape(number), font_weight="bold") + (escape(" " + rest) if rest else "")
    texts = [tag("text", first, x=x, y=y, font_size=NAME, fill=theme.ink)]
    return texts + [
        label(line.strip(), (x, y + k * 1.3 * NAME - 0.36 * NAME), NAME, fill=theme.ink)
        for k, line in enumerate(lines[1:], 1)
    ]


def heading(title: str, page: float, theme: Theme = LIGHT) -> tuple[list[str], float]:
    """Return the title's elements and the y below them."""
    lines = wrap(printable(title), max(10, int((page - 2 * MARGIN) / (LETTER * TITLE))))
    texts = [
        tag(
            "text",
            escape(line),
            x=MARGIN,
            y=MARGIN + (k + 0.8) * 1.3 * TITLE,
            font_size=TITLE,
            fill=theme.ink,
            text_anchor="start",
        )
        for k, line in enumerate(lines)
    ]
    return texts, MARGIN + len(lines) * 1.3 * TITLE + 10


def document(title: str, text: str, size: tuple[float, float], elements: Iterable[str], theme: Theme = LIGHT) -> str:
    """Return the whole picture: title, description for screen readers, background, drawing."""
    width, height = round(size[0]), round(size[1])
    ground = tag("rect", width=width, height=height, fill=theme.paper)
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
    elements, top = heading(f"{puzzle.title}: {table.states:,} positions, greatest depth {table.depth}", 640.0)
    for depth, count in enumerate(table.counts):
        x, tall = MARGIN + depth * step, max(1.0, high * count / most)
        bar = tag("rect", x=x, y=top + high - tall, width=step - 2, height=tall, fill="#0072B2")
        elements.append(tag("g", tag("title", f"depth {depth}: {count:,}") + bar))
        if depth % 5 == 0:
            elements.append(label(str(depth), (x + step / 2 - 1, top + high + NAME), NAME, fill=LIGHT.ink))
    size = (max(640.0, len(table.counts) * step + 2 * MARGIN), top + high + 2.2 * NAME)
    return document(f"Depths of {puzzle.title}", depth_table(puzzle, table), size, elements)
