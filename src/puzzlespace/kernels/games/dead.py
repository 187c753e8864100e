"""Which positions lead to a win: moves walked backward. What `links` is: `positions`."""

import numpy as np

from ..loop import loop
from .positions import NONE


@loop
def counted_links(links, first, end, offsets):
    """Count the moves that lead to each position: for number p in offsets[p + 1]."""
    for number in range(first, end):
        for each in range(links.shape[1]):
            if links[number, each] != NONE:
                offsets[links[number, each] + 1] += 1


@loop
def summed(offsets, first, end):
    """Make sums of the counts: the moves to p are those from offsets[p] to before offsets[p + 1]."""
    for number in range(max(first, 1), end):
        offsets[number] += offsets[number - 1]


@loop
def sorted_links(links, first, end, offsets, sources):
    """Write the source of each move beside the others to the same position.

    Afterwards offsets[p + 1] is where the moves to p begin.
    """
    for number in range(first, end):
        for each in range(links.shape[1]):
            there = links[number, each]
            if there != NONE:
                offsets[there + 1] -= 1
                sources[offsets[there + 1]] = number


@loop
def walked_back(offsets, sources, alive, waiting, state, most):
    """Mark the positions from which those that wait can be reached; return whether any waits.

    offsets  as `sorted_links` leaves them
    waiting  room for all positions; `state` has how many of them wait
    most     the positions that are taken up before this returns
    """
    total = state[0]
    for _ in range(most):
        if total == 0:
            break
        total -= 1
        number = waiting[total]
        end = offsets[number + 2] if number + 2 < len(offsets) else len(sources)
        for at in range(offsets[number + 1], end):
            before = sources[at]
            if not alive[before]:
                alive[before] = True
                waiting[total] = before
                total += 1
    state[0] = total
    return total > 0


@loop
def trapped(links, alive, first, end, traps):
    """Mark the dead positions to which a move leads from a position that is not dead."""
    for number in range(first, end):
        if alive[number]:
            for each in range(links.shape[1]):
                there = links[number, each]
                if there != NONE and not alive[there]:
                    traps[there] = True


@loop
def first_parents(links, first, end, parents):
    """Write from where each position was found: the first position with a move to it."""
    for number in range(first, end):
        for each in range(links.shape[1]):
            there = links[number, each]
            if there != NONE and parents[there] == NONE:
                parents[there] = np.int32(number)
