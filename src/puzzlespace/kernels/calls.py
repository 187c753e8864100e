"""How Numba compiles: each kernel in one process, and what kernels call for few types and optimized only in them."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock
from numba import types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NopythonTypeInference


@contextlib.contextmanager
def one_process(dispatcher: Any) -> Iterator[None]:
    """Let other processes wait that want to compile the same function: they load what this one saves."""
    folder = dispatcher.stats.cache_path
    with contextlib.ExitStack() as held:
        if folder is not None:
            with contextlib.suppress(OSError, NotImplementedError):  # a file system without locks: all compile
                held.enter_context(FileLock(Path(folder, f"{dispatcher.py_func.__qualname__}.lock")))
        yield


def widen(dispatcher: Any) -> None:
    """Let kernels pass literals and short integers to a function as integers of 64 bits.

    Numba would compile the function for each of these types, although nothing is left of them once it is inlined.
    """
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda given, named: template([_wide(each) for each in given], named)


def _wide(given: Any) -> Any:
    kind = types.unliteral(given)
    if isinstance(kind, types.Integer) and kind.bitwidth < 64:
        return types.int64 if kind.signed else types.uint64
    return kind


@register_pass(mutates_CFG=False, analysis_only=True)
class Unoptimized(AnalysisPass):
    """Give a function a library that is not optimized.

    Numba links the library of a function into those of its callers, and optimizes each as a whole. A function that is
    inlined through ten levels was optimized ten times, and each time its unrolled loops were unrolled again.
    """

    _name = "unoptimized"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        state.library = state.targetctx.codegen().create_library(state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.library._optimize_final_module = lambda: None
        return False


class OptimizedInCallers(CompilerBase):
    """Numba's compiler with `Unoptimized`."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(Unoptimized, NopythonTypeInference)
        passes.finalize()
        return [passes]
