"""Compiled functions: loaded without Numba, saved by it, never out of date, the same instructions as written."""

import ast
import os
import random
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from puzzlespace.kernels import bits, compiling, lanes, loop, prefetch
from puzzlespace.kernels.loop import UNCOMPILED, kernel
from puzzlespace.kernels.widths import SUMS, WORDS

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="this is the run without the compiler")

KERNELS = Path(loop.__file__).parent

# Test modules are no kernels, but these names are looked up as those of other kernels are.
popcount, lowest, gathered, atomic_or = bits.popcount, bits.lowest, bits.gathered, bits.atomic_or
equal64, sum_of_rows, move_lanes = bits.equal64, lanes.sum_of_rows, lanes.move_lanes
fetch = prefetch.prefetch


def words_of(count, seed):
    return np.array([random.Random(seed + each).getrandbits(64) | 1 << each % 64 for each in range(count)], np.uint64)


def bits_of(words, masks):
    found = np.zeros((len(words), 3), np.int64)
    for index in range(len(words)):
        fetch(words, index)
        found[index, 0] = popcount(words[index])
        found[index, 1] = lowest(words[index])
        found[index, 2] = np.int64(gathered(words[index], masks[index]) >> np.uint64(1))
        atomic_or(masks, index, words[index])
    return found


def lines_of(bytes_, rows, states):
    return equal64(bytes_, 3, 2), equal64(bytes_, 64, 0), sum_of_rows(rows, 1, states, 0, 1)


def moved(words, source, allowed, shifts):
    move_lanes(words, 8, source, allowed, 5, shifts)


def test_instructions_do_what_is_written():
    words = words_of(200, 1)
    masks = words_of(200, 1000), words_of(200, 1000)
    assert (kernel(bits_of)(words, masks[0]) == bits_of(words, masks[1])).all()
    assert (masks[0] == masks[1]).all()
    draw = random.Random(5)
    given = np.array([draw.randrange(3) for _ in range(128)], np.uint8)
    rows = np.array([draw.randrange(-99, 99) for _ in range(2 * 3 * 7 * SUMS)]).reshape(2, 3, 7, SUMS)
    states = np.array([draw.randrange(7) for _ in range(6)], np.uint8).reshape(1, 2, 3)
    assert kernel(lines_of)(given, rows, states) == lines_of(given, rows, states)
    for turn in range(8):
        for up, down in ((0, 0), (3, 0), (0, 17)):
            targets = [np.zeros(3 * WORDS, np.uint64) for _ in range(2)]
            shifts = tuple(map(np.uint64, (up, down, turn)))
            for target, by in zip(targets, (kernel(moved), moved), strict=True):
                by(target, words_of(WORDS, 7), words_of(2 * WORDS, 70), shifts)
            assert targets[0].any()
            assert (targets[0] == targets[1]).all()


CALLS = """
import numpy as np
from puzzlespace.kernels.loop import inner, loop
TIMES = np.int16(3)
def multiplied(words, at, more):
    for each in range(len(words)):
        words[each] += at * more
    return words[at]
added = inner(multiplied)
@loop
def often(words, short, unsigned):
    total = added(words, 1, 7) + added(words, short[0], len(words)) + added(words, np.int64(2), TIMES)
    return total + added(words, unsigned[0], True) + added(words, unsigned[1], False)
words = np.arange(64), np.arange(64)
found = often(words[0], np.array([3], np.int32), np.array([4, 5], np.uint8))
assert found == sum(multiplied(words[1], *each) for each in [(1, 7), (3, 64), (2, 3), (4, 1), (5, 0)])
assert (words[0] == words[1]).all()
print(*sorted(" ".join(map(str, each[1:])) for each in added.signatures), sep=", ")
print([any(" x i64>" in code for code in each.inspect_llvm().values()) for each in (added, often)])
"""


def test_functions_of_kernels_are_compiled_for_few_types_and_not_optimized_by_themselves(tmp_path):
    (tmp_path / "program.py").write_text(CALLS)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, tmp_path / "program.py"], env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["int64 int64, uint8 bool", "[False, True]"], done.stderr


def test_without_the_instruction_of_the_processor_bits_are_gathered_by_a_loop():
    program = (
        "from numpy import uint64\n"
        "from puzzlespace.kernels.bits import gathered\n"
        "from puzzlespace.kernels.loop import kernel\n"
        "found = kernel(lambda word, mask: gathered(word, mask))\n"
        "print(found(uint64(0b110101), uint64(0b101110)), found.inspect_asm().popitem()[1].count('pext'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "NUMBA_CPU_NAME": "generic"}, capture_output=True, text=True
    )
    assert done.stdout.split() == ["10", "0"], done.stderr


def quotient(values, by):
    values[0] = 1
    return values[0] // by


def test_exceptions_pass_and_the_function_stays_usable():
    values = np.array([7])
    divided = kernel(quotient)
    with pytest.raises(ZeroDivisionError):
        divided(values, 0)
    assert divided(values, 1) == 1


def waits(state, step, most):
    """Return whether another thread sets state[0] within `most` looks at it; a step of 0 keeps them all in the loop."""
    state[1] = 1
    look = 0
    while look < most and not state[look * step]:
        look += 1
    return look < most


