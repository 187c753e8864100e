"""Without a limit of memory a question ends before the machine has none left; memory that is refused is a limit."""

import errno
import resource
import subprocess
import sys

import pytest

from puzzlespace import LimitError, Limits, depths
from puzzlespace.api import questions
from puzzlespace.limits import machine, memory, watch
from puzzlespace.limits.machine import held_memory
from puzzlespace.limits.watch import Watch

GIGABYTE = 1 << 30

FULL = """
import sys
from puzzlespace.limits import machine
from puzzlespace.limits.machine import held_memory

machine._available = lambda: [{free} - held_memory(0)]
machine._physical = lambda: {free}
sys.argv = ["puzzlespace", *{words!r}]
from puzzlespace.__main__ import main
main()
"""


def ran(program, **more):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, **more)


@pytest.mark.parametrize("engine", ["plain", "frontier"])
def test_a_count_ends_before_a_full_machine_has_no_memory(engine):
    words = ["depths", "slide:4x4", "--force", "--engine", engine, "-q", "--json"]
    ran(FULL.format(free=8 << 30, words=[*words, "--positions", "3000000"]))  # compiles the loops
    found = ran(FULL.format(free=240 << 20, words=words))
    assert found.returncode == 21, found.stderr
    assert '"kind": "memory"' in found.stdout
    assert "free" in found.stderr


def test_small_questions_run_on_a_full_machine():
    found = ran(FULL.format(free=96 << 20, words=["solve", "goat"]))
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize("megabytes", [90, 110, 150, 170, 300, 600])
@pytest.mark.parametrize("words", [["solve", "goat"], ["depths", "pancake:12", "--force"], ["depths", "klotski"]])
def test_what_the_system_refuses_is_a_limit_of_memory(megabytes, words):
    most = megabytes << 20
    program = f"import sys; sys.argv = ['puzzlespace', *{[*words, '-q']!r}]; import puzzlespace.__main__ as m; m.main()"
    found = ran(program, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
    assert found.returncode in (0, 21), found.stderr
    assert "Traceback" not in found.stderr
    assert found.returncode == 0 or "free here" in found.stderr


@pytest.fixture
def full(monkeypatch):
    """A machine with 1 GB, of which a number of bytes is free; questions hold much."""

    def filled(free, held=GIGABYTE):
        machine.reserve.cache_clear()
        machine._groups.cache_clear()
        monkeypatch.setattr(machine, "_groups", lambda: ())
        monkeypatch.setattr(machine, "_physical", lambda: GIGABYTE)
        monkeypatch.setattr(machine, "_available", lambda: [GIGABYTE])
        assert machine.reserve() == 256 << 20
        monkeypatch.setattr(machine, "_available", lambda: [free])
        monkeypatch.setattr(watch, "peak_memory", lambda: GIGABYTE)
        monkeypatch.setattr(watch, "held_memory", lambda enough: held)

    yield filled
    monkeypatch.undo()
    machine.reserve.cache_clear()


@pytest.mark.parametrize(
    ("limits", "free", "held", "ends"),
    [
        (Limits(), 300 << 20, GIGABYTE, False),
        (Limits(), 200 << 20, GIGABYTE, True),
        (Limits(), 200 << 20, 100 << 20, False),  # it holds little
        (Limits(seconds=60), 200 << 20, GIGABYTE, True),
        (Limits(memory=GIGABYTE), 200 << 20, GIGABYTE, False),  # its own limit holds
    ],
)
def test_a_question_that_holds_much_leaves_the_reserve_free(full, monkeypatch, limits, free, held, ends):
    full(free, 0)
    question = Watch(limits)
    monkeypatch.setattr(watch, "held_memory", lambda enough: held)
    if not ends:
        question.tick(1)
        return
    with pytest.raises(LimitError, match="are kept free unless a limit of memory is given") as found:
        question.tick(1)
    assert found.value.exit_code == 21


def test_what_earlier_questions_left_is_not_charged(full):
    full(200 << 20, GIGABYTE)
    Watch().tick(1)


def test_an_array_larger_than_what_is_spare_is_refused(full):
    full(300 << 20, 0)
    Watch().reserve(40 << 20)
    with pytest.raises(LimitError, match="are free here without the reserve"):
        Watch().reserve(60 << 20)
    with pytest.raises(LimitError, match="are free here"):
        memory.fits(Watch(), 60 << 20, 0)


def test_control_groups_count_as_the_machine(tmp_path, monkeypatch):
    inner = tmp_path / "memory" / "a" / "b"
    inner.mkdir(parents=True)
    for folder, limit, usage in ((inner, 1 << 62, 0), (inner.parent, 500 << 20, 420 << 20)):
        (folder / "memory.limit_in_bytes").write_text(str(limit))
        (folder / "memory.usage_in_bytes").write_text(str(usage))
        (folder / "memory.stat").write_text(f"cache 5\ntotal_inactive_file {20 << 20}\n")
    second = tmp_path / "two"
    second.mkdir()
    (second / "memory.max").write_text("max\n")
    (second / "memory.current").write_text("7\n")
    monkeypatch.setattr(machine, "_memberships", lambda: [(tmp_path / "memory", "a/b"), (second, "")])
    machine._groups.cache_clear()
    assert machine.machine_memory() == 500 << 20
    assert machine.free_memory() == 100 << 20
    (second / "memory.max").write_text(f"{50 << 20}\n")
    (second / "memory.stat").write_text("inactive_file 0\n")
    machine._groups.cache_clear()
    assert machine.free_memory() == (50 << 20) - 7
    monkeypatch.undo()
    machine._groups.cache_clear()


def test_memory_that_cannot_be_had_stops_an_answer(monkeypatch):
    def refused(*given, **named):
        raise MemoryError

    monkeypatch.setattr(questions, "measured", refused)
    table = depths("eight")
    assert table.stopped is not None
    assert table.stopped.kind == "memory"


@pytest.mark.parametrize(
    ("error", "short"),
    [
        (MemoryError(), True),
        (OSError(errno.ENOMEM, "no memory"), True),
        (OSError(errno.ENOENT, "no file"), False),
        (ImportError("no such library"), False),  # there is room for it
        (RuntimeError("can't start new thread"), False),
        (SystemError("error return without exception set"), False),
        (ValueError(), False),
    ],
)
def test_which_errors_are_a_lack_of_memory(error, short):
    assert (memory.shortage(error) is not None) == short


@pytest.mark.parametrize(
    ("error", "short"),
    [
        (ImportError("no such library"), True),
        (RuntimeError("can't start new thread"), True),
        (SystemError("error return without exception set"), True),
        (RuntimeError(), False),
        (ValueError(), False),
    ],
)
def test_which_errors_are_a_lack_of_memory_if_there_is_hardly_any_room(monkeypatch, error, short):
    monkeypatch.setattr(memory, "cramped", lambda least: True)
    assert (memory.shortage(error) is not None) == short


def test_held_memory_is_known_here():
    assert held_memory(0) > 1 << 20
