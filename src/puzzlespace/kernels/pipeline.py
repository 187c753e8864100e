"""A compiler of Numba for functions that only kernels call: they are not optimized alone."""

from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NopythonTypeInference


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
