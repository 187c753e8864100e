"""Questions are asked of engines in turn, and their answers are checked; after a wrong one the next engine answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from time import perf_counter
from typing import Any, TypeVar

from ..analysis import paths
from ..contract.answers import Geodesics, Layers
from ..contract.questions import Depths, Engine, Search
from ..engines.shared import selfcheck
from ..errors import BoundError, LimitError, SelfCheckError, TableError, UnsupportedError
from ..heuristics.distance import DistanceBound
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Fault, Limits, Watch
from ..model import replay
from ..model.model import Model
from ..registry import REFERENCE
from ..structure import slides
from . import choice
from .cached import CachedTable

Answer = TypeVar("Answer", Geodesics, Layers)


def search(
    question: Search, watch: Watch, name: str | Engine = "auto", cached: CachedTable | None = None
) -> tuple[str, Geodesics]:
    """Answer a search with the named engine; 'auto' begins with one that starts at once and continues with faster ones.

    cached  the table that answers instead of 'auto', if it is there and can
    The answer is checked; after a wrong one the next engine answers, and the watch keeps the fault. Raises
    SelfCheckError if an engine that is no name was wrong, or no engine is right.
    """
    began = perf_counter()

    def wrong(found: Geodesics) -> str | None:
        budget = selfcheck.solution_budget(perf_counter() - began)
        fault = _wrong_path(question, found, watch) or _wrong_length(question, found)
        if fault is None:
            fault = selfcheck.wrong_solution(question, found, budget)
            if fault is not None and found.assumed:
                raise _wrong_bound(question, found.rests_on, fault)
        return fault

    def asked() -> tuple[str, Geodesics]:
        if name == "auto":
            if cached is not None and not choice.has_bound(question):
                answer = _from_table(cached, "search", question, watch, wrong)
                if answer is not None:
                    return answer
                _begin(question, watch)  # the table may be wrong, or its positions were counted again
            return _checked("search", question, watch, name, partial(_search, question, watch), wrong)
        chosen = choice.able(name, question.space, "search")
        return _checked("search", question, watch, name, lambda: _run(chosen, "search", question, watch), wrong)

    _begin(question, watch)
    return _kept(asked, name, watch, _stopped_search)


def _begin(question: Search, watch: Watch) -> None:
    """Forget what is known of other questions."""
    watch.known.begin("search")
    watch.known.prove(0 if question.space.is_goal(question.start) else 1)


def _kept(
    ask: Callable[[], tuple[str, Answer]],
    name: str | Engine,
    watch: Watch,
    stopped: Callable[[LimitError, Watch], Answer],
) -> tuple[str, Answer]:
    """Return what `ask` returns, or what is known if a limit is passed while no engine is at work."""
    try:
        return ask()
    except (LimitError, Overdue) as late:
        return name if isinstance(name, str) else name.name, stopped(limit_of(late), watch)


def _wrong_path(question: Search, found: Geodesics, watch: Watch) -> str | None:
    """Return why the first solution of an answer does not replay, or None."""
    if not found.layers or not isinstance(question.space, Model):
        return None
    try:
        path = tuple(position for position, _ in paths.first_path(question.space, found.layers))
        replay.replay(replace(question.space, start=question.start), path)
        watch.known.replayed = path
    except IndexError:
        return "expected layers of a solution, found one that no move leads to from the layer before"
    except replay.WrongAnswerError as error:
        return str(error)
    return None


SHORTER = 200_000
"""The most positions that plain Python generates to find where a bound claims too much."""


def _wrong_bound(question: Search, name: str, fault: str) -> BoundError:
    """Return the error for a bound, because there is a shorter solution: where on it the bound claims too much."""
    from ..bounds.choosing import chosen

    assert REFERENCE.search is not None
    layers = REFERENCE.search(question, Watch(Limits(positions=SHORTER))).layers
    evaluate = chosen(question, Watch()).evaluate
    for left, layer in enumerate(reversed(layers)):
        for position in layer:
            claimed = evaluate(position)
            if claimed > left:
                return BoundError(name, f"it claims {claimed} moves or more, but {left} are enough", position)
    return BoundError(name, f"it claims too much of some position: {fault}", question.start)


BOUNDED_CELLS = 64
"""On boards of at most so many cells, the length of a solution is compared with the distance bound."""


def _wrong_length(question: Search, found: Geodesics) -> str | None:
    """Return how a solution of a slide puzzle is shorter than its pieces' distances allow, or None."""
    model = question.space
    if not found.layers or not isinstance(model, Model) or model.cells > BOUNDED_CELLS:
        return None
    board = slides.read(model)
    if isinstance(board, str):
        return None
    least, length = DistanceBound(board, model.goals).bound(question.start), len(found.layers) - 1
    return f"expected a solution of {least} moves or more, found {length}" if length < least else None


