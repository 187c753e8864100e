"""Which engine answers a question: the automatic choice, or the one a person named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from time import perf_counter
from typing import Any, TypeVar

from ..analysis import paths
from ..analysis.impossible import placement_bound
from ..contract.answers import Geodesics, Layers
from ..contract.questions import Depths, Engine, Search, Space
from ..engines.shared import selfcheck
from ..errors import InputError, LimitError, SelfCheckError, UnsupportedError
from ..heuristics import slides
from ..heuristics.distance import DistanceBound
from ..limits.watch import Fault, Limits, Watch
from ..model import replay
from ..model.model import Model
from ..registry import ENGINES, against_deepening, deepens, jumps, oversize, worthwhile

Answer = TypeVar("Answer", Geodesics, Layers)

ALWAYS_RIGHT = "plain"
"""The engine that the others are held against."""


def engine(name: str | Engine) -> Engine:
    """Return the engine of that name; raise InputError with the known names. An engine is its own answer."""
    if isinstance(name, Engine):
        return name
    for each in ENGINES:
        if each.name == name:
            return each
    known = ", ".join(["auto", *(each.name for each in ENGINES)])
    raise InputError(f"engine: expected one of {known}, found {name!r}")


def _able(name: str | Engine, space: Space, question: str) -> Engine:
    """Return the engine of that name; raise UnsupportedError where it cannot answer."""
    chosen = engine(name)
    if getattr(chosen, question) is None:
        raise UnsupportedError(f"engine {chosen.name}: it does not answer the question {question!r}")
    refusal = chosen.refuses(space, question)
    if refusal:
        raise UnsupportedError(f"engine {chosen.name}: {refusal}")
    return chosen


def _willing(name: str, space: Space, question: str) -> bool:
    return any(
        each.name == name and getattr(each, question) is not None and each.refuses(space, question) is None
        for each in ENGINES
    )


def search(question: Search, watch: Watch, name: str | Engine = "auto") -> tuple[str, Geodesics]:
    """Answer a search with the named engine; 'auto' begins small and goes on with a compiled engine where that pays.

    The answer is checked; after a wrong one the next engine answers, and the watch keeps the fault. Raises
    SelfCheckError if an engine that is no name was wrong, or no engine is right.
    """
    began = perf_counter()

    def wrong(found: Geodesics) -> str | None:
        budget = selfcheck.solution_budget(perf_counter() - began)
        return (
            _wrong_path(question, found)
            or _wrong_length(question, found)
            or selfcheck.wrong_solution(question, found, budget)
        )

    if name == "auto":
        return _checked("search", question, watch, name, lambda: _search(question, watch), wrong)
    chosen = _able(name, question.space, "search")
    return _checked("search", question, watch, name, lambda: _run(chosen, "search", question, watch), wrong)


def _wrong_path(question: Search, found: Geodesics) -> str | None:
    """Return why the first solution of an answer does not replay, or None."""
    if not found.layers or not isinstance(question.space, Model):
        return None
    try:
        path = paths.first_path(question.space, found.layers)
        replay.replay(replace(question.space, start=question.start), [position for position, _ in path])
    except IndexError:
        return "expected layers of a solution, found one that no move leads to from the layer before"
    except replay.WrongAnswerError as error:
        return str(error)
    return None


BOUNDED_CELLS = 64
"""The length of a solution is held against the bound of distances on boards of so many cells at most."""


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


def _run(chosen: Engine, what: str, question: Any, watch: Watch) -> tuple[str, Any]:
    """Return the name of an engine and its answer to a question of the kind `what`, a field of `Engine`."""
    return chosen.name, getattr(chosen, what)(question, watch)


def _checked(
    what: str,
    question: Search | Depths,
    watch: Watch,
    name: str | Engine,
    first: Callable[[], tuple[str, Answer]],
    wrong: Callable[[Answer], str | None],
) -> tuple[str, Answer]:
    """Return the answer of `first`, or after a wrong one that of the next engine whose answer is not found wrong."""
    tried: set[str] = set()
    for each in chain([first], _others(what, question, watch, tried)):
        answered = name if isinstance(name, str) else name.name
        try:
            answered, answer = each()
            fault = None if answered == ALWAYS_RIGHT else _looked_at(wrong, answer)
            if fault is None:
                return answered, answer
        except SelfCheckError as error:
            fault = str(error)
        watch.faults.append(Fault(answered, what, fault))
        tried.add(answered)
        if isinstance(name, Engine):
            break
    raise SelfCheckError("; ".join(f"engine {each.engine}: {each.text}" for each in watch.faults))


def _looked_at(wrong: Callable[[Answer], str | None], answer: Answer) -> str | None:
    """Return what is wrong with an answer, as far as the limits let one look: an answer in time is not lost."""
    try:
        return wrong(answer)
    except LimitError:
        return None


def _others(
    what: str, question: Search | Depths, watch: Watch, tried: set[str]
) -> Iterator[Callable[[], tuple[str, Any]]]:
    """Yield ways to ask the engines that were not tried yet, the plain one last."""
    for each in sorted(ENGINES, key=lambda each: each.name == ALWAYS_RIGHT):
        if each.name not in tried and _willing(each.name, question.space, what):
            yield partial(_run, each, what, question, watch)


def _search(question: Search, watch: Watch) -> tuple[str, Geodesics]:
    """Answer a search by the automatic choice."""
    if question.heuristic or deepens(question):
        return "idastar", _run_search(_able("idastar", question.space, "search"), question, watch)
    if question.goals is not None and jumps(question.space, "search"):
        return "pegs", _run_search(engine("pegs"), question, watch)
    both = question.goals is not None and question.space.backward is not None
    small = "bidirectional" if both else "plain"
    large = _layered(question.space, "search")
    if large == "plain":
        return small, _run_search(engine(small), question, watch)
    asked = watch.limits
    most = watch.thresholds.attempt_blocks if large == "blocks" else watch.thresholds.attempt_both
    attempt = min(most, asked.positions if asked.positions is not None else most)
    watch.limits = replace(asked, positions=attempt)
    found = _run_search(engine(small), question, watch)
    watch.limits = asked
    if found.stopped is None or found.stopped.kind != "positions" or asked.positions == attempt:
        return small, found
    return large, _run_search(engine(large), question, watch)


def _layered(space: Space, question: str) -> str:
    """Return the engine for layers beyond what plain Python can do: blocks, frontier, or plain where neither can."""
    if isinstance(space, Model) and space.shapes is not None and _willing("blocks", space, question):
        return "blocks"
    return "frontier" if _willing("frontier", space, question) else "plain"


def advice(question: Search) -> str:
    """Return whether the automatic choice searches below lower bounds, and why not."""
    reason = against_deepening(question)
    if reason is None:
        return "the automatic choice is idastar: one hard position of far too many to list"
    return f"the automatic choice is not idastar: {reason}"


def _run_search(chosen: Engine, question: Search, watch: Watch) -> Geodesics:
    assert chosen.search is not None
    return chosen.search(question, watch)


def depths(question: Depths, watch: Watch, name: str | Engine = "auto") -> tuple[str, Layers]:
    """Count layers with the named engine; 'auto' chooses by how many placements there can be.

    The first layers are checked; after wrong ones the next engine counts, and the watch keeps the fault. Raises
    SelfCheckError if an engine that is no name was wrong, or no engine is right.
    """
    chosen = _able(_depth_engine(question.space, watch) if name == "auto" else name, question.space, "depths")

    def wrong(found: Layers) -> str | None:
        return selfcheck.wrong_counts(question, found)

    def first() -> tuple[str, Layers]:
        try:
            return _run(chosen, "depths", question, watch)
        except UnsupportedError:  # whether a table can number all sources shows only here
            if name != "auto":
                raise
            return _run(engine(_layered(question.space, "depths")), "depths", question, watch)

    return _checked("depths", question, watch, name, first, wrong)


def _depth_engine(space: Space, watch: Watch) -> str:
    """Return plain, frontier or table by how many placements there can be, and what fits; say what does not."""
    if not isinstance(space, Model):
        return "plain"
    if jumps(space, "depths"):
        return "pegs"
    try:
        bound = placement_bound(space)
    except UnsupportedError:
        bound = 0
    if bound <= watch.thresholds.few_placements:
        return "plain"
    if bound > watch.thresholds.some_placements:
        if _willing("table", space, "depths") and worthwhile(space):
            return "table"
        too_large = oversize(space)
        if too_large is not None:
            watch.say(too_large)
    return _layered(space, "depths")


def goal_depths(question: Depths, watch: Watch, name: str | Engine = "auto") -> tuple[str, Layers] | None:
    """Count layers from the goals that the sources reach; None where the engine cannot, or they reach no goal.

    The first layers are checked as those of `depths` are, if the goals reached are not too many for that. After a wrong
    count the answer is None too: then `depths` finds the goals, and counts.
    """
    chosen = _able(_depth_engine(question.space, watch) if name == "auto" else name, question.space, "depths")
    if chosen.goal_depths is None:
        return None
    layers = chosen.goal_depths(question, watch)
    if layers.counts:
        goals = tuple(position for position, _ in islice(layers.collected, selfcheck.POSITIONS))
        whole = len(goals) == len(layers.collected)
        asked = replace(question, sources=goals, collect=())
        fault = selfcheck.wrong_counts(asked, layers) if whole else None
        if fault is not None:
            watch.faults.append(Fault(chosen.name, "goal_depths", fault))
            return None
    return (chosen.name, layers) if layers.counts or layers.stopped else None


def limits(seconds: float | None = None, memory: int | None = None, positions: int | None = None) -> Limits:
    """Return limits; raise InputError where one is not positive."""
    for word, value in (("seconds", seconds), ("memory", memory), ("positions", positions)):
        if value is not None and value <= 0:
            raise InputError(f"limit {word}: expected more than 0, found {value}")
    return Limits(seconds, memory, positions)
