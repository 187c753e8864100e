"""Tables that are killed again and again while they are saved, run as a script: one line of JSON says what came out.

    python tests/kills.py slide:3x3 30 7     the puzzle, how many kills, the seed of chance

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

from puzzlespace import api
from puzzlespace.loader import load
from puzzlespace.saved import saving

COMPARED = ("depths.bits", "depths.sums")


def save(owner, folder: Path) -> None:
    """Save the table, or go on with it."""
    api.depths(owner, engine=saving(owner, folder, resume=True, every=0.0))


def child(owner, folder: Path, delay: float) -> bool:
    """Save in a process of its own that is killed after some seconds; return whether it came to the end before."""
    number = os.fork()
    if number == 0:
        code = 1
        try:
            save(owner, folder)
            code = 0
        finally:
            os._exit(code)
    time.sleep(delay)
    os.kill(number, signal.SIGKILL)
    _, status = os.waitpid(number, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, f"{folder}: the child failed"
    return not os.WIFSIGNALED(status)


def run(spec: str, kills: int, seed: int) -> dict[str, object]:
    """Return how often it was killed, gone on with, and came out the same."""
    owner = load(spec)
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as rooms:
        whole, folder = Path(rooms, "whole"), Path(rooms, "killed")
        save(owner, whole)
        shutil.rmtree(whole)
        began = time.perf_counter()
        save(owner, whole)
        seconds = time.perf_counter() - began
        done, finished, same, least = 0, 0, 0, seconds
        while done < kills or not finished:
            done += not child(owner, folder, chance.random() * seconds)
            seconds *= 1.02  # a machine that is busy now still comes to an end
            if (folder / "manifest.json").exists():
                finished, seconds = finished + 1, least
                same += all((folder / name).read_bytes() == (whole / name).read_bytes() for name in COMPARED)
                shutil.rmtree(folder)
    return {"puzzle": spec, "kills": done, "finished": finished, "same": same, "seconds": round(seconds, 3)}


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
