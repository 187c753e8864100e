"""The words of a file of changes: its symbols, kinds, places, cells beside the board, numbers and weights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...errors import FormatError, Word
from ...puzzle.board import Board
from ...puzzle.draft import BLANK, NOTHING, WILD, Draft, Drawing
from ...puzzle.fitting import fit
from ...puzzle.ground import CORNER, NONE, Floor, ground_of
from ...puzzle.words import nearest, part, shown, stripped, words
from .. import common
from .computed import is_computed
from .rows import BODY, NEXT_ROW, PLACED, MoveRow, rows_of
from .scope import ANY, INDEXED, Scope

EDGE, STOP, MANY = "edge", "stop", "..."
OWN_WORDS = (ANY, WILD, EDGE, STOP, NEXT_ROW, MANY)
"""Words of patterns that are neither symbols nor kinds."""

NUMBER = re.compile("[0-9]{1,4}")
SIGNS = ("+", "-")


@dataclass
class Declared:
    """What the keys beside `moves:` say, before the symbols are known.

    kinds    (name, members) in the order of the file; `not` may be the first member
    also     the cells that are not on the board, each with what it shows at the start
    ranges   the least and the greatest number of cells with numbers
    weights  the weight of cells
    """

    board: Board
    kinds: dict[Word, list[Word]]
    places: dict[str, tuple[int, ...]]
    also: dict[Word, Word]
    ranges: dict[int, tuple[int, int]]
    weights: dict[int, int]
    floor: Floor
    shown: set[str]

    def cell(self, word: str) -> int | None:
        """Return the cell of a name, or None."""
        for number, name in enumerate(self.also):
            if name == word:
                return self.board.cells + number
        return self.board.cell(word)

    def name(self, cell: int) -> str:
        """Return the name of a cell, also of one that is not on the board."""
        return (*self.board.names, *map(str, self.also))[cell]

    def place(self, word: str) -> tuple[int, ...] | None:
        """Return the cells of a name of a cell or of a place, or None."""
        cell = self.cell(word)
        return self.places.get(str(word)) if cell is None else (cell,)

    def named(self, word: str) -> bool:
        """Return whether a word is the name of a cell or place, perhaps with a number, and no symbol."""
        if word in self.shown:
            return False
        return self.place(word) is not None or self.indexed_place(word) is not None

    def indexed_place(self, word: str) -> str | None:
        """Return the place of a word such as `person1`, or None."""
        match = INDEXED.fullmatch(word)
        return match[1] if match is not None and match[1] in self.places and self.cell(word) is None else None


def declared(draft: Draft, board: Board, texts: common.Texts, stopping: bool = False) -> Declared:
    """Return what the keys of a draft beside its moves say. Raises FormatError.

    stopping  whether the ground may have stop cells and deflectors
    """
    found = Declared(board, {}, {}, {}, {}, {}, NONE, set(texts.words))
    found.shown.update(symbol for cycle in draft.swap for symbol in cycle)
    for name, value in _pairs(draft, "also", "turn = white"):
        if board.cell(name) is not None or name in found.also:
            raise FormatError.at(name, f"also: expected a name that no cell has, found {shown(name)}")
        found.also[name] = _one(value, "also")
        found.shown.add(value)
    _kinds(draft, found)
    _ground(draft, found, stopping)
    _places(draft, found)
    _numbers(draft, found)
    for name, value in _pairs(draft, "weights", "anna 5"):
        for cell in _cells(found, name, "weights"):
            found.weights[cell] = _number(_one(value, "weights"), "weights")
    found.shown.update(str(number) for low, high in found.ranges.values() for number in range(low, high + 1))
    return found


def _items(draft: Draft, key: str) -> Iterator[Word]:
    """Yield what stands between the commas of the rows of a key."""
    for row in draft.changes.get(key, ()):
        row = row if isinstance(row, Word) else Word(row)
        for item in words(row, "[^,]+"):
            if not item.strip():
                raise FormatError.at(item, f"{key}: expected something between commas, found none")
            yield stripped(item)


def _pairs(draft: Draft, key: str, form: str) -> Iterator[tuple[Word, Word]]:
    """Yield the name and the value of each item, with or without '=' between them."""
    for item in _items(draft, key):
        match = re.fullmatch(r"(\S+?)(?:\s*=\s*|\s+)(\S.*)", item)
        if match is None:
            raise FormatError.at(item, f"{key}: expected a name and a value such as '{form}', found {shown(item)}")
        yield part(item, *match.span(1)), part(item, *match.span(2))


def _one(value: Word, key: str) -> Word:
    found = words(value)
    if len(found) > 1:
        raise FormatError.at(found[1], f"{key}: expected ',' or the end of the row, found {shown(found[1])}")
    return value


def _number(word: Word, key: str) -> int:
    if not NUMBER.fullmatch(word):
        raise FormatError.at(word, f"{key}: expected a whole number up to 9999, found {shown(word)}")
    return int(word)


def _named_rows(draft: Draft, key: str, form: str) -> Iterator[tuple[Word, list[Word]]]:
    """Yield the name and the words of each row `name = words`."""
    for row in draft.changes.get(key, ()):
        row = row if isinstance(row, Word) else Word(row)
        name, *rest = words(row, r"=|[^\s=,]+" if "=" in row else r"[^\s,]+")
        if len(rest) < 2 or rest[0] != "=":
            raise FormatError.at(row, f"{key}: expected a row such as '{form}', found {shown(row)}")
        yield name, rest[1:]


def _kinds(draft: Draft, found: Declared) -> None:
    for name, members in _named_rows(draft, "kinds", "crate = A B"):
        if name in found.kinds or name in OWN_WORDS or name == "not":
            raise FormatError.at(name, f"kinds: expected a new name of a kind, found {shown(name)}")
        if members == ["not"]:
            raise FormatError.at(members[0], "kinds: expected symbols after 'not', found none")
        found.kinds[name] = members
    names = set(found.kinds)
    for members in found.kinds.values():
        found.shown.update(str(word) for word in members if word not in names and word not in ("not", ANY))
    for name in found.kinds:
        if name in found.shown:
            raise FormatError.at(name, f"kinds: expected a name that no symbol has, found {shown(name)}")


def _ground(draft: Draft, found: Declared, stopping: bool) -> None:
    """Read the drawing of what lies under the pieces: walls between cells, or letters, which are places."""
    if not draft.ground:
        return
    if draft.ground[0].startswith(CORNER):
        found.floor = ground_of(found.board, draft.ground)
        if not stopping and (found.floor.stops or found.floor.deflectors):
            raise FormatError.at(
                draft.ground[0], "ground: expected walls between cells only, found stop cells or deflectors",
                "a ground without borders may have letters, which sentences name",
            )  # fmt: skip
        return
    rows = [row if isinstance(row, Word) else Word(row) for row in draft.ground]
    spaced = any(len(row.split()) > 1 for row in rows)
    drawn = tuple(tuple(words(row, r"\S+" if spaced else r"\S")) for row in rows)
    open_rows = _without_walls(found.board, drawn)
    places: dict[str, list[int]] = {}
    for cell, word in enumerate(fit(found.board, Drawing(open_rows, spaced))):
        if word != BLANK:
            places.setdefault(str(word), []).append(cell)
    found.places.update({name: tuple(cells) for name, cells in places.items()})
    found.floor = Floor(letters={cell: name for name, cells in places.items() for cell in cells})


def _without_walls(board: Board, rows: tuple[tuple[Word, ...], ...]) -> tuple[tuple[Word, ...], ...]:
    """Return a drawing with '#' in places without a cell, where it may have '.', too. Raises FormatError."""
    if not board.grid or len(rows) != len(board.rows):
        return rows
    return tuple(
        tuple(
            _no_cell(word) if x < len(cells) and cells[x] is None else word for x, word in enumerate(row)
        )
        for row, cells in zip(rows, board.rows, strict=True)
    )  # fmt: skip


def _no_cell(word: Word) -> Word:
    if word not in (BLANK, NOTHING):
        raise FormatError.at(
            word, f"ground: expected {BLANK} or {NOTHING} (there is no cell here), found {shown(word)}"
        )
    return Word(NOTHING, word.line, word.column)


def _places(draft: Draft, found: Declared) -> None:
    for name, members in _named_rows(draft, "places", "bank = a1 a2 a3"):
        if found.place(name) is not None or name in OWN_WORDS:
            raise FormatError.at(name, f"places: expected a name that no cell and no place has, found {shown(name)}")
        found.places[str(name)] = _members(found, name, members)


def _members(found: Declared, name: Word, members: Sequence[Word]) -> tuple[int, ...]:
    """Return the cells of a place; after 'not' all cells of the board but these. Raises FormatError."""
    negated = members[0] == "not" and found.place("not") is None
    named = dict.fromkeys(cell for word in members[negated:] for cell in _cells(found, word, "places"))
    if not negated:
        return tuple(named)
    others = tuple(cell for cell in range(found.board.cells) if cell not in named)
    if not named or not others:
        raise FormatError.at(name, f"places: expected cells after 'not', and others, for {shown(name)}, found none")
    return others


def _cells(found: Declared, word: Word, key: str) -> tuple[int, ...]:
    """Return the cells of a name. Raises FormatError if it is neither a cell nor a place."""
    cells = found.place(word)
    if cells is None:
        known = (*found.board.names, *map(str, found.also), *found.places)
        hint = nearest(word, known) if len(known) <= 40 else ""
        raise FormatError.at(word, f"{key}: expected a cell or a place, found {shown(word)}", hint)
    return cells


def _numbers(draft: Draft, found: Declared) -> None:
    for name, value in _pairs(draft, "numbers", "big 0-8"):
        match = re.fullmatch(r"([0-9]{1,4})\s*-\s*([0-9]{1,4})", value)
        if match is None or int(match[1]) > int(match[2]):
            raise FormatError.at(value, f"numbers: expected a range such as 0-8, found {shown(value)}")
        every = name == "all" and found.place(name) is None
        for cell in range(found.board.cells) if every else _cells(found, name, "numbers"):
            found.ranges[cell] = int(match[1]), int(match[2])


def check_numbers(found: Declared, texts: common.Texts) -> None:
    """Raise FormatError if a drawing, or a cell beside the board, shows a number out of its range."""
    drawings = [drawn for drawn in (texts.start, *texts.goals) if drawn is not None]
    for shown_words in (*((*drawn, *found.also.values()) for drawn in drawings[:1]), *drawings[1:]):
        for cell, word in enumerate(shown_words):
            low, high = found.ranges.get(cell, (0, -1))
            if low <= high and word != WILD and not (NUMBER.fullmatch(word) and low <= int(word) <= high):
                raise FormatError.at(word, f"expected a number from {low} to {high} here, found {shown(word)}")


def moves_of(draft: Draft, key: str, found: Declared) -> list[tuple[MoveRow, ...]]:
    """Return the rows of `moves:` or `after:`, each with the moves that it has."""
    return rows_of(draft.changes.get(key, ()), found.named, found.shown, by_itself=key == "after")


def scope_of(found: Declared, rows: Sequence[MoveRow], start: Sequence[str] | None, vacant: str = "") -> Scope:
    """Return what words mean, with the symbols that the rows add. Raises FormatError at a word without a meaning.

    vacant  the letter of cells that count as blank, too; '' if there is none
    """
    _add_symbols(found, rows)
    letters = tuple(sorted(map(str, found.shown), key=common.natural))
    common.check_number(len(letters))
    places = dict(found.places)
    also = {str(name): found.board.cells + number for number, name in enumerate(found.also)}
    values = [int(letter) if NUMBER.fullmatch(letter) else None for letter in letters]
    ranges = {
        cell: sum([1 << symbol for symbol, value in enumerate(values) if value is not None and low <= value <= high])
        for cell, (low, high) in found.ranges.items()
    }
    open_cells = 1 << letters.index(vacant) if vacant else 0
    scope = Scope(found.board, letters, {}, places, also, values, floor=found.floor, ranges=ranges, vacant=open_cells)
    if start is not None:
        begin = bytes(letters.index(str(word)) for word in (*start, *found.also.values()))
        scope = replace(scope, start=begin)
    return replace(scope, kinds=_needs(found.kinds, scope), orders=_orders(found.kinds, letters))


def _add_symbols(found: Declared, rows: Sequence[MoveRow]) -> None:
    """Add the symbols that only moves have: those after an arrow, and single characters.

    Other words that are unknown are errors: typing errors of kinds, more often than symbols.
    """
    made = {str(word) for row in rows for after in row.after for word in _symbols(found, after)}
    for row in rows:
        for before in row.before:
            for word in _symbols(found, before):
                if word not in found.shown and word not in made and len(word) > 1:
                    raise _unknown(word, found)
                made.add(str(word))
    if any(bare_of(word, found.shown) in ("", MANY) or word == MANY for row in rows for word in row.words):
        made.add(BLANK)
    found.shown |= made
    if found.ranges:
        _check_zeros(found, [word for row in rows for word in row.words])


def _check_zeros(found: Declared, words: Sequence[Word]) -> None:
    """Raise FormatError if a number has a zero before it: it would be another symbol of the same value."""
    for word in (*words, *found.shown):
        if word in found.shown and len(word) > 1 and NUMBER.fullmatch(word) and word[0] == "0":
            raise FormatError.at(word, f"expected a number without a zero before it, found {shown(word)}")


def _unknown(word: Word, found: Declared) -> FormatError:
    """Return the error that a word of a pattern is neither a symbol nor a kind."""
    dotted = re.fullmatch(r"(.+)\[([^\[\]]+)\]", word)
    known = sorted({*found.shown, *map(str, found.kinds), *OWN_WORDS} - {NEXT_ROW})
    hint = nearest(word, known)
    if dotted is not None:
        hint = f"the place is behind the dots: '{dotted[1].removesuffix(BLANK)}{MANY}[{dotted[2]}]'"
    return FormatError.at(
        word, f"expected a symbol, a kind, or one of {', '.join(OWN_WORDS[:-2])}, found {shown(word)}", hint
    )


def _symbols(found: Declared, words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words of a pattern that can only be symbols; a sum has none."""
    kinds = (*found.kinds, ANY)

    def kind(word: str) -> bool:
        match = INDEXED.fullmatch(word)
        return word in kinds or (match is not None and match[1] in kinds)

    if any(word in SIGNS and word not in found.shown for word in words):
        return
    for word in words:
        if word not in found.shown and BODY.fullmatch(word):
            word = part(word, 1, len(word) - 1)
        bare = bare_of(word, found.shown)
        if bare == NOTHING:
            raise FormatError.at(
                word, f"expected what a cell shows, found {NOTHING!r}, a place without a cell",
                f"'{EDGE}' is where the line ends, also before a {NOTHING!r}",
            )  # fmt: skip
        other = bare in ("", *OWN_WORDS) or kind(bare) or found.named(word) or is_computed(bare, kind)
        if bare in found.shown or not other:
            yield part(word, 0, len(bare))


