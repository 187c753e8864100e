"""What one visitor may use of the machine, and what all of them may."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from ..limits.threads import processors

MEGABYTE = 2**20


@dataclass(frozen=True)
class Bounds:
    """Limits of every request. Bytes, seconds and positions.

    body       of a request (a puzzle file of the largest size allowed, written as JSON)
    quick      seconds of a short question (reading a puzzle, one position); its process is ended after that
    seconds    of a long question (tables, maps, solutions)
    memory     that the process of one question may take
    positions  generated for one question
    map        positions of a map at most; `around` positions of one that shows a part only
    desks      processes for short questions
    benches    processes for long questions, of which a visitor has two at a time; `ready` of them begin at once
    waiting    long questions that may wait for a bench; more are turned away
    shelf      bytes of kept tables; those used longest ago go first
    """

    body: int = 140_000
    quick: float = 5.0
    seconds: float = 120.0
    memory: int = 2048 * MEGABYTE
    positions: int = 2_000_000_000
    map: int = 200_000
    around: int = 20_000
    desks: int = 2
    benches: int = field(default_factory=lambda: max(4, processors()))
    ready: int = 2
    waiting: int = 16
    shelf: int = 2048 * MEGABYTE

    def to_json(self) -> str:
        """Return the limits as text for another process."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Bounds:
        """Return the limits that `to_json` wrote."""
        return cls(**json.loads(text))
