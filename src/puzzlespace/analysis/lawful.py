"""Reasons why no goal can be reached that come from the laws of a puzzle, and from what happens by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from ..contract.answers import Reason
from ..errors import EndlessError, LimitError
from ..limits.stopping import Overdue
from ..limits.watch import paced
from ..model.goal import Goal
from ..model.metric import Metric
from ..model.model import Model
from ..model.rule import single_symbols

if TYPE_CHECKING:
    from ..model.sentence import Law, Sentence

MOST_WITHOUT = 10_000
"""The most positions of all searches together that leave out laws: about a second."""

SEARCHED = "searched to the end: no position that can be reached from the start is a goal"


def forbidden_goals(model: Model) -> Reason | None:
    """Return why no move ends in a goal, if that follows from the goals and the laws alone; None if it does not.

    None if the start is a goal.
    """
    if not model.metric.lawful or not model.goals or (model.start is not None and model.is_goal(model.start)):
        return None
    names = [_forbidding(model, goal) for goal in model.goals]
    found = [name for name in names if name is not None]
    if len(found) == len(names):
        return _forbidden(found)
    others = [goal.position for goal, name in zip(model.goals, names, strict=True) if name is None]
    if any(position is None or model.is_stable(position) for position in others):
        return None
    text = "no move ends in a goal, because something more happens by itself there"
    return Reason("law", f"{text}, or it is forbidden: {_joined(found)}" if found else text)


def forbidden_placements(model: Model, met: Iterable[bytes]) -> Reason | None:
    """Return the reason if all positions that meet the goals break laws.

    met  all positions that meet the goals, whether they break laws or not
    """
    names = [model.broken(position) for position in paced(met)]
    found = [name for name in names if name is not None]
    return _forbidden(found) if found and len(found) == len(names) else None


def _forbidden(names: Iterable[str]) -> Reason:
    return Reason("law", f"every goal is forbidden: {_joined(names)}")


def _joined(names: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(names))


def _forbidding(model: Model, goal: Goal) -> str | None:
    """Return the name of a law that is broken by all positions of a goal, as far as is seen from the two alone."""
    for law in model.metric.laws:
        if _follows(law.sentence, goal, model.symbols):
            return law.name
    return None


def _follows(sentence: Sentence, goal: Goal, symbols: int) -> bool:
    """Return whether a sentence is true of all positions of a goal; False if that is not clear."""
    from ..model.sentence import Every, Shows, Some

    if goal.sentence is not None and sentence in _conjuncts(goal.sentence):
        return True
    if isinstance(sentence, Every):
        return all(_follows(part, goal, symbols) for part in sentence.parts)
    if isinstance(sentence, Some):
        return any(_follows(part, goal, symbols) for part in sentence.parts)
    if isinstance(sentence, Shows):
        return not goal.need[sentence.cell] & ((1 << symbols) - 1) & ~sentence.need
    cells = sentence.cells()
    if len(single_symbols([goal.need[cell] for cell in cells])) < len(cells):
        return False
    shown = bytes(max(need & -need, 1).bit_length() - 1 for need in goal.need)  # other cells do not matter
    return sentence.holds(shown)


def _conjuncts(sentence: Sentence) -> Iterator[Sentence]:
    from ..model.sentence import Every

    yield sentence
    if isinstance(sentence, Every):
        for part in sentence.parts:
            yield from _conjuncts(part)


def searched(model: Model, most: int = MOST_WITHOUT) -> Reason:
    """Return the reason after a search that was exhausted: whether goals can be reached without the laws, or one law.

    most  the most positions of these searches; what they do not find is not said
    """
    laws = model.metric.laws
    if not laws:
        return Reason("searched", SEARCHED)
    left = _Left(most)
    lawless = left.moves(without(model, laws))
    if not lawless.known:
        return Reason("searched", SEARCHED)
    if lawless.moves is None:
        return Reason("searched", f"{SEARCHED}; none can be reached if nothing is forbidden, either")
    alone = [left.moves(without(model, (law,))) for law in laws] if len(laws) > 1 else [lawless]
    enough = [
        f"{law.name} ({_counted(model.metric, each.moves)})"
        for law, each in zip(laws, alone, strict=True)
        if each.moves is not None
    ]
    if enough:
        which = "one of these" if len(enough) > 1 else "this"
        return Reason("law", f"{SEARCHED}; one can be reached if {which} is allowed: {', '.join(enough)}")
    text = f"one can be reached if nothing is forbidden ({_counted(model.metric, lawless.moves)})"
    if all(each.known for each in alone):
        text += ", but not if only one sentence of forbid is left out"
    return Reason("law", f"{SEARCHED}; {text}")


def _counted(metric: Metric, moves: int) -> str:
    return f"{'cost' if metric.costs else 'moves'}: {moves:,}"


def without(model: Model, laws: Iterable[Law]) -> Model:
    """Return the model that does not have some of its laws."""
    kept = tuple([law for law in model.metric.laws if law not in laws])
    return replace(model, metric=replace(model.metric, laws=kept))


class _Fewest(NamedTuple):
    """The fewest moves from the start to a goal; None if it is known that there is no way, or nothing is known."""

    moves: int | None
    known: bool = True


class _Left:
    """How many positions searches may still look at."""

    def __init__(self, positions: int) -> None:
        self.positions = positions

    def moves(self, model: Model) -> _Fewest:
        """Search from the start of a model, the cheapest positions first."""
        assert model.start is not None
        seen: set[bytes] = set()
        waiting = [(0, model.start)]
        try:
            while waiting:
                far, position = heappop(waiting)
                if position in seen:
                    continue
                if model.is_goal(position):
                    return _Fewest(far)
                self.positions -= 1
                if self.positions < 0:
                    return _Fewest(None, known=False)
                seen.add(position)
                for child, made in model.moves(position).items():
                    if child not in seen:
                        heappush(waiting, (far + model.cost(made), child))
        except (EndlessError, LimitError, Overdue):
            return _Fewest(None, known=False)
        return _Fewest(None)
