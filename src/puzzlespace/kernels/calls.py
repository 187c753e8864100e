"""How Numba compiles: each kernel in one process, and what only kernels call for few types, optimized in them."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock, SoftFileLock
from numba import types


def only_called() -> dict[str, Any]:
    """Return the options of a function that only kernels call: none if this Numba lacks what they need."""
    try:
        from .pipeline import OptimizedInCallers
    except ImportError:
        return {}
    return {"pipeline_class": OptimizedInCallers}


WAIT = 60.0
"""The most seconds to wait for another process that compiles a function, which may be stopped."""


@contextlib.contextmanager
def one_process(dispatcher: Any) -> Iterator[None]:
    """Let other processes wait that want to compile the same function: they load what this one saves.

    All compile it where locks do not end with the process that holds them.
    """
    folder = dispatcher.stats.cache_path
    with contextlib.ExitStack() as held:
        if folder is not None and not issubclass(FileLock, SoftFileLock):
            with contextlib.suppress(OSError, NotImplementedError):  # a file system without locks, or the wait is over
                lock = FileLock(Path(folder, f"{dispatcher.py_func.__qualname__}.lock"), timeout=WAIT)
                held.enter_context(lock)
        yield


def widen(dispatcher: Any) -> None:
    """Let kernels pass literals and short signed integers to a function as integers of 64 bits.

    Numba would compile the function for each of these types, although nothing is left of them once it is inlined. Short
    unsigned ones keep their type: with `int64` they make an integer, and `uint64` would make a float.
    """
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda given, named: template([_wide(each) for each in given], named)


def _wide(given: Any) -> Any:
    kind = types.unliteral(given)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind
