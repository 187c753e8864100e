"""One turn of a game: the input, rules, movement, late rules, commands.

What `game` and `work` are: `rules`, `board`. The order of all is that of `games/turn.py`, the same in plain Python.
"""

import numpy as np

from ..bits import lowest
from ..loop import inner
from .board import (
    ANY_MARK,
    ANY_MOVING,
    HEIGHT,
    HERE,
    ONE,
    PARENT,
    PLANES,
    QUEUE,
    TOUCHED,
    WIDTH,
    ZERO,
    differs,
    lines_of,
    overwritten,
    put,
    put_moves,
    restored,
    saved,
    stilled,
    touched,
)
from .rules import AGAIN, ANY, CANCEL, RESTART, WIN, listed

TRIES = 50

QUIET, WON, ON, LONG, FULL = range(5)
"""How a turn ends: at rest, won, with a turn to follow; unknown: too many turns, or too many matches, follow."""


@inner
def moved(work, shape, masks, at, layer):
    """Move the object of a layer one cell if that is empty; return whether its movement is done."""
    cells, moving = work[0], work[1]
    shift = np.uint64(5 * layer)
    way = moving[at] >> shift & ANY
    if way != np.uint64(16):
        across = 1 if way == np.uint64(8) else -1 if way == np.uint64(4) else 0
        downward = 1 if way == np.uint64(2) else -1 if way == np.uint64(1) else 0
        x = work[14][at]
        y = at - x * shape[HEIGHT] + downward
        x += across
        if across == downward or x < 0 or y < 0 or x >= shape[WIDTH] or y >= shape[HEIGHT]:
            return False
        there = x * shape[HEIGHT] + y
        if cells[there] & masks[layer] != ZERO:
            return False
        put(work, shape, there, cells[there] | cells[at] & masks[layer])
        touched(work, shape, there)
        put(work, shape, at, cells[at] & ~masks[layer])
    put_moves(work, shape, at, moving[at] & ~(ANY << shift))
    return True


@inner
def movement(game, work, shape):
    """Move what can move, until nothing more does; return whether a further rigid group failed."""
    masks, rigid, moving, marks, banned = game[8], game[9], work[1], work[2], work[7]
    state, waiting = work[5], work[16]
    total, left, height = 0, state[TOUCHED + 1] if state[ANY_MOVING] != ZERO else ZERO, shape[HEIGHT]
    while left != ZERO:
        first, end = lines_of(shape, 1, lowest(left))
        left &= left - ONE
        for at in range(first * height, end * height):
            if moving[at] != ZERO:
                waiting[total] = at
                total += 1
    going = total > 0
    while going:
        going, rest_of = False, 0
        for number in range(total):
            at = waiting[number]
            rest = moving[at]
            while rest != ZERO:
                layer = lowest(rest) // 5
                going = moved(work, shape, masks, at, layer) or going
                rest &= ~(ANY << np.uint64(5 * layer))
            if moving[at] != ZERO:
                waiting[rest_of] = at
                rest_of += 1
        total = rest_of
    failed = False
    if state[ANY_MARK] != ZERO:
        for at in range(len(moving)):
            if moving[at] != ZERO and marks[at] != ZERO:
                for layer in range(len(masks)):
                    mark = np.int64(marks[at] >> np.uint64(5 * layer) & ANY)
                    if mark and moving[at] >> np.uint64(5 * layer) & ANY != ZERO:
                        group = rigid[mark - 1] if mark <= len(rigid) else len(banned) - 1
                        if not banned[group]:
                            banned[group] = True
                            failed = True
                        break
    if state[ANY_MOVING] | state[ANY_MARK] != ZERO:
        stilled(work, shape)
    return failed


@inner
def columns_with(work, shape, mask):
    """Return the columns that have any object of a mask, as bits."""
    where, found = work[10], ZERO
    while mask != ZERO:
        found |= where[shape[PLANES] + lowest(mask)]
        mask &= mask - ONE
    return found


