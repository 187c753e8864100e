"""What a native library of the loops of rule programs would give: `python benchmarks/native.py [--record]`.

`.ci/browser_loops.py` makes WebAssembly of these loops. Here the same intermediate code becomes machine code of this
processor's family, `ld.lld` makes a shared library of it, and `ctypes` calls that with addresses, as a browser does. It
is measured beside Numba, in processes of their own: the first answer, to `FIRST`, and positions found a second.
`--record` writes the table into docs/page.md.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType
from typing import Any

from machine import described, write
from puzzlespace import depths
from puzzlespace.engines.program import loops

ROOT = Path(__file__).resolve().parent.parent
FIRST = "slide:2x3"
MEASURED = "goat", "century", "pancake:10"
RUNS = 2
ENVIRONMENT = dict(os.environ)
"""What processes are started with: the script that makes loops changes it."""


def maker() -> ModuleType:
    """Return the script that makes loops for browsers."""
    spec = importlib.util.spec_from_file_location("browser_loops", ROOT / ".ci" / "browser_loops.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def library(folder: Path) -> Path:
    """Make the shared library."""
    made: Any = maker()
    made.llvm.initialize_native_target()
    made.llvm.initialize_native_asmprinter()
    made.TRIPLE = made.llvm.get_default_triple()
    machine = made.llvm.Target.from_triple(made.TRIPLE).create_target_machine(opt=3, reloc="pic")
    objects = [folder / f"{name}.o" for name in made.LOOPS]
    for name, place in zip(made.LOOPS, objects, strict=True):
        place.write_bytes(made.compiled(name, machine))
    file = folder / "loops.so"
    subprocess.run(["ld.lld", "-shared", "--strip-all", "--gc-sections", "-o", file, *objects], check=True)
    return file


def measured(file: str) -> dict[str, float]:
    """Return the seconds to the first answer and the positions a second, with a library; by Numba without one."""
    began = time.perf_counter()
    if file:
        code = ctypes.CDLL(file)
        loops.give(lambda name, *places: getattr(code, name)(*map(ctypes.c_void_p, places)))
    depths(FIRST, engine="program", cache="off")
    found = {"first": time.perf_counter() - began}
    for name in MEASURED:
        began = time.process_time()
        answer = depths(name, engine="program", cache="off")
        found[name] = sum(answer.counts) / (time.process_time() - began)
    return found


def child(file: str, cache: str) -> dict[str, float]:
    """Measure in a process of its own."""
    words = [sys.executable, __file__, "--child", file]
    run = subprocess.run(words, env={**ENVIRONMENT, "NUMBA_CACHE_DIR": cache}, check=True, stdout=subprocess.PIPE)
    return json.loads(run.stdout)


def main() -> None:
    """Print the table, or what a process measured."""
    if "--child" in sys.argv:
        print(json.dumps(measured(sys.argv[-1] if sys.argv[-1] != "--child" else "")))
        return
    with tempfile.TemporaryDirectory() as scratch:
        file, cache = library(Path(scratch)), str(Path(scratch, "cache"))
        size = file.stat().st_size
        compiling = child("", cache)
        runs = [(child(str(file), cache), child("", cache)) for _ in range(RUNS)]
    native, numba = ([each[side] for each in runs] for side in (0, 1))
    first = [f"{min(each['first'] for each in side):.2f} s" for side in (native, numba)]
    rows = [
        f"| size of the code | {size / 1000:.0f} KB | with Numba and llvmlite |",
        f"| first answer, `{FIRST}` | {first[0]} | {first[1]}; {compiling['first']:.1f} s if nothing is compiled yet |",
    ]
    for name in MEASURED:
        rates = [f"{max(each[name] for each in side) / 1e6:.1f} million a second" for side in (native, numba)]
        rows.append(f"| `{name}` | {rates[0]} | {rates[1]} |")
    lines = [described(), "", "| what | library | Numba |", "| --- | --- | --- |", *rows]
    print("\n".join(lines))
    if "--record" in sys.argv:
        write("page.md", "benchmarks/native.py", "\n".join(lines))


if __name__ == "__main__":
    main()
