"""The board of a turn, the boards to which it goes back, and what is in each row and column.

`work` is a tuple of arrays (`games.tables.TurnArrays`). A *line* is a row (way 0) or a column (way 1). A *plane* is an
object, or a movement of a layer: `planes` has the cells of each line that have it, as bits, and `where` the lines. On
boards with more than 64 rows or columns a bit of `where` stands for several neighbouring lines. A line is *touched* if
it may differ from that of the parent, the position whose moves are made, or if it has movements. It is *clean* for a
bracket that does nothing there in the parent (`rules.matches`).
"""

import numpy as np

from ..bits import lowest
from ..loop import inner

QUEUE, ANY_MOVING, ANY_OBJECT, ANY_MARK, TOUCHED, _, FRESH, _, FRESH_OBJECTS, FRESH_MOVES = range(10)
"""Fields of the state of a turn: commands; the movements and the objects on the board; whether there are marks of rigid
groups; the touched rows, and after them the columns; the rows and columns, the objects and the movements that a rule
changed (`rules.noticed`)."""

PARENT, HERE = range(2)
"""The boards that are saved: the position whose moves are made, and what the turn began with if it is a later one."""

HEIGHT, WIDTH, SHIFT, _, OBJECTS, WORDS, PLANES, LINES = range(8)
"""Fields of the shape of a board. The shift says for how many rows a bit stands, as a power of two, then for how many
columns. `OBJECTS` is the number of objects, `WORDS` that of the words of the cells of a line, `PLANES` that of planes,
`LINES` that of the lines of a way for which there is room."""

ONE, ZERO = np.uint64(1), np.uint64(0)


@inner
def lines_of(shape, way, bit):
    """Return the first and the end of the lines for which a bit stands."""
    shift = shape[SHIFT + way]
    return bit << shift, min(shape[HEIGHT + way], (bit + 1) << shift)


@inner
def line_at(shape, way, line):
    """Return where the planes of a line begin: each has its words."""
    return np.uint64((way * shape[LINES] + line) * shape[PLANES] * shape[WORDS])


@inner
def flipped_line(work, shape, way, line, cell, plane):
    """Flip a cell of a line in a plane."""
    planes, where = work[9], work[10]
    words = shape[WORDS]
    planes[line_at(shape, way, line) + np.uint64(plane * words + (cell >> 6))] ^= ONE << np.uint64(cell & 63)
    bit = line >> shape[SHIFT + way]
    first, end = lines_of(shape, way, bit)
    found = ZERO
    for each in range(first, end):
        for word in range(words):
            found |= planes[line_at(shape, way, each) + np.uint64(plane * words + word)]
    one, at = ONE << np.uint64(bit), way * shape[PLANES] + plane
    where[at] = where[at] | one if found != ZERO else where[at] & ~one


@inner
def flipped(work, shape, at, bits, first, kind):
    """Flip objects or movements of a cell.

    first, kind  0 and ANY_OBJECT, or shape[OBJECTS] and ANY_MOVING
    """
    planes, where, state, x = work[9], work[10], work[5], np.int64(work[14][at])
    y = np.int64(at) - x * shape[HEIGHT]
    if shape[WORDS] > 1:
        while bits != ZERO:
            plane, one = first + lowest(bits), bits & (~bits + ONE)
            bits &= bits - ONE
            flipped_line(work, shape, 0, y, x, plane)
            flipped_line(work, shape, 1, x, y, plane)
            state[kind] = state[kind] | one if where[plane] != ZERO else state[kind] & ~one
        return
    in_row, in_column = ONE << np.uint64(x), ONE << np.uint64(y)  # the bit of the cell in a line is that of the other
    row, column, further = line_at(shape, 0, y), line_at(shape, 1, x), np.uint64(shape[PLANES])
    while bits != ZERO:
        number = np.uint64(first + lowest(bits))
        one = bits & (~bits + ONE)
        bits &= bits - ONE
        there = planes[row + number] ^ in_row
        planes[row + number] = there
        rows = where[number] | in_column if there != ZERO else where[number] & ~in_column
        where[number] = rows
        there = planes[column + number] ^ in_column
        planes[column + number] = there
        number += further
        where[number] = where[number] | in_row if there != ZERO else where[number] & ~in_row
        state[kind] = state[kind] | one if rows != ZERO else state[kind] & ~one


@inner
def put(work, shape, at, objects):
    """Change the objects of a cell."""
    cells = work[0]
    flipped(work, shape, at, cells[at] ^ objects, 0, ANY_OBJECT)
    cells[at] = objects


@inner
def put_moves(work, shape, at, moves):
    """Change the movements of a cell."""
    moving = work[1]
    flipped(work, shape, at, moving[at] ^ moves, shape[OBJECTS], ANY_MOVING)
    moving[at] = moves


