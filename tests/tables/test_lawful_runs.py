"""Layers on disk and saved tables of puzzles with laws and stages: counts of the reference, stopped and continued."""

import random
from dataclasses import replace

import pytest

import lawful_models as lawful
from puzzlespace import Cluster, depths, load, plan
from puzzlespace.api import saved
from puzzlespace.api.planning import growth
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import frontier
from puzzlespace.errors import EndlessError, LimitError, UnsupportedError
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Watch
from puzzlespace.search.disk_layers import SPILL_FROM
from puzzlespace.search.ends import End
from puzzlespace.search.merge import LEAST_AT_ONCE, KeptLayers
from puzzlespace.search.runs import RUN_BLOCK
from puzzlespace.tables import runs_save
from puzzlespace.tables.kinds import table_of, verify
from puzzlespace.tables.save import Saving

TINY = Thresholds({SPILL_FROM: 1, LEAST_AT_ONCE: 2, RUN_BLOCK: 2})


def models(seeds):
    """Yield random lawful models without costs, each with the distances from its start."""
    for seed in seeds:
        model = lawful.random_model(random.Random(seed))
        if not model.metric.lawful or model.metric.costs:
            continue
        try:
            yield model, lawful.reached(model).distance
        except EndlessError:
            continue


def counted(distances):
    return tuple(list(distances.values()).count(depth) for depth in range(max(distances.values()) + 1))


def test_layers_on_disk_have_the_positions_of_the_reference():
    spilled = 0
    for model, distances in models(range(2026, 2026 + 120)):
        question = Depths(model, (model.start,), 10**6, model.goals)
        found = frontier.depths(question, Watch(thresholds=TINY))
        assert found.counts == counted(distances)
        last = max(distances.values())
        assert list(found.deepest) == sorted(position for position, depth in distances.items() if depth == last)
        assert dict(found.collected) == {p: depth for p, depth in distances.items() if lawful.meets(model, p)}
        spilled += len(found.counts) > 2
    assert spilled > 10


def test_a_saved_table_stopped_anywhere_goes_on_to_the_same_table(tmp_path, monkeypatch):
    grow, continued = End.grow, 0
    for number, (model, distances) in enumerate(models(range(2026, 2026 + 85))):
        stop = random.Random(number).randint(0, max(distances.values()))
        folder = tmp_path / str(number)
        question = Depths(model, (model.start,), 20)

        def stopping(end, watch, bound=0, stop=stop):
            if end.depth == stop:
                raise LimitError("seconds", "as if the time were up")
            grow(end, watch, bound)

        with monkeypatch.context() as patched:
            patched.setattr(End, "grow", stopping)
            engine = runs_save.saving_engine(Saving(folder))
            assert engine.refuses(model, "depths") is None
            assert engine.depths(question, Watch()).stopped is not None
        again = runs_save.saving_engine(Saving(folder, resume=True))
        assert again.depths(question, Watch(thresholds=TINY)).counts == counted(distances)
        table = table_of(folder, model)
        assert table.distances([*distances]) == [*distances.values()]
        assert verify(folder, model, 20, True)["states"] == len(distances)
        continued += stop > 0
    assert continued > 8


@pytest.mark.parametrize("name", ["wolf", "lift", "ballsort"])
def test_commands_answer_from_a_saved_table(name, tmp_path):
    puzzle = load(name)
    told = depths(puzzle)
    folder = tmp_path / "table"
    kept = depths(puzzle, engine=saved.saving(puzzle, folder))
    assert (kept.counts, kept.hardest) == (told.counts, told.hardest)
    from_table = depths(puzzle, engine=saved.asking(puzzle, folder))
    assert (from_table.counts, from_table.hardest) == (told.counts, told.hardest)
    if name == "wolf":
        model = puzzle.model()
        lawless = replace(model, metric=replace(model.metric, laws=()))
        assert "another puzzle" in saved.asking(puzzle, folder).refuses(lawless, "depths")


def test_what_a_count_takes_is_planned(monkeypatch):
    found = plan("lift")
    assert found.positions.least == found.positions.most == 2368
    monkeypatch.setattr(growth, "POSITIONS", 1000)
    cut = plan("lift")
    assert 1 < cut.counted < found.counted
    assert cut.positions.least < 2368 <= cut.positions.most
    assert 0 < cut.seconds.least <= cut.seconds.most
    with pytest.raises(
        UnsupportedError, match="some of its positions are forbidden: it cannot be counted on a cluster"
    ):
        plan("lift", cluster=Cluster(2))


def test_a_question_for_kept_layers_is_one_of_depths():
    model = load("lift").model()
    assert frontier.depths(KeptLayers(model, (model.start,)), Watch(thresholds=TINY)).counts == depths("lift").counts
