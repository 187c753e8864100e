"""Saved machine code of compiled functions, loaded by llvmlite alone: without Numba, which takes longer to import.

A file holds an object file of ELF with one entry, whose only argument is the address of 64-bit slots: those of the
results first, then those of the arguments (flat_entry.py). A file is used only if all that the code depends on is the
same: the sources of all kernels, the types of the arguments, versions, settings of Numba, and the processor. In all
other cases there is no entry, and Numba does the work.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import importlib.util
import json
import os
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np

MAGIC = b"puzzlespace machine code 1\n"
C, F, ALIGNED, WRITEABLE = 0x1, 0x2, 0x100, 0x400
"""Flags of an array, as in NumPy's C interface."""

MOST_HEAD = 1 << 20
"""The most bytes of the description in a file."""

_pack = struct.Struct("d")
_unpack = struct.Struct("q")


def flatten(values: tuple, kinds: list, slots: list[int]) -> bool:
    """Append the types of values to `kinds` and their slots to `slots`; return whether all types are supported."""
    for value in values:
        kind = type(value)
        if kind is np.ndarray:
            flags = value.flags.num
            layout = C if flags & C else flags & F
            kinds.append((value.dtype, value.ndim, layout | flags & (ALIGNED | WRITEABLE)))
            slots.append(value.ctypes.data)
            slots += value.shape
            slots += value.strides
        elif kind is int:
            if not -(1 << 63) <= value < 1 << 63:
                return False
            kinds.append("int64")
            slots.append(value)
        elif kind is bool or kind is np.bool_:
            kinds.append("bool")
            slots.append(int(value))
        elif kind is float or kind is np.float64:
            kinds.append("float64")
            slots.append(_unpack.unpack(_pack.pack(value))[0])
        elif value is None:
            kinds.append("none")
        elif isinstance(value, tuple):
            if kind is not tuple and not hasattr(kind, "_fields"):
                return False
            kinds.append(kind)
            kinds.append(len(value))
            if not flatten(value, kinds, slots):
                return False
        elif isinstance(value, np.integer) and kind.__module__ == "numpy":
            kinds.append(value.dtype.name)
            slots.append(int(value))
        else:
            return False
    return True


class LoadedFunction:
    """A compiled function in memory, to be called with the slots of its arguments."""

    def __init__(self, address: int, results: Any, count: int) -> None:
        self.call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)
        self.results = results
        self.count = count

    def __call__(self, slots: list[int]) -> Any:
        first = 2 + self.count
        memory = (ctypes.c_int64 * (first + len(slots)))(*[0] * first, *slots)
        self.call(ctypes.addressof(memory))
        if memory[0]:
            _raise(memory[0], memory[1])
        return _boxed(self.results, iter(memory[2:first]))


def _raise(status: int, place: int) -> None:
    """Raise the exception of a compiled function; Numba describes it by the address and length of a pickle."""
    if status > 0 and place:
        import pickle

        address = ctypes.c_void_p.from_address(place).value
        length = ctypes.c_int32.from_address(place + ctypes.sizeof(ctypes.c_void_p)).value
        kind, arguments, *_ = pickle.loads(ctypes.string_at(address or 0, length))
        raise kind(*arguments or ())
    raise SystemError(f"a compiled function ended with status {status}")


def _boxed(kind: Any, words: Any) -> Any:
    """Return the Python object of a result."""
    if isinstance(kind, list):
        return tuple(_boxed(each, words) for each in kind)
    if kind == "none":
        return None
    word = next(words)
    if kind == "bool":
        return bool(word)
    if kind == "float64":
        return _pack.unpack(_unpack.pack(word))[0]
    return word & (1 << 64) - 1 if kind == "unsigned" else word


def load(name: str, key: tuple) -> LoadedFunction | None:
    """Return the entry of a function for these types, or None if there is none or it must not be used."""
    head, code = _read(name, key)
    if not head or not head["entry"]:
        return None
    from llvmlite import binding

    engine = _engine()  # it also opens the process's own symbols
    if any(binding.address_of_symbol(symbol) is None for symbol in head["needed"]):
        return None
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(head["entry"])
    return LoadedFunction(address, head["results"], head["count"]) if address else None


def _read(name: str, key: tuple) -> tuple[dict[str, Any], bytes]:
    """Return the description and the object file of a function, or nothing if no file can be used."""
    for folder in folders() if supported() else ():
        try:
            data = (folder / file_name(name, key)).read_bytes()
        except OSError:
            continue
        start = len(MAGIC) + 32
        if data[: len(MAGIC)] == MAGIC and hashlib.sha256(data[start:]).digest() == data[len(MAGIC) : start]:
            begin = start + 8
            end = begin + int.from_bytes(data[start:begin], "little")
            head = json.loads(data[begin:end])
            if head["about"] == about(name, key):
                return head, data[end:]
    return {}, b""


def saved(name: str) -> bool:
    """Return whether machine code of a function is saved for arguments of some types, and can be used here.

    A file is compared with its checksum only when it is loaded.
    """
    for folder in folders() if supported() else ():
        for place in folder.glob(f"{name.rpartition('.')[2]}-*.code"):
            head = _described(place)
            found, wanted = head.get("about", [""]), about(name, ())
            if head.get("entry") and [found[0], *found[2:]] == [wanted[0], *wanted[2:]]:
                return True
    return False


