"""Breadth-first layers of a person's own encoding, or of a puzzle written with NumPy (docs/adding-an-encoding.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..contract.answers import Geodesics, Layers
from ..contract.questions import Depths, Engine, Prospect, Search, Space, Worth
from ..errors import InputError
from ..limits.watch import Watch
from ..model.arrays import Arrays
from ..model.custom import Custom

if TYPE_CHECKING:
    from ..search.encoding import Encoding


def refuses(space: Space, question: str) -> str | None:
    """Return None for a puzzle that has an encoding of its own."""
    if isinstance(space, Arrays) or (isinstance(space, Custom) and space.encoding is not None):
        return None
    return "the puzzle has no encoding of its own"


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return that this engine starts at once for a puzzle that has an encoding of its own."""
    return Worth.unless(refuses(question.space, ""))


def encoding_of(space: Space) -> Encoding:
    """Return a new encoding for one end of a search; raise InputError if the puzzle's function returns none."""
    assert isinstance(space, Custom)
    if space.encoding is None:
        from ..search.sorted_rows import SortedRows

        assert isinstance(space, Arrays)
        return SortedRows(space)
    from ..search.encoding import Encoding  # most questions have no encoding of their own

    found = space.encoding(space)
    if not isinstance(found, Encoding):
        raise InputError(f"{space.name}: expected encoding to return an Encoding, found {found!r:.200}")
    return found


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    from ..search.layers import count

    return count(encoding_of(question.space), question, watch)


def search(question: Search, watch: Watch) -> Geodesics:
    """Find every position on a shortest solution, from both ends if the encoding can."""
    from ..search.layers import find

    forward, space, backward = encoding_of(question.space), question.space.backward, None
    if question.goals is not None and space is not None and forward.has("common"):
        backward = encoding_of(space)
    return find(replace(question, every=True), watch, forward, backward)


ENGINE = Engine("encoded", refuses, depths=depths, search=search, speed=20, worth=worth, lists=True, lawful=True)
