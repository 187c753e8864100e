"""What is proved of an answer while it is computed, so that nothing of it is lost if the question is stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any


class KnownSoFar:
    """The complete layers, the lower bound, and the solution found so far.

    A question is asked of several engines in turn. What one of them proved holds for the next ones too.

    bound     the greatest lower bound on the length of solutions; iterative deepening begins with it
    question  its kind, see `begin`
    facts     fields of the JSON object of other questions that are known so far; they are never forgotten
    answer    returns the answer as far as it is known, of a question of many parts; None: nothing is known yet. It may
              be called by another thread, and is never forgotten
    engine    the engine that was asked last, or ''
    asking    whether it is at work now: a question that is asked meanwhile (by a function of the user) is another one
    fitting   returns what is known of the positions that fit a pattern, from the sizes of the complete layers; None
              unless a pattern was asked for. It may be called by another thread, and is never forgotten
    arrivals, collected  see `contract.answers.Layers`; `collected` are all goals that are reached, of `goal_depths`
    apart     whether what is noted belongs to another question now, see `aside`
    found     the length of a solution that is not replayed yet, or None
    replayed  the positions of the last solution of the question that was replayed
    total     the number of positions of the count if it is known before, else 0
    """

    def __init__(self) -> None:
        self.apart = 0
        self.facts: dict[str, object] = {}
        self.answer: Callable[[], Any] | None = None
        self.fitting: Callable[[Sequence[int]], Any] | None = None
        self.engine, self.asking = "", False
        self.begin("")

    def begin(self, question: str, about: object = None) -> None:
        """A question of this kind begins ('depths', 'search'; '': neither): forget what is known of others.

        about  what the question is about; if the last one was equal, everything that is known holds for this one too
        """
        if about is None or (question, about) != (self.question, self.about):
            self.question, self.about = question, about
            self.forget()

    def forget(self) -> None:
        """Forget everything about the question: it begins, or a wrong answer was found."""
        self.bound = 0
        self.found: int | None = None
        self.replayed: tuple[object, ...] = ()
        self.total = 0
        self.arrivals: dict[tuple[int, int], tuple[int, Any]] = {}
        self.collected: Sequence[tuple[Any, int]] = ()
        self._most: list[int] = []
        self._counting: list[int] = []

    @property
    def layers(self) -> tuple[int, ...]:
        """The sizes of the complete layers, the most that one engine has counted."""
        return tuple(max(self._most, self._counting, key=len))

    def count_anew(self, layers: tuple[int, ...] = ()) -> None:
        """Another engine counts from the first layer, or after layers that are kept in a file."""
        self._most, self._counting = list(self.layers), list(layers)
        self.arrivals, self.collected = {}, ()

    def layer(self, depth: int, size: int) -> None:
        """Note a complete layer; those between it and the last one are empty."""
        if self.question == "depths" and depth >= len(self._counting):
            self._counting += [*[0] * (depth - len(self._counting)), size]

    def prove(self, bound: int) -> None:
        """Note a lower bound on the length of solutions."""
        if self.question == "search":
            self.bound = max(self.bound, bound)

    @contextmanager
    def asked(self, engine: str) -> Iterator[None]:
        """Note that an engine is at work during the `with` statement."""
        before, self.engine, self.asking = self.asking, engine, True
        try:
            yield
        finally:
            self.asking = before

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Forget after the `with` statement what is noted inside: it belongs to another question."""
        before = self.__dict__.copy()
        self.begin("")
        self.apart += 1
        try:
            yield
        finally:
            self.__dict__.update(before)
