"""The file of `solve --batch --save`: what is answered already, one JSON object a line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..api.batch_rows import BatchRow
from ..errors import InputError
from ..puzzle.puzzle import Puzzle
from ..storage.files import append_line

BEGINNING = '{"key": "'
"""The beginning of every line of a journal."""


class BatchJournal:
    """The answers of a batch that a file has already, by the positions, goals, rules and options asked for."""

    def __init__(self, path: Path | None, owner: Puzzle, options: Sequence[str]) -> None:
        self.path = path
        self.question = f"{owner.model(options[0]).fingerprint if path else ''} {options!r}"
        self.known = _read(path)

    def find(self, row: BatchRow) -> dict[str, Any] | None:
        """Return the object of a row that is answered already, or None."""
        return self.known.get(self._key(row)) if self.known else None

    def add(self, row: BatchRow, found: dict[str, Any]) -> None:
        """Write the object of a row."""
        if self.path is not None:
            append_line(self.path, json.dumps({"key": self._key(row), **found}, ensure_ascii=False))

    def _key(self, row: BatchRow) -> str:
        puzzle = row.puzzle
        asked = (self.question, puzzle and puzzle.start, puzzle and puzzle.goals)
        return hashlib.sha256(repr(asked).encode()).hexdigest()[:24]


def _read(path: Path | None) -> dict[str, dict[str, Any]]:
    """Return the objects of a journal by their keys; a last line that is cut off is ignored."""
    if path is None or not path.exists():
        return {}
    try:
        rows = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise InputError(f"{path}: expected a file that solve --batch wrote ({error.strerror})") from None
    found: dict[str, dict[str, Any]] = {}
    for number, row in enumerate(rows, 1):
        try:
            fields = json.loads(row)
            found[fields.pop("key")] = fields
        except (ValueError, TypeError, KeyError, AttributeError):
            if number == len(rows) and (row.startswith(BEGINNING) or BEGINNING.startswith(row)):
                break
            raise InputError(f"{path}:{number}: expected a line that solve --batch wrote, found another") from None
    return found
