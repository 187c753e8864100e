"""Positions of cubes as facelets: stickers face by face in the order U R F D L B, or as a net; and impossible cubes.

Any six letters or digits are colours. Of the 3x3x3 cube the centres say which colour belongs to which face. The 2x2x2
cube has none: the corner at the bottom, back and left never moves, so its stickers name the faces D, B and L, and the
other corners tell which colours are opposite to these.

A string without rows could be written in the rows of the net as well, and letters of faces in the order of their
centres. The readings are compared: the one that is a cube is meant. If two are, and differ, it is an error. A cube that
is impossible in the usual order, but none in another one that people use, is an error too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import permutations

from ..errors import FormatError, Word
from ..puzzle.diagnostics import Diagnostic
from ..puzzle.notation import OwnMove, Reason, Written
from ..puzzle.plain import opened
from .cube_places import pieces
from .cube_turns import is_turn, own_moves
from .solvable import fault, sound

ORDER = "URFDLB"
"""The faces in the usual order of facelets."""

OTHER_ORDERS = (
    "ULFRBD", "UFRBLD", "UDLRFB", "UDFBLR", "FBUDLR", "FRBLUD", "ULFRDB", "FBLRUD", "LRUDFB", "UFDLRB", "UBRFLD",
)  # fmt: skip
"""Orders of the faces in other programs and on official scramble sheets."""

SCHEME = dict(zip("WROGBY", "URLFBD", strict=True))
"""The face of each colour, by its initial, on most cubes."""

NET_ORDER = "the rows of a net"

OTHER_NET = "the rows of a net with U and D at the first side face"

USUAL = f"give the faces in the order {' '.join(ORDER)}, or as a net of U above F, L F R B, and D below F"

BY_ROWS = "write the net in rows, or the six faces with spaces between them"

PADDING = "#."
"""Signs of places without a sticker in a net, besides spaces."""

FIXED = "DBL"
"""The faces of the corner of the 2x2x2 cube that never moves."""


@dataclass(frozen=True)
class _Reading:
    """The stickers by name in one order, and the colour of each face; `colours` is empty if these cannot be told."""

    order: str
    stickers: dict[str, Word]
    colours: dict[str, str]
    size: int

    def words(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the face to whose colour each sticker belongs."""
        faces = {colour: face for face, colour in self.colours.items()}
        return tuple(Word(faces[word], word.line, word.column) for word in (self.stickers[name] for name in names))

    def rank(self, names: Sequence[str]) -> tuple[bool, int]:
        """Return whether it can be solved, and the number of its pieces that a cube has; half of them if unknown."""
        if not self.colours:
            return False, len(pieces(self.size)) // 2
        words = dict(zip(names, self.words(names), strict=True))
        return fault(self.size, words) is None, sound(self.size, words)


