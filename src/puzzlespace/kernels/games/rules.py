"""The rules of a turn: where they match, and what becomes of the cells.

The objects of a cell are some words, and so are its movements: five bits for each layer (`board`).
`game` is a tuple of arrays (`games.tables.Tables`), `work` one of those that a turn works on. Masks have a row for each
word of a cell: so many rows of `patterns` are a cell pattern. The order of everything is that of `games/turn.py`, the
same in plain Python.
"""

import numpy as np

from ..bits import lowest
from ..loop import helper, inlined, inner
from .board import (
    ANY_MARK,
    ANY_MOVING,
    ANY_OBJECT,
    FRESH,
    FRESH_MOVES,
    FRESH_OBJECTS,
    HEIGHT,
    ONE,
    PLANES,
    QUEUE,
    SHIFT,
    TOUCHED,
    WIDTH,
    WORDS,
    ZERO,
    layer_at,
    line_at,
    lines_of,
    of_word,
    put,
    put_moves,
    slot_of,
    words_of,
)

NEED, WITHOUT, MOVING, RESTING, CLEAR, PUT, STILL, MOVED, RENEWED = range(9)
"""Columns of `patterns`: what a cell must have, and what becomes of it."""

SOME, SOME_END, CHANGES = range(3)
"""Columns of `pattern_facts`: its masks of which one bit each must be set, and whether the cell changes."""

ACROSS, DOWNWARD, BRACKET, BRACKET_END, REWRITES, RIGID, COMMANDS = range(7)
"""Columns of `rules`: the direction, the brackets, whether it has a right side, its rigid group, its commands."""

PART, PART_END, NEAR, NEAR_END, NEEDS, NEEDS_END, EFFECTS, EFFECTS_END, LISTED = range(9)
"""Columns of `brackets`: its parts, where it can begin in a line, the planes that it needs, its effects, and which of
its matches are listed."""

EVERY, CHAINED, SINGLE, FIRST_ONE = range(4)
"""Which matches of a bracket are listed: all; those that change something, and those that may do so after others did;
those that change something; none, because one is enough."""

FIRST, END, TERMS, TERMS_NOT, TERMS_SOME, TERMS_END = range(6)
"""Columns of `parts`: its patterns; its terms: planes that a cell must be in, must not be in, and groups of planes."""

CANCEL, RESTARTING, WIN, AGAIN, CHECKPOINT = 1, 2, 4, 8, 16
"""Bits of commands; those without effect have none."""

NO_MATCH = -2

PASSES = 200
ANY = np.uint64(31)


@inner
def fits(game, work, first, end, start, step):
    """Return whether the patterns of a part match from a cell on."""
    patterns, facts, some = game[0], game[1], game[2]
    cells, moving, words = work[0], work[1], words_of(work[18])
    at, further_on = np.uint64(start), np.uint64(step)
    for number in range(np.uint64(first), np.uint64(end)):
        for word in range(words):
            row, slot = slot_of(words, number, word), slot_of(words, at, word)
            objects, moves = cells[slot], moving[slot]
            need, must = patterns[row, NEED], patterns[row, MOVING]
            if objects & need != need or objects & patterns[row, WITHOUT] != ZERO:
                return False
            if moves & must != must or moves & patterns[row, RESTING] != ZERO:
                return False
        for other in range(np.uint64(facts[number, SOME]), np.uint64(facts[number, SOME_END])):
            found = ZERO
            for word in range(words):
                found |= cells[slot_of(words, at, word)] & some[slot_of(words, other, word)]
            if found == ZERO:
                return False
        at += further_on
    return True


@inner
def marked(game, work, shape, at, pattern, rigid):
    """Mark the layers whose movement a pattern decides as moved by a rigid group, unless all are; return if new."""
    patterns, marks, words = game[0], work[2], words_of(work[18])
    full, new = True, False
    for layer in range(len(game[8])):
        word, shift = layer_at(words, layer)
        if patterns[slot_of(words, pattern, word), RENEWED] >> shift & ANY != ZERO:
            mark = marks[slot_of(words, at, word)] >> shift & ANY
            full = full and mark != ZERO
            new = new or mark & np.uint64(rigid) != np.uint64(rigid)
    if full or not new:
        return False
    for layer in range(len(game[8])):
        word, shift = layer_at(words, layer)
        if patterns[slot_of(words, pattern, word), RENEWED] >> shift & ANY != ZERO:
            marks[slot_of(words, at, word)] |= np.uint64(rigid) << shift
    work[5][ANY_MARK] = ONE
    refreshed(work, shape, at)
    return True


