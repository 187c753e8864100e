"""Counts with one bit a position in memory whose files are kept: resumed after any stop, refused if damaged."""

from random import Random

import pytest

import random_models
from kept import command
from puzzlespace import LimitError, TableError, UnsupportedError, load
from puzzlespace.api import questions
from puzzlespace.api.saved import saving
from puzzlespace.contract.questions import Depths
from puzzlespace.engines import plain
from puzzlespace.engines.table import one_bit
from puzzlespace.limits import memory
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.tables import counts_save
from puzzlespace.tables.counts_save import FolderFiles, counting_engine
from puzzlespace.tables.save import Saving

SPECS = ["burnt:4", "hanoi:4,4", "pancake:6", "lights:3x2", "topspin:6,3", "flip:3x3"]


class StopError(Exception):
    """A stop at a certain place."""


def counted(spec, folder, **options):
    owner = load(spec)
    engine = saving(owner, folder, counts_only=True, resume=folder.exists())
    return questions.depths(owner, origin="goal", engine=engine, **options)


@pytest.mark.parametrize("few", [0, 1, one_bit.LISTED_WORDS.usual], ids=["all listed", "some listed", "usual"])
@pytest.mark.parametrize("spec", SPECS)
def test_a_count_goes_on_after_every_layer(spec, few, tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "RESIDENT", 0)
    monkeypatch.setattr(one_bit.LISTED_WORDS, "usual", few)
    whole = questions.depths(load(spec), origin="goal", engine="plain")
    sizes = []

    def stop(progress):
        sizes.append(progress.size)
        raise KeyboardInterrupt

    for _ in whole.counts:
        with pytest.raises(KeyboardInterrupt):
            counted(spec, tmp_path / "part", progress=stop)
    for _ in range(2):  # the second time from the counts that are left
        found = counted(spec, tmp_path / "part")
        assert tuple(sizes) == found.counts == whole.counts
        assert found.hardest == whole.hardest
        assert {path.name for path in (tmp_path / "part").iterdir()} <= {"progress.json", "lock"}


@pytest.mark.parametrize("few", [64, 1 << 13, 1 << 40], ids=["many listed", "usual", "none listed"])
def test_a_count_whose_layers_alternate_goes_on_after_any_stop(few, tmp_path, monkeypatch):
    monkeypatch.setattr(one_bit.LISTED_WORDS, "usual", few)
    whole = questions.depths(load("lrx:10"), origin="goal")
    chance, folder, stops = Random(few), tmp_path / "part", 0

    def stop(_):
        if chance.random() < 0.2:
            raise KeyboardInterrupt

    def cut(done):
        def call(*arguments):
            if chance.random() < 0.5:
                return done(*arguments)
            raise StopError

        return call

    for name in ("note", "_remove"):
        monkeypatch.setattr(FolderFiles, name, cut(getattr(FolderFiles, name)))
    while True:
        try:
            found = counted("lrx:10", folder, progress=stop)
            break
        except (KeyboardInterrupt, StopError):
            stops += 1
    assert stops > 10
    assert found.counts == whole.counts
    assert found.hardest == whole.hardest
    assert {path.name for path in folder.iterdir()} <= {"progress.json", "lock"}


def test_a_damaged_file_of_positions_seen_is_refused(tmp_path, monkeypatch):
    def stop(progress):
        if progress.layer == 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counted("lrx:10", tmp_path / "part", progress=stop)
    (seen,) = (tmp_path / "part").glob("seen-*.bits")
    right = seen.read_bytes()
    for wrong in (right[:-1], bytes([right[0] ^ 2]) + right[1:], b""):
        seen.write_bytes(wrong)
        with pytest.raises(TableError, match="damaged"):
            counted("lrx:10", tmp_path / "part")
    seen.unlink()
    with pytest.raises(TableError, match="damaged"):
        counted("lrx:10", tmp_path / "part")
    seen.write_bytes(right)
    assert counted("lrx:10", tmp_path / "part").counts == questions.depths("lrx:10", origin="goal").counts


