"""The static site: the page with puzzles and their distances as files, which any file server can offer."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from .. import catalogue
from ..api.games import level_in
from ..errors import InputError, UnsupportedError
from ..graph import MOST
from ..limits.watch import Limits
from ..puzzle.puzzle import Puzzle
from ..render import game_pictures, raster
from ..render.extras import need
from ..render.svg import position_svg
from ..render.theme import THEMES
from . import drawings, inside, levels, notebooks, wire
from .modules import joined, plain_files, version_of
from .notebooks import Notebook
from .questions import Object
from .site_data import Kept, kept
from .site_pages import Shell, manifest, sitemap

OPENING = """import { BrowserPython } from "./python.js";
import { answeredBy } from "./server.js";
import { Site } from "./site.js";
const worker = () => (PYTHON ? new BrowserPython(new URL("./python-worker.js", import.meta.url)) : null);
answeredBy(new Site(new URL("./", import.meta.url), worker(), worker()));
"""
"""What the script of the page begins with on a site; PYTHON says whether the site has Python."""

LISTING = "site.json"
"""The file that lists all files of a site: a folder with it is a site that may be written again."""

SHARED = (
    "page.css", "drawing.css", "icon.svg", "icon-192.png", "icon-512.png", "icon-full-512.png", "manifest.webmanifest",
)  # fmt: skip

AT_MOST = 400_000
"""Files of more bytes, which are large maps, are kept in the browser only once they were needed."""

WIDE, HIGH, FRAME = 1200, 630, 40
"""The size of a preview, as sites that show links want it, and the margin around the board, in pixels."""

Say = Callable[[str], None]


@dataclass
class Site:
    """The files of a site, by their paths below its folder; `add` puzzles, then `finish` it.

    title    of the whole site
    address  where it will be, such as https://example.org/puzzles/; '' if that is not known
    limits   of the searches of one puzzle
    most     the most positions of which the distances are kept
    python   the files of the interpreter (`inside.interpreter`); {} for a site that computes nothing new
    notebooks  pages with cells that Python runs; only for a site with Python
    """

    title: str = "Puzzlespace"
    address: str = ""
    limits: Limits = Limits()
    most: int = MOST
    python: dict[str, bytes] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)
    previews: dict[str, bytes] = field(default_factory=dict)
    entries: list[dict[str, Any]] = field(default_factory=list)
    shown: list[tuple[str, Kept]] = field(default_factory=list)
    families: list[dict[str, Any]] = field(default_factory=list)
    notebooks: list[Notebook] = field(default_factory=list)

    def add(self, puzzle: Puzzle, own: bool = False) -> Kept:
        """Add a puzzle with a page, a picture and an entry of the gallery; raise InputError if it cannot be shown.

        own  whether only its text says what it is: its name means nothing to the library
        """
        if puzzle.anchor is None:
            raise InputError(f"{puzzle.name}: expected a start or a whole goal to show, found neither")
        if any(entry["name"] == puzzle.name for entry in self.entries):
            raise InputError(f"{puzzle.name}: expected puzzles of different names, found two of this name")
        found = self.keep(puzzle, own)
        told = drawings.entry(puzzle.name, wire.titles(puzzle), puzzle.draft, found.data["about"]["gesture"])
        self.entries.append({**told, "moves": found.data["moves"]})
        self.shown.append((slug(puzzle.name), found))
        for name, theme in THEMES.items():
            if name != "grey":
                picture = position_svg(puzzle, puzzle.anchor, theme=theme)
                self.data[f"pictures/{slug(puzzle.name)}-{name}.svg"] = picture.encode()
        return found

    def add_game(self, name: str, text: str) -> list[Object]:
        """Add a game with a page, a picture and an entry of the gallery; return what is known of each level.

        Raises FormatError for a mistake in it, InputError for a name that is taken.
        """
        if any(entry["name"] == name for entry in self.entries):
            raise InputError(f"{name}: expected puzzles of different names, found two of this name")
        first = level_in(text, 1)
        found = [levels.kept(level_in(text, number), text, self.limits, self.most)
                 for number in range(1, len(first.game.boards) + 1)]  # fmt: skip
        for number, (data, table) in enumerate(found, 1):
            file = f"puzzles/{slug(name)}" + (f"@{number}" if number > 1 else "")
            data["about"]["name"] = f"{name}#{number}"
            text = data["about"]["text"] if number == 1 else ""  # the page takes that of the first level
            self.data[f"{file}.puzzle"] = zlib.compress(
                _json({**data, "own": True, "about": {**data["about"], "text": text}}), 9
            )  # fmt: skip
            if table:
                self.data[f"{file}.table"] = table
        data = found[0][0]
        data["about"]["name"] = name
        self.entries.append({**drawings.entry(name, data["about"]["titles"], None, "game"), "moves": data["moves"]})
        self.shown.append((slug(name), Kept(data)))
        for key, theme in THEMES.items():
            if key != "grey":
                picture = game_pictures.position_svg(first, first.start, theme)  # pyright: ignore[reportArgumentType]
                self.data[f"pictures/{slug(name)}-{key}.svg"] = picture.encode()
        return [data for data, _ in found]

    def keep(self, puzzle: Puzzle, own: bool = False) -> Kept:
        """Add the data of a puzzle in every metric; return those of its usual metric."""
        first, *others = puzzle.metrics
        found = self._keep(puzzle, first, own, self.limits, self.most)
        counted = found.data["table"] is not None
        limits = self.limits if counted or self.limits.seconds is None else replace(self.limits, seconds=0.01)
        for metric in others:  # if not all positions were counted in one metric, they are not in another one
            self._keep(puzzle, metric, own, limits, self.most if counted else 0, f"@{metric}")
        return found

    def _keep(self, puzzle: Puzzle, metric: str, own: bool, limits: Limits, most: int, ending: str = "") -> Kept:
        found = kept(puzzle, metric, limits, most, *([0] if ending else []))
        file = f"puzzles/{slug(puzzle.name)}{ending}"
        text = json.dumps({**found.data, "own": own}, ensure_ascii=False, separators=(",", ":"))
        self.data[f"{file}.puzzle"] = zlib.compress(text.encode(), 9)
        for kind, content in (("table", found.table), ("map", found.map)):
            if content:
                self.data[f"{file}.{kind}"] = content
        return found

    def preview(self, name: str) -> None:
        """Add the preview of a puzzle that was added. Raises UnsupportedError without the extra `pictures`."""
        board = self.data[f"pictures/{slug(name)}-light.svg"].decode()
        width, height = raster.size_of(board)
        zoom = min((WIDE - 2 * FRAME) / width, (HIGH - 2 * FRAME) / height)
        wide, high = round(width * zoom), round(height * zoom)
        inner = board.replace(f'width="{width}" height="{height}"', f'width="{wide}" height="{high}"', 1)
        inner = inner.replace("<svg ", f'<svg x="{(WIDE - wide) // 2}" y="{(HIGH - high) // 2}" ', 1)
        drawn = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}">'
        drawn += f'<rect width="{WIDE}" height="{HIGH}" fill="{THEMES["light"].paper}"/>{inner}</svg>'
        self.previews[slug(name)] = raster.png(drawn, WIDE)

    def finish(self) -> dict[str, bytes]:
        """Return all files of the site by their paths."""
        plain = plain_files()
        self.data["catalogue.json"] = _json({"puzzles": self.entries, "families": self.families})
        self.data |= {name: plain[name] for name in SHARED}
        self.data["manifest.webmanifest"] = manifest(plain["manifest.webmanifest"].decode(), self.title).encode()
        opening = OPENING.replace("PYTHON", "true" if self.python else "false")
        self.data["page.js"] = joined(opening + plain["page.js"].decode()).encode()
        if self.notebooks:
            self.data |= {
                "notebook.js": joined(plain["notebook.js"].decode()).encode(),
                "notebook.css": plain["notebook.css"],
            }
        later = self._python(plain)
        version = version_of(self.data | later)
        pages = self._pages(plain["index.html"].decode(), version)
        files = [f"static/{version}/{name}" for name in sorted(self.data) if len(self.data[name]) <= AT_MOST]
        folders = sorted(path.removesuffix("index.html") for path in pages if path.endswith("index.html"))
        self.data["files.json"] = _json([quote(path) for path in (*files, *folders)])
        found = {f"static/{version}/{name}": content for name, content in (self.data | later).items()}
        found |= {f"previews/{name}.png": content for name, content in self.previews.items()}
        found |= {path: text.encode() for path, text in pages.items()}
        found["service-worker.js"] = plain["service-worker.js"]
        return found

    def _python(self, plain: dict[str, bytes]) -> dict[str, bytes]:
        """Return the files that a browser loads only when Python is needed."""
        if not self.python:
            return {}
        found = {f"pyodide/{name}": content for name, content in self.python.items()}
        return found | {
            "python-worker.js": joined(plain["python-worker.js"].decode()).encode(),
            "puzzlespace.zip": inside.package(),
        }

    def _pages(self, page: str, version: str) -> dict[str, str]:
        links = [(quote(name), each["titles"]) for (name, _), each in zip(self.shown, self.entries, strict=True)]
        books = [(quote(each.name), each.title) for each in self.notebooks]
        shell = Shell(page, version, self.title, self.address, links, books)

        def written(name: str, data: Kept, folder: str, front: bool = False) -> str:
            preview = f"previews/{quote(name)}.png" if name in self.previews else ""
            return shell.written(data.data, f"{quote(name)}.puzzle", folder, preview, front)

        found = {f"puzzles/{name}/index.html": written(name, data, f"puzzles/{quote(name)}/")
                 for name, data in self.shown}  # fmt: skip
        names = {each.name for each in self.notebooks}
        for each in self.notebooks:
            found[f"notebooks/{each.name}/index.html"] = notebooks.page(each, self.title, version, names)
        found["index.html"] = written(*self.shown[0], "", True)
        if self.address:
            found["sitemap.xml"] = sitemap(self.address, [
                "", *(f"puzzles/{name}/" for name, _ in links), *(f"notebooks/{name}/" for name, _ in books),
            ])  # fmt: skip
        return found


def slug(name: str) -> str:
    """Return the name of a puzzle as that of a file; `site.js` does the same."""
    return name.replace(":", "-").replace(",", "-")


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def previews_missing() -> str:
    """Return why previews cannot be drawn; '' if they can."""
    try:
        need("resvg_py", raster.EXTRA)
    except UnsupportedError as error:
        return str(error)
    return ""


def check_folder(folder: Path) -> None:
    """Raise InputError unless a folder is new, empty, or a site that was written before."""
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder}: expected a folder, found a file")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / LISTING).is_file():
            raise InputError(
                f"{folder}: expected a new or empty folder, or a site that this command wrote, found other files"
            )
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from None


def write(folder: Path, contents: dict[str, bytes]) -> None:
    """Write the files of a site: first those that pages name, the worker of the browser last; then delete old ones.

    Raises InputError if a file cannot be written.
    """
    check_folder(folder)
    before = _listed(folder)
    order = sorted(contents, key=lambda path: (path == "service-worker.js", path.endswith(".html"), path))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / LISTING).write_bytes(_json({"files": sorted({*before, *order})}))
        for path in order:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(contents[path])
        for path in before:
            if path not in contents:
                _delete(folder, path)
        (folder / LISTING).write_bytes(_json({"files": order}))
    except OSError as error:
        raise InputError(f"{error.filename or folder}: cannot be written: {error.strerror}") from None


def _listed(folder: Path) -> Sequence[str]:
    """Return the files of the site in a folder; a path that would lead out of it is left out."""
    try:
        found = json.loads((folder / LISTING).read_bytes())["files"]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{folder / LISTING}: expected the list of a site's files, found something else") from None
    parts = {path: PurePosixPath(path).parts for path in found if isinstance(path, str)}
    return [path for path, each in parts.items() if each and ".." not in each and not PurePosixPath(path).is_absolute()]


def _delete(folder: Path, path: str) -> None:
    """Delete a file, and the folders that are empty then."""
    (folder / path).unlink(missing_ok=True)
    for parent in PurePosixPath(path).parents:
        where = folder / parent
        if where == folder or not where.is_dir() or any(where.iterdir()):
            return
        where.rmdir()


def catalogue_names() -> tuple[str, ...]:
    """Return the names of the catalogue, that with which the site opens first."""
    return (FIRST, *(name for name in catalogue.names(None) if name != FIRST))


FIRST = "klotski"
"""The puzzle with which a site of the whole catalogue opens."""
