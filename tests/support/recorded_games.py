"""Recorded plays of PuzzleScript games, and small games for single points of the semantics."""

import json
from functools import cache

from places import DATA

FOLDER = DATA / "puzzlescript"
QUICK = 500
"""Cases with at most this many rules times turns are quick."""


@cache
def cases(file):
    found = json.loads((FOLDER / f"{file}.json").read_text())
    return found["cases"] if file == "handed" else [*found["directed"], *found["random"]]


def quick(case):
    return case["rule_count"] * case["engine_turns"] <= QUICK
