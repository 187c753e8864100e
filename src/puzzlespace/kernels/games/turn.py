"""One turn of a game: rules, movement, commands. Objects of a cell are one word, and so are its movements.

`game` is a tuple of arrays (`games.tables.Tables`), `work` one of those that a turn works on (`TurnArrays`).
A cell pattern is a row of `patterns`. The order of everything is that of `games/turn.py`, the same in plain Python.
"""

import numpy as np

from ..loop import helper, inner

NEED, WITHOUT, MOVING, RESTING, CLEAR, PUT, STILL, MOVED, RENEWED = range(9)
"""Columns of `patterns`: what a cell must have, and what becomes of it."""

SOME, SOME_END, CHANGES = range(3)
"""Columns of `pattern_facts`: its masks of which one bit each must be set, and whether the cell changes."""

ACROSS, DOWNWARD, BRACKET, BRACKET_END, REWRITES, RIGID, COMMANDS = range(7)
"""Columns of `rules`: the direction, the brackets, whether it has a right side, its rigid group, its commands."""

PART, PART_END, LENGTH = range(3)
"""Columns of `brackets`."""

CANCEL, RESTART, WIN, AGAIN = 1, 2, 4, 8
"""Bits of commands; checkpoints and the commands without effect have the others."""

PASSES, TRIES = 200, 50
QUEUE, ANY_OBJECT, ANY_MOVING, PLAYERS, STEPS = range(5)
"""Fields of the state of a turn."""

QUIET, WON, ON, LONG, FULL = range(5)
"""How a turn ends: at rest, won, with a turn to follow; unknown: too many turns, or too many matches, follow."""

ANY = np.uint64(31)
ZERO = np.uint64(0)


@inner
def fits(game, work, first, end, start, step):
    """Return whether the patterns of a part match from a cell on."""
    patterns, facts, some = game[0], game[1], game[2]
    cells, moving = work[0], work[1]
    at = start
    for number in range(first, end):
        objects, moves = cells[at], moving[at]
        need, must = patterns[number, NEED], patterns[number, MOVING]
        if objects & need != need or objects & patterns[number, WITHOUT] != ZERO:
            return False
        if moves & must != must or moves & patterns[number, RESTING] != ZERO:
            return False
        for other in range(facts[number, SOME], facts[number, SOME_END]):
            if objects & some[other] == ZERO:
                return False
        at += step
    return True


@inner
def marked(work, at, renewed, rigid, layers):
    """Mark the layers of a cell as moved by a rigid group; return whether that is new."""
    marks, mine, full = work[2][at], ZERO, True
    for layer in range(layers):
        bits = ANY << np.uint64(5 * layer)
        if renewed & bits != ZERO:
            mine |= np.uint64(rigid) << np.uint64(5 * layer)
            if marks & bits == ZERO:
                full = False
    if full or marks & mine == mine:
        return False
    work[2][at] = marks | mine
    return True


@inner
def noted(work, at, objects, moves, height):
    """Note what is in a row and in a column now: `lines` may have more than is there, never less."""
    lines = work[10]
    x, y = at // height, at % height
    lines[0, y, 0] |= objects
    lines[0, y, 1] |= moves
    lines[1, x, 0] |= objects
    lines[1, x, 1] |= moves


@inner
def changed_part(game, work, first, end, start, step, rigid, height, layers):
    """Change the cells of a part; return whether any differs."""
    patterns, facts = game[0], game[1]
    cells, moving, state = work[0], work[1], work[5]
    changed, at = False, start
    for number in range(first, end):
        if facts[number, CHANGES]:
            objects = cells[at] & ~patterns[number, CLEAR] | patterns[number, PUT]
            renewed = patterns[number, RENEWED]
            moves = moving[at] & ~(patterns[number, STILL] | renewed) | patterns[number, MOVED]
            if rigid > 0 and renewed != ZERO and marked(work, at, renewed, rigid, layers):
                changed = True
            if objects != cells[at] or moves != moving[at]:
                cells[at], moving[at] = objects, moves
                state[ANY_OBJECT] |= objects
                state[ANY_MOVING] |= moves
                noted(work, at, objects, moves, height)
                changed = True
        at += step
    return changed


