"""Tables on a graphics card: kernels and host side run on an emulated card, against the count on the processor."""

import csv
import ctypes
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from test_table_slide import BOARDS, LARGE, agree, boards, grid

from commands import run
from emulated import MEMORY, Card
from places import DATA
from puzzlespace import load
from puzzlespace.api import questions
from puzzlespace.api.saved import saving
from puzzlespace.contract.questions import Depths, WantedLayers
from puzzlespace.engines import table
from puzzlespace.engines.shared import device
from puzzlespace.engines.table.slide import counting, depths, numbering, on_device
from puzzlespace.engines.table.slide.counting import SLIDE_BLOCK, SLIDE_LISTED, SLIDE_NOTES
from puzzlespace.engines.table.slide.on_device import DEVICE_POSITIONS
from puzzlespace.errors import DeviceError, LimitError, UnsupportedError
from puzzlespace.kernels.gpu import source
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal

SMALL = Thresholds({SLIDE_BLOCK: 1, SLIDE_NOTES: 1, SLIDE_LISTED: 2})
SLOW = ("3x3 from the middle", "3x3 multi", "2x4 one pair", "3x4 pairs", "2x4 run")
QUICK = [
    (name, (1, 2, 8, 32)[number % 4], (USUAL, SMALL)[number % 3 % 2])
    for number, name in enumerate(name for name in BOARDS if name not in SLOW)
]
"""Boards with a number of threads of a block and thresholds; all combinations have the marker `long`."""


def on_both(model, thresholds=USUAL, **more):
    """The answer of the card and of the processor to one question."""
    question = Depths(model, more.pop("sources", (model.start,)), **more)
    plan = numbering.plan(model)
    found = depths(plan, replace(question, device="gpu"), Watch(thresholds=thresholds))
    return found, counting.depths(plan, question, Watch(thresholds=thresholds))


@pytest.mark.parametrize(("name", "threads", "thresholds"), QUICK, ids=[name for name, *_ in QUICK])
def test_the_same_layers_as_on_the_processor(name, threads, thresholds, monkeypatch):
    card, model = Card(monkeypatch, threads=threads), BOARDS[name]
    any_last = Goal((-1,) * (model.cells - 1) + (1 << model.symbols - 1 | 1,))
    agree(*on_both(model, thresholds, keep=1000, collect=(Goal.exactly(model.start[::-1]), any_last)))
    assert card.launches
    assert not card.held


@pytest.mark.long
@pytest.mark.parametrize("name", [*BOARDS, *LARGE])
@pytest.mark.parametrize("threads", [1, 4, 256])
def test_the_same_with_any_number_of_threads(name, threads, monkeypatch):
    card = Card(monkeypatch, threads=threads, seed=threads)
    for thresholds in (USUAL, SMALL):
        agree(*on_both((BOARDS | LARGE)[name], thresholds, keep=50))
    assert not card.held


@given(boards())
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_same_on_any_graph(monkeypatch, model):
    card = Card(monkeypatch, threads=4)
    agree(*on_both(model, SMALL, keep=50))
    assert not card.held


def test_sources_of_both_colours_in_one_word(monkeypatch):
    Card(monkeypatch, threads=4)
    model = grid(2, 3)
    for sources in [
        (model.start, bytes([1, 2, 3, 4, 0, 5])),
        (model.start, bytes([2, 3, 1, 4, 5, 0]), bytes([3, 1, 2, 4, 5, 0])),
    ]:
        agree(*on_both(model, sources=sources))


