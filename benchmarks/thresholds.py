"""What thresholds are worth: the time of questions with an eighth and with eight times of each, by the usual value's.

    python benchmarks/thresholds.py                     all that some question reads: half an hour
    python benchmarks/thresholds.py --only SLOTS PARTS  some
    python benchmarks/thresholds.py --list              only which questions read which
    python benchmarks/thresholds.py --record            write the table into docs/methods/thresholds.md; with --only,
                                                        the rows of others stay

Every question is asked in turns with the three values; the least processor time of ROUNDS counts, without that of
loading Python and the package. A threshold that says when to load something (`LOADING`) is measured in processes that
have nothing loaded, others in one that has answered the question once.
"""

from __future__ import annotations

import argparse
import json
import os
import pkgutil
import subprocess
import sys
import time
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import machine
import puzzlespace
from puzzlespace.limits.thresholds import Threshold, Thresholds

PAGE, MARK = "methods/thresholds.md", "benchmarks/thresholds.py"

ROUNDS, FACTOR, MOST = 2, 8, 2

LOADING = (
    "ATTEMPT",
    "FEW_PLACEMENTS",
    "SOME_PLACEMENTS",
    "PLAIN",
    "COMPILE",
    "MANY_PLACEMENTS",
    "QUICK",
)
"""How the names of thresholds begin that say when to load something."""

QUESTIONS = (
    "solve('cube:2', start=\"R U F R2 U' F R U2 F\")",
    "solve('burnt:7', start='-1 -2 -3 -4 -5 -6 -7')",
    "solve('cube:3', start=\"R U F R2 U' F L D\")",
    "solve('pancake:9', start='9 7 5 3 1 2 4 6 8')",
    "solve('topspin:9,4', start='9 7 5 3 1 2 4 6 8')",
    "solve('slide:4x4', start='9 1 7 4 / 5 10 8 14 / 15 6 2 11 / 13 0 12 3')",
    *(f"solve('{name}')" for name in ("goat", "goat-hard", "klotski", "eight", "century", "microban36", "rush60")),
    *(f"solve('{name}')" for name in ("hexagram", "english", "line", "theta", "water", "lunar14", "hanoi:4,7")),
    *(f"depths('{name}')" for name in ("klotski", "slide:2x5", "pancake:9", "topspin:9,4", "flip:5x5", "burnt:7")),
    *(f"depths('{name}')" for name in ("goat", "hanoi:4,9", "microban1", "water", "lunar14", "lights:4x4")),
    "depths('lights:5x5', engine='table')",
    "depths('slide:2x5', engine='frontier')",
    "depths('diamond41', limits=puzzlespace.Limits(positions=3000000))",
)


def thresholds() -> dict[str, Threshold[Any]]:
    """Return all thresholds by name."""
    found: dict[str, Threshold[Any]] = {}
    for module in pkgutil.walk_packages(puzzlespace.__path__, "puzzlespace."):
        if not module.name.endswith(("__main__", "notebook", "environment")):
            members = vars(import_module(module.name))
            found |= {name: each for name, each in members.items() if isinstance(each, Threshold)}
    return found


def ask(question: str) -> float:
    """Answer one of QUESTIONS; return the processor seconds."""
    before = time.process_time()
    eval(f"puzzlespace.{question}", {"puzzlespace": puzzlespace})
    return time.process_time() - before


def read_by(question: str) -> list[str]:
    """Return which thresholds a question reads."""
    names = {each: name for name, each in thresholds().items()}
    read: set[str] = set()
    plain = Thresholds.__getitem__

    def noted(self: Thresholds, threshold: Threshold[Any]) -> Any:
        read.add(names[threshold])
        return plain(self, threshold)

    Thresholds.__getitem__ = noted
    ask(question)
    return sorted(read)


def seconds(question: str, module: str, name: str, values: list[int]) -> list[float]:
    """Return the least processor seconds of a question with each value."""
    rounds = 1
    if not name.startswith(LOADING):
        ask(question)
        rounds = ROUNDS
    least = [float("inf")] * len(values)
    for _ in range(rounds):
        for index, value in enumerate(values):
            getattr(import_module(module), name).usual = value
            least[index] = min(least[index], ask(question))
    return least


def home(name: str, threshold: Threshold[Any]) -> str:
    """Return the lightest module that has a threshold, for a process that loads nothing else."""
    have = [key for key, each in sys.modules.items() if getattr(each, name, None) is threshold]
    return next(key for key in have if f"\n{name}" in open(sys.modules[key].__file__ or os.devnull).read())


def child(*words: str) -> Any:
    """Return what this script prints, run again."""
    done = subprocess.run([sys.executable, __file__, *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def tried(name: str, usual: int) -> list[int]:
    """Return an eighth of a value, the value, and eight times it; of a number of bits, these for what it stands for."""
    power = FACTOR.bit_length() - 1
    if name.endswith("_BITS"):
        return [max(1, usual - power), usual, usual + power]
    return [max(1, usual // FACTOR), usual, usual * FACTOR]


def measured(name: str, threshold: Threshold[Any], question: str) -> list[float]:
    """Return the processor seconds of a question with each value of `tried`."""
    asking, values = ("--ask", question, home(name, threshold), name), tried(name, threshold.usual)
    if not name.startswith(LOADING):
        return child(*asking, json.dumps(values))
    turns = [[child(*asking, json.dumps([value]))[0] for value in values] for _ in range(ROUNDS)]
    return list(map(min, *turns))


def kept(names: Iterable[str]) -> list[str]:
    """Return the rows of the table in the document, without those of some thresholds."""
    _, _, text = (machine.DOCS / PAGE).read_text().partition(f"<!-- written by {MARK} -->")
    rows = [line for line in text.partition(machine.END)[0].splitlines() if line.startswith("| ")][1:]
    return [row for row in rows if row.split()[1] not in names]


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print which questions read which thresholds")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="these thresholds")
    parser.add_argument("--record", action="store_true", help="write the table into docs/methods/thresholds.md")
    parser.add_argument("--ask", nargs=4, metavar="PART", help=argparse.SUPPRESS)
    parser.add_argument("--read", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.read or given.ask:
        print(json.dumps(read_by(given.read) if given.read else seconds(*given.ask[:3], json.loads(given.ask[3]))))
        return
    readers = {question: child("--read", question) for question in QUESTIONS}
    known, rows = thresholds(), list[str]()
    for name in given.only or known:
        threshold, asked = known[name], [question for question, read in readers.items() if name in read]
        if given.list:
            print(f"{name:<22}{len(asked):>3}  {', '.join(asked)}")
            continue
        for question in asked[:MOST] if isinstance(threshold.usual, int) else ():
            low, same, high = measured(name, threshold, question)
            rows.append(
                f"| {name} | {threshold.usual:,} | `{question}` | {same:.3f} | {low / same:.2f} | {high / same:.2f} |"
            )
            print(rows[-1], flush=True)
    if given.record:
        rows = sorted(rows + (kept(given.only) if given.only else []))
        head = "| threshold | value | question | seconds | an eighth | eight times |\n|---|---|---|---|---|---|\n"
        machine.write(PAGE, MARK, f"{machine.described()}\n\n{head}" + "\n".join(rows))


if __name__ == "__main__":
    main()
