"""A puzzle written with NumPy: lamps on a ring. Pressing a lamp changes it and its two neighbours.

Copy this file, and write your own `following`, `start` and `goal`.
"""

import numpy as np

import puzzlespace

LAMPS = 12


def following(rows: np.ndarray) -> np.ndarray:
    """Return all positions one move after the positions `rows`, one position in each row."""
    made = []
    for lamp in range(LAMPS):
        changed = rows.copy()
        changed[:, [lamp - 1, lamp, (lamp + 1) % LAMPS]] ^= 1
        made.append(changed)
    return np.concatenate(made)


puzzle = puzzlespace.Arrays(
    following=following,
    start=[0] * LAMPS,
    goal=[1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0],
    back=following,  # each move undoes itself
    width="uint8",
    below=2,  # all numbers are 0 or 1, so a position takes 12 bits
)

if __name__ == "__main__":
    answer = puzzlespace.solve(puzzle)
    table = puzzlespace.depths(puzzle)
    print(f"{answer.moves} moves")
    print(f"{table.states} positions, the farthest {table.depth} moves away")
