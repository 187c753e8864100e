"""Write a Draft as the text of a puzzle file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from ..puzzle.draft import CHANGES, NOTHING, PART_KEYS, CountGoal, Draft, Drawing, Known, ListedMove, Look, OpenPieces
from .pzl_columns import fits, lay, placed, width
from .pzl_stacks import written
from .pzl_words import has_sign

INDENT = "  "
BEFORE = ("title", "by", "source", "note", "count", "board", "lines", "links")


def print_draft(draft: Draft) -> str:
    """Return the text of a puzzle file, keys in the order of docs/format.md; `parse` reads the same draft."""
    lines: list[str] = []
    for name, rows in _in_order(draft):
        if len(rows) == 1 and not rows[0].startswith(INDENT):
            lines.append(f"{name}: {rows[0]}")
        elif rows:
            lines += [f"{name}:", *(row if row.startswith(INDENT) else INDENT + row for row in rows)]
    return "\n".join(lines) + "\n"


Part = tuple[str, Sequence[str]]
"""A key and its rows: a single row is written beside the key unless it is indented; without rows there is no key."""


def _in_order(draft: Draft) -> Iterable[Part]:
    """Yield all keys; of a file with several rules first the texts and the board, then each rule with its keys."""
    keys = _keys(draft)
    if not draft.parts:
        return keys
    first = [part for part in keys if part[0].partition("[")[0] in BEFORE]
    own = [part for part in keys if _is_own(part)]
    rest = [part for part in keys if part not in first and part not in own]
    return [*first, *own, *(part for each in draft.parts for part in _keys(each) if _is_own(part)), *rest]


def _is_own(part: Part) -> bool:
    return part[0] == "rule" or part[0].split(" ")[0] in PART_KEYS


def _keys(draft: Draft) -> list[Part]:
    return [*_head(draft), *_board(draft), *_places(draft), *_rest(draft)]


def _head(draft: Draft) -> Iterable[Part]:
    for tag, title in draft.titles:
        yield (f"title[{tag}]" if tag else "title"), [_quoted(title)]
    for key, text in (("by", draft.by), ("source", draft.source), ("note", draft.note)):
        yield key, [_quoted(text)] if text else []
    yield "rule", [f"{draft.rule} along" if draft.along else draft.rule]
    yield "count", [draft.count] if draft.count else []


def _quoted(text: str) -> str:
    """Return a text for people, in quotes if it would be read differently without."""
    return '"' + text.replace('"', '""') + '"' if ";" in text or text.startswith('"') else text


def _board(draft: Draft) -> Iterable[Part]:
    if isinstance(draft.board, Drawing):
        yield "board", _drawing(draft.board, draft.board)
    elif draft.board is not None:
        yield "board", [" ".join(draft.board)]
    yield "lines", ["-".join(chain) for chain in draft.lines]
    yield "links", [f"{cell}: {' '.join(others)}" for cell, others in draft.links]
    yield "diagonals", ["yes"] if draft.diagonals else []
    yield "blocks", ["none"] if draft.single else _symbols(draft.blocks)
    yield "apart", _symbols(draft.apart)
    yield "fixed", _symbols(draft.fixed)


def _symbols(symbols: str | Sequence[str]) -> list[str]:
    if isinstance(symbols, str):
        return [symbols]
    return [" ".join(symbols)] if symbols else []


def _places(draft: Draft) -> Iterable[Part]:
    for key in CHANGES:
        yield key, draft.changes.get(key, ())
    yield "gates", _drawing(draft.gates, draft.board) if draft.gates is not None else []
    yield "edge", [draft.edge] if draft.edge else []
    yield "ground", [INDENT + row for row in draft.ground]
    yield "passing", ["yes"] if draft.passing else []
    yield "anywhere", ["yes"] if draft.anywhere else []
    yield "tilt", ["yes"] if draft.tilt else []
    yield "pull", ["yes"] if draft.pull else []
    yield "start", _drawing(draft.start, draft.board) if draft.start is not None else []
    for number, goal in enumerate(draft.goals, 1):
        name = "goal" if number == 1 else f"goal {number}"
        if isinstance(goal, Drawing):
            rows = _drawing(goal, draft.board)
            apart = len(rows) == 1 and any(map(has_sign, goal.words)) and not rows[0].startswith(INDENT)
            yield name, [INDENT + rows[0]] if apart else rows
        elif isinstance(goal, CountGoal):
            yield name, [f"count {goal.symbol} = {goal.count}" if goal.symbol is not None else "any one peg"]
        else:
            yield name, [goal]


def _drawing(drawing: Drawing, board: Drawing | Sequence[str] | None) -> list[str]:
    """Return the rows of a drawing, aligned as on the board if that is drawn and the words fit."""
    if drawing.columns:
        rows = placed(drawing)
    elif isinstance(board, Drawing) and board.spaced == drawing.spaced and fits(drawing, board.columns):
        rows = lay(drawing.rows, board.columns)
    else:
        rows = _table(drawing)
    if drawing.spaced and all(len(row) == 1 for row in drawing.rows):
        rows = [f"{row} {NOTHING}" for row in rows]  # rows of single words would be read letter by letter
    return [INDENT + row for row in rows]


def _table(drawing: Drawing) -> list[str]:
    """Return rows with their words aligned."""
    if not drawing.spaced:
        return ["".join(row) for row in drawing.rows]
    widest = max(width(word) for row in drawing.rows for word in row)
    return [" ".join(word + " " * (widest - width(word)) for word in row).rstrip(" ") for row in drawing.rows]


def _rest(draft: Draft) -> Iterable[Part]:
    yield "moves", [_move(move) for move in draft.moves]
    yield "swap", [_swap(symbols) for symbols in draft.swap]
    yield "one-way", ["yes"] if draft.one_way else []
    yield "distinct", _symbols(draft.distinct)
    yield "picture", [_look(look) for look in draft.picture]
    yield "known", list(_known(draft.known))
    yield "pieces", [INDENT + _pieces(each) for each in draft.pieces]
    yield "blanks", [_range(draft.blanks)] if draft.blanks is not None else []
    yield "walls", _drawing(draft.walls, draft.board) if draft.walls is not None else []
    yield from written(draft)


def _pieces(each: OpenPieces) -> str:
    name = f"{each.name} " if each.name else ""
    return f"{name}{' | '.join(each.shapes)}: {_range((each.low, each.high))}"


def _range(numbers: tuple[int, int | None]) -> str:
    low, high = numbers
    if high is None:
        return f"{low} or more" if low else "any"
    return str(low) if low == high else f"{low}-{high}"


def _move(move: ListedMove) -> str:
    if move.kind != "cycles":
        return f"{move.name}: {move.kind} {' '.join(move.cells[0])}"
    cycles = "".join(f"({' '.join(cycle)})" for cycle in move.cells)
    return f"{move.name}: " + " ".join(filter(None, [cycles, *(f"~{cell}" for cell in move.swaps)]))


def _swap(symbols: Sequence[str]) -> str:
    return " <-> ".join(symbols) if len(symbols) == 2 else " -> ".join([*symbols, symbols[0]])


def _look(look: Look) -> str:
    parts = (("colour", look.colour), ("mark", look.mark), ("glyph", look.glyph), ("name", look.name))
    return f"{look.symbol}: " + ", ".join(f"{what} {value}" for what, value in parts if value)


def _known(known: Sequence[Known]) -> Iterable[str]:
    """Yield a row for each run of numbers with the same source; a new row begins where 'from start' ends."""
    for source, group in groupby(known, key=lambda each: each.source):
        rows: list[list[str]] = []
        covered = False
        for each in group:
            if not rows or (covered and not each.from_start):
                rows.append([])
                covered = False
            begins = each.from_start and not covered
            covered = each.from_start
            metric = f" in {each.metric}" if each.metric else ""
            rows[-1].append(f"{'from start ' if begins else ''}{each.what} {each.value}{metric}")
        for row in rows:
            yield ", ".join(row) + (f" ; {source}" if source else "")
