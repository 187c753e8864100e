"""Symmetries of models with laws, stages, costs and sentences: what each does to every position, and known orders."""

from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

import lawful_models as lawful
from puzzlespace.analysis.traces import count_up_to_symmetry
from puzzlespace.api import questions
from puzzlespace.api.loader import from_text, load
from puzzlespace.contract.questions import Search
from puzzlespace.engines import plain
from puzzlespace.errors import EndlessError
from puzzlespace.limits.watch import Watch
from puzzlespace.model import sentence as say
from puzzlespace.model.effects import canonical
from puzzlespace.model.goal import Goal
from puzzlespace.model.metric import Stage
from puzzlespace.model.rule import ANY, Rule
from puzzlespace.symmetry import symmetries

SEEDS = range(2026, 2026 + 500)


class Renaming:
    """An exchange of cells and of symbols, done to everything that a model is made of."""

    def __init__(self, chance, cells, symbols):
        self.cells, self.symbols = involution(chance, cells), involution(chance, symbols)

    def position(self, shown):
        image = bytearray(len(shown))
        for cell, symbol in enumerate(shown):
            image[self.cells[cell]] = self.symbols[symbol]
        return bytes(image)

    def need(self, need):
        return need if need == ANY else sum(2 ** self.symbols[symbol] for symbol in lawful.allowed(need))

    def table(self, table):
        """Return the table of symbols that belongs to the image of a rule."""
        old = range(len(self.symbols)) if table is None else table
        found = {self.symbols[before]: self.symbols[after] for before, after in enumerate(old)}
        return tuple(found[symbol] for symbol in range(len(self.symbols)))

    def rule(self, rule):
        cells = tuple(self.cells[cell] for cell in rule.cells)
        return Rule(rule.name, cells, tuple(map(self.need, rule.need)), rule.source, tuple(map(self.table, rule.table)))

    def sentence(self, said):
        match said:
            case say.Shows():
                return say.Shows(self.cells[said.cell], self.need(said.need))
            case say.Every() | say.Some():
                return type(said)(tuple(map(self.sentence, reversed(said.parts))))
            case say.Not():
                return say.Not(self.sentence(said.part))
            case say.Counted():
                where = tuple(self.cells[cell] for cell in said.among_cells)
                return replace(said, need=self.need(said.need), among_cells=where)
            case say.Compared():
                values = [{self.symbols[s]: value for s, value in enumerate(table)} for _, table in said.terms]
                order = range(len(self.symbols))
                terms = zip([self.cells[cell] for cell, _ in said.terms], values, strict=True)
                return replace(said, terms=tuple((cell, tuple(value[s] for s in order)) for cell, value in terms))
            case say.Alike():
                return say.Alike(tuple(self.cells[cell] for cell in said.among_cells))
        links = {self.cells[cell]: tuple(self.cells[c] for c in near) for cell, near in enumerate(said.links)}
        return say.Connected(self.need(said.need), tuple(links[cell] for cell in range(len(links))))

    def goal(self, goal):
        need = [ANY] * len(goal.need)
        for cell, wanted in enumerate(goal.need):
            need[self.cells[cell]] = self.need(wanted)
        counts = tuple((self.symbols[symbol], count) for symbol, count in goal.counts)
        return Goal(tuple(need), counts, goal.sentence and self.sentence(goal.sentence))


def involution(chance, count):
    found = list(range(count))
    places = chance.sample(range(count), count)
    for one, other in zip(places[::2], places[1::2], strict=False):
        if chance.random() < 0.6:
            found[one], found[other] = other, one
    return tuple(found)


def doubled(model, renaming):
    """Return the model with the images of its rules, stages, laws and goals; the stages go on with the images."""
    rules, costs = [*model.rules], [*(model.metric.costs or (1,) * len(model.rules))]
    kept = {canonical(rule, model.symbols) for rule in rules}
    images = {}
    for number, rule in enumerate(model.rules):
        image = renaming.rule(rule)
        if number in model.automatic or canonical(image, model.symbols) not in kept:
            images[number] = len(rules)
            rules.append(image)
            costs.append(costs[number])
    stages = [
        Stage((*stage.rules, *(images[rule] for rule in stage.rules)), stage.once) for stage in model.metric.automatic
    ]
    laws = [say.Law("image", renaming.sentence(law.sentence)) for law in model.metric.laws]
    priced = tuple(costs) if model.metric.costs else ()
    metric = replace(model.metric, costs=priced, automatic=tuple(stages), laws=(*model.metric.laws, *laws))
    goals = (*model.goals, *map(renaming.goal, model.goals))
    return replace(model, rules=tuple(rules), metric=metric, goals=goals)


