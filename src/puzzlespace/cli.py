"""The command line: `puzzlespace COMMAND PUZZLE …`. Answers go to stdout, progress and errors to stderr."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from . import __version__, api, catalogue, cli_search, cli_tables, output
from .cli_search import Batch, BatchFile, HeuristicName
from .cli_tables import Resume, SaveFolder, TableFolder
from .loader import load, written
from .options import (
    Asked,
    EngineName,
    Glyphs,
    Json,
    Memory,
    Metric,
    PngFile,
    Positions,
    PuzzleArgument,
    Quiet,
    Seconds,
    Size,
    SvgFile,
    Theme,
)
from .puzzle import Puzzle
from .registry import ENGINES, FAMILIES
from .render import files, plot, text
from .render.words import METRICS
from .result import Engine, ExitCode, Limits, Solution, Status
from .terminal import code_of, guarded, print_json, screen_width, stopped

EXIT_CODES = "Exit codes: " + " · ".join(f"{code.number} {code.meaning}" for code in ExitCode)

app = typer.Typer(
    name="puzzlespace",
    help="Shortest solutions, depth tables and hardest positions of any puzzle of moves.",
    epilog=f"Try: puzzlespace solve goat · puzzlespace depths eight · puzzlespace list.  {EXIT_CODES}",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


app.add_typer(cli_tables.app)
app.command()(cli_search.compare)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"puzzlespace {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    """Shortest solutions, depth tables and hardest positions of any puzzle of moves."""


@app.command("list")
def list_(as_json: Json = False) -> int:
    """Print the catalogue, with sizes and known numbers, and the families. Example: puzzlespace list --json"""
    puzzles = [load(name) for name in catalogue.names()]
    families = [(family.form, family.title) for family in FAMILIES]
    if as_json:
        print_json(
            {
                "schema": output.SCHEMA,
                "puzzles": [output.summary(puzzle) for puzzle in puzzles],
                "families": [{"form": form, "title": title} for form, title in families],
            }
        )
    else:
        print(text.listing(puzzles, families))
    return 0


@app.command()
def show(
    puzzle: PuzzleArgument,
    as_json: Json = False,
    glyphs: Glyphs = "ascii",
    svg_file: SvgFile = None,
    png_file: PngFile = None,
    theme: Theme = "light",
    size: Size = None,
) -> int:
    """Print the board, the rules in words, start and goal. Example: puzzlespace show hexagram --svg hexagram.svg"""
    shown = load(puzzle)
    wanted = files.Wanted(svg=svg_file, png=png_file, theme=theme, size=size)
    if wanted:
        files.write_position(shown, wanted)
    if as_json:
        print_json(output.puzzle(shown))
    else:
        print(text.description(shown, text.glyph_set(glyphs)))
    return 0


@app.command()
def solve(
    puzzle: PuzzleArgument,
    start: Annotated[str, typer.Option(help="begin here: '8 6 7 / 2 5 4 / 3 . 1'")] = "",
    goal: Annotated[str, typer.Option(help="reach this position instead")] = "",
    metric: Metric = "",
    count: Annotated[bool, typer.Option("--count", help="count the shortest solutions")] = False,
    every: Annotated[bool, typer.Option("--all", help="list all shortest solutions")] = False,
    svg_file: SvgFile = None,
    png_file: PngFile = None,
    gif_file: Annotated[Path | None, typer.Option("--gif", metavar="FILE", help="animate it as GIF")] = None,
    webp_file: Annotated[Path | None, typer.Option("--webp", metavar="FILE", help="animate it as WebP")] = None,
    theme: Theme = "light",
    size: Size = None,
    arrows: Annotated[str, typer.Option(help="the moves that pictures show: last, next, both or none")] = "",
    glyphs: Glyphs = "ascii",
    engine: EngineName = "auto",
    heuristic: HeuristicName = "",
    batch: BatchFile = None,
    kept: TableFolder = None,
    memory: Memory = "",
    seconds: Seconds = None,
    positions: Positions = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Print a shortest solution as small numbered boards.

    Examples: puzzlespace solve goat · puzzlespace solve klotski --metric run · puzzlespace solve eight --count --json ·
    puzzlespace solve goat --gif goat.gif --theme dark
    """
    asked = Asked.given(memory, seconds, positions, quiet)
    wanted = files.Wanted(svg_file, png_file, gif_file, webp_file, theme, size, arrows)
    style = text.glyph_set(glyphs)
    owner = _placed(load(puzzle), start, goal)
    if batch is not None:
        return Batch(batch, metric, engine, heuristic, asked).run(owner, as_json)
    chosen = cli_tables.engine_of(engine, owner, kept, metric)
    answer = api.solve(
        owner, metric=metric, engine=chosen, count=count or every, heuristic=heuristic, limits=asked.limits,
        progress=asked.report,
    )  # fmt: skip
    asked.done()
    if wanted and answer.path:
        frames = owner.frames(answer.path, owner.model(answer.metric))
        files.write_solution(owner, frames, f"{owner.title}: {answer.moves} moves", wanted)
    if as_json:
        shown = output.solution(owner, owner.model(answer.metric), answer)
        if every:
            every_one = _every(owner, answer, chosen, asked.limits)
            shown["all"] = [{"path": list(map(str, each.path)), "names": list(each.names)} for each in every_one]
        print_json(shown)
    else:
        _print_solution(owner, answer, style)
        if every:
            _print_every(owner, answer, chosen, asked.limits)
    return code_of(answer)


