"""Prefetching: load memory into the cache before it is read."""

from .loop import UNCOMPILED, intrinsic

if UNCOMPILED:

    def prefetch(array, index):
        """Start to load array[index] into the cache."""

else:
    prefetch = intrinsic("prefetch")
