"""The metrics: which rule may follow which within one move.

    step    every rule is a move; a move in which a piece travels several cells counts that many
    run     the same piece moves on in the same direction; a listed move is repeated (any power of one generator)
    piece   the same piece moves along any path
    chain   the same peg makes several jumps
    multi   the next piece in line moves into the place just left
    move    every rule is a move, as in `step`; the name for puzzles with a player
    push    as `move`, but rules that are `free` cost nothing
    tilt    all pieces move in one direction until none can go on

In `run`, too, rules that are `free` cost nothing.

A step on several lines has a direction for each of them. If directions matter, it is split into one rule for each
direction (`counted`), because a move along one line must not turn into another line.

Impossible pairs are left out (two blanks needed on a board with one, or straight back). So an empty relation means that
on this puzzle the metric is equal to `step`, unless whole moves have different lengths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from ..errors import InputError
from ..limits.watch import checkpoint
from .effects import canonical, canonicals, inverse
from .facts import symbol_classes
from .kept import keeping
from .metric import Metric
from .rule import Motion, Rule, single_symbols

Relation = Callable[[Motion, Motion], bool]


def _same_piece(first: Motion, then: Motion) -> bool:
    return first.target == then.origin and first.shape == then.shape


def _run(first: Motion, then: Motion) -> bool:
    return _same_piece(first, then) and _one_line(first, then)


def _multi(first: Motion, then: Motion) -> bool:
    return then.target == first.origin and _one_line(first, then)


def _one_line(first: Motion, then: Motion) -> bool:
    """Return whether two steps share a direction."""
    if first.also or then.also:
        return not {first.direction, *first.also}.isdisjoint((then.direction, *then.also))
    return first.direction == then.direction != ""


RELATIONS: dict[str, Relation] = {"run": _run, "piece": _same_piece, "chain": _same_piece, "multi": _multi}
SINGLE = ("step", "move", "push")
"""The metrics in which no rule follows another within a move."""

NAMES = (*SINGLE[:1], *RELATIONS, *SINGLE[1:], "tilt")

WALKED = ("push", "run")
"""The metrics in which free rules cost nothing."""


LINED = ("run", "multi")
"""The metrics in which directions matter."""


def counted(
    name: str, rules: Sequence[Rule], symbols: int, start: bytes | None = None
) -> tuple[tuple[Rule, ...], Metric]:
    """Return the rules of which moves in the metric `name` consist, and the metric for them.

    They are the given rules unless directions matter and some step is on several lines.

    start  as in `metric`
    Raises InputError if the name is unknown.
    """
    whole = metric(name, rules, symbols, start)
    if name not in LINED or not whole.after or not any(rule.motion is not None and rule.motion.also for rule in rules):
        return keeping(rules), whole
    chains = _longest(_chains(name, [_motion(rule) for rule in rules], whole))
    places = sorted((number, chain, at) for chain, row in enumerate(chains) for at, number in enumerate(row))
    names = {(chain, at): place for place, (_, chain, at) in enumerate(places)}
    after = [(names[chain, at + 1],) if (chain, at + 1) in names else () for _, chain, at in places]
    made = [replace(rules[n], motion=replace(_motion(rules[n]), direction=f"{c}", also=())) for n, c, _ in places]
    return tuple(made), Metric(name, tuple(after) if any(after) else ())


def _motion(rule: Rule) -> Motion:
    assert rule.motion is not None  # no puzzle has both moving pieces and listed moves
    return rule.motion


def _chains(name: str, motions: Sequence[Motion], whole: Metric) -> Iterator[tuple[int, ...]]:
    """Yield for each direction the longest chains of rules that may follow each other.

    A direction enters and leaves a cell at most once, so a rule has at most one follower in it.
    """
    followers = list(map(set, whole.after))
    ends = [(m.target, m.origin) if name == "run" else (m.origin, m.target) for m in motions]
    along: dict[str, dict[int, int]] = {}
    for number, motion in enumerate(motions):
        for direction in (motion.direction, *motion.also):
            along.setdefault(direction, {})[ends[number][1]] = number
    for rules in along.values():
        then = {number: rules.get(ends[number][0], -1) for number in rules.values()}
        then = {number: other for number, other in then.items() if other in followers[number]}
        for number in set(rules.values()) - set(then.values()):
            chain = [number]
            while chain[-1] in then:
                chain.append(then[chain[-1]])
            yield tuple(chain)


def _longest(chains: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the chains that are not part of another one, without duplicates. No chain has a number twice."""
    found: list[tuple[int, ...]] = []
    where: dict[int, list[tuple[tuple[int, ...], int]]] = {}
    for chain in sorted(set(chains), key=lambda chain: (-len(chain), chain)):
        rare = min(chain, key=lambda number: len(where.get(number, ())))
        at = chain.index(rare)
        if any(
            len(other) > len(chain) and begin >= at and other[begin - at :][: len(chain)] == chain
            for other, begin in where.get(rare, ())
        ):
            continue
        found.append(chain)
        for place, number in enumerate(chain):
            where.setdefault(number, []).append((chain, place))
    return found


