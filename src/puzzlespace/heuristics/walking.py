"""Walking Distance: the depth table of the puzzle where only the row of a piece and the row it goes to are left.

A position becomes a table of numbers: how many pieces of each row of the goal stand in each row, and where the blank
is. A move from row to row changes it, a move within a row does not; the same for columns, and the two depths are added
(Takahashi Ken'ichiro, 15-puzzle pages). On 4 x 4 each has 24,964 entries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from ..errors import UnsupportedError
from .rectangle import Rectangle
from .slides import Slides

MOST_ENTRIES = 400_000
"""A table of more entries is not made."""

Entry = tuple[int, bytes]
"""The line of the blank, and for each line how many pieces of each class stand in it."""


@dataclass
class Axis:
    """The table of one axis.

    classes  for each symbol the line that it goes to
    depths   the depth of each entry, by number
    links    links[entry][way][class]: the entry after a piece of that class left line + way for the blank's line; -1
    numbers  the number of each entry
    """

    lines: int
    classes: dict[int, int]
    depths: list[int]
    links: list[list[list[int]]]
    numbers: dict[Entry, int]

    def in_lines(self) -> list[int]:
        """Return the depths where the blank goes any way along a line in one move: the next piece in line follows.

        Steps that go on in the same way cost nothing (layers of (entry, way), each grown without cost first).
        """
        best: dict[tuple[int, int], int] = {}
        layer, depth = [(0, 0), (0, 1)], 1
        while layer:
            following: list[tuple[int, int]] = []
            for entry, way in layer:
                if (entry, way) not in best:
                    best[entry, way] = depth
                    layer += [(after, way) for after in self.links[entry][way] if after >= 0]
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
        lines, blank = self.shape.lines(axis), self.slides.blank
        classes = {s: self.shape.line(axis, cell) for cell, s in enumerate(self.goal) if s != blank}
        table = Axis(lines, classes, *_table(lines, self.entry(axis, self.goal, classes)))
        return table if self.slides.joint == 1 else replace(table, depths=table.in_lines())

    def entry(self, axis: int, position: bytes, classes: dict[int, int]) -> Entry:
        """Return the entry of a position."""
        lines = self.shape.lines(axis)
        counts = bytearray(lines * lines)
        line_of_blank = 0
        for cell, symbol in enumerate(position):
            line = self.shape.line(axis, cell)
            if symbol == self.slides.blank:
                line_of_blank = line
            else:
                counts[line * lines + classes[symbol]] += 1
        return line_of_blank, bytes(counts)

    def number(self, axis: int, position: bytes) -> int:
        """Return the number of the entry of a position."""
        table = self.axes[axis]
        return table.numbers[self.entry(axis, position, table.classes)]

    def part(self, axis: int, position: bytes) -> int:
        """Return the moves across rows (axis 0) or columns (axis 1) that are needed at least."""
        return self.axes[axis].depths[self.number(axis, position)]

    def bound(self, position: bytes) -> int:
        """Return moves that are needed at least from the position to the goal."""
        return self.part(0, position) + self.part(1, position)


@lru_cache(maxsize=8)
def _table(lines: int, first: Entry) -> tuple[list[int], list[list[list[int]]], dict[Entry, int]]:
    """Return depths, links and numbers of all entries, from that of the goal on."""
    depths, links, numbers = [0], [], {first: 0}
    queue = [first]
    for number, entry in enumerate(queue):
        row = [[-1] * lines for _ in range(2)]
        for way, other, child in _moves(entry, lines):
            if child not in numbers:
                if len(queue) > MOST_ENTRIES:
                    raise UnsupportedError(f"heuristic walking: its table has more than {MOST_ENTRIES:,} entries")
                numbers[child] = len(queue)
                depths.append(depths[number] + 1)
                queue.append(child)
            row[way][other] = numbers[child]
        links.append(row)
    return depths, links, numbers


def _moves(entry: Entry, lines: int) -> list[tuple[int, int, Entry]]:
    """Return (0 for a piece from the line before, 1 from the line behind, its class, the entry afterwards)."""
    line, counts = entry
    found: list[tuple[int, int, Entry]] = []
    for way, other in ((0, line - 1), (1, line + 1)):
        if not 0 <= other < lines:
            continue
        for kind in range(lines):
            if counts[other * lines + kind]:
                after = bytearray(counts)
                after[other * lines + kind] -= 1
                after[line * lines + kind] += 1
                found.append((way, kind, (other, bytes(after))))
    return found


def refusal(shape: Rectangle | None, start: bytes, goal: bytes, blank: int) -> str | None:
    """Return why there is no such bound, or None."""
    if shape is None:
        return "walking distance goes along rows and columns, and the board is no rectangle"
    if start.count(blank) != 1 or goal.count(blank) != 1:
        return "walking distance is for one blank"
    if any(goal.count(symbol) > 1 for symbol in set(goal)):
        return "walking distance needs pieces that all differ"
    return None
