"""How the loops of the frontier engine are compiled."""

from numba import njit

loop = njit(cache=True, nogil=True, _nrt=False)
"""Compile a function on flat arrays: kept on disk, free of the interpreter's lock, and without counting references.

The arrays that a loop is given outlive it and it makes none, so nothing needs to be counted; counting where an array
is handed to an inner function was measured to take more than half of the time, as two threads share the counts.
"""

inner = njit(cache=True, nogil=True, _nrt=False, forceinline=True)
"""The same for a part of such a function: put into it as if it were written there.

A tuple of arrays handed to a function of its own is copied, hundreds of bytes each time.
"""
