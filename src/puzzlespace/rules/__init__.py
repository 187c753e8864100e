"""The rule kinds: what the words after `rule:` in a puzzle file mean, one file each."""

from __future__ import annotations

from dataclasses import replace

from ..errors import FormatError, InputError
from ..plugins import plugin, plugin_names, plugins
from ..puzzle.draft import Draft
from ..puzzle.puzzle import Puzzle, RuleKind
from . import apply, change, checks, common, doubts, glide, jump, push, slide, stack
from .blanks import with_blanks

RULES: tuple[RuleKind, ...] = (slide.KIND, jump.KIND, glide.KIND, push.KIND, apply.KIND, change.KIND, stack.KIND)
"""Every rule kind: adding one is one file and one line here."""


def kind_of(name: str) -> RuleKind | None:
    """Return the rule kind with this name, one of `RULES` or of another installed package, or None."""
    return next((kind for kind in RULES if kind.name == name), None) or plugin("rules", name, RuleKind)


def every_kind() -> tuple[RuleKind, ...]:
    """Return `RULES` and the rule kinds of other installed packages. Raises InputError if one cannot be imported."""
    return (*RULES, *(kind for kind in plugins("rules", RuleKind) if kind.name not in {own.name for own in RULES}))


def lines() -> tuple[str, ...]:
    """Return everything that can stand after `rule:` for `RULES`, such as 'slide', 'slide along' and 'jump'."""
    return tuple(line for kind in RULES for line in lines_of(kind))


def lines_of(kind: RuleKind) -> tuple[str, ...]:
    """Return what can stand after `rule:` for a rule kind."""
    return (kind.name, f"{kind.name} along")[: 1 + ("along" in kind.keys)]


def counts() -> tuple[str, ...]:
    """Return everything that can stand after `count:`: the metrics of `RULES`."""
    return tuple(dict.fromkeys(name for kind in RULES for name in kind.counts))


def counted(name: str) -> bool:
    """Return whether some rule kind, perhaps of another installed package, has a metric with this name."""
    return name in counts() or any(name in kind.counts for kind in plugins("rules", RuleKind))


def build(draft: Draft, name: str) -> Puzzle:
    """Return the puzzle that a draft means. Raises FormatError at the word that is wrong."""
    kind = _joined() if draft.parts else kind_of(draft.rule)
    if kind is None:
        names = sorted([*(kind.name for kind in RULES), *plugin_names("rules")])
        raise FormatError.at(draft.rule, f"rule: expected one of {', '.join(names)}, found {str(draft.rule)!r}")
    try:
        checks.check_closed(draft, kind.sentences)
        if not draft.parts:
            checks.check_keys(draft, kind.keys)
        draft = with_blanks(draft, kind.blanks)
        puzzle = common.dressed(draft, kind.build(draft, name))
    except InputError as error:
        raise checks.placed(error, draft) from None
    return replace(puzzle, diagnostics=(*puzzle.diagnostics, *doubts.doubts(draft, puzzle)))


def _joined() -> RuleKind:
    """Return the kind of drafts with several rules."""
    from . import several  # few files have several

    return several.kind(kind_of)
