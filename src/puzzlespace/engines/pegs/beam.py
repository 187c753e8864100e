"""Beam search for one solution of single jumps, on boards of any size.

All paths of single jumps between two numbers of pegs have the same length, so any is shortest. From the goals, some
complete layers are computed backwards. From the start, only the `width` best positions of each layer are kept: those
with the fewest pegs on cells where few jumps can remove them, because such pegs tend to be left over. If the sides do
not meet, the width is increased. A failed search is no proof that there is no solution.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from .layers import Layer, PegField, Pusher
from .values import SET

BEAM_BACK = Threshold(400_000)
"""The most positions of a layer from the goals that is expanded further."""


class WidthError(Exception):
    """The beam search found no solution, which is no proof that there is none."""


def find(field: PegField, start: int, goals: Sequence[int], widths: Sequence[int], watch: Watch) -> list[int]:
    """Return a path from the start to one of the goals, which have equal numbers of pegs; [] if there is none.

    Raises WidthError if the widest search found no path and dropped positions, so that it proves nothing.
    """
    back = {goals[0].bit_count(): field.layer(goals)}
    pusher = Pusher(field.back, SET, watch)
    top = start.bit_count()
    while max(back) < top and len(back[max(back)].keys) <= watch.thresholds[BEAM_BACK]:
        back[max(back) + 1] = pusher.grow(back[max(back)])
    for width in widths:
        layers, met = _descend(field, start, back, width, watch)
        if met is not None:
            return [*_path_to(field, layers, met), *_path_from(field, back, met)]
        if all(len(layer.keys) < width for layer in layers.values()):
            return []
    raise WidthError(f"no way was found among the {widths[-1]:,} best positions of each layer")


def weights(field: PegField) -> np.ndarray:
    """Return the weight of a peg on each bit: the inverse of the number of jumps in which it can take part."""
    jumps = field.jumps
    number = [sum(want >> bit & 1 for want in jumps.want) for bit in range(len(jumps.order))]
    return np.array([1 / max(1, each) for each in number])


def best(keys: np.ndarray, weight: np.ndarray, width: int) -> np.ndarray:
    """Return the rows of the `width` positions whose pegs have the least weights, of more than `width`.

    keys  uint64 [n], or [n, words]
    """
    scores, words = np.zeros(len(keys), np.float32), keys.reshape(len(keys), -1)
    for bit, each in enumerate(weight):
        has = words[:, bit >> 6] >> np.uint64(bit & 63) & np.uint64(1)
        scores += has.astype(np.float32) * np.float32(each)
    return np.argpartition(scores, width)[:width]


def _descend(
    field: PegField, start: int, back: dict[int, Layer], width: int, watch: Watch
) -> tuple[dict[int, Layer], int | None]:
    """Return the layers from the start, and the first position from which a goal can be reached, or None."""
    pusher = Pusher(field.ahead, SET, watch)
    weight = weights(field)
    layer, pegs = field.layer([start]), start.bit_count()
    layers = {pegs: layer}
    while len(layer.keys):
        if pegs in back:
            met = layer.keys[np.isin(layer.keys, back[pegs].keys, assume_unique=True)]
            if len(met):
                return layers, int(met[0])
        if pegs <= min(back):
            break
        layer, pegs = pusher.grow(layer), pegs - 1
        if len(layer.keys) > width:
            layer = Layer(np.sort(layer.keys[best(layer.keys, weight, width)]), layer.values)
        layers[pegs] = layer
        watch.layer(start.bit_count() - pegs, len(layer.keys), sum(len(each.keys) for each in layers.values()))
    return layers, None


def _path_to(field: PegField, layers: dict[int, Layer], word: int) -> list[int]:
    """Return a path through the layers from the start to a position, without that position."""
    jumps, path = field.jumps, []
    for pegs in range(word.bit_count() + 1, max(layers) + 1):
        for mask, want in zip(jumps.mask, jumps.want, strict=True):
            before = word ^ mask
            if word & mask == want ^ mask and layers[pegs].row(min(field.images(before))) is not None:
                break
        path.append(before)
        word = before
    return path[::-1]


def _path_from(field: PegField, back: dict[int, Layer], word: int) -> list[int]:
    """Return a path from a position to a goal, including the position."""
    jumps, path = field.jumps, [word]
    for pegs in range(word.bit_count() - 1, min(back) - 1, -1):
        for mask, want in zip(jumps.mask, jumps.want, strict=True):
            after = word ^ mask
            if word & mask == want and back[pegs].row(min(field.images(after))) is not None:
                break
        path.append(after)
        word = after
    return path
