"""The exit codes of the command line."""

from __future__ import annotations

from enum import Enum


class ExitCode(Enum):
    """The exit codes of the command line: (number, meaning)."""

    ANSWERED = (0, "answered")
    IMPOSSIBLE = (10, "proved impossible")
    TIME = (20, "stopped by --seconds")
    MEMORY = (21, "does not fit the memory, stopped by --memory, or refused before it began")
    POSITIONS = (22, "stopped by --positions")
    BAD_INPUT = (30, "bad input: a puzzle, position or option that cannot be used")
    UNSUPPORTED = (31, "a valid question that this engine or command cannot answer")
    BUG = (70, "a bug of ours")
    INTERRUPTED = (130, "interrupted (Ctrl-C)")

    @property
    def number(self) -> int:
        return self.value[0]

    @property
    def meaning(self) -> str:
        return self.value[1]
