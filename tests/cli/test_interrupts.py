"""Ctrl-C in a real process: while the program is loaded, while a command runs, and after its answer."""

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="signals of this kind are not sent here")


@pytest.fixture(autouse=True)
def _interrupts_arrive():
    """Child processes inherit it if an interrupt is ignored here, as it is once a command of this process is over."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


AT_IMPORT = """
import os, runpy, signal, sys

class Sender:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
        return None

sys.meta_path.insert(0, Sender())
sys.argv = ["puzzlespace", {command!r}, "goat"]
runpy.run_module("puzzlespace", run_name="__main__")
"""

AT_EXIT = """
import atexit, os, runpy, signal, sys

class Sender:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

kept = Sender()
atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.argv = ["puzzlespace", "show", "goat"]
import puzzlespace.__main__ as program
program.kept = kept
program.main()
"""


def _ran(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("command", "module"),
    [
        ("show", "puzzlespace.cli.app"),
        ("show", "click"),
        ("solve", "puzzlespace.api.questions"),
        ("show", "puzzlespace.cli.show"),
        ("depths", "numpy"),
    ],
)
def test_while_the_program_is_loaded(command, module):
    assert _ran(AT_IMPORT.format(command=command, module=module)) == (130, "", "puzzlespace: interrupted\n")


LOST = """
import ctypes, os, runpy, signal, sys, time

def interrupted():
    if {interrupt}:
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(9)

class Sender:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            ctypes.CFUNCTYPE(None)(interrupted)()  # loses the exception, as a callback of the compiler does
            raise RuntimeError("half made")
        return None

sys.meta_path.insert(0, Sender())
sys.argv = ["puzzlespace", "depths", "goat", *{options!r}]
runpy.run_module("puzzlespace", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("interrupt", "options", "code", "words"),
    [(True, [], 130, "interrupted\n"), (False, ["--seconds", "0.1"], 20, "stopped after ")],
)
def test_an_error_after_a_lost_interruption_is_not_told_of(interrupt, options, code, words):
    found, _, err = _ran(LOST.format(interrupt=interrupt, options=options))
    assert found == code
    assert err.startswith("puzzlespace: " + words)
    assert len(err.splitlines()) == 1


def test_after_the_answer_it_changes_nothing():
    code, out, err = _ran(AT_EXIT)
    assert (code, err) == (0, "")
    assert "goat" in out


def test_a_process_that_ignores_it_goes_on_ignoring_it():
    program = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)" + AT_IMPORT.format(
        command="show", module="click"
    )
    code, out, err = _ran(program)
    assert (code, err) == (0, "")
    assert "goat" in out


BEGINS = "from puzzlespace.__main__ import main; print('begins', flush=True); main()"


@pytest.mark.parametrize("command", ["show", "solve", "depths", "hardest"])
@pytest.mark.parametrize("after", [0.2, 1.5])
def test_while_a_command_runs(tmp_path, command, after):
    words = [sys.executable, "-c", BEGINS, command, "peg:diamond41", "-q", "--seconds", "30"]
    environment = {**os.environ, "PUZZLESPACE_CACHE": str(tmp_path)}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    assert process.stdout.readline() == "begins\n"
    time.sleep(after)
    began = time.perf_counter()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=25)
    assert (process.returncode, err) in ((130, "puzzlespace: interrupted\n"), (0, ""))
    assert command == "show" or process.returncode == 130
    assert time.perf_counter() - began < 5


HALF_MADE = """
import sys, signal
from puzzlespace.cli.guard import CommandGuard

class Half:
    def __del__(self):
        raise AttributeError("never made")

guard = CommandGuard()
guard.start()
if {interrupted}:
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        pass
Half()
guard.over()
"""


@pytest.mark.parametrize("interrupted", [True, False])
def test_what_an_interruption_left_half_made_is_not_told_of(interrupted):
    code, _, err = _ran(HALF_MADE.format(interrupted=interrupted))
    assert code == 0
    assert ("never made" in err) is not interrupted
