"""The compiled loops that browsers have: machine code here, WebAssembly there. Both work on `array.array`."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from ...limits.machine import has_arrays

Call = Callable[..., object]
"""Takes the name of a loop, and the addresses of its arrays and other numbers; returns what the loop does."""

_given: list[Call] = []


def give(call: Call) -> None:
    """Take the loops of a browser."""
    _given[:] = [call]


def given() -> bool:
    """Return whether a browser has given its loops."""
    return bool(_given)


def runnable() -> bool:
    """Return whether there are loops to run."""
    return given() or has_arrays()


def run_given(name: str, *numbers: int) -> object:
    """Run a loop that a browser has given, on addresses and other numbers."""
    return _given[0](name, *numbers)


def run(name: str, *arrays: array[int]) -> None:
    """Run a loop of `kernels/program` on some arrays, none of which is empty."""
    if given():
        _given[0](name, *(each.buffer_info()[0] for each in arrays))
        return
    import numpy as np

    from ...kernels.program import loops

    getattr(loops, name)(*(np.frombuffer(each, each.typecode) for each in arrays))
