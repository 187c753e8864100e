"""Twisty puzzles as `.tws` text: published layer counts by every engine, and random ones beside a tiny simulator."""

import csv
import json
from random import Random

import pytest

from places import DATA, ROOT
from puzzlespace.api import questions
from puzzlespace.api.loader import from_file, from_text
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import frontier, plain, table
from puzzlespace.formats import kpuzzle, tws
from puzzlespace.limits.watch import Watch
from puzzlespace.registry import build
from twisty import EXAMPLES, PUZZLES, Turn, cube2, cube3, example, layer_turns

ROWS = list(csv.DictReader((DATA / "twisty.csv").read_text().splitlines()))
SMALL, MIDDLE, LARGE = 3_000, 200_000, 1_000_000
"""Positions up to which plain, frontier and tables count in the normal suite."""

FRAMES = 30_000
"""Positions up to which frames are listed in the normal suite: that takes long."""

RANKED = 50_000_000
"""Positions up to which tables by rank count in the long tests: they are the slowest kind."""

NO_NUMBERS = ("antislices", "slice and side")
"""No kind of table numbers these with few ranks too many, and to find that out takes seconds."""

QUICK = [row for row in ROWS if int(row["positions"]) <= LARGE or row["puzzle"] == "2x2x2"]


def published(row):
    """The layer counts of a row; for the Pyraminx with tips those that follow from the one without."""
    if row["counts"]:
        return [int(word) for word in row["counts"].split()]
    counts = published(next(each for each in ROWS if each["puzzle"] == "Pyraminx"))
    for _ in range(4):
        counts = [core + 2 * wrong for core, wrong in zip((*counts, 0), (0, *counts), strict=True)]
    return counts


def asked(row):
    model = from_text(PUZZLES[row["puzzle"]]().text(), "x.tws").model(row["metric"])
    return Depths(model, (model.goals[0].position,), 0)


def tables(model, without=()):
    """Every kind of table that can number the positions of a model."""
    found = {kind: table.choose_kind(model, kind) for kind in table.KINDS if kind not in without}
    return [chosen for chosen in found.values() if chosen is not None]


def counted(chosen, question):
    return chosen.count(chosen.plan, question, Watch(), None).counts


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['puzzle']}-{row['metric']}")
def test_published_numbers_add_up(row):
    assert sum(published(row)) == int(row["positions"])


@pytest.mark.parametrize("row", QUICK, ids=lambda row: f"{row['puzzle']}-{row['metric']}")
def test_published_counts_come_out_of_every_engine(row):
    question, size, counts = asked(row), int(row["positions"]), tuple(published(row))
    tried = 0
    without = table.KINDS if row["puzzle"] in NO_NUMBERS else ("frame",) if size > FRAMES else ()
    for chosen in tables(question.space, without):
        if chosen.plan.positions <= 12 * size and (chosen.kind != "rank" or size <= MIDDLE):
            assert counted(chosen, question) == counts, chosen.kind
            tried += 1
    if size <= MIDDLE:
        assert frontier.ENGINE.depths(question, Watch()).counts == counts
        tried += 1
    if size <= SMALL:
        assert plain.depths(question, Watch()).counts == counts
    assert tried


@pytest.mark.long
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['puzzle']}-{row['metric']}")
def test_published_counts_come_out_of_every_engine_at_length(row):
    question, counts = asked(row), tuple(published(row))
    for chosen in tables(question.space):
        if chosen.plan.bytes < 2**32 and (chosen.kind != "rank" or int(row["positions"]) <= RANKED):
            assert counted(chosen, question) == counts, chosen.kind
    if int(row["positions"]) < 10**8:
        assert frontier.ENGINE.depths(question, Watch()).counts == counts


def test_a_user_gets_the_same_by_the_automatic_choice(tmp_path):
    for name, metric in (("floppy cube", "run"), ("slices", "step")):
        file = tmp_path / "x.tws"
        file.write_text(PUZZLES[name]().text())
        row = next(row for row in ROWS if (row["puzzle"], row["metric"]) == (name, metric))
        assert list(questions.depths(file, metric=metric, keep=0).counts) == published(row)


def test_both_ways_to_tell_turns_say_the_same_puzzle():
    for name in ("floppy cube", "Skewb", "Pyraminx with tips", "Halpern-Kolmelij pyramid", "Pyramorphix"):
        puzzle = PUZZLES[name]()
        after, before = puzzle.text("MoveTransformation").replace("Solved", "StartState", 1), puzzle.text()
        assert tws.parse(before, "").moves == tws.parse(_from_nothing(after), "").moves


