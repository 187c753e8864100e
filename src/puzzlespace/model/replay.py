"""Check an answer by replaying it move by move with `Rule.apply` alone, independently of engines. Plain Python."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, count
from operator import ne

from ..errors import EndlessError, SelfCheckError
from ..limits.watch import checkpoint, paced
from .model import Model, changed_cell


class WrongAnswerError(SelfCheckError):
    """An engine returned a solution that is not correct: a fault of this program, never of the user."""


def replay(model: Model, path: Sequence[bytes]) -> None:
    """Raise WrongAnswerError unless the path leads from the start to a goal by legal moves."""
    if path[0] != model.start:
        raise WrongAnswerError(f"the path begins at {list(path[0])}, not at the start")
    walks = _Walks(model, path[0]) if model.metric.free else None
    for number, (before, after) in enumerate(zip(path, path[1:], strict=False), 1):
        if not one_move(model, before, after, walks):
            raise WrongAnswerError(f"move {number} from {list(before)} to {list(after)} is not a legal move")
    if not model.is_goal(path[-1]):
        raise WrongAnswerError(f"the path ends at {list(path[-1])}, which is not a goal")


def one_move(model: Model, before: bytes, after: bytes, walks: _Walks | None = None) -> bool:
    """Return whether a sequence of rules that the metric counts as one move leads from `before` to `after`.

    walks  of the model, if there are free rules and they were prepared before
    """
    if before == after:
        return False
    if model.metric.lawful:
        return _one_lawful_move(model, before, after)
    if model.metric.free:
        return _one_free_move(walks or _Walks(model, before), before, after)
    if model.metric.exhausts:
        return after in (_exhausted(model, before, group) for group in set(model.metric.after))
    numbers: Sequence[int] = range(len(model.rules))
    if not model.metric.after:  # one rule, which writes each cell that changes
        cell = changed_cell(before, after)
        numbers = () if cell is None else model.rules_at(cell)
    open_ends = [(before, number) for number in numbers]
    seen: set[tuple[bytes, int]] = set()
    while open_ends:
        position, number = open_ends.pop()
        checkpoint()
        child = model.rules[number].apply(position)
        if child is None or (child, number) in seen:
            continue
        if child == after:
            return True
        seen.add((child, number))
        if model.metric.after:
            open_ends += [(child, follower) for follower in model.metric.after[number]]
    return False


def _one_lawful_move(model: Model, before: bytes, after: bytes) -> bool:
    """Return whether a rule and what happens by itself after it lead from `before` to `after`, which no law forbids."""
    if any(law.sentence.holds(after) for law in model.metric.laws):
        return False
    by_itself = {number for stage in model.metric.automatic for number in stage.rules}
    for number, rule in enumerate(paced(model.rules)):
        child = rule.apply(before) if number not in by_itself else None
        if child is not None and _left_alone(model, child) == after:
            return True
    return False


def _left_alone(model: Model, position: bytes) -> bytes:
    """Return the position in which nothing more happens by itself; raise EndlessError if there is none."""
    happened: set[int] = set()
    passed: dict[tuple[bytes, int, frozenset[int]], bytes] = {}
    changed = True
    while changed:
        changed = False
        for number, stage in enumerate(model.metric.automatic):
            while number not in happened:
                checkpoint()
                made = (model.rules[rule].apply(position) for rule in stage.rules)
                child = next((each for each in made if each is not None and each != position), None)
                if child is None:
                    break
                position, changed = child, True
                happened |= {number} if stage.once else set()
                state = (position, number, frozenset(happened))
                if state in passed:
                    raise EndlessError([*passed.values()][[*passed].index(state) :])
                passed[state] = position
    return position


def _one_free_move(walks: _Walks, before: bytes, after: bytes) -> bool:
    """Return whether free rules, one move of other rules and free rules again lead from `before` to `after`."""
    model = walks.model
    makers = walks.makers(before, after)
    seen: set[tuple[bytes, int]] = set()
    dead: set[bytes] = set()
    for here in walks.freely(before):
        pending = [(here, number) for number in walks.others.fitting(here) if makers is None or number in makers]
        while pending:
            position, number = pending.pop()
            checkpoint()
            child = model.rules[number].apply(position)
            if child is None or (child, number) in seen:
                continue
            if walks.lead(child, after, dead):
                return True
            seen.add((child, number))
            if model.metric.after:
                pending += [(child, follower) for follower in model.metric.after[number]]
    return False


class _Fitting:
    """Some rules by the place of one of the symbols that they need: the one that is rarest in a position.

    So only the rules are tried that need a rare piece, such as the player, where it is.
    """

    def __init__(self, model: Model, numbers: Iterable[int], position: bytes) -> None:
        often = Counter(position)
        self.places: dict[int, dict[int, list[int]]] = {}
        for number in paced(numbers):
            rule = model.rules[number]
            tests = [
                (sum(often[symbol] for symbol in _allowed(need, model.symbols)), cell, need)
                for cell, need in zip(rule.cells, rule.need, strict=True)
            ]
            _, cell, need = min(tests)
            for symbol in _allowed(need, model.symbols):
                self.places.setdefault(symbol, {}).setdefault(cell, []).append(number)

    def fitting(self, position: bytes) -> Iterator[int]:
        """Yield the rules whose symbol is in its place; all others do not apply."""
        for symbol, rules in self.places.items():
            cell = position.find(symbol)
            while cell >= 0:
                yield from rules.get(cell, ())
                cell = position.find(symbol, cell + 1)


def _allowed(need: int, symbols: int) -> list[int]:
    return [symbol for symbol in range(symbols) if need >> symbol & 1]


class _Walks:
    """The free rules of a model and its other rules, prepared for positions like one of them.

    written  the pairs (cell, symbol) such that a free rule can write the symbol there
    """

    def __init__(self, model: Model, position: bytes) -> None:
        self.model = model
        free = set(model.metric.free)
        self.free = _Fitting(model, free, position)
        self.others = _Fitting(model, (number for number in range(len(model.rules)) if number not in free), position)
        self.written: set[tuple[int, int]] = set()
        for number in paced(free):
            rule = model.rules[number]
            for cell, source, table in zip(rule.cells, rule.source, rule.table, strict=True):
                old = _allowed(rule.need[source], model.symbols)
                self.written |= {(cell, symbol if table is None else table[symbol]) for symbol in old}

    def makers(self, before: bytes, after: bytes) -> set[int] | None:
        """Return the other rules one of which was made, if a cell shows it; None if it can be any.

        A cell with a symbol that no free rule writes there was written by another one. If several others count as one
        move, the first of them need not be the one.
        """
        if not self.model.metric.after:
            for cell in compress(count(), map(ne, before, after)):
                if (cell, after[cell]) not in self.written:
                    return set(self.model.rules_at(cell))
        return None

    def freely(self, position: bytes) -> Iterator[bytes]:
        """Yield the positions to which free rules lead from a position, itself first."""
        found, pending = {position}, deque([position])
        while pending:
            here = pending.popleft()
            checkpoint()
            yield here
            for number in self.free.fitting(here):
                child = self.model.rules[number].apply(here)
                if child is not None and child not in found:
                    found.add(child)
                    pending.append(child)

    def lead(self, position: bytes, wanted: bytes, dead: set[bytes]) -> bool:
        """Return whether free rules lead from one position to another; `dead` gets those from which they do not."""
        changed = compress(count(), map(ne, position, wanted))
        if position in dead or any((cell, wanted[cell]) not in self.written for cell in changed):
            return False
        passed: list[bytes] = []
        for here in self.freely(position):
            if here == wanted:
                return True
            passed.append(here)
        dead.update(passed)
        return False


def _exhausted(model: Model, position: bytes, group: Sequence[int]) -> bytes:
    """Return the position after the first rule of a group that applies, then the first again, until none applies."""
    while True:
        checkpoint()
        made = (model.rules[number].apply(position) for number in group)
        child = next((each for each in made if each is not None), None)
        if child is None:
            return position
        position = child
