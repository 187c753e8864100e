"""Which engine answers a question: the automatic choice, or the one a person named."""

from __future__ import annotations

from dataclasses import replace

from .analysis import placement_bound
from .errors import InputError, UnsupportedError
from .model import Model
from .registry import ENGINES, against_deepening, deepens, jumps, worthwhile
from .result import Depths, Engine, Geodesics, Layers, Limits, Search, Space, Watch

FEW = 20_000
"""Up to this many placements plain Python answers before anything faster is even imported."""

SOME = 400_000
"""Up to this many placements layers on NumPy answer before the compiler would have been loaded."""

ATTEMPT = 150_000
"""Positions that the search from both ends in plain Python may generate before a compiled engine takes over."""

ATTEMPT_BLOCKS = 5_000
"""The same where pieces of several cells slide: there the compiled engine is a hundred times as fast."""


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
    """Answer a search with the named engine; 'auto' begins small and goes on with a compiled engine where that pays."""
    if name != "auto":
        return engine(name).name, _run_search(_able(name, question.space, "search"), question, watch)
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
    most = ATTEMPT_BLOCKS if large == "blocks" else ATTEMPT
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
    """Count layers with the named engine; 'auto' chooses by how many placements there can be."""
    if name == "auto":
        name = _depth_engine(question.space)
    chosen = _able(name, question.space, "depths")
    assert chosen.depths is not None
    return chosen.name, chosen.depths(question, watch)


def _depth_engine(space: Space) -> str:
    """Return plain, frontier or table by how many placements there can be, and what fits."""
    if not isinstance(space, Model):
        return "plain"
    if jumps(space, "depths"):
        return "pegs"
    try:
        bound = placement_bound(space)
    except UnsupportedError:
        bound = 0
    if bound <= FEW:
        return "plain"
    if bound > SOME and _willing("table", space, "depths") and worthwhile(space):
        return "table"
    return _layered(space, "depths")


def goal_depths(question: Depths, watch: Watch, name: str | Engine = "auto") -> tuple[str, Layers] | None:
    """Count layers from the goals that the sources reach; None where the engine cannot, or they reach no goal."""
    chosen = _able(_depth_engine(question.space) if name == "auto" else name, question.space, "depths")
    if chosen.goal_depths is None:
        return None
    layers = chosen.goal_depths(question, watch)
    return (chosen.name, layers) if layers.counts or layers.stopped else None


def limits(seconds: float | None = None, memory: int | None = None, positions: int | None = None) -> Limits:
    """Return limits; raise InputError where one is not positive."""
    for word, value in (("seconds", seconds), ("memory", memory), ("positions", positions)):
        if value is not None and value <= 0:
            raise InputError(f"limit {word}: expected more than 0, found {value}")
    return Limits(seconds, memory, positions)
