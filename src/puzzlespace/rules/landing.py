"""Which piece may be put on which in `rule: stack`: the words of `put:`, `take:`, `order:` and `colours:`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..errors import FormatError
from ..model.rule import only
from ..puzzle.draft import BLANK, Draft

Fits = Callable[[int, int], bool]
"""Whether a piece may be put on another one: of their symbols, sizes or colours."""

ON: dict[str, Fits] = {
    "on anything": lambda piece, below: True,
    "on equal": lambda piece, below: piece == below,
    "on larger": lambda piece, below: piece < below,
    "on smaller": lambda piece, below: piece > below,
    "on next larger": lambda piece, below: piece + 1 == below,
    "on next smaller": lambda piece, below: piece - 1 == below,
}
"""What `put:` begins with; the first two say something about symbols, the others about sizes."""

SIZELESS = ("on anything", "on equal")

RESERVED = ("any", "not")
"""Words that no colour has as its name."""

COLOURED: dict[str, Fits] = {
    "of another colour": lambda piece, below: piece != below,
    "of the same colour": lambda piece, below: piece == below,
}
EMPTY, NEVER = "on empty :", "never on empty"

BACKWARDS, EQUAL = "several in reverse", "equal"

TAKES = {
    "one": "one piece",
    "several": "any number of pieces from the top, in their order",
    BACKWARDS: "any number of pieces from the top, one after the other, so their order is reversed",
    EQUAL: "all equal pieces from the top, as many as fit",
    "none": "no piece",
}
"""What can follow `take:`, and what is taken."""

MOST_DIGITS = 10
"""Symbols with fewer digits are numbers."""

TIE = "="
"""In `order:`, between symbols of the same size."""


@dataclass(frozen=True)
class Landing:
    """Which pieces may be put on which, as sets of symbols.

    on     pairs (pieces, what each of them may be put on); no piece is in two pairs
    empty  the pieces that may be put on an empty row
    """

    on: tuple[tuple[int, int], ...]
    empty: int


def taking(words: Sequence[str]) -> str:
    """Return what the words after `take:` say, one of TAKES. Raises FormatError."""
    found = " ".join(words)
    if found not in TAKES:
        raise FormatError.at(words[0], f"take: expected {_either([*TAKES])}, found {found!r}")
    return found


def landing(words: Sequence[str], letters: Sequence[str], kinds: Mapping[str, int], draft: Draft) -> Landing:
    """Return what the words after `put:` say. Raises FormatError at the wrong word.

    letters  of the symbols, the blank first
    kinds    sets of symbols by name
    """
    rest = list(words)
    fits = ON["on anything"]
    if said := _phrase(rest, ON):
        fits = ON[said[0]]
        if said[0] not in SIZELESS:
            fits = _of(_sizes(said[1], "next" in said[0], letters, draft), fits)
    if said := _phrase(rest, COLOURED):
        fits = _both(fits, _of(_colours(said[1], letters, draft), COLOURED[said[0]]))
    empty = _empty(rest, letters, kinds)
    if rest:
        wanted = _either([*(ON if len(rest) == len(words) else ()), *COLOURED, NEVER, "on empty: SYMBOLS"])
        raise FormatError.at(rest[0], f"put: expected {wanted}, found {' '.join(rest)!r}")
    return Landing(tuple(_grouped(fits, range(1, len(letters)))), empty)


def landing_in_words(words: Sequence[str]) -> str:
    """Return where a piece goes by the words after `put:`."""
    rest = list(words)
    relation = (_phrase(rest, ON) or ("on anything", ""))[0].removeprefix("on ")
    piece = {"anything": "any piece", "equal": "an equal piece"}.get(relation, f"a {relation} piece")
    piece = piece.replace("a next", "the next")
    colour = _phrase(rest, COLOURED)
    put = f"on {piece}" + (f" {colour[0]}" if colour else "")
    if _phrase(rest, [NEVER]):
        return f"{put}, never on an empty row"
    if _phrase(rest, [EMPTY]):
        return f"{put}, or on an empty row if it is one of {' '.join(rest)}"
    return f"{put}, or on an empty row"


def _phrase(rest: list[str], phrases: Iterable[str]) -> tuple[str, str] | None:
    """Return the phrase with which the words begin, and its last word; take its words away. None if there is none."""
    for phrase in phrases:
        size = len(phrase.split())
        if " ".join(rest[:size]) == phrase:
            last = rest[size - 1]
            del rest[:size]
            return phrase, last
    return None


def _either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _of(values: Mapping[int, int], fits: Fits) -> Fits:
    """Return the same of the values of symbols."""
    return lambda piece, below: fits(values[piece], values[below])


def _both(one: Fits, other: Fits) -> Fits:
    return lambda piece, below: one(piece, below) and other(piece, below)


def _grouped(fits: Fits, symbols: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pieces that may be put on the same symbols, and these; those that fit on nothing are left out."""
    found: dict[int, int] = {}
    for piece in symbols:
        below = sum(only(each) for each in symbols if fits(piece, each))
        found[below] = found.get(below, 0) | only(piece)
    return ((pieces, below) for below, pieces in found.items() if below)


