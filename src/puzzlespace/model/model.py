"""Rule, Metric, Goal and Model: a puzzle of moves as frozen data, which is checked on construction.

A *position* is `bytes`: the symbol that each cell shows. A *rule* is an elementary change of the board. A *move* is
what a person counts as one: a sequence of rules, each of which may follow the previous one according to the metric.
Engines see nothing of a puzzle but the classes of this file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from itertools import compress, count
from operator import ne
from typing import Any

from ..errors import ModelError
from ..limits.watch import checkpoint, paced
from .changes import Change, change_of
from .kept import Caching, keeping, kept
from .walks import PlayerWalks, Tests

ANY = -1
"""The need that allows every symbol: a bit set with all bits set."""

MAX_SYMBOLS = 255


def only(symbol: int) -> int:
    """Return the need that allows this symbol only."""
    return 1 << symbol


def single_symbol(need: int) -> int | None:
    """Return the symbol that a need allows if it allows exactly one, else None."""
    return need.bit_length() - 1 if need > 0 and not need & (need - 1) else None


def single_symbols(needs: Iterable[int]) -> list[int]:
    """Return the symbols of the needs that allow exactly one; the other needs are left out."""
    return [symbol for symbol in map(single_symbol, needs) if symbol is not None]


@dataclass(frozen=True, slots=True)
class Motion:
    """The piece that a rule moves, for metrics and for the names of moves.

    shape      the symbol of the piece, or -1 for any piece of one cell
    origin     the cell that the piece leaves; for a block that of its first cell in reading order
    target     the cell that it enters
    direction  rules with equal directions can form a straight run; '' if the board has no straight lines
    also       further directions of a step that is on several lines; `metrics.counted` makes one rule for each if
               directions matter in the metric
    whole      whether the rule is a whole move: no metric joins it with other rules
    free       whether the rule costs nothing in metrics that count only other rules, such as the walking of a player
    length     the number of cells that the piece travels; more than one only in a whole move
    """

    shape: int
    origin: int
    target: int
    direction: str
    also: tuple[str, ...] = ()
    whole: bool = False
    free: bool = False
    length: int = 1


@dataclass(frozen=True, slots=True)
class Rule:
    """An elementary change: if every cell shows a symbol that `need` allows, all cells are rewritten at once.

    name     the name for users: 'right', 'row1', "R'"
    cells    the cells that the rule tests or writes, all different
    need     for each of them the set of allowed symbols as a bit set (`only(s)`, or `ANY`)
    source   for each of them the index into `cells` of the cell whose old symbol determines the new one
    table    for each of them the new symbol by old symbol, or None if the symbol is carried unchanged
    motion   the piece that the rule moves; None for listed moves
    """

    name: str
    cells: tuple[int, ...]
    need: tuple[int, ...]
    source: tuple[int, ...]
    table: tuple[tuple[int, ...] | None, ...]
    motion: Motion | None = None

    @classmethod
    def put(
        cls,
        name: str,
        cells: Sequence[int],
        need: Sequence[int],
        new: Sequence[int],
        symbols: int,
        motion: Motion | None = None,
    ) -> Rule:
        """Return the rule that needs exactly the symbols `need` and writes the symbols `new`."""
        return cls(
            name=name,
            cells=tuple(cells),
            need=tuple([1 << s for s in need]),
            source=tuple(range(len(cells))),
            table=tuple([_constant(s, symbols) for s in new]),
            motion=motion,
        )

    def apply(self, position: bytes) -> bytes | None:
        """Return the position after the rule, or None if the rule does not apply."""
        for cell, need in zip(self.cells, self.need, strict=True):
            if not need >> position[cell] & 1:
                return None
        child = bytearray(position)
        for cell, source, table in zip(self.cells, self.source, self.table, strict=True):
            old = position[self.cells[source]]
            child[cell] = old if table is None else table[old]
        return bytes(child)

    def written(self, old: Sequence[int]) -> list[int]:
        """Return the new symbols of the cells of the rule by their old ones."""
        return [old[s] if table is None else table[old[s]] for s, table in zip(self.source, self.table, strict=True)]


@dataclass(frozen=True, slots=True)
class Metric:
    """What counts as one move: `after[r]` are the rules that may follow rule r within the same move.

    With an empty `after`, as in the metric `step`, every rule is a move.

    free  rules that cost nothing before and after a move; each is undone by one of them. Positions that they lead to
          from each other count as one, and the least of them stands for all (`Model.settled`)
    costs    what each rule counts, if `after` is empty and they differ; () if every move counts one
    exhausts  whether a move goes on until none of the rules that may follow it applies; `after` then parts the rules
             into groups, and the rules of a group are tried in order, again and again
    """

    name: str = "step"
    after: tuple[tuple[int, ...], ...] = ()
    free: tuple[int, ...] = ()
    costs: tuple[int, ...] = ()
    exhausts: bool = False

    @property
    def single(self) -> bool:
        """Whether every rule is a move, each of which counts one."""
        return not (self.after or self.free or self.costs or self.exhausts)


@dataclass(frozen=True, slots=True)
class Goal:
    """A set of positions: the symbols allowed in each cell (as in Rule.need), and the exact numbers of some symbols."""

    need: tuple[int, ...]
    counts: tuple[tuple[int, int], ...] = ()

    def holds(self, position: bytes) -> bool:
        """Return whether the set contains the position."""
        return all(need >> symbol & 1 for need, symbol in zip(self.need, position, strict=True)) and all(
            position.count(symbol) == count for symbol, count in self.counts
        )

    @property
    def position(self) -> bytes | None:
        """The position with the allowed symbols if every cell allows exactly one, else None."""
        symbols = single_symbols(self.need)
        return bytes(symbols) if len(symbols) == len(self.need) else None

    @classmethod
    def exactly(cls, position: bytes) -> Goal:
        """Return the goal that only this position meets."""
        return cls(tuple(only(symbol) for symbol in position))


def anchor_of(start: bytes | None, goals: Iterable[Goal]) -> bytes | None:
    """Return a position that determines the pieces: the start, else the first goal that is one position.

    None if there is no start and every goal leaves cells open.
    """
    if start is not None:
        return start
    return next((goal.position for goal in goals if goal.position is not None), None)


@dataclass(frozen=True, slots=True)
class Shapes:
    """Pieces of several cells: the first cell in reading order shows the symbol of the piece, the others show `body`.

    covers[symbol][cell]  the other cells that the piece covers if its first cell is `cell`; () for one cell; None if it
                          cannot be there
    """

    body: int
    covers: tuple[tuple[tuple[int, ...] | None, ...], ...]


MOST_SETTLED = 1 << 16
"""About the most positions for which a model keeps the one that stands for them: some megabytes."""


@dataclass(frozen=True)
class Model(Caching):
    """A puzzle as an engine sees it. Positions have `cells` symbols, each less than `symbols`.

    Results are kept with the rules (`kept.RuleTuple`) if they depend on nothing else, and else with `bare`.

    The constructor raises ModelError if a rule, goal or position does not fit, so that nothing fails later.
    """

    cells: int
    symbols: int
    rules: tuple[Rule, ...]
    metric: Metric = Metric()
    start: bytes | None = None
    goals: tuple[Goal, ...] = ()
    shapes: Shapes | None = field(default=None)

    def __post_init__(self) -> None:
        if not 0 < self.symbols <= MAX_SYMBOLS:
            raise ModelError(f"model: expected 1 to {MAX_SYMBOLS} symbols, found {self.symbols}")
        object.__setattr__(self, "rules", keeping(self.rules))
        kept(self.rules, _check_rules, self.cells, self.symbols)
        if self.metric.after and len(self.metric.after) != len(self.rules):
            raise ModelError(
                f"metric {self.metric.name}: expected {len(self.rules)} lists of rules, found {len(self.metric.after)}"
            )
        for follower in {r for after in (*paced(self.metric.after), self.metric.free) for r in after}:
            if not 0 <= follower < len(self.rules):
                raise ModelError(
                    f"metric {self.metric.name}: expected a rule below {len(self.rules)}, found {follower}"
                )
        if self.start is not None:
            self.check(self.start)
        costs = self.metric.costs
        if costs and (self.metric.after or len(costs) != len(self.rules) or min(costs) < 1):
            raise ModelError(f"metric {self.metric.name}: expected a cost of 1 or more for each rule, and no followers")
        for goal in self.goals:
            if len(goal.need) != self.cells:
                raise ModelError(f"goal: expected {self.cells} cells, found {len(goal.need)}")

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields alone for pickling: what is computed from them is computed again."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def bare(self) -> Model:
        """The model without start and goals: one object for all models with equal rules, metric and shapes."""
        return kept(self.rules, _without_positions, self.cells, self.symbols, self.metric, self.shapes)

    @property
    def anchor(self) -> bytes | None:
        """A position that determines the pieces: the start, else a goal that is one position, else None."""
        return anchor_of(self.start, self.goals)

    def check(self, position: bytes) -> bytes:
        """Return the position; raise ModelError if its length or a symbol is wrong."""
        if len(position) != self.cells:
            raise ModelError(f"position: expected {self.cells} cells, found {len(position)}")
        if max(position, default=0) >= self.symbols:
            raise ModelError(f"position: expected symbols below {self.symbols}, found {max(position)}")
        return position

    def is_goal(self, position: bytes) -> bool:
        """Return whether the position meets one of the goals."""
        alone, others = self._goal_positions
        return position in alone or any(goal.holds(position) for goal in others)

    @cached_property
    def _goal_positions(self) -> tuple[frozenset[bytes], tuple[Goal, ...]]:
        """The goals that are one position, and the others."""
        alone = {goal.position for goal in self.goals if not goal.counts}
        others = tuple([goal for goal in self.goals if goal.counts or goal.position is None])
        return frozenset(position for position in alone if position is not None), others

    def steps(self, position: bytes) -> list[tuple[int, bytes]]:
        """Return (rule, position) for every rule that changes the position."""
        checkpoint()
        found: list[tuple[int, bytes]] = []
        changes, (always, triggered) = self._changes, self._candidates
        for number in always:
            child = (changes[number] or self._change(number))(position)
            if child is not None and child != position:
                found.append((number, child))
        for symbol, by_cell in triggered:
            cell = position.find(symbol)
            while cell >= 0:
                for number in by_cell[cell]:
                    child = (changes[number] or self._change(number))(position)
                    if child is not None and child != position:
                        found.append((number, child))
                cell = position.find(symbol, cell + 1)
        return found

    def applied(self, number: int, position: bytes) -> bytes | None:
        """Return what `Rule.apply` returns for a rule, in less time."""
        return (self._changes[number] or self._change(number))(position)

    def _change(self, number: int) -> Change:
        """Prepare a rule."""
        checkpoint()
        change = self._changes[number] = change_of(self.rules[number], self.cells, self.symbols)
        return change

    @cached_property
    def _changes(self) -> list[Change | None]:
        """The rules that are prepared, see `changes`; None for the others."""
        return kept(self.rules, _unprepared, self.cells, self.symbols)

    def rules_at(self, cell: int) -> tuple[int, ...]:
        """Return the numbers of the rules that test or write a cell."""
        return kept(self.rules, _by_cell, self.cells)[cell]

    def rule_between(self, before: bytes, after: bytes) -> int | None:
        """Return the first rule of `steps` that leads from one position to another, or None."""
        return next(self._rules_between(before, after), None)

    def _rules_between(self, before: bytes, after: bytes) -> Iterator[int]:
        """Yield the rules of `steps` that lead from one position to another, in the same order."""
        if self._candidates[1]:
            yield from (number for number, child in self.steps(before) if child == after)
            return
        checkpoint()
        cell = changed_cell(before, after)
        numbers = () if cell is None else self.rules_at(cell)
        yield from (number for number in numbers if self.applied(number, before) == after)

    def moves(self, position: bytes) -> dict[bytes, tuple[int, ...]]:
        """Return every position one move away, each with a shortest sequence of rules that makes the move."""
        if not self.metric.after and not self.metric.free:
            steps = self.steps(position) if not self.metric.costs else reversed(self._cheapest_first(position))
            return {child: (number,) for number, child in steps}
        found: dict[bytes, tuple[int, ...]] = {}
        for child, path in self._exhausted(position) if self.metric.exhausts else self._paths(position):
            found.setdefault(child, path)
        return found

    def move_between(self, before: bytes, after: bytes) -> tuple[int, ...]:
        """Return the rules by which `moves` leads from one position to another; raise KeyError if no move does."""
        metric = self.metric
        if metric.after or metric.free or metric.costs:
            return self.moves(before)[self.settled(after)]
        found = (*self._rules_between(before, after),)
        if not found:
            raise KeyError(after)
        return found[-1:]

    def ways(self, position: bytes) -> dict[bytes, tuple[tuple[int, ...], ...]]:
        """Return every position one move away, with a sequence of rules for each different move that leads there.

        Moves of pieces are equal if the same piece moves to the same place, so only one leads to each position. Listed
        moves are equal if they are powers of the same generator or its inverse.
        """
        if self.metric.exhausts:
            return {child: (path,) for child, path in self.moves(position).items()}
        found: dict[bytes, dict[int, tuple[int, ...]]] = {}
        for child, path in self._paths(position):
            found.setdefault(child, {}).setdefault(self.generators[path[0]], path)
        return {child: tuple(paths.values()) for child, paths in found.items()}

    def _paths(self, position: bytes) -> Iterator[tuple[bytes, tuple[int, ...]]]:
        """Yield (position one move away, sequence of rules), the shortest first; positions can occur several times."""
        if not self.metric.free:
            yield from self._chains(position, self._cheapest_first(position))
            return
        if self._is_walked(position):
            yield from self._walked_paths(position)
            return
        walks = self.walks(position)
        own = min(walks)
        for here, walk in walks.items():
            first = [(number, child) for number, child in self.steps(here) if number not in self._free]
            for child, path in self._chains(here, first):
                settled = self.settled(child)
                if settled != own:
                    yield settled, walk + path

    def _walked_paths(self, position: bytes) -> Iterator[tuple[bytes, tuple[int, ...]]]:
        """Do what `_paths` does, for a position with one player who walks."""
        checkpoint()
        player = self._player
        assert player is not None
        first = position.index(player.player)
        bare, reached = player.bare(position, first), player.reached(position, first)
        own = player.at(bare, max(reached) if player.player > player.blank else min(reached))
        for cell, numbers in player.applying(bare, reached):
            here = player.at(bare, cell)
            steps = [(number, self.applied(number, here)) for number in numbers]
            first_steps = [(number, child) for number, child in steps if child is not None and child != here]
            for child, path in self._chains(here, first_steps):
                settled = self.settled(child)
                if settled != own:
                    yield settled, self._walk(cell, reached) + path

    def _walk(self, cell: int, reached: dict[int, int]) -> tuple[int, ...]:
        """Return the steps to a cell that `PlayerWalks.reached` found."""
        steps: list[int] = []
        while reached[cell] >= 0:
            steps.append(reached[cell])
            motion = self.rules[reached[cell]].motion
            assert motion is not None
            cell = motion.origin
        return tuple(reversed(steps))

    def walks(self, position: bytes) -> dict[bytes, tuple[int, ...]]:
        """Return the positions that free rules lead to, nearest first, each with a shortest sequence of these rules."""
        found: dict[bytes, tuple[int, ...]] = {position: ()}
        if not self.metric.free:
            return found
        walking, by_cell = self._walkers
        layer = [position]
        for here in layer:
            checkpoint()
            for cell, symbol in enumerate(here):
                for number in by_cell[cell] if walking >> symbol & 1 else ():
                    child = self.applied(number, here)
                    if child is not None and child not in found:
                        found[child] = (*found[here], number)
                        layer.append(child)
        return found

    def settled(self, position: bytes) -> bytes:
        """Return the position that stands for all that free rules lead to from this one: the least of them."""
        if not self.metric.free:
            return position
        known = self._recently_settled
        least = known.get(position)
        if least is None and self._is_walked(position):
            assert self._player is not None
            if len(known) > MOST_SETTLED:
                known.clear()
            least = known[position] = self._player.settled(position)
        if least is None:
            walked = self.walks(position)
            least = min(walked)
            if len(known) > MOST_SETTLED:
                known.clear()
            known.update(dict.fromkeys(walked if self._walks_back else (position,), least))
        return least

    @cached_property
    def _recently_settled(self) -> dict[bytes, bytes]:
        return {}

    @cached_property
    def _walks_back(self) -> bool:
        """Whether a free rule undoes each free rule: then all positions of a walk have the same least one."""
        rules = [self.rules[number] for number in self.metric.free]
        known = {canonical(rule, self.symbols) for rule in paced(rules)}
        back = [inverse(rule, self.symbols) for rule in paced(rules)]
        return all(rule is not None and canonical(rule, self.symbols) in known for rule in back)

    def _is_walked(self, position: bytes) -> bool:
        """Return whether the free rules are steps of the one player of the position."""
        return self._player is not None and position.count(self._player.player) == 1

    @cached_property
    def _player(self) -> PlayerWalks | None:
        """The walks of a player, or None if free rules are others, or some rule does not need a certain player."""
        steps: list[list[tuple[int, int]]] = [[] for _ in range(self.cells)]
        others: list[list[tuple[int, Tests]]] = [[] for _ in range(self.cells)]
        moved = {self._stepping(self.rules[number]) for number in self.metric.free}
        player, blank = moved.pop() or (None, None) if len(moved) == 1 else (None, None)
        if player is None or blank is None:
            return None
        for number in self.metric.free:
            motion = self.rules[number].motion
            assert motion is not None
            steps[motion.origin].append((motion.target, number))
        always, triggered = self._candidates
        by_cell = dict(triggered).get(player, ())
        if always or any(any(cells) for symbol, cells in triggered if symbol != player):
            return None
        for cell, numbers in enumerate(by_cell):
            for number in numbers:
                if number not in self._free:
                    tests = zip(self.rules[number].cells, self.rules[number].need, strict=True)
                    others[cell].append((number, tuple(test for test in tests if test[0] != cell)))
        return PlayerWalks(player, blank, tuple(map(tuple, steps)), tuple(map(tuple, others)))

    @staticmethod
    def _stepping(rule: Rule) -> tuple[int, int] | None:
        """Return (player, blank) if the rule moves a player into a blank cell, else None."""
        if rule.motion is None or len(rule.cells) != 2:
            return None
        old = single_symbols(rule.need)
        if len(old) != 2 or old[0] == old[1] or rule.written(old) != old[::-1]:
            return None
        player, blank = (old[rule.cells.index(cell)] for cell in (rule.motion.origin, rule.motion.target))
        return player, blank

    @cached_property
    def _free(self) -> frozenset[int]:
        return frozenset(self.metric.free)

    @cached_property
    def _walkers(self) -> tuple[int, tuple[tuple[int, ...], ...]]:
        """The symbols that free rules move, and the numbers of these rules by the cell that they leave."""
        by_cell: list[list[int]] = [[] for _ in range(self.cells)]
        walking = 0
        for number in self.metric.free:
            rule = self.rules[number]
            assert rule.motion is not None
            by_cell[rule.motion.origin].append(number)
            walking |= rule.need[rule.cells.index(rule.motion.origin)]
        return walking, tuple(map(tuple, by_cell))

    def _chains(self, position: bytes, first: Iterable[tuple[int, bytes]]) -> Iterator[tuple[bytes, tuple[int, ...]]]:
        """Yield (position, sequence of rules) for all moves that begin with one of the (rule, position) `first`."""
        seen: set[tuple[bytes, tuple[int, ...]]] = set()
        changes = self._changes
        layer = [(child, (number,)) for number, child in first]
        while layer:
            following: list[tuple[bytes, tuple[int, ...]]] = []
            for child, path in paced(layer):
                if child != position:
                    yield child, path
                allowed = self.followers[path[-1]]
                if not allowed or (child, allowed) in seen:
                    continue
                seen.add((child, allowed))
                for number in allowed:
                    grandchild = (changes[number] or self._change(number))(child)
                    if grandchild is not None and grandchild != child:
                        following.append((grandchild, (*path, number)))
            layer = following

    def _exhausted(self, position: bytes) -> Iterator[tuple[bytes, tuple[int, ...]]]:
        """Yield (position one move away, sequence of rules) for each group of rules that changes the position."""
        checkpoint()
        for group in dict.fromkeys(self.followers):
            now, path, count = position, list[int](), -1
            while len(path) > count:
                count = len(path)
                for number in group:
                    child = self.applied(number, now)
                    if child is not None and child != now:
                        now = child
                        path.append(number)
            if path:
                yield now, tuple(path)

    def _cheapest_first(self, position: bytes) -> list[tuple[int, bytes]]:
        """Return `steps`, by their costs if these differ."""
        steps, costs = self.steps(position), self.metric.costs
        return sorted(steps, key=lambda step: costs[step[0]]) if costs else steps

    def cost(self, rules: Sequence[int]) -> int:
        """Return what a move counts that this sequence of rules makes: 1 unless the metric has costs."""
        return sum(self.metric.costs[number] for number in rules) if self.metric.costs else 1

    @cached_property
    def generators(self) -> tuple[int, ...]:
        """For each listed move the lesser of its number and that of its inverse; -1 for rules that move a piece."""
        return kept(self.rules, _find_generators, self.symbols)

    @cached_property
    def followers(self) -> tuple[tuple[int, ...], ...]:
        """For each rule the rules that may follow it within a move, sorted; () for all in the metric `step`."""
        return tuple(tuple(sorted(set(after))) for after in paced(self.metric.after)) or ((),) * len(self.rules)

    @cached_property
    def _candidates(self) -> Candidates:
        """The rules to try always, and those to try only if a given cell shows a rare symbol, such as the blank."""
        return kept(self.rules, _find_candidates, self.cells, self.symbols)

    @property
    def backward(self) -> Model | None:
        """The model whose moves undo the moves of this one, or None if some rule loses the old contents."""
        return self._backward

    @cached_property
    def _backward(self) -> Model | None:
        if self.metric.exhausts:
            return None
        inverses = kept(self.rules, _find_inverses, self.symbols)
        if inverses is None:
            return None
        before: list[list[int]] = [[] for _ in self.rules]
        for number, after in enumerate(paced(self.metric.after)):
            for follower in after:
                before[follower].append(number)
        metric = replace(self.metric, after=tuple(map(tuple, before)) if self.metric.after else ())
        return replace(self, rules=inverses, metric=metric)

    @cached_property
    def reversible(self) -> bool:
        """Whether every move can be undone by a move: the inverses of rules, and of their followers, are rules too."""
        return kept(self.rules, _can_be_reversed, self.cells, self.symbols, self.metric)

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hex digits that depend on the rules, the metric and the board, but not on start and goals."""
        known = hashlib.sha256(f"[{self.cells}, {self.symbols}, [".encode())
        for number, rule in enumerate(paced(self.rules)):  # in parts, because the text can have hundreds of MB
            known.update(f"{', ' if number else ''}{canonical(rule, self.symbols)}".encode())
        known.update(b"], (")
        for number, after in enumerate(paced(self.metric.after)):
            known.update(f"{', ' if number else ''}{after}".encode())
        known.update(b",)]" if len(self.metric.after) == 1 else b")]")
        if self.metric.free:
            known.update(f"free {self.metric.free}".encode())
        if self.metric.costs:
            known.update(f"{self.metric.costs}".encode())
        if self.metric.exhausts:
            known.update(b"exhausts")
        return known.hexdigest()[:16]


