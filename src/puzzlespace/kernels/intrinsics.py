"""Machine instructions that Numba does not know: the code of functions that compiled loops call, written for LLVM.

Called from Python, these functions run as they are written. loop.py imports this module before anything is compiled.
"""

from collections.abc import Callable
from inspect import signature
from typing import Any

from llvmlite import binding, ir
from numba import config, types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

from .bits import atomic_or, equal64, gathered, lowest, popcount
from .lanes import move_lanes, sum_of_rows
from .prefetch import prefetch
from .widths import SUMS, WORDS

WORD = ir.IntType(64)
LINE = ir.VectorType(WORD, WORDS)


def code_of(function: Callable, typed: Callable) -> Callable[[Callable], Callable]:
    """Return a decorator for what writes the code of a call of `function`.

    typed  returns the signature of a call for the types of its arguments
    """

    def decorate(write: Callable) -> Callable:
        type_callable(function)(lambda context: typed)
        return lower_builtin(function, *[types.Any] * len(signature(function).parameters))(write)

    return decorate


@code_of(popcount, lambda word: types.int64(types.uint64))
def _popcount(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.ctpop(args[0])


@code_of(lowest, lambda word: types.int64(types.uint64))
def _lowest(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))


@code_of(atomic_or, lambda words, index, mask: types.void(words, types.int64, words.dtype))
def _atomic_or(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    kind = signature.args[0]
    array = context.make_array(kind)(context, builder, args[0])
    where = cgutils.get_item_pointer(context, builder, kind, array, [args[1]])
    builder.atomic_rmw("or", where, args[2], "monotonic")
    return context.get_dummy_value()


@code_of(gathered, lambda word, mask: types.uint64(types.uint64, types.uint64))
def _gathered(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Write the instruction that processors with BMI2 have, else a loop."""
    if config.CPU_NAME is not None or not binding.get_host_cpu_features().get("bmi2"):
        return context.compile_internal(builder, gathered, signature, args)
    shape = ir.FunctionType(WORD, [WORD, WORD])
    return builder.call(cgutils.get_or_insert_function(builder.module, shape, "llvm.x86.bmi.pext.64"), args)


@code_of(prefetch, lambda array, index: types.void(array, types.int64))
def _prefetch(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    kind = signature.args[0]
    made = context.make_array(kind)(context, builder, args[0])
    where = cgutils.get_item_pointer(context, builder, kind, made, [args[1]])
    word = ir.IntType(32)
    pointer = builder.bitcast(where, ir.IntType(8).as_pointer())
    shape = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
    function = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0i8")
    builder.call(function, [pointer, ir.Constant(word, 1), ir.Constant(word, 3), ir.Constant(word, 1)])
    return context.get_dummy_value()


def _spread(builder: Any, value: Any) -> Any:
    one = builder.insert_element(ir.Constant(LINE, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return _shuffled(builder, one, [0] * WORDS)


def _shuffled(builder: Any, line: Any, lanes: list[int]) -> Any:
    places = ir.Constant(ir.VectorType(ir.IntType(32), WORDS), lanes)
    return builder.shuffle_vector(line, ir.Constant(LINE, ir.Undefined), places)


def _turned(builder: Any, line: Any, turn: Any) -> Any:
    """Return the line with lane i moved to lane i ^ turn: one conditional exchange of lanes per bit of `turn`."""
    for bit in range(3):
        other = _shuffled(builder, line, [lane ^ 1 << bit for lane in range(WORDS)])
        chosen = builder.and_(builder.lshr(turn, ir.Constant(WORD, bit)), ir.Constant(WORD, 1))
        mask = _spread(builder, builder.sub(ir.Constant(WORD, 0), chosen))
        line = builder.xor(line, builder.and_(builder.xor(line, other), mask))
    return line


@code_of(
    move_lanes,
    lambda words, to, source, allowed, row, shifts: types.void(
        words, types.int64, source, allowed, types.int64, shifts
    ),
)
def _move_lanes(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    def place(number: int, index: Any) -> Any:
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


@code_of(
    sum_of_rows,
    lambda rows, group, states, depth, node: types.UniTuple(types.int64, SUMS)(
        rows, types.int64, states, types.int64, types.int64
    ),
)
def _sum_of_rows(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Write additions of whole rows: LLVM makes gathers of a loop over items, which take several times as long."""
    kind, row_kind = signature.args[0], signature.args[2]
    vector = ir.VectorType(WORD, SUMS)
    zero = context.get_constant(types.int64, 0)
    table = context.make_array(kind)(context, builder, args[0])
    given = context.make_array(row_kind)(context, builder, args[2])
    states_at = cgutils.get_item_pointer(context, builder, row_kind, given, [args[3], args[4], zero])
    total = cgutils.alloca_once_value(builder, ir.Constant(vector, [0] * SUMS))
    pieces = cgutils.unpack_tuple(builder, table.shape)[1]
    with cgutils.for_range(builder, pieces, intp=WORD) as loop:
        state = builder.zext(builder.load(builder.gep(states_at, [loop.index])), WORD)
        where = cgutils.get_item_pointer(context, builder, kind, table, [args[1], loop.index, state, zero])
        row = builder.load(builder.bitcast(where, vector.as_pointer()), align=8)
        builder.store(builder.add(builder.load(total), row), total)
    found = builder.load(total)
    lanes = [builder.extract_element(found, ir.Constant(ir.IntType(32), lane)) for lane in range(SUMS)]
    return context.make_tuple(builder, signature.return_type, lanes)


@code_of(equal64, lambda array, begin, value: types.uint64(array, types.int64, types.int64))
def _equal64(context: Any, builder: Any, signature: Any, args: Any) -> Any:
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
    return builder.bitcast(builder.icmp_unsigned("==", found, line), WORD)
