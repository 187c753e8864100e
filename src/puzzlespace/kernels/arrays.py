"""Copies of arrays. An array that is assigned to a slice may need reference counts, which loops do without."""

from .loop import inner


@inner
def copy(target, source):
    """Copy the items of an array to another one, which must not be shorter."""
    for index in range(len(source)):
        target[index] = source[index]