def bare_of(word: str, symbols: set[str] | Sequence[str]) -> str:
    """Return a word without its place and its dots: 'car' of `car...[bank]`."""
    if word in symbols:
        return str(word)
    match = PLACED.fullmatch(word)
    bare = match[1] if match is not None else str(word)
    return bare.removesuffix(MANY) if bare not in symbols else bare


def _needs(kinds: Mapping[Word, Sequence[Word]], scope: Scope) -> dict[str, int]:
    """Return the symbols of each kind. Raises FormatError if a kind is made of itself."""
    found = {ANY: scope.every & ~scope.blank}
    names = {str(name): members for name, members in kinds.items()}

    def need(name: Word, above: tuple[str, ...]) -> int:
        if name in above:
            raise FormatError.at(name, f"kinds: expected a kind that is not made of itself, found {shown(name)}")
        if str(name) not in found:
            members = names[str(name)]
            union = 0
            for word in members[members[0] == "not" :]:
                union |= (
                    need(word, (*above, str(name))) if str(word) in names else scope.need(word) or found.get(word, 0)
                )
            found[str(name)] = scope.every & ~union if members[0] == "not" else union
        return found[str(name)]

    for name in kinds:
        if not need(name, ()):
            raise FormatError.at(name, f"kinds: expected a kind with a symbol, found {shown(name)} without one")
    return found


def _orders(kinds: Mapping[Word, Sequence[Word]], letters: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return the symbols of each kind in their order, kinds within it in theirs; not those with 'not' or `any`."""
    names = {str(name): members for name, members in kinds.items()}

    def order(name: str) -> tuple[int, ...] | None:
        if name not in names:
            return (letters.index(name),) if name in letters else None
        parts = [order(str(word)) for word in names[name]]
        return None if None in parts else tuple(dict.fromkeys(s for each in parts for s in each or ()))

    found = {name: order(name) for name in names}
    return {name: each for name, each in found.items() if each is not None}
