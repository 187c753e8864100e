"""Limits of one visitor and of all visitors together."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from ..limits.machine import machine_memory
from ..limits.threads import processors

MEGABYTE = 2**20

OWN = 1024 * MEGABYTE
"""Bytes that a process may use in addition: the interpreter, compiled loops, stacks of threads."""

QUICK, LEAST, MOST = 512 * MEGABYTE, 512 * MEGABYTE, 2048 * MEGABYTE
"""The most bytes of a short question; the least and the most for a long one if nobody says how many."""

SHARE = 0.9
"""The part of the machine's memory that all processes together may use."""


LISTED = 60
"""The most hardest positions in the gallery, one of each class."""


@dataclass(frozen=True)
class Bounds:
    """Limits of the server, in bytes, seconds and positions.

    body           bytes of a request (a puzzle file of the greatest size, written as JSON)
    quick          seconds of a short question (reading a puzzle, one position); then its process is killed
    brief          seconds of a long question that the page asks unasked, and of any that is first tried briefly
    seconds        seconds of a long question (tables, maps, solutions)
    memory         bytes that the process of one long question may use; 0: as much as fits this machine
    positions      positions generated for one question
    map            the most positions of a whole map; a larger one is replaced by its part of `around` positions
    short_workers  processes for short questions; 0: as many as fit this machine
    long_workers   processes for long questions, of which one is kept for brief ones; 0: as many as fit this machine.
                   `ready` of them start with the server. A visitor, who is an address of the network, has at most two
                   processes of a kind, and never all
    waiting        long questions that may wait for a process; further ones are refused
    tables         bytes of saved tables; the least recently used are deleted first
    """

    body: int = 140_000
    quick: float = 5.0
    brief: float = 10.0
    seconds: float = 120.0
    memory: int = 0
    positions: int = 2_000_000_000
    map: int = 200_000
    around: int = 20_000
    short_workers: int = 0
    long_workers: int = 0
    ready: int = 2
    waiting: int = 16
    tables: int = 2048 * MEGABYTE

    def __post_init__(self) -> None:
        room = int(SHARE * machine_memory())
        short = self.short_workers or max(1, min(3, room // 4 // (QUICK + OWN)))
        room -= short * (QUICK + OWN)
        long = self.long_workers or max(1, min(max(4, processors()), room // ((self.memory or LEAST) + OWN)))
        memory = self.memory or max(LEAST, min(MOST, room // long - OWN))
        for name, value in (("short_workers", short), ("long_workers", long), ("memory", memory)):
            object.__setattr__(self, name, value)

    @property
    def whole(self) -> int:
        """The bytes that all processes together may use."""
        return self.short_workers * (min(QUICK, self.memory) + OWN) + self.long_workers * (self.memory + OWN)

    def to_json(self) -> str:
        """Return the limits as text for another process."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Bounds:
        """Return the limits that `to_json` wrote."""
        return cls(**json.loads(text))