@inner
def matches(game, work, bracket, slot, across, downward, width, height):
    """List the matches of a bracket in the order of scanning; return how many, or -1 if there is no room."""
    brackets, parts, found, counts = game[4], game[5], work[3], work[4]
    part, parts_end = brackets[bracket, PART], brackets[bracket, PART_END]
    length = brackets[bracket, LENGTH]
    step = across * height + downward
    least_x, end_x = max(0, -across * (length - 1)), min(width, width - across * (length - 1))
    least_y, end_y = max(0, -downward * (length - 1)), min(height, height - downward * (length - 1))
    inner, outer = (end_x - least_x, end_y - least_y) if across else (end_y - least_y, end_x - least_x)
    size0 = parts[part, 1] - parts[part, 0]
    total = 0
    lines, needs, way, least = work[10], game[14], 0 if across else 1, least_y if across else least_x
    for far in range(max(outer, 0)):
        line = least + far
        if needs[bracket, 0] & ~lines[way, line, 0] != ZERO or needs[bracket, 1] & ~lines[way, line, 1] != ZERO:
            continue
        for near in range(max(inner, 0)):
            x, y = (least_x + near, least_y + far) if across else (least_x + far, least_y + near)
            start = x * height + y
            if not fits(game, work, parts[part, 0], parts[part, 1], start, step):
                continue
            if parts_end - part == 1:
                if total == found.shape[1]:
                    return -1
                found[slot, total, 0] = start
                total += 1
                continue
            end_at_x, end_at_y = x + across * (length - 1), y + downward * (length - 1)
            room = width - 1 - end_at_x if across > 0 else end_at_x
            if not across:
                room = height - 1 - end_at_y if downward > 0 else end_at_y
            size1 = parts[part + 1, 1] - parts[part + 1, 0]
            for gap in range(room + 1):
                second = start + (size0 + gap) * step
                if not fits(game, work, parts[part + 1, 0], parts[part + 1, 1], second, step):
                    continue
                if parts_end - part == 2:
                    if total == found.shape[1]:
                        return -1
                    found[slot, total, 0], found[slot, total, 1] = start, second
                    total += 1
                    continue
                for more in range(room - gap + 1):
                    third = second + (size1 + more) * step
                    if fits(game, work, parts[part + 2, 0], parts[part + 2, 1], third, step):
                        if total == found.shape[1]:
                            return -1
                        found[slot, total, 0], found[slot, total, 1] = start, second
                        found[slot, total, 2] = third
                        total += 1
    counts[slot] = total
    return total


@inner
def still(game, work, rule, step):
    """Return whether the current combination of matches still matches."""
    rules, brackets, parts, found, index = game[3], game[4], game[5], work[3], work[6]
    for bracket in range(rules[rule, BRACKET], rules[rule, BRACKET_END]):
        slot = bracket - rules[rule, BRACKET]
        for part in range(brackets[bracket, PART], brackets[bracket, PART_END]):
            start = found[slot, index[slot], part - brackets[bracket, PART]]
            if not fits(game, work, parts[part, 0], parts[part, 1], start, step):
                return False
    return True


@inner
def applied(game, work, rule, step, height, layers):
    """Apply a rule to all combinations of matches that still match; return whether anything changed."""
    rules, brackets, parts = game[3], game[4], game[5]
    found, counts, index = work[3], work[4], work[6]
    slots = rules[rule, BRACKET_END] - rules[rule, BRACKET]
    for slot in range(slots):
        index[slot] = 0
    changed, first = False, True
    while True:
        if first or still(game, work, rule, step):
            for slot in range(slots):
                bracket = rules[rule, BRACKET] + slot
                for part in range(brackets[bracket, PART], brackets[bracket, PART_END]):
                    start = found[slot, index[slot], part - brackets[bracket, PART]]
                    rigid = rules[rule, RIGID]
                    if changed_part(game, work, parts[part, 0], parts[part, 1], start, step, rigid, height, layers):
                        changed = True
        first = False
        slot = 0
        while slot < slots:
            index[slot] += 1
            if index[slot] < counts[slot]:
                break
            index[slot] = 0
            slot += 1
        if slot == slots:
            return changed


@inner
def queued(queue, commands):
    """Return the queue of commands after those of a rule that matched."""
    if queue & CANCEL or (queue & RESTART and not commands & CANCEL):
        return queue
    return commands if commands & (CANCEL | RESTART) else queue | commands


