"""Sentences of goals, of `forbid:` and after `if`: from text to data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from ...errors import FormatError, Word
from ...model.sentence import Alike, Connected, Counted, Every, Not, Sentence, Some, needs_of
from ...puzzle.board import Board
from ...puzzle.draft import WILD
from ...puzzle.words import part, shown
from .patterns import fitting
from .rows import DIRECTIONS
from .scope import Scope
from .terms import MOST_DIGITS, QUANTIFIERS, at_most, comparison
from .tokens import COMPARING, SIGNS, Tokens, ambiguous, known_names, names_of, single

MOST_NESTED = 100
"""The most parentheses within each other."""

AMOUNTS = ("at", "exactly", *SIGNS)
"""Words after which the number of a count follows."""

SAME_AS = {"least": ">=", "most": "<=", "exactly": "="}
"""Words of counts, each with the sign that says the same."""


def read(text: Word, scope: Scope) -> Sentence:
    """Return what a sentence says. Raises FormatError."""
    tokens = Tokens(text, scope)
    found = _joined(tokens)
    if tokens.next:
        raise tokens.error("'and', 'or' or the end of the sentence")
    return found


def in_words(text: str) -> str:
    """Return a sentence as descriptions show it."""
    return " ".join(text.split())


def _joined(tokens: Tokens) -> Sentence:
    parts = [_both(tokens)]
    while tokens.passed("or"):
        parts.append(_both(tokens))
    return parts[0] if len(parts) == 1 else Some(tuple(parts))


def _both(tokens: Tokens) -> Sentence:
    parts = [_negated(tokens)]
    while tokens.passed("and"):
        parts.append(_negated(tokens))
    return parts[0] if len(parts) == 1 else Every(tuple(parts))


def _negated(tokens: Tokens) -> Sentence:
    negative = False
    while tokens.begins("not"):
        tokens.take()
        negative = not negative
    found = _enclosed(tokens) if tokens.begins("(") else _simple(tokens)
    return Not(found) if negative else found


def _enclosed(tokens: Tokens) -> Sentence:
    opening = tokens.take()
    if len(tokens.opened) == MOST_NESTED:
        raise FormatError.at(opening, f"expected at most {MOST_NESTED} open parentheses, found another one")
    tokens.opened.append(opening)
    found = _joined(tokens)
    if not tokens.passed(")"):
        if not tokens.next:
            raise FormatError.at(opening, "expected ')' to close this '(', found the end of the sentence")
        raise tokens.error("'and', 'or' or ')'")
    tokens.opened.pop()
    return found


def _simple(tokens: Tokens) -> Sentence:
    """Read a sentence without 'and', 'or', 'not' and parentheses."""
    for keyword, form in FORMS.items():
        if tokens.begins(keyword) and not (keyword == "some" and _compares(tokens)):
            tokens.take()
            return form(tokens)
    word = tokens.next
    named = word and names_of(word, tokens.scope, "cell", "symbol", "kind", "place")
    if not named and word not in (*QUANTIFIERS, *tokens.scope.numbers) and not word.lstrip("-").isdecimal():
        known = (*FORMS, "every", "not", *known_names(tokens.scope, "cell"))
        raise tokens.error("a sentence", known)
    return comparison(tokens)


def _compares(tokens: Tokens) -> bool:
    """Return whether 'some' and two tokens after it begin a comparison, not a sentence about symbols."""
    word, sign, scope = tokens.ahead(1), tokens.ahead(2), tokens.scope
    if sign not in COMPARING:
        return False
    symbols = scope.need(word) is not None and scope.need(sign) is not None
    if symbols and scope.place(word) is not None:
        raise ambiguous(sign, ["a sign of a comparison", *names_of(sign, scope, "symbol", "kind")])
    return not symbols


def _what(tokens: Tokens, ends: Sequence[str]) -> int:
    """Read symbols and kinds."""

    def meaning(word: Word) -> int | None:
        single(word, tokens.scope, "symbol", "kind")
        return tokens.scope.need(word)

    found = 0
    for need in tokens.several(meaning, ("symbol", "kind"), ends):
        found |= need
    return found


def _where(tokens: Tokens, ends: Sequence[str]) -> tuple[int, ...]:
    """Read places and cells; return their cells in order."""

    def meaning(word: Word) -> tuple[int, ...] | None:
        single(word, tokens.scope, "place", "cell")
        return tokens.scope.place(word)

    return tuple(sorted({cell for cells in tokens.several(meaning, ("place", "cell"), ends) for cell in cells}))


def _on(tokens: Tokens, ends: Sequence[str]) -> tuple[int, ...]:
    """Read 'on' and places; without it return all cells of the board."""
    return _where(tokens, ends) if tokens.passed("on") else _board_cells(tokens.scope)


def _board_cells(scope: Scope) -> tuple[int, ...]:
    return tuple(range(scope.board.cells))


def _count(tokens: Tokens) -> Sentence:
    need = _what(tokens, ("on", *AMOUNTS))
    cells = _on(tokens, AMOUNTS)
    sign = tokens.take() if tokens.next in AMOUNTS else None
    if sign is None:
        raise tokens.error("'at least', 'at most', 'exactly' or a sign such as '>='", AMOUNTS)
    if sign == "at":
        sign = tokens.next
        if not (tokens.passed("least") or tokens.passed("most")):
            raise tokens.error("'least' or 'most' after 'at'", ("least", "most"))
    if tokens.begins("count"):
        tokens.take()
        return _counts(SAME_AS.get(sign, sign), (need, cells), _other_count(tokens))
    number = _number(tokens)
    if sign == "!=":
        return Not(Counted(need, cells, number, number))
    low = {"least": number, ">=": number, ">": number + 1, "most": 0, "<=": 0, "<": 0}.get(sign, number)
    high = {"most": number, "<=": number, "<": number - 1, "least": len(cells), ">=": len(cells), ">": len(cells)}
    return Counted(need, cells, low, high.get(sign, number))


Shown = tuple[int, tuple[int, ...]]
"""Symbols, and the cells among which those that show them are counted."""


def _other_count(tokens: Tokens) -> Shown:
    need = _what(tokens, ("on", *tokens.ends))
    return need, _on(tokens, tokens.ends)


def _counts(sign: str, one: Shown, other: Shown) -> Sentence:
    """Return what a sign says about two numbers of cells."""
    if sign in ("<", "<="):
        return _counts(">" if sign == "<" else ">=", other, one)
    if sign == "!=":
        return Not(_counts("=", one, other))
    more, most = int(sign == ">"), len(one[1])
    return Some(
        tuple(
            Every((
                Counted(*one, number + more, number if sign == "=" else most),
                Counted(*other, number if sign == "=" else 0, number),
            ))
            for number in range(min(most - more, len(other[1])) + 1)
        )
    )  # fmt: skip


def _number(tokens: Tokens) -> int:
    word = tokens.next
    if not (word.isascii() and word.isdecimal()) or len(word) > MOST_DIGITS:
        raise tokens.error(f"a number of at most {MOST_DIGITS} digits", hint="'count A > count B' compares two counts")
    return int(tokens.take())


def _all(tokens: Tokens) -> Sentence:
    need = _what(tokens, ("on",))
    tokens.take()
    cells = set(_where(tokens, tokens.ends))
    return _none(tokens.scope, need, (cell for cell in _board_cells(tokens.scope) if cell not in cells))


def _each(tokens: Tokens) -> Sentence:
    cells = _where(tokens, ("shows",))
    tokens.take()
    need = _what(tokens, tokens.ends)
    return needs_of((cell, need) for cell in cells)


def _some(tokens: Tokens) -> Sentence:
    need = _what(tokens, ("on", *tokens.ends))
    return Some(tuple(needs_of([(cell, need)]) for cell in _on(tokens, tokens.ends)))


def _no(tokens: Tokens) -> Sentence:
    need = _what(tokens, ("on", *tokens.ends))
    return _none(tokens.scope, need, _on(tokens, tokens.ends))


def _none(scope: Scope, need: int, cells: Iterable[int]) -> Sentence:
    """Return that none of the cells shows one of the symbols."""
    return needs_of((cell, scope.every & ~need) for cell in cells)


def _only(tokens: Tokens) -> Sentence:
    need = _what(tokens, tokens.ends)
    return needs_of((cell, need) for cell in _board_cells(tokens.scope))


def _see(tokens: Tokens) -> Sentence:

    pattern = list(_until(tokens, (*tokens.ends, *DIRECTIONS)))
    if not pattern:
        raise tokens.error("a pattern")
    directions: list[Word] = []
    while tokens.next in DIRECTIONS:
        directions.append(tokens.take())
    if tokens.next not in tokens.ends:
        raise tokens.error("a direction, 'and', 'or' or the end of the sentence", DIRECTIONS)
    placements = dict.fromkeys(tuple(sorted(needs.items())) for needs in fitting(pattern, directions, tokens.scope))
    return Some(tuple(map(needs_of, placements)))


def _until(tokens: Tokens, ends: Sequence[str]) -> Iterator[Word]:
    while tokens.next not in ends:
        yield tokens.whole()
    named = tokens.next and names_of(tokens.next, tokens.scope, "symbol", "kind", "cell", "place")
    if named:
        raise ambiguous(tokens.next, ["a word of sentences", *named])


def _connected(tokens: Tokens) -> Sentence:
    return Connected(_what(tokens, tokens.ends), _links(tokens.scope.board))


def _links(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return the neighbours of each cell: side by side on a grid, else along the lines."""
    near: list[list[int]] = [[] for _ in range(board.cells)]
    if board.grid:
        at = {place: cell for cell, place in enumerate(board.places)}
        for (x, y), cell in at.items():
            around = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
            near[cell] += [at[place] for place in around if place in at]
    else:
        for cell, other in board.directions:
            near[cell].append(other)
    return tuple(map(tuple, near))


