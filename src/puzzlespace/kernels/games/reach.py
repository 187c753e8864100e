"""Which objects the cells of a level may have: more, at most, than they ever have.

Of each object in each cell two facts are computed: whether it may be there (`present`), and whether it may not
(`absent`); and of each movement whether a cell may have it (`moves`). All three are words, as the cells of a board are.
They begin with the facts of some boards. Whatever a turn may do where these are true adds facts, until none is new. The
proof is in docs/methods/games.md ('What positions need').
"""

import numpy as np

from ..bits import lowest
from ..loop import inner, loop
from .board import HEIGHT, ONE, SHIFT, WIDTH, ZERO
from .rules import (
    ACROSS,
    BRACKET,
    BRACKET_END,
    CHANGES,
    CLEAR,
    DOWNWARD,
    END,
    FIRST,
    MOVED,
    MOVING,
    NEED,
    PART,
    PART_END,
    PUT,
    REWRITES,
    SOME,
    SOME_END,
    WITHOUT,
)


@inner
def may_fit(game, facts, first, end, start, step):
    """Return whether the patterns of a part may match from a cell on."""
    patterns, pattern_facts, some = game[0], game[1], game[2]
    present, absent, moves = facts
    at = start
    for number in range(first, end):
        if patterns[number, NEED] & ~present[at] != ZERO or patterns[number, WITHOUT] & ~absent[at] != ZERO:
            return False
        if patterns[number, MOVING] & ~moves[at] != ZERO:
            return False
        for other in range(pattern_facts[number, SOME], pattern_facts[number, SOME_END]):
            if present[at] & some[other] == ZERO:
                return False
        at += step
    return True


@inner
def write(game, facts, first, end, start, step):
    """Add what the patterns of a part make of the cells from one on; return whether anything is new."""
    patterns, pattern_facts = game[0], game[1]
    present, absent, moves = facts
    at, new = start, ZERO
    for number in range(first, end):
        if pattern_facts[number, CHANGES]:
            put, moved = patterns[number, PUT], patterns[number, MOVED]
            gone = patterns[number, CLEAR] & ~put
            new |= put & ~present[at] | gone & ~absent[at] | moved & ~moves[at]
            present[at] |= put
            absent[at] |= gone
            moves[at] |= moved
        at += step
    return new != ZERO


@inner
def bounds(shape, across, downward, length):
    """Return the columns and the rows in which a part of some cells can begin."""
    more = length - 1
    left, right = (more if across < 0 else 0), shape[WIDTH] - (more if across > 0 else 0)
    upper, lower = (more if downward < 0 else 0), shape[HEIGHT] - (more if downward > 0 else 0)
    return left, right, upper, lower


@inner
def spread(game, facts, rule, part, writes):
    """Return whether a part may match anywhere; with `writes` add what it makes, and return whether that is new."""
    rules, parts, shape = game[3], game[5], game[18]
    across, downward = rules[rule, ACROSS], rules[rule, DOWNWARD]
    step, first, end = across * shape[HEIGHT] + downward, parts[part, FIRST], parts[part, END]
    left, right, upper, lower = bounds(shape, across, downward, end - first)
    found = False
    for x in range(left, right):
        for y in range(upper, lower):
            start = x * shape[HEIGHT] + y
            if may_fit(game, facts, first, end, start, step):
                if not writes:
                    return True
                found = write(game, facts, first, end, start, step) or found
    return found


@inner
def may_match(game, facts, rule):
    """Return whether all parts of a rule may match anywhere."""
    rules, brackets = game[3], game[4]
    for bracket in range(rules[rule, BRACKET], rules[rule, BRACKET_END]):
        for part in range(brackets[bracket, PART], brackets[bracket, PART_END]):
            if not spread(game, facts, rule, part, False):
                return False
    return True


@inner
def step_out(game, facts, pressed):
    """Add the movements of players and what objects that move make of cells; return whether anything is new."""
    masks, players, shape = game[8], game[10][0], game[18]
    present, absent, moves = facts
    new = ZERO
    for x in range(shape[WIDTH]):
        for y in range(shape[HEIGHT]):
            at = x * shape[HEIGHT] + y
            for layer in range(len(masks)):
                here = present[at] & masks[layer]
                if here & players != ZERO:
                    inputs = pressed << np.uint64(5 * layer)
                    new |= inputs & ~moves[at]
                    moves[at] |= inputs
                ways = moves[at] >> np.uint64(5 * layer) & np.uint64(15)
                while ways != ZERO:
                    way = lowest(ways)
                    ways &= ways - ONE
                    to_x = x + (1 if way == 3 else -1 if way == 2 else 0)
                    to_y = y + (1 if way == 1 else -1 if way == 0 else 0)
                    if to_x < 0 or to_y < 0 or to_x >= shape[WIDTH] or to_y >= shape[HEIGHT]:
                        continue
                    there = to_x * shape[HEIGHT] + to_y
                    if masks[layer] & ~absent[there] == ZERO:
                        new |= here & ~present[there] | here & ~absent[at]
                        present[there] |= here
                        absent[at] |= here
    return new != ZERO


@loop
def reached(game, facts, pressed):
    """Add to the facts until they hold after all turns, too.

    pressed  the movements of all inputs
    """
    rules, brackets = game[3], game[4]
    growing = True
    while growing:
        growing = step_out(game, facts, pressed)
        for rule in range(len(rules)):
            if rules[rule, REWRITES] and may_match(game, facts, rule):
                for bracket in range(rules[rule, BRACKET], rules[rule, BRACKET_END]):
                    for part in range(brackets[bracket, PART], brackets[bracket, PART_END]):
                        growing = spread(game, facts, rule, part, True) or growing


@loop
def lines_reached(game, facts, lines):
    """Write the lines in which each bracket may match, as bits."""
    rules, brackets, parts, shape = game[3], game[4], game[5], game[18]
    for rule in range(len(rules)):
        across, downward = rules[rule, ACROSS], rules[rule, DOWNWARD]
        step = across * shape[HEIGHT] + downward
        for bracket in range(rules[rule, BRACKET], rules[rule, BRACKET_END]):
            part = brackets[bracket, PART]
            first, end = parts[part, FIRST], parts[part, END]
            left, right, upper, lower = bounds(shape, across, downward, end - first)
            found = ZERO
            for x in range(left, right):
                for y in range(upper, lower):
                    if may_fit(game, facts, first, end, x * shape[HEIGHT] + y, step):
                        line, shift = (y, shape[SHIFT]) if across else (x, shape[SHIFT + 1])
                        found |= ONE << np.uint64(line >> shift)
            lines[bracket] = found
