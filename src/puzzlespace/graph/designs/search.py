"""The distances of all packings to a goal, group by group, and what is asked of them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from ...limits.threads import Crew, processors
from ...limits.watch import Progress, Watch
from .layout import WALL, OpenLayout, ShapeRow, Target, unsupported
from .packings import PackingGroup, Packings
from .shapes import Offsets

if TYPE_CHECKING:
    from ...kernels.packings.ranks import PackingScratch, Tray

AT_ONCE = 1 << 16
"""Packings that are expanded between two checks of the limits."""

MOST_LAYERS = (1 << 16) - 1
"""The most layers of a group: a depth and the number 0 fit in two bytes."""


@dataclass(frozen=True)
class Start:
    """A hardest start.

    what        for each cell the kind of the piece whose first cell it is, 0 for a blank, the number of kinds + 1 for
                another cell of a piece or a wall that always stands
    depth       the length of its shortest solution
    pieces, blanks  how many it has
    packings    how many packings are connected to it, None if components were not counted
    component_depth, component_hardest  the greatest depth in its component, and how many packings have it
    """

    what: tuple[int, ...]
    depth: int
    pieces: int
    blanks: int
    rank: int
    packings: int | None = None
    component_depth: int | None = None
    component_hardest: int | None = None


@dataclass
class Found:
    """What a search of one group found.

    packings, goals, solvable  how many packings were searched, meet the goal, and can reach it
    depth, hardest  the greatest depth, and how many packings have it; None and 0 if no packing meets a goal
    starts      the hardest starts that meet the conditions: one, or one for each number of pieces and blanks
    components  how many components reach the goal, by (packings, greatest depth)
    dead        how many components do not, by packings
    """

    group: PackingGroup
    packings: int
    goals: int = 0
    solvable: int = 0
    depth: int | None = None
    hardest: int = 0
    starts: list[Start] = field(default_factory=list[Start])
    components: Counter[tuple[int, int]] = field(default_factory=Counter[tuple[int, int]])
    dead: Counter[int] = field(default_factory=Counter[int])


@dataclass(frozen=True)
class Wanted:
    """What is asked of every group.

    components  whether components are counted
    symmetric   only starts that look the same after a reflection or a turn of the board
    needed      only starts without a piece that can be left out: without it the solution would be as long
    accept      only starts for which this is true; they are tried from the hardest down
    by          for what one hardest start is wanted: 'all', 'blanks', 'pieces' or 'group'
    """

    components: bool = True
    symmetric: bool = False
    needed: bool = False
    accept: Callable[[Start], bool] | None = None
    by: str = "blanks"

    @property
    def kept(self) -> bool:
        """Whether the depths of all packings are kept until all groups are searched."""
        return self.needed or self.accept is not None


class UnionSearch:
    """A search of all groups of a layout on several threads."""

    def __init__(
        self,
        packings: Packings,
        wanted: Wanted,
        watch: Watch,
        threads: int | None = None,
        most_layers: int = MOST_LAYERS,
    ) -> None:
        self.packings = packings
        self.most_layers = most_layers
        self.layout = packings.layout
        self.wanted = wanted
        self.watch = watch
        self.targets = [shows(self.layout, goal) for goal in self.layout.goals]
        allowed, blank = shows(self.layout, self.layout.start)
        symmetric = images(self.layout) if wanted.symmetric else (np.zeros((0, 1), np.int64), np.zeros(1, np.int64))
        self.condition = allowed, blank, *symmetric
        self.found: list[Found] = []
        self.depths: dict[tuple[int, ...], np.ndarray] = {}
        from ...kernels.packings import layers

        self.kernels = layers
        self._lock = Lock()
        self._made = 0
        self._done = 0
        self._threads = threads or processors()

    def run(self) -> None:
        """Search all groups, the smallest first; `found` has those that are finished. Raises LimitError."""
        groups = sorted(self.packings.groups, key=lambda group: group.size)
        needed = self._bytes(groups[-1]) if groups else 0
        if self.wanted.kept:
            if not self.packings.single:
                raise unsupported("conditions on single starts are tried only if there are fewer shapes and numbers")
            self.watch.reserve(2 * sum(group.size for group in groups) + needed)
        self.watch.reserve(needed)
        left = self.watch.memory_left(2 * needed)
        threads = 1 if left is not None and left < 2 * needed else self._threads
        tray = self.packings.tray
        assert self.packings.ranks
        jobs = deque(groups)
        crew = Crew(threads)

        def work(thread: int, group: PackingGroup) -> bool:
            found = self._group(group, tray, lambda: crew.stopping)
            if found is None:
                return False
            with self._lock:
                self.found.append(found)
                self._done += group.size * group.asked
            return True

        crew.run(jobs, work, self._look)
        self._look()
        if self.wanted.kept:
            self._try()

    def _try(self) -> None:
        """Try the conditions, on the deepest groups first; starts that are not harder than one found are left out."""
        best: dict[tuple[int, ...], int] = {}
        for found in sorted(self.found, key=lambda found: -(found.depth or 0)):
            numbers = found.group.numbers
            if not found.group.asked or not found.depth:
                continue
            pieces, blanks = counts(self.layout, numbers)
            key = {"all": (), "blanks": (blanks,), "pieces": (pieces,)}.get(self.wanted.by, numbers)
            start = next(self._meeting(found, best.get(key, 0)), None)
            if start is not None:
                best[key] = start.depth
                found.starts = [start]

    def _meeting(self, found: Found, least: int) -> Iterator[Start]:
        """Yield the starts of a group that meet all conditions and are deeper than `least`, the hardest first."""
        from ...kernels.packings.ranks import unrank

        assert found.depth
        ranks, tray, root = self.packings.ranks, self.packings.tray, found.group.root
        work = scratch(self.packings)
        depths = self.depths[found.group.numbers]
        for depth in range(found.depth, least, -1):
            queue = np.flatnonzero(depths == depth + 1).astype(np.uint32)[::-1].copy()
            span = np.array([0, len(queue), AT_ONCE], np.int64)
            while span[1] > 0:
                self.watch.tick(0)
                best = np.full((1, 1), -1, np.int64)
                self.kernels.pick(ranks, tray, root, queue, span, self.condition, best, work)
                if best[0, 0] < 0:
                    continue
                rank = int(queue[best[0, 0]])
                pieces = int(unrank(ranks, tray, root, rank, work))
                start = self.start_of(tuple(work.what.tolist()), depth, pieces, rank)
                if (not self.wanted.needed or self._needed(found.group, start)) and (
                    self.wanted.accept is None or self.wanted.accept(start)
                ):
                    yield start

    @cached_property
    def _roots(self) -> dict[tuple[int, ...], int]:
        return {group.numbers: group.root for group in self.packings.groups}

    def _needed(self, group: PackingGroup, start: Start) -> bool:
        """Return whether without any one piece that no goal names the solution would have another length."""
        from ...kernels.packings.ranks import rank

        layout = self.layout
        named = {row for goal in layout.goals for row, _ in goal.covered}
        lying = {(place.kind, place.cells[0]): place for place in layout.places}
        work = scratch(self.packings)
        for cell, kind in enumerate(start.what):
            if not 0 < kind <= layout.kinds or layout.row_of[kind] in named:
                continue
            work.what[:] = start.what
            work.what[list(lying[kind, cell].cells)] = 0
            numbers = list(group.numbers)
            numbers[kind - 1] -= 1
            without = tuple(numbers)
            at = int(rank(self.packings.ranks, self.packings.tray, self._roots[without], work))
            if self.depths[without][at] == start.depth + 1:
                return False
        return True

    def start_of(self, what: tuple[int, ...], depth: int, pieces: int, rank: int, **component: int) -> Start:
        """Return a start; walls are not counted as pieces."""
        layout = self.layout
        walls = sum(1 for kind in what if 0 < kind <= layout.kinds and layout.rows[layout.row_of[kind]].wall)
        return Start(what, depth, pieces - walls, what.count(0), rank, **component)

    def _look(self) -> None:
        """Check the limits and report."""
        with self._lock:
            made, self._made = self._made, 0
            done, groups = self._done, len(self.found)
        self.watch.tick(made)
        if self.watch.report is not None:
            words = f"{groups:,} of {len(self.packings.groups):,} groups, {done:,} of {self.packings.total:,} packings"
            self.watch.report(Progress(groups, done, done, self.watch.generated, self.watch.seconds, words=words))

    def _bytes(self, group: PackingGroup) -> int:
        return group.size * (9 if self.wanted.components else 5)

    def _group(self, group: PackingGroup, tray: Tray, stopping: Callable[[], bool]) -> Found | None:
        """Search one group; None if the threads should stop before it is finished."""
        return _GroupSearch(self, group, tray, stopping).run()

    def count(self, made: int) -> None:
        """Add moves that a thread made."""
        with self._lock:
            self._made += made


class _GroupSearch:
    """The search of one group: the arrays that the kernels work on."""

    def __init__(self, search: UnionSearch, group: PackingGroup, tray: Tray, stopping: Callable[[], bool]) -> None:
        from ...kernels.packings import layers
        from ...kernels.packings.layers import BUDGET, LAYERS, MADE, WRITTEN

        self.search, self.group, self.tray, self.stopping = search, group, tray, stopping
        self.ranks = search.packings.ranks_of(group)
        self.kernels = layers
        self.BUDGET, self.LAYERS, self.MADE, self.WRITTEN = BUDGET, LAYERS, MADE, WRITTEN
        self.scratch = scratch(search.packings)
        self.seen = np.zeros(group.size, np.uint8)
        self.queue = np.empty(group.size, np.uint32)
        self.state = np.zeros(6, np.int64)
        self.bounds = np.zeros(search.most_layers, np.int64)

    def run(self) -> Found | None:
        """Return what was found; None if the threads should stop."""
        found = Found(self.group, self.group.size)
        if not self._sources(found) or not self._layers(found):
            return None
        return found

    def _again(self, kernel: Callable[[], bool]) -> bool:
        """Call a kernel until it is finished; return whether it is."""
        while not self.stopping():
            self.state[self.BUDGET] = AT_ONCE
            done = kernel()
            self.search.count(int(self.state[self.MADE]))
            self.state[self.MADE] = 0
            if done:
                return True
            if self.state[self.LAYERS] == len(self.bounds):
                raise unsupported(f"a group has {len(self.bounds):,} layers or more")
        return False

    def _sources(self, found: Found) -> bool:
        stack = np.zeros((len(self.scratch.what) + 2, 5), np.int64)
        for target in self.search.targets:
            self.state[self.kernels.CELLS] = 0
            if not self._again(
                lambda target=target: self.kernels.goals(
                    self.ranks, self.tray, 0, target, self.seen, self.queue, stack, self.state
                )
            ):
                return False
        found.goals = int(self.state[self.WRITTEN])
        return True

    def _layers(self, found: Found) -> bool:
        sources = found.goals
        labelled = self.search.wanted.components
        up = np.arange(sources if labelled else 0, dtype=np.uint32)
        label = np.empty(self.group.size if labelled else 0, np.uint32)
        if labelled:
            label[self.queue[:sources]] = up
        table = self.seen, self.queue, label, up
        self.bounds[0] = sources
        self.state[self.LAYERS] = 1
        if sources:
            if not self._again(
                lambda: self.kernels.layers(self.ranks, self.tray, 0, table, self.bounds, self.state, self.scratch)
            ):
                return False
            found.solvable = int(self.state[self.WRITTEN])
            layers = int(self.state[self.LAYERS])
            found.depth = layers - 1
            found.hardest = int(np.diff(self.bounds[:layers])[-1]) if layers > 1 else sources
            sums = np.zeros((sources, 3), np.int64)
            if labelled:
                self.kernels.sizes(table, self.bounds, layers, sums)
                reached = sums[sums[:, 0] > 0]
                kinds, counts = np.unique(reached[:, :2], axis=0, return_counts=True)
                found.components = Counter({(int(a), int(b)): int(n) for (a, b), n in zip(kinds, counts, strict=True)})
            if not self.search.wanted.kept and not self._starts(found, layers, table, sums):
                return False
        if self.search.wanted.kept:
            depths = np.zeros(self.group.size, np.uint16)
            if sources:
                for depth, (low, high) in enumerate(pairwise([0, *self.bounds[: (found.depth or 0) + 1].tolist()])):
                    depths[self.queue[low:high]] = depth + 1
            self.search.depths[self.group.numbers] = depths
        return not labelled or self._dead(found, table)

    def _starts(self, found: Found, layers: int, table: tuple[np.ndarray, ...], sums: np.ndarray) -> bool:
        cells = len(self.scratch.what)
        single = self.search.packings.single or (self.search.packings.by_row and self.search.wanted.by != "blanks")
        best = np.full((1, 1) if single else (cells + 1, cells + 1), -1, np.int64)
        span = np.array([found.goals, found.solvable, AT_ONCE], np.int64)  # a goal is no puzzle
        while span[1] > span[0]:
            if self.stopping():
                return False
            self.kernels.pick(self.ranks, self.tray, 0, self.queue, span, self.search.condition, best, self.scratch)
            if single and best[0, 0] >= 0:
                break
        for row in best[best >= 0].tolist():
            found.starts.append(self.start(row, layers, table, sums))
        return True

    def start(self, row: int, layers: int, table: tuple[np.ndarray, ...], sums: np.ndarray) -> Start:
        """Return the start in a row of the queue."""
        from ...kernels.packings.ranks import unrank

        rank = int(self.queue[row])
        pieces = int(unrank(self.ranks, self.tray, 0, rank, self.scratch))
        what = tuple(self.scratch.what.tolist())
        depth = int(np.searchsorted(self.bounds[:layers], row, side="right"))
        component: dict[str, int] = {}
        label, up = table[2], table[3]
        if len(up):
            each = int(label[rank])
            while up[each] != each:
                each = int(up[each])
            component = {
                "packings": int(sums[each, 0]), "component_depth": int(sums[each, 1]),
                "component_hardest": int(sums[each, 2]),
            }  # fmt: skip
        return self.search.start_of(what, depth, pieces, rank, **component)

    def _dead(self, found: Found, table: tuple[np.ndarray, ...]) -> bool:
        """Count the components that do not reach the goal."""
        begin = found.solvable
        self.state[0] = self.state[self.WRITTEN] = begin
        cursor = np.zeros(3, np.int64)
        if not self._again(
            lambda: self.kernels.flood(self.ranks, self.tray, 0, table, self.state, self.scratch, cursor)
        ):
            return False
        sizes, counts = np.unique(self.queue[begin : int(self.state[self.WRITTEN])], return_counts=True)
        found.dead = Counter({int(size): int(count) for size, count in zip(sizes, counts, strict=True)})
        return True


def counts(layout: OpenLayout, numbers: tuple[int, ...]) -> tuple[int, int]:
    """Return the number of pieces (without walls) and of blanks of a multiset."""
    pieces, blanks = 0, layout.area
    for kind, number in enumerate(numbers, 1):
        pieces += 0 if layout.rows[layout.row_of[kind]].wall else number
        blanks -= number * len(layout.shapes[kind - 1])
    return pieces, blanks


def shows(layout: OpenLayout, target: Target | None) -> tuple[np.ndarray, np.ndarray]:
    """Return which places, and which blanks, a packing that shows a target may have."""
    blank = np.ones(layout.board.cells, np.uint8)
    allowed = np.ones(max(1, len(layout.places)), np.uint8)
    if target is None:
        return allowed, blank
    for cell in range(layout.board.cells):
        blank[cell] = not (target.cells ^ target.blank) >> cell & 1
    for number, place in enumerate(layout.places):
        row = layout.row_of[place.kind]
        mine = target.walls if layout.rows[row].wall else dict(target.covered).get(row, 0)
        if layout.rows[row].wall or layout.rows[row].high > 1:  # each piece covers some of the cells
            mine &= place.cover
        allowed[number] = place.cover & target.cells == mine
    return allowed, blank


def scratch(packings: Packings) -> PackingScratch:
    """Return working memory for kernels."""
    from ...kernels.packings.ranks import PackingScratch

    layout = packings.layout
    cells = layout.board.cells
    places = len(layout.places)
    return PackingScratch(
        np.zeros(cells, np.int64), np.zeros(cells + 1, np.int64), np.zeros(cells + 1, np.int64),
        np.zeros(cells + 1, np.int64), np.zeros(cells * cells, np.int64),
        np.zeros(places + 1, np.int64), np.zeros(places + 1, np.int64),
    )  # fmt: skip


def images(layout: OpenLayout) -> tuple[np.ndarray, np.ndarray]:
    """Return what reflections and turns make of each place, and which kinds of pieces look alike.

    images  int64 [symmetries, places + cells that are always walls]: a place that looks like the image, -1 if there is
            none. Cells that are always walls are numbered after the places
    alike   int64 [kinds + 2]: the least kind that looks like a kind, in a drawing of a start; -1 for blanks and
            covered cells
    """
    looks = [_look(row) for row in layout.rows]
    walls = [cell for cell in range(layout.board.cells) if layout.walls >> cell & 1]
    lying = [
        *((looks[layout.row_of[place.kind]], place.cells) for place in layout.places),
        *((WALL, (cell,)) for cell in walls),
    ]
    numbers = {lie: number for number, lie in enumerate(lying)}
    found = [
        [numbers.get((look, tuple(sorted(mapped[cell] for cell in cells))), -1) for look, cells in lying]
        for mapped in _symmetries(layout)
    ]
    found = found or [[-1] * len(lying)]
    first: dict[tuple[str, Offsets], int] = {}
    alike = [
        first.setdefault((looks[layout.row_of[kind]], offsets), kind) for kind, offsets in enumerate(layout.shapes, 1)
    ]
    return np.array(found, np.int64).reshape(len(found), len(lying)), np.array([-1, *alike, -1], np.int64)


def _look(row: ShapeRow) -> str:
    """Return the letter of the pieces of a row in the drawing of a start, '' if it only tells them apart."""
    return WALL if row.wall else row.name if row.high == 1 else ""


def _symmetries(layout: OpenLayout) -> Iterator[list[int]]:
    """Yield for each reflection and turn of the board the cell that each cell becomes.

    Those that move only cells that are always walls are left out, like the reflection that changes nothing on a board
    of one row.
    """
    cells = {place: cell for cell, place in enumerate(layout.board.places)}
    for turned in _turns(layout.board.places):
        mapped = [cells.get(turned(*place), -1) for place in layout.board.places]
        if -1 not in mapped and any(cell != to and not layout.walls >> cell & 1 for cell, to in enumerate(mapped)):
            yield mapped


def _turns(places: Sequence[tuple[int, int]]) -> Iterator[Callable[[int, int], tuple[int, int]]]:
    """Yield the reflections and turns of the rectangle around some places, without the one that changes nothing."""
    left, wide = min(x for x, _ in places), max(x for x, _ in places)
    top, high = min(y for _, y in places), max(y for _, y in places)
    yield lambda x, y: (left + wide - x, y)
    yield lambda x, y: (x, top + high - y)
    yield lambda x, y: (left + wide - x, top + high - y)
    if wide - left == high - top:
        yield lambda x, y: (left + y - top, top + x - left)
        yield lambda x, y: (wide - y + top, high - x + left)
        yield lambda x, y: (left + y - top, high - x + left)
        yield lambda x, y: (wide - y + top, top + x - left)
