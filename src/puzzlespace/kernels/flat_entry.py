"""Entries of compiled functions that machine code alone can call: made when Numba has compiled a function."""

from __future__ import annotations

import struct
from typing import Any

from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import nrtdynmod
from numba.np.arrayobj import populate_array

WORD = ir.IntType(64)


def flat_entry(dispatcher: Any, arguments: tuple, name: str) -> tuple[bytes, dict[str, Any]] | None:
    """Return an object file and its description, or None if the function cannot be called without Numba.

    The entry takes the address of slots: the status of Numba (0 after a normal return), the place of an exception, the
    results, and the arguments. An array is its address, its shape, and its strides; a tuple is its members.
    """
    compiled = dispatcher.overloads[tuple(dispatcher.typeof_pyval(each) for each in arguments)]
    results: list[str] = []
    shape = _result(compiled.signature.return_type, results)
    if shape is None:
        return None
    with global_compiler_lock:
        context = dispatcher.targetctx
        library = context.codegen().create_library(name)
        module = library.create_ir_module(name)
        entry = f"entry_{name}"
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [WORD.as_pointer()]), entry)
        builder = ir.IRBuilder(function.append_basic_block())
        slots = _Slots(builder, function.args[0], 2 + len(results))
        values = [_argument(context, builder, kind, slots) for kind in compiled.signature.args]
        callee = context.declare_function(module, compiled.fndesc)
        status, found = context.call_conv.call_function(
            builder, callee, compiled.signature.return_type, compiled.signature.args, values
        )
        out = _Slots(builder, function.args[0], 0)
        out.put(builder.sext(status.code, WORD))
        out.put(builder.ptrtoint(status.excinfoptr, WORD))
        _store(context, builder, compiled.signature.return_type, found, out)
        builder.ret_void()
        _own_memory(module)
        library.add_ir_module(module)
        library._final_module.link_in(compiled.library._get_module_for_linking(), preserve=True)
        _drop_unused(library)
        library._final_module.verify()
        code = library.codegen._tm.emit_object(library._final_module)
    needed = undefined(code)
    if needed is None or any(_only_numba(symbol) for symbol in needed):
        return None
    return code, {"entry": entry, "results": shape, "count": len(results), "needed": needed}


def _drop_unused(library: Any) -> None:
    """Drop what the entry does not call, such as Numba's wrapper for Python; the rest is optimised already."""
    try:
        passes = binding.create_new_module_pass_manager()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(library._final_module, library.codegen._pass_builder())
    except AttributeError:  # older versions of llvmlite
        library._optimize_final_module()


def _only_numba(symbol: str) -> bool:
    """Return whether a symbol may be one that Numba defines, or is not defined at all."""
    return symbol.startswith(("NRT_", "numba_", "Py", "_Py", "_ZN")) or binding.address_of_symbol(symbol) is None


def _own_memory(module: Any) -> None:
    """Define what Numba calls for arrays that a function creates and drops: malloc and free, instead of its counters.

    The head of an array has five words: references, two that are not used here, the address of the data, its size.
    """
    words = nrtdynmod._meminfo_struct_type.elements
    if len(words) != 5 or [index for index, each in enumerate(words) if each != WORD] != [1, 2, 3]:
        raise TypeError("unknown head of arrays")
    place, half = ir.IntType(8).as_pointer(), ir.IntType(32)
    malloc = ir.Function(module, ir.FunctionType(place, [WORD]), "malloc")
    free = ir.Function(module, ir.FunctionType(ir.VoidType(), [place]), "free")
    create = ir.Function(module, ir.FunctionType(place, [WORD, half]), "NRT_MemInfo_alloc_aligned")
    drop = ir.Function(module, ir.FunctionType(ir.VoidType(), [place]), "NRT_MemInfo_call_dtor")
    create.linkage = drop.linkage = "weak_odr"
    builder = ir.IRBuilder(drop.append_basic_block())
    builder.call(free, [drop.args[0]])
    builder.ret_void()
    builder = ir.IRBuilder(create.append_basic_block())
    size, align = create.args[0], builder.zext(create.args[1], WORD)
    head = ir.Constant(WORD, 64)
    align = builder.select(builder.icmp_unsigned(">", align, head), align, head)
    whole = builder.call(malloc, [builder.add(size, builder.add(head, align))])
    with builder.if_then(builder.icmp_unsigned("!=", builder.ptrtoint(whole, WORD), ir.Constant(WORD, 0))):
        last = builder.sub(builder.add(builder.ptrtoint(whole, WORD), builder.add(head, align)), ir.Constant(WORD, 1))
        data = builder.and_(last, builder.neg(align))
        words = builder.bitcast(whole, WORD.as_pointer())
        for index, word in enumerate((ir.Constant(WORD, 1), ir.Constant(WORD, 0), ir.Constant(WORD, 0), data, size)):
            builder.store(word, builder.gep(words, [ir.Constant(WORD, index)]))
    builder.ret(whole)


