"""Where the stickers of a cube are: in space, in the drawing as a net, and on which pieces.

The stickers of a face are numbered in reading order, with U above F, D below F, and L F R B side by side.
"""

from __future__ import annotations

from functools import cache

NET = " U  /LFRB/ D  "
"""Where the faces are in the drawing."""

ACROSS, DOWN = {
    "U": (1, 0, 0), "D": (1, 0, 0), "F": (1, 0, 0), "B": (-1, 0, 0), "R": (0, 0, -1), "L": (0, 0, 1),
}, {
    "U": (0, 0, 1), "D": (0, 0, -1), "F": (0, -1, 0), "B": (0, -1, 0), "R": (0, -1, 0), "L": (0, -1, 0),
}  # fmt: skip
"""For each face the direction of its rows and of its columns in space: x to the right, y up, z to the front."""

Vector = tuple[int, int, int]


def cross(one: Vector, two: Vector) -> Vector:
    """Return the cross product."""
    (a, b, c), (d, e, f) = one, two
    return b * f - c * e, c * d - a * f, a * e - b * d


def outward(face: str) -> Vector:
    """Return the direction in which a face looks."""
    return cross(DOWN[face], ACROSS[face])


def stickers(size: int) -> dict[tuple[Vector, Vector], str]:
    """Return the name of each sticker by its place, from the middle of the cube in half layers, and its direction."""
    found = {}
    for face in ACROSS:
        out = outward(face)
        for row in range(size):
            for column in range(size):
                right, down = 2 * column - size + 1, 2 * row - size + 1
                x, y, z = (
                    right * a + down * b + size * c for a, b, c in zip(ACROSS[face], DOWN[face], out, strict=True)
                )
                found[(x, y, z), out] = f"{face}{row * size + column + 1}"
    return found


@cache
def pieces(size: int) -> tuple[tuple[str, ...], ...]:
    """Return the stickers of each piece of two or three stickers.

    The first one is on U or D, else on F or B; those of a corner are in clockwise order, seen from outside.
    """
    found: dict[Vector, list[tuple[Vector, str]]] = {}
    for ((x, y, z), out), name in stickers(size).items():
        a, b, c = out
        found.setdefault((x - a, y - b, z - c), []).append((out, name))
    shown: list[tuple[str, ...]] = []
    for sides in found.values():
        sides.sort(key=lambda side: "UDFBRL".index(side[1][0]))
        if (
            len(sides) == 3
            and sum(a * b for a, b in zip(sides[0][0], cross(sides[1][0], sides[2][0]), strict=True)) > 0
        ):
            sides[1:] = sides[:0:-1]
        shown.append(tuple(name for _, name in sides))
    return tuple(names for names in shown if len(names) > 1)