@pytest.mark.parametrize(("board", "metric"), [("3x4", "single"), ("3x3", "multi")])
def test_the_known_counts_of_tiles(board, metric, monkeypatch):
    Card(monkeypatch)
    with (DATA / "tiles_depths.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if (row["board_rows_x_cols"], row["metric"]) == (board, metric)]
    known = [int(row["positions"]) for row in rows if row["blank_in_goal"] == "corner"]
    made = load(f"slide:{board}")
    found = questions.depths(made, metric="multi" if metric == "multi" else "", device="gpu", keep=1)
    assert known
    assert list(found.counts) == known


@pytest.mark.parametrize(
    ("spec", "metric", "kept"),
    [("slide:2x4", "", 9.0), ("slide:2x4", "multi", 9.0), ("slide:1x6", "", 0)],
)
def test_the_same_bytes_are_saved(spec, metric, kept, tmp_path, monkeypatch):
    card, owner = Card(monkeypatch), load(spec)
    for name in ("cpu", "gpu"):
        engine = saving(owner, tmp_path / name, every=kept)
        questions.depths(owner, metric=metric, engine=engine, device=name, cache="off")
    assert card.launches
    for name in ("depths.bits", "depths.sums"):
        assert (tmp_path / "cpu" / name).read_bytes() == (tmp_path / "gpu" / name).read_bytes()


@pytest.mark.parametrize(
    ("metric", "first", "then"),
    [("", "gpu", "gpu"), ("multi", "gpu", "cpu"), ("multi", "cpu", "gpu")],
)
def test_a_stopped_count_goes_on_on_either_device(metric, first, then, tmp_path, monkeypatch):
    Card(monkeypatch)
    owner = load("slide:2x4")
    whole = questions.depths(owner, metric=metric, engine=saving(owner, tmp_path / "whole"), device="cpu")
    engine, limits = saving(owner, tmp_path / "part", every=0), Limits(positions=9_000)
    part = questions.depths(owner, metric=metric, engine=engine, device=first, limits=limits)
    assert part.stopped.kind == "positions"
    assert 1 < len(part.counts) < len(whole.counts)
    engine = saving(owner, tmp_path / "part", every=0, resume=True)
    rest = questions.depths(owner, metric=metric, engine=engine, device=then)
    assert (rest.counts, rest.hardest) == (whole.counts, whole.hardest)
    assert (tmp_path / "part" / "depths.bits").read_bytes() == (tmp_path / "whole" / "depths.bits").read_bytes()


def test_too_little_memory_on_the_card(tmp_path, monkeypatch):
    card = Card(monkeypatch, memory=1 << 20)
    owner = load("slide:2x4")
    found = questions.depths(owner, device="gpu")
    assert (found.stopped.kind, found.counts, card.launches) == ("memory", (), 0)
    assert "20,160 positions need" in str(found.stopped)
    assert "1.0 MB of 1.0 MB are free on an emulated card" in str(found.stopped)
    assert run("depths", "slide:2x4", "--device", "gpu")[0] == 21
    owner = load("slide:2x6")
    ground = counting.Ground(numbering.plan(owner.model("")), (owner.goals[0].position,), USUAL[SLIDE_BLOCK])
    Card(monkeypatch, memory=on_device.needed(ground, False) + on_device.SPARE + 1000)
    saved = questions.depths(owner, device="gpu", engine=saving(owner, tmp_path / "table"))
    assert saved.stopped.kind == "memory"
    assert "the depths of 239,500,800 positions need 64 MB more on the graphics card" in str(saved.stopped)


def test_the_limit_of_memory_holds_for_the_card(monkeypatch):
    Card(monkeypatch)
    code, out, err = run("depths", "slide:2x4", "--device", "gpu", "--memory", "1M", "-q")
    assert (code, out) == (21, "")
    assert "20,160 positions need 4." in err
    assert "on the graphics card" in err
    assert "the limit is 1.0 MB" in err


class Report:
    """Keeps what a watch says to the user."""

    def __init__(self):
        self.said = []

    def __call__(self, progress):
        pass

    def say(self, words):
        self.said.append(words)


def test_automatic_choice(monkeypatch):
    card, model = Card(monkeypatch), grid(2, 3)
    question = Depths(model, (model.start,))
    plan, worthwhile = numbering.plan(model), Thresholds({DEVICE_POSITIONS: 1})
    depths(plan, question, Watch())
    assert not card.launches
    depths(plan, question, Watch(thresholds=worthwhile))
    assert card.launches
    card = Card(monkeypatch, memory=1 << 20)
    report = Report()
    watch = Watch(report=report, thresholds=worthwhile)
    assert sum(depths(plan, question, watch).counts) == 360
    assert not card.launches
    assert any("it is counted on the processor" in words for words in report.said)


def test_positions_are_listed_on_the_processor(monkeypatch):
    card, model = Card(monkeypatch), grid(2, 3)
    taken = []
    wanted = WantedLayers(lambda depth, blocks: taken.append(depth))
    question = Depths(model, (model.start,), wanted=wanted)
    depths(numbering.plan(model), question, Watch(thresholds=Thresholds({DEVICE_POSITIONS: 1})))
    assert taken
    assert not card.launches
    with pytest.raises(UnsupportedError, match="listed on the processor only"):
        depths(numbering.plan(model), replace(question, device="gpu"), Watch())


def no_driver():
    raise device.NoDeviceError("no graphics card: the CUDA driver is not installed")


def test_without_a_card(tmp_path, monkeypatch):
    monkeypatch.setattr(device, "driver", no_driver)
    code, out, err = run("depths", "slide:2x3", "--device", "gpu")
    assert (code, out) == (31, "")
    assert err == "puzzlespace: device gpu: no graphics card: the CUDA driver is not installed\n"
    code, _, _ = run("depths", "slide:2x3", "--device", "gpu", "--save", str(tmp_path / "none"))
    assert (code, (tmp_path / "none").exists()) == (31, False)
    model = grid(2, 3)
    watch = Watch(thresholds=Thresholds({DEVICE_POSITIONS: 1}))
    assert sum(depths(numbering.plan(model), Depths(model, (model.start,)), watch).counts) == 360


def test_without_any_device(monkeypatch):
    Card(monkeypatch, memory=0)
    assert run("depths", "slide:2x3", "--device", "gpu")[::2] == (
        31,
        "puzzlespace: device gpu: no graphics card: the CUDA driver finds none\n",
    )


def test_without_the_compiler_of_the_card(monkeypatch):
    card, compiled = Card(monkeypatch), device.compiled
    monkeypatch.undo()
    assert device.compiled is not compiled
    monkeypatch.setattr(device, "driver", lambda: card.driver)
    monkeypatch.setattr(device, "_packaged", list)
    monkeypatch.setattr(device, "COMPILERS", ("no such library",))
    code, out, err = run("depths", "slide:2x3", "--device", "gpu")
    assert (code, out) == (31, "")
    assert "kernels for graphics cards need NVRTC: install puzzlespace[gpu]" in err
    report = Report()
    model, watch = grid(2, 3), Watch(report=report, thresholds=Thresholds({DEVICE_POSITIONS: 1}))
    assert sum(depths(numbering.plan(model), Depths(model, (model.start,)), watch).counts) == 360
    assert any("install puzzlespace[gpu]" in words for words in report.said)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("lights:3x3", "--device", "gpu"), "only tables of sliding puzzles by windows"),
        (("klotski", "--device", "gpu"), "no numbering of its positions was found"),
        (("slide:2x3", "--device", "gpu", "--engine", "frontier"), "it does not count on a graphics card"),
    ],
)
def test_questions_that_a_card_does_not_answer(words, reason, monkeypatch):
    Card(monkeypatch)
    code, out, err = run("depths", *words)
    assert (code, out) == (31, "")
    assert reason in err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--device", "tpu"), "device: expected auto, cpu, gpu, found 'tpu'"),
        (("--device", "gpu", "--cluster", "local:2", "--save", "x"), "--device gpu: expected no --cluster beside it"),
    ],
)
def test_invalid_devices(words, reason):
    code, out, err = run("depths", "slide:2x3", *words)
    assert (code, out) == (30, "")
    assert reason in err


