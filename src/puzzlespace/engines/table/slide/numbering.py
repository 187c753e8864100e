"""The ranking of a sliding puzzle's positions for depth tables that are moved by windows (docs/methods/windows.md).

The rank of a position consists of its *row* (the places of the blanks in the cell order and, if all pieces differ, the
parity of the order of the pieces) and the rank of the order of the pieces along the cell order. The next layer is every
unseen position one move from a seen one, so the last layer is not stored separately. One table is enough if every rule
leads from rows of one colour to rows of the other (a checkerboard, or pieces that all differ); otherwise there are two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from random import Random

from ....errors import InputError
from ....limits.thresholds import USUAL, Threshold, Thresholds
from ....model.model import Model
from ....structure.slides import SlideBoard, board_of
from .cell_order import cell_order
from .order_numbers import arrangements, beginnings, inversions, rank_order, tail_length, unrank_order

Row = tuple[tuple[int, ...], int]
"""(places of the blanks in the cell order, parity of the order of the pieces; 0 unless all pieces differ)"""

Window = tuple[int, int, bool]
"""(first, last, left): pieces first … last - 1 of the order are rotated; if `left`, the last one becomes the first."""

STILL: Window = (0, 1, False)
"""The window of a slide that leaves the order unchanged."""

MOST_ROWS = Threshold(5000)
"""The most sets of cells of the blanks: with more, other engines are faster."""

MOST_LOOSE = 10_000_000
"""The most positions of a table if many ranks may be unreachable."""

ASKED = USUAL
"""With these values no model is too small: for a table that is asked for by the name of its kind."""


@dataclass(frozen=True)
class SlidePlan:
    """The ranking of a sliding puzzle's positions, and the memory for counting them.

    more  rows of sources besides the position of `slides`; they may have the other parity
    """

    slides: SlideBoard
    more: tuple[Row, ...] = ()

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """The symbols of the pieces that can move, ascending."""
        return tuple(sorted({self.slides.position[cell] for cell in self.slides.live} - {self.slides.blank}))

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The number of pieces of each kind."""
        shown = [self.slides.position[cell] for cell in self.slides.live]
        return tuple(shown.count(kind) for kind in self.kinds)

    @cached_property
    def pieces(self) -> int:
        """The number of pieces that can move."""
        return sum(self.counts)

    @property
    def halved(self) -> bool:
        """Whether all pieces differ, so that a row has the orders of one parity only."""
        return len(self.kinds) == self.pieces > 1

    @cached_property
    def tail(self) -> int:
        """The number of trailing pieces that select the bit of a word; the leading ones select the word."""
        return tail_length(self.counts, self.halved)

    @cached_property
    def words(self) -> int:
        """The words of one row."""
        return beginnings(self.counts, self.pieces - self.tail)

    @cached_property
    def orders(self) -> int:
        """The positions of one row."""
        return arrangements(self.counts) // (2 if self.halved else 1)

    @property
    def positions(self) -> int:
        one_parity = not self.halved or (self.slides.blanks == 1 and self.slides.two_coloured)
        usual = comb(len(self.slides.live), self.slides.blanks) * (1 if one_parity else 2)
        return max(usual, len(self.rows) if self.more and one_parity else 0) * self.orders

    @property
    def bytes(self) -> int:
        halves = self.slides.two_coloured or (self.halved and self.slides.blanks == 1)
        return self.memory(self.positions // self.orders, halves)

    def memory(self, rows: int, one_table: bool) -> int:
        """Return the bytes that counting takes for a number of rows."""
        tables = rows if one_table and not self.slides.chained else 2 * rows + 2
        return 8 * tables * self.words + min(8 * self.words, 1 << 24) + (1 << 22)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The cells that blanks can reach, ordered such that many neighbours are adjacent."""
        return cell_order(self.slides, self.pieces - self.tail)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows reachable from the model's start and from the sources, ascending."""
        return self.reachable([self.row(self.slides.position), *self.more])

    def reachable(self, rows: Iterable[Row]) -> tuple[Row, ...]:
        """Return the rows reachable from some rows, ascending."""
        found = set(rows)
        stack = list(found)
        while stack:
            row = stack.pop()
            for _, _, target in self.arcs(row):
                if target not in found:
                    found.add(target)
                    stack.append(target)
        return tuple(sorted(found))

    @cached_property
    def _places(self) -> tuple[tuple[int, int], ...]:
        """For every link the places in the cell order that the piece leaves and enters."""
        place = {cell: number for number, cell in enumerate(self.order)}
        return tuple((place[origin], place[target]) for origin, target in self.slides.links)

    def arcs(self, row: Row) -> Iterator[tuple[int, Window, Row]]:
        """Yield (link, window, target row) for every link that is possible in a row.

        A piece that moves from one index of the order to another rotates the pieces between them; a window with an even
        number of pieces changes the parity.
        """
        blanks, parity = row
        for link, (origin, target) in enumerate(self._places):
            if target in blanks and origin not in blanks:
                leaves = origin - sum(blank < origin for blank in blanks)
                enters = target - sum(blank < target for blank in blanks) - (origin < target)
                window = min(leaves, enters), max(leaves, enters) + 1, leaves > enters
                odd = (leaves - enters) % 2 if self.halved else 0
                after = tuple(sorted(origin if blank == target else blank for blank in blanks))
                yield link, window if leaves != enters else STILL, (after, parity ^ odd)

    def pieces_of(self, position: bytes) -> list[int]:
        """Return the order of the pieces, as kinds 0, 1, …"""
        return [self.kinds.index(position[cell]) for cell in self.order if position[cell] != self.slides.blank]

    def row(self, position: bytes) -> Row:
        """Return the row of a position that fits the board."""
        parity = inversions(self.pieces_of(position)) % 2 if self.halved else 0
        return tuple(n for n, cell in enumerate(self.order) if position[cell] == self.slides.blank), parity

    def rank(self, position: bytes) -> int:
        """Return the rank of a position; raise InputError if it is not ranked."""
        if not self.slides.fits(position) or self.row(position) not in self.rows:
            raise InputError(f"position: expected one with the pieces and the parity of the plan, found {position!r}")
        rank = rank_order(self.pieces_of(position), self.counts)
        return self.rows.index(self.row(position)) * self.orders + (rank // 2 if self.halved else rank)

    def unrank(self, number: int) -> bytes:
        """Return the position with this rank; raise InputError if there is none."""
        if not 0 <= number < len(self.rows) * self.orders:
            raise InputError(f"rank: expected a number below {len(self.rows) * self.orders}, found {number}")
        row, rank = divmod(number, self.orders)
        blanks, parity = self.rows[row]
        order = unrank_order(2 * rank if self.halved else rank, self.counts)
        if self.halved and inversions(order) % 2 != parity:
            order[-2:] = order[:-3:-1]
        return self.position_of(blanks, order)

    def drawn(self, rows: Sequence[Row], chance: Random) -> Iterator[bytes]:
        """Yield random positions of some rows, without end."""
        order = [kind for kind, count in enumerate(self.counts) for _ in range(count)]
        while rows:
            blanks, parity = chance.choice(rows)
            chance.shuffle(order)
            if self.halved and inversions(order) % 2 != parity:
                order[-2:] = order[:-3:-1]
            yield self.position_of(blanks, order)

    def position_of(self, blanks: tuple[int, ...], order: Iterable[int]) -> bytes:
        """Return the position with the blanks at some places of the cell order and the pieces in this order."""
        position = bytearray(self.slides.position)
        pieces = iter(order)
        for place, cell in enumerate(self.order):
            position[cell] = self.slides.blank if place in blanks else self.kinds[next(pieces)]
        return bytes(position)


def plan(model: Model, by: Thresholds = USUAL) -> SlidePlan | None:
    """Return the ranking, or None if the model is not a puzzle of one-cell pieces that slide into blanks."""
    slides = board_of(model)
    if isinstance(slides, str) or comb(len(slides.live), slides.blanks) > by[MOST_ROWS]:
        return None
    found = SlidePlan(slides)
    return found if slides.mixing or found.positions <= MOST_LOOSE else None
