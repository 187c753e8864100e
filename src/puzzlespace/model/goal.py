"""Goals: sets of positions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .rule import only, single_symbols

if TYPE_CHECKING:
    from .sentence import Sentence


@dataclass(frozen=True, slots=True)
class Goal:
    """A set of positions: the symbols allowed in each cell (as in Rule.need), and the exact numbers of some symbols.

    sentence  what else is true of all its positions, or None
    """

    need: tuple[int, ...]
    counts: tuple[tuple[int, int], ...] = ()
    sentence: Sentence | None = None

    def holds(self, position: bytes) -> bool:
        """Return whether the set contains the position."""
        return (
            all(need >> symbol & 1 for need, symbol in zip(self.need, position, strict=True))
            and all(position.count(symbol) == count for symbol, count in self.counts)
            and (self.sentence is None or self.sentence.holds(position))
        )

    @property
    def position(self) -> bytes | None:
        """The only position of the set, if every cell allows exactly one symbol; None with a sentence."""
        symbols = single_symbols(self.need)
        if self.sentence is not None or len(symbols) < len(self.need):
            return None
        position = bytes(symbols)
        return position if not self.counts or self.holds(position) else None

    @classmethod
    def exactly(cls, position: bytes) -> Goal:
        """Return the goal that only this position meets."""
        return cls(tuple(only(symbol) for symbol in position))


def anchor_of(start: bytes | None, goals: Iterable[Goal]) -> bytes | None:
    """Return a position that determines the pieces: the start, else the first goal that is one position.

    None if there is no start and every goal leaves cells open.
    """
    if start is not None:
        return start
    return next((goal.position for goal in goals if goal.position is not None), None)
