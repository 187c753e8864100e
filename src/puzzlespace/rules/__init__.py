"""The rule kinds: what the words after `rule:` in a puzzle file mean, one file each."""

from __future__ import annotations

from dataclasses import replace

from ..errors import FormatError, InputError
from ..puzzle.draft import Draft
from ..puzzle.puzzle import Puzzle, RuleKind
from . import apply, common, doubts, glide, jump, push, slide
from .blanks import with_blanks

RULES: tuple[RuleKind, ...] = (slide.KIND, jump.KIND, glide.KIND, push.KIND, apply.KIND)
"""Every rule kind: adding one is one file and one line here."""


def lines() -> tuple[str, ...]:
    """Return everything that can stand after `rule:`, such as 'slide', 'slide along' and 'jump'."""
    return tuple(name for kind in RULES for name in (kind.name, f"{kind.name} along")[: 1 + ("along" in kind.keys)])


def counts() -> tuple[str, ...]:
    """Return everything that can stand after `count:`: the metrics of all rule kinds."""
    return tuple(dict.fromkeys(name for kind in RULES for name in kind.counts))


def build(draft: Draft, name: str) -> Puzzle:
    """Return the puzzle that a draft means. Raises FormatError at the word that is wrong."""
    kind = next((kind for kind in RULES if kind.name == draft.rule), None)
    if kind is None:
        names = sorted(kind.name for kind in RULES)
        raise FormatError.at(draft.rule, f"rule: expected one of {', '.join(names)}, found {str(draft.rule)!r}")
    try:
        common.check_closed(draft)
        common.check_keys(draft, kind.keys)
        draft = with_blanks(draft, kind.blanks)
        puzzle = common.dressed(draft, kind.build(draft, name))
    except InputError as error:
        raise common.placed(error, draft) from None
    return replace(puzzle, diagnostics=(*puzzle.diagnostics, *doubts.doubts(draft, puzzle)))
