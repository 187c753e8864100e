"""Operations on words of bits: population count, lowest set bit, bit extraction, and an atomic or."""

import numpy as np
from llvmlite import binding, ir
from numba import config, njit, types
from numba.core import cgutils
from numba.extending import intrinsic


def one_by_one(word, mask):
    """Do what `gathered` does, one bit of the mask after the other."""
    found, place = np.uint64(0), np.uint64(0)
    while mask:
        low = mask & (~mask + np.uint64(1))
        if word & low:
            found |= np.uint64(1) << place
        place += np.uint64(1)
        mask ^= low
    return found


if config.DISABLE_JIT:

    def popcount(word):
        """Return the number of bits set in the word."""
        return int(word).bit_count()

    def lowest(word):
        """Return the index of the lowest set bit; the word must not be 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def atomic_or(words, index, mask):
        """Set the bits of `mask` in words[index], atomically."""
        words[index] |= mask

    def gathered(word, mask):
        """Return the bits of the word that the mask selects, packed into the lowest bits (parallel bit extract)."""
        return one_by_one(word, mask)

else:

    @intrinsic
    def popcount(typingctx, word):
        """Return the number of bits set in the word."""

        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    @intrinsic
    def lowest(typingctx, word):
        """Return the index of the lowest set bit; the word must not be 0."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), codegen

    @intrinsic
    def atomic_or(typingctx, words, index, mask):
        """Set the bits of `mask` in words[index], atomically."""

        def codegen(context, builder, signature, args):
            kind = signature.args[0]
            array = context.make_array(kind)(context, builder, args[0])
            where = cgutils.get_item_pointer(context, builder, kind, array, [args[1]])
            builder.atomic_rmw("or", where, args[2], "monotonic")
            return context.get_dummy_value()

        return types.void(words, types.int64, words.dtype), codegen

    if config.CPU_NAME is None and binding.get_host_cpu_features().get("bmi2"):

        @intrinsic
        def gathered(typingctx, word, mask):
            """Return the bits of the word that the mask selects, packed into the lowest bits (parallel bit extract)."""

            def codegen(context, builder, signature, args):
                kind = ir.IntType(64)
                shape = ir.FunctionType(kind, [kind, kind])
                function = cgutils.get_or_insert_function(builder.module, shape, "llvm.x86.bmi.pext.64")
                return builder.call(function, args)

            return types.uint64(types.uint64, types.uint64), codegen

    else:
        gathered = njit(cache=True, nogil=True)(one_by_one)


@njit(cache=True, nogil=True)
def count_bits(words, first, last):
    """Return the number of bits set in words[first:last]."""
    total = np.int64(0)
    for index in range(first, last):
        total += popcount(words[index])
    return total


@njit(cache=True, nogil=True)
def settle(seen, found, first, last):
    """Remove seen positions from found[first:last], mark the rest as seen, and return how many remain.

    seen   (in/out)  one bit per position: in this layer or an earlier one
    found  (in/out)  in: candidates; out: the new layer
    """
    total = np.int64(0)
    for index in range(first, last):
        word = found[index]
        if word:
            word &= ~seen[index]
            found[index] = word
            seen[index] |= word
            total += popcount(word)
    return total


@njit(cache=True, nogil=True)
def list_bits(words, first, last, out):
    """Write the indices of the bits set in words[first:last] to `out`, in ascending order; return how many."""
    written = np.int64(0)
    for index in range(first, last):
        word = words[index]
        while word:
            out[written] = np.int64(index) * np.int64(64) + np.int64(lowest(word))
            written += np.int64(1)
            word &= word - np.uint64(1)
    return written
