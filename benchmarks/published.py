"""Standard sets as their authors publish them, as files for `sets.py`: `python benchmarks/published.py FROM TO`.

FROM is a folder with any of these files, in any folder below it:

size15-deepcubeA.pkl, size7-deepcubeA.pkl   500 15-puzzles and 500 Lights Out of 7x7 (tinker495/PuXle, puxle/data; of
                                            forestagostinelli/DeepCubeA, MIT)
opt/rubiks-cube/p*.pddl and p*.plan         tasks of IPC 2023 (ipc2023-classical/ipc2023-dataset)
opt/ricochet-robots/p*.pddl and p*.plan     tasks of IPC 2023, from the ASP competition 2015

TO gets learned15.csv, lights7.csv, ipc_rubik.csv and ricochet.csv. The boards of Ricochet Robots come without a
license, so they are not in tests/data. Pickles are read without running any code of theirs: every class that they name
is a plain holder of what is stored.
"""

from __future__ import annotations

import csv
import io
import pickle
import re
import sys
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any


class _Stored:
    """What a pickle stores of an object, in place of the object."""

    def __init__(self, *_: Any) -> None:
        self.state: Any = None

    def __setstate__(self, state: Any) -> None:
        self.state = state


class _Unpickler(pickle.Unpickler):
    """Reads pickles without their classes and functions."""

    def find_class(self, module: str, name: str) -> Any:
        return _Stored


def unpickled(data: bytes) -> Any:
    """Return what a pickle stores, with `_Stored` for every object that is no list, dict, text or number."""
    return _Unpickler(io.BytesIO(data)).load()


