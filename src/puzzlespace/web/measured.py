"""Distances of all positions of a puzzle, saved in the shared folder: as a graph if small, else as a depth table."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..analysis.impossible import placement_bound
from ..api.planning.positions import positions
from ..api.questions import depths, solve
from ..api.saved import saving
from ..contract.answers import DepthTable
from ..contract.needs import estimated
from ..errors import InputError, LimitError, TableError, UnsupportedError
from ..limits.machine import has_arrays
from ..limits.watch import Limits, Progress
from ..model.model import Model
from ..puzzle.puzzle import Puzzle
from ..registry import counts_in_browser
from .bounds import LISTED
from .japanese import with_japanese
from .listed import ListedFolder, whole_list

if TYPE_CHECKING:
    from .folders import GraphFolder, TableFolder

SUMMARY = "summary.json"
"""Written last: a folder with this file is complete."""

FIRST = 400_000
"""Up to so many placements a graph is tried before a table; with blocks always, as few placements are reachable."""

AT_ONCE, AT_ONCE_SLOW = 10_000_000, 100_000
"""Up to so many positions, all are counted unasked; the second if their placements cannot be numbered."""

NUMBERED = 1_000_000_000
"""Up to so many placements are numbered, so that they are counted fast."""

RATE, RATE_SLOW = 3_000_000.0, 20_000.0
"""About how many positions are counted in a second on two processors; the second as above."""

AT_ONCE_LOOP, RATE_LOOP = 4_000_000, 1_000_000.0
"""The same for the compiled loop of a browser; docs/page.md has what it counts."""

RATE_BITS = 50_000_000.0
"""About how many positions a table of bits counts there in a second, with what it takes to prepare it."""

Report = Callable[[Progress], None]


def key_of(*words: str) -> str:
    """Return the name of the folder for the distances of a puzzle in a metric."""
    return hashlib.sha256("\0".join(words).encode(errors="surrogatepass")).hexdigest()[:32]


def opened(folder: Path, puzzle: Puzzle, metric: str) -> GraphFolder | TableFolder | ListedFolder | None:
    """Return the distances in a complete folder, if there are any, and mark the folder as used."""
    os.utime(folder)
    if not has_arrays():
        return ListedFolder(folder, puzzle.board.cells) if ListedFolder.there(folder) else None
    from .folders import GraphFolder, TableFolder  # loads arrays

    if (folder / "names.npy").exists():
        return GraphFolder(folder)
    return TableFolder(folder, puzzle, metric) if (folder / "table").exists() else None


def summary(folder: Path) -> dict[str, Any] | None:
    """Return the numbers saved in a folder; None if it is not complete."""
    path = folder / SUMMARY
    return json.loads(path.read_text()) if path.exists() else None


def measure(puzzle: Puzzle, model: Model, folder: Path, limits: Limits, report: Report, most: int) -> dict[str, Any]:
    """Compute all depths, save them in a folder, and return the numbers. Raises LimitError, UnsupportedError."""
    small = _bound(model) <= FIRST or model.shapes is not None or not model.reversible
    first, second = (_by_graph, _by_table) if small else (_by_table, _by_graph)
    try:
        table, lost, away = first(puzzle, model, folder, limits, report, most)
    except (InputError, UnsupportedError):
        table, lost, away = second(puzzle, model, folder, limits, report, most)
    if table.stopped is not None:
        raise table.stopped
    found = numbers(puzzle, table, lost, away)
    (folder / SUMMARY).write_text(json.dumps(found))
    return found


@dataclass(frozen=True)
class CountEstimate:
    """What counting all positions takes.

    positions  the number of positions, or only of placements unless it is `exact`; None if nothing is known
    seconds    for which it is counted unasked; 0: not at all
    """

    positions: int | None
    exact: bool
    rate: float
    seconds: float

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of its JSON object, without a number that says little."""
        told = self.positions if self.exact or not self.seconds else None
        seconds = estimated(self.positions) / self.rate if self.exact and self.positions is not None else None
        return {"positions": told, "exact": self.exact, "seconds": seconds}


def estimate(puzzle: Puzzle, model: Model, brief: float, tried: float) -> CountEstimate:
    """Return what counting all positions takes, without counting.

    brief  seconds for counts that are known to be quick; half of it, at most, to find how many positions there are
    tried  seconds for others, if far fewer positions may be reached than there are placements
    """
    found = positions(puzzle, model, brief / 2)
    many = None if found.most is None else int(found.most)
    if not has_arrays():
        looped = counts_in_browser(model)
        most, rate = (AT_ONCE_LOOP, RATE_LOOP) if looped else (AT_ONCE_SLOW, RATE_SLOW)
        few = many is not None and many <= most
        rate = RATE_BITS if not few and counts_in_browser(model, in_bits=True) else rate
        return CountEstimate(many, found.exact, rate, brief if few else tried if looped and not found.exact else 0.0)
    blocks, numbered = model.shapes is not None, _bound(model) <= NUMBERED
    loose = not found.exact and (blocks or not model.reversible)
    slow = loose or (blocks and not numbered)
    few = many is not None and many <= (AT_ONCE_SLOW if slow else AT_ONCE)
    seconds = brief if few else tried if loose and (blocks or numbered) else 0.0
    return CountEstimate(many, found.exact, RATE_SLOW if slow else RATE, seconds)