def _from_nothing(text):
    """The pieces of a `StartState` counted from 0."""
    rows = text.split("\n")
    at, end = rows.index("StartState"), rows.index("End")
    for index in range(at + 2, end, 2 + 1):
        rows[index] = " ".join(str(int(word) - 1) for word in rows[index].split())
    return "\n".join(rows)


def test_turns_of_a_whole_cube_are_left_out():
    whole = {name: (Turn(axis, 4, lambda point: True),) for name, axis in (("Uv", (0, 0, 1)), ("x", (1, 0, 0)))}
    for puzzle in (cube2(False), cube3(layer_turns("UDRLFB"))):
        turned = type(puzzle)(puzzle.pieces, puzzle.moves | whole)
        assert tws.parse(turned.text(), "") == tws.parse(puzzle.text(), "")


# ---- random puzzles beside a simulator that shares nothing with the package


class Small:
    """A random puzzle of a few sets. sets: (name, places, ways, labels, turned, seen) with `seen` ways of each label;
    moves: (name, [(sources, deltas on arriving)] for each set).
    """

    def __init__(self, random, wild):
        self.sets = []
        for name in ("AB", "C", "CD")[: random.randint(1, 3)]:
            places, ways = random.randint(1, 5), random.choice((1, 1, 2, 3, 4))
            labels = [random.randint(1, places) for _ in range(places)] if random.random() < 0.6 else [*range(places)]
            labels = [sorted(set(labels)).index(label) + 1 for label in labels]
            divisors = [each for each in range(1, ways + 1) if ways % each == 0]
            seen = {label: random.choice((1, ways) if wild else divisors) for label in labels}
            turned = [random.randrange(ways) for _ in labels]
            self.sets.append((name, places, ways, labels, turned, seen))
        self.moves = []
        for name in ("M", "N'", "2K")[: random.randint(1, 3)]:
            parts = []
            for _, places, ways, *_ in self.sets:
                sources = [*range(places)]
                if random.random() < 0.7:
                    random.shuffle(sources)
                parts.append((sources, [random.randrange(ways) if random.random() < 0.5 else 0 for _ in sources]))
            self.moves.append((name, parts))

    def layers(self, powers, most):
        """The number of positions at each distance; None if there are more than `most`."""
        start = tuple(
            tuple((label, turn % seen[label]) for label, turn in zip(labels, turned, strict=True))
            for _, _, _, labels, turned, seen in self.sets
        )
        effects = []
        for _, parts in self.moves:
            still = [([*range(places)], [0] * places) for _, places, *_ in self.sets]
            powered = [parts]
            while powered[-1] != still:
                powered.append([self.after(*pair) for pair in zip(powered[-1], parts, self.sets, strict=True)])
            chosen = powered[:-1] if powers else [powered[0], powered[-2] if len(powered) > 1 else powered[0]]
            effects += chosen
        seen, layer, counts = {start}, [start], []
        while layer:
            counts.append(len(layer))
            found = {self.moved(position, effect) for position in layer for effect in effects} - seen
            seen |= found
            layer = list(found)
            if len(seen) > most:
                return None
        return counts

    def after(self, first, second, part):
        """What a move of one set and then another do."""
        sources, deltas = [], []
        for place, source in enumerate(second[0]):
            sources.append(first[0][source])
            deltas.append((first[1][source] + second[1][place]) % part[2])
        return sources, deltas

    def moved(self, position, effect):
        """A position after a move: the piece at `place` comes from `source` and is turned on arriving."""
        found = []
        for held, (sources, deltas), part in zip(position, effect, self.sets, strict=True):
            seen = part[5]
            pieces = []
            for source, delta in zip(sources, deltas, strict=True):
                label, turn = held[source]
                pieces.append((label, (turn + delta) % seen[label]))
            found.append(tuple(pieces))
        return tuple(found)

    def text(self, old):
        """The puzzle as `.tws` text; old: with `Move`, whose turns stand where the piece was."""
        rows = ["Name random"] + [f"Set {name} {places} {ways}" for name, places, ways, *_ in self.sets]
        rows.append("Solved" if old else "StartState")
        for name, _, ways, labels, turned, seen in self.sets:
            shown = ["?" if seen[label] < ways else str(turn) for label, turn in zip(labels, turned, strict=True)]
            rows += [name, " ".join(str(label - (not old)) for label in labels), " ".join(shown)]
        rows.append("End")
        for name, parts in self.moves:
            rows.append(f"{'Move' if old else 'MoveTransformation'} {name}")
            for (called, *_), (sources, deltas) in zip(self.sets, parts, strict=True):
                left = [0] * len(sources)
                for place, source in enumerate(sources):
                    left[source if old else place] = deltas[place]
                rows += [called, " ".join(str(source + old) for source in sources), " ".join(map(str, left))]
            rows.append("End")
        return "\n".join(rows)

    def object(self):
        """The puzzle as KPuzzle."""
        sets = [{"orbitName": name, "numPieces": p, "numOrientations": w} for name, p, w, *_ in self.sets]
        solved, moves = {}, {}
        for name, _, _, labels, turned, seen in self.sets:
            ways = [seen[label] for label in labels]
            solved[name] = {"pieces": [label - 1 for label in labels], "orientation": turned, "orientationMod": ways}
        for name, parts in self.moves:
            named = zip(self.sets, parts, strict=True)
            moves[name] = {part[0]: {"permutation": came, "orientationDelta": by} for part, (came, by) in named}
        return json.dumps({"name": "random", "orbits": sets, "defaultPattern": solved, "moves": moves})


