"""What a count on a cluster is asked to do, and the desk that hands out its tasks."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..limits.memory import sized
from ..limits.watch import Progress, Watch
from ..tables.save import Saving
from .places import Line, Storage
from .workers import Answer, Message, Workers

PIECE = 1 << 22
"""Words of a piece, at most (32 MB)."""

SMALL = 1 << 26
"""Bytes of a table of bits below which a layer is one task, so that several workers cannot share it."""

Work = Callable[[Message], Answer]


@dataclass(frozen=True)
class Counting:
    """How a table is counted on a cluster.

    saving      the folder, whether to resume, the note for the manifest
    where       the workers, see `workers.hired`
    work        the function that runs a task on a worker
    memory      bytes of memory, see `workers.hired`
    storage     the address of the files; '' for a folder in the folder of the table
    engine      'auto', 'table' (by windows) or 'frontier' (by runs)
    keep        whether depths are kept for a table that answers questions; else only the counts are found
    piece       the most words of a piece
    partitions  partitions of a layer, a power of two; 0: by the number of slots
    small       bytes of a table of bits up to which it is counted here, as without a cluster
    """

    saving: Saving
    where: Any
    work: Work
    memory: int | None = None
    storage: str = ""
    engine: str = "auto"
    keep: bool = True
    piece: int = PIECE
    partitions: int = 0
    small: int = SMALL


@dataclass
class Desk:
    """Hands out the tasks of a job and reports progress.

    job    the file of the facts
    depth  the layer that is computed; found: positions before it; whole: all positions, 0 if that is not known
    """

    place: Storage
    workers: Workers
    counting: Counting
    watch: Watch
    facts: dict[str, Any]
    job: Line
    depth: int = 0
    found: int = 0
    whole: int = 0
    read: int = 0
    written: int = 0
    tasks: tuple[int, int] = field(default=(0, 0))

    def ask(self, kind: str, bodies: Sequence[dict[str, Any]], homes: Sequence[float] = ()) -> list[Answer]:
        """Return the answers to tasks of one kind, in order; `homes`, and what is raised, as in `Workers.answers`."""
        answers: list[Answer] = [{} for _ in bodies]
        texts = [json.dumps({"url": self.place.url, "job": self.job, "kind": kind} | body) for body in bodies]
        self.tasks = 0, len(bodies)
        for number, answer in self.workers.answers(self.counting.work, texts, self.look, homes):
            answers[number] = answer
            self.tasks = self.tasks[0] + 1, len(bodies)
            self.read += answer.get("read", 0)
            self.written += answer.get("written", 0)
        return answers

    def look(self) -> None:
        """Check the limits and report progress."""
        self.watch.tick(0, self.depth)
        if self.watch.report is None:
            return
        seconds = self.watch.seconds
        share = ""
        if self.whole and self.found > self.whole // 100:
            left = seconds * (self.whole / self.found - 1)
            share = f" ({100 * self.found / self.whole:.0f} % of all, about {left:,.0f} s more)"
        words = (
            f"layer {self.depth}: {self.tasks[0]} of {self.tasks[1]} tasks, {self.found:,} positions in all{share}, "
            f"{sized(self.read)} read, {sized(self.written)} written, {self.workers.slots()} workers"
        )
        self.watch.report(Progress(self.depth, 0, self.found, self.watch.generated, seconds, words=words))