@pytest.mark.parametrize("few", [0, 1, one_bit.LISTED_WORDS.usual], ids=["all listed", "some listed", "usual"])
@pytest.mark.parametrize("place", ["complete", "listed", "added", "note", "flush", "_remove"])
def test_a_count_goes_on_after_a_stop_between_two_writes(place, few, tmp_path, monkeypatch):
    monkeypatch.setattr(one_bit.LISTED_WORDS, "usual", few)
    whole = questions.depths(load("burnt:4"), origin="goal", engine="plain")
    right, calls = getattr(FolderFiles, place), iter(range(10**6))

    def stopped(self, *arguments):
        if next(calls) % 7 == 5:
            raise StopError
        return right(self, *arguments)

    monkeypatch.setattr(FolderFiles, place, stopped)
    stops = 0
    while True:
        try:
            found = counted("burnt:4", tmp_path / "part")
            break
        except StopError:
            stops += 1
    assert stops or next(calls) < 6
    assert found.counts == whole.counts


def test_a_damaged_list_of_a_layer_is_refused(tmp_path, monkeypatch):
    def stop(progress):
        if progress.layer == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(one_bit.LISTED_WORDS, "usual", 0)
    with pytest.raises(KeyboardInterrupt):
        counted("burnt:4", tmp_path / "part", progress=stop)
    layer = tmp_path / "part" / "layer-00003.list"
    right = layer.read_bytes()
    for wrong in (right[:-1], right + b"0", bytes([right[0] ^ 2]) + right[1:], b""):
        layer.write_bytes(wrong)
        with pytest.raises(TableError, match=r"layer-00003\.list: damaged"):
            counted("burnt:4", tmp_path / "part")
    layer.write_bytes(right)
    assert counted("burnt:4", tmp_path / "part").counts == questions.depths("burnt:4", origin="goal").counts


def test_limits_hold_while_files_are_gone_through(tmp_path, monkeypatch):
    whole = questions.depths(load("burnt:4"), origin="goal", engine="plain")
    calls, stops = iter(range(10**6)), 0

    def limit():
        if next(calls) % 11 == 9:
            raise LimitError("seconds", "stopped")

    monkeypatch.setattr(one_bit, "checkpoint", limit)
    while not (found := counted("burnt:4", tmp_path / "part")).complete:
        assert found.counts == whole.counts[: len(found.counts)]
        stops += 1
    assert stops > 2
    assert found.counts == whole.counts


def test_a_count_goes_on_after_limits_within_layers(tmp_path):
    whole = questions.depths(load("topspin:7,4"), origin="goal", engine="plain")
    found = counted("topspin:7,4", tmp_path / "part", limits=Limits(positions=100))
    parts = 1
    while not found.complete:
        assert found.counts == whole.counts[: len(found.counts)]
        found = counted("topspin:7,4", tmp_path / "part", limits=Limits(positions=2000 * parts))
        parts += 1
    assert parts > 2
    assert (found.counts, found.hardest) == (whole.counts, whole.hardest)


@pytest.mark.parametrize("seed", range(12))
def test_random_puzzles_are_counted_as_by_the_plain_engine(seed, tmp_path):
    chance = Random(seed)
    model = random_models.permuted(chance, 6) if seed % 2 else random_models.digits(chance)
    question = Depths(model, (model.start,), keep=5)
    if counts_save._refusal(model, "depths") is None:
        found = counting_engine(Saving(tmp_path)).depths(question, Watch())
        expected = plain.depths(question, Watch())
        assert (found.counts, found.deepest) == (expected.counts, expected.deepest)
    else:
        assert seed % 2 == 0


def test_damaged_files_and_other_folders_are_refused(tmp_path):
    def stop(progress):
        if progress.layer == 4:
            raise KeyboardInterrupt

    folder = tmp_path / "part"
    with pytest.raises(KeyboardInterrupt):
        counted("burnt:4", folder, progress=stop)
    with pytest.raises(TableError, match="resume=True"):
        questions.depths("burnt:4", engine=saving("burnt:4", folder, counts_only=True))
    with pytest.raises(TableError, match="another puzzle"):
        counted("burnt:5", folder)
    layer = folder / "layer-00004.bits"
    right = layer.read_bytes()
    for wrong, text in ((right[:-8], "expected 48 bytes"), (bytes(len(right)), "found 143 and 0")):
        layer.write_bytes(wrong)
        with pytest.raises(TableError, match=text):
            counted("burnt:4", folder)
    layer.write_bytes(right)
    with pytest.raises(UnsupportedError, match="sliding puzzles"):
        counted("slide:3x2", tmp_path / "slides")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(TableError, match="expected an empty folder"):
        counted("burnt:4", tmp_path / "other")
    assert command("depths", "burnt:4", "--counts-only") == 30
    assert command("depths", "burnt:4", "--save", folder, "--counts-only", "--engine", "frontier") == 30
    assert counted("burnt:4", folder).complete
