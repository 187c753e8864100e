"""Iterative deepening below lower bounds (IDA*): one hard position of a puzzle with too many positions to list.

The compiled loops are for slides and listed moves; `search.best_first` is for everything else, in plain Python.

known            the facts of a question, each computed once
methods          the search methods, in the order in which they are tried
iterations       the driver: rounds below a growing bound; depth-first rounds on all processors
unsolvable       a proof that no goal can be reached, searched for beside the depth-first search
blank_links      one blank and moves of one rule: depth-first along the links of the blank, below distances
pruning          redundant move sequences of the blank
lines, patterns  the same below walking distance and inversions, below pattern databases
tracks, colours  moves that carry a line of pieces, below tables of coloured pieces
moves            any slide puzzle, move by move, with a transposition table
listed           listed moves: which bound fits
listed_search    listed moves below adjacent pairs; piece_search: below tables of some of their pieces;
                 coset_search: below tables of cosets
latest           a cache of one value, for further positions of the same puzzle
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...contract.answers import Geodesics
from ...contract.questions import (
    ATTEMPT_EASY,
    MANY_PLACEMENTS,
    Depths,
    Engine,
    Prospect,
    Search,
    Space,
    Worth,
    beyond_rules,
    special,
    unfit,
)
from ...errors import UnsupportedError
from ...heuristics import spelling
from ...limits.thresholds import Threshold
from ...limits.watch import Watch
from ...model.model import Model
from ...structure import slides

if TYPE_CHECKING:
    from .known import KnownFacts
    from .methods import Method

ATTEMPT_PAIRS = Threshold(200)
"""Positions that slower engines may generate before a search below adjacent pairs: this bound is there at once.

