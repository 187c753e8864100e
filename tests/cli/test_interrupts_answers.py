"""Ctrl-C in the middle of a command, in a real process: what was counted so far is printed.

The process says where it is below its own standard output, because the guard does not print what is known after the
command itself has printed something.
"""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from commands import run
from puzzlespace.api import questions

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="signals of this kind are not sent here")

BEGINS = """
import os
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from puzzlespace.__main__ import main
from puzzlespace.limits import watch
from puzzlespace.limits.known import KnownSoFar
note, noted = KnownSoFar.layer, [0]
watched, begun = watch.watched, []

def begins(*given, **named):
    if not begun:
        os.write(1, b'begins\\n')
    begun.append(True)
    return watched(*given, **named)

def layer(self, depth, size):
    note(self, depth, size)
    noted[0] += 1
    if noted[0] == {layers}:
        os.write(1, b'counts\\n')

KnownSoFar.layer, watch.watched = layer, begins
main()
"""


def _interrupted(tmp_path, words, after=0.0, layers=0):
    """Return the exit code and the outputs of a command interrupted so late, or after so many layers."""
    environment = {**os.environ, "PUZZLESPACE_CACHE": str(tmp_path)}
    program = [sys.executable, "-c", BEGINS.format(layers=layers), *words]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    assert process.stdout.readline() == "begins\n"
    if layers:
        assert process.stdout.readline() == "counts\n"
    time.sleep(after)
    began = time.perf_counter()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert time.perf_counter() - began < 5
    assert "Traceback" not in err + out
    assert err.endswith("puzzlespace: interrupted\n")
    return process.returncode, out, err


LAYERS = [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842, 119000]
"""The first layers of the 15-puzzle around its goal (OEIS A089484)."""


@pytest.mark.parametrize("command", ["depths", "hardest"])
def test_layers_are_printed_as_json(tmp_path, command):
    words = [command, "slide:4x4", "--engine", "plain", "--force", "--json", "-q"]
    code, out, _ = _interrupted(tmp_path, words, layers=9)
    answer = json.loads(out)
    assert code == 130
    assert answer["complete"] is False
    assert answer["stopped"]["kind"] == "interrupted"
    assert len(answer["counts"]) >= 9
    assert answer["counts"][:17] == LAYERS[: len(answer["counts"])]


@pytest.mark.parametrize("command", [["depths"], ["hardest"], ["generate", "--depth", "60"]])
def test_layers_are_printed_as_text(tmp_path, command):
    first, *others = command
    words = [first, "slide:4x4", *others, "--engine", "plain", "--force", "-q"]
    code, out, _ = _interrupted(tmp_path, words, layers=9)
    assert code == 130
    rows = [line.split()[:2] for line in out.splitlines() if line.split() and line.split()[0].isdecimal()]
    assert [int(size.replace(",", "")) for _, size in rows[:9]] == LAYERS[:9]


HARD = "24 23 22 21 20 / 19 18 17 16 15 / 14 13 12 11 10 / 9 8 7 6 5 / 4 3 2 1 ."

COMMANDS = {
    "solve": ["slide:5x5", "--start", HARD],
    "solve --count": ["slide:5x5", "--start", HARD, "--count"],
    "solve --all": ["slide:5x5", "--start", HARD, "--all"],
    "distance": ["slide:5x5", HARD],
    "generate": ["slide:4x4", "--depth", "70"],
    "random": ["peg:diamond41"],
    "targets": ["klotski", "--metric", "step", "--engine", "plain"],
    "components": ["slide:3x4"],
    "compare": ["klotski", "--metric", "step"],
    "pegs": ["peg:diamond41"],
    "pegs --count": ["peg:french37"],
    "check": ["peg:diamond41", "--engines"],
    "symmetries": ["slide:15x15"],
    "design": ["TRAYS"],
}

TRAYS = """title: trays
rule: slide
count: step
board: grid 5x5
pieces:
  A 2x2: 1
  1x1: any
  1x2 | 2x1: any
blanks: 2 or more
goal:
  * * * * *
  * * * * *
  * * * * *
  * * A A *
  * * A A *
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_the_answer_so_far_is_one_json_object(tmp_path, command):
    first, *options = command.split()
    if first == "design":
        (tmp_path / "trays.pzl").write_text(TRAYS)
    words = [str(tmp_path / "trays.pzl") if word == "TRAYS" else word for word in COMMANDS[command]]
    code, out, _ = _interrupted(
        tmp_path, [first, *words, *options, "--json", "-q"], after=0.1 if first == "symmetries" else 0.7
    )
    assert code == 130
    answer = json.loads(out)
    assert (answer["schema"], answer["complete"]) == (1, False)


def test_a_bound_is_printed(tmp_path):
    words = ["solve", "slide:5x5", "--start", HARD, "--engine", "plain", "-q"]
    code, out, _ = _interrupted(tmp_path, words, after=1.5)
    assert code == 130
    assert "at least" in out


def test_what_certify_found_is_kept(tmp_path):
    code, out, _ = _interrupted(tmp_path, ["certify", "catalogue", "--json", "-q"], after=1.5)
    assert code == 130
    rows = [json.loads(line) for line in out.splitlines()]
    assert rows
    assert [row["name"] for row in rows if row["status"] == "stopped"] in ([], [rows[-1]["name"]])


def test_known_numbers_that_were_computed_are_told(monkeypatch):
    solve = questions.solve

    def stopped(*given, **named):
        if named["metric"] == "step":
            raise KeyboardInterrupt
        return solve(*given, **named)

    monkeypatch.setattr(questions, "solve", stopped)
    code, out, _ = run("check", "star13", "--json", "-q")
    answer = json.loads(out)
    assert (code, answer["complete"]) == (130, False)
    assert [(each["what"], each["found"]) for each in answer["known"]] == [("solution", 7), ("solutions", 72)]
    assert "solutions" in run("check", "star13", "-q")[1]
