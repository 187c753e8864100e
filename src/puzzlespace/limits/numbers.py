"""Checks of numbers that a caller gives."""

from __future__ import annotations

from math import isfinite
from numbers import Real
from operator import index

from ..errors import InputError


def whole(what: str, value: object, least: int | None = None) -> int:
    """Return a whole number; raise InputError if the value is none, or less than `least`."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or (least is not None and number < least):
        words = "a whole number" if least is None else f"a whole number from {least}"
        raise InputError(f"{what}: expected {words}, found {value!r:.100}")
    return number


def finite(what: str, value: object) -> None:
    """Raise InputError unless the value is a finite number from 0."""
    if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value) or value < 0:
        raise InputError(f"{what}: expected a finite number from 0, found {value!r:.100}")
