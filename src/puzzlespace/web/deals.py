"""How far from the goal a game of a level begins; browsers get the same numbers."""

from __future__ import annotations

import json

LEVELS = {"easy": 0.25, "medium": 0.5, "hard": 0.75, "hardest": 1.0}
"""The depth of a game of each level, as a share of the greatest."""

WALKS = {"easy": 8, "medium": 24, "hard": 80}
"""About how many random moves make a game of a level if no distance is known."""

WALK = 300
"""The same for a position of no level."""


def module() -> str:
    """Return the page's module `deals.js`."""
    return f"export const SHARES = {json.dumps(LEVELS)};\nexport const WALKS = {json.dumps(WALKS)};\n"
