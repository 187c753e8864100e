"""How the loops of the frontier engine are compiled."""

from numba import njit

loop = njit(cache=True, nogil=True, _nrt=False, no_cfunc_wrapper=True)
"""Compile a function on flat arrays: kept on disk, free of the interpreter's lock, and without counting references.

The arrays that a loop is given outlive it and it makes none, so nothing needs to be counted; counting where an array
is handed to an inner function was measured to take more than half of the time, as two threads share the counts.
"""

helper = njit(cache=True, nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""The same for what only such functions call: nothing is compiled for callers from elsewhere, which takes as long."""

inner = njit(cache=True, nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)
"""The same, put into its caller as if it were written there.

A tuple of arrays handed to a function of its own is copied, hundreds of bytes each time.
"""
