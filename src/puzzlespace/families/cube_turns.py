"""Words of cubers as turns of faces: wide turns `Rw`, `r`, `3Rw`, slices `M E S`, rotations `x y z`, and all six faces.

A turn of layers among which is the one that never moves (the middle one of the 3x3x3 cube, and that of the corner at
the bottom, back and left of the 2x2x2 cube) is made as the turn of the other layers in the opposite direction, and a
rotation of the whole cube. Rotations only change which face later words mean; at the end the cube is turned back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..errors import FormatError, Word
from ..puzzle.notation import OwnMove

WORD = re.compile(r"(?:([0-9]*)([URFDLB])w|([URFDLB])|([urfdlb])|([xyz])|([MES]))([1-9][0-9]?)?('?)")

OPPOSITE = dict(zip("UDRLFB", "DULRBF", strict=True))
AROUND = {"U": "FRBL", "R": "UFDB", "F": "ULDR"}
"""For three faces, the faces around each, against the way that a clockwise turn takes them."""

ALONG = {"x": "R", "y": "U", "z": "F", "M": "L", "E": "D", "S": "F"}
"""The face with which rotations and slices turn."""

FIXED = "DBL"
"""The faces of the layers of the 2x2x2 cube that never move."""


def is_turn(word: str) -> bool:
    """Return whether a word turns layers of some cube."""
    return WORD.fullmatch(word) is not None


def own_moves(size: int, words: Iterable[tuple[Word, bool]]) -> tuple[list[OwnMove], bool]:
    """Return the turns of the cube's own faces that words make, and whether they also turn the whole cube.

    words  each with whether it is taken back
    Raises FormatError at a word that does not turn layers of a cube of this size.
    """
    faces = {face: face for face in OPPOSITE}
    found: list[OwnMove] = []
    for word, undone in words:
        face, layers, quarters = _layers(size, word)
        quarters = -quarters % 4 if undone else quarters % 4
        own = faces[face]
        fixed = 1 if size == 3 or own not in FIXED else 0
        turning = [layer for layer in range(size) if (layer in layers) != (fixed in layers)]
        for layer in turning if quarters else ():
            clockwise = (layer == 0) != (fixed in layers)
            found.append(OwnMove(word, own if layer == 0 else OPPOSITE[own], quarters if clockwise else 4 - quarters))
        if fixed in layers:
            faces = _rotated(faces, face, quarters)
    return found, any(face != other for face, other in faces.items())


def _layers(size: int, word: Word) -> tuple[str, Sequence[int], int]:
    """Return the face, the layers by their distance from it, and the clockwise quarter turns of a word."""
    found = WORD.fullmatch(word)
    if found is None:
        raise FormatError.at(word, f"expected a turn of a face, layers or the whole cube, found {str(word)!r}")
    count, wide, outer, small, rotation, middle, times, back = found.groups()
    quarters = int(times or 1) * (-1 if back else 1)
    if rotation:
        return ALONG[rotation], range(size), quarters
    if middle:
        if size == 2:
            raise FormatError.at(word, f"{word} turns a middle layer, and the 2x2x2 cube has none")
        return ALONG[middle], (1,), quarters
    if outer:
        return outer, (0,), quarters
    deep = int(count or 2) if wide else 2
    if not 1 <= deep <= size:
        raise FormatError.at(word, f"{word} turns {deep} layers, and the cube has {size}")
    return wide or small.upper(), range(deep), quarters


def _rotated(faces: dict[str, str], face: str, quarters: int) -> dict[str, str]:
    """Return which own face is where after the whole cube is turned with a face."""
    if face not in AROUND:
        face, quarters = OPPOSITE[face], -quarters
    around = AROUND[face]
    moved = {each: faces[around[(at + quarters) % 4]] for at, each in enumerate(around)}
    return faces | moved