@pytest.mark.parametrize("launch", [1, 3, 9])
def test_a_kernel_that_fails(launch, monkeypatch):
    card = Card(monkeypatch)
    card.kernel_fails(launch)
    code, out, err = run("depths", "slide:2x3", "--device", "gpu")
    assert (code, out) == (70, "")
    assert "an emulated card: cuLaunchKernel: CUDA_ERROR_LAUNCH_FAILED" in err
    assert "--device cpu" in err
    assert not card.held


@pytest.mark.parametrize("stop", [KeyboardInterrupt, LimitError("seconds", "too late")])
def test_memory_is_given_back_if_a_count_is_stopped(stop, monkeypatch):
    card, model = Card(monkeypatch), grid(2, 4)
    wait = on_device.DeviceCount._wait

    def waits(self):
        wait(self)
        if self.depth == 5:
            raise stop

    monkeypatch.setattr(on_device.DeviceCount, "_wait", waits)
    question = Depths(model, (model.start,), device="gpu")
    if stop is KeyboardInterrupt:
        with pytest.raises(KeyboardInterrupt):
            depths(numbering.plan(model), question, Watch())
    else:
        found = depths(numbering.plan(model), question, Watch())
        assert (found.stopped, len(found.counts)) == (stop, 6)
    assert not card.held