@inner
def tried(game, work, rule, width, height, layers):
    """Apply a rule; return 1 if anything changed, 0 if not, -1 if there are too many matches."""
    rules, needs, state = game[3], game[6], work[5]
    if needs[rule, 0] & ~state[ANY_OBJECT] != ZERO or needs[rule, 1] & ~state[ANY_MOVING] != ZERO:
        return 0
    across, downward = rules[rule, ACROSS], rules[rule, DOWNWARD]
    for bracket in range(rules[rule, BRACKET], rules[rule, BRACKET_END]):
        total = matches(game, work, bracket, bracket - rules[rule, BRACKET], across, downward, width, height)
        if total <= 0:
            return total
    changed = False
    if rules[rule, REWRITES]:
        changed = applied(game, work, rule, across * height + downward, height, layers)
    commands = rules[rule, COMMANDS]
    if commands:
        state[QUEUE] = np.uint64(queued(np.int64(state[QUEUE]), commands))
    return 1 if changed else 0


@inner
def grouped(game, work, first, end, width, height, layers):
    """Apply the rules of a group until none changes anything; as `tried`."""
    for number in range(PASSES):
        changed = False
        for rule in range(first, end):
            one = tried(game, work, rule, width, height, layers)
            if one < 0:
                return -1
            if one:
                changed = True
        if not changed:
            return 1 if number else 0
    return 1


@helper
def listed(game, work, first, end, width, height, layers):
    """Apply the groups of a list in order, and those of loops again; return whether there was room for all matches."""
    groups, banned = game[7], work[7]
    group, jumps, changed = first, 0, False
    while group < end:
        if not banned[group]:
            one = grouped(game, work, groups[group, 0], groups[group, 1], width, height, layers)
            if one < 0:
                return False
            if one:
                changed = True
        if changed and groups[group, 2] >= 0:
            group, changed = groups[group, 2], False
            jumps += 1
            if jumps > PASSES:
                return True
            continue
        group += 1
    return True


@inner
def moved(work, masks, at, layer, width, height):
    """Move the object of a layer one cell if that is empty; return whether its movement is done."""
    cells, moving = work[0], work[1]
    shift = np.uint64(5 * layer)
    way = moving[at] >> shift & ANY
    if way != np.uint64(16):
        across = 1 if way == np.uint64(8) else -1 if way == np.uint64(4) else 0
        downward = 1 if way == np.uint64(2) else -1 if way == np.uint64(1) else 0
        x, y = at // height + across, at % height + downward
        if across == downward or x < 0 or y < 0 or x >= width or y >= height:
            return False
        there = x * height + y
        if cells[there] & masks[layer] != ZERO:
            return False
        cells[there] |= cells[at] & masks[layer]
        noted(work, there, cells[there], ZERO, height)
        cells[at] &= ~masks[layer]
    moving[at] &= ~(ANY << shift)
    return True


@inner
def movement(game, work, width, height, layers):
    """Move what can move, until nothing more does; return whether a further rigid group failed."""
    masks, rigid, moving, marks, banned = game[8], game[9], work[1], work[2], work[7]
    going, state = True, work[5]
    while going and state[ANY_MOVING] != ZERO:
        going = False
        for at in range(width * height):
            if moving[at] != ZERO:
                for layer in range(layers):
                    if moving[at] >> np.uint64(5 * layer) & ANY != ZERO:
                        going = moved(work, masks, at, layer, width, height) or going
    failed = False
    for at in range(width * height):
        if moving[at] != ZERO and marks[at] != ZERO:
            for layer in range(layers):
                mark = np.int64(marks[at] >> np.uint64(5 * layer) & ANY)
                if mark and moving[at] >> np.uint64(5 * layer) & ANY != ZERO:
                    group = rigid[mark - 1] if mark <= len(rigid) else len(banned) - 1
                    if not banned[group]:
                        banned[group] = True
                        failed = True
                    break
        moving[at] = ZERO
        marks[at] = ZERO
    state[ANY_MOVING] = ZERO
    work[10][:, :, 1] = ZERO
    return failed


@inner
def pressed_players(game, work, pressed, width, height, layers):
    """Let the players move; return how many cells have one."""
    facts, masks, players = game[10], game[8], work[8]
    cells, moving, state = work[0], work[1], work[5]
    mask, every, total = facts[0], facts[1] != ZERO, 0
    for at in range(width * height):
        here = cells[at] & mask
        if here == ZERO or (every and here != mask):
            continue
        players[total] = at
        total += 1
        for layer in range(layers):
            if here & masks[layer] != ZERO:
                moving[at] |= np.uint64(pressed) << np.uint64(5 * layer)
        state[ANY_MOVING] |= moving[at]
        noted(work, at, cells[at], moving[at], height)
    return total


