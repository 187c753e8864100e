"""Blanks of a draft that are written `0` or `_`, as most other programs write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..errors import FormatError
from ..puzzle.diagnostics import Diagnostic
from ..puzzle.draft import BLANK, Draft, Drawing
from ..puzzle.plain import blank_sign, blanked


def with_blanks(draft: Draft, signs: Sequence[str]) -> Draft:
    """Return the draft with `.` for the sign of its blanks if no drawing has a `.`, and a diagnostic that says so.

    signs  the signs that a rule kind reads as blanks
    A sign that another key names is a piece. Without a blank no piece could move, so nothing else can be meant; if
    several of the signs occur, FormatError is raised.
    """
    drawings = [each for each in (draft.start, *draft.goals) if isinstance(each, Drawing)]
    words = [word for drawing in drawings for word in drawing.words]
    used = list(dict.fromkeys(str(word) for word in words if word in signs))
    if not used or draft.pieces or draft.blanks or BLANK in words:
        return draft
    try:
        sign = blank_sign(words, _named(draft), signs)
    except FormatError as error:
        raise FormatError(
            f"expected the blank '{BLANK}', or one sign for it, found both {' and '.join(map(repr, used[:2]))}",
            line=error.line, column=error.column, hint=f"write '{BLANK}' for the blank",
        ) from None  # fmt: skip
    if not sign:
        return draft
    first = next(word for word in words if word == sign)
    count = sum(word == sign for word in drawings[0].words)
    several = "" if count == 1 else f"; these are {count} blanks"
    said = Diagnostic.at(
        first, "blank-sign", f"{sign!r} is read as the blank '{BLANK}', which does not occur{several}",
        severity="note" if count == 1 else "warning",
    )  # fmt: skip
    return replace(
        draft,
        start=_drawn(draft.start, sign) if draft.start is not None else None,
        goals=tuple(_drawn(each, sign) if isinstance(each, Drawing) else each for each in draft.goals),
        diagnostics=(*draft.diagnostics, said),
    )


def _named(draft: Draft) -> set[str]:
    """Return the symbols that keys other than start and goal name."""
    listed: list[Sequence[str]] = [
        each for each in (draft.blocks, draft.apart, draft.fixed, draft.distinct) if not isinstance(each, str)
    ]
    gates = draft.gates.words if draft.gates is not None else ()
    return {*gates, *(look.symbol for look in draft.picture), *(word for words in listed for word in words)}


def _drawn(drawing: Drawing, sign: str) -> Drawing:
    return replace(drawing, rows=tuple(blanked(row, sign) for row in drawing.rows))
