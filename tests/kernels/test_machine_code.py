"""Saved machine code of compiled functions: the answers of Numba without Numba, and nothing that is out of date."""

import ast
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from puzzlespace.kernels import compiling, machine_code
from puzzlespace.kernels.arrays import copy, shaped
from puzzlespace.kernels.loop import CALLS, UNCOMPILED, CompiledFunction, kernel, loop

pytestmark = [
    pytest.mark.skipif(UNCOMPILED, reason="this is the run without the compiler"),
    pytest.mark.skipif(sys.platform != "linux", reason="machine code is saved on Linux only"),
]


class Pair(NamedTuple):
    left: np.ndarray
    right: int


def mixed(values, table, turned, parts, pair, real, flag, small, nothing):
    total = pair.right + np.int64(small)
    for index in range(len(values)):
        total += values[index] + pair.left[index % len(pair.left)]
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            turned[column, row] += table[row, column]
    (inside, words), last = parts
    words[0] |= np.uint64(1) << np.uint64(63)
    return total + len(inside) + last, words[0], real * 2, flag and nothing is None, np.int32(small)


def quotient(values, by):
    values[0] = 1
    return values[0] // by


def creates(count):
    found = np.zeros(count, np.int64)
    for size in range(1, count):
        part = np.ones((size, 3), np.int32)
        found[size] = part.sum() + found[size - 1] + part.ctypes.data % 32
    return found[count - 1]


def copies(values):
    return values.copy()


def nothing(values):
    values[0] += 1


