"""RuleKind, the meaning of a `rule:` word, and Puzzle, which it builds from a Draft. Engines get `Puzzle.model`."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from ..errors import FormatError, InputError
from ..limits.watch import paced
from ..model.facts import symbol_classes
from ..model.goal import Goal, anchor_of
from ..model.kept import keeping
from ..model.metric import Metric, Stage
from ..model.metrics import counted
from ..model.model import Model
from ..model.rule import ANY, Rule, only, symbols_of
from ..model.shapes import Shapes
from .allowed import ALL, Allowed, restricted
from .board import Board
from .diagnostics import Diagnostic
from .draft import BLANK, NOTHING, PLAYER, WILD, Draft, Drawing, Known, Look
from .fitting import drawing_of, fit
from .ground import NONE, Floor, ground_of
from .letters import Frame, Letters, View
from .notation import Notation, Reason, Written
from .pictures import pictures
from .plain import blank_sign, blanked, opened
from .tool import NO_TOOL, Tool
from .walking import check_boxes, check_player, unmanned

if TYPE_CHECKING:
    from ..model.domain import Domain
    from ..model.sentence import Law

COST = "cost"
"""The metric in which a move counts what the puzzle says."""


@dataclass(frozen=True)
class RuleKind:
    """The meaning of a `rule:` word, and what texts, pictures and the page need for it.

    build    (draft, name) -> Puzzle; raises FormatError with the place of the wrong word
    words    returns the rule in sentences
    keys     the fields of `draft.OWN_KEYS` that have a meaning; the others are refused
    counts   the metrics that `count:` may name; the editor offers the first when a file changes to this kind
    metrics  the meaning of a move in a metric, if it differs from `render.words.METRICS`
    named    the names of moves on a grid: letters of the pieces and 'direction', or only 'cells', or only the numbers
             of their 'rows' from the top. On other boards, letters and cells are used instead of a direction
    ground   the ground under the pieces: 'squares'; 'walls' for squares with walls in places without a cell; 'holes'
    path     how pictures show the move of a piece: through 'free' cells, 'straight' from cell to cell, or 'over' pieces
             that are removed
    play     what a person does with a piece on the page: 'drag' it, let it 'leap' over others, which are removed, or
             'send' it in a direction, where it goes on until something stops it, 'walk' to it as the player, 'alter'
             what is in cells, or 'take' it from one stack to another
    blanks   signs of other programs for the blank '.', in a text without '.'
    sentences  whether goals in one line may be sentences, and the kind reads the rows of `draft.CHANGES` itself
    patterns   whether `moves:` are rows of what is before and after, a board may be one row, and every goal in words
               is a sentence
    tool       what the editor of the page says and offers

    The `motion` of a rule determines the piece that moves. Moves by rules without a motion have the rules' names, and
    the page lists them.
    """

    name: str
    build: Callable[[Draft, str], Puzzle]
    words: Callable[[Puzzle], Sequence[str]]
    keys: tuple[str, ...] = ()
    counts: tuple[str, ...] = ("step",)
    metrics: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    named: Literal["direction", "cells", "rows"] = "direction"
    ground: Literal["squares", "walls", "holes"] = "walls"
    path: Literal["free", "straight", "over"] = "free"
    play: Literal["drag", "leap", "send", "walk", "alter", "take"] = "drag"
    blanks: tuple[str, ...] = ()
    sentences: bool = False
    patterns: bool = False
    tool: Tool = NO_TOOL

    @property
    def by_moves(self) -> bool:
        """Whether pages and pictures know of its pieces only what moves do with them."""
        return self.play in ("alter", "take")

    @property
    def lists(self) -> bool:
        """Whether `moves:` lists moves by cells and '.' is a symbol like the others."""
        return "moves" in self.keys and not self.patterns


@dataclass(frozen=True)
class Puzzle:
    """A puzzle: rules on a board, with the words to write its positions.

    metrics  the metrics that make sense for this puzzle; the first one is the default
    letters  the start as a person wrote it, a word for each cell, if this is not the start of the draft
    loaded   the puzzle as it was loaded, if this one has another start
    diagnostics  notes and warnings about the text that it was read from
    stacks   whether the cells are disks, the smallest first, and a symbol is the peg of a disk; pictures draw towers
    notation  another way to write positions, if there is one
    automatic  what happens by itself after each move in any metric, as in `Metric`; its rules come after the moves
    laws     positions that no move may lead to, in any metric
    floor    what `ground` returns, if `ground:` of the draft is read in another way than for gliding pieces
    costs    what each rule counts in the metric `cost`; () if there is no such metric
    vessels  what each cell holds at most, if it is poured from cell to cell
    followers  the rules that may follow each one within a move, in any metric, if the kind says so itself
    domain   sentences that every position meets, as in `Model`; those of several cells are also told by `view`
    allowed  the moves that may be made, in any metric; `rules` has all
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
    letters: tuple[str, ...] = field(default=(), repr=False, compare=False)
    diagnostics: tuple[Diagnostic, ...] = field(default=(), repr=False, compare=False)
    loaded: Puzzle | None = field(default=None, repr=False, compare=False)
    notation: Notation | None = field(default=None, repr=False, compare=False)
    automatic: tuple[Stage, ...] = ()
    laws: tuple[Law, ...] = ()
    floor: Floor | None = None
    costs: tuple[int, ...] = ()
    vessels: Mapping[int, int] = field(default_factory=dict[int, int], hash=False)
    followers: tuple[tuple[int, ...], ...] = ()
    domain: Domain = ()
    allowed: Allowed = ALL
    _models: dict[str, Model] = field(default_factory=dict[str, Model], init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", keeping(self.rules))  # so that models share what is kept with them

    def __repr__(self) -> str:
        return f"<Puzzle {self.name}: rule {self.kind.name}, {self.board.cells} cells>"

    @property
    def title(self) -> str:
        """The title without a language tag, or the name."""
        return dict(self.titles).get("", self.name)

    @property
    def anchor(self) -> bytes | None:
        """A position that determines the pieces: the start, else a goal that is one position, else None."""
        return anchor_of(self.start, self.goals)

    @property
    def unrestricted(self) -> Puzzle:
        """The puzzle with all its moves."""
        return replace(self, allowed=ALL) if self.allowed else self

    @property
    def listed(self) -> bool:
        """Whether moves are listed by name. If not, every rule moves a piece: no puzzle has both."""
        return bool(self.rules) and self.rules[0].motion is None

    @property
    def walked_by_a_player(self) -> bool:
        """Whether every position has a player, whom goals do not show."""
        return self.kind.play == "walk"

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
        symbols = self.view.symbols if isinstance(self.view, Letters) else {}
        if motion is not None and motion.shape < 0 and not _enters(rule, motion.target):
            return ()
        blank = only(symbols[BLANK]) if motion is not None and BLANK in symbols else None
        others = (
            (rule.cells[source], cell)
            for cell, source, table in zip(rule.cells, rule.source, rule.table, strict=True)
            if rule.cells[source] != cell and (motion is None or table is None) and rule.need[source] != blank
        )
        return tuple(dict.fromkeys((*first, *others)))

    def model(self, count: str = "") -> Model:
        """Return the model in the metric `count` (default: the puzzle's own); raise InputError if it is unsupported."""
        name = count or self.metrics[0]
        if name not in self.metrics:
            raise InputError(f"metric: expected one of {', '.join(self.metrics)} for {self.name}, found {name!r}")
        if name not in self._models:
            rules, metric = self._counted(name)
            if self.allowed:
                rules, metric = restricted(self, rules, metric, self.allowed)
            model = Model(
                cells=self.board.cells,
                symbols=self.symbols,
                rules=rules,
                metric=metric,
                start=self.start,
                goals=self.goals,
                shapes=self.shapes,
                domain=self.domain,
            )
            self._models[name] = _settled(model) if metric.free else model
        return self._models[name]

    def _counted(self, name: str) -> tuple[tuple[Rule, ...], Metric]:
        """Return the rules and the metric of the model in a metric of this puzzle."""
        if self.costs and name == COST:
            found = self.rules, Metric(name, costs=self.costs)
        else:
            found = counted(name, self.rules, self.symbols, self.anchor)
        if self.followers:
            found = found[0], replace(found[1], after=self.followers)
        if not self.automatic and not self.laws:
            return found
        return found[0], replace(found[1], automatic=self.automatic, laws=self.laws)

    def walked(
        self, path: Sequence[bytes], model: Model, rules: Sequence[Sequence[int]] = ()
    ) -> list[tuple[bytes, tuple[int, ...]]]:
        """Return the positions of a path of moves as the free rules leave them, each with the rules that lead there.

        The path has the positions that stand for all that free rules lead to from each other, or positions that these
        stand for. If its first position stands for the start, the start is returned in its place.

        rules  the rules of each move, from the position before it (default: those that `Model.moves` finds)
        """
        here = path[0]
        if self.start is not None and here != self.start and here == model.settled(self.start):
            here = self.start
        found: list[tuple[bytes, tuple[int, ...]]] = [(here, ())]
        for index, (before, after) in enumerate(paced(zip(path, path[1:], strict=False))):
            if rules:
                made = (*(model.walks(here)[before] if here != before else ()), *rules[index])
            else:
                made = model.moves(here)[model.settled(after)]
            for number in made:
                here = model.rules[number].apply(here) or here
            found.append((here, made))
        return found

    def at(self, position: str | bytes) -> Position:
        """Return a position of this puzzle, given as bytes or text, which a notebook shows as a picture.

        The letters of like pieces stay as they are in the text.
        """
        if isinstance(position, bytes):
            return Position(self, position, self._own_words(position))
        return Position(self, self.read(position), self.words(position))

    def _repr_svg_(self) -> str | None:
        return None if self.anchor is None else pictures().position_svg(self, self.anchor)

    def line(self, position: bytes, words: Sequence[str] | None = None) -> str:
        """Return the position on one line: '8 6 7 / 2 5 4 / 3 . 1'."""
        shown = words or self.shown(position)
        spaced = self.spaced or any(len(word) > 1 for word in shown)
        rows = [
            (" " if spaced else "").join(NOTHING if cell is None else shown[cell] for cell in row)
            for row in self.board.rows
        ]
        return (" / " if spaced else "/").join(rows)

    def read(self, text: str) -> bytes:
        """Return the position in a text: a drawing (rows on separate lines or separated by '/'), or a short id.

        The puzzle may have another notation too. A drawing may be one row, have commas or brackets as lists do, and
        `0` or `_` for blanks (`RuleKind.blanks`).
        Raises FormatError or InputError if the text is not a position of this puzzle.
        """
        words = self.words(text)
        position = self.view.encode(words) if words else self._from_id(text)
        if self.walked_by_a_player:
            check_player(words or self.view.decode(position))
        self._check_cells(words or self.view.decode(position), tuple(map(only, position)))
        return position

    def _check_cells(self, words: Sequence[str], need: Sequence[int]) -> None:
        """Raise FormatError at the first word whose cell never shows one of its symbols, as the domain says."""
        if not self.domain:
            return
        from ..model.sentence import Shows

        for sentence in self.domain:
            if isinstance(sentence, Shows) and not sentence.need & need[sentence.cell]:
                shown = (self.view.decode(bytes((symbol,)))[0] for symbol in symbols_of(sentence.need))
                word = words[sentence.cell]
                raise FormatError.at(word, f"expected one of {' '.join(shown)} here, found {str(word)!r}")

    def words(self, text: str) -> tuple[str, ...]:
        """Return the words of a drawing, one a cell; () for a short id. Raises FormatError if they do not fit."""
        if text.startswith("~"):
            return ()
        written = self.written(text)
        return self._filled(self.plain(text)[0] if written is None else written.words)

    def plain(self, text: str) -> tuple[tuple[str, ...], str]:
        """Return the words of a drawing, and the sign that was read as the blank '.', or ''.

        Raises FormatError if they do not fit.
        """
        symbols = getattr(self.view, "symbols", {})
        narrow = all(len(row) == 1 for row in self.board.rows)
        words = fit(self.board, drawing_of(opened(text, symbols), len(self.board.rows) if narrow else 0))
        sign = blank_sign(words, symbols, self.kind.blanks) if BLANK in symbols else ""
        if not sign:
            return words, ""
        blank = symbols[BLANK]
        kept = symbol_classes(self.rules, self.symbols).count(blank) == 1  # no move fills or makes blanks
        return blanked(words, sign, self.anchor.count(blank) if kept and self.anchor is not None else None), sign

    def written(self, text: str) -> Written | None:
        """Return a position in the puzzle's other notation; None if the text is not written in it, or a short id.

        Raises FormatError at a mistake in it.
        """
        if self.notation is None or text.startswith("~"):
            return None
        return self.notation.read(self.board.names, text)

    def fault(self, position: bytes) -> Reason | None:
        """Return why this position cannot be reached from the family's solved one, if the notation can tell."""
        return None if self.notation is None else self.notation.fault(self.board.names, self.view.decode(position))

    def pattern(self, text: str) -> Goal:
        """Return the goal that a drawing with '*' for anything describes; raise FormatError if it is not one.

        In another notation '*' has no meaning, so the rows of such a drawing must be those of the board.
        """
        written = None if WILD in text else self.written(text)
        if written is None and self.notation is not None and not re.search(r"\S\s*[/\n]\s*\S", text):
            raise FormatError(f"expected the rows of the board around '{WILD}', found one row", line=1, column=1)
        return self.goal_of(self.plain(text)[0] if written is None else written.words)

    def goal_of(self, words: Sequence[str]) -> Goal:
        """Return the goal of a word for each cell, '*' for anything; raise FormatError if they are not one."""
        goal = open_goal(words, self.view)
        self._check_cells(words, goal.need)
        if not self.walked_by_a_player or not isinstance(self.view, Letters):
            return goal
        check_boxes(words)
        return unmanned(goal, self.view.symbols[BLANK], self.view.symbols[PLAYER])

    @property
    def gates(self) -> dict[int, str]:
        """The cells that only one piece may enter, with its letter."""
        drawing = self.draft.gates if self.draft is not None else None
        words = self.fit(drawing) if drawing is not None else ()
        return {cell: str(word) for cell, word in enumerate(words) if word != WILD}

    @property
    def ground(self) -> Floor:
        """The walls between cells, stop cells and deflectors."""
        if self.floor is not None:
            return self.floor
        return ground_of(self.board, self.draft.ground) if self.draft is not None and self.draft.ground else NONE

    def fit(self, drawing: Drawing) -> tuple[str, ...]:
        """Return the words of a drawing, one for each cell; raise FormatError if it does not fit the board.

        Cells that are not on the board are as in the start if the drawing leaves them out.
        """
        return self._filled(fit(self.board, drawing))

    def _filled(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return words with those of the start in cells that are not on the board and that a drawing left out."""
        count = self.board.cells - self.board.beside
        if not self.board.beside or self.start is None or words[count:] != (WILD,) * self.board.beside:
            return words
        return (*words[:count], *self.view.decode(self.start)[count:])

    def id(self, position: bytes) -> str:
        """Return a short id of the position that can be part of a URL: '~' and digits of base 62."""
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
        position = bytes(reversed(symbols))
        with contextlib.suppress(FormatError):
            if not number:
                return self.view.encode(self.view.decode(position))
        raise InputError(f"position: expected the id of one of this puzzle's positions, found {text[:40]!r}")

    def frames(self, path: Sequence[bytes], model: Model, rules: Sequence[Sequence[int]] = ()) -> tuple[Frame, ...]:
        """Return what to show for each position of a path of moves; letters stay with their pieces.

        rules  the numbers of the model's rules that make each move (default: those that `Model.moves` finds). In a
               metric with free rules, the positions that these lead to are shown
        """
        if model.metric.free:
            walked = self.walked(path, model, rules)
            path, rules = [position for position, _ in walked], [made for _, made in walked[1:]]
        labels = self._labels(path[0])
        shown = [Frame(path[0], self.view.decode(path[0], labels))]
        for index, (before, after) in enumerate(paced(zip(path, path[1:], strict=False))):
            numbers = rules[index] if rules else model.move_between(before, after)
            made = [model.rules[number] for number in numbers]
            name, brief = self._names(made[:1] if model.metric.automatic else made, labels)
            moved: set[int] = set()
            routes: dict[int, tuple[int, ...]] = {}
            for rule in made:
                if rule.motion is not None:
                    carried = self.carried(rule)
                    labels = _followed(labels, rule, carried)
                    moved = moved - {origin for origin, _ in carried} | {target for _, target in carried}
                    gone = {target: (*routes.get(origin, (origin,)), target) for origin, target in carried}
                    routes = {end: way for end, way in routes.items() if end not in dict(carried)} | gone
            changed = {cell for rule in made for cell in rule.cells}
            if moved:
                changed = {cell for piece in self.view.pieces(after) if piece[0] in moved for cell in piece}
            words = self.view.decode(after, labels)
            shown.append(Frame(after, words, name, frozenset(changed), tuple(routes.values()), brief))
        return tuple(shown)

    def shown(self, position: bytes) -> tuple[str, ...]:
        """Return the word of each cell: as written for the start and a `Position`, else in reading order."""
        start = self.draft.start if self.draft is not None else None
        if found := self._own_words(position):
            return found
        for own in (self.letters, self.fit(start) if start is not None else ()):
            if own and self.view.encode(own) == position:
                return own
        return self.view.decode(position)

    def _own_words(self, position: bytes) -> tuple[str, ...]:
        """Return the words of a `Position` of this puzzle, perhaps with another start; else ()."""
        return position.words if isinstance(position, Position) and position.puzzle.view == self.view else ()

    def _labels(self, position: bytes) -> dict[int, str]:
        """Return the letter of each piece by its first cell; none if moves do not move pieces."""
        if self.listed:
            return {}
        words = self.shown(position)
        return {piece[0]: words[piece[0]] for piece in self.view.pieces(position)}

    def _names(self, rules: Sequence[Rule], labels: Mapping[int, str]) -> tuple[str, str]:
        """Return the move's name: 'B right 2', 'B c1 right', 'B 6-3-1', 'd2-d4-f4', 'row1', 'U2'; and its brief name.

        The cell is named if several pieces have the letter and the name has no other cell; in the brief name it is not.
        """
        cells, way = self.naming(rules)
        letters = dict.fromkeys(labels[cell] for cell in cells if cell in labels)
        several = self.directed and any([*labels.values()].count(letter) > 1 for letter in letters)
        brief = " ".join([*letters, way])
        return " ".join([*letters, self.board.names[cells[0]], way]) if several else brief, brief

    @property
    def directed(self) -> bool:
        """Whether the names of moves have directions instead of cells."""
        return self.kind.named == "direction" and self.board.grid

    def naming(self, rules: Sequence[Rule]) -> tuple[tuple[int, ...], str]:
        """Return the cells before the move whose letters its name begins with, and the rest of the name."""
        motions = [rule.motion for rule in rules if rule.motion is not None]
        motions = [motion for motion in motions if not motion.free] or motions
        if not motions:
            return (), _powers([rule.name for rule in rules])
        if self.metrics[0] == "tilt":
            return (), motions[0].direction
        train = len(motions) > 1 and motions[1].target == motions[0].origin
        if train:
            motions.reverse()
        pieces = tuple(m.origin for m in motions) if train else (motions[0].origin,)
        if self.directed:
            way = _powers([motions[0].direction] if train else [m.direction for m in motions], " ")
            return pieces, f"{way} {motions[-1].how}".rstrip()
        cells = [motions[0].origin, *(m.target for m in motions)]
        way = [
            "-".join(map(self._place_of, cells)), motions[-1].how,
            f"by {self.board.names[self._pusher(rules)]}" if self.several_players and not motions[0].free else "",
        ]  # fmt: skip
        return pieces if self.kind.named == "direction" else (), " ".join(filter(None, way))

    def _place_of(self, cell: int) -> str:
        """Return how names of moves call a cell."""
        return str(self.board.places[cell][1] + 1) if self.kind.named == "rows" else self.board.names[cell]

    @property
    def several_players(self) -> bool:
        """Whether several players walk, so that names of moves say where the one that pushes was before."""
        if not self.walked_by_a_player or self.start is None:
            return False
        assert isinstance(self.view, Letters)
        return self.start.count(self.view.symbols[PLAYER]) > 1

    def _pusher(self, rules: Sequence[Rule]) -> int:
        """Return the cell in which the player who pushes a box was before the rules of a move."""
        pushes = next(number for number, rule in enumerate(rules) if rule.motion is not None and not rule.motion.free)
        cell = self.carried(rules[pushes])[1][0]
        for rule in reversed(rules[:pushes]):
            if rule.motion is not None and rule.motion.target == cell:
                cell = rule.motion.origin
        return cell


class Position(bytes):
    """A position with its puzzle: `str` returns its text, and a notebook shows it as a picture.

    words  the word in each cell, if letters of like pieces are to stay with them; else () for letters in reading order
    """

    puzzle: Puzzle
    words: tuple[str, ...]

    def __new__(cls, puzzle: Puzzle, symbols: bytes, words: tuple[str, ...] = ()) -> Position:
        position = super().__new__(cls, symbols)
        position.puzzle = puzzle
        position.words = words
        return position

    def __str__(self) -> str:
        return self.puzzle.line(self)

    def __repr__(self) -> str:
        return f"<{self.puzzle.name}: {self}>"

    def __reduce__(self) -> tuple[type[Position], tuple[Puzzle, bytes, tuple[str, ...]]]:
        return Position, (self.puzzle, bytes(self), self.words)

    def _repr_svg_(self) -> str:
        return pictures().position_svg(self.puzzle, self)


DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _settled(model: Model) -> Model:
    """Return a model with free rules whose start and goals that are one position stand for all these rules lead to."""
    goals = tuple(
        goal if goal.position is None else Goal.exactly(model.settled(goal.position)) for goal in paced(model.goals)
    )
    return replace(model, start=None if model.start is None else model.settled(model.start), goals=goals)


def open_goal(words: Sequence[str], view: View) -> Goal:
    """Return the goal of a drawing, in which '*' is anything. Raises FormatError if another word is no symbol."""
    if not isinstance(view, Letters):
        raise FormatError("expected a puzzle whose positions are written in letters")
    position = view.encode(view.filled(words))
    return Goal(tuple(ANY if word == WILD else only(s) for word, s in zip(words, position, strict=True)))


def _enters(rule: Rule, target: int) -> bool:
    """Return whether the piece of a rule's motion comes to its target; if not, it is lost there."""
    return any(
        cell == target and rule.cells[source] != cell for cell, source in zip(rule.cells, rule.source, strict=True)
    )


def _followed(labels: Mapping[int, str], rule: Rule, carried: Sequence[tuple[int, int]]) -> dict[int, str]:
    """Return the letters of pieces by first cell after a rule; pieces that it removes or changes get none."""
    stays = {cell for cell, k, table in zip(rule.cells, rule.source, rule.table, strict=True)
             if table is None and rule.cells[k] == cell}  # fmt: skip
    left = {cell: letter for cell, letter in labels.items() if cell in stays or cell not in rule.cells}
    return left | {target: labels[origin] for origin, target in carried if origin in labels}


def _powers(names: Sequence[str], between: str = "") -> str:
    """Join names; repetitions are written once with their number: 'right 2 down', 'U2', 'A1^2' of the move A1."""
    parts: list[str] = []
    count = 0
    for index, name in enumerate(names):
        count += 1
        if index + 1 == len(names) or names[index + 1] != name:
            before = between or ("^" if name[-1:].isdigit() else "")
            parts.append(name + (f"{before}{count}" if count > 1 else ""))
            count = 0
    return " ".join(parts)
