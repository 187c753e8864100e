"""Hard starts by hill climbing, for boards with too many packings to search all: single pieces are changed.

Of each start all packings that it can reach are searched, so the hardest of them and its distance are proved; that no
other start is harder is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np

from ...limits.watch import Progress, Watch
from .layout import OpenLayout, unsupported
from .packings import tray_of
from .search import AT_ONCE, Start, Wanted, images, shows

CLIMBS = 100
"""How many climbs are begun."""

FAILED = 120
"""A climb ends after so many changes one after the other that lead to nothing harder or new."""

TRIED = 400
"""Pieces that are drawn to fill a board before another one is begun, and changes before a climb is given up."""

LARGEST = 2_000_000
"""The most packings of a component; larger ones are passed over."""

TESTED = 64
"""Packings of a component, the hardest first, that are held against conditions that take a search."""

Lie = tuple[int, ...]
"""The places of all pieces, in ascending order of kinds and places."""


@dataclass(frozen=True)
class Component:
    """All packings that a start reaches.

    rows   uint16 [packings, pieces]: the places of the pieces; the first row is the start
    depth  int32 [packings]: the distance to the nearest goal packing, -1 in all if none is among them
    """

    rows: np.ndarray
    depth: np.ndarray

    @property
    def deepest(self) -> int:
        """The greatest depth; -1 if no goal can be reached."""
        return int(self.depth.max())

    def lie(self, row: int) -> Lie:
        """Return a packing."""
        return tuple(self.rows[row].tolist())


class Climb:
    """A search for hard starts.

    best      the hardest start found for each key, as `Wanted.by` says
    searched  how many packings there were in all components searched
    components, large  how many components were searched, and how many were passed over because they are too large
    """

    def __init__(self, layout: OpenLayout, wanted: Wanted, watch: Watch, seed: int, largest: int = LARGEST) -> None:
        """Prepare a search. Raises UnsupportedError if there are too many places."""
        self.layout, self.wanted, self.watch, self.largest = layout, wanted, watch, largest
        self.dice = Random(seed)
        self.best: dict[tuple[int, ...], Start] = {}
        self.searched = self.components = self.large = 0
        self.places = layout.places
        if len(self.places) >= 1 << 16:
            raise unsupported(f"expected fewer than {1 << 16:,} places for pieces, found {len(self.places):,}")
        self.tray = tray_of(layout)
        self.targets = [shows(layout, goal) for goal in layout.goals]
        self.by_row: list[list[int]] = [[] for _ in layout.rows]
        for number, place in enumerate(self.places):
            self.by_row[layout.row_of[place.kind]].append(number)

    @cached_property
    def _named(self) -> set[int]:
        return {row for goal in self.layout.goals for row, _ in goal.covered}

    def run(self, climbs: int | None = None) -> None:
        """Climb so many times, by default CLIMBS; `best` has what was found so far. Raises LimitError."""
        for _ in range(CLIMBS if climbs is None else climbs):
            here = self._begin()
            if here is not None:
                self._climb(here)

    def _begin(self) -> tuple[Lie, int] | None:
        """Return a random start from which a goal can be reached, or None, and its depth."""
        for _ in range(TRIED):
            lie = self._random()
            found = None if lie is None else self._scored(lie)
            if found is not None:
                return found
        return None

    def _climb(self, here: tuple[Lie, int]) -> None:
        """Change one piece at a time; keep what is not easier."""
        failed, seen = 0, {here[0]}
        for _ in range(TRIED):
            if failed == FAILED:
                return
            changed = self._changed(here[0])
            found = None if changed is None else self._scored(changed)
            failed += 1
            if found is not None and found[1] >= here[1] and found[0] not in seen:
                failed = 0 if found[1] > here[1] else failed
                seen.add(found[0])
                here = found

    def _scored(self, lie: Lie) -> tuple[Lie, int] | None:
        """Return the hardest start that can be reached from a packing, and its depth; None if none was searched."""
        found = self.component(lie)
        if found is None or found.deepest < 1:
            return None
        self._keep(found)
        return found.lie(int(found.depth.argmax())), found.deepest

    def _keep(self, found: Component) -> None:
        """Keep the hardest start of a component that meets the conditions, if it is harder than the one known."""
        key = self._key(found.lie(0))
        least = self.best[key].depth if key in self.best else 0
        if found.deepest <= least:
            return
        meeting = np.flatnonzero((found.depth > least) & self._shows(found.rows))
        for row in meeting[np.argsort(-found.depth[meeting], kind="stable")][:TESTED].tolist():
            start = self._start(found, row)
            if self._meets(found.lie(row), start):
                self.best[key] = start
                return

    def _key(self, lie: Lie) -> tuple[int, ...]:
        """Return what the packings of a component are kept for: moves keep the pieces."""
        layout = self.layout
        numbers = Counter(self.places[each].kind for each in lie)
        if self.wanted.by == "group":
            return tuple(numbers[kind] for kind in range(1, layout.kinds + 1))
        pieces = sum(number for kind, number in numbers.items() if not layout.rows[layout.row_of[kind]].wall)
        blanks = layout.board.cells - self._cover(lie).bit_count()
        return {"all": (), "blanks": (blanks,), "pieces": (pieces,)}[self.wanted.by]

    def component(self, lie: Lie) -> Component | None:
        """Return all packings that a packing reaches, with their depths; None if they are too many."""
        from ...kernels.packings import component as kernels

        pieces = len(lie)
        kinds = [self.places[each].kind for each in lie]
        segment = np.array([(kinds.index(kind), pieces - 1 - kinds[::-1].index(kind)) for kind in kinds], np.int64)
        segment = segment.reshape(pieces, 2)
        work = (
            np.zeros(len(self.places) + 1, np.int64),
            np.zeros(len(self.places) + 1, np.int64),
            np.zeros(pieces, np.uint16),
        )
        most = min(1 << 10, self.largest)
        rows = np.zeros((most, pieces), np.uint16)
        rows[0] = lie
        state = np.array([0, 1, 0, 0], np.int64)
        while True:
            slot_count = 1 << (2 * most).bit_length()
            self.watch.reserve(most * (2 * pieces + 8) + 4 * slot_count)  # rows, depths and order, slots
            slots = np.full(slot_count, -1, np.int32)
            kernels.enter(rows, slots, state)
            if self._finished(lambda: kernels.explore(self.tray, segment, rows, slots, state, work), state, len(rows)):  # noqa: B023
                break
            if most >= self.largest:
                self.large += 1
                return None
            most = min(4 * most, self.largest)
            rows = np.concatenate([rows, np.zeros((most - len(rows), pieces), np.uint16)])
        rows = rows[: state[1]]
        depth = np.full(len(rows), -1, np.int32)
        for wanted in self.targets:
            kernels.goals(self.tray, rows, wanted, depth)
        order = np.zeros(len(rows), np.int32)
        sources = np.flatnonzero(depth == 0)
        order[: len(sources)] = sources
        state[:] = 0, len(sources), 0, 0
        self._finished(
            lambda: kernels.spread(self.tray, segment, rows, slots, depth, order, state, work), state, len(rows) + 1
        )
        self.components += 1
        self.searched += len(rows)
        self._look()
        return Component(rows, depth)

    def _finished(self, kernel: Callable[[], bool], state: np.ndarray, full: int) -> bool:
        """Call a kernel until it is finished, or has no more room; return whether it is finished."""
        while True:
            state[3] = AT_ONCE
            done = bool(kernel())
            self.watch.tick(int(state[2]))
            state[2] = 0
            if done or state[1] == full:
                return done

    def _look(self) -> None:
        if self.watch.report is None:
            return
        best = max((start.depth for start in self.best.values()), default=0)
        words = f"{self.components:,} components, hardest start {best:,} moves"
        self.watch.report(
            Progress(best, self.components, self.searched, self.watch.generated, self.watch.seconds, words=words)
        )

    def _start(self, found: Component, row: int) -> Start:
        layout = self.layout
        lie = found.lie(row)
        what = layout.what(lie)
        walls = sum(1 for each in lie if layout.rows[layout.row_of[self.places[each].kind]].wall)
        hardest = int((found.depth == found.deepest).sum())
        return Start(
            what, int(found.depth[row]), len(lie) - walls, what.count(0), 0, len(found.rows), found.deepest, hardest
        )

    # packings, drawn and changed

    def _ordered(self, lie: Sequence[int]) -> Lie:
        return tuple(sorted(lie, key=lambda each: (self.places[each].kind, each)))

    def _cover(self, lie: Sequence[int]) -> int:
        found = self.layout.walls
        for each in lie:
            found |= self.places[each].cover
        return found

    def _allowed(self, lie: Sequence[int]) -> bool:
        """Return whether the numbers of pieces and blanks are in their ranges."""
        layout = self.layout
        numbers = Counter(layout.row_of[self.places[each].kind] for each in lie)
        low, high = layout.blanks
        return low <= layout.board.cells - self._cover(lie).bit_count() <= high and all(
            row.low <= numbers[index] <= row.high for index, row in enumerate(layout.rows)
        )

    def _random(self) -> Lie | None:
        """Return a random packing; None if the pieces did not fit."""
        layout, dice = self.layout, self.dice
        lie: list[int] = []
        covered = layout.walls
        rows = [index for index, row in enumerate(layout.rows) for _ in range(row.low)]
        rows.sort(key=lambda index: (index not in self._named, dice.random()))
        for row in rows:
            fits = [each for each in self.by_row[row] if not self.places[each].cover & covered]
            if not fits:
                return None
            lie.append(dice.choice(fits))
            covered |= self.places[lie[-1]].cover
        low, high = layout.blanks
        blanks = dice.randint(low, high)
        for _ in range(TRIED):
            if layout.board.cells - covered.bit_count() <= blanks:
                break
            each = dice.choice(self.by_row[dice.randrange(len(layout.rows))] or [0])
            if not self.places[each].cover & covered and self._fewer(lie, each):
                lie.append(each)
                covered |= self.places[each].cover
        return self._ordered(lie) if self._allowed(lie) else None

    def _fewer(self, lie: Sequence[int], each: int) -> bool:
        """Return whether the row of a place may have one more piece."""
        row_of, row = self.layout.row_of, self.layout.row_of[self.places[each].kind]
        return sum(row_of[self.places[other].kind] == row for other in lie) < self.layout.rows[row].high

    def _changed(self, lie: Lie) -> Lie | None:
        """Return a packing in which one piece was taken off, added, or laid elsewhere or replaced; None if it fails."""
        dice = self.dice
        after = list(lie)
        change = dice.choice(("off", "add", "replace", "replace", "replace"))
        if change != "add" and after:
            after.pop(dice.randrange(len(after)))
        if change != "off":
            covered = self._cover(after)
            rows = [row for row in self.by_row if row]
            for _ in range(TRIED):
                each = dice.choice(dice.choice(rows))
                if not self.places[each].cover & covered:
                    after.append(each)
                    break
            else:
                return None
        found = self._ordered(after)
        return found if found != lie and self._allowed(found) else None

    # conditions

    def _shows(self, rows: np.ndarray) -> np.ndarray:
        """Return which packings look like the drawing of the start, and are symmetric if that is wanted."""
        allowed, blank = shows(self.layout, self.layout.start)
        covered = np.bitwise_or.reduce(self.tray.cover[rows], axis=1)
        must = sum(1 << cell for cell, may in enumerate(blank) if not may) & ~self.layout.walls
        found = allowed[rows].all(axis=1) & ((~covered & np.uint64(must)) == 0)
        if not self.wanted.symmetric:
            return found
        symmetries, kinds = images(self.layout)
        first = [place.cells[0] for place in self.places]
        standing = np.arange(symmetries.shape[1] - len(self.places))
        looks = np.append(kinds[self.tray.kind[: len(first)]] * self.layout.board.cells + first, -2 - standing)
        whole = np.hstack([rows, np.broadcast_to(len(self.places) + standing, (len(rows), len(standing)))])
        shown = np.sort(looks[whole], axis=1)
        symmetric = np.zeros(len(rows), bool)
        for image in symmetries:
            mapped = image[whole]
            symmetric |= (np.sort(np.where(mapped < 0, -1, looks[mapped]), axis=1) == shown).all(axis=1)
        return found & symmetric

    def _meets(self, lie: Lie, start: Start) -> bool:
        """Return whether a start meets the conditions that take a search."""
        wanted = self.wanted
        return (not wanted.needed or self._needed(lie, start.depth)) and (wanted.accept is None or wanted.accept(start))

    def _needed(self, lie: Lie, depth: int) -> bool:
        """Return whether without any one piece that no goal names the solution would have another length."""
        layout = self.layout
        for index, each in enumerate(lie):
            if layout.row_of[self.places[each].kind] in self._named:
                continue
            without = self.component(lie[:index] + lie[index + 1 :])
            if without is None or without.depth[0] == depth:
                return False
        return True
