"""Kernels that measure packings: goal packings, layers from all of them at once, components, the hardest starts."""

from __future__ import annotations

import numpy as np

from ..loop import inner, loop
from .ranks import NONE, STEP, children, read

ROW, WRITTEN, LAYERS, BUDGET, MADE, CELLS = range(6)
"""The entries of `state`: ROW the next row of the queue to expand; WRITTEN its end; LAYERS the layers begun; BUDGET
rows to expand before a pause; MADE moves made so far; CELLS the depth of the stack in `goals`."""


@inner
def _push(ranks, stack, level, cell, node, total, covered, cells):
    """Put the next undecided cell on the stack; return its level."""
    while cell < cells and np.uint64(covered) >> np.uint64(cell) & np.uint64(1):
        cell += 1
    stack[level, 0] = cell
    stack[level, 1] = node
    stack[level, 2] = total
    stack[level, 3] = np.int64(covered)
    stack[level, 4] = ranks.first[node] if cell < cells else 0
    return level


@loop
def goals(ranks, tray, root, wanted, seen, queue, stack, state):
    """Append the packings that meet a goal to the queue and mark them as seen; return whether all are found.

    wanted  (uint8 [places], uint8 [cells]): which places, and blanks in which cells, the goal allows
    stack   int64 [cells + 2, 5]: working memory, kept between calls; a call begins anew if state[CELLS] is 0
    """
    allowed, blank = wanted
    cells = tray.flags[0]
    dense = len(ranks.choice) == 0
    level = state[CELLS] - 1
    if level < 0:
        level = _push(ranks, stack, 0, 0, root, 0, tray.walls[0], cells)
    left = state[BUDGET]
    while level >= 0 and left > 0:
        cell, node, edge = stack[level, 0], stack[level, 1], stack[level, 4]
        if cell == cells:
            left -= 1
            found = stack[level, 2]
            if not seen[found]:
                seen[found] = 1
                queue[state[WRITTEN]] = found
                state[WRITTEN] += 1
            level -= 1
            continue
        if edge == ranks.first[node + 1]:
            left -= 1
            level -= 1
            continue
        stack[level, 4] = edge + 1
        if ranks.edge[edge, 1] == NONE:
            continue
        choice = edge - ranks.first[node] if dense else ranks.choice[edge]
        total = stack[level, 2] + np.int64(ranks.edge[edge, 1])
        covered = np.uint64(stack[level, 3])
        if choice == 0:
            if blank[cell]:
                level = _push(ranks, stack, level + 1, cell + 1, np.int64(ranks.edge[edge, 0]), total, covered, cells)
        else:
            place = tray.place[choice, cell]
            if allowed[place]:
                covered |= tray.cover[place]
                level = _push(ranks, stack, level + 1, cell + 1, np.int64(ranks.edge[edge, 0]), total, covered, cells)
    state[CELLS] = level + 1
    return level < 0


@inner
def _find(up, label):
    """Return the representative of a label."""
    while up[label] != label:
        up[label] = up[up[label]]
        label = up[label]
    return label


@loop
def layers(ranks, tray, root, table, bounds, state, scratch):
    """Append layer after layer to the queue; return whether there are no more.

    table   (seen uint8 [packings], queue uint32 [packings], label uint32 [packings], up uint32 [sources]): whether a
            packing is in the queue; the packings by depth; the number of a source in the component of each, and the
            sets of sources that are in one component; the last two may be empty
    bounds  int64 [layers + 1]: the end of each layer in the queue
    """
    seen, queue, label, up = table
    labelled = len(up) > 0
    metric = tray.flags[1]
    row, written, layer = state[ROW], state[WRITTEN], state[LAYERS]
    left = state[BUDGET]
    while row < written and left > 0:
        if row == bounds[layer - 1]:
            if layer == len(bounds):
                break
            bounds[layer] = written
            layer += 1
        here = np.int64(queue[row])
        covered, pieces = read(ranks, tray, root, here, scratch)
        made = children(ranks, tray, covered, pieces, metric, scratch)
        for index in range(made):
            child = scratch.ranks[index]
            if not seen[child]:
                seen[child] = 1
                queue[written] = child
                written += 1
                if labelled:
                    label[child] = label[here]
            elif labelled and label[child] != label[here]:
                first, second = _find(up, label[child]), _find(up, label[here])
                if first < second:
                    up[second] = first
                else:
                    up[first] = second
        state[MADE] += made
        row += 1
        left -= 1
    state[ROW], state[WRITTEN], state[LAYERS] = row, written, layer
    return row == written


