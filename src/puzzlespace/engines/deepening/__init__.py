"""Iterative deepening with lower bounds: for one hard position of a slide puzzle too large to list.

Few positions: layers below a bound in plain Python (`bounded`). Many: a depth-first search in compiled loops, for one
blank and moves of one rule along the blank's ways (`deepening`), for all others move by move with a table of positions
that it has been at, as there are many ways to each (`deepening_moves`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import factorial
from typing import TYPE_CHECKING, Any

from ...contract.answers import Geodesics
from ...contract.questions import Depths, Engine, Prospect, Search, Space, Worth
from ...heuristics import labels, named, rectangle, slides, spelling, sums
from ...heuristics.inversion import Inversion
from ...heuristics.walking import Walking
from ...limits.thresholds import Thresholds
from ...limits.watch import Watch, paced
from ...model.facts import parities
from ...model.model import Goal, Model
from ..packed.positions import refusal
from . import bounded_layers
from .unsolvable import Exhaust

if TYPE_CHECKING:
    from .iterations import Rounds

FEW_LINES = 4
"""Boards of so many rows and columns have a table of walking distance that is made in some tenths of a second."""

MOST_CELLS = 30
"""Boards of more cells have no pattern tables."""


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
    """Find the positions on shortest ways from the start to a goal; raise UnsupportedError for a bound it has not."""
    question = replace(question, heuristic=spelling.numbered(question.heuristic, question.letters))
    model = question.space
    assert isinstance(model, Model)
    board = slides.read(model)
    assert not isinstance(board, str)
    goals = tuple(map(Goal.exactly, question.goals)) if question.goals else model.goals
    if not goals:
        return Geodesics((), watch.generated, watch.seconds)
    single = goals[0].position if len(goals) == 1 else None
    if single is not None and _cut_off(board, question.start, single):
        return Geodesics((), watch.generated, watch.seconds)
    size = arrangements(board, question.start)
    rounds = None
    if single is not None and size > watch.thresholds.plain_orders and deep(board, question.start):
        found, over = _quick(question, board, single, watch, size)
        if found is not None and not over:
            return found
        rounds = _links(question, board, single, watch, size)
        if rounds is not None and found is not None:
            rounds.proved = found.bound or 0
    elif single is not None and size > watch.thresholds.plain_orders and board.joint != 1 and _patterned(question):
        named.make(question.heuristic, board, goals, question.start)
        from . import colours, tracks

        rounds = tracks.rounds(board, single, watch) or colours.rounds(board, single, watch)
    if rounds is None:
        bound = named.make(question.heuristic or "distance", board, goals, question.start)
        found = _attempt(question, bound.bound, watch)
        rounds = _moves(question, board, goals, watch) if found is None else None
        if rounds is None:
            return found or bounded_layers.search(question, bound.bound, watch)
    return _searched(rounds, question, board, watch)


def _cut_off(board: slides.Slides, start: bytes, goal: bytes) -> bool:
    """Return whether a piece cannot come to a place of its own in the goal, even on an empty board.

    Bounds are 0 then as well as in the goal, and searches that go by their bound alone would take one for the other.
    """
    if sorted(start) != sorted(goal):
        return True
    targets = {symbol: frozenset(cell for cell, other in enumerate(goal) if other == symbol) for symbol in goal}
    tables = {symbol: board.alone(symbol, targets[symbol]) for symbol in set(board.pieces) & set(goal)}
    for cell, symbol in enumerate(start):
        if symbol in tables and cell not in targets[symbol] and not tables[symbol][cell]:
            return True
        if symbol not in (board.blank, board.body, *tables, goal[cell]):
            return True
    return False


def _searched(rounds: Rounds, question: Search, board: slides.Slides, watch: Watch) -> Geodesics:
    """Return what rounds find; beside them all that can be reached is looked through where a goal might not be."""
    if question.goals is None or not (joined(board) and same_parities(board.model, question.start, question.goals)):
        rounds.exhaust = Exhaust(question)
    return rounds.search(question, watch)


def _patterned(question: Search) -> bool:
    """Return whether patterns alone are asked for."""
    return bool(question.heuristic) and set(spelling.names(question.heuristic)) == {"pattern"}


def _quick(
    question: Search, board: slides.Slides, goal: bytes, watch: Watch, size: int
) -> tuple[Geodesics | None, bool]:
    """Return what is found below bounds that are quickly made, and whether it takes long enough for larger tables."""
    if question.heuristic or size <= watch.thresholds.many_orders or len(question.start) > MOST_CELLS:
        return None, False
    if not _grouped(board, question.start):
        return None, False
    found, over, proved = None, True, 0
    for make in (_small_lines, _small_tables):
        made = make(question, board, goal, watch) if over else None
        if made is not None:
            rounds, most = made
            rounds.proved = proved
            found, over = _within(most, watch, partial(_searched, rounds, question, board, watch))
            proved = found.bound or 0
    return found, over


def _grouped(board: slides.Slides, start: bytes) -> bool:
    """Return whether there is a piece that patterns can have in a group; else they are no more than distances."""
    return any(symbol in board.units for symbol in start)


def _small_lines(question: Search, board: slides.Slides, goal: bytes, watch: Watch) -> tuple[Rounds, int] | None:
    """Return the rounds below walking distance and inversions, and how many positions may be generated, or None."""
    shape = rectangle.read(board)
    if shape is None or max(shape.lines(0), shape.lines(1)) > FEW_LINES or len(set(goal)) < len(goal):
        return None
    from . import lines

    pieces = labels.read(board, question.start, goal, apart=True)
    rounds = lines.rounds(Walking(board, shape, goal), Inversion(board, shape, goal), pieces, watch.thresholds)
    return None if rounds is None else (rounds, watch.thresholds.quick_positions)


def _small_tables(question: Search, board: slides.Slides, goal: bytes, watch: Watch) -> tuple[Rounds, int]:
    """Return the rounds below small tables, and how many positions may be generated before larger ones pay."""
    from . import patterns

    pieces = labels.read(board, question.start, goal, apart=True)
    base = patterns.database(board, goal, pieces, watch, small=True)
    rounds = patterns.rounds(base, pieces, watch.thresholds)
    return rounds, patterns.quick(board, goal, pieces, watch)


def _within(positions: int, watch: Watch, search: Callable[[], Geodesics]) -> tuple[Geodesics, bool]:
    """Return what a search finds, and whether it stopped as it generated so many positions and may generate more."""
    asked = watch.limits
    most = watch.generated + positions
    if asked.positions is not None and asked.positions <= most:
        return search(), False
    watch.limits = replace(asked, positions=most)
    found = search()
    watch.limits = asked
    return found, found.stopped is not None and found.stopped.kind == "positions"


def _attempt(question: Search, bound: bounded_layers.Bound, watch: Watch) -> Geodesics | None:
    """Return the answer of layers in plain Python, or None where it takes more than a few positions."""
    found, over = _within(watch.thresholds.attempt, watch, lambda: bounded_layers.search(question, bound, watch))
    return None if over else found


def _moves(question: Search, board: slides.Slides, goals: tuple[Goal, ...], watch: Watch) -> Rounds | None:
    """Return the rounds of the compiled search for any slide puzzle, or None where there is no loop for it."""
    ends = (question.start, *(goal.position for goal in goals if goal.position is not None))
    if refusal(board.model, ends):
        return None
    from . import moves

    found = sums.make(question.heuristic or "distance", board, goals)
    return None if found is None else moves.rounds(question, goals, found, watch)


def arrangements(board: slides.Slides, start: bytes) -> int:
    """Return in how many orders the blank and the pieces of one cell can stand."""
    movers = [symbol for symbol in start if symbol in board.units]
    bound = factorial(len(movers) + 1)
    for symbol in set(movers):
        bound //= factorial(movers.count(symbol))
    return bound


def deep(board: slides.Slides, start: bytes) -> bool:
    """Return whether the depth-first search is for this board: one blank, moves of one rule, all blocks different."""
    blocks = [symbol for symbol in start if symbol in board.pieces and symbol not in board.units]
    return start.count(board.blank) == 1 and not board.model.metric.after and len(blocks) == len(set(blocks))


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return 0 if a search from the start below a bound beats layers from both ends, or why it does not.

    For it are one blank, one goal, pieces of one cell, far too many orders to list, and a board where a search must
    end: every position of the right parity can be reached where no cell cuts the board in two and it is no ring
    (Wilson 1974).
    """
    if not isinstance(question, Search):
        return "a lower bound leads to a goal; it does not count all positions"
    model, start = question.space, question.start
    refusal = refuses(model, "search")
    if refusal is not None:
        return refusal
    assert isinstance(model, Model)
    board = slides.read(model)
    assert not isinstance(board, str)
    reason = _many_ways(board, start)
    if reason is None and (question.goals is None or len(question.goals) != 1):
        return "a bound tells little where there are several goals"
    return reason or _better_listed(board, start, prospect.watch.thresholds) or 0


