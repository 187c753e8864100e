"""Every position of a small puzzle with its distance to the goal, for tests of lower bounds."""

import sys
from functools import cache

from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api.loader import load
from puzzlespace.model.model import Model


def distances_of(model: Model) -> dict[bytes, int]:
    """The moves from every position to the nearest goal."""
    return near(model, sys.maxsize)


def near(model: Model, most: int) -> dict[bytes, int]:
    """The distance to the nearest goal of every position at most `most` moves away."""
    assert model.reversible
    layer = list(goal_positions(model))
    found = dict.fromkeys(layer, 0)
    while layer and found[layer[0]] < most:
        depth = found[layer[0]] + 1
        layer = [child for child in dict.fromkeys(c for p in layer for c in model.moves(p)) if child not in found]
        found.update(dict.fromkeys(layer, depth))
    return found


@cache
def distances(name: str, metric: str = "step") -> dict[bytes, int]:
    """The moves from every position of a named puzzle to its goal."""
    return distances_of(load(name).model(metric))
