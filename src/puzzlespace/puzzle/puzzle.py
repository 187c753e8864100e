"""Draft, View and Puzzle: what a person wrote, how positions are written, and the puzzle that comes out of both.

A Draft holds the text of a puzzle file, key by key, nothing worked out. A family turns it into a Puzzle; `Puzzle.model`
is what engines get.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..errors import FormatError, InputError, Word
from ..limits.watch import paced
from ..model.metrics import counted
from ..model.model import Goal, Model, Rule, Shapes, anchor_of
from .board import Board
from .draft import NOTHING, WILD, Draft, Drawing, Known, Look
from .letters import Frame, View
from .pictures import pictures


@dataclass(frozen=True)
class Puzzle:
    """A puzzle ready to be asked: rules on a board, with the words to write its positions.

    metrics  the metrics that make sense here; the first is the one its answers count in
    loaded   the puzzle as it was loaded, if it was begun at another position since
    stacks   whether the cells are disks, the smallest first, that show the peg they lie on; pictures draw towers
    """

    name: str
    kind: Literal["slide", "jump", "apply"]
    board: Board
    view: View
    symbols: int
    rules: tuple[Rule, ...]
    metrics: tuple[str, ...]
    start: bytes | None = None
    goals: tuple[Goal, ...] = ()
    shapes: Shapes | None = None
    titles: tuple[tuple[str, str], ...] = ()
    known: tuple[Known, ...] = ()
    picture: tuple[Look, ...] = ()
    spaced: bool = True
    stacks: bool = False
    draft: Draft | None = field(default=None, repr=False)
    loaded: Puzzle | None = field(default=None, repr=False, compare=False)
    _models: dict[str, Model] = field(default_factory=dict[str, Model], init=False, repr=False, compare=False)

    @property
    def title(self) -> str:
        """The title without a language tag, or the name."""
        return dict(self.titles).get("", self.name)

    @property
    def anchor(self) -> bytes | None:
        """A position that tells which pieces there are: the start, else a goal that is one position, else None."""
        return anchor_of(self.start, self.goals)

    def model(self, count: str = "") -> Model:
        """Return the model in the metric `count` (default: the puzzle's own). Raises InputError for one it has not."""
        name = count or self.metrics[0]
        if name not in self.metrics:
            raise InputError(f"metric: expected one of {', '.join(self.metrics)} for {self.name}, found {name!r}")
        if name not in self._models:
            rules, metric = counted(name, self.rules, self.symbols, self.anchor)
            self._models[name] = Model(
                cells=self.board.cells,
                symbols=self.symbols,
                rules=rules,
                metric=metric,
                start=self.start,
                goals=self.goals,
                shapes=self.shapes,
            )
        return self._models[name]

    def at(self, position: str | bytes) -> Position:
        """Return a position of this puzzle, read from text if need be, that draws itself in a notebook."""
        return Position(self, self.read(position) if isinstance(position, str) else position)

    def _repr_svg_(self) -> str | None:
        return None if self.anchor is None else pictures().position_svg(self, self.anchor)

    def line(self, position: bytes, words: Sequence[str] | None = None) -> str:
        """Return the position on one line: '8 6 7 / 2 5 4 / 3 . 1'."""
        shown = words or self.view.decode(position)
        spaced = self.spaced or any(len(word) > 1 for word in shown)
        rows = [
            (" " if spaced else "").join(NOTHING if cell is None else shown[cell] for cell in row)
            for row in self.board.rows
        ]
        return (" / " if spaced else "/").join(rows)

    def read(self, text: str) -> bytes:
        """Return the position written as a drawing (rows on their own lines or with '/' between), or as a short id."""
        if text.startswith("~"):
            return self._from_id(text)
        narrow = all(len(row) == 1 for row in self.board.rows)
        return self.view.encode(self.fit(_drawing(text, len(self.board.rows) if narrow else 0)))

    @property
    def gates(self) -> dict[int, str]:
        """The cells that one piece alone may enter, with its letter."""
        drawing = self.draft.gates if self.draft is not None else None
        words = self.fit(drawing) if drawing is not None else ()
        return {cell: str(word) for cell, word in enumerate(words) if word != WILD}

    def fit(self, drawing: Drawing) -> tuple[str, ...]:
        """Return the drawing's words, one for each cell; raise FormatError where rows are too short or too long."""
        rows = [row for row in drawing.rows if row]
        if len(rows) == 1 and len(self.board.rows) > 1 and len(rows[0]) == self.board.cells:
            return rows[0]
        if len(rows) != len(self.board.rows):
            raise FormatError.at(_first(rows), f"expected {len(self.board.rows)} rows, found {len(rows)}")
        words: list[str] = []
        for number, (row, cells) in enumerate(zip(rows, self.board.rows, strict=True), 1):
            written = row
            if not self.board.grid:
                row = tuple(word for word in row if word != NOTHING)
            if len(row) != len(cells):
                last = row[min(len(row), len(cells) + 1) - 1] if row else written[0]
                raise FormatError.at(last, f"expected {len(cells)} places in row {number}, found {len(row)}")
            for word, cell in zip(row, cells, strict=True):
                if (word == NOTHING) != (cell is None):
                    wanted = "'#' (no cell here)" if cell is None else "a cell's symbol (there is a cell here)"
                    raise FormatError.at(word, f"expected {wanted}, found {word!r}")
                if cell is not None:
                    words.append(word)
        return tuple(words)

    def id(self, position: bytes) -> str:
        """Return the position as a short word that fits a URL: '~' and digits of base 62."""
        number = 0
        for symbol in position:
            number = number * self.symbols + symbol
        digits = ""
        while number:
            number, digit = divmod(number, 62)
            digits = DIGITS[digit] + digits
        return "~" + (digits or "0")

    def _from_id(self, text: str) -> bytes:
        number = 0
        for digit in text[1:]:
            if digit not in DIGITS or len(text) > 1 + 8 * self.board.cells:
                raise InputError(f"position: expected '~' and letters or digits, found {text[:40]!r}")
            number = number * 62 + DIGITS.index(digit)
        symbols: list[int] = []
        for _ in range(self.board.cells):
            number, symbol = divmod(number, self.symbols)
            symbols.append(symbol)
        if number:
            raise InputError(f"position: expected the id of one of this puzzle's positions, found {text[:40]!r}")
        position = bytes(reversed(symbols))
        return self.view.encode(self.view.decode(position))

    def frames(self, path: Sequence[bytes], model: Model, rules: Sequence[Sequence[int]] = ()) -> tuple[Frame, ...]:
        """Return what to show for each position of a path of moves, with the letters followed from piece to piece.

        rules  the numbers of the model's rules that make each move (default: those `model.model.moves` finds)
        """
        labels = self._labels(path[0])
        shown = [Frame(path[0], self.view.decode(path[0], labels))]
        for index, (before, after) in enumerate(paced(zip(path, path[1:], strict=False))):
            numbers = rules[index] if rules else model.moves(before)[after]
            made = [model.rules[number] for number in numbers]
            name = self._name(made, labels)
            moved: set[int] = set()
            for rule in made:
                if rule.motion is not None and rule.motion.origin in labels:
                    labels[rule.motion.target] = labels.pop(rule.motion.origin)
                    moved = (
                        {rule.motion.target}
                        if self.kind != "slide"
                        else moved - {rule.motion.origin} | {rule.motion.target}
                    )
                for cell in rule.cells:
                    if rule.motion is not None and cell in labels and cell != rule.motion.target:
                        labels.pop(cell)
            changed = {cell for rule in made for cell in rule.cells}
            if moved:
                changed = {cell for piece in self.view.pieces(after) if piece[0] in moved for cell in piece}
            shown.append(Frame(after, self.view.decode(after, labels), name, frozenset(changed)))
        return tuple(shown)

    def _labels(self, position: bytes) -> dict[int, str]:
        """Return the letter of each piece by its first cell: the start's own letters there, else in reading order."""
        if self.kind == "apply":
            return {}
        words = self.view.decode(position)
        if self.draft is not None and self.draft.start is not None:
            own = self.fit(self.draft.start)
            words = own if self.view.encode(own) == position else words
        return {piece[0]: words[piece[0]] for piece in self.view.pieces(position)}

    def _name(self, rules: Sequence[Rule], labels: Mapping[int, str]) -> str:
        """Return the move's name: 'B right 2', 'B 6-3-1', 'd2-d4-f4', 'row1', 'U2'."""
        motions = [rule.motion for rule in rules if rule.motion is not None]
        if not motions:
            return _powers([rule.name for rule in rules])
        train = len(motions) > 1 and motions[1].target == motions[0].origin
        if train:
            motions.reverse()
        letters = " ".join(dict.fromkeys(labels.get(m.origin, "") for m in motions if m.origin in labels))
        if self.kind == "slide" and self.board.grid:
            ways = [motions[0].direction] if train else [m.direction for m in motions]
            return f"{letters} {_powers(ways, ' ')}"
        cells = [motions[0].origin, *(m.target for m in motions)]
        route = "-".join(self.board.names[cell] for cell in cells)
        return route if self.kind == "jump" else f"{letters} {route}"


class Position(bytes):
    """A position that knows its puzzle: it is written by `str`, and draws itself in a notebook."""

    puzzle: Puzzle

    def __new__(cls, puzzle: Puzzle, symbols: bytes) -> Position:
        position = super().__new__(cls, symbols)
        position.puzzle = puzzle
        return position

    def __str__(self) -> str:
        return self.puzzle.line(self)

    def __repr__(self) -> str:
        return f"<{self.puzzle.name}: {self}>"

    def __reduce__(self) -> tuple[type[Position], tuple[Puzzle, bytes]]:
        return Position, (self.puzzle, bytes(self))

    def _repr_svg_(self) -> str:
        return pictures().position_svg(self.puzzle, self)


DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _powers(names: Sequence[str], between: str = "") -> str:
    """Join names, writing repeated ones once with their number: 'right 2 down', 'U2'."""
    parts: list[str] = []
    count = 0
    for index, name in enumerate(names):
        count += 1
        if index + 1 == len(names) or names[index + 1] != name:
            parts.append(name + (f"{between}{count}" if count > 1 else ""))
            count = 0
    return " ".join(parts)


def _drawing(text: str, narrow: int = 0) -> Drawing:
    """Return the drawing in a text: word by word if some row has spaces, else letter by letter.

    narrow  rows of a board that is one cell wide, else 0: each row of its drawings is one word, perhaps with a '#'
    """
    rows = [
        (number, row)
        for number, line in enumerate(text.split("\n"), 1)
        for row in re.finditer(r"[^/]*[^/\s][^/]*", line)
    ]
    spaced = any(len(row.group().split()) > 1 for _, row in rows) or len(rows) == narrow
    each = re.compile(r"\S+" if spaced else r"\S")
    words = tuple(
        tuple(Word(word.group(), number, row.start() + word.start() + 1) for word in each.finditer(row.group()))
        for number, row in rows
    )
    if len(rows) == narrow and all(len(row) == 2 and row[1] == NOTHING for row in words):
        words = tuple(row[:1] for row in words)
    return Drawing(words, spaced)


def _first(rows: Sequence[Sequence[str]]) -> str:
    return rows[0][0] if rows else ""
