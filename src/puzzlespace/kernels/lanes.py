"""Sums of four numbers at a time, in one vector register.

A loop over rows that are chosen by data is otherwise compiled into gathers, which take several times as long.
"""

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 4
"""The numbers that are added together."""

if config.DISABLE_JIT:

    def sum_of_rows(rows, group, states, depth, node):
        """Return the sums of rows[group, piece, states[depth, node, piece]] over all pieces, a tuple of `LANES`."""
        chosen = rows[group, np.arange(rows.shape[1]), states[depth, node]]
        return tuple(chosen.sum(axis=0).tolist())

else:

    @intrinsic
    def sum_of_rows(typingctx, rows, group, states, depth, node):
        """Return the sums of rows[group, piece, states[depth, node, piece]] over all pieces, a tuple of `LANES`.

        rows    int64 [groups, pieces, states, LANES]
        states  uint8 [depths, nodes, pieces]
        """

        def codegen(context, builder, signature, args):
            kind, number, row_kind = signature.args[0], ir.IntType(64), signature.args[2]
            vector = ir.VectorType(number, LANES)
            zero = context.get_constant(types.int64, 0)
            table = context.make_array(kind)(context, builder, args[0])
            given = context.make_array(row_kind)(context, builder, args[2])
            states_at = cgutils.get_item_pointer(context, builder, row_kind, given, [args[3], args[4], zero])
            total = cgutils.alloca_once_value(builder, ir.Constant(vector, [0] * LANES))
            pieces = cgutils.unpack_tuple(builder, table.shape)[1]
            with cgutils.for_range(builder, pieces, intp=number) as loop:
                state = builder.zext(builder.load(builder.gep(states_at, [loop.index])), number)
                where = cgutils.get_item_pointer(
                    context, builder, kind, table, [args[1], loop.index, state, zero]
                )  # fmt: skip
                row = builder.load(builder.bitcast(where, vector.as_pointer()), align=8)
                builder.store(builder.add(builder.load(total), row), total)
            found = builder.load(total)
            lanes = [builder.extract_element(found, ir.Constant(ir.IntType(32), lane)) for lane in range(LANES)]
            return context.make_tuple(builder, signature.return_type, lanes)

        returned = types.UniTuple(types.int64, LANES)
        return returned(rows, types.int64, states, types.int64, types.int64), codegen
