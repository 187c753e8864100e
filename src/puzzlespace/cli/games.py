"""What the commands print for a level of a PuzzleScript game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from csv import writer as csv_writer
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from ..api import questions, saved
from ..api.game_levels import GeneratedLevels
from ..api.games import reason_of, why_unsolvable
from ..contract.answers import Solution, Status
from ..contract.questions import Engine
from ..errors import LimitError, UnsupportedError
from ..games.level import GameLevel
from ..games.moves import GamePosition
from ..games.survey import Survey, known, survey
from ..limits.stopping import Overdue, limit_of
from ..limits.watch import Watch
from ..render import json_output
from ..render.extras import save
from ..render.files import DrawnFile, WantedPicture
from ..render.generated import COLUMNS
from ..render.theme import Theme
from ..render.words import plural
from . import tables
from .exit_codes import ExitCode
from .options import CommonOptions
from .terminal import code_of, print_json, stopped

SHOWN = 5
"""The most boards of one kind that are printed."""

LISTED = 1000
"""The most ways to get stuck in JSON."""


def refuse(**given: object) -> None:
    """Raise UnsupportedError for the first option that is given although levels of games have no use for it."""
    for name, value in given.items():
        if value:
            raise UnsupportedError(f"--{name.replace('_', '-')}: a level of a PuzzleScript game does not have it")


def placed(level: GameLevel, start: str) -> GameLevel:
    """Return the level from the position after some inputs."""
    return replace(level, start=level.typed(start)) if start else level


def solve(
    level: GameLevel, start: str, count: bool, every: bool, engine: str | Engine, asked: CommonOptions, as_json: bool,
    wanted: WantedPicture,
) -> int:  # fmt: skip
    """Print a shortest solution of a level, and draw it."""
    level = placed(level, start)
    answer = questions.solve(level, engine=engine, count=count or every, limits=asked.limits, progress=asked.report)
    why = None
    if answer.status is Status.IMPOSSIBLE:  # a table may have more positions than fit the memory
        why = why_unsolvable(level, Watch(asked.limits)) if isinstance(engine, str) else "no saved position is won"
    others = _Every(level, engine, asked) if every and answer.path else None
    letters = [level.letters(each) for each in others or () if as_json]
    asked.done()
    if as_json:
        print_json(_solved(level, answer, why) | ({"all": letters} if every else {}))
    else:
        print(level.title)
        print(_words(level, answer, why))
        if answer.path:
            _print_boards(level, (answer.path[0], answer.path[-1]))
        for path in others or ():
            print(level.letters(path))
    if wanted and answer.path:
        from ..render import game_pictures  # most commands draw nothing

        with asked.drawing():
            title = f"{level.title}: {plural(answer.moves or 0, 'input')}"
            game_pictures.write_solution(level, answer.path, title, wanted)
    return code_of(answer) or stopped(others and others.stopped)


class _Every:
    """The paths of all shortest solutions; `stopped` is the limit that ended them too early."""

    def __init__(self, level: GameLevel, engine: str | Engine, asked: CommonOptions) -> None:
        self.level, self.engine, self.asked = level, engine, asked
        self.stopped: LimitError | None = None

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        try:
            for each in questions.solutions(self.level, engine=self.engine, limits=self.asked.limits):
                yield each.path
        except (LimitError, Overdue) as late:
            self.stopped = limit_of(late)


def _words(level: GameLevel, answer: Solution, why: str | None) -> str:
    if why is not None:
        return f"cannot be solved: {why}"
    if answer.moves is None:
        return f"at least {plural(answer.bound or 0, 'input')}; {answer.stopped}"
    many = "" if answer.solutions is None else f"; {plural(answer.solutions, 'shortest solution')}"
    if not answer.moves:
        return "won before the first input"
    return f"{plural(answer.moves, 'input')}, no shorter solution exists{many}:\n{level.letters(answer.path)}"


def _solved(level: GameLevel, answer: Solution, why: str | None) -> dict[str, Any]:
    letters = level.letters(answer.path)
    return _head(level) | {
        "metric": "input", "status": answer.status.value, "moves": answer.moves, "bound": answer.bound,
        "solutions": answer.solutions, "letters": letters, "inputs": ["ULDRA".index(each) for each in letters],
        "path": [level.rows(place) for place in answer.path],
        "reason": why,
        "stopped": json_output.stopped(answer.stopped), "engine": answer.engine, "positions": answer.generated,
        "seconds": round(answer.seconds, 6),
    }  # fmt: skip


def _head(level: GameLevel) -> dict[str, Any]:
    return {
        "schema": json_output.SCHEMA, "puzzle": level.name, "title": level.game.title, "level": level.number,
        "line": level.board.line,
    }  # fmt: skip


def _print_boards(level: GameLevel, places: Sequence[GamePosition]) -> None:
    for place in dict.fromkeys(places):
        print()
        print("\n".join(level.rows(place)))


def depths(
    level: GameLevel, asked: CommonOptions, as_json: bool, hardest: int = 0, drawn: DrawnFile | None = None
) -> int:
    """Print how many positions are at each number of inputs from the start, the wins, and where a player gets stuck.

    hardest  how many of the positions farthest from the start are printed in place of the counts
    drawn    the file in which these are drawn, or else the map of all positions
    """
    found = survey(level, Watch(asked.limits, asked.report))
    asked.done()
    if as_json:
        print_json(_measured(level, found, hardest or 20))
    elif hardest and found.stopped is None:
        print(level.title)
        print(_farthest(found))
        _print_boards(level, found.deepest[:hardest])
    else:
        _print_counts(level, found)
    if drawn is not None and found.stopped is None:
        from ..render import game_pictures  # most commands draw nothing

        with asked.drawing():
            title = f"{level.title}: {_farthest(found)}"
            drawn.save(
                game_pictures.numbered_svg(level, found.deepest[:hardest], title, drawn.style)
                if hardest else game_pictures.map_svg(level, found, drawn.style)
            )  # fmt: skip
    return stopped(found.stopped)


def saved_depths(level: GameLevel, folder: Path, resume: bool, asked: CommonOptions, as_json: bool) -> int:
    """Print how many positions are at each number of inputs from the start; save them, or go on after those saved."""
    with tables.resumable(folder):
        engine = saved.saving(level, folder, resume=resume)
        table = questions.depths(level, engine=engine, limits=asked.limits, progress=asked.report)
    asked.done()
    deepest: Any = table.hardest
    found = Survey(table.counts, deepest=deepest, seconds=table.seconds, stopped=table.stopped)
    if as_json:
        print_json(_measured(level, found, len(deepest)))
    else:
        _print_counts(level, found)
    if table.stopped is not None:
        tables.unfinished(folder)
    return stopped(table.stopped)


def _farthest(found: Survey) -> str:
    return f"{plural(found.counts[-1], 'position')} at {plural(len(found.counts) - 1, 'input')} from the start"


def _print_counts(level: GameLevel, found: Survey) -> None:
    print(level.title)
    print("\n".join(f"{depth:>4} {count:>12,}" for depth, count in enumerate(found.counts)))
    if found.stopped is None:
        _print_stuck(level, found)


def _print_stuck(level: GameLevel, found: Survey) -> None:
    total = sum(found.counts)
    if found.places is None:
        print(f"{plural(total, 'position')}; which are won or dead is told without --save")
        return
    print(f"{plural(total, 'position')}, {found.wins:,} won, {found.dead:,} dead: no win can be reached from these")
    if not found.wins:
        print(f"cannot be solved: {reason_of(level, found)}")
        return
    if found.traps:
        print(f"{plural(len(found.traps), 'way')} to get stuck; the nearest:")
    for way in found.traps[:SHOWN]:
        print(f"\nafter {way.letters}")
        print("\n".join(level.rows(way.position)))


def _measured(level: GameLevel, found: Survey, most: int) -> dict[str, Any]:
    whole, moves = found.stopped is None, found.places is not None
    shown = [level.rows(each) for each in found.deepest[:most]]
    return _head(level) | {
        "metric": "input", "origin": "start", "states": sum(found.counts), "depth": len(found.counts) - 1,
        "counts": list(found.counts), "complete": whole, "wins": found.wins if moves else None,
        "dead": found.dead if moves else None, "stuck": len(found.traps) if moves else None,
        "traps": [way.letters for way in found.traps[:LISTED]],
        "hardest": {"count": found.counts[-1] if whole else 0, "positions": shown},
        "failing": list(found.failing), "stopped": json_output.stopped(found.stopped),
        "seconds": round(found.seconds, 6),
    }  # fmt: skip


def generate(
    made: GeneratedLevels, solutions: bool, csv: Path | None, drawn: DrawnFile | None, asked: CommonOptions,
    as_json: bool,
) -> int:  # fmt: skip
    """Print levels made to order, and write them as CSV and on a page."""
    asked.done()
    lines = _table(made)
    if as_json:
        print_json(_ordered(made, solutions))
    elif str(csv) == "-":
        print(lines, end="")
    elif made.levels or made.stopped is None:
        print(_order(made))
        for level, depth, letters in zip(made.levels, made.depths, made.letters, strict=True):
            print(f"\n{plural(depth, 'input')}{f': {letters}' if solutions else ''}")
            print("\n".join(level.rows(_start(level))))
    with asked.drawing():
        if csv is not None and str(csv) != "-":
            save(csv, lines, "--csv")
        if drawn is not None and made.levels:
            from ..render import game_pictures  # most commands draw nothing

            labels = [f"{number}  {plural(depth, 'input')}" for number, depth in enumerate(made.depths, 1)]
            places = [_start(each) for each in made.levels]
            drawn.save(game_pictures.sheet_svg(made.level, places, labels, _order(made), drawn.style))
    return stopped(made.stopped) or (ExitCode.ANSWERED if made.levels else ExitCode.IMPOSSIBLE).number


def _start(level: GameLevel) -> GamePosition:
    start: Any = level.start
    return start


def _order(made: GeneratedLevels) -> str:
    """Return what was made, and from what."""
    first, last = made.asked
    between = f"{first}" if first == last else f"{first} to {last}"
    short = f" ({made.short})" if made.short else ""
    if made.method == "climb":
        what = f"{plural(len(made.levels), 'variation')} of {made.drawn:,} with {between} inputs, longest first"
        return f"{made.level.title}: {what}{short}; seed {made.seed}"
    where = "from the start" if made.origin == "start" else "to a win"
    among = f"drawn uniformly from {sum(made.counts[first : last + 1]):,}{short}; seed {made.seed}"
    return f"{made.level.title}: {plural(len(made.levels), 'position')} at {between} inputs {where}, {among}"


def _table(made: GeneratedLevels) -> str:
    out = StringIO()
    writer = csv_writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for level, depth, letters in zip(made.levels, made.depths, made.letters, strict=True):
        writer.writerow(["/".join(level.rows(_start(level))), depth, letters])
    return out.getvalue()


def _ordered(made: GeneratedLevels, solutions: bool) -> dict[str, Any]:
    return _head(made.level) | {
        "metric": "input", "origin": made.origin, "method": made.method, "uniform": made.method == "layer",
        "seed": made.seed,
        "positions": [
            {"position": level.rows(_start(level)), "depth": depth, "solution": letters if solutions else None}
            for level, depth, letters in zip(made.levels, made.depths, made.letters, strict=True)
        ],
        "counts": list(made.counts), "total": None, "fitting": None, "drawn": made.drawn, "short": made.short,
        "stopped": json_output.stopped(made.stopped), "engine": "encoded", "seconds": round(made.seconds, 6),
    }  # fmt: skip


def card(level: GameLevel, pdf: Path, code: str, paper: str, theme: Theme, asked: CommonOptions) -> int:
    """Write a level as PDF with what is proved of it; a limit that stops this is on the card."""
    from ..render import game_card  # with the means of paper

    found = survey(level, Watch(asked.limits, asked.report))
    answer = questions.solve(known(level, found), limits=asked.limits, progress=asked.report)
    why = reason_of(level, found) if answer.status is Status.IMPOSSIBLE else ""
    with asked.drawing():
        save(pdf, game_card.pdf(game_card.GameCard(level, answer, why, found, code, paper, theme)), "--pdf")
    return code_of(answer) or stopped(found.stopped)


def show(level: GameLevel, as_json: bool, wanted: WantedPicture) -> int:
    """Print a level: its board, its win conditions, its inputs; and draw it."""
    start: Any = level.start
    if wanted:
        from ..render import game_pictures  # most commands draw nothing

        game_pictures.write_position(level, start, wanted)
    conditions = [each.words for each in level.game.conditions]
    if as_json:
        print_json(_head(level) | {"rows": level.rows(start), "goal": conditions})
        return ExitCode.ANSWERED.number
    author = level.game.prelude.get("author", "")
    print(f"{level.title}{f', by {author}' if author else ''} (line {level.board.line})")
    _print_boards(level, (start,))
    print(f"\ngoal: {' and '.join(conditions) or 'a rule gives the command win'}")
    inputs = "up, left, down, right" + ("" if "noaction" in level.game.prelude else ", action")
    print(f"one move is one input: {inputs}; inputs that change nothing are no moves")
    return ExitCode.ANSWERED.number