@dataclass(frozen=True)
class Facelets:
    """The notation of cubes of that size, 2 or 3."""

    size: int

    def read(self, names: Sequence[str], text: str) -> Written | None:
        text = opened(text, ())
        rows = [[letter for letter in row if letter not in PADDING] for row in _signs(text)]
        width = self.size
        if [len(row) for row in rows] == [*[width] * width, *[4 * width] * width, *[width] * width]:
            net = [word for row in rows for word in row]
            _check_indent(_signs(text), width)
            _check_counts(net, width)
            drawn = self._reading(NET_ORDER, names, net)
            self._check_order(drawn, [self._reading(OTHER_NET, _around(names), net)], names)
            return self._written(drawn, names, drawn=True)
        words = [word for row in _words(text) for word in row]
        if not self._claims(words):
            return None
        flat = [letter for row in rows for letter in row]
        _check_counts(flat, width, moves=len(words) == len(flat))
        readings = [self._in_order(ORDER, flat)]
        if len(words) != len(ORDER):
            readings.append(self._reading(NET_ORDER, names, flat))
        shown = self._order_of_centres(flat)
        if shown and {each.upper() for each in flat} == {*ORDER}:
            by_centres = self._in_order(shown, flat, ", as the centres are")
            readings += [by_centres] * by_centres.rank(names)[0]
        others = (self._in_order(order, flat) for order in dict.fromkeys([shown, *OTHER_ORDERS]) if order)
        self._check_order(max(readings, key=lambda reading: reading.rank(names)), others, names)
        return self._written(reduce(lambda one, other: self._chosen(one, other, names), readings), names)

    def fault(self, names: Sequence[str], words: Sequence[str]) -> Reason | None:
        return fault(self.size, dict(zip(names, words, strict=True)))

    def is_move(self, word: str) -> bool:
        return is_turn(word)

    def own_moves(self, words: Sequence[tuple[Word, bool]]) -> tuple[list[OwnMove], str]:
        found, turned = own_moves(self.size, words)
        kept = "its centers are" if self.size == 3 else "its corner at the bottom, back and left is"
        return found, f"the moves turn the whole cube, which is turned back until {kept} in place" if turned else ""

    def _claims(self, words: Sequence[Word]) -> bool:
        """Return whether words without the rows of a net are facelets and not, for example, moves.

        Raises FormatError at one word that can only be facelets but has too many, too few or other signs.
        """
        count = len(ORDER) * self.size**2
        found = sum(map(len, words))
        if len(words) == 1 and found >= count // 2 and words[0].isalnum() and found != count:
            raise FormatError.at(words[0], f"expected {count} stickers of a cube, found {found}")
        if found != count or len({len(word) for word in words}) != 1:
            return False
        strange = next((letter for word in words for letter in _letters(word) if not letter.isalnum()), None)
        if strange is not None and len(words) in (1, len(ORDER)):
            raise FormatError.at(strange, f"expected a letter or a digit for each colour, found {str(strange)!r}")
        plain = all(word.isalpha() or word.isdecimal() for word in words)  # `R2 U2` are moves
        groups = len(words[0]) in (1, self.size) and (plain or _even("".join(words), self.size))
        return strange is None and (len(words) in (1, len(ORDER)) or groups)

    def _in_order(self, faces: str, letters: Sequence[Word], more: str = "") -> _Reading:
        """Return the stickers face by face in an order of the faces."""
        order = [f"{face}{number}" for face in faces for number in range(1, self.size**2 + 1)]
        return self._reading(f"facelets in the order {' '.join(faces)}{more}", order, letters)

    def _order_of_centres(self, letters: Sequence[Word]) -> str:
        """Return the order in which the centres name the faces, if not the usual one; '' if they do not name them."""
        if self.size != 3:
            return ""
        centres = "".join(letters[4::9]).upper()
        shown = "".join(SCHEME[each] for each in centres) if {*centres} == {*SCHEME} else centres
        return shown if {*shown} == {*ORDER} and shown != ORDER else ""

    def _check_order(self, chosen: _Reading, others: Iterable[_Reading], names: Sequence[str]) -> None:
        """Raise FormatError if the chosen reading is no cube that can be solved, but another one is."""
        if chosen.rank(names)[0]:
            return
        other = next((each for each in others if each.rank(names)[0]), None)
        if other is not None:
            first = next(iter(chosen.stickers.values()))
            raise FormatError.at(
                first,
                f"expected {chosen.order}, found a cube that cannot be solved so; as {other.order} it can",
                USUAL,
            )

    def _reading(self, order: str, names: Sequence[str], letters: Sequence[Word]) -> _Reading:
        """Return the stickers in an order. Their letters are names of faces if the cube is at least as right so."""
        stickers = dict(zip(names, letters, strict=True))
        colours = _by_centres(stickers) if self.size == 3 else _by_corners(stickers)
        own = [{face: face for face in ORDER}] if colours and set(letters) == set(ORDER) else []
        readings = [_Reading(order, stickers, each, self.size) for each in (*own, colours)]
        return max(readings, key=lambda reading: reading.rank(names))

    def _chosen(self, usual: _Reading, other: _Reading, names: Sequence[str]) -> _Reading:
        """Return the reading that is meant. Raises FormatError if both may be."""
        ranks = usual.rank(names), other.rank(names)
        known = usual.colours and other.colours
        if known and ranks[0] == ranks[1] and usual.words(names) != other.words(names):
            first = next(iter(usual.stickers.values()))
            raise FormatError.at(
                first,
                f"expected one meaning, found two cubes: {usual.order}, and {other.order}",
                USUAL if other.order != NET_ORDER else BY_ROWS,
            )
        return usual if ranks[0] >= ranks[1] else other

    def _written(self, reading: _Reading, names: Sequence[str], drawn: bool = False) -> Written:
        if not reading.colours:
            raise _no_colours(reading)
        renamed = [f"{colour} is {face}" for face, colour in reading.colours.items() if colour != face]
        by = "the centres" if self.size == 3 else "the corner at the bottom, back and left, which stays"
        said = f"read as {reading.order}" + (f", colours named by {by}: {', '.join(renamed)}" * bool(renamed))
        told = () if drawn and not renamed else (Diagnostic("facelets", said, "note"),)
        return Written(reading.words(names), told)


