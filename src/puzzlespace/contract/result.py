"""What all answers share: a short text in Python, and their content as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import Any, cast

from ..errors import LimitError, let_go

SHOWN, LONGEST = 3, 60
"""The most items of a list, and characters of a text, that the short text of an answer has."""


class Result:
    """The base class of all answers, which are dataclasses."""

    __slots__ = ()

    def __post_init__(self) -> None:
        let_go(getattr(self, "stopped", None))

    def to_dict(self) -> dict[str, Any]:
        """Return the content as plain data, ready for JSON: its keys are the names of the attributes.

        Positions of a puzzle are drawings on one line, bytes are lists of numbers, and a limit is an object with
        `kind` and `text`. The puzzle itself is left out.
        """
        return {each.name: plain_data(getattr(self, each.name)) for each in _content(self)}

    def __repr__(self) -> str:
        parts = (
            f"{each.name}={_brief(value)}"
            for each in _content(self)
            if (value := getattr(self, each.name)) != each.default or each.default is MISSING
        )
        return f"{type(self).__name__}({', '.join(parts)})"


def _content(answer: Any) -> list[Any]:
    """Return the fields of an answer, without those that only lead back to its puzzle."""
    return [each for each in fields(answer) if each.repr]


def plain_data(value: Any) -> Any:
    """Return a value as None, a bool, a number, a text, a list or a dict of such values.

    Numbers that JSON lacks are None. What has no content that is known here is its text.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, LimitError):
        return {"kind": value.kind, "text": str(value)}
    if isinstance(value, Mapping):
        known = cast(Mapping[Any, Any], value)
        return {key if isinstance(key, str) else str(plain_data(key)): plain_data(each) for key, each in known.items()}
    if hasattr(value, "tolist"):  # of NumPy
        return plain_data(value.tolist())
    if type(value) is bytes or isinstance(value, list | tuple):
        return [plain_data(each) for each in cast(Sequence[Any], value)]
    if isinstance(value, Set):
        return sorted(map(plain_data, cast(Set[Any], value)), key=str)
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain_data(getattr(value, each.name)) for each in _content(value)}
    return str(value)


def _brief(value: Any) -> str:
    """Return a short text of a value: how many items a long list has, in place of the items."""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple | list | Set | Mapping) and (size := len(cast(Sequence[Any], value))) > SHOWN:
        return f"<{size:,} items>"
    text = repr(cast(Any, value))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
