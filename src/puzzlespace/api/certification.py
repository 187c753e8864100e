"""Whether a collection is right: each puzzle's optimum, its printed numbers and solution, and duplicates."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import catalogue
from ..contract.answers import Solution, Status
from ..contract.result import Result
from ..errors import FormatError, InputError, LimitError, PuzzlespaceError, SelfCheckError, UnsupportedError, plural
from ..formats import formats
from ..formats.base import LEVELS_LIMIT, LINES_LIMIT, load, read_bytes
from ..limits.watch import Limits, Progress, Watch, phase, unwatched, watched
from ..puzzle.diagnostics import Diagnostic, listening
from ..puzzle.draft import Known
from ..puzzle.images import least_image
from ..puzzle.puzzle import Puzzle
from ..storage.files import append_line
from . import games, loader
from .arguments import checked
from .proposed import length_of
from .questions import check_known, solve, symmetries

if TYPE_CHECKING:
    from ..games.level import GameLevel

PRINTED = ".solution"
"""The ending of a file with the printed solution of the puzzle file of the same name."""

COLLECTION = ".txt"

STUCK = 1_000_000
"""Ways to get stuck are counted in levels of which so many positions are enough to find all."""

BEGINNING = '{"name": '
"""The beginning of every line of a journal."""


@dataclass(frozen=True)
class CollectedPuzzle:
    """A puzzle of a collection.

    name      as tables show it
    word      what `load` takes
    base      the folder of the collection, in which files are found too; None for words of the command line
    printed   the printed length of its solution, if the collection has it
    solution  the file with the printed solution, if there is one
    file      the name of its file in errors; '' for the name that it is loaded by
    listed    the collection, if it is a line of one, with the number of this line and its text: errors in a board that
              stands there have this place
    """

    name: str
    word: str
    base: Path | None = None
    printed: int | None = None
    solution: Path | None = None
    file: str = ""
    listed: tuple[str, int, str] | None = None


@dataclass(frozen=True, repr=False)
class Certificate(Result):
    """What was found out about one puzzle.

    status     'optimal', 'impossible', 'stopped', 'invalid' (no puzzle can be read) or 'open' (no start or no goal)
    reason     why it is impossible, stopped, invalid or open; ''
    metric     of `moves` and the numbers of solutions
    moves      the length of a shortest solution
    solutions  the number of shortest solutions; `commuting`: up to commuting moves. None if not counted
    claims     (number, metric, printed, found) for each number; `found` is None if it could not be computed
    printed    what is wrong with the printed solution; 'ok'; '' if there is none
    alike      the first puzzle of the collection that is the same up to symmetry: a symmetry of the rules maps it to
               this one, or a reflection or a turn of its drawings and other names of the pieces; or ''
    warnings   the fields of each warning about its text, as `Diagnostic.fields` has them
    stuck      of a level of a game: the number of ways to get stuck; None if not counted, or if there are too many
               positions to find all; `trap`: the inputs of the shortest one, or ''
    key        identifies the puzzle, its numbers and its printed solution
    kind       identifies its class of positions under the symmetries, or ''; `image`: the images of its drawings, or ''
    seconds    that it took
    """

    name: str
    status: str
    reason: str = ""
    metric: str = ""
    moves: int | None = None
    solutions: int | None = None
    commuting: int | None = None
    claims: tuple[tuple[str, str, int, int | None], ...] = ()
    printed: str = ""
    alike: str = ""
    warnings: tuple[dict[str, Any], ...] = ()
    stuck: int | None = None
    trap: str = ""
    key: str = ""
    kind: str = ""
    image: str = ""
    seconds: float = 0.0

    @property
    def wrong(self) -> bool:
        """Whether the puzzle cannot be read, or something printed is wrong."""
        numbers = any(found is not None and found != value for _, _, value, found in self.claims)
        return self.status == "invalid" or numbers or self.printed not in ("", "ok")

    @property
    def whole(self) -> bool:
        """Whether nothing was left open by a limit."""
        return self.status != "stopped" and all(found is not None for _, _, _, found in self.claims)


def entries(words: Sequence[str]) -> list[CollectedPuzzle]:
    """Return the puzzles of files, folders, collections, catalogue folders, names and specs.

    A folder is searched for puzzle files, also in its folders. A file of several Sokoban levels is a puzzle for each:
    `FILE#1`, `FILE#2` and so on. A collection is another file that ends in .txt: on each line what `load` takes (files
    relative to the collection), perhaps after the printed number of moves; text after ';' is ignored, and so is a last
    number after a board, as lines of the Rush Hour database have it. Raises InputError if something is not there or
    contains no puzzle.
    """
    found: list[CollectedPuzzle] = []
    for word in words:
        mine = list(_entries(word))
        if not mine:
            raise InputError(f"certify: expected puzzles, found none in {word!r}")
        found += mine
    return found


def _entries(word: str) -> Iterator[CollectedPuzzle]:
    path = Path(word)
    if word in (*catalogue.FOLDERS, "catalogue"):
        for name in catalogue.names(None if word == "catalogue" else word):
            yield CollectedPuzzle(name, name)
    elif os.path.isdir(path):  # also for words that can be no name of a file
        endings = {ending for form in formats() for ending in form.suffixes} - {COLLECTION, PRINTED}
        for file in sorted(each for each in path.rglob("*") if each.suffix in endings and each.is_file()):
            yield from _file(file)
    elif path.suffix == COLLECTION and path.exists() and not loader.count_levels(path) and not games.is_game(word):
        yield from _lines(path)
    elif os.path.isfile(path):
        yield from _file(path)
    else:
        yield CollectedPuzzle(word, word)


def _file(path: Path) -> Iterator[CollectedPuzzle]:
    levels = games.count_levels(str(path)) or loader.count_levels(path)
    if levels > 1:
        yield from (CollectedPuzzle(f"{path}#{number}", f"{path}#{number}") for number in range(1, levels + 1))
        return
    printed = path.with_suffix(PRINTED)
    yield CollectedPuzzle(str(path), str(path), solution=printed if printed.is_file() else None)


def _lines(path: Path) -> Iterator[CollectedPuzzle]:
    for number, row in enumerate(read_bytes(str(path), LINES_LIMIT).decode(errors="replace").split("\n"), 1):
        line = row.partition(";")[0].strip()
        match = re.fullmatch(r"(\d{1,9})\s+(\S.*?)(?:\s+\d{1,12})?", line)
        printed, word = (int(match[1]), match[2]) if match else (None, line)
        if word:
            name = f"{path.name}:{number}"
            yield CollectedPuzzle(name, word, path.parent, printed, listed=(str(path), number, row.rstrip()))


@checked
def certify(
    collection: Sequence[CollectedPuzzle | str],
    *,
    metric: str = "",
    count: bool = True,
    strict: bool = False,
    journal: Path | None = None,
    limits: Limits = Limits(),
    progress: Callable[[Progress], None] | None = None,
    answers: Callable[[Sequence[CollectedPuzzle]], Iterator[Certificate]] | None = None,
) -> Iterator[Certificate]:
    """Yield the certificate of each puzzle, in order; the limits apply to each puzzle.

    collection  words as `entries` takes them, or entries
    metric      of the optimum and of the printed numbers of a collection (default: the puzzle's)
    count       also count the shortest solutions
    strict      a puzzle whose text has a warning is invalid
    journal     a file to which each certificate is written at once. Puzzles that it has already are not computed again,
                unless a limit stopped them or they changed
    answers     yields the certificates of puzzles in order, in place of this process (`spread.certificates`)
    Raises InputError if a word names no puzzles or the journal is of something else, TableError if it cannot be
    written.

    >>> [(each.name, each.status, each.moves) for each in certify(["no-off-b"])]
    [('no-off-b', 'optimal', 56)]
    """
    if isinstance(collection, str | bytes) or not isinstance(collection, Iterable):
        raise InputError(f"certify: expected a list of names and files, found {collection!r:.100}")
    known = _read(journal)
    first: dict[str, str] = {}
    for each in collection:
        if not isinstance(each, CollectedPuzzle | str):
            raise UnsupportedError(f"certify: expected names of files and puzzles, found {each!r:.100}")
    listed = [one for each in collection for one in (entries([each]) if isinstance(each, str) else [each])]
    for found in (
        answers(listed)
        if answers is not None
        else (certificate(entry, metric, count, known, limits, progress, strict) for entry in listed)
    ):
        if journal is not None and found.key and known.get(found.key) != found:
            append_line(journal, json.dumps(vars(found), ensure_ascii=False))
        classes = [each for each in (found.kind, found.image) if each]
        alike = next((first[each] for each in classes if each in first), found.name)
        for each in classes:
            first.setdefault(each, alike)
        yield found if alike == found.name else replace(found, alike=alike)


def certificate(
    entry: CollectedPuzzle, metric: str, count: bool, known: dict[str, Certificate], limits: Limits,
    progress: Callable[[Progress], None] | None, strict: bool = False,
) -> Certificate:  # fmt: skip
    """Return the certificate of one puzzle: a known one if it is whole, else a new one."""
    with unwatched(), watched(limits, progress) as watch, listening(lambda _: None):
        doubts: tuple[Diagnostic, ...] = ()
        try:
            level = games.level_of(os.path.join(entry.base or "", entry.word))
            if level is not None:
                return _of_level(level, entry, metric, count, known, limits, progress, strict)
            puzzle = _loaded(entry)
            doubts = tuple(each for each in puzzle.diagnostics if each.severity == "warning")
            if strict and doubts:
                raise doubts[0].as_error()
            text = load(str(entry.solution), LEVELS_LIMIT) if entry.solution is not None else ""
            metric = metric or puzzle.metrics[0]
            model = puzzle.model(metric)
        except (PuzzlespaceError, OSError, UnicodeDecodeError) as error:
            status = "stopped" if isinstance(error, LimitError) else "invalid"
            warned = tuple(each.fields for each in doubts)
            return Certificate(entry.name, status, str(error).strip(), warnings=warned, seconds=watch.seconds)
        parts = (model.fingerprint, metric, count, puzzle.start, puzzle.goals, puzzle.known, entry.printed, text)
        key = _hash(parts)
        if key in known and known[key].whole:
            return replace(known[key], name=entry.name, warnings=tuple(each.fields for each in doubts))
        found = Certificate(entry.name, "open", "it has no start or no goal", metric, key=key)
        found = replace(found, warnings=tuple(each.fields for each in doubts))
        if image := least_image(puzzle):
            found = replace(found, image=_hash((metric, image)))
        try:
            if puzzle.start is not None and puzzle.goals:
                found = _solved(found, puzzle, count, limits, progress)
            if entry.printed is not None:
                puzzle = replace(puzzle, known=(*puzzle.known, Known("solution", entry.printed, metric=metric)))
            found = replace(found, claims=_claims(found, puzzle, limits, progress))
            if text:
                found = replace(found, printed=_printed(puzzle, metric, text, found.moves))
            found = replace(found, kind=_kind(puzzle, metric, limits))
        except LimitError as error:
            found = replace(found, status="stopped", reason=str(error))
        except PuzzlespaceError as error:
            found = replace(found, status="invalid", reason=str(error))
        return replace(found, seconds=watch.seconds)


def _of_level(
    level: GameLevel, entry: CollectedPuzzle, metric: str, count: bool, known: dict[str, Certificate], limits: Limits,
    progress: Callable[[Progress], None] | None, strict: bool,
) -> Certificate:  # fmt: skip
    """Return the certificate of a level of a game."""
    if metric:
        raise InputError(f"metric: expected none for a level of a PuzzleScript game, found {metric!r}")
    doubts = tuple(each for each in level.game.diagnostics if each.severity == "warning")
    if strict and doubts:
        raise doubts[0].as_error()
    key = _hash((level.game, level.number, count, entry.printed))
    if key in known and known[key].whole:
        return replace(known[key], name=entry.name)
    found = Certificate(entry.name, "open", "", "input", key=key, warnings=tuple(each.fields for each in doubts))
    try:
        with watched(limits, progress) as watch:
            found = _solved(found, level, count, limits, progress)
            if found.status == "impossible":
                found = replace(found, reason=games.why_unsolvable(level, watch))
            elif found.status == "optimal" and count:
                found = _with_stuck(found, level, limits, watch)
    except LimitError as error:
        found = replace(found, status="stopped", reason=str(error))
    except PuzzlespaceError as error:
        found = replace(found, status="invalid", reason=str(error))
    claims = () if entry.printed is None else (("solution", "input", entry.printed, found.moves),)
    return replace(found, claims=claims, seconds=watch.seconds)


def _with_stuck(found: Certificate, level: GameLevel, limits: Limits, watch: Watch) -> Certificate:
    """Return a certificate with the ways to get stuck, if all positions are found in what is left of the limits."""
    from ..games.survey import survey  # most puzzles are no games

    left = None if limits.seconds is None else max(0.0, limits.seconds - watch.seconds)
    whole = survey(level, Watch(replace(limits, seconds=left, positions=min(limits.positions or STUCK, STUCK))))
    if whole.stopped is not None:
        return found
    if not whole.wins:
        raise SelfCheckError(f"{found.name}: a solution was found, but no position is won; please report this")
    return replace(found, stuck=len(whole.traps), trap=whole.traps[0].letters if whole.traps else "")


def _loaded(entry: CollectedPuzzle) -> Puzzle:
    """Return the puzzle of an entry. Errors name the files and lines of the collection."""
    file, number = loader.file_of(os.path.join(entry.base or "", entry.word))
    try:
        if entry.base is not None and os.path.isfile(file):
            return loader.from_file(Path(file), number)
        return loader.load(entry.word)
    except FormatError as error:
        if entry.listed is not None and error.file == loader.TYPED:
            name, line, row = entry.listed
            column = row.index(entry.word) + max(error.column, 1)
            raise FormatError(error.problem, line=line, column=column, file=name, row=row, hint=error.hint) from None
        if entry.file and error.file == file:
            error.file = entry.file
        raise


def _solved(
    found: Certificate, puzzle: Puzzle | GameLevel, count: bool, limits: Limits,
    progress: Callable[[Progress], None] | None,
) -> Certificate:  # fmt: skip
    """Return a certificate with the optimum, or why there is none."""
    metric = found.metric if isinstance(puzzle, Puzzle) else ""
    answer: Solution = solve(puzzle, metric=metric, count=count, limits=limits, progress=progress)
    if answer.stopped is not None and answer.moves is None:
        proved = f"; at least {answer.bound} moves are needed" if answer.bound else ""
        return replace(found, status="stopped", reason=f"{answer.stopped}{proved}")
    if answer.status is Status.IMPOSSIBLE:
        return replace(found, status="impossible", reason=answer.reason.text if answer.reason else "")
    return replace(
        found, status="optimal", reason="", moves=answer.moves, solutions=answer.solutions,
        commuting=answer.solutions_commuting,
    )  # fmt: skip


def _claims(
    found: Certificate, puzzle: Puzzle, limits: Limits, progress: Callable[[Progress], None] | None
) -> tuple[tuple[str, str, int, int | None], ...]:
    """Return every printed number beside the computed one; an optimum that is known is not computed again."""
    at_once = {"solution": found.moves, "solutions": found.solutions}
    claims: list[tuple[str, str, int, int | None]] = []
    for each in puzzle.known:
        metric = each.metric or puzzle.metrics[0]
        what = each.what + (" from start" if each.from_start else "")
        value = at_once.get(each.what) if metric == found.metric and not each.from_start else None
        if value is None and found.status != "stopped":
            (claim,) = check_known(replace(puzzle, known=(each,)), limits=limits, progress=progress)
            value = claim.found
        claims.append((what, metric, each.value, value))
    return tuple(claims)


def _printed(puzzle: Puzzle, metric: str, text: str, moves: int | None) -> str:
    """Return what is wrong with a printed solution, or 'ok'."""
    try:
        with phase("the printed solution was replayed"):
            length = length_of(puzzle, metric, text)
    except FormatError as error:
        return error.problem
    return "ok" if moves in (None, length) else f"it has {plural(length, 'move')}, {moves} suffice"


def _kind(puzzle: Puzzle, metric: str, limits: Limits) -> str:
    """Return a word that two puzzles share if a symmetry maps one to the other; '' if that is not known."""
    model = puzzle.model(metric)
    if model.start is None or not model.goals:
        return ""
    group = symmetries(puzzle, metric=metric, limits=limits)
    try:
        least = group.canonical(model.start)
    except LimitError:
        least = model.start
    goals = sorted(map(repr, model.goals))
    return _hash((model.fingerprint, metric, goals, least))


def _hash(parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()[:32]


def _read(journal: Path | None) -> dict[str, Certificate]:
    """Return the certificates of a journal by their keys; a last line that is cut off is ignored."""
    if journal is None or not journal.exists():
        return {}
    found: dict[str, Certificate] = {}
    try:
        rows = journal.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise InputError(f"{journal}: expected a file that certify wrote ({error.strerror})") from None
    for number, row in enumerate(rows, 1):
        try:
            fields = json.loads(row)
            claims = tuple((what, metric, value, got) for what, metric, value, got in fields.pop("claims"))
            warned = tuple(fields.pop("warnings", ()))
            each = Certificate(claims=claims, warnings=warned, **fields)
        except (ValueError, TypeError, KeyError, AttributeError):
            if number == len(rows) and row.startswith(BEGINNING[: len(row)]):
                break  # it was cut off
            raise InputError(f"{journal}:{number}: expected a line that certify wrote, found another") from None
        if each.key:
            found[each.key] = each
    return found