def _from_table(
    cached: CachedTable,
    what: str,
    question: Search | Depths,
    watch: Watch,
    wrong: Callable[[Answer], str | None],
) -> tuple[str, Answer] | None:
    """Return the answer of a cached table, or None if it is not there or cannot answer.

    A table that is damaged or answers wrongly is given up; if it is made anew, it is asked once more.
    """
    for _ in range(2):
        try:
            table = cached.engine()
            if table is None or table.refuses(question.space, what) is not None:
                return None
            name, answer = _run(table, what, question, watch)
            fault = _looked_at(wrong, answer)
            if fault is None:
                return name, answer
            raise SelfCheckError(f"engine {name}: {fault}")
        except UnsupportedError:
            return None
        except (SelfCheckError, TableError) as error:
            cached.give_up(error)
    return None


def _run(chosen: Engine, what: str, question: Any, watch: Watch) -> tuple[str, Any]:
    """Return the name of an engine and its answer to a question of the kind `what`, a field of `Engine`.

    If a limit stops the engine at any moment, the answer has what is known by then, also from engines before.
    """
    if what == "search":
        generated, opened = watch.generated, watch.opened
        answer = _told(chosen, what, question, watch, _stopped_search)
        watch.uncounted |= watch.generated > generated and watch.opened == opened
        return chosen.name, replace(answer, expanded=watch.expanded)
    watch.known.count_anew()
    if question.wanted is not None and question.wanted.begin is not None:
        question.wanted.begin()
    found: Layers = _told(chosen, what, question, watch, _stopped_count)
    if found.stopped is not None and len(found.counts) < len(watch.known.layers):
        found = replace(found, counts=watch.known.layers, deepest=())
    return chosen.name, found


def _told(
    chosen: Engine, what: str, question: Any, watch: Watch, stopped: Callable[[LimitError, Watch], Answer]
) -> Answer:
    """Return the answer of an engine, or what is known if a limit is passed that the engine does not note."""
    try:
        with watch.known.asked(chosen.name):
            return getattr(chosen, what)(question, watch)
    except (LimitError, Overdue) as late:
        return stopped(limit_of(late), watch)


def _stopped_search(limit: LimitError, watch: Watch) -> Geodesics:
    return Geodesics(
        (), watch.generated, watch.seconds, max(limit.bound, watch.known.bound), limit, expanded=watch.expanded
    )


def _stopped_count(limit: LimitError, watch: Watch) -> Layers:
    known = watch.known
    return Layers(
        known.layers, (), False, watch.generated, watch.seconds, known.collected, stopped=limit,
        arrivals=dict(known.arrivals),
    )  # fmt: skip


def _checked(
    what: str,
    question: Search | Depths,
    watch: Watch,
    name: str | Engine,
    first: Callable[[], tuple[str, Answer]],
    wrong: Callable[[Answer], str | None],
) -> tuple[str, Answer]:
    """Return the answer of `first`; if it is wrong, that of the next engine whose answer passes the checks."""
    tried: set[str] = set()
    for each in chain([first], _others(what, question, watch, tried)):
        answered = name if isinstance(name, str) else name.name
        try:
            answered, answer = each()
            fault = None if answered == REFERENCE.name else _looked_at(wrong, answer)
            if fault is None:
                return answered, answer
        except SelfCheckError as error:
            fault = str(error)
        watch.faults.append(Fault(answered, what, fault))
        watch.known.forget()
        tried.add(answered)
        if isinstance(name, Engine):
            break
    raise SelfCheckError("; ".join(f"engine {each.engine}: {each.text}" for each in watch.faults))


def _looked_at(wrong: Callable[[Answer], str | None], answer: Answer) -> str | None:
    """Return the error in an answer, or None, also if a limit stops the check: an answer in time is not lost."""
    try:
        return wrong(answer)
    except (LimitError, Overdue):
        return None