def _many_ways(board: slides.Slides, start: bytes) -> str | None:
    """Return why most positions are reached in many ways, which a depth-first search goes one by one, or None."""
    if board.model.metric.after:
        return "a move of several steps leads to many positions, and to each of them there are many ways"
    blanks = start.count(board.blank)
    if blanks == 1:
        return None
    return (
        f"there are {blanks} blanks: moves beside different ones go in any order, so there are many ways to a position"
    )


def _better_listed(board: slides.Slides, start: bytes, by: Thresholds) -> str | None:
    """Return why layers come to their end, or why a search might not, or None."""
    if board.model.shapes is not None:
        return "blocks leave few ways: layers of positions stay small"
    ways = arrangements(board, start)
    if ways <= by.many_orders:
        return f"there are at most {ways:,} positions, which are sooner listed"
    if not joined(board):
        return "a cell cuts the board in two or it is a ring: not every position can be reached"
    if board.model.cells > MOST_CELLS:
        return f"patterns are for boards of at most {MOST_CELLS} cells"
    return None


def joined(board: slides.Slides) -> bool:
    """Return whether all cells are on a board that no cell cuts in two and that is no ring, of pieces of one cell."""
    model = board.model
    near: dict[int, set[int]] = {}
    for rule in paced(model.rules):
        near.setdefault(rule.cells[0], set()).add(rule.cells[1])
    if model.shapes is not None or not all(near.get(cell) for cell in range(model.cells)):
        return False
    return all(_joined(near, cell) for cell in near) and any(len(others) > 2 for others in near.values())


