"""Listed moves as they are written: cycles of cells, and cells whose symbols change."""

from __future__ import annotations

from ..errors import FormatError, Word
from .draft import ListedMove
from .words import did_you_mean, part, shown, words


def listed_move(name: Word, rest: Word) -> ListedMove:
    """Return the move of `(a b c)(d e) ~a`, `flip a b c` or `reverse a b c`."""
    head, *cells = words(rest)
    if head in ("flip", "reverse"):
        if not cells:
            raise FormatError.at(head, f"expected cells after {head}, found none")
        return ListedMove(name, str(head), (tuple(cells),))  # pyright: ignore[reportArgumentType]
    if head[0] not in "(~":
        raise FormatError.at(head, f"expected cycles '(a b c)', '~a', flip or reverse, found {shown(head)}",
                             did_you_mean(head, ("flip", "reverse")))  # fmt: skip
    return _cycles(name, words(rest, r"[()]|~?[^\s()~]+|~"))


def _cycles(name: Word, tokens: list[Word]) -> ListedMove:
    """Return the move of `(a b c)(d e) ~a ~b`: cycles first, then the cells whose symbols change."""
    cycles: list[tuple[Word, ...]] = []
    swaps: list[Word] = []
    opened: Word | None = None
    cycle: list[Word] = []
    for token in tokens:
        if opened is not None:
            if token == ")":
                cycles.append(_cycle(opened, cycle))
                opened = None
            elif token in "(~" or token[0] == "~":
                raise FormatError.at(token, f"expected a cell or ')', found {shown(token)}")
            else:
                cycle.append(token)
        elif token == "(" and not swaps:
            opened, cycle = token, []
        elif token[0] == "~" and len(token) > 1:
            swaps.append(part(token, 1))
        else:
            wanted = "'~' and a cell (cycles come first)" if swaps else "'(' or '~' and a cell"
            raise FormatError.at(token, f"expected {wanted}, found {shown(token)}")
    if opened is not None:
        raise FormatError.at(opened, "expected ')' to close this '(', found the end of the row")
    return ListedMove(name, "cycles", tuple(cycles), tuple(swaps))


def _cycle(opened: Word, cells: list[Word]) -> tuple[Word, ...]:
    if len(cells) < 2:
        raise FormatError.at(opened, f"expected two or more cells in a cycle, found {len(cells)}")
    return tuple(cells)
