"""One turn of a game: the input, rules, movement, late rules, commands.

What `game` and `work` are: `rules`, `board`. The order of all is that of `games/turn.py`, the same in plain Python.
"""

import numpy as np

from ..bits import lowest
from ..loop import inlined, inner
from .board import (
    ANY_MARK,
    HEIGHT,
    HERE,
    LATEST,
    MOVING_LAYERS,
    OBJECT_BITS,
    ONE,
    PARENT,
    PASSED,
    PLANES,
    QUEUE,
    TOUCHED,
    WIDTH,
    ZERO,
    any_moving,
    differs,
    layer_at,
    lines_of,
    put,
    put_moves,
    restarted,
    restored,
    saved,
    slot_of,
    stilled,
    touched,
    words_of,
)
from .rules import AGAIN, ANY, CANCEL, CHECKPOINT, RESTARTING, WIN, listed

TRIES = 50

GROUPS, ALL_GROUPS, MUST_MOVE, STARTS, ALL_PLAYERS = range(5)
"""Fields of the numbers of a game: groups before the movement, and all; whether a player must move, whether rules run
when the level begins, whether a player is a cell with all objects of the player."""

INPUT, FOLLOWING, AFTER_RESTART, BEGINNING = range(4)
"""Kinds of turns: with an input; that follow by themselves, and so after a restart; with which the level begins
again."""

QUIET, WON, ON, ON_AFTER_RESTART, BEGINS, LONG, FULL = range(7)
"""How a turn ends: at rest, won, with a turn of another kind to follow; unknown: too many turns or matches follow."""


@inner
def moved(work, shape, masks, at, layer):
    """Move the objects of a layer one cell if that is empty; return whether their movement is done."""
    cells, moving, words = work[0], work[1], words_of(work[18])
    own, shift = layer_at(words, layer)
    slot = slot_of(words, at, own)
    way = moving[slot] >> shift & ANY
    if way != np.uint64(16):
        across = 1 if way == np.uint64(8) else -1 if way == np.uint64(4) else 0
        downward = 1 if way == np.uint64(2) else -1 if way == np.uint64(1) else 0
        x = work[14][at]
        y = at - x * shape[HEIGHT] + downward
        x += across
        if across == downward or x < 0 or y < 0 or x >= shape[WIDTH] or y >= shape[HEIGHT]:
            return False
        there = np.uint64(x * shape[HEIGHT] + y)
        for word in range(words):
            if cells[slot_of(words, there, word)] & masks[layer, word] != ZERO:
                return False
        touched(work, shape, there)
        for word in range(words):
            here, mask = cells[slot_of(words, at, word)], masks[layer, word]
            put(work, shape, there, word, cells[slot_of(words, there, word)] | here & mask)
            put(work, shape, np.uint64(at), word, here & ~mask)
    put_moves(work, shape, np.uint64(at), np.uint64(own), moving[slot] & ~(ANY << shift))
    return True


@inner
def moves_at(work, at):
    """Return whether a cell has movements."""
    moving, words, found = work[1], words_of(work[18]), ZERO
    for word in range(words):
        found |= moving[slot_of(words, at, word)]
    return found != ZERO


@inner
def failed_group(game, work, at):
    """Return the rigid group that marked a movement of a cell, of the first layer with such a one, or -1."""
    rigid, moving, marks, words = game[9], work[1], work[2], words_of(work[18])
    for layer in range(len(game[8])):
        word, shift = layer_at(words, layer)
        slot = slot_of(words, at, word)
        mark = marks[slot] >> shift & ANY
        if mark != ZERO and moving[slot] >> shift & ANY != ZERO:
            number = np.int64(mark) - 1
            return rigid[number] if number < len(rigid) else len(work[7]) - 1
    return -1


@inner
def movement(game, work, shape):
    """Move what can move, until nothing more does; return whether a further rigid group failed."""
    masks, moving, banned, words = game[8], work[1], work[7], words_of(work[18])
    state, waiting = work[5], work[16]
    total, left, height = 0, state[TOUCHED + 1] if any_moving(work) else ZERO, shape[HEIGHT]
    while left != ZERO:
        first, end = lines_of(shape, 1, lowest(left))
        left &= left - ONE
        for at in range(first * height, end * height):
            if moves_at(work, at):
                waiting[total] = at
                total += 1
    going = total > 0
    while going:
        going, rest_of = False, 0
        for number in range(total):
            at = waiting[number]
            for word in range(words):
                rest = moving[slot_of(words, at, word)]
                while rest != ZERO:
                    layer = lowest(rest) // 5
                    going = moved(work, shape, masks, at, layer + MOVING_LAYERS * np.int64(word)) or going
                    rest &= ~(ANY << np.uint64(5 * layer))
            if moves_at(work, at):
                waiting[rest_of] = at
                rest_of += 1
        total = rest_of
    failed = False
    if state[ANY_MARK] != ZERO:
        for at in range(len(work[14])):
            group = failed_group(game, work, at)
            if group >= 0 and not banned[group]:
                banned[group] = True
                failed = True
    return failed


@inner
def columns_with(work, shape, masks, row):
    """Return the columns that have any object of a row of masks, as bits."""
    where, found = work[10], ZERO
    for word in range(words_of(work[18])):
        mask = masks[row, word]
        while mask != ZERO:
            found |= where[shape[PLANES] + OBJECT_BITS * np.int64(word) + lowest(mask)]
            mask &= mask - ONE
    return found


@inner
def has(work, at, masks, row, every):
    """Return whether a cell has an object of a row of masks, or all of them."""
    cells, words, found, full = work[0], words_of(work[18]), ZERO, True
    for word in range(words):
        here = cells[slot_of(words, at, word)] & masks[row, word]
        found |= here
        full = full and here == masks[row, word]
    return full if every else found != ZERO


