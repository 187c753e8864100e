"""Layers saved by every engine that can: drawn puzzles, stopped and resumed, on disk, asked; small memory; kills."""

import json
import subprocess
import sys
from random import Random
from unittest import mock

import pytest

from fuzz import generators
from places import SUPPORT
from puzzlespace import TableError, load, saving
from puzzlespace.api.loader import from_text
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.engines.packed import rows
from puzzlespace.errors import LimitError
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.search.disk_layers import SPILL_FROM, OnDisk
from puzzlespace.search.merge import LEAST_AT_ONCE
from puzzlespace.search.runs import RUN_BLOCK
from puzzlespace.tables import runs_engines
from puzzlespace.tables.kinds import answering_engine, table_of, verify
from random_levels import kinds, level, passage

FEWEST, MOST = 20, 800
"""Only puzzles with so many positions are counted: by the plain engine, too."""

move = OnDisk.move
BY_NAME = {engine.name: engine for engine in runs_engines.ENGINES}


def levels(seed):
    """A level of boxes, in one of its metrics."""
    chance = Random(seed)
    draw = (level, passage, kinds)[seed % 3]
    return from_text(draw(chance), "x.pzl" if draw is kinds else "x.xsb"), ("push", "run", "move")[seed // 3 % 3]


def pieces(seed):
    """Blocks of any shape, or pieces of one cell, in one of their metrics."""
    chance = Random(seed)
    text = (generators.blocks, generators.blocks, generators.slide, generators.bars)[seed % 4](chance)
    puzzle = generators.accepted(text) if text is not None else None
    return puzzle, puzzle and chance.choice(puzzle.metrics)


def tracks(seed):
    """Pieces that glide, in one of their metrics."""
    chance = Random(seed)
    text = generators.glide(chance)
    puzzle = generators.accepted(text) if text is not None else None
    return puzzle, puzzle and chance.choice(puzzle.metrics)


DRAWN = {"boxes": (levels, 60), "blocks": (pieces, 210), "gliders": (tracks, 240)}
"""For each engine a function of a seed that draws a puzzle and its metric, and how many are drawn."""


def models(engine, some=None):
    """Yield drawn puzzles that the engine counts, with their metric, model, and distance of every position."""
    draw, number = DRAWN[engine]
    for seed in range(number if some is None else some):
        puzzle, metric = draw(seed)
        model = puzzle.model(metric) if puzzle is not None else None
        if model is None or model.start is None or runs_engines.refuses(BY_NAME[engine], model) is not None:
            continue
        found = distances(model)
        if found is not None and len(found) >= FEWEST:
            yield seed, puzzle, metric, model, found


def distances(model):
    """The distance of every position from the start; None if there are more than MOST."""
    start = model.settled(model.start)
    found, layer = {start: 0}, [start]
    while layer:
        layer = [child for position in layer for child in model.moves(position) if child not in found]
        layer = list(dict.fromkeys(layer))
        found |= dict.fromkeys(layer, found[next(iter(reversed(found)))] + 1)
        if len(found) > MOST:
            return None
    return found


def files(folder):
    return {path.name: path.read_bytes() for path in folder.glob("layer-*")}


@pytest.mark.parametrize("engine", DRAWN)
def test_drawn_puzzles_are_stopped_and_resumed_to_the_same_files(engine, tmp_path):
    stops = layers = by_frontier = 0
    for seed, puzzle, metric, model, known in models(engine):
        chance, whole, parts = Random(seed), tmp_path / f"whole-{seed}", tmp_path / f"parts-{seed}"
        question = Depths(model, (model.settled(model.start),), 5)
        expected = plain.depths(question, Watch())

        def saved(folder, most=None, spill=None, name=engine, **more):
            by = Thresholds({SPILL_FROM: spill, LEAST_AT_ONCE: 40, RUN_BLOCK: 4})
            made = saving(puzzle, folder, engine=name, metric=metric, every=0, **more)  # noqa: B023
            return made.depths(question, Watch(Limits(positions=most), thresholds=by))  # noqa: B023

        assert saved(whole).counts == expected.counts
        for most in (*sorted(chance.choices(range(2, 4 * len(known)), k=3)), None):
            found = saved(parts, most, chance.choice((None, 1, 5, 30)), resume=True)
            assert found.counts == expected.counts[: len(found.counts)]
            stops += found.stopped is not None
            if found.complete:
                break
        assert (found.counts, found.deepest[:5], found.complete) == (expected.counts, expected.deepest, True)
        assert files(parts) == files(whole)
        assert table_of(whole, model).distances([*known]) == [*known.values()]
        assert verify(parts, model, 20, True)["states"] == len(known)
        if runs_engines.refuses(runs_engines.ENGINES[0], model) is None:
            saved(tmp_path / f"frontier-{seed}", name="frontier")
            assert files(tmp_path / f"frontier-{seed}") == files(whole)
            by_frontier += 1
        layers += len(expected.counts)
    assert stops > 12
    assert layers > 80
    assert by_frontier > 4


@pytest.mark.parametrize("engine", DRAWN)
def test_drawn_puzzles_are_counted_on_disk_with_their_goals(engine):
    met = 0
    for _, _, _, model, _ in models(engine):
        question = Depths(model, (model.settled(model.start),), 5, model.goals)
        expected = plain.depths(question, Watch())
        for spill in (1, 20):
            by = Thresholds({SPILL_FROM: spill, LEAST_AT_ONCE: 40, RUN_BLOCK: 4})
            with mock.patch.object(OnDisk, "move", side_effect=move, autospec=True) as moved:
                found = BY_NAME[engine].depths(question, Watch(thresholds=by))
            assert (found.counts, found.deepest, found.complete) == (expected.counts, expected.deepest, True)
            assert sorted(found.collected) == sorted(expected.collected)
            assert moved.called == (max(found.counts) >= spill)
        met += bool(found.collected)
    assert met > 3


@pytest.mark.parametrize(("engine", "spec", "metric"), [("boxes", "microban36", "push"), ("blocks", "century", "step")])
def test_layers_larger_than_the_memory_are_on_disk(engine, spec, metric, monkeypatch):
    model = load(spec).model(metric)
    question = Depths(model, (model.settled(model.start),), 5)
    whole = BY_NAME[engine].depths(question, Watch())
    monkeypatch.setattr(rows, "AT_ONCE", 500)
    for most in (1 << 18, 1 << 19, 1 << 20):
        reserve = Watch.reserve

        def reserved(watch, wanted, bound=0, most=most, reserve=reserve):
            if wanted > most:
                raise LimitError("memory", "as if it were too small", bound)
            reserve(watch, wanted, bound)

        with (
            mock.patch.object(OnDisk, "move", side_effect=move, autospec=True) as moved,
            mock.patch.object(Watch, "reserve", reserved),
        ):
            found = BY_NAME[engine].depths(question, Watch())
        assert moved.called
        assert (found.counts, found.deepest, found.complete) == (whole.counts, whole.deepest, True)


@pytest.mark.parametrize("engine", DRAWN)
def test_a_table_answers_what_its_moves_permit(engine, tmp_path):
    for seed, puzzle, metric, model, known in models(engine, 40):
        folder, source = tmp_path / str(seed), model.settled(model.start)
        saving(puzzle, folder, engine=engine, metric=metric).depths(Depths(model, (source,)), Watch())
        asked = answering_engine(folder, model).depths(Depths(model, (source,), 3), Watch())
        counted = plain.depths(Depths(model, (source,), 3), Watch())
        assert (asked.counts, asked.deepest) == (counted.counts, counted.deepest)
        table = table_of(folder, model)
        walked = [other for position in [*known][:20] for other in model.walks(position)]
        assert table.distances(walked) == [known[model.settled(other)] for other in walked]
        drawn = table.layer(len(counted.counts) // 2)
        assert {known[row.tobytes()] for row in drawn} == {len(counted.counts) // 2}
        layer = folder / f"layer-{len(counted.counts) - 1:05}.run"
        layer.write_bytes(layer.read_bytes()[:-1] + b"?")
        with pytest.raises(TableError, match="damaged"):
            table_of(folder, model)


KILLS = (
    ("microban6", "5", "3", "boxes"),
    ("microban6", "4", "5", "boxes disk"),
    ("dads", "3", "5", "blocks disk"),
    ("slide:2x3", "3", "5", "gliders disk"),
)


@pytest.mark.parametrize("words", KILLS)
def test_killed_at_random_moments_it_goes_on_to_the_same_bytes(words):
    script = [sys.executable, str(SUPPORT / "kills.py"), *words]
    found = json.loads(subprocess.run(script, capture_output=True, text=True, check=True, timeout=300).stdout)
    assert found["kills"] >= int(words[1])
    assert found["finished"] == found["same"] > 0
