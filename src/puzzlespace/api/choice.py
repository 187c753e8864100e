"""Which engines answer a question, and in which order.

A named engine answers alone, or says why it cannot. 'auto' asks all engines, the fastest first, whether they are worth
using. An engine says why it is not, or how many positions a slower one may generate before (`questions.Worth`).

- Layers are counted by the first engine that is worth using, after plain Python has tried with so many positions.
- A search begins with the engine that starts at once. It is followed by faster ones, each after the positions that take
  about as long as its own start (`relay`).
- Without NumPy and the compiler only engines in plain Python are asked.
- A search below a chosen bound is done by the engine that is fastest with it.

`dispatch` asks these engines, after the table of the puzzle in the cache folder, and checks what they answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from ..analysis.impossible import placement_bound
from ..contract.questions import Depths, Engine, Prospect, Search, Space
from ..errors import InputError, UnsupportedError
from ..limits.machine import has_arrays
from ..limits.watch import Watch
from ..model.model import Model
from ..plugins import plugin, plugin_names
from ..registry import ENGINES


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


def able(name: str | Engine, space: Space, question: str) -> Engine:
    """Return the engine of that name; raise UnsupportedError if it cannot answer."""
    chosen = engine(name)
    if getattr(chosen, question) is None:
        raise UnsupportedError(f"engine {chosen.name}: it does not answer the question {question!r}")
    refusal = chosen.refuses(space, question)
    if refusal:
        raise UnsupportedError(f"engine {chosen.name}: {refusal}")
    if chosen.arrays and not has_arrays():
        raise UnsupportedError(f"engine {chosen.name}: it needs NumPy and Numba, which this Python does not have")
    return chosen


def hands_over(each: Engine, question: Search | Depths) -> bool:
    """Return whether an engine can hand over the layers, find the arrivals, and use the device that are wanted."""
    return (
        (each.lists or getattr(question, "wanted", None) is None)
        and (each.arrivals or not getattr(question, "arrivals", ()))
        and (each.devices or getattr(question, "device", "") != "gpu")
    )


def worth_using(question: Search | Depths, watch: Watch) -> Iterator[tuple[Engine, int]]:
    """Yield the engines worth using, the fastest first, each with the positions that a slower one may generate before.

    An engine is asked only when its turn comes: the answer may take a moment.
    """
    what = "search" if isinstance(question, Search) else "depths"
    prospect = Prospect(watch, cache(partial(bound, question.space)))
    for each in sorted(ENGINES, key=lambda each: -each.speed):
        able = getattr(each, what) is not None and (has_arrays() or not each.arrays)
        if able and each.worth is not None and hands_over(each, question):
            worth = each.worth(question, prospect)
            if worth.reason is None:
                yield each, worth.after


def bound(space: Space) -> int:
    """Return an upper bound on the number of positions, 0 if it is unknown."""
    try:
        return placement_bound(space) if isinstance(space, Model) else 0
    except UnsupportedError:
        return 0


def relay(question: Search, watch: Watch) -> list[tuple[Engine, int]]:
    """Return the engines to search with, in order, each with the positions after which it takes over."""
    engines: list[tuple[Engine, int]] = []
    for each, after in worth_using(question, watch):
        if not engines or after < engines[0][1]:
            engines.insert(0, (each, after))
        if after == 0:
            break
    return engines


def offered(question: Depths, watch: Watch, name: str | Engine) -> Iterator[tuple[Engine, int]]:
    """Yield what `engines_for` does, each with the positions that plain Python may generate before."""
    if name == "auto" and question.device == "gpu":
        name = next(each for each in ENGINES if each.devices)
    if name != "auto":
        chosen = able(name, question.space, "depths")
        if not hands_over(chosen, question):
            lacks = "find arrivals" if question.arrivals else "list the positions of a layer"
            if question.device == "gpu":
                lacks = "count on a graphics card"
            raise UnsupportedError(f"engine {chosen.name}: it does not {lacks}")
        yield chosen, 0
        return
    yield from worth_using(question, watch)


def engines_for(question: Depths, watch: Watch, name: str | Engine) -> Iterator[Engine]:
    """Yield the named engine, or those that 'auto' tries, the fastest first; raise UnsupportedError if it refuses."""
    for each, _ in offered(question, watch, name):
        yield each


def has_bound(question: Search) -> bool:
    """Return whether a question asks for a lower bound."""
    return bool(question.heuristic) or question.bound is not None


def fastest_below(question: Search) -> Engine:
    """Return the engine that is fastest with the bound of a question."""
    return max(ENGINES, key=lambda each: each.bounds(question) if each.bounds is not None else -1)


def advice(question: Search) -> str:
    """Return in words whether the automatic choice uses lower bounds, and why not."""
    chosen = max([each for each in ENGINES if each.bounds is not None], key=lambda each: each.speed)
    assert chosen.worth is not None
    reason = chosen.worth(question, Prospect(Watch(), partial(bound, question.space))).reason
    if reason is not None:
        return f"the automatic choice is not {chosen.name}: {reason}"
    return f"the automatic choice is {chosen.name}: one hard position of far too many to list"
