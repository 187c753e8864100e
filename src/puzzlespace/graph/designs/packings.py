"""A one-to-one number for every packing of a layout: docs/methods/packings.md.

Packings are divided into *groups* with the same numbers of pieces, because moves keep the pieces. Each group has ranks
of its own, from 0; all groups share one graph of choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ...errors import FormatError, LimitError, UnsupportedError
from ...limits.memory import counted, sized
from ...limits.watch import checkpoint, paced
from .layout import OpenLayout, unsupported

if TYPE_CHECKING:
    from ...kernels.packings.ranks import Ranks, Tray

MOST_GROUPS = 30_000
"""Shapes are counted one by one if there are at most this many groups; else some rows are not divided by shapes."""

MOST_NODES = 3_000_000
"""The most nodes of a graph of choices."""

DENSE = 40
"""Up to this many kinds, a node of the graph has an edge for each kind."""

MOST_RANKS = 2**32 - 2
"""The most packings of a group: ranks are 32-bit numbers."""

FULL = (1 << 64) - 1


@dataclass(frozen=True)
class Unit:
    """Pieces that are counted together: those of one kind, those of a row, or (with no kinds) the blanks.

    least  the fewest cells of one piece
    """

    kinds: tuple[int, ...]
    least: int
    shift: int
    width: int


@dataclass(frozen=True)
class PackingGroup:
    """The packings with the same numbers of pieces.

    numbers  how many pieces of each unit
    root     the node of the graph where their choices begin
    size     how many packings there are
    asked    False if the layout does not ask for them: they are those of another group without one piece
    """

    numbers: tuple[int, ...]
    root: int
    size: int
    asked: bool = True


class Packings:
    """All packings of a layout, with their ranks. Raises FormatError if there are none.

    groups  those that have packings
    total, largest  how many packings there are in all, and in the largest group
    single  whether every kind is a unit: then a group is a multiset of pieces
    by_row  whether all pieces are counted, so that all packings of a group have as many pieces
    """

    def __init__(self, layout: OpenLayout, *, fewer: bool = False) -> None:
        """Count the packings.

        fewer  whether there are also groups for all packings without one piece that no goal names
        Raises UnsupportedError if groups are wanted for that, but are not multisets of pieces.
        """
        self.layout = layout
        by_kind = _by_kind(layout) if layout.kinds <= DENSE else None
        self.single = by_kind is not None
        self.units, vectors = by_kind or _by_row(layout)
        counted_kinds = {kind for unit in self.units for kind in unit.kinds}
        self.by_row = len(counted_kinds) == layout.kinds
        self.asked = len(vectors)
        if fewer:
            if not self.single:
                raise unsupported("pieces that can be left out are sought only if there are fewer shapes and numbers")
            vectors += self._without_one(vectors)
        self.total = self.largest = 0
        if vectors:
            self._build(vectors)
        if not self.total:
            raise FormatError(
                f"pieces: expected numbers of pieces and blanks that fit {layout.area} cells, found none that do"
            )

    def _without_one(self, vectors: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the numbers without one piece that no goal names, if they are not among the given ones."""
        named = {row for goal in self.layout.goals for row, _ in goal.covered}
        found: dict[tuple[int, ...], None] = {}
        for numbers in paced(vectors):
            for unit, number in enumerate(numbers):
                if number and self.layout.row_of[unit + 1] not in named:
                    found[*numbers[:unit], number - 1, *numbers[unit + 1 :]] = None
        for numbers in vectors:
            found.pop(numbers, None)
        return list(found)

    def _build(self, vectors: list[tuple[int, ...]]) -> None:
        """Build the graph of choices for these groups, level by level: the level of a node is its first open cell."""
        layout = self.layout
        cells = layout.board.cells
        choices = [self._choices(cell) for cell in range(cells)]
        start = np.uint64(layout.walls | (FULL ^ ((1 << cells) - 1)))
        roots = np.array([self._code(vector) for vector in vectors], np.uint64)
        waiting: list[list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = [[] for _ in range(cells + 1)]
        begin = min(int(_level(np.array([start]))[0]), cells)
        waiting[begin].append((np.full(len(roots), start), roots, np.full(len(roots), -1)))
        levels: list[tuple[int, np.ndarray, np.ndarray, np.ndarray]] = []
        child = _Growing(np.int64)
        nodes = 0
        self._root_nodes = np.zeros(len(roots), np.int64)
        for level in range(cells + 1):
            checkpoint()
            if not waiting[level]:
                continue
            masks, left, edges = (np.concatenate(part) for part in zip(*waiting[level], strict=True))
            waiting[level] = []
            masks, left, inverse = _distinct(masks, left)
            if level == begin:
                self._root_nodes = nodes + inverse
            child.data[edges[edges >= 0]] = nodes + inverse[edges >= 0]
            if level == cells:
                self._end, ends = nodes, left
                levels.append((nodes, np.zeros(len(masks) + 1, np.int64), np.zeros(0, np.int64), ends))
                nodes += len(masks)
                break
            rows, number, after, rest = self._expand(level, masks, left, choices[level])
            first = np.searchsorted(rows, np.arange(len(masks) + 1))
            levels.append((nodes, first, number, left))
            where = child.more(len(rows))
            at = np.minimum(_level(after), cells)
            for there in np.unique(at).tolist():
                chosen = at == there
                waiting[there].append((after[chosen], rest[chosen], where[chosen]))
            nodes += len(masks)
            if nodes > MOST_NODES:
                raise LimitError(
                    "memory",
                    f"{layout.board.cells} cells and these pieces are too many: {len(vectors):,} groups of packings "
                    f"share a graph of more than {MOST_NODES:,} nodes for {level} of the cells; give smaller ranges",
                )
        self._close(levels, child.data[: child.used], nodes, vectors, cells)

    def _choices(self, cell: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return for a cell the choices, what they cover, the shift of their unit (-1: none) and its mask."""
        unit_of = {kind: unit for unit in self.units for kind in unit.kinds}
        blanks = next((unit for unit in self.units if not unit.kinds), None)
        found: list[tuple[int, int, Unit | None]] = [(0, 1 << cell, blanks)]
        found += [
            (place.kind, place.cover, unit_of.get(place.kind)) for place in self.layout.places if place.cells[0] == cell
        ]
        found.sort(key=lambda each: each[0])
        shifts = [-1 if unit is None else unit.shift for _, _, unit in found]
        masks = [0 if unit is None else (1 << unit.width) - 1 for _, _, unit in found]
        return (
            np.array([each[0] for each in found], np.int64),
            np.array([each[1] for each in found], np.uint64),
            np.array(shifts, np.int64),
            np.array(masks, np.uint64),
        )

    def _expand(
        self, level: int, masks: np.ndarray, left: np.ndarray, choices: tuple[np.ndarray, ...]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the edges of the nodes of a level: node, choice, decided cells after it, pieces left after it."""
        numbers, covers, shifts, widths = choices
        parts: list[tuple[np.ndarray, ...]] = []
        step = max(1, (1 << 22) // len(numbers))
        for low in range(0, len(masks), step):
            checkpoint()
            mask, rest = masks[low : low + step, None], left[low : low + step, None]
            counted_shift = np.where(shifts < 0, 0, shifts).astype(np.uint64)
            fits = (mask & covers) == 0
            fits &= (shifts < 0) | ((rest >> counted_shift & widths) > 0)
            rows, columns = np.nonzero(fits)
            after = masks[low + rows] | covers[columns]
            fewer = left[low + rows] - np.where(shifts < 0, np.uint64(0), np.uint64(1) << counted_shift)[columns]
            enough = self._needed(fewer) <= _open(after)
            parts.append((low + rows[enough], numbers[columns[enough]], after[enough], fewer[enough]))
        return tuple(np.concatenate(part) for part in zip(*parts, strict=True))  # pyright: ignore[reportReturnType]

    def _needed(self, left: np.ndarray) -> np.ndarray:
        """Return the fewest cells that the pieces left cover."""
        found = np.zeros(len(left), np.int64)
        for unit in self.units:
            found += (left >> np.uint64(unit.shift) & np.uint64((1 << unit.width) - 1)).astype(np.int64) * unit.least
        return found

    def _close(
        self,
        levels: list[tuple[int, np.ndarray, np.ndarray, np.ndarray]],
        child: np.ndarray,
        nodes: int,
        vectors: list[tuple[int, ...]],
        cells: int,
    ) -> None:
        """Count the packings of each node from the last level back, and keep the edges that lead to some."""
        counts = np.zeros(nodes, np.float64)
        exact = np.zeros(nodes, np.int64)
        spans: list[tuple[int, int]] = []
        at = 0
        for _, first, _, _ in levels:
            spans.append((at, at + int(first[-1])))
            at += int(first[-1])
        for (node, first, _, left), (low, high) in zip(reversed(levels), reversed(spans), strict=True):
            checkpoint()
            here = len(first) - 1
            if low == high:
                counts[node : node + here] = exact[node : node + here] = left == 0
                continue
            running = np.concatenate([[0], np.cumsum(exact[child[low:high]])])
            exact[node : node + here] = running[first[1:]] - running[first[:-1]]
            rough = np.concatenate([[0.0], np.cumsum(counts[child[low:high]])])
            counts[node : node + here] = rough[first[1:]] - rough[first[:-1]]
        sizes = counts[self._root_nodes]
        asked = sizes[: self.asked].sum()
        self.total = sum(map(int, exact[self._root_nodes[: self.asked]])) if asked < 2**62 else int(asked)
        self.largest = int(sizes.max(initial=0.0))
        self.groups = tuple(
            PackingGroup(vector, int(root), int(exact[root]), index < self.asked)
            for index, (vector, root) in enumerate(zip(vectors, self._root_nodes.tolist(), strict=True))
            if counts[root] > 0
        )
        self._graph = (levels, spans, child, exact, nodes)

    @cached_property
    def ranks(self) -> Ranks:
        """The graph as arrays for kernels. Raises LimitError if a group has too many packings."""
        from ...kernels.packings.ranks import NONE, Ranks

        if self.largest > MOST_RANKS:
            raise LimitError(
                "memory",
                f"{counted(self.total)} packings; {counted(self.largest)} have the same numbers of pieces, and at most "
                f"{MOST_RANKS:,} of them can be searched; they would need {sized(self.bytes_for(self.largest))}",
            )
        levels, spans, child, exact, nodes = self._graph
        dense = self.layout.kinds <= DENSE
        width = self.layout.kinds + 1
        first = np.zeros(nodes + 1, np.int64)
        choice: list[np.ndarray] = []
        kept_child: list[np.ndarray] = []
        offset: list[np.ndarray] = []
        used = 0
        for (node, begins, number, _), (low, high) in zip(levels, spans, strict=True):
            checkpoint()
            here = len(begins) - 1
            sizes = exact[child[low:high]]
            good = sizes > 0
            running = np.concatenate([[0], np.cumsum(sizes)])
            owner = np.repeat(np.arange(here), np.diff(begins))
            offsets = (running[:-1] - running[begins[:-1]][owner]).astype(np.uint32) if low < high else sizes
            if low == high:
                first[node : node + here + 1] = used
                continue
            if dense:
                first[node : node + here + 1] = used + width * np.arange(here + 1)
                full_child = np.zeros(here * width, np.uint32)
                full_offset = np.full(here * width, NONE, np.uint32)
                places = (owner * width + number)[good]
                full_child[places] = child[low:high][good]
                full_offset[places] = offsets[good]
                kept_child.append(full_child)
                offset.append(full_offset)
                used += here * width
            else:
                kept = np.concatenate([[0], np.cumsum(good)])
                first[node : node + here + 1] = used + kept[begins]
                choice.append(number[good])
                kept_child.append(child[low:high][good].astype(np.uint32))
                offset.append(offsets[good])
                used += int(kept[-1])
        first[-1] = used
        del self._graph
        edges = [np.concatenate([*part, np.zeros(0, np.uint32)]) for part in (kept_child, offset)]
        return Ranks(
            first,
            np.concatenate([*choice, np.zeros(0, np.int64)]),
            np.stack(edges, axis=1).astype(np.uint32),
        )

    def ranks_of(self, group: PackingGroup) -> Ranks:
        """Return the part of the graph that a group uses, so that it fits a fast cache; its root is node 0."""
        from ...kernels.packings.ranks import Ranks, cut, reach

        ranks = self.ranks
        numbers = np.zeros(len(ranks.first) - 1, np.int64)
        nodes, edges = reach(ranks, group.root, numbers)
        choices = edges if len(ranks.choice) else 0
        part = Ranks(np.zeros(nodes + 1, np.int64), np.zeros(choices, np.int64), np.zeros((edges, 2), np.uint32))
        cut(ranks, numbers, part)
        return part

    def bytes_for(self, packings: int) -> int:
        """Return the bytes that a search of so many packings needs."""
        return 13 * packings

    @cached_property
    def tray(self) -> Tray:
        """The places as arrays for kernels."""
        return tray_of(self.layout)

    def _code(self, numbers: tuple[int, ...]) -> int:
        return sum(number << unit.shift for number, unit in zip(numbers, self.units, strict=True))


def tray_of(layout: OpenLayout) -> Tray:
    """Return the places of a layout as arrays for kernels."""
    from ...kernels.packings.ranks import Tray

    places = layout.places
    cells = layout.board.cells
    place = np.full((layout.kinds + 1, cells), -1, np.int64)
    most = max((len(each.cells) for each in places), default=1)
    covered = np.zeros((len(places), most), np.int64)
    for number, each in enumerate(places):
        place[each.kind, each.cells[0]] = number
        covered[number, : len(each.cells)] = each.cells
    metric = ("step", "run", "piece").index(layout.metric)
    return Tray(
        place,
        np.array([each.kind for each in places], np.int64),
        covered,
        np.array([len(each.cells) for each in places], np.int64),
        np.array([each.cells[-1] for each in places], np.int64),
        np.array([each.cover for each in places], np.uint64),
        np.array(layout.steps(), np.int64).reshape(len(places), len(layout.ways)),
        np.array([cells, metric, layout.kinds + 1], np.int64),
        np.array([layout.walls], np.uint64),
    )


class _Growing:
    """An array that grows."""

    def __init__(self, kind: type) -> None:
        self.data = np.zeros(1024, kind)
        self.used = 0

    def more(self, count: int) -> np.ndarray:
        """Return the indices of `count` further elements."""
        if self.used + count > len(self.data):
            self.data = np.concatenate([self.data, np.zeros(self.used + count, self.data.dtype)])
        self.used += count
        return np.arange(self.used - count, self.used)


def _distinct(masks: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the different pairs, sorted, and for each given pair its number among them."""
    order = np.lexsort((left, masks))
    ordered = masks[order], left[order]
    new = np.ones(len(order), bool)
    new[1:] = (ordered[0][1:] != ordered[0][:-1]) | (ordered[1][1:] != ordered[1][:-1])
    inverse = np.empty(len(order), np.int64)
    inverse[order] = np.cumsum(new) - 1
    return ordered[0][new], ordered[1][new], inverse


def _level(masks: np.ndarray) -> np.ndarray:
    """Return the lowest bit that is not set; 64 if all are."""
    lowest = ~masks & (masks + np.uint64(1))
    found = np.log2(np.maximum(lowest, np.uint64(1)).astype(np.float64)).astype(np.int64)
    return np.where(lowest == 0, 64, found)


def _open(masks: np.ndarray) -> np.ndarray:
    """Return how many bits are not set."""
    return 64 - np.bitwise_count(masks).astype(np.int64)


def _by_kind(layout: OpenLayout) -> tuple[tuple[Unit, ...], list[tuple[int, ...]]] | None:
    """Return a unit for each kind, and the numbers of each group; None if there are too many groups or numbers."""
    area = layout.area
    units: list[Unit] = []
    for kind, offsets in enumerate(layout.shapes, 1):
        row = layout.rows[layout.row_of[kind]]
        units.append(_unit((kind,), len(offsets), min(row.high, area // len(offsets)), units))
    if units[-1].shift + units[-1].width > 64:
        return None
    low, high = layout.blanks
    found: list[tuple[int, ...]] = []
    rows = [(row.low, row.high, len(row.kinds)) for row in layout.rows]
    for numbers in _numbers(rows, [unit.least for unit in units], area - low):
        checkpoint()
        if sum(number * unit.least for number, unit in zip(numbers, units, strict=True)) >= area - high:
            found.append(numbers)
            if len(found) > MOST_GROUPS:
                return None
    return tuple(units), found


def _numbers(rows: list[tuple[int, int, int]], sizes: list[int], area: int) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of pieces of each kind that the rows (least, most, kinds) allow on `area` cells."""
    if not rows:
        yield ()
        return
    (low, high, kinds), *more = rows
    if kinds == 0:
        if low <= 0:
            yield from _numbers(more, sizes, area)
        return
    for number in range(min(high, area // sizes[0]) + 1):
        rest = [(max(0, low - number), high - number, kinds - 1), *more]
        for others in _numbers(rest, sizes[1:], area - number * sizes[0]):
            yield (number, *others)


def _by_row(layout: OpenLayout) -> tuple[tuple[Unit, ...], list[tuple[int, ...]]]:
    """Return a unit for each row, and one for the blanks if their number is restricted, and the numbers of each group.

    Rows whose number is not restricted have none if there are too many groups.
    """
    try:
        return _counted_rows(layout, every=True)
    except UnsupportedError:
        return _counted_rows(layout, every=False)


def _counted_rows(layout: OpenLayout, every: bool) -> tuple[tuple[Unit, ...], list[tuple[int, ...]]]:
    area = layout.area
    units: list[Unit] = []
    ranges: list[range] = []
    for row in layout.rows:
        least = min(len(layout.shapes[kind - 1]) for kind in row.kinds)
        most = area // least
        if every or row.low > 0 or row.high < most:
            units.append(_unit(row.kinds, least, min(row.high, most), units))
            ranges.append(range(row.low, min(row.high, most) + 1))
    if layout.blanks != (0, area):
        units.append(_unit((), 1, layout.blanks[1], units))
        ranges.append(range(layout.blanks[0], layout.blanks[1] + 1))
    found: list[tuple[int, ...]] = []
    for numbers in paced(product(*ranges)):
        if sum(number * unit.least for number, unit in zip(numbers, units, strict=True)) <= area:
            found.append(numbers)
            if len(found) > MOST_GROUPS:
                raise unsupported(f"the numbers of pieces can be chosen in more than {MOST_GROUPS:,} ways")
    return tuple(units), found


def _unit(kinds: tuple[int, ...], least: int, most: int, before: list[Unit]) -> Unit:
    shift = before[-1].shift + before[-1].width if before else 0
    return Unit(kinds, least, shift, max(1, most.bit_length()))
