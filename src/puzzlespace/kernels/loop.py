"""Decorators of compiled functions. Numba is imported when it is needed first: to compile.

A function that was compiled before is called without Numba, from its saved machine code (machine_code.py): importing
Numba takes longer than a search of a small puzzle. Numba compiles and calls all others, as it does without this module.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import compiling, machine_code


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

CALLS = 10_000
"""After so many calls from Python, Numba is imported: its calls are faster, and the import pays."""


class Deferred:
    """An object of Numba that is made when it is needed first."""

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        self.__name__ = name
        self._make = make
        self._made: Any = None

    def made(self) -> Any:
        """Return the object of Numba."""
        if self._made is None:
            with compiling.LOCK:
                if self._made is None:
                    with compiling.measured():
                        self._made = self._make()
        return self._made

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.made(), name)

    @property
    def _numba_type_(self) -> Any:
        """The type that Numba gives the object: compiled functions call it by this."""
        from numba.core.registry import cpu_target

        made = self.made()
        context = cpu_target.typing_context
        context.refresh()
        return context.resolve_value_type(made)


class CompiledFunction(Deferred):
    """A compiled function, called from Python or from another one."""

    calls = 0

    def __init__(self, function: Callable, options: dict[str, Any]) -> None:
        super().__init__(function.__name__, self._compile)
        functools.update_wrapper(self, function)
        self._options = options
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._alone = function.__closure__ is None and "<locals>" not in function.__qualname__
        self._entries: dict[tuple, machine_code.LoadedFunction | None] = {}

    def _compile(self) -> Any:
        from numba import njit

        made = njit(**self._options)(self.__wrapped__)
        machine_code.check_all_sources(made)
        return made

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        made = self._made
        if made is None and self._alone and not named:
            kinds: list = []
            slots: list[int] = []
            if machine_code.flatten(arguments, kinds, slots):
                key = tuple(kinds)
                try:
                    entry = self._entries[key]
                except KeyError:
                    entry = self._load(key)
                if entry is not None:
                    CompiledFunction.calls += 1
                    if CompiledFunction.calls < CALLS:
                        return entry(slots)
        if made is None:
            made = self.made()
        known = len(made.overloads)
        found = made(*arguments, **named)
        if len(made.overloads) != known and self._alone and not named:
            self._save(arguments)
        return found

    def _load(self, key: tuple) -> machine_code.LoadedFunction | None:
        with compiling.LOCK:
            if key not in self._entries:
                with compiling.measured():
                    self._entries[key] = machine_code.load(self._name, key)
            return self._entries[key]

    def _save(self, arguments: tuple) -> None:
        kinds: list = []
        if machine_code.flatten(arguments, kinds, []):
            from numba.core.compiler_lock import global_compiler_lock

            # Numba's lock first: a function that is compiled in another thread may wait for the second.
            with global_compiler_lock, compiling.LOCK, compiling.measured():
                machine_code.save(self._name, tuple(kinds), self._made, arguments)


def decorator(**options: Any) -> Callable[[Callable], Any]:
    """Return a decorator that compiles a function with these options of Numba; `cache` and `nogil` are always set."""

    def decorate(function: Callable) -> Any:
        return function if UNCOMPILED else CompiledFunction(function, {"cache": True, "nogil": True, **options})

    return decorate


def intrinsic(name: str) -> Any:
    """Return the function of intrinsics.py with this name; Numba makes it for the first function that calls it."""

    def make() -> Any:
        from . import intrinsics

        return getattr(intrinsics, name)

    return Deferred(name, make)


kernel = decorator(no_cfunc_wrapper=True)
"""Compile a function that may create arrays."""

inlined = decorator(inline="always")
"""Compile a function like `kernel` into each of its callers."""

loop = decorator(_nrt=False, no_cfunc_wrapper=True)
"""Compile a kernel on flat arrays: cached on disk, without the interpreter's lock, without reference counts.

Reference counts are not needed, because the arrays outlive the call and the kernel creates none. With them, passing
arrays to inner functions took more than half of the time, because all threads update the same counts.
"""

helper = decorator(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Compile a function that only kernels call: no wrapper for Python is compiled, which would double the time."""

inner = decorator(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)
"""Compile a function like `helper` and inline it into its caller.

Without inlining, a tuple of arrays is copied at each call: hundreds of bytes.
"""