def _around(names: Sequence[str]) -> list[str]:
    """Return the names of the stickers in the rows of a net with F R B L side by side, and U and D at F."""
    return [name[0].translate(str.maketrans("LFRB", "FRBL")) + name[1:] for name in names]


def _words(text: str) -> list[list[Word]]:
    """Return the words of each row: rows are lines, or separated by '/'."""
    return [
        [Word(word.group(), number, part.start() + word.start() + 1) for word in re.finditer(r"\S+", part.group())]
        for number, line in enumerate(text.split("\n"), 1)
        for part in re.finditer(r"[^/]*[^/\s][^/]*", line)
    ]


def _letters(word: Word) -> list[Word]:
    return [Word(letter, word.line, word.column + at) for at, letter in enumerate(word)]


def _signs(text: str) -> list[list[Word]]:
    """Return the stickers and the padding of each row."""
    return [[letter for word in row for letter in _letters(word)] for row in _words(text)]


def _check_indent(rows: Sequence[Sequence[Word]], width: int) -> None:
    """Raise FormatError unless the upper and the lower face are above and below F, by padding or by columns of lines.

    Faces at the beginning of a line without padding are not indented.
    """
    front = rows[width][width]
    lines = len({row[0].line for row in rows}) == len(rows)
    for row in (*rows[:width], *rows[-width:]):
        at = next(at for at, letter in enumerate(row) if letter not in PADDING)
        padded = len(row) > width
        if at != width if padded else lines and row[0].column not in (1, front.column):
            where = f"behind {width} places" if padded else f"in column {front.column}"
            raise FormatError.at(row[at], f"expected the faces U and D above and below F, {where}")


def _even(letters: Sequence[str], size: int) -> bool:
    return sorted(Counter(map(str, letters)).values()) == [size * size] * len(ORDER)


def _check_counts(letters: Sequence[Word], size: int, moves: bool = False) -> None:
    """Raise FormatError unless there are six colours, as many of each as a face has stickers.

    moves  whether the letters may be moves instead
    """
    if _even(letters, size):
        return
    counts = Counter(map(str, letters))
    shown = ", ".join(f"{colour} {count}" for colour, count in counts.items())
    many = max(counts, key=lambda colour: counts[colour])
    place = [letter for letter in letters if letter == many][min(counts[many], size * size + 1) - 1]
    each = {2: "four", 3: "nine"}[size]
    hint = f"if these are moves, write the first one as {letters[0]}1" if moves else ""
    raise FormatError.at(place, f"expected six colours and {each} stickers of each colour, found {shown}", hint)


def _by_centres(stickers: dict[str, Word]) -> dict[str, str]:
    """Return the colour of each face; {} if two centres have one colour."""
    found = {face: str(stickers[f"{face}5"]) for face in ORDER}
    return found if len(set(found.values())) == len(ORDER) else {}


def _by_corners(stickers: dict[str, Word]) -> dict[str, str]:
    """Return the colour of each face of the 2x2x2 cube: the choice that makes most corners right."""
    corner = next(names for names in pieces(2) if {name[0] for name in names} == set(FIXED))
    found = {name[0]: str(stickers[name]) for name in corner}
    left = sorted({*map(str, stickers.values())} - set(found.values()))
    if len(left) != len(ORDER) - len(corner):
        return {}
    tried = (found | dict(zip("URF", colours, strict=True)) for colours in permutations(left))
    return max(tried, key=lambda colours: sound(2, _named(stickers, colours)))


def _named(stickers: dict[str, Word], colours: dict[str, str]) -> dict[str, str]:
    faces = {colour: face for face, colour in colours.items()}
    return {name: faces[word] for name, word in stickers.items()}


def _no_colours(reading: _Reading) -> FormatError:
    """Return the error for stickers that do not tell the colours of the faces."""
    corner = next(names for names in pieces(2) if {name[0] for name in names} == set(FIXED))
    shown = [f"{face}5" for face in ORDER] if reading.size == 3 else [*corner]
    words = [reading.stickers[name] for name in shown]
    again = next(word for at, word in enumerate(words) if word in words[:at])
    where = "two centres" if reading.size == 3 else "two stickers of the corner at the bottom, back and left"
    return FormatError.at(again, f"expected each colour once, found {where} of one colour, {str(again)!r}")
