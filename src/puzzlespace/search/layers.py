"""Breadth-first layers of any encoding: the one loop that counts, reports, collects, keeps, meets and stops.

`count` answers `Depths`, `find` answers `Search` from one end or both. What they need of positions is `Encoding`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Any

from ..contract.answers import Geodesics, Layers, Position
from ..contract.questions import Depths, Search
from ..errors import LimitError, UnsupportedError
from ..limits.thresholds import Threshold
from ..limits.watch import Watch, checkpoint
from ..model.model import Model
from .encoding import Encoding, Layer, Words
from .ends import End, begun

if TYPE_CHECKING:
    from .disk_layers import OnDisk

AT_ONCE = 1 << 10
"""Collected positions that are decoded at once, because callers often read only the first."""

DECODED = Threshold(1 << 16)
"""Positions of a layer that are decoded at once.

Measured: an eighth and eight times as many changed counts of klotski and pancake:9 by at most 2 %.
"""


def _advance(end: End, keeping: OnDisk | None, watch: Watch) -> None:
    """Find the next layer; move the layers out of the memory first if they do not fit it."""
    if keeping is None:
        end.grow(watch)
        return
    try:
        keeping.keep(end, watch)
        if not keeping.large(end, watch):
            end.grow(watch)
            return
    except LimitError as limit:
        if not keeping.able(end, limit):
            raise
    keeping.move(end, watch)
    end.grow(watch)


def count(
    encoding: Encoding,
    question: Depths,
    watch: Watch,
    first: Callable[[], Layer] | None = None,
) -> Layers:
    """Answer `Depths`: count the positions at each distance from the nearest source.

    Layers that do not fit the memory are moved to the disk if the encoding says how (`Encoding.row_words`).

    encoding  its goals are those of `question.collect`
    first     makes the first layer, instead of the sources of the question
    """
    end, stopped, over = None, None, False
    collected: list[tuple[int, Words]] = []
    arrivals = watch.known.arrivals
    by = watch.thresholds
    try:
        if getattr(question, "store", None) is not None:
            encoding.file()
        end = begun(encoding, question.sources) if first is None else End(encoding, first())
        keeping = _keeping(encoding, question)
        if keeping is not None:
            keeping.resume(end, watch)
        while not end.over and not over:
            if end.size:
                watch.layer(end.depth, end.size, end.found)
            if question.collect:
                reached = end.encoding.met(end.layer)
                if len(reached):
                    collected.append((end.depth, reached))
            over = question.wanted is not None and question.wanted.hand(end.depth, end.listed(by[DECODED]))
            over = _arrived(question, end, arrivals) or over
            if not over:
                keeping = keeping or _keeping(encoding, question)
                _advance(end, keeping, watch)
    except LimitError as limit:
        stopped = limit
    sizes = end.sizes if end is not None else []
    keep = 0 if over else question.kept(sizes[-1] if sizes else 0, stopped)
    deepest = end.deepest(keep, by[DECODED]) if end is not None else ()
    if end is not None:
        encoding.end()
    return Layers(
        tuple(sizes), deepest, stopped is None and not over, watch.generated, watch.seconds,
        Collected(encoding.leave, collected) if collected else (), stopped=stopped, arrivals=arrivals,
    )  # fmt: skip


def _keeping(encoding: Encoding, question: Depths) -> OnDisk | None:
    """Return how layers are kept in files; None if the encoding cannot have them there."""
    store = getattr(question, "store", None)
    if not encoding.row_words:
        if store is not None:
            raise UnsupportedError("the layers of this engine cannot be kept in files")
        return None
    from .disk_layers import OnDisk  # with NumPy

    return OnDisk(store)


def reached(encoding: Encoding, sources: Iterable[Position], watch: Watch) -> tuple[int, Words | None]:
    """Return how many positions can be reached, and the goals among them; None if there is none."""
    import numpy as np

    end = begun(encoding, sources)
    found: list[Words] = []
    while not end.over:
        found.append(encoding.met(end.layer))
        end.grow(watch)
    encoding.end()
    return end.found, np.concatenate(found) if any(map(len, found)) else None


def _arrived(question: Depths, end: End, found: dict[tuple[int, int], tuple[int, Any]]) -> bool:
    """Note the first positions of the last layer with the symbols that are wanted; return whether all are found.

    A position stands for all that free rules lead to from it.
    """
    missing = [pair for pair in question.arrivals if pair not in found]
    if missing:
        here = end.encoding.arrived(end.layer, missing)
        if here is None:
            here = _seen_in(question, end, missing)
        found.update({pair: (end.depth, position) for pair, position in here.items()})
    return bool(question.arrivals) and all(pair in found for pair in missing)


def _seen_in(question: Depths, end: End, missing: list[tuple[int, int]]) -> dict[tuple[int, int], Position]:
    """Return for each of some pairs (cell, symbol) that a position of the last layer has such a position."""
    import numpy as np

    space = question.space
    free = isinstance(space, Model) and space.metric.free
    found: dict[tuple[int, int], Position] = {}
    for block in end.listed(AT_ONCE):
        checkpoint()
        positions = [row.tobytes() for row in block] if isinstance(block, np.ndarray) else block
        if free:
            assert isinstance(space, Model)
            positions = [walked for settled in positions for walked in space.walks(settled)]
        rows = np.frombuffer(b"".join(positions), np.uint8).reshape(len(positions), -1)
        for cell, symbol in missing:
            at = np.flatnonzero(rows[:, cell] == symbol)
            if len(at):
                found[cell, symbol] = positions[at[0]]
        missing = [pair for pair in missing if pair not in found]
        if not missing:
            break
    return found


def find(question: Search, watch: Watch, forward: Encoding, backward: Encoding | None = None) -> Geodesics:
    """Answer `Search`: find the positions on shortest solutions, on all of them or on one.

    forward   its goals are those of the question, unless there is
    backward  the encoding of the moves taken back; it begins from `question.goals`

    The end with the smaller layer is continued until the two have a position in common. If the last layers of both
    ends, at depths i and j, have none, no solution has i + j moves or fewer. So the first meeting is a shortest
    solution (Pohl 1971, "Bi-directional search", Machine Intelligence 6).
    """
    ends: list[End] = []
    proved = 0
    try:
        forward.seek()
        ends.append(begun(forward, (question.start,), forward.record))
        if backward is not None:
            ends.append(begun(backward, question.goals or (), backward.record))
        while True:
            depth = sum(end.depth for end in ends)
            here = met(*ends)
            if len(here):
                ways = _ways(ends, here, question.every, watch)
                return Geodesics(ways, watch.generated, watch.seconds, depth)
            proved = depth + 1
            watch.known.prove(proved)
            end = min(ends, key=lambda end: end.size)
            if end.over:
                return Geodesics((), watch.generated, watch.seconds)
            if end.size:
                watch.layer(depth, end.size, sum(end.found for end in ends))
            end.grow(watch, proved)
    except LimitError as limit:
        proved = max(proved, limit.bound or 0, sum(end.depth for end in ends))
        return Geodesics((), watch.generated, watch.seconds, proved, limit)
    finally:
        for end in ends:
            end.encoding.end()


def met(forward: End, backward: End | None = None) -> Words:
    """Return the goals in the last layer, or what both ends have in common."""
    if backward is None:
        return forward.encoding.met(forward.layer)
    return forward.encoding.common(forward.layer, backward.encoding, backward.layer)


def _ways(ends: Sequence[End], met: Words, every: bool, watch: Watch) -> tuple[frozenset[Position], ...]:
    """Return the positions on shortest solutions through those where the ends met, by distance from the start."""
    rows: list[Words] = []
    for end in ends:
        found = end.encoding.ways(met, end.layers, every, watch)
        rows = [*rows, *found[1:]] if rows else found[::-1]
    shown = iter(ends[0].encoding.leave(_together(rows)))
    return tuple(frozenset(islice(shown, len(row))) for row in rows)


def _together(rows: Sequence[Words]) -> Words:
    """Return all words of some arrays, or of some lists, in one."""
    if isinstance(rows[0], Sequence):
        return list(chain.from_iterable(rows))
    import numpy as np

    return np.concatenate(rows)


class Collected(Sequence[tuple[Position, int]]):
    """(position, depth) of every position collected, stored as words, because callers often need only the number."""

    def __init__(self, leave: Callable[[Words], Sequence[Position]], layers: Sequence[tuple[int, Words]]) -> None:
        self.leave = leave
        self.layers = layers

    def __len__(self) -> int:
        return sum(len(words) for _, words in self.layers)

    def __iter__(self) -> Iterator[tuple[Position, int]]:
        for depth, words in self.layers:
            for first in range(0, len(words), AT_ONCE):
                for position in self.leave(words[first : first + AT_ONCE]):
                    yield position, depth

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self)[index]
        at = range(len(self))[index]
        ends = list(accumulate(len(words) for _, words in self.layers))
        number = bisect_right(ends, at)
        depth, words = self.layers[number]
        return self.leave(words[at - ends[number] :][:1])[0], depth
