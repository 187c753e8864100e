"""Compiled loops on graphs of positions: distances by breadth-first search, and positions in space by stress.

starts   int64 [n + 1], targets int32: the neighbours of node v are targets[starts[v]:starts[v + 1]]
"""

from __future__ import annotations

import numpy as np

from ..loop import helper, loop


@loop
def spread(starts, targets, sources, distance, queue):
    """Fill the distance of every node from the nearest source.

    sources   (in)   int64, nodes
    distance  (out)  int32 [n]; -1 for nodes that cannot be reached
    queue     (out)  int32 [n], scratch: the nodes in order of distance
    Returns how many were reached.
    """
    distance[:] = -1
    end = 0
    for source in sources:
        if distance[source] < 0:
            distance[source] = 0
            queue[end] = source
            end += 1
    done = 0
    while done < end:
        node = queue[done]
        done += 1
        for at in range(starts[node], starts[node + 1]):
            other = targets[at]
            if distance[other] < 0:
                distance[other] = distance[node] + 1
                queue[end] = other
                end += 1
    return end


@loop
def spread_from_pivots(starts, targets, pivots, found, nearest, queue):
    """Fill found[k] with the distances from pivot k; the next pivot is a node farthest from all before it.

    pivots   int64 [k]: the first is given (in), the others are chosen (out)
    found    (out)  int32 [k, n]
    nearest  (out)  int32 [n]: the distance to the nearest pivot
    """
    nearest[:] = np.int32(2147483647)
    for k in range(len(pivots)):
        spread(starts, targets, pivots[k : k + 1], found[k], queue)
        farthest = 0
        for node in range(len(nearest)):
            if found[k, node] < nearest[node]:
                nearest[node] = found[k, node]
            if nearest[node] > nearest[farthest]:
                farthest = node
        if k + 1 < len(pivots):
            pivots[k + 1] = farthest


@helper
def pull(places, a, b, wanted, rate, free):
    """Move two nodes towards the wanted distance of one another by the share `rate` of what is missing.

    free  the coordinates from this one on may change
    """
    square = np.float32(1e-12)
    for axis in range(places.shape[1]):
        gap = places[a, axis] - places[b, axis]
        square += gap * gap
    length = np.sqrt(square)
    share = rate * (wanted - length) / length / np.float32(2.0)
    for axis in range(free, places.shape[1]):
        shift = share * (places[a, axis] - places[b, axis])
        places[a, axis] += shift
        places[b, axis] -= shift


@loop
def relax(starts, targets, pivots, found, places, rates, free):
    """Move nodes so that their distances in space come near to their distances in the graph.

    One round for each rate: every edge once, every pair of node and pivot once, in a fixed order. The share by which a
    pair moves falls with the square of its distance (stress by stochastic gradient descent: Zheng, Pawar and Goodman
    2018; distances to pivots alone: Ortmann, Klimenta and Brandes 2017).

    places  float32 [n, 3] (in/out)
    rates   float32 [rounds]
    free    the coordinates from this one on may change
    """
    for rate in rates:
        for node in range(len(starts) - 1):
            for at in range(starts[node], starts[node + 1]):
                if targets[at] > node:
                    pull(places, node, targets[at], np.float32(1.0), min(rate, np.float32(1.0)), free)
            for k in range(len(pivots)):
                wanted = np.float32(found[k, node])
                if wanted > 1:
                    pull(places, node, pivots[k], wanted, min(rate / (wanted * wanted), np.float32(1.0)), free)
