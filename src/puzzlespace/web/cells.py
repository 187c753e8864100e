"""The cells of a notebook, run by Python in a browser: what they print, what they show, and players in them."""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from ..api.loader import load
from ..errors import UnsupportedError
from ..limits.watch import Limits
from ..puzzle.puzzle import Puzzle
from . import standalone
from .shown import ShownPosition
from .wire import Object, Say

CELL = "<cell>"
"""The name of a cell's code in errors."""


class CellBoard(ShownPosition):
    """A board in a cell, as `puzzlespace.notebook.Player` is one in Jupyter."""

    every: list[CellBoard] = []  # noqa: RUF012 - all of this notebook, by number

    def __init__(self, puzzle: Puzzle | str | Path, *, metric: str = "", limits: Limits = Limits(seconds=60)) -> None:
        self.puzzle = puzzle if isinstance(puzzle, Puzzle) else load(str(puzzle))
        self.kept = standalone.puzzle_data(self.puzzle, metric, limits)
        self.shown = self.kept["about"]["start"] or self.kept["about"]["goals"][0]
        self.words: list[str] | None = None
        self.moves = 0
        self.set = False
        self.number = len(self.every)
        self.every.append(self)

    def show(self, position: str, words: list[str] | None) -> None:
        self.shown, self.words, self.set = position, words, True

    @property
    def told(self) -> Object:
        """What the notebook is told of the position."""
        return {"player": self.number, "shown": self.shown, "words": self.words}


class CellRunner:
    """The names that the cells of a notebook share."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}
        modules = {
            "puzzlespace.notebook": {"Player": CellBoard},
            "IPython": {},
            "IPython.display": {"SVG": CellPicture},
        }
        for name, members in modules.items():
            sys.modules[name] = ModuleType(name)
            sys.modules[name].__dict__.update(members)

    def answer(self, state: object, question: Object, say: Say) -> Object:
        """Run the `code` of a question, or hear of a move that was made on the board of a `player`.

        Says what is printed as `out`. The answer has what the last expression `shows`, the `fault`, or what is
        `missing` here; and `placed`, the players whose position the code has set.
        """
        if "player" in question:
            player = CellBoard.every[question["player"]]
            player.shown, player.words, player.moves = question["shown"], question["words"], question["moves"]
            return {}
        printed = Printed(lambda text: say({"out": text}))
        with contextlib.redirect_stdout(printed):
            told = self.run(question["code"])
        printed.flush()
        placed = [each for each in CellBoard.every if each.set]
        for each in placed:
            each.set = False
        return {**told, "placed": [each.told for each in placed]}

    def run(self, code: str) -> Object:
        """Run code; return what its last expression shows, unless a semicolon is after it, or the fault."""
        try:
            tree = ast.parse(code, CELL)
            quiet = code.rstrip().endswith(";")
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, CELL, "exec"), self.names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), CELL, "eval"), self.names)
                return {} if value is None or quiet else {"shows": shown(value)}
        except UnsupportedError as error:
            return {"missing": str(error)}
        except BaseException as error:  # whatever the code does, the notebook goes on
            return {"fault": fault(error)}
        return {}


class CellPicture:
    """A drawing as SVG, as `IPython.display.SVG` is one."""

    def __init__(self, data: bytes | str) -> None:
        self.data = data if isinstance(data, str) else data.decode()

    def _repr_svg_(self) -> str:
        return self.data


class Printed(io.TextIOBase):
    """Hands over what is printed, in whole lines."""

    def __init__(self, heard: Callable[[str], None]) -> None:
        self.heard = heard
        self.rest = ""

    def write(self, text: str) -> int:
        """Take text; hand over its whole lines."""
        whole, line, self.rest = (self.rest + text).rpartition("\n")
        if line:
            self.heard(whole + line)
        return len(text)

    def flush(self) -> None:
        """Hand over a last line without its end."""
        if self.rest:
            self.heard(self.rest)
        self.rest = ""


def shown(value: object) -> Object:
    """Return a value as a player, a drawing or a text, whichever it has first."""
    if isinstance(value, CellBoard):
        return {**value.told, "kept": value.kept}
    drawing = getattr(value, "_repr_svg_", lambda: None)()
    if drawing:
        return {"svg": drawing, "text": repr(value)}
    picture = getattr(value, "_repr_png_", lambda: None)()
    if picture:
        return {"png": base64.b64encode(picture).decode(), "text": repr(value)}
    return {"text": repr(value)}


def fault(error: BaseException) -> str:
    """Return an error as Python writes it, with the lines of the cell alone."""
    steps = [step for step in traceback.extract_tb(error.__traceback__) if step.filename == CELL]
    lines = [f"line {step.lineno}, in {step.name}\n" for step in steps]
    return "".join([*lines, *traceback.format_exception_only(error)]).strip()
