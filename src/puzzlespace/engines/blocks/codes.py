"""Codes of positions of sliding pieces in one word. Plain Python: importing this module does not load NumPy.

The code has a field for every kind of piece: the rank of the set of its places in the combinatorial number system. The
set of places a1 < a2 < … has the rank C(a1, 1) + C(a2, 2) + …. Different positions have different codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING

from ...errors import UnsupportedError
from ...model.model import Model
from ...structure.blocks import PieceMove, Place, Sliding, parts, places_of, reachable, read

if TYPE_CHECKING:
    import numpy as np

WORD = 64

LEAST = 12
"""The fewest bits of a code; tables have at least 2^LEAST slots."""


@dataclass(frozen=True)
class Kind:
    """Pieces of one symbol in one set of cells.

    count  the number of pieces
    cells  the cells that their first squares can reach
    shift  the first bit of their field in the code
    """

    symbol: int
    count: int
    cells: tuple[int, ...]
    shift: int

    @cached_property
    def bits(self) -> int:
        """The bits of the field."""
        return (comb(len(self.cells), self.count) - 1).bit_length()


@dataclass(frozen=True)
class Codes:
    """The codes, of `bits` bits, of all positions that some sources can reach.

    fixed    the symbol that each cell shows if no movable piece covers it
    example  one of the sources
    """

    sliding: Sliding
    kinds: tuple[Kind, ...]
    bits: int
    fixed: bytes
    example: bytes

    @classmethod
    def of(cls, model: Model, sources: Sequence[bytes]) -> Codes:
        """Return the codes for sources with the same pieces; raise UnsupportedError if there are no such codes."""
        found = read(model)
        if isinstance(found, str):
            raise UnsupportedError(found)
        placed = [places_of(found, source) for source in sources]
        cells, still = reachable(found, placed)
        kinds: list[Kind] = []
        shift = 0
        for symbol, where in cells.items():
            for part in parts(found, symbol, where):
                numbers = {sum((symbol, cell) in places for cell in part) for places in map(set, placed)}
                if len(numbers) > 1:
                    raise UnsupportedError("the positions have different pieces")
                kinds.append(Kind(symbol, numbers.pop(), part, shift))
                shift += kinds[-1].bits
        if shift > WORD:
            raise UnsupportedError(f"the code of a position takes {shift} bits and at most {WORD} fit")
        if model.symbols > WORD:
            raise UnsupportedError(f"at most {WORD} symbols are told apart, here are {model.symbols}")
        used = {cell for symbol, where in cells.items() for at in where for cell in found.covers[symbol, at]}
        if len(used) >= 2 * WORD:
            raise UnsupportedError(f"pieces come to {len(used)} cells and fewer than {2 * WORD} can be told apart")
        fixed = bytes(symbol if cell in still else found.blank for cell, symbol in enumerate(sources[0]))
        return cls(found, tuple(kinds), max(shift, LEAST), fixed, sources[0])

    @cached_property
    def places(self) -> list[Place]:
        """All places of all kinds, kind by kind."""
        return [(kind.symbol, cell) for kind in self.kinds for cell in kind.cells]

    @cached_property
    def ways(self) -> list[list[PieceMove]]:
        """The ways from each place to others."""
        known = set(self.places)
        return [[way for way in self.sliding.ways[place] if way.target in known] for place in self.places]

    def code(self, position: bytes) -> int | None:
        """Return the code of a position, or None if it has other pieces or cells that the sources cannot reach."""
        try:
            places = places_of(self.sliding, position)
        except UnsupportedError:
            return None
        code = held = 0
        for kind in self.kinds:
            where = sorted(kind.cells.index(c) for symbol, c in places if symbol == kind.symbol and c in kind.cells)
            if len(where) != kind.count:
                return None
            held += kind.count
            code |= sum(comb(place, i + 1) for i, place in enumerate(where)) << kind.shift
        others = sum(self.fixed[cell] == symbol for symbol, cell in places)
        return code if held + others == len(places) else None

    def codes(self, positions: Sequence[bytes]) -> np.ndarray:
        """Return the codes of the positions, without those that have none."""
        import numpy as np

        found = (self.code(position) for position in positions)
        return np.array([code for code in found if code is not None], np.uint64)

    def untagged(self, codes: np.ndarray) -> np.ndarray:
        """Return the codes without the tags above their bits."""
        return codes & codes.dtype.type((1 << self.bits) - 1)

    def positions(self, codes: np.ndarray) -> list[bytes]:
        """Return the positions of codes."""
        width, text = len(self.fixed), self.rows(codes).tobytes()
        return [text[first : first + width] for first in range(0, len(text), width)]

    def rows(self, codes: np.ndarray) -> np.ndarray:
        """Return the positions of codes as rows of symbols."""
        import numpy as np

        shown = np.tile(np.frombuffer(self.fixed, np.uint8), (len(codes), 1))
        rows, words = np.arange(len(codes))[:, None], codes.astype(np.uint64)
        for kind, (cells, symbols, choose) in zip(self.kinds, self._looks, strict=True):
            rank = words >> np.uint64(kind.shift) & np.uint64((1 << kind.bits) - 1)
            for left in range(kind.count - 1, -1, -1):
                place = np.searchsorted(choose[left], rank, "right") - 1
                rank -= choose[left][place]
                shown[rows, cells[place]] = symbols
        return shown

    def read(self, shown: np.ndarray) -> np.ndarray:
        """Return the codes of positions that have codes, given as rows of symbols."""
        import numpy as np

        codes = np.zeros(len(shown), np.uint64)
        for kind, (_, _, choose) in zip(self.kinds, self._looks, strict=True):
            places = np.nonzero(shown[:, kind.cells] == kind.symbol)[1].reshape(len(shown), kind.count)
            for size, place in zip(choose, places.T, strict=True):
                codes += size[place] << np.uint64(kind.shift)
        return codes

    @cached_property
    def _looks(self) -> list[tuple[np.ndarray, np.ndarray, list[np.ndarray]]]:
        """For each kind: the cells that a piece covers, by place; the symbols there; C(place, 1), C(place, 2), …

        Numbers that exceed a word are never used.
        """
        import numpy as np

        found = []
        for kind in self.kinds:
            looks = [self.sliding.look((kind.symbol, cell)) for cell in kind.cells]
            places = range(len(kind.cells))
            choose = [
                np.array([min(comb(place, size), (1 << WORD) - 1) for place in places], np.uint64)
                for size in range(1, kind.count + 1)
            ]
            found.append((np.array([list(look) for look in looks]), np.array([*looks[0].values()], np.uint8), choose))
        return found
