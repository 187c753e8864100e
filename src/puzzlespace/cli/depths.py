"""The commands `depths` and `hardest`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from ..api import questions
from ..api.games import level_of
from ..api.loader import load
from ..contract.answers import DepthTable, Solution
from ..contract.questions import Engine
from ..errors import InputError
from ..limits.watch import Limits
from ..puzzle.puzzle import Puzzle
from ..registry import ENGINES
from ..render import files, json_output, plot, text
from ..render.theme import Style
from ..render.words import METRICS
from . import gate, refused, tables
from .options import (
    TURNED,
    Avoid,
    CommonOptions,
    DeviceName,
    EngineName,
    Force,
    Glyphs,
    Json,
    Metric,
    Moves,
    Origin,
    PuzzleArgument,
    SheetFile,
    Size,
    Solid,
    Theme,
    limited,
    loaded,
)
from .parser import Option
from .solve import print_solution
from .tables import ClusterName, OnlyCounts, Resume, SaveFolder, Storage, TableFolder
from .terminal import print_json, screen_width

MapFile = Annotated[
    Path | None,
    Option("--map", metavar="FILE", help="draw all positions and moves, .svg or .png", without=("--cluster", "--save")),
]
Only = Annotated[
    list[str] | None,
    Option(
        "--only", metavar="PATTERN", help="also count the positions that look like this, with '*' for anything",
        without=("--plot", "--cluster", "--save"),
    ),
]  # fmt: skip
PlotFile = Annotated[Path | None, Option("--plot", metavar="FILE", help="plot it as .svg, .png or .pdf")]
Scale = Annotated[str, Option(help="scale of the plotted counts: linear, log or auto", needs=("--plot",))]
Share = Annotated[bool, Option("--share", help="plot the share of positions up to each depth", needs=("--plot",))]
Beside = Annotated[
    list[str] | None, Option("--with", help="plot another metric, or another puzzle, as well", needs=("--plot",))
]
TurnedCount = Annotated[bool, Option("--turned", help=TURNED, without=("--cluster", "--save", "--table"))]


@limited
def depths(
    puzzle: PuzzleArgument,
    only: Only = None,
    origin: Origin = "",
    turned: TurnedCount = False,
    moves: Moves = None,
    avoid: Avoid = None,
    metric: Metric = "",
    oeis: Annotated[bool, Option("--oeis", help="print the counts as one comma list", without=("--json",))] = False,
    plot_file: PlotFile = None,
    scale: Scale = "auto",
    share: Share = False,
    beside: Beside = None,
    map_file: MapFile = None,
    theme: Theme = "light",
    size: Size = None,
    glyphs: Glyphs = "ascii",
    engine: EngineName = "auto",
    device: DeviceName = "auto",
    save: SaveFolder = None,
    resume: Resume = False,
    kept: TableFolder = None,
    cluster: ClusterName = "",
    storage: Storage = "",
    only_counts: OnlyCounts = False,
    force: Force = False,
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print how many positions lie at each depth, the greatest depth and the hardest positions.

    Examples: puzzlespace depths eight · puzzlespace depths hexagram --from start · puzzlespace depths slide:3x4 --oeis
    · puzzlespace depths klotski --plot klotski.svg --with run --with step --share
    · puzzlespace depths slide:3x4 --cluster local:4 --save tiles
    · puzzlespace depths eight --only '1 2 3 / * * * / * * *'
    """
    level = level_of(puzzle)
    if level is not None:
        from . import games  # most puzzles are no games

        games.refuse(
            **{"from": origin == "goal"}, only=only, turned=turned, moves=moves, avoid=avoid, metric=metric, oeis=oeis,
            plot=plot_file, table=kept, cluster=cluster, device=device == "gpu", engine=engine != "auto",
            glyphs=glyphs != "ascii", counts_only=only_counts,
        )  # fmt: skip
        if save is not None:
            return games.saved_depths(level, save, resume, asked, as_json)
        return games.depths(level, asked, as_json, drawn=files.DrawnFile.wanted(map_file, "--map", theme, size))
    if cluster and device == "gpu":
        raise InputError("--device gpu: expected no --cluster beside it")
    map_page = files.DrawnFile.wanted(map_file, "--map", theme, size)
    axes = plot.check(plot_file, plot.Axes(scale, share, theme, size))
    style = text.glyph_set(glyphs)
    owner = loaded(puzzle, moves, avoid, turned=turned)
    where = tables.Where(engine, kept, save, resume, not only_counts, cluster, storage)

    chosen = where.engine_of(owner, metric, asked.limits.memory)
    if isinstance(chosen, str) and device != "gpu":  # what is saved can be resumed, and a table answers at once
        gate.admit(asked, owner, metric, origin, chosen, force=force, listed=bool(only))
    limits = replace(asked.limits, memory=None) if cluster else asked.limits
    wanted = refused.Count(owner, metric, origin, engine, limits)
    with tables.resumable(save), wanted.room(keep=not only_counts):
        table = questions.depths(
            owner, only=only or "", origin=origin, metric=metric, engine=chosen, device=device, limits=limits,
            progress=asked.report,
        )  # fmt: skip
    asked.done()
    if as_json:
        print_json(json_output.table(owner, table))
    else:
        _print_table(owner, table, oeis, style)
    if plot_file is not None:
        with asked.drawing():
            others = [_beside(owner, word, origin, engine, device, asked, force) for word in beside or ()]
            plot.write_plot([(owner, table), *others], plot_file, axes)
    if map_page is not None and table.complete:
        with asked.drawing():
            map_page.save(_map(owner, table, map_page.style, asked))
    if table.stopped is not None:
        tables.unfinished(save)
    return wanted.stopped(table)


