"""What an encoding is: positions in a form of its own, and the next layer of a layer.

An encoding belongs to one end of one search. It stores what it needs to recognise positions of earlier layers. It does
not count, stop, report, collect or keep anything: `search.layers` does this for all (docs/adding-an-encoding.md).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..contract.answers import Position
from ..errors import UnsupportedError
from ..limits.watch import Watch
from ..model.custom import least

Words = Any
"""Some positions in the form of an encoding: an array whose first axis counts the positions, such as uint64 [n, 2]."""

Layer = Any
"""A layer in the form of an encoding. Only the encoding itself looks into it."""

RowsOf = Callable[[int], Iterator[Any]]
"""Yields positions as rows, at most so many at a time."""

Pairs = Iterable[tuple[int, int]]
"""Pairs (cell, symbol), see `Depths.arrivals`."""


class Encoding(ABC):
    """One end of a search. A subclass has the abstract methods, and further ones for further questions.

    Every layer is given to `following` once, and in order. After that, an encoding may reuse the memory of all layers
    before the given one, unless the search needs them again (`before`).

    A search for goals tells their encoding to its constructor; `met` says which positions of a layer are among them.
    """

    @abstractmethod
    def enter(self, positions: Sequence[Position]) -> Layer:
        """Return the layer of some different positions, with which the search begins.

        Raises UnsupportedError if one is not a position of this encoding.
        """

    @abstractmethod
    def following(self, layer: Layer, watch: Watch, bound: int) -> Layer:
        """Return the positions one move from those of the last layer that are in no earlier layer, each once.

        If moves count more than one: the positions of the next layer, from whatever layers moves lead there.

        Calls `watch.tick(generated, bound)` at least once a second, and `watch.reserve(bytes, bound)` before it
        allocates much memory: both raise LimitError. Then the given layer can still be read.
        """

    @abstractmethod
    def size(self, layer: Layer) -> int:
        """Return the number of positions of a layer."""

    @abstractmethod
    def pieces(self, layer: Layer) -> Iterator[Words]:
        """Yield the positions of a layer, a part at a time; a part is valid until the next one."""

    @abstractmethod
    def leave(self, words: Words) -> Sequence[Position]:
        """Return the positions of some words."""

    waiting = False
    """Whether later layers may have positions although the last one is empty: moves may count more than one."""

    def end(self) -> None:  # noqa: B027
        """Give up what only `following` needs: no further layer is asked for, but `leave` is."""

    def has(self, method: str) -> bool:
        """Return whether the encoding has an optional method."""
        return getattr(type(self), method) is not getattr(Encoding, method)

    # for `plan`

    def memory(self, sizes: Sequence[float]) -> float:
        """Return about how many bytes a search takes whose layers have these sizes, at the most; after `enter`."""
        raise UnsupportedError(f"{type(self).__name__}: it does not say how much memory it takes")

    # for questions with goals

    def met(self, layer: Layer) -> Words:
        """Return the positions of a layer that are goals of the search, in an order that depends on nothing else."""
        raise UnsupportedError(f"{type(self).__name__}: it does not find goals")

    # for shortest solutions

    def seek(self) -> None:  # noqa: B027
        """Prepare for a search for shortest solutions: positions that lead to no goal may be left out from now on."""

    def before(self, words: Words, layer: Layer, watch: Watch) -> Words:
        """Return those positions of an earlier layer from which one move leads to some words of the layer after it."""
        raise UnsupportedError(f"{type(self).__name__}: it does not find the moves of a solution")

    def ways(self, met: Words, layers: Sequence[Layer], every: bool, watch: Watch) -> list[Words]:
        """Return the positions on shortest ways to `met`, one array for each layer, those of `met` first.

        layers  all layers, the one of `met` last; [] if not `record`
        every   whether all ways are wanted; if not, those to one position, one in each layer
        """
        found = [met if every else met[:1]]
        for layer in reversed(layers[:-1]):
            earlier = self.before(found[-1], layer, watch)
            found.append(earlier if every else earlier[:1])
        return found

    record = True
    """Whether `ways` needs all layers."""

    # for searches from both ends

    def common(self, layer: Layer, other: Encoding, there: Layer) -> Words:
        """Return the positions that the last layer and the last one of the encoding at the other end have in common."""
        raise UnsupportedError(f"{type(self).__name__}: it does not search from both ends")

    # for layers in files: a position as a row of whole numbers, uint64 [row_words], other positions as other rows

    row_words = 0
    """The numbers of a row; 0: layers cannot be in files, or not yet."""

    def file(self) -> None:  # noqa: B027
        """Prepare for a search whose layers are kept in files: after `enter`, `row_words` is not 0 if they can be."""

    def rules(self) -> bytes:
        """Return what the rows and the moves are, if that can be said; else the first layers stand for it."""
        return b""

    undone = False
    """Whether every move can be undone: then positions one move away are in the last two layers or in the next one."""

    alternates = False
    """Whether no move leads from a position to one of the same layer."""

    ratio = 1.0
    """About how many positions `onward` returns for each one."""

    dropped = False
    """Whether earlier positions, which `given_up` would yield, are no longer stored."""

    def as_rows(self, layer: Layer, most: int) -> Iterator[Any]:
        """Yield the positions of a layer as rows, at most `most` at a time. The caller may change them."""
        for words in self.pieces(layer):
            for first in range(0, len(words), most):
                yield self.rows_of(words[first : first + most])

    def rows_of(self, words: Words) -> Any:
        """Return a copy of some words as rows."""
        raise UnsupportedError(f"{type(self).__name__}: its layers cannot be in files")

    def words_of(self, rows: Any) -> Words:
        """Return the words of some rows."""
        raise UnsupportedError(f"{type(self).__name__}: its layers cannot be in files")

    def among(self, words: Words) -> Words:
        """Return those words that are goals of the search."""
        raise UnsupportedError(f"{type(self).__name__}: it does not find goals")

    def onward(self, rows: Any, watch: Watch, bound: int) -> Any:
        """Return the positions one move from some rows as rows, each once; earlier positions may be among them."""
        raise UnsupportedError(f"{type(self).__name__}: its layers cannot be in files")

    def given_up(self, layer: Layer) -> Iterator[tuple[int, RowsOf]]:
        """Yield the earlier positions to which moves may lead, and then those of the last layer: number and rows.

        Gives up the memory of both, after each was written. The caller keeps no reference to the layer. If moves can
        be undone, the earlier positions are those of the layer before.
        """
        raise UnsupportedError(f"{type(self).__name__}: its layers cannot be in files")

    def take(self, rows: Any, earlier: Any, found: int) -> Layer:
        """Return the layer of some sorted rows, after earlier ones in any order, as the last of `found` positions."""
        raise UnsupportedError(f"{type(self).__name__}: its layers cannot be in files")

    # faster forms of what follows from the methods above

    def least(self, words: Words, keep: int) -> Sequence[Position]:
        """Return the first `keep` positions of some words, sorted."""
        return least(self.leave(words), keep)

    def handed(self, words: Words) -> Any:
        """Return positions as `WantedLayers.take` gets them: as `leave` does, or as rows of symbols."""
        return self.leave(words)

    def arrived(self, layer: Layer, pairs: Pairs) -> Mapping[tuple[int, int], Position] | None:
        """Return for each pair that a position of the layer has such a position; None: the search looks at `leave`."""
        return None
