"""A family: puzzles of one kind by size, such as `slide:4x4`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .draft import Draft, Known
from .notation import Notation
from .puzzle import Puzzle


class Slider(NamedTuple):
    """A number of a size in the gallery of the page: the least, the greatest and the first value."""

    least: int
    most: int
    first: int


@dataclass(frozen=True)
class Family:
    """Puzzles of one kind by size.

    form      the form of a spec: 'slide:WxH'
    make      returns the Draft or Puzzle for the text after the colon
    examples  texts after the colon with their known numbers, for `list` and the tests
    names     by language ('' for English) the name for the gallery of the page, then other names that a search finds
    sliders   of the numbers of the form, in order; without any, the gallery leaves the family out
    notation  returns another way to write positions, for the text after the colon
    """

    name: str
    form: str
    title: str
    make: Callable[[str], Draft | Puzzle]
    examples: Mapping[str, tuple[Known, ...]] = field(default_factory=dict[str, tuple[Known, ...]])
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    sliders: tuple[Slider, ...] = ()
    notation: Callable[[str], Notation] | None = None

    def spec(self, values: Sequence[int]) -> str:
        """Return the spec with these numbers in the form: 'slide:4x3' of 4 and 3."""
        left = list(values)
        return re.sub("[A-Z]+", lambda _: str(left.pop(0)), self.form)