@inner
def begun(work, before, width, height):
    """Set the board of a turn."""
    cells, moving, marks, state, lines = work[0], work[1], work[2], work[5], work[10]
    lines[:] = ZERO
    objects = ZERO
    for x in range(width):
        for y in range(height):
            at = x * height + y
            here = before[at]
            cells[at] = here
            moving[at] = marks[at] = ZERO
            lines[1, x, 0] |= here
            lines[0, y, 0] |= here
            objects |= here
    state[QUEUE] = state[ANY_MOVING] = ZERO
    state[ANY_OBJECT] = objects


@inner
def ruled(game, work, before, pressed, width, height, layers):
    """Apply all rules of a turn and move; return the number of players, or -1 if there are too many matches."""
    numbers, banned = game[11], work[7]
    for group in range(len(banned)):
        banned[group] = False
    players = 0
    for _ in range(TRIES):
        begun(work, before, width, height)
        players = pressed_players(game, work, pressed, width, height, layers) if pressed else 0
        if not listed(game, work, 0, numbers[0], width, height, layers):
            return -1
        if not movement(game, work, width, height, layers):
            if not listed(game, work, numbers[0], numbers[1], width, height, layers):
                return -1
            return players
    begun(work, before, width, height)
    return players


@inner
def conditions_met(game, cells, size, first, end):
    """Return whether the win conditions from `first` to before `end` are met."""
    conditions, kinds = game[12], game[13]
    for number in range(first, end):
        what, on = conditions[number, 0], conditions[number, 1]
        kind, some = kinds[number, 0], False
        for at in range(size):
            here = cells[at] & what
            if here == ZERO or (kinds[number, 1] and here != what):
                continue
            there = cells[at] & on
            both = on == ZERO or (there == on if kinds[number, 2] else there != ZERO)
            if kind == 0 and not both:
                return False
            if both:
                some = True
        if kind != 0 and some != (kind == 1):
            return False
    return True


@inner
def copied(into, cells, size):
    """Copy a board."""
    for at in range(size):
        into[at] = cells[at]


@helper
def turned(game, work, before, restart, pressed, trial, width, height, layers):
    """Make one turn from `before`; the board is in work[0]. Return how it ends; of a trial whether it does anything."""
    cells, numbers, state, players = work[0], game[11], work[5], work[8]
    size = width * height
    total = ruled(game, work, before, pressed, width, height, layers)
    if total < 0:
        return FULL
    queue = np.int64(state[QUEUE])
    if numbers[2] and total > 0:
        moved_away = False
        for number in range(total):
            if cells[players[number]] & game[10][0] == ZERO:
                moved_away = True
        if not moved_away:
            copied(cells, before, size)
            return QUIET
    if queue & CANCEL:
        copied(cells, before, size)
        return ON if trial and queue != CANCEL else QUIET
    again = False
    if queue & RESTART and not trial:
        copied(cells, restart, size)
        queue, again = 0, numbers[3] != 0
    changed = False
    for at in range(size):
        if cells[at] != before[at]:
            changed = True
            break
    if trial:
        return ON if changed or queue & (WIN | RESTART) else QUIET
    conditions = len(game[12])
    if queue & WIN or (conditions and conditions_met(game, cells, size, 0, conditions)):
        return WON
    return ON if again else LONG if queue & AGAIN and changed else QUIET


@inner
def played(game, work, before, restart, pressed, most, width, height, layers):
    """Make a move: a turn, and those that follow by themselves. The board is in work[9]; return how it ends."""
    here, cells = work[9], work[0]
    size = width * height
    copied(here, before, size)
    for number in range(most):
        ends = turned(game, work, here, restart, pressed if number == 0 else 0, False, width, height, layers)
        if ends == FULL:
            return FULL
        copied(here, cells, size)
        if ends == LONG:  # a trial says whether a turn follows
            ends = turned(game, work, here, restart, 0, True, width, height, layers)
            if ends == FULL:
                return FULL
        if ends != ON:
            return ends
    return LONG
