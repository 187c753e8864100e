"""The command line: `puzzlespace COMMAND PUZZLE …`. Answers go to stdout, progress and errors to stderr."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..api import components as spaces
from ..api import questions
from ..api.loader import load, written
from ..contract.version import __version__
from ..limits.watch import process_begins
from ..render import files, json_output, text
from . import (
    cache,
    catalogue,
    certify,
    check,
    compare,
    depths,
    design,
    export,
    generate,
    pegs,
    plan,
    serve,
    solve,
    tables,
)
from .exit_codes import ExitCode
from .guard import CommandGuard, end, leave
from .options import CommonOptions, Glyphs, Json, Metric, PngFile, PuzzleArgument, Size, SvgFile, Theme, limited
from .terminal import code_of, guarded, print_json

STOPPED = {20, 21, 22, 130}
"""Exit codes after which threads may still be at work: the process does not wait for them."""

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


app.add_typer(tables.app)
app.add_typer(export.app)
app.command()(compare.compare)
app.command()(serve.serve)
app.command()(cache.cache)


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


app.command("list")(catalogue.list_)
app.command()(catalogue.convert)


@app.command()
@limited
def show(
    puzzle: PuzzleArgument,
    as_json: Json = False,
    glyphs: Glyphs = "ascii",
    svg_file: SvgFile = None,
    png_file: PngFile = None,
    theme: Theme = "light",
    size: Size = None,
    *,
    asked: CommonOptions,
) -> int:
    """Print the board, the rules in words, start and goal. Example: puzzlespace show hexagram --svg hexagram.svg"""
    shown = load(puzzle)
    wanted = files.WantedPicture(svg=svg_file, png=png_file, theme=theme, size=size)
    if wanted:
        files.write_position(shown, wanted)
    if as_json:
        print_json(json_output.puzzle(shown))
    else:
        print(text.description(shown, text.glyph_set(glyphs)))
    return 0


for command in (
    solve.solve, depths.depths, depths.hardest, plan.plan, generate.generate, generate.random, solve.distance,
    pegs.pegs,
):  # fmt: skip
    app.command()(command)


@app.command()
@limited
def components(
    puzzle: PuzzleArgument,
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print the components of the whole placement space: sizes, fixed positions, the share that can be solved.

    Example: puzzlespace components flip:3x3
    """
    owner = load(puzzle)
    found, groups = spaces.components(owner, limits=asked.limits, progress=asked.report)
    asked.done()
    if as_json:
        print_json(json_output.components(owner, found, groups))
    else:
        print(text.component_table(owner, found, groups))
    return 0


@app.command()
@limited
def symmetries(
    puzzle: PuzzleArgument,
    start: Annotated[bool, typer.Option("--start", help="those that keep the start too")] = False,
    metric: Metric = "",
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print how many renamings of cells and pieces keep rules and goal, and some that generate all others.

    Example: puzzlespace symmetries star13
    """
    owner = load(puzzle)
    group = questions.symmetries(owner, metric=metric, start=start, limits=asked.limits)
    if as_json:
        print_json(json_output.symmetries(owner, group, start))
    else:
        print(text.symmetry_table(owner, group, start))
    return 0


app.command()(check.check)
app.command()(certify.certify)
app.command()(design.design)


@app.command()
@limited
def card(
    puzzle: PuzzleArgument,
    pdf: Annotated[Path, typer.Option("--pdf", metavar="FILE", help="the file to write")],
    paper: Annotated[str, typer.Option(help="a4 or letter")] = "a4",
    link: Annotated[str, typer.Option(help="the text of the QR code, instead of the puzzle itself")] = "",
    theme: Theme = "light",
    metric: Metric = "",
    *,
    asked: CommonOptions,
) -> int:
    """Print a page to play on: board, pieces to cut out, rules, numbers, and the solution on the back.

    Example: puzzlespace card klotski --pdf klotski.pdf
    """
    from ..render import card as cards  # only this command needs it

    colours = cards.check(paper, theme)
    owner = load(puzzle)
    answer = None
    if owner.start is not None and owner.goals:
        answer = questions.solve(owner, metric=metric, limits=asked.limits, progress=asked.report)
    asked.done()
    frames = owner.frames(answer.path, owner.model(answer.metric)) if answer is not None and answer.path else ()
    words = cards.answer_words(answer) if answer is not None else ""
    code = cards.coded(link, written(owner), puzzle)
    cards.write_card(cards.Card(owner, words, frames, code, paper, colours), pdf)
    return code_of(answer) if answer is not None and not answer.path else 0


def main() -> None:
    """Run the command line as the program of this process; exit with one of the codes of `ExitCode`."""
    process_begins()
    guard = CommandGuard()
    try:
        guard.start()
        code = guarded(lambda: app(standalone_mode=False))
        if code in STOPPED:
            leave(code)
        guard.over()
    except KeyboardInterrupt:  # while an error was printed, or between two of the lines above
        end("interrupted", ExitCode.INTERRUPTED.number)
    sys.exit(code)
