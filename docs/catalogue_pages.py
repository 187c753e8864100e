"""Pages of the catalogue from the puzzle files: picture, rules, numbers, source, other names, and the file itself."""

from __future__ import annotations

from pathlib import Path

import puzzlespace
from puzzlespace import catalogue
from puzzlespace.render.svg import position_svg
from puzzlespace.render.words import known_words, rules_in_words

FOLDER = "catalogue"


def write(docs: str | Path) -> None:
    """Write the pages and their index into the folder `catalogue` of the documentation."""
    folder = Path(docs) / FOLDER
    folder.mkdir(exist_ok=True)
    names = list(catalogue.names(None))
    for name in names:
        (folder / f"{name}.md").write_text(page(name, folder), encoding="utf-8")
    (folder / "index.md").write_text(index(names), encoding="utf-8")


def index(names: list[str]) -> str:
    """Return the page that lists them all."""
    return "\n".join(["# Catalogue", "", "```{toctree}", ":maxdepth: 1", "", *names, "```", ""])


def page(name: str, folder: Path) -> str:
    """Return the page of one puzzle; its picture is written beside it."""
    puzzle = puzzlespace.load(name)
    parts = [f"# {puzzle.title}", f"    puzzlespace solve {name}"]
    if puzzle.anchor is not None:
        (folder / f"{name}.svg").write_text(position_svg(puzzle, puzzle.anchor), encoding="utf-8")
        parts.append(f"![{puzzle.title}]({name}.svg)")
    others = [f"{title} ({language})" for language, title in puzzle.titles if language]
    draft = puzzle.draft
    aliases = [alias for alias, meant in catalogue.ALIASES.items() if meant == name]
    if others or aliases:
        parts.append("**Other names:** " + " · ".join([*others, *aliases]))
    parts.append("\n".join(f"> {line}  " for line in rules_in_words(puzzle).split("\n")))
    if puzzle.known:
        parts.append("**Known:** " + known_words(puzzle))
    if draft is not None:
        told = {"By": draft.by, "Source": draft.source, "Note": draft.note}
        parts += [f"**{label}:** {words}" for label, words in told.items() if words]
    parts.append(f"```text\n{catalogue.text(name).rstrip()}\n```")
    return "\n\n".join(parts) + "\n"