def _walker(rule: Rule) -> tuple[int, ...]:
    """Return the need of the piece that a free rule moves."""
    if rule.motion is None or not rule.motion.free or rule.motion.origin not in rule.cells:
        return ()
    return (rule.need[rule.cells.index(rule.motion.origin)],)


def _check_rule(rule: Rule, cells: int, symbols: int) -> None:
    where = f"rule {rule.name}"
    width = len(rule.cells)
    if len(set(rule.cells)) < width or (width and (min(rule.cells) < 0 or max(rule.cells) >= cells)):
        raise ModelError(f"{where}: expected different cells below {cells}, found {rule.cells}")
    if not len(rule.need) == len(rule.source) == len(rule.table) == width:
        raise ModelError(f"{where}: expected one need, source and table for each of its {width} cells")
    if not _are_needs(rule.need, symbols):
        raise ModelError(f"{where}: expected needs that allow some of {symbols} symbols, found {rule.need}")
    if width and (min(rule.source) < 0 or max(rule.source) >= width):
        raise ModelError(f"{where}: expected sources below {width}, found {rule.source}")
    for table in rule.table:
        if table is not None and (len(table) != symbols or min(table) < 0 or max(table) >= symbols):
            raise ModelError(f"{where}: expected tables of {symbols} symbols below {symbols}, found {table}")


