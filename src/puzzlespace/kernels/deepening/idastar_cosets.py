"""Depth-first search below a bound by listed moves, with a coset table of `heuristics.coset_tables`.

A solution grows from both of its ends: a move is tried first, or the inverse of one last. So a node of the search is a
position on one of two sides, the position reached or its inverse, and the moves tried lead on from there. Both are
looked up in all views; each word found also says which moves lead nearer, and which lead no farther. Moves that lead
too deep are dropped on both sides, as are moves after which, by these words, no move would be left. The side with fewer
moves left is chosen (docs/methods/cosets.md).

Nodes of a depth are visited several at a time, so that the cache misses of all their children overlap.

The depth of the loop is one more than that of the nodes chosen: at depth 0 none are.

search = (turns, after, table, steps, lists, views, finer, inverse, goal, nodes, path, desk, state)

turns     uint8 [moves, pieces, states]: the state of each piece after a move
after     int64 [2, moves + 1]: the moves that may follow each on each side, as bits; the last ones: the first moves
table     uint32 or uint64 [classes, values]: the words of the coset table; or uint8: its depths, without marks
steps     (places, turned, second), uint16 [moves, values] each: the coordinates after a move, see `cosets`
lists     (own int32 [pairs]: class << shift | symmetry; conjugates uint16 [symmetries, values];
          numbers of codes, int32 each, of places, turns and the second orbit)
views     (renamed int64 [views, moves]: which move the image of each move is;
          back int64 [groups, pieces, states, SUMS]: parts of the codes of the images of the inverse position, `SUMS`
          views in each group; no groups if inverses are unknown: then there is one side;
          idle int64 [views]: the moves that cannot come first on a side if the other side has the depth left, as bits:
          they change nothing in the view of the other side;
          means [2, views << shift, bytes, 256]: see `MarkedCosets.means`; no bytes if there are no marks;
          still int64 [., 2]: sets of views, as bits, and the moves that are idle in exactly these)
finer     see `finer_cosets`; without such a table it has no bits
inverse   (piece, state), uint8 [pieces, states] each: see `heuristics.inverses`
goal      uint8 [pieces]
nodes     (states uint8 [depth + 1, room, pieces]; marks uint16 [depth + 1, room, sides, views, 4]: the coordinates
          on each side, and those of a finer table; words int64 [depth + 1, room, sides, views, 4]: see the names below;
          info int64 [depth + 1, room, 7]: see the names below; ahead int64 [depth + 1, room, sides, views]: see
          `foresee`; left int64 [depth + 1, room]: the nodes to visit): the nodes of each depth that follow those
          chosen before; room for all moves at least
path      int64 [depth + 1, 3]: how many nodes are to be visited at each depth, the first of those that are visited
          now, and how many were visited or are
desk      (few int64 [room, 3]; near int64 [sides, views]): scratch
state     see `state`; then the shift
"""

from __future__ import annotations

import numpy as np

from ..bits import lowest, popcount
from ..lanes import sum_of_rows
from ..loop import inner, loop
from ..prefetch import prefetch
from ..widths import SUMS
from .cosets import MARKS, SECOND, TURNED, UNSEEN
from .finer_cosets import find_places, least_of
from .search_loop import ENTERED, NONE, search_loop
from .state import BOUND, EXPANDED, LEAST, NEVER, OWN

CAME, LAST, SIDE, MOVE, NEXT, OPEN, PARENT = range(7)
"""The last move on each side, the side of the states, the move that led there; the side to go on from, its moves; the
node before."""

WORD, SYMMETRY, PLACE, ENTRY = range(4)
"""In each view: the word of the table, or the pair before it is found; the symmetry that takes the pair to the first
one of its class; where the word is; the entry of a finer table."""

SHIFT = OWN

FULL, FIRST, DONE = range(3)
"""The columns of `path`."""


@inner
def coordinates(total, lists):
    """Return the coordinates of a position by its code, each -1 if it has none."""
    place = np.int64(lists[2][total & ((1 << TURNED) - 1)])
    turn = np.int64(lists[3][total >> TURNED & ((1 << (SECOND - TURNED)) - 1)])
    return place, turn, np.int64(lists[4][total >> SECOND])


