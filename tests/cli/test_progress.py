"""Progress on a terminal: something is said at least every second, whatever the command does."""

import os
import select
import subprocess
import sys
import time

import pytest

from puzzlespace.cli.terminal import Reporter
from puzzlespace.limits.known import KnownSoFar
from puzzlespace.limits.watch import Limits, Progress, activity, watched

pty = pytest.importorskip("pty")

HARD = "24 23 22 21 20 / 19 18 17 16 15 / 14 13 12 11 10 / 9 8 7 6 5 / 4 3 2 1 ."


def _allowed():
    """Return how many seconds a command may be silent: more if the machine has more to do than it has cores."""
    return 1.5 * max(1.0, 2 * os.getloadavg()[0] / (os.cpu_count() or 1))


def _longest_silence(words, seconds, environment):
    """Return the longest silence after the first second of a command, and what it wrote to a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "puzzlespace", *words, "--seconds", str(seconds)],
        stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, **environment},
    )  # fmt: skip
    os.close(theirs)
    began = time.perf_counter()
    last, longest, written = began + 1, 0.0, b""
    while process.poll() is None:
        if select.select([ours], [], [], 0.05)[0]:
            try:
                written += os.read(ours, 1 << 16)
            except OSError:  # the other end is closed
                break
            now = time.perf_counter()
            longest, last = max(longest, now - last), max(last, now)
    process.wait()
    os.close(ours)
    return max(longest, time.perf_counter() - last), written.decode()


@pytest.mark.parametrize(
    ("words", "fresh"),
    [
        (["depths", "pancake:13"], False),
        (["solve", "slide:5x5", "--start", HARD], False),
        (["symmetries", "slide:16x16"], False),
        (["components", "slide:3x3"], False),
        (["depths", "rush60", "--engine", "blocks"], True),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "compiling" if value else "",
)
def test_no_phase_is_silent(tmp_path, words, fresh):
    environment = {"PUZZLESPACE_CACHE": str(tmp_path)} | ({"NUMBA_CACHE_DIR": str(tmp_path)} if fresh else {})
    longest, written = _longest_silence(words, 4, environment)
    assert longest < _allowed()
    assert " MB, " in written or words[0] in ("components", "symmetries")


class Screen:
    def __init__(self):
        self.written = ""

    def isatty(self):
        return True

    def write(self, text):
        self.written += text

    def flush(self):
        pass


def test_the_activity_is_named_and_a_printed_answer_is_not_disturbed():
    screen = Screen()
    reporter = Reporter(screen)
    with watched(Limits()) as watch, reporter.heard_of(watch.began - 10):
        with activity("the symmetries were sought"):
            time.sleep(0.5)
        reporter.clear()
        shown = screen.written
        time.sleep(1.2)
        assert screen.written == shown
        reporter.go_on()
        watch.known.engine = "table"
        time.sleep(1.4)
    assert "the symmetries are being sought, " in shown
    assert "engine table is at work, " in screen.written


def test_memory_and_time_are_seen_on_a_narrow_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    screen = Screen()
    with watched(Limits()):
        Reporter(screen)(Progress(118, 2_097_153, 12_009_401, 34_000_000, 4.0, bound=True))
    line = screen.written.split("\r")[1]
    assert line.startswith("bound 118: 2,097,153 positions generated")
    assert line.endswith(" MB, 4 s")
    assert len(line) < 60
    assert "/s" not in line


def test_a_count_of_known_size_shows_its_share(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    screen = Screen()
    reporter = Reporter(screen)
    with watched(Limits()) as watch:
        watch.known.total = 1000
        reporter(Progress(3, 200, 250, 400, 60.0))
        reporter(Progress(0, 1, 1, 1, 61.0))
        watch.known.total = 0
        reporter(Progress(4, 200, 250, 400, 62.0))
    lines = screen.written.split("\r")[1:]
    assert "layer 3: 200 positions, 250 in all, share 25 %, about 3 min left, " in lines[0]
    assert "share" not in lines[1] + lines[2]


def test_what_is_known_begins_empty():
    assert (KnownSoFar().layers, KnownSoFar().total, KnownSoFar().engine) == ((), 0, "")