def _placed(puzzle: Puzzle, start: str, goal: str) -> Puzzle:
    if goal:
        puzzle = api.with_goal(puzzle, goal)
    return api.with_start(puzzle, start) if start else puzzle


def _every(owner: Puzzle, answer: Solution, engine: str | Engine, limits: Limits) -> Any:
    return api.solutions(owner, metric=answer.metric, engine=engine, limits=limits) if answer.path else ()


def _print_solution(owner: Puzzle, answer: Solution, style: str) -> None:
    if answer.status is Status.IMPOSSIBLE and answer.reason is not None:
        print(f"{owner.name}: impossible ({answer.reason.kind}): {answer.reason.text}")
    elif answer.status is Status.STOPPED:
        print(f"{owner.name}: {answer.stopped}; at least {answer.bound} moves are needed")
    else:
        counted = f"\n{text.solution_counts(answer)}" if answer.solutions is not None else ""
        print(f"{owner.name}: {answer.moves} moves (count: {answer.metric}), proved shortest{counted}\n")
        print(text.strip(owner, owner.frames(answer.path, owner.model(answer.metric)), screen_width(), style))
    print(f"\n{answer.generated:,} positions generated by {answer.engine} in {answer.seconds:.2f} s")


def _print_every(owner: Puzzle, answer: Solution, engine: str | Engine, limits: Limits) -> None:
    for number, each in enumerate(_every(owner, answer, engine, limits), 1):
        print(f"{number:>4}  " + ", ".join(each.names))


