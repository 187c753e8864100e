"""All positions of a level: how many at each number of moves, how many wins, and where a player can get stuck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import LimitError
from ..limits.watch import Watch, paced
from .level import GameLevel
from .moves import GamePosition


@dataclass(frozen=True)
class Survey:
    """What was found; with `stopped` only `counts` of whole layers is known.

    counts   the number of positions at each number of moves from the start
    wins     the number of won positions
    dead     the number of positions from which no win can be reached
    traps    positions that are dead although the position before was not, in order of moves: the way to each
    deepest  the positions that are farthest from the start
    failing  the win conditions that hold in no position that can be reached; of a level without wins
    """

    counts: tuple[int, ...]
    wins: int = 0
    dead: int = 0
    traps: tuple[tuple[GamePosition, ...], ...] = ()
    deepest: tuple[GamePosition, ...] = ()
    failing: tuple[str, ...] = ()
    seconds: float = 0.0
    stopped: LimitError | None = None


def survey(level: GameLevel, watch: Watch) -> Survey:
    """Return what is known of all positions; a limit that stops the search is in the answer."""
    start: GamePosition = level.start  # pyright: ignore[reportAssignmentType]
    number = {start: 0}
    parents: list[list[int]] = [[]]
    layers: list[list[GamePosition]] = [[start]]
    try:
        while layers[-1]:
            watch.layer(len(layers) - 1, len(layers[-1]), len(number))
            layers.append(_following(level, layers[-1], number, parents, watch))
    except LimitError as limit:
        return Survey(tuple(map(len, layers)), seconds=watch.seconds, stopped=limit)
    layers.pop()
    places = list(number)
    wins = [at for at, place in enumerate(places) if place.won]
    alive = _alive(wins, parents)
    traps = [at for at in paced(range(len(places))) if not alive[at] and any(alive[each] for each in parents[at])]
    return Survey(
        tuple(map(len, layers)), len(wins), alive.count(0), tuple(_way(at, places, parents) for at in traps),
        tuple(layers[-1]), () if wins else tuple(level.failing(paced(places))), watch.seconds,
    )  # fmt: skip


def _following(
    level: GameLevel,
    layer: Sequence[GamePosition],
    number: dict[GamePosition, int],
    parents: list[list[int]],
    watch: Watch,
) -> list[GamePosition]:
    """Return the positions that one move leads to and that are new; note from where each can be reached."""
    found: list[GamePosition] = []
    for place in layer:
        here = number[place]
        moves = level.moves(place)
        for there in moves:
            at = number.setdefault(there, len(parents))
            if at == len(parents):
                parents.append([])
                found.append(there)
            parents[at].append(here)
        watch.tick(max(1, len(list(moves))))
    return found


def _alive(wins: Sequence[int], parents: Sequence[Sequence[int]]) -> bytearray:
    """Return for each position whether a win can be reached."""
    alive = bytearray(len(parents))
    waiting = list(wins)
    for at in waiting:
        alive[at] = 1
    for at in paced(waiting):
        for before in parents[at]:
            if not alive[before]:
                alive[before] = 1
                waiting.append(before)
    return alive


def _way(at: int, places: Sequence[GamePosition], parents: Sequence[Sequence[int]]) -> tuple[GamePosition, ...]:
    """Return a shortest way from the start to a position; its first parent is as near to the start as any."""
    way = [places[at]]
    while at:
        at = parents[at][0]
        way.append(places[at])
    return tuple(way[::-1])
