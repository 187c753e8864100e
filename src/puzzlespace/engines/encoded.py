"""Breadth-first layers of a person's own encoding, or of a puzzle written with NumPy (docs/adding-an-encoding.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..contract.answers import Geodesics, Layers
from ..contract.questions import Depths, Engine, Prospect, Search, Space, Worth
from ..errors import InputError, UnsupportedError
from ..limits.watch import Watch, paced
from ..model.arrays import Arrays
from ..model.custom import Custom

if TYPE_CHECKING:
    from ..contract.needs import Needs, Pair, Sizes
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


def needs(space: Space, sources: tuple[Any, ...], memory: int | None) -> Needs:
    """Return what counting takes, as the encoding says. Raises UnsupportedError if it does not."""
    from ..contract.needs import Needs, no_files, runs_traffic

    reason = refuses(space, "depths")
    if reason is not None:
        raise UnsupportedError(f"engine encoded: {reason}")
    encoding = encoding_of(space)
    encoding.file()
    encoding.enter(sources)
    encoding.memory([1.0])  # some encodings cannot say it

    def work(sizes: Sizes, children: float) -> list[Pair]:
        return [(0.0, size * children) for size in paced(sizes)]

    words = encoding.row_words
    traffic = runs_traffic(64 * words, encoding.undone) if words else no_files
    each = f"{8 * words} bytes a position" if words else "in a form of its own"
    return Needs("positions as its encoding has them", 0, each, 0, 0, 0, encoding.memory, work, traffic, 0.0, None)


ENGINE = Engine("encoded", refuses, depths=depths, search=search, speed=20, worth=worth, lists=True, lawful=True)
