"""The command `site`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from .. import catalogue
from ..api.games import text_of
from ..api.loader import load
from ..errors import InputError, UnsupportedError
from ..limits.stopping import interrupted, interruption
from ..limits.watch import Limits, unwatched
from ..puzzle.diagnostics import listening
from ..puzzle.puzzle import Puzzle
from ..registry import FAMILIES, from_spec
from ..render.words import plural
from .options import Quiet
from .parser import Argument, Option

if TYPE_CHECKING:
    from ..web.site import Site

USUAL = Path("node_modules/pyodide")
"""Where `npm install pyodide` puts Python for browsers."""

NPM = "npm install pyodide, then write the site again"

PYTHON = f"with Python in the browser it answers more: {NPM}"

SIZES = 2.0
"""Seconds for the searches of one size of a family, of which there are many."""


def site(
    folder: Annotated[Path, Argument(metavar="OUT", help="the folder to write: new, empty, or a site to write again")],
    files: Annotated[
        list[str] | None,
        Argument(metavar="[PUZZLES...]", help="your puzzles: files, names, specs (default: the whole catalogue)"),
    ] = None,
    title: Annotated[str, Option(help="the title of the site")] = "Puzzlespace",
    address: Annotated[str, Option(metavar="URL", help="where it will be, for previews of links and for search")] = "",
    seconds: Annotated[float, Option(min=1, help="most seconds for the searches of one puzzle")] = 20.0,
    positions: Annotated[int, Option(min=1, max=1_000_000, help="most positions whose distances are kept")] = 200_000,
    python: Annotated[
        Path | None,
        Option(metavar="DIR", help="the npm package pyodide: Python in the browser (default: node_modules/pyodide)"),
    ] = None,
    notebook: Annotated[
        list[Path] | None,
        Option(metavar="FILE", help="a notebook that Python in the browser runs; may be repeated"),
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Write the page as files for any file server: it plays, counts and proves without a server of ours.

    Example: puzzlespace site out mine.pzl --title "My puzzles"
    """
    from ..web import notebooks
    from ..web import site as sites
    from ..web.inside import interpreter

    if address and not address.startswith(("https://", "http://")):
        raise InputError(f"--address: expected an address such as https://example.org/puzzles/, found {address!r}")
    sites.check_folder(folder)
    made = sites.Site(title, address.rstrip("/") + "/" if address else "", Limits(seconds), positions)
    if python is not None or USUAL.is_dir():
        made.python = interpreter(python or USUAL)
        made.notebooks = [*map(notebooks.from_file, notebook or []), *([] if files else notebooks.shipped())]
    elif notebook:
        raise InputError(f"--notebook: a notebook runs on Python in the browser: {NPM}")
    missing = sites.previews_missing()
    with unwatched():
        _add_puzzles(made, files or sites.catalogue_names(), not missing, quiet)
        if not files:
            _add_families(made, quiet)
    contents = made.finish()
    sites.write(folder, contents)
    if not made.python:
        print(f"puzzlespace: note: the site answers only what is stored; {PYTHON}", file=sys.stderr)
    if missing:
        print(f"puzzlespace: note: links have no preview pictures: {missing}", file=sys.stderr)
    size = sum(map(len, contents.values()))
    print(f"{folder}: {len(made.entries)} puzzles, {len(contents)} files, {size:,} bytes")
    return 0


def _add_puzzles(made: Site, words: Sequence[str], previews: bool, quiet: bool) -> None:
    """Add the puzzles of the site, each with its page."""
    for number, word in enumerate(words, 1):
        game = text_of(word)
        if game is not None:
            _add_game(made, word, game, previews, quiet)
            continue
        puzzle = load(word)
        named = catalogue.find(word) is not None or _spec(word)
        found = made.add(puzzle, own=not named)
        _check_interrupted()
        if previews:
            made.preview(puzzle.name)
        if not quiet:
            told = f"{found.data['table']['positions']:,} positions" if found.data["table"] else "no table"
            print(f"puzzlespace: {puzzle.name}: {told} ({number} of {len(words)})", file=sys.stderr)


def _add_game(made: Site, file: str, text: str, previews: bool, quiet: bool) -> None:
    """Add a game with all its levels. Raises UnsupportedError if the site has no Python, which plays them."""
    from ..web.questions import WRITTEN

    if not made.python:
        raise UnsupportedError(f"{file}: games are played by Python in the browser: {NPM}")
    if len(text.encode()) > WRITTEN:
        raise UnsupportedError(f"{file}: expected a game of at most {WRITTEN:,} bytes for the page, found more")
    name = Path(file).stem
    levels = made.add_game(name, text)
    _check_interrupted()
    if previews:
        made.preview(name)
    if not quiet:
        solved = sum(level["moves"] is not None for level in levels)
        print(f"puzzlespace: {name}: {plural(len(levels), 'level')}, {solved} solved", file=sys.stderr)


def _check_interrupted() -> None:
    """Raise LimitError after Ctrl-C, which searches of one puzzle treat as a limit of theirs."""
    if interrupted:
        raise interruption()


def _spec(word: str) -> bool:
    return ":" in word and word.partition(":")[0] in {family.name for family in FAMILIES}


def _add_families(made: Site, quiet: bool) -> None:
    """Add every size that the gallery offers: to play, and with its distances if it has few positions."""
    from ..web.drawings import families

    made.families = families()
    made.limits = Limits(SIZES)
    for family in FAMILIES:
        if not family.sliders:
            continue
        for values in product(*(range(slider.least, slider.most + 1) for slider in family.sliders)):
            made.keep(_quietly(family.spec(values)))
            _check_interrupted()
        if not quiet:
            print(f"puzzlespace: sizes of {family.name}", file=sys.stderr)


def _quietly(spec: str) -> Puzzle:
    with listening(lambda _: None):
        return from_spec(spec)
