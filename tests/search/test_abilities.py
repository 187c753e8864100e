"""What each way of storing positions can do, tried one by one: the table of docs/architecture.md is what is found."""

from dataclasses import dataclass, replace
from functools import cached_property
from unittest import mock

import pytest

from array_puzzles import pancakes
from places import DOCS
from pushing import game
from puzzlespace import Custom, load, saving
from puzzlespace.analysis.impossible import few_goals
from puzzlespace.api.loader import from_text
from puzzlespace.contract.questions import Depths, Search, WantedLayers
from puzzlespace.engines import plain
from puzzlespace.engines.gliders import meeting
from puzzlespace.errors import InputError, UnsupportedError
from puzzlespace.games.layers import GameLayers
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.registry import ENGINES, needs_of
from puzzlespace.search import layers
from puzzlespace.search.disk_layers import SPILL_FROM, OnDisk

TABLE = DOCS / "architecture.md"
ROOM = from_text("######\n#@ $.#\n# $ .#\n#    #\n######", "room.xsb")
GAME = GameLevel.of(read_game(game()), 1, "game")
move, begun = OnDisk.move, layers.begun


@dataclass
class Case:
    """An engine and a puzzle of which it is asked everything."""

    what: str
    engine: str
    puzzle: object

    @cached_property
    def space(self):
        return self.puzzle if isinstance(self.puzzle, Custom) else self.puzzle.model()

    @cached_property
    def source(self):
        """The start, or a position that is farthest from the goal."""
        if isinstance(self.puzzle, Custom):
            return self.space.start
        if self.puzzle.start is not None:
            return self.space.settled(self.puzzle.start)
        return plain.depths(Depths(self.space, (self.space.anchor,), 1), Watch()).deepest[0]

    def asked(self, **more):
        return Depths(self.space, (self.source,), **more)

    @property
    def ours(self):
        return next(each for each in ENGINES if each.name == self.engine)

    @property
    def goals(self):
        return self.space.goals if isinstance(self.puzzle, Custom) else few_goals(self.space)

    def search(self):
        """Answer `Search` with the engine; None if it does not."""
        ours = self.ours
        if ours.search is None or ours.refuses(self.space, "search"):
            return None
        return ours.search(Search(self.space, self.source, self.goals), Watch())

    def depths(self, watch, **more):
        """Answer `Depths` with the engine; None if it does not."""
        ours = self.ours
        if ours.depths is None or ours.refuses(self.space, "depths"):
            return None
        return ours.depths(self.asked(**more), watch)


def counts(case, folder):
    found, expected = case.depths(Watch()), plain.depths(case.asked(), Watch())
    assert found is None or found.counts == expected.counts
    return found is not None


def hardest(case, folder):
    found, expected = case.depths(Watch(), keep=3), plain.depths(case.asked(keep=3), Watch())
    assert found is None or not found.deepest or sorted(found.deepest) == sorted(expected.deepest)
    return found is not None and bool(found.deepest)


def listed(case, folder):
    taken = {}
    wanted = WantedLayers(lambda depth, blocks: taken.update({depth: sum(map(len, blocks))}), 1, 2)
    if not case.ours.lists or case.depths(Watch(), wanted=wanted) is None:
        return False
    assert tuple(taken.values()) == plain.depths(case.asked(), Watch()).counts[1:3]
    return True


def solved(case, folder):
    found = case.search()
    expected = plain.search(Search(case.space, case.source, case.goals), Watch())
    assert found is None or found.bound == expected.bound
    return found is not None and found.layers == expected.layers


def both_ends(case, folder):
    with (
        mock.patch.object(layers, "begun", side_effect=begun) as ends,
        mock.patch.object(meeting, "solve", side_effect=meeting.solve) as met,
    ):
        found = case.search()
    return found is not None and (ends.call_count == 2 or met.called)


def stopped(case, folder):
    whole = case.depths(Watch())
    if whole is None:
        return False
    for most in (2**bits for bits in range(1, 15)):
        found = case.depths(Watch(Limits(positions=most)))
        assert found.counts == whole.counts[: len(found.counts)]
        if found.stopped is not None and len(found.counts) > 1:
            return True
    return False


def planned(case, folder):
    of = needs_of(case.ours)
    try:
        return of is not None and of(case.space, (case.source,), None).memory([1.0, 2.0]) > 0
    except UnsupportedError:
        return False


def saved(case, folder):
    try:
        engine = saving(case.puzzle, folder / "table", engine=case.engine, every=0)
    except (InputError, UnsupportedError):
        return False
    if engine.refuses(case.space, "depths"):
        return False
    expected, found = plain.depths(case.asked(), Watch()).counts, None
    for most in (60, None):
        again = saving(case.puzzle, folder / "table", engine=case.engine, every=0, resume=True)
        found = again.depths(case.asked(), Watch(Limits(positions=most)))
    assert found.counts == expected
    return True


def on_disk(case, folder):
    with mock.patch.object(OnDisk, "move", side_effect=move, autospec=True) as moved:
        found = case.depths(Watch(thresholds=Thresholds({SPILL_FROM: 1})))
    assert found is None or found.counts == plain.depths(case.asked(), Watch()).counts
    return moved.called


def around(number):
    """A move on a circle of 60 numbers, or to the other side."""
    return [(number + 1) % 60, (number - 1) % 60, -number % 60]


ABILITIES = {
    "counts": counts, "hardest": hardest, "layers handed over": listed, "all shortest solutions": solved,
    "both ends": both_ends, "counts at a limit": stopped, "plan": planned, "save, resume": saved, "disk": on_disk,
}  # fmt: skip
CASES = (
    Case("packed positions", "frontier", load("slide:3x2")),
    Case("packed positions, moves with costs", "frontier", load("bridge")),
    Case("blocks", "blocks", load("slide:3x2")),
    Case("boxes", "boxes", ROOM),
    Case("pieces on tracks", "gliders", load("slide:3x2")),
    Case("pegs", "pegs", load("peg:star13")),
    Case("rule program of a browser", "program", load("slide:3x2")),
    Case("arrays of a person's own", "encoded", pancakes(6)),
    Case("games", "encoded", replace(GAME, encoding=lambda level: GameLayers(level.moves, 0))),
    Case("any Python values, from one end", "plain", Custom(lambda n: [n + 1, 2 * n][: 2 * (n < 40)], 3, 33)),
    Case("any Python values, from both ends", "bidirectional", Custom(around, 3, 33, back=around)),
    Case("numbers of positions", "table", load("slide:3x2")),
    Case("sums of presses", "linear", load("lights:3x3")),
)  # fmt: skip


def rows():
    """Rows of the table in the document: what, then the cells."""
    lines = TABLE.read_text().split("| positions are stored as | engine |")[1].split("\n\n")[0].splitlines()
    head, *found = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
    assert head == list(ABILITIES)
    return {row[0]: row[1:] for row in found[1:]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_an_encoding_can_do_what_the_table_says(case, tmp_path):
    found = ["yes" if able(case, tmp_path) else "–" for able in ABILITIES.values()]
    assert rows()[case.what] == [f"`{case.engine}`", *found]


def test_the_table_has_no_other_rows():
    assert list(rows()) == [case.what for case in CASES]
