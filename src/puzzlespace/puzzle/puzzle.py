"""RuleKind, what a `rule:` word means, and Puzzle, what is made of a Draft. Engines get `Puzzle.model`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..errors import FormatError, InputError, Word
from ..limits.watch import paced
from ..model.metrics import counted
from ..model.model import Goal, Model, Rule, Shapes, anchor_of, only
from .board import Board
from .draft import BLANK, NOTHING, WILD, Draft, Drawing, Known, Look
from .letters import Frame, Letters, View
from .pictures import pictures


@dataclass(frozen=True)
class RuleKind:
    """What a `rule:` word means, and what texts, pictures and the page must know of it.

    build    (draft, name) -> Puzzle; raises FormatError at the word that is wrong
    words    the rule in sentences
    keys     which of `draft.OWN_KEYS` have a meaning; the others are refused
    metrics  what one move is in a metric, if it is not what `render.words.METRICS` says
    named    how a move is named on a grid: by the letters of its pieces and its 'direction', or by 'cells' alone; on
             other boards letters and cells stand for the direction
    ground   what the pieces lie on: 'squares'; squares where places without a cell are 'walls'; 'holes' for pegs
    path     how a picture shows that a piece moves: through 'free' cells, 'straight' from cell to cell, or 'over'
             pieces that are removed

    A rule that moves a piece says which by its `motion`. Moves of rules without one are called by the rules' names, and
    the page lists them.
    """

    name: str
    build: Callable[[Draft, str], Puzzle]
    words: Callable[[Puzzle], Sequence[str]]
    keys: tuple[str, ...] = ()
    metrics: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    named: Literal["direction", "cells"] = "direction"
    ground: Literal["squares", "walls", "holes"] = "walls"
    path: Literal["free", "straight", "over"] = "free"


@dataclass(frozen=True)
class Puzzle:
    """A puzzle ready to be asked: rules on a board, with the words to write its positions.

    metrics  the metrics that make sense here; the first is the one its answers count in
    loaded   the puzzle as it was loaded, if it was begun at another position since
    stacks   whether the cells are disks, the smallest first, that show the peg they lie on; pictures draw towers
    """

    name: str
    kind: RuleKind
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

    @property
    def listed(self) -> bool:
        """Whether moves are listed by name. If not, every rule moves a piece: no puzzle has both."""
        return bool(self.rules) and self.rules[0].motion is None

    @property
    def alphabet(self) -> tuple[str, ...]:
        """Every word that start and goals show, in order of appearance, blanks left out."""
        known = (self.start, *(goal.position for goal in self.goals))
        shown = (word for position in known if position is not None for word in self.view.decode(position))
        return tuple(dict.fromkeys(word for word in shown if word != BLANK))

    def carried(self, rule: Rule) -> tuple[tuple[int, int], ...]:
        """Return (from, to) for each piece that a rule moves, a block by its first cell; the piece of its motion first.

        Of a listed move: (from, to) for the contents of each cell that go to another.
        """
        motion = rule.motion
        first = () if motion is None else ((motion.origin, motion.target),)
        if motion is not None and motion.shape >= 0:
            return first
        symbols = self.view.symbols if isinstance(self.view, Letters) else {}
        blank = only(symbols[BLANK]) if motion is not None and BLANK in symbols else None
        others = (
            (rule.cells[source], cell)
            for cell, source, table in zip(rule.cells, rule.source, rule.table, strict=True)
            if rule.cells[source] != cell and (motion is None or table is None) and rule.need[source] != blank
        )
        return tuple(dict.fromkeys((*first, *others)))

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
        return fit(self.board, drawing)

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
                if rule.motion is not None:
                    carried = self.carried(rule)
                    labels = _followed(labels, rule, carried)
                    moved = moved - {origin for origin, _ in carried} | {target for _, target in carried}
            changed = {cell for rule in made for cell in rule.cells}
            if moved:
                changed = {cell for piece in self.view.pieces(after) if piece[0] in moved for cell in piece}
            shown.append(Frame(after, self.view.decode(after, labels), name, frozenset(changed)))
        return tuple(shown)

    def _labels(self, position: bytes) -> dict[int, str]:
        """Return the letter of each piece by its first cell: the start's own letters there, else in reading order."""
        if self.listed:
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
        if self.kind.named == "direction" and self.board.grid:
            ways = [motions[0].direction] if train else [m.direction for m in motions]
            return f"{letters} {_powers(ways, ' ')}"
        cells = [motions[0].origin, *(m.target for m in motions)]
        route = "-".join(self.board.names[cell] for cell in cells)
        return route if self.kind.named == "cells" else f"{letters} {route}"


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


def fit(board: Board, drawing: Drawing) -> tuple[str, ...]:
    """Return the drawing's words, one for each cell of a board; raise FormatError where rows are too short or long."""
    rows = [row for row in drawing.rows if row]
    if len(rows) == 1 and len(board.rows) > 1 and len(rows[0]) == board.cells:
        return rows[0]
    if len(rows) != len(board.rows):
        raise FormatError.at(_first(rows), f"expected {len(board.rows)} rows, found {len(rows)}")
    words: list[str] = []
    for number, (row, cells) in enumerate(zip(rows, board.rows, strict=True), 1):
        written = row
        if not board.grid:
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


def _followed(labels: Mapping[int, str], rule: Rule, carried: Sequence[tuple[int, int]]) -> dict[int, str]:
    """Return the letters of pieces by their first cell after a rule; pieces that it takes or changes have none."""
    stays = {cell for cell, k, table in zip(rule.cells, rule.source, rule.table, strict=True)
             if table is None and rule.cells[k] == cell}  # fmt: skip
    left = {cell: letter for cell, letter in labels.items() if cell in stays or cell not in rule.cells}
    return left | {target: labels[origin] for origin, target in carried if origin in labels}


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
