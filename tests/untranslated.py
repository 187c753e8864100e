"""What the page shows in English to Japanese readers, because it has no Japanese: `python -m tests.untranslated`.

A new English text fails no test. It is shown as it is until `web/japanese_texts.py` has it.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import puzzlespace
from puzzlespace import catalogue, load
from puzzlespace.puzzle.diagnostics import CODES
from puzzlespace.registry import FAMILIES
from puzzlespace.render.words import rules_in_words
from puzzlespace.web.drawings import catalogue_
from puzzlespace.web.japanese import japanese
from puzzlespace.web.japanese_texts import MESSAGES, PHRASES

SOURCE = Path(puzzlespace.__file__).parent

ROOMS = [
    "puzzle", "rules", "rules/change", "registry.py", "formats/pzl.py", "formats/pzl_read.py", "formats/pzl_rows.py",
    "formats/pzl_values.py", "formats/pzl_doubts.py", "formats/pzl_plain.py", "api/typed_moves.py",
    "analysis/impossible.py", "analysis/thirds.py", "analysis/placements.py",
    "graph/__init__.py", "api/measuring.py", "web/app.py", "web/drawings.py", "web/measured.py", "web/pool.py",
    "web/questions.py", "web/tasks.py", "web/worker.py", "families",
]  # fmt: skip
"""What makes the texts that the page shows. Limits are shown in the page's own words, other errors of engines too."""

COMPOSED = {
    "{} show{} {}", "{} {} left, in any hole", " Also: {}.", "One move is {} (count: {}).{}", "goal {}", "{} along",
    "on {}: start {}; {}", ", and no goal fits both", ", and no goal fits all", ", and ", "{}and {} more",
    "Rule: one of the listed moves is made{}:", " (never undone)", " (each may be undone)", "  and {} more",
    " without {} cell{}", " in {} parts", "Changed symbols (~): ",
    "colour the cells by thirds, so that every jump touches each colour once: it changes the number of {} on all three "
    "by one, so which of the three are odd alike never changes; {}{}",
}  # fmt: skip
"""Parts of sentences that are made of several literals. `tests/web/test_japanese.py` has whole sentences of each."""

UNSEEN = {
    "grid WxH", "hex N", "triangle N", "puzzle file", "the puzzle was built", "the goal positions were listed",
    "pull {}", "turn: (a b c)", "'rule: {}'",
    "grid 4x4", "hex 3", "triangle 5", "any one peg", "count o = 1",
    "max-age=31536000, immutable", "diagnostic: expected a code of CODES, found {}", *CODES.values(),
}  # fmt: skip
"""Literals that are notation, or that no visitor sees."""


def literals(tree: ast.AST) -> Iterator[str]:
    """The texts in a syntax tree that have words: no docstrings, no parts of other texts."""
    parts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(value) for value in node.values}
            parts |= {id(value.format_spec) for value in node.values if isinstance(value, ast.FormattedValue)}
    for node in ast.walk(tree):
        if id(node) in parts:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(value.value if isinstance(value, ast.Constant) else "{}" for value in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if " " in text.strip() and re.search("[a-z]{2}", text):
            yield text


def in_the_source() -> Iterator[tuple[str, str]]:
    """Yield (file, text) for every text in the source of what the page shows that has no Japanese."""
    for room in ROOMS:
        files = [SOURCE / room] if room.endswith(".py") else sorted((SOURCE / room).glob("*.py"))
        for file in files:
            for text in literals(ast.parse(file.read_text(encoding="utf-8"))):
                named = room == "families" and "expected" not in text  # titles and sources are asked of each puzzle
                if not named and text not in MESSAGES.keys() | PHRASES.keys() | COMPOSED | UNSEEN:
                    yield str(file.relative_to(SOURCE)), text


def of_puzzles() -> Iterator[tuple[str, str]]:
    """Yield (puzzle, text) for every title, note and sentence of a rule that has no Japanese."""
    for entry in catalogue_(None, {}, None)["puzzles"]:
        if not re.search("[ぁ-んァ-ヶ一-龠]", entry["titles"].get("ja", "")):
            yield entry["name"], entry["title"]
        if entry["note"] and japanese(entry["note"]) is None:
            yield entry["name"], entry["note"]
    for spec in [*catalogue.names(None), *(f"{family.name}:{size}" for family in FAMILIES for size in family.examples)]:
        for line in rules_in_words(load(spec)).split("\n"):
            notation = line.startswith("  ") or not re.search("[a-z]{2}", line)
            if not notation and japanese(line) is None:
                yield spec, line


if __name__ == "__main__":
    found = [*in_the_source(), *of_puzzles()]
    sys.stdout.writelines(f"{where}: {text}\n" for where, text in found)