def _lines(lines_of: Callable[[Scope], Iterable[Sequence[int]]], *forms: str) -> Callable[[Tokens], Sentence]:
    """Return the reader of what is said of rows, columns or the board, after this word."""

    def form(tokens: Tokens) -> Sentence:
        word = tokens.next
        if word not in forms:
            raise tokens.error(" or ".join(map(repr, forms)), forms)
        tokens.take()
        lines = lines_of(tokens.scope)
        if word == "alike":
            parts: list[Sentence] = [Alike(tuple(line)) for line in lines]
        else:
            parts = [at_most(word, *pair, tokens.scope) for line in lines for pair in pairwise(line)]
        return parts[0] if len(parts) == 1 else Every(tuple(parts))

    return form


def _rows(scope: Scope) -> list[list[int]]:
    return [[cell for cell in row if cell is not None] for row in scope.board.rows]


def _columns(scope: Scope) -> list[list[int]]:
    """Return the cells that are drawn one below another."""
    found: dict[int, list[int]] = {}
    board = scope.board
    for y, row in enumerate(board.rows):
        for x, cell in enumerate(row):
            if cell is not None:
                found.setdefault(board.columns[y][x] if board.columns else x, []).append(cell)
    return list(found.values())


def _start(tokens: Tokens) -> Sentence:
    start = tokens.scope.start
    if start is None:
        raise FormatError.at(tokens.last, "expected a puzzle with a start for the sentence 'start', found none")
    return needs_of((cell, 1 << symbol) for cell, symbol in enumerate(start))


