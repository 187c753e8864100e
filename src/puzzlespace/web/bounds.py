"""Limits of one visitor and of all visitors together."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from ..limits.machine import spare_memory
from ..limits.threads import processors

MEGABYTE = 2**20

MEMORY, LEAST = 2048 * MEGABYTE, 64 * MEGABYTE
"""The most and the least bytes of one question, if they are chosen by what is free."""


@dataclass(frozen=True)
class Bounds:
    """Limits of the server, in bytes, seconds and positions.

    body           bytes of a request (a puzzle file of the greatest size, written as JSON)
    quick          seconds of a short question (reading a puzzle, one position); then its process is killed
    seconds        seconds of a long question (tables, maps, solutions)
    memory         bytes that the process of one question may use; 0: MEMORY, or less, so that all processes together
                   fit what is free
    positions      positions generated for one question
    map            the most positions of a whole map; a larger one is replaced by its part of `around` positions
    short_workers  processes for short questions
    long_workers   processes for long questions; `ready` of them start with the server. A visitor, who is an address of
                   the network, has at most two processes of a kind, and never all
    waiting        long questions that may wait for a process; further ones are refused
    tables         bytes of saved tables; the least recently used are deleted first
    """

    body: int = 140_000
    quick: float = 5.0
    seconds: float = 120.0
    memory: int = 0
    positions: int = 2_000_000_000
    map: int = 200_000
    around: int = 20_000
    short_workers: int = 3
    long_workers: int = field(default_factory=lambda: max(4, processors()))
    ready: int = 2
    waiting: int = 16
    tables: int = 2048 * MEGABYTE

    def __post_init__(self) -> None:
        if not self.memory:
            share = spare_memory() // (self.short_workers + self.long_workers)
            object.__setattr__(self, "memory", max(LEAST, min(MEMORY, share)))

    def to_json(self) -> str:
        """Return the limits as text for another process."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Bounds:
        """Return the limits that `to_json` wrote."""
        return cls(**json.loads(text))
