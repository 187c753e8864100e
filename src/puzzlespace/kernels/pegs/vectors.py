"""Vector instructions on eight words (one cache line) at a time."""

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 8

if config.DISABLE_JIT:

    def move_lanes(words, to, source, allowed, row, shifts):
        """Set words[to + (lane ^ turn)] |= (source[lane] & allowed[row + lane]) << up >> down, for all 8 lanes.

        to      a multiple of 8
        shifts  (up, down, turn)
        """
        up, down, turn = shifts
        for lane in range(LANES):
            words[to + (lane ^ int(turn))] |= (source[lane] & allowed[row + lane]) << up >> down

else:
    WORD = ir.IntType(64)
    LINE = ir.VectorType(WORD, LANES)

    def _spread(builder, value):
        one = builder.insert_element(ir.Constant(LINE, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
        return _shuffled(builder, one, [0] * LANES)

    def _shuffled(builder, line, lanes):
        places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), lanes)
        return builder.shuffle_vector(line, ir.Constant(LINE, ir.Undefined), places)

    def _turned(builder, line, turn):
        """Return the line with lane i moved to lane i ^ turn: one conditional exchange of lanes per bit of `turn`."""
        for bit in range(3):
            other = _shuffled(builder, line, [lane ^ 1 << bit for lane in range(LANES)])
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
