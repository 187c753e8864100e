"""Terms of sequences that the OEIS does not have yet, each counted twice: `python benchmarks/new_terms.py [--record]`.

The second count is by an unlike method: another engine, or a program of this script that shares nothing with the
package.

--record       write the table into docs/records.md
--only WORDS   only the rows of these sequences, such as 'A092113 row 12'; the document keeps the others
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from machine import described, kept, write
from puzzlespace import DepthTable, depths, solve

PAGE, MARK = "records.md", "benchmarks/new_terms.py"


Counted = int | tuple[int, ...]


@dataclass(frozen=True)
class Term:
    """A term, the command that gives it, and who counted it a second time."""

    sequence: str
    what: str
    index: str
    command: str
    count: Callable[[], Counted]
    again: Callable[[], Counted]
    method: str


def hanoi(discs: int) -> int:
    """Return the shortest ways between two perfect states, four pegs, as Puzzlespace counts them."""
    return solve(f"hanoi:4,{discs}", count=True).solutions or 0


def hanoi_by_halves(discs: int) -> int:
    """Return the same from one half of the way.

    A way that moves the largest disc twice is longer than one that moves it once: before its first move and after its
    last one all others lie on the two other pegs. So the number is the sum, over the states s of the others there that
    are nearest to the perfect state, of (ways to s)^2. States that differ in the names of the three pegs without the
    first are counted together.
    """
    first, totals = np.zeros(1, np.int64), np.ones(1, np.int64)
    before = np.zeros(0, np.int64)
    for _ in range(1 << discs):
        pegs = first[:, None] >> (2 * np.arange(discs - 1)) & 3
        away = (pegs != 0).all(axis=1) & (pegs.max(axis=1, initial=0) <= 2)
        if away.any():
            both = pegs[away].max(axis=1, initial=1) == 2
            ways = [int(each) for each in totals[away] // np.where(both, 6, 3)]
            return sum(2 * each * each for each in ways)
        del pegs
        states, sums = [], []
        for state, total in _hanoi_moves(first, totals, discs - 1):
            states.append(state)
            sums.append(total)
        children, sums = np.concatenate(states), np.concatenate(sums)
        order = children.argsort(kind="stable")
        children, sums = children[order], sums[order]
        begin = np.flatnonzero(np.append(True, children[1:] != children[:-1]))
        children, sums = children[begin], np.add.reduceat(sums, begin)
        new = ~(_in(children, before) | _in(children, first))
        before, first, totals = first, children[new], sums[new]
    raise AssertionError("expected a way, found none")


def _hanoi_moves(states: np.ndarray, totals: np.ndarray, discs: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield what the moves of each disc to each peg lead to; two bits a disc, the smallest lowest."""
    smaller = np.zeros(len(states), np.int64)
    for disc in range(discs):
        peg = states >> 2 * disc & 3
        for other in range(4):
            can = np.flatnonzero((peg != other) & (smaller >> peg & 1 == 0) & (smaller >> other & 1 == 0))
            moved = states[can] + ((other - peg[can]) << 2 * disc)
            yield _renamed(moved, discs), totals[can]
        smaller |= 1 << peg


def _renamed(states: np.ndarray, discs: int) -> np.ndarray:
    """Name the pegs 1 to 3 in the order in which they are found from the largest disc on."""
    names = np.zeros((4, len(states)), np.int64)
    used = np.zeros(len(states), np.int64)
    rows, result = np.arange(len(states)), np.zeros(len(states), np.int64)
    for disc in reversed(range(discs)):
        peg = states >> 2 * disc & 3
        fresh = (peg != 0) & (names[peg, rows] == 0)
        used += fresh
        names[peg[fresh], rows[fresh]] = used[fresh]
        result |= names[peg, rows] << 2 * disc
    return result


