"""The search methods of the engine, in the order in which they are tried.

Each method states whether it fits a question, and after how many positions the next one continues. Modules that load
the compiler are imported only when their method is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...bounds import choosing
from ...contract.answers import Geodesics
from ...contract.questions import MANY_PLACEMENTS
from ...errors import UnsupportedError
from ...heuristics import spelling
from ...heuristics.inversion import Inversion
from ...heuristics.walking import Walking
from ...limits.thresholds import Threshold
from .known import ACROSS, MOST_CELLS, KnownFacts
from .unsolvable import Exhaust

if TYPE_CHECKING:
    from .iterations import Rounds

FEW_LINES = 4
"""The most rows and columns of a board whose table of walking distance is computed in some tenths of a second."""

PLAIN_ORDERS = Threshold(20_000)
"""Up to this many arrangements of the pieces, plain Python answers: loading compiled loops takes longer."""

ATTEMPT_PLAIN = Threshold(15_000)
"""Positions that A* in plain Python may generate before the compiled search is loaded."""

QUICK_POSITIONS = Threshold(20_000_000)
"""Positions that a search with quickly computed bounds may generate before tables are made."""


@dataclass(frozen=True)
class Method:
    """One search method.

    fits    returns why it cannot answer a question, or None; facts computed for that stay in `KnownFacts`
    run     searches
    budget  the most positions it may generate before the next method that fits continues; None for any number
    """

    name: str
    fits: Callable[[KnownFacts], str | None]
    run: Callable[[KnownFacts], Geodesics]
    budget: Callable[[KnownFacts], int] | None = None


def _deepen(rounds: Rounds, known: KnownFacts) -> Geodesics:
    """Run depth-first rounds, and search for a proof of unsolvability unless a goal is known to be reachable."""
    rounds.exhaust = None if known.reached else Exhaust(known.question)
    return rounds.search(known.question, known.watch)


def _not_along_links(known: KnownFacts) -> str | None:
    if known.goal is None:
        return "there is no goal position, or more than one"
    if known.orders <= known.by[PLAIN_ORDERS]:
        return "A* in plain Python is faster"
    return None if known.along_links else "there are several blanks, moves of several rules, or equal blocks"


def _not_quick(known: KnownFacts) -> str | None:
    reason = _not_along_links(known)
    if reason is None and known.question.heuristic:
        return "a bound is asked for by name"
    if reason is None and (known.orders <= known.by[MANY_PLACEMENTS] or len(known.start) > MOST_CELLS):
        return "no large tables would be computed, so nothing quicker is tried before"
    return reason or (None if known.grouped else "no piece of one cell moves")


# Walking distance and inversions, whose tables are computed quickly


def _not_quick_lines(known: KnownFacts) -> str | None:
    reason = _not_quick(known)
    if reason is not None:
        return reason
    shape, pieces = known.shape, known.pieces.symbols
    if shape is None or max(shape.lines(0), shape.lines(1)) > FEW_LINES or len(set(pieces)) < len(pieces):
        return f"it is for rectangles of at most {FEW_LINES} rows and columns, and pieces that all differ"
    return _not_open(known)


def _not_open(known: KnownFacts) -> str | None:
    open_to_all = known.links.alike and known.links.free
    return None if open_to_all else "a cell is not open to every piece"


def _quick_lines(known: KnownFacts) -> Geodesics:
    from . import lines

    assert known.shape is not None
    assert known.goal is not None
    walking = Walking(known.board, known.shape, known.goal)
    inversion = Inversion(known.board, known.shape, known.goal)
    return _deepen(lines.rounds(walking, inversion, known.links, known.by), known)


# Small tables, before larger ones are worthwhile


def _small_patterns(known: KnownFacts) -> Geodesics:
    from . import patterns

    assert known.goal is not None
    base = patterns.database(known.board, known.goal, known.pieces, known.watch, small=True)
    return _deepen(patterns.rounds(base, known.pieces, known.by), known)


def _until_larger_pay(known: KnownFacts) -> int:
    from . import patterns

    assert known.goal is not None
    return patterns.quick(known.board, known.goal, known.pieces, known.watch)


# Along links below the bound asked for


def _not_patterns(known: KnownFacts) -> str | None:
    reason = _not_along_links(known)
    if reason is not None:
        return reason
    patterns = "pattern" in known.wanted and known.wanted <= {"pattern", *ACROSS}
    return None if patterns else "it is for patterns, with or without walking distance and inversions"


def _patterns(known: KnownFacts) -> Geodesics:
    from . import patterns

    assert known.goal is not None
    across = _across(known)
    ways = spelling.divisions(known.name)
    base = patterns.database(known.board, known.goal, known.pieces, known.watch, ways)
    return _deepen(patterns.rounds(base, known.pieces, known.by, *across), known)


def _across(known: KnownFacts) -> tuple[Any, Any]:
    """Return walking distance and inversions, each None if it is not wanted."""
    return known.across.get("walking"), known.across.get("inversion")


def _not_lines(known: KnownFacts) -> str | None:
    reason = _not_along_links(known)
    if reason is not None:
        return reason
    return _not_open(known) if known.wanted == known.across.keys() else "it is for walking distance and inversions"


def _lines(known: KnownFacts) -> Geodesics:
    from . import lines

    return _deepen(lines.rounds(*_across(known), known.links, known.by), known)


def _not_distances(known: KnownFacts) -> str | None:
    reason = _not_along_links(known)
    if reason is not None:
        return reason
    alone = known.wanted == {"distance"} or (known.wanted == {"assignment"} and known.pieces.unique_targets)
    return None if alone else "it is for bounds of each piece alone"


def _distances(known: KnownFacts) -> Geodesics:
    from . import blank_links

    return _deepen(blank_links.distances(known.links, known.by), known)


# Moves that carry a line of pieces


def _not_carried(known: KnownFacts) -> str | None:
    if known.goal is None or known.orders <= known.by[PLAIN_ORDERS] or known.board.joint == 1:
        return "it is for one goal position, many positions, and moves that carry several pieces"
    asked = known.question.heuristic
    if not asked:
        return not_worth_colours(known)
    if set(choosing.names(asked)) != {"pattern"}:
        return "it is for patterns"
    _ = known.bound  # raises UnsupportedError if the puzzle has none
    return None


def not_worth_colours(known: KnownFacts) -> str | None:
    """Return why tables for moves that carry several pieces take longer than they save, or do not exist, or None."""
    if known.orders <= known.by[MANY_PLACEMENTS] or len(known.start) > MOST_CELLS:
        return "the puzzle is too small or too large for tables of coloured pieces"
    try:
        choosing.slide_heuristic("pattern", known.board, known.goals, known.start)
    except UnsupportedError as error:
        return str(error)
    return None


def _not_tracks(known: KnownFacts) -> str | None:
    return _not_carried(known) or (None if known.tracks else "it is for moves along whole rows and columns")


def _not_colours(known: KnownFacts) -> str | None:
    return _not_carried(known) or (None if known.colours else "there are no tables of coloured pieces")


def _tracks(known: KnownFacts) -> Geodesics:
    assert known.tracks is not None
    return _deepen(known.tracks, known)


def _colours(known: KnownFacts) -> Geodesics:
    assert known.colours is not None
    return _deepen(known.colours, known)


# Any slide puzzle


def _best_first(known: KnownFacts) -> Geodesics:
    from ...search import best_first

    return best_first.astar(replace(known.question, heuristic=known.question.heuristic or "distance"), known.watch)


def _not_moves(known: KnownFacts) -> str | None:
    return known.unpacked or (None if known.sums else "the bound is not additive")


def _moves(known: KnownFacts) -> Geodesics:
    from . import moves

    assert known.sums is not None
    return _deepen(moves.rounds(known.question, known.goals, known.sums, known.watch), known)


METHODS = (
    Method("quick lines", _not_quick_lines, _quick_lines, lambda known: known.by[QUICK_POSITIONS]),
    Method("small patterns", _not_quick, _small_patterns, _until_larger_pay),
    Method("patterns", _not_patterns, _patterns),
    Method("lines", _not_lines, _lines),
    Method("distances", _not_distances, _distances),
    Method("tracks", _not_tracks, _tracks),
    Method("colours", _not_colours, _colours),
    Method("few positions", lambda known: None, _best_first, lambda known: known.by[ATTEMPT_PLAIN]),
    Method("moves", _not_moves, _moves),
    Method("best first", lambda known: None, _best_first),
)
"""The methods in order. The last one fits every question and has no budget."""