@app.command()
def depths(
    puzzle: PuzzleArgument,
    origin: Annotated[str, typer.Option("--from", help="measure to the goal or from the start")] = "",
    metric: Metric = "",
    oeis: Annotated[bool, typer.Option("--oeis", help="print the counts as one comma list")] = False,
    plot_file: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="plot it as .svg, .png or .pdf")
    ] = None,
    scale: Annotated[str, typer.Option(help="of the plot's counts: linear or log")] = "linear",
    share: Annotated[bool, typer.Option("--share", help="plot the share of positions up to each depth")] = False,
    beside: Annotated[
        list[str] | None, typer.Option("--with", help="plot another metric, or another puzzle, as well")
    ] = None,
    theme: Theme = "light",
    size: Size = None,
    glyphs: Glyphs = "ascii",
    engine: EngineName = "auto",
    save: SaveFolder = None,
    resume: Resume = False,
    kept: TableFolder = None,
    memory: Memory = "",
    seconds: Seconds = None,
    positions: Positions = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Print how many positions lie at each depth, the greatest depth and the hardest positions.

    Examples: puzzlespace depths eight · puzzlespace depths hexagram --from start · puzzlespace depths slide:3x4 --oeis
    · puzzlespace depths klotski --plot klotski.svg --with run --with step --share
    """
    asked = Asked.given(memory, seconds, positions, quiet)
    axes = plot.check(plot_file, plot.Axes(scale, share, theme, size))
    style = text.glyph_set(glyphs)
    owner = load(puzzle)
    chosen = cli_tables.depths_engine(engine, owner, (kept, save, resume), metric)
    with cli_tables.resumable(save):
        table = api.depths(
            owner, origin=origin, metric=metric, engine=chosen, limits=asked.limits, progress=asked.report
        )
    others = [_beside(owner, word, origin, engine, asked) for word in beside or ()]
    asked.done()
    if plot_file is not None:
        plot.write_plot([(owner, table), *others], plot_file, axes)
    if as_json:
        print_json(output.table(owner, table))
    elif oeis:
        print(", ".join(map(str, table.counts)))
    else:
        print(text.depth_table(owner, table))
        if table.complete:
            print("\n" + text.hardest(owner, table, screen_width(), style))
    if table.stopped is not None:
        cli_tables.unfinished(save)
    return stopped(table.stopped)


def _beside(owner: Puzzle, word: str, origin: str, engine: str, asked: Asked) -> tuple[Puzzle, api.DepthTable]:
    """Return the table that `--with` asks for: another metric of the same puzzle, or another puzzle."""
    other, metric = (owner, word) if word in METRICS else (load(word), "")
    options: dict[str, Any] = {"origin": origin, "metric": metric, "engine": engine, "limits": asked.limits}
    return other, api.depths(other, **options, progress=asked.report)


@app.command()
def hardest(
    puzzle: PuzzleArgument,
    number: Annotated[int, typer.Option("-n", min=1, max=100_000, help="how many to show at most")] = 20,
    origin: Annotated[str, typer.Option("--from", help="measure to the goal or from the start")] = "",
    metric: Metric = "",
    classes: Annotated[bool, typer.Option("--classes", help="one of each class that symmetries make alike")] = False,
    solution: Annotated[bool, typer.Option("--solution", help="also solve the first one")] = False,
    sheet: Annotated[
        Path | None, typer.Option("--sheet", metavar="FILE", help="draw them on one page, .svg or .png")
    ] = None,
    theme: Theme = "light",
    size: Size = None,
    glyphs: Glyphs = "ascii",
    engine: EngineName = "auto",
    kept: TableFolder = None,
    memory: Memory = "",
    seconds: Seconds = None,
    positions: Positions = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Print the hardest positions as boards. Example: puzzlespace hardest hexagram -n 7 --sheet hexagram.svg"""
    asked = Asked.given(memory, seconds, positions, quiet)
    wanted = files.sheet_wanted(sheet, theme, size)
    style = text.glyph_set(glyphs)
    owner = load(puzzle)
    chosen = cli_tables.engine_of(engine, owner, kept, metric)
    table = api.depths(
        owner, origin=origin, metric=metric, engine=chosen, keep=number, classes=classes, limits=asked.limits,
        progress=asked.report,
    )  # fmt: skip
    asked.done()
    answer = _solve_hardest(owner, table, asked.limits, chosen) if solution and table.complete else None
    if sheet is not None and table.complete:
        files.write_sheet(owner, table, sheet, wanted)
    if as_json:
        shown = output.table(owner, table)
        shown["hardest"]["positions"] = [owner.line(position) for position in table.hardest]
        if answer is not None:
            shown["solution"] = output.solution(*_hardest_model(owner, table), answer)
        print_json(shown)
    elif table.complete:
        print(text.hardest(owner, table, screen_width(), style, one_each=classes))
        if answer is not None:
            print()
            _print_solution(_hardest_model(owner, table)[0], answer, style)
    return stopped(table.stopped)


def _hardest_model(owner: Puzzle, table: api.DepthTable) -> tuple[Puzzle, Any]:
    """Return the puzzle between the first hardest position and where its depth was measured from."""
    far = table.hardest[0]
    placed = api.with_start(owner, far) if table.origin == "goal" else api.with_goal(owner, far)
    return placed, placed.model(table.metric)


def _solve_hardest(owner: Puzzle, table: api.DepthTable, limits: Limits, engine: str | Engine) -> Solution:
    able = table.origin == "goal" and not isinstance(engine, str)
    search = engine if able or any(each.name == engine and each.search for each in ENGINES) else "auto"
    return api.solve(_hardest_model(owner, table)[0], metric=table.metric, engine=search, limits=limits)


