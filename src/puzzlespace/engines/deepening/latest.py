"""What was made last for a puzzle, kept for further positions of the same puzzle."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Latest(Generic[Made]):
    """One made thing with the key that it was made for. Threads wait while one of them makes it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: tuple[Hashable, Made] | None = None

    def of(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made for this key, or make it; if that fails, what was there before stays."""
        with self._lock:
            if self._kept is None or self._kept[0] != key:
                self._kept = key, make()
            return self._kept[1]