@loop
def sizes(table, bounds, layer_count, out):
    """Add up the components that reach the goal: out[label] = (packings, greatest depth, how many have it).

    Only the rows of representatives are filled. The depth of row r of the queue is the number of bounds up to r.
    """
    _, queue, label, up = table
    layer = 0
    for row in range(bounds[layer_count - 1]):
        while row == bounds[layer]:
            layer += 1
        component = _find(up, label[np.int64(queue[row])])
        out[component, 0] += 1
        if out[component, 1] < layer:
            out[component, 1] = layer
            out[component, 2] = 0
        out[component, 2] += 1


@loop
def flood(ranks, tray, root, table, state, scratch, cursor):
    """Replace each component that is not in the queue by its size, at the end of the queue; return whether all are.

    cursor  int64 [3], kept between calls: the packing to look at next; the row where the component that is being
            flooded begins; whether one is
    """
    seen, queue, _, _ = table
    left = state[BUDGET]
    row, written = state[ROW], state[WRITTEN]
    while left > 0:
        if not cursor[2]:
            while cursor[0] < len(seen) and seen[cursor[0]]:
                cursor[0] += 1
            if cursor[0] == len(seen):
                break
            cursor[1], cursor[2] = written, 1
            seen[cursor[0]] = 1
            queue[written] = cursor[0]
            row, written = written, written + 1
        while row < written and left > 0:
            covered, pieces = read(ranks, tray, root, np.int64(queue[row]), scratch)
            made = children(ranks, tray, covered, pieces, STEP, scratch)
            for index in range(made):
                child = scratch.ranks[index]
                if not seen[child]:
                    seen[child] = 1
                    queue[written] = child
                    written += 1
            state[MADE] += made
            row += 1
            left -= 1
        if row == written:
            queue[cursor[1]] = written - cursor[1]
            written = cursor[1] + 1
            row = written
            cursor[2] = 0
    state[ROW], state[WRITTEN] = row, written
    return cursor[0] == len(seen) and not cursor[2]


@inner
def _meets(tray, scratch, pieces, condition):
    """Return whether the packing read shows only what is wanted, and looks like its image under some symmetry."""
    allowed, blank, images, alike = condition
    for piece in range(pieces):
        if not allowed[scratch.lie[piece]]:
            return False
    for cell in range(tray.flags[0]):
        if scratch.what[cell] == 0 and not blank[cell]:
            return False
    if len(images) == 0:
        return True
    places = len(tray.kind)
    for number in range(len(images)):
        same = True
        for piece in range(pieces + images.shape[1] - places):  # walls that always stand come last
            image = images[number, scratch.lie[piece] if piece < pieces else places + piece - pieces]
            if image < 0:
                same = False
                break
            if image < places and alike[scratch.what[tray.cells[image, 0]]] != alike[tray.kind[image]]:
                same = False
                break
        if same:
            return True
    return False


@loop
def pick(ranks, tray, root, queue, span, condition, best, scratch):
    """Find for each number of pieces and blanks the last row of queue[span[0]:span[1]] that meets a condition.

    span       int64 [3]: rows are read from its end, at most span[2] of them; span[1] becomes the row to go on from
    condition  (allowed places, allowed blanks, and what `graph.designs.search.images` returns; no images: any will do)
    best       int64 [pieces + 1, blanks + 1]: the rows found, -1 before
    Returns how many were found; with a `best` of one number, the first one found ends the search.
    """
    found = 0
    row = span[1]
    stop = max(span[0], row - span[2])
    while row > stop:
        row -= 1
        _, pieces = read(ranks, tray, root, np.int64(queue[row]), scratch)
        at, blanks = pieces, 0
        if best.size > 1:
            for cell in range(tray.flags[0]):
                blanks += scratch.what[cell] == 0
        else:
            at = 0
        if best[at, blanks] < 0 and _meets(tray, scratch, pieces, condition):
            best[at, blanks] = row
            found += 1
            if best.size == 1:
                break
    span[1] = row
    return found
