"""Convert codes of sliding blocks to the arrays of the kernels: places, ways between them, goals."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from ...errors import UnsupportedError
from ...kernels.blocks import moves as blocks
from ...kernels.blocks.goals import Tests
from ...model.goal import Goal
from ...structure.blocks import Place, Sliding
from .codes import WORD, Codes, Kind
from .metric import Freedom, freedom

MOST_SETS = 1 << 16
"""The most sets of places of a kind that are listed."""


def board_of(codes: Codes) -> blocks.BlockBoard:
    """Return the arrays of the puzzle; raise UnsupportedError if the kernels do not support its metric."""
    found, kinds = codes.sliding, codes.kinds
    rows = codes.places
    bit, foot = _feet(found, rows)
    table = _kinds(kinds)
    moves = freedom(codes)
    enter, to, on = _ways(codes, moves, foot)
    _surroundings(table, foot, enter)
    most, deep = (max((f(kind) for kind in kinds), default=0) for f in (lambda k: len(k.cells), lambda k: k.count))
    listed = [comb(len(kind.cells), kind.count) for kind, row in zip(kinds, table, strict=True) if row[6] >= 0]
    board = blocks.BlockBoard(
        kinds=table,
        pieces=_pieces(kinds),
        foot=foot,
        sets=np.zeros((sum(listed), 3), np.uint64),
        enter=enter,
        to=to,
        on=on,
        choose=_binomials(most, deep),
        home=np.array([cell for _, cell in rows], np.int64),
        shown=np.array([bit.get(cell, -1) for cell in range(len(codes.fixed))], np.int64),
        fixed=np.frombuffer(codes.fixed, np.uint8).astype(np.int64),
        flags=np.zeros(blocks.CHILDREN + 1, np.int64),
    )
    tags = codes.bits if codes.bits + len(rows).bit_length() <= WORD else 0
    wide, ways = len(bit) >= WORD, (len(to) - 1) // max(1, len(rows))
    board.flags[:] = moves.flood, found.blank, found.body, ways, tags, moves.whole and tags > 0, wide, 0
    board.flags[blocks.CHILDREN] = _children(board)
    for row in table[table[:, 6] >= 0]:
        blocks.list_sets(board, row, np.zeros(8, np.uint64))
    return board


def _children(board: blocks.BlockBoard) -> int:
    """Return the most children of a position; a place counts once for each line along which a piece comes to it."""
    rows, none = len(board.foot), len(board.to) - 1
    way = np.flatnonzero(board.enter[:none, 0] & np.uint64(1) == 0)
    row = way // max(1, int(board.flags[blocks.MOST]))
    places, steps = np.zeros(rows, np.int64), 0
    while len(way):
        places += np.bincount(row, minlength=rows)
        way = board.on[way].astype(np.intp)
        goes_on = (way < none) & (board.to[way] != row)
        way, row = way[goes_on], row[goes_on]
        steps += 1
        if steps > none:
            raise UnsupportedError("a move may go along a closed line that does not come back to its first cell")
    found = 0
    for kind in board.kinds:
        most = int(places[kind[3] : kind[3] + kind[4]].max(initial=0))
        found += int(kind[0]) * (max(most, int(kind[4])) if board.flags[blocks.FLOOD] else most)
    return found


def _pieces(kinds: Sequence[Kind]) -> np.ndarray:
    """Return BlockBoard.pieces."""
    counts = np.array([kind.count for kind in kinds], np.int64)
    numbers = np.repeat(np.arange(len(kinds)), counts)
    return np.stack([numbers, (np.cumsum(counts) - counts)[numbers]], axis=1).astype(np.uint64)


def _kinds(kinds: Sequence[Kind]) -> np.ndarray:
    """Return BlockBoard.kinds."""
    table = np.empty((len(kinds), 7), np.int64)
    first = sets = 0
    for at, kind in enumerate(kinds):
        size = comb(len(kind.cells), kind.count)
        listed = 1 < kind.count <= 8 and len(kind.cells) < 256 and size <= MOST_SETS
        table[at] = kind.count, kind.shift, kind.bits, first, len(kind.cells), kind.symbol, sets if listed else -1
        first += len(kind.cells)
        sets += size if listed else 0
    return table


def _binomials(places: int, pieces: int) -> np.ndarray:
    """Return the binomial coefficients up to these arguments; entries that exceed a word are never used."""
    full = (1 << WORD) - 1
    return np.array([[min(comb(n, k), full) for k in range(pieces + 1)] for n in range(places + 1)], np.uint64)


def _feet(found: Sliding, rows: Sequence[Place]) -> tuple[dict[int, int], np.ndarray]:
    """Return the bit of each cell that pieces can cover, and BlockBoard.foot with the cells that each place covers."""
    used = sorted({cell for place in rows for cell in found.covers[place]})
    bit = {cell: at for at, cell in enumerate(used, 1)}
    words = [sum(1 << bit[cell] for cell in found.covers[place]) for place in rows]
    foot = np.zeros((len(rows), 6), np.uint64)
    foot[:, :2] = [_split(word) for word in words] if words else 0
    return bit, foot


def _split(word: int) -> tuple[int, int]:
    """Return the low and the high word."""
    return word & (1 << WORD) - 1, word >> WORD


def _ways(codes: Codes, moves: Freedom, foot: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return BlockBoard.enter, to and on."""
    ways, number = codes.ways, {place: row for row, place in enumerate(codes.places)}
    most = max(2, -(-max(map(len, ways), default=0) // 2) * 2)
    if most > WORD:
        raise UnsupportedError(f"a piece can leave a place in {most} ways and at most {WORD} fit a word")
    places = {way: row * most + at for row, each in enumerate(ways) for at, way in enumerate(each)}
    at = list(places.values())
    origins = [number[way.origin] for way in places]
    targets = [number[way.target] for way in places]
    none = len(ways) * most
    enter = np.zeros((none + 1, 2), np.uint64)
    enter[:, 0] = 1
    enter[at] = foot[targets, :2] & ~foot[origins, :2]
    to = np.zeros(none + 1, np.uint64)
    to[at] = targets
    on = np.full(none + 1, none, np.uint64)
    on[[places[way] for way in moves.on]] = [places[then] for then in moves.on.values()]
    return enter, to, on


def _surroundings(table: np.ndarray, foot: np.ndarray, enter: np.ndarray) -> None:
    """Fill in the columns NEAR and LANE of BlockBoard.foot."""
    most = (len(enter) - 1) // max(1, len(foot))
    if most:
        needed = np.where(enter[:-1, :1] & np.uint64(1), np.uint64(0), enter[:-1])
        foot[:, blocks.NEAR : blocks.LANE] = np.bitwise_or.reduce(needed.reshape(-1, most, 2), axis=1)
    for kind in table:
        rows = slice(kind[3], kind[3] + kind[4])
        foot[rows, blocks.LANE :] = np.bitwise_or.reduce(foot[rows, : blocks.NEAR], axis=0)


def tests_of(codes: Codes, goals: Sequence[Goal]) -> Tests:
    """Return the goals as arrays, without those that these pieces can never meet."""
    symbols = codes.sliding.model.symbols
    every = (1 << symbols) - 1
    masks: list[tuple[int, int]] = []
    cells: list[tuple[int, int]] = []
    first = [0]
    for goal in goals:
        wanted = [(cell, need & every) for cell, need in enumerate(goal.need) if need & every != every]
        counted = all(codes.example.count(symbol) == count for symbol, count in goal.counts)
        if counted and all(need for _, need in wanted):
            masks.append(_mask(codes.kinds, wanted))
            cells += wanted
            first.append(len(cells))
    return Tests(
        np.array(masks, np.uint64).reshape(-1, 2),
        np.array(first, np.int64),
        np.array(cells, np.uint64).reshape(-1, 2),
    )


def _mask(kinds: Sequence[Kind], wanted: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return (mask, bits) of the code for cells in which a goal needs the only piece of a kind."""
    mask = want = 0
    for cell, need in wanted:
        for kind in kinds:
            if need == 1 << kind.symbol and kind.count == 1 and cell in kind.cells:
                alone = sum(other.symbol == kind.symbol for other in kinds) == 1
                if alone:
                    mask |= (1 << kind.bits) - 1 << kind.shift
                    want |= kind.cells.index(cell) << kind.shift
    return mask, want
