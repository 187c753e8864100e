"""Iterative deepening with lower bounds: for one hard position of a slide puzzle too large to list.

One blank: a depth-first search in compiled loops (`deepening`). Several blanks, longer moves, several goals, or few
positions: layers below a bound (`bounded`), as there are many ways to each position.
"""

from __future__ import annotations

from math import factorial

from ..heuristics import labels, slides
from ..heuristics.distance import Distance
from ..model import Goal, Model
from ..result import Engine, Geodesics, Search, Space, Watch
from . import bounded

FEW = 20_000
"""Up to this many arrangements of the pieces plain Python answers before anything faster is even imported."""


def refuses(space: Space, question: str) -> str | None:
    """Return why the space cannot be searched: the question, no pieces to bound, moves that cannot be undone."""
    if question != "search":
        return "a lower bound leads to a goal; it does not count all positions"
    if not isinstance(space, Model):
        return "the puzzle is written in Python, so nothing is known of its pieces"
    if not space.reversible:
        return (
            "some moves cannot be undone: most positions are reached in many ways, and depth-first search repeats each"
        )
    found = slides.read(space)
    return found if isinstance(found, str) else None


def search(question: Search, watch: Watch) -> Geodesics:
    """Find the positions on shortest ways from the start to a goal."""
    model = question.space
    assert isinstance(model, Model)
    board = slides.read(model)
    assert not isinstance(board, str)
    goals = tuple(map(Goal.exactly, question.goals)) if question.goals else model.goals
    if not goals:
        return Geodesics((), watch.generated, watch.seconds)
    single = goals[0].position if len(goals) == 1 else None
    if single is None or not compiled(board, question.start):
        return bounded.search(question, Distance(board, goals).bound, watch)
    return _deepen(question, board, single, watch)


def compiled(board: slides.Slides, start: bytes) -> bool:
    """Return whether the compiled search is for this board: one blank, moves of one rule, more than a few positions."""
    if start.count(board.blank) != 1 or board.model.metric.after:
        return False
    movers = [symbol for symbol in start if symbol in board.units]
    bound = factorial(len(movers) + 1)
    for symbol in set(movers):
        bound //= factorial(movers.count(symbol))
    blocks = [symbol for symbol in start if symbol in board.pieces and symbol not in board.units]
    return bound > FEW and len(blocks) == len(set(blocks))


def _deepen(question: Search, board: slides.Slides, goal: bytes, watch: Watch) -> Geodesics:
    import numpy as np

    from ..kernels.idastar_sums import deepen
    from .deepening import DEEPEST, Links, Rounds, sums

    pieces = labels.read(board, question.start, goal, apart=False)
    links = Links(board, pieces)
    tables = [board.alone(symbol, cells) for symbol, cells in zip(pieces.symbols, pieces.targets, strict=True)]
    root = sum(table[cell] for table, cell in zip(tables, pieces.cells, strict=True))
    stack = np.zeros((DEEPEST + 1, 2), np.int64)
    cells, cost = links.cells(question.start), sums(links, tables)

    def kernel(state: np.ndarray, bound: int) -> int:
        return deepen(links.table, links.edits, cost, cells, stack, state, bound)

    return Rounds(links, root, kernel, stack).search(question, watch)


ENGINE = Engine("idastar", refuses, search=search)
