"""Depth tables larger than the memory they may take: bits in files, and what counts as memory."""

from __future__ import annotations

import resource
import subprocess
import sys

import numpy as np
import pytest

from kept import EIGHT, saved_table
from puzzlespace import load
from puzzlespace.api import questions
from puzzlespace.api.saved import saving
from puzzlespace.engines import table
from puzzlespace.engines.table import counting, one_bit
from puzzlespace.engines.table.slide import counting as slide_counting
from puzzlespace.errors import LimitError, TableError
from puzzlespace.limits import memory
from puzzlespace.limits.machine import held_memory
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.storage import files
from puzzlespace.tables import save


@pytest.mark.parametrize(("spec", "metric"), [("slide:2x5", ""), ("slide:3x3", "multi")])
def test_bits_live_in_a_file_where_memory_is_too_small_for_them(spec, metric, tmp_path, monkeypatch):
    owner = load(spec)
    whole = questions.depths(owner, metric=metric, engine=saving(owner, tmp_path / "whole"))
    made = []
    monkeypatch.setattr(slide_counting, "fits", lambda watch, whole, bits, positions=0: False)
    monkeypatch.setattr(
        slide_counting, "words_in_file", lambda shape, kind: made.append(shape) or memory.words_in_file(shape, kind)
    )
    streamed = questions.depths(owner, metric=metric, engine=saving(owner, tmp_path / "streamed"))
    assert len(made) >= 2
    assert (streamed.counts, streamed.hardest) == (whole.counts, whole.hardest)
    assert (tmp_path / "streamed" / "depths.bits").read_bytes() == (tmp_path / "whole" / "depths.bits").read_bytes()


