"""The commands `generate` and `random`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from ..api import game_levels, generation, levels, random_draws
from ..api.games import level_of
from ..api.orders import MOST_COUNT
from ..errors import InputError, UnsupportedError
from ..puzzle.answers import Generated
from ..puzzle.puzzle import Puzzle
from ..render import files, generated, json_output, text
from ..render.extras import check_file, save
from ..render.theme import Theme as Colours
from . import gate, tables
from .exit_codes import ExitCode
from .options import (
    Avoid,
    CommonOptions,
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
    Theme,
    limited,
    loaded,
)
from .parser import Option, command_line
from .tables import TableFolder
from .terminal import print_json, screen_width, stopped

Seed = Annotated[int | None, Option(help="the same seed gives the same positions; default: a random one")]
CsvFile = Annotated[Path | None, Option("--csv", metavar="FILE", help="a line for each position; '-': stdout")]


DIGITS = 9
"""The most digits of a depth."""


@dataclass(frozen=True)
class _Output:
    """Where the positions are written."""

    csv: Path | None
    level_file: Path | None
    sheet: Path | None
    pdf: Path | None
    paper: str
    colours: Colours | None
    page: files.WantedPicture
    glyphs: str
    as_json: bool
    command: str

    @classmethod
    def wanted(
        cls, outputs: tuple[Path | None, Path | None, Path | None], paper: str, theme: str, size: int | None,
        glyphs: str, as_json: bool, level_file: Path | None = None,
    ) -> _Output:  # fmt: skip
        """Return the output, after its options are checked.

        outputs  the options --csv, --sheet and --pdf
        """
        csv, sheet, pdf = outputs
        for file, option in ((csv, "--csv"), (level_file, "--levels")):
            beside = "--json" if as_json else "--glyphs" if glyphs != "ascii" else ""
            if _screen(file) and beside:
                raise InputError(f"{option}: expected a file beside {beside}, found '-'")
        if _screen(csv) and _screen(level_file):
            raise InputError("--levels: expected a file beside --csv -, found '-'")
        colours = None
        check_file(csv, "--csv")
        check_file(level_file, "--levels")
        check_file(pdf, "--pdf")
        if pdf is not None:
            from ..render import card  # only a PDF needs it

            colours = card.check(paper, theme)
        return cls(
            csv, level_file, sheet, pdf, paper, colours, files.sheet_wanted(sheet, theme, size), text.glyph_set(glyphs),
            as_json, command_line(),
        )  # fmt: skip

    @property
    def lines(self) -> bool:
        """Whether the positions are printed as lines: CSV or levels."""
        return _screen(self.csv) or _screen(self.level_file)

    def page_of(self, owner: Puzzle, answer: Generated) -> str:
        """Return the positions as they are printed, without a line break at the end."""
        if self.lines:
            return self._levels_or_csv(owner, answer, _screen(self.level_file)).removesuffix("\n")
        return generated.text(owner, answer, screen_width(), self.glyphs)

    def _levels_or_csv(self, owner: Puzzle, answer: Generated, wanted: bool) -> str:
        """Return the positions as JSON Lines of levels if these are wanted, else as CSV."""
        if wanted:
            return levels.level_lines(owner, answer, self.command)
        return generated.csv_text(owner, answer)

    def write(self, owner: Puzzle, answer: Generated, asked: CommonOptions) -> int:
        """Print the positions, then write the files; return the exit code."""
        asked.done()
        if self.as_json:
            print_json(json_output.generated(owner, answer))
        elif answer.positions or answer.stopped is None or self.lines:
            if answer.positions or not _screen(self.level_file):
                print(self.page_of(owner, answer))
            if self.lines:
                print(f"puzzlespace: {generated.head(owner, answer)}", file=sys.stderr)
        elif answer.counts:
            print(generated.counted(owner, answer))
        with asked.drawing():
            for file, option in ((self.csv, "--csv"), (self.level_file, "--levels")):
                if file is not None and not _screen(file):
                    save(file, self._levels_or_csv(owner, answer, option == "--levels"), option)
            if answer.positions and self.sheet is not None:
                generated.write_sheet(owner, answer, self.sheet, self.page)
            if answer.positions and self.pdf is not None and self.colours is not None:
                generated.write_pdf(owner, answer, self.pdf, self.paper, self.colours)
        return stopped(answer.stopped) or _code(answer)


def _tell_if_stopped(owner: Puzzle, output: _Output, asked: CommonOptions) -> None:
    """Let a command that is stopped before it prints its answer print the positions that it has."""

    def answer() -> Generated | None:
        found = asked.watch.known.answer
        return None if found is None else found()

    def fields() -> dict[str, Any]:
        found = answer()
        if found is None:
            return {}
        counts = found.counts or asked.watch.known.layers
        layers = {"states": sum(counts), "depth": len(counts) - 1} if counts else {}
        return json_output.generated(owner, found) | {"counts": list(counts), "short": ""} | layers

    def words() -> str:
        found = answer()
        if found is None or not (found.positions or output.lines):
            return ",".join(generated.COLUMNS) if _screen(output.csv) else ""
        return output.page_of(owner, replace(found, short=""))

    asked.partial.so_far, asked.partial.said = fields, words


def _screen(file: Path | None) -> bool:
    """Return whether a file is the standard output."""
    return file is not None and str(file) == "-"


def _code(answer: Generated) -> int:
    """Return the exit code of an answer that no limit stopped."""
    if answer.short and answer.method == "walk":
        return ExitCode.UNSUPPORTED.number
    return ExitCode.ANSWERED.number if answer.positions else ExitCode.IMPOSSIBLE.number


Vary = Annotated[
    str, Option(metavar="LETTERS", help="variations of a level of a game: the objects of these letters elsewhere")
]
Tries = Annotated[int, Option(min=1, max=MOST_COUNT, help="how many variations are searched", needs=("--vary",))]
OneSolution = Annotated[
    bool, Option("--one-solution", help="only those with one shortest solution up to commuting moves")
]
Method = Annotated[
    str, Option(help="layer: draw uniformly from the whole layer; walk: random walks and proofs; or auto")
]
PdfFile = Annotated[Path | None, Option("--pdf", metavar="FILE", help="cards to print, with the solutions at the end")]
LevelFile = Annotated[
    Path | None,
    Option("--levels", metavar="FILE", help="levels as JSON Lines, with shortest solutions; '-': stdout"),
]


@limited
def generate(
    puzzle: PuzzleArgument,
    depth: Annotated[str, Option(metavar="DEPTH", help="the number of moves, or two such as 25-30")],
    count: Annotated[int, Option("--count", "-n", min=1, max=MOST_COUNT, help="how many positions")] = 10,
    seed: Seed = None,
    one_solution: OneSolution = False,
    distinct: Annotated[bool, Option("--distinct", help="no two alike up to symmetry")] = False,
    pattern: Annotated[str, Option(help="only those that look like this: '. * * / * * * / * * 1'")] = "",
    vary: Vary = "",
    tries: Tries = game_levels.TRIES,
    solutions: Annotated[bool, Option("--solutions", help="also solve them")] = False,
    method: Method = "auto",
    origin: Origin = "",
    moves: Moves = None,
    avoid: Avoid = None,
    metric: Metric = "",
    csv: CsvFile = None,
    sheet: SheetFile = None,
    pdf: PdfFile = None,
    paper: Annotated[str, Option(help="of the PDF: a4 or letter", needs=("--pdf",))] = "a4",
    level_file: LevelFile = None,
    theme: Theme = "light",
    size: Size = None,
    glyphs: Glyphs = "ascii",
    engine: EngineName = "auto",
    kept: TableFolder = None,
    force: Force = False,
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print positions that need exactly so many moves, drawn at random.

    Examples: puzzlespace generate eight --depth 24 --count 6 --seed 7 · puzzlespace generate slide:4x4 --depth 50 ·
    puzzlespace generate klotski --depth 40-60 --one-solution --distinct --pdf klotski.pdf ·
    puzzlespace generate eight --depth 20 --levels levels.jsonl ·
    puzzlespace generate game.txt#3 --depth 20-99 --vary PS
    """
    output = _Output.wanted((csv, sheet, pdf), paper, theme, size, glyphs, as_json, level_file)
    depths = _depths(depth)
    level = level_of(puzzle)
    if level is not None:
        from . import games  # most puzzles are no games

        games.refuse(
            one_solution=one_solution, distinct=distinct, pattern=pattern, method=method != "auto", moves=moves,
            avoid=avoid, metric=metric, pdf=pdf, levels=level_file, glyphs=glyphs != "ascii", engine=engine != "auto",
            table=kept,
        )  # fmt: skip
        made = game_levels.generate_levels(
            level, depths, count, seed=seed, origin=origin, vary=vary, tries=tries, limits=asked.limits,
            progress=asked.report,
        )  # fmt: skip
        drawn = files.DrawnFile.wanted(sheet, "--sheet", theme, size)
        return games.generate(made, solutions, csv, drawn, asked, as_json)
    if vary:
        raise UnsupportedError("--vary: only levels of PuzzleScript games have variations; for others: design")
    if method == "walk" and (engine != "auto" or kept is not None):
        option = "--engine" if kept is None else "--table"
        raise InputError(f"{option}: expected the method layer or auto beside it: walk counts no layers")
    owner = loaded(puzzle, moves, avoid)
    _tell_if_stopped(owner, output, asked)
    if level_file is not None and (origin == "start" or not owner.model(metric).goals):
        raise InputError("--levels: expected depths to the goal, found depths from the start")
    chosen = tables.engine_of(engine, owner, kept, metric)
    if method == "layer" and isinstance(chosen, str):
        gate.admit(asked, owner, metric, origin, chosen, force=force, last=depths[1])
    answer = generation.generate(
        owner, depths, count, seed=seed, origin=origin, metric=metric, one_solution=one_solution, distinct=distinct,
        pattern=pattern, solutions=solutions or pdf is not None or level_file is not None, method=method,
        engine=chosen, limits=asked.limits, progress=asked.report,
    )  # fmt: skip
    return output.write(owner, answer, asked)


