"""Prefetching: load memory into the cache before it is read."""

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

if config.DISABLE_JIT:

    def prefetch(array, index):
        """Start to load array[index] into the cache."""

else:

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
