"""Listed moves: whether a search below adjacent pairs or below tables of pieces fits them, and which moves may follow.

Redundant sequences of moves are pruned (`move_words`); those of two moves are found here: sequences that undo each
other, that equal one move, and all but one of those with the same effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import lgamma, log
from random import Random
from typing import TYPE_CHECKING

from ...contract.questions import MANY_PLACEMENTS, Prospect, Search
from ...limits.thresholds import Threshold
from ...limits.watch import paced
from ...model.facts import symbol_classes
from ...model.model import Model
from ...structure.permutations import Action, generators, orbits

if TYPE_CHECKING:
    import numpy as np

    from ...heuristics.adjacency import Adjacency
    from ...heuristics.pieces import Pieces

MOST_MOVES = 200
"""The most moves: redundant sequences are found from all pairs of moves."""

MOST_CELLS = 62
"""The most cells: sets of pairs of cells are sought among all pairs."""

MOST_SYMBOLS = 128
"""The most symbols: what is good is a table of pairs of symbols for each pair of cells."""

MOST_GOALS = 50
"""The most goal positions: what is good must be good at each of them."""

SAMPLE = 200
"""Random positions of which the mean bound is taken."""

BETWEEN = 10
"""Random moves between two positions of the sample."""

STRONG = 0.7
"""The least mean bound, as a part of the moves by which there are as many sequences of moves as positions."""

FEW_SETS, HOPELESS = 16, 3
"""So few sets of pairs are tried first. If their bound is not one part of so many of what is wanted, no more are tried.