@loop
def look_up(codes, lists, table, turns, shift, states, out):
    """Write the coordinates, the word and the symmetry of a position by each of some codes; the word `UNSEEN` if none.

    codes  int64 [views, pieces, states]
    turns  how many values the second coordinate of the first orbit has
    out    int64 [views, 5]
    """
    for view in range(codes.shape[0]):
        total = np.int64(0)
        for piece in range(states.shape[0]):
            total += codes[view, piece, states[piece]]
        place, turn, value = coordinates(total, lists)
        out[view, 0], out[view, 1], out[view, 2], out[view, 3], out[view, 4] = place, turn, value, UNSEEN, 0
        if place >= 0 and turn >= 0 and value >= 0 and lists[0][place * turns + turn] >= 0:
            to = np.int64(lists[0][place * turns + turn])
            symmetry = to & ((1 << shift) - 1)
            out[view, 3], out[view, 4] = np.int64(table[to >> shift, lists[1][symmetry, value]]), symmetry


@inner
def led(means, kind, way, word):
    """Return the moves that a word says to lead no farther (kind 0) or nearer (kind 1), as bits."""
    most = np.int64(0)
    for part in range(means.shape[2]):
        most |= means[kind, way, part, word >> (MARKS + 8 * part) & 255]
    return most


@inner
def cut(depth, left, side, idle, open0, open1):
    """Return the moves left on both sides if a view of a side has this depth; `idle`: those barred on the other one."""
    if depth > left:
        return np.int64(0), open1
    if depth == left:
        if side == 0:
            return open0, open1 & ~idle
        return open0 & ~idle, open1
    return open0, open1


@inner
def narrow(words, side, open0, open1, left, views, shift):
    """Return the moves left on both sides, as bits, after the views of a side; a node without moves on one is dropped.

    words         int64 [views, 4]: the words of the position on that side, see `nodes`
    open0, open1  the moves left before
    left          the moves to go
    """
    _, _, idle, means, _ = views
    for view in range(words.shape[0]):
        depth = words[view, 0] & ((1 << MARKS) - 1)
        open0, open1 = cut(depth, left, side, idle[view], open0, open1)
    for view in range(words.shape[0]):
        if open0 == 0 or open1 == 0 or means.shape[2] == 0:
            break
        word = words[view, 0]
        less = (word & ((1 << MARKS) - 1)) - left + 1
        if less >= 0:
            most = led(means, less, view << shift | words[view, 1], word)
            if side == 0:
                open0 &= most
            else:
                open1 &= most
    return open0, open1


@inner
def foresee(words, left, views, shift, near):
    """Find the moves that lead to a depth less than the moves to go after a move, as bits, for each side and view.

    words  int64 [sides, views, 4]
    left   the moves to go after a move
    near   int64 [sides, views]: found; without marks, all moves, or none if the depth is greater
    """
    means = views[3]
    for side in range(near.shape[0]):
        for view in range(near.shape[1]):
            less = (words[side, view, 0] & ((1 << MARKS) - 1)) - left + 1
            near[side, view] = 0 if less > 1 else -1
            if (less == 0 or less == 1) and means.shape[2] > 0:
                near[side, view] = led(means, less, view << shift | words[side, view, 1], words[side, view, 0])


@inner
def sift(rest, other, side, views, near):
    """Return the moves on a side after which a move on the other side may be left.

    rest   the moves on the side, as bits
    other  the moves left on the other side, as far as the moves made before tell
    near   see `foresee`

    A move that is idle in some views changes nothing there on the other side, but there is a move fewer to go. A move
    that leads to the depth left in all views bars all moves that are idle in one of them.
    """
    _, _, idle, means, still = views
    for kind in range(still.shape[0] if near.shape[0] > 1 else 0):
        both = other
        for view in range(near.shape[1]):
            both &= near[1 - side, view] | ((still[kind, 0] >> view & 1) - 1)
        if both == 0:
            rest &= ~still[kind, 1]
    if means.shape[2] > 0:
        nearer = np.int64(0)
        for view in range(near.shape[1]):
            nearer |= near[side, view]
            other &= ~idle[view]
        if other == 0:
            rest &= nearer
    return rest


@inner
def choose(words, info, open0, open1, left, after, views, shift, ahead, near, state):
    """Write the side with fewer moves left, and its moves; return whether a solution may follow.

    words  int64 [sides, views, 4]
    info   int64 [7]: its last moves are given; `NEXT` and `OPEN` are found
    left   the moves to go
    ahead  int64 [sides, views]: found, see `nodes`
    near   int64 [sides, views], scratch
    """
    first, last, sides = after[0, info[CAME]], after[1, info[LAST]], words.shape[0]
    if left > 1:
        foresee(words, left - 1, views, shift, near)
        open0 = sift(open0, last, 0, views, near)
        if sides > 1:
            open1 = sift(open1, first, 1, views, near)
    if open0 != first or open1 != last:
        state[LEAST] = 1
    turn = sides > 1
    if turn:
        many, few = popcount(np.uint64(open0)), popcount(np.uint64(open1))
        turn = few < many or (few == many and info[SIDE] == 1)
    info[NEXT], info[OPEN] = (1, open1) if turn else (0, open0)
    for side in range(sides):
        for view in range(near.shape[1]):
            ahead[side, view] = near[side, view]
    return open0 != 0 and open1 != 0


