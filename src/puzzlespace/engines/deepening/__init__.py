"""Iterative deepening below lower bounds: for one hard position of a slide puzzle too large to list.

known            what is known of a question, each fact computed once
methods          the ways of searching, in the order in which they are tried
iterations       the driver: rounds below a growing bound; depth-first rounds on all processors
unsolvable       whether a goal can be reached at all, looked for beside the search
bounded_layers   rounds of breadth-first layers in plain Python, for few positions
blank_links      with one blank and moves of one rule: a descent along the ways of the blank, below distances
pruning          redundant move sequences of the blank
lines, patterns  the same below walking distance and inversions, below pattern databases
tracks, colours  moves that carry a line of pieces, below tables of coloured pieces
moves            any slide puzzle, move by move, with a table of the positions that it has been at
latest           tables kept for further positions of the same puzzle
"""

from __future__ import annotations

from dataclasses import replace

from ...contract.answers import Geodesics
from ...contract.questions import Depths, Engine, Prospect, Search, Space, Worth
from ...heuristics import slides
from ...limits.watch import Watch
from ...model.model import Model
from .known import MOST_CELLS, KnownFacts
from .methods import METHODS, Method


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
    """Find the positions on shortest ways from the start to a goal by the first method that fits.

    Raises InputError and UnsupportedError for a bound that the puzzle does not have.
    """
    known = KnownFacts.of(question, watch)
    if not known.goals or known.cut_off:
        return Geodesics((), watch.generated, watch.seconds)
    fitting = (method for method in METHODS if method.fits(known) is None)
    found, over = _run(next(fitting), known)
    while over:
        known.proved = max(known.proved, found.bound or 0)
        found, over = _run(next(fitting), known)
    return found


def _run(method: Method, known: KnownFacts) -> tuple[Geodesics, bool]:
    """Return what a method finds, and whether its budget stopped it, so that the next method takes over."""
    watch = known.watch
    asked, budget = watch.limits, method.budget(known) if method.budget is not None else None
    most = None if budget is None else watch.generated + budget
    if most is None or (asked.positions is not None and asked.positions <= most):
        return method.run(known), False
    watch.limits = replace(asked, positions=most)
    try:
        found = method.run(known)
    finally:
        watch.limits = asked
    return found, found.stopped is not None and found.stopped.kind == "positions"


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return 0 if a search from the start below a bound beats layers from both ends, or why it does not.

    It does for one blank, one goal, pieces of one cell, far too many orders to list, and a board on which every
    position of the right parity can be reached, so that a search must end.
    """
    if not isinstance(question, Search):
        return "a lower bound leads to a goal; it does not count all positions"
    refusal = refuses(question.space, "search")
    if refusal is not None:
        return refusal
    known = KnownFacts.of(question, prospect.watch)
    reason = _many_ways(known)
    if reason is None and (question.goals is None or len(question.goals) != 1):
        return "a bound tells little where there are several goals"
    return reason or _better_listed(known) or 0


def _many_ways(known: KnownFacts) -> str | None:
    """Return why most positions are reached in many ways, which a depth-first search goes one by one, or None."""
    if known.board.model.metric.after:
        return "a move of several steps leads to many positions, and to each of them there are many ways"
    blanks = known.start.count(known.board.blank)
    if blanks == 1:
        return None
    return (
        f"there are {blanks} blanks: moves beside different ones go in any order, so there are many ways to a position"
    )


def _better_listed(known: KnownFacts) -> str | None:
    """Return why layers come to their end, or why a search might not, or None."""
    if known.board.model.shapes is not None:
        return "blocks leave few ways: layers of positions stay small"
    if known.orders <= known.by.many_orders:
        return f"there are at most {known.orders:,} positions, which are sooner listed"
    if not known.board.unbroken:
        return "a cell cuts the board in two or it is a ring: not every position can be reached"
    if known.board.model.cells > MOST_CELLS:
        return f"patterns are for boards of at most {MOST_CELLS} cells"
    return None


ENGINE = Engine("idastar", refuses, search=search, speed=10_000, worth=worth, bounds=True)
