"""Boards that are tilted as a whole; a second implementation moves all pieces that can move at the same time."""

from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

import puzzlespace
from puzzlespace.api.loader import from_text
from puzzlespace.contract.questions import Depths, Search, WantedLayers
from puzzlespace.engines import frontier, plain
from puzzlespace.engines.packed.front import COMPILE_FRONTIER
from puzzlespace.errors import FormatError, UnsupportedError
from puzzlespace.formats.pzl import parse, print_draft
from puzzlespace.graph import explore
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Watch
from puzzlespace.model import replay
from puzzlespace.model.goal import Goal
from puzzlespace.model.rule import ANY
from puzzlespace.render.text import description
from puzzlespace.web import wire

WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def tilt(start, goal="", **keys):
    text = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return from_text(f"rule: glide\ntilt: yes\n{text}start: {start}\n" + (f"goal: {goal}\n" if goal else ""), "t.pzl")


def after(puzzle, start=None):
    """The moves from a position, each with the drawing that it leads to."""
    model = puzzle.model()
    position = start if start is not None else model.start
    return {puzzle.frames((position, to), model)[1].name: puzzle.line(to) for to in model.moves(position)}


def test_all_pieces_glide_and_stop_before_each_other():
    puzzle = tilt("A . B . / . X . C", fixed="X")
    assert after(puzzle) == {
        "left": "A B . . / . X C .",
        "right": ". . A B / . X . C",
        "up": "A . B C / . X . .",
        "down": ". . . . / A X B C",
    }
    assert puzzle.model().metric.name == "tilt"
    assert tilt("A . .", count="tilt").metrics == ("tilt",)
    assert "One move tilts the board" in description(puzzle)
    assert parse(print_draft(puzzle.draft)) == puzzle.draft


def test_blocks_walls_and_lost_pieces():
    block = tilt("A A . . / . A . B / . . . .", blocks="A")
    assert after(block)["right"] == ". A A . / . . A B / . . . ."
    assert after(block)["down"] == ". . . . / A A . . / . A . B"
    ground = "\n  +-+-+\n  |A|.|\n  +-+-+".replace("A", ".")
    with pytest.raises(FormatError, match="blank"):
        tilt("A A", ground=ground)
    assert after(tilt("A .", ground=ground)) == {}
    lost = tilt("A . o", "A . .", edge="lost", ground="\n  +-+-+-+\n  |. . ..\n  +-+-+-+")
    assert after(lost) == {"left": "A o .", "right": ". . ."}
    assert puzzlespace.solve(lost).status.name == "IMPOSSIBLE"


def test_solutions_tables_graphs_and_the_page():
    puzzle = tilt("R . . o / . X . . / . . . .", "* * * * / * * * * / * R * *", fixed="X")
    answer = puzzlespace.solve(puzzle, count=True)
    assert (answer.moves, answer.names, answer.solutions) == (
        7,
        ("left", "down", "right", "up", "left", "down", "left"),
        2,
    )
    replay.replay(puzzle.model(), [bytes(each) for each in answer.path])
    table = puzzlespace.depths(puzzle, origin="start")
    graph = explore(puzzle)
    assert [int((graph.layers == depth).sum()) for depth in range(len(table.counts))] == list(table.counts)
    with pytest.raises(UnsupportedError, match="traced back"):
        puzzlespace.depths(puzzle, origin="goal")
    assert puzzlespace.solve(puzzle, engine="frontier").moves == answer.moves
    about = wire.about(puzzle)
    assert (about["gesture"], about["exhausts"], about["metrics"]) == ("tilt", True, ["tilt"])
    shown = wire.at(puzzle, puzzle.model(), puzzle.model().start)["moves"]
    assert {move["way"] for move in shown} == {"left", "right", "down"}
    assert all(move["piece"] is None for move in shown)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("edge: forbidden\n", r"3:7: tilt: expected an edge that stops"),
        ("diagonals: yes\n", "tilt: expected no diagonals"),
        ("passing: yes\n", "tilt: expected no goals in passing"),
        ("count: piece\n", r"3:8: count: expected one of tilt for rule glide, found 'piece'"),
        ("ground:\n  +-+-+\n  |o .|\n  +-+-+\n", r"4:3: tilt: expected a ground with walls only"),
        ("board:\n  a b\nlines: a-b\n", "tilt: expected a grid to tilt"),
    ],
)
def test_errors_name_their_place(text, message):
    with pytest.raises(FormatError, match=message):
        from_text(f"rule: glide\ntilt: yes\n{text}start: A .\n", "t.pzl")


def test_blocks_with_gaps_are_refused():
    with pytest.raises(FormatError, match=r"5:3: tilt: expected blocks without gaps"):
        from_text("rule: glide\ntilt: yes\nblocks: A\nstart:\n  A . A .\n  A A A .\n", "t.pzl")


