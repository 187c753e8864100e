"""Decorators that compile kernels for Numba, with the options that were measured to be fastest."""

from numba import njit

loop = njit(cache=True, nogil=True, _nrt=False, no_cfunc_wrapper=True)
"""Compile a kernel on flat arrays: cached on disk, without the interpreter's lock, without reference counts.

Reference counts are not needed, because the arrays outlive the call and the kernel creates none. With them, passing
arrays to inner functions took more than half of the time, because all threads update the same counts.
"""

helper = njit(cache=True, nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Compile a function that only kernels call: no wrapper for Python is compiled, which would double the time."""

inner = njit(cache=True, nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)
"""Compile a function like `helper` and inline it into its caller.

Without inlining, a tuple of arrays is copied at each call: hundreds of bytes.
"""
