"""Few pieces in one word: held against the plain engine on random boards; tracks; the limits; what is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, permutations
from random import Random
from unittest import mock

import pytest

from fuzz.generators import accepted, draw, draw_glide
from places import ROOT
from puzzlespace.api import questions
from puzzlespace.api.loader import from_file, from_text
from puzzlespace.contract.questions import ATTEMPT_LOADED, Depths, Prospect, Search, WantedLayers, Worth
from puzzlespace.engines import gliders, plain
from puzzlespace.engines.gliders import layers, meeting
from puzzlespace.engines.packed import rows as packed_rows
from puzzlespace.errors import FormatError, LimitError, UnsupportedError
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import STRIDE, Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.search.disk_layers import OnDisk
from puzzlespace.structure.glides import StopTrack, read

LOW = Thresholds({STRIDE: 7})
ROBOTS = ROOT / "examples" / "drawn" / "ricochet25.pzl"


def robots(random, letters=(), size=(), walls=0.2):
    """A board with walls between cells, several kinds of robots, and a goal for one of them."""
    width, height = size or (random.randint(2, 4), random.randint(2, 3))
    across, down = ([[random.random() < walls for _ in range(width)] for _ in range(height)] for _ in range(2))
    ground = []
    for y in range(height):
        ground.append("+" + "".join(("-" if y and down[y][x] else " ") + "+" for x in range(width)))
        ground.append("." + "".join("." + ("|" if x + 1 < width and across[y][x] else " ") for x in range(width)))
    ground.append("+ " * width + "+")
    letters = letters or random.choice(("Ro", "Roo", "Rooo", "RRoo", "RGoo", "RGBY"))
    places = random.sample(range(width * height), min(len(letters), width * height - 1))
    start = ["."] * (width * height)
    for place, letter in zip(places, letters, strict=False):
        start[place] = letter
    goal = ["*"] * (width * height)
    goal[random.randrange(width * height)] = "R"
    text = "rule: glide\ncount: piece\n"
    for key, rows in (("ground", ground), ("start", drawn(start, width)), ("goal", drawn(goal, width))):
        text += f"{key}:\n" + "".join(f"  {row}\n" for row in rows)
    return text


def drawn(words, width):
    return [" ".join(words[at : at + width]) for at in range(0, len(words), width)]


def layer_of(engine, question, depth):
    """Return the positions of a layer that an engine hands over."""
    taken = []

    def take(number, blocks):
        taken.extend((number, bytes(position)) for block in blocks for position in block)

    engine.depths(replace(question, wanted=WantedLayers(take, depth, depth)), Watch(thresholds=LOW))
    return sorted(taken)


def held(space, sources, goals):
    """Compare depths, and if there are goals both kinds of search, with the plain engine; return the greatest depth."""
    for some in (sources[:1], sources):
        question = Depths(space, some, keep=5, collect=goals)
        expected, found = plain.depths(question, Watch()), gliders.depths(question, Watch(thresholds=LOW))
        assert (found.counts, found.deepest) == (expected.counts, expected.deepest)
        assert sorted(found.collected) == sorted(expected.collected)
        assert layer_of(gliders, question, 2) == layer_of(plain, question, 2)
    for every in (True, False) if goals and space.goals == goals else ():
        asked = Search(space, sources[0], every=every)
        first, other = plain.search(asked, Watch()), gliders.search(asked, Watch(thresholds=LOW))
        assert first.bound == other.bound
        assert first.layers == other.layers or not every
        assert [len(layer) for layer in other.layers] == [1] * len(first.layers) or every
        assert all(mine <= all_ for mine, all_ in zip(other.layers, first.layers, strict=True))
    return len(expected.counts) - 1


def compared(text, seed, monkeypatch):
    """Compare the engine with the plain one in both directions, in bits and in a hash table; return the depths."""
    puzzle = accepted(text)
    monkeypatch.setattr(layers, "MOST_BITS", (0, 1 << 33)[seed & 1])
    monkeypatch.setattr(layers, "SLOTS", (2, 64)[seed >> 1 & 1])
    for name, value in zip(("ROOM", "MOST_ROOM"), (1, 1) if seed % 3 else (1 << 16, 1 << 22), strict=True):
        monkeypatch.setattr(layers, name, value)
    found = []
    for metric in puzzle.metrics if puzzle.start is not None else ():
        model = puzzle.model(metric)
        for space in (model, model.backward):
            if space is not None and gliders.ENGINE.refuses(space, "depths") is None:
                far = plain.depths(Depths(space, (model.start,)), Watch()).deepest
                found.append(held(space, tuple(dict.fromkeys((model.start, *far[:2]))), model.goals))
    return found


def test_random_boards_are_searched_as_the_plain_engine_does(monkeypatch):
    depths = [depth for seed in range(14) for depth in compared(draw_glide(seed), seed, monkeypatch)]
    depths += [depth for seed in range(12) for depth in compared(robots(Random(seed)), seed, monkeypatch)]
    assert len(depths) > 40
    assert max(depths) > 8


def test_boards_of_more_cells_than_a_byte_counts_are_searched_as_the_plain_engine_does():
    model = from_text(robots(Random(5), "Ro", (18, 18), 0.0), "x.pzl").model()
    assert len(read(model, model.start).cells) == 324
    assert held(model, (model.start,), model.goals) > 2


def molecule(random):
    """A board with walls and atoms that are to be put together anywhere, some of them alike, up to four of a kind."""
    width, height = random.randint(3, 5), random.randint(3, 4)
    atoms = random.choice(("AB", "AA", "ABB", "ABC", "AAA", "AAB", "AAAA", "AABB"))
    cells = random.sample(range(width * height), width * height)
    start = [random.choice("...#.") for _ in cells]
    for cell, atom in zip(cells, atoms, strict=False):
        start[cell] = atom
    across = random.randint(1, min(width, len(atoms)))
    goal = random.sample(atoms, len(atoms)) + ["*"] * (-len(atoms) % across)
    text = "rule: glide\ncount: piece\nanywhere: yes\n"
    for key, rows in (("start", drawn(start, width)), ("goal", drawn(goal, across))):
        text += f"{key}:\n" + "".join(f"  {row}\n" for row in rows)
    return text


def met(seeds, monkeypatch):
    """Compare both kinds of search for molecules with the plain engine; return the lengths of shortest solutions."""
    found = []
    for seed in seeds:
        monkeypatch.setattr(layers, "SLOTS", (2, 64)[seed & 1])
        monkeypatch.setattr(layers, "ROOM", (1, 1 << 16)[seed >> 1 & 1])
        try:
            model = from_text(molecule(Random(seed)), "x.pzl").model("piece")
        except FormatError:
            continue
        reading = read(model, model.start)
        ends = meeting.placed(model.goals, reading)
        expected = [plain.search(Search(model, model.start, every=every), Watch()) for every in (True, False)]
        for every, asked in zip((True, False), expected, strict=True):
            answer = gliders.search(Search(model, model.start, every=every), Watch(thresholds=LOW))
            assert answer.bound == asked.bound, molecule(Random(seed))
            assert answer.layers == asked.layers or not every
            assert [len(layer) for layer in answer.layers] == [1] * len(asked.layers) or every
            assert all(one <= all_ for one, all_ in zip(answer.layers, expected[0].layers, strict=True))
        if expected[0].bound and ends:
            run = layers.Gliders(model, reading, (model.start,), model.goals, Watch())
            search = meeting.Meeting(run, model.start, ends)
            assert search.forth.bound() <= expected[0].bound
            assert search.length() == expected[0].bound
            found.append(expected[0].bound)
    return found


@pytest.mark.parametrize("dense", [True, False])
def test_memory_that_ends_anywhere_leaves_what_the_disk_needs(dense, monkeypatch):
    for name, value in (("ROOM", 16), ("MOST_ROOM", 16), ("SLOTS", 16), ("MOST_BITS", dense * layers.MOST_BITS)):
        monkeypatch.setattr(layers, name, value)
    monkeypatch.setattr(packed_rows, "AT_ONCE", 9)
    reserve, moves = Watch.reserve, 0
    for seed in range(8):
        model = from_text(robots(Random(seed)), "x.pzl").model()
        question = Depths(model, (model.start,), 5)
        expected = plain.depths(question, Watch())
        for last in (1, 2, 3, 5, 8, 13, 21, 34):
            calls = count(1)

            def reserved(watch, wanted, bound=0, last=last, calls=calls):
                if next(calls) == last:
                    raise LimitError("memory", "as if it were too small", bound)
                reserve(watch, wanted, bound)

            with (
                mock.patch.object(Watch, "reserve", reserved),
                mock.patch.object(OnDisk, "move", side_effect=OnDisk.move, autospec=True) as moved,
            ):
                found = gliders.depths(question, Watch(thresholds=LOW))
            if moved.called:
                moves += 1
                assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.deepest, True)
    assert moves > 20


def test_molecules_are_searched_from_both_ends(monkeypatch):
    lengths = met(range(60), monkeypatch)
    assert len(lengths) > 10
    assert max(lengths) > 5


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_positions_of_several_words(seed):
    """Ten atoms on 72 cells, and the goal a few moves away."""
    random = Random(seed)
    start = ["."] * 72
    for cell, atom in zip(random.sample(range(72), 10), "AAAABBBCCD", strict=True):
        start[cell] = atom
    text = "rule: glide\ncount: piece\nstart:\n" + "".join(f"  {row}\n" for row in drawn(start, 9))
    model = from_text(text + "goal:\n" + "  * * * * * * * * A\n" * 8, "x.pzl").model("piece")
    position = model.start
    for _ in range(3):
        position = random.choice(sorted(model.moves(position)))
    model = replace(model, goals=(Goal.exactly(position),))
    assert read(model, model.start).width == 2
    expected = plain.search(Search(model, model.start), Watch())
    found = gliders.search(Search(model, model.start), Watch(thresholds=LOW))
    assert found.layers == expected.layers
    assert found.bound == expected.bound == 3
    assert "do not fit a word" in gliders.ENGINE.refuses(model, "depths")


@pytest.mark.long
def test_many_molecules_are_searched_from_both_ends(monkeypatch):
    assert len(met(range(60, 3000), monkeypatch)) > 500


@pytest.mark.long
def test_many_random_boards_are_searched_as_the_plain_engine_does(monkeypatch):
    assert sum(len(compared(draw_glide(seed), seed, monkeypatch)) for seed in range(14, 1000)) > 1000
    assert sum(len(compared(robots(Random(seed)), seed, monkeypatch)) for seed in range(12, 1000)) > 1000
    assert sum(len(compared(draw(seed), seed, monkeypatch)) for seed in range(300)) > 300


def test_the_nearest_piece_decides():
    """A row of six cells: the robot is stopped by the nearer of two pieces, by the wall, or not at all."""
    model = from_text(
        "rule: glide\ncount: piece\nedge: forbidden\nstart: R . o . o .\ngoal: * * * R * *\n", "x.pzl"
    ).model()
    reading = read(model, model.start)
    (track,) = reading.tracks[0][0]
    assert track == StopTrack((1, 2, 3, 4), {1: 1, 2: 2, 3: 4, 4: 6, 5: 8}, 9)
    moved = set(gliders.depths(Depths(model, (model.start,), keep=9), Watch()).counts)
    assert moved == set(plain.depths(Depths(model, (model.start,)), Watch()).counts)


def test_the_least_positions_are_those_of_plain_bytes():
    model = from_text("rule: glide\ncount: piece\nstart: A B B . . .\ngoal: * * * * * A\n", "x.pzl").model()
    reading = read(model, model.start)
    everything = sorted({bytes(each) for each in permutations(model.start)})
    assert len(everything) == 60
    for most in range(len(everything) + 2):
        assert reading.least(reading.words(everything[::-1]), most) == everything[:most]
    with pytest.raises(UnsupportedError, match="expected positions with the same pieces"):
        reading.words([bytes(6)])


def test_limits():
    puzzle = from_file(ROBOTS)
    answer = questions.solve(puzzle, engine="gliders", limits=Limits(positions=5000))
    assert (answer.status.value, answer.bound) == ("stopped", 6)
    assert 5 <= answer.expanded <= answer.generated
    assert questions.solve(puzzle, engine="gliders", limits=Limits(memory=1)).stopped.kind == "memory"
    table = questions.depths(puzzle, engine="gliders", limits=Limits(positions=5000))
    assert table.counts[:5] == (1, 8, 36, 117, 314)
    assert not table.complete


@pytest.mark.long
def test_four_robots_need_25_moves():
    claims = questions.check_known(from_file(ROBOTS))
    assert [(claim.found, claim.holds) for claim in claims] == [(25, True)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rule: slide\nstart: a a b .\ngoal: . b * *\nblocks: all\n", "some rules are not moves of one piece"),
        ("rule: slide\ncount: run\nstart: a . .\ngoal: . . a\n", "its moves are made of several rules"),
        ("rule: glide\ncount: piece\ngoal: R * *\n", "the pieces are not known"),
        ("rule: glide\ncount: step\nstart: R . .\ngoal: * * R\n", "its moves have different costs"),
        ("rule: jump\nstart: o o .\ngoal: . . o\n", "some rules are not moves of one piece"),
        ("rule: glide\ncount: piece\nstart: A B C D E F G H I J K L M N O P .\n", "its pieces do not fit a word"),
    ],
)
def test_what_is_refused(text, why):
    assert why in gliders.ENGINE.refuses(from_text(text, "x.pzl").model(), "search")


def test_the_engine_is_chosen_for_gliding_pieces():
    assert questions.solve(from_file(ROBOTS), limits=Limits(positions=100_000)).engine == "gliders"
    assert questions.solve("eight").engine != "gliders"


def test_layers_of_pieces_that_do_not_fit_a_word_are_left_to_other_engines():
    empty, full = [" ".join("." * 8)] * 6, [" ".join(row) for row in ("ABCDEFGH", "IJKLMNOP")]
    rows = {"start": full + empty, "goal": empty + full}
    text = "rule: glide\n" + "".join(f"{key}:\n" + "".join(f"  {row}\n" for row in rows[key]) for key in rows)
    model = from_text(text, "wide").model()
    prospect = Prospect(Watch(), lambda: 10**9)
    assert gliders.worth(Search(model, model.start), prospect) == Worth(after=ATTEMPT_LOADED.usual)
    reason = gliders.worth(Depths(model, (model.start,)), prospect).reason
    assert reason == gliders.refuses(model, "depths") is not None