class Tray:
    """A tray with walls and pieces, by simultaneous steps: a piece is held by a wall or by a piece that is held."""

    def __init__(self, random):
        self.wide, self.high = random.randint(2, 5), random.randint(1, 4)
        self.lost = random.random() < 0.3
        places = [(x, y) for y in range(self.high) for x in range(self.wide)]
        self.walls = {
            frozenset(((x, y), (x + u, y + v))) for x, y in places for u, v in WAYS.values() if random.random() < 0.08
        }
        pieces: list[tuple[str, frozenset]] = []
        free = set(places)
        for letter in "ABCD"[: random.randint(1, 4)]:
            here = random.choice(sorted(free))
            cells = {here}
            for _ in range(0 if self.lost else random.choice((0, 0, 1, 2, 3))):
                x, y = random.choice(sorted(cells))
                u, v = random.choice(list(WAYS.values()))
                near = (x + u, y + v)
                if near in free and not any(
                    frozenset((near, (near[0] + a, near[1] + b))) in self.walls for a, b in WAYS.values()
                ):
                    cells.add(near)
            if len(cells) > 1 and any(
                frozenset((c, (c[0] + a, c[1] + b))) in self.walls for c in cells for a, b in WAYS.values()
            ):
                cells = {here}
            pieces.append((letter, frozenset(cells)))
            free -= cells
            if len(free) < 2:
                break
        self.blocks = [letter for letter, cells in pieces if len(cells) > 1]
        self.start = frozenset(pieces)

    def tilted(self, pieces, way):
        pieces = dict(pieces)
        while True:
            held = {letter for letter, cells in pieces.items() if self.held(cells, way)}
            count = -1
            while len(held) > count:
                count = len(held)
                taken = {cell for letter in held for cell in pieces[letter]}
                for letter, cells in pieces.items():
                    if letter not in held and not taken.isdisjoint({(x + way[0], y + way[1]) for x, y in cells}):
                        held.add(letter)
            if len(held) == len(pieces):
                return frozenset(pieces.items())
            for letter in set(pieces) - held:
                moved = frozenset((x + way[0], y + way[1]) for x, y in pieces[letter])
                pieces[letter] = moved
                if not self.inside(min(moved)):
                    del pieces[letter]

    def inside(self, cell):
        return 0 <= cell[0] < self.wide and 0 <= cell[1] < self.high

    def held(self, cells, way):
        """Whether a wall or the edge stops a piece; it may not lie across a wall either."""
        moved = {(x + way[0], y + way[1]) for x, y in cells}
        across = any(wall <= moved for wall in self.walls)
        return across or any(self.stopped(cell, way) for cell in cells)

    def stopped(self, cell, way):
        ahead = (cell[0] + way[0], cell[1] + way[1])
        return frozenset((cell, ahead)) in self.walls or (not self.inside(ahead) and not self.lost)

    def drawn(self, pieces):
        at = {cell: letter for letter, cells in pieces for cell in cells}
        rows = ([at.get((x, y), ".") for x in range(self.wide)] for y in range(self.high))
        return " / ".join(" ".join(row) for row in rows)

    def text(self):
        def wall(a, b, sign):
            return sign if frozenset((a, b)) in self.walls else "."

        rows = []
        for y in range(self.high + 1):
            rows.append("+" + "".join(wall((x, y - 1), (x, y), "-") + "+" for x in range(self.wide)))
            if y < self.high:
                rows.append(
                    wall((-1, y), (0, y), "|") + "".join("." + wall((x, y), (x + 1, y), "|") for x in range(self.wide))
                )
        keys = f"blocks: {' '.join(self.blocks)}\n" if self.blocks else ""
        keys += "edge: lost\n" if self.lost else ""
        ground = "\n  ".join(["ground:", *rows])
        return f"board: grid {self.wide}x{self.high}\nrule: glide\ntilt: yes\ndistinct: all\n{keys}{ground}\nstart: "


def compared(seed):
    """Compare moves and layers with a second implementation; return whether the puzzle was accepted."""
    tray = Tray(Random(seed))
    try:
        puzzle = from_text(tray.text() + tray.drawn(tray.start) + "\n", "t.pzl")
    except FormatError:
        return False
    layers, seen = [{tray.start}], {tray.start}
    while layers[-1]:
        following = {tray.tilted(pieces, way) for pieces in layers[-1] for way in WAYS.values()} - seen
        seen |= following
        layers.append(following)
    told = puzzlespace.depths(puzzle, origin="start")
    assert list(told.counts) == [len(layer) for layer in layers[:-1]], tray.text() + tray.drawn(tray.start)
    for pieces in sorted(seen, key=tray.drawn)[:20]:
        expected = {tray.drawn(tray.tilted(pieces, way)) for way in WAYS.values()} - {tray.drawn(pieces)}
        assert set(after(puzzle, puzzle.read(tray.drawn(pieces))).values()) == expected, tray.text()
    return True


def test_random_trays():
    assert sum(compared(seed) for seed in range(60)) > 40


@pytest.mark.long
def test_many_random_trays():
    assert sum(compared(seed) for seed in range(60, 3000)) > 2000


@pytest.mark.parametrize("switch", [None, 0])
def test_layers_of_packed_positions_are_those_of_the_plain_engine(switch):
    """Also what they hand over, collect and find; `switch` 0: by compiled loops."""
    thresholds, accepted = Thresholds({COMPILE_FRONTIER: switch}), 0
    for seed in range(60):
        tray = Tray(Random(seed))
        with suppress(FormatError):
            model = from_text(tray.text() + tray.drawn(tray.start) + "\n", "t.pzl").model()
            accepted += 1
            far = plain.depths(Depths(model, (model.start,), keep=3), Watch())
            counted = (*map(Goal.exactly, far.deepest), Goal((ANY,) * model.cells, ((0, far.deepest[0].count(0)),)))
            space, answers = replace(model, goals=counted), []
            for engine in (plain, frontier):
                handed = []

                def take(depth, blocks, handed=handed):
                    handed += [(depth, bytes(each)) for block in blocks for each in block]

                watch = Watch(thresholds=thresholds)
                found = engine.depths(Depths(space, (space.start,), 5, counted, WantedLayers(take)), watch)
                ways = engine.search(Search(space, space.start, (*far.deepest,)), Watch(thresholds=thresholds))
                answers.append((found.counts, found.deepest, sorted(found.collected), sorted(handed), ways.layers))
            assert answers[0] == answers[1]
    assert accepted > 40
