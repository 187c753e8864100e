"""From where objects can get to where a win needs them, and positions from which no win can be reached.

An object is followed from turn to turn. It moves to a neighboring cell, or a rule puts another object of its layer in
its place, or shifts it to another cell of the same part; else it is lost. An object that a rule puts where it replaces
none is new. `good` has for each cell the objects that can get to some places.
The proof is in docs/methods/games.md ('Lost objects').

The objects of a cell are one word here.

facts   (present, absent, moves, …), as `reach.reached` leaves them
layers  the objects of each layer
hopes   (lost, useful, least): objects that must leave a cell and cannot, uint64 [cells]; for each need the objects that
        may meet it, uint64 [needs, cells], and how many of them it needs, int64 [needs]
"""

import numpy as np

from ..bits import popcount
from ..loop import inner, loop
from .board import HEIGHT, ONE, WIDTH, ZERO
from .reach import bounds, may_fit, may_match
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
def moved_to(game, facts, ways_of, good):
    """Add the objects that can move to a cell where they are good; return whether any is new.

    ways_of  [cells, 4]: the objects that may move up, down, left and right
    """
    masks, shape = game[8], game[18]
    absent = facts[1]
    new = ZERO
    for x in range(shape[WIDTH]):
        for y in range(shape[HEIGHT]):
            at = x * shape[HEIGHT] + y
            for way in range(4):
                to_x = x + (1 if way == 3 else -1 if way == 2 else 0)
                to_y = y + (1 if way == 1 else -1 if way == 0 else 0)
                if to_x < 0 or to_y < 0 or to_x >= shape[WIDTH] or to_y >= shape[HEIGHT]:
                    continue
                there = to_x * shape[HEIGHT] + to_y
                for number in range(len(masks)):
                    layer = masks[number, 0]
                    if layer & ~absent[there] == ZERO:
                        more = ways_of[at, way] & layer & good[there] & ~good[at]
                        good[at] |= more
                        new |= more
    return new != ZERO


@inner
def may_have(game, number, layer, bit):
    """Return whether a cell that matches a pattern may have an object of a layer."""
    patterns, facts, some = game[0], game[1], game[2]
    if patterns[number, WITHOUT] & bit != ZERO or patterns[number, NEED] & layer & ~bit != ZERO:
        return False
    for other in range(facts[number, SOME], facts[number, SOME_END]):
        if some[other] & ~layer == ZERO and some[other] & bit == ZERO:
            return False
    return True


@inner
def surely_has(game, number, layer):
    """Return whether a cell that matches a pattern has an object of a layer."""
    patterns, facts, some = game[0], game[1], game[2]
    found = patterns[number, NEED] & layer != ZERO
    for other in range(facts[number, SOME], facts[number, SOME_END]):
        found = found or some[other] & ~layer == ZERO
    return found


@inner
def leaves(game, number, bit, layer):
    """Return whether a cell that matches a pattern has an object, and a rule leaves its layer empty."""
    patterns, facts = game[0], game[1]
    gone = patterns[number, NEED] & patterns[number, CLEAR] & bit != ZERO and patterns[number, PUT] & layer == ZERO
    return facts[number, CHANGES] != 0 and gone


@inner
def enters(game, number, bit):
    """Return whether a rule puts an object where the pattern does not need it."""
    patterns, facts = game[0], game[1]
    return facts[number, CHANGES] != 0 and patterns[number, PUT] & ~patterns[number, NEED] & bit != ZERO


@inner
def shifted_to(game, first, end, number, bit, layer):
    """Return the pattern of a part to which a rule shifts an object from one that it leaves, or -1.

    The n-th pattern of a part that the object leaves belongs to the n-th one that it enters.
    """
    before = 0
    for other in range(first, number):
        if leaves(game, other, bit, layer):
            before += 1
    for other in range(first, end):
        if enters(game, other, bit):
            if before == 0:
                return other
            before -= 1
    return -1


@inner
def is_shifted(game, first, end, number, bit, layer):
    """Return whether a rule shifts an object from another pattern of a part to one that it enters."""
    if not enters(game, number, bit):
        return False
    for other in range(first, end):
        if leaves(game, other, bit, layer) and shifted_to(game, first, end, other, bit, layer) == number:
            return True
    return False


@inner
def unsure(game, layers, rule):
    """Return the layers in which a cell may differ from what its pattern needs when a rule writes it.

    Several brackets may match in one cell; what one of them writes is there when the next one is written.
    """
    rules, brackets, parts, patterns, facts = game[3], game[4], game[5], game[0], game[1]
    found = ZERO
    if rules[rule, BRACKET_END] - rules[rule, BRACKET] == 1:
        return found
    for bracket in range(rules[rule, BRACKET], rules[rule, BRACKET_END]):
        for part in range(brackets[bracket, PART], brackets[bracket, PART_END]):
            for number in range(parts[part, FIRST], parts[part, END]):
                if facts[number, CHANGES]:
                    for layer in layers:
                        put, gone = patterns[number, PUT] & layer, patterns[number, CLEAR] & layer
                        if put & ~patterns[number, NEED] != ZERO or (put == ZERO and gone != ZERO):
                            found |= layer
    return found


@inner
def layer_of(layers, bit):
    """Return the objects of the layer of an object."""
    for layer in layers:
        if layer & bit != ZERO:
            return layer
    return bit


