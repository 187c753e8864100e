"""The distances of all packings of pieces that stay in their lines, such as cars.

Moves keep the order of the pieces in every line. So there are many small groups, and the ranks of a group need no
graph: docs/methods/packings.md. The answers are those of `search`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from ...errors import SelfCheckError
from ...limits.threads import Crew, processors
from ...limits.watch import Progress, Watch, paced
from .layout import Place
from .packings import PackingGroup, Packings
from .search import Found, Start, Wanted, counts, shows

if TYPE_CHECKING:
    from ...kernels.packings.lines import LineScratch, LineTables

AT_ONCE = 1 << 20
"""Moves between two checks of the limits."""

MOST_JOBS = 1 << 20
"""The most choices of fillings for all rows."""

MOST_SLOTS = 1 << 35
"""The most ways to fill all lines in a given order of pieces: each is a bit in memory."""

MOST_WAYS = 64
"""The most ways to fill a line in a given order of pieces: a set of ways is one word of bits."""

MOST_LONG = 10
"""The most cells of a line: tables have an entry for each set of them."""

MOST_CODES = 1 << 22
"""The most codes of multisets."""

FIRST_ROOM = 1 << 16
"""The room for packings of a group, and for 64 slots each, at first."""


@dataclass(frozen=True)
class Filling:
    """The pieces of a line in their order.

    kinds  the kind of each piece
    ways   the places of the pieces, for each way to lie
    """

    kinds: tuple[int, ...]
    ways: tuple[tuple[int, ...], ...]


class LineSearch:
    """A search of all groups of a layout on several threads, with the answers of `search.UnionSearch`.

    `fits` says whether it can be used.
    """

    def __init__(self, packings: Packings, wanted: Wanted, watch: Watch, threads: int | None = None) -> None:
        self.packings, self.layout, self.wanted, self.watch = packings, packings.layout, wanted, watch
        self.found: list[Found] = []
        self._threads = threads or processors()
        self._lock = Lock()
        self._made = self._done = 0

    @property
    def fits(self) -> bool:
        """Whether all pieces are straight and stay in their lines, the board is small, and nothing else is wanted."""
        layout, wanted = self.layout, self.wanted
        if not layout.draft.along or wanted.components or wanted.symmetric or wanted.kept or layout.start is not None:
            return False
        for kind, offsets in enumerate(layout.shapes, 1):
            columns, rows = ({place[axis] for place in offsets} for axis in (0, 1))
            if not layout.rows[layout.row_of[kind]].wall and (len(offsets) == 1 or min(len(columns), len(rows)) > 1):
                return False
        if max(self._wide, self._high) > MOST_LONG or self._wide * self._high > 64:
            return False
        if not self.packings.single or prod(self._most) > MOST_CODES:
            return False
        ways = [max(len(filling.ways) for filling in line) for line in self._fillings]
        heads = prod(ways[: self._high])
        return (
            max(ways) <= MOST_WAYS
            and prod(ways) <= MOST_SLOTS
            and prod(map(len, self._fillings[: self._high])) <= MOST_JOBS
            and heads.bit_length() + self._wide * self._bits <= 64
        )

    @cached_property
    def _wide(self) -> int:
        return max(x for x, _ in self.layout.board.places) + 1

    @cached_property
    def _high(self) -> int:
        return max(y for _, y in self.layout.board.places) + 1

    @cached_property
    def _most(self) -> list[int]:
        """For each kind one more than the most pieces that the board has room for."""
        return [self.layout.area // len(offsets) + 1 for offsets in self.layout.shapes]

    @cached_property
    def _bits(self) -> int:
        """The bits of a way of a column."""
        return max(
            1, max(len(filling.ways) - 1 for line in self._fillings[self._high :] for filling in line).bit_length()
        )

    @cached_property
    def _fillings(self) -> list[list[Filling]]:
        """The fillings of each row, then of each column. Walls that a row of `pieces:` names lie in rows."""
        places = self.layout.places
        lines: list[list[int]] = [[] for _ in range(self._high + self._wide)]
        for number, place in enumerate(places):
            x, y = self.layout.board.places[place.cells[0]]
            upright = len(place.cells) > 1 and self.layout.board.places[place.cells[-1]][0] == x
            lines[self._high + x if upright else y].append(number)
        return [_fillings(places, line) for line in lines]

    def run(self) -> None:
        """Search all groups; `found` has what the multisets of pieces have. Raises LimitError."""
        from ...kernels.packings import lines as kernels

        self._kernels = kernels
        groups = self.packings.groups
        lines, numbers = self._lines(), self._groups()
        columns = self._wide
        crew = Crew(self._threads)
        results = np.zeros((self._threads, len(groups), kernels.FILLS + columns), np.int64)
        results[:, :, kernels.DEPTH] = -1
        rooms = [self._room(FIRST_ROOM, FIRST_ROOM) for _ in range(self._threads)]
        jobs = deque(enumerate(self._all_jobs))

        def search(thread: int, job: tuple[int, tuple[int, ...]]) -> bool:
            number, fills = job
            heads = prod(int(lines.ways[fill]) for fill in fills)
            scratch = self._scratch(heads)
            scratch.fills[:] = fills
            state = np.zeros(kernels.DONE + 1, np.int64)
            kernels.begin(lines, scratch, state)
            while not crew.stopping:
                state[kernels.BUDGET] = AT_ONCE
                status = kernels.search(lines, scratch, numbers, number, *rooms[thread], results[thread], state)
                with self._lock:
                    self._made += int(state[kernels.MADE])
                    self._done += int(state[kernels.DONE])
                state[kernels.MADE] = state[kernels.DONE] = 0
                if status == kernels.FINISHED:
                    return True
                if status == kernels.FULL:
                    slots = int(scratch.length[columns]) * int(state[kernels.BOX])
                    rooms[thread] = self._room(slots // 32 + 1, 2 * int(state[kernels.TOTAL]))
            return False

        try:
            crew.run(jobs, search, self._look)
            self._look()
        finally:
            self._collect(results)
        searched = {found.group: found.packings for found in self.found}
        for group in groups:
            if searched.get(group, 0) != group.size:
                raise SelfCheckError(
                    f"expected {group.size:,} packings of {group.numbers}, found {searched.get(group, 0):,}"
                )

    def _look(self) -> None:
        """Check the limits and report."""
        with self._lock:
            made, self._made = self._made, 0
            done = self._done
        self.watch.tick(made)
        if self.watch.report is not None:
            words = f"{done:,} of {self.packings.total:,} packings"
            self.watch.report(Progress(0, done, done, self.watch.generated, self.watch.seconds, words=words))

    def _room(self, words: int, packings: int) -> tuple[np.ndarray, np.ndarray]:
        """Return room for 64 slots in each word, and for packings."""
        self.watch.reserve(8 * (words + packings))
        return np.empty(words, np.uint64), np.empty(packings, np.uint64)

    @cached_property
    def _all_jobs(self) -> list[tuple[int, ...]]:
        """The fillings of all rows that leave enough blanks."""
        return list(self._jobs())

    def _jobs(self) -> Iterator[tuple[int, ...]]:
        first = np.cumsum([0, *map(len, self._fillings)]).tolist()
        pieces = [np.array([self._pieces(filling) for filling in line]) for line in self._fillings]
        upright = sum(line.max(axis=0) for line in pieces[self._high :])
        rows = [range(low, high) for low, high in zip(first, first[1 : self._high + 1], strict=False)]
        every = np.concatenate(pieces)
        low = np.array([*(row.low for row in self.layout.rows), 0])
        high = self._limit()
        for fills in paced(product(*rows)):
            lying = every[list(fills)].sum(axis=0)
            if (lying <= high).all() and (lying + upright >= low).all():
                yield fills

    def _pieces(self, filling: Filling) -> list[int]:
        """Return how many pieces of each row of `pieces:` a filling has, and how many cells they cover."""
        row_of = self.layout.row_of
        numbers = [sum(row_of[kind] == row for kind in filling.kinds) for row in range(len(self.layout.rows))]
        return [*numbers, sum(map(self._size, filling.kinds))]

    def _limit(self) -> np.ndarray:
        """Return the most pieces of each row of `pieces:`, and the most cells that they may cover."""
        return np.array([*(row.high for row in self.layout.rows), self.layout.area - self.layout.blanks[0]], np.int64)

    def _size(self, kind: int) -> int:
        return len(self.layout.shapes[kind - 1])

    def _groups(self) -> np.ndarray:
        """Return the number of the multiset with each code, -1 if it is not asked for."""
        found = np.full(prod(self._most), -1, np.int32)
        for number, group in enumerate(self.packings.groups):
            found[sum(count * weight for count, weight in zip(group.numbers, self._weights, strict=True))] = number
        return found

    @cached_property
    def _weights(self) -> list[int]:
        """What a piece of each kind adds to the code of a multiset."""
        return [prod(self._most[:kind]) for kind in range(self.layout.kinds)]

    def _scratch(self, heads: int) -> LineScratch:
        rows, columns = self._high, self._wide
        return self._kernels.LineScratch(
            np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(columns + 1, np.int64),
            np.zeros((columns + 1, len(self.layout.rows) + 2), np.int64), np.empty((heads, columns), np.uint16),
            np.empty((columns + 1, heads), np.int32), np.zeros(columns + 1, np.int64), np.empty(heads, np.int32),
            np.empty(heads, np.int32), np.empty((heads, rows), np.uint8), np.empty((heads, columns), np.int32),
            np.zeros(columns, np.int64), np.zeros(columns, np.int64),
        )  # fmt: skip

    def _lines(self) -> LineTables:
        """Return the fillings as arrays for kernels."""
        layout, rows = self.layout, self._high
        fillings = [(number, filling) for number, line in enumerate(self._fillings) for filling in line]
        geometries: dict[Geometry, int] = {}
        table = [geometries.setdefault(self._geometry(number < rows, filling), len(geometries))
                 for number, filling in fillings]  # fmt: skip
        sets, most = 1 << max(rows, self._wide), max(len(filling.ways) for _, filling in fillings)
        free = np.zeros((len(geometries), sets), np.uint8)
        which = np.zeros((len(geometries), sets), np.uint64)
        first, to = [0], list[int]()
        for number, geometry in enumerate(geometries):
            covers = geometry.covers()
            lists = [[*geometry.moves(way, layout.metric == "step")] for way in range(len(covers))]
            for blocked in paced(range(sets)):
                ways = [way for way, cover in enumerate(covers) if not cover & blocked]
                free[number, blocked] = len(ways)
                which[number, blocked] = sum(1 << way for way in ways)
                for way in range(most):
                    if way in ways:
                        to += [after for after, entered in lists[way] if not entered & blocked]
                    first.append(len(to))
        targets = [shows(layout, goal) for goal in layout.goals]
        cells = np.zeros((len(fillings), most), np.uint64)
        allowed = np.zeros((len(targets), len(fillings)), np.uint64)
        for number, (_, filling) in enumerate(fillings):
            for way, places in enumerate(filling.ways):
                cells[number, way] = sum(self._bit(cell) for place in places for cell in layout.places[place].cells)
                for target, (good, _) in enumerate(targets):
                    allowed[target, number] |= np.uint64(bool(good[list(places)].all()) << way)
        ways = np.array([len(filling.ways) for _, filling in fillings], np.int64)
        code = np.array([sum(self._weights[kind - 1] for kind in filling.kinds) for _, filling in fillings], np.int64)
        must = [
            sum(
                self._bit(cell)
                for cell in range(layout.board.cells)
                if not blank[cell] and not layout.walls >> cell & 1
            )
            for _, blank in targets
        ]
        return self._kernels.LineTables(
            free, which, np.array(first, np.int32), np.array(to, np.uint8),
            np.array(table, np.int64), ways, cells, allowed, code,
            np.array([self._pieces(filling) for _, filling in fillings], np.int64),
            np.cumsum([0, *map(len, self._fillings)]), self._limit(), np.array(must, np.uint64),
            np.array([rows, self._wide, sets, most, self._bits], np.int64),
        )  # fmt: skip

    def _geometry(self, lying: bool, filling: Filling) -> Geometry:
        layout = self.layout
        return Geometry(
            tuple(map(self._size, filling.kinds)),
            tuple(not layout.rows[layout.row_of[kind]].wall for kind in filling.kinds),
            tuple(tuple(layout.board.places[layout.places[place].cells[0]][not lying] for place in way)
                  for way in filling.ways),
        )  # fmt: skip

    def _bit(self, cell: int) -> int:
        x, y = self.layout.board.places[cell]
        return 1 << (y * self._wide + x)

    def _collect(self, results: np.ndarray) -> None:
        """Add up what the threads found."""
        k = self._kernels
        for number, group in enumerate(self.packings.groups):
            rows = results[:, number]
            packings, goals, solvable = rows[:, : k.DEPTH].sum(axis=0).tolist()
            if not packings:
                continue  # a limit came before
            found = Found(group, packings, goals, solvable)
            self.found.append(found)
            depth = int(rows[:, k.DEPTH].max())
            if depth < 0:
                continue
            deepest = rows[rows[:, k.DEPTH] == depth]
            found.depth, found.hardest = depth, int(deepest[:, k.HARDEST].sum())
            if depth:
                found.starts = [self._start(deepest[deepest[:, k.JOB].argmin()], depth, group)]

    def _start(self, row: np.ndarray, depth: int, group: PackingGroup) -> Start:
        """Return the start of a row of the results."""
        k, layout = self._kernels, self.layout
        fillings = [filling for line in self._fillings for filling in line]
        begin = np.cumsum([0, *map(len, self._fillings)]).tolist()
        head, ways = int(row[k.HEAD]), int(row[k.WAYS])
        lying: list[int] = []
        for fill in self._all_jobs[int(row[k.JOB])]:
            head, way = divmod(head, len(fillings[fill].ways))
            lying += fillings[fill].ways[way]
        for column in range(self._wide):
            filling = fillings[begin[self._high + column] + int(row[k.FILLS + column])]
            lying += filling.ways[ways >> column * self._bits & (1 << self._bits) - 1]
        return Start(layout.what(lying), depth, *counts(layout, group.numbers), 0)


@dataclass(frozen=True)
class Geometry:
    """The ways of a filling on a line without a board around it.

    long    how many cells each piece has
    moving  whether it moves; walls do not
    first   for each way the first cell of each piece
    """

    long: tuple[int, ...]
    moving: tuple[bool, ...]
    first: tuple[tuple[int, ...], ...]

    def covers(self) -> list[int]:
        """Return for each way the cells that are covered, as bits."""
        return [sum((1 << long) - 1 << first for first, long in zip(way, self.long, strict=True)) for way in self.first]

    def moves(self, way: int, single: bool) -> Iterator[tuple[int, int]]:
        """Yield the ways one move away, and the cells that the piece enters; `single`: only one cell away."""
        numbers = {firsts: number for number, firsts in enumerate(self.first)}
        for piece, moving in enumerate(self.moving):
            for step in (-1, 1) if moving else ():
                at, entered = list(self.first[way]), 0
                while True:
                    at[piece] += step
                    after = numbers.get(tuple(at))
                    if after is None:
                        break
                    entered |= 1 << (at[piece] if step < 0 else at[piece] + self.long[piece] - 1)
                    yield after, entered
                    if single:
                        break


def _fillings(places: tuple[Place, ...], line: list[int]) -> list[Filling]:
    """Return the fillings of a line, given the places in it, ordered by their pieces."""
    found: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    line = sorted(line, key=lambda number: places[number].cells[0])

    def lay(at: int, covered: int, lying: tuple[int, ...]) -> None:
        found.setdefault(tuple(places[number].kind for number in lying), []).append(lying)
        for index in range(at, len(line)):
            cover = places[line[index]].cover
            if not cover & covered:
                lay(index + 1, covered | cover, (*lying, line[index]))

    lay(0, 0, ())
    return [Filling(kinds, tuple(ways)) for kinds, ways in sorted(found.items())]
