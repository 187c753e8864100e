"""Decorators of compiled functions. Numba is imported at the first call of one, and keeps what it compiles on disk.

Importing Numba takes longer than a search of a small puzzle, so that modules of kernels are loaded without it.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import compiling


def _switched_off() -> bool:
    """Return whether Numba is switched off, without importing it if only variables of the environment can say so."""
    if "numba" in sys.modules or Path(".numba_config.yaml").exists():
        from numba import config

        return bool(config.DISABLE_JIT)
    try:
        return bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0")))
    except ValueError:
        return False


UNCOMPILED = _switched_off()
"""Whether functions are called as they are written, because Numba is switched off."""


class CompiledFunction:
    """A function that Numba compiles, or loads from disk, when it is called first with arguments of certain types."""

    def __init__(self, function: Callable, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self._options = options
        self._dispatcher: Any = None

    def __call__(self, *arguments: Any) -> Any:
        if self._dispatcher is None:
            self._prepare(arguments)
        return self._dispatcher(*arguments)

    def _prepare(self, arguments: tuple) -> None:
        """Compile or load the function for these arguments: memory that Numba takes is not charged to a search."""
        with compiling.measured():
            dispatcher = self.dispatcher()
            from numba import typeof

            from . import calls

            with calls.one_process(dispatcher):
                dispatcher.compile(tuple(map(typeof, arguments)))

    def dispatcher(self) -> Any:
        """Return Numba's object for this function.

        Numba looks for saved machine code by the qualified name of a function, and uses it if the module of the
        function is the same. A function may call others from other modules, so the name says the sources of all.
        """
        with compiling.LOCK:
            if self._dispatcher is None:
                from numba import njit

                from . import (
                    calls,
                    intrinsics,  # noqa: F401  (the code of functions that loops may call)
                )

                function = self.__wrapped__
                function.__qualname__ = f"{function.__name__}_{sources()}"
                options = self._options
                if options.get("no_cpython_wrapper"):  # only kernels call it
                    options = options | calls.only_called()
                try:
                    self._dispatcher = njit(cache=True, nogil=True, **options)(function)
                except RuntimeError:  # no folder can be written to
                    self._dispatcher = njit(nogil=True, **options)(function)
                calls.widen(self._dispatcher)
            return self._dispatcher

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of Numba's object: Numba asks for them when another function calls this one."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.dispatcher(), name)


@functools.cache
def sources() -> str:
    """Return a hash of the sources of all kernels."""
    folder = Path(__file__).parent
    found = hashlib.sha256()
    for place in sorted(folder.rglob("*.py")):
        text = place.read_bytes()
        found.update(f"{place.relative_to(folder)} {len(text)}\n".encode() + text)
    return found.hexdigest()[:16]


def specialised(template: Callable, name: str, **parts: Callable) -> Callable:
    """Return a copy of a function in which these global names are other functions; `loop` compiles it.

    name  of the copy, unique in the file of the template: Numba finds saved machine code by it
    """
    made = types.FunctionType(template.__code__, {**template.__globals__, **parts}, name, template.__defaults__)
    made.__doc__, made.__qualname__ = template.__doc__, name
    return made


def decorator(**options: Any) -> Callable[[Callable], Any]:
    """Return a decorator that compiles a function with these options of Numba; `cache` and `nogil` are always set."""
    return lambda function: function if UNCOMPILED else CompiledFunction(function, options)


kernel = decorator(no_cfunc_wrapper=True)
"""Compile a function that may create arrays."""

inlined = decorator(inline="always")
"""Compile a function like `kernel` into each of its callers."""

loop = decorator(_nrt=False, no_cfunc_wrapper=True)
"""Compile a kernel on flat arrays: without reference counts.

Reference counts are not needed, because the arrays outlive the call and the kernel creates none. With them, passing
arrays to inner functions took more than half of the time, because all threads update the same counts.
"""

helper = decorator(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Compile a function that only kernels call: no wrapper for Python is compiled, which would double the time."""

inner = decorator(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)
"""Compile a function like `helper` and inline it into its caller.

Without inlining, a tuple of arrays is copied at each call: hundreds of bytes.
"""
