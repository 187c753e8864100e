"""The commands `puzzlespace export …`: write a puzzle for other people and programs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from ..api.loader import load
from ..errors import InputError
from ..limits.watch import Limits, process_began, watched
from .options import Memory, Metric, PuzzleArgument, Seconds
from .parser import CommandGroup, Option
from .terminal import parse_size

app = CommandGroup("export", "Write a puzzle for other people and programs.")

LEAST = 0.01
"""The least number of seconds for the work after the puzzle is read."""


@app.add
def html(
    puzzle: PuzzleArgument,
    output: Annotated[Path | None, Option("--output", "-o", metavar="FILE", help="default: PUZZLE.html")] = None,
    metric: Metric = "",
    memory: Memory = "2G",
    seconds: Seconds = 120.0,
) -> int:
    """Write one file to play on without a server: the board, hints, distances if few. Example: export html klotski"""
    from ..web import standalone

    limits, began = Limits(seconds, parse_size(memory) if memory else None), process_began()
    with watched(limits, began=began) as watch:
        shown = load(puzzle)
    if seconds is not None:
        limits = replace(limits, seconds=max(seconds - watch.seconds, LEAST))
    text = standalone.page(shown, metric, limits)
    target = output or Path(f"{shown.name}.html".replace(":", "-").replace(",", "-"))
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror}") from None
    print(f"{target}: {len(text.encode()):,} bytes")
    return 0