def _depths(text: str) -> tuple[int, int]:
    """Return the depths of '30' or '25-30'. Raises InputError."""
    first, dash, last = text.partition("-")
    long = max(len(first), len(last)) > DIGITS
    if not long and first.isascii() and first.isdecimal() and (not dash or (last.isascii() and last.isdecimal())):
        found = int(first), int(last or first)
        if found[0] <= found[1]:
            return found
    most = f", of at most {DIGITS} digits" if long else ""
    raise InputError(f"--depth: expected a number such as 30 or two such as 25-30{most}, found {text[:60]!r}")


@limited
def random(
    puzzle: PuzzleArgument,
    count: Annotated[int, Option("--count", "-n", min=1, max=MOST_COUNT, help="how many positions")] = 1,
    seed: Seed = None,
    moves: Moves = None,
    avoid: Avoid = None,
    csv: CsvFile = None,
    sheet: SheetFile = None,
    theme: Theme = "light",
    size: Size = None,
    glyphs: Glyphs = "ascii",
    engine: EngineName = "auto",
    force: Force = False,
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print positions drawn uniformly from all that can be reached. Example: puzzlespace random slide:4x4 --seed 7"""
    output = _Output.wanted((csv, sheet, None), "a4", theme, size, glyphs, as_json)
    owner = loaded(puzzle, moves, avoid)
    _tell_if_stopped(owner, output, asked)
    if engine != "auto":  # which draws without a count if there are too many positions
        gate.admit(asked, owner, origin="goal" if owner.start is None else "start", engine=engine, force=force)
    answer = random_draws.random_positions(
        owner, count, seed=seed, engine=engine, limits=asked.limits, progress=asked.report
    )
    return output.write(owner, answer, asked)
