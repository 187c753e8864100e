"""Sentences of a file of changes, for the second reading of docs/changes.md (`changes_reference`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .changes_words import WAYS, Bound, Pattern, Position, World, split_rows, untagged, value

Said = Callable[[Position, Bound], bool]
ORDER = {
    "=": lambda a, b: same(a, b), "!=": lambda a, b: not same(a, b), "<": lambda a, b: a < b, ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
}  # fmt: skip
BEGINNINGS = (
    "count", "all", "each", "some", "every", "no", "only", "see", "connected", "rows", "columns", "board", "start",
    "not",
)  # fmt: skip


def same(one: object, other: object) -> bool:
    """Whether a symbol is another one, or one of a kind."""
    kind, symbol = (one, other) if isinstance(one, frozenset) else (other, one)
    return str(symbol) in kind if isinstance(kind, frozenset) else one == other


class Sentences:
    """Reads one sentence."""

    def __init__(self, world: World, text: str, local: set[str] | None = None) -> None:
        """`local`: words of the patterns of a move, and `distance`."""
        self.world = world
        self.local = local or set()
        self.words = re.sub(r"([()])", r" \1 ", text).split()
        self.index = 0

    @property
    def word(self) -> str:
        return self.words[self.index] if self.index < len(self.words) else ""

    def next(self) -> str:
        self.index += 1
        return self.words[self.index - 1]

    def list_until(self, *ends: str) -> list[str]:
        found: list[str] = []
        while self.word not in ("", "and", "or", ")", *ends):
            found.append(self.next())
        return found

    def whole(self) -> Said:
        parts = [self.both()]
        while self.word == "or":
            self.next()
            parts.append(self.both())
        return lambda position, bound: any(part(position, bound) for part in parts)

    def both(self) -> Said:
        parts = [self.single()]
        while self.word == "and":
            self.next()
            parts.append(self.single())
        return lambda position, bound: all(part(position, bound) for part in parts)

    def single(self) -> Said:
        word = self.word
        if word == "not":
            self.next()
            part = self.single()
            return lambda position, bound: not part(position, bound)
        if word == "(":
            self.next()
            inner = self.whole()
            self.next()
            return inner
        if word == "some" and any(sign in ORDER for sign in self.words[self.index + 2 : self.index + 3]):
            return self.compared()
        readers = {
            "count": self.counted, "all": self.every_piece, "each": self.each, "some": self.some, "no": self.some,
            "only": self.only, "see": self.see, "connected": self.connected,
        }  # fmt: skip
        if word in readers:
            return readers[self.next()]()
        if word in ("rows", "columns", "board"):
            return self.lines(self.next(), self.next())
        if word == "start":
            self.next()
            return lambda position, _: position == self.world.start
        return self.compared()

    def place(self) -> set[int]:
        """The cells after `on`; all cells of the board without it."""
        if self.word != "on":
            return set(range(self.world.size))
        self.next()
        return self.world.cells(self.list_until("at", *ORDER))

    def number_of(self, shown: frozenset[str], cells: set[int]) -> Callable[[Position], int]:
        return lambda position: sum(position[cell] in shown for cell in cells)

    def counted(self) -> Said:
        shown = self.world.shown(self.list_until("on", "at", *ORDER))
        number = self.number_of(shown, self.place())
        sign = self.next()
        compare = ORDER[sign] if sign != "at" else ORDER[">=" if self.next() == "least" else "<="]
        if self.word == "count":
            self.next()
            shown = self.world.shown(self.list_until("on"))
            other = self.number_of(shown, self.place())
            return lambda position, _: compare(number(position), other(position))
        limit = int(self.next())
        return lambda position, _: compare(number(position), limit)

    def every_piece(self) -> Said:
        shown = self.world.shown(self.list_until("on"))
        cells = set(range(self.world.size)) - self.place()
        return lambda position, _: not any(position[cell] in shown for cell in cells)

    def each(self) -> Said:
        cells = self.world.cells(self.list_until("shows"))
        self.next()
        shown = self.world.shown(self.list_until())
        return lambda position, _: all(position[cell] in shown for cell in cells)

    def some(self) -> Said:
        wanted = self.words[self.index - 1] == "some"
        number = self.number_of(self.world.shown(self.list_until("on")), self.place())
        return lambda position, _: (number(position) > 0) is wanted

    def only(self) -> Said:
        shown = self.world.shown(self.list_until())
        return lambda position, _: all(symbol in shown for symbol in position[: self.world.size])

    def see(self) -> Said:
        words = self.list_until(*WAYS)
        pattern = Pattern(self.world, split_rows(words), self.list_until())
        return lambda position, _: next(pattern.fits(position, {}), None) is not None

    def connected(self) -> Said:
        shown = self.world.shown(self.list_until())

        def hangs_together(position: Position, _: Bound) -> bool:
            cells = {cell for cell in range(self.world.size) if position[cell] in shown}
            pending = [cells.pop()] if cells else []
            while pending:
                near = cells & set(self.world.beside(pending.pop(), corners=False))
                cells -= near
                pending += near
            return not cells

        return hangs_together

    def lines(self, what: str, how: str) -> Said:
        lines = [list(range(self.world.size))] if what == "board" else self.world.lines(what == "columns")
        if how == "alike":
            return lambda position, _: all(len({position[cell] for cell in line}) <= 1 for line in lines)
        return lambda position, _: all(
            int(position[a]) <= int(position[b]) for line in lines for a, b in zip(line, line[1:], strict=False)
        )

    def compared(self) -> Said:
        """A chain of comparisons. `some` and `every` choose cells from left to right."""
        chosen: dict[str, str] = {}
        sums = [self.sum(chosen)]
        signs: list[str] = []
        while self.word in ORDER:
            signs.append(self.next())
            sums.append(self.sum(chosen))

        def true(position: Position, bound: Bound) -> bool:
            values = [each(position, bound) for each in sums]
            return all(ORDER[sign](a, b) for sign, a, b in zip(signs, values, values[1:], strict=False))

        said: Said = true
        for place, how in reversed(chosen.items()):
            said = self.chosen(place, any if how == "some" else all, said)
        return said

    def chosen(self, place: str, how: Callable[[Iterator[bool]], bool], said: Said) -> Said:
        """Some or all cells of a place, other ones than those of the same place with another number."""

        def true(position: Position, bound: Bound) -> bool:
            others = {
                bound[key] for key in bound if key.startswith("cell ") and untagged(key) == f"cell {untagged(place)}"
            }
            cells = (cell for cell in self.world.cells_of(place) or () if cell not in others)
            return how(said(position, {**bound, f"cell {place}": cell}) for cell in cells)

        return true

    def sum(self, chosen: dict[str, str]) -> Callable[[Position, Bound], int | str]:
        parts = [(1, self.term(chosen))]
        while self.word in ("+", "-"):
            parts.append((1 if self.next() == "+" else -1, self.term(chosen)))
        if len(parts) == 1:
            return parts[0][1]
        return lambda position, bound: sum(sign * int(part(position, bound)) for sign, part in parts)

    def term(self, chosen: dict[str, str]) -> Callable[[Position, Bound], int | str]:
        word = self.next()
        if word in ("some", "every"):
            chosen.setdefault(self.word, word)
            word = self.next()
        if word == "distance":
            return lambda position, bound: bound["distance"]
        if word in self.local:
            return lambda position, bound: value(position[bound[f"at {word}"]])
        if word not in self.world.cell and word not in chosen:
            kind = self.world.kind(word)
            return lambda position, bound: value(word) if kind is None else kind
        cell = self.world.cell.get(word)
        return lambda position, bound: value(position[bound.get(f"cell {word}", cell)])
