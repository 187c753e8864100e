"""Helpers for tests of saved depth tables: save a table, copy a folder, all distances by a simple search."""

from __future__ import annotations

from functools import cache

from puzzlespace import load
from puzzlespace.api import questions
from puzzlespace.api.saved import saving
from puzzlespace.cli.app import app
from puzzlespace.cli.terminal import guarded

EIGHT = "slide:3x3"
NAMES = ("manifest.json", "depths.bits", "depths.sums")


@cache
def distances(spec, metric=""):
    """The distance of every position to the goals, by breadth-first search."""
    model = load(spec).model(metric)
    layer = [goal.position for goal in model.goals]
    found = dict.fromkeys(layer, 0)
    while layer:
        following = []
        for position in layer:
            for child in model.moves(position):
                if child not in found:
                    found[child] = found[position] + 1
                    following.append(child)
        layer = following
    return found


def saved_table(spec, folder, metric="", **options):
    """Save the table of distances to the goal."""
    owner = load(spec)
    return questions.depths(owner, origin="goal", metric=metric, engine=saving(owner, folder, **options))


def copied(folder, target):
    """A copy of a folder, file by file."""
    target.mkdir()
    for path in folder.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    return target


def command(*words):
    """Run a command line in this process; return its exit code."""
    return guarded(lambda: app(list(map(str, words)), standalone_mode=False))
