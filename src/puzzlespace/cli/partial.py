"""What a command prints of its answer if it is stopped at a moment at which it cannot print its own answer."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import zip_longest
from typing import Any

from ..contract.answers import Fitting
from ..errors import LimitError, RefusedError
from ..limits.known import KnownSoFar
from ..render import json_output
from . import diagnosed, terminal

Object = dict[str, Any]

LAYERS, SEARCHES = ("depths", "hardest", "generate", "random"), ("solve", "distance")
"""The commands that print layers, and those that print lower bounds."""


class Partial:
    """The part of the answer of a command that is known so far.

    known   what the engines note
    begun   whether the command has begun to print its answer
    so_far  returns fields of the JSON object that the command itself has so far
    said    returns the same as text; '': nothing but what the engines note
    """

    def __init__(self, command: str, puzzle: str, as_json: bool) -> None:
        self.command, self.puzzle, self.as_json = command, puzzle, as_json
        self.known = KnownSoFar()
        self.so_far: Callable[[], Object] = dict
        self.said: Callable[[], str] = str
        self.begun = False

    def tell(self, error: LimitError) -> None:
        """Print what is known, unless the command has begun to print its answer."""
        if self.as_json:
            if not terminal.answers_printed[0]:
                terminal.print_json(self._object(error))
        elif not self.begun:
            print(self._text(error), end="", flush=True)

    def tell_at_once(self, error: LimitError) -> None:
        """Print the same around the buffer of the standard output, because the process is about to end."""
        shown = self._object(error) | diagnosed.fields() if self.as_json else {}
        text = json.dumps(shown, ensure_ascii=False) + "\n" if shown else self._text(error)
        with suppress(OSError):
            os.write(1, text.encode())

    def _object(self, error: LimitError) -> Object:
        stopped = {"kind": error.kind, "text": str(error)}
        head: Object = {"schema": 1, "puzzle": self.puzzle, "status": "stopped", "complete": False}
        if isinstance(error, RefusedError):
            return {**head, "status": "refused", "plan": error.plan, "stopped": stopped}
        return {**head, **self._known(), **self.so_far(), "stopped": stopped}

    def _known(self) -> Object:
        if self.command in SEARCHES:
            return {"moves": None, **self._proved()}
        if self.command in LAYERS:
            layers = self._layers()
            fitting = self._fitting(layers)
            shown = {} if fitting is None else {"fitting": json_output.fitting(fitting)}
            return {"states": sum(layers), "depth": len(layers) - 1 if layers else None, "counts": layers, **shown}
        return dict(self.known.facts)

    def _proved(self) -> Object:
        """Return the lower bound and an unchecked length, unless they belong to a part of the question."""
        known = self.known
        return {"bound": 0, "unchecked": None} if known.apart else {"bound": known.bound, "unchecked": known.found}

    def _layers(self) -> list[int]:
        return [] if self.known.apart else list(self.known.layers)

    def _fitting(self, layers: list[int]) -> Fitting | None:
        """Return what is known of the positions that fit a pattern; None if none was asked for."""
        return None if self.known.fitting is None else self.known.fitting(layers)

    def _text(self, error: LimitError) -> str:
        if said := self.said():
            return f"{said}\n"
        if self.command in SEARCHES and self._proved()["bound"]:
            return f"{self.puzzle}: {error}; {proved(**self._proved())}\n"
        if self.command not in LAYERS and self.known.facts:
            facts = [f"{name.replace('_', ' ')}: {_shown(value)}\n" for name, value in self.known.facts.items()]
            return f"{self.puzzle}: known before it was stopped\n\n{''.join(facts)}"
        layers = self._layers() if self.command in LAYERS else []
        rows = [f"{depth:>5}  {size:>20,}" for depth, size in enumerate(layers)]
        fitting = self._fitting(layers)
        if fitting is not None:
            fits = [f"  {count:>20,} fit" for count in fitting.counts]
            rows = [row + fit for row, fit in zip_longest(rows, fits, fillvalue="")]
        return "\n".join([f"{self.puzzle}: complete layers before it was stopped", "", *rows, ""]) if rows else ""


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def proved(bound: int, unchecked: int | None) -> str:
    """Return what is known of the length of the shortest solutions."""
    if unchecked is not None:
        return f"a solution of {unchecked} moves was found, but its check is not finished"
    return f"at least {bound} move{'s are' if bound > 1 else ' is'} needed"
