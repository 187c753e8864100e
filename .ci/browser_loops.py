"""Compile the loops of rule loops to WebAssembly, for Python in a browser.

    python .ci/browser_loops.py [FILE]       writes FILE, by default the module that the package ships

Numba makes LLVM's intermediate code from `kernels/program`, unoptimized and for no processor in particular. Here it
becomes code for WebAssembly by llvmlite alone; `wasm-ld` (of LLVM's linker, lld) makes a module of it. That module has
no data and no stack of its own, so that it can work on the memory of a Python that itself runs as WebAssembly.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ |= {
    "NUMBA_OPT": "0",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_CACHE_DIR": tempfile.mkdtemp(),
}

import llvmlite
import llvmlite.binding as llvm
import numba
from numba import types

from puzzlespace.kernels import bits
from puzzlespace.kernels.program import fields, loops

SHIPPED = Path(loops.__file__).with_suffix(".wasm")

SOURCES = (Path(__file__), *(Path(each.__file__) for each in (bits, fields, loops)))
"""The files on which the module depends."""

LOOPS = ("enter", "expand", "met", "meet", "shown")

WORDS, COUNTS, BYTES = (types.Array(kind, 1, "C") for kind in (types.uint64, types.int64, types.uint8))

KINDS = {
    "program": COUNTS, "state": COUNTS, "numbers": COUNTS, "sets": WORDS, "words": WORDS, "table": WORDS,
    "parts": WORDS, "others": WORDS, "wanted": COUNTS, "goals": WORDS, "marks": BYTES, "symbols": BYTES,
}  # fmt: skip
"""The type of each argument, by its name."""

TRIPLE = "wasm32-unknown-unknown"

FEATURES = "+bulk-memory,+mutable-globals,+sign-ext"
"""What all browsers have that also run Python."""

DATA = 11
"""The kind of the section with constants in memory."""

LENGTH = 1 << 40
"""The length that loops are told of all arrays: they never ask."""


def code_of(name: str) -> tuple[str, str]:
    """Return the intermediate code of a loop, and the name of its function there."""
    dispatcher = getattr(loops, name).dispatcher()
    signature = tuple(KINDS[each] for each in inspect.signature(dispatcher.py_func).parameters)
    dispatcher.compile(signature)
    compiled = dispatcher.overloads[signature]
    return compiled.library.get_llvm_str(), compiled.fndesc.llvm_func_name


def entry(name: str, function: str) -> str:
    """Return the code of an entry that takes addresses alone, and calls a loop with arrays as Numba passes them."""
    names = list(inspect.signature(getattr(loops, name).__wrapped__).parameters)
    arrays = [
        f"ptr null, ptr null, i64 {LENGTH}, i64 {KINDS[each].dtype.bitwidth // 8}, ptr %{each}, i64 {LENGTH}, "
        f"i64 {KINDS[each].dtype.bitwidth // 8}"
        for each in names
    ]
    return (
        f"define void @{name}({', '.join(f'ptr %{each}' for each in names)}) {{\n"
        "  %result = alloca ptr\n  %raised = alloca ptr\n"
        f"  call i32 @{function}(ptr %result, ptr %raised, {', '.join(arrays)})\n  ret void\n}}\n"
    )


def compiled(name: str, machine: llvm.TargetMachine) -> bytes:
    """Return the object file of a loop."""
    text, function = code_of(name)
    text = re.sub("^target .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    text = re.sub(r"^(@\S+ = )(common|weak)\b", r"\1internal", text, flags=re.MULTILINE)
    text = re.sub(r"^define (?:linkonce_odr |weak |dso_local )*", "define internal ", text, flags=re.MULTILINE)
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{TRIPLE}"\n'
    module = llvm.parse_assembly(head + text + entry(name, function))
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    found = machine.emit_object(module)
    if b"__stack_pointer" in found:
        raise SystemExit(f"{name}: expected a loop without a stack in memory, found one")
    return found


def sources() -> str:
    """Return a hash of the sources."""
    return hashlib.sha256(b"".join(each.read_bytes() for each in SOURCES)).hexdigest()


def tools() -> str:
    """Return the versions of the tools: with the same ones the module has the same bytes."""
    linker = subprocess.run(["wasm-ld", "--version"], capture_output=True, text=True, check=True).stdout
    return f"numba {numba.__version__}, llvmlite {llvmlite.__version__}, {linker.strip()}"


def section(name: str, text: str) -> bytes:
    """Return a custom section of a WebAssembly module."""
    content = bytes([*_number(len(name)), *name.encode(), *text.encode()])
    return bytes([0, *_number(len(content)), *content])


def _number(value: int) -> list[int]:
    """Return a number in the form of WebAssembly (LEB128)."""
    return [value] if value < 128 else [value & 127 | 128, *_number(value >> 7)]


def sections(module: bytes) -> list[tuple[int, bytes]]:
    """Return the sections of a WebAssembly module: their kinds and contents."""
    found, at = list[tuple[int, bytes]](), 8
    while at < len(module):
        kind, size, shift = module[at], 0, 0
        at += 1
        while True:
            size |= (module[at] & 127) << shift
            shift += 7
            at += 1
            if module[at - 1] < 128:
                break
        found.append((kind, module[at : at + size]))
        at += size
    return found


def main(file: Path = SHIPPED) -> None:
    """Write the module."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu="generic", features=FEATURES, opt=3)
    with tempfile.TemporaryDirectory() as folder:
        objects = [Path(folder) / f"{name}.o" for name in LOOPS]
        for name, place in zip(LOOPS, objects, strict=True):
            place.write_bytes(compiled(name, machine))
        exports = [f"--export={name}" for name in LOOPS]
        words = ["wasm-ld", "--no-entry", "--import-memory", "--strip-all", "--gc-sections", *exports, "-o", str(file)]
        subprocess.run([*words, *map(str, objects)], check=True)
    made = file.read_bytes()
    if DATA in {kind for kind, _ in sections(made)}:
        raise SystemExit("expected loops without constants in memory, found some")
    file.write_bytes(made + section("sources", sources()) + section("tools", tools()))
    file.chmod(0o644)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
