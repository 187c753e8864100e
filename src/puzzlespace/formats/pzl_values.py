"""Values with a grammar of their own: numbers, links, moves, swaps, pictures, known numbers."""

from __future__ import annotations

import re

from ..errors import FormatError, Word
from ..puzzle.draft import Known, ListedMove, Look, OpenPieces
from ..puzzle.listed import listed_move
from ..puzzle.words import did_you_mean, nearest, part, shown, stripped, words
from ..rules import counted, counts
from .pzl_rows import Entry, Row
from .pzl_words import COLOURS

KNOWN = ("states", "depth", "hardest", "solution", "solutions")
LOOKS = ("colour", "mark", "glyph", "name")
COLOUR = re.compile("[A-Za-z]{1,30}|#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}")


def number(word: Word) -> int:
    """Return a whole number of at most 18 digits."""
    if not re.fullmatch("[0-9]{1,18}", word):
        raise FormatError.at(word, f"expected a whole number, found {shown(word)}")
    return int(word)


def named(row: Word, what: str, form: str) -> tuple[Word, Word]:
    """Return the one word before the first colon of a row and the text after it."""
    colon = row.find(":", 1)
    name = stripped(part(row, 0, max(colon, 0)))
    if colon < 0 or len(name.split()) != 1:
        found = name if name else row
        raise FormatError.at(row, f"expected {what} in one word and ':', as in '{form}', found {shown(found)}")
    rest = stripped(part(row, colon + 1))
    if not rest:
        raise FormatError.at(name, f"expected a value after '{name}:', as in '{form}', found none")
    return name, rest


def links(entry: Entry) -> tuple[tuple[Word, tuple[Word, ...]], ...]:
    """Return rows `0: 2 3` as (cell, its neighbours)."""
    pairs = [named(row.text, "a cell", "0: 2 3") for row in entry.rows]
    return tuple((cell, tuple(words(rest))) for cell, rest in pairs)


def moves(entry: Entry) -> tuple[ListedMove, ...]:
    """Return rows `name: (a b c)(d e) ~a`, `name: flip a b c`, `name: reverse a b c`."""
    return tuple(listed_move(*named(row.text, "a move's name", "turn: (a b c)")) for row in entry.rows)


def _items(row: Row) -> list[Word]:
    """Return the items between the commas of a row. Raises FormatError if one is empty."""
    items = [stripped(each) for each in words(row.text, "[^,]+")]
    if row.text.count(",") != len(items) - 1 or not all(items):
        raise FormatError.at(row.text, f"expected something before and after each ',', found {shown(row.text)}")
    return items


def swap(entry: Entry) -> tuple[tuple[Word, ...], ...]:
    """Return `x <-> o` as (x, o) and `a -> b -> c -> a` as (a, b, c): each becomes the next, the last the first."""
    found: list[tuple[Word, ...]] = []
    for item in (item for row in entry.rows for item in _items(row)):
        found.append(_exchange(item) if "<->" in item else _chain(item))
    return tuple(found)


def _split(item: Word, arrow: str) -> list[Word]:
    """Return the symbols between arrows, each one word."""
    bounds = [m.span() for m in re.finditer(re.escape(arrow), item)]
    edges = [0, *(edge for span in bounds for edge in span), len(item)]
    symbols = [stripped(part(item, *span)) for span in zip(edges[::2], edges[1::2], strict=True)]
    for symbol in symbols:
        if len(symbol.split()) != 1 or "->" in symbol:
            raise FormatError.at(item, f"expected 'x <-> o' or 'a -> b -> c -> a', found {shown(item)}")
    return symbols


def _exchange(item: Word) -> tuple[Word, ...]:
    symbols = _split(item, "<->")
    if len(symbols) != 2:
        raise FormatError.at(item, f"expected 'x <-> o' with two symbols, found {shown(item)}")
    return tuple(symbols)


def _chain(item: Word) -> tuple[Word, ...]:
    *symbols, last = _split(item, "->")
    if len(symbols) < 2 or last != symbols[0]:
        raise FormatError.at(item, f"expected a cycle that ends as it begins, 'a -> b -> a', found {shown(item)}")
    return tuple(symbols)


def picture(entry: Entry) -> tuple[Look, ...]:
    """Return rows `B: colour navy, mark dot, glyph ●, name black`."""
    looks: dict[str, Look] = {}
    for row in entry.rows:
        match = re.match(r"(\S+):\s+", row.text)
        if match is None:
            raise FormatError.at(row.text, f"expected 'SYMBOL: colour navy, glyph ●', found {shown(row.text)}")
        head = part(row.text, 0, match.end(1))
        if head in looks:
            raise FormatError.at(head, f"expected each symbol once under picture:, found {shown(head)} again")
        looks[head] = Look(head, **_look(Row(part(row.text, match.end()))))
    return tuple(looks.values())


