"""A graphics card: its memory, and kernels that are compiled for it when they are needed.

The calls go through `ctypes` to the C interface of the CUDA driver, which comes with the card's driver and is stable,
and to NVRTC, the compiler of the extra `gpu`. Every argument of a kernel is a 64-bit word or a structure of such words.
A device belongs to the thread that opened it.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from ...errors import DeviceError, LimitError, UnsupportedError
from ...kernels.gpu import THREADS, source

DRIVERS = ("nvcuda.dll",) if sys.platform == "win32" else ("libcuda.so.1", "libcuda.so")
"""The names of the driver's library."""

PACKAGES = ("nvidia.cu13", "nvidia.cuda_nvrtc")
"""The packages in which NVRTC is installed."""

COMPILERS = ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")
"""The names of NVRTC's library if it is installed with the CUDA toolkit."""

MAJOR, MINOR = 75, 76
"""The attributes of a device with its compute capability."""

ROUNDED = 1 << 24
"""Bytes of memory below which sizes are rounded up."""

OUT_OF_MEMORY = 2
"""The driver's error for too little memory."""

Argument = int | Sequence[int]
"""A word, or the words of a structure."""


class NoDeviceError(UnsupportedError):
    """This machine has no graphics card that the CUDA driver can use."""


def driver() -> ctypes.CDLL:
    """Return the CUDA driver; raise UnsupportedError if it is not installed."""
    for name in DRIVERS:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise NoDeviceError("no graphics card: the CUDA driver is not installed")


def compiler() -> ctypes.CDLL:
    """Return NVRTC; raise UnsupportedError if it is not installed."""
    for name in (*_packaged(), *COMPILERS):
        try:
            return ctypes.CDLL(str(name))
        except OSError:
            continue
    raise UnsupportedError("kernels for graphics cards need NVRTC: install puzzlespace[gpu]")


def _packaged() -> list[Path]:
    """Return the files of NVRTC that an installed package has."""
    found: list[Path] = []
    for package in PACKAGES:
        try:
            spec = find_spec(package)
        except ModuleNotFoundError:
            continue
        for place in (spec.submodule_search_locations or ()) if spec is not None else ():
            for pattern in ("lib/libnvrtc.so.*", "bin/**/nvrtc64_*.dll"):
                found += [path for path in sorted(Path(place).glob(pattern)) if "builtins" not in path.name]
    return found


@cache
def compiled(name: str, architecture: str, options: tuple[str, ...] = ()) -> bytes:
    """Return a source of `kernels.gpu` compiled to machine code; raises as `compiled_with_log` does."""
    return compiled_with_log(name, architecture, options)[0]


def compiled_with_log(name: str, architecture: str, options: tuple[str, ...] = ()) -> tuple[bytes, str]:
    """Return a source of `kernels.gpu` compiled by NVRTC to machine code, such as that for 'sm_90', and NVRTC's log.

    Raises UnsupportedError if NVRTC is not installed or does not know the architecture, DeviceError for an error in
    the source.
    """
    nvrtc = compiler()
    program = ctypes.c_void_p()

    def read(what: str) -> bytes:
        size = ctypes.c_size_t()
        getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        room = ctypes.create_string_buffer(max(1, size.value))
        getattr(nvrtc, f"nvrtcGet{what}")(program, room)
        return room.raw[: size.value]

    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), source(name).encode(), name.encode(), 0, None, None):
        raise DeviceError("NVRTC: the program cannot be created")
    try:
        given = [option.encode() for option in (f"--gpu-architecture={architecture}", *options)]
        failed = nvrtc.nvrtcCompileProgram(program, len(given), (ctypes.c_char_p * len(given))(*given))
        log = read("ProgramLog").decode(errors="replace").strip("\0 \n")
        if failed and "gpu-architecture" in log:
            raise UnsupportedError(f"NVRTC does not know the card's architecture {architecture}: {log}")
        if failed:
            raise DeviceError(f"NVRTC: {name}: {log}")
        return read("CUBIN"), log
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


