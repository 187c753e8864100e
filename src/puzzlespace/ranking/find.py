"""Derive the ranking of a model from its rules: a one-to-one map from its positions to 0 … size-1.

The cells are partitioned into parts that never exchange pieces. A part is either an arrangement (permutations,
multisets, placements of blanks and blocks with the order of the other pieces, and the choice of each cell's symbol
within its class) or a list of the few contents that it can show. Invariant sums then drop a choice or halve an order.
Cells that always move together are read as one cell if that gives a smaller ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ..errors import UnsupportedError
from ..limits.thresholds import Threshold
from ..model.facts import Partition, orbits
from ..model.model import Model
from ..structure import permutations
from ..structure.permutations import Action
from ..structure.possible import narrowed, often_needed, usable
from .counting import counting_table
from .invariants import Relation, relations
from .numbering import Arrangement, Classes, Listed, Part, Pivot, Ranking

MOST_LISTED = Threshold(4096)
"""The most contents of a part that are listed one by one.

Measured: an eighth and eight times as many changed counts of flip:5x5 and burnt:7 by at most 6 %.
"""


def find(model: Model, listed: int = MOST_LISTED.usual) -> Ranking | None:
    """Return the smallest ranking found for the positions with the pieces of the model's anchor.

    None if the pieces are not known (no start, no single goal) or placements cannot be counted, or if rules alone do
    not determine the moves.

    listed  the most contents of a part that is a list; blocks of cells are tried only for rankings larger than this
    """
    anchor = model.anchor
    return None if anchor is None or model.metric.lawful else model.bare.kept(_find, anchor, listed)


def _find(model: Model, anchor: bytes, listed: int) -> Ranking | None:
    model = replace(usable(model, anchor), start=anchor, goals=())
    best = _direct(model, anchor, listed)
    if best is None:
        return None
    moves = permutations.actions(model)
    for orbit in permutations.orbits(moves) if moves else ():
        for system in permutations.block_systems(moves or (), orbit) if best.size > listed else ():
            single = [(c,) for c in range(model.cells) if c not in set(orbit)]
            found = permutations.merged(model, moves or (), (*single, *system), anchor)
            if found and found.model.start is not None:
                inner = _direct(found.model, found.model.start, listed)
                if inner is not None and inner.size < best.size:
                    best = replace(inner, merged=found)
    return best


def _direct(model: Model, anchor: bytes, listed: int) -> Ranking | None:
    """Return the ranking without blocks of cells; None if a counting table would be too large."""
    classes = Classes.of(model)
    try:
        parts = tuple(_arrangement(cells, model, classes, anchor) for cells in _groups(model, classes, anchor))
    except UnsupportedError:
        return None
    parts = _joined(_listed(model, anchor, parts, listed))
    found: list[Pivot] = []
    sizes = {len(members) for members in classes.members}
    tight = narrowed(model, anchor)
    for modulus in sorted({2, *(s for s in sizes if s in (3, 5, 7))}):
        symbols = None if modulus == 2 else frozenset(
            s for members in classes.members if len(members) == modulus for s in members
        )  # fmt: skip
        for relation in relations(tight, modulus, symbols):
            found = _with_pivot(relation, found, parts, anchor)
    return Ranking(model, anchor, _without_determined(parts, found), tuple(found))


def _groups(model: Model, classes: Classes, anchor: bytes) -> list[tuple[int, ...]]:
    """Return the sets of cells that exchange or share pieces."""
    labels = orbits(model)
    body = model.shapes.body if model.shapes else -1
    joined = Partition(model.cells)
    for symbol, cell in {(anchor[c], c) for c in range(model.cells) if anchor[c] != body}:
        for other in range(model.cells):
            if labels[symbol][other] == labels[symbol][cell]:
                joined.merge(cell, other)
                for covered in (model.shapes.covers[symbol][other] or ()) if model.shapes else ():
                    joined.merge(cell, covered)
    found: dict[int, list[int]] = {}
    for cell, label in enumerate(joined.labels()):
        found.setdefault(label, []).append(cell)
    return [tuple(cells) for cells in found.values()]


def _arrangement(cells: tuple[int, ...], model: Model, classes: Classes, anchor: bytes) -> Arrangement:
    """Return the part for cells that exchange or share pieces."""
    labels = orbits(model)
    body = model.shapes.body if model.shapes else -1
    stock: Counter[tuple[int, int]] = Counter()
    for cell in cells:
        if anchor[cell] != body:
            stock[classes.class_of[anchor[cell]], labels[anchor[cell]][cell]] += 1
    where = {
        (c, label): frozenset(i for i, cell in enumerate(cells) if labels[classes.members[c][0]][cell] == label)
        for c, label in stock
    }
    plain = _plain(stock, where, model, classes)
    special = sorted(set(stock) - plain)
    items = tuple(sorted(c for c, label in plain for _ in range(stock[c, label])))
    kind = [[-1] * len(classes.members) for _ in cells]
    for number, keys in enumerate([sorted(plain), *([key] for key in special)]):
        for key in keys:
            for place in where[key]:
                kind[place][key[0]] = number
    table = None
    if special:
        reach = [where[next(iter(plain))] if plain else frozenset[int](), *(where[key] for key in special)]
        pieces = [-1, *(classes.members[c][0] for c, _ in special)]
        covers = [_covers(piece, cells, each, model) for piece, each in zip(pieces, reach, strict=True)]
        table = counting_table(len(cells), [len(items), *(stock[key] for key in special)], covers)
    counts = tuple((c, stock[c, label]) for c, label in special)
    return Arrangement(cells, classes, tuple(map(tuple, kind)), items, counts, table, body)


Key = tuple[int, int]


def _plain(stock: Counter[Key], where: dict[Key, frozenset[int]], model: Model, classes: Classes) -> frozenset[Key]:
    """Return the most numerous pieces of one cell that reach the same cells; they need no counting table."""
    often = {classes.class_of[symbol] for symbol in often_needed(model)}
    by_reach: dict[frozenset[int], list[Key]] = {}
    for key in sorted(stock):
        shaped = model.shapes and any(model.shapes.covers[classes.members[key[0]][0]])
        if key[0] not in often and not shaped:
            by_reach.setdefault(where[key], []).append(key)
    return frozenset(max(by_reach.values(), key=lambda keys: sum(stock[k] for k in keys), default=()))


def _covers(piece: int, cells: tuple[int, ...], reach: frozenset[int], model: Model) -> list[tuple[int, ...] | None]:
    """Return for each place the other places that a piece there covers; None if the piece cannot be there."""
    place = {cell: index for index, cell in enumerate(cells)}
    found: list[tuple[int, ...] | None] = []
    for index, cell in enumerate(cells):
        more = model.shapes.covers[piece][cell] if model.shapes and piece >= 0 else ()
        fits = index in reach and more is not None and all(other in place for other in more)
        found.append(tuple(place[other] for other in more or ()) if fits else None)
    return found


def _listed(model: Model, anchor: bytes, parts: tuple[Arrangement, ...], most: int) -> tuple[Part, ...]:
    """Replace small parts by the list of their reachable contents if the list is shorter."""
    moves = permutations.actions(model) or ()
    found: list[Part] = []
    for part in parts:
        contents = _contents(moves, part.cells, anchor, most) if moves and 1 < part.size <= 16 * most else None
        shorter = contents is not None and len(part.cells) > 1 and len(contents) < part.size
        found.append(Listed(part.cells, tuple(sorted(contents))) if shorter and contents else part)
    return tuple(found)


def _joined(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Join all parts whose pieces are of one class: they have no order, only choices."""
    found: list[Part] = []
    alike: dict[int, list[Arrangement]] = {}
    for part in parts:
        if isinstance(part, Arrangement) and len(set(part.items)) == 1 and not part.special:
            alike.setdefault(part.items[0], []).append(part)
        else:
            found.append(part)
    for each in alike.values():
        rows = sorted((cell, kind) for part in each for cell, kind in zip(part.cells, part.kind, strict=True))
        items = tuple(item for part in each for item in part.items)
        cells, kinds = tuple(cell for cell, _ in rows), tuple(kind for _, kind in rows)
        found.append(replace(each[0], cells=cells, kind=kinds, items=items))
    return tuple(found)


