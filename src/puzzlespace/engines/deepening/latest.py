"""A cache of one value, for further positions of the same puzzle."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Latest(Generic[Value]):
    """A cache of one value with its key. Other threads wait while one of them computes it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._cached: tuple[Hashable, Value] | None = None

    def of(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the value of a key, computed if another key is cached; if that fails, the cached value stays."""
        with self._lock:
            if self._cached is None or self._cached[0] != key:
                self._cached = key, compute()
            return self._cached[1]
