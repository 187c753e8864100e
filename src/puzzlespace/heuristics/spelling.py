"""How a lower bound is asked for: names joined by '+', of which the greatest counts; a pattern's groups by size."""

from __future__ import annotations

from ..errors import InputError

NAMES = ("distance", "assignment", "inversion", "walking", "pattern")

GREATEST, SUM = "max:", "sum:"


def names(text: str) -> tuple[str, ...]:
    """Return the names in 'walking+inversion', or 'max:walking,inversion', without sizes of groups.

    Raises InputError for an unknown name, sizes that are none, and sums, which would count a move twice.
    """
    found = tuple(name for name, _ in _parts(text))
    for name in found:
        if name not in NAMES:
            raise InputError(f"heuristic: expected some of {', '.join(NAMES)} joined by '+', found {name!r}")
    sizes(text)
    return found


def sizes(text: str) -> tuple[int, ...]:
    """Return how many pieces each group of 'pattern:6-6-3' has; () where that is left open.

    Raises InputError for anything else behind a colon.
    """
    found: tuple[int, ...] = ()
    for name, given in _parts(text):
        if given is None:
            continue
        numbers = given.split("-")
        if name != "pattern" or found or not all(n.isdecimal() and n.isascii() and int(n) > 0 for n in numbers):
            wanted = "sizes of groups behind one name, as in pattern:6-6-3"
            raise InputError(f"heuristic: expected {wanted}, found {name + ':' + given!r}")
        found = tuple(map(int, numbers))
    return found


def _parts(text: str) -> list[tuple[str, str | None]]:
    """Return the names with what stands behind the colon of each."""
    if text.startswith(SUM):
        joined = text.removeprefix(SUM).replace(",", "+")
        why = "one move can count in both; what can be added, a bound adds by itself"
        raise InputError(f"heuristic: bounds cannot be added ({why}), expected {joined!r}: the greatest counts")
    if text.startswith(GREATEST):
        text = text.removeprefix(GREATEST).replace(",", "+")
    parts = [part.partition(":") for part in text.split("+")]
    return [(name, given if colon else None) for name, colon, given in parts]
