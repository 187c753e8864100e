"""Random small models with stages, laws and goals that are sentences, and their moves straight from the definition.

The reference shares no code with the model: it reads the fields of rules and sentences itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random

from puzzlespace.errors import EndlessError
from puzzlespace.model import sentence as say
from puzzlespace.model.goal import Goal
from puzzlespace.model.metric import Metric, Stage
from puzzlespace.model.model import Model
from puzzlespace.model.rule import ANY, Rule, only


def made(rule, shown):
    """Return a position after a rule, or None."""
    if any(need != ANY and shown[cell] not in allowed(need) for cell, need in zip(rule.cells, rule.need, strict=True)):
        return None
    after = list(shown)
    for cell, source, table in zip(rule.cells, rule.source, rule.table, strict=True):
        old = shown[rule.cells[source]]
        after[cell] = old if table is None else table[old]
    return tuple(after)


def allowed(need):
    return {symbol for symbol in range(8) if need & 2**symbol}


def true(said, shown):
    """Return whether a sentence is true of a position."""
    match said:
        case say.Shows():
            return shown[said.cell] in allowed(said.need)
        case say.Every():
            return False not in [true(part, shown) for part in said.parts]
        case say.Some():
            return True in [true(part, shown) for part in said.parts]
        case say.Not():
            return not true(said.part, shown)
        case say.Counted():
            return said.low <= len([c for c in said.among_cells if shown[c] in allowed(said.need)]) <= said.high
        case say.Compared():
            total = sum(table[shown[cell]] for cell, table in said.terms)
            return not (said.low is not None and total < said.low) and not (said.high is not None and total > said.high)
        case say.Alike():
            return all(shown[a] == shown[b] for a in said.among_cells for b in said.among_cells)
    assert isinstance(said, say.Connected)
    inside = [cell for cell in range(len(shown)) if shown[cell] in allowed(said.need)]
    group = set(inside[:1])
    for _ in inside:
        group |= {cell for near in group for cell in said.links[near] if cell in inside}
    return group == set(inside)


def forbidden(model, shown):
    return any(true(law.sentence, shown) for law in model.metric.laws)


def happened(model, shown, once=True):
    """Return the position after everything has happened by itself; raise EndlessError if it never ends."""
    happening, seen = True, set()
    left = {number for number, stage in enumerate(model.metric.automatic) if once or not stage.once}
    while happening:
        happening = False
        for number, stage in enumerate(model.metric.automatic):
            while number in left:
                after = [made(model.rules[rule], shown) for rule in stage.rules]
                after = [each for each in after if each is not None and each != shown]
                if not after:
                    break
                shown, happening = after[0], True
                left -= {number} if stage.once else set()
                if (shown, number, *left) in seen:
                    raise EndlessError([bytes(shown)])
                seen.add((shown, number, *left))
    return shown


def moves(model, position):
    """Return the positions one move away, each with what the cheapest move there counts."""
    found, shown = {}, tuple(position)
    automatic = {rule for stage in model.metric.automatic for rule in stage.rules}
    for number, rule in enumerate(model.rules):
        after = None if number in automatic else made(rule, shown)
        if after is not None:
            after = happened(model, after)
            if after != shown and not forbidden(model, after):
                cost = model.metric.costs[number] if model.metric.costs else 1
                found[bytes(after)] = min(cost, found.get(bytes(after), cost))
    return found


def meets(model, position):
    """Return whether a position meets a goal."""
    return any(
        all(need == ANY or symbol in allowed(need) for need, symbol in zip(goal.need, position, strict=True))
        and all(list(position).count(symbol) == count for symbol, count in goal.counts)
        and (goal.sentence is None or true(goal.sentence, tuple(position)))
        for goal in model.goals
    )


@dataclass
class Reached:
    """All positions that the start reaches: their distances and moves, and what each still needs to a goal."""

    distance: dict[bytes, int]
    moves: dict[bytes, dict[bytes, int]]
    left: dict[bytes, int]


def reached(model):
    """Return what the start reaches; raise EndlessError."""
    distance, after = {}, {}
    waiting = [(0, model.start)]
    while waiting:
        far, position = heappop(waiting)
        if position not in distance:
            distance[position] = far
            after[position] = moves(model, position)
            for child, cost in after[position].items():
                heappush(waiting, (far + cost, child))
    left = {}
    waiting = [(0, position) for position in distance if meets(model, position)]
    before: dict[bytes, list[tuple[bytes, int]]] = {}
    for position, children in after.items():
        for child, cost in children.items():
            before.setdefault(child, []).append((position, cost))
    while waiting:
        far, position = heappop(waiting)
        if position not in left:
            left[position] = far
            for parent, cost in before.get(position, ()):
                heappush(waiting, (far + cost, parent))
    return Reached(distance, after, left)


def random_model(chance: Random) -> Model:
    """Return a model of few cells and symbols, with any of stages, laws, costs and goals that are sentences."""
    cells, symbols = chance.randint(2, 6), chance.randint(2, 4)
    symbols = min(symbols, 3) if cells > 4 else symbols
    undone = chance.random() < 0.5
    rules: list[Rule] = []
    for number in range(chance.randint(1, 7)):
        rules += exchange(chance, cells, symbols) if undone else [any_rule(chance, f"r{number}", cells, symbols)]
    stages: list[Stage] = []
    for _ in range(chance.choice((0, 0, 0, 1, 2) if undone else (0, 1, 1, 2, 3))):
        size = chance.randint(1, 3)
        make = falling if chance.random() < 0.8 else any_rule
        stages.append(Stage(tuple(range(len(rules), len(rules) + size)), chance.random() < 0.4))
        rules += [make(chance, f"s{len(rules)}", cells, symbols) for _ in range(size)]
    if stages and chance.random() < 0.3:  # a rule of several stages
        stages.append(Stage((chance.choice(stages[0].rules),), chance.random() < 0.7))
    laws = [say.Law(f"law {n}", sentence(chance, cells, symbols)) for n in range(chance.choice((0, 1, 1, 2)))]
    costs = tuple(chance.randint(1, 3) for _ in rules) if chance.random() < 0.25 else ()
    metric = Metric(costs=costs, automatic=tuple(stages), laws=tuple(laws))
    start = bytes(chance.randrange(symbols) for _ in range(cells))
    goals = tuple(random_goal(chance, cells, symbols) for _ in range(chance.choice((1, 1, 2))))
    return Model(cells, symbols, tuple(rules), metric, start, goals)


def any_rule(chance, name, cells, symbols):
    width = chance.randint(1, min(3, cells))
    need = [ANY if chance.random() < 0.3 else chance.randint(1, 2**symbols - 1) for _ in range(width)]
    source = [chance.randrange(width) for _ in range(width)]
    tables = [None, *(tuple(chance.randrange(symbols) for _ in range(symbols)) for _ in range(2))]
    table = [chance.choice(tables) for _ in range(width)]
    return Rule(name, tuple(chance.sample(range(cells), width)), tuple(need), tuple(source), tuple(table))


def exchange(chance, cells, symbols):
    """Return a rule that puts symbols in the place of others, and the one that undoes it."""
    width = chance.randint(1, min(3, cells))
    places = chance.sample(range(cells), width)
    old, new = ([chance.randrange(symbols) for _ in range(width)] for _ in range(2))
    return [Rule.put("there", places, old, new, symbols), Rule.put("back", places, new, old, symbols)]


def falling(chance, name, cells, symbols):
    """Return a rule that makes a symbol less, or moves the greater of two symbols on, so that it ends."""
    if chance.random() < 0.5:
        low, high = sorted(chance.sample(range(symbols), 2))
        return Rule.put(name, [chance.randrange(cells)], [high], [low], symbols)
    one, other = sorted(chance.sample(range(cells), 2))
    low, high = sorted(chance.sample(range(symbols), 2))
    return Rule.put(name, [one, other], [high, low], [low, high], symbols)


def random_goal(chance, cells, symbols):
    if chance.random() < 0.4:
        return Goal.exactly(bytes(chance.randrange(symbols) for _ in range(cells)))
    need = [ANY if chance.random() < 0.6 else chance.randint(1, 2**symbols - 1) for _ in range(cells)]
    if chance.random() < 0.1:
        need = [only(chance.randrange(symbols)) for _ in range(cells)]
    counts = ((chance.randrange(symbols), chance.randint(0, cells)),) if chance.random() < 0.2 else ()
    said = sentence(chance, cells, symbols) if chance.random() < 0.6 else None
    return Goal(tuple(need), counts, said)


def sentence(chance, cells, symbols, deep=2):
    """Return a random sentence."""
    kind = chance.choice(("shows", "counted", "compared", "alike", "connected", "every", "some", "not"))
    if kind in ("every", "some", "not") and deep:
        parts = tuple(sentence(chance, cells, symbols, deep - 1) for _ in range(chance.choice((0, 2, 2, 3))))
        if kind == "not":
            return say.Not(sentence(chance, cells, symbols, deep - 1))
        return say.Every((*parts, sentence(chance, cells, symbols, 0))) if kind == "every" else say.Some(parts)
    need = chance.randint(1, 2**symbols - 2)
    some = tuple(chance.sample(range(cells), chance.randint(1, cells)))
    if kind == "counted":
        low = chance.randint(0, len(some))
        return say.Counted(need, some, low, chance.randint(low, len(some)))
    if kind == "compared":
        low, high = chance.choice(((None, 2), (3, None), (1, 3), (0, 0), (None, None)))
        table = tuple(chance.randint(-2, 2) for _ in range(symbols))
        return say.Compared(tuple((cell, table) for cell in some), low, high)
    if kind == "alike":
        return say.Alike(some)
    if kind == "connected":
        return say.Connected(need, tuple(tuple(c for c in (n - 1, n + 1) if 0 <= c < cells) for n in range(cells)))
    return say.Shows(chance.randrange(cells), need)
