"""SVG path data: outlines of joined squares, arrows, strokes, marks. Lengths are in pixels, squares in cells."""

from __future__ import annotations

from collections.abc import Iterable

Point = tuple[float, float]
Square = tuple[float, float]

STROKES = {
    "─": "LR", "│": "UD", "┌": "RD", "┐": "LD", "└": "UR", "┘": "UL",
    "├": "UDR", "┤": "UDL", "┬": "LRD", "┴": "LRU", "┼": "LRUD",
}  # fmt: skip
"""Box-drawing letters as the sides of a square that their strokes reach."""

SIDES = {"L": (-0.5, 0.0), "R": (0.5, 0.0), "U": (0.0, -0.5), "D": (0.0, 0.5)}


def number(value: float) -> str:
    """Return a length with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def loops(squares: Iterable[Square]) -> list[list[Square]]:
    """Return the corners of every closed outline of a set of unit squares, the inside on the right hand (y down).

    Squares that touch only in a corner have separate outlines.
    """
    taken = set(squares)
    leaving: dict[Square, list[Square]] = {}
    for x, y in sorted(taken):
        for start, end, beside in (
            ((x, y), (x + 1, y), (x, y - 1)),
            ((x + 1, y), (x + 1, y + 1), (x + 1, y)),
            ((x + 1, y + 1), (x, y + 1), (x, y + 1)),
            ((x, y + 1), (x, y), (x - 1, y)),
        ):
            if beside not in taken:
                leaving.setdefault(start, []).append(end)
    found: list[list[Square]] = []
    while leaving:
        start = min(leaving)
        loop = [start, leaving[start].pop()]
        while loop[-1] != start:
            loop.append(_next(leaving, loop[-2], loop[-1]))
        leaving = {corner: ends for corner, ends in leaving.items() if ends}
        found.append(_corners(loop[:-1]))
    return found


def _next(leaving: dict[Square, list[Square]], before: Square, here: Square) -> Square:
    """Take the edge that leaves `here`; if there are two, the one that turns right."""
    ends = leaving[here]
    right = (here[0] - (here[1] - before[1]), here[1] + (here[0] - before[0]))
    ends.sort(key=lambda end: end == right)
    return ends.pop()


def _corners(loop: list[Square]) -> list[Square]:
    """Return the points of an outline where it turns."""
    sides = zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True)
    return [b for a, b, c in sides if (b[0] - a[0], b[1] - a[1]) != (c[0] - b[0], c[1] - b[1])]


def rounded(squares: Iterable[Square], origin: Point, unit: float, inset: float, radius: float) -> str:
    """Return the path data of the outline of unit squares, drawn `inset` pixels inside them with rounded corners.

    origin  the pixel of the corner (0, 0)
    unit    pixels per square
    """
    parts: list[str] = []
    for loop in loops(squares):
        for k, (x, y) in enumerate(loop):
            come = _way(loop[k - 1], loop[k])
            go = _way(loop[k], loop[(k + 1) % len(loop)])
            corner_x = origin[0] + x * unit - inset * (come[1] + go[1])
            corner_y = origin[1] + y * unit + inset * (come[0] + go[0])
            enter = (corner_x - come[0] * radius, corner_y - come[1] * radius)
            leave = (corner_x + go[0] * radius, corner_y + go[1] * radius)
            parts.append(f"{'L' if k else 'M'}{point(enter)}Q{point((corner_x, corner_y))} {point(leave)}")
        parts.append("Z")
    return "".join(parts)


def _way(a: Square, b: Square) -> tuple[int, int]:
    dx, dy = b[0] - a[0], b[1] - a[1]
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)


def point(place: Point) -> str:
    """Return 'x,y'."""
    return f"{number(place[0])},{number(place[1])}"


def arrow(start: Point, end: Point, head: float) -> str:
    """Return the path data of an arrow from `start` to `end` whose head is `head` pixels long."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    x, y = dx / length * head, dy / length * head
    left = (end[0] - x - 0.6 * y, end[1] - y + 0.6 * x)
    right = (end[0] - x + 0.6 * y, end[1] - y - 0.6 * x)
    return f"M{point(start)}L{point(end)}M{point(left)}L{point(end)}L{point(right)}"


def strokes(mark: str, middle: Point, size: float) -> str:
    """Return the path data of a box-drawing letter as strokes from the middle of a square to its sides."""
    x, y = middle
    ends = [(x + SIDES[side][0] * size, y + SIDES[side][1] * size) for side in STROKES[mark]]
    first, *rest = ends
    return f"M{point(first)}L{point(middle)}" + "".join(f"L{point(end)}M{point(middle)}" for end in rest)


def hatch(middle: Point, size: float) -> str:
    """Return the path data of three slanting lines in a square."""
    x, y, half = middle[0], middle[1], size / 2
    lines = [
        ((x - half, y), (x, y - half)),
        ((x - half, y + half), (x + half, y - half)),
        ((x, y + half), (x + half, y)),
    ]
    return "".join(f"M{point(a)}L{point(b)}" for a, b in lines)


def edge(a: Point, b: Point, others: Iterable[Point], near: float) -> str:
    """Return the path data of a line between two places, bent if it would run through another place.

    near  the least distance, in pixels, between a straight line and another place
    """
    if not any(_distance(other, a, b) < near for other in others):
        return f"M{point(a)}L{point(b)}"
    bend = _bend(a, b)
    return f"M{point(a)}Q{point(bend)} {point(b)}"


def _bend(a: Point, b: Point) -> Point:
    """Return the control point that bends a line to its left; it is 0.35 of its length away."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return (a[0] + b[0]) / 2 + dy * 0.35, (a[1] + b[1]) / 2 - dx * 0.35


def _distance(place: Point, a: Point, b: Point) -> float:
    """Return the distance of a place from the line between a and b; infinite beyond the ends."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = ((place[0] - a[0]) * dx + (place[1] - a[1]) * dy) / (dx * dx + dy * dy or 1.0)
    if not 0.02 < along < 0.98:
        return float("inf")
    return ((a[0] + along * dx - place[0]) ** 2 + (a[1] + along * dy - place[1]) ** 2) ** 0.5


def cross(middle: Point, size: float) -> str:
    """Return the path data of a cross that reaches `size` pixels to each side."""
    (x, y), s = middle, size
    return f"M{point((x - s, y - s))}L{point((x + s, y + s))}M{point((x + s, y - s))}L{point((x - s, y + s))}"


def bar(middle: Point, size: float) -> str:
    """Return the path data of a horizontal line."""
    return f"M{point((middle[0] - size, middle[1]))}L{point((middle[0] + size, middle[1]))}"


def box(middle: Point, size: float) -> str:
    """Return the path data of a square."""
    (x, y), s = middle, size
    return f"M{point((x - s, y - s))}L{point((x + s, y - s))}L{point((x + s, y + s))}L{point((x - s, y + s))}Z"


def triangle(middle: Point, size: float) -> str:
    """Return the path data of a triangle that stands on its side."""
    (x, y), s = middle, size
    return f"M{point((x, y - 1.1 * s))}L{point((x + s, y + 0.7 * s))}L{point((x - s, y + 0.7 * s))}Z"


FIGURES = {"cross": cross, "bar": bar, "square": box, "triangle": triangle}
"""Marks of `picture:` drawn as paths, by name; `dot` and `ring` are circles, and any other mark is written as text."""
