"""Report when Numba is imported or compiles, so that memory used for this is not charged to a search."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator

LOCK = threading.RLock()
"""Held while Numba is imported, or saved machine code is loaded or written."""


class _Listener:
    """Measures around the outermost compilation; compilations are nested."""

    def __init__(self, measure: Callable[[], int], tell: Callable[[int], None], busy: Callable[[int], None]) -> None:
        self.measure, self.tell, self.busy = measure, tell, busy
        self.lock = threading.Lock()
        self.within = 0
        self.before = 0

    def start(self) -> None:
        with self.lock:
            if self.within == 0:
                self.before = self.measure()
            self.within += 1
            self.busy(1)

    def end(self) -> None:
        with self.lock:
            self.within -= 1
            self.busy(-1)
            if self.within == 0:
                self.tell(self.measure() - self.before)


_listeners: list[_Listener] = []
_told: set[_Listener] = set()


def watch_compiler(
    measure: Callable[[], int], tell: Callable[[int], None], busy: Callable[[int], None] = lambda more: None
) -> None:
    """Call `tell` after each outermost compilation with the increase of `measure` during it.

    busy  called with 1 when a compilation begins, with -1 when it ends; compilations are nested
    """
    _listeners.append(_Listener(measure, tell, busy))
    _register()


@contextlib.contextmanager
def measured() -> Iterator[None]:
    """Treat what happens within as a compilation."""
    listeners = list(_listeners)
    for listener in listeners:
        listener.start()
    try:
        yield
    finally:
        _register()
        for listener in listeners:
            listener.end()


def _register() -> None:
    """Have Numba report to all listeners, once it is imported."""
    if "numba.core.event" in sys.modules:
        from numba.core import event

        class Reporter(event.Listener):
            def __init__(self, listener: _Listener) -> None:
                self.listener = listener

            def on_start(self, event: event.Event) -> None:
                self.listener.start()

            def on_end(self, event: event.Event) -> None:
                self.listener.end()

        for listener in _listeners:
            if listener not in _told:
                _told.add(listener)
                event.register("numba:compile", Reporter(listener))