class _Slots:
    """The slots of an entry from one on, read or written in turn."""

    def __init__(self, builder: ir.IRBuilder, place: Any, first: int) -> None:
        self.builder, self.place, self.next = builder, place, first

    def _where(self) -> Any:
        self.next += 1
        return self.builder.gep(self.place, [ir.Constant(WORD, self.next - 1)])

    def take(self) -> Any:
        return self.builder.load(self._where())

    def put(self, value: Any) -> None:
        self.builder.store(value, self._where())


def _argument(context: Any, builder: Any, kind: Any, slots: _Slots) -> Any:
    """Return the value of an argument; raise TypeError if its type is not supported."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder)
        address = builder.inttoptr(slots.take(), context.get_data_type(kind.dtype).as_pointer())
        shape = [slots.take() for _ in range(kind.ndim)]
        strides = [slots.take() for _ in range(kind.ndim)]
        size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        populate_array(array, address, shape, strides, ir.Constant(WORD, size), None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [_argument(context, builder, each, slots) for each in kind])
    if isinstance(kind, types.NoneType):
        return context.get_dummy_value()
    if isinstance(kind, types.Boolean):
        return builder.icmp_unsigned("!=", slots.take(), ir.Constant(WORD, 0))
    if isinstance(kind, types.Integer):
        word = slots.take()
        return word if kind.bitwidth == 64 else builder.trunc(word, ir.IntType(kind.bitwidth))
    if kind == types.float64:
        return builder.bitcast(slots.take(), ir.DoubleType())
    raise TypeError(kind)


def _result(kind: Any, words: list[str]) -> Any:
    """Return how a result is read from slots, appending the kind of each to `words`; None if it is not supported."""
    if isinstance(kind, types.NoneType):
        return "none"
    if type(kind) in (types.Tuple, types.UniTuple):
        parts = [_result(each, words) for each in kind]
        return None if None in parts else parts
    if isinstance(kind, types.Boolean):
        found = "bool"
    elif isinstance(kind, types.Integer):
        found = "signed" if kind.signed else "unsigned"
    elif kind == types.float64:
        found = "float64"
    else:
        return None
    words.append(found)
    return found


def _store(context: Any, builder: Any, kind: Any, value: Any, out: _Slots) -> None:
    if isinstance(kind, types.BaseTuple):
        for each, part in zip(kind, cgutils.unpack_tuple(builder, value), strict=True):
            _store(context, builder, each, part, out)
    elif isinstance(kind, types.Boolean):
        out.put(builder.zext(value, WORD))
    elif isinstance(kind, types.Integer):
        same = kind.bitwidth == 64
        out.put(value if same else builder.sext(value, WORD) if kind.signed else builder.zext(value, WORD))
    elif kind == types.float64:
        out.put(builder.bitcast(value, WORD))


def undefined(code: bytes) -> list[str] | None:
    """Return the symbols that an object file needs from elsewhere, or None if it is no 64-bit little-endian ELF."""
    if code[:6] != b"\x7fELF\x02\x01":
        return None
    (start,) = struct.unpack_from("<Q", code, 40)
    size, count = struct.unpack_from("<HH", code, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, start + index * size) for index in range(count)]
    found = set()
    for _, kind, _, _, offset, length, link, *_ in sections:
        if kind == 2:  # SHT_SYMTAB
            names = sections[link][4]
            for place in range(offset + 24, offset + length, 24):
                name, _, _, section = struct.unpack_from("<IBBH", code, place)
                if section == 0:  # SHN_UNDEF
                    begin = names + name
                    found.add(code[begin : code.index(0, begin)].decode())
    return sorted(found - {"", "_GLOBAL_OFFSET_TABLE_"})
