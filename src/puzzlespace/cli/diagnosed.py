"""Notes and warnings about the input of a command: on stderr, in JSON objects, and errors with --strict."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..puzzle.diagnostics import Diagnostic, listening

_found: list[Diagnostic] = []
_strict = False


@contextmanager
def hearing() -> Iterator[None]:
    """Collect what one command is told; a process may run several, one after the other."""
    _found.clear()
    be_strict(False)
    with listening(_hear):
        yield


def be_strict(strict: bool) -> None:
    """Decide whether a warning is an error."""
    global _strict
    _strict = strict


def strict() -> bool:
    """Return whether a warning is an error."""
    return _strict


def fields() -> dict[str, Any]:
    """Return the fields `notes` and `warnings` of a JSON object."""
    return {f"{kind}s": [each.fields for each in _found if each.severity == kind] for kind in ("note", "warning")}


def _hear(told: Sequence[Diagnostic]) -> None:
    """Print what was not told before. With --strict, raise the first warning as an error after the others."""
    fresh = [each for each in told if each not in _found]
    _found.extend(fresh)
    refused = next((each for each in told if each.severity == "warning"), None) if _strict else None
    for each in fresh:
        if each is not refused:
            print(f"puzzlespace: {each.severity}: {each}", file=sys.stderr)
    if refused is not None:
        raise refused.as_error()