def _look(row: Row) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in _items(row):
        what = words(item)[0]
        value = stripped(part(item, len(what)))
        if what not in LOOKS:
            raise FormatError.at(what, f"expected colour, mark, glyph or name, found {shown(what)}",
                                 nearest(what, LOOKS))  # fmt: skip
        if not value or what in found:
            problem = f"expected {what} once, found it again" if value else f"expected a word after {what}, found none"
            raise FormatError.at(what, problem)
        if what == "colour" and not COLOUR.fullmatch(value):
            raise FormatError.at(value, f"expected a colour's name or #rrggbb, found {shown(value)}")
        if what == "colour" and value[0] != "#" and value.lower() not in COLOURS:
            raise FormatError.at(
                value, f"expected a colour's name or #rrggbb, found {shown(value)}",
                did_you_mean(value, COLOURS) or "the names are those of CSS",
            )  # fmt: skip
        found[str(what)] = str(value)
    return found


def known(entry: Entry) -> tuple[Known, ...]:
    """Return the numbers of rows such as `states 12012, depth 30 ; source`; a row that ends in a comma continues."""
    found: list[Known] = []
    items: list[Word] = []
    sources: list[str] = []
    for count, row in enumerate(entry.rows, 1):
        open_ended = row.text.endswith(",")
        text = stripped(part(row.text, 0, -1 if open_ended else None))
        if not text or (open_ended and count == len(entry.rows)):
            raise FormatError.at(
                part(row.text, len(row.text) - 1), "expected a number before and after ',', found none"
            )
        items += _items(Row(text))
        sources += [row.comment] if row.comment else []
        if not open_ended:
            found += _numbers(items, " ".join(sources))
            items, sources = [], []
    return tuple(found)


def _numbers(items: list[Word], source: str) -> list[Known]:
    """Return the numbers of one list; `from start` applies to all that follow it."""
    found: list[Known] = []
    from_start = False
    for item in items:
        parts = words(item)
        if parts[:2] == ["from", "start"]:
            from_start, parts = True, parts[2:]
        found.append(_number(item, parts, from_start, source))
    return found


def _number(item: Word, parts: list[Word], from_start: bool, source: str) -> Known:
    if parts and parts[0] not in KNOWN:
        raise FormatError.at(parts[0], f"expected one of {', '.join(KNOWN)}, found {shown(parts[0])}",
                             nearest(parts[0], KNOWN))  # fmt: skip
    if len(parts) not in (2, 4) or (len(parts) == 4 and parts[2] != "in"):
        raise FormatError.at(item, f"expected 'depth 30' or 'solution 90 in run', found {shown(item)}")
    metrics = counts()
    if len(parts) == 4 and not counted(parts[3]):
        wanted = f"{', '.join(metrics[:-1])} or {metrics[-1]}"
        raise FormatError.at(parts[3], f"expected {wanted}, found {shown(parts[3])}", nearest(parts[3], metrics))
    return Known(parts[0], number(parts[1]), from_start, parts[3] if len(parts) == 4 else "", source)


def pieces(entry: Entry) -> tuple[OpenPieces, ...]:
    """Return rows `A 2x2: 1`, `1x2 | 2x1: 0-5`, `any connected up to 4 cells: any`."""
    return tuple(_open_pieces(row.text) for row in entry.rows)


def _open_pieces(row: Word) -> OpenPieces:
    colon = row.rfind(":")
    head = stripped(part(row, 0, max(colon, 0)))
    if colon < 0 or not head:
        raise FormatError.at(row, f"expected shapes, ':' and a number, as in '1x2 | 2x1: 0-5', found {shown(row)}")
    name, shapes = "", head
    first, *more = words(head)
    if len(first) == 1 and more and more[0] != "|":
        name, shapes = first, part(head, more[0].column - head.column)
    found = tuple(stripped(each) for each in words(shapes, r"[^|]+"))
    if not all(found) or len(found) != shapes.count("|") + 1:
        raise FormatError.at(shapes, f"expected a shape before and after each '|', found {shown(shapes)}")
    joined = tuple(Word(" ".join(each.split()), each.line, each.column) for each in found)
    low, high = _range(stripped(part(row, colon + 1)) or row)
    return OpenPieces(name, joined, low, high)


def blanks(entry: Entry) -> tuple[int, int | None]:
    """Return the range `2 or more` as (2, None)."""
    first, *more = entry.rows
    if more:
        raise FormatError.at(more[0].text, f"expected one number or range after blanks:, found {shown(more[0].text)}")
    return _range(first.text)


def _range(text: Word) -> tuple[int, int | None]:
    """Return the least and the greatest number of '3', '0-5', '2 or more', 'any'. Raises FormatError."""
    if text == "any":
        return 0, None
    match = re.fullmatch(r"([0-9]{1,4})(?:\s*-\s*([0-9]{1,4})|\s+or\s+(more))?", text)
    if match is None:
        raise FormatError.at(text, f"expected a number such as 3, 0-5, '2 or more' or 'any', found {shown(text)}")
    low, high = int(match[1]), None if match[3] else int(match[2] or match[1])
    if high is not None and high < low:
        raise FormatError.at(text, f"expected a range from less to more, found {shown(text)}")
    return low, high