def numbers(stored: _Stored) -> list[int]:
    """Return the array `tiles` of a stored state: bytes, or words of eight bytes, the least first."""
    parts = stored.state if isinstance(stored.state, tuple) else (stored.state,)  # (fields, slots) of some classes
    fields = next(each for each in parts if each and "tiles" in each)
    _, (count,), _, _, data = fields["tiles"].state
    return list(memoryview(data)[:: len(data) // count])


FACES = {"orange": "R", "red": "L", "white": "U", "yellow": "D", "blue": "F", "green": "B"}
AXES = ("LR", "UD", "FB")
"""The faces of the places 1 to 8, whose number less one has a bit for each axis: 0 for the first face."""

CORNERS = "ULB1L1B3 UBR3B1R3 UFL7F1L3 UFR9F3R1 DFL1F7L9 DFR3F9R7 DBL7B9L7 DBR9B7R9"
EDGES = "UB22 UL42 UR62 UF82 DF28 DL48 DR68 DB88 FL46 FR64 BL64 BR46"


def places() -> dict[frozenset[str], dict[str, int]]:
    """Return for the faces of each place of a cubelet the number of its facelet on each face, from 1."""
    found = {}
    for text in CORNERS.split():
        names = text[:3]
        found[frozenset(names)] = {names[0]: int(text[3]), text[4]: int(text[5]), text[6]: int(text[7])}
    for text in EDGES.split():
        found[frozenset(text[:2])] = {text[0]: int(text[2]), text[1]: int(text[3])}
    return found


def facelets(task: str) -> str:
    """Return the cube at the beginning of a planning task as facelets in the order U R F D L B."""
    shown = {(face, 5): face for face in "URFDLB"}
    where = places()
    start = task.split("(:init")[1].split("(:goal")[0]
    for name, colours in re.findall(r"\((?:cube|edge)(\d+) ([a-z ]+)\)", start):
        bits = [[int(digit) - 1 >> axis & 1 for digit in name] for axis in range(3)]
        faces = [AXES[axis][each[0]] for axis, each in enumerate(bits) if len(set(each)) == 1]
        spots = where[frozenset(faces)]
        for face, colour in zip(faces, colours.split(), strict=True):
            shown[face, spots[face]] = FACES[colour]
    return "".join(shown[face, number] for face, number in product("URFDLB", range(1, 10)))


def ricochet(task: str, title: str) -> str:
    """Return a task of Ricochet Robots as a puzzle file."""
    size = max(int(each) for each in re.findall(r"cell-(\d+)-\d+ - cell", task) or re.findall(r"cell-(\d+)-", task))
    walls = {(int(x), int(y), way) for x, y, way in re.findall(r"\(BLOCKED cell-(\d+)-(\d+) (\w+)\)", task)}
    robots = {
        (int(x), int(y)): "abcdefgh"[int(robot) - 1]
        for robot, x, y in re.findall(r"\(at robot-(\d+) cell-(\d+)-(\d+)\)", task.split("(:goal")[0])
    }
    aims = {
        (int(x), int(y)): "abcdefgh"[int(robot) - 1]
        for robot, x, y in re.findall(r"\(at robot-(\d+) cell-(\d+)-(\d+)\)", task.split("(:goal")[1])
    }
    line = range(1, size + 1)

    def wall(x: int, y: int, way: str) -> bool:
        """Return whether a wall, or the border, is to the east or south of a cell."""
        beyond, back = ((x + 1, y), "west") if way == "east" else ((x, y + 1), "north")
        return max(beyond) > size or (x, y, way) in walls or (*beyond, back) in walls

    ground = ["+" + "-+" * size]
    for y in line:
        ground.append("|" + "".join("." + ("|" if wall(x, y, "east") else " ") for x in line))
        ground.append("+" + "".join(("-" if wall(x, y, "south") else " ") + "+" for x in line))
    start = [" ".join(robots.get((x, y), ".") for x in line) for y in line]
    goal = [" ".join(aims.get((x, y), "*") for x in line) for y in line]
    head = [f"title: {title}", "rule: glide", "count: piece", "edge: stops"]
    blocks = [("ground", ground), ("start", start), ("goal", goal)]
    return "\n".join([*head, *(row for name, rows in blocks for row in (f"{name}:", *(f"  {each}" for each in rows)))])


def write(file: Path, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table, if it has rows."""
    listed = [*rows]
    if listed:
        with file.open("w", newline="") as out:
            csv.writer(out, lineterminator="\n").writerows([heads, *listed])
        print(f"{file}: {len(listed)} rows")


def cost(task: Path) -> str:
    """Return the published cost of a task."""
    return re.search(r"[Cc]ost: (\d+)", task.with_suffix(".plan").read_text()).group(1)


def main(source: str, target: str) -> None:
    """Convert what is there."""
    here, there = Path(source), Path(target)
    there.mkdir(parents=True, exist_ok=True)
    for file in here.rglob("size15-deepcubeA.pkl"):
        kept = unpickled(file.read_bytes())
        rows = [
            [number, *numbers(state), len(path)]
            for number, (state, path) in enumerate(zip(kept["states"], kept["solutions"], strict=True))
        ]
        write(there / "learned15.csv", ["id", *(f"t{cell}" for cell in range(16)), "optimal_length"], rows)
    for file in here.rglob("size7-deepcubeA.pkl"):
        states = unpickled(file.read_bytes())["states"]
        rows = [[number, "".join(map(str, numbers(state)))] for number, state in enumerate(states)]
        write(there / "lights7.csv", ["id", "lamps"], rows)
    tasks = sorted(here.rglob("opt/rubiks-cube/p*.pddl"))
    write(
        there / "ipc_rubik.csv", ["task", "facelets", "quarter_turns"],
        [[task.stem, facelets(task.read_text()), cost(task)] for task in tasks],
    )  # fmt: skip
    boards = sorted(here.rglob("opt/ricochet-robots/p*.pddl"))
    titles = [f"Ricochet Robots, IPC 2023 task {task.stem.removeprefix('p')}" for task in boards]
    write(
        there / "ricochet.csv", ["task", "puzzle", "moves"],
        [
            [task.stem, ricochet(task.read_text(), title).replace("\n", "/"), cost(task)]
            for task, title in zip(boards, titles, strict=True)
        ],
    )  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