@inner
def refreshed(work, shape, at):
    """Note that a cell changes: its lines are touched, and fresh for `noticed`."""
    state, x = work[5], np.int64(work[14][at])
    row = ONE << np.uint64((np.int64(at) - x * shape[HEIGHT]) >> shape[SHIFT])
    column = ONE << np.uint64(x >> shape[SHIFT + 1])
    state[TOUCHED] |= row
    state[TOUCHED + 1] |= column
    state[FRESH] |= row
    state[FRESH + 1] |= column


@inner
def noticed(game, work, first, end):
    """Forget what is known of fresh lines for the brackets of rules from `first` to before `end`."""
    rules, ways, looks, state, quiet, words = game[3], game[17], game[20], work[5], work[17], words_of(work[18])
    rows, columns = state[FRESH], state[FRESH + 1]
    for word in range(words):
        objects, moves = state[of_word(FRESH_OBJECTS, word)], state[of_word(FRESH_MOVES, word)]
        for bracket in range(np.uint64(rules[first, BRACKET]), np.uint64(rules[end - 1, BRACKET_END])):
            row = slot_of(words, bracket, word)
            if looks[row, 0] & objects | looks[row, 1] & moves != ZERO:
                quiet[bracket] &= ~(columns if ways[bracket] else rows)
        state[of_word(FRESH_OBJECTS, word)] = state[of_word(FRESH_MOVES, word)] = ZERO
    state[FRESH] = state[FRESH + 1] = ZERO


@inner
def changed_part(game, work, shape, first, end, start, step, rigid):
    """Change the cells of a part; return whether any differs."""
    patterns, facts = game[0], game[1]
    cells, moving, state, words = work[0], work[1], work[5], words_of(work[18])
    changed, at, further_on = False, np.uint64(start), np.uint64(step)
    for number in range(np.uint64(first), np.uint64(end)):
        if facts[number, CHANGES]:
            if rigid > 0 and marked(game, work, shape, at, number, rigid):
                changed = True
            for word in range(words):
                row, slot = slot_of(words, number, word), slot_of(words, at, word)
                objects = cells[slot] & ~patterns[row, CLEAR] | patterns[row, PUT]
                moves = moving[slot] & ~(patterns[row, STILL] | patterns[row, RENEWED]) | patterns[row, MOVED]
                if objects != cells[slot] or moves != moving[slot]:
                    refreshed(work, shape, at)
                    state[of_word(FRESH_OBJECTS, word)] |= cells[slot] ^ objects
                    state[of_word(FRESH_MOVES, word)] |= moving[slot] ^ moves
                    put(work, shape, at, word, objects)
                    put_moves(work, shape, at, word, moves)
                    changed = True
        at += further_on
    return changed


@inner
def further(planes, line, term, word, words, forward):
    """Return the cells of a word of a line from which the cell some steps further is in a plane, as bits."""
    off, far = term[1], np.uint64(64) - term[1]
    at = line + term[0] * np.uint64(words) + np.uint64(word)
    if forward:
        found = planes[at] >> off
        if off != ZERO and word + 1 < words:
            found |= planes[at + ONE] << far
        return found
    found = planes[at] << off
    if off != ZERO and word > 0:
        found |= planes[at - ONE] >> far
    return found


@inner
def starts(game, work, shape, part, way, line, word, forward, found):
    """Return which of some cells of a word of a line a part matches from, as bits; cells off the board have nothing."""
    parts, terms, planes, words, at = game[5], game[19], work[9], shape[WORDS], line_at(shape, way, line)
    first, first_not = np.uint64(parts[part, TERMS]), np.uint64(parts[part, TERMS_NOT])
    first_some, end = np.uint64(parts[part, TERMS_SOME]), np.uint64(parts[part, TERMS_END])
    for number in range(first, first_not):
        found &= further(planes, at, (terms[number, 0], terms[number, 1]), word, words, forward)
        if found == ZERO:
            return ZERO
    for number in range(first_not, first_some):
        found &= ~further(planes, at, (terms[number, 0], terms[number, 1]), word, words, forward)
    some = ZERO
    for number in range(first_some, end):
        some |= further(planes, at, (terms[number, 0], terms[number, 1]), word, words, forward)
        if terms[number, 2] != ZERO:
            found &= some
            some = ZERO
    return found


