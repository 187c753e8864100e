"""The command line without the modules and functions that only some systems have."""

import os
import subprocess
import sys

import pytest

from puzzlespace import catalogue
from puzzlespace.cli.options import MEMORY_IS_NOT_KNOWN
from puzzlespace.limits import machine, threads

WITHOUT = """
import builtins, io, mmap, os, select, signal, sys

for module in ("resource", "fcntl", "grp", "pwd"):
    sys.modules[module] = None
for place, names in {
    os: "sched_getaffinity posix_fallocate posix_fadvise sysconf fork pread pwrite set_blocking O_NONBLOCK O_DIRECT "
        "O_DIRECTORY getuid geteuid",
    signal: "SIGALRM SIGKILL alarm setitimer pthread_kill",
    mmap: "MADV_HUGEPAGE",
}.items():
    for name in names.split():
        if hasattr(place, name):
            delattr(place, name)

def no_system_files(path, *given, plain=open, **named):
    if str(path).startswith("/proc/"):
        raise FileNotFoundError(path)
    return plain(path, *given, **named)

def no_folders(path, *given, plain=os.open, **named):
    if os.path.isdir(path):
        raise PermissionError(path)
    return plain(path, *given, **named)

def no_pipes(*given):
    raise OSError("not a socket")

builtins.open, os.open, select.select = no_system_files, no_folders, no_pipes
"""


def elsewhere(*words):
    """Run a command on a system that has nothing of the above."""
    script = f"{WITHOUT}\nsys.argv = {['puzzlespace', *words]!r}\nfrom puzzlespace.__main__ import main\nmain()"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("solve", "goat"), "20 moves"),
        (("solve", "eight", "-q", "--seconds", "60", "--json"), '"moves": 31'),
        (("depths", "eight", "-q"), "181440"),
        (("depths", "eight", "-q", "--engine", "table"), "181440"),
        (("depths", "eight", "-q", "--engine", "frontier"), "181440"),
        (("show", "goat"), "Goat"),
    ],
)
def test_commands_need_nothing_that_only_some_systems_have(words, line):
    ran = elsewhere(*words)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert line in ran.stdout.replace(",", "")


def test_a_file_is_read(tmp_path):
    (tmp_path / "goat.pzl").write_text(catalogue.text("goat"))
    assert "20 moves" in elsewhere("solve", str(tmp_path / "goat.pzl")).stdout


def test_a_table_is_saved_and_answers(tmp_path):
    saved, resumed, found = (
        elsewhere("depths", "eight", "-q", "--save", str(tmp_path / "table")),
        elsewhere("depths", "eight", "-q", "--save", str(tmp_path / "table"), "--resume"),
        elsewhere("solve", "eight", "--json", "--table", str(tmp_path / "table")),
    )
    for ran in (saved, resumed, found):
        assert (ran.returncode, ran.stderr) == (0, "")
    assert all("181,440" in ran.stdout for ran in (saved, resumed))
    assert '"moves": 31' in found.stdout


def test_a_limit_of_memory_that_cannot_be_kept_is_said():
    ran = elsewhere("solve", "goat", "--memory", "100M")
    assert ran.returncode == 0
    assert ran.stderr == f"puzzlespace: {MEMORY_IS_NOT_KNOWN}\n"
    assert elsewhere("depths", "slide:3x4", "-q", "--engine", "table", "--memory", "10M").returncode == 21


def test_memory_is_read_in_the_units_of_the_system(monkeypatch):
    assert machine.MEMORY_IS_KNOWN
    usual = machine.peak_memory()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert 1024 * machine.peak_memory() >= usual > 1 << 20
    monkeypatch.setattr(machine, "resource", None)
    assert machine.peak_memory() == 0


def test_a_machine_that_does_not_tell_has_some_memory_and_a_processor(monkeypatch):
    monkeypatch.delattr(os, "sysconf")
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert machine.machine_memory() == machine.ASSUMED
    assert threads.processors() >= 1