def _without_positions(
    rules: tuple[Rule, ...], cells: int, symbols: int, metric: Metric, shapes: Shapes | None
) -> Model:
    return Model(cells, symbols, rules, metric, shapes=shapes)


def _check_rules(rules: Sequence[Rule], cells: int, symbols: int) -> None:
    for rule in paced(rules):
        _check_rule(rule, cells, symbols)


def _by_cell(rules: Sequence[Rule], cells: int) -> tuple[tuple[int, ...], ...]:
    found: list[list[int]] = [[] for _ in range(cells)]
    for number, rule in enumerate(paced(rules)):
        for cell in rule.cells:
            found[cell].append(number)
    return tuple(map(tuple, found))


def _unprepared(rules: Sequence[Rule], cells: int, symbols: int) -> list[Change | None]:
    return [None] * len(rules)


def _find_inverses(rules: Sequence[Rule], symbols: int) -> tuple[Rule, ...] | None:
    """Return the inverses of all rules, or None if some rule loses the old contents."""
    found = [inverse(rule, symbols) for rule in paced(rules)]
    undone = tuple([rule for rule in found if rule is not None])
    return undone if len(undone) == len(found) else None


def _can_be_reversed(rules: tuple[Rule, ...], cells: int, symbols: int, metric: Metric) -> bool:
    model = Model(cells, symbols, rules, metric)
    if model.backward is None:
        return False
    there, back = _alike(model)
    if set(back) <= set(there):
        return True
    if model.metric.costs:
        return False
    mine: dict[tuple[object, ...], set[int]] = {}
    for number, rule in enumerate(paced(model.rules)):
        mine.setdefault(canonical(rule, model.symbols), set()).add(number)
    undone = [set(mine.get(canonical(rule, model.symbols), ())) for rule in paced(model.backward.rules)]
    # Rules on several lines can be equal: a rule undoes another only if their followers undo each other, too.
    followers, changed = [set(after) for after in model.followers], True
    while changed:
        changed = False
        for number, after in enumerate(paced(model.backward.metric.after)):
            still = {each for each in undone[number] if all(followers[each] & undone[f] for f in after)}
            changed |= len(still) < len(undone[number])
            undone[number] = still
    return all(undone)