@pytest.mark.parametrize("seed", [*range(16), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(16, 200))])
def test_random_puzzles_have_the_layers_of_a_simulator(seed):
    random = Random(seed)
    form = random.choice(("old", "new", "object"))
    while True:
        small = Small(random, form != "object")
        counts = {metric: small.layers(metric == "run", 3_000) for metric in ("step", "run")}
        if all(counts.values()) and sum(counts["run"]) > 1:
            break
    text = small.object() if form == "object" else small.text(form == "old")
    puzzle = build((kpuzzle if form == "object" else tws).parse(text, ""), "x")
    for metric, expected in counts.items():
        model = puzzle.model(metric)
        question = Depths(model, (model.goals[0].position,), 0)
        assert list(plain.depths(question, Watch()).counts) == expected, text
        assert list(frontier.ENGINE.depths(question, Watch()).counts) == expected, text
        for chosen in tables(model):
            if chosen.plan.positions < 10**6:
                assert list(counted(chosen, question)) == expected, (chosen.kind, text)


# ---- examples/twisty


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_are_as_their_geometry(name):
    assert (ROOT / "examples" / "twisty" / f"{name}.tws").read_text() == example(name)


def test_the_example_of_the_pyraminx_has_the_published_counts():
    row = next(row for row in ROWS if row["puzzle"] == "Pyraminx")
    assert list(questions.depths(ROOT / "examples/twisty/pyraminx.tws", keep=0).counts) == published(row)


@pytest.mark.parametrize("name", ["skewb", "pyraminx-tips"])
def test_the_other_examples_begin_with_the_published_counts(name):
    counts = published(next(row for row in ROWS if row["puzzle"] == EXAMPLES[name][0]))
    model = from_file(ROOT / "examples" / "twisty" / f"{name}.tws").model("run")
    seen, layer = set(), {model.goals[0].position}
    for count in counts[:4]:
        assert len(layer) == count
        seen |= layer
        layer = {child for position in layer for child in model.moves(position)} - seen


@pytest.mark.parametrize(
    ("name", "scramble", "moves"),
    [
        ("pyraminx", "U R' L B' U", 5),
        ("pyraminx-tips", "U u r' L l", 5),
        ("skewb", "R U' L B", 4),
        pytest.param("megaminx", "U R2 DBL' F", 4, marks=pytest.mark.long),
    ],
)
def test_scrambles_in_letters_are_solved(name, scramble, moves):
    puzzle = questions.with_start(from_file(ROOT / "examples" / "twisty" / f"{name}.tws"), scramble)
    assert questions.solve(puzzle).moves == moves


def test_a_side_of_the_dodecahedron_turns_five_edges_and_five_corners_clockwise():
    puzzle = EXAMPLES["megaminx"][1]()
    assert puzzle.turns["U"]["F"] == "L"
    assert puzzle.turns["F"]["U"] == "R"
    assert puzzle.turns["D"]["DL"] == "DR"
    for name in puzzle.moves:
        for came, _ in puzzle.effects(name):
            assert sum(source != place for place, source in enumerate(came)) == 5
