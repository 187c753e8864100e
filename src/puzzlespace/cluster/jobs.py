"""What is counted, as every worker reads it from the files, and the messages of tasks.

A message is a short text (JSON): the address of the files, the job, the state of the layer, and what the task is to do.
Nothing is unpickled. A worker builds the puzzle from its text and refuses a job that it would count differently.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..errors import TableError
from ..model.model import Model
from ..storage.files import checksum
from ..tables.identity import sources_of
from .places import Storage, place_of

ModelOf = Callable[[str, str, str], Model]
"""Returns the model of a puzzle from its name, its text and a metric."""

Line = list[Any]
"""[name, length, checksum] of a file of JSON."""

KEPT = 4
"""Files of JSON that a worker keeps in memory."""


def put_json(place: Storage, stem: str, value: Any) -> Line:
    """Write a value as JSON under a new name; return its line."""
    data = json.dumps(value, separators=(",", ":")).encode()
    with place.new(stem) as file:
        file.path.write_bytes(data)
        return [file.publish(), len(data), checksum(data)]


def get_json(place: Storage, line: Line) -> Any:
    """Return the value of a file of JSON; raise TableError if it does not match its line."""
    name, length, wanted = line
    data = place.read(name, 0, length)
    if checksum(data) != wanted:
        raise TableError(f"{place.url}/{name}: damaged: its checksum does not match")
    return json.loads(data)


@dataclass
class Job:
    """A count: `facts` are those of the file, `model` is the model whose moves are counted.

    facts  identity (as in a manifest), version, method (windows or runs),
           depths (whether depths are kept), and the fields of the method
    """

    place: Storage
    line: Line
    facts: dict[str, Any]
    model: Model
    local: threading.local = field(default_factory=threading.local)
    lock: threading.Lock = field(default_factory=threading.Lock)
    states: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    shared: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def sources(self) -> tuple[bytes, ...]:
        """The positions from which depths are measured."""
        return sources_of(self.facts["identity"])

    def state(self, line: Line) -> Any:
        """Return the state of a layer, which is read once."""
        with self.lock:
            if line[0] not in self.states:
                self.states[line[0]] = get_json(self.place, line)
                while len(self.states) > KEPT:
                    self.states.popitem(last=False)
            return self.states[line[0]]

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what all threads of this worker share, made by the first one."""
        with self.lock:
            if name not in self.shared:
                self.shared[name] = make()
            return self.shared[name]

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
    key = url, line[2]
    with _opening:
        if key not in _jobs:
            place = place_of(url)
            facts = get_json(place, line)
            if facts["version"] != version:
                found = f"this worker has version {version} of puzzlespace, the count was begun by {facts['version']}"
                raise TableError(f"{found}; install the same version everywhere")
            identity = facts["identity"]
            model = model_of(identity["puzzle"]["name"], identity["puzzle"]["text"], identity["metric"])
            _jobs[key] = Job(place, line, facts, counted(model, identity))
            while len(_jobs) > 2:
                _jobs.popitem(last=False)
        return _jobs[key]


def closed(url: str) -> None:
    """Forget the jobs at an address in this process."""
    with _opening:
        for key in [key for key in _jobs if key[0] == url]:
            del _jobs[key]
