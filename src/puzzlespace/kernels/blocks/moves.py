"""Compiled loops for pieces that slide: the moves of positions that are codes of one word.

Indices are unsigned words: a signed one costs a comparison at each use, as it might count from the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..bits import lowest
from ..loop import inner, loop

FLOOD, BLANK, BODY, MOST, TAGS, WHOLE, WIDE = range(7)
"""The entries of Board.flags."""

FIRST, NEAR, LANE = 0, 2, 4
"""Where in a row of Board.foot the words begin of the cells covered, of those needed to go on, and of the lane."""


class BlockBoard(NamedTuple):
    """What there is to know of a puzzle of sliding pieces. Cells are bits of two words; bit 0 is never blank.

    kinds   int64 [kinds, 7]: number of pieces, shift and bits of the field, first row of its places, how many these
            are, symbol, first row in `sets` or -1
    pieces  uint64 [pieces, 2]: the kind of each piece, and the first piece of this kind
    foot    uint64 [rows, 6]: the cells that each place covers, those that some way from there needs blank, and the
            lane: all that its piece can ever cover
    sets    uint64 [sets, 3]: for each rank of a kind its places, eight bits each, and the cells covered
    enter   uint64 [ways + 1, 2]: the cells that a way needs blank, those that the piece covers now not counted. At each
            place begin flags[MOST] ways, an even number; those that are none, such as the last, need bit 0
    to      uint64 [ways + 1]: the row where each way leads
    on      uint64 [ways + 1]: the way that goes on from there at no further cost
    choose  uint64 [places + 1, pieces + 1]: binomial coefficients
    home    int64 [rows]: the cell of the first square
    shown   int64 [cells]: the bit of each cell, -1 where no piece ever comes
    fixed   int64 [cells]: the symbol where no piece stands
    flags   int64 [7]: whether a piece may go any way at no further cost; the symbols of blanks and bodies; most ways;
            where tags begin in codes, 0 for none; whether moving a piece again leads nowhere but where its first move
            could lead too; whether cells take more than one word

    A tag on a code is one more than the row where the piece moved last stands.
    """

    kinds: np.ndarray
    pieces: np.ndarray
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

    def step_by_step(self) -> BlockBoard:
        """Return the board where every rule is a move of its own."""
        flags = self.flags.copy()
        flags[[FLOOD, WHOLE]] = 0
        return self._replace(on=np.full_like(self.on, len(self.on) - 1), flags=flags)


class Scratch(NamedTuple):
    """Room for one position and its moves.

    rows    uint64 [pieces + 1]: the place of each piece, those of a kind in order
    movers  uint64 [pieces + 1]: the pieces next to blanks
    seen    int64 [rows + 1]: marks of places seen; seen[-1] counts marks
    queue   uint64 [rows + 1]: places still to go on from
    codes   uint64 [n], mixed uint64 [n]: children and their mixed codes
    """

    rows: np.ndarray
    movers: np.ndarray
    seen: np.ndarray
    queue: np.ndarray
    codes: np.ndarray
    mixed: np.ndarray


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
    low, high = np.uint64(1), np.uint64(0)
    piece = np.uint64(0)
    for kind in range(len(kinds)):
        count, start = kinds[kind, 0], np.uint64(kinds[kind, 3])
        rank = code >> np.uint64(kinds[kind, 1]) & ((np.uint64(1) << np.uint64(kinds[kind, 2])) - np.uint64(1))
        if count == 1:
            row = start + rank
            rows[piece] = row
            low |= foot[row, 0]
            high |= foot[row, 1]
        elif kinds[kind, 6] >= 0:
            at = np.uint64(kinds[kind, 6]) + rank
            packed = sets[at, 0]
            for each in range(np.uint64(count)):
                rows[piece + each] = start + (packed & np.uint64(255))
                packed >>= np.uint64(8)
            low |= sets[at, 1]
            high |= sets[at, 2]
        else:
            unrank(board.choose, rank, kinds[kind], rows[piece:])
            for each in range(np.uint64(count)):
                low |= foot[rows[piece + each], 0]
                high |= foot[rows[piece + each], 1]
        piece += np.uint64(count)
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
            sets[at, 0] |= np.uint64(rows[each] - np.uint64(kind[3])) << np.uint64(8 * each)
            sets[at, 1] |= foot[rows[each], 0]
            sets[at, 2] |= foot[rows[each], 1]
        rank += np.uint64(1)


@inner
def moved(board, rows, piece, code, row):
    """Return the code after a piece goes to a row."""
    kinds, choose = board.kinds, board.choose
    kind, first = board.pieces[piece, 0], board.pieces[piece, 1]
    shift = np.uint64(kinds[kind, 1])
    count = np.uint64(kinds[kind, 0])
    if count == np.uint64(1):
        return code + (row << shift) - (rows[piece] << shift)
    start = np.uint64(kinds[kind, 3])
    rank = np.uint64(0)
    at, below = np.uint64(0), np.uint64(1)
    for index in range(count):
        each = first + index
        if each != piece:
            at += np.uint64(1)
            above = np.uint64(rows[each] > row)
            below += np.uint64(1) - above
            rank += choose[rows[each] - start, at + above]
    rank += choose[row - start, below]
    field = ((np.uint64(1) << np.uint64(kinds[kind, 2])) - np.uint64(1)) << shift
    return code & ~field | rank << shift


@inner
def tagged(board, code, row):
    """Return the code tagged with the row where the piece moved last stands."""
    if board.flags[TAGS]:
        code |= (row + np.uint64(1)) << np.uint64(board.flags[TAGS])
    return code


@inner
def untagged(board, code):
    """Return the code without its tag."""
    if board.flags[TAGS]:
        code &= (np.uint64(1) << np.uint64(board.flags[TAGS])) - np.uint64(1)
    return code


@inner
def tag_of(board, code):
    """Return one more than the row where the piece moved last stands, 0 where that is not known."""
    if board.flags[TAGS]:
        return code >> np.uint64(board.flags[TAGS])
    return np.uint64(0)


@inner
def clear(cells, row, first, taken):
    """Return whether no cell is taken of those in the two words of a row that begin at `first`."""
    return (cells[row, first] & taken[0]) | (cells[row, first + 1] & taken[1]) == np.uint64(0)


@inner
def pair(board, way, taken):
    """Return which of a way and the next one need no cell that is taken, one bit each."""
    enter = board.enter
    if board.flags[WIDE]:
        first, second = clear(enter, way, FIRST, taken), clear(enter, way + np.uint64(1), FIRST, taken)
    else:
        first = enter[way, 0] & taken[0] == np.uint64(0)
        second = enter[way + np.uint64(1), 0] & taken[0] == np.uint64(0)
    return np.uint64(first) | np.uint64(second) << np.uint64(1)


@inner
def open_ways(board, row, taken):
    """Return the ways from a place whose cells are blank, one bit each."""
    most = np.uint64(board.flags[MOST])
    way = row * most
    found = pair(board, way, taken)
    at = np.uint64(2)
    while at < most:
        found |= pair(board, way + at, taken) << at
        at += np.uint64(2)
    return found


@inner
def movable(board, scratch, taken, still):
    """List the pieces next to blanks in scratch.movers, but the one that stands in row `still`; return how many."""
    foot, rows, movers = board.foot, scratch.rows, scratch.movers
    found = np.uint64(0)
    for piece in range(len(board.pieces)):
        row = rows[piece]
        movers[found] = np.uint64(piece)
        near = (foot[row, NEAR] & ~taken[0]) | (foot[row, NEAR + 1] & ~taken[1])
        found += np.uint64(near != np.uint64(0)) & np.uint64(row != still)
    return found


@inner
def children(board, code, scratch, held):
    """Write the codes one move from a position to scratch.codes, from `held` on; return how many are there then.

    They are tagged. Left out are moves that the position's own tag shows to be of no use: of the piece moved last where
    that led there at once, and those that could as well have been made before it, see `lines`.
    """
    tag, code = tag_of(board, code), untagged(board, code)
    taken = read(board, code, scratch)
    still = tag - np.uint64(1) if board.flags[WHOLE] else ~np.uint64(0)
    for index in range(movable(board, scratch, taken, still)):
        piece = scratch.movers[index]
        if board.flags[FLOOD]:
            held = flood(board, scratch, code, piece, taken, held)
        else:
            held = lines(board, scratch, (code, tag), piece, taken, held)
    return held


@inner
def without(board, row, taken):
    """Return the cells taken by others than the piece that stands in a row."""
    return taken[0] ^ board.foot[row, 0], taken[1] ^ board.foot[row, 1]


@inner
def lines(board, scratch, code, piece, taken, held):
    """Write the codes after the piece went some way in one direction; return how many are there then.

    code  the code and its tag. A move is left out where it keeps clear of the lane of the piece moved last and that
          comes later in the order of rows: the two could be made in the other order, from a position as near.
    """
    foot, to, on = board.foot, board.to, board.on
    code, tag = code
    row = scratch.rows[piece]
    others = without(board, row, taken)
    lane = np.uint64(0), np.uint64(0)
    before = row + np.uint64(1) < tag
    if before:
        lane = foot[tag - np.uint64(1), LANE], foot[tag - np.uint64(1), LANE + 1]
        before = clear(foot, row, FIRST, lane)
    ways = open_ways(board, row, others)
    while ways:
        way = row * np.uint64(board.flags[MOST]) + np.uint64(lowest(ways))
        ways &= ways - np.uint64(1)
        useless = before
        while True:
            there = to[way]
            useless = useless and clear(foot, there, FIRST, lane)
            if not useless:
                scratch.codes[held] = tagged(board, moved(board, scratch.rows, piece, code, there), there)
                held += 1
            way = on[way]
            if to[way] == row or not clear(board.enter, way, FIRST, others):
                break
    return held


@inner
def flood(board, scratch, code, piece, taken, held):
    """Write the codes after the piece went anywhere that it can go; return how many are there then."""
    to, seen, queue = board.to, scratch.seen, scratch.queue
    here = scratch.rows[piece]
    others = without(board, here, taken)
    ways = open_ways(board, here, others)
    mark = seen[len(seen) - 1] + 1
    seen[len(seen) - 1] = mark
    seen[here] = mark
    waiting = np.uint64(0)
    while True:
        while ways:
            there = to[here * np.uint64(board.flags[MOST]) + np.uint64(lowest(ways))]
            ways &= ways - np.uint64(1)
            if seen[there] != mark:
                seen[there] = mark
                queue[waiting] = there
                waiting += np.uint64(1)
                scratch.codes[held] = tagged(board, moved(board, scratch.rows, piece, code, there), there)
                held += 1
        if waiting == np.uint64(0):
            return held
        waiting -= np.uint64(1)
        here = queue[waiting]
        ways = open_ways(board, here, others)
