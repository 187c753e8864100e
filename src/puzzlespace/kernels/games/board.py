"""The board of a turn, the boards to which it goes back, and what is in each row and column.

`work` is a tuple of arrays (`games.tables.TurnArrays`). The objects of a cell are some words, and so are its movements:
the words of a board stand cell by cell, and each has a *slot*. A *line* is a row (way 0) or a column (way 1). A *plane*
is an object, or a movement of a layer: `planes` has the cells of each line that have it, as bits, and `where` the
lines. On boards with more than 64 rows or columns a bit of `where` stands for several neighbouring lines. A line is
*touched* if it may differ from that of the parent, the position whose moves are made, or if it has movements. It is
*clean* for a bracket that does nothing there in the parent (`rules.matches`).

All functions are inlined, also those that are rarely called: arrays that are handed to a real call are loaded again
after it, and turns take up to half as long again.
"""

import numpy as np

from ..bits import lowest
from ..loop import inner

QUEUE, ANY_MARK, PASSED, TOUCHED, _, FRESH, _, ANY_MOVING, ANY_OBJECT, FRESH_OBJECTS, FRESH_MOVES = range(11)
"""Fields of the state of a turn: commands; whether there are marks of rigid groups; whether a checkpoint was passed in
the move; the touched rows, and after them the columns; the rows and columns that a rule changed (`rules.noticed`).
The others are for each word of a cell (`of_word`): the movements and the objects on the board; the objects and the
movements that a rule changed."""

STATE, PER_WORD = 7, 4
"""How many fields the state has, and for each word."""

OBJECT_BITS, MOVING_LAYERS = 64, 12
"""How many objects, and the movements of how many layers, are in a word."""

PARENT, HERE, RESTART, LATEST = range(4)
"""The boards that are saved: the position whose moves are made; what the turn began with if it is a later one; what
`restart` brings back in the parent; what it brings back if a checkpoint was passed in the move."""

HEIGHT, WIDTH, SHIFT, _, OBJECTS, WORDS, PLANES, LINES = range(8)
"""Fields of the shape of a board. The shift says for how many rows a bit stands, as a power of two, then for how many
columns. `OBJECTS` is the number of objects, `WORDS` that of the words of the cells of a line, `PLANES` that of planes,
`LINES` that of the lines of a way for which there is room."""

ONE, ZERO = np.uint64(1), np.uint64(0)


@inner
def words_of(kind):
    """Return how many words a cell has.

    kind  `words` of the tables: a tuple if there is one word, so that loops over it vanish when they are compiled
    """
    return np.uint64(len(kind))


@inner
def of_word(field, word):
    """Return where the state has a field of a word of cells."""
    return np.uint64(field) + np.uint64(PER_WORD) * np.uint64(word)


@inner
def slot_of(words, at, word):
    """Return the slot of a word of a cell."""
    return np.uint64(at) * words + np.uint64(word)


@inner
def layer_at(words, layer):
    """Return in which word the movements of a layer are, and how far they are shifted."""
    word = layer // MOVING_LAYERS if words > ONE else 0
    return word, np.uint64(5 * (layer - MOVING_LAYERS * word))


@inner
def lines_of(shape, way, bit):
    """Return the first and the end of the lines for which a bit stands."""
    shift = shape[SHIFT + way]
    return bit << shift, min(shape[HEIGHT + way], (bit + 1) << shift)


@inner
def slots_of(shape, words, bit):
    """Return the first and the end of the slots of the columns for which a bit stands."""
    first, end = lines_of(shape, 1, bit)
    return np.uint64(first * shape[HEIGHT]) * words, np.uint64(end * shape[HEIGHT]) * words


@inner
def line_at(shape, way, line):
    """Return where the planes of a line begin: each has its words."""
    return np.uint64((way * shape[LINES] + line) * shape[PLANES] * shape[WORDS])


@inner
def flipped_line(planes, where, shape, way, line, cell, plane):
    """Flip a cell of a line in a plane."""
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
def flipped_far(planes, where, state, shape, x, y, bits, first, kind):
    """Flip objects or movements of a word of a cell if lines have more than one word of cells."""
    while bits != ZERO:
        plane, one = first + lowest(bits), bits & (~bits + ONE)
        bits &= bits - ONE
        flipped_line(planes, where, shape, 0, y, x, plane)
        flipped_line(planes, where, shape, 1, x, y, plane)
        state[kind] = state[kind] | one if where[plane] != ZERO else state[kind] & ~one


@inner
def flipped(work, shape, at, bits, first, kind):
    """Flip objects or movements of a word of a cell.

    first, kind  the plane of the first bit of the word, and the field of the state that has all bits on the board
    """
    planes, where, state, x = work[9], work[10], work[5], np.int64(work[14][at])
    y = np.int64(at) - x * shape[HEIGHT]
    if shape[WORDS] > 1:
        flipped_far(planes, where, state, shape, x, y, bits, first, kind)
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
def put(work, shape, at, word, objects):
    """Change a word of the objects of a cell."""
    cells, slot = work[0], slot_of(words_of(work[18]), at, word)
    flipped(work, shape, at, cells[slot] ^ objects, OBJECT_BITS * np.int64(word), of_word(ANY_OBJECT, word))
    cells[slot] = objects