def test_room_is_looked_for_in_memory_then_on_the_disk(monkeypatch):
    watch = Watch(Limits(memory=64 << 20))
    assert memory.fits(watch, 1 << 20, 1 << 10)
    assert not memory.fits(watch, 512 << 20, 511 << 20)
    with pytest.raises(LimitError, match="537 MB of memory are needed"):
        memory.fits(watch, 512 << 20, 1 << 20)
    monkeypatch.setattr(memory.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    with pytest.raises(LimitError, match="537 MB of memory are needed"):
        memory.fits(watch, 512 << 20, 511 << 20)


def test_pages_of_files_are_not_held():
    before = held_memory(0)
    words = memory.words_in_file(1 << 22)
    words[:] = 1
    assert words.sum() == 1 << 22
    assert held_memory(0) < before + (16 << 20)


def test_too_little_memory_is_said(tmp_path):
    owner = load(EIGHT)
    answer = questions.depths(owner, engine=saving(owner, tmp_path / "table"), limits=Limits(memory=1000))
    assert isinstance(answer.stopped, LimitError)
    assert answer.stopped.kind == "memory"


HELD = """
import numpy as np
from puzzlespace.errors import LimitError
from puzzlespace.limits.watch import Limits, Watch

before = np.ones(8 << 20, np.uint8)
watch = Watch(Limits(memory=32 << 20))
watch.tick(1)
assert watch.program > before.nbytes
taken = np.ones(16 << 20, np.uint8)
watch.tick(1)
for take in (lambda: watch.reserve(24 << 20), lambda: (np.ones(24 << 20, np.uint8), watch.tick(1))):
    try:
        take()
    except LimitError as error:
        print(error)
"""


def test_what_the_program_holds_before_is_not_counted():
    # A process of its own: one that has freed memory hands it out again, and holds no more than before.
    ran = subprocess.run([sys.executable, "-c", HELD], capture_output=True, text=True, check=True)
    refused, stopped = ran.stdout.splitlines()
    assert "are left of the limit of 33,554,432" in refused
    assert stopped.startswith("stopped at")


def test_a_search_that_grows_over_the_limit_says_both_numbers():
    watch = Watch(Limits(memory=1000), program=0)
    with pytest.raises(LimitError, match=r"stopped at [\d,]+ bytes of memory \(the limit is 1,000\)"):
        watch.tick(0)


def test_what_the_machine_has_free_is_a_limit_where_the_disk_has_room(monkeypatch):
    assert memory.fits(Watch(), 1 << 20, 1 << 20)
    monkeypatch.setattr(memory, "spare_memory", lambda: 1000)
    assert not memory.fits(Watch(), 1 << 20, 1 << 20)
    monkeypatch.setattr(memory, "disk_room", lambda: 1000)
    with pytest.raises(
        LimitError, match=r"1.0 MB of memory are needed .* are free here.* TMPDIR to a folder with 2.1 MB free"
    ):
        memory.fits(Watch(), 1 << 20, 1 << 20)
    monkeypatch.setattr(table, "machine_memory", lambda: 1000)
    monkeypatch.setattr(table, "disk_room", lambda: 1 << 40)
    assert table.refuses(load("slide:3x4").model(), "depths") is None
    refusal = table.refuses(load("lights:5x5").model(), "depths")
    assert refusal == "8,388,608 numbered positions need 1.0 MB (1,048,576 bytes), there are 1.0 kB here"
    monkeypatch.setattr(table, "disk_room", lambda: 1 << 20)
    assert table.refuses(load("slide:3x4").model(), "depths") is not None


@pytest.mark.parametrize("spec", ["slide:2x5", "burnt:6"])
def test_a_table_on_disk_goes_on_from_what_was_kept(spec, tmp_path, monkeypatch):
    owner = load(spec)
    whole = questions.depths(owner, engine=saving(owner, tmp_path / "whole"))
    for module in (slide_counting, counting, one_bit, save):
        monkeypatch.setattr(module, "fits", lambda watch, whole, bits, positions=0: False)
    limits = Limits(positions=whole.generated // 2)
    part = questions.depths(owner, engine=saving(owner, tmp_path / "part", every=0), limits=limits)
    assert not part.complete
    went_on = questions.depths(owner, engine=saving(owner, tmp_path / "part", resume=True))
    assert (went_on.counts, went_on.hardest) == (whole.counts, whole.hardest)
    assert (tmp_path / "part" / "depths.bits").read_bytes() == (tmp_path / "whole" / "depths.bits").read_bytes()


@pytest.mark.parametrize("spec", ["burnt:4", "hanoi:4,4", "pancake:6", "lights:3x2", "topspin:6,3"])
def test_a_count_with_one_bit_in_memory_goes_on_after_every_layer(spec, tmp_path, monkeypatch):
    owner, counts, made = load(spec), [], []
    whole = saved_table(spec, tmp_path / "whole")
    monkeypatch.setattr(one_bit.TWO_BITS, "usual", -1)
    monkeypatch.setattr(one_bit, "words_in_file", lambda *shape: made.append(shape) or memory.words_in_file(*shape))

    def stop(progress):
        counts.append(progress.size)
        raise KeyboardInterrupt

    for depth in range(len(whole.counts)):
        engine = saving(owner, tmp_path / "part", every=0, resume=depth > 0)
        with pytest.raises(KeyboardInterrupt):
            questions.depths(owner, origin="goal", engine=engine, progress=stop)
    found = saved_table(spec, tmp_path / "part", resume=True)
    assert len(made) > len(counts)
    assert tuple(counts) == found.counts == whole.counts
    assert found.hardest == whole.hardest
    assert (tmp_path / "part" / "depths.bits").read_bytes() == (tmp_path / "whole" / "depths.bits").read_bytes()


def test_limits_are_looked_at_before_layers_are_read(tmp_path, monkeypatch):
    owner = load(EIGHT)
    questions.depths(owner, engine=saving(owner, tmp_path / "part", every=0), limits=Limits(positions=90_000))
    monkeypatch.setattr(save, "read_blocks", None)
    monkeypatch.setattr(memory, "disk_room", lambda: 1000)
    engine = saving(owner, tmp_path / "part", resume=True)
    answer = questions.depths(owner, engine=engine, limits=Limits(memory=1000))
    assert isinstance(answer.stopped, LimitError)
    assert answer.stopped.kind == "memory"


@pytest.mark.parametrize("shift", [0, 1])
@pytest.mark.parametrize("last", [1, 600, 1 << 17])
def test_parts_are_written_whole_past_the_cache_or_not(shift, last, tmp_path):
    words = memory.zeros((1 << 18) + last + shift)[shift:]
    words[:] = np.random.default_rng(1).integers(0, 1 << 63, len(words), np.uint64)
    parts = (words[first : first + (1 << 17)] for first in range(0, len(words), 1 << 17))
    sums = files.write_blocks(tmp_path / "words", parts)
    assert (tmp_path / "words").read_bytes() == words.tobytes()
    assert sums == files.block_sums(words)
    again = np.zeros_like(words)
    assert files.read_blocks(tmp_path / "words", again) == sums
    assert (again == words).all()
    with pytest.raises(TableError, match="expected"):
        files.read_blocks(tmp_path / "words", again[1:])


def test_a_disk_that_refuses_large_parts_is_said(tmp_path):
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, limit[1]))
    try:
        with pytest.raises(TableError, match="cannot be written"):
            files.write_blocks(tmp_path / "words", [memory.zeros(1 << 18)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert list(tmp_path.iterdir()) == []