@inner
def locate(asked, marks, ways, lists, shift):
    """Find where the words in some views of a side are.

    asked  int64 [views, 4]: the pair in each view; the symmetry and the place of the word are found
    marks  uint16 [views, 4]: the coordinates
    ways   (first, end): the views
    """
    own, conjugates = lists[0], lists[1]
    for view in range(ways[0], ways[1]):
        to = np.int64(own[asked[view, WORD]])
        symmetry = to & ((1 << shift) - 1)
        asked[view, SYMMETRY] = symmetry
        asked[view, PLACE] = (to >> shift) * conjugates.shape[1] + conjugates[symmetry, marks[view, 2]]


@inner
def load_words(asked, cells):
    """Begin to load the words of a side."""
    for view in range(asked.shape[0]):
        prefetch(cells, asked[view, PLACE])


@inner
def keep(few, kept, at, open0, open1):
    """List a child unless a side has no moves left; return how many are listed."""
    if open0 == 0 or open1 == 0:
        return kept
    few[kept, 0], few[kept, 1], few[kept, 2] = at, open0, open1
    return kept + 1


@inner
def drop(few, count, infos, asked, across, left, views, cells, shift, state):
    """Read the words of some children on a side; return how many children may lead to a solution.

    few     int64 [children, 3]: the children and the moves left on both sides; rewritten
    asked   int64 [children, sides, views, 4]: their words
    across  1 for the other side than that of the move, 0 for that side
    """
    kept = 0
    for number in range(count):
        at = few[number, 0]
        side = infos[at, SIDE] ^ across
        words = asked[at, side]
        for view in range(words.shape[0]):
            words[view, WORD] = np.int64(cells[words[view, PLACE]])
        open0, open1 = narrow(words, side, few[number, 1], few[number, 2], left, views, shift)
        kept = keep(few, kept, at, open0, open1)
    if kept < count:
        state[LEAST] = 1
    return kept


@inner
def drop_finer(few, count, infos, marks, asked, across, ways, left, finer, state):
    """Ask the finer table about some children in some views of a side; return how many may lead to a solution.

    few, asked, across  see `drop`
    ways                (first, end): the views
    """
    bits, others, idle, form = finer[0], finer[2], finer[6], finer[7]
    for number in range(count):
        at = few[number, 0]
        side = infos[at, SIDE] ^ across
        words = asked[at, side]
        for view in range(ways[0], ways[1]):
            words[view, ENTRY] = words[view, PLACE] * form[0] + others[words[view, SYMMETRY], marks[at, side, view, 3]]
            prefetch(bits, words[view, ENTRY] >> 5)
    kept = 0
    for number in range(count):
        at, open0, open1 = few[number, 0], few[number, 1], few[number, 2]
        side = infos[at, SIDE] ^ across
        for view in range(ways[0], ways[1]):
            depth = least_of(finer, asked[at, side, view, ENTRY])
            open0, open1 = cut(depth, left, side, idle[view], open0, open1)
        kept = keep(few, kept, at, open0, open1)
    if kept < count:
        state[LEAST] = 1
    return kept


@inner
def list_children(depth, after, views, nodes, path, few, left, state):
    """List the moves left from the nodes chosen, without those after which no move would be left; return how many.

    few  see `drop`
    """
    _, _, _, info, ahead, alive = nodes
    idle, marked = views[2], views[3].shape[2] > 0
    ways, sides = ahead.shape[3], ahead.shape[2]
    below, count = depth + 1, 0
    for chosen in range(path[depth, FIRST], path[depth, DONE]):
        node = alive[depth, chosen]
        side, rest = info[depth, node, NEXT], info[depth, node, OPEN]
        while rest != 0:
            move = lowest(np.uint64(rest))
            rest &= rest - 1
            there = after[1 - side, info[depth, node, LAST - side]]
            if left > 0:
                for view in range(ways):
                    if marked:
                        there &= ~(idle[view] & ((ahead[depth, node, side, view] >> move & 1) - 1))
                    if sides > 1:
                        there &= ahead[depth, node, 1 - side, view] | ((idle[view] >> move & 1) - 1)
                if there == 0:
                    state[LEAST] = 1
                    continue
            few[count, 0], few[count, 1 + side], few[count, 2 - side] = count, after[side, move], there
            info[below, count, CAME], info[below, count, LAST] = info[depth, node, CAME], info[depth, node, LAST]
            info[below, count, CAME + side], info[below, count, SIDE], info[below, count, MOVE] = move, side, move
            info[below, count, PARENT] = node
            count += 1
    return count