def _alike(model: Model) -> tuple[list[int], list[int]]:
    """Numbers for the rules and for those of `backward`: equal if the rules and all that may follow are equivalent.

    Partition refinement: rules are distinguished by their effects, then by their followers' numbers, until stable.
    """
    assert model.backward is not None
    both = [*model.rules, *model.backward.rules]
    shift = len(model.rules)
    after = [*model.followers, *(tuple(shift + each for each in row) for row in model.backward.followers)]
    names: dict[object, int] = {}
    costs = model.metric.costs * 2 or (1,) * len(both)
    found = [
        names.setdefault((canonical(rule, model.symbols), cost), len(names))
        for rule, cost in zip(both, costs, strict=True)
    ]
    count = 0
    while count < len(names):
        count, names = len(names), {}
        keys = ((own, frozenset(found[each] for each in row)) for own, row in zip(found, after, strict=True))
        found = [names.setdefault(key, len(names)) for key in keys]
    return found[:shift], found[shift:]


def _find_generators(rules: Sequence[Rule], symbols: int) -> tuple[int, ...]:
    numbers = {canonical(rule, symbols): number for number, rule in enumerate(paced(rules))}
    found: list[int] = []
    for number, rule in enumerate(paced(rules)):
        back = inverse(rule, symbols) if rule.motion is None else None
        undo = numbers.get(canonical(back, symbols), number) if back is not None else number
        found.append(-1 if rule.motion is not None else min(number, undo))
    return tuple(found)


