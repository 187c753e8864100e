"""Report when Numba compiles, so that memory used for compiling is not charged to a search."""

from collections.abc import Callable

from numba.core import config, event


class _Listener(event.Listener):
    """Measures around the outermost compilation; compilations are nested."""

    def __init__(self, measure: Callable[[], int], tell: Callable[[int], None], busy: Callable[[int], None]) -> None:
        self.measure, self.tell, self.busy = measure, tell, busy
        self.within = 0
        self.before = 0

    def on_start(self, event: event.Event) -> None:
        if self.within == 0:
            self.before = self.measure()
        self.within += 1
        self.busy(1)

    def on_end(self, event: event.Event) -> None:
        self.within -= 1
        self.busy(-1)
        if self.within == 0:
            self.tell(self.measure() - self.before)


def watch_compiler(
    measure: Callable[[], int], tell: Callable[[int], None], busy: Callable[[int], None] = lambda more: None
) -> None:
    """Call `tell` after each outermost compilation with the increase of `measure` during it.

    busy  called with 1 when a compilation begins, with -1 when it ends; compilations are nested
    """
    if not config.DISABLE_JIT:
        event.register("numba:compile", _Listener(measure, tell, busy))
