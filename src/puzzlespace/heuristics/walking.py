"""Walking Distance: the depth table of the puzzle in which only the row and the goal row of each piece count.

A position becomes an entry: how many pieces of each goal row are in each row, and the row of the blank. A move from row
to row changes the entry, a move within a row does not. The same is done for columns, and the two depths are added
(Takahashi Ken'ichiro, 15-puzzle pages). On 4 x 4 each table has 24,964 entries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..errors import UnsupportedError
from ..structure.rectangle import Rectangle
from ..structure.slides import Slides

MOST_ENTRIES = 400_000
"""The most entries of a table."""


class LineStep(NamedTuple):
    """A move of a piece into the line of the blank.

    column  its column of `Axis.links`
    digit   the digit of the entry that must not be 0, as a mask
    change  what is added to the entry
    """

    column: int
    digit: int
    change: int


@dataclass(frozen=True)
class Code:
    """Entries as numbers: a digit of `bits` bits for each line and class, and above them all the line of the blank.

    A digit is the number of pieces of the class in the line. The class of a piece is its goal line.
    """

    lines: int
    bits: int

    @property
    def top(self) -> int:
        """The bit where the line of the blank begins."""
        return self.bits * self.lines**2

    def one(self, line: int, kind: int) -> int:
        """Return what a piece of a class in a line adds."""
        return 1 << self.bits * (line * self.lines + kind)

    def split(self, entry: int) -> tuple[int, list[list[int]]]:
        """Return the line of the blank, and for each line the number of pieces of each class."""
        mask = (1 << self.bits) - 1
        digits = [entry >> at & mask for at in range(0, self.top, self.bits)]
        return entry >> self.top, [digits[at : at + self.lines] for at in range(0, len(digits), self.lines)]

    def steps(self, line: int) -> list[LineStep]:
        """Return the moves into the line of the blank."""
        return [
            LineStep(
                way * self.lines + kind,
                self.one(other, kind) * ((1 << self.bits) - 1),
                self.one(line, kind) - self.one(other, kind) + (other - line << self.top),
            )
            for way, other in ((0, line - 1), (1, line + 1))
            if 0 <= other < self.lines
            for kind in range(self.lines)
        ]


@dataclass
class Axis:
    """The table of one axis.

    code     entries as numbers
    classes  for each symbol its goal line
    depths   the depth of each entry, in the order in which entries are found
    links    links[entry][class]: the entry after a piece of the class went from the line before the blank's to it;
             links[entry][lines + class]: from the line after it; -1 if there is no such piece
    numbers  the index of each entry in that order
    """

    code: Code
    classes: dict[int, int]
    depths: list[int]
    links: list[list[int]]
    numbers: dict[int, int]

    @property
    def lines(self) -> int:
        """The number of rows or columns."""
        return self.code.lines

    def in_lines(self) -> list[int]:
        """Return the depths if one move takes the blank any distance along a line.

        Further steps in the same direction cost nothing: each layer of (entry, direction) is first extended by them.
        """
        best: dict[tuple[int, int], int] = {}
        layer, depth = [(0, 0), (0, 1)], 1
        while layer:
            following: list[tuple[int, int]] = []
            for entry, way in layer:
                if (entry, way) not in best:
                    best[entry, way] = depth
                    afters = self.links[entry][way * self.lines :][: self.lines]
                    layer += [(after, way) for after in afters if after >= 0]
                    following.append((entry, 1 - way))
            layer, depth = following, depth + 1
        found = [len(best)] * len(self.depths)
        for (entry, _), at in best.items():
            found[entry] = min(found[entry], at)
        found[0] = 0
        return found


@dataclass(frozen=True)
class Walking:
    """The bound for one goal."""

    slides: Slides
    shape: Rectangle
    goal: bytes

    @cached_property
    def axes(self) -> tuple[Axis, Axis]:
        """The tables of rows and of columns."""
        return self._axis(0), self._axis(1)

    def _axis(self, axis: int) -> Axis:
        blank = self.slides.blank
        code = Code(self.shape.lines(axis), self.shape.lines(1 - axis).bit_length())
        classes = {s: self.shape.line(axis, cell) for cell, s in enumerate(self.goal) if s != blank}
        table = Axis(code, classes, *_table(code, self.entry(axis, code, self.goal, classes)))
        return table if self.slides.joint == 1 else replace(table, depths=table.in_lines())

    def entry(self, axis: int, code: Code, position: bytes, classes: dict[int, int]) -> int:
        """Return the entry of a position."""
        lines = [self.shape.line(axis, cell) for cell in range(len(position))]
        pieces = ((line, s) for line, s in zip(lines, position, strict=True) if s != self.slides.blank)
        blank = lines[position.index(self.slides.blank)]
        return sum(code.one(line, classes[s]) for line, s in pieces) + (blank << code.top)

    def number(self, axis: int, position: bytes) -> int:
        """Return the number of the entry of a position."""
        table = self.axes[axis]
        return table.numbers[self.entry(axis, table.code, position, table.classes)]

    def part(self, axis: int, position: bytes) -> int:
        """Return a lower bound on the moves across rows (axis 0) or columns (axis 1)."""
        return self.axes[axis].depths[self.number(axis, position)]

    def bound(self, position: bytes) -> int:
        """Return a lower bound on the moves from the position to the goal."""
        return self.part(0, position) + self.part(1, position)


@lru_cache(maxsize=8)
def _table(code: Code, first: int) -> tuple[list[int], list[list[int]], dict[int, int]]:
    """Return depths, links and numbers of all entries; `first` is that of the goal."""
    steps = [code.steps(line) for line in range(code.lines)]
    depths, links, numbers = [0], [], {first: 0}
    queue = [first]
    for number, entry in enumerate(queue):
        row = [-1] * (2 * code.lines)
        for column, digit, change in steps[entry >> code.top]:
            if entry & digit:
                child = entry + change
                if child not in numbers:
                    if len(queue) > MOST_ENTRIES:
                        raise UnsupportedError(f"heuristic walking: its table has more than {MOST_ENTRIES:,} entries")
                    numbers[child] = len(queue)
                    depths.append(depths[number] + 1)
                    queue.append(child)
                row[column] = numbers[child]
        links.append(row)
    return depths, links, numbers


def refusal(shape: Rectangle | None, start: bytes, goal: bytes, blank: int) -> str | None:
    """Return why the puzzle does not have the bound, or None."""
    if shape is None:
        return "walking distance goes along rows and columns, and the board is no rectangle of pieces of one cell"
    if start.count(blank) != 1 or goal.count(blank) != 1:
        return "walking distance is for one blank"
    if any(goal.count(symbol) > 1 for symbol in set(goal)):
        return "walking distance needs pieces that all differ"
    return None