def _contents(moves: Sequence[Action], cells: tuple[int, ...], anchor: bytes, most: int) -> set[bytes] | None:
    """Return all reachable contents of an orbit of cells; None if there are more than `most`."""
    place = {cell: index for index, cell in enumerate(cells)}
    local = {tuple((place[move.source[cell]], move.table[cell]) for cell in cells) for move in moves}
    first = bytes(anchor[cell] for cell in cells)
    seen, pending = {first}, [first]
    while pending and len(seen) <= most:
        shown = pending.pop()
        for each in local:
            after = bytes(table[shown[source]] for source, table in each)
            if after not in seen:
                seen.add(after)
                pending.append(after)
    return None if pending else seen


def _with_pivot(relation: Relation, pivots: list[Pivot], parts: tuple[Part, ...], anchor: bytes) -> list[Pivot]:
    """Return the pivots with one more relation, if it determines a choice or sign that no other relation does.

    This is a step of Gaussian elimination, with choices and signs as the unknowns.
    """
    for pivot in pivots:
        reduced = _made_independent(relation, pivot.relation, pivot.cell, parts[pivot.part])
        if reduced is None:
            return pivots
        relation = reduced
    for number, part in enumerate(parts):
        if not isinstance(part, Arrangement):
            continue
        for cell in (*part.cells, -1):
            taken = any(p.part == number and p.cell == cell for p in pivots)
            if taken or not _decides(relation, cell, part):
                continue
            others = [_made_independent(p.relation, relation, cell, part) for p in pivots]
            if None not in others:
                kept = [replace(p, relation=r, value=r.value(anchor)) for p, r in zip(pivots, others, strict=True) if r]
                return [*kept, Pivot(relation, relation.value(anchor), cell, number)]
    return pivots