def same_parities(model: Model, start: bytes, goals: Sequence[bytes]) -> bool:
    """Return whether no sum modulo 2 tells the start from every goal."""
    found = parities(replace(model, start=start), 0)
    return any(all(parity.value(start) == parity.value(goal) for parity in found) for goal in goals)


def _joined(near: dict[int, set[int]], without: int) -> bool:
    """Return whether the board stays in one piece without a cell."""
    seen = {without, next(cell for cell in near if cell != without)}
    pending = list(seen - {without})
    while pending:
        more = near[pending.pop()] - seen
        seen |= more
        pending += more
    return len(seen) == len(near)


def _links(question: Search, board: slides.Slides, goal: bytes, watch: Watch, size: int) -> Rounds | None:
    """Return the rounds of a search along links below the bound asked for, or None where there is no loop for it."""
    from . import blank_links, lines, patterns

    start = question.start
    name = question.heuristic or (
        "pattern" if size > watch.thresholds.many_orders and len(start) <= MOST_CELLS else "distance"
    )
    wanted = set(spelling.names(name))
    pieces = labels.read(board, start, goal, apart=name != "distance")
    if "pattern" in wanted and not _grouped(board, start):
        named.make(name, board, (Goal.exactly(goal),), start)
        wanted = wanted - {"pattern"} | {"distance"}
    wanted -= sums.lesser(wanted, board)
    if wanted & {"pattern", "walking"} and pieces.apart:
        wanted -= {"assignment"}
    across = {n: named.make(n, board, (Goal.exactly(goal),), start) for n in sorted(wanted & {"walking", "inversion"})}
    walking: Any = across.get("walking")
    inversion: Any = across.get("inversion")
    if "pattern" in wanted and wanted <= {"pattern", *across}:
        base = patterns.database(board, goal, pieces, watch, spelling.divisions(name))
        return patterns.rounds(base, pieces, watch.thresholds, walking, inversion)
    if wanted == {"distance"} or (wanted == {"assignment"} and pieces.apart):
        return blank_links.distances(board, pieces, watch.thresholds)
    lined = wanted == across.keys()
    return lines.rounds(walking, inversion, pieces, watch.thresholds) if lined else None


ENGINE = Engine("idastar", refuses, search=search, speed=10_000, worth=worth, bounds=True)
