"""`cube:2` and `cube:3`: the 2x2x2 and the 3x3x3 cube by their stickers, drawn as a net.

The whole cube is never turned. Of the 2x2x2 cube one corner (bottom, back, left) never moves, and only the faces U, R
and F turn. Of the 3x3x3 cube the centres never move, and all six faces turn. A half turn counts 1 (`run`) or 2
(`step`).

Positions are read as facelets too: `facelets.py`.
"""

from __future__ import annotations

from ..puzzle.draft import Draft, Drawing, ListedMove, Look
from ..puzzle.family import Family, Slider
from ..puzzle.notation import Notation
from ..rules.common import known, sizes
from .cube_places import NET, Vector, cross, outward, stickers

FORM = "cube:N"

FACES = {2: "URF", 3: "UDRLFB"}
"""The faces that turn."""

COLOURS = {"U": "white", "R": "red", "F": "green", "D": "yellow", "L": "orange", "B": "blue"}


def make(text: str) -> Draft:
    """Return the cube of that size, 2 or 3."""
    (size,) = sizes(text, FORM, (2, 3))
    return Draft(
        rule="apply",
        titles=(("", f"{size}x{size}x{size} cube"),),
        count="run",
        board=Drawing(_net(size)),
        moves=tuple(ListedMove(face, "cycles", _turn(face, size)) for face in FACES[size]),
        goals=(Drawing(tuple(tuple(word[0] for word in row) for row in _net(size))),),
        picture=tuple(Look(face, colour=colour) for face, colour in COLOURS.items()),
    )


def _net(size: int) -> tuple[tuple[str, ...], ...]:
    """Return the rows of the drawing: the names of stickers, '#' beside the faces."""
    rows = []
    for faces in NET.split("/"):
        for row in range(size):
            numbers = range(row * size + 1, row * size + size + 1)
            rows.append(tuple("#" if face == " " else f"{face}{number}" for face in faces for number in numbers))
    return tuple(rows)


def _turned(place: Vector, axis: Vector) -> Vector:
    """Return where a clockwise quarter turn takes a place, seen against the direction of the axis."""
    along = sum(p * a for p, a in zip(place, axis, strict=True))
    across = cross(place, axis)
    x, y, z = (along * a + c for a, c in zip(axis, across, strict=True))
    return x, y, z


def _turn(face: str, size: int) -> tuple[tuple[str, ...], ...]:
    """Return the cycles of stickers of a clockwise quarter turn: each goes to the place of the next one."""
    axis, places = outward(face), stickers(size)
    cycles, done = [], set()
    for (place, out), name in places.items():
        layer = sum(p * a for p, a in zip(place, axis, strict=True))
        cycle: list[str] = []
        while layer >= size - 1 and name not in done:
            cycle.append(name)
            done.add(name)
            place, out = _turned(place, axis), _turned(out, axis)
            name = places[place, out]
        if len(cycle) > 1:
            cycles.append(tuple(cycle))
    return tuple(cycles)


def _facelets(size: str) -> Notation:
    from .facelets import Facelets  # most puzzles are no cubes

    return Facelets(int(size))


PROGRAMS = "several independent programs"

FAMILY = Family(
    "cube",
    FORM,
    "the 2x2x2 or the 3x3x3 cube",
    make,
    {
        "2": known(PROGRAMS, states=3674160, depth=11, hardest=2644)
        + known(PROGRAMS, metric="step", depth=14, hardest=276)
    },
    names={
        "": ("Cube", "2x2x2 cube", "3x3x3 cube", "pocket cube", "rubik"),
        "ja": ("キューブ", "2x2x2 キューブ", "3x3x3 キューブ", "ルービックキューブ"),
    },
    sliders=(Slider(2, 3, 3),),
    notation=_facelets,
)