@inner
def pressed_players(game, work, shape, pressed):
    """Let the players move; return how many cells have one."""
    facts, masks, players = game[10], game[8], work[8]
    cells, moving = work[0], work[1]
    mask, every, total, height = facts[0], facts[1] != ZERO, 0, shape[HEIGHT]
    left = columns_with(work, shape, mask)
    while left != ZERO:
        first, end = lines_of(shape, 1, lowest(left))
        left &= left - ONE
        for at in range(first * height, end * height):
            here = cells[at] & mask
            if here == ZERO or (every and here != mask):
                continue
            players[total] = at
            total += 1
            for layer in range(len(masks)):
                if here & masks[layer] != ZERO:
                    put_moves(work, shape, at, moving[at] | np.uint64(pressed) << np.uint64(5 * layer))
            touched(work, shape, at)
    return total


@inner
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
            players = pressed_players(game, work, shape, pressed) if pressed else 0
        first, end = (numbers[0], numbers[1]) if late else (0, numbers[0])
        if not listed(game, work, shape, first, end):
            return -1
        if late:
            if state[ANY_MOVING] | state[ANY_MARK] != ZERO:
                stilled(work, shape)
            return players
        tries += 1
        late = not movement(game, work, shape)
        if tries == TRIES and not late:
            restored(work, shape, level)
            return players


@inner
def has(cell, mask, every):
    """Return whether a cell has an object of a mask, or all of them."""
    return cell & mask == mask if every else cell & mask != ZERO


@inner
def condition_met(game, work, shape, number):
    """Return whether a win condition is met. What failed last time is looked at first."""
    conditions, kinds, hints = game[12], game[13], work[15]
    cells = work[0]
    what, on, height = conditions[number, 0], conditions[number, 1], shape[HEIGHT]
    kind, all_of, on_all = kinds[number, 0], kinds[number, 1] != 0, kinds[number, 2] != 0
    wanted, hint = kind != 0, cells[hints[number]]  # 'all': a cell without the other decides; else one with it
    if kind != 1 and has(hint, what, all_of) and (on == ZERO or has(hint, on, on_all)) == wanted:
        return False
    left = columns_with(work, shape, what)
    while left != ZERO:
        first, end = lines_of(shape, 1, lowest(left))
        left &= left - ONE
        for at in range(first * height, end * height):
            here = cells[at]
            if has(here, what, all_of) and (on == ZERO or has(here, on, on_all)) == wanted:
                hints[number] = at
                return kind == 1
    return kind != 1


@inner
def all_met(game, work, shape):
    """Return whether all win conditions are met; False if there are none."""
    for number in range(len(game[12])):
        if not condition_met(game, work, shape, number):
            return False
    return len(game[12]) > 0


@inner
def turned(game, work, shape, restart, level, pressed, tick):
    """Make one turn from a saved board; return how it ends. A turn without input is made only if it does anything.

    tick  whether it follows by itself
    """
    cells, numbers, state, players = work[0], game[11], work[5], work[8]
    total = ruled(game, work, shape, level, pressed)
    if total < 0:
        return FULL
    queue = np.int64(state[QUEUE])
    if numbers[2] and total > 0:
        moved_away = False
        for number in range(total):
            if cells[players[number]] & game[10][0] == ZERO:
                moved_away = True
        if not moved_away:
            restored(work, shape, level)
            return QUIET
    if queue & CANCEL:
        restored(work, shape, level)
        return QUIET
    changed, again = differs(work, shape, level), False
    if tick and not changed and not queue & (WIN | RESTART):
        return QUIET
    if queue & RESTART:
        overwritten(work, shape, restart)
        queue, again = 0, numbers[3] != 0
        changed = differs(work, shape, level)
    if queue & WIN or all_met(game, work, shape):
        return WON
    return ON if again or (queue & AGAIN and changed) else QUIET


@inner
def played(game, work, shape, restart, pressed, most):
    """Make a move from the parent: a turn, and those that follow by themselves. Return how it ends."""
    level = PARENT
    for number in range(most):
        ends = turned(game, work, shape, restart, level, pressed if number == 0 else 0, number > 0)
        if ends != ON:
            return ends
        saved(work)
        level = HERE
    return LONG
