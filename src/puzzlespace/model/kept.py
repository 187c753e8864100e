"""One cache for all that follows from the rules: it is computed once and kept with them.

The rules of a model are a tuple that carries a cache (`RuleTuple`). `dataclasses.replace` hands on the same tuple, so
models with other starts and goals share what is kept. The cache goes when the rules go.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any, TypeVar, cast
from weakref import ref

Item = TypeVar("Item")
Found = TypeVar("Found")

MOST_RESULTS = 6
"""The most results of one function that are kept, for its last arguments."""

MOST_CACHES = 64
"""The most objects that keep results: a collection of many thousand puzzles must not keep facts of all of them."""


class Results(dict[Callable[..., Any], tuple[tuple[tuple[Any, ...], Any], ...]]):
    """For each function the last arguments with their results."""

    __slots__ = ("__weakref__",)


class Caching:
    """An object that never changes and keeps results of functions of it."""

    def kept(self, work_out: Callable[..., Found], *others: Any) -> Found:
        """Return `work_out(self, *others)`, from the cache if it is there. Arguments are compared by `==`.

        Threads may compute the same result at the same time; each gets a whole one. An exception, such as that of a
        limit, keeps nothing.
        """
        results: Results = self.__dict__.get("_results") or self.__dict__.setdefault("_results", Results())
        for given, found in results.get(work_out, ()):
            if given == others:
                return found
        found = work_out(self, *others)
        if not results:
            _enter(results)
        results[work_out] = ((others, found), *results.get(work_out, ())[: MOST_RESULTS - 1])
        return found


_latest: deque[ref[Results]] = deque()
_LOCK = Lock()


def _enter(results: Results) -> None:
    """Add a cache to those in use, and empty the oldest one if there are too many."""
    with _LOCK:
        _latest.append(ref(results))
        while len(_latest) > MOST_CACHES:
            oldest = _latest.popleft()()
            if oldest is not None:
                oldest.clear()


class RuleTuple(Caching, tuple[Item, ...]):
    """The rules of a model: a tuple that keeps what is computed from it."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the rules alone: what is computed from them is computed again."""
        return type(self), (tuple(self),)


def keeping(rules: Iterable[Item]) -> RuleTuple[Item]:
    """Return the rules as a tuple that keeps results; such a tuple is returned unchanged."""
    return cast("RuleTuple[Item]", rules) if isinstance(rules, RuleTuple) else RuleTuple(rules)


def kept(rules: Sequence[Any], work_out: Callable[..., Found], *others: Any) -> Found:
    """Return `work_out(rules, *others)`; it is kept if the rules are those of a model, but not with a list."""
    return rules.kept(work_out, *others) if isinstance(rules, RuleTuple) else work_out(rules, *others)
