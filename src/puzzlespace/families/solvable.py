"""Whether a cube can be solved: its pieces, the twist of its corners, the flip of its edges, the parity of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from ..puzzle.notation import Reason
from .cube_places import pieces

EACH = {2: "four", 3: "nine"}
APART = "no move changes this; the cube must be taken apart"


def fault(size: int, words: Mapping[str, str]) -> Reason | None:
    """Return why a cube of stickers by name, each with the face of its colour, cannot be solved; None if it can."""
    counts = Counter(words.values())
    if any(count != size * size for count in counts.values()):
        shown = ", ".join(f"{colour} {count}" for colour, count in counts.items())
        return Reason("pieces", f"not {EACH[size]} stickers of each colour: {shown}")
    found = (_centres(words) if size == 3 else None) or _pieces(size, words)
    return found if isinstance(found, Reason) else _out_of_orbit(size, found)


def _centres(words: Mapping[str, str]) -> Reason | None:
    shown = {f"{face}5": words[f"{face}5"] for face in "URFDLB"}
    moved = [name for name, colour in shown.items() if name[0] != colour]
    several = [name for name, colour in shown.items() if [*shown.values()].count(colour) > 1]
    if several:
        return Reason("pieces", f"two centres of one colour: {', '.join(several)}")
    return Reason("pieces", f"centres never move, but {', '.join(moved)} are exchanged") if moved else None


def sound(size: int, words: Mapping[str, str]) -> int:
    """Return the number of different pieces of the cube that the stickers show."""
    shown = (_homes(size).get(tuple(words[name] for name in names)) for names in pieces(size))
    return len({home[0] for home in shown if home is not None})


Home = tuple[int, int]
"""The number of the place where a piece belongs, and how often it is turned."""


@cache
def _homes(size: int) -> dict[tuple[str, ...], Home]:
    """Return the home of each piece by its colours in the order of its stickers, in all ways to turn it."""
    found: dict[tuple[str, ...], Home] = {}
    for number, names in enumerate(pieces(size)):
        own = tuple(name[0] for name in names)
        for turned in range(len(own)):
            found[(*own[-turned:], *own[:-turned]) if turned else own] = number, turned
    return found


def _pieces(size: int, words: Mapping[str, str]) -> list[Home] | Reason:
    """Return the piece at each place, or the reason that there is an impossible one."""
    found: list[Home] = []
    for names in pieces(size):
        colours = tuple(words[name] for name in names)
        home = _homes(size).get(colours)
        kind = "corner" if len(names) == 3 else "edge"
        where = f"the {kind} at {' '.join(names)} shows {' '.join(colours)}"
        if home is None:
            mirrored = len(names) == 3 and colours[::-1] in _homes(size)
            why = "in the order of a mirror image" if mirrored else "colours that no piece has together"
            return Reason("pieces", f"an impossible piece: {where}, {why}")
        if home[0] in (number for number, _ in found):
            return Reason("pieces", f"an impossible piece: {where}, a piece that occurs twice")
        found.append(home)
    return found


def _out_of_orbit(size: int, found: Sequence[Home]) -> Reason | None:
    """Return the invariants of all moves that differ from those of the solved cube."""
    places = pieces(size)
    if size == 2:
        stays = next(number for number, names in enumerate(places) if {name[0] for name in names} == set("DBL"))
        if found[stays] != (stays, 0):
            return Reason("pieces", "the corner at the bottom, back and left never moves, but shows another one")
    twist = sum(turned for (_, turned), names in zip(found, places, strict=True) if len(names) == 3) % 3
    flip = sum(turned for (_, turned), names in zip(found, places, strict=True) if len(names) == 2) % 2
    odd = size == 3 and _odd([number for number, _ in found])
    faults = [
        "a twisted corner (the twists of all corners do not add up to whole turns)" * bool(twist),
        "a flipped edge (the number of flipped edges is odd)" * bool(flip),
        "two pieces exchanged (the parity of the corners differs from that of the edges)" * odd,
    ]
    shown = [each for each in faults if each]
    kind = "invariant" if twist or flip else "parity"
    return Reason(kind, f"{', '.join(shown)}: {APART}") if shown else None


def _odd(places: Sequence[int]) -> bool:
    """Return whether a permutation is odd."""
    seen: set[int] = set()
    cycles = 0
    for first in range(len(places)):
        cycles += first not in seen
        while first not in seen:
            seen.add(first)
            first = places[first]
    return (len(places) - cycles) % 2 == 1
