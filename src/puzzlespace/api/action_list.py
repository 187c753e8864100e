"""The moves of a puzzle as one fixed list, for programs that choose a move by its number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..errors import UnsupportedError
from ..limits.watch import checkpoint
from ..model.model import Model
from ..puzzle.puzzle import Puzzle

MOST_ACTIONS = 20_000
"""The longest list of moves."""

Following = dict[int, bytes]
"""For each move that is possible, by its number, where it leads."""


@dataclass(frozen=True)
class ActionList:
    """Every move that there may be, and which of them are possible at a position.

    names      of the moves, with their cells: 'a1 right 2', 'U'
    following  returns where each move leads that is possible at a position
    costs      what each move counts
    """

    names: tuple[str, ...]
    following: Callable[[bytes], Following]
    costs: tuple[int, ...]


def action_list(puzzle: Puzzle, metric: str = "") -> tuple[Model, ActionList]:
    """Return the model and the list of moves of a metric; by default of the first metric whose moves can be listed.

    Raises UnsupportedError if the moves of the metric, or of all, cannot be listed.
    """
    reasons: list[str] = []
    for name in [metric] if metric else puzzle.metrics:
        model = puzzle.model(name)
        found = _listed(puzzle, model)
        if not isinstance(found, str):
            return model, found
        reasons.append(f"in the metric {model.metric.name} {found}")
    raise UnsupportedError(f"{puzzle.name}: its moves cannot be listed: {'; '.join(reasons)}")


def _listed(puzzle: Puzzle, model: Model) -> ActionList | str:
    """Return the moves of a model, or why they cannot be listed."""
    metric = model.metric
    if metric.free:
        return "walking is free, so a move may begin anywhere"
    if metric.exhausts and not metric.lawful:
        groups = [group for group in dict.fromkeys(model.followers) if group]
        return _named(puzzle, model, [group[:1] for group in groups], lambda position: _tilted(model, groups, position))
    if not metric.after or metric.lawful:
        rules = [(number,) for number in range(len(model.rules)) if number not in model.automatic]
        if len(rules) > MOST_ACTIONS:
            return f"there are {len(rules):,} moves, more than {MOST_ACTIONS:,}"
        places = {number: place for place, (number,) in enumerate(rules)}

        def single(position: bytes) -> Following:
            return {places[number]: child for number, child in model.steps(position)}

        return _named(puzzle, model, rules, single)
    if any(rule.motion is None for rule in model.rules):
        return "a move may repeat a listed move"
    chains = _chains(model)
    if chains is None:
        return f"there are more than {MOST_ACTIONS:,} sequences of steps that are one move"
    places = {chain: place for place, chain in enumerate(chains)}
    return _named(puzzle, model, chains, lambda position: _chained(model, places, position))


def _named(
    puzzle: Puzzle, model: Model, moves: list[tuple[int, ...]], following: Callable[[bytes], Following]
) -> ActionList:
    """Return the list of these moves, each the rules that it makes."""
    names = []
    for numbers in moves:
        cells, way = puzzle.naming([model.rules[number] for number in numbers])
        names.append(f"{puzzle.board.names[cells[0]]} {way}" if cells and puzzle.directed else way)
    return ActionList(tuple(names), following, tuple(model.cost(numbers[:1]) for numbers in moves))


def _tilted(model: Model, groups: list[tuple[int, ...]], position: bytes) -> Following:
    """Return where each group of rules leads if it is made until none of its rules applies."""
    found: Following = {}
    for place, group in enumerate(groups):
        checkpoint()
        now, before = position, None
        while now != before:
            before = now
            for number in group:
                child = model.applied(number, now)
                now = now if child is None else child
        if now != position:
            found[place] = now
    return found


def _chains(model: Model) -> list[tuple[int, ...]] | None:
    """Return all sequences of different rules that may follow one another within a move; None if they are too many."""
    found: list[tuple[int, ...]] = [(number,) for number in range(len(model.rules))]
    for chain in found:  # which grows
        checkpoint()
        found += [(*chain, number) for number in model.followers[chain[-1]] if number not in chain]
        if len(found) > MOST_ACTIONS:
            return None
    return found


def _chained(model: Model, places: dict[tuple[int, ...], int], position: bytes) -> Following:
    """Return where each sequence of rules leads that is possible and changes the position."""
    found: Following = {}
    pending: list[tuple[tuple[int, ...], bytes]] = [((number,), child) for number, child in model.steps(position)]
    while pending:
        chain, here = pending.pop()
        checkpoint()
        if here != position:
            found[places[chain]] = here
        for number in model.followers[chain[-1]]:
            child = model.applied(number, here) if number not in chain else None
            if child is not None and child != here:
                pending.append(((*chain, number), child))
    return found