def _others(
    what: str, question: Search | Depths, watch: Watch, tried: set[str]
) -> Iterator[Callable[[], tuple[str, Any]]]:
    """Yield functions that ask the engines not tried yet, the reference last."""
    for each in sorted(choice.ENGINES, key=lambda each: each.name == REFERENCE.name):
        able = getattr(each, what) is not None and choice.hands_over(each, question)
        if each.name not in tried and able and each.refuses(question.space, what) is None:
            yield partial(_run, each, what, question, watch)


def _search(question: Search, watch: Watch) -> tuple[str, Geodesics]:
    """Answer a search by the automatic choice: each engine generates positions until the next one is worth using."""
    if choice.has_bound(question):
        return _run(choice.able(choice.fastest_below(question), question.space, "search"), "search", question, watch)
    asked = watch.limits
    engines = choice.relay(question, watch)
    for (each, _), (_, until) in pairwise(engines):
        if asked.positions is not None and asked.positions <= until:
            return _run(each, "search", question, watch)
        watch.limits = replace(asked, positions=until)
        try:
            name, found = _run(each, "search", question, watch)
        finally:
            watch.limits = asked
        if found.stopped is None or found.stopped.kind != "positions":
            return name, found
    return _run(engines[-1][0], "search", question, watch)


def depths(
    question: Depths, watch: Watch, name: str | Engine = "auto", cached: CachedTable | None = None
) -> tuple[str, Layers]:
    """Count layers with the named engine; 'auto' chooses by the number of placements.

    cached  the table that answers instead of 'auto', if it is there and can
    The first layers are checked; after wrong ones the next engine counts, and the watch keeps the fault. Raises
    SelfCheckError if an engine that is no name was wrong, or no engine is right.
    """

    def wrong(found: Layers) -> str | None:
        return selfcheck.wrong_counts(question, found)

    engines = choice.offered(question, watch, name)

    def first() -> tuple[str, Layers]:
        refused: UnsupportedError | None = None
        for each, after in engines:
            try:
                return _few(question, watch, after) or _run(each, "depths", question, watch)
            except UnsupportedError as error:  # whether a table can number all sources shows only here
                refused = error
        assert refused is not None
        raise refused

    def asked() -> tuple[str, Layers]:
        answer = None
        if name == "auto" and cached is not None:
            answer = _from_table(cached, "depths", question, watch, wrong)
        return answer or _checked("depths", question, watch, name, first, wrong)

    watch.known.begin("depths", _about(question))
    return _kept(asked, name, watch, _stopped_count)


def _about(question: Depths) -> object:
    """Return what determines the layers of a question."""
    return question.space, question.sources, question.collect


def _few(question: Depths, watch: Watch, most: int) -> tuple[str, Layers] | None:
    """Return the layers that plain Python counts, or None if it would generate more than `most` positions."""
    asked = watch.limits
    if not most or question.wanted is not None or (asked.positions is not None and asked.positions <= most):
        return None
    watch.limits = replace(asked, positions=most)
    try:
        name, found = _run(REFERENCE, "depths", question, watch)
    finally:
        watch.limits = asked
    return None if found.stopped is not None and found.stopped.kind == "positions" else (name, found)


def goal_depths(
    question: Depths, watch: Watch, name: str | Engine = "auto", cached: CachedTable | None = None
) -> tuple[str, Layers] | None:
    """Count layers from the goals that the sources reach; None if the engine cannot, or they reach no goal.

    cached  the table that answers instead of 'auto', if it is there and can
    The first layers are checked as those of `depths` are, if the goals reached are not too many for that. After a wrong
    count the answer is None too: then `depths` finds the goals, and counts.
    """
    watch.known.begin("depths", _about(question))
    wrong = partial(_wrong_goal_depths, question)
    if name == "auto" and cached is not None:
        answer = _from_table(cached, "goal_depths", question, watch, wrong)
        if answer is not None:
            return answer
    chosen = next(choice.engines_for(question, watch, name))
    if chosen.goal_depths is None:
        return None
    _, layers = _run(chosen, "goal_depths", question, watch)
    fault = wrong(layers)
    if fault is not None:
        watch.faults.append(Fault(chosen.name, "goal_depths", fault))
        watch.known.forget()
        return None
    return (chosen.name, layers) if layers.counts or layers.stopped else None


def _wrong_goal_depths(question: Depths, layers: Layers) -> str | None:
    """Return what is wrong with the first layers from the goals reached; None too if these are too many to check."""
    if not layers.counts or len(layers.collected) > selfcheck.POSITIONS:
        return None
    goals = tuple(position for position, _ in layers.collected)
    return selfcheck.wrong_counts(replace(question, sources=goals, collect=()), layers)
