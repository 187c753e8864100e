"""All positions of a level: how many at each number of moves, how many wins, and where a player can get stuck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ..contract.questions import Depths
from ..errors import LimitError, let_go
from ..limits.watch import Watch, paced
from ..search.layers import count
from .game import LETTERS
from .layers import GameLayers, KnownLayers
from .level import GameLevel
from .moves import GamePosition
from .positions import FEW, NONE, Numbers, Positions

UNLINKED = "the memory is too small for all moves: positions were counted on the disk, dead ones are not known"


class Way(NamedTuple):
    """A shortest way from the start to a position: its inputs in letters."""

    letters: str
    position: GamePosition


class OnDemand(Sequence[Any]):
    """What numbers stand for, made when it is read: there may be millions."""

    def __init__(self, numbers: Numbers, made: Callable[[int], Any]) -> None:
        self.numbers, self.made = numbers, made

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(map(self.made, self.numbers[index]))
        return self.made(self.numbers[index])


@dataclass(frozen=True)
class Survey:
    """What was found; with `stopped` only `counts` of whole layers.

    counts   the number of positions at each number of moves from the start
    wins     the number of won positions
    dead     the number of positions from which no win can be reached
    traps    positions that are dead although the position before was not, in order of moves: the way to each
    deepest  the positions that are farthest from the start
    failing  the win conditions that hold in no position that can be reached; of a level without wins
    places   all positions, with the moves between them; None if they are not in memory: then of what is above only
             `counts` and `deepest` are known
    """

    counts: tuple[int, ...]
    wins: int = 0
    dead: int = 0
    traps: Sequence[Way] = ()
    deepest: Sequence[GamePosition] = ()
    failing: tuple[str, ...] = ()
    seconds: float = 0.0
    stopped: LimitError | None = None
    places: Positions | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        let_go(self.stopped)

    def to_win(self) -> list[int]:
        """Return the number of moves from each position to a win, NONE if it is dead; of few positions."""
        assert self.places is not None
        return _distances(_before(self.places), self.places.won(0, self.places.found))


def survey(level: GameLevel, watch: Watch, few: int = FEW) -> Survey:
    """Return what is known of all positions; a limit that stops the search is in the answer.

    few  positions whose moves are made in plain Python before the compiled turn takes over
    """
    space: Any = level
    encoding = GameLayers(space.moves, few)
    found = count(encoding, Depths(space, (space.start,), 0), watch)
    if found.stopped is None:
        try:
            if not encoding.linked:
                raise LimitError("memory", UNLINKED)
            return _surveyed(level, encoding.positions, found.counts, watch)
        except LimitError as limit:
            found = replace(found, stopped=limit)
    return Survey(found.counts, seconds=watch.seconds, stopped=found.stopped)


def known(level: GameLevel, found: Survey) -> GameLevel:
    """Return a level that answers from the positions of its survey, if they were all found."""
    places = found.places
    return level if places is None else replace(level, encoding=lambda _: KnownLayers(places, found.counts))


def _surveyed(level: GameLevel, places: Positions, counts: tuple[int, ...], watch: Watch) -> Survey:
    """Return what is known of a level all of whose positions were found."""
    wins = places.won(0, places.found)
    if places.store is not None:
        from .stuck import stuck  # with NumPy

        dead, traps, parents = stuck(places.store, watch)
    else:
        dead, traps, parents = _stuck(places, wins)
    failing = () if len(wins) else _failing(level, places, watch)
    last = range(places.found - counts[-1], places.found)
    return Survey(
        counts, len(wins), dead, OnDemand(traps, lambda number: _way(number, places, parents)),
        OnDemand(last, lambda number: places.listed([number])[0]), failing, watch.seconds, places=places,
    )  # fmt: skip


def _failing(level: GameLevel, places: Positions, watch: Watch) -> tuple[str, ...]:
    """Return the win conditions that no position meets."""
    if places.store is None:
        return tuple(level.failing(paced(places.places)))
    pairs = zip(level.game.conditions, places.store.conditions_met(watch), strict=True)
    return tuple(condition.words for condition, met in pairs if not met)


def _stuck(places: Positions, wins: Numbers) -> tuple[int, Numbers, Numbers]:
    """Return how many positions are dead, those that are traps, and from where each position was found first."""
    before = _before(places)
    alive = [each != NONE for each in _distances(before, wins)]
    traps = [number for number, from_ in enumerate(before) if not alive[number] and any(alive[each] for each in from_)]
    return alive.count(False), traps, [from_[0] if from_ else NONE for from_ in before]


def _distances(before: Sequence[Sequence[int]], wins: Numbers) -> list[int]:
    """Return the number of moves from each position to a win, NONE if it is dead; `before` as `_before` returns it."""
    found, waiting = [NONE] * len(before), list(map(int, wins))
    for number in waiting:
        found[number] = 0
    for number in paced(waiting):
        for each in before[number]:
            if found[each] == NONE:
                found[each] = found[number] + 1
                waiting.append(each)
    return found


def _before(places: Positions) -> list[list[int]]:
    """Return the positions from which a move leads to each position."""
    before: list[list[int]] = [[] for _ in range(places.found)]
    for number in paced(range(places.found)):
        for there in places.links_of(number):
            if there != NONE:
                before[there].append(number)
    return before


def _way(number: int, places: Positions, parents: Numbers) -> Way:
    """Return a shortest way from the start to a position: its first parent is as near to the start as any."""
    letters, at = "", number
    while at:
        letters += LETTERS[list(places.links_of(parents[at])).index(at)]
        at = parents[at]
    return Way(letters[::-1], places.listed([number])[0])
