"""Kill processes that save a table, again and again. A script that prints its result as one line of JSON.

    python tests/support/kills.py slide:3x3 30 7            the puzzle, the number of kills, the random seed
    python tests/support/kills.py slide:2x5 30 7 file       bits in files, as if the memory were too small for them
    python tests/support/kills.py klotski 30 7 frontier     layers as runs; with `disk` instead, counted on disk as well
    python tests/support/kills.py microban6 30 7 boxes      by another engine; or 'boxes disk'
    python tests/support/kills.py pancakes 30 7             layers of a puzzle written with NumPy; `disk` as above
    python tests/support/kills.py game 30 7                 those of a level of a game

A child process saves the table, with a snapshot after each layer, and is killed with SIGKILL after a random time. The
next one resumes the table. When the table is finished, its files are compared with those of a table saved without a
stop, and a new table is begun.
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

from array_puzzles import pancakes
from pushing import game
from puzzlespace import Custom
from puzzlespace.api import questions
from puzzlespace.api.loader import load
from puzzlespace.api.saved import saving
from puzzlespace.engines.table import counting
from puzzlespace.engines.table.slide import counting as slide_counting
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game
from puzzlespace.search import disk_layers, merge
from puzzlespace.tables import save as table_save

NOT_COMPARED = {"manifest.json", "lock", "holder"}
LEFT = ("progress.json", "part-", "layers-")


def level() -> GameLevel:
    """A level with some thousands of positions."""
    rows = "#########\n#p..*...#\n#..*o...#\n#...o...#\n#########"
    return GameLevel.of(read_game(game(levels=rows)), 1, "game")


def on_disk() -> None:
    """Make searches continue on disk as soon as possible, in pieces of a few hundred positions."""
    disk_layers.SPILL_FROM.usual = 1
    merge.MOST_AT_ONCE.usual = merge.LEAST_AT_ONCE.usual = 600


def in_files() -> None:
    """Make tables keep their bits in files."""
    for module in (slide_counting, counting, table_save):
        module.fits = lambda watch, whole, bits, positions=0: False


def save(owner, folder: Path, engine: str) -> None:
    """Save the table, or resume it."""
    if engine == "file":
        in_files()
        engine = "table"
    if engine.endswith("disk"):
        on_disk()
        engine = engine.removesuffix("disk").strip() or ("auto" if isinstance(owner, Custom) else "frontier")
    questions.depths(owner, engine=saving(owner, folder, resume=True, every=0.0, engine=engine))


def same_files(one: Path, whole: Path) -> bool:
    """Return whether a folder has the same files as a finished table, except for the manifest with its times.

    If a process was killed after the manifest was written, files for resuming may be left as well.
    """
    names = {path.name for path in whole.iterdir()} - NOT_COMPARED
    others = {path.name for path in one.iterdir()} - names - NOT_COMPARED
    left = all(name.startswith(LEFT) or name.endswith(".tmp") for name in others)
    return left and all((one / name).read_bytes() == (whole / name).read_bytes() for name in names)


def child(owner, folder: Path, engine: str, delay: float) -> bool:
    """Save in a child process that is killed after `delay` seconds; return whether it finished before."""
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
    """Return the numbers of kills, of finished tables, and of those that are identical to an unstopped one."""
    owner = pancakes(8) if spec == "pancakes" else level() if spec == "game" else load(spec)
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
            seconds *= 1.02  # so that tables are finished even if the machine becomes slower
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
