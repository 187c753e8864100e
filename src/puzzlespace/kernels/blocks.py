"""Compiled loops for pieces that slide: the moves of positions that are codes of one word, and goals among them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bits import lowest
from .loop import inner, loop


class Board(NamedTuple):
    """What there is to know of a puzzle of sliding pieces.

    kinds   int64 [kinds, 7]: number of pieces, shift and bits of the field, first row of its places, how many these
            are, symbol, first row in `sets` or -1
    foot    uint64 [rows, 2]: the cells that each place covers, one bit each
    sets    uint64 [sets, 3]: for each rank of a kind its places, eight bits each, and the cells covered
    enter   uint64 [ways, 2]: the cells that a way needs blank, those that the piece covers now not counted. At each
            place begin flags[3] ways, an even number; those that are none need bit 127, which is never blank
    to      int64 [ways]: the row where each way leads
    on      int64 [ways]: the way that goes on from there at no further cost, -1 for none
    choose  uint64 [places + 1, pieces + 1]: binomial coefficients
    home    int64 [rows]: the cell of the first square
    shown   int64 [cells]: the bit of each cell, -1 where no piece ever comes
    fixed   int64 [cells]: the symbol where no piece stands
    flags   int64 [5]: whether a piece may go any way at no further cost; the symbols of blanks and bodies; most ways;
            where tags begin in codes, 0 for none

    A tag on a code is one more than the row where the piece moved last stands: moving it again leads nowhere new where
    the way that a piece takes within a move is its own affair.
    """

    kinds: np.ndarray
    foot: np.ndarray
    sets: np.ndarray
    enter: np.ndarray
    to: np.ndarray
    on: np.ndarray
    choose: np.ndarray
    home: np.ndarray
    shown: np.ndarray
    fixed: np.ndarray
    flags: np.ndarray

    def step_by_step(self) -> Board:
        """Return the board where every rule is a move of its own."""
        none = np.array([0, *self.flags[1:4], 0], np.int64)
        return self._replace(on=np.full_like(self.on, -1), flags=none)


class Scratch(NamedTuple):
    """Room for one position and its moves.

    rows   int64 [pieces + 1]: the place of each piece, those of a kind in order
    seen   int64 [rows]: marks of places seen; seen[-1] counts marks
    queue  int64 [rows + 1]: places still to go on from
    codes  uint64 [n], mixed uint64 [n]: children and their mixed codes
    """

    rows: np.ndarray
    seen: np.ndarray
    queue: np.ndarray
    codes: np.ndarray
    mixed: np.ndarray


class Tests(NamedTuple):
    """Goals.

    masks  uint64 [goals, 2]: bits of the code and what they must be
    first  int64 [goals + 1]: the conditions of goal g are cells[first[g]:first[g + 1]]
    cells  uint64 [conditions, 2]: a cell and the symbols allowed there, one bit each
    """

    masks: np.ndarray
    first: np.ndarray
    cells: np.ndarray


@inner
def unrank(choose, rank, kind, rows):
    """Write the rows of the places of a kind (a row of Board.kinds) with that rank to the first of `rows`, in order."""
    place = kind[4] - 1
    for left in range(kind[0], 0, -1):
        while choose[place, left] > rank:
            place -= 1
        rank -= choose[place, left]
        rows[left - 1] = kind[3] + place
        place -= 1


@inner
def read(board, code, scratch):
    """Set the places of the pieces from a code; return the cells covered, as two words."""
    kinds, foot, sets, rows = board.kinds, board.foot, board.sets, scratch.rows
    low, high = np.uint64(0), np.uint64(1) << np.uint64(63)
    piece = 0
    for kind in range(len(kinds)):
        count, start = kinds[kind, 0], kinds[kind, 3]
        rank = code >> np.uint64(kinds[kind, 1]) & ((np.uint64(1) << np.uint64(kinds[kind, 2])) - np.uint64(1))
        if count == 1:
            row = start + np.int64(rank)
            rows[piece] = row
            low |= foot[row, 0]
            high |= foot[row, 1]
        elif kinds[kind, 6] >= 0:
            at = kinds[kind, 6] + np.int64(rank)
            packed = sets[at, 0]
            for each in range(piece, piece + count):
                rows[each] = start + np.int64(packed & np.uint64(255))
                packed >>= np.uint64(8)
            low |= sets[at, 1]
            high |= sets[at, 2]
        else:
            unrank(board.choose, rank, kinds[kind], rows[piece:])
            for each in range(piece, piece + count):
                low |= foot[rows[each], 0]
                high |= foot[rows[each], 1]
        piece += count
    return low, high


@loop
def list_sets(board, kind, rows):
    """Fill board.sets for a kind (a row of board.kinds); `rows` is scratch."""
    foot, sets = board.foot, board.sets
    rank = np.uint64(0)
    last = np.uint64(board.choose[kind[4], kind[0]])
    while rank < last:
        at = kind[6] + np.int64(rank)
        unrank(board.choose, rank, kind, rows)
        for each in range(kind[0]):
            sets[at, 0] |= np.uint64(rows[each] - kind[3]) << np.uint64(8 * each)
            sets[at, 1] |= foot[rows[each], 0]
            sets[at, 2] |= foot[rows[each], 1]
        rank += np.uint64(1)


@inner
def moved(board, rows, piece, code, row):
    """Return the code after a piece goes to a row.

    piece  its kind, where the pieces of its kind begin among `rows`, and which of these it is
    """
    kind, base, which = piece
    kinds, choose = board.kinds, board.choose
    shift = np.uint64(kinds[kind, 1])
    count = kinds[kind, 0]
    if count == 1:
        return code + (np.uint64(row) << shift) - (np.uint64(rows[which]) << shift)
    start = kinds[kind, 3]
    rank = np.uint64(0)
    at, below = 0, 1
    for each in range(base, base + count):
        if each != which:
            at += 1
            above = np.int64(rows[each] > row)
            below += 1 - above
            rank += choose[rows[each] - start, at + above]
    rank += choose[row - start, below]
    field = ((np.uint64(1) << np.uint64(kinds[kind, 2])) - np.uint64(1)) << shift
    return code & ~field | rank << shift


@inner
def tagged(board, code, row):
    """Return the code tagged with the row where the piece moved last stands."""
    if board.flags[4]:
        code |= np.uint64(row + 1) << np.uint64(board.flags[4])
    return code


@inner
def untagged(board, code):
    """Return the code without its tag."""
    if board.flags[4]:
        code &= (np.uint64(1) << np.uint64(board.flags[4])) - np.uint64(1)
    return code


@inner
def free(enter, way, taken):
    """Return whether all cells that a way needs are blank."""
    return (enter[way, 0] & taken[0]) | (enter[way, 1] & taken[1]) == np.uint64(0)


@inner
def open_ways(board, row, taken):
    """Return the ways from a place whose cells are blank, one bit each."""
    most = board.flags[3]
    way = row * most
    found = np.int64(free(board.enter, way, taken)) | np.int64(free(board.enter, way + 1, taken)) << 1
    for more in range(2, most, 2):
        found |= np.int64(free(board.enter, way + more, taken)) << more
        found |= np.int64(free(board.enter, way + more + 1, taken)) << (more + 1)
    return found


@inner
def children(board, code, scratch, held):
    """Write the codes one move from a position to scratch.codes, from `held` on; return how many are there then.

    They are tagged; the piece that the position's own tag names is left where it is.
    """
    kinds, foot, rows = board.kinds, board.foot, scratch.rows
    any_way = board.flags[0] != 0
    still = np.int64(-1)
    if board.flags[4]:
        still = np.int64(code >> np.uint64(board.flags[4])) - 1
        code = untagged(board, code)
    taken = read(board, code, scratch)
    base = 0
    for kind in range(len(kinds)):
        count = kinds[kind, 0]
        for piece in range(base, base + count):
            row = rows[piece]
            ways = open_ways(board, row, taken)
            if ways and row != still:
                others = taken[0] ^ foot[row, 0], taken[1] ^ foot[row, 1]
                if any_way:
                    held = flood(board, scratch, code, (kind, base, piece), others, ways, held)
                else:
                    held = lines(board, scratch, code, (kind, base, piece), others, ways, held)
        base += count
    return held


@inner
def lines(board, scratch, code, piece, others, ways, held):
    """Write the codes after the piece went some way in one direction; return how many are there then."""
    to, on = board.to, board.on
    row = scratch.rows[piece[2]]
    while ways:
        way = row * board.flags[3] + lowest(np.uint64(ways))
        ways &= ways - 1
        while True:
            scratch.codes[held] = tagged(board, moved(board, scratch.rows, piece, code, to[way]), to[way])
            held += 1
            way = on[way]
            if way < 0 or to[way] == row or not free(board.enter, way, others):
                break
    return held


@inner
def flood(board, scratch, code, piece, others, ways, held):
    """Write the codes after the piece went anywhere that it can go; return how many are there then."""
    to, seen, queue = board.to, scratch.seen, scratch.queue
    here = scratch.rows[piece[2]]
    mark = seen[len(seen) - 1] + 1
    seen[len(seen) - 1] = mark
    seen[here] = mark
    waiting = 0
    while True:
        while ways:
            there = to[here * board.flags[3] + lowest(np.uint64(ways))]
            ways &= ways - 1
            if seen[there] != mark:
                seen[there] = mark
                queue[waiting] = there
                waiting += 1
                scratch.codes[held] = tagged(board, moved(board, scratch.rows, piece, code, there), there)
                held += 1
        if waiting == 0:
            return held
        waiting -= 1
        here = queue[waiting]
        ways = open_ways(board, here, others)


@inner
def shows(board, scratch, taken, cell, symbols):
    """Return whether the position that was read shows one of the symbols in a cell."""
    symbol = board.fixed[cell]
    bit = board.shown[cell]
    if bit >= 0 and taken[bit >> 6] >> np.uint64(bit & 63) & np.uint64(1):
        symbol = board.flags[2]
        piece = 0
        for kind in range(len(board.kinds)):
            for _ in range(board.kinds[kind, 0]):
                if board.home[scratch.rows[piece]] == cell:
                    symbol = board.kinds[kind, 5]
                piece += 1
    return symbols >> np.uint64(symbol) & np.uint64(1) != np.uint64(0)


@loop
def meeting(board, scratch, tests, layer, out):
    """Write the codes of a layer that meet one of the goals to `out`; return how many."""
    written = 0
    masks, first, cells = tests
    for row in range(len(layer)):
        code = untagged(board, layer[row])
        ready = False
        taken = np.uint64(0), np.uint64(0)
        for goal in range(len(masks)):
            if code & masks[goal, 0] != masks[goal, 1]:
                continue
            if not ready:
                taken = read(board, code, scratch)
                ready = True
            fits = True
            for each in range(first[goal], first[goal + 1]):
                fits = fits and shows(board, scratch, taken, np.int64(cells[each, 0]), cells[each, 1])
            if fits:
                out[written] = code
                written += 1
                break
    return written
