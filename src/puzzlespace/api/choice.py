"""The choice of the engine that answers: a table in the cache folder, the automatic choice, or the named engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import chain, pairwise
from math import inf
from time import perf_counter
from typing import Any, TypeVar

from ..analysis import paths
from ..analysis.impossible import placement_bound
from ..contract.answers import Geodesics, Layers
from ..contract.questions import Depths, Engine, Prospect, Search, Space
from ..engines.shared import selfcheck
from ..errors import BoundError, InputError, LimitError, SelfCheckError, TableError, UnsupportedError
from ..heuristics.distance import DistanceBound
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Fault, Limits, Watch
from ..model import replay
from ..model.model import Model
from ..plugins import plugin, plugin_names
from ..registry import ENGINES, REFERENCE
from ..structure import slides
from .cached import CachedTable

Answer = TypeVar("Answer", Geodesics, Layers)


def engine(name: str | Engine) -> Engine:
    """Return the engine of that name; raise InputError with the known names. Engine objects are returned unchanged."""
    if isinstance(name, Engine):
        return name
    for each in ENGINES:
        if each.name == name:
            return each
    found = plugin("encodings", name, Engine)
    if found is not None:
        return found
    known = ", ".join(["auto", *(each.name for each in ENGINES), *plugin_names("encodings")])
    raise InputError(f"engine: expected one of {known}, found {name!r}")


def _able(name: str | Engine, space: Space, question: str) -> Engine:
    """Return the engine of that name; raise UnsupportedError if it cannot answer."""
    chosen = engine(name)
    if getattr(chosen, question) is None:
        raise UnsupportedError(f"engine {chosen.name}: it does not answer the question {question!r}")
    refusal = chosen.refuses(space, question)
    if refusal:
        raise UnsupportedError(f"engine {chosen.name}: {refusal}")
    return chosen


def _lists(each: Engine, question: Search | Depths) -> bool:
    """Return whether an engine can hand over the layers, find the arrivals, and use the device that are wanted."""
    return (
        (each.lists or getattr(question, "wanted", None) is None)
        and (each.arrivals or not getattr(question, "arrivals", ()))
        and (each.devices or getattr(question, "device", "") != "gpu")
    )


def _worth_using(question: Search | Depths, watch: Watch) -> Iterator[tuple[Engine, int]]:
    """Yield the engines worth using, the fastest first, each with its `questions.Worth`.

    An engine is asked only when its turn comes: the answer may take a moment.
    """
    what = "search" if isinstance(question, Search) else "depths"
    prospect = Prospect(watch, cache(partial(bound, question.space)))
    for each in sorted(ENGINES, key=lambda each: -each.speed):
        if getattr(each, what) is not None and each.worth is not None and _lists(each, question):
            worth = each.worth(question, prospect)
            if not isinstance(worth, str):
                yield each, worth


def bound(space: Space) -> int:
    """Return an upper bound on the number of positions, 0 if it is unknown."""
    try:
        return placement_bound(space) if isinstance(space, Model) else 0
    except UnsupportedError:
        return 0


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
            if cached is not None and not has_bound(question):
                answer = _from_table(cached, "search", question, watch, wrong)
                if answer is not None:
                    return answer
            return _checked("search", question, watch, name, partial(_search, question, watch), wrong)
        chosen = _able(name, question.space, "search")
        return _checked("search", question, watch, name, lambda: _run(chosen, "search", question, watch), wrong)

    watch.known.begin("search")
    watch.known.prove(0 if question.space.is_goal(question.start) else 1)
    return _kept(asked, name, watch, _stopped_search)


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
    watch.known.engine = chosen.name
    ask = getattr(chosen, what)
    if what == "search":
        return chosen.name, _told(ask, question, watch, _stopped_search)
    watch.known.count_anew()
    found: Layers = _told(ask, question, watch, _stopped_count)
    if found.stopped is not None and len(found.counts) < len(watch.known.layers):
        found = replace(found, counts=watch.known.layers, deepest=())
    return chosen.name, found


def _told(
    ask: Callable[[Any, Watch], Answer], question: Any, watch: Watch, stopped: Callable[[LimitError, Watch], Answer]
) -> Answer:
    """Return the answer to a question, or the one that is known if a limit is passed that the engine does not note."""
    try:
        return ask(question, watch)
    except (LimitError, Overdue) as late:
        return stopped(limit_of(late), watch)


def _stopped_search(limit: LimitError, watch: Watch) -> Geodesics:
    return Geodesics((), watch.generated, watch.seconds, max(limit.bound, watch.known.bound), limit)


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
    for each in sorted(ENGINES, key=lambda each: each.name == REFERENCE.name):
        able = getattr(each, what) is not None and _lists(each, question)
        if each.name not in tried and able and each.refuses(question.space, what) is None:
            yield partial(_run, each, what, question, watch)


def _search(question: Search, watch: Watch) -> tuple[str, Geodesics]:
    """Answer a search by the automatic choice: each engine generates positions until the next one is worth using."""
    if has_bound(question):
        return _run(_able(_bounded(question), question.space, "search"), "search", question, watch)
    asked = watch.limits
    engines = _relay(question, watch)
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


def _relay(question: Search, watch: Watch) -> list[tuple[Engine, int]]:
    """Return the engines to search with, in order, each with the positions after which it takes over."""
    engines: list[tuple[Engine, int]] = []
    for each, after in _worth_using(question, watch):
        if not engines or after < engines[0][1]:
            engines.insert(0, (each, after))
        if after == 0:
            break
    return engines


def has_bound(question: Search) -> bool:
    """Return whether a question asks for a lower bound."""
    return bool(question.heuristic) or question.bound is not None


def _bounded(question: Search) -> Engine:
    """Return the engine that is fastest with the bound of a question."""
    return max(ENGINES, key=lambda each: each.bounds(question) if each.bounds is not None else -1)


def advice(question: Search) -> str:
    """Return in words whether the automatic choice uses lower bounds, and why not."""
    chosen = max([each for each in ENGINES if each.bounds is not None], key=lambda each: each.speed)
    assert chosen.worth is not None
    reason = chosen.worth(question, Prospect(Watch(), partial(bound, question.space)))
    if isinstance(reason, str):
        return f"the automatic choice is not {chosen.name}: {reason}"
    return f"the automatic choice is {chosen.name}: one hard position of far too many to list"


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

    engines = _offered(question, watch, name)

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


def engines_for(question: Depths, watch: Watch, name: str | Engine) -> Iterator[Engine]:
    """Yield the named engine, or those that 'auto' tries, the fastest first; raise UnsupportedError if it refuses."""
    for each, _ in _offered(question, watch, name):
        yield each


def _offered(question: Depths, watch: Watch, name: str | Engine) -> Iterator[tuple[Engine, int]]:
    """Yield what `engines_for` does, each with the positions that plain Python may generate before."""
    if name == "auto" and question.device == "gpu":
        name = next(each for each in ENGINES if each.devices)
    if name != "auto":
        chosen = _able(name, question.space, "depths")
        if not _lists(chosen, question):
            lacks = "find arrivals" if question.arrivals else "list the positions of a layer"
            if question.device == "gpu":
                lacks = "count on a graphics card"
            raise UnsupportedError(f"engine {chosen.name}: it does not {lacks}")
        yield chosen, 0
        return
    yield from _worth_using(question, watch)


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
    chosen = next(engines_for(question, watch, name))
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


def limits(seconds: float | None = None, memory: int | None = None, positions: int | None = None) -> Limits:
    """Return limits; raise InputError if one is not a positive, finite number."""
    for word, value in (("seconds", seconds), ("memory", memory), ("positions", positions)):
        if value is not None and not 0 < value < inf:
            raise InputError(f"limit {word}: expected a finite number above 0, found {value}")
    return Limits(seconds, memory, positions)
