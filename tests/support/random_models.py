"""Random small models of listed moves and of slides, the same for the same seed."""

from __future__ import annotations

from random import Random

from puzzlespace.model.effects import inverse
from puzzlespace.model.metric import Metric
from puzzlespace.model.metrics import metric
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Motion, Rule

METRICS = ("step", "step", "run", "piece", "multi")


def _cycles(chance: Random, symbols: int) -> tuple[int, ...]:
    """A permutation of the symbols whose cycles have about one length: turns, sides, lamps."""
    length = chance.choice([2, 2, 3, 4])
    table = list(range(symbols))
    for first in range(0, symbols, length):
        cycle = range(first, min(first + length, symbols))
        if chance.random() < 0.8:
            for place, symbol in enumerate(cycle):
                table[symbol] = cycle[(place + 1) % len(cycle)]
    return tuple(table)


def _tables(chance: Random, symbols: int) -> list[tuple[int, ...]]:
    """The changes of symbols for moves: none, one change and its powers, and sometimes an exchange of two symbols."""
    same = tuple(range(symbols))
    if symbols < 2 or chance.random() < 0.25:
        return [same]
    turn = _cycles(chance, symbols)
    found = [same, turn, tuple(turn[s] for s in turn)]
    if chance.random() < 0.2:
        a, b = chance.sample(same, 2)
        found.append(tuple({a: b, b: a}.get(s, s) for s in same))
    return found


def _listed_rule(chance: Random, cells: int, sets: list[list[int]], tables: list[tuple[int, ...]]) -> Rule:
    """A move that permutes the contents of the sets of cells, and changes symbols."""
    source, table = list(range(cells)), [tables[0]] * cells
    still = chance.random() < 0.2
    for each in sets:
        if chance.random() < 0.7 and not still:
            moved = chance.sample(each, chance.randint(1, len(each)))
            came = chance.sample(moved, len(moved)) if chance.random() < 0.4 else [*moved[1:], moved[0]]
            for cell, other in zip(moved, came, strict=True):
                source[cell] = other
        for cell in each:
            if still or chance.random() < 0.25:
                table[cell] = chance.choice(tables)
    return Rule("", tuple(range(cells)), (ANY,) * cells, tuple(source), tuple(table))


def permuted(chance: Random, cells: int, drawn: int | None = None) -> Model:
    """Moves of pieces that all differ: parts of a line reversed or shifted, cycles, and any permutations.

    drawn  how many are drawn, some with their inverses; a few without it
    """
    rules = []
    for number in range(drawn or chance.randint(1, 6)):
        source, kind = list(range(cells)), chance.randrange(4)
        first, last = sorted(chance.sample(range(cells + 1), 2))
        if kind == 0:
            source[first:last] = reversed(source[first:last])
        elif kind == 1:
            source[first:last] = [*source[first + 1 : last], source[first]]
        elif kind == 2:
            chance.shuffle(source)
        else:
            cycle = chance.sample(source, chance.choice([2, 3, 4]))
            for cell, other in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
                source[cell] = other
        back = tuple(source.index(cell) for cell in range(cells))
        for name, move in ((f"{number}", tuple(source)), (f"{number}'", back))[: chance.randint(1, 2)]:
            rules.append(Rule(name, tuple(range(cells)), (ANY,) * cells, move, (None,) * cells))
    return Model(cells, cells, tuple(rules), start=bytes(chance.sample(range(cells), cells)))


def listed(chance: Random, most: int = 8) -> Model:
    """Listed moves on a few sets of cells, some of whose symbols may change; like or different pieces."""
    cells, symbols = chance.randint(1, most), chance.randint(1, most)
    left = chance.sample(range(cells), cells)
    sets = []
    while left:
        size = chance.choice([len(left), chance.randint(1, len(left))])
        sets.append(left[:size])
        left = left[size:]
    tables = _tables(chance, symbols)
    if chance.random() < 0.15:
        sets = [[cell] for cell in range(cells)]
    rules = [_listed_rule(chance, cells, sets, tables) for _ in range(chance.randint(1, 4))]
    if chance.random() < 0.5:
        rules += [back for rule in rules if (back := inverse(rule, symbols)) is not None]
    start = [chance.randrange(symbols) for _ in range(cells)]
    if chance.random() < 0.6:
        start = (chance.sample(range(symbols), symbols) * cells)[:cells]
    powers = Metric("run", tuple((number,) for number in range(len(rules))))
    return Model(cells, symbols, tuple(rules), powers if chance.random() < 0.2 else Metric(), bytes(start))


def two_turns(chance: Random, most: int = 5) -> Model:
    """Two turns, any power of which is one move, of two or three sets of cells with like and different pieces."""
    sets = [range(0)]
    for _ in range(chance.randint(2, 3)):
        sets.append(range(sets[-1].stop, sets[-1].stop + chance.randint(2, most)))
    cells, rules = sets[-1].stop, []
    for name in ("one", "two"):
        source = list(range(cells))
        for each in sets[1:]:
            left = chance.sample(each, chance.randint(1, len(each)))
            while left:
                cycle = [left.pop() for _ in range(min(len(left), chance.choice((1, 2, 2, 3, 4, len(left)))))]
                for to, origin in zip(cycle, cycle[1:] + cycle[:1], strict=True):
                    source[to] = origin
        rules.append(Rule(name, tuple(range(cells)), (ANY,) * cells, tuple(source), (None,) * cells))
    start = bytes(chance.randrange(kinds) for each in sets[1:] for kinds in [chance.randint(2, 4)] for _ in each)
    return Model(cells, 4, tuple(rules), Metric("run", ((0,), (1,))), start)


