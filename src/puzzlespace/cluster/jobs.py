"""What is counted, as every worker reads it from the files.

A worker builds the puzzle from its text and refuses a job that it would count differently.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..errors import TableError
from ..model.model import Model
from ..tables.identity import sources_of
from .places import Line, Storage

ModelOf = Callable[[str, str, str], Model]
"""Returns the model of a puzzle from its name, its text and a metric."""

KEPT = 6
"""What threads of a worker share of a job, at most: states of layers, and the cut of a table."""


@dataclass
class Job:
    """A count: `facts` are those of the file, `model` is the model whose moves are counted.

    facts  identity (as in a manifest), version, method (windows or runs),
           depths (whether depths are kept), and the fields of the method
    local  what a thread of a worker keeps between tasks
    """

    place: Storage
    facts: dict[str, Any]
    model: Model
    local: threading.local = field(default_factory=threading.local)
    lock: threading.Lock = field(default_factory=threading.Lock)
    shared: OrderedDict[str, Any] = field(default_factory=OrderedDict)

    @cached_property
    def sources(self) -> tuple[bytes, ...]:
        """The positions from which depths are measured."""
        return sources_of(self.facts["identity"])

    def state(self, line: Line) -> Any:
        """Return the value of a file of JSON, such as the state of a layer, which is read once."""
        return self.once(line[0], lambda: self.place.get_json(line))

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what all threads of this worker share, made by the first one; what is not used is forgotten."""
        with self.lock:
            found = self.shared[name] = self.shared.pop(name) if name in self.shared else make()
            while len(self.shared) > KEPT:
                self.shared.popitem(last=False)
            return found

    def mine(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what this thread has for itself."""
        if not hasattr(self.local, name):
            setattr(self.local, name, make())
        return getattr(self.local, name)


def counted(model: Model, identity: dict[str, Any]) -> Model:
    """Return the model whose moves are counted: this one, or the one that takes its moves back.

    Raises TableError if neither is.
    """
    for each in (model, model.backward):
        if each is not None and each.fingerprint == identity["model"]:
            return each
    raise TableError(f"{identity['puzzle']['name']}: this worker builds another puzzle from the same text")


_jobs: OrderedDict[tuple[str, str], Job] = OrderedDict()
_opening = threading.Lock()


def job_of(url: str, line: Line, version: str, model_of: ModelOf) -> Job:
    """Return a job, which a worker opens once.

    Raises TableError if the files do not match, or this worker has another version or builds another model.
    """
    key = url, line[0]
    with _opening:
        if key not in _jobs:
            place = Storage(url)
            facts = place.get_json(line)
            if facts["version"] != version:
                found = f"this worker has version {version} of puzzlespace, the count was begun by {facts['version']}"
                raise TableError(f"{found}; install the same version everywhere")
            identity = facts["identity"]
            model = model_of(identity["puzzle"]["name"], identity["puzzle"]["text"], identity["metric"])
            _jobs[key] = Job(place, facts, counted(model, identity))
            while len(_jobs) > 2:
                _jobs.popitem(last=False)
        return _jobs[key]


def closed(url: str) -> None:
    """Forget the jobs at an address in this process."""
    with _opening:
        for key in [key for key in _jobs if key[0] == url]:
            del _jobs[key]
