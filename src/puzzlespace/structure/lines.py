"""Lines along which the blank goes in one move, if a move takes several pieces along one line."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.model import Model
from .slides import UNIT, Slides

Line = tuple[int, ...]
"""The cells that the blank comes to along one way."""

Lines = tuple[tuple[Line, ...], ...]
"""For each cell of the blank the lines along which it can go in one move."""


def read(slides: Slides) -> Lines | str:
    """Return for each cell of the blank the lines along which it can go in one move.

    If moves do not follow lines, or depend on the piece, return why.
    """
    return slides.model.kept(_read, slides.units)


def _read(model: Model, units: Sequence[int]) -> Lines | str:
    rules, followers = model.rules, model.followers
    pieces = sum(1 << symbol for symbol in units)
    steps: dict[int, tuple[int, int]] = {}
    for rule_number, rule in enumerate(rules):
        motion = rule.motion
        if motion is None or motion.shape != UNIT or rule.need[rule.cells.index(motion.origin)] & pieces != pieces:
            return "expected all pieces to have one cell and the same moves"
        steps[rule_number] = motion.target, motion.origin
    after = {n: [m for m in followers[n] if m in steps and steps[m][0] == steps[n][1]] for n in steps}
    back = {pair: n for n, pair in steps.items()}
    if len(back) < len(steps) or any(len(each) > 1 for each in after.values()):
        return "expected each move to go along one line"
    turned = {n: back.get((end, blank), -1) for n, (blank, end) in steps.items()}
    for n, more in after.items():
        if more and after.get(turned[more[0]]) != [turned[n]]:
            return "expected lines along which moves go in both directions"
    found: list[list[Line]] = [[] for _ in range(model.cells)]
    for n, (blank, end) in steps.items():
        line, at = [end], n
        while after[at]:
            at = after[at][0]
            line.append(steps[at][1])
            if len(line) > model.cells:
                return "expected moves along lines that end"
        found[blank].append(tuple(line))
    return tuple(map(tuple, found))
