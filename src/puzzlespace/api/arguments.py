"""Checks of what a caller gives to the Python functions: a value of another kind is an InputError that says so.

A parameter has the same meaning in every function that has it, so there is one check for each name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import signature
from math import inf
from os import PathLike
from typing import Literal, ParamSpec, TypeVar, get_args

from ..contract.questions import Engine
from ..errors import InputError
from ..limits.numbers import whole
from ..limits.watch import Limits

Use = Literal["use", "make", "off"]
"""How a question uses the table of its puzzle in the cache folder; see `questions.solve`."""

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def made_limits(seconds: float | None = None, memory: int | None = None, positions: int | None = None) -> Limits:
    """Return limits; raise InputError if one is not a positive, finite number."""
    for word, value in (("seconds", seconds), ("memory", memory), ("positions", positions)):
        if value is not None and not 0 < value < inf:
            raise InputError(f"limit {word}: expected a finite number above 0, found {value}")
    return Limits(seconds, memory, positions)


def wrong(what: str, expected: str, found: object) -> InputError:
    """Return the error for a value that is not as expected."""
    return InputError(f"{what}: expected {expected}, found {found!r:.100}")


def text(what: str, value: object) -> None:
    """Raise InputError unless the value is a text."""
    if not isinstance(value, str):
        raise wrong(what, "a text", value)


def texts(what: str, value: object) -> None:
    """Raise InputError unless the value is a list of texts, or one text of single letters."""
    if not isinstance(value, Iterable) or not all(isinstance(each, str) for each in value):
        raise wrong(what, "a list of texts", value)


def _engine(what: str, value: object) -> None:
    if not isinstance(value, str | Engine):
        raise wrong(what, "the name of an engine, or an Engine", value)


def _kept(what: str, value: object) -> None:
    whole(what, value, 0)


def _seed(what: str, value: object) -> None:
    if value is not None:
        whole(what, value)


def _cache(what: str, value: object) -> None:
    if value not in get_args(Use):
        raise wrong(what, "use, make or off", value)


def _report(what: str, value: object) -> None:
    if value is not None and not callable(value):
        raise wrong(what, "a function that takes a Progress", value)


def _limits(what: str, value: object) -> None:
    if not isinstance(value, Limits):
        raise wrong(what, "Limits(seconds=…)", value)


def _folder(what: str, value: object) -> None:
    if not isinstance(value, str | PathLike):
        raise wrong(what, "a folder", value)


CHECKS: dict[str, Callable[[str, object], None]] = {
    **dict.fromkeys(("metric", "origin", "heuristic", "pattern", "method", "by", "device"), text),
    **dict.fromkeys(("folder", "save"), _folder),
    "engine": _engine,
    "keep": _kept,
    "seed": _seed,
    "cache": _cache,
    "progress": _report,
    "limits": _limits,
}
"""The check of each parameter, by its name."""


def check(given: Mapping[str, object]) -> None:
    """Raise InputError if a value is not of the kind that its parameter takes."""
    for name, value in given.items():
        if name in CHECKS:
            CHECKS[name](name, value)


def checked(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Return a function that checks what it is given when it is called."""
    names = tuple(signature(function).parameters)

    @wraps(function)
    def checking(*args: Given.args, **given: Given.kwargs) -> Answer:
        check({**dict(zip(names, args, strict=False)), **given})
        return function(*args, **given)

    return checking


def cluster_plan(what: str, value: object) -> None:
    """Raise InputError unless the value is a Cluster or None."""
    if value is None:
        return
    from ..contract.plans import Cluster  # most questions are planned for no cluster

    if not isinstance(value, Cluster):
        raise wrong(what, "Cluster(workers)", value)
