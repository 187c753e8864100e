"""What the editor knows of puzzle files: their keys, the words after them, and what each rule kind takes and offers."""

from __future__ import annotations

import json
from typing import Any

from .. import rules
from ..formats.pzl_read import choices, symbol_keys
from ..formats.pzl_rows import KEYS, TEXTS
from ..games.lines import SECTIONS
from ..puzzle.draft import BLANK, NOTHING, WILD
from ..puzzle.puzzle import RuleKind
from ..render.words import BRIEF, METRICS
from ..rules.change.conditions import FORMS
from ..rules.change.rows import DIRECTIONS
from ..rules.common import MOST_CELLS
from ..rules.landing import NEVER, ON, TAKES
from .japanese import japanese, japanese_phrase

NOT_WRITTEN = ("along", "single")
"""Fields that are no keys: they follow from the words after `rule:` and `blocks:`."""

ROWS = (*DIRECTIONS, "if")
"""Words after what is before and after a move."""

SENTENCE = (*FORMS, "on", "shows", "alike", "sorted", "and", "or", "not", "every", "at least", "at most", "exactly")
"""Words of sentences."""


def module() -> str:
    """Return the page's module `grammar.js`. Raises InputError if a rule kind of another package cannot be imported."""
    kinds = rules.every_kind()
    counts = dict.fromkeys(name for kind in kinds for name in kind.counts)
    values = {"put": (*ON, NEVER, "on empty: "), "take": (*TAKES,), "count": (*counts,)}
    found = {
        "keys": KEYS,
        "texts": TEXTS,
        "symbols": symbol_keys(),
        "blank": BLANK,
        "nothing": NOTHING,
        "open": WILD,
        "cells": MOST_CELLS,
        "values": choices() | values | {"rule": [line for kind in kinds for line in rules.lines_of(kind)]},
        "rules": {line: text for kind in kinds for line, text in _lines(kind).items()},
        "kinds": {kind.name: _kind(kind) for kind in kinds},
        "metrics": {name: _said(BRIEF.get(name, name)) for name in (*counts, *BRIEF)},
        "counts": {name: _said(text) for name, text in METRICS.items()},
        "words": {"rows": ROWS, "moves": ("again", "cost"), "after": ("once",), "sentence": SENTENCE},
        "sections": SECTIONS,
    }
    return f"export const GRAMMAR = {json.dumps(found, ensure_ascii=False)};\n"


def _kind(kind: RuleKind) -> dict[str, Any]:
    """Return what the editor must know of a rule kind."""
    return {
        "own": [field.replace("_", "-") for field in kind.keys if field not in NOT_WRITTEN],
        "counts": {name: _said({**METRICS, **kind.metrics}.get(name, name)) for name in kind.counts},
        "sentences": kind.sentences,
        "patterns": kind.patterns,
        "joins": "blocks" in kind.keys,
        "lists": kind.lists,
        "peg": kind.tool.peg,
        "help": {key: {"means": _said(told.meaning), "example": told.example} for key, told in kind.tool.help.items()},
    }


def _lines(kind: RuleKind) -> dict[str, dict[str, Any]]:
    """Return the title and the meaning of each line that can stand after `rule:`."""
    told = ((kind.tool.title, kind.tool.meaning), kind.tool.along)
    return {
        line: {"title": _said(title or line), "means": _said(meaning)}
        for line, (title, meaning) in zip(rules.lines_of(kind), told, strict=False)
    }


def _said(text: str) -> dict[str, str]:
    """Return a text by language, without Japanese if there is none."""
    found = (japanese(text) or japanese_phrase(text)) if text else None
    return {"en": text} | ({"ja": found} if found is not None else {})
