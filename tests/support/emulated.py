"""A graphics card on the processor, compiled from tests/support/emulated_card.cpp and the kernels' own sources."""

import ctypes
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from places import PACKAGE, SUPPORT
from puzzlespace.engines.shared import device

KERNELS = PACKAGE / "kernels" / "gpu"
MEMORY = 1 << 32


@cache
def library():
    """The compiled driver; None without a C++ compiler, or on other systems than Linux."""
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if compiler is None or sys.platform != "linux":
        return None
    target = Path(mkdtemp()) / "libcuda_emulated.so"
    words = [
        compiler,
        "-std=c++17",
        "-O2",
        "-DMOST_WAYS=2",
        "-shared",
        "-fPIC",
        "-I",
        KERNELS,
        SUPPORT / "emulated_card.cpp",
    ]
    subprocess.run([*map(str, words), "-o", str(target)], check=True, capture_output=True)
    return ctypes.CDLL(str(target))


class Card:
    """The emulated card that `Device` opens: its memory in bytes, and the threads of a block (0: as on a card)."""

    def __init__(self, monkeypatch, memory=MEMORY, threads=1, failing=0, seed=2026):
        self.driver = library()
        if self.driver is None:
            pytest.skip("no C++ compiler for the emulated card")
        self.driver.emulated_bytes.restype = ctypes.c_size_t
        self.driver.emulated_launches.restype = ctypes.c_ulonglong
        self.driver.emulate(ctypes.c_size_t(memory), threads, failing, ctypes.c_uint64(seed))
        self.compiled = []
        monkeypatch.setattr(device, "driver", lambda: self.driver)
        monkeypatch.setattr(device, "compiled", self._compiled)

    def kernel_fails(self, launch):
        """Let the kernel that is started as number `launch` fail."""
        self.driver.emulate(ctypes.c_size_t(MEMORY), 1, launch, ctypes.c_uint64(2026))

    def _compiled(self, name, architecture, options=()):
        self.compiled.append((name, architecture))
        return b"emulated\0"

    @property
    def held(self):
        """The bytes that are allocated on the card."""
        return self.driver.emulated_bytes()

    @property
    def launches(self):
        """The number of kernels that were started."""
        return self.driver.emulated_launches()