def digits(chance: Random) -> Model:
    """Cells of which each rule changes one, under conditions on cells before it in some order; rules can be undone."""
    cells, symbols = chance.randint(1, 6), chance.randint(2, 5)
    order = chance.sample(range(cells), cells)
    start = bytes(chance.randrange(symbols) for _ in range(cells))
    most = {cell: chance.sample(range(symbols), chance.randint(2, symbols)) for cell in order}
    rules: list[Rule] = []
    for number, cell in enumerate(order):
        values = [start[cell], *(symbol for symbol in most[cell] if symbol != start[cell])]
        arcs = [(values[chance.randrange(index)], value) for index, value in enumerate(values) if index]
        arcs += [(a, b) for a in values for b in values if a < b and chance.random() < 0.3]
        for old, new in arcs:
            others = chance.sample(order[:number], chance.randint(0, number))
            needs = [1 << start[c] | chance.randrange(1 << symbols) for c in others]
            for a, b in ((old, new), (new, old)):
                tables = tuple(b if symbol == a else symbol for symbol in range(symbols)), *(None for _ in others)
                rules.append(Rule("", (cell, *others), (1 << a, *needs), tuple(range(len(others) + 1)), tuple(tables)))
    return Model(cells, symbols, tuple(chance.sample(rules, len(rules))), start=start)


def alike(chance: Random) -> tuple[Model, list[bytes]]:
    """Cells of which each rule changes one, and rules alike for some permutations of the symbols; some sources."""
    symbols = chance.choice([2, 3, 4, 4, 5])
    cells = {2: 9, 3: 6, 4: 6, 5: 5}[symbols] - chance.randrange(2)
    drawn = [tuple(chance.sample(range(symbols), symbols)) for _ in range(chance.choice([1, 1, 2]))]
    if chance.random() < 0.5:
        drawn = [(0, *(symbol + 1 for symbol in chance.sample(range(symbols - 1), symbols - 1)))]
    group = {tuple(range(symbols))}
    while more := {tuple(way[each] for each in by) for way in drawn for by in group} - group:
        group |= more
    order = chance.sample(range(cells), cells)
    steps: set[tuple[int, int, int, tuple[tuple[int, int], ...]]] = set()
    for number, cell in enumerate(order):
        arcs = [(chance.randrange(new), new) for new in range(1, symbols)]
        for old, new in arcs:
            for way in group:
                others = sorted(chance.sample(order[:number], chance.randint(0, min(2, number))))
                needs = [1 << chance.randrange(symbols) | chance.randrange(1 << symbols) for _ in others]
                for turn in group:
                    a, b = turn[way[old]], turn[way[new]]
                    turned = [sum(1 << turn[s] for s in range(symbols) if need >> s & 1) for need in needs]
                    pairs = tuple(zip(others, turned, strict=True))
                    steps |= {(cell, a, b, pairs), (cell, b, a, pairs)}
    rules = []
    for cell, old, new, needs in sorted(steps):
        table = tuple(new if symbol == old else symbol for symbol in range(symbols))
        where, wanted = (cell, *(c for c, _ in needs)), (1 << old, *(need for _, need in needs))
        rules.append(Rule("", where, wanted, tuple(range(len(where))), (table, *(None for _ in needs))))
    fixed = [symbol for symbol in range(symbols) if all(way[symbol] == symbol for way in group)]
    start = bytes(chance.choice(fixed or range(symbols)) for _ in range(cells))
    images = sorted({bytes(way[symbol] for symbol in start) for way in group})
    return Model(cells, symbols, tuple(chance.sample(rules, len(rules))), start=start), images


def slides(chance: Random, most: int = 8) -> Model:
    """Slides into one to three blanks along random links, some of them one-way or closed to some pieces."""
    cells, symbols = chance.randint(3, most), chance.randint(2, 7)
    order = chance.sample(range(cells), cells)
    pairs = [(order[n], order[chance.randrange(n)]) for n in range(1, cells) if chance.random() < 0.95]
    pairs += [tuple(chance.sample(range(cells), 2)) for _ in range(chance.randint(0, cells))]
    links = {way for a, b in pairs for way in ([(a, b), (b, a)] if chance.random() < 0.85 else [(a, b)])}
    blanks = chance.randint(1, min(3, cells - 1))
    pieces = [chance.randint(1, symbols - 1) for _ in range(cells - blanks)]
    if chance.random() < 0.4:
        pieces = [1 + n % (symbols - 1) for n in range(cells - blanks)]
    start = [0] * blanks + pieces
    chance.shuffle(start)
    needs = [(1 << symbols) - 2] * len(links)
    if chance.random() < 0.2 and symbols > 2:
        needs = [need & ~(1 << (symbols - 1)) for need in needs]
    if chance.random() < 0.1 and needs:
        needs[-1] = 2
    rules = tuple(
        Rule("", link, (need, 1), (1, 0), (None, None), Motion(-1, *link, chance.choice("xy")))
        for link, need in zip(sorted(links), needs, strict=True)
    )
    return Model(cells, symbols, rules, metric(chance.choice(METRICS), rules, symbols, bytes(start)), bytes(start))


def model(seed: int, most: int = 8) -> Model:
    """The model of a seed: listed moves, or slides."""
    chance = Random(seed)
    return (listed if chance.random() < 0.6 else slides)(chance, most)
