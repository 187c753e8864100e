"""Where each kind of table and each engine that counts depths wins: processor seconds of all that can answer.

    python benchmarks/kinds.py FOLDER                        catalogue, families, truth files in FOLDER, random puzzles
    python benchmarks/kinds.py FOLDER --only random --rows   one of these sources; every measured row as well
    python benchmarks/kinds.py FOLDER --most 20              at most 20 puzzles of each source, evenly spread
    python benchmarks/kinds.py FOLDER --budget 300           as many as fit 300 seconds, of all sources in turn
    python benchmarks/kinds.py FOLDER --save rows.json       keep the rows, to compare two versions
    python benchmarks/kinds.py FOLDER --add rows.json        show kept rows as well; --record writes the table

A part is a kind of table (`table:words`) or an engine. The question `count` asks for the layers and the hardest
positions from the start. `keep` also keeps the depth of every position, as a saved table does: kinds of table in
memory, `frontier` in a folder.

Each part answers in a process of its own, twice if that takes less than LONG seconds; the shorter time counts. Compiled
loops are in the cache if the program ran before, so run it twice. A part that is stopped after `--seconds` of processor
time has not answered, and `plain` is not asked for more than PLAIN positions. `wins` are answers in at most 2/3 of the
time of the best other part that saved at least 10 ms; `alone` are answers that no other part gives in time.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from tests.fuzz import generators, large  # noqa: E402

import boards  # noqa: E402
from machine import described, write  # noqa: E402
from puzzlespace import catalogue  # noqa: E402
from puzzlespace.api import choice, dispatch  # noqa: E402
from puzzlespace.api.loader import from_text, load  # noqa: E402
from puzzlespace.contract.questions import Depths, Engine  # noqa: E402
from puzzlespace.engines import table  # noqa: E402
from puzzlespace.engines.table.mod3 import Keeper, KeptDepths  # noqa: E402
from puzzlespace.errors import PuzzlespaceError  # noqa: E402
from puzzlespace.limits.thresholds import USUAL  # noqa: E402
from puzzlespace.limits.watch import Limits, Watch  # noqa: E402
from puzzlespace.model.model import Model  # noqa: E402
from puzzlespace.registry import ENGINES, load_compiler  # noqa: E402
from puzzlespace.tables.runs_save import saving_engine  # noqa: E402
from puzzlespace.tables.save import Saving  # noqa: E402

FACTOR, SAVED, TICK = 1.5, 0.01, 0.01
"""A part wins by this factor and these seconds. Shorter times than TICK count as TICK: clocks may be as late."""

SPARED = 4 << 20
"""A part has the least memory by FACTOR and so many bytes."""

FAMILIES = (
    "pancake:7", "pancake:8", "pancake:9", "pancake:10", "pancake:11", "lrx:8", "lrx:9", "lrx:10", "topspin:8,4",
    "topspin:9,4", "topspin:10,4", "lights:4x4", "lights:4x5", "lights:5x5", "burnt:6", "burnt:7", "burnt:8",
    "flip:4x4", "flip:5x5", "flip:6x6", "cube:2", "cube:2 run", "hanoi:3,8", "hanoi:3,11", "hanoi:4,6", "hanoi:4,9",
    "hanoi:5,7", "slide:3x2", "slide:3x3", "slide:3x3 multi", "slide:2x5", "slide:2x5 multi", "slide:3x4",
)  # fmt: skip
"""Specs of families, some with a metric that is not their first one."""

LARGEST = 40_000_000
"""The most positions of sliding boards from the truth files."""

TRUTH = {"rush": 8, "blocks": 8, "blocks_4x5": 5, "sokoban": 8}
"""How many boards of a truth file are taken, evenly spread."""

RANDOM = 200
"""How many random puzzles there are."""

DRAWN = (
    (large.slide, generators.slide, generators.mixed, generators.rectangle, generators.long_slide),
    (large.blocks, generators.blocks, generators.bars),
    (large.jump, generators.jump, generators.scattered),
    (large.carried, generators.carried, generators.apply, generators.separate, generators.wide),
    (large.lamps, generators.lamps, generators.stickers),
    (large.push, generators.push, generators.crates),
    (large.glide, generators.glide),
)
"""Kinds of random puzzles, by rule; seeds take the rules in turn. Kinds that give small puzzles only are left out."""

FEWEST, MOST, ENDS = 5_000, 2_000_000, 2
"""The fewest and the most positions of random puzzles, and the seconds in which they are counted."""

EXCHANGES = (7, 8, 9)
"""Numbers of different pieces any two of which a move exchanges."""

COMPILING, FIRST = 2, 10
"""So many first answers of a part may take so many seconds, because loops are compiled then."""

LONG, PLAIN = 1, 200_000

Part = tuple[str, Engine]


def models(source: str, truth: Path) -> Iterator[tuple[str, Model]]:
    """Yield the names and models of one source of puzzles."""
    if source == "catalogue":
        for name in catalogue.names():
            yield name, load(name).model()
        for name in catalogue.names("blocks")[::10]:
            yield name, load(name).model()
        for path in sorted([*(ROOT / "examples").glob("*.pzl"), *(ROOT / "examples" / "twisty").iterdir()]):
            yield path.name, load(str(path)).model()
    elif source == "families":
        for pieces in EXCHANGES:
            yield f"exchanges:{pieces}", _exchanges(pieces)
        for each in FAMILIES:
            spec, _, metric = each.partition(" ")
            yield each, load(spec).model(metric)
    elif source == "truth":
        yield from _truth(truth)
    elif source == "random":
        for seed in range(RANDOM):
            yield f"random {seed}", _drawn(Random(seed), DRAWN[seed % len(DRAWN)])


def begun(named: Iterable[tuple[str, Model]]) -> Iterator[tuple[str, Model]]:
    """Yield the models with a start: their goal if they have none."""
    for name, model in named:
        goal = next((goal.position for goal in model.goals if goal.position), None)
        yield name, model if model.start is not None else replace(model, start=goal)


def _exchanges(pieces: int) -> Model:
    cells = " ".join("abcdefghij"[:pieces])
    names = cells.split()
    moves = [f"  {a}{b}: ({a} {b})\n" for n, a in enumerate(names) for b in names[:n]]
    start = " ".join(str(n) for n in range(pieces))
    text = f"rule: apply\ncount: step\nboard:\n  {cells}\nmoves:\n{''.join(moves)}start: {start}\ngoal: start\n"
    return from_text(text, "exchanges.pzl").model()


def _drawn(random: Random, kinds: Sequence[Callable[[Random], str | None]]) -> Model:
    """Return a puzzle of one of the kinds with FEWEST to MOST positions, counted by one of its metrics."""
    with patch.multiple(generators, MOST=(MOST,), LARGEST=MOST // 2, WIDE=MOST):
        while True:
            try:
                text = random.choice(kinds)(random)
            except IndexError:  # so many orders need more letters than there are
                continue
            puzzle = None if text is None else generators.accepted(text)
            if puzzle is None:
                continue
            model = puzzle.model(random.choice(puzzle.metrics))
            if model.start is None or choice.bound(model) < FEWEST:
                continue
            with suppress(PuzzlespaceError):
                watch = Watch(Limits(seconds=ENDS, positions=MOST))
                _, found = dispatch.depths(Depths(model, (model.start,)), watch, "auto")
                if found.stopped is None and sum(found.counts) >= FEWEST:
                    return model


def _truth(folder: Path) -> Iterator[tuple[str, Model]]:
    rows = {name: _spread(_rows(folder / f"{name}.csv"), most) for name, most in TRUTH.items()}
    for row in rows["rush"]:
        yield f"rush {row['board']}", boards.rush(row["board"]).model()
    for row in rows["blocks"]:
        yield row["name"], boards.blocks(row["board"], row["goal"]).model()
    for row in rows["blocks_4x5"]:
        yield f"4x5 {row['level']}", boards.klotski(row["board"]).model()
    for row in rows["sokoban"]:
        text = row["level"].replace("/", "\n").replace("-", " ")
        yield f"microban {row['number']}", from_text(text, "level.xsb").model()
    sizes: Counter[tuple[str, str]] = Counter()
    for row in _rows(folder / "tiles_depths.csv"):
        sizes[row["board_rows_x_cols"], row["metric"].replace("single", "step")] += int(row["positions"])
    for (board, metric), size in sizes.items():
        if size < LARGEST:
            yield f"slide:{board} {metric}", load(f"slide:{board}").model(metric)
    for path in sorted((folder / "tws").glob("*.tws")):
        yield path.name, load(str(path)).model()


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def _spread(rows: list[Any], most: int | None) -> list[Any]:
    """Return at most so many of the rows, evenly spread."""
    return rows if most is None else rows[:: -(-len(rows) // most)]


def puzzles(sources: Sequence[str], options: argparse.Namespace) -> Iterator[tuple[str, str, Model]]:
    """Yield (source, name, model) of all puzzles; with a budget of the sources in turn, each in an order drawn once."""
    found = [[(source, *each) for each in begun(_spread(list(models(source, options.folder)), options.most))]
             for source in sources]  # fmt: skip
    if options.budget < float("inf"):
        for some in found:
            Random(1).shuffle(some)
        found = [[each for each in row if each is not None] for row in zip_longest(*found)]
    return chain.from_iterable(found)


def parts(question: str) -> list[Part]:
    """Return all parts that answer a question, by name."""
    found = [(f"table:{kind}", table.of_kind(kind, USUAL)) for kind in table.KINDS]
    engines = [each for each in ENGINES if each.depths is not None and each.name != "table"]
    return found + [(each.name, each) for each in engines if question == "count" or each.name == "frontier"]


def answer(part: Part, model: Model, question: str) -> bool:
    """Let a part answer; return whether it did."""
    name, engine = part
    assert model.start is not None
    assert engine.depths is not None
    watch, asked = Watch(), Depths(model, (model.start,))
    if question == "count":
        return engine.depths(asked, watch).stopped is None
    if name != "frontier":
        return engine.depths(KeptDepths(model, (model.start,), keeper=Keeper()), watch).stopped is None
    with tempfile.TemporaryDirectory() as folder:
        saving = saving_engine(Saving(Path(folder) / "table"))
        assert saving.depths is not None
        return saving.depths(asked, watch).stopped is None


def measured(part: Part, model: Model, question: str, seconds: float) -> tuple[float, int] | None:
    """Return processor seconds and bytes of memory of an answer in a process of its own; None if there is none."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(PuzzlespaceError, MemoryError):
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            took = []
            while len(took) < 2 and (not took or took[0] < LONG or seconds == FIRST):
                # The timer ends the process. With it, the clock is up to 10 ms late: short answers do without.
                signal.setitimer(signal.ITIMER_PROF, seconds if not took or took[0] > LONG else 0)
                ends = time.perf_counter() + 0.015 * len(took)
                while time.perf_counter() < ends:
                    pass
                began = time.process_time()
                if not answer(part, model, question):
                    break
                took.append(time.process_time() - began)
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
                os.write(write, f"{took[-1]} {1024 * memory}\n".encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        found = [line.split() for line in pipe]
    os.waitpid(child, 0)
    return (float(found[-1][0]), int(found[0][1])) if found else None


def chosen(model: Model) -> str:
    """Return the part that the automatic choice counts with."""
    assert model.start is not None
    asked, watch = Depths(model, (model.start,)), Watch()
    with suppress(PuzzlespaceError):
        for engine in choice.engines_for(asked, watch, "auto"):
            kind = table.choose(model) if engine.name == "table" else None
            return engine.name if kind is None else f"table:{kind.kind}"
    return ""


def main() -> int:
    """Measure, print the rows if they are wanted, and the table of parts."""
    load_compiler()
    import_module("numba")  # once for all processes, and what importing takes is not part of an answer
    sources = ("random", "families", "catalogue", "truth")
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--only", choices=sources, action="append")
    reader.add_argument("--seconds", type=float, default=2)
    reader.add_argument("--most", type=int)
    reader.add_argument("--rows", action="store_true")
    reader.add_argument("--save", type=Path)
    reader.add_argument("--add", type=Path, action="append", default=[])
    reader.add_argument("--record", action="store_true", help="write the table into docs/methods/choice.md")
    reader.add_argument("--budget", type=float, default=float("inf"))
    options = reader.parse_args()
    ends, rows, seen, asked = time.monotonic() + options.budget, [], set(), Counter()
    for source, name, model in puzzles(options.only or sources, options):
        key = model.fingerprint, model.metric.name, model.start
        if model.start is None or key in seen:
            continue
        if time.monotonic() > ends:
            break
        seen.add(key)
        slow = set[str]()
        for question in ("count", "keep"):
            row = {"source": source, "name": name, "question": question, "chosen": chosen(model), "took": {}}
            for part in parts(question):
                large = part[0] == "plain" and choice.bound(model) > PLAIN
                if large or part[0] in slow or part[1].refuses(model, "depths") is not None:
                    continue
                asked[part[0], question] += 1
                seconds = FIRST if asked[part[0], question] <= COMPILING else options.seconds
                took = measured(part, model, question, seconds)
                if took is not None and took[0] < options.seconds:
                    row["took"][part[0]] = took
                else:
                    slow.add(part[0])
            rows.append(row)
            if options.rows:
                times = "  ".join(f"{part} {took[0]:.3f}" for part, took in ranked(row))
                print(f"{name}, {question}: {times or 'none'}; chosen: {row['chosen']}", flush=True)
    if options.save:
        options.save.write_text(json.dumps(rows))
    found = report([*chain.from_iterable(json.loads(file.read_text()) for file in options.add), *rows])
    print(found)
    if options.record:
        write("methods/choice.md", "benchmarks/kinds.py", found)
    return 0


def ranked(row: dict) -> list[tuple[str, tuple[float, int]]]:
    """Return the parts that answered with their times and memory, the fastest first."""
    return sorted(row["took"].items(), key=lambda each: each[1][0])


def report(rows: list[dict]) -> str:
    """Return a table for each question: how often each part answers, is the choice, wins, and its best row."""
    sources = Counter(row["source"] for row in rows if row["question"] == "count")
    lines = [f"{described()}. Puzzles: {', '.join(f'{count} {source}' for source, count in sources.items())}."]
    for question in ("count", "keep"):
        able, used, wins, alone, lean = (Counter[str]() for _ in range(5))
        factors: dict[str, list[tuple[float, str, str]]] = defaultdict(list)
        for row in (row for row in rows if row["question"] == question):
            used[row["chosen"]] += 1
            order = ranked(row)
            able.update(part for part, _ in order)
            if len(order) == 1:
                alone[order[0][0]] += 1
            elif order:
                (part, (least, _)), (second, (other, _)), *_ = order
                least = max(least, TICK)
                if other >= FACTOR * least and other - least >= SAVED:
                    wins[part] += 1
                    factors[part].append((other / least, second, row["name"]))
                (part, (_, least)), (_, (_, other)), *_ = sorted(row["took"].items(), key=lambda each: each[1][1])
                lean[part] += other >= FACTOR * least and other - least >= SPARED
        columns = [
            f"to {question}",
            "able",
            "chosen",
            "wins",
            "usual factor",
            "best",
            "alone",
            "least memory",
        ]
        lines += ["", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
        for part in (name for name, _ in parts(question) if able[name]):
            won = sorted(factors[part], reverse=True)
            usual = f"{won[len(won) // 2][0]:.1f}" if won else ""
            best = "{:.1f} times {}, `{}`".format(*won[0]) if won else ""
            counts = [each[part] or "" for each in (able, used, wins)]
            cells = [part, *counts, usual, best, alone[part] or "", lean[part] or ""]
            lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