def _made_independent(relation: Relation, other: Relation, cell: int, part: Part) -> Relation | None:
    """Return the relation minus a multiple of the other such that it does not depend on a choice or sign, or None."""
    same = relation.modulus == other.modulus
    for factor in range(relation.modulus if same else 1):
        reduced = relation.minus(other, factor) if factor else relation
        if _ignores(reduced, cell, part):
            return reduced
    return None


def _differences(relation: Relation, cell: int, part: Arrangement) -> list[list[int]]:
    """Return for each class that can be in the cell the weights of its symbols."""
    present = sorted({*part.items, *(c for c, _ in part.special)})
    return [[relation.weight[cell][s] for s in part.classes.members[c]] for c in present]


def _ignores(relation: Relation, cell: int, part: Part) -> bool:
    """Return whether the sum is independent of the choice in the cell, or (-1) of the order of the first two pieces."""
    assert isinstance(part, Arrangement)
    if cell < 0:
        return _separable(relation, part) and not any(set(part.cells) & set(cells) for cells in relation.signed)
    return all(len(set(weights)) == 1 for weights in _differences(relation, cell, part))


def _decides(relation: Relation, cell: int, part: Arrangement) -> bool:
    """Return whether the sum determines the choice in the cell, or (-1) the order of the first two pieces."""
    if cell < 0:
        distinct = len(part.items) > 1 and len(set(part.items)) == len(part.items)
        single = all(len(part.classes.members[c]) == 1 for c in part.items)
        signed = sum(set(part.cells) <= set(cells) for cells in relation.signed)
        return distinct and single and signed == 1 and relation.modulus == 2 and _separable(relation, part)
    modulus = relation.modulus
    return part.radices == {modulus} and all(
        len(set(weights)) == modulus for weights in _differences(relation, cell, part)
    )


def _separable(relation: Relation, part: Arrangement) -> bool:
    """Return whether exchanging two pieces of the order leaves the sum of weights unchanged."""
    symbols = [part.classes.members[c][0] for c in sorted(set(part.items))]
    first = relation.weight[part.cells[0]]
    return all(
        len({(relation.weight[cell][s] - first[s]) % relation.modulus for s in symbols}) == 1 for cell in part.cells
    )


def _without_determined(parts: tuple[Part, ...], pivots: list[Pivot]) -> tuple[Part, ...]:
    """Return the parts without the choices and signs that relations determine."""
    found = list(parts)
    for pivot in pivots:
        part = found[pivot.part]
        assert isinstance(part, Arrangement)
        cut = {"halved": True} if pivot.cell < 0 else {"dropped": part.dropped | {pivot.cell}}
        found[pivot.part] = replace(part, **cut)
    return tuple(found)
