"""The metrics by name: for a list of rules, which rule may follow which within one move.

    step    one rule
    run     the same piece on in the same direction; a listed move repeated (any power of one generator)
    piece   the same piece along any path
    chain   the same peg's jumps without a break
    multi   the next piece in line follows into the place just left

Pairs that can never happen are left out (two blanks needed on a board with one; straight back), so an empty relation
means that the metric is `step` under another name on this puzzle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from .errors import InputError
from .facts import symbol_classes
from .model import Metric, Motion, Rule, canonical, inverse

Relation = Callable[[Motion, Motion], bool]


def _same_piece(first: Motion, then: Motion) -> bool:
    return first.target == then.origin and first.shape == then.shape


def _run(first: Motion, then: Motion) -> bool:
    return _same_piece(first, then) and first.direction == then.direction != ""


def _multi(first: Motion, then: Motion) -> bool:
    return then.target == first.origin and first.direction == then.direction != ""


RELATIONS: dict[str, Relation] = {"run": _run, "piece": _same_piece, "chain": _same_piece, "multi": _multi}
NAMES = ("step", *RELATIONS)


def metric(name: str, rules: Sequence[Rule], symbols: int, start: bytes | None = None) -> Metric:
    """Return the metric of that name for these rules.

    start  a position, if there is one: pairs of rules that need more of a symbol than it has are left out
    Raises InputError for an unknown name.
    """
    if name == "step":
        return Metric()
    if name not in RELATIONS:
        raise InputError(f"metric: expected one of {', '.join(NAMES)}, found {name!r}")
    stock = Counter(start) if start is not None and _all_conserved(rules, symbols) else None
    undo = {canonical(rule, symbols): number for number, rule in enumerate(rules)}
    by_origin, by_target = _by_cell(rules)
    after: list[tuple[int, ...]] = []
    for number, rule in enumerate(rules):
        if rule.motion is None:
            after.append((number,) if name == "run" and _order(rule, symbols) > 2 else ())
            continue
        near = by_target.get(rule.motion.origin, ()) if name == "multi" else by_origin.get(rule.motion.target, ())
        back = inverse(rule, symbols)
        straight_back = undo.get(canonical(back, symbols)) if back else None
        relation = RELATIONS[name]
        after.append(
            tuple(
                other
                for other in near
                if other != straight_back
                and relation(rule.motion, rules[other].motion)  # type: ignore[arg-type]
                and _possible(rule, rules[other], symbols, stock)
            )
        )
    return Metric(name, tuple(after) if any(after) else ())


def _by_cell(rules: Sequence[Rule]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    by_origin: dict[int, list[int]] = {}
    by_target: dict[int, list[int]] = {}
    for number, rule in enumerate(rules):
        if rule.motion is not None:
            by_origin.setdefault(rule.motion.origin, []).append(number)
            by_target.setdefault(rule.motion.target, []).append(number)
    return by_origin, by_target


def _all_conserved(rules: Sequence[Rule], symbols: int) -> bool:
    return len(set(symbol_classes(rules, symbols))) == symbols


def _possible(first: Rule, then: Rule, symbols: int, stock: Counter[int] | None) -> bool:
    """Return whether some position lets `then` follow `first`; with `stock`, one that has that many of each symbol."""
    before: dict[int, int] = dict(zip(first.cells, first.need, strict=True))
    carried: dict[int, tuple[int, tuple[int, ...] | None]] = {
        cell: (first.cells[source], table)
        for cell, source, table in zip(first.cells, first.source, first.table, strict=True)
    }
    everything = (1 << symbols) - 1
    for cell, need in zip(then.cells, then.need, strict=True):
        origin, table = carried.get(cell, (cell, None))
        old = before.get(origin, everything) & everything
        fits = sum(1 << s for s in range(symbols) if old >> s & 1 and need >> (s if table is None else table[s]) & 1)
        if not fits:
            return False
        before[origin] = fits
    if stock is None:
        return True
    wanted = Counter(need.bit_length() - 1 for need in before.values() if need > 0 and not need & (need - 1))
    return all(stock[symbol] >= count for symbol, count in wanted.items())


def _order(rule: Rule, symbols: int) -> int:
    """Return 1, 2 or 3 for a listed move that does nothing, undoes itself, or neither (3 stands for more)."""
    back = inverse(rule, symbols)
    if back is None:
        return 3
    return 2 if canonical(back, symbols) == canonical(rule, symbols) else 3
