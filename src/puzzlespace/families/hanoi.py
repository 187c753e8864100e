"""`hanoi:PEGS,DISKS`: disks on pegs, one moved at a time, never onto a smaller one.

A cell is a disk, the smallest first, and shows the letter of its peg. A disk may move from one peg to another if no
smaller disk is on either peg.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..limits.watch import paced
from ..model.goal import Goal
from ..model.rule import Rule, only
from ..puzzle.board import Board
from ..puzzle.family import Family, Slider
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Puzzle
from ..rules import apply
from ..rules.common import known, sizes

FORM = "hanoi:PEGS,DISKS"


def make(text: str) -> Puzzle:
    """Return the puzzle of moving a tower from the first peg to the last. Raises InputError."""
    pegs, disks = sizes(text, FORM, (3, 20), (1, 60))
    letters = "ABCDEFGHIJKLMNOPQRST"[:pegs]
    return Puzzle(
        name=f"hanoi:{text}",
        kind=apply.KIND,
        board=Board(tuple(f"disk{d + 1}" for d in range(disks)), (tuple(range(disks)),), ()),
        view=Letters(tuple((letter,) for letter in letters)),
        symbols=pegs,
        rules=tuple(_rules(letters, disks)),
        metrics=("step",),
        start=bytes(disks),
        goals=(Goal.exactly(bytes([pegs - 1]) * disks),),
        titles=(("", f"Tower of {disks} disks on {pegs} pegs"),),
        stacks=True,
    )


def _rules(letters: str, disks: int) -> Iterator[Rule]:
    pegs = range(len(letters))
    for disk in paced(range(disks)):
        for a, b in ((a, b) for a in pegs for b in pegs if a != b):
            others = (1 << len(letters)) - 1 - only(a) - only(b)
            yield Rule(
                f"{disk + 1}:{letters[a]}-{letters[b]}",
                (disk, *range(disk)),
                (only(a),) + (others,) * disk,
                tuple(range(disk + 1)),
                ((b,) * len(letters),) + (None,) * disk,
            )


FAMILY = Family(
    "hanoi",
    FORM,
    "a tower of disks moved from peg to peg",
    make,
    {
        "3,7": known("2^n - 1 moves, 2^n positions as far", states=2187, depth=127, hardest=128, solution=127),
        "4,5": known("independent program", states=1024, depth=13, hardest=6, solution=13),
        "4,8": known("Frame and Stewart's 33, proved by search", states=65536, solution=33),
    },
    names={"": ("Tower of Hanoi", "Lucas' tower", "disks"), "ja": ("ハノイの塔",)},
    sliders=(Slider(3, 5, 3), Slider(2, 8, 3)),
)