def _bound(model: Model) -> int:
    try:
        return placement_bound(model)
    except UnsupportedError:
        return 0


def _by_table(
    puzzle: Puzzle, model: Model, folder: Path, limits: Limits, report: Report, most: int
) -> tuple[DepthTable, int, int | None]:
    folder.mkdir(parents=True, exist_ok=True)
    name = model.metric.name
    told = has_arrays() and (not puzzle.goals or model.reversible)  # else depths are from the start, and not saved
    engine = saving(puzzle, folder / "table", metric=name) if told else "auto"
    try:
        table = depths(puzzle, metric=name, engine=engine, keep=LISTED, classes=True, limits=limits, progress=report)
    except TableError as error:
        raise LimitError("memory", "a table of all positions would need more room than there is") from error
    if not has_arrays():
        return table, *_listed(puzzle, model, folder, limits, table, most)
    return table, 0, table.depth if told and table.origin == "goal" else None


def _listed(
    puzzle: Puzzle, model: Model, folder: Path, limits: Limits, table: DepthTable, most: int
) -> tuple[int, int | None]:
    """Return as `_by_graph` does; save the distances of all positions if there are few, there is time, and it must be.

    If moves can be undone the table says what there is, and `list_all` saves the distances once a game is dealt.
    """
    left = limits.seconds and limits.seconds - table.seconds
    if not puzzle.goals or table.stopped is not None or table.states > most or (left is not None and left <= 0):
        return 0, None
    if _can_wait(model, table.origin):
        return 0, table.depth
    with suppress(UnsupportedError, LimitError):
        graph, away = whole_list(puzzle, model, most, replace(limits, seconds=left))
        ListedFolder.save(folder, graph, away)
        return sum(each < 0 for each in away), max(away)
    return 0, None


def _can_wait(model: Model, origin: str) -> bool:
    return model.reversible and origin == "goal"


def list_all(puzzle: Puzzle, model: Model, folder: Path, limits: Limits, most: int) -> None:
    """Save the distances of all positions in the folder of a table that says them, if that was put off."""
    found = None if has_arrays() else summary(folder)
    if found is None or not found["away"] or not _can_wait(model, found["origin"]) or ListedFolder.there(folder):
        return
    with suppress(UnsupportedError, LimitError):
        ListedFolder.save(folder, *whole_list(puzzle, model, most, limits))


def _by_graph(
    puzzle: Puzzle, model: Model, folder: Path, limits: Limits, report: Report, most: int
) -> tuple[DepthTable, int, int | None]:
    if not has_arrays():
        raise UnsupportedError("a graph of positions needs NumPy, which this Python does not have")
    from .folders import GraphFolder, graph_table, whole_graph  # loads arrays

    graph = whole_graph(puzzle, model, most, limits, report)
    distance = graph.distances(graph.goals(model))
    GraphFolder.save(folder, graph, distance)
    table = graph_table(puzzle, model, graph, limits, report)
    if not model.goals:
        return table, 0, None
    return table, int((distance < 0).sum()), int(distance.max())


def numbers(puzzle: Puzzle, table: DepthTable, lost: int, away: int | None) -> dict[str, Any]:
    """Return the numbers of a table, and the reason if the start cannot be solved.

    lost  the positions that cannot be solved
    away  the greatest distance to the goal, if games of a distance can be dealt; else None
    """
    reason = None
    if puzzle.start is not None and puzzle.goals:  # `solve` looks for reasons before it searches, which is not wanted
        reason = solve(puzzle, metric=table.metric, cache="off", limits=Limits(positions=1)).reason
    told = {
        "origin": table.origin,
        "metric": table.metric,
        "states": table.states,
        "depth": table.depth,
        "counts": list(table.counts),
        "hardest": [puzzle.id(position) for position in table.hardest],
        "hardest_count": table.counts[-1],
        "classes": table.classes,
        "lost": lost,
        "away": away if away is not None and away > 0 else None,
        "reason": reason.text if reason is not None else "",
        "seconds": round(table.seconds, 3),
    }
    return with_japanese(told, "reason")