Of pancakes, burnt pancakes, turntables, flips and cubes, all sets gave at most 2.5 times the bound of these.
"""

MANY_PIECES = Threshold(10**13)
"""With more arrangements of pieces than this, no tables of pieces are worthwhile: layers from both ends are faster."""


@dataclass(frozen=True)
class ListedMoves:
    """The moves of a puzzle and the bound.

    different  whether no two pieces ever show the same symbol
    """

    moves: tuple[Action, ...]
    bound: Adjacency
    different: bool


def goals_of(question: Search) -> tuple[bytes, ...]:
    """Return the goal positions if they are known one by one, else ()."""
    model = question.model
    return question.goals if question.goals is not None else single_goals(model)


def single_goals(model: Model) -> tuple[bytes, ...]:
    """Return the goals if each is one position, else ()."""
    found = tuple(goal.position for goal in model.goals)
    return () if None in found else found  # type: ignore[return-value]


def refusal(model: Model) -> str | None:
    """Return why neither bound fits the moves, or None."""
    goals = single_goals(model) or ((model.anchor,) if model.anchor is not None else ())
    if not goals or len(goals) > MOST_GOALS:
        return f"the goal is no position, or more than {MOST_GOALS}"
    pairs = read(model, goals)
    pieces = pieces_of(model, goals[0]) if isinstance(pairs, str) else ""
    return f"{pairs}; there are no tables of pieces: {pieces}" if isinstance(pieces, str) and pieces else None


def better_listed(question: Search, prospect: Prospect) -> str | None:
    """Return why layers from both ends are better, or None."""
    goals, by = goals_of(question), prospect.watch.thresholds
    if len(goals) != 1:
        return "a bound tells little if there are several goals"
    if prospect.bound() <= by[MANY_PLACEMENTS]:
        return "there are few positions, and listing them is as fast"
    assert isinstance(question.space, Model)
    pairs = read(question.space, goals)
    if not isinstance(pairs, str):
        return None
    pieces = pieces_of(question.space, goals[0])
    if isinstance(pieces, str) or pieces.arrangements > by[MANY_PIECES]:
        return None
    most, here = f"{by[MANY_PIECES]:,}", f"{pieces.arrangements:,}"
    return f"{pairs}; tables of pieces pay for more than {most} arrangements, here are {here}"


def pieces_of(model: Model, goal: bytes) -> Pieces | str:
    """Return the pieces of listed moves that have a table each, or why there are none. The last answers are kept."""
    return _pieces_of(replace(model, start=None, goals=()), goal)


@lru_cache(maxsize=8)
def _pieces_of(model: Model, goal: bytes) -> Pieces | str:
    if len(model.rules) > MOST_MOVES:
        return f"there are more than {MOST_MOVES} moves"
    from ...heuristics import pieces

    return pieces.read(model, goal)


def read(model: Model, goals: tuple[bytes, ...], strong: float = STRONG) -> ListedMoves | str:
    """Return the moves and adjacent pairs for some goals, or why they do not fit. The last few answers are kept."""
    return _read(replace(model, start=None, goals=()), goals, strong)


@lru_cache(maxsize=4)
def _read(model: Model, goals: tuple[bytes, ...], strong: float) -> ListedMoves | str:
    if not 0 < len(goals) <= MOST_GOALS:
        return f"the goal is no position, or more than {MOST_GOALS}"
    if model.cells > MOST_CELLS or model.symbols > MOST_SYMBOLS:
        return f"there are more than {MOST_CELLS} cells or {MOST_SYMBOLS} symbols"
    moves = generators(model)
    if not moves:
        return "moves have conditions"
    if len(moves) > MOST_MOVES:
        return f"there are more than {MOST_MOVES} moves"
    from ...heuristics import adjacency

    after, _ = followers_of(acts_of(moves)[:, 0])
    reach = _reach(model, moves, after, goals[0])
    for most, least in ((FEW_SETS, strong * reach / HOPELESS), (None, strong * reach)):
        bound = adjacency.find(moves, goals, most)
        if bound is None and most is None:
            return "no pairs of cells are found that most moves keep together"
        mean = _mean(moves, bound, goals[0]) if bound is not None else least
        if mean < least:
            told = f"adjacent pieces tell of {mean:.1f} moves where about {reach:.0f} are needed"
            return f"{told}, so most sequences are tried"
    assert bound is not None
    classes = symbol_classes(model.rules, model.symbols)
    different = len({classes[symbol] for symbol in goals[0]}) == len(goals[0])
    return ListedMoves(moves, bound, different)


def _reach(model: Model, moves: Sequence[Action], after: Sequence[frozenset[int]], goal: bytes) -> float:
    """Return the number of moves by which there are as many sequences of moves as arrangements of the pieces."""
    classes = symbol_classes(model.rules, model.symbols)
    found = 0.0
    for orbit in orbits(moves):
        shown = [classes[goal[cell]] for cell in orbit]
        found += lgamma(len(orbit) + 1) - sum(lgamma(count + 1) for count in Counter(shown).values())
        found += sum(log(classes.count(each)) for each in shown)
    return found / log(max(1.1, sum(map(len, after)) / len(moves)))


def acts_of(moves: Sequence[Action]) -> np.ndarray:
    """Return moves as permutations of cells if they change no symbol, else of pairs of cell and symbol.

    int32 [moves, 1, items]
    """
    import numpy as np

    from ...heuristics.adjacency import MoveArrays

    arrays = MoveArrays.of(moves)
    count, cells, symbols = arrays.table.shape
    if (arrays.table == np.arange(symbols)).all():
        return np.argsort(arrays.source, axis=1).astype(np.int32)[:, None]
    acts = np.empty((count, cells * symbols), np.int32)
    came = (arrays.source[:, :, None] * symbols + np.arange(symbols)).reshape(count, -1)
    goes = (np.arange(cells)[:, None] * symbols + arrays.table).reshape(count, -1)
    np.put_along_axis(acts, came, goes.astype(np.int32), axis=1)
    return acts[:, None]


def followers_of(acts: np.ndarray) -> tuple[tuple[frozenset[int], ...], tuple[frozenset[int], ...]]:
    """Return for each move those that may follow it: without redundant pairs of moves, and without shorter ones.

    acts  int32 [moves, items]: moves as permutations of some items
    """
    import numpy as np

    shorter = {act.tobytes() for act in (*acts, np.arange(acts.shape[1], dtype=np.int32))}
    one: list[set[int]] = [set() for _ in acts]
    every: list[set[int]] = [set() for _ in acts]
    seen: set[bytes] = set()
    for first in paced(range(len(acts))):
        for second in range(len(acts)):
            effect = acts[second][acts[first]].tobytes()
            if effect in shorter:
                continue
            every[first].add(second)
            if effect not in seen:
                seen.add(effect)
                one[first].add(second)
    return tuple(map(frozenset, one)), tuple(map(frozenset, every))


def may_follow(after: Sequence[frozenset[int]]) -> np.ndarray:
    """Return the moves that may follow each as uint8 [moves + 1, moves]; all may follow the last row, the start."""
    import numpy as np

    found = np.ones((len(after) + 1, len(after)), np.uint8)
    for number, allowed in enumerate(after):
        found[number] = 0
        found[number, sorted(allowed)] = 1
    return found


def _mean(moves: Sequence[Action], bound: Adjacency, goal: bytes) -> float:
    """Return the mean bound of positions on a random walk."""
    random, total, position = Random(2026), 0, goal
    for _ in paced(range(SAMPLE)):
        for _ in range(BETWEEN):
            move = random.choice(moves)
            position = bytes([move.table[cell][position[source]] for cell, source in enumerate(move.source)])
        total += bound.bound(position)
    return total / SAMPLE
