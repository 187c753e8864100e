"""Boards of the tables in tests/data as puzzles: sliding blocks, 4x5 Klotski, Rush Hour."""

import csv

from places import DATA
from puzzlespace.api.loader import from_text


def rows(name):
    with (DATA / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


def blocks(board, goal):
    """The puzzle of a row of blocks.csv: '.' in the goal leaves a cell open, '-' is a gate for the goal's piece.

    A letter is one piece, even if its cells do not touch.
    """
    pieces = " ".join(sorted(set(board) - set("#.-/")))
    goals = goal.replace(".", "*").replace("/", "\n  ")
    gates = ""
    if "-" in board:
        (piece,) = set(goal) - set("#./")
        gates = "".join(piece if c == "-" else c if c in "#/" else "*" for c in board).replace("/", "\n  ")
        gates = f"gates:\n  {gates}\n"
    start = board.replace("-", ".").replace("/", "\n  ")
    text = f"rule: slide\napart: {pieces}\ncount: piece\n{gates}start:\n  {start}\ngoal:\n  {goals}\n"
    return from_text(text, "blocks.pzl")


def klotski(board):
    """The puzzle of a 4x5 board: the goal is the square A at the middle of the bottom."""
    return blocks(board, "..../..../..../.AA./.AA.")


def rush(board):
    """The puzzle of a Rush Hour string: the goal is the car A at the right edge of its row."""
    lines = [board[i : i + 6].replace("o", ".").replace("x", "#") for i in range(0, 36, 6)]
    goal = ["".join("#" if c == "#" else "*" for c in line) for line in lines]
    row = next(y for y, line in enumerate(lines) if "A" in line)
    goal[row] = goal[row][:4] + "AA"
    text = "rule: slide along\nblocks: all\ncount: run\nstart:\n  {}\ngoal:\n  {}\n"
    return from_text(text.format("\n  ".join(lines), "\n  ".join(goal)), "rush.pzl")