def _empty(rest: list[str], letters: Sequence[str], kinds: Mapping[str, int]) -> int:
    """Return the pieces that may be put on an empty row; take the words that say so away."""
    if _phrase(rest, [NEVER]):
        return 0
    said = _phrase(rest, [EMPTY])
    if said is None:
        return (1 << len(letters)) - 2
    if not rest:
        raise FormatError.at(said[1], "put: expected symbols after 'on empty:', found none")
    needs = {letter: only(symbol) for symbol, letter in enumerate(letters) if letter != BLANK} | dict(kinds)
    found = 0
    for word in rest:
        if word not in needs:
            raise FormatError.at(word, f"put: expected one of {' '.join(needs)} after 'on empty:', found {str(word)!r}")
        found |= needs[word]
    rest.clear()
    return found


def size_of(letter: str) -> int | None:
    """Return the number that a symbol is, or None."""
    return int(letter) if letter.isascii() and letter.isdecimal() and len(letter) < MOST_DIGITS else None


def _sizes(word: str, neighbours: bool, letters: Sequence[str], draft: Draft) -> dict[int, int]:
    """Return the size of each symbol. Raises FormatError, at the word that asks for it if nothing says it.

    neighbours  whether the next larger or smaller size matters
    """
    if draft.order:
        return _ordered(letters, draft)
    numbers = {symbol: size_of(letter) for symbol, letter in enumerate(letters) if letter != BLANK}
    sizes = {symbol: number for symbol, number in numbers.items() if number is not None}
    wrong = next((letters[symbol] for symbol in numbers if symbol not in sizes), None)
    if wrong is not None:
        raise FormatError.at(
            word, f"put: expected numbers as symbols, or order:, to compare their sizes, found {str(wrong)!r}",
            "'order: A B C' says that A is the smallest and C the largest",
        )  # fmt: skip
    gap = next(((a, b) for a, b in pairwise(sorted({*sizes.values()})) if a + 1 < b), None)
    if neighbours and gap is not None:
        a, b = gap
        raise FormatError.at(
            word, f"put: expected numbers without a gap, or order:, to know which is next, found {a} and {b}",
            f"'order: ... {a} {b} ...' makes {b} the next larger one, 'order: ... {a} {a + 1} {b} ...' does not",
        )  # fmt: skip
    return sizes


def _ordered(letters: Sequence[str], draft: Draft) -> dict[int, int]:
    """Return the size of each symbol as `order:` says."""
    found: dict[str, int] = {}
    size, before = 0, TIE
    for word in draft.order:
        if word in found or word == BLANK:
            raise FormatError.at(word, f"order: expected each symbol of a piece once, found {str(word)!r}")
        if word != TIE:
            size += before != TIE
            found[word] = size
        before = word
    return _whole(found, "order", letters, draft)


def _colours(word: str, letters: Sequence[str], draft: Draft) -> dict[int, int]:
    """Return the number of each symbol's colour. Raises FormatError, at the word that asks for it if there are none."""
    if not draft.colours:
        raise FormatError.at(word, "put: expected colours:, which says the colour of each symbol, found none")
    found = {member: number for number, (_, members) in enumerate(draft.colours) for member in members}
    return _whole(found, "colours", letters, draft)


def check_colours(letters: Sequence[str], draft: Draft) -> None:
    """Raise FormatError if a colour or a member of one occurs twice, or if a colour has the name of a symbol."""
    seen: set[str] = set()
    for name, _ in draft.colours:
        if name in letters or name in seen or name in RESERVED:
            found = "a symbol" if name in letters else "it again" if name in seen else "a word of sentences"
            raise FormatError.at(name, f"colours: expected a new name for a colour, found {str(name)!r}, {found}")
        seen.add(name)
    members: set[str] = set()
    for member in (member for _, each in draft.colours for member in each):
        if member in members or member == BLANK:
            raise FormatError.at(member, f"colours: expected each symbol of a piece once, found {str(member)!r}")
        members.add(member)


def _whole(found: Mapping[str, int], key: str, letters: Sequence[str], draft: Draft) -> dict[int, int]:
    """Return values by symbol. Raises FormatError if a symbol has none."""
    missing = next((letter for letter in letters[1:] if letter not in found), None)
    if missing is not None:
        raise FormatError.at(draft.place(key), f"{key}: expected every symbol of the pieces, found no {str(missing)!r}")
    return {symbol: found[letter] for symbol, letter in enumerate(letters) if letter != BLANK}