Candidates = tuple[tuple[int, ...], tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]]


def _find_candidates(rules: Sequence[Rule], cells: int, symbols: int) -> Candidates:
    wanted: dict[int, int] = {}
    for rule in paced(rules):
        for symbol in set(single_symbols(rule.need)):
            wanted[symbol] = wanted.get(symbol, 0) + 1
    always: list[int] = []
    triggered: dict[int, list[list[int]]] = {}
    walkers = {single_symbol(need) for rule in rules for need in _walker(rule)}
    for number, rule in enumerate(paced(rules)):
        if rule.motion is not None and rule.motion.whole:  # few pieces, many blanks: tried for the pieces
            index = rule.cells.index(rule.motion.origin)
            for symbol in allowed(rule.need[index], symbols):
                triggered.setdefault(symbol, [[] for _ in range(cells)])[rule.motion.origin].append(number)
            continue
        single = [
            (symbol not in walkers, -wanted[symbol], symbol, cell)
            for cell, need in zip(rule.cells, rule.need, strict=True)
            if (symbol := single_symbol(need)) is not None
        ]
        if not single:
            always.append(number)
            continue
        *_, symbol, cell = min(single)
        triggered.setdefault(symbol, [[] for _ in range(cells)])[cell].append(number)
    return tuple(always), tuple((symbol, tuple(map(tuple, cells))) for symbol, cells in sorted(triggered.items()))