def _described(place: Path) -> dict[str, Any]:
    """Return the description in a file, or nothing if it has none."""
    with contextlib.suppress(OSError, ValueError), place.open("rb") as file:
        if file.read(len(MAGIC)) == MAGIC:
            file.seek(32, os.SEEK_CUR)
            size = int.from_bytes(file.read(8), "little")
            return json.loads(file.read(size)) if size <= MOST_HEAD else {}
    return {}


def save(name: str, key: tuple, dispatcher: Any, arguments: tuple) -> None:
    """Save the machine code that Numba made for the types of these arguments.

    If it cannot be called alone, this is saved, so that it is not tried again.
    """
    if not supported() or _writable(folders()) is None or _read(name, key)[0]:
        return
    from .flat_entry import flat_entry

    try:
        made = flat_entry(dispatcher, arguments, _hash(name, key))
    except Exception:  # this uses what Numba does not document: another version may differ in any way
        made = None
    write(name, key, *(made or (b"", {"entry": ""})))


def write(name: str, key: tuple, code: bytes, head: dict[str, Any]) -> None:
    """Write the file at once or not at all."""
    text = json.dumps({**head, "about": about(name, key)}).encode()
    body = len(text).to_bytes(8, "little") + text + code
    folder = _writable(folders())
    if folder is not None:
        with contextlib.suppress(OSError):
            place = _new_file(folder)
            try:
                place.write_bytes(MAGIC + hashlib.sha256(body).digest() + body)
                os.replace(place, folder / file_name(name, key))
            except OSError:
                place.unlink()


@functools.cache
def _writable(among: tuple[Path, ...]) -> Path | None:
    """Return the first folder that can be written to, if there is one."""
    for folder in among:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            _new_file(folder).unlink()
            return folder
    return None


def _new_file(folder: Path) -> Path:
    import tempfile

    number, place = tempfile.mkstemp(dir=folder)
    os.close(number)
    return Path(place)


@functools.cache
def supported() -> bool:
    """Return whether machine code can be saved and used here.

    Object files are read on Linux only. Sources must be files, and all settings of Numba variables of the environment.
    """
    source = Path(__file__)
    if sys.platform != "linux" or source.suffix != ".py" or not source.is_file() or Path(".numba_config.yaml").exists():
        return False
    try:
        return bool(sources() and _versions())
    except (ImportError, OSError, ValueError):
        return False


@functools.cache
def folders() -> tuple[Path, ...]:
    """Return the folders that may hold the files, those of Numba's own cache."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return (Path(given, "puzzlespace"),)
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(__file__).parent / "__pycache__", user / "numba" / "puzzlespace"


def file_name(name: str, key: tuple) -> str:
    """Return the name of the file of a function for these types, on this processor."""
    return f"{name.rpartition('.')[2]}-{_hash(name, key)}.code"


def _hash(name: str, key: tuple) -> str:
    words = [name, described(key), str(Path(__file__).parent), sys.version, _processor(), *_settings()]
    return hashlib.sha256(repr(words).encode()).hexdigest()[:32]


def about(name: str, key: tuple) -> list[str]:
    """Return all that the machine code of a function depends on."""
    return [name, described(key), sys.version, *_versions(), *_settings(), _processor(), sources()]


def described(key: tuple) -> str:
    """Return the types as text."""
    words = []
    for kind in key:
        if isinstance(kind, type):
            words.append(f"{kind.__module__}.{kind.__qualname__} {getattr(kind, '_fields', '')}")
        elif isinstance(kind, tuple):
            words.append(f"{kind[0].str} {kind[1]} {kind[2]}")
        else:
            words.append(str(kind))
    return ", ".join(words)


@functools.cache
def sources() -> str:
    """Return a hash of the sources of all kernels: a function may call helpers of other modules."""
    folder = Path(__file__).parent
    found = hashlib.sha256()
    for place in sorted(folder.rglob("*.py")):
        text = place.read_bytes()
        found.update(f"{place.relative_to(folder)} {len(text)}\n".encode() + text)
    return found.hexdigest()


@functools.cache
def _versions() -> tuple[str, ...]:
    """Return the versions of what makes the code; that of Numba is read without importing it."""
    import llvmlite

    numba = importlib.util.find_spec("numba")
    if numba is None or numba.origin is None:
        raise ImportError("Numba has no source file")
    version = Path(numba.origin).with_name("_version.py").read_bytes()
    return llvmlite.__version__, np.__version__, hashlib.sha256(version).hexdigest()


@functools.cache
def _settings() -> tuple[str, ...]:
    """Return Numba's settings, except those of folders and threads."""
    left_out = ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_DISABLE_JIT")
    return tuple(
        f"{name}={os.environ[name]}"
        for name in sorted(os.environ)
        if name.startswith("NUMBA_") and name not in left_out
    )


@functools.cache
def _processor() -> str:
    from llvmlite import binding

    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


@functools.cache
def _engine() -> Any:
    """Return the engine that places machine code in memory; it lives as long as the process."""
    from llvmlite import binding

    with contextlib.suppress(RuntimeError):  # newer versions need no such call, and say so by this error
        binding.initialize()
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple()).create_target_machine()
    return binding.create_mcjit_compiler(binding.parse_assembly(""), target)


def check_all_sources(dispatcher: Any) -> None:
    """Have Numba's own cache compare the sources of all kernels, not only that of the function's module."""
    with contextlib.suppress(AttributeError, OSError):
        file = dispatcher._cache._cache_file
        file._source_stamp = (file._source_stamp, sources())