@inner
def rewritten(game, facts, layers, rule, good, losing, made):
    """Add the objects from which a rule makes good ones; return whether any is new.

    losing  whether objects that are lost are good
    made    [1]: whether a good object may be new
    """
    rules, brackets, parts, patterns, shape = game[3], game[4], game[5], game[0], game[18]
    present, across, downward = facts[0], rules[rule, ACROSS], rules[rule, DOWNWARD]
    step, loose = across * shape[HEIGHT] + downward, unsure(game, layers, rule)
    single = rules[rule, BRACKET_END] - rules[rule, BRACKET] == 1
    new = ZERO
    for bracket in range(rules[rule, BRACKET], rules[rule, BRACKET_END]):
        for part in range(brackets[bracket, PART], brackets[bracket, PART_END]):
            first, end = parts[part, FIRST], parts[part, END]
            left, right, upper, lower = bounds(shape, across, downward, end - first)
            for x in range(left, right):
                for y in range(upper, lower):
                    start = x * shape[HEIGHT] + y
                    if not may_fit(game, facts, first, end, start, step):
                        continue
                    for number in range(first, end):
                        if not game[1][number, CHANGES]:
                            continue
                        at = start + (number - first) * step
                        gone = present[at] & patterns[number, CLEAR] & ~patterns[number, PUT] & ~good[at]
                        while gone != ZERO:
                            bit = gone & (~gone + ONE)
                            gone &= gone - ONE
                            layer = layer_of(layers, bit)
                            if loose & layer == ZERO and not may_have(game, number, layer, bit):
                                continue
                            put, well = patterns[number, PUT] & layer, losing
                            if put != ZERO:
                                if not (single and is_shifted(game, first, end, number, put, layer)):
                                    well = good[at] & put != ZERO
                            elif single and leaves(game, number, bit, layer):
                                to = shifted_to(game, first, end, number, bit, layer)
                                if to >= 0:
                                    well = good[start + (to - first) * step] & bit != ZERO
                            if well:
                                good[at] |= bit
                                new |= bit
                        put = patterns[number, PUT] & good[at]
                        while put != ZERO and not made[0]:
                            bit = put & (~put + ONE)
                            put &= put - ONE
                            layer = layer_of(layers, bit)
                            if loose & layer == ZERO and surely_has(game, number, layer):
                                continue
                            if not (single and is_shifted(game, first, end, number, bit, layer)):
                                made[0] = True
    return new != ZERO


@inner
def noted_ways(masks, ways_of, at, layer, ways, objects):
    """Note that some objects of a moving layer may move some ways."""
    for way in range(4):
        if ways >> np.uint64(5 * layer + way) & ONE != ZERO:
            ways_of[at, way] |= objects & masks[layer, 0]


@inner
def ways_in(game, facts, layers, rule, ways_of):
    """Note the ways that objects may move because of a rule: it adds the movement, or puts the object where one is."""
    rules, brackets, parts, patterns, masks, shape = game[3], game[4], game[5], game[0], game[8], game[18]
    present, across, downward = facts[0], rules[rule, ACROSS], rules[rule, DOWNWARD]
    step, loose = across * shape[HEIGHT] + downward, unsure(game, layers, rule)
    for bracket in range(rules[rule, BRACKET], rules[rule, BRACKET_END]):
        for part in range(brackets[bracket, PART], brackets[bracket, PART_END]):
            first, end = parts[part, FIRST], parts[part, END]
            left, right, upper, lower = bounds(shape, across, downward, end - first)
            for x in range(left, right):
                for y in range(upper, lower):
                    start = x * shape[HEIGHT] + y
                    if not may_fit(game, facts, first, end, start, step):
                        continue
                    for number in range(first, end):
                        if not game[1][number, CHANGES]:
                            continue
                        at, put = start + (number - first) * step, patterns[number, PUT]
                        for layer in range(len(masks)):
                            fresh = put & ~patterns[number, NEED]
                            noted_ways(masks, ways_of, at, layer, facts[2][at], fresh)
                            objects = put & masks[layer, 0]
                            if objects == ZERO:
                                left_over = present[at] & masks[layer, 0]
                                while left_over != ZERO:
                                    bit = left_over & (~left_over + ONE)
                                    left_over &= left_over - ONE
                                    if loose & bit != ZERO or may_have(game, number, masks[layer, 0], bit):
                                        objects |= bit
                            noted_ways(masks, ways_of, at, layer, patterns[number, MOVED], objects)


@loop
def noted(game, facts, layers, pressed, ways_of):
    """Note the objects of each cell that may move up, down, left and right.

    pressed  the movements of all inputs
    """
    rules, masks, players = game[3], game[8], game[10][0, 0]
    for at in range(len(facts[0])):
        for layer in range(len(masks)):
            noted_ways(masks, ways_of, at, layer, pressed << np.uint64(5 * layer), facts[0][at] & players)
    for rule in range(len(rules)):
        if rules[rule, REWRITES] and may_match(game, facts, rule):
            ways_in(game, facts, layers, rule, ways_of)


@loop
def spread_back(game, facts, layers, ways_of, good, losing, made, able):
    """Add objects to the good ones until none is left that may become one; see `rewritten` and `noted`.

    able  [rules]: room for which rules may match
    """
    rules = game[3]
    for rule in range(len(rules)):
        able[rule] = rules[rule, REWRITES] != 0 and may_match(game, facts, rule)
    growing = True
    while growing:
        growing = moved_to(game, facts, ways_of, good)
        for rule in range(len(rules)):
            if able[rule]:
                growing = rewritten(game, facts, layers, rule, good, losing, made) or growing


@inner
def hopeless(hopes, cells):
    """Return whether no win can be reached from a board."""
    lost, useful, least = hopes
    for at in range(np.uint64(len(lost))):
        if cells[at] & lost[at] != ZERO:
            return True
    for need in range(len(least)):
        left = least[need]
        for at in range(np.uint64(len(lost))):
            left -= popcount(cells[at] & useful[need, at])
            if left <= 0:
                break
        if left > 0:
            return True
    return False