def _in(wanted: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Return which of the numbers are in a sorted array."""
    if not len(among):
        return np.zeros(len(wanted), bool)
    return among[np.minimum(among.searchsorted(wanted), len(among) - 1)] == wanted


@cache
def table(name: str, engine: str) -> DepthTable:
    return depths(name, engine=engine)


def lamps(size: int) -> int:
    """Return the greatest depth that an answer states, complete or not."""
    found = depths(f"lights:{size}x{size}")
    if found.complete:
        return found.depth
    words = str(found.stopped)
    return int(words.partition("greatest depth is ")[2].split()[0])


def lamps_by_means(size: int) -> int:
    """Return the same from a position that needs so many presses, and the mean as a bound.

    Presses of `idle` change nothing. The sets of presses that lead to one position differ in them, so one of these sets
    is at most as large as their mean; the mean is the least only if half of each kind of cells is pressed. Presses are
    exchanged at random until a position is found whose least set is as large as that.
    """
    idle, free, kinds = _idle(size)
    most, odd = divmod(size * size + free, 2)
    most -= not odd and any(len(each) % 2 for each in kinds)
    combinations = np.zeros((1, size * size), np.int64)
    for each in idle:
        combinations = np.concatenate([combinations, combinations ^ each])
    random = np.random.default_rng(1)
    pressed = np.ones(size * size, np.int64) if not kinds else random.integers(0, 2, size * size)
    best = int((combinations ^ pressed).sum(axis=1).min())
    for _ in range(2_000_000):
        if best >= most:
            break
        other = pressed.copy()
        other[random.integers(0, size * size, random.integers(1, 4))] ^= 1
        least = int((combinations ^ other).sum(axis=1).min())
        if least >= best:
            best, pressed = least, other
    assert best == most, f"expected presses that need {most}, found {best}"
    return best


def _idle(size: int) -> tuple[list[np.ndarray], int, list[list[int]]]:
    """Return a basis of presses that change nothing, how many cells are in none of them, and the kinds of others."""
    rows = []
    for cell in range(size * size):
        row, column = divmod(cell, size)
        near = [(row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        effect = sum(1 << size * r + c for r, c in near if 0 <= r < size and 0 <= c < size)
        rows.append((effect, 1 << cell))
    idle, leading = [], {}
    for effect, cells in rows:
        while effect and effect.bit_length() in leading:
            other, others = leading[effect.bit_length()]
            effect, cells = effect ^ other, cells ^ others
        if effect:
            leading[effect.bit_length()] = effect, cells
        else:
            idle.append(np.array([cells >> at & 1 for at in range(size * size)]))
    kinds: dict[tuple[int, ...], list[int]] = {}
    for cell in range(size * size):
        kinds.setdefault(tuple(int(each[cell]) for each in idle), []).append(cell)
    free = len(kinds.pop((0,) * len(idle), []))
    return idle, free, list(kinds.values())


def terms() -> Iterator[Term]:
    """Yield the terms, the longest counts last."""
    for size in (*range(1, 9), *range(10, 16), 17, 18):
        yield Term(
            "lamps n x n", "greatest number of presses", str(size), f"puzzlespace depths lights:{size}x{size}",
            lambda size=size: lamps(size), lambda size=size: lamps_by_means(size),
            "a position that needs so many, and the mean as a bound",
        )  # fmt: skip
    for row, column in ((5, 1), (5, 2)):
        yield Term(
            "A090163", "hardest positions of sliding tiles", f"{row}, {column}",
            f"puzzlespace depths slide:{row}x{column}",
            lambda row=row, column=column: table(f"slide:{row}x{column}", "auto").counts[-1],
            lambda row=row, column=column: table(f"slide:{row}x{column}", "plain").counts[-1], "engine `plain`",
        )  # fmt: skip
    for discs in range(12, 18):
        yield Term(
            "A143807", "shortest ways between perfect states, four pegs", str(discs),
            f"puzzlespace solve hanoi:4,{discs} --count",
            lambda discs=discs: hanoi(discs), lambda discs=discs: hanoi_by_halves(discs),
            "from half of the way, by NumPy",
        )  # fmt: skip
    yield from _permutations()


def _permutations() -> Iterator[Term]:
    for count in (11, 12):
        yield Term(
            "A067607", "hardest stacks of pancakes", str(count), f"puzzlespace depths pancake:{count}",
            lambda count=count: table(f"pancake:{count}", "table").counts[-1],
            lambda count=count: table(f"pancake:{count}", "frontier").counts[-1], "engine `frontier`: sorted layers",
        )  # fmt: skip
    yield Term(
        "A092113", "stacks of pancakes at each distance", "row 12", "puzzlespace depths pancake:12",
        lambda: table("pancake:12", "table").counts, lambda: table("pancake:12", "frontier").counts,
        "engine `frontier`: sorted layers",
    )  # fmt: skip
    yield Term(
        "A300003", "permutations at each number of block reversals", "row 13", "puzzlespace depths reversals:13",
        lambda: reversals(13, tuple(range(1, 14))), lambda: reversals(13, (7, 1, 13, 4, 10, 2, 12, 5, 9, 3, 11, 6, 8)),
        "from another position, each piece in another place",
    )  # fmt: skip


def reversals(count: int, goal: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many permutations are at each distance from one: as many as from any other."""
    return depths(f"reversals:{count}", goal=" ".join(map(str, goal))).counts


def row(term: Term) -> list[str]:
    """Return the cells of a term; raise AssertionError if the two counts differ."""
    began = time.process_time()
    first = term.count()
    between = time.process_time()
    second = term.again()
    assert second == first, f"{term.sequence}({term.index}): {first} and {second}"
    shown = f"{first}" if isinstance(first, int) else " ".join(map(str, first))
    seconds = f"{between - began:.1f}", f"{time.process_time() - between:.1f}"
    return [term.sequence, term.what, term.index, shown, f"`{term.command}`", seconds[0], term.method, seconds[1]]


def main() -> None:
    """Print the table row by row."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    asked = parser.parse_args()
    heads = ["sequence", "what", "index", "term", "command", "seconds", "second count", "seconds"]
    before = {(cells[0], cells[2]): cells for cells in kept(PAGE, MARK)}
    print(described(), flush=True)
    for term in terms():
        if not asked.only or any(word in f"{term.sequence} {term.index}" for word in asked.only):
            before[term.sequence, term.index] = row(term)
            print(" | ".join(before[term.sequence, term.index]), flush=True)
    if asked.record:
        order = [(term.sequence, term.index) for term in terms()]
        lines = [heads, ["---"] * len(heads), *(before[place] for place in order if place in before)]
        write(PAGE, MARK, f"{described()}\n\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in lines))


if __name__ == "__main__":
    sys.exit(main())
