"""The puzzle of a draft with `rule: change`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ...errors import EndlessError, FormatError, Word
from ...limits.watch import paced
from ...model.effects import canonical
from ...model.metric import Metric, Stage
from ...model.model import Model
from ...model.rule import Rule
from ...model.sentence import Shows
from ...puzzle.board import Board, with_beside
from ...puzzle.diagnostics import Diagnostic
from ...puzzle.draft import Draft
from ...puzzle.puzzle import COST, Puzzle, RuleKind
from .. import common
from ..common import Walled
from ..listed import check_swap, swap_table, swapped_in
from . import doubts
from .bodies import bodies_of, check_alone
from .effects import check_number
from .goals import goals_of, laws_of
from .moves import Made, listed_of, made_of
from .rows import MoveRow
from .scope import Scope
from .words import Declared, check_numbers, declared, moves_of, scope_of

Rows = Sequence[tuple[MoveRow, ...]]
"""For each row under a key its moves, two of a row with `<->`."""


@dataclass
class ChangeRules:
    """The rules of a puzzle: those of moves, and then those of what happens by itself.

    followers  for each rule of a move those by which its piece may go on; () if no piece may
    rows  each row, with its rules
    """

    rules: list[Rule] = field(default_factory=list[Rule])
    costs: list[int] = field(default_factory=list[int])
    followers: tuple[tuple[int, ...], ...] = ()
    stages: list[Stage] = field(default_factory=list[Stage])
    rows: list[tuple[Word, list[Rule]]] = field(default_factory=list[tuple[Word, list[Rule]]])


def build(draft: Draft, name: str, kind: RuleKind) -> Puzzle:
    """Return the puzzle of a draft with this rule kind, `change`; raise FormatError at the word that is wrong."""
    board = common.board_of(draft, ragged=True)
    texts = common.texts_of(draft, board)
    known = declared(draft, board, texts)
    check_numbers(known, texts)
    moves, after = moves_of(draft, "moves", known), moves_of(draft, "after", known)
    if not moves:
        raise FormatError("moves: expected at least one move for rule change, found none")
    drawn = scope = scope_of(known, [row for rows in (*moves, *after) for row in rows], texts.start)
    whole = with_beside(board, [*known.also])
    view = Walled(tuple((letter,) for letter in scope.letters))
    check_swap(swapped_in(draft), {*scope.letters}, draft.swap)
    swap = swap_table(draft, view.symbols)
    found = _rules(moves, after, scope, known, whole, swap)
    start, notes = _start(draft, scope, found, view)
    if start != scope.start:  # sentences that say `start` mean the start after what happened by itself
        scope = replace(drawn, start=start)
        found = _rules(moves, after, scope, known, whole, swap)
    priced = draft.count == COST or any(row.cost is not None for rows in moves for row in rows)
    _check_again(moves, draft, priced)
    _check_bodies((*moves, *after), found, scope)
    laws = laws_of(draft.changes.get("forbid", ()), scope)
    return Puzzle(
        name, kind, whole, view, len(scope.letters), tuple(found.rules),
        _metrics(draft, found.rules, scope, kind.counts, priced), start, goals_of(draft, texts, scope, view),
        diagnostics=(*notes, *doubts.doubts(draft, drawn, known, found.rows, laws)),
        automatic=tuple(found.stages), laws=laws, floor=known.floor, costs=tuple(found.costs) if priced else (),
        vessels=_vessels(moves, known), followers=found.followers,
        domain=tuple([Shows(cell, need) for cell, need in scope.ranges.items()]),
    )  # fmt: skip


def _rules(
    moves: Rows, after: Rows, scope: Scope, known: Declared, board: Board, table: tuple[int, ...]
) -> ChangeRules:
    """Return the rules of all rows; of moves with the same effect, only the cheapest, or one that may go on."""
    found = ChangeRules()
    kept: dict[tuple[object, ...], Made] = {}
    for rows in moves:
        made = [each for row in rows for each in _made(row, scope, known, board, table, waiting=bool(after))]
        found.rows.append((rows[0].place, [each.rule for each in made]))
        for each in paced(made):
            form = canonical(each.rule, len(scope.letters))
            if form not in kept or each.cost < kept[form].cost or (each.again and not kept[form].again):
                kept[form] = each
        check_number(len(kept), rows[0].place)
    found.rules = [each.rule for each in kept.values()]
    found.followers = _followers([*kept.values()])
    found.costs = [each.cost for each in kept.values()]
    for rows in after:
        made = [each for row in rows for each in _made(row, scope, known, board, table)]
        found.rows.append((rows[0].place, [each.rule for each in made]))
        if not made:
            continue
        first = len(found.rules)
        found.rules += [each.rule for each in sorted(made, key=lambda each: each.first)]
        found.costs += [1] * len(made)
        found.stages.append(Stage(tuple(range(first, len(found.rules))), rows[0].once))
        check_number(len(found.rules), rows[0].place)
    return found


def _followers(made: Sequence[Made]) -> tuple[tuple[int, ...], ...]:
    """Return for each rule those by which the same piece may go on, if there are any."""
    begins: dict[int, list[int]] = {}
    for number, each in enumerate(made):
        if each.again:
            begins.setdefault(each.first, []).append(number)
    if not begins:
        return ()
    return tuple(tuple(begins.get(each.targets[0], ())) if each.again else () for each in made)


def _check_again(moves: Rows, draft: Draft, priced: bool) -> None:
    """Raise FormatError if pieces may go on in a puzzle in which this is not defined."""
    row = next((row for rows in moves for row in rows if row.again), None)
    others = [key for key in ("after", "forbid") if key in draft.changes] + ["cost"] * priced
    if row is not None and others:
        raise FormatError.at(row.place, f"expected no 'again' beside {others[0]}, found one")


def _check_bodies(rows: Rows, found: ChangeRules, scope: Scope) -> None:
    """Raise FormatError if cells of a body change otherwise."""
    own = [bodies_of([word for row in moves for word in row.words], scope) for moves in rows]
    check_alone([(*each, bodies) for each, bodies in zip(found.rows, own, strict=True)], scope)


def _made(
    row: MoveRow, scope: Scope, known: Declared, board: Board, table: tuple[int, ...], waiting: bool = False
) -> Iterator[Made]:
    if row.listed is not None:
        yield from listed_of(row, board, table, scope)
    else:
        yield from made_of(row, scope, known, waiting=waiting)


def _start(draft: Draft, scope: Scope, found: ChangeRules, view: Walled) -> tuple[bytes | None, tuple[Diagnostic, ...]]:
    """Return the start after everything has happened by itself, and a note if something did."""
    if scope.start is None or not found.stages:
        return scope.start, ()
    try:
        model = Model(len(scope.start), len(scope.letters), tuple(found.rules), Metric(automatic=tuple(found.stages)))
        start = model.settle(scope.start)
    except EndlessError as error:
        shown = " -> ".join("".join(view.decode(position)) for position in error.positions[:4])
        raise FormatError.at(
            draft.place("after"),
            f"after: expected an end of what happens by itself, found a loop: {shown}",
        ) from None
    if start == scope.start:
        return start, ()
    first = next(iter(draft.start.words)) if draft.start is not None else ""
    text = "something happens by itself before the first move: the start is not at rest"
    return start, (Diagnostic.at(first, "start-settles", text, severity="note"),)


def _vessels(moves: Rows, known: Declared) -> dict[int, int]:
    """Return what each cell with numbers holds at most if anything is poured, else {}."""
    if not any(row.pour is not None for rows in moves for row in rows):
        return {}
    return {cell: high for cell, (low, high) in known.ranges.items() if not low and high}


def _metrics(
    draft: Draft, rules: Sequence[Rule], scope: Scope, counts: tuple[str, ...], priced: bool
) -> tuple[str, ...]:
    """Return the metrics, that of `count:` first."""
    if draft.count and draft.count not in counts:
        return common.metrics_of(draft, rules, len(scope.letters), scope.start, counts)
    names = counts if priced else counts[:1]
    first = str(draft.count) or names[0]
    return (first, *(name for name in names if name != first))