def changed_cell(before: bytes, after: bytes) -> int | None:
    """Return the first cell in which two positions differ, or None."""
    return next(compress(count(), map(ne, before, after)), None)


@lru_cache(1 << 12)
def _are_needs(needs: tuple[int, ...], symbols: int) -> bool:
    """Return whether each need allows some symbol, and no symbol that does not exist."""
    return all(need == ANY or 0 < need < 1 << symbols for need in needs)


@lru_cache(1 << 12)
def _constant(symbol: int, symbols: int) -> tuple[int, ...]:
    """Return the table that maps every symbol to one; rules share it."""
    return (symbol,) * symbols


def allowed(need: int, symbols: int) -> list[int]:
    """Return the symbols that a need allows."""
    return list(_allowed(need, symbols))


@lru_cache(1 << 12)
def _allowed(need: int, symbols: int) -> tuple[int, ...]:
    return tuple([symbol for symbol in range(symbols) if need >> symbol & 1])


Pairs = tuple[tuple[int, int], ...]


@lru_cache(1 << 12)
def _pairs(need: int, table: tuple[int, ...] | None, symbols: int) -> Pairs:
    """Return the (old, new) symbols of a cell with a need and a table; cached, because many rules have equal ones."""
    return tuple([(s, s if table is None else table[s]) for s in _allowed(need, symbols)])


