"""Levels of games to order: positions of a level at a chosen depth, or variations of it that need so many inputs.

The command line is in `cli/games.py`, the variations themselves are in `games/varied.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from ..errors import InputError, LimitError, let_go
from ..games.game import LETTERS
from ..limits.numbers import whole
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Limits, Progress, Watch, paced
from . import games
from .orders import MOST_COUNT, seed_of

if TYPE_CHECKING:
    from ..games.level import GameLevel
    from ..games.survey import Survey
    from ..graph.positions import Graph

TRIES = 1000
"""The variations that are searched."""


@dataclass(frozen=True)
class GeneratedLevels:
    """Levels made to order.

    levels   each begins with the position that was asked for
    depths   the inputs that each needs, or with the origin 'start' its inputs from the start of the level
    letters  for each the inputs of a shortest solution, or from the start to it
    method   'layer': drawn uniformly from all positions at these depths; 'climb': variations, longest first
    counts   the number of positions at each depth, if they were counted; `drawn`: the variations that were searched
    short    why there are fewer than asked for, or ''
    stopped  the limit that stopped the search
    """

    level: GameLevel
    levels: tuple[GameLevel, ...]
    depths: tuple[int, ...]
    letters: tuple[str, ...]
    origin: str
    method: str
    seed: int
    asked: tuple[int, int]
    counts: tuple[int, ...] = ()
    drawn: int = 0
    short: str = ""
    seconds: float = 0.0
    stopped: LimitError | None = None

    def __post_init__(self) -> None:
        let_go(self.stopped)


def generate_levels(
    level: GameLevel | str,
    depth: int | tuple[int, int],
    count: int = 10,
    *,
    seed: int | None = None,
    origin: str = "",
    vary: str = "",
    tries: int = TRIES,
    limits: Limits = Limits(),
    progress: Callable[[Progress], None] | None = None,
) -> GeneratedLevels:
    """Return positions of a level of a game at a depth, or between two depths, drawn uniformly without repetitions.

    level   a level, or a word such as 'game.txt#3'
    seed    the same seed gives the same levels; None: a random one, which the answer has
    origin  'goal': depth is the number of inputs to the nearest win, the default; 'start': from the start
    vary    letters of the legend: make variations of the level in place of its positions, with the objects of these
            letters in other cells, and return the longest ones; each length is proved, but there may be longer ones
    tries   how many variations are searched
    Raises InputError for an invalid order. The answer has fewer levels, and says why, if there are no more or a limit
    stopped the search.
    """
    if isinstance(level, str):
        found = games.level_of(level)
        if found is None:
            raise InputError(f"generate_levels: expected a level of a game such as game.txt#3, found {level!r:.100}")
        level = found
    first, last = (depth, depth) if isinstance(depth, int) else depth
    if not 0 <= first <= last:
        raise InputError(f"depth: expected a number from 0, or two in order, found {depth!r:.100}")
    for name, number in (("count", count), ("tries", tries)):
        if not 1 <= whole(name, number) <= MOST_COUNT:
            raise InputError(f"{name}: expected 1 to {MOST_COUNT:,}, found {number:,}")
    if origin not in ("", "goal", "start"):
        raise InputError(f"origin: expected 'goal' or 'start', found {origin!r:.100}")
    if vary and origin == "start":
        raise InputError("vary: expected depths to the goal beside it, found depths from the start")
    empty = GeneratedLevels(level, (), (), (), origin or "goal", "layer", seed_of(seed), (first, last))
    watch = Watch(limits, progress)
    if vary:
        return _varied(replace(empty, method="climb"), vary, count, tries, watch)
    return _drawn(empty, count, watch)


def _drawn(asked: GeneratedLevels, count: int, watch: Watch) -> GeneratedLevels:
    """Return positions of a level."""
    from ..games.survey import survey
    from ..graph.kinds import joined  # with arrays

    level = asked.level
    found = survey(level, watch)
    if found.stopped is not None or found.places is None:
        return replace(asked, stopped=found.stopped, seconds=watch.seconds)
    graph = joined(found.places.all_links(), found.counts)
    wins = found.places.won(0, len(graph))
    depths = (graph.layers if asked.origin == "start" else graph.distances(wins)).tolist()
    counts = [0] * (max(depths) + 1)
    for each in paced(depths):
        if each >= 0:
            counts[each] += 1
    first, last = asked.asked
    chosen = [number for number, each in enumerate(depths) if first <= each <= last]
    numbers = Random(asked.seed).sample(chosen, min(count, len(chosen)))
    short = "" if len(numbers) == count else f"there are only {len(chosen):,} positions at these depths"
    return replace(
        asked, counts=tuple(counts), short=short,
        levels=tuple(replace(level, start=place) for place in found.places.listed(numbers)),
        depths=tuple(depths[number] for number in numbers),
        letters=tuple(_way(number, depths, found, graph, asked.origin) for number in numbers), seconds=watch.seconds,
    )  # fmt: skip


def _way(number: int, depths: list[int], found: Survey, graph: Graph, origin: str) -> str:
    """Return the inputs of a shortest way to a win, or from the start; the first in the order of inputs."""
    assert found.places is not None
    links, letters = found.places.links_of, ""
    if origin == "goal":
        while depths[number]:
            row = list(links(number))
            letter = next(each for each, to in enumerate(row) if to >= 0 and depths[to] == depths[number] - 1)
            letters, number = letters + LETTERS[letter], row[letter]
        return letters
    starts, before = graph.backward
    while depths[number]:
        here = before[starts[number] : starts[number + 1]].tolist()
        parent = next(each for each in here if depths[each] == depths[number] - 1)
        letters, number = LETTERS[list(links(parent)).index(number)] + letters, parent
    return letters


def _varied(asked: GeneratedLevels, vary: str, count: int, tries: int, watch: Watch) -> GeneratedLevels:
    """Return variations of a level."""
    from ..games.varied import Variations

    search = Variations(asked.level, vary, *asked.asked, count, Random(asked.seed), watch)
    late = None
    try:
        search.climb(tries)
    except (LimitError, Overdue) as stopped:
        late = limit_of(stopped)
    found = search.found
    short = "" if late or len(found) == count else (
        f"only {search.fitting:,} of {search.drawn:,} variations need so many"
    )  # fmt: skip
    return replace(
        asked, levels=tuple(level for _, level in found), depths=tuple(len(letters) for letters, _ in found),
        letters=tuple(letters for letters, _ in found), drawn=search.drawn, short=short, stopped=late,
        seconds=watch.seconds,
    )  # fmt: skip
