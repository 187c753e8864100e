"""What Numba does to arrays by functions of its own or by errors with text, written so that its code can be saved."""

from .loop import UNCOMPILED, inner, intrinsic

if UNCOMPILED:

    def shaped(array, shape):
        """Return the same memory as a contiguous array of this shape, a tuple of int64."""
        return array.reshape(shape)

else:
    shaped = intrinsic("shaped")


@inner
def copy(target, source):
    """Copy the items of an array to another one, which must not be shorter."""
    for index in range(len(source)):
        target[index] = source[index]
