"""Tables as text: depths, the catalogue, components, known numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from ..contract.answers import DepthTable, NearSolutions
from ..puzzle.answers import Proposed
from ..puzzle.draft import Claim
from ..puzzle.puzzle import Puzzle
from .glyphs import pad, printable, width
from .words import cycle_names, known_words, measured_words, number_words, origin_words, plural

if TYPE_CHECKING:
    from ..analysis.impossible import Components, Group
    from ..contract.answers import Solution
    from ..symmetry import SymmetryGroup as Symmetries


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Return rows of words as aligned columns two spaces apart; the columns in `right` are aligned right."""
    sizes = [max(width(row[k]) for row in rows) for k in range(len(rows[0]))] if rows else []
    lines: list[str] = []
    for row in rows:
        texts = [
            " " * (size - width(word)) + word if k in right else pad(word, size)
            for k, (word, size) in enumerate(zip(row, sizes, strict=True))
        ]
        lines.append("  ".join(texts).rstrip())
    return "\n".join(lines)


def depth_table(puzzle: Puzzle, table: DepthTable) -> str:
    """Return the rows `depth new total share`; share is the fraction of the found positions at this depth."""
    rows = [("depth", "new", "total", "share")]
    total = 0
    for depth, count in enumerate(table.counts):
        total += count
        rows.append((str(depth), f"{count:,}", f"{total:,}", f"{100 * count / table.states:.2f}%"))
    if table.fitting is not None:
        shown = ["fit", *(f"{count:,}" for count in table.fitting.counts)]
        rows = [(*row, fit) for row, fit in zip_longest(rows, shown, fillvalue="")]
    head = f"{puzzle.name}: moves{origin_words(table.origin)} (count: {table.metric})"
    hardest = f"{table.counts[-1] if table.counts else 0:,} hardest{class_words(table)}"
    found = (
        f"{plural(table.states, 'position')}, greatest depth {table.depth}, {hardest}"
        if table.complete
        else f"not complete: {plural(table.states, 'position')} found up to depth {table.depth}"
    )
    exact = "" if table.exact else "; counts are very probable, not certain"
    spent = f"{table.engine}, {table.seconds:.2f} s"
    more = measured_words(table), fitting_words(table)
    return f"{head}\n\n{columns(rows, range(len(rows[0])))}\n\n{found}{exact} ({spent})" + "".join(
        f"\n{each}" for each in more if each
    )


def fitting_words(table: DepthTable) -> str:
    """Return how many positions fit the pattern, and its depth; '' if the table has none."""
    fitting = table.fitting
    if fitting is None:
        return ""
    whole = len(fitting.counts) == len(table.counts) and table.complete
    looked = "" if whole else f" up to depth {len(fitting.counts) - 1}" if fitting.counts else " so far"
    if fitting.least is None:
        return f"the pattern: no position fits it{looked}"
    most = f"greatest depth {fitting.greatest}{' so far' if not whole else ''}"
    found = f"{plural(fitting.positions, 'position')}{looked}"
    return f"the pattern: least depth {fitting.least}, {most}, {found}"


def class_words(table: DepthTable) -> str:
    """Return the number of hardest positions up to symmetry, ', 2 up to symmetry'; '' if unknown or only one."""
    return f", {table.classes:,} up to symmetry" if table.classes is not None and table.counts[-1] > 1 else ""


def near(answer: NearSolutions) -> str:
    """Return the numbers of solutions by length, and the solutions that the answer has."""
    first = answer.shortest or 0
    lines = [f"{plural(moves, 'move')}: {plural(n, 'solution')}" for moves, n in enumerate(answer.counts, first)]
    lines += [f"{each.moves:>4}  {', '.join(each.names)}" for each in answer.solutions]
    if not answer.counts and not answer.solutions and answer.stopped is None:
        lines.append(f"no solution has at most {plural(answer.most, 'move')}")
    return "\n".join(lines)


def solution_counts(answer: Solution) -> str:
    """Return the numbers of shortest solutions: all, up to commuting moves, up to order, up to symmetry."""
    ways = {
        "up to commuting moves": answer.solutions_commuting,
        "up to the order of moves": answer.solutions_unordered,
        "up to symmetry": answer.solutions_symmetry,
    }
    others = [f"{'not counted' if count is None else f'{count:,}'} {way}" for way, count in ways.items()]
    return ", ".join([plural(answer.solutions or 0, "shortest solution"), *others])


