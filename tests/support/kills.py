"""Tables that are killed again and again while they are saved, run as a script: one line of JSON says what came out.

    python tests/support/kills.py slide:3x3 30 7             the puzzle, how many kills, the seed of chance
    python tests/support/kills.py slide:2x5 30 7 file        bits in files, as where the memory is too small for them
    python tests/support/kills.py klotski 30 7 frontier     layers as runs; with `disk` instead, counted on disk as well

A child process saves the table, a snapshot after each layer, and is killed with SIGKILL after a random time; the next
one goes on. When one gets to the end, its files are compared with those of a table saved without any stop, and all
begins again.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from puzzlespace.api import questions
from puzzlespace.api.loader import load
from puzzlespace.api.saved import saving
from puzzlespace.engines.frontier import merge
from puzzlespace.engines.packed.front import Front
from puzzlespace.engines.table import counting
from puzzlespace.engines.table.slide import counting as slide_counting
from puzzlespace.errors import LimitError
from puzzlespace.tables import save as table_save

NOT_COMPARED = {"manifest.json", "lock"}
LEFT = ("progress.json", "part-", "layers-")


def on_disk() -> None:
    """Let the frontier engine go on from disk as soon as it can, in pieces of a few hundred positions."""

    def none_left(front, watch):
        raise LimitError("memory", "as if there were none left")

    Front.grow = none_left
    merge.MOST = merge.LEAST = 600


def in_files() -> None:
    """Let the bits of tables live in files."""
    for module in (slide_counting, counting, table_save):
        module.fits = lambda watch, whole, bits, positions=0: False


def save(owner, folder: Path, engine: str) -> None:
    """Save the table, or go on with it."""
    if engine == "file":
        in_files()
        engine = "table"
    if engine == "disk":
        on_disk()
        engine = "frontier"
    questions.depths(owner, engine=saving(owner, folder, resume=True, every=0.0, engine=engine))


def same_files(one: Path, whole: Path) -> bool:
    """Return whether a folder holds the files of a whole table, those that say when it was made left aside.

    One that was killed between its manifest and tidying up may hold what it could have gone on from as well.
    """
    names = {path.name for path in whole.iterdir()} - NOT_COMPARED
    others = {path.name for path in one.iterdir()} - names - NOT_COMPARED
    left = all(name.startswith(LEFT) or name.endswith(".tmp") for name in others)
    return left and all((one / name).read_bytes() == (whole / name).read_bytes() for name in names)


def child(owner, folder: Path, engine: str, delay: float) -> bool:
    """Save in a process of its own that is killed after some seconds; return whether it came to the end before."""
    number = os.fork()
    if number == 0:
        code = 1
        try:
            save(owner, folder, engine)
            code = 0
        finally:
            os._exit(code)
    time.sleep(delay)
    os.kill(number, signal.SIGKILL)
    _, status = os.waitpid(number, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, f"{folder}: the child failed"
    return not os.WIFSIGNALED(status)


def run(spec: str, kills: int, seed: int, engine: str = "auto") -> dict[str, object]:
    """Return how often it was killed, gone on with, and came out the same."""
    owner = load(spec)
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as rooms:
        whole, folder = Path(rooms, "whole"), Path(rooms, "killed")
        save(owner, whole, engine)
        shutil.rmtree(whole)
        began = time.perf_counter()
        save(owner, whole, engine)
        seconds = time.perf_counter() - began
        done, finished, same, least = 0, 0, 0, seconds
        while done < kills or not finished:
            done += not child(owner, folder, engine, chance.random() * seconds)
            seconds *= 1.02  # a machine that is busy now still comes to an end
            if (folder / "manifest.json").exists():
                finished, seconds = finished + 1, least
                same += same_files(folder, whole)
                shutil.rmtree(folder)
    return {
        "puzzle": spec,
        "engine": engine,
        "kills": done,
        "finished": finished,
        "same": same,
        "seconds": round(seconds, 3),
    }


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])))