@inner
def put_moves(work, shape, at, word, moves):
    """Change a word of the movements of a cell."""
    moving, slot = work[1], slot_of(words_of(work[18]), at, word)
    first = shape[OBJECTS] + 5 * MOVING_LAYERS * np.int64(word)
    flipped(work, shape, at, moving[slot] ^ moves, first, of_word(ANY_MOVING, word))
    moving[slot] = moves


@inner
def any_moving(work):
    """Return whether there are movements on the board."""
    state, found = work[5], ZERO
    for word in range(words_of(work[18])):
        found |= state[of_word(ANY_MOVING, word)]
    return found != ZERO


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
    words, left = words_of(work[18]), state[TOUCHED + 1]
    while left != ZERO:
        first, end = slots_of(shape, words, lowest(left))
        left &= left - ONE
        for slot in range(first, end):
            if cells[slot] != saved_cells[level, slot]:
                put(work, shape, slot // words, slot % words, saved_cells[level, slot])
    state[TOUCHED], state[TOUCHED + 1] = saved_touched[level, 0], saved_touched[level, 1]
    state[QUEUE] = ZERO


@inner
def saved(work, level):
    """Save the board, which has no movements."""
    cells, state, saved_cells, saved_touched = work[0], work[5], work[11], work[12]
    for slot in range(np.uint64(len(cells))):
        saved_cells[level, slot] = cells[slot]
    saved_touched[level, 0], saved_touched[level, 1] = state[TOUCHED], state[TOUCHED + 1]


@inner
def stilled(work, shape):
    """Take all movements and marks of rigid groups away."""
    moving, marks, state = work[1], work[2], work[5]
    words, left = words_of(work[18]), state[TOUCHED + 1]
    while left != ZERO:
        first, end = slots_of(shape, words, lowest(left))
        left &= left - ONE
        for slot in range(first, end):
            if moving[slot] != ZERO:
                put_moves(work, shape, slot // words, slot % words, ZERO)
            marks[slot] = ZERO
    state[ANY_MARK] = ZERO


@inner
def differs(work, shape, level):
    """Return whether the board differs from a saved one."""
    cells, state, saved_cells = work[0], work[5], work[11]
    words, left, found = words_of(work[18]), state[TOUCHED + 1], ZERO
    while left != ZERO:
        first, end = slots_of(shape, words, lowest(left))
        left &= left - ONE
        for slot in range(first, end):
            found |= cells[slot] ^ saved_cells[level, slot]
    return found != ZERO


@inner
def restarted(work, shape):
    """Bring the board of the last checkpoint back, or that of the beginning of the level."""
    cells, state, saved_cells, words = work[0], work[5], work[11], words_of(work[18])
    level = LATEST if state[PASSED] != ZERO else RESTART
    for slot in range(np.uint64(len(cells))):
        if cells[slot] != saved_cells[level, slot]:
            put(work, shape, slot // words, slot % words, saved_cells[level, slot])
            touched(work, shape, slot // words)
    state[QUEUE] = ZERO


@inner
def reset(work, shape):
    """Forget all boards: the next parent is loaded as a whole."""
    cells, moving, marks, state = work[0], work[1], work[2], work[5]
    planes, where, saved_cells, clean = work[9], work[10], work[11], work[13]
    for slot in range(np.uint64(len(cells))):
        cells[slot] = moving[slot] = marks[slot] = saved_cells[PARENT, slot] = ZERO
    state[:] = ZERO
    planes[:] = ZERO
    where[:] = ZERO
    for bracket in range(len(clean)):
        clean[bracket] = ZERO


@inner
def loaded(work, shape, ways, looks, board):
    """Load a board as the parent, and behind it the one that `restart` brings back, unless this is always the same."""
    cells, saved_cells = work[0], work[11]
    size = np.uint64(len(cells))
    restored(work, shape, PARENT)
    for slot in range(size):
        if board[slot] != cells[slot]:
            changed_parent(work, shape, slot, board[slot])
    for slot in range(size, np.uint64(len(board))):
        saved_cells[RESTART, slot - size] = board[slot]
    became_parent(work, ways, looks)


@inner
def changed_parent(work, shape, slot, objects):
    """Change a word of the parent, which is on the board."""
    cells, state, words = work[0], work[5], words_of(work[18])
    at, word = slot // words, slot % words
    state[of_word(FRESH_OBJECTS, word)] |= cells[slot] ^ objects
    put(work, shape, at, word, objects)
    touched(work, shape, at)
    work[11][PARENT, slot] = objects


@inner
def became_parent(work, ways, looks):
    """Make the board the parent. Clean lines stay so if nothing changed there that the bracket looks at.

    ways, looks  the way of the lines in which each bracket lies; the objects and the movements that it looks at
    """
    state, clean, words = work[5], work[13], words_of(work[18])
    rows, columns = state[TOUCHED], state[TOUCHED + 1]
    for word in range(words):
        objects = state[of_word(FRESH_OBJECTS, word)]
        for bracket in range(np.uint64(len(clean))):
            if looks[slot_of(words, bracket, word), 0] & objects != ZERO:
                clean[bracket] &= ~(columns if ways[bracket] else rows)
        state[of_word(FRESH_OBJECTS, word)] = ZERO
    state[TOUCHED] = state[TOUCHED + 1] = ZERO
