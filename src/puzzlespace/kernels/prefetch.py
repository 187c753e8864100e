"""Prefetching: load memory into the cache before it is read."""


def prefetch(array, index):
    """Start to load array[index] into the cache. This does nothing if it is not compiled (intrinsics.py)."""
