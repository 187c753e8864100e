"""The page's files; its JavaScript modules are joined into one script: one request instead of one for each module."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path

from . import deals, grammar

IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"\./(\w[\w-]*)\.js";\n', flags=re.MULTILINE)
"""An import of a module of the page: the names that are imported, if any, and the module."""

EXPORT = re.compile(r"^export (?=(?:async )?(?:const|class|function\*?) (\w+))", flags=re.MULTILINE)
"""The export of a name."""

COMMENT = re.compile(r"^ *(?://[^\n]*|/\*\*.*?\*/)\n", flags=re.MULTILINE | re.DOTALL)
"""A comment on lines of its own; a sixth of what the script would be, compressed."""

TYPES = {
    ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}  # fmt: skip


MADE: Mapping[str, Callable[[], str]] = {"deals": deals.module, "grammar": grammar.module}
"""The modules that are made from what the library knows: they give the text."""


def plain_files() -> dict[str, bytes]:
    """Return the files of the page as they are written."""
    folder = resources.files("puzzlespace.web") / "static"
    return {file.name: file.read_bytes() for file in folder.iterdir() if Path(file.name).suffix in TYPES}


def static_files() -> tuple[dict[str, bytes], str]:
    """Return the page's files by name, and their version; the page names all others below `/static/VERSION/`.

    `page.js` has all modules that it imports; each other module is there by itself too.
    """
    found = plain_files()
    found |= {f"{name}.js": text().encode() for name, text in MADE.items()}
    found["page.js"] = joined(found["page.js"].decode()).encode()
    version = version_of(found)
    found["index.html"] = found["index.html"].replace(b'="/static/', f'="/static/{version}/'.encode())
    return found, version


def version_of(contents: Mapping[str, bytes]) -> str:
    """Return a word that is another one if any of some files is."""
    return hashlib.sha256(b"".join(name.encode() + contents[name] for name in sorted(contents))).hexdigest()[:12]


def sources() -> dict[str, str]:
    """Return the texts of the page's modules by name, without those that are made."""
    folder = resources.files("puzzlespace.web") / "static"
    return {file.name[:-3]: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".js")}


def joined(script: str, modules: Mapping[str, str] | None = None) -> str:
    """Return a script without comments and all modules that it imports, each in a function that returns its exports.

    The modules must not import each other in a circle, export only constants, classes and functions, and await nothing
    at their top level; the script itself may.

    modules  the texts of the modules by name; None: those of the page
    Raises ValueError if modules import each other in a circle.
    """
    modules = sources() if modules is None else modules
    texts: dict[str, str] = {}
    begun: list[str] = []

    def local(text: str) -> str:
        """Return a text whose imports are constants; the modules that it needs are added first."""
        for _, name in IMPORT.findall(text):
            add(name)
        return IMPORT.sub(lambda found: _constants(*found.groups()), text)

    def add(name: str) -> None:
        if name in texts:
            return
        if name in begun:
            raise ValueError(f"modules import each other: {', '.join(begun[begun.index(name) :])}")
        begun.append(name)
        text = modules[name] if name in modules else MADE[name]()
        body = EXPORT.sub("", local(COMMENT.sub("", text)))
        texts[name] = f"const {_own(name)} = (() => {{\n{body}return {{ {', '.join(EXPORT.findall(text))} }};\n}})();\n"

    last = local(COMMENT.sub("", script))
    return "".join(texts.values()) + last


def _own(name: str) -> str:
    """Return the name of the constant that has what a module exports."""
    return "module_" + name.replace("-", "_")


def _constants(names: str | None, module: str) -> str:
    return f"const {{{names.replace(' as ', ': ')}}} = {_own(module)};\n" if names else ""
