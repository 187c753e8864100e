"""Kernels that search packings of pieces that stay in their lines, such as cars: docs/methods/packings.md.

A *filling* of a line is the order of the pieces in it; a filling has one or more *ways* to lie. The pieces of rows lie
across, those of columns upright. A *head* is one way for each row. Beside a head every column has some free ways,
whatever lies in the other columns. The *slot* of a packing is a number in mixed radix: its head and the way of each
column. Slots of ways that are not free stay empty; they are bits, so this costs little, and a move changes one digit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..loop import inner, loop

LEVEL, PHASE, GROUP, TOTAL, BOX, FOUND, LAYER, AT, END, WRITTEN, LAYERS, BUDGET, MADE, DONE = range(14)
"""The state of a search: columns that have a filling, and what is done now. Of the group its multiset, its packings,
the slots of each head, packings that meet a goal, where the layer begins, the packing to expand, where the layer ends,
packings reached, layers. Moves left until a pause, moves made, packings of finished groups."""

NEXT, BEGIN, SEARCH = range(3)
"""Phases: find the next group, find its goals, search it."""

FINISHED, PAUSED, FULL = range(3)
"""What `search` returns: all groups are searched, the budget is used up, the next group needs more room."""

PACKINGS, GOALS, SOLVABLE, DEPTH, HARDEST, JOB, HEAD, WAYS, FILLS = range(9)
"""The result for a multiset of pieces: numbers of packings; the greatest depth and how many packings have it; the
hardest start: job, head, ways of the columns, and from FILLS on the filling of each column."""


class LineTables(NamedTuple):
    """The fillings of the lines of a board. Sets of cells of the board are words of bits; those of a line, too.

    free    uint8 [tables, sets]: how many ways avoid a set of cells of the line
    which   uint64 [tables, sets]: these ways, as bits
    first   int32 [tables * sets * ways + 1]: the first move of each way beside each set
    to      uint8 [moves]: the way after the move
    table   int64 [fillings]: the table of a filling; fillings with the same ways and moves have the same table
    ways    int64 [fillings]: how many ways there are
    cells   uint64 [fillings, ways]: the cells of the board that a way covers
    shows   uint64 [targets, fillings]: the ways that a target allows, as bits
    code    int64 [fillings]: the code of its pieces; the code of a multiset is the sum
    pieces  int64 [fillings, rows of `pieces:` + 1]: how many pieces of each row of `pieces:` it has, and their cells
    begin   int64 [lines + 1]: the first filling of each row of the board, then of each column
    most    int64 [rows of `pieces:` + 1]: the most pieces of each, and cells
    must    uint64 [targets]: the cells that a target wants to be covered
    flags   int64 [5]: rows of the board, columns, sets of a line, ways, bits of a way
    """

    free: np.ndarray
    which: np.ndarray
    first: np.ndarray
    to: np.ndarray
    table: np.ndarray
    ways: np.ndarray
    cells: np.ndarray
    shows: np.ndarray
    code: np.ndarray
    pieces: np.ndarray
    begin: np.ndarray
    most: np.ndarray
    must: np.ndarray
    flags: np.ndarray


class LineScratch(NamedTuple):
    """Working memory for the groups of one job, which is a filling for each row.

    fills   int64 [rows]: the job
    stride  int64 [rows]: what one way more in a row adds to the number of the head
    choice  int64 [columns + 1]: the filling of each column, -1 before the first
    used    int64 [columns + 1, rows of `pieces:` + 2]: pieces, cells and code before each column
    sets    uint16 [heads, columns]: the cells of each column that a head covers
    lists   int32 [columns + 1, heads]: the heads beside which the columns so far can be filled
    length  int64 [columns + 1]
    head    int32 [heads]: of each head of a group its number; `at`: for each number the head of the group
    lie     uint8 [heads, rows]: its ways
    base    int32 [heads, columns]: where its ways begin in `first`
    step    int64 [columns]: what one way more in a column adds to the slot
    way     int64 [columns]: the ways of the columns of one packing
    """

    fills: np.ndarray
    stride: np.ndarray
    choice: np.ndarray
    used: np.ndarray
    sets: np.ndarray
    lists: np.ndarray
    length: np.ndarray
    head: np.ndarray
    at: np.ndarray
    lie: np.ndarray
    base: np.ndarray
    step: np.ndarray
    way: np.ndarray


@loop
def begin(lines, work, state):
    """Prepare the search of the groups of a job: list its heads."""
    rows, columns = lines.flags[0], lines.flags[1]
    heads = 1
    for row in range(rows):
        work.stride[row] = heads
        heads *= lines.ways[work.fills[row]]
    used = work.used[0]
    for number in range(len(used)):
        used[number] = 0
    for row in range(rows):
        _add(lines, used, used, work.fills[row])
    for head in range(heads):
        for column in range(columns):
            work.sets[head, column] = 0
        for row in range(rows):
            fill = work.fills[row]
            covered = lines.cells[fill, head // work.stride[row] % lines.ways[fill]] >> np.uint64(row * columns)
            for column in range(columns):
                work.sets[head, column] |= np.uint16((covered >> np.uint64(column) & np.uint64(1)) << np.uint64(row))
        work.lists[0, head] = head
    work.length[0] = heads
    work.choice[0] = -1
    state[LEVEL] = 0
    state[PHASE] = NEXT


@inner
def _add(lines, before, after, fill):
    """Write to `after` the pieces, cells and code of `before` and a filling; return whether they are not too many."""
    last = lines.pieces.shape[1]
    fits = True
    for row in range(last):
        after[row] = before[row] + lines.pieces[fill, row]
        fits &= after[row] <= lines.most[row]
    after[last] = before[last] + lines.code[fill]
    return fits


@inner
def _next(lines, work, groups, state):
    """Choose fillings until all columns have one; return whether there was a next group."""
    rows, columns = lines.flags[0], lines.flags[1]
    level = state[LEVEL]
    while level >= 0:
        if level == columns:
            level -= 1
            continue
        work.choice[level] += 1
        fill = lines.begin[rows + level] + work.choice[level]
        if fill == lines.begin[rows + level + 1]:
            level -= 1
            continue
        if not _add(lines, work.used[level], work.used[level + 1], fill):
            continue
        free = lines.free[lines.table[fill]]
        here, after = work.lists[level], work.lists[level + 1]
        kept = 0
        for number in range(work.length[level]):
            head = here[number]
            if free[work.sets[head, level]]:
                after[kept] = head
                kept += 1
        state[BUDGET] -= work.length[level] >> 3
        if kept == 0:
            continue
        level += 1
        work.length[level] = kept
        if level < columns:
            work.choice[level] = -1
        else:
            state[GROUP] = groups[work.used[level, lines.pieces.shape[1]]]
            if state[GROUP] >= 0:
                break
        if state[BUDGET] < 0:
            break
    state[LEVEL] = level
    return level == columns and state[GROUP] >= 0


@inner
def _measure(lines, work, state):
    """Count the packings of a group and the slots of its heads."""
    rows, columns, sets, ways = lines.flags[0], lines.flags[1], lines.flags[2], lines.flags[3]
    box = 1
    for column in range(columns):
        work.step[column] = box
        box *= lines.ways[lines.begin[rows + column] + work.choice[column]]
    total = 0
    for number in range(work.length[columns]):
        head = work.lists[columns, number]
        work.head[number] = head
        work.at[head] = number
        for row in range(rows):
            work.lie[number, row] = head // work.stride[row] % lines.ways[work.fills[row]]
        product = 1
        for column in range(columns):
            table = lines.table[lines.begin[rows + column] + work.choice[column]]
            covered = np.int64(work.sets[head, column])
            work.base[number, column] = (table * sets + covered) * ways
            product *= lines.free[table, covered]
        total += product
    state[TOTAL], state[BOX] = total, box


@inner
def _new(seen, slot):
    """Mark a slot; return whether it was not marked."""
    bit = np.uint64(1) << np.uint64(slot & 63)
    word = seen[slot >> 6]
    seen[slot >> 6] = word | bit
    return not word & bit


@inner
def _goals(lines, work, seen, queue, state):
    """Write the packings that show a target to the queue; return how many there are."""
    rows, columns, bits = lines.flags[0], lines.flags[1], np.uint64(lines.flags[4])
    written = 0
    for target in range(len(lines.must)):
        for head in range(work.length[columns]):
            covered = np.uint64(0)
            good = True
            for row in range(rows):
                fill, way = work.fills[row], work.lie[head, row]
                covered |= lines.cells[fill, way]
                if not lines.shows[target, fill] >> np.uint64(way) & np.uint64(1):
                    good = False
                    break
            if not good:
                continue
            column = 0
            work.way[0] = -1
            while column >= 0:
                work.way[column] += 1
                way = work.way[column]
                fill = lines.begin[rows + column] + work.choice[column]
                if way == lines.ways[fill]:
                    column -= 1
                    continue
                free = lines.which[lines.table[fill], work.sets[work.head[head], column]]
                if not free & lines.shows[target, fill] & np.uint64(1) << np.uint64(way):
                    continue
                if column + 1 < columns:
                    column += 1
                    work.way[column] = -1
                    continue
                slot, all_covered, code = head * state[BOX], covered, np.uint64(head) << bits * np.uint64(columns)
                for each in range(columns):
                    way = work.way[each]
                    slot += work.step[each] * way
                    all_covered |= lines.cells[lines.begin[rows + each] + work.choice[each], way]
                    code |= np.uint64(way) << bits * np.uint64(each)
                if lines.must[target] & ~all_covered == 0 and _new(seen, slot):
                    queue[written] = code
                    written += 1
    return written


@inner
def _spread(lines, work, seen, queue, state):
    """Expand packings in the order of the queue; return whether all are expanded."""
    rows, columns, box = lines.flags[0], lines.flags[1], state[BOX]
    bits = np.uint64(lines.flags[4])
    low = (np.uint64(1) << bits) - np.uint64(1)
    above = bits * np.uint64(columns)
    line = (np.uint64(1) << np.uint64(columns)) - np.uint64(1)
    at, end, written, made = state[AT], state[END], state[WRITTEN], 0
    while at < written and made < state[BUDGET]:
        if at == end:
            end = written
            state[LAYER] = at
            state[LAYERS] += 1
        code = queue[at]
        at += 1
        head = np.int64(code >> above)
        part, covered = 0, np.uint64(0)  # the slot without the head, and what the columns cover
        for column in range(columns):
            way = np.int64(code >> bits * np.uint64(column) & low)
            covered |= lines.cells[lines.begin[rows + column] + work.choice[column], way]
            part += work.step[column] * way
        for column in range(columns):
            shift = bits * np.uint64(column)
            way = np.int64(code >> shift & low)
            place = work.base[head, column] + way
            for move in range(lines.first[place], lines.first[place + 1]):
                made += 1
                after = np.int64(lines.to[move])
                if _new(seen, head * box + part + work.step[column] * (after - way)):
                    queue[written] = code & ~(low << shift) | np.uint64(after) << shift
                    written += 1
        for row in range(rows):
            way = np.int64(work.lie[head, row])
            blocked = np.int64(covered >> np.uint64(row * columns) & line)
            place = (lines.table[work.fills[row]] * lines.flags[2] + blocked) * lines.flags[3] + way
            for move in range(lines.first[place], lines.first[place + 1]):
                made += 1
                other = np.int64(work.at[work.head[head] + (np.int64(lines.to[move]) - way) * work.stride[row]])
                if _new(seen, other * box + part):
                    queue[written] = code & ((np.uint64(1) << above) - np.uint64(1)) | np.uint64(other) << above
                    written += 1
    state[AT], state[END], state[WRITTEN] = at, end, written
    state[MADE] += made
    state[BUDGET] -= made
    return at == written


@inner
def _record(lines, work, queue, job, result, state):
    """Add a searched group to the result of its multiset."""
    columns = lines.flags[1]
    first, written, depth = state[LAYER], state[WRITTEN], state[LAYERS] - 1
    result[PACKINGS] += state[TOTAL]
    result[GOALS] += state[FOUND]
    result[SOLVABLE] += written
    state[DONE] += state[TOTAL]
    if depth > result[DEPTH]:
        shift = np.uint64(lines.flags[4] * columns)
        result[DEPTH] = depth
        result[HARDEST] = 0
        result[JOB] = job
        result[HEAD] = work.head[queue[first] >> shift]
        result[WAYS] = np.int64(queue[first] & ((np.uint64(1) << shift) - np.uint64(1)))
        for column in range(columns):
            result[FILLS + column] = work.choice[column]
    if depth == result[DEPTH]:
        result[HARDEST] += written - first


@loop
def search(lines, work, groups, job, seen, queue, results, state):
    """Search the groups of a job, one after the other, from all goal packings.

    groups   int32 [codes]: the number of the multiset with each code, -1 if it is not asked for
    seen     uint64 [room for slots / 64]: whether each slot was reached, as bits
    queue    uint64 [room for packings]: packings as head and ways of columns
    results  int64 [multisets, FILLS + columns]
    Returns FINISHED, PAUSED or FULL.
    """
    while True:
        if state[PHASE] == NEXT:
            if state[BUDGET] < 0:
                return PAUSED
            if not _next(lines, work, groups, state):
                if state[LEVEL] < 0:
                    return FINISHED
                continue
            _measure(lines, work, state)
            state[PHASE] = BEGIN
        result = results[state[GROUP]]
        if state[PHASE] == BEGIN:
            words = (work.length[lines.flags[1]] * state[BOX] + 63) >> 6
            if state[TOTAL] > len(queue) or words > len(seen):
                return FULL
            for word in range(words):
                seen[word] = 0
            goals = _goals(lines, work, seen, queue, state)
            state[BUDGET] -= words
            state[FOUND], state[LAYER], state[AT], state[END], state[WRITTEN] = goals, 0, 0, goals, goals
            state[LAYERS] = goals > 0
            state[PHASE] = SEARCH
        if not _spread(lines, work, seen, queue, state):
            return PAUSED
        _record(lines, work, queue, job, result, state)
        state[PHASE] = NEXT
