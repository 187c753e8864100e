"""`rule: change`: moves as rows of what is before and after, forbidden positions, and what happens by itself.

docs/changes.md describes the language. It is loaded for the first draft that needs it.
"""

from __future__ import annotations

from ...puzzle.draft import NOTHING, Draft, Drawing
from ...puzzle.puzzle import COST, Puzzle, RuleKind
from ...puzzle.tool import Help, Tool


def build(draft: Draft, name: str) -> Puzzle:
    """Return the puzzle of a draft with `rule: change`; raise FormatError at the word that is wrong."""
    from .building import build

    return build(draft, name, KIND)


def in_words(puzzle: Puzzle) -> list[str]:
    """Return the rows of moves, of what happens by itself and of what is forbidden, as they are written."""
    draft = puzzle.draft
    if draft is None:
        return [f"Rule: one of {len(puzzle.rules):,} changes is made"]
    lines = ["Rule: one of these changes is made (what is before -> what is after):"]
    for key, text in TOLD.items():
        rows = draft.changes.get(key, ())
        lines += [text] if rows and text else []
        lines += [f"  {row}" for row in rows]
    if isinstance(draft.board, Drawing) or "also" in draft.changes:
        names = puzzle.board.names
        shown = (" ".join(NOTHING if cell is None else names[cell] for cell in row) for row in puzzle.board.rows)
        lines.append(f"Cells: {' / '.join(shown)}")
    return lines


TOLD = {
    "moves": "", "after": "After each move, this happens by itself:", "forbid": "Forbidden are positions with:",
    "kinds": "Kinds of symbols:", "places": "Places:", "numbers": "Numbers:", "weights": "Weights:",
}  # fmt: skip


KIND = RuleKind(
    "change", build, in_words,
    keys=("moves", "swap", "ground", "kinds", "places", "also", "numbers", "weights", "after", "forbid"),
    counts=("step", COST), named="cells", ground="squares", play="alter", sentences=True, patterns=True,
    metrics={"step": "one of the changes", COST: "one of the changes, which counts what it costs"},
    tool=Tool(
        "before and after", "rows of what is before and after a move.",
        help={
            "moves": Help(
                "The moves, one row each: what is there before, `->`, what is there then, and a direction. "
                "`walk: @ . -> . @  straight`. `<->`: both ways. Names of cells may stand in front: "
                "`boat goat L <-> R`. A sentence after `if` is a condition.",
                "moves:\n  walk: @ . -> . @  straight\n  push: @ $ . -> . @ $  straight",
            ),
            "ground": Help(
                "What lies under the pieces and never changes. Each letter is a place for sentences: `all $ on x`.",
                "ground:\n  .....\n  ...xx",
            ),
            "goal": Help(
                "What shall be reached: a drawing (`*` may be anything), or a sentence: `all $ on x`, `count o = 1`, "
                "`a = b`. Another goal is `goal 2`.",
                "goal: all $ on x",
            ),
        },
    ),
)  # fmt: skip
