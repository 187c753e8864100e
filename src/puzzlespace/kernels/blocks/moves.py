"""Kernels for sliding blocks: the moves of positions that are coded in one word.

A *place* of a piece is a cell where its first square can be; each place has a row in the tables. A *way* is a step from
a place to a neighbouring one. Indices are unsigned, because a signed index is tested for being negative at each use.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..bits import lowest
from ..loop import inner, loop

FLOOD, BLANK, BODY, MOST, TAGS, WHOLE, WIDE, CHILDREN = range(8)
"""The entries of BlockBoard.flags."""

FIRST, NEAR, LANE = 0, 2, 4
"""The first column in BlockBoard.foot of the cells covered, of the cells needed to go on, and of the lane."""


class BlockBoard(NamedTuple):
    """A puzzle of sliding blocks as arrays. Sets of cells are two words of bits; bit 0 is never blank.

    kinds   int64 [kinds, 7]: number of pieces; shift and width of the field in the code; first row and number of
            places; symbol; first row in `sets` or -1
    pieces  uint64 [pieces, 2]: the kind of each piece, and the first piece of this kind
    foot    uint64 [rows, 6]: the cells that a piece covers at this place; the cells that any way from there needs
            blank; the lane: all cells that the piece can ever cover
    sets    uint64 [sets, 3]: for each rank of a kind the places of its pieces, eight bits each, and the cells covered
    enter   uint64 [ways + 1, 2]: the cells that a way needs blank, without those that the piece covers already. Each
            place has flags[MOST] ways, an even number; unused ones and the last row need bit 0, so they are never open
    to      uint64 [ways + 1]: the row of the place where each way ends
    on      uint64 [ways + 1]: the way that may follow within the same move; the last row, which is never open, if none
    choose  uint64 [places + 1, pieces + 1]: binomial coefficients
    home    int64 [rows]: the cell of the first square
    shown   int64 [cells]: the bit of each cell, or -1 if no piece can cover it
    fixed   int64 [cells]: the symbol that the cell shows if no piece covers it
    flags   int64 [8]: FLOOD whether one move may take a piece along any path; BLANK and BODY symbols; MOST ways of a
            place; TAGS first bit of the tag, 0 for no tags; WHOLE whether a second move of the same piece leads only
            to positions that its first move can lead to; WIDE whether cells take more than one word; CHILDREN the
            most children of a position

    The tag of a code is 1 + the row of the place of the piece moved last.
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
        """Return the board in which every step is a move."""
        flags = self.flags.copy()
        flags[[FLOOD, WHOLE]] = 0
        return self._replace(on=np.full_like(self.on, len(self.on) - 1), flags=flags)


class Scratch(NamedTuple):
    """Working memory for one position and its moves.

    rows    uint64 [pieces + 1]: the row of each piece's place, ascending within a kind
    movers  uint64 [pieces + 1]: the pieces next to blanks
    seen    int64 [rows + 1]: the flood fill that visited each place last; seen[-1] counts flood fills
    queue   uint64 [rows + 1]: places whose ways are still to be followed
    codes   uint64 [n]: children
    mixed   uint64 [n]: their mixed codes
    """

    rows: np.ndarray
    movers: np.ndarray
    seen: np.ndarray
    queue: np.ndarray
    codes: np.ndarray
    mixed: np.ndarray


@inner
def unrank(choose, rank, kind, rows):
    """Write the places of a kind (a row of BlockBoard.kinds) that have this rank to the front of `rows`, ascending."""
    place = kind[4] - 1
    for left in range(kind[0], 0, -1):
        while choose[place, left] > rank:
            place -= 1
        rank -= choose[place, left]
        rows[left - 1] = kind[3] + place
        place -= 1


@inner
def read(board, code, scratch):
    """Decode a code to scratch.rows; return the cells covered, as two words."""
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
    """Fill board.sets for a kind (a row of board.kinds); `rows` is working memory."""
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
    """Return the code after a piece moves to the place `row`."""
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
    """Return the code with a tag for the place of the piece moved last; unchanged if the board uses no tags."""
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
    """Return the tag of a code, 0 if it has none."""
    if board.flags[TAGS]:
        return code >> np.uint64(board.flags[TAGS])
    return np.uint64(0)


@inner
def clear(cells, row, first, taken):
    """Return whether none of the cells in columns `first` and `first` + 1 of a row is taken."""
    return (cells[row, first] & taken[0]) | (cells[row, first + 1] & taken[1]) == np.uint64(0)


@inner
def pair(board, way, taken):
    """Return which of a way and the next one are open, one bit each."""
    enter = board.enter
    if board.flags[WIDE]:
        first, second = clear(enter, way, FIRST, taken), clear(enter, way + np.uint64(1), FIRST, taken)
    else:
        first = enter[way, 0] & taken[0] == np.uint64(0)
        second = enter[way + np.uint64(1), 0] & taken[0] == np.uint64(0)
    return np.uint64(first) | np.uint64(second) << np.uint64(1)


@inner
def open_ways(board, row, taken):
    """Return the open ways from a place, those that need no taken cell, one bit each."""
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
    """List the pieces next to blanks in scratch.movers, except one at the place `still`; return how many."""
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
    """Append the tagged codes one move from a position to scratch.codes[:held]; return the new length.

    The position's tag prunes redundant moves: a second move of the piece moved last if `WHOLE` holds, and one of two
    moves that commute, see `lines`.
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
    """Return the taken cells without those of the piece at the place `row`."""
    return taken[0] ^ board.foot[row, 0], taken[1] ^ board.foot[row, 1]


@inner
def lines(board, scratch, code, piece, taken, held):
    """Append the codes after moves of the piece along one line; return the new length.

    code  (code, tag). A move is redundant if it stays clear of the lane of the piece moved last and its piece comes
          earlier in the order of rows: both moves commute, and the other order is generated.
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
    """Append the codes after the piece went to any place that it can reach, by flood fill; return the new length."""
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
