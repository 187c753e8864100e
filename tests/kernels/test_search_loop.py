"""One loop for all depth-first searches below a bound: a copy for each bound, each kept on disk under its own name."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from puzzlespace.kernels import deepening
from puzzlespace.kernels.deepening import search_loop
from puzzlespace.kernels.loop import UNCOMPILED

PROGRAM = '''
"""Numbers reached from 1 by steps: sums of steps, or products, with a plain search of all of them to compare."""
import sys
from itertools import product
from math import prod
import numpy as np
from puzzlespace.kernels.loop import UNCOMPILED, inner
from puzzlespace.kernels.deepening.search_loop import ENTERED, NONE, PRUNED, search_loop
from puzzlespace.kernels.deepening.state import BOUND, BUDGET, ENDED, FOUND, FRESH, GENERATED, LEAST, NEVER, OWN, PAUSED

@inner
def arrived(search, depth, bound):
    return depth == bound and search[1][depth, 0] == search[2]

@inner
def open_up(search, depth, bound):
    search[1][depth, 1] = 0
    return 0, NEVER

@inner
def added(search, depth, bound):
    steps, path, goal = search
    return tried(steps, path, goal, depth, bound, path[depth, 0] + steps[min(path[depth, 1], len(steps) - 1)])

@inner
def multiplied(search, depth, bound):
    steps, path, goal = search
    return tried(steps, path, goal, depth, bound, path[depth, 0] * steps[min(path[depth, 1], len(steps) - 1)])

@inner
def tried(steps, path, goal, depth, bound, number):
    if path[depth, 1] == len(steps) or depth == bound:
        return NONE, 0, NEVER
    path[depth, 1] += 1
    if number > goal:
        return PRUNED, 1, number - goal
    path[depth + 1, 0] = number
    return ENTERED, 1, NEVER

@inner
def leave(search, depth, bound):
    search[1][depth, 0] = 0

sums = search_loop("deepen_sums_of_test", arrived, open_up, added, leave)
products = search_loop("deepen_products_of_test", arrived, open_up, multiplied, leave)

def run(loop, steps, goal, bound, budget):
    state, path, found = np.zeros(OWN, np.int64), np.zeros((bound + 2, 2), np.int64), 0
    path[0, 0], state[FRESH], state[LEAST], state[BOUND], state[BUDGET] = 1, 1, NEVER, bound, budget
    said = PAUSED
    while said != ENDED:
        said = loop((np.array(steps, np.int64), path, goal), state)
        found += said == FOUND
    return found, int(state[GENERATED]), int(state[LEAST])

for seed in range(40):
    chosen = np.random.default_rng(seed)
    steps, goal = sorted(chosen.integers(2, 6, 3).tolist()), int(chosen.integers(4, 60))
    bound = int(chosen.integers(1, 5))
    for loop, total in ((sums, lambda way: 1 + sum(way)), (products, prod)):
        ways = [total(way) == goal for way in product(steps, repeat=bound)]
        tries = {n: [total(way) for way in product(steps, repeat=n)] for n in range(bound + 1)}
        made = sum(len(steps) * sum(number <= goal for number in tries[n]) for n in range(bound))
        over = [number + step - goal if loop is sums else number * step - goal
                for n in range(bound) for number in tries[n] if number <= goal for step in steps]
        least = min([each for each in over if each > 0], default=NEVER)
        for budget in (1, 7, 1 << 40):
            assert run(loop, steps, goal, bound, budget) == (sum(ways), made, least), (seed, steps, goal, bound)
print("uncompiled" if UNCOMPILED else [sum(each.stats.cache_hits.values()) for each in (sums, products)])
'''


@pytest.fixture
def answer(tmp_path):
    """Run the program with an empty folder for compiled functions; return what it prints."""
    (tmp_path / "program.py").write_text(PROGRAM)

    def run(**more):
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")} | more
        done = subprocess.run(
            [sys.executable, str(tmp_path / "program.py")], env=environment, capture_output=True, text=True
        )
        return done.stdout.strip() or done.stderr

    return run


@pytest.mark.skipif(UNCOMPILED, reason="this is the run without the compiler")
def test_copies_of_the_loop_find_the_same_and_both_are_loaded_by_the_next_process(answer):
    assert answer() == "[0, 0]"
    assert answer() == "[1, 1]"


def test_copies_of_the_loop_find_the_same_uncompiled(answer):
    assert answer(NUMBA_DISABLE_JIT="1") == "uncompiled"


def test_every_copy_has_a_name_of_its_own():
    code, names = search_loop.deepen.__code__, []
    for place in sorted(Path(deepening.__file__).parent.glob("idastar_*.py")):
        for each in vars(import_module(f"{deepening.__name__}.{place.stem}")).values():
            if getattr(getattr(each, "__wrapped__", each), "__code__", None) is code:
                names.append(each.__name__)
    assert len(names) == len(set(names)) > 1
