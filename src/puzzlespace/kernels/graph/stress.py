"""Kernels on graphs of positions: distances by breadth-first search, and a layout by stress minimisation.

starts   int64 [n + 1]: the neighbours of node v are targets[starts[v]:starts[v + 1]]
targets  int32
"""

from __future__ import annotations

import numpy as np

from ..loop import helper, loop


@loop
def spread(starts, targets, sources, distance, queue):
    """Write the distance of every node from the nearest source; return the number of reachable nodes.

    sources   (in)   int64, nodes
    distance  (out)  int32 [n]; -1 for nodes that cannot be reached
    queue     (out)  int32 [n]: the reachable nodes in order of distance
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
    """Write the distances from pivot k to found[k]; each new pivot is a node farthest from the earlier ones.

    pivots   (in/out)  int64 [k]: the first is given, the others are chosen
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
    """Move two nodes towards their wanted distance, by the share `rate` of the difference.

    free  the first coordinate that may change
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
    """Move nodes so that their distances in space approach their distances in the graph.

    Stress minimisation by stochastic gradient descent (Zheng, Pawar and Goodman 2018), with distances to pivots only
    (Ortmann, Klimenta and Brandes 2017). One round for each rate: every edge once, every pair of node and pivot once,
    in a fixed order. The weight of a pair is the inverse square of its distance.

    places  (in/out)  float32 [n, 3]
    rates   float32 [rounds]
    free    the first coordinate that may change
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