def symmetry_table(puzzle: Puzzle, group: Symmetries, start: bool = False) -> str:
    """Return the number of symmetries, and the generators as cycles of cells and of symbols."""
    kept = " and ".join(["the rules", *(["the goal"] if puzzle.goals else []), *(["the start"] if start else [])])
    if group.order == 1 and group.complete:
        return f"{puzzle.name}: only the symmetry that changes nothing keeps {kept}"
    least = "" if group.complete else "at least "
    lines = [f"{puzzle.name}: {least}{group.order:,} symmetries keep {kept}, the one that changes nothing included"]
    if group.stopped is not None:
        lines.append("There may be more: a limit stopped the search.")
    elif not group.complete:
        lines.append("There may be more: the board is too large, or its rules cannot be compared.")
    if group.generators:
        lines += [
            "",
            "They are generated by these; each cell or symbol takes the place of the next in its cycle:",
        ]
    for number, generator in enumerate(group.generators, 1):
        parts = zip(("cells", "symbols"), cycle_names(puzzle, generator), strict=True)
        words = [f"{what} " + " ".join(f"({' '.join(cycle)})" for cycle in cycles) for what, cycles in parts if cycles]
        lines.append(f"  {number}: " + printable("; ".join(words)))
    return "\n".join(lines)


def listing(
    puzzles: Sequence[Puzzle], families: Sequence[tuple[str, str]], folders: Sequence[tuple[str, int, str]] = ()
) -> str:
    """Return the catalogue and the families.

    families  (form, title), such as ('slide:WxH', 'sliding tiles')
    folders   (name, number of puzzles, what they are) of further puzzles
    """
    rows = [("name", "title", "rule", "cells", "known")]
    for puzzle in puzzles:
        title = printable(puzzle.title)
        rows.append((puzzle.name, title, puzzle.kind.name, str(puzzle.board.cells), known_words(puzzle)))
    parts = [columns(rows, (3,))]
    parts += [f"And {count} {what}: puzzlespace list {name}" for name, count, what in folders]
    if families:
        parts.append(f"Families, by size:\n{columns(families)}")
    return "\n\n".join(parts)


def component_table(puzzle: Puzzle, found: Components, groups: Sequence[Group]) -> str:
    """Return the sizes of components with their numbers, fixed positions, the share that can be solved."""
    rows = [("size", "components"), *((f"{size:,}", f"{count:,}") for size, count in found.sizes)]
    number = sum(count for _, count in found.sizes)
    lines = [f"{puzzle.name}: {plural(found.positions, 'position')} in {plural(number, 'component')}"]
    if found.sizes:
        lines += ["", columns(rows, (0, 1))]
    elif found.positions:
        lines = [f"{puzzle.name}: {plural(found.positions, 'position')}, too many to list their components"]
    if found.pieces:
        kinds = (f"{plural(count, 'piece')} in {plural(states, 'state')}" for count, states in found.pieces)
        lines += ["", f"positions are all ways to put the pieces together: {', '.join(kinds)}"]
    lines += ["", f"positions that no move changes: {found.fixed:,}"]
    if found.solvable is not None:
        share = 100 * found.solvable / found.positions if found.positions else 0
        lines.append(f"positions that can be solved: {found.solvable:,} ({share:.2f}%)")
    if groups:
        lines += ["", "Cells whose contents exchange only with each other, and the components of their contents:"]
        lines += [_group(puzzle, group) for group in groups]
    return "\n".join(lines)


def _group(puzzle: Puzzle, group: Group) -> str:
    cells = " ".join(puzzle.board.names[cell] for cell in group.cells)
    sizes = ", ".join(f"{count:,} of size {size:,}" for size, count in group.sizes)
    return f"  {cells}: {sizes or 'too many contents to list'}"


def proposed(each: Proposed) -> str:
    """Return whether a solution is legal and shortest, with its length in every metric."""
    if each.problem is not None:
        return f"is wrong\n{each.problem}"
    found = each.shortest
    assert found is not None
    lengths = dict(each.moves)
    others = "".join(f", {length:,} in {name}" for name, length in each.moves if name != each.metric)
    if each.is_shortest:
        verdict = "proved shortest"
    elif found.moves is not None:
        verdict = f"{found.moves:,} suffice"
    else:
        verdict = f"{found.stopped}; at least {found.bound or 0:,} moves are needed"
    return f"is legal: {plural(lengths[each.metric], 'move')} (count: {each.metric}){others}; {verdict}"


def claims(puzzle: Puzzle, found: Sequence[Claim]) -> str:
    """Return every known number beside the computed one."""
    if not found:
        return f"{puzzle.name}: the file is valid; it has no known numbers"
    rows = [("", "number", "known", "found", "source")]
    for claim in found:
        verdict = "not computed" if claim.found is None else "ok" if claim.holds else "WRONG"
        value = "-" if claim.found is None else f"{claim.found:,}"
        source = printable(claim.known.source)
        rows.append((verdict, number_words(claim.known), f"{claim.known.value:,}", value, source))
    held = sum(claim.holds for claim in found)
    verdicts = f"{held} of {plural(len(found), 'known number')} confirmed"
    return f"{puzzle.name}: the file is valid; {verdicts}\n\n{columns(rows, (2, 3))}"
