"""What the editor knows of puzzle files: their keys, the words after them, and what each rule kind takes."""

from __future__ import annotations

import json

from .. import rules
from ..formats.pzl_read import choices
from ..formats.pzl_rows import KEYS
from ..rules.change.conditions import FORMS
from ..rules.change.rows import DIRECTIONS
from ..rules.landing import NEVER, ON, TAKES

NOT_WRITTEN = ("along", "single")
"""Fields that are no keys: they follow from the words after `rule:` and `blocks:`."""


ROWS = (*DIRECTIONS, "if")
"""Words after what is before and after a move."""

SENTENCE = (*FORMS, "on", "shows", "alike", "sorted", "and", "or", "not", "every", "at least", "at most", "exactly")
"""Words of sentences."""


def module() -> str:
    """Return the page's module `grammar.js`, which is made from the rule kinds."""
    found = {
        "keys": KEYS,
        "values": choices() | {"put": (*ON, NEVER, "on empty: "), "take": (*TAKES,)},
        "own": {kind.name: [_key(field) for field in kind.keys if field not in NOT_WRITTEN] for kind in rules.RULES},
        "sentences": [kind.name for kind in rules.RULES if kind.sentences],
        "patterns": [kind.name for kind in rules.RULES if kind.patterns],
        "words": {"rows": ROWS, "moves": ("again", "cost"), "after": ("once",), "sentence": SENTENCE},
        "counts": {kind.name: kind.counts for kind in rules.RULES},
    }
    return f"export const GRAMMAR = {json.dumps(found)};\n"


def _key(field: str) -> str:
    return field.replace("_", "-")
