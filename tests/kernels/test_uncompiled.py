"""The compiled loops of the engines, run with the compiler switched off, on the smallest puzzles of the catalogue."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from puzzlespace.engines import blocks, frontier, plain, table
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Depths
from puzzlespace.kernels.loop import UNCOMPILED
from puzzlespace.engines.packed.hashed_layers import LAYER_BITS
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.limits.watch import Watch

few_parts = Thresholds({LAYER_BITS: 4})  # most of the usual ones are empty, and an uncompiled loop over them takes long
name = sys.argv[1]
for metric in load(name).metrics:
    model = load(name).model(metric)
    question = Depths(model, (load(name).anchor,), keep=5)
    expected = plain.depths(question, Watch())
    found = [frontier.count_layers(question, Watch(thresholds=few_parts), 0)]
    if table.refuses(model, "depths") is None:
        found.append(table.depths(question, Watch()))
    if blocks.refuses(model, "depths") is None:
        found.append(blocks.depths(question, Watch()))
    for each in found:
        assert (each.counts, each.deepest, each.complete) == (expected.counts, expected.deepest, True), metric
assert UNCOMPILED
assert "numba" not in sys.modules
"""


NAMES = ["no-off-a", "no-off-b", "flip3", "flip4", "ring", "star13", "slide:2x3"]


@pytest.mark.parametrize("name", NAMES)
def test_the_loops_of_all_engines_pass_uncompiled(name):
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", PROGRAM, name], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
