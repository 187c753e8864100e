"""A count that is known to be hopeless asks first on a terminal, and is refused without one."""

from __future__ import annotations

import sys

from ..api.hopeless import Hopeless, hopeless
from ..errors import RefusedError
from ..limits.memory import counted
from ..puzzle.puzzle import Puzzle
from .options import CommonOptions

FORCE = "--force begins it all the same; --seconds, --memory or --positions begins it up to a limit"


def admit(
    asked: CommonOptions,
    owner: Puzzle,
    metric: str = "",
    origin: str = "",
    engine: str = "auto",
    *,
    force: bool = False,
    last: int | None = None,
    listed: bool = False,
) -> None:
    """Return if a count may begin; raise RefusedError if it is hopeless and nobody wants it nevertheless.

    With a limit or --force every count may begin.
    last    the last layer that is wanted, if not all are
    listed  whether the positions of the layers are wanted, which not every engine has
    """
    limits = asked.limits
    if force or limits.seconds is not None or limits.memory is not None or limits.positions is not None:
        return
    found = hopeless(owner, metric, origin, engine, last, listed)
    if found is None:
        return
    words = _words(owner, found, last)
    kind = "memory" if found.memory else "seconds"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise RefusedError(kind, f"{words}: {FORCE}", _planned(found))
    asked.clear()
    print(f"puzzlespace: {words}\nContinue? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise RefusedError(kind, f"not begun: {FORCE}", _planned(found))


def _words(owner: Puzzle, found: Hopeless, last: int | None) -> str:
    """Return in one line what a count takes."""
    if found.plan is None:
        return f"{owner.name} has {counted(found.positions)} positions, which cannot be counted by any machine"
    from ..render import planned  # most counts are admitted

    return planned.hopeless(found.plan, last)


def _planned(found: Hopeless) -> dict[str, object] | None:
    if found.plan is None:
        return None
    from ..render import planned

    return planned.json_object(found.plan)
