"""Puzzles written with NumPy."""

from __future__ import annotations

from random import Random

import numpy as np

from puzzlespace import Arrays


def random_arrays(seed, undone):
    """A random puzzle of two numbers each: moves by tables, that can be undone or not."""
    chance = Random(seed)
    size = chance.choice((5, 40))
    width = chance.choice(("uint8", "int16", "int64"))
    tables = [chance.sample(range(size), size) for _ in range(2)]
    if not undone:
        tables[0] = [chance.randrange(size) for _ in range(size)]
    ahead = [np.array(table) for table in tables] + ([np.argsort(table) for table in tables] if undone else [])

    def following(rows):
        moved = [np.column_stack([table[rows[:, 0]], rows[:, 1:]]) for table in ahead]
        return np.concatenate([*moved, rows[:, ::-1]])  # all columns in the other order

    cells = chance.choice((2, 3, 9, 24))
    start, goal = ([chance.randrange(size) for _ in range(cells)] for _ in range(2))
    start[2:] = goal[2:] = [0] * (cells - 2)
    some = goal if chance.random() < 0.5 else (lambda rows: (rows[:, 0] == goal[0]) & (rows[:, 1] < 2))
    below = chance.choice((None, size, 2 * size))
    return Arrays(start, some, following if undone else None, following=following, width=width, below=below)


def pancakes(count, least=2):
    """The pancakes of a stack: a move turns over some of the top ones, at least `least`."""

    def flipped(rows):
        ends = range(least, count + 1)
        return np.concatenate([np.column_stack([rows[:, :end][:, ::-1], rows[:, end:]]) for end in ends])

    stack = range(count)
    return Arrays(stack, stack, flipped, following=flipped, width="uint8", below=count, name=f"pancakes {least}")
