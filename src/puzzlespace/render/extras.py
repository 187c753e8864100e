"""Optional libraries, imported at their first use, with a clear error if one is missing; writing pictures to files."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

from ..errors import InputError, UnsupportedError


def need(module: str, extra: str) -> Any:
    """Return a module of an extra; raise UnsupportedError, which says what to install, if it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UnsupportedError(
            f"this picture needs {module.split('.')[0]}, which is not installed: pip install 'puzzlespace[{extra}]'"
        ) from None


NARROWEST, WIDEST = 100, 10_000
"""Limits of `--size` in pixels."""


def check_size(size: int | None) -> None:
    """Raise InputError if the width of a picture is out of its limits."""
    if size is not None and not NARROWEST <= size <= WIDEST:
        raise InputError(f"--size: expected {NARROWEST} to {WIDEST:,} pixels, found {size}")


def check_file(file: Path | None, option: str) -> None:
    """Raise InputError, which names the option, if a file cannot be written where it should be; '-' is no file."""
    if file is None or str(file) == "-":
        return
    file = Path(file)
    folder = file.parent
    try:
        problem = (
            "it is a folder" if file.is_dir() else "" if folder.is_dir() else f"there is no folder {str(folder)!r}"
        )
        if not problem and not os.access(file if file.exists() else folder, os.W_OK):
            problem = "permission denied"
    except (OSError, ValueError) as error:
        problem = str(error)
    if problem:
        raise InputError(f"{option}: expected a file that can be written, found {str(file)!r} ({problem})")


def save(file: Path, data: str | bytes, option: str) -> None:
    """Write a picture; raise InputError, which names the option, if the file cannot be written."""
    try:
        file.write_bytes(data.encode() if isinstance(data, str) else data)
    except OSError as error:
        raise InputError(
            f"{option}: expected a file that can be written, found {str(file)!r} ({error.strerror})"
        ) from None


def kind_of(file: Path, kinds: tuple[str, ...], option: str) -> str:
    """Return a file's ending without the dot; raise InputError unless it is one of `kinds`."""
    ending = file.suffix.lower().removeprefix(".")
    if ending not in kinds:
        raise InputError(f"{option}: expected a file that ends in .{', .'.join(kinds)}, found {str(file)!r}")
    return ending