@inner
def has_players(work, at, players, masks, layer):
    """Return whether a cell has an object of the player in a layer."""
    cells, words, found = work[0], words_of(work[18]), ZERO
    for word in range(words):
        found |= cells[slot_of(words, at, word)] & players[0, word] & masks[layer, word]
    return found != ZERO


@inner
def pressed_players(game, work, shape, pressed):
    """Let the players move; return how many cells have one."""
    masks, players, words = game[8], work[8], words_of(work[18])
    moving, every, total, height = work[1], game[11][ALL_PLAYERS] != 0, 0, shape[HEIGHT]
    left = columns_with(work, shape, game[10], 0)
    while left != ZERO:
        first, end = lines_of(shape, 1, lowest(left))
        left &= left - ONE
        for at in range(first * height, end * height):
            if not has(work, at, game[10], 0, every):
                continue
            players[total] = at
            total += 1
            for layer in range(len(masks)):
                if has_players(work, at, game[10], masks, layer):
                    word, shift = layer_at(words, layer)
                    moves = moving[slot_of(words, at, word)] | np.uint64(pressed) << shift
                    put_moves(work, shape, np.uint64(at), np.uint64(word), moves)
            touched(work, shape, np.uint64(at))
    return total


@inlined
def ruled(game, work, shape, level, pressed):
    """Apply all rules to a saved board and move; return the number of players, or -1 if there are too many matches."""
    numbers, banned, state = game[11], work[7], work[5]
    if len(game[9]):
        for group in range(len(banned)):
            banned[group] = False
    players, tries, late = 0, 0, False
    while True:
        if not late:
            restored(work, shape, level)
            if tries == TRIES:
                return players
            players = pressed_players(game, work, shape, pressed) if pressed else 0
        first, end = (numbers[GROUPS], numbers[ALL_GROUPS]) if late else (0, numbers[GROUPS])
        if not listed(game, work, shape, first, end):
            return -1
        failed = not late and movement(game, work, shape)
        if any_moving(work) or state[ANY_MARK] != ZERO:
            stilled(work, shape)
        if late:
            return players
        tries += 1
        late = not failed


@inner
def condition_met(game, work, shape, number):
    """Return whether a win condition is met. What failed last time is looked at first."""
    masks, kinds, hints, height = game[12], game[13], work[15], shape[HEIGHT]
    what, on, hint = 2 * number, 2 * number + 1, hints[number]
    kind, all_of, on_all, on_any = kinds[number, 0], kinds[number, 1] != 0, kinds[number, 2] != 0, kinds[number, 3] == 0
    wanted = kind != 0  # 'all': a cell without the other decides; else one with it
    if kind != 1 and has(work, hint, masks, what, all_of) and (on_any or has(work, hint, masks, on, on_all)) == wanted:
        return False
    left = columns_with(work, shape, masks, what)
    while left != ZERO:
        first, end = lines_of(shape, 1, lowest(left))
        left &= left - ONE
        for at in range(first * height, end * height):
            if has(work, at, masks, what, all_of) and (on_any or has(work, at, masks, on, on_all)) == wanted:
                hints[number] = at
                return kind == 1
    return kind != 1


@inner
def all_met(game, work, shape):
    """Return whether all win conditions are met; False if there are none."""
    for number in range(len(game[13])):
        if not condition_met(game, work, shape, number):
            return False
    return len(game[13]) > 0


@inner
def turned(game, work, shape, level, pressed, kind):
    """Make one turn of a kind from a saved board; return how it ends.

    A turn that follows by itself is made only if it does anything; else only its checkpoint counts, and that only if
    the turn would not follow a restart.
    """
    numbers, state, players = game[11], work[5], work[8]
    total = ruled(game, work, shape, level, pressed)
    if total < 0:
        return FULL
    queue, follows = np.int64(state[QUEUE]), ON
    stay = numbers[MUST_MOVE] != 0 and total > 0
    for number in range(total if stay else 0):
        stay = stay and has(work, players[number], game[10], 0, False)
    if stay or queue & CANCEL:
        restored(work, shape, level)
        if kind != BEGINNING:
            return QUIET
        queue = 0
    changed = differs(work, shape, level)
    if kind == BEGINNING:  # of its commands only 'again' counts
        queue, follows = queue & AGAIN, ON_AFTER_RESTART
    elif kind != INPUT and not changed and not queue & (WIN | RESTARTING):
        if queue & CHECKPOINT and kind == FOLLOWING:
            passed(work)
        return QUIET
    elif queue & RESTARTING:
        restarted(work, shape)
        if numbers[STARTS]:
            return BEGINS
        queue = 0
    if queue & WIN or all_met(game, work, shape):
        return WON
    if queue & CHECKPOINT:
        passed(work)
    return follows if queue & AGAIN and changed else QUIET


@inlined
def passed(work):
    """Pass a checkpoint."""
    saved(work, LATEST)
    work[5][PASSED] = ONE


@inlined
def played(game, work, shape, pressed, most):
    """Make a move from the parent: a turn, and those that follow by themselves. Return how it ends."""
    level, kind = PARENT, INPUT
    work[5][PASSED] = ZERO
    for _ in range(most):
        ends = turned(game, work, shape, level, pressed if kind == INPUT else 0, kind)
        if ends == ON:
            kind = FOLLOWING
        elif ends == ON_AFTER_RESTART:
            kind = AFTER_RESTART
        elif ends == BEGINS:
            kind = BEGINNING
        else:
            return ends
        saved(work, HERE)
        level = HERE
    return LONG