@app.command()
def distance(
    puzzle: PuzzleArgument,
    position: Annotated[str, typer.Argument(metavar="POSITION", help="such as '8 6 7 / 2 5 4 / 3 . 1'")],
    metric: Metric = "",
    engine: EngineName = "auto",
    kept: TableFolder = None,
    memory: Memory = "",
    seconds: Seconds = None,
    positions: Positions = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Print the number of moves to the goal and every best next move.

    Example: puzzlespace distance eight '1 2 3 / 4 5 6 / 7 . 8'
    """
    asked = Asked.given(memory, seconds, positions, quiet)
    owner = load(puzzle)
    chosen = cli_tables.engine_of(engine, owner, kept, metric)
    answer = api.distance(owner, position, metric=metric, engine=chosen, limits=asked.limits, progress=asked.report)
    asked.done()
    if as_json:
        print_json(output.distance(owner, answer))
    elif answer.distance is None:
        _print_solution(owner, answer.solution, "ascii")
    else:
        print(f"{owner.name}: {answer.distance} moves to the goal (count: {answer.solution.metric})")
        for name, following in answer.next:
            print(f"  {name:<20} {owner.line(following)}")
    return code_of(answer.solution)


@app.command()
def components(
    puzzle: PuzzleArgument,
    memory: Memory = "",
    seconds: Seconds = None,
    positions: Positions = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Print what the whole placement space falls into: sizes, fixed positions, the share that can be solved.

    Example: puzzlespace components flip:3x3
    """
    asked = Asked.given(memory, seconds, positions, quiet)
    owner = load(puzzle)
    found, groups = api.components(owner, limits=asked.limits, progress=asked.report)
    asked.done()
    if as_json:
        print_json(output.components(owner, found, groups))
    else:
        print(text.component_table(owner, found, groups))
    return 0


@app.command()
def symmetries(
    puzzle: PuzzleArgument,
    start: Annotated[bool, typer.Option("--start", help="those that keep the start too")] = False,
    metric: Metric = "",
    as_json: Json = False,
) -> int:
    """Print how many renamings of cells and pieces keep rules and goal, and some that make up all others.

    Example: puzzlespace symmetries star13
    """
    owner = load(puzzle)
    group = api.symmetries(owner, metric=metric, start=start)
    if as_json:
        print_json(output.symmetries(owner, group, start))
    else:
        print(text.symmetry_table(owner, group, start))
    return 0


@app.command()
def check(
    puzzle: PuzzleArgument,
    memory: Memory = "",
    seconds: Seconds = None,
    positions: Positions = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Say whether a puzzle file is right and whether its known: numbers hold. Example: puzzlespace check my.pzl"""
    asked = Asked.given(memory, seconds, positions, quiet)
    owner = load(puzzle)
    claims = api.check_known(owner, limits=asked.limits, progress=asked.report)
    asked.done()
    if as_json:
        print_json(output.claims(owner, claims))
    else:
        print(text.claims(owner, claims))
    wrong = [claim for claim in claims if claim.found is not None and not claim.holds]
    if wrong:
        return ExitCode.BAD_INPUT.number
    return ExitCode.TIME.number if any(claim.found is None for claim in claims) else 0


@app.command()
def card(
    puzzle: PuzzleArgument,
    pdf: Annotated[Path, typer.Option("--pdf", metavar="FILE", help="the file to write")],
    paper: Annotated[str, typer.Option(help="a4 or letter")] = "a4",
    link: Annotated[str, typer.Option(help="what the QR code says, instead of the puzzle itself")] = "",
    theme: Theme = "light",
    metric: Metric = "",
    memory: Memory = "",
    seconds: Seconds = None,
    positions: Positions = None,
    quiet: Quiet = False,
) -> int:
    """Print a page to play on: board, pieces to cut out, rules, numbers, and the solution on the back.

    Example: puzzlespace card klotski --pdf klotski.pdf
    """
    from .render import card as cards  # no other command makes paper

    colours = cards.check(paper, theme)
    asked = Asked.given(memory, seconds, positions, quiet)
    owner = load(puzzle)
    answer = None
    if owner.start is not None and owner.goals:
        answer = api.solve(owner, metric=metric, limits=asked.limits, progress=asked.report)
    asked.done()
    frames = owner.frames(answer.path, owner.model(answer.metric)) if answer is not None and answer.path else ()
    words = cards.answer_words(answer) if answer is not None else ""
    code = cards.coded(link, written(owner), puzzle)
    cards.write_card(cards.Card(owner, words, frames, code, paper, colours), pdf)
    return code_of(answer) if answer is not None and not answer.path else 0


def main() -> None:
    """Run the command line and exit with the code of what happened."""
    sys.exit(guarded(lambda: app(standalone_mode=False)))
