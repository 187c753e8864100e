"""The places of moving pieces at any moment of a move: slides along their path, jumps, lines that turn over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from ..puzzle.letters import Frame
from ..puzzle.puzzle import Puzzle
from .outline import Point
from .sheet import Sheet
from .towers import place
from .trail import mean
from .ways import Change, PieceWay, change

LIFT, BOW, MOST_BOW, FAR, THIN = 0.22, 0.22, 1.1, 1.2, 0.12
"""How much a jumping peg grows; how far a carried piece bows aside, as a part of its way and in cells at most,
from which length on; how thin a piece is that is seen from its edge.
"""


@dataclass(frozen=True)
class Moving:
    """A piece at one moment.

    cells, word  its cells at the beginning, and its symbol now
    middle       the pixel of its middle
    wide, high   the factors for its width and height
    marked       whether it is drawn as moving
    """

    cells: tuple[int, ...]
    word: str
    middle: Point
    wide: float = 1.0
    high: float = 1.0
    marked: bool = True


def steps(puzzle: Puzzle, before: Frame, after: Frame) -> int:
    """Return the number of steps of a move in an animation: jumps, turns, or every two cells of a slide."""
    made = change(puzzle, before, after)
    longest = max((len(way.stops) - 1 for way in made.ways), default=1)
    return longest if puzzle.listed or puzzle.kind.path == "over" else (longest + 1) // 2


def leaving(puzzle: Puzzle, before: Frame, after: Frame) -> frozenset[int]:
    """Return the cells whose pieces move or are removed in a move."""
    made = change(puzzle, before, after)
    return frozenset(cell for way in made.ways for cell in way.stops[0]) | frozenset(made.removed)


def moment(sheet: Sheet, before: Frame, after: Frame, part: float) -> list[Moving]:
    """Return every moving piece after `part` (0 to 1) of a move; the lowest first."""
    made = change(sheet.puzzle, before, after)
    if sheet.puzzle.stacks:
        return list(_disks(sheet, before, after, part))
    if sheet.puzzle.listed:
        return [_carried(sheet, way, made, part) for way in made.ways]
    if sheet.puzzle.kind.path == "over":
        return list(_jumping(sheet, before, made, part))
    return [_sliding(sheet, way, _ease(part)) for way in made.ways]


def _ease(part: float) -> float:
    """Return `part` eased: slow at the beginning and at the end."""
    return part * part * (3 - 2 * part)


def _between(points: Sequence[Point], part: float) -> Point:
    """Return the point after `part` of a path whose points are reached at equal intervals."""
    along = part * (len(points) - 1)
    first = min(int(along), len(points) - 2)
    (x, y), (u, v), t = points[first], points[first + 1], along - first
    return x + (u - x) * t, y + (v - y) * t


def _sliding(sheet: Sheet, way: PieceWay, part: float) -> Moving:
    points = [mean([sheet.middle(cell) for cell in stop]) for stop in way.stops]
    return Moving(way.stops[0], way.words[0], _between(points, part))


def _jumping(sheet: Sheet, before: Frame, made: Change, part: float) -> Iterator[Moving]:
    """Yield the pegs that are jumped over, shrinking as they are removed, and on top the one that jumps."""
    for way in made.ways:
        hops = len(way.stops) - 1
        done = min(int(part * hops), hops - 1)
        t = part * hops - done
        for number, cell in enumerate(made.removed):
            left = 1.0 if number > done else 2 * (1 - t) if number == done and t > 0.5 else float(number == done)
            if left > 0.05:
                yield Moving((cell,), before.words[cell], sheet.middle(cell), left, left, False)
        points = [sheet.middle(way.route[done]), sheet.middle(way.route[done + 1])]
        grown = 1 + LIFT * sin(pi * t)
        yield Moving(way.stops[0], way.words[0], _between(points, _ease(t)), grown, grown)


def _carried(sheet: Sheet, way: PieceWay, made: Change, part: float) -> Moving:
    """Return a piece that a listed move turns over with its line, or carries; a long path is curved."""
    hops = len(way.stops) - 1
    done = min(int(part * hops), hops - 1)
    t = _ease(part * hops - done)
    a, b = way.route[done], way.route[done + 1]
    word = way.words[done if t < 0.5 else done + 1]
    axis = _turned_line(sheet, made, done)
    if axis is not None or a == b:
        (x, y), (u, v) = sheet.middle(a), sheet.middle(b)
        middle = (x + u) / 2 + (x - u) / 2 * cos(pi * t), (y + v) / 2 + (y - v) / 2 * cos(pi * t)
        thin = max(abs(cos(pi * t)), THIN)
        return Moving(way.stops[0], word, middle, *((1.0, thin) if axis else (thin, 1.0)))
    return Moving(way.stops[0], word, _bowed(sheet, sheet.middle(a), sheet.middle(b), t))


def _turned_line(sheet: Sheet, made: Change, done: int) -> int | None:
    """Return the axis (0 across, 1 down) of a line that is turned over end to end in a step, or None."""
    hops = {way.route[done : done + 2] for way in made.ways}
    moved = [(a, b) for a, b in hops if a != b]
    if not moved or any((b, a) not in hops for a, b in moved):
        return None
    (x, y), (u, v) = (sheet.middle(cell) for cell in moved[0])
    return int(abs(v - y) > abs(u - x))


def _bowed(sheet: Sheet, start: Point, end: Point, t: float) -> Point:
    """Return a point on the path between two places; a long path curves, a very long one below or to the right."""
    (x, y), (u, v) = start, end
    far = ((u - x) ** 2 + (v - y) ** 2) ** 0.5 / sheet.unit
    if far <= FAR:
        return x + (u - x) * t, y + (v - y) * t
    bow = min(BOW, MOST_BOW / far) * sin(pi * t)
    aside = (v - y) * bow, (x - u) * bow
    if far > 4 and sum(aside) < 0:
        aside = -aside[0], -aside[1]
    return x + (u - x) * t + aside[0], y + (v - y) * t + aside[1]


def _disks(sheet: Sheet, before: Frame, after: Frame, part: float) -> Iterator[Moving]:
    """Yield disks that are lifted off their peg, carried to another and put down."""
    for number, (a, b) in enumerate(zip(before.position, after.position, strict=True)):
        if a != b:
            (x, y), (u, v) = (place(sheet.puzzle, each.position, number) for each in (before, after))
            points = [sheet.at(x, y), sheet.at(x, 0.3), sheet.at(u, 0.3), sheet.at(u, v)]
            yield Moving((number,), "", _between(points, _ease(part)))
