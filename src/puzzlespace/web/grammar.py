"""What the editor knows of puzzle files: their keys, the words after them, and what each rule kind takes."""

from __future__ import annotations

import json

from .. import rules
from ..formats.pzl_read import choices
from ..formats.pzl_rows import KEYS

NOT_WRITTEN = ("along", "single")
"""Fields that are no keys: they follow from the words after `rule:` and `blocks:`."""


def module() -> str:
    """Return the page's module `grammar.js`, which is made from the rule kinds."""
    found = {
        "keys": KEYS,
        "values": choices(),
        "own": {kind.name: [_key(field) for field in kind.keys if field not in NOT_WRITTEN] for kind in rules.RULES},
        "counts": {kind.name: kind.counts for kind in rules.RULES},
    }
    return f"export const GRAMMAR = {json.dumps(found)};\n"


def _key(field: str) -> str:
    return field.replace("_", "-")