@helper
def effective(terms, planes, at, words, word, forward, places):
    """Return from which of some matches in a word of a line anything changes, as bits.

    terms  the effects of the bracket
    at     where the planes of the line begin
    """
    found = ZERO
    for number in range(np.uint64(len(terms))):
        there = further(planes, at, (terms[number, 0], terms[number, 1]), word, words, forward)
        found |= there if terms[number, 2] != ZERO else ~there
        if places & ~found == ZERO:
            return places
    return places & found


@inner
def chained(changing, places, parts, part):
    """Return some matches in a word of a line, and those that share cells with one before in the order of scanning.

    changing  the matches to begin with, of all in `places`
    """
    found, more = changing, changing
    while more != ZERO:
        near = ZERO
        for off in range(1, parts[part, END] - parts[part, FIRST]):
            near |= more << np.uint64(off)
        more = near & places & ~found
        found |= more
    return found


@inner
def within(first, end, word):
    """Return the cells from `first` to before `end` that are in a word of a line, as bits."""
    low, high = max(first - 64 * word, 0), min(end - 64 * word, 64)
    if low >= high:
        return ZERO
    return ~ZERO >> np.uint64(64 - high) & ~ZERO << np.uint64(low)


@inner
def after_gaps(game, work, shape, bracket, slot, start, near, way, forward, total):
    """List the matches of the parts after the first one of a bracket; return as `matches` does."""
    brackets, parts, found = game[4], game[5], work[3]
    part, parts_end = brackets[bracket, PART], brackets[bracket, PART_END]
    length = 0
    for each in range(part, parts_end):
        length += parts[each, END] - parts[each, FIRST]
    step = (1 if way else shape[HEIGHT]) * (1 if forward else -1)
    size0, size1 = parts[part, END] - parts[part, FIRST], parts[part + 1, END] - parts[part + 1, FIRST]
    room = shape[WIDTH - way] - near - length if forward else near + 1 - length
    for gap in range(room + 1):
        second = start + (size0 + gap) * step
        if not fits(game, work, parts[part + 1, FIRST], parts[part + 1, END], second, step):
            continue
        if parts_end - part == 2:
            if total == found.shape[1]:
                return -1
            found[slot, total, 0], found[slot, total, 1] = start, second
            total += 1
            continue
        for more in range(room - gap + 1):
            third = second + (size1 + more) * step
            if fits(game, work, parts[part + 2, FIRST], parts[part + 2, END], third, step):
                if total == found.shape[1]:
                    return -1
                found[slot, total, 0], found[slot, total, 1], found[slot, total, 2] = start, second, third
                total += 1
    return total