def test_other_threads_run_while_a_function_does():
    state, found = np.zeros(2, np.int64), []
    run = loop.loop(waits)
    assert not run(state, 0, 1)
    state[1] = 0
    thread = threading.Thread(target=lambda: found.append(run(state, 0, 1 << 34)))
    thread.start()
    while not state[1]:
        pass
    state[0] = 1
    thread.join()
    assert found == [True]


def doubled(value):
    return 2 * value


def test_taking_memory_for_the_compiler_is_reported_once_for_each_function(monkeypatch):
    told, marks = [], []
    monkeypatch.setattr(compiling, "_listeners", [])
    compiling._listeners.append(compiling._Listener(lambda: len(marks), told.append, marks.append))
    found = kernel(doubled)
    assert found(4) == 8
    assert (marks[0], marks[-1], sum(marks)) == (1, -1, 0)
    assert len(told) == 1
    assert found(5) == 10
    assert len(told) == 1


def test_kernels_do_not_import_numba_when_they_are_loaded():
    found = []
    for place in KERNELS.rglob("*.py"):
        for node in ast.parse(place.read_text()).body:
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            found += [str(place.relative_to(KERNELS)) for name in names if name.split(".")[0] in ("numba", "llvmlite")]
    assert sorted(set(found)) == ["calls.py", "intrinsics.py", "pipeline.py"]


HELPER = """
from .loop import helper

@helper
def more(value):
    return value + {}
"""
CALLER = """
from .loop import loop
from .part import more

@loop
def found(value):
    return more(value)
"""
PROGRAM = "from own.kernels.caller import found; print(found(1), *found.stats.cache_hits.values())"


@pytest.fixture
def own(tmp_path):
    """A package with the kernels and two more, one of which calls the other; and how a program with it is started."""
    shutil.copytree(KERNELS, tmp_path / "own" / "kernels", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "own" / "__init__.py").write_text("")
    part = tmp_path / "own" / "kernels" / "part.py"
    part.write_text(HELPER.format(1))
    (tmp_path / "own" / "kernels" / "caller.py").write_text(CALLER)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def start(**more):
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=environment | more, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip

    return part, start


def answer(process):
    out, errors = process.communicate()
    return out.split() or errors


def test_a_change_of_a_helper_in_another_module_is_seen(own):
    part, start = own
    assert answer(start()) == ["2"]
    assert answer(start()) == ["2", "1"]
    part.write_text(HELPER.format(20))
    assert answer(start()) == ["21"]
    assert answer(start()) == ["21", "1"]
    part.write_text(HELPER.format(1))
    assert answer(start()) == ["2", "1"]


def test_a_numba_without_what_the_compiler_is_made_of_compiles_in_its_own_way(own):
    part, start = own
    (part.parent / "pipeline.py").write_text("from numba import no_such_name\n")
    assert answer(start()) == ["2"]


def test_one_of_several_processes_compiles_a_function_and_the_others_load_it(own):
    _, start = own
    assert sorted(map(answer, [start() for _ in range(3)])) == [["2"], ["2", "1"], ["2", "1"]]
    assert answer(start()) == ["2", "1"]


def test_nobody_waits_long_for_a_process_that_is_stopped_while_it_compiles(own, tmp_path):
    part, start = own
    calls = part.parent / "calls.py"
    calls.write_text(calls.read_text().replace("WAIT = 60.0", "WAIT = 0.5"))
    assert answer(start()) == ["2"]
    (lock,) = (tmp_path / "cache").rglob("found_*.lock")
    for saved in lock.parent.glob("*found_*.nb?"):
        saved.unlink()
    with FileLock(lock):
        assert answer(start()) == ["2"]


def test_locks_that_outlive_a_process_are_not_used(own, tmp_path):
    part, start = own
    calls = part.parent / "calls.py"
    calls.write_text(
        calls.read_text().replace("from filelock import FileLock,", "from filelock import SoftFileLock as FileLock,")
    )
    assert answer(start()) == ["2"]
    assert not [*(tmp_path / "cache").rglob("*.lock")]


def test_a_folder_that_cannot_be_written_to_changes_no_answer(own, tmp_path):
    part, start = own
    (tmp_path / "file").write_text("")
    (part.parent / "__pycache__").write_text("")
    nowhere = str(tmp_path / "file" / "inside")
    assert answer(start(NUMBA_CACHE_DIR=nowhere, XDG_CACHE_HOME=nowhere, HOME=nowhere)) == ["2"]
    assert (tmp_path / "file").read_text() == ""


THREADS = """
import threading
from own.kernels import bit_arrays, caller, equal_bytes, part
import numpy as np

words = np.arange(64, dtype=np.uint64)
found = []
asked = [
    lambda: caller.found(1), lambda: bit_arrays.count_bits(words, 0, 64), lambda: caller.found(1),
    lambda: equal_bytes.count_equal(words.view(np.uint8), 0),
]
threads = [threading.Thread(target=lambda each=each: found.append(int(each()))) for each in asked]
for each in threads:
    each.start()
for each in threads:
    each.join()
print(*sorted(found))
"""


def test_threads_compile_at_the_same_time(own, monkeypatch):
    _, start = own
    monkeypatch.setitem(globals(), "PROGRAM", THREADS)
    assert answer(start()) == ["2", "2", "192", "449"]