@lru_cache(1 << 12)
def _image(pairs: Pairs) -> tuple[int, bool, tuple[int, ...]]:
    """Return (new symbols of the pairs as a bit set, whether they all differ, the same sorted)."""
    new = tuple(sorted({after for _, after in pairs}))
    return sum([1 << symbol for symbol in new]), len(new) == len(pairs), new


def outcomes(rule: Rule, symbols: int) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
    """Return for each cell of the rule the origin of its new symbol: (index of the cell read, (old, new) pairs)."""
    return [
        (source, _pairs(rule.need[source], table, symbols))
        for source, table in zip(rule.source, rule.table, strict=True)
    ]


def canonical(rule: Rule, symbols: int) -> tuple[object, ...]:
    """Return a canonical form of the rule without its name: equal for rules with the same effect.

    For every cell, sorted: the cell, the symbols allowed, and its effect. This is ("put", symbol) if the new symbol is
    always the same, else ("carry", cell read, (old, new) pairs).
    """
    rows: list[tuple[object, ...]] = []
    for index, (source, pairs) in enumerate(outcomes(rule, symbols)):
        new = _image(pairs)[2]
        effect: tuple[object, ...] = ("put", *new) if len(new) == 1 else ("carry", rule.cells[source], pairs)
        rows.append((rule.cells[index], _allowed(rule.need[index], symbols), effect))
    return tuple(sorted(rows, key=lambda row: row[0]))  # type: ignore[arg-type,return-value]