@inner
def make(depth, at, turns, inverse, nodes):
    """Write the states of a child."""
    states, _, _, info, _, _ = nodes
    below = depth + 1
    move, side, node = info[below, at, MOVE], info[below, at, SIDE], info[below, at, PARENT]
    if side == info[depth, node, SIDE]:
        for piece in range(states.shape[2]):
            states[below, at, piece] = turns[move, piece, states[depth, node, piece]]
    else:
        for piece in range(states.shape[2]):
            here = states[depth, node, piece]
            twin = inverse[0][piece, here]
            states[below, at, twin] = turns[move, twin, inverse[1][piece, here]]


@inner
def look_across(depth, at, turned, lists, views, nodes):
    """Find the coordinates of a child on the other side than that of the move, from its states."""
    states, marks, words, info, _, _ = nodes
    back, below, ways = views[1], depth + 1, views[0].shape[0]
    other = 1 - info[below, at, SIDE]
    for group in range(back.shape[0]):
        one, two, three, four = sum_of_rows(back, group, states, below, at)
        for view in range(SUMS * group, min(ways, SUMS * (group + 1))):
            place, turn, value = coordinates(one, lists)
            marks[below, at, other, view, 0], marks[below, at, other, view, 1] = place, turn
            marks[below, at, other, view, 2] = value
            words[below, at, other, view, WORD] = place * turned + turn
            prefetch(lists[0], place * turned + turn)
            one, two, three = two, three, four


@inner
def look_along(depth, at, ways, steps, lists, views, finer, nodes):
    """Find the coordinates of a child in some views on the side of the move, from those of its parent."""
    _, marks, words, info, _, _ = nodes
    renamed, below, turned = views[0], depth + 1, steps[1].shape[1]
    move, side, node = info[below, at, MOVE], info[below, at, SIDE], info[below, at, PARENT]
    for view in range(ways[0], ways[1]):
        to = renamed[view, move]
        place = np.int64(steps[0][to, marks[depth, node, side, view, 0]])
        turn = np.int64(steps[1][to, marks[depth, node, side, view, 1]])
        marks[below, at, side, view, 0], marks[below, at, side, view, 1] = place, turn
        marks[below, at, side, view, 2] = steps[2][to, marks[depth, node, side, view, 2]]
        if finer[3].shape[1] > 0:
            marks[below, at, side, view, 3] = finer[3][to, marks[depth, node, side, view, 3]]
        words[below, at, side, view, WORD] = place * turned + turn
        prefetch(lists[0], place * turned + turn)


@inner
def arrive(below, count, goal, nodes, path, state):
    """Keep the children that are the goal."""
    states, alive = nodes[0], nodes[5]
    kept = 0
    for at in range(count):
        same = True
        for piece in range(goal.shape[0]):
            same = same and states[below, at, piece] == goal[piece]
        if same:
            alive[below, kept] = at
            kept += 1
        else:
            state[LEAST] = 1
    path[below, FULL], path[below, DONE] = kept, 0