@inner
def touched(work, shape, at):
    """Note that the lines of a cell are touched."""
    state, x = work[5], np.int64(work[14][at])
    y = np.int64(at) - x * shape[HEIGHT]
    state[TOUCHED] |= ONE << np.uint64(y >> shape[SHIFT])
    state[TOUCHED + 1] |= ONE << np.uint64(x >> shape[SHIFT + 1])


@inner
def restored(work, shape, level):
    """Go back to a saved board."""
    cells, state, saved_cells, saved_touched = work[0], work[5], work[11], work[12]
    height, left = shape[HEIGHT], state[TOUCHED + 1]
    while left != ZERO:
        first, end = lines_of(shape, 1, lowest(left))
        left &= left - ONE
        for at in range(np.uint64(first * height), np.uint64(end * height)):
            if cells[at] != saved_cells[level, at]:
                put(work, shape, at, saved_cells[level, at])
    state[TOUCHED], state[TOUCHED + 1] = saved_touched[level, 0], saved_touched[level, 1]
    state[QUEUE] = ZERO


@inner
def saved(work):
    """Save the board as HERE; it has no movements."""
    cells, state, saved_cells, saved_touched = work[0], work[5], work[11], work[12]
    for at in range(np.uint64(len(cells))):
        saved_cells[HERE, at] = cells[at]
    saved_touched[HERE, 0], saved_touched[HERE, 1] = state[TOUCHED], state[TOUCHED + 1]


@inner
def stilled(work, shape):
    """Take all movements and marks of rigid groups away."""
    moving, marks, state = work[1], work[2], work[5]
    height, left = shape[HEIGHT], state[TOUCHED + 1]
    while left != ZERO:
        first, end = lines_of(shape, 1, lowest(left))
        left &= left - ONE
        for at in range(np.uint64(first * height), np.uint64(end * height)):
            if moving[at] != ZERO:
                put_moves(work, shape, at, ZERO)
            marks[at] = ZERO
    state[ANY_MARK] = ZERO


@inner
def differs(work, shape, level):
    """Return whether the board differs from a saved one."""
    cells, state, saved_cells = work[0], work[5], work[11]
    height, left, found = shape[HEIGHT], state[TOUCHED + 1], ZERO
    while left != ZERO:
        first, end = lines_of(shape, 1, lowest(left))
        left &= left - ONE
        for at in range(np.uint64(first * height), np.uint64(end * height)):
            found |= cells[at] ^ saved_cells[level, at]
    return found != ZERO


@inner
def overwritten(work, shape, board):
    """Put another board in the place of this one."""
    cells = work[0]
    for at in range(np.uint64(len(cells))):
        if cells[at] != board[at]:
            put(work, shape, at, board[at])
            touched(work, shape, at)


@inner
def reset(work, shape):
    """Forget all boards: the next parent is loaded as a whole."""
    cells, moving, marks, state = work[0], work[1], work[2], work[5]
    planes, where, saved_cells, clean = work[9], work[10], work[11], work[13]
    for at in range(np.uint64(len(cells))):
        cells[at] = moving[at] = marks[at] = saved_cells[PARENT, at] = ZERO
    for way in range(2):
        state[TOUCHED + way] = ZERO
    planes[:] = ZERO
    where[:] = ZERO
    for bracket in range(len(clean)):
        clean[bracket] = ZERO
    state[ANY_MOVING] = state[ANY_OBJECT] = state[ANY_MARK] = ZERO


@inner
def loaded(work, shape, ways, looks, board):
    """Load a board as the parent."""
    cells = work[0]
    restored(work, shape, PARENT)
    objects = ZERO
    for at in range(np.uint64(len(cells))):
        if board[at] != cells[at]:
            objects |= board[at] ^ cells[at]
            changed_parent(work, shape, at, board[at])
    became_parent(work, ways, looks, objects)


@inner
def changed_parent(work, shape, at, objects):
    """Change the objects of a cell of the parent, which is on the board."""
    put(work, shape, at, objects)
    touched(work, shape, at)
    work[11][PARENT, at] = objects


@inner
def became_parent(work, ways, looks, objects):
    """Make the board the parent. Clean lines stay so if nothing changed there that the bracket looks at.

    ways, looks  the way of the lines in which each bracket lies; the objects and the movements that it looks at
    objects      those that changed in the touched lines
    """
    state, clean = work[5], work[13]
    rows, columns = state[TOUCHED], state[TOUCHED + 1]
    for bracket in range(np.uint64(len(clean))):
        if looks[bracket, 0] & objects != ZERO:
            clean[bracket] &= ~(columns if ways[bracket] else rows)
    state[TOUCHED] = state[TOUCHED + 1] = ZERO
