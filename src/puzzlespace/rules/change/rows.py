"""Rows of changes, taken apart into their words: name, before, after, directions, condition, cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from ...errors import FormatError, Word
from ...puzzle.draft import ListedMove
from ...puzzle.listed import listed_move
from ...puzzle.words import did_you_mean, part, shown, stripped, words

ONE_WAY, BOTH_WAYS = "->", "<->"
GRID_WAYS = (
    "right", "left", "up", "down", "up-right", "down-right", "down-left", "up-left",
    "row", "column", "straight", "diagonal", "around", "knight",
)  # fmt: skip
LINE, ALONG, PATH = "line", "along", "path"
DIRECTIONS = (*GRID_WAYS, LINE, ALONG, PATH)
TOWARDS, FACING = "towards", "facing"
NEXT_ROW = "/"

OTHER_NAMES = {
    "horizontal": "row", "horizontally": "row", "sideways": "row", "vertical": "column", "vertically": "column",
    "orthogonal": "straight", "orthogonally": "straight", "diagonally": "diagonal", "north": "up", "south": "down",
    "east": "right", "west": "left", "any": "around",
}  # fmt: skip
"""Words for directions in other languages of this kind, each with ours."""

PLACED = re.compile(r"(.+)\[([^\[\]]+)\]")
"""A word on a place: `@[x]`."""

BODY = re.compile(r"\{([^{}]+)\}")
"""All cells that show a symbol, as one body: `{A}`."""

Words = tuple[Word, ...]
Named = Callable[[str], bool]


@dataclass(frozen=True)
class MoveRow:
    """One row of `moves:` or `after:`.

    place      where errors about the whole row are shown
    before     the words of each pattern, in the order of the row
    after      the words of each pattern, as many as before
    ways       the directions
    towards    a symbol, kind, place or cell that must lie ahead
    facing     a cell that shows the direction
    condition  the sentence after `if`
    cost       the words after `cost`
    once       whether it is made at most once after each move
    again      whether the same piece may go on by such a row within the same move
    turned     whether it is the second sense of a row with `<->`
    pour       the names after `pour` and `into`
    listed     a move as `rule: apply` has them
    """

    place: Word
    name: str = ""
    before: tuple[Words, ...] = ()
    after: tuple[Words, ...] = ()
    ways: Words = ()
    towards: Word | None = None
    facing: Word | None = None
    condition: Word | None = None
    cost: Word | None = None
    once: bool = False
    again: bool = False
    turned: bool = False
    pour: tuple[Word, Word] | None = None
    listed: ListedMove | None = None

    @property
    def words(self) -> tuple[Word, ...]:
        """All words of the patterns."""
        return tuple(word for words in (*self.before, *self.after) for word in words)


def rows_of(
    texts: Sequence[str], named: Named, symbols: Collection[str], *, by_itself: bool = False
) -> list[tuple[MoveRow, ...]]:
    """Return for each row under a key its moves: two of a row with `<->`.

    named      whether a word is the name of a cell or a place, with which patterns of named cells begin
    symbols    the symbols of drawings and keys
    by_itself  whether the rows are those of `after:`
    """
    found = [text if isinstance(text, Word) else Word(text) for text in texts]
    return [_moves(text, named, symbols, by_itself) for text in found]


def _moves(text: Word, named: Named, symbols: Collection[str], by_itself: bool) -> tuple[MoveRow, ...]:
    name, rest = _name(text)
    found = words(rest, r"[^\s,]+|,")
    if ":" in name:
        raise FormatError.at(text, f"expected a name without ':', found {shown(name)}")
    _check_words(text, found, symbols)
    if not found:
        raise FormatError.at(text, f"expected a move after {shown(text)}, found none")
    row = MoveRow(found[0], str(name))
    found, row = _ending(rest, found, row, by_itself)
    if not found:
        raise FormatError.at(row.place, "expected a pattern before this, found none")
    arrows = [at for at, word in enumerate(found) if word in (ONE_WAY, BOTH_WAYS)]
    if not arrows:
        return (_without_arrow(rest, found, row),)
    if len(arrows) > 1:
        raise FormatError.at(found[arrows[1]], f"expected one arrow in a row, found {shown(found[arrows[1]])} again")
    arrow = found[arrows[0]]
    if by_itself and arrow == BOTH_WAYS:
        raise FormatError.at(arrow, f"expected '{ONE_WAY}' in what happens by itself, found {arrow!r}")
    before, after = found[: arrows[0]], found[arrows[0] + 1 :]
    for side, where in ((before, "before"), (after, "after")):
        if not side:
            raise FormatError.at(arrow, f"expected a pattern {where} the arrow, found none")
    parts = _patterns(before)
    after, row = _steered(after, arrow, row, symbols)
    after, ways = _directions(parts, after, named, symbols)
    if row.facing is not None and ways:
        raise FormatError.at(ways[0], f"expected no direction beside '{FACING}', found {shown(ways[0])}")
    row = replace(row, before=parts, after=_patterns(after), ways=tuple(ways))
    if len(row.after) != len(parts):
        raise FormatError.at(
            arrow, f"expected {len(parts)} patterns after the arrow, as before it, found {len(row.after)}",
            "patterns are separated by commas",
        )  # fmt: skip
    if arrow == ONE_WAY:
        return (row,)
    turned = [_turned(b, a, named, arrow) for b, a in zip(row.before, row.after, strict=True)]
    return row, replace(row, before=tuple(b for b, _ in turned), after=tuple(a for _, a in turned), turned=True)


def _turned(before: Words, after: Words, named: Named, arrow: Word) -> tuple[Words, Words]:
    """Return a pattern with what is before and after exchanged; names and places stay where they are."""
    if named(before[0]):
        names = tuple(word for word in before if named(word))
        if len(names) == len(before) or len(after) > 1:
            raise FormatError.at(
                arrow, f"expected '{ONE_WAY}', or what the cells show before and after, found {arrow!r}"
            )
        return (*names, *after), before[len(names) :]
    there, back = list(after), list(before)
    for at, word in enumerate(before[: len(after)]):
        match = PLACED.fullmatch(word)
        if match is not None:
            back[at] = part(word, 0, match.end(1))
            there[at] = Word(f"{after[at]}[{match[2]}]", word.line, word.column)
    return tuple(there), tuple(back)


def _name(text: Word) -> tuple[str, Word]:
    """Return the name of a row, which may be empty, and the rest of the row."""
    head = words(text)[0]
    if head.endswith(":") and len(head) > 1:
        return head[:-1], stripped(part(text, len(head)))
    colon = text.find(":")
    rest = words(text)
    if colon > 0 and len(rest) > 1 and rest[1] == ":":
        return head, stripped(part(text, colon + 1))
    return "", text


def _check_words(text: Word, found: Sequence[Word], symbols: Collection[str]) -> None:
    """Raise FormatError if a name before a colon, or a place in brackets, has several words."""
    for word in found:
        if word in (ONE_WAY, BOTH_WAYS, "if"):
            break
        if word.endswith(":") and word not in symbols:
            name = stripped(part(text, 0, word.column + len(word) - 1 - text.column))
            raise FormatError.at(
                text,
                f"expected a name of one word before ':', found {shown(name)}",
                f"write '{'_'.join(name.replace(':', ' ').split())}:'",
            )
        if word.count("[") > word.count("]") and word not in symbols:
            raise FormatError.at(
                word, f"expected a place of one word in brackets, found {shown(word)}",
                "'places:' gives several cells a name: 'floor = not hole'",
            )  # fmt: skip


def _ending(rest: Word, found: list[Word], row: MoveRow, by_itself: bool) -> tuple[list[Word], MoveRow]:
    """Return the words before `if`, `cost`, `once` and `again`, and the row with what these say."""
    last = "once" if by_itself else "again"
    if found[-1] == last:
        found, row = found[:-1], replace(row, once=by_itself, again=not by_itself)
    end = found[-1].column + len(found[-1]) if found else 0
    costs = [at for at, word in enumerate(found) if word == "cost"]
    if costs and costs[-1] == len(found) - 2:
        if by_itself:
            raise FormatError.at(found[-2], "expected no cost of what happens by itself, found one")
        row = replace(row, cost=found[-1])
        found = found[:-2]
        end = found[-1].column + len(found[-1]) if found else 0
    ifs = [at for at, word in enumerate(found) if word == "if"]
    if ifs:
        word = found[ifs[0]]
        if ifs[0] == len(found) - 1:
            raise FormatError.at(word, "expected a sentence after 'if', found none")
        begin = found[ifs[0] + 1].column - rest.column
        row = replace(row, condition=part(rest, begin, end - rest.column))
        found = found[: ifs[0]]
    return found, row


def _without_arrow(rest: Word, found: list[Word], row: MoveRow) -> MoveRow:
    """Return a row without an arrow: one that pours, or a listed move."""
    if found[0] == "pour":
        if len(found) != 4 or found[2] != "into":
            raise FormatError.at(found[0], "expected 'pour CELL into CELL', found another form")
        return replace(row, pour=(found[1], found[3]))
    if found[0] in ("flip", "reverse") or found[0][0] in "(~":
        text = part(rest, 0, found[-1].column + len(found[-1]) - rest.column)
        name = Word(row.name or text, row.place.line, row.place.column)
        return replace(row, name=str(name), listed=listed_move(name, text))
    raise FormatError.at(
        found[0], f"expected '{ONE_WAY}' or '{BOTH_WAYS}' between what is before and what is after, found none",
        did_you_mean(found[0], ("pour", "flip", "reverse")),
    )  # fmt: skip


def _patterns(found: Sequence[Word]) -> tuple[Words, ...]:
    """Return the words between commas."""
    parts: list[list[Word]] = [[]]
    for word in found:
        if word != ",":
            parts[-1].append(word)
            continue
        if not parts[-1]:
            raise FormatError.at(word, "expected a pattern before ',', found none")
        parts.append([])
    if not parts[-1]:
        raise FormatError.at(found[-1], "expected a pattern after ',', found none")
    return tuple(map(tuple, parts))


def _steered(after: list[Word], arrow: Word, row: MoveRow, symbols: Collection[str]) -> tuple[list[Word], MoveRow]:
    """Return the words before `towards` and `facing`, and the row with what these say."""
    while len(after) > 2 and after[-2] in (TOWARDS, FACING) and after[-2] not in symbols:
        word, said = after[-2:]
        if (row.towards if word == TOWARDS else row.facing) is not None:
            raise FormatError.at(word, f"expected {word!r} once in a row, found it again")
        if word == TOWARDS and arrow == BOTH_WAYS:
            raise FormatError.at(arrow, f"expected '{ONE_WAY}' beside '{TOWARDS}', found {arrow!r}")
        row = replace(row, towards=said) if word == TOWARDS else replace(row, facing=said)
        after = after[:-2]
    if after[-1] in (TOWARDS, FACING) and after[-1] not in symbols:
        expected = "a symbol, a kind, a place or a cell" if after[-1] == TOWARDS else "a cell that shows a direction"
        raise FormatError.at(after[-1], f"expected {expected} after {after[-1]!r}, found none")
    return after, row


def _directions(
    parts: Sequence[Words], after: list[Word], named: Named, symbols: Collection[str]
) -> tuple[list[Word], list[Word]]:
    """Return the words of the patterns after the arrow, and the directions at the end.

    The last pattern takes as many words as it has before the arrow, also if these are words for directions.
    """
    begin = max((at + 1 for at, word in enumerate(after) if word == ","), default=0)
    wanted = 1 if named(parts[-1][0]) else len(parts[-1])
    end = len(after)
    while end > begin + wanted and after[end - 1] in DIRECTIONS:
        end -= 1
    if not named(parts[-1][0]) and end > begin + wanted and len(parts) == 1 + after.count(Word(",")):
        word = next(word for word in after[begin + wanted :] if word not in DIRECTIONS)
        raise FormatError.at(
            word, f"expected a direction ({', '.join(DIRECTIONS)}) after {wanted} words as before the arrow, "
            f"found {shown(word)}", _called_here(word),
        )  # fmt: skip
    ways = [word for word in after[begin:end] if word in DIRECTIONS and word not in symbols]
    if ways and not named(parts[-1][0]):
        raise FormatError.at(
            ways[0],
            f"expected {wanted} words after the arrow as before it, and then a direction, "
            f"found {end - begin - len(ways)} before {shown(ways[0])}",
        )
    return after[:end], after[end:]


def _called_here(word: str) -> str:
    """Return a hint that names the direction that may be meant; '' without one."""
    ours = OTHER_NAMES.get(word.lower())
    return f"did you mean '{ours}'?" if ours else did_you_mean(word, DIRECTIONS)
