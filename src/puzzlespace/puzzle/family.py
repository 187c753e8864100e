"""A family: puzzles of one kind by size, such as `slide:4x4`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .draft import Draft, Known
from .puzzle import Puzzle


@dataclass(frozen=True)
class Family:
    """Puzzles of one kind by size.

    form      the form of a spec: 'slide:WxH'
    make      returns the Draft or Puzzle for the text after the colon
    examples  texts after the colon with their known numbers, for `list` and the tests
    """

    name: str
    form: str
    title: str
    make: Callable[[str], Draft | Puzzle]
    examples: Mapping[str, tuple[Known, ...]] = field(default_factory=dict[str, tuple[Known, ...]])