def metric(name: str, rules: Sequence[Rule], symbols: int, start: bytes | None = None) -> Metric:
    """Return the metric `name` for these rules; a rule with several directions may be followed along any of them.

    start  a position or None: pairs of rules that need more of a symbol than it has are left out
    Raises InputError if the name is unknown.
    """
    if name == "tilt":
        return Metric(name, _tilts(rules), exhausts=True)
    if name == "step":
        lengths = tuple([length_of(rule) for rule in rules])
        return Metric(costs=lengths if any(length > 1 for length in lengths) else ())
    if name not in NAMES:
        raise InputError(f"metric: expected one of {', '.join(NAMES)}, found {name!r}")
    free = tuple(number for number, rule in enumerate(rules) if rule.motion is not None and rule.motion.free)
    free = free if name in WALKED else ()
    if name in SINGLE:
        return Metric(name, (), free)
    stock = Counter(start) if start is not None and _all_conserved(rules, symbols) else None
    forms = list(canonicals(rules, symbols))
    by_origin, by_target = _by_cell(rules)
    after: list[tuple[int, ...]] = []
    for number, rule in enumerate(rules):
        checkpoint()
        if rule.motion is None:
            after.append((number,) if name == "run" and _order(rule, symbols) > 2 else ())
            continue
        if rule.motion.whole or rule.motion.free:
            after.append(())
            continue
        near = by_target.get(rule.motion.origin, ()) if name == "multi" else by_origin.get(rule.motion.target, ())
        back = inverse(rule, symbols)
        straight_back = canonical(back, symbols) if back else None
        relation = RELATIONS[name]
        possible = _Possible(rule, symbols, stock)
        after.append(
            tuple(
                other
                for other in near
                if forms[other] != straight_back
                and relation(rule.motion, rules[other].motion)  # type: ignore[arg-type]
                and possible.then(rules[other])
            )
        )
    return Metric(name, tuple(after) if any(after) else (), free)


def _tilts(rules: Sequence[Rule]) -> tuple[tuple[int, ...], ...]:
    """Return for each rule all rules of its direction."""
    groups: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        groups.setdefault(_motion(rule).direction, []).append(number)
    return tuple([tuple(groups[_motion(rule).direction]) for rule in rules])


def length_of(rule: Rule) -> int:
    """Return the number of cells that the piece of a rule travels; 1 for a listed move."""
    return 1 if rule.motion is None else rule.motion.length


def _by_cell(rules: Sequence[Rule]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    by_origin: dict[int, list[int]] = {}
    by_target: dict[int, list[int]] = {}
    for number, rule in enumerate(rules):
        if rule.motion is not None and not rule.motion.free:
            by_origin.setdefault(rule.motion.origin, []).append(number)
            by_target.setdefault(rule.motion.target, []).append(number)
    return by_origin, by_target


def _all_conserved(rules: Sequence[Rule], symbols: int) -> bool:
    return len(set(symbol_classes(rules, symbols))) == symbols


class _Possible:
    """Tests whether a rule can follow a first one in some position.

    stock  the number of each symbol in all positions, or None if it is not known
    """

    def __init__(self, first: Rule, symbols: int, stock: Counter[int] | None) -> None:
        self.symbols, self.stock = symbols, stock
        self.everything = (1 << symbols) - 1
        self.before = dict(zip(first.cells, first.need, strict=True))
        self.carried = {
            cell: (first.cells[source], table)
            for cell, source, table in zip(first.cells, first.source, first.table, strict=True)
        }

    def then(self, rule: Rule) -> bool:
        """Return whether the rule can follow."""
        checkpoint()
        before = dict(self.before)
        for cell, need in zip(rule.cells, rule.need, strict=True):
            origin, table = self.carried.get(cell, (cell, None))
            old = before.get(origin, self.everything) & self.everything
            fits = old & need if table is None else _leading(old, table, need, self.symbols)
            if not fits:
                return False
            before[origin] = fits
        if self.stock is None:
            return True
        wanted = Counter(single_symbols(before.values()))
        return all(self.stock[symbol] >= count for symbol, count in wanted.items())


@lru_cache(1 << 12)
def _leading(old: int, table: tuple[int, ...], need: int, symbols: int) -> int:
    """Return the symbols of the set `old` that a table maps to symbols of the set `need`."""
    return sum([1 << s for s in range(symbols) if old >> s & 1 and need >> table[s] & 1])


def _order(rule: Rule, symbols: int) -> int:
    """Return the order of a listed move: 2 if it is its own inverse (or the identity), else 3 for three or more."""
    back = inverse(rule, symbols)
    if back is None:
        return 3
    return 2 if canonical(back, symbols) == canonical(rule, symbols) else 3