@lru_cache(1 << 12)
def _undoing(pairs: Pairs, symbols: int) -> tuple[int, ...] | None:
    """Return the inverse table; None if it is the identity."""
    back = {new: was for was, new in pairs}
    return None if all(new == was for was, new in pairs) else tuple([back.get(s, s) for s in range(symbols)])


def inverse(rule: Rule, symbols: int) -> Rule | None:
    """Return the inverse rule, or None if the new symbols do not determine the old ones.

    An old symbol is determined if only one was allowed, or if exactly one cell received it by a one-to-one table.
    """
    effects = outcomes(rule, symbols)
    need = tuple([_image(pairs)[0] for _, pairs in effects])
    source: list[int] = []
    table: list[tuple[int, ...] | None] = []
    read_by: dict[int, list[tuple[int, Pairs]]] | None = None
    for index in range(len(rule.cells)):
        old = _allowed(rule.need[index], symbols)
        if len(old) == 1:
            source.append(index)
            table.append(_constant(old[0], symbols))
            continue
        if read_by is None:
            read_by = {}
            for cell, (read, pairs) in enumerate(effects):
                if _image(pairs)[1]:
                    read_by.setdefault(read, []).append((cell, pairs))
        readers = read_by.get(index, ())
        if not readers or len(readers) > 1:
            return None
        cell, pairs = readers[0]
        source.append(cell)
        table.append(_undoing(pairs, symbols))
    motion = rule.motion and Motion(
        rule.motion.shape,
        rule.motion.target,
        rule.motion.origin,
        "back " + rule.motion.direction,
        tuple("back " + direction for direction in rule.motion.also),
        rule.motion.whole,
        rule.motion.free,
        rule.motion.length,
    )
    return Rule(f"undo {rule.name}", rule.cells, need, tuple(source), tuple(table), motion)
