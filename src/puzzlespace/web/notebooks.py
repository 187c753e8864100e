"""Notebooks as pages of the static site: their texts as HTML, their code to be run by Python in the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Set
from dataclasses import dataclass
from html import escape
from importlib import resources
from pathlib import Path

from ..errors import InputError
from .site_pages import POLICY

SHIPPED = ("first-puzzle", "search")
"""The notebooks that come with the package and run without NumPy."""

LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Notebook:
    """A notebook: its title, and its cells, each the kind ('markdown' or 'code') and the text."""

    name: str
    title: str
    cells: tuple[tuple[str, str], ...]


def shipped() -> list[Notebook]:
    """Return the notebooks of the package, which are those of its documentation."""
    packed = resources.files("puzzlespace.web") / "lessons"
    folder = packed if packed.is_dir() else Path(__file__).parents[3] / "docs" / "tutorials"
    return [read((folder / f"{name}.ipynb").read_text(encoding="utf-8"), name) for name in SHIPPED]


def from_file(path: Path) -> Notebook:
    """Return the notebook of a file. Raises InputError if it cannot be read."""
    try:
        return read(path.read_text(encoding="utf-8"), path.stem)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8'}") from None


def read(text: str, name: str) -> Notebook:
    """Return the notebook of a text in the format of Jupyter. Raises InputError if it is another text."""
    try:
        cells = [(each["cell_type"], "".join(each["source"])) for each in json.loads(text)["cells"]]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{name}.ipynb: expected a notebook in the format of Jupyter, found another text") from None
    said = tuple((kind, text) for kind, text in cells if kind in ("markdown", "code") and text.strip())
    heading = next((line[2:] for kind, text in said if kind == "markdown" for line in text.split("\n")
                    if line.startswith("# ")), name)  # fmt: skip
    return Notebook(name, heading.strip(), said)


def page(notebook: Notebook, site_title: str, version: str, names: Set[str]) -> str:
    """Return the page of a notebook, which is two folders below that of the site.

    names  of all notebooks of the site, to which links between notebooks lead
    """
    static = f"../../static/{version}"
    title = escape(f"{notebook.title} — {site_title}")
    parts = [
        f"<section>{markdown(text, names)}</section>" if kind == "markdown" else _code(text, number)
        for number, (kind, text) in enumerate(notebook.cells, 1)
    ]
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="description" content="{escape(_first_words(notebook))}">
<meta property="og:title" content="{title}">
<link rel="icon" href="{static}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{static}/page.css">
<link rel="stylesheet" href="{static}/notebook.css">
<script type="module" src="{static}/notebook.js"></script>
</head>
<body>
<header>
  <a class="quiet" href="../../" data-t="catalogue">Puzzles</a>
  <span class="room"></span>
  <p id="work" role="status"></p>
  <button type="button" id="stop" data-t="stop" hidden></button>
  <button type="button" id="all"></button>
</header>
<main class="notebook">
{chr(10).join(parts)}
</main>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
"""


def _code(text: str, number: int) -> str:
    rows = text.count("\n") + 1
    return (
        f'<section class="cell"><div class="written"><textarea rows="{rows}" wrap="off" spellcheck="false" '
        f'autocapitalize="off" autocomplete="off" data-number="{number}">{escape(text)}</textarea>'
        '<button type="button" class="run" data-t="run"></button></div>'
        '<div class="shown" role="status"></div></section>'
    )


def _first_words(notebook: Notebook) -> str:
    texts = [text for kind, text in notebook.cells if kind == "markdown"]
    plain = LINK.sub(r"\1", texts[0] if texts else "").partition("\n")[2]
    return " ".join(plain.replace("`", "").split())[:200]


def markdown(text: str, names: Set[str] = frozenset()) -> str:
    """Return a text in simple Markdown as HTML: headings, paragraphs, lists, blocks of code; code, stress and links.

    names  of notebooks that links may lead to; other links within a repository become plain text
    """
    blocks: list[str] = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.split("\n")
        if lines[0].startswith("#"):
            level = len(lines[0]) - len(lines[0].lstrip("#"))
            blocks.append(f"<h{level}>{_line(lines[0].strip('# '), names)}</h{level}>")
            lines = lines[1:]
        if not lines:
            continue
        if all(line.startswith("    ") for line in lines):
            blocks.append("<pre>" + escape("\n".join(line[4:] for line in lines)) + "</pre>")
        elif lines[0].startswith("- "):
            points = "\n".join(lines)[2:].split("\n- ")
            blocks.append("<ul>" + "".join(f"<li>{_line(point, names)}</li>" for point in points) + "</ul>")
        else:
            blocks.append(f"<p>{_line(' '.join(lines), names)}</p>")
    return "".join(blocks)


def _line(text: str, names: Set[str]) -> str:
    """Return one paragraph; what is written as code is left as it is."""
    parts = re.split(r"`([^`]+)`", text)
    return "".join(f"<code>{escape(part)}</code>" if at % 2 else _said(part, names) for at, part in enumerate(parts))


def _said(text: str, names: Set[str]) -> str:
    text = escape(text)
    text = LINK.sub(lambda found: _link(found[1], found[2], names), text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
    return re.sub(r"(?<!\w)[*_]([^*_]+)[*_](?!\w)", r"<em>\1</em>", text)


def _link(said: str, target: str, names: Set[str]) -> str:
    if target.startswith(("https://", "http://")):
        return f'<a href="{target}">{said}</a>'
    name = target.removesuffix(".ipynb")
    return f'<a href="../{name}/">{said}</a>' if name in names else said