def _print_table(owner: Puzzle, table: DepthTable, oeis: bool, style: str) -> None:
    """Print the number of positions at each depth and the hardest positions, or only the numbers."""
    if oeis:
        print(", ".join(map(str, table.counts if table.fitting is None else table.fitting.counts)))
    elif table.counts or table.stopped is None:
        print(text.depth_table(owner, table))
        if table.complete:
            print("\n" + text.hardest(owner, table, screen_width(), style))


def _map(owner: Puzzle, table: DepthTable, style: Style, asked: CommonOptions) -> str:
    """Return the map of the positions that the puzzle's start, or else its goals, can reach."""
    from ..graph import explore
    from ..render import map_picture  # with arrays

    graph = explore(
        owner, metric=table.metric, most=map_picture.MOST, limits=asked.limits, progress=asked.report
    )  # fmt: skip
    return map_picture.puzzle_svg(owner, graph, table.metric, table.origin, style)


def _beside(
    owner: Puzzle, word: str, origin: str, engine: str, device: str, asked: CommonOptions, force: bool
) -> tuple[Puzzle, questions.DepthTable]:
    """Return the table of `--with`: another metric of the same puzzle, or another puzzle."""
    other, metric = (owner, word) if word in METRICS else (load(word), "")
    if device != "gpu":
        gate.admit(asked, other, metric, origin, engine, force=force)
    options: dict[str, Any] = {"origin": origin, "metric": metric, "engine": engine, "device": device}
    return other, questions.depths(other, **options, limits=asked.limits, progress=asked.report)


@limited
def hardest(
    puzzle: PuzzleArgument,
    number: Annotated[int, Option("-n", min=1, max=100_000, help="how many to show at most")] = 20,
    origin: Origin = "",
    turned: TurnedCount = False,
    moves: Moves = None,
    avoid: Avoid = None,
    metric: Metric = "",
    classes: Annotated[bool, Option("--classes", help="one position of each class under the symmetries")] = False,
    solution: Annotated[bool, Option("--solution", help="also solve the first one")] = False,
    sheet: SheetFile = None,
    theme: Theme = "light",
    size: Size = None,
    solid: Solid = False,
    glyphs: Glyphs = "ascii",
    engine: EngineName = "auto",
    kept: TableFolder = None,
    force: Force = False,
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print the hardest positions as boards. Example: puzzlespace hardest hexagram -n 7 --sheet hexagram.svg"""
    level = level_of(puzzle)
    if level is not None:
        from . import games  # most puzzles are no games

        games.refuse(
            **{"from": origin == "goal"}, turned=turned, moves=moves, avoid=avoid, metric=metric, classes=classes,
            solution=solution, table=kept, engine=engine != "auto", solid=solid, glyphs=glyphs != "ascii",
        )  # fmt: skip
        return games.depths(level, asked, as_json, number, files.DrawnFile.wanted(sheet, "--sheet", theme, size))
    page = files.sheet_wanted(sheet, theme, size, solid)
    style = text.glyph_set(glyphs)
    owner = loaded(puzzle, moves, avoid, turned=turned)
    page.check(owner)
    chosen = tables.engine_of(engine, owner, kept, metric)
    if isinstance(chosen, str):
        gate.admit(asked, owner, metric, origin, chosen, force=force)
    table = questions.depths(
        owner, origin=origin, metric=metric, engine=chosen, keep=number, classes=classes, cache="make",
        limits=asked.limits, progress=asked.report,
    )  # fmt: skip
    asked.partial.so_far = lambda: json_output.table(owner, table)
    solving = solution and table.complete
    answer = _solve_hardest(owner, table, asked.limits, chosen) if solving and as_json else None
    asked.done()
    if as_json:
        shown = json_output.table(owner, table)
        shown["hardest"]["positions"] = [owner.line(position) for position in table.hardest]
        if answer is not None:
            shown["solution"] = json_output.solution(*_hardest_model(owner, table), answer)
        print_json(shown)
    elif table.complete:
        print(text.hardest(owner, table, screen_width(), style, one_each=classes))
        if measured := text.measured_words(table):
            print(f"\n{measured}")
        if solving:
            with asked.drawing("the first one was solved"):
                answer = _solve_hardest(owner, table, asked.limits, chosen)
            asked.done()
            print()
            print_solution(_hardest_model(owner, table)[0], answer, style)
    elif table.counts:
        print(text.depth_table(owner, table))
    if sheet is not None and table.complete:
        with asked.drawing():
            files.write_sheet(owner, table, sheet, page)
    return refused.Count(owner, metric, origin, engine, asked.limits).stopped(table)


def _hardest_model(owner: Puzzle, table: questions.DepthTable) -> tuple[Puzzle, Any]:
    """Return the puzzle whose solution length is the depth of the first hardest position, and its model."""
    far = table.hardest[0]
    placed = questions.with_start(owner, far) if table.origin == "goal" else questions.with_goal(owner, far)
    return placed, placed.model(table.metric)


def _solve_hardest(owner: Puzzle, table: questions.DepthTable, limits: Limits, engine: str | Engine) -> Solution:
    able = table.origin == "goal" and not isinstance(engine, str)
    search = engine if able or any(each.name == engine and each.search for each in ENGINES) else "auto"
    return questions.solve(_hardest_model(owner, table)[0], metric=table.metric, engine=search, limits=limits)
