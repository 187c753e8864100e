"""Functions whose code is written for LLVM: made when the first function that calls one is compiled."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from .widths import SUMS, WORDS

WORD = ir.IntType(64)
LINE = ir.VectorType(WORD, WORDS)


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


@intrinsic
def gathered(typingctx, word, mask):
    """Return the bits of the word that the mask selects, packed into the lowest bits (parallel bit extract)."""

    def codegen(context, builder, signature, args):
        kind = ir.IntType(64)
        shape = ir.FunctionType(kind, [kind, kind])
        function = cgutils.get_or_insert_function(builder.module, shape, "llvm.x86.bmi.pext.64")
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def prefetch(typingctx, array, index):
    """Start to load array[index] into the cache."""

    def codegen(context, builder, signature, args):
        kind = signature.args[0]
        made = context.make_array(kind)(context, builder, args[0])
        where = cgutils.get_item_pointer(context, builder, kind, made, [args[1]])
        word = ir.IntType(32)
        pointer = builder.bitcast(where, ir.IntType(8).as_pointer())
        shape = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0i8")
        builder.call(function, [pointer, ir.Constant(word, 1), ir.Constant(word, 3), ir.Constant(word, 1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


@intrinsic
def shaped(typingctx, array, shape):
    """Return the same memory as a contiguous array of this shape, a tuple of int64, which must have as many items.

    Unlike `reshape` it calls nothing of Numba, so machine code with it can be saved.
    """

    def codegen(context, builder, signature, args):
        given = context.make_array(signature.args[0])(context, builder, args[0])
        kind = signature.return_type
        lengths = cgutils.unpack_tuple(builder, args[1])
        stride, strides = given.itemsize, []
        for length in reversed(lengths):
            strides.insert(0, stride)
            stride = builder.mul(stride, length)
        found = context.make_array(kind)(context, builder)
        populate_array(found, given.data, lengths, strides, given.itemsize, None)
        return found._getvalue()

    if array.layout != "C":
        raise TypeError("expected a contiguous array")
    return array.copy(ndim=len(shape))(array, types.UniTuple(types.int64, len(shape))), codegen


def _spread(builder, value):
    one = builder.insert_element(ir.Constant(LINE, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return _shuffled(builder, one, [0] * WORDS)


def _shuffled(builder, line, lanes):
    places = ir.Constant(ir.VectorType(ir.IntType(32), WORDS), lanes)
    return builder.shuffle_vector(line, ir.Constant(LINE, ir.Undefined), places)


def _turned(builder, line, turn):
    """Return the line with lane i moved to lane i ^ turn: one conditional exchange of lanes per bit of `turn`."""
    for bit in range(3):
        other = _shuffled(builder, line, [lane ^ 1 << bit for lane in range(WORDS)])
        chosen = builder.and_(builder.lshr(turn, ir.Constant(WORD, bit)), ir.Constant(WORD, 1))
        mask = _spread(builder, builder.sub(ir.Constant(WORD, 0), chosen))
        line = builder.xor(line, builder.and_(builder.xor(line, other), mask))
    return line


@intrinsic
def move_lanes(typingctx, words, to, source, allowed, row, shifts):
    """Set words[to + (lane ^ turn)] |= (source[lane] & allowed[row + lane]) << up >> down, for all 8 lanes.

    to      a multiple of 8
    shifts  (up, down, turn)
    """

    def codegen(context, builder, signature, args):
        def place(number, index):
            kind = signature.args[number]
            array = context.make_array(kind)(context, builder, args[number])
            where = cgutils.get_item_pointer(context, builder, kind, array, [index])
            return builder.bitcast(where, LINE.as_pointer())

        up, down, turn = (builder.extract_value(args[5], number) for number in range(3))
        goal = place(0, args[1])
        moved = builder.and_(
            builder.load(place(2, ir.Constant(WORD, 0)), align=8), builder.load(place(3, args[4]), align=8)
        )
        moved = builder.lshr(builder.shl(moved, _spread(builder, up)), _spread(builder, down))
        moved = _turned(builder, moved, turn)
        builder.store(builder.or_(moved, builder.load(goal, align=8)), goal, align=8)
        return context.get_dummy_value()

    return types.void(words, types.int64, source, allowed, types.int64, shifts), codegen


@intrinsic
def sum_of_rows(typingctx, rows, group, states, depth, node):
    """Return the sums of rows[group, piece, states[depth, node, piece]] over all pieces, a tuple of `SUMS`.

    rows    int64 [groups, pieces, states, SUMS]
    states  uint8 [depths, nodes, pieces]
    """

    def codegen(context, builder, signature, args):
        kind, number, row_kind = signature.args[0], ir.IntType(64), signature.args[2]
        vector = ir.VectorType(number, SUMS)
        zero = context.get_constant(types.int64, 0)
        table = context.make_array(kind)(context, builder, args[0])
        given = context.make_array(row_kind)(context, builder, args[2])
        states_at = cgutils.get_item_pointer(context, builder, row_kind, given, [args[3], args[4], zero])
        total = cgutils.alloca_once_value(builder, ir.Constant(vector, [0] * SUMS))
        pieces = cgutils.unpack_tuple(builder, table.shape)[1]
        with cgutils.for_range(builder, pieces, intp=number) as loop:
            state = builder.zext(builder.load(builder.gep(states_at, [loop.index])), number)
            where = cgutils.get_item_pointer(
                context, builder, kind, table, [args[1], loop.index, state, zero]
            )  # fmt: skip
            row = builder.load(builder.bitcast(where, vector.as_pointer()), align=8)
            builder.store(builder.add(builder.load(total), row), total)
        found = builder.load(total)
        lanes = [builder.extract_element(found, ir.Constant(ir.IntType(32), lane)) for lane in range(SUMS)]
        return context.make_tuple(builder, signature.return_type, lanes)

    returned = types.UniTuple(types.int64, SUMS)
    return returned(rows, types.int64, states, types.int64, types.int64), codegen


@intrinsic
def equal64(typingctx, array, begin, value):
    """Return which of the bytes array[begin : begin + 64] have this value: bit i tells of array[begin + i]."""

    def codegen(context, builder, signature, args):
        line_kind = ir.VectorType(ir.IntType(8), 64)
        kind = signature.args[0]
        made = context.make_array(kind)(context, builder, args[0])
        where = cgutils.get_item_pointer(context, builder, kind, made, [args[1]])
        found = builder.load(builder.bitcast(where, line_kind.as_pointer()), align=1)
        one = builder.trunc(args[2], ir.IntType(8))
        zero = ir.Constant(ir.IntType(32), 0)
        first = builder.insert_element(ir.Constant(line_kind, ir.Undefined), one, zero)
        every = ir.Constant(ir.VectorType(ir.IntType(32), 64), [0] * 64)
        line = builder.shuffle_vector(first, ir.Constant(line_kind, ir.Undefined), every)
        return builder.bitcast(builder.icmp_unsigned("==", found, line), ir.IntType(64))

    return types.uint64(array, types.int64, types.int64), codegen
