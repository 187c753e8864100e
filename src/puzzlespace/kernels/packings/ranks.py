"""Kernels that rank and unrank packings, and list their moves.

A *choice* is what lies in the first cell that is not decided yet: 0 for a blank, else the kind of the piece whose
first cell it is. A packing is a path of choices through a graph. A node is a set of decided cells with the pieces that
are still to come. The rank is the sum of the offsets of the choices on the path: docs/methods/packings.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..loop import inner, loop

NONE = np.uint32(0xFFFFFFFF)
"""The offset of a choice that is not possible at a node; ranks are smaller."""

STEP, RUN, PIECE = range(3)
"""The metrics."""


class Ranks(NamedTuple):
    """The graph of choices.

    first   int64 [nodes + 1]: the first edge of each node
    choice  int64 [edges]: the choice of each edge, ascending within a node; empty if each node has an edge for every
            choice: the edge of a choice is then first[node] + choice, with the offset NONE if it is not possible
    edge    uint32 [edges, 2]: the node that each edge leads to, and how many packings of its own node have a smaller
            choice. Edges lead to nodes with larger numbers
    """

    first: np.ndarray
    choice: np.ndarray
    edge: np.ndarray


class Tray(NamedTuple):
    """The places of the pieces. Sets of cells are words of bits; the last choice + 1 marks a covered cell.

    place   int64 [choices, cells]: the number of the place of each kind with its first cell here, -1 if it does not fit
    kind    int64 [places]
    cells   int64 [places, most]: the cells of each place, the first one first
    size    int64 [places]: how many cells it has
    last    int64 [places]: its last cell
    cover   uint64 [places]: its cells
    go      int64 [places, ways]: the place one step away in each direction, -1 if there is none
    flags   int64 [3]: the number of cells, the metric, the mark of a covered cell
    walls   uint64 [1]: the cells that are always walls
    """

    place: np.ndarray
    kind: np.ndarray
    cells: np.ndarray
    size: np.ndarray
    last: np.ndarray
    cover: np.ndarray
    go: np.ndarray
    flags: np.ndarray
    walls: np.ndarray


class PackingScratch(NamedTuple):
    """Working memory for one packing.

    what   int64 [cells]: the choice in each cell, or the mark of a covered cell
    node   int64 [cells + 1]: the node before each cell
    sum    int64 [cells + 1]: the sum of the offsets before each cell
    lie    int64 [cells + 1]: the places of the pieces
    ranks  int64 [children]: the ranks of the packings one move away
    seen   int64 [places + 1]: the flood fill that visited each place last; the last entry counts flood fills
    queue  int64 [places + 1]: the places of a flood fill
    """

    what: np.ndarray
    node: np.ndarray
    sum: np.ndarray
    lie: np.ndarray
    ranks: np.ndarray
    seen: np.ndarray
    queue: np.ndarray


@inner
def edge_of(ranks, node, choice):
    """Return the edge of a choice at a node, which must have it."""
    low = ranks.first[node]
    if len(ranks.choice) == 0:
        return low + choice
    high = ranks.first[node + 1] - 1
    while low < high:
        middle = (low + high) >> 1
        if ranks.choice[middle] < choice:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def edge_to(ranks, node, left):
    """Return the edge of a node whose packings include number `left` of the node."""
    low, high = ranks.first[node], ranks.first[node + 1] - 1
    if len(ranks.choice) == 0:
        while np.int64(ranks.edge[high, 1]) > left:
            high -= 1
        return high
    while low < high:
        middle = (low + high + 1) >> 1
        if np.int64(ranks.edge[middle, 1]) > left:
            high = middle - 1
        else:
            low = middle
    return low


@inner
def read(ranks, tray, root, rank, scratch):
    """Unrank a packing to `scratch`; return the cells that are covered, and the number of pieces."""
    cells, mark = tray.flags[0], tray.flags[2]
    covered = tray.walls[0]
    node, left, pieces = root, rank, 0
    for cell in range(cells):
        scratch.node[cell] = node
        scratch.sum[cell] = rank - left
        if covered >> np.uint64(cell) & np.uint64(1):
            scratch.what[cell] = mark
            continue
        edge = edge_to(ranks, node, left)
        choice = edge - ranks.first[node] if len(ranks.choice) == 0 else ranks.choice[edge]
        left -= np.int64(ranks.edge[edge, 1])
        node = np.int64(ranks.edge[edge, 0])
        scratch.what[cell] = choice
        if choice:
            place = tray.place[choice, cell]
            covered |= tray.cover[place]
            scratch.lie[pieces] = place
            pieces += 1
    scratch.node[cells] = node
    scratch.sum[cells] = rank
    return covered, pieces


@inner
def put(tray, what, place, choice, body):
    """Write a choice to the first cell of a place, and `body` to its others."""
    for index in range(1, tray.size[place]):
        what[tray.cells[place, index]] = body
    what[tray.cells[place, 0]] = choice


@inner
def rank_between(ranks, scratch, low, high, mark):
    """Return the rank of the packing in `scratch.what`, which differs from the one read only in cells low … high."""
    node, rank = scratch.node[low], scratch.sum[low]
    for cell in range(low, high + 1):
        choice = scratch.what[cell]
        if choice != mark:
            edge = edge_of(ranks, node, choice)
            rank += np.int64(ranks.edge[edge, 1])
            node = np.int64(ranks.edge[edge, 0])
    return rank + scratch.sum[len(scratch.sum) - 1] - scratch.sum[high + 1]


@inner
def moved(ranks, tray, scratch, place, after):
    """Return the rank of the packing in which the piece at `place`, which is taken off, lies at `after`."""
    mark = tray.flags[2]
    put(tray, scratch.what, after, tray.kind[after], mark)
    low = min(tray.cells[place, 0], tray.cells[after, 0])
    rank = rank_between(ranks, scratch, low, max(tray.last[place], tray.last[after]), mark)
    put(tray, scratch.what, after, 0, 0)
    return rank


@inner
def children(ranks, tray, covered, pieces, metric, scratch):
    """Write the ranks of all packings one move from the one read to scratch.ranks; return how many there are."""
    made, ways = 0, tray.go.shape[1]
    for piece in range(pieces):
        place = scratch.lie[piece]
        others = covered ^ tray.cover[place]
        lifted = False
        if metric != PIECE:
            for way in range(ways):
                after = tray.go[place, way]
                while after >= 0 and not tray.cover[after] & others:
                    if not lifted:
                        put(tray, scratch.what, place, 0, 0)
                        lifted = True
                    scratch.ranks[made] = moved(ranks, tray, scratch, place, after)
                    made += 1
                    if metric == STEP:
                        break
                    after = tray.go[after, way]
        else:
            last = len(scratch.seen) - 1
            scratch.seen[last] += 1
            visit = scratch.seen[last]
            scratch.seen[place] = visit
            scratch.queue[0] = place
            row, end = 0, 1
            while row < end:
                here = scratch.queue[row]
                row += 1
                for way in range(ways):
                    after = tray.go[here, way]
                    if after >= 0 and scratch.seen[after] != visit and not tray.cover[after] & others:
                        scratch.seen[after] = visit
                        scratch.queue[end] = after
                        end += 1
                        if not lifted:
                            put(tray, scratch.what, place, 0, 0)
                            lifted = True
                        scratch.ranks[made] = moved(ranks, tray, scratch, place, after)
                        made += 1
        if lifted:
            put(tray, scratch.what, place, tray.kind[place], tray.flags[2])
    return made


@loop
def reach(ranks, root, numbers):
    """Number the nodes that a root leads to, in their order; return how many they are, and how many edges they have.

    numbers  int64 [nodes], all 0; becomes the number of each node + 1, or 0 if it is not reached
    """
    nodes = edges = 0
    numbers[root] = 1
    for node in range(root, len(numbers)):
        if numbers[node]:
            nodes += 1
            numbers[node] = nodes
            for edge in range(ranks.first[node], ranks.first[node + 1]):
                edges += 1
                if ranks.edge[edge, 1] != NONE:
                    numbers[np.int64(ranks.edge[edge, 0])] = 1
    return nodes, edges


@loop
def cut(ranks, numbers, part):
    """Write the nodes that have a number, with their edges, to `part`."""
    nodes = written = 0
    for node in range(len(numbers)):
        if numbers[node]:
            part.first[nodes] = written
            nodes += 1
            for edge in range(ranks.first[node], ranks.first[node + 1]):
                if len(ranks.choice):
                    part.choice[written] = ranks.choice[edge]
                part.edge[written, 1] = ranks.edge[edge, 1]
                if ranks.edge[edge, 1] != NONE:
                    part.edge[written, 0] = numbers[np.int64(ranks.edge[edge, 0])] - 1
                written += 1
    part.first[nodes] = written


@loop
def unrank(ranks, tray, root, rank, scratch):
    """Unrank a packing to `scratch`; return the number of its pieces."""
    return read(ranks, tray, root, rank, scratch)[1]


@loop
def rank(ranks, tray, root, scratch):
    """Return the rank of the packing in scratch.what, which must be one of the packings of this root."""
    node, found = root, 0
    mark = tray.flags[2]
    for cell in range(tray.flags[0]):
        choice = scratch.what[cell]
        if choice == mark:
            continue
        edge = edge_of(ranks, node, choice)
        found += np.int64(ranks.edge[edge, 1])
        node = np.int64(ranks.edge[edge, 0])
    return found


@loop
def neighbours(ranks, tray, root, rank, metric, scratch):
    """Write the ranks of all packings one move away to scratch.ranks; return how many there are."""
    covered, pieces = read(ranks, tray, root, rank, scratch)
    return children(ranks, tray, covered, pieces, metric, scratch)
