"""Designed puzzles as a table, as CSV, as JSON, and the distribution of components."""

from __future__ import annotations

import csv
from collections import Counter
from io import StringIO
from typing import Any

from ..graph.designs.answers import Designed
from .glyphs import pad, printable
from .words import plural


def text(answer: Designed) -> str:
    """Return the numbers, a table of the hardest puzzles, and the hardest one as a board."""
    parts = [head(answer)]
    if answer.puzzles:
        parts.append(_table(answer))
    elif answer.stopped is not None:
        parts.append("No start was found so far.")
    else:
        parts.append("No start meets the conditions." if answer.conditions else "No start needs a move.")
    best = answer.hardest
    if best is not None:
        parts.append(f"Hardest: {plural(best.moves, 'move')}, {best.words}\n" + _board(best.start))
    return "\n\n".join(parts)


def head(answer: Designed) -> str:
    """Return the numbers of packings and components."""
    if answer.packings is None:
        return _climbed(answer)
    kind = "multisets of pieces" if answer.multisets else "groups"
    lines = [
        f"{printable(answer.title)}: {answer.packings:,} packings, {answer.groups:,} {kind} (count: {answer.metric})"
    ]
    if answer.stopped is not None:
        if answer.searched_questions < answer.questions > 1:
            lines.append(f"Stopped: {answer.searched_questions} of {answer.questions} goals are searched.")
        elif answer.searched < answer.packings:
            lines.append(f"Stopped: {answer.searched_groups:,} {kind} with {answer.searched:,} packings are searched.")
        else:
            lines.append("Stopped: all packings are searched, but not all starts were tried; there may be harder ones.")
    lines.append(f"{answer.goals:,} meet the goal, {answer.solvable:,} can reach it")
    if answer.components or answer.dead:
        lines[-1] += f": {_components(answer)}"
    if answer.questions > 1:
        lines.append(_goals(answer))
    if answer.conditions:
        lines.append(f"Only starts: {'; '.join(answer.conditions)}")
    return "\n".join(lines)


def _goals(answer: Designed) -> str:
    return f"{answer.questions} goals, one for each place of the piece: all numbers are sums over them"


def _climbed(answer: Designed) -> str:
    """Return what a search by climbing can say."""
    lines = [
        f"{printable(answer.title)}: hill climbing through {plural(answer.groups, 'component')} with "
        f"{answer.searched:,} packings (count: {answer.metric})",
        "Each distance is proved; there may be harder starts, because not all were searched.",
    ]
    if answer.questions > 1:
        lines.append(_goals(answer))
    if answer.reason:
        lines.append(f"All packings cannot be searched: {answer.reason}")
    if answer.stopped is not None:
        lines.append(f"Stopped: {answer.stopped}")
    if answer.conditions:
        lines.append(f"Only starts: {'; '.join(answer.conditions)}")
    return "\n".join(lines)


def _components(answer: Designed) -> str:
    good, dead = sum(answer.components.values()), sum(answer.dead.values())
    lines = [f"{plural(good, 'component')}; {answer.searched - answer.solvable:,} cannot: {plural(dead, 'component')}"]
    sizes: Counter[int] = Counter()
    for (size, _), count in answer.components.items():
        sizes[len(str(size))] += count
    words = [f"{10 ** (digits - 1):,}-{10**digits - 1:,}: {count:,}" for digits, count in sorted(sizes.items())]
    if words:
        lines.append(f"Components that reach the goal, by packings: {'  '.join(words)}")
    return "\n".join(lines)


def _table(answer: Designed) -> str:
    names = ([answer.by] if answer.by in ("blanks", "pieces") else []) + ["moves"]
    names += [each for each in ("pieces", "blanks") if each != answer.by]
    counted = any(each.states is not None for each in answer.puzzles)
    names += (["states", "depth"] if counted else []) + ["shapes", "start"]
    names += ["goal"] if answer.questions > 1 else []
    rows = [names]
    for each in answer.puzzles:
        cells = {
            "moves": f"{each.moves:,}", "pieces": f"{each.pieces}", "blanks": f"{each.blanks}",
            "states": f"{each.states:,}" if each.states is not None else "", "depth": f"{each.depth}",
            "shapes": each.words if len(each.words) < 60 else f"{len(each.shapes)} shapes", "start": each.start,
            "goal": each.goal,
        }  # fmt: skip
        rows.append([cells[column] for column in names])
    widths = [max(len(row[column]) for row in rows) for column in range(len(names))]
    left = {"shapes", "start", "goal"}
    return "\n".join(
        "  ".join(
            pad(cell, width) if name in left else cell.rjust(width)
            for name, cell, width in zip(names, row, widths, strict=True)
        ).rstrip()
        for row in rows
    )


def _board(line: str) -> str:
    return "\n".join("  " + " ".join(row) for row in line.split("/"))


def csv_text(answer: Designed) -> str:
    """Return a line for each puzzle."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([answer.by, "moves", "pieces", "blanks", "states", "depth", "shapes", "start", "goal"])
    for each in answer.puzzles:
        writer.writerow(
            [each.key, each.moves, each.pieces, each.blanks, each.states, each.depth, each.words, each.start, each.goal]
        )
    return out.getvalue()


def json_object(answer: Designed) -> dict[str, Any]:
    """Return the object of `design`."""
    return {
        "schema": 1,
        "puzzle": answer.name,
        "metric": answer.metric,
        "by": answer.by,
        "method": answer.method,
        "reason": answer.reason,
        "packings": answer.packings,
        "searched": answer.searched,
        "groups": answer.groups,
        "searched_groups": answer.searched_groups,
        "goals": answer.goals,
        "solvable": answer.solvable,
        "questions": answer.questions,
        "searched_questions": answer.searched_questions,
        "components": [
            {"packings": size, "depth": depth, "count": count}
            for (size, depth), count in sorted(answer.components.items())
        ],
        "unsolvable": [{"packings": size, "count": count} for size, count in sorted(answer.dead.items())],
        "conditions": list(answer.conditions),
        "puzzles": [
            {
                "key": each.key, "moves": each.moves, "pieces": each.pieces, "blanks": each.blanks,
                "shapes": dict(each.shapes), "states": each.states, "depth": each.depth, "start": each.start,
                "goal": each.goal,
            }
            for each in answer.puzzles
        ],
        "confirmed": answer.confirmed,
        "stopped": None if answer.stopped is None else {"kind": answer.stopped.kind, "text": str(answer.stopped)},
        "generated": answer.generated,
        "seconds": round(answer.seconds, 6),
    }  # fmt: skip