def test_no_time(monkeypatch):
    Card(monkeypatch)
    code, _, err = run("depths", "slide:3x3", "--device", "gpu", "--seconds", "0.001")
    assert code == 20, err


def test_larger_tables_than_this_machine_holds(monkeypatch):
    model = load("slide:3x5").model("")
    monkeypatch.setattr(table, "machine_memory", lambda: 1 << 30)
    monkeypatch.setattr(table, "disk_room", lambda: 1 << 30)
    for memory, refused in ((MEMORY, True), (200 << 30, False)):
        device.card_memory.cache_clear()
        Card(monkeypatch, memory=memory)
        assert (table.refuses(model, "depths") is not None) == refused
    device.card_memory.cache_clear()


def test_the_host_writes_within_its_memory(monkeypatch):
    card = Card(monkeypatch)
    with device.Device([on_device.SOURCE]) as opened:
        room = opened.zeros(64)
        assert card.held == 64
        with pytest.raises(DeviceError, match="cuMemcpyDtoD_v2: CUDA_ERROR_INVALID_VALUE"):
            opened.copy(device.Room(128, room.address, lambda size, address: None), opened.room(128), 128)
        with pytest.raises(DeviceError, match="there is no kernel 'none'"):
            opened.run("none", 1)
        address = room.address
        del room
        assert opened.room(64).address == address
    assert not card.held


def test_the_kernels_compile_for_a_card():
    try:
        device.compiler()
    except UnsupportedError:
        pytest.skip("NVRTC is not installed")
    image = device.compiled(on_device.SOURCE, "sm_90", ("-DAT_ONCE=4",))
    assert image[:4] == b"\x7fELF"
    with pytest.raises(UnsupportedError, match="does not know the card's architecture sm_10"):
        device.compiled(on_device.SOURCE, "sm_10")
    with pytest.raises(DeviceError, match=r"windows\.cu.*error"):
        device.compiled(on_device.SOURCE, "sm_90", ("-DAT_ONCE=none",))


def test_the_driver_knows_every_function_that_is_called(monkeypatch):
    card = Card(monkeypatch)
    called = set(re.findall(r"\bcu[A-Z]\w+", Path(device.__file__).read_text(encoding="utf-8")))
    assert len(called) > 15
    assert all(ctypes.cast(getattr(card.driver, name), ctypes.c_void_p).value for name in called)


@pytest.fixture
def real_card():
    """A card of this machine, with its driver and NVRTC."""
    try:
        on_device.check()
    except UnsupportedError as error:
        pytest.skip(f"no graphics card that can be used: {error}")


@pytest.mark.usefixtures("real_card")
def test_the_same_layers_on_a_real_card():
    for name, model in BOARDS.items():
        for thresholds in (USUAL, SMALL):
            found, expected = on_both(model, thresholds, keep=1000)
            assert (name, found.counts, found.deepest) == (name, expected.counts, expected.deepest)


@pytest.mark.parametrize("metric", ["", "multi"])
@pytest.mark.usefixtures("real_card")
def test_the_same_bytes_on_a_real_card(metric, tmp_path):
    owner = load("slide:2x5")
    for name in ("cpu", "gpu"):
        questions.depths(owner, metric=metric, engine=saving(owner, tmp_path / name, every=0), device=name)
    assert (tmp_path / "cpu" / "depths.bits").read_bytes() == (tmp_path / "gpu" / "depths.bits").read_bytes()


def test_the_source_is_ascii():
    assert source(on_device.SOURCE).isascii()
