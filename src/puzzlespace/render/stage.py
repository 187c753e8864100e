"""The frames of an animation in the same place: its resting pictures and its moving pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle
from .drawing import draw, piece, still
from .glyphs import printable, wrap
from .looks import Paint, paints
from .sheet import Sheet, extent
from .svg import LETTER, MARGIN, NAME, caption, document, heading, unit_of
from .theme import Style
from .towers import disk, place, stand
from .trail import mean
from .tween import steps

LEAST = 220.0
"""The least width of an animation."""


@dataclass(frozen=True)
class FilmStage:
    """The page of all frames of an animation: a title, a board, and a label below it.

    frames  the frames of the solution; all are drawn with the same paint and in the same size
    """

    puzzle: Puzzle
    frames: tuple[Frame, ...]
    title: str
    style: Style

    @property
    def parts(self) -> list[int]:
        """The number of steps of each move."""
        return [steps(self.puzzle, a, b) for a, b in zip(self.frames, self.frames[1:], strict=False)]

    @cached_property
    def paint(self) -> Mapping[str, Paint]:
        """The paint of every word in the frames."""
        return paints(self.puzzle, [word for frame in self.frames for word in frame.words], self.style.theme)

    @cached_property
    def labels(self) -> list[list[str]]:
        """The lines below each frame: the number of the move, the number of all moves, and its name."""
        last, columns = len(self.frames) - 1, max(8, int(self.width / (LETTER * NAME)))
        words = [f"{k}/{last}  {printable(frame.name)}".rstrip() for k, frame in enumerate(self.frames)]
        return [wrap(text, columns) for text in words]

    @cached_property
    def width(self) -> float:
        """The width of the page between its margins."""
        left, top, right, bottom = extent(self.puzzle)
        return max(LEAST, (right - left) * unit_of(self.puzzle, right - left, bottom - top))

    @cached_property
    def head(self) -> tuple[list[str], float]:
        """The title's elements, and the y below them."""
        return heading(self.title, self.width + 2 * MARGIN, self.style.theme)

    @cached_property
    def sheet(self) -> Sheet:
        """The sheet of the board, in the middle of the page."""
        left, top, right, bottom = extent(self.puzzle)
        unit = unit_of(self.puzzle, right - left, bottom - top)
        x = MARGIN + (self.width - (right - left) * unit) / 2
        return Sheet(
            self.puzzle,
            self.paint,
            (x - left * unit, self.head[1] - top * unit),
            unit,
            self.style.theme,
            names=self.style.names,
        )

    @cached_property
    def size(self) -> tuple[float, float]:
        """Width and height of every frame."""
        return self.width + 2 * MARGIN, self._foot + (max(map(len, self.labels)) - 1) * 1.3 * NAME + MARGIN

    @cached_property
    def _foot(self) -> float:
        _, top, _, bottom = extent(self.puzzle)
        shifted = self.puzzle.listed and not self.puzzle.stacks and len(self.puzzle.board.rows) == 1
        bows = 0.8 * self.sheet.unit if shifted else 0.0  # space for the curve of a piece from one end to the other
        return self.head[1] + (bottom - top) * self.sheet.unit + bows + 1.7 * NAME

    def rest(self, number: int) -> str:
        """Return a resting frame, with the arrows of the style."""
        frame, style = self.frames[number], self.style
        before = self.frames[number - 1] if style.last and number else None
        after = self.frames[number + 1] if style.next and number + 1 < len(self.frames) else None
        shown = frame if style.last else replace(frame, changed=frozenset())
        return self._page(draw(self.sheet, shown, before, after), number)

    def empty(self, number: int, without: frozenset[int]) -> str:
        """Return the frame before a move without the pieces in some cells, with the label of the move."""
        frame = replace(self.frames[number - 1], changed=frozenset())
        drawn = (stand if self.puzzle.stacks else still)(self.sheet, frame, without)
        return self._page(drawn, number)

    def sprite(self, cells: Sequence[int], word: str, moved: bool) -> str:
        """Return one piece on a transparent background."""
        if self.puzzle.stacks:
            drawn = disk(self.sheet, cells[0], place(self.puzzle, self.frames[0].position, cells[0]), moved)
        else:
            drawn = piece(self.sheet, cells, word, moved)
        return document("", "", self.size, drawn, replace(self.style.theme, paper="none"))

    def _page(self, drawn: Iterable[str], number: int) -> str:
        theme = self.style.theme
        words = caption(self.labels[number], MARGIN + self.width / 2, self._foot, theme)
        return document(self.title, "", self.size, [*self.head[0], *drawn, *words], theme)

    def home(self, cells: Sequence[int]) -> tuple[float, float]:
        """Return the pixel of the middle of a piece as `sprite` draws it."""
        if self.puzzle.stacks:
            return self.sheet.at(*place(self.puzzle, self.frames[0].position, cells[0]))
        return mean([self.sheet.middle(cell) for cell in cells])
