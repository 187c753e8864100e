"""Packages of others that are installed for a test, with entry points."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def write(folder: Path, module: str, text: str, entries: str) -> None:
    """Write a package of one module with this text, and with these lines of `entry_points.txt`."""
    (folder / f"{module}.py").write_text(text)
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module.replace('_', '-')}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entries)


@contextmanager
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, module: str, text: str, entries: str) -> Iterator[None]:
    """Install the package that `write` writes."""
    write(folder, module, text, entries)
    monkeypatch.syspath_prepend(folder)
    try:
        yield
    finally:
        sys.modules.pop(module, None)
