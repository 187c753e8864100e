"""Write a planning task as a domain and a problem."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..errors import UnsupportedError
from ..limits.watch import paced
from ..puzzle.draft import BLANK
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Puzzle
from .actions import READY, TaskAction, Term
from .task import Task, task_of

NAME = re.compile("[a-z][a-z0-9_-]*")
"""What a name in PDDL may be; upper and lower case are the same."""

KEPT = re.compile("ready|phase-.*|blank|body|cell|symbol|phase|object|and|or|not|when|either|forall|exists|imply")
"""Names that cells cannot have, because they mean something else in a task."""

WIDTH = 110
"""The most letters of a line, about."""


def task(puzzle: Puzzle, count: str = "") -> tuple[str, str]:
    """Return the domain and the problem of a puzzle in a metric (default: its own).

    Raises UnsupportedError if PDDL cannot say what the puzzle says, or there is no start or goal.
    """
    model = puzzle.model(count)
    if puzzle.start is None:
        raise UnsupportedError("format pddl: expected a puzzle with a start, found none")
    return _Writer(puzzle, task_of(model), puzzle.start).texts()


class _Writer:
    def __init__(self, puzzle: Puzzle, task: Task, start: bytes) -> None:
        self.puzzle, self.task, self.start = puzzle, task, start
        self.name = _slug(puzzle.name) or "puzzle"
        cells = [name.lower() for name in puzzle.board.names]
        self.words = _words(puzzle, task.model.symbols)
        self.symbols = _symbol_names(self.words)
        plain = len({*cells, *self.symbols}) == len(cells) + len(self.symbols)
        plain = plain and all(NAME.fullmatch(name) and not KEPT.fullmatch(name) for name in cells)
        self.cells = cells if plain else [f"cell-{number + 1}" for number in range(len(cells))]
        self.phased = len(task.phases) > 1
        self.finishing = task.goal is None
        self.used: dict[str, int] = {}

    def texts(self) -> tuple[str, str]:
        actions = "".join(self._action(action) for action in paced(self.task.actions))
        return f"{self._head()}\n{actions})\n", self._problem()

    def _head(self) -> str:
        conditional = any(action.depends for action in self.task.actions)
        barred = any(action.bars for action in self.task.actions)
        asked = [":strips", ":typing", *[":negative-preconditions"] * barred, *[":conditional-effects"] * conditional]
        asked += [":action-costs"] * self.task.costs
        types = "cell symbol phase" if self.phased else "cell symbol"
        rows = [
            *self._legend(),
            f"(define (domain {self.name})",
            f"  (:requirements {' '.join(asked)})",
            f"  (:types {types})",
            *_wrapped("  (:constants", self._constants(), ")"),
            *_wrapped("  (:predicates", self._predicates(), ")"),
        ]
        return "\n".join([*rows, *["  (:functions (total-cost) - number)"] * self.task.costs])

    def _legend(self) -> Iterator[str]:
        metric = self.task.model.metric.name
        yield f"; {self.puzzle.title} as a planning task; the cost of a plan is its length in the metric {metric}."
        yield "; (shows CELL SYMBOL): what a cell of the board shows."
        if self.cells[0] == "cell-1":
            named = [f"{name} {word}" for name, word in zip(self.cells, self.puzzle.board.names, strict=True)]
            yield from _wrapped("; Cells:", named, ".", "; ")
        named = [f"{name} {word}" for name, word in zip(self.symbols, self.words, strict=True) if name != f"s{word}"]
        yield from _wrapped("; Symbols:", [f"{each}," for each in named[:-1]] + named[-1:], ".", "; ")
        if self.phased:
            yield "; (now PHASE): a move has several actions if rules follow each other, something happens by itself,"
            yield "; or positions are forbidden. It begins in the phase ready, and only then it costs something."

    def _constants(self) -> list[str]:
        phases = [self._phase(number) for number in self.task.phases.values()] if self.phased else []
        kinds = (("cell", self.cells), ("symbol", self.symbols), ("phase", phases))
        return [word for kind, names in kinds if names for word in (*names, f"- {kind}")]

    def _predicates(self) -> list[str]:
        found = ["(shows ?c - cell ?s - symbol)"]
        found += ["(now ?p - phase)"] * self.phased + ["(finished)"] * self.finishing
        names = ("?s - symbol", "?s ?t - symbol")
        return [*found, *(f"({name} {names[terms - 1]})" for name, terms in self.task.facts.predicates())]

    def _action(self, action: TaskAction) -> str:
        slug = _slug(action.title) or "move"
        self.used[slug] = number = self.used.get(slug, 0) + 1
        needs = [f"(now {self._phase(action.before)})"] * self.phased
        needs += [self._shows(cell, term) for cell, term in action.shows]
        needs += [f"(not {self._shows(cell, term)})" for cell, term in action.bars]
        needs += [self._fact(fact) for fact in action.facts]
        parameters = f" {' '.join(action.parameters)} - symbol " if action.parameters else ""
        rows = [
            f"  (:action {slug}-{number}",
            f"    :parameters ({parameters.strip()})",
            *_wrapped("    :precondition (and", needs, ")", "      "),
            *_wrapped("    :effect (and", self._effects(action), "))", "      "),
        ]
        return "\n".join(rows) + "\n"

    def _effects(self, action: TaskAction) -> Iterator[str]:
        if action.after != action.before:
            yield f"(not (now {self._phase(action.before)}))"
            yield f"(now {self._phase(action.after)})"
        for cell, old, new in action.writes:
            if old != new:
                yield f"(not {self._shows(cell, old)})"
                yield self._shows(cell, new)
        for cell, source, table in action.depends:
            yield from self._depending(cell, source, table)
        if action.finishes:
            yield "(finished)"
        if self.task.costs:
            yield f"(increase (total-cost) {action.cost})"

    def _depending(self, cell: int, source: int, table: Sequence[int]) -> Iterator[str]:
        """Yield the effects on a cell whose new symbol depends on what another shows."""
        for old in range(len(table)):
            yield f"(when {self._shows(cell, old)} (not {self._shows(cell, old)}))"
        for old, new in enumerate(table):
            yield f"(when {self._shows(source, old)} {self._shows(cell, new)})"

    def _problem(self) -> str:
        facts = [self._shows(cell, symbol) for cell, symbol in enumerate(self.start)]
        facts += [f"(now {self._phase(READY)})"] * self.phased
        facts += [self._fact(fact) for fact in self.task.facts.true()]
        facts += ["(= (total-cost) 0)"] * self.task.costs
        goal = ["(finished)"] if self.task.goal is None else [self._shows(*each) for each in self.task.goal]
        rows = [
            f"(define (problem {self.name}-start)",
            f"  (:domain {self.name})",
            *_wrapped("  (:init", facts, ")"),
            *_wrapped("  (:goal (and", [*goal, *[f"(now {self._phase(READY)})"] * self._ends_ready], "))"),
            *["  (:metric minimize (total-cost))"] * self.task.costs,
        ]
        return "\n".join(rows) + "\n)\n"

    @property
    def _ends_ready(self) -> bool:
        """Whether the goal must say that the last move is complete."""
        return self.phased and not self.finishing

    def _shows(self, cell: int, term: Term) -> str:
        return f"(shows {self.cells[cell]} {self._term(term)})"

    def _fact(self, fact: tuple[str, Iterable[Term]]) -> str:
        return f"({' '.join([fact[0], *map(self._term, fact[1])])})"

    def _term(self, term: Term) -> str:
        return term if isinstance(term, str) else self.symbols[term]

    def _phase(self, number: int) -> str:
        return "ready" if number == READY else f"phase-{number}"


def _words(puzzle: Puzzle, symbols: int) -> list[str]:
    """Return what people write for each symbol."""
    view = puzzle.view
    words = [letters[0] if letters else "" for letters in view.letters] if isinstance(view, Letters) else []
    words += [""] * (symbols - len(words))
    if puzzle.shapes is not None:
        words[puzzle.shapes.body] = "body"
    return [word or str(number) for number, word in enumerate(words)]


def _symbol_names(words: Sequence[str]) -> list[str]:
    """Return names for symbols in PDDL."""
    names = ["blank" if word == BLANK else f"s{word}".lower() for word in words]
    plain = len(set(names)) == len(names) and all(map(NAME.fullmatch, names))
    return names if plain else [f"s{number}" for number in range(len(words))]


def _slug(word: str) -> str:
    """Return a word with only small letters, digits and hyphens, which begins with a letter; '' if nothing is left."""
    found = re.sub("[^a-z0-9]+", "-", word.lower().replace("'", "-back")).strip("-")
    return f"m{found}" if found[:1].isdigit() else found


def _wrapped(begin: str, parts: Iterable[str], end: str, indent: str = "    ") -> Iterator[str]:
    """Yield rows of words, as many to a row as fit."""
    row = begin
    for part in parts:
        if len(row) + len(part) >= WIDTH:
            yield row
            row = indent.rstrip(" ") if indent.startswith(";") else indent[1:]
        row += f" {part}"
    yield row + end
