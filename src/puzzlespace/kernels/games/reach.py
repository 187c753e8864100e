"""Which objects the cells of a level may have: more, at most, than they ever have.

Of each object in each cell two facts are computed: whether it may be there (`present`), and whether it may not
(`absent`); and of each movement whether a cell may have it (`moves`). All three have the words of a board.
They begin with the facts of some boards. Whatever a turn may do where these are true adds facts, pass by pass, until
none is new. The proof is in docs/methods/games.md ('What positions need').

facts  (present, absent, moves, news)
    news  uint64 [2, words, 2]: objects and movements of new facts, of the pass before and of this one
"""

import numpy as np

from ..bits import lowest
from ..loop import inner, loop
from .board import HEIGHT, ONE, SHIFT, WIDTH, ZERO, layer_at, slot_of, words_of
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
    patterns, pattern_facts, some, words = game[0], game[1], game[2], words_of(game[21])
    present, absent, moves, _ = facts
    at = start
    for number in range(first, end):
        for word in range(words):
            row, slot = slot_of(words, number, word), slot_of(words, at, word)
            if patterns[row, NEED] & ~present[slot] != ZERO or patterns[row, WITHOUT] & ~absent[slot] != ZERO:
                return False
            if patterns[row, MOVING] & ~moves[slot] != ZERO:
                return False
        for other in range(pattern_facts[number, SOME], pattern_facts[number, SOME_END]):
            found = ZERO
            for word in range(words):
                found |= present[slot_of(words, at, word)] & some[slot_of(words, other, word)]
            if found == ZERO:
                return False
        at += step
    return True


@inner
def write(game, facts, first, end, start, step):
    """Add what the patterns of a part make of the cells from one on."""
    patterns, pattern_facts, words = game[0], game[1], words_of(game[21])
    present, absent, moves, news = facts
    at = start
    for number in range(first, end):
        if pattern_facts[number, CHANGES]:
            for word in range(words):
                row, slot = slot_of(words, number, word), slot_of(words, at, word)
                put, moved = patterns[row, PUT], patterns[row, MOVED]
                gone = patterns[row, CLEAR] & ~put
                news[1, word, 0] |= put & ~present[slot] | gone & ~absent[slot]
                news[1, word, 1] |= moved & ~moves[slot]
                present[slot] |= put
                absent[slot] |= gone
                moves[slot] |= moved
        at += step


@inner
def bounds(shape, across, downward, length):
    """Return the columns and the rows in which a part of some cells can begin."""
    more = length - 1
    left, right = (more if across < 0 else 0), shape[WIDTH] - (more if across > 0 else 0)
    upper, lower = (more if downward < 0 else 0), shape[HEIGHT] - (more if downward > 0 else 0)
    return left, right, upper, lower


@inner
def spread(game, facts, rule, part, writes):
    """Return whether a part may match anywhere; with `writes` add what it makes wherever it may, and return False."""
    rules, parts, shape = game[3], game[5], game[18]
    across, downward = rules[rule, ACROSS], rules[rule, DOWNWARD]
    step, first, end = across * shape[HEIGHT] + downward, parts[part, FIRST], parts[part, END]
    left, right, upper, lower = bounds(shape, across, downward, end - first)
    for x in range(left, right):
        for y in range(upper, lower):
            start = x * shape[HEIGHT] + y
            if may_fit(game, facts, first, end, start, step):
                if not writes:
                    return True
                write(game, facts, first, end, start, step)
    return False


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
    """Add the movements of players and what objects that move make of cells."""
    masks, players, shape, words = game[8], game[10], game[18], words_of(game[21])
    present, _, moves, news = facts
    for x in range(shape[WIDTH]):
        for y in range(shape[HEIGHT]):
            at = x * shape[HEIGHT] + y
            for layer in range(len(masks)):
                own, shift = layer_at(words, layer)
                slot, player = slot_of(words, at, own), ZERO
                for word in range(words):
                    player |= present[slot_of(words, at, word)] & masks[layer, word] & players[0, word]
                if player != ZERO:
                    news[1, own, 1] |= pressed << shift & ~moves[slot]
                    moves[slot] |= pressed << shift
                ways = moves[slot] >> shift & np.uint64(15)
                while ways != ZERO:
                    way = lowest(ways)
                    ways &= ways - ONE
                    to_x = x + (1 if way == 3 else -1 if way == 2 else 0)
                    to_y = y + (1 if way == 1 else -1 if way == 0 else 0)
                    if 0 <= to_x < shape[WIDTH] and 0 <= to_y < shape[HEIGHT]:
                        move(facts, masks, words, at, to_x * shape[HEIGHT] + to_y, layer)


@inner
def move(facts, masks, words, at, there, layer):
    """Add what the objects of a layer make of their cell and of another one if they may move there."""
    present, absent, _, news = facts
    for word in range(words):
        if masks[layer, word] & ~absent[slot_of(words, there, word)] != ZERO:
            return
    for word in range(words):
        here, to = slot_of(words, at, word), slot_of(words, there, word)
        going = present[here] & masks[layer, word]
        news[1, word, 0] |= going & ~present[to] | going & ~absent[here]
        present[to] |= going
        absent[here] |= going


@inner
def concerned(game, news, rule):
    """Return whether a rule looks at objects or movements of new facts."""
    rules, looks, words = game[3], game[20], words_of(game[21])
    found = ZERO
    for bracket in range(rules[rule, BRACKET], rules[rule, BRACKET_END]):
        for word in range(words):
            row = slot_of(words, bracket, word)
            found |= looks[row, 0] & (news[0, word, 0] | news[1, word, 0])
            found |= looks[row, 1] & (news[0, word, 1] | news[1, word, 1])
    return found != ZERO


@loop
def reached(game, facts, pressed):
    """Add to the facts until they hold after all turns, too.

    pressed  the movements of all inputs
    """
    rules, brackets, news = game[3], game[4], facts[3]
    first, growing = True, True
    while growing:
        step_out(game, facts, pressed)
        for rule in range(len(rules)):
            if rules[rule, REWRITES] and (first or concerned(game, news, rule)) and may_match(game, facts, rule):
                for bracket in range(rules[rule, BRACKET], rules[rule, BRACKET_END]):
                    for part in range(brackets[bracket, PART], brackets[bracket, PART_END]):
                        spread(game, facts, rule, part, True)
        first, growing = False, False
        for word in range(news.shape[1]):
            for kind in range(2):
                growing = growing or news[1, word, kind] != ZERO
                news[0, word, kind] = news[1, word, kind]
                news[1, word, kind] = ZERO


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
