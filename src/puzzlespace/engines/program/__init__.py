"""Breadth-first search of any rules in compiled loops that need neither NumPy nor Numba: Python in a browser has it.

The loops (`kernels/program`) are WebAssembly there, and work on the arrays of Python's standard library. Elsewhere they
are machine code, and the automatic choice has faster engines.
"""

from __future__ import annotations

from ...contract.answers import Geodesics, Layers
from ...contract.questions import ATTEMPT_EASY, Depths, Engine, Prospect, Search, Space, Worth, model_of, unfit
from ...errors import LimitError
from ...limits.watch import Watch
from ..shared import loops


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer, or None."""
    if unfit(space):
        return unfit(space)
    if not loops.runnable():
        return "it needs a browser, or NumPy and Numba, which this Python does not have"
    from .packing import MOST_BYTES, bytes_of

    model = model_of(space)
    assert model is not None
    return "it has too many rules" if bytes_of(model) > MOST_BYTES else None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return that the engine is worth using in a browser."""
    if not loops.given():
        return Worth(reason="it is for browsers, and other engines are faster")
    after = prospect.watch.thresholds[ATTEMPT_EASY] if isinstance(question, Search) else 0
    return Worth.unless(refuses(question.space, ""), after)


def depths(question: Depths, watch: Watch) -> Layers:
    """Count the positions at each distance from the nearest source."""
    from ...search.layers import count
    from .layers import ProgramLayers

    model = question.model
    try:
        encoding = ProgramLayers(model, question.sources, question.collect, watch)
    except LimitError as error:
        return Layers((), (), False, watch.generated, watch.seconds, stopped=error)
    return count(encoding, question, watch)


def search(question: Search, watch: Watch) -> Geodesics:
    """Find every position on a shortest solution, or on one of them."""
    from ...search.layers import find
    from .layers import ProgramLayers

    model = question.model
    try:
        encoding = ProgramLayers(model, (question.start,), model.goals, watch)
    except LimitError as error:
        return Geodesics((), watch.generated, watch.seconds, error.bound, error)
    return find(question, watch, encoding)


ENGINE = Engine(
    "program", refuses, depths=depths, search=search, speed=5, worth=worth, lists=True, arrays=False,
)  # fmt: skip
