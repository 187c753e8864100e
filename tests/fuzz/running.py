"""`python -m tests.fuzz`: examine random puzzles, print a table of the questions, and shrink puzzles with faults."""

from __future__ import annotations

import argparse
import json
import os
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path

from .generators import accepted, draw
from .harness import Examination, Fault, examine
from .shrink import shrink

HANGS = 120
"""Seconds of processor time after which a puzzle is given up; ten times as many seconds on the clock."""


class HangsError(BaseException):
    """A puzzle takes far too long; nothing within the examination takes it for a fault of its own."""


def _hangs(*_: object) -> None:
    raise HangsError


@contextmanager
def alarm() -> Iterator[None]:
    """Raise HangsError in what takes far too long, on systems that have such alarms."""
    clocks = {"ITIMER_PROF": ("SIGPROF", HANGS), "ITIMER_REAL": ("SIGALRM", 10 * HANGS)}
    found = [
        (getattr(signal, timer), getattr(signal, name), seconds)
        for timer, (name, seconds) in clocks.items()
        if hasattr(signal, timer)
    ]
    for timer, name, seconds in found:
        signal.signal(name, _hangs)
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for timer, _, _ in found:
            signal.setitimer(timer, 0)


def one(seed: int, thorough: bool = False) -> tuple[int, str, Examination]:
    """Return the puzzle of a seed, and its examination."""
    text = draw(seed)
    try:
        with alarm():
            return seed, text, examine(text, seed, thorough)
    except HangsError:
        return seed, text, Examination([Fault("anything", "", "", "", "slow", f"more than {HANGS} s")])


def smallest(text: str, fault: Fault, seed: int, seconds: float = 120.0) -> str:
    """Return the smallest puzzle found with a fault of the same kind."""
    ends = time.perf_counter() + seconds

    def fails(made: str) -> bool:
        if time.perf_counter() > ends or accepted(made) is None:
            return False
        return any(each.key == fault.key for each in examine(made, seed, thorough=True).faults)

    return shrink(text, fails)


@dataclass
class Summary:
    """The questions and faults of all puzzles so far."""

    began: float = field(default_factory=time.perf_counter)
    puzzles: int = 0
    asked: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    refused: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    faults: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def add(self, found: Examination) -> list[Fault]:
        """Add a puzzle; return the faults of new kinds."""
        self.puzzles += 1
        self.asked.update(found.asked)
        self.refused.update(found.refused)
        new = list({fault.key: fault for fault in found.faults if fault.key not in self.faults}.values())
        self.faults.update({fault.key for fault in found.faults})
        return new

    @property
    def line(self) -> str:
        """Progress in one line."""
        seconds = time.perf_counter() - self.began
        return (
            f"{self.puzzles:,} puzzles, {sum(self.asked.values()):,} questions, "
            f"{sum(self.faults.values())} faults of {len(self.faults)} kinds, {seconds:,.0f} s"
        )

    def table(self) -> str:
        """Return a row for each rule, engine, metric and bound or question: how often it was asked and answered."""
        rows = [f"{'rule':6} {'engine':14} {'metric':7} {'bound or question':28} {'asked':>9} {'answered':>9}"]
        for key in sorted(self.asked):
            rule, engine, metric, bound = key
            asked = self.asked[key]
            rows.append(f"{rule:6} {engine:14} {metric:7} {bound:28} {asked:9,} {asked - self.refused[key]:9,}")
        return "\n".join(rows)


def examined(seeds: Iterator[int], workers: int, thorough: bool) -> Iterator[tuple[int, str, Examination]]:
    """Yield the examination of each seed."""
    if workers == 1:
        for seed in seeds:
            yield one(seed, thorough)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        pending = [pool.submit(one, seed, thorough) for seed in islice(seeds, 8 * workers)]
        while pending:
            yield pending.pop(0).result()
            pending += [pool.submit(one, seed, thorough) for seed in islice(seeds, 1)]


def main() -> int:
    """Run the command line; return 1 if there were faults."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--count", type=int, default=0, help="how many puzzles (0: until stopped)")
    options.add_argument("--seed", type=int, default=0, help="the first seed; the others follow")
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--thorough", action="store_true", help="ask everything of each puzzle")
    options.add_argument("--out", type=Path, help="a folder for the puzzles with faults, and for the table")
    given = options.parse_args()
    os.environ["PUZZLESPACE_CACHE"] = tempfile.mkdtemp()
    seeds = iter(range(given.seed, given.seed + given.count)) if given.count else count(given.seed)
    summary = Summary()
    told = 0.0
    try:
        for seed, text, found in examined(seeds, given.workers, given.thorough):
            for fault in summary.add(found):
                print(f"\nseed {seed}: {fault}", flush=True)
                small = smallest(text, fault, seed)
                print(small, flush=True)
                if given.out:
                    given.out.mkdir(parents=True, exist_ok=True)
                    name = f"{seed}-{fault.kind}-{fault.question}-{fault.engine}".replace("/", "-").replace(" ", "-")
                    words = str(fault).replace("\n", "\n; ")
                    (given.out / f"{name}.pzl").write_text(f"; seed {seed}: {words}\n{small}")
            if time.perf_counter() - told > 5:
                told = time.perf_counter()
                print(f"seed {seed}: {summary.line}", flush=True)
                if given.out:
                    note(summary, given.out, given.seed)
    except KeyboardInterrupt:
        pass
    print(summary.table())
    print(summary.line)
    for key, number in summary.faults.most_common():
        print(number, *key)
    if given.out:
        note(summary, given.out, given.seed)
    return 1 if summary.faults else 0


def note(summary: Summary, folder: Path, seed: int) -> None:
    """Write the figures so far."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = {
        "first seed": seed, "puzzles": summary.puzzles, "questions": sum(summary.asked.values()),
        "asked": [[*key, number, number - summary.refused[key]] for key, number in sorted(summary.asked.items())],
        "faults": [[*key, number] for key, number in summary.faults.items()],
    }  # fmt: skip
    (folder / f"figures-{seed}.json").write_text(json.dumps(numbers))
