"""Pages about every public name: what is importable from `puzzlespace`, read from the code by Sphinx autodoc.

The docstrings are plain text: paragraphs, rows of two columns (a name, what it means), and examples. `as_markup`
writes them as reStructuredText.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import puzzlespace

FOLDER = "reference"

PAGES = {
    "functions": (
        "Functions",
        "What can be asked. Every function takes a `Puzzle`, or the text that `load` takes. Those that search take "
        "`limits=Limits(seconds=…, memory=…, positions=…)`; `progress=` gets a `Progress` from time to time. At a "
        "limit `solve`, `distance` and `depths` return what is proved by then (`Status.STOPPED`, `complete` is False), "
        "and `generate` returns fewer positions. All others raise `LimitError`, unless they say something else.",
    ),
    "answers": ("Answers", "What the functions return: frozen dataclasses with `to_dict()` and a short text."),
    "parts": ("Puzzles, bounds, limits", "What the functions take, and what answers consist of."),
    "errors": (
        "Errors and warnings",
        "All errors are `PuzzlespaceError`; the command line ends with their exit codes.",
    ),
}
"""Title and first sentence of each page."""


def page_of(name: str) -> str:
    """Return the page of a public name."""
    found = getattr(puzzlespace, name)
    if inspect.isfunction(found):
        return "functions"
    if not inspect.isclass(found):
        return "parts"
    if issubclass(found, Exception):
        return "errors"
    return "answers" if issubclass(found, puzzlespace.Result) else "parts"


def write(docs: str | Path) -> None:
    """Write the pages and their index into the folder `reference` of the documentation."""
    folder = Path(docs) / FOLDER
    folder.mkdir(exist_ok=True)
    for page, (title, words) in PAGES.items():
        listed = "\n\n".join(f"## {name}\n\n{directive(name)}" for name in names(page))
        (folder / f"{page}.md").write_text(f"# {title}\n\n{words}\n\n{listed}\n", encoding="utf-8")
    (folder / "index.md").write_text(INDEX + "\n".join(PAGES) + "\n```\n", encoding="utf-8")


INDEX = """# Reference

Every public name can be imported from `puzzlespace`. Examples assume `from puzzlespace import *`; a test runs them.

```{toctree}
:maxdepth: 2

"""


def names(page: str) -> list[str]:
    """Return the public names of a page, sorted."""
    return [name for name in puzzlespace.__all__ if page_of(name) == page]


def directive(name: str) -> str:
    """Return the directive that documents a name."""
    found = getattr(puzzlespace, name)
    kind = "function" if inspect.isfunction(found) else "class" if inspect.isclass(found) else "data"
    options = ["   :show-inheritance:", "   :members:"] if kind == "class" else []
    return "\n".join(["```{eval-rst}", f".. auto{kind}:: puzzlespace.{name}", *options, "```"])


ROW = re.compile(r"(\w+(?:, \w+)*)  +(\S.*)")


def as_markup(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a docstring as reStructuredText."""
    in_rows = in_example = False
    for line in lines:
        row = ROW.fullmatch(line)
        in_example = bool(line.strip()) and (in_example or line.startswith(">>>"))
        if in_example:
            yield line
        elif row:
            if not in_rows:
                yield ""
            yield f"``{row[1]}``"
            yield f"    {inline(row[2])}"
        elif in_rows and line.startswith("   "):
            yield f"    {inline(line.strip())}"
        else:
            if in_rows and line:
                yield ""
            yield inline(line)
        in_rows = bool(row) or (in_rows and line.startswith("   "))


def inline(text: str) -> str:
    """Return text with its code marked and its links made; nothing else in it is markup."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(f"`{part}`" if part.startswith("`") else linked(part) for part in parts)


def linked(text: str) -> str:
    """Return text without code, in which documents are links."""
    plain = re.sub(r"([*|\\]|(?<=\w)_(?!\w))", r"\\\1", text)
    return re.sub(r"docs/([\w/-]+)\.md", r":doc:`/\1`", plain)