@inner
def expand(depth, turns, after, table, steps, lists, views, finer, inverse, goal, nodes, path, desk, state):
    """List the positions after the moves left from the nodes chosen, without those that cannot lead to a solution.

    Returns how many were made.

    By its marks, the moves left at a node do not lead too deep on the side where they are made. So children are looked
    up on the other side first, and only those that are left on the side of the move. If entries of a finer table may
    be too deep, that table is asked on the side of the move before all others: what it needs follows from the
    coordinates of the parent, so that the states of most children are never made. The entries of all children are
    prefetched before the first one is used: cache misses overlap.
    """
    states, marks, words, info, ahead, alive = nodes
    few, near = desk
    cells = table.reshape(-1)
    left, shift, sides, below = state[BOUND] - depth - 1, state[SHIFT], marks.shape[2], depth + 1
    turned, asked = steps[1].shape[1], words[below]
    fine, form = finer[0].shape[0] > 0, finer[7]
    ask = fine and form[2] <= left <= form[1] + 2
    count = list_children(depth, after, views, nodes, path, few, left, state)
    if left == 0:
        for at in range(count):
            make(depth, at, turns, inverse, nodes)
        arrive(below, count, goal, nodes, path, state)
        return count
    kept, every_view = count, (0, marks.shape[3])
    for view in range(marks.shape[3] if ask else 0):
        for number in range(kept):
            look_along(depth, few[number, 0], (view, view + 1), steps, lists, views, finer, nodes)
        for number in range(kept):
            at = few[number, 0]
            side = info[below, at, SIDE]
            locate(asked[at, side], marks[below, at, side], (view, view + 1), lists, shift)
        kept = drop_finer(few, kept, info[below], marks[below], asked, 0, (view, view + 1), left, finer, state)
    for number in range(kept):
        at = few[number, 0]
        make(depth, at, turns, inverse, nodes)
        look_across(depth, at, turned, lists, views, nodes)
    if sides > 1:
        for number in range(kept):
            at = few[number, 0]
            other = 1 - info[below, at, SIDE]
            locate(asked[at, other], marks[below, at, other], every_view, lists, shift)
            load_words(asked[at, other], cells)
        kept = drop(few, kept, info[below], asked, 1, left, views, cells, shift, state)
    for number in range(kept if not ask else 0):
        look_along(depth, few[number, 0], every_view, steps, lists, views, finer, nodes)
    for number in range(kept):
        at = few[number, 0]
        side = info[below, at, SIDE]
        if not ask:
            locate(asked[at, side], marks[below, at, side], every_view, lists, shift)
        load_words(asked[at, side], cells)
    kept = drop(few, kept, info[below], asked, 0, left, views, cells, shift, state)
    if fine and sides > 1:
        for number in range(kept):
            at = few[number, 0]
            other = 1 - info[below, at, SIDE]
            find_places(finer, 1, states[below, at], marks[below, at, other])
        if ask:
            kept = drop_finer(few, kept, info[below], marks[below], asked, 1, every_view, left, finer, state)
    found = 0
    for number in range(kept):
        at = few[number, 0]
        alive[below, found] = at
        found += choose(
            asked[at], info[below, at], few[number, 1], few[number, 2], left, after, views, shift,
            ahead[below, at], near, state,
        )  # fmt: skip
    path[below, FULL], path[below, DONE] = found, 0
    return count


@inner
def arrived(search, depth, bound):
    """Return whether all moves are made: the nodes after the last one are goals."""
    return depth == bound + 1


@inner
def open_up(search, depth, bound):
    """List the nodes that follow the nodes chosen; return how many were made."""
    turns, after, table, steps, lists, views, finer, inverse, goal, nodes, path, desk, state = search
    made = expand(
        depth - 1, turns, after, table, steps, lists, views, finer, inverse, goal, nodes, path, desk, state
    )  # fmt: skip
    state[EXPANDED] += path[depth - 1, DONE] - path[depth - 1, FIRST] - 1  # the loop counts one
    return made, NEVER


@inner
def attempt(search, depth, bound):
    """Choose the next nodes: as many as have room for the nodes that follow, or one goal."""
    _, _, _, info, _, alive = search[9]
    path = search[10]
    if depth > bound or path[depth, DONE] == path[depth, FULL]:
        return NONE, 0, NEVER
    path[depth, FIRST] = path[depth, DONE]
    path[depth, DONE] += 1
    if depth < bound:
        made = popcount(np.uint64(info[depth, alive[depth, path[depth, FIRST]], OPEN]))
        while path[depth, DONE] < path[depth, FULL]:
            made += popcount(np.uint64(info[depth, alive[depth, path[depth, DONE]], OPEN]))
            if made > alive.shape[1]:
                break
            path[depth, DONE] += 1
    return ENTERED, 0, NEVER


@inner
def leave(search, depth, bound):
    """Do nothing: the nodes before are still listed."""


deepen = search_loop("deepen_cosets", arrived, open_up, attempt, leave)


@loop
def begin(words, info, left, after, views, shift, ahead, near, state):
    """Find the moves left at the first node; return whether a solution may follow."""
    open0, open1 = after[0, info[CAME]], after[1, info[LAST]]
    for side in range(words.shape[0]):
        open0, open1 = narrow(words[side], side, open0, open1, left, views, shift)
    return choose(words, info, open0, open1, left, after, views, shift, ahead, near, state)