class Room:
    """Memory of a device, which is given back when nothing refers to it any more."""

    def __init__(self, size: int, address: int, free: Callable[[int, int], None]) -> None:
        self.size = size
        self.address = address
        self._free = free

    def __del__(self) -> None:
        self._free(self.size, self.address)


class Device:
    """The first graphics card, used in a `with` statement. Errors are DeviceError, LimitError for too little memory.

    sources  the names of sources of `kernels.gpu` whose kernels it runs
    Raises UnsupportedError if there is no card, or a part of its software is missing.
    """

    def __init__(self, sources: Sequence[str], options: tuple[str, ...] = ()) -> None:
        self.name = "graphics card"
        self._driver = driver()
        self._rooms: dict[int, list[int]] = {}
        self._allocated: list[int] = []
        self._kernels: dict[str, ctypes.c_void_p] = {}
        self._modules: list[ctypes.c_void_p] = []
        self._held = False
        try:
            self._open()
            for name in sources:
                self._load(compiled(name, self.architecture, options))
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        count, device, context = ctypes.c_int(), ctypes.c_int(), ctypes.c_void_p()
        try:
            self._call("cuInit", 0)
            self._call("cuDeviceGetCount", ctypes.byref(count))
        except DeviceError as error:
            raise NoDeviceError(f"no graphics card: {error}") from None
        if not count.value:
            raise NoDeviceError("no graphics card: the CUDA driver finds none")
        self._call("cuDeviceGet", ctypes.byref(device), 0)
        self._device = device
        name = ctypes.create_string_buffer(128)
        self._call("cuDeviceGetName", name, len(name), device)
        self.name = name.value.decode(errors="replace")
        major, minor = self._attribute(MAJOR), self._attribute(MINOR)
        self.architecture = f"sm_{major}{minor}"
        version = ctypes.c_int()
        self._call("cuDriverGetVersion", ctypes.byref(version))
        self.version = f"{version.value // 1000}.{version.value % 1000 // 10}"
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._held = True
        self._call("cuCtxSetCurrent", context)

    def _attribute(self, which: int) -> int:
        value = ctypes.c_int()
        self._call("cuDeviceGetAttribute", ctypes.byref(value), which, self._device)
        return value.value

    def _load(self, image: bytes) -> None:
        module = ctypes.c_void_p()
        try:
            self._call("cuModuleLoadData", ctypes.byref(module), image)
        except DeviceError as error:
            raise UnsupportedError(f"the card's driver does not accept the kernels: {error}") from None
        self._modules.append(module)

    def __enter__(self) -> Device:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give back all memory of the device. Errors are ignored: after a failed kernel, every call fails."""
        self._rooms.clear()
        while self._allocated:
            self._driver.cuMemFree_v2(ctypes.c_uint64(self._allocated.pop()))
        while self._modules:
            self._driver.cuModuleUnload(self._modules.pop())
        if self._held:
            self._held = False
            self._driver.cuDevicePrimaryCtxRelease_v2(self._device)

    def _call(self, function: str, *arguments: Any) -> None:
        """Call the driver; raise DeviceError with the driver's name of an error."""
        code = getattr(self._driver, function)(*arguments)
        if code:
            name = ctypes.c_char_p()
            self._driver.cuGetErrorName(code, ctypes.byref(name))
            words = f"{function}: {name.value.decode() if name.value else f'error {code}'}"
            if code == OUT_OF_MEMORY:
                raise LimitError("memory", f"{self.name}: too little memory is free ({words})")
            raise DeviceError(f"{self.name}: {words}")

    def memory(self) -> tuple[int, int]:
        """Return the bytes of memory that are free, and all of them."""
        left, whole = ctypes.c_size_t(), ctypes.c_size_t()
        self._call("cuMemGetInfo_v2", ctypes.byref(left), ctypes.byref(whole))
        return left.value, whole.value

    def room(self, size: int) -> Room:
        """Return memory with any content: memory of this size that was given back, or new memory.

        Small sizes are rounded up to powers of two, so that it can be used again.
        """
        if size < ROUNDED:
            size = max(8, 1 << (size - 1).bit_length())
        used = self._rooms.get(size)
        if used:
            return Room(size, used.pop(), self._free)
        address = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        self._allocated.append(address.value)
        return Room(size, address.value, self._free)

    def _free(self, size: int, address: int) -> None:
        if self._held:  # else `close` has given it back already
            self._rooms.setdefault(size, []).append(address)

    def zeros(self, size: int) -> Room:
        """Return memory filled with 0."""
        room = self.room(size)
        self.fill(room, 0)
        return room

    def fill(self, room: Room, value: int) -> None:
        """Set all bytes of the memory."""
        self._call("cuMemsetD8_v2", ctypes.c_uint64(room.address), ctypes.c_ubyte(value), ctypes.c_size_t(room.size))

    def sent(self, array: np.ndarray) -> Room:
        """Return memory with a copy of the array."""
        room = self.room(array.nbytes)
        self.send(array, room)
        return room

    def send(self, array: np.ndarray, room: Room, offset: int = 0) -> None:
        """Copy an array to the memory, from byte `offset` on."""
        array = np.ascontiguousarray(array)
        assert offset + array.nbytes <= room.size
        if array.nbytes:
            to, size = ctypes.c_uint64(room.address + offset), ctypes.c_size_t(array.nbytes)
            self._call("cuMemcpyHtoD_v2", to, ctypes.c_void_p(array.ctypes.data), size)

    def fetch(self, room: Room, array: np.ndarray, offset: int = 0) -> np.ndarray:
        """Fill a contiguous array from the memory, from byte `offset` on; return it."""
        assert array.flags.c_contiguous
        assert offset + array.nbytes <= room.size
        if array.nbytes:
            begin, size = ctypes.c_uint64(room.address + offset), ctypes.c_size_t(array.nbytes)
            self._call("cuMemcpyDtoH_v2", ctypes.c_void_p(array.ctypes.data), begin, size)
        return array

    def copy(self, room: Room, other: Room, size: int) -> None:
        """Copy the first `size` bytes of the memory to other memory; what was added by rounding has no content."""
        assert size <= min(room.size, other.size)
        to, begin = ctypes.c_uint64(other.address), ctypes.c_uint64(room.address)
        self._call("cuMemcpyDtoD_v2", to, begin, ctypes.c_size_t(size))

    def run(self, kernel: str, blocks: int, *arguments: Argument, threads: int = THREADS) -> None:
        """Start a kernel; it runs after those started before."""
        words = [np.array(argument, np.uint64).reshape(-1) for argument in arguments]
        places = np.array([each.ctypes.data for each in words], np.uint64)
        given = ctypes.c_void_p(places.ctypes.data)
        self._call("cuLaunchKernel", self._kernel(kernel), blocks, 1, 1, threads, 1, 1, 0, None, given, None)

    def _kernel(self, name: str) -> ctypes.c_void_p:
        if name not in self._kernels:
            found = ctypes.c_void_p()
            for module in self._modules:
                if not self._driver.cuModuleGetFunction(ctypes.byref(found), module, name.encode()):
                    break
            else:
                raise DeviceError(f"there is no kernel {name!r}")
            self._kernels[name] = found
        return self._kernels[name]

    def wait(self) -> None:
        """Return when all kernels have ended."""
        self._call("cuCtxSynchronize")


@cache
def card_memory() -> int:
    """Return the bytes of memory of the card, 0 if there is none that can be used."""
    try:
        with Device(()) as device:
            return device.memory()[1]
    except (DeviceError, LimitError, UnsupportedError):
        return 0
