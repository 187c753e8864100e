"""Shortest solutions of those that begin with a given move, or with one of several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..contract.answers import Reason, Solution, Status
from ..errors import InputError, LimitError, UnsupportedError
from ..limits.watch import Limits, Watch
from ..model.custom import Custom
from ..model.model import Model
from ..puzzle.answers import PuzzleSolution
from ..puzzle.puzzle import Position, Puzzle
from . import loader, typed_moves
from .arguments import texts
from .found import replayed
from .positions import with_start

Options = dict[str, Any]
"""Parameters of the functions of `Means` by name."""


@dataclass(frozen=True)
class Means:
    """The functions of `questions` that answer for the positions after first moves."""

    solve: Callable[..., Solution]
    solutions: Callable[..., Iterator[Solution]]


@dataclass(frozen=True)
class Beginning:
    """A position after a first move.

    name   of the move
    ways   the rules of each different move that leads there
    cost   what the move counts
    """

    after: Position
    name: str
    ways: tuple[tuple[int, ...], ...]
    cost: int


@dataclass(frozen=True)
class FirstMoves:
    """The question for solutions that begin with some moves."""

    owner: Puzzle
    model: Model
    words: tuple[str, ...]
    begin: tuple[Beginning, ...]
    means: Means

    @classmethod
    def of(
        cls, puzzle: Puzzle | Custom | str | Path, first: str | Sequence[str], metric: str, means: Means
    ) -> FirstMoves:
        """Return the question; raise FormatError for a word that names no move from the start."""
        if isinstance(puzzle, Custom):
            raise UnsupportedError("first: the moves of this puzzle are Python functions, which have no names")
        owner = loader.puzzle_of(puzzle)
        if owner.start is None:
            raise InputError(f"{owner.name}: expected a start to solve from, found none")
        model = owner.model(metric)
        texts("first", first)
        given = [first] if isinstance(first, str) else [*first]
        words = dict.fromkeys(
            word for text in given for word in _checked(owner, model, typed_moves.in_plain_forms(owner, text, "first"))
        )
        return cls(owner, model, tuple(words), tuple(_beginnings(owner, model, words)), means)

    def solve(self, options: Options, count: bool, limits: Limits, watch: Watch) -> Solution:
        """Return the answer: a shortest solution, with the number of all if `count`.

        options  all others of `Means.solve`
        """
        found: list[tuple[Beginning, Solution]] = []
        with watch.known.aside():
            for each in self.begin:
                placed, left = with_start(self.owner, each.after), _left(limits, watch, found)
                answer = self.means.solve(placed, count=count, limits=left, **options)
                found.append((each, answer))
                if answer.status is Status.STOPPED:
                    break
        work = sum(answer.generated for _, answer in found)
        late = next((answer for _, answer in found if answer.status is Status.STOPPED), None)
        if late is not None:
            least = [each.cost + (answer.bound or 0) for each, answer in found if answer.reason is None]
            least += [each.cost for each in self.begin[len(found) :]]
            return replace(late, bound=min(least), unchecked=None, generated=work, seconds=watch.seconds)
        best = _shortest(found)
        if not best:
            answer = found[0][1]
            told = answer.reason or Reason("searched", "the goal cannot be reached")
            reason = Reason(told.kind, f"after {self.begin[0].name}: {told.text}")
            counts = dict.fromkeys(COUNTS, 0 if count else None)
            return replace(answer, reason=reason, generated=work, seconds=watch.seconds, **counts)
        each, answer = best[0]
        whole = replace(
            self.whole(each, each.ways[0], answer, watch), engine=answer.engine, generated=work, seconds=watch.seconds,
            status=answer.status, stopped=next((one.stopped for _, one in best if one.stopped is not None), None),
        )  # fmt: skip
        if any(one.status is Status.ASSUMED for _, one in found):
            least = min(move.cost + (one.bound or 0) for move, one in found if one.reason is None)
            whole = replace(whole, status=Status.ASSUMED, bound=least, rests_on=answer.rests_on)
        numbers = [None if one.solutions is None else one.solutions * len(move.ways) for move, one in best]
        known = count and whole.stopped is None and None not in numbers
        return replace(whole, solutions=sum(number or 0 for number in numbers) if known else None)

    def solutions(self, options: Options, limits: Limits, watch: Watch) -> Iterator[Solution]:
        """Yield all shortest solutions that begin so.

        options  all others of `Means.solutions`
        Raises LimitError if a limit stops the search.
        """
        found: list[tuple[Beginning, Solution]] = []
        for each in self.begin:
            placed, left = with_start(self.owner, each.after), _left(limits, watch, found)
            one = self.means.solve(placed, limits=left, **options)
            if one.stopped is not None:
                raise one.stopped
            found.append((each, one))
        best = [each for each, _ in _shortest(found)]
        asked = ((each, with_start(self.owner, each.after)) for each in best)
        listed = [(each, self.means.solutions(placed, limits=limits, **options)) for each, placed in asked]
        return (self.whole(each, way, rest, watch) for each, rests in listed for rest in rests for way in each.ways)

    def whole(self, each: Beginning, way: tuple[int, ...], rest: Solution, watch: Watch) -> Solution:
        """Return the solution of a first move and of the position after it, replayed from the start."""
        assert isinstance(rest, PuzzleSolution)
        settled, start = self.model.settled, self.model.start
        later = ((settled(bytes(position)), made) for position, made in zip(rest.path[1:], rest.rules, strict=True))
        steps = ((start, ()), (settled(bytes(each.after)), way), *later)
        return replace(replayed(self.owner, self.model, steps, watch), engine=rest.engine, rests_on=rest.rests_on)


COUNTS = ("solutions", "solutions_commuting", "solutions_unordered", "solutions_symmetry")


def _shortest(found: Sequence[tuple[Beginning, Solution]]) -> list[tuple[Beginning, Solution]]:
    """Return the beginnings of shortest solutions, in the order of positions."""
    totals = [each.cost + answer.moves for each, answer in found if answer.moves is not None]
    best = [pair for pair in found if pair[1].moves is not None and pair[0].cost + pair[1].moves == min(totals)]
    return sorted(best, key=lambda pair: bytes(pair[0].after))


def _left(limits: Limits, watch: Watch, found: Sequence[tuple[Beginning, Solution]]) -> Limits:
    """Return what is left of the limits for the next search."""
    spent = sum(answer.generated for _, answer in found)
    if limits.positions is not None and spent >= limits.positions:
        raise LimitError("positions", f"stopped after {spent:,} positions")
    seconds = None if limits.seconds is None else max(limits.seconds - watch.seconds, 1e-6)
    return Limits(seconds, limits.memory, None if limits.positions is None else limits.positions - spent)


def _moves(owner: Puzzle, model: Model) -> Iterator[tuple[Any, Position, tuple[int, ...]]]:
    """Yield the moves from the start as they are shown, the position after each, and its rules."""
    assert owner.start is not None
    begin = Position(owner, owner.start, owner.shown(owner.start))
    for _, ways in model.ways(begin).items():
        for way, (frame, after) in zip(ways, typed_moves.named_ways(owner, model, begin, ways), strict=True):
            yield frame, after, way


def _checked(owner: Puzzle, model: Model, text: str) -> Iterator[str]:
    """Yield the names in a text; raise FormatError at one that is no move from the start."""
    frames = [frame for frame, _, _ in _moves(owner, model)]
    names = typed_moves.separated(owner, text)
    if not names:
        raise InputError(f"first: expected the name of a move, found {text!r}")
    for word in names:
        if not any(frame.called(word) for frame in frames):
            known = list(dict.fromkeys(frame.name for frame in frames))
            raise typed_moves.unknown(word, known).located("first", text)
        yield str(word)


def _beginnings(owner: Puzzle, model: Model, words: Sequence[str] | dict[str, None]) -> Iterator[Beginning]:
    """Yield what the moves of these names lead to, each position once for each cost."""
    found: dict[tuple[bytes, int], list[tuple[Any, Position, tuple[int, ...]]]] = {}
    for frame, after, way in _moves(owner, model):
        if any(frame.called(word) for word in words):
            found.setdefault((model.settled(bytes(after)), model.cost(way)), []).append((frame, after, way))
    apart = model.counted_apart
    for (_, cost), moves in found.items():
        ways = {apart[way[0]]: way for _, _, way in reversed(moves)}
        frame, after, _ = moves[0]
        yield Beginning(after, frame.name, tuple(reversed(ways.values())), cost)
