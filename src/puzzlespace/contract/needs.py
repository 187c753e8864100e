"""What counting depths takes: engines say it before they count (`registry.needs_of`), and `api.planning` adds it up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any, NamedTuple

from ..limits.watch import paced

Sizes = Sequence[float]
"""The sizes of the layers, estimated."""

Pair = tuple[float, float]

COUNTLESS = 10**15
"""More positions than this cannot be counted one by one in a few minutes on any machine."""

MOST_ESTIMATED = 10**250
"""Nothing is estimated beyond this number of positions or bytes, so that all estimates are finite floats."""


def estimated(number: float) -> float:
    """Return a number of positions or bytes as a float, at most MOST_ESTIMATED: a float ends near 10^308."""
    return float(min(number, MOST_ESTIMATED))


@dataclass(frozen=True)
class Reference:
    """A puzzle that is counted in about a second to measure how fast this machine does one kind of work.

    kind    the kind of work; the same for all puzzles whose units of work take about the same time
    spec    the puzzle, as `load` takes it
    metric  its metric
    engine  the engine that counts it (`questions.Engine`)
    needs   what the engine takes to count it
    warm    a smaller puzzle that is counted before, so that loading the compiled loops is not measured
    """

    kind: str
    spec: str
    metric: str
    engine: Any
    needs: NeedsOf
    warm: str


class Arc(NamedTuple):
    """A rule that leads from a row of a table of windows to another.

    window  (first, last, left): the rotated places of the order; if `left`, the last piece becomes the first
    weight  its work for each word, as often as a layer follows it
    """

    source: int
    target: int
    window: tuple[int, int, bool]
    weight: float


@dataclass(frozen=True)
class TablePieces:
    """How a table of windows is cut for several machines: a piece is a row times a run of blocks.

    rows     rows of the table
    colours  the colour of each row; all 0 if rows do not alternate
    arcs     every rule, once for each row that it leaves
    words    words of a row
    counts   pieces of each kind in an order
    """

    rows: int
    colours: tuple[int, ...]
    arcs: tuple[Arc, ...]
    words: int
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Needs:
    """What an engine takes to count the depths of a question.

    numbering  how it stores positions, in words
    ranks      the number of positions that have a number, 0 without a numbering
    each       bits of the table for each position, or bytes of a packed position, in words: '1 bit a position'
    table      bytes of the table that can be put in a file, 0 if there is none
    saved      bytes on the disk of a saved table of all depths, 0 if they depend on the layers (or none can be saved)
    snapshots  the most bytes on the disk while it is saved
    memory     memory(sizes): bytes of memory for layers of these sizes, with the table
    work       work(sizes, children): for each layer the work that goes through the table and the work for its
               positions; `children` is the number of moves tried for each position
    traffic    traffic(sizes, children): for each layer the bytes (read, written) of files if the table, or the layers,
               are in files
    made       bytes of the tables of moves that are made before the count
    reference  what is counted to measure how long a unit of work takes; None: that depends on the puzzle
    pieces     how a table of windows is cut; None for other tables
    files      bytes of temporary files that are needed beside the memory
    positions  the number of reachable positions if the engine counts them beforehand, else 0
    """

    numbering: str
    ranks: int
    each: str
    table: int
    saved: int
    snapshots: int
    memory: Callable[[Sizes], float]
    work: Callable[[Sizes, float], list[Pair]]
    traffic: Callable[[Sizes, float], list[Pair]]
    made: float
    reference: Reference | None
    pieces: TablePieces | None = None
    positions: int = 0
    files: int = 0


NeedsOf = Callable[[Any, tuple[Any, ...], int | None], Needs]
"""Returns what counting the depths of a space from some sources takes, with so many bytes of memory (None: no limit).

Raises UnsupportedError if it cannot be said.
"""


def run_bytes(size: float, bits: int, block: int = 512) -> float:
    """Return about how many bytes the run of a layer takes: gaps of sorted numbers of so many bits, seven bits a byte.

    Numbers are taken to be spread evenly over all those of so many bits that a layer could have; positions use few of
    these, so real gaps vary more, and this is what the mean gap takes.
    """
    if size < 1:
        return 0.0
    gap = max(1.0, bits - log2(size) + 0.5)
    return size * -(-gap // 7) + -(-size // block) * 8 * (2 + -(-bits // 64))


def runs_traffic(bits: int, undone: bool) -> Callable[[Sizes, float], list[Pair]]:
    """Return the traffic of an engine whose layers are runs of numbers of so many bits; `undone` as in `Encoding`."""

    def traffic(sizes: Sizes, children: float) -> list[Pair]:
        """Read the layer, write and read its children without most duplicates, read older layers, write the next."""
        found: list[Pair] = []
        runs = [run_bytes(size, bits) for size in paced(sizes)]
        for depth, size in enumerate(paced(sizes)):
            made = run_bytes(size * children / 2, bits)
            older = sum(runs[max(0, depth - 1) if undone else 0 : depth + 1])
            found.append((runs[depth] + made + older, made + (runs[depth + 1] if depth + 1 < len(sizes) else 0.0)))
        return found

    return traffic


def no_files(sizes: Sizes, children: float) -> list[Pair]:
    """Return the traffic of an engine that writes no files."""
    return [(0.0, 0.0)] * len(sizes)