Measured: with eight times as many `solve pancake:9` took 1.00 times as long.
"""

ATTEMPT_COLOURS = Threshold(5_000_000)
"""Positions that layers may generate before tables of coloured pieces are computed, which takes as long."""


def is_listed(model: Model) -> bool:
    """Return whether moves are listed one by one."""
    return any(rule.motion is None for rule in model.rules)


def refuses(space: Space, question: str) -> str | None:
    """Return why this engine cannot answer: it counts no positions."""
    return None if question == "search" else "a lower bound leads to a goal; it does not count all positions"


def not_compiled(space: Space) -> str | None:
    """Return why there are no compiled loops, or None: they are for slides and listed moves that can be undone."""
    unlike = special(space) or beyond_rules(space)
    if unlike is not None:
        return unlike
    if not isinstance(space, Model):
        return "the puzzle is written in Python, so nothing is known of its pieces"
    if not space.reversible:
        return (
            "some moves cannot be undone: most positions are reached in many ways, and depth-first search repeats each"
        )
    if space.metric.free:
        return unfit(space)
    found = slides.read(space)
    if not isinstance(found, str):
        return None
    if not is_listed(space):
        return found
    from . import listed

    return listed.refusal(space)


def search(question: Search, watch: Watch) -> Geodesics:
    """Return the positions on shortest solutions, found by the first method that fits.

    If the budget of a method is spent, the next method that fits continues. Questions without a compiled loop are
    searched by `search.best_first`. Raises InputError for an invalid name of a bound, UnsupportedError for a bound that
    the puzzle does not have, and what `search.best_first.idastar` raises.
    """
    if speed_below(question) == PLAIN_SPEED:
        from ...search import best_first  # most questions go to other engines

        return best_first.idastar(question, watch)
    return replace(_search_compiled(question, watch), rests_on=question.heuristic)


PLAIN_SPEED = 1
"""The speed of the search in plain Python, which visits positions again in each round."""


def speed_below(question: Search) -> int:
    """Return how fast the search below the bound of a question is."""
    from ...bounds import choosing

    named = spelling.numbered(question.heuristic, question.letters)
    if question.bound is not None or (named and not choosing.slide_names(named)):
        return PLAIN_SPEED
    return PLAIN_SPEED if not_compiled(question.space) is not None else ENGINE.speed


def _search_compiled(question: Search, watch: Watch) -> Geodesics:
    if isinstance(question.space, Model) and is_listed(question.space):
        return _search_listed(question, watch)
    from .known import KnownFacts
    from .methods import METHODS

    known = KnownFacts.of(question, watch)
    if not known.goals or known.cut_off:
        return Geodesics((), watch.generated, watch.seconds)
    fitting = (method for method in METHODS if method.fits(known) is None)
    found, over = _run(next(fitting), known)
    while over:
        found, over = _run(next(fitting), known)
    return found


def _search_listed(question: Search, watch: Watch) -> Geodesics:
    """Return what is found below adjacent pairs if they are strong enough and no bound is asked for, else by tables."""
    from ...bounds import choosing
    from . import listed

    assert isinstance(question.space, Model)
    named = spelling.numbered(question.heuristic, question.letters)
    if named and set(choosing.names(named)) != {"pattern"}:
        raise UnsupportedError(
            f"heuristic {question.heuristic}: listed moves have adjacent pairs, without a name, and pattern"
        )
    if not question.heuristic and not isinstance(listed.read(question.space, listed.goals_of(question)), str):
        from . import listed_search

        return listed_search.search(question, watch)
    from . import piece_search

    return piece_search.search(question, watch)


def _run(method: Method, known: KnownFacts) -> tuple[Geodesics, bool]:
    """Return what a method finds, and whether its budget stopped it, so that the next method continues."""
    from .iterations import within_budget

    budget = method.budget(known) if method.budget is not None else None
    if budget == 0:  # the method would end small questions before it looks at the limits
        return Geodesics((), known.watch.generated, known.watch.seconds), True
    return within_budget(known.watch, budget, lambda: method.run(known))


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return after how many positions this engine is expected to be faster than layers, or the reason why it is not.

    It is for one blank, one goal, pieces of one cell, too many arrangements to list, and a board on which every
    position of the right parity can be reached, so that the search ends. Tables for moves that carry several pieces
    take some seconds, so layers from both ends come before them.
    """
    if not isinstance(question, Search):
        return Worth.unless(refuses(question.space, "depths"))
    if isinstance(question.space, Model) and is_listed(question.space):
        from . import listed

        reason = listed.better_listed(question, prospect) or not_compiled(question.space)
        paired = not isinstance(listed.read(question.space, listed.goals_of(question)), str)
        return Worth.unless(reason, prospect.watch.thresholds[ATTEMPT_PAIRS if paired else ATTEMPT_EASY])
    refusal = not_compiled(question.space)
    if refusal is not None:
        return Worth(reason=refusal)
    assert isinstance(question.space, Model)
    board = slides.read(question.space)
    assert not isinstance(board, str)
    reason = _many_ways(board, question.start) or _better_listed(board, question, prospect.watch)
    if reason is not None or board.joint == 1:
        return Worth.unless(reason)
    from .known import KnownFacts
    from .methods import not_worth_colours

    known = KnownFacts.of(question, prospect.watch)
    return Worth.unless(not_worth_colours(known), known.by[ATTEMPT_COLOURS])


def _many_ways(board: slides.Slides, start: bytes) -> str | None:
    """Return why most positions are reached in many ways, each of which a depth-first search follows, or None."""
    if board.model.metric.after and board.joint == 1:
        return "a move of several steps leads to many positions, and each of them is reached in many ways"
    blanks = start.count(board.blank)
    if blanks == 1:
        return None
    return f"there are {blanks} blanks: moves into different ones go in any order, so there are many ways to a position"


def _better_listed(board: slides.Slides, question: Search, watch: Watch) -> str | None:
    """Return why layers are better: a bound tells little, they are small, or a search might not end; else None."""
    if question.goals is None or len(question.goals) != 1:
        return "a bound tells little if there are several goals"
    if board.model.shapes is not None:
        return "blocks leave few ways: layers of positions stay small"
    from .known import MOST_CELLS, KnownFacts

    known = KnownFacts.of(question, watch)
    if known.orders <= known.by[MANY_PLACEMENTS]:
        return f"there are at most {known.orders:,} positions, and listing them is faster"
    if not board.unbroken:
        return "a cell cuts the board in two, or the board is a ring: not every position can be reached"
    if board.model.cells > MOST_CELLS:
        return f"patterns are for boards of at most {MOST_CELLS} cells"
    return None


ENGINE = Engine(
    "idastar", refuses, search=search, speed=10_000, worth=worth, bounds=speed_below, general=True, lawful=True
)
