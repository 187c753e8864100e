"""One end of a search: the layers of an encoding so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..contract.answers import Position
from ..limits.watch import Watch
from ..model.custom import least
from .encoding import Encoding, Layer


class End:
    """The layers of one encoding so far.

    layer    the last layer, number `depth`, which has `size` positions
    last     the last layer that is not empty; None while the layers are moved out of the memory
    sizes    the sizes of the layers up to `last`
    found    the number of positions so far
    layers   all layers, if they are recorded to follow solutions back
    """

    def __init__(self, encoding: Encoding, first: Layer, record: bool = False) -> None:
        self.encoding = encoding
        self.depth = self.found = 0
        self.sizes: list[int] = []
        self.layers: list[Layer] = []
        self.record = record
        self._take(first)
        self.last = self.layer

    def _take(self, layer: Layer) -> None:
        self.layer, self.size = layer, self.encoding.size(layer)
        if self.size:
            self.last = layer
            self.sizes += [0] * (self.depth - len(self.sizes))
            self.sizes.append(self.size)
        self.found += self.size
        if self.record:
            self.layers.append(layer)

    @property
    def over(self) -> bool:
        """Whether all further layers are empty."""
        return not self.size and not self.encoding.waiting

    def grow(self, watch: Watch, bound: int = 0) -> None:
        """Find the next layer."""
        layer = self.encoding.following(self.layer, watch, bound)
        watch.expand(self.size)
        self.depth += 1
        self._take(layer)

    def release(self) -> Layer:
        """Return the last layer and keep no reference to it, until the search goes on."""
        layer = self.layer
        self.layer = self.last = None
        return layer

    def go_on(self, encoding: Encoding, layer: Layer, sizes: Sequence[int]) -> None:
        """Continue with another encoding from its layer, after layers of these sizes, that one included."""
        self.encoding, self.layer, self.last = encoding, layer, layer
        self.depth, self.sizes, self.size, self.found = len(sizes) - 1, list(sizes), sizes[-1], sum(sizes)

    def listed(self, at_once: int) -> Iterator[Any]:
        """Yield the positions of the layer as `WantedLayers.take` gets them, so many at a time."""
        for words in self.encoding.pieces(self.layer):
            for first in range(0, len(words), at_once):
                yield self.encoding.handed(words[first : first + at_once])

    def deepest(self, keep: int, at_once: int) -> tuple[Position, ...]:
        """Return the first `keep` positions, sorted, of the last layer that is not empty."""
        kept: list[Position] = []
        for words in self.encoding.pieces(self.last) if keep and self.last is not None else ():
            for first in range(0, len(words), at_once):
                kept = least([*kept, *self.encoding.least(words[first : first + at_once], keep)], keep)
        return tuple(kept)


def begun(encoding: Encoding, positions: Iterable[Position], record: bool = False) -> End:
    """Return the end of a search that begins with some positions."""
    return End(encoding, encoding.enter(list(dict.fromkeys(positions))), record)
