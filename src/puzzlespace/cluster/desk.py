"""What a count on a cluster is asked to do, and the desk that hands out its tasks."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import TableError
from ..limits.memory import sized
from ..limits.watch import Progress, Watch
from ..tables.save import Saving
from .jobs import Line
from .places import Storage
from .workers import Answer, LateWorkers, Message, Workers

PIECE = 1 << 22
"""Words of a piece, at most (32 MB)."""

ROUNDS = 3
"""How often a task is tried if it reports an error, such as a full disk of one worker."""

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
    spells      whether a worker that has a whole layer of a table as one task goes on with the next layers
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
    spells: bool = True


@dataclass
class Desk:
    """Hands out the tasks of a job and reports progress."""

    place: Storage
    workers: Workers | LateWorkers
    counting: Counting
    watch: Watch
    facts: dict[str, Any]
    job: Line = field(default_factory=list)
    depth: int = 0
    found: int = 0
    whole: int = 0
    read: int = 0
    written: int = 0
    done: int = 0
    tasks: int = 0

    def ask(self, kind: str, bodies: Sequence[dict[str, Any]], homes: Sequence[float] = ()) -> list[Answer]:
        """Return the answers to tasks of one kind, in order; tasks that report an error are tried again.

        homes  see `Workers.answers`
        Raises TableError with the error that a task reports every time.
        """
        answers: list[Answer] = [{} for _ in bodies]
        left = list(range(len(bodies)))
        self.done, self.tasks = 0, len(bodies)
        for turn in range(ROUNDS):
            failed: list[int] = []
            problem = ""
            fixed = {"url": self.place.url, "job": self.job, "kind": kind}
            texts = [json.dumps(fixed | bodies[number]) for number in left]
            near = [homes[number] for number in left] if homes else ()
            for index, answer in self.workers.answers(self.counting.work, texts, self.look, near):
                if "error" in answer:
                    failed.append(left[index])
                    problem = answer["error"]
                else:
                    answers[left[index]] = answer
                    self.done += 1
                    self.read += answer.get("read", 0)
                    self.written += answer.get("written", 0)
            if not failed:
                return answers
            left = failed
            if turn + 1 < ROUNDS:
                time.sleep(0.2 * (turn + 1))
        raise TableError(f"{problem}; resume=True continues the count")

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
            f"layer {self.depth}: {self.done} of {self.tasks} tasks, {self.found:,} positions in all{share}, "
            f"{sized(self.read)} read, {sized(self.written)} written, {self.workers.slots()} workers"
        )
        self.watch.report(Progress(self.depth, 0, self.found, self.watch.generated, seconds, words=words))
