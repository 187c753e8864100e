"""Compile loops to WebAssembly, for Python in a browser: those of rule programs, and that of tables of slides.

    python .ci/browser_loops.py              writes the modules that the package ships

Numba makes LLVM's intermediate code from `kernels/program` and `kernels/table/windows`, unoptimized and for no
processor in particular. Here it
becomes code for WebAssembly by llvmlite alone; `wasm-ld` (of LLVM's linker, lld) makes a module of it. That module has
no data and no stack of its own, so that it can work on the memory of a Python that itself runs as WebAssembly.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

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
from puzzlespace.kernels.table import windows

LOOPS = ("enter", "expand", "met", "meet", "shown")

WORDS, COUNTS, BYTES = (types.Array(kind, 1, "C") for kind in (types.uint64, types.int64, types.uint8))

KINDS = {
    "program": COUNTS, "state": COUNTS, "numbers": COUNTS, "sets": WORDS, "words": WORDS, "table": WORDS,
    "parts": WORDS, "others": WORDS, "wanted": COUNTS, "goals": WORDS, "marks": BYTES, "came": BYTES,
    "symbols": BYTES,
}  # fmt: skip
"""The type of each argument, by its name."""

HALVES, FLAGS = types.Array(types.int32, 1, "C"), types.Array(types.boolean, 2, "C")

TABLE, PAIRS = (types.Array(kind, 2, "C") for kind in (types.uint64, types.int64))

SHAPE = types.NamedTuple((COUNTS, COUNTS, COUNTS, COUNTS, HALVES), windows.Shape)

PROGRAM = types.NamedTuple(
    (PAIRS, COUNTS, COUNTS, types.Array(types.int32, 2, "C"), COUNTS, COUNTS, WORDS, types.Array(types.uint64, 4, "C"),
     types.boolean), windows.Program,
)  # fmt: skip

STEP = (
    types.UniTuple(types.int64, 2), types.Tuple((TABLE, FLAGS, FLAGS, WORDS)), SHAPE, PROGRAM,
    types.UniTuple(COUNTS, 5), types.Tuple((WORDS, WORDS, types.Tuple((COUNTS, WORDS, COUNTS)))),
)  # fmt: skip
"""The types of the arguments of `windows.step_layer`."""

TRIPLE = "wasm32-unknown-unknown"

FEATURES = "+bulk-memory,+mutable-globals,+sign-ext"
"""What all browsers have that also run Python."""

DATA = 11
"""The kind of the section with constants in memory."""

LENGTH = 1 << 40
"""The length that loops are told of all arrays: they never ask."""


def code_of(loop: Any, signature: tuple[types.Type, ...]) -> tuple[str, str]:
    """Return the intermediate code of a loop, and the name of its function there."""
    dispatcher = loop.dispatcher()
    dispatcher.compile(signature)
    made = dispatcher.overloads[signature]
    return made.library.get_llvm_str(), made.fndesc.llvm_func_name


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


def leaves(kind: types.Type) -> Iterator[types.Type]:
    """Yield the types that are in a type of tuples, in order."""
    for each in kind if isinstance(kind, types.BaseTuple) else ():
        yield from leaves(each)
    if not isinstance(kind, types.BaseTuple):
        yield kind


def shaped_entry(name: str, function: str, signature: tuple[types.Type, ...]) -> str:
    """Return the code of an entry that takes numbers, and for each array its address and its shape.

    It returns a number of 32 bits.
    """
    taken, made, passed = list[str](), list[str](), list[str]()
    for number, kind in enumerate(leaf for each in signature for leaf in leaves(each)):
        here = f"%a{number}"
        if not isinstance(kind, types.Array):
            wide = "i8" if kind == types.boolean else "i64"
            made.append(f"{here}w = {'trunc' if wide == 'i8' else 'zext'} i32 {here} to {wide}")
            taken.append(f"i32 {here}")
            passed.append(f"{wide} {here}w")
            continue
        size = 1 if kind.dtype == types.boolean else kind.dtype.bitwidth // 8
        axes = range(kind.ndim)
        taken += [f"ptr {here}", *(f"i32 {here}n{axis}" for axis in axes)]
        made += [f"{here}s{axis} = zext i32 {here}n{axis} to i64" for axis in axes]
        steps = [f"{here}t{axis}" for axis in axes[:-1]] + [str(size)]
        made += [f"{steps[axis]} = mul i64 {steps[axis + 1]}, {here}s{axis + 1}" for axis in reversed(axes[:-1])]
        passed += [f"ptr null, ptr null, i64 {LENGTH}, i64 {size}, ptr {here}"]
        passed += [*(f"i64 {here}s{axis}" for axis in axes), *(f"i64 {step}" for step in steps)]
    return (
        f"define i32 @{name}({', '.join(taken)}) {{\n  %result = alloca i64\n  %raised = alloca ptr\n"
        + "".join(f"  {line}\n" for line in made)
        + f"  call i32 @{function}(ptr %result, ptr %raised, {', '.join(passed)})\n"
        "  %found = load i64, ptr %result\n  %short = trunc i64 %found to i32\n  ret i32 %short\n}\n"
    )


def program_loop(name: str) -> tuple[str, str]:
    """Return the code of a loop of `kernels/program`, and of its entry."""
    loop = getattr(loops, name)
    signature = tuple(KINDS[each] for each in inspect.signature(loop.__wrapped__).parameters)
    text, function = code_of(loop, signature)
    return text, entry(name, function)


def table_loop(name: str) -> tuple[str, str]:
    """Return the code of a loop of `kernels/table/windows`, and of its entry."""
    text, function = code_of(getattr(windows, name), STEP)
    return text, shaped_entry(name, function, STEP)


class Shipped(NamedTuple):
    """A module that the package ships: the file, the loops, what makes their code, the files on which it depends."""

    file: Path
    loops: tuple[str, ...]
    code: Callable[[str], tuple[str, str]]
    sources: tuple[Path, ...]


def shipped(module: Any, names: tuple[str, ...], code: Callable[[str], tuple[str, str]], *others: Any) -> Shipped:
    """Return the module that is made of the loops of a module of Python, which uses others."""
    files = (Path(__file__), *(Path(each.__file__) for each in (bits, *others, module)))
    return Shipped(Path(module.__file__).with_suffix(".wasm"), names, code, files)


SHIPPED = (shipped(loops, LOOPS, program_loop, fields), shipped(windows, ("step_layer",), table_loop))


def compiled(name: str, text: str, entered: str, machine: llvm.TargetMachine) -> bytes:
    """Return the object file of a loop, from its code and that of its entry."""
    text = re.sub("^target .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    text = re.sub(r"^(@\S+ = )(common|weak)\b", r"\1internal", text, flags=re.MULTILINE)
    text = re.sub(r"^define (?:linkonce_odr |weak |dso_local )*", "define internal ", text, flags=re.MULTILINE)
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{TRIPLE}"\n'
    module = llvm.parse_assembly(head + text + entered)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    found = machine.emit_object(module)
    if b"__stack_pointer" in found:
        raise SystemExit(f"{name}: expected a loop without a stack in memory, found one")
    return found


def sources(made: Shipped) -> str:
    """Return a hash of the sources of a module."""
    return hashlib.sha256(b"".join(each.read_bytes() for each in made.sources)).hexdigest()


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


def write(made: Shipped, file: Path) -> None:
    """Write a module."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu="generic", features=FEATURES, opt=3)
    with tempfile.TemporaryDirectory() as folder:
        objects = [Path(folder) / f"{name}.o" for name in made.loops]
        for name, place in zip(made.loops, objects, strict=True):
            place.write_bytes(compiled(name, *made.code(name), machine))
        exports = [f"--export={name}" for name in made.loops]
        words = ["wasm-ld", "--no-entry", "--import-memory", "--strip-all", "--gc-sections", *exports, "-o", str(file)]
        subprocess.run([*words, *map(str, objects)], check=True)
    code = file.read_bytes()
    if DATA in {kind for kind, _ in sections(code)}:
        raise SystemExit("expected loops without constants in memory, found some")
    file.write_bytes(code + section("sources", sources(made)) + section("tools", tools()))
    file.chmod(0o644)


if __name__ == "__main__":
    for each in SHIPPED:
        write(each, each.file)
