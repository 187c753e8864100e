"""The longest Sokoban level with n free cells, in moves of the player: every region, every set of goals.

    python benchmarks/sokoban_cells.py 9

Regions are connected sets of n squares, one of each up to turns and reflections. From each set of goals in a region a
breadth-first search goes backward over all placements of as many boxes and a player; the deepest position is the
longest level with these goals. Printed for each size: the number of regions, the most moves, processor seconds, and
whether that is the published number (OEIS A195667); then a level with so many moves.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from numba import njit

from machine import described

PUBLISHED = {3: 1, 4: 2, 5: 3, 6: 5, 7: 9, 8: 14, 9: 17, 10: 22, 11: 27, 12: 35, 13: 40, 14: 48, 15: 59}
"""OEIS A195667: a(11) and a(15) to a(20) by Zachary DeStefano, 2021."""

SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))

Region = tuple[tuple[int, int], ...]


def least(cells: set[tuple[int, int]]) -> Region:
    """Return the least of the eight images of a region, moved to the corner."""
    images: list[Region] = []
    for flipped in (False, True):
        for turns in range(4):
            image = {(y, x) if flipped else (x, y) for x, y in cells}
            for _ in range(turns):
                image = {(y, -x) for x, y in image}
            left, top = min(x for x, _ in image), min(y for _, y in image)
            images.append(tuple(sorted((x - left, y - top) for x, y in image)))
    return min(images)


def regions(size: int) -> list[Region]:
    """Return one region of each class."""
    found = {((0, 0),)}
    for _ in range(size - 1):
        found = {
            least({*region, (x + dx, y + dy)})
            for region in found
            for x, y in region
            for dx, dy in SIDES
            if (x + dx, y + dy) not in region
        }
    return sorted(found)


@njit(cache=True)
def longest(near: np.ndarray, depth: np.ndarray, queue: np.ndarray) -> tuple[int, int, int]:
    """Return the most moves of a level of a region, its goals as bits, and its position, 16 * boxes + player.

    near   int64 [cells, 4]: the neighbour on each side, -1 for a wall
    depth  int32 [16 << cells], work space: 0 before and after
    """
    cells = len(near)
    most, best, place = 0, 0, 0
    for goals in range(1, 1 << cells):
        count = 0
        for player in range(cells):
            if not goals >> player & 1:
                depth[16 * goals + player] = 1
                queue[count] = 16 * goals + player
                count += 1
        at = 0
        while at < count:
            position = queue[at]
            boxes, player = position >> 4, position & 15
            at += 1
            for side in range(4):
                before = near[player, side]
                if before < 0 or boxes >> before & 1:
                    continue
                earlier = 16 * boxes + before
                if not depth[earlier]:
                    depth[earlier] = depth[position] + 1
                    queue[count] = earlier
                    count += 1
                ahead = near[player, side ^ 2]
                if ahead >= 0 and boxes >> ahead & 1:  # the last move pushed the box from the player's cell
                    earlier = 16 * (boxes ^ 1 << ahead ^ 1 << player) + before
                    if not depth[earlier]:
                        depth[earlier] = depth[position] + 1
                        queue[count] = earlier
                        count += 1
        if count and depth[queue[count - 1]] - 1 > most:
            most, best, place = depth[queue[count - 1]] - 1, goals, queue[count - 1]
        for index in range(count):
            depth[queue[index]] = 0
    return most, best, place


def drawn(region: Region, goals: int, place: int) -> str:
    """Return a level as text."""
    wide, high = max(x for x, _ in region) + 3, max(y for _, y in region) + 3
    rows = [["#"] * wide for _ in range(high)]
    for number, (x, y) in enumerate(region):
        signs = "+@" if place & 15 == number else "*$" if place >> 4 + number & 1 else ". "
        rows[y + 1][x + 1] = signs[not goals >> number & 1]
    return "\n".join(map("".join, rows))


def main(most: int) -> int:
    """Print a row for each size up to `most`; return 1 if one is not as published."""
    wrong = 0
    print(described(), flush=True)
    print(f"{'cells':>5}{'regions':>9}{'moves':>7}{'cpu s':>9}")
    for size in range(3, most + 1):
        began = time.process_time()
        every = regions(size)
        depth, queue = np.zeros(16 << size, np.int32), np.zeros(16 << size, np.int64)
        answers: list[tuple[int, int, int, Region]] = []
        for region in every:
            at = {cell: number for number, cell in enumerate(region)}
            near = np.array([[at.get((x + dx, y + dy), -1) for dx, dy in SIDES] for x, y in region], np.int64)
            answers.append((*longest(near, depth, queue), region))
        moves, goals, place, region = max(answers, key=lambda each: each[0])
        known = PUBLISHED.get(size)
        says = "as published" if known == moves else f"published: {known}"
        print(f"{size:>5}{len(every):>9,}{moves:>7}{time.process_time() - began:>9.1f}  {says}", flush=True)
        wrong += known != moves
    print("\n" + drawn(region, goals, place))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 9))
