"""Read planning tasks in PDDL and search them: typed STRIPS, negative preconditions, conditional effects and costs.

It shares no code with the program. Everything else in PDDL is refused.
"""

import heapq
import re
from collections import Counter

REQUIREMENTS = {":strips", ":typing", ":negative-preconditions", ":conditional-effects", ":action-costs"}


def parsed(text):
    """The nested lists of a text; comments are left out, and all is in lower case."""
    stack = [[]]
    for word in re.findall(r"[()]|[^\s()]+", re.sub(";.*", "", text).lower()):
        if word == "(":
            stack.append([])
        elif word == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(word)
    (whole,) = stack.pop()
    assert not stack
    return whole


def typed(words):
    """The type of each name in a typed list."""
    found, waiting, words = {}, [], list(words)
    while words:
        word = words.pop(0)
        if word == "-":
            found.update(dict.fromkeys(waiting, words.pop(0)))
            waiting = []
        else:
            assert word not in (*found, *waiting), f"{word} twice"
            waiting.append(word)
    return found | dict.fromkeys(waiting, "object")


class Planning:
    """A planning task: its facts at the start, its goal, and its actions without parameters."""

    def __init__(self, domain, problem):
        (head, domain_name), *sections = parsed(domain)[1:]
        (_, self.name), *asked = parsed(problem)[1:]
        assert head == "domain"
        assert asked.pop(0) == [":domain", domain_name]
        once = {part[0]: part[1:] for part in sections if part[0] != ":action"}
        assert set(once.get(":requirements", [])) <= REQUIREMENTS
        self.objects, types = typed(once[":constants"]), typed(once[":types"])
        assert set(self.objects.values()) <= set(types)
        self.predicates = {name: list(typed(terms).values()) for name, *terms in once[":predicates"]}
        given = {part[0]: part[1:] for part in asked}
        self.start = frozenset(self.fact(each) for each in given[":init"] if each[0] != "=")
        self.goal, bars = self.literals(given[":goal"][0], {})
        assert not bars
        self.costs = ":metric" in given
        assert self.costs == (":functions" in once)
        lists = [part[1:] for part in sections if part[0] == ":action"]
        assert len({name for name, *_ in lists}) == len(lists), "two actions have one name"
        written = {name for _, *rest in lists for name in self.changed(rest[rest.index(":effect") + 1])}
        self.constant = {fact for fact in self.start if fact[0] not in written}
        self.actions = [action for each in lists for action in self.grounded(each)]
        common = Counter(fact for true, *_ in self.actions for fact in true)
        self.by_fact = {}
        for action in self.actions:
            rare = min(action[0], key=lambda fact: (common[fact], fact), default=None)
            self.by_fact.setdefault(rare, []).append(action)

    def fact(self, words, bound=None):
        name, *terms = words
        terms = [(bound or {}).get(term, term) for term in terms]
        assert [self.objects[term] for term in terms] == self.predicates[name], words
        return (name, *terms)

    def literals(self, condition, bound):
        """The facts of a conjunction that must be true, and those that must be false."""
        parts = condition[1:] if condition and condition[0] == "and" else [condition] if condition else []
        true = {self.fact(part, bound) for part in parts if part[0] != "not"}
        return true, {self.fact(part[1], bound) for part in parts if part[0] == "not"}

    def changed(self, effect):
        """The names of the predicates that an effect changes."""
        if effect[0] in ("and", "when", "not"):
            return {name for part in effect[(2 if effect[0] == "when" else 1) :] for name in self.changed(part)}
        return set() if effect[0] == "increase" else {effect[0]}

    def grounded(self, action):
        """Yield an action with its parameters replaced by all objects whose constant facts are true."""
        _, *rest = action
        parts = dict(zip(rest[::2], rest[1::2], strict=True))
        parameters, fixed = typed(parts[":parameters"]), {fact[0] for fact in self.constant}
        tests = [each for each in parts[":precondition"][1:] if each[0] in fixed]
        parts[":precondition"] = [each for each in parts[":precondition"] if each[0] not in fixed]
        for bound in self.bindings(list(parameters.items()), tests, {}):
            yield (*map(frozenset, self.literals(parts[":precondition"], bound)),
                   *self.effects(parts[":effect"], bound))  # fmt: skip

    def bindings(self, parameters, tests, bound):
        """Yield objects for parameters for which all constant facts are true."""
        known = [each for each in tests if not any(term[0] == "?" and term not in bound for term in each[1:])]
        if all(self.fact(each, bound) in self.constant for each in known):
            if not parameters:
                yield bound
                return
            (name, wanted), *others = parameters
            tests = [each for each in tests if each not in known]
            for chosen, kind in self.objects.items():
                if kind == wanted:
                    yield from self.bindings(others, tests, bound | {name: chosen})

    def effects(self, effect, bound):
        """The conditional effects as (true, false, added, deleted), and the cost."""
        found, cost = [], 0 if self.costs else 1
        for part in effect[1:]:
            if part[0] == "increase":
                cost += int(part[2])
            else:
                when, then = part[1:] if part[0] == "when" else (["and"], part)
                added, deleted = self.literals(then, bound)
                found.append((*self.literals(when, bound), added, deleted))
        return found, cost

    def after(self, state):
        """Yield each state one action away with its cost. What is added and deleted at once is there."""
        for true, false, effects, cost in (each for fact in (None, *state) for each in self.by_fact.get(fact, ())):
            if true <= state and false.isdisjoint(state):
                added, deleted = set(), set()
                for when, unless, more, less in effects:
                    if when <= state and unless.isdisjoint(state):
                        added |= more
                        deleted |= less
                yield frozenset((state - deleted) | added), cost

    def distances(self):
        """The least cost of each state that can be reached from the start (Dijkstra)."""
        begin = self.start - self.constant
        found, waiting, order = {}, [(0, 0, begin)], 0
        while waiting:
            cost, _, state = heapq.heappop(waiting)
            if state in found:
                continue
            found[state] = cost
            for child, more in self.after(state):
                if child not in found:
                    order += 1
                    heapq.heappush(waiting, (cost + more, order, child))
        return found