def _board(tokens: Tokens) -> Sentence:
    """Read 'alike', or 'one of' and positions without spaces, a symbol for each cell."""
    if not tokens.passed("one"):
        return _lines(lambda scope: [_board_cells(scope)], "alike")(tokens)
    if not tokens.passed("of"):
        raise tokens.error("'of' after 'one'", ("of",))
    found: list[Sentence] = []
    while not found or tokens.next not in tokens.ends:
        word, scope = tokens.whole(), tokens.scope
        if len(word) != scope.board.cells:
            raise FormatError.at(word, f"expected {scope.board.cells} symbols without spaces, found {shown(word)}")
        found.append(needs_of(enumerate(_symbols(word, scope))))
    return Some(tuple(found))


def _symbols(word: Word, scope: Scope) -> Iterator[int]:
    for at, letter in enumerate(word):
        need = scope.every if letter == WILD else scope.need(letter)
        if need is None:
            place = part(word, at, at + 1)
            raise FormatError.at(
                place, f"expected a symbol, found {shown(letter)}", f"known are {' '.join(scope.letters)}"
            )
        yield need


FORMS: dict[str, Callable[[Tokens], Sentence]] = {
    "count": _count,
    "all": _all,
    "each": _each,
    "some": _some,
    "no": _no,
    "only": _only,
    "see": _see,
    "connected": _connected,
    "rows": _lines(_rows, "alike", "sorted"),
    "columns": _lines(_columns, "alike", "sorted"),
    "board": _board,
    "start": _start,
}
"""The first words of sentences, each with what reads the rest."""
