"""Thresholds: from which amount of work on a fast method is used, and how much is processed at a time.

Answers do not depend on them. Each is a constant of the module that it steers, with its usual value and the reason for
it. `Watch.thresholds` has the values of all: tests set them so low that every fast path runs on tiny puzzles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Threshold(Generic[T]):
    """One threshold; `usual` is its value unless another is set."""

    __slots__ = ("usual",)

    def __init__(self, usual: T) -> None:
        self.usual = usual


class Thresholds:
    """The values of all thresholds: those that are set, else the usual ones."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[Threshold[Any], Any] | None = None) -> None:
        self._values = dict(values or {})
        assert all(isinstance(each, Threshold) for each in self._values)

    def __getitem__(self, threshold: Threshold[T]) -> T:
        return self._values.get(threshold, threshold.usual)

    def __or__(self, values: Mapping[Threshold[Any], Any]) -> Thresholds:
        return Thresholds(self._values | dict(values))


USUAL = Thresholds()
"""The usual values."""
