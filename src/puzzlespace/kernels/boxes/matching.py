"""The minimum cost of matching boxes and goals, with dual values, by augmenting paths (Kuhn 1955; Munkres 1957)."""

from ..arrays import copy
from ..loop import helper, loop


@helper
def insert(cost, size, row, up, down, row_of, way, least, used):
    """Match a row to a column along a cheapest augmenting path (Kuhn 1955, Munkres 1957; O(n^2) for each row).

    up, down  dual values of rows and columns, cost[i, j] >= up[i] + down[j]
    row_of    the row of each column, -1 for none; it has one more place
    """
    column = size
    row_of[size], down[size] = row, 0
    for j in range(size + 1):
        least[j], used[j] = 1 << 30, False
    while True:
        used[column] = True
        here = row_of[column]
        step, following = 1 << 30, -1
        for j in range(size):
            if not used[j]:
                rest = cost[here, j] - up[here] - down[j]
                if rest < least[j]:
                    least[j], way[j] = rest, column
                if least[j] < step:
                    step, following = least[j], j
        for j in range(size + 1):
            if used[j]:
                up[row_of[j]] += step
                down[j] -= step
            else:
                least[j] -= step
        column = following
        if row_of[column] < 0:
            break
    while column != size:
        before = way[column]
        row_of[column] = row_of[before]
        column = before


@loop
def matched(cost, size, up, down, row_of, way, least, used):
    """Match all rows; return the cost."""
    up[:size] = 0
    down[:size] = 0
    row_of[:size] = -1
    for row in range(size):
        insert(cost, size, row, up, down, row_of, way, least, used)
    total = 0
    for j in range(size):
        total += cost[row_of[j], j]
    return total


@helper
def rest_after(row, dist, cost, count, matching, other, way, least, used):
    """Return the cost of a cheapest matching if the costs of one row become those of `dist`.

    cost      int32 [rows + 1, columns]: the costs of all rows, the same afterwards; the last row is work space
    matching  (up, down, row_of) for these costs; `other` is work space of the same shape
    """
    up, down, row_of = other
    copy(up, matching[0])
    copy(down, matching[1])
    copy(row_of, matching[2])
    kept = cost[count]
    copy(kept, cost[row])
    low = 1 << 30
    for j in range(count):
        if j < len(dist):
            cost[row, j] = dist[j]
        low = min(low, cost[row, j] - down[j])
        if row_of[j] == row:
            row_of[j] = -1
    up[row] = low
    insert(cost, count, row, up, down, row_of, way, least, used)
    rest = 0
    for j in range(count):
        rest += cost[row_of[j], j]
    copy(cost[row], kept)
    return rest
