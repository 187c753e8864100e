"""Counts known to be hopeless: asked about on a terminal, refused without one; limits and --force admit all."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from ast import literal_eval
from contextlib import nullcontext, suppress
from io import StringIO

import pytest

from commands import run, run_json
from puzzlespace import load
from puzzlespace.api import hopeless
from puzzlespace.cli import gate
from puzzlespace.cli.options import CommonOptions
from puzzlespace.errors import RefusedError
from puzzlespace.limits.watch import Limits

HUGE = ("slide:5x5", "topspin:20,4", "pancake:20")


class Terminal(StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, text="", live=True):
        super().__init__(text)
        self.live = live

    def isatty(self):
        return self.live


@pytest.mark.parametrize(
    ("spec", "refused"),
    [
        *((spec, True) for spec in HUGE),
        ("goat", False),
        ("slide:3x3", False),
        ("slide:3x4", False),  # many positions and a fast table
        ("lights:25x25", False),  # algebra counts 10^188 positions
        ("lights:9x9", False),  # algebra counts the first layers at once
        ("klotski", False),  # how many can be reached is not known
        ("cube:2", False),
    ],
)
def test_only_what_is_known_to_be_hopeless_is_refused(spec, refused):
    found = hopeless.hopeless(load(spec))
    assert (found is not None) == refused


TOO_MANY = hopeless.Hopeless(10**20, None, True)


@pytest.mark.parametrize("found", [None, TOO_MANY, hopeless.Hopeless(10**20, None, False)])
@pytest.mark.parametrize("live", [(True, True), (True, False), (False, True), (False, False)])
@pytest.mark.parametrize("answer", ["y\n", "Yes\n", "n\n", "\n", ""])
@pytest.mark.parametrize(
    ("limits", "force"),
    [
        (Limits(), False),
        (Limits(), True),
        (Limits(seconds=1), False),
        (Limits(memory=1), False),
        (Limits(positions=1), False),
    ],
)
def test_the_table_of_decisions(monkeypatch, found, live, answer, limits, force):
    monkeypatch.setattr(gate, "hopeless", lambda *_: found)
    stdin, stderr = Terminal(answer, live[0]), Terminal("", live[1])
    monkeypatch.setattr(sys, "stdin", stdin)
    monkeypatch.setattr(sys, "stderr", stderr)
    asks = found is not None and limits == Limits() and not force
    wanted = not asks or (all(live) and answer in ("y\n", "Yes\n"))
    with nullcontext() if wanted else pytest.raises(RefusedError, match="--force") as refused:
        gate.admit(CommonOptions(limits, None), load("eight"), force=force)
    if refused is not None:
        assert refused.value.exit_code == 21
        assert refused.value.kind == ("memory" if found.memory else "seconds")
    assert ("Continue? [y/N]" in stderr.getvalue()) == (asks and all(live))
    assert (stdin.tell() > 0) == (asks and all(live) and bool(answer))


@pytest.mark.parametrize("words", [("depths",), ("hardest",), ("random", "--engine", "frontier")])
def test_without_a_terminal_the_command_ends_with_its_code(words):
    code, out, err = run(words[0], "topspin:20,4", *words[1:])
    assert (code, out) == (21, "")
    assert "cannot be counted by any machine" in err


def test_the_json_object_of_a_refusal():
    code, found = run_json("depths", "slide:5x5")
    assert code == 21
    assert (found["status"], found["plan"], found["stopped"]["kind"]) == ("refused", None, "memory")
    code, found = run_json("generate", "slide:4x4", "--depth", "55", "--method", "layer")
    assert (code, found["status"]) == (21, "refused")
    assert found["plan"]["positions"]["least"] == 10_461_394_944_000


TILES = "\n".join("  " + " ".join("." if x == y == 4 else str(5 * y + x + 1) for x in range(5)) for y in range(5))
PUZZLE = f"title: tiles\nrule: slide\nknown: depth 80\nstart:\n{TILES}\ngoal:\n{TILES}\n"


def test_known_numbers_that_need_a_hopeless_count_are_refused(tmp_path):
    path = tmp_path / "tiles.pzl"
    path.write_text(PUZZLE)
    code, _, err = run("check", str(path))
    assert code == 21, err
    assert "cannot be counted" in err


def test_limits_admit_it():
    for words, wanted in (("--positions 500", 22), ("--seconds 0.5", 20)):
        code, _, err = run("depths", "slide:5x5", *words.split(), "-q")
        assert code == wanted, err


LOADED = "print(sorted(name for name in __import__('sys').modules if name.startswith(('puzzlespace.api', 'numpy.'))))"


def loaded(program):
    """Return which modules a program loads that a count may do without."""
    ran = subprocess.run([sys.executable, "-c", f"{program}\n{LOADED}"], capture_output=True, text=True, check=True)
    return set(literal_eval(ran.stdout.splitlines()[-1]))


def test_small_counts_load_no_more_modules():
    by_command = "from puzzlespace.cli.app import app\napp(['depths', 'slide:3x3'], standalone_mode=False)"
    alone = "import puzzlespace.cli.depths\nfrom puzzlespace.api import questions\nquestions.depths('slide:3x3')"
    assert loaded(by_command) <= loaded(alone)


class Session:
    """A command on a terminal of its own."""

    def __init__(self, *words):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvp(sys.executable, [sys.executable, "-m", "puzzlespace", *words])
        self.shown = ""

    def until(self, words, seconds=60):
        """Read until the words are shown, or the command ends."""
        ends = time.monotonic() + seconds
        while words not in self.shown and time.monotonic() < ends:
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self.terminal, 4096).decode(errors="replace")
                except OSError:
                    break
        assert words in self.shown

    def type(self, words):
        os.write(self.terminal, words.encode())

    def end(self):
        """Return the exit code."""
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self.pid = 0
        return code


@pytest.fixture
def session():
    """A function that begins a command on a terminal; all end with the test, and none ignores Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    begun = []

    def begin(*words):
        begun.append(Session(*words))
        return begun[-1]

    yield begin
    signal.signal(signal.SIGINT, before)
    for each in begun:
        if each.pid:
            with suppress(ProcessLookupError):
                os.kill(each.pid, signal.SIGKILL)
            os.waitpid(each.pid, 0)
        os.close(each.terminal)


def test_no_ends_it(session):
    command = session("depths", "slide:5x5")
    command.until("Continue? [y/N]")
    command.type("n\n")
    command.until("not begun: --force")
    assert command.end() == 21


@pytest.mark.parametrize("yes", [False, True])
def test_ctrl_c_at_the_question_and_after_yes(session, yes):
    command = session("depths", "slide:5x5")
    command.until("Continue? [y/N]")
    if yes:
        command.type("y\n")
        command.until("layer ")
    command.type("\x03")
    command.until("interrupted")
    assert command.end() == 130


def test_a_puzzle_from_standard_input_is_no_terminal():
    words = [sys.executable, "-m", "puzzlespace", "depths", "-", "--json"]
    ran = subprocess.run(words, input=PUZZLE, capture_output=True, text=True, check=False)
    assert ran.returncode == 21, ran.stderr
    assert json.loads(ran.stdout)["status"] == "refused"
