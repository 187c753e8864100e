"""Find bytes of one value, 64 at a time."""

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from .bits import popcount
from .loop import inner, loop

if config.DISABLE_JIT:

    def equal64(array, begin, value):
        """Return which of the bytes array[begin : begin + 64] have this value: bit i tells of array[begin + i]."""
        return np.uint64(sum(1 << index for index in range(64) if array[begin + index] == value))

else:
    LINE = ir.VectorType(ir.IntType(8), 64)

    @intrinsic
    def equal64(typingctx, array, begin, value):
        """Return which of the bytes array[begin : begin + 64] have this value: bit i tells of array[begin + i]."""

        def codegen(context, builder, signature, args):
            kind = signature.args[0]
            made = context.make_array(kind)(context, builder, args[0])
            where = cgutils.get_item_pointer(context, builder, kind, made, [args[1]])
            found = builder.load(builder.bitcast(where, LINE.as_pointer()), align=1)
            one = builder.trunc(args[2], ir.IntType(8))
            zero = ir.Constant(ir.IntType(32), 0)
            first = builder.insert_element(ir.Constant(LINE, ir.Undefined), one, zero)
            every = ir.Constant(ir.VectorType(ir.IntType(32), 64), [0] * 64)
            line = builder.shuffle_vector(first, ir.Constant(LINE, ir.Undefined), every)
            return builder.bitcast(builder.icmp_unsigned("==", found, line), ir.IntType(64))

        return types.uint64(array, types.int64, types.int64), codegen


@inner
def equal_up_to(array, begin, end, value):
    """Return which bytes of array[begin:end] have this value, of the first 64 at most; the others are not read."""
    if end - begin >= 64:
        return equal64(array, begin, value)
    if end >= 64:
        return equal64(array, end - 64, value) >> np.uint64(64 - (end - begin))
    found = np.uint64(0)
    for index in range(begin, end):
        if array[index] == value:
            found |= np.uint64(1) << np.uint64(index - begin)
    return found


@loop
def count_equal(array, value):
    """Return how many bytes of an array have this value."""
    total = 0
    for index in range(0, len(array), 64):
        total += popcount(equal_up_to(array, index, len(array), value))
    return total