@inner
def matches(game, work, shape, bracket, slot, way, forward, commands, once_more):
    """List the matches of a bracket in the order of scanning; return how many, NO_MATCH, or -1 if there is no room.

    Matches that would change nothing may be left out (LISTED); then there may be 0. Lines in which nothing is listed
    are quiet; if the rule has commands, only lines without any match. They need not be looked at `once_more` while the
    group of the rule is applied, and not in the turns of the next parent if they are not touched, until they change.
    """
    brackets, needs, found, state, where = game[4], game[14], work[3], work[5], work[10]
    clean, quiet, listing = work[13], work[17], brackets[bracket, LISTED]
    part, gaps = brackets[bracket, PART], brackets[bracket, PART_END] - brackets[bracket, PART] > 1
    touched_lines = state[TOUCHED + way]
    looked = game[16][bracket] & (~quiet[bracket] if once_more else touched_lines | ~clean[bracket])
    left, total, busy = looked, 0, ZERO
    lines = np.uint64(way * shape[PLANES])
    for need in range(np.uint64(brackets[bracket, NEEDS]), np.uint64(brackets[bracket, NEEDS_END])):
        if left == ZERO:
            break
        left &= where[lines + needs[need]]
    while left != ZERO:
        bit = lowest(left)
        left &= left - ONE
        before, matched = total, False
        first_line, end_line = lines_of(shape, way, bit)
        for line in range(first_line, end_line):
            for word in range(shape[WORDS]):
                places = within(brackets[bracket, NEAR], brackets[bracket, NEAR_END], word)
                if places != ZERO:
                    places = starts(game, work, shape, part, way, line, word, forward, places)
                if places == ZERO:
                    continue
                if listing:
                    matched = commands != 0
                    if listing == FIRST_ONE:
                        return 0
                    effects = game[19][brackets[bracket, EFFECTS] : brackets[bracket, EFFECTS_END]]
                    at = line_at(shape, way, line)
                    changing = effective(effects, work[9], at, shape[WORDS], word, forward, places)
                    places = changing if listing == SINGLE else chained(changing, places, game[5], part)
                while places != ZERO:
                    near = 64 * word + lowest(places)
                    places &= places - ONE
                    start = line * shape[HEIGHT] + near if way else near * shape[HEIGHT] + line
                    if gaps:
                        total = after_gaps(game, work, shape, bracket, slot, start, near, way, forward, total)
                        if total < 0:
                            return -1
                        continue
                    if total == found.shape[1]:
                        return -1
                    found[slot, total, 0] = start
                    total += 1
        if total > before or matched:
            busy |= ONE << np.uint64(bit)
    clean[bracket] |= looked & ~busy & ~touched_lines
    quiet[bracket] = ~looked | ~busy
    work[4][slot] = total
    return total if busy != ZERO else NO_MATCH


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
def applied(game, work, shape, rule, step):
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
                    if changed_part(game, work, shape, parts[part, 0], parts[part, 1], start, step, rigid):
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
    if queue & CANCEL or (queue & RESTARTING and not commands & CANCEL):
        return queue
    return commands if commands & (CANCEL | RESTARTING) else queue | commands


@inner
def present(needs, number, work):
    """Return whether all objects and movements of a row of needs are on the board."""
    state, words = work[5], words_of(work[18])
    for word in range(words):
        row = slot_of(words, number, word)
        if needs[row, 0] & ~state[of_word(ANY_OBJECT, word)] != ZERO:
            return False
        if needs[row, 1] & ~state[of_word(ANY_MOVING, word)] != ZERO:
            return False
    return True


@inner
def tried(game, work, shape, rule, once_more):
    """Apply a rule; return 1 if anything changed, 0 if not, -1 if there are too many matches.

    once_more  whether it was tried before while its group is applied
    """
    rules, state = game[3], work[5]
    if not present(game[6], np.uint64(rule), work):
        return 0
    across, downward, commands = rules[rule, ACROSS], rules[rule, DOWNWARD], rules[rule, COMMANDS]
    total = 0
    for bracket in range(rules[rule, BRACKET], rules[rule, BRACKET_END]):
        slot = bracket - rules[rule, BRACKET]
        way, forward = 0 if across else 1, across + downward > 0
        total = matches(game, work, shape, bracket, slot, way, forward, commands, once_more)
        if total < 0:
            return 0 if total == NO_MATCH else -1
    changed = False
    if rules[rule, REWRITES] and total:
        changed = applied(game, work, shape, rule, across * shape[HEIGHT] + downward)
    if commands:
        state[QUEUE] = np.uint64(queued(np.int64(state[QUEUE]), commands))
    return 1 if changed else 0


@inlined
def grouped(game, work, shape, first, end):
    """Apply the rules of a group until none changes anything; as `tried`."""
    for number in range(PASSES):
        changed = False
        for rule in range(np.uint64(first), np.uint64(end)):
            one = tried(game, work, shape, rule, number > 0)
            if one < 0:
                return -1
            if one:
                changed = True
                noticed(game, work, first, end)
        if not changed:
            return 1 if number else 0
    return 1


@inlined
def listed(game, work, shape, first, end):
    """Apply the groups of a list in order, and those of loops again; return whether there was room for all matches."""
    groups, banned = game[7], work[7]
    group, jumps, changed = first, 0, False
    while group < end:
        if present(game[15], np.uint64(group), work) and not banned[group]:
            one = grouped(game, work, shape, groups[group, 0], groups[group, 1])
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
