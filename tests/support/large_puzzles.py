"""Puzzle files that are each large in one respect, for tests of limits during the preparation of a search."""

import random
from itertools import pairwise
from pathlib import Path
from string import ascii_uppercase

SPECS = ("hanoi:20,60", "burnt:60", "pancake:60", "slide:4x4", "flip:15x15", "lights:11x11", "peg:diamond41")
"""Families at large sizes."""


def bars(width=16, height=16):
    """Many different blocks of two cells, with tens of thousands of rules."""
    names = [a + b for a in ascii_uppercase[:8] for b in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"]
    rows = []
    for y in range(height):
        free = {(y * 4) % width, (y * 4) % width + 1, (y * 4 + 8) % width, (y * 4 + 8) % width + 1}
        row, x = [], 0
        while x < width:
            if x in free:
                row.append(".")
                x += 1
            else:
                row += [names.pop(0)] * 2
                x += 2
        rows.append("  " + " ".join(row[:width]))
    return "rule: slide\nblocks: all\ncount: step\nstart:\n" + "\n".join(rows) + "\ngoal: start\n"


def chains(size=26):
    """A board of pegs with long chains of jumps, and a goal that very many positions meet."""
    rows = [
        "  " + " ".join("o" if (x + y) % 2 == 0 or (x, y) == (1, 0) else "." for x in range(size)) for y in range(size)
    ]
    return f"rule: jump\ncount: chain\nboard: grid {size}x{size}\nstart:\n" + "\n".join(rows) + "\ngoal: count o = 5\n"


def complete(cells=110):
    """Every cell is linked with every other, and all pieces differ."""
    names = [f"P{number}" for number in range(1, cells)]
    links = "\n".join(f"  {a}: " + " ".join(map(str, range(a + 1, cells))) for a in range(cells - 1))
    start, goal = (" ".join([*row, "."]) for row in (names, [names[1], names[0], *names[2:]]))
    board = " ".join(map(str, range(cells)))
    return f"rule: slide\ncount: step\nboard:\n  {board}\nlinks:\n{links}\nstart:\n  {start}\ngoal:\n  {goal}\n"


def dense_jumps(cells=60, lines=200, seed=3):
    """Lines in random order through all cells, so that each cell has hundreds of jumps."""
    chance = random.Random(seed)
    orders = [chance.sample(range(cells), cells) for _ in range(lines)]
    written = "\n".join("  " + "-".join(map(str, order)) for order in orders)
    pegs, board = "o " * (cells - 1) + ".", " ".join(map(str, range(cells)))
    return f"rule: jump\ncount: chain\nboard:\n  {board}\nlines:\n{written}\nstart:\n  {pegs}\ngoal: any one peg\n"


def twelve_turns(seed=5):
    """Two sets of pieces, 20 with three orientations and 30 with two, twelve turns of order five; as `.tws`."""
    chance = random.Random(seed)
    rows = ["Name Twelve", "Set CORNER 20 3", "Set EDGE 30 2", "Solved"]
    for name, count in (("CORNER", 20), ("EDGE", 30)):
        rows += [name, " ".join(map(str, range(1, count + 1))), " ".join("0" * count)]
    rows.append("End")
    for turn in range(12):
        rows.append(f"Move T{turn}")
        for name, count in (("CORNER", 20), ("EDGE", 30)):
            cycle, to = chance.sample(range(count), 5), list(range(1, count + 1))
            for a, b in pairwise([*cycle, cycle[0]]):
                to[b] = a + 1
            rows += [name, " ".join(map(str, to)), " ".join("0" * count)]
        rows.append("End")
    return "\n".join(rows) + "\n"


def open_goal(size=32):
    """A large board of single tiles with a goal that leaves nearly all cells open."""
    tiles = ["A", "B", *["o"] * (size * size - 3), "."]
    rows = ["  " + " ".join(tiles[y * size : (y + 1) * size]) for y in range(size)]
    goal = ["  " + " ".join("B" if x == y == 0 else "*" for x in range(size)) for y in range(size)]
    return "rule: slide\nstart:\n" + "\n".join(rows) + "\ngoal:\n" + "\n".join(goal) + "\n"


FILES = {
    "bars.pzl": bars,
    "chains.pzl": chains,
    "complete.pzl": complete,
    "dense-jumps.pzl": dense_jumps,
    "open-goal.pzl": open_goal,
    "twelve-turns.tws": twelve_turns,
}


def written(folder):
    """Write the files into a folder; return the paths by name."""
    paths = {}
    for name, make in FILES.items():
        paths[name] = Path(folder) / name
        paths[name].write_text(make(), encoding="utf-8")
    return paths