@cache
def models():
    """Random models with images of all that they have; the start is one that stays if there is such a position."""
    found = []
    for seed in SEEDS:
        chance = Random(seed)
        model = lawful.random_model(chance)
        renaming = Renaming(chance, model.cells, model.symbols)
        every = product(range(model.symbols), repeat=model.cells)
        same = [p for p in map(bytes, every) if renaming.position(p) == p]
        start = chance.choice(same) if same else model.start
        found.append(doubled(replace(model, start=start), renaming))
    return found


def moves(model, position):
    try:
        return lawful.moves(model, position)
    except EndlessError:
        return "endless"


def test_a_symmetry_maps_moves_costs_and_goals_of_every_position():
    seen = dict.fromkeys(("laws", "automatic", "once", "costs", "sentence"), 0)
    for model in models():
        group = symmetries(model)
        assert group.complete
        every = [bytes(p) for p in product(range(model.symbols), repeat=model.cells)]
        for each in group.generators:
            for position in every[:: 1 + len(every) // 60]:
                image, after = each.apply(position), moves(model, position)
                mapped = after if after == "endless" else {each.apply(child): cost for child, cost in after.items()}
                assert moves(model, image) == mapped
                assert lawful.meets(model, image) == lawful.meets(model, position)
        if group.order > 1:
            metric = model.metric
            seen["laws"] += bool(metric.laws)
            seen["automatic"] += bool(metric.automatic)
            seen["once"] += any(stage.once for stage in metric.automatic)
            seen["costs"] += bool(metric.costs)
            seen["sentence"] += any(goal.sentence is not None for goal in model.goals)
    assert seen.pop("once") > 2
    assert min(seen.values()) > 10, seen


def test_solutions_up_to_symmetry_are_the_orbits_of_those_that_are_listed():
    several = 0
    for model in models():
        if model.metric.costs:
            continue
        try:
            layers = plain.search(Search(model, model.start), Watch()).layers
        except EndlessError:
            continue
        group = symmetries(model, start=True)
        counted = count_up_to_symmetry(model, layers, group) if layers else None
        if counted is None:
            continue
        listed = solutions(model, layers)
        left, orbits = {*listed}, 0
        while left:
            solution = left.pop()
            orbits += 1
            for each in group.elements():
                left.discard(image(model, solution, each))
        assert counted == orbits
        several += orbits < len(listed)
    assert several > 3


@pytest.mark.parametrize(("name", "solutions", "up_to_symmetry"), [("wolf", 2, 1), ("husbands", 486, 81)])
def test_known_numbers_of_solutions(name, solutions, up_to_symmetry):
    answer = questions.solve(name, count=True)
    assert (answer.solutions, answer.solutions_symmetry) == (solutions, up_to_symmetry)


def solutions(model, layers):
    """Every shortest solution: a position, then moves and positions in turn."""
    found = [(position,) for position in layers[0]]
    for following in layers[1:]:
        found = [
            (*path, model.generators[rules[0]], child)
            for path in found
            for child, ways in model.ways(path[-1]).items()
            if child in following
            for rules in ways
        ]
    return found


def image(model, solution, symmetry):
    return tuple(
        model.generators[symmetry.rules[each]] if isinstance(each, int) else symmetry.apply(each) for each in solution
    )


@pytest.mark.parametrize(
    ("name", "metric", "order"),
    [
        ("wolf", "", 2), ("bridge", "", 1), ("bridge", "step", 24), ("husbands", "", 6), ("ballsort", "", 720),
        ("conway", "", 2), ("missinglink33", "", 2), ("lift", "", 1),
    ],
)  # fmt: skip
def test_known_orders(name, metric, order):
    group = symmetries(load(name).model(metric))
    assert (group.order, group.complete) == (order, True)


FALLING = """
title: Falling
rule: change
moves:
  lift: . / A -> A / .   right
  walk: A . -> . A       row
after:
  fall: A / . -> . / A   right
  {more}
start:
  . . .
  . A .
  # . #
goal: . . . / A . A / # . #
"""


@pytest.mark.parametrize(
    ("more", "order"), [("", 2), ("roll: A . -> . A   right", 1), ("one: A -> .  if a1 = A  once", 1)]
)
def test_what_falls_in_columns_may_be_mirrored_but_not_what_rolls_to_one_side(more, order):
    puzzle = from_text(FALLING.format(more=more).strip(), "falling.pzl")
    assert symmetries(puzzle.model()).order == order
