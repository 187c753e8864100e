"""Shortest solutions of systems: the positions on all of them, or one solution and the number of all."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial, prod

from ...contract.answers import LISTED_WAYS, Geodesics
from ...contract.questions import Search
from ...errors import LimitError, UnsupportedError
from ...limits.watch import Watch, paced
from ...structure.additions import Additions, path_of
from .systems import systems_of


def search(question: Search, watch: Watch) -> Geodesics:
    """Return the shortest solutions: all positions on them if they are few, else one solution and their number."""
    model = question.model
    if model.is_goal(question.start):
        return Geodesics((frozenset([question.start]),), 0, watch.seconds, 0)
    try:
        found = systems_of(model, question.start)
        if isinstance(found, str):
            raise UnsupportedError(f"engine linear: {found}")
        moves, systems = found
        answers = [system.least(moves, watch) for system in systems]
        if not answers:
            return Geodesics((), watch.generated, watch.seconds)
        length = min(cost for cost, _ in answers)
        shortest = {tuple(map(int, row)) for cost, rows in answers if cost == length for row in paced(rows)}
        return _composed(moves, sorted(shortest), length, question.every, watch)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, 1, error)


def _composed(moves: Additions, shortest: list[tuple[int, ...]], length: int, every: bool, watch: Watch) -> Geodesics:
    if not every:
        path = tuple(frozenset([position]) for position in path_of(moves, shortest[0]))
        return Geodesics(path, watch.generated, watch.seconds, length)
    if _few_between(moves, shortest, watch.thresholds[LISTED_WAYS]):
        layers: list[set[bytes]] = [set() for _ in range(length + 1)]
        for presses in shortest:
            between = [each.between(number) for number, each in zip(presses, moves.directions, strict=True)]
            for part in paced(product(*between)):
                depth = sum(each.costs[number] for number, each in zip(part, moves.directions, strict=True))
                layers[depth].add(moves.position(zip(moves.directions, part, strict=True)))
        return Geodesics(tuple(map(frozenset, layers)), watch.generated, watch.seconds, length)
    ways = Fraction(0)
    first: set[tuple[int, int]] = set()
    for presses in paced(shortest):
        used = [(at, number) for at, number in enumerate(presses) if number]
        ways += factorial(length) * prod((moves.directions[at].ways[number] for at, number in used), start=Fraction(1))
        first |= {(at, factor) for at, number in used for factor in moves.directions[at].firsts(number)}
    return Geodesics(
        tuple(frozenset([position]) for position in path_of(moves, shortest[0])),
        watch.generated, watch.seconds, length, solutions=int(ways),
        first=frozenset(moves.position([(moves.directions[at], factor)]) for at, factor in paced(first)),
    )  # fmt: skip


def _few_between(moves: Additions, shortest: list[tuple[int, ...]], most: int) -> bool:
    """Return whether at most so many positions are on shortest solutions, each counted once for each least vector."""
    found = 0
    for presses in paced(shortest):
        found += prod(
            len(each.between(number)) for number, each in zip(presses, moves.directions, strict=True) if number
        )
        if found > most:
            return False
    return True
