"""Depth tables larger than the memory they may take: bits in files, and what counts as memory."""

from __future__ import annotations

import pytest

from kept import EIGHT
from puzzlespace import api, load
from puzzlespace.engines import room, slide_layers
from puzzlespace.errors import LimitError
from puzzlespace.result import Limits, Watch, held_memory
from puzzlespace.saved import saving


@pytest.mark.parametrize(("spec", "metric"), [("slide:2x5", ""), ("slide:3x3", "multi")])
def test_bits_live_in_a_file_where_memory_is_too_small_for_them(spec, metric, tmp_path, monkeypatch):
    owner = load(spec)
    whole = api.depths(owner, metric=metric, engine=saving(owner, tmp_path / "whole"))
    made = []
    monkeypatch.setattr(slide_layers, "fits", lambda watch, whole, bits: False)
    monkeypatch.setattr(
        slide_layers, "words_in_file", lambda shape, kind: made.append(shape) or room.words_in_file(shape, kind)
    )
    streamed = api.depths(owner, metric=metric, engine=saving(owner, tmp_path / "streamed"))
    assert len(made) >= 2
    assert (streamed.counts, streamed.hardest) == (whole.counts, whole.hardest)
    assert (tmp_path / "streamed" / "depths.bits").read_bytes() == (tmp_path / "whole" / "depths.bits").read_bytes()


def test_room_is_looked_for_in_memory_then_on_the_disk(monkeypatch):
    now = held_memory(0)
    assert room.fits(Watch(Limits(memory=now + (64 << 20))), 1 << 20, 1 << 10)
    watch = Watch(Limits(memory=now + (64 << 20)))
    assert not room.fits(watch, 512 << 20, 511 << 20)
    with pytest.raises(LimitError, match="more are needed"):
        room.fits(watch, 512 << 20, 1 << 20)
    monkeypatch.setattr(room.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    with pytest.raises(LimitError, match="more are needed"):
        room.fits(watch, 512 << 20, 511 << 20)


def test_pages_of_files_are_not_held():
    before = held_memory(0)
    words = room.words_in_file(1 << 22)
    words[:] = 1
    assert words.sum() == 1 << 22
    assert held_memory(0) < before + (16 << 20)


def test_too_little_memory_is_said(tmp_path):
    owner = load(EIGHT)
    answer = api.depths(owner, engine=saving(owner, tmp_path / "table"), limits=Limits(memory=1000))
    assert isinstance(answer.stopped, LimitError)
    assert answer.stopped.kind == "memory"
