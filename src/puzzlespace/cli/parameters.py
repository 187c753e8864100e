"""Parameters of Python functions, as errors name them, in the words of the command line."""

from __future__ import annotations

import re

RENAMED = {"origin": "from", "heuristic": "bound", "only": "moves", "counts_only": "counts-only"}
"""Options that are not called like the parameter."""

PARAMETERS = "origin|engine|device|resume|save|cluster|counts_only"
GIVEN = re.compile(rf"\b({PARAMETERS})=(?:'([^']*)'|True|(?=\?))")
HEAD = re.compile(r"^(origin|cluster|bound|heuristic|metric|offset|only|avoid|first): ")

LACKING = {
    "expected a start to solve from, found none": "--start",
    "expected a goal to solve to, found none": "--goal",
}
"""Ends of messages about something that an option gives."""


def as_options(message: str) -> str:
    """Return a message with options instead of parameters: `--from start` for `origin='start'`.

    >>> as_options("an unfinished table is there; continue it with resume=True")
    'an unfinished table is there; continue it with --resume'
    """
    message = HEAD.sub(lambda found: f"--{RENAMED.get(found[1], found[1])}: ", message)
    message = GIVEN.sub(_option, message)
    option = next((option for end, option in LACKING.items() if message.endswith(end)), None)
    return message if option is None else f"{message} (give one with {option})"


def _option(found: re.Match[str]) -> str:
    option = f"--{RENAMED.get(found[1], found[1])}"
    return f"{option} {found[2]}" if found[2] else option
