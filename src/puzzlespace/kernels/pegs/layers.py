"""Kernels on layers of peg positions, one word each; of each symmetry class only the least position is kept.

A layer is `keys` with `values` [n, 2]. The `task` says what the values are:

    SET     no values (length 0)
    COUNT   the number of paths to all positions of the class: low and high word
    CHAIN   the fewest moves to the position, and the cells where the peg that jumped last can be after so few moves

Paths are counted for the whole class, so that jumps between two classes may be counted from either side: the jumps from
one position into a class, times the size of its own class, are all jumps between the two classes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..bits import lowest
from ..loop import helper, loop
from ..prefetch import prefetch

SET, COUNT, CHAIN = 0, 1, 2

DONE, FULL, OVERFLOW = 0, 1, 2
"""How a loop ended: DONE; FULL if the next layer has no more room; OVERFLOW if a number of paths reaches 2^128."""


class PegBoard(NamedTuple):
    """Jumps and symmetries as arrays. A place is a cell's bit; positions are looked up in chunks of 11 bits.

    ready           uint64 [chunks, 2048, n]: the jumps, 64 in a word, that this chunk of a position allows
    mask            uint64 [jumps]: the bits that a jump flips
    origin, target  int64 [jumps]: the place of the jumping peg, before and after
    images          uint64 [chunks, 2048, symmetries]: the image of a chunk under each symmetry; the identity first
    places          int64 [symmetries, bits]: the image of a place
    """

    ready: np.ndarray
    mask: np.ndarray
    origin: np.ndarray
    target: np.ndarray
    images: np.ndarray
    places: np.ndarray


class PegBatch(NamedTuple):
    """Children that are looked up together, so that their memory accesses overlap.

    images  uint64 [symmetries]: working memory
    keys    uint64 [room]: least images of the children
    marks   uint64 [room]: the possible places of the peg that jumped last, one bit each
    rows    int64 [room]: the row of the parent
    jumps   int64 [room]: the jump
    """

    images: np.ndarray
    keys: np.ndarray
    marks: np.ndarray
    rows: np.ndarray
    jumps: np.ndarray


class Next(NamedTuple):
    """The next layer: a hash table with open addressing, and its keys in the order of discovery.

    slots   int32 [a power of two]: the number of a key, or -1
    keys    uint64 [room]
    values  uint64 [room, 2], or [0, 2]
    state   int64 [3]: number of keys, task, number of jumps made
    """

    slots: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    state: np.ndarray


@helper
def find_images(images, word, out):
    """Write the image of a position under each symmetry."""
    content = np.int64(word & np.uint64(2047))
    for symmetry in range(len(out)):
        out[symmetry] = images[0, content, symmetry]
    for chunk in range(1, images.shape[0]):
        content = np.int64(word >> np.uint64(11 * chunk) & np.uint64(2047))
        for symmetry in range(len(out)):
            out[symmetry] |= images[chunk, content, symmetry]


@helper
def least_image(board, word, place, out):
    """Return the least image of a position, and as a mask the images of a place under the symmetries that give it."""
    find_images(board.images, word, out)
    best = out[0]
    for symmetry in range(1, len(out)):
        best = min(best, out[symmetry])
    marks = np.uint64(0)
    for symmetry in range(len(out)):
        marks |= np.uint64(out[symmetry] == best) << np.uint64(board.places[symmetry, place])
    return best, marks


@helper
def first_slot(key, mask):
    """Return the home slot of a key."""
    mixed = (key ^ (key >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(24)) & mask


@helper
def slot_of(slots, keys, key):
    """Return the slot that holds the key, or the free slot for it."""
    mask = len(slots) - 1
    slot = first_slot(key, mask)
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & mask
    return slot


@helper
def enter(following, key):
    """Return the number of a key in the next layer, adding it if it is new; -1 if there is no room."""
    slots, keys, values, state = following
    slot = slot_of(slots, keys, key)
    if slots[slot] >= 0:
        return slots[slot]
    number = state[0]
    if number == len(keys):
        return -1
    slots[slot] = number
    keys[number] = key
    if state[1] != SET:
        values[number, 0] = np.uint64(0xFFFFFFFFFFFFFFFF) if state[1] == CHAIN else np.uint64(0)
        values[number, 1] = np.uint64(0)
    state[0] = number + 1
    return number


@helper
def add_ways(values, number, low, high):
    """Add to a number of paths; return whether it overflows 128 bits."""
    before = values[number, 0]
    values[number, 0] = before + low
    carry = np.uint64(1) if values[number, 0] < before else np.uint64(0)
    old = values[number, 1]
    values[number, 1] = old + high + carry
    return values[number, 1] < old or (high == np.uint64(0xFFFFFFFFFFFFFFFF) and carry > 0)


@helper
def better_chain(values, number, moves, marks):
    """Record that a position takes `moves` moves if the last jump ends at one of `marks`; fewer moves replace more."""
    if moves < values[number, 0]:
        values[number, 0] = moves
        values[number, 1] = marks
    elif moves == values[number, 0]:
        values[number, 1] |= marks


@helper
def sieved(sieve, free, word):
    """Return 1 if the sieve, a set of bits, is empty or contains the position, else 0.

    free  the mask of the free cells, whose bits are the index
    """
    if len(sieve) == 0:
        return np.int64(1)
    index = word & free
    return np.int64(sieve[np.int64(index >> np.uint64(6))] >> (index & np.uint64(63)) & np.uint64(1))


@helper
def able_of(ready, word, group):
    """Return the jumps of a group of 64 that a position allows, one bit each."""
    able = ready[0, np.int64(word & np.uint64(2047)), group]
    for chunk in range(1, ready.shape[0]):
        able &= ready[chunk, np.int64(word >> np.uint64(11 * chunk) & np.uint64(2047)), group]
    return able


@helper
def gather(board, keys, row, sieve, batch):
    """Fill the batch with children of keys[row] and the following keys; return (row to continue with, number).

    sieve  (words, free), see `sieved`
    """
    words, free = sieve
    number = 0
    room = len(batch.keys) - len(board.mask)
    while row < len(keys) and number <= room:
        for group in range(board.ready.shape[2]):
            able = able_of(board.ready, keys[row], group)
            while able:
                jump = 64 * group + lowest(able)
                able &= able - np.uint64(1)
                word = keys[row] ^ board.mask[jump]
                batch.keys[number] = word
                batch.rows[number] = row
                batch.jumps[number] = jump
                number += sieved(words, free, word)
        row += 1
    for place in range(number):
        found = least_image(board, batch.keys[place], board.target[batch.jumps[place]], batch.images)
        batch.keys[place], batch.marks[place] = found
    return row, number


@helper
def prefetch_slots(following, batch, held):
    """Prefetch the slots, keys and values where the batch will be looked up."""
    slots, keys, values, _ = following
    mask = len(slots) - 1
    for place in range(held):
        prefetch(slots, first_slot(batch.keys[place], mask))
    for place in range(held):
        number = np.int64(slots[first_slot(batch.keys[place], mask)])
        if number >= 0:
            prefetch(keys, number)
            if len(values) > 0:
                prefetch(values.reshape(-1), 2 * number)


@loop
def push(board, layer, following, sieve, batch):
    """Propagate a layer (keys, values) along all jumps to positions in the sieve; return DONE, FULL or OVERFLOW."""
    keys, values = layer
    task = following.state[1]
    row = np.int64(0)
    while row < len(keys):
        row, held = gather(board, keys, row, sieve, batch)
        following.state[2] += held
        prefetch_slots(following, batch, held)
        for place in range(held):
            number = enter(following, batch.keys[place])
            if number < 0:
                return FULL
            if task == SET:
                continue
            parent = batch.rows[place]
            if task == COUNT:
                if add_ways(following.values, number, values[parent, 0], values[parent, 1]):
                    return OVERFLOW
            else:
                origin = np.uint64(board.origin[batch.jumps[place]])
                goes_on = values[parent, 1] >> origin & np.uint64(1)
                better_chain(following.values, number, values[parent, 0] + np.uint64(1) - goes_on, batch.marks[place])
    return DONE


@loop
def class_sizes(images, keys, scratch, out):
    """Write the number of different images of each key to `out`.

    scratch  uint64 [symmetries], working memory
    """
    for row in range(len(keys)):
        find_images(images, keys[row], scratch)
        same = np.int64(0)
        for image in scratch:
            same += image == keys[row]
        out[row] = len(scratch) // same


@loop
def all_images(images, keys, out):
    """Write the images of each key to its row of `out`."""
    for row in range(len(keys)):
        find_images(images, keys[row], out[row])