def shapes(values, rows):
    table = shaped(values[2:], (rows, (len(values) - 2) // rows, 1))
    flat = shaped(table, (table.size,))
    copy(table[0, :, 0], table[1, :, 0])
    flat[-1] = 7
    return table.shape[1] + 1000 * flat[1]


def arguments():
    words = np.zeros(2, np.uint64)
    table = np.arange(12, dtype=np.int32).reshape(3, 4)
    frozen = np.arange(5)
    frozen.flags.writeable = False
    turned = np.zeros((3, 4), np.int64).T
    pair = Pair(np.arange(10, dtype=np.uint8)[::3], -7)
    return (np.arange(20)[::-2], table, turned, ((frozen, words), -3), pair, -0.75, True, np.int8(-5), None)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(machine_code, "folders", lambda: (tmp_path,))
    monkeypatch.setattr(CompiledFunction, "calls", 0)  # other tests may have made so many that Numba takes over
    return tmp_path


def saved(function, folder, *given, by=loop):
    """Return the answer of Numba, and a new object that has only what is saved."""
    before = set(folder.iterdir())
    answer = by(function)(*given)
    assert len(set(folder.iterdir()) - before) == 1
    return answer, by(function)


def test_all_kinds_of_arguments_and_results_pass_as_in_numba(folder):
    first, second = arguments(), arguments()
    answer, again = saved(mixed, folder, *first)
    found = again(*second)
    assert again._made is None
    assert found == answer == mixed(*arguments()) == (129, 1 << 63, -1.5, True, -5)
    assert [type(each) for each in found] == [type(each) for each in answer]
    for left, right in zip((first[2], first[3][0][1]), (second[2], second[3][0][1]), strict=True):
        assert left.any()
        assert (left == right).all()


def test_what_is_saved_is_known_by_name_while_its_sources_are_the_same(folder, monkeypatch):
    name = f"{nothing.__module__}.{nothing.__qualname__}"
    assert not machine_code.saved(name)
    saved(nothing, folder, np.zeros(2, np.int64))
    assert machine_code.saved(name)
    assert not machine_code.saved(f"elsewhere.{nothing.__qualname__}")
    (place,) = folder.iterdir()
    whole = place.read_bytes()
    start = len(machine_code.MAGIC) + 32
    for damaged in (
        b"",
        whole[:20],
        whole[: start + 20],
        b"x" + whole[1:],
        whole[:start] + b"\xff" * 8 + whole[start + 8 :],
    ):
        place.write_bytes(damaged)
        assert not machine_code.saved(name)
    place.write_bytes(whole)
    monkeypatch.setattr(machine_code, "sources", lambda: "others")
    assert not machine_code.saved(name)


def test_other_types_are_compiled_anew(folder):
    values = np.zeros(2, np.int64)
    _, again = saved(nothing, folder, values)
    for other in (np.zeros(2, np.int32), np.zeros(4, np.int64)[::2], np.zeros(2)):
        again = loop(nothing)
        again(other)
        assert again._made is not None
        assert other[0] == 1
    assert len(list(folder.iterdir())) == 4


def test_an_exception_is_that_of_numba(folder):
    values = np.zeros(1, np.int64)
    answer, again = saved(quotient, folder, values, 3)
    assert answer == again(values, 3) == 0
    values[0] = 5
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        again(values, 0)
    assert again._made is None
    assert values[0] == 1


def test_a_function_may_create_arrays(folder):
    answer, again = saved(creates, folder, 1000, by=kernel)
    assert again(1000) == answer == 3 * 999 * 1000 // 2
    assert again._made is None
    with pytest.raises(MemoryError):
        again(1 << 59)
    with pytest.raises(ValueError, match="negative dimensions"):
        again(-1)
    assert again._made is None


def test_other_shapes_and_copies_need_nothing_of_numba(folder):
    first, second = np.arange(14), np.arange(14)
    answer, again = saved(shapes, folder, first, 3)
    assert again(second, 3) == answer == 4 + 1000 * 7
    assert again._made is None
    assert first.tolist() == second.tolist() == [0, 1, 6, 7, 8, 9, 6, 7, 8, 9, 10, 11, 12, 7]


def test_created_arrays_are_freed(folder):
    import resource

    _, again = saved(creates, folder, 2, by=kernel)
    again(3000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(5):
        again(3000)
    assert again._made is None
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (1 << 14)


def test_a_function_that_returns_an_array_is_left_to_numba(folder):
    values = np.arange(3)
    answer, again = saved(copies, folder, values, by=kernel)
    before = {place: place.read_bytes() for place in folder.iterdir()}
    assert again(values).tolist() == answer.tolist() == [0, 1, 2]
    assert again._made is not None
    assert {place: place.read_bytes() for place in folder.iterdir()} == before


def test_a_function_within_another_is_left_to_numba(folder):
    def made(more):
        return loop(lambda values: values[0] + more)

    values = np.zeros(1, np.int64)
    assert [made(more)(values) for more in (1, 2)] == [1, 2]
    assert not list(folder.iterdir())


def test_unsupported_arguments_are_left_to_numba(folder, tmp_path):
    for value in ([1], 1 << 64, "word", np.zeros(3).view(np.recarray), 1j, np.float32(1)):
        assert not machine_code.flatten((value,), [], [])
    values = np.memmap(tmp_path / "values", np.int64, "w+", shape=3)
    loop(nothing)(values)
    assert values[0] == 1
    assert not list(folder.glob("*.code"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:40],
        lambda data: data[:-1],
        lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        lambda data: b"q" + data[1:],
    ],
)
def test_a_damaged_file_is_replaced(folder, damage):
    values = np.zeros(1, np.int64)
    _, again = saved(nothing, folder, values)
    (place,) = folder.iterdir()
    whole = place.read_bytes()
    place.write_bytes(damage(whole))
    again(values)
    assert again._made is not None
    assert values[0] == 2
    again = loop(nothing)
    again(values)
    assert again._made is None
    assert values[0] == 3


@pytest.mark.parametrize("name", ["_versions", "_settings", "_processor", "sources"])
def test_code_is_not_used_if_what_it_depends_on_differs(folder, monkeypatch, name):
    values = np.zeros(1, np.int64)
    saved(nothing, folder, values)
    was = getattr(machine_code, name)()
    monkeypatch.setattr(machine_code, name, lambda: "other" if isinstance(was, str) else ("other",))
    again = loop(nothing)
    again(values)
    assert again._made is not None
    assert values[0] == 2


def test_the_sources_are_those_of_all_kernels(tmp_path, monkeypatch):
    (tmp_path / "inside").mkdir()
    found = []
    for text in ("a = 1", "a = 2"):
        (tmp_path / "inside" / "part.py").write_text(text)
        monkeypatch.setattr(machine_code, "__file__", str(tmp_path / "machine_code.py"))
        found.append(machine_code.sources.__wrapped__())
    assert found[0] != found[1]


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


def test_a_change_of_a_helper_in_another_module_is_seen(tmp_path):
    shutil.copytree(Path(machine_code.__file__).parent, tmp_path / "own" / "kernels")
    part = tmp_path / "own" / "kernels" / "part.py"
    (tmp_path / "own" / "__init__.py").write_text("")
    (tmp_path / "own" / "kernels" / "caller.py").write_text(CALLER)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    program = "import sys; from own.kernels.caller import found; print(found(1), 'numba.core' in sys.modules)"
    answers = []
    for more in (1, 1, 20):
        part.write_text(HELPER.format(more))
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        answers.append(done.stdout.split() or done.stderr)
    assert answers == [["2", "True"], ["2", "False"], ["21", "True"]]


def test_code_with_a_missing_symbol_is_not_loaded(folder):
    values = np.zeros(1, np.int64)
    saved(nothing, folder, values)
    kinds = []
    machine_code.flatten((values,), kinds, [])
    name, key = loop(nothing)._name, tuple(kinds)
    head, code = machine_code._read(name, key)
    machine_code.write(name, key, code, {**head, "needed": ["a_symbol_of_nobody"]})
    assert machine_code.load(name, key) is None
    machine_code.write(name, key, code, head)
    assert machine_code.load(name, key) is not None


@pytest.mark.parametrize("wrong", [("_versions", ImportError), ("_versions", OSError), ("sources", OSError)])
def test_nothing_is_saved_if_it_is_unknown_what_the_code_depends_on(folder, monkeypatch, wrong):
    def fail():
        raise wrong[1]

    monkeypatch.setattr(machine_code, wrong[0], fail)
    monkeypatch.setattr(machine_code, "supported", machine_code.supported.__wrapped__)
    values = np.zeros(1, np.int64)
    assert loop(nothing)(values) is None
    assert values[0] == 1
    assert not list(folder.iterdir())


def test_a_folder_that_cannot_be_written_to_changes_no_answer(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(machine_code, "folders", lambda: (tmp_path / "file", tmp_path / "file" / "inside"))
    values = np.zeros(1, np.int64)
    for _ in range(2):
        loop(nothing)(values)
    assert values[0] == 2
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_full_disk_leaves_no_file(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    values = np.zeros(1, np.int64)
    monkeypatch.setattr(os, "replace", full)
    loop(nothing)(values)
    assert values[0] == 1
    assert not list(folder.iterdir())


def test_readers_see_a_whole_file_or_none_while_others_write(folder):
    code = os.urandom(1 << 16)
    errors = []

    def write():
        for _ in range(50):
            machine_code.write("a.name", ("int64",), code, {"entry": ""})

    def read():
        for _ in range(100):
            head, found = machine_code._read("a.name", ("int64",))
            if head and found != code:
                errors.append(len(found))

    threads = [threading.Thread(target=each) for each in (write, write, read)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not errors
    assert machine_code._read("a.name", ("int64",))[1] == code
    assert len(list(folder.iterdir())) == 1


def test_many_calls_go_through_numba(folder, monkeypatch):
    values = np.zeros(1, np.int64)
    _, again = saved(nothing, folder, values)
    monkeypatch.setattr(CompiledFunction, "calls", CALLS - 2)
    again(values)
    assert again._made is None
    again(values)
    assert again._made is not None
    assert values[0] == 3


def test_loading_code_is_reported_like_compiling(folder, monkeypatch):
    values = np.zeros(1, np.int64)
    _, again = saved(nothing, folder, values)
    told, marks = [], []
    monkeypatch.setattr(compiling, "_listeners", [])
    compiling._listeners.append(compiling._Listener(lambda: len(marks), told.append, marks.append))
    again(values)
    assert again._made is None
    assert marks == [1, -1]
    assert len(told) == 1


def test_kernels_do_not_import_numba_before_it_is_needed():
    folder = Path(machine_code.__file__).parent
    found = []
    for place in folder.rglob("*.py"):
        for node in ast.parse(place.read_text()).body:
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            found += [str(place.relative_to(folder)) for name in names if name.split(".")[0] in ("numba", "llvmlite")]
    assert sorted(set(found)) == ["flat_entry.py", "intrinsics.py"]


def test_a_second_command_does_not_import_numba():
    command = [sys.executable, "-X", "importtime", "-m", "puzzlespace", "depths", "flip:5x5"]
    runs = []
    for _ in range(2):
        done = subprocess.run(
            command, env={**os.environ, "PUZZLESPACE_CACHE_SIZE": "0"}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        runs.append(done)
    assert "numba.core" not in runs[1].stderr
    assert "llvmlite" in runs[1].stderr
