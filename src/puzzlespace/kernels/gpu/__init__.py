"""Kernels for a graphics card, in CUDA C: `windows.cu` moves the bits of sliding puzzles' depth tables.

The same sources compile as C++ for the processor: tests/support/emulated_card.cpp runs them there, block by block.
"""

from __future__ import annotations

from pathlib import Path

THREADS = 256
"""Threads of a block on a card; the sources allow any power of two up to this."""


def source(name: str) -> str:
    """Return the text of a source of this folder."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
