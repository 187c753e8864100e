"""A second reading of docs/changes.md, written from that page alone: it imports nothing from the package.

It is meant to be obviously right rather than fast: a position is the tuple of the symbols of all cells, and every
move is found by trying every row at every place. It reads well-formed files; for others its behaviour is undefined.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, permutations, product

from . import reference
from .changes_sentences import BEGINNINGS, ORDER, Said, Sentences
from .changes_words import (
    DIRECTIONS,
    SINGLE,
    WAYS,
    Bound,
    Fit,
    Pattern,
    Position,
    World,
    bare,
    computed,
    made,
    shows,
    split_rows,
    value,
)


class EndlessError(Exception):
    """What happens by itself after a move goes on for ever."""


# ---- rows of moves


@dataclass
class Part:
    """One of the patterns that commas part: words along a line (`pattern`), or names of cells and what they show."""

    before: list[str]
    after: list[str]
    pattern: Pattern | None
    names: list[str]

    def fits(self, world: World, position: Position, bound: Bound, used: frozenset[int]) -> Iterator[Fit]:
        if self.pattern is not None:
            yield from self.pattern.fits(position, bound, used)
            return
        taken = {key: cell for key, cell in bound.items() if key.startswith("cell ")}
        free = [name for name in self.names if f"cell {name}" not in taken]
        for cells in product(*(world.cells_of(name) or () for name in free)):
            chosen = {**taken, **{f"cell {name}": cell for name, cell in zip(free, cells, strict=True)}}
            if len(set(chosen.values())) < len(chosen) or used & set(cells):
                continue
            now: Bound | None = {**bound, **chosen}
            own = tuple(chosen[f"cell {name}"] for name in self.names)
            for cell in own:
                now = shows(world, self.before[0], position[cell], now) if self.before and now is not None else now
            if now is not None:
                yield Fit(own, now, None)


@dataclass
class Change:
    """A row `before -> after`."""

    world: World
    parts: list[Part]
    condition: Said | None
    cost: str
    once: bool = False
    again: bool = False
    towards: str = ""
    facing: str = ""

    def results(self, position: Position) -> Iterator[tuple[Position, int]]:
        """The positions that it leads to, in reading order of the places, each with its cost."""
        for after, fits in self.go_on(position, 0, [], {}):
            yield after, self.price(fits)

    def hops(self, position: Position) -> Iterator[tuple[Position, int, int]]:
        """The positions that it leads to, each with the cells where its first piece was and is then."""
        for after, fits in self.go_on(position, 0, [], {}):
            first = next(cell for cell in fits[0].cells if cell is not None)
            came = [cell for cell, symbol in enumerate(after) if symbol == position[first] != position[cell]]
            if after != position:
                yield after, first, came[0]

    def go_on(
        self, position: Position, index: int, fits: list[Fit], bound: Bound
    ) -> Iterator[tuple[Position, list[Fit]]]:
        if index < len(self.parts):
            used = frozenset(cell for fit in fits for cell in fit.cells if cell is not None)
            for fit in self.parts[index].fits(self.world, position, bound, used):
                yield from self.go_on(position, index + 1, [*fits, fit], fit.bound)
        elif self.steered(position, fits, bound) and (
            self.condition is None or self.condition(position, self.local(fits, bound))
        ):
            words = [word for part, fit in zip(self.parts, fits, strict=True) for word in self.written(part, fit)]
            unbound = [word for word in dict.fromkeys(words) if self.world.kind(word) and word not in bound]
            for symbols in product(*(sorted(self.world.kind(word) or ()) for word in unbound)):
                now = {**bound, **dict(zip(unbound, symbols, strict=True))}
                after = self.put(position, fits, now)
                if after is not None:
                    yield after, fits

    def steered(self, position: Position, fits: list[Fit], bound: Bound) -> bool:
        """Whether the direction is one that `towards` and `facing` allow."""
        way, world = bound.get("way"), self.world
        if self.facing and SINGLE.get(position[world.cell[self.facing]]) != way:
            return False
        if not self.towards:
            return True
        lying = next(fit for part, fit in zip(self.parts, fits, strict=True) if part.pattern is not None)
        begin = world.at[next(cell for cell in lying.cells if cell is not None)]
        ahead = [
            cell for cell, place in enumerate(world.at)
            if all((place[k] - begin[k]) * way[k] > 0 for k in (0, 1) if way[k])
        ]  # fmt: skip
        if self.towards in world.symbols or world.kind(self.towards) is not None:
            return any(position[cell] in world.shown([self.towards]) for cell in ahead)
        return any(cell in world.cells([self.towards]) for cell in ahead)

    def local(self, fits: list[Fit], bound: Bound) -> Bound:
        """Where the words of the patterns are, and how far the first one along a line goes."""
        found: Bound = {}
        for part, fit in zip(self.parts, fits, strict=True):
            if part.pattern is None:
                found.update({f"at {word}": fit.cells[0] for word in part.before})
                continue
            slots, turn, steps, rows = iter(fit.cells), dict[str, int](), -1, 1
            for word in part.before:
                name = bare(word)[0]
                if word == "/":
                    rows += 1
                    continue
                length = 1
                if name.endswith("..."):
                    length = len(bound[name][turn.get(name, 0)])
                    turn[name] = turn.get(name, 0) + 1
                cells = [next(slots) for _ in range(length)]
                if not name.endswith("...") and name not in ("edge", "stop"):
                    found.setdefault(f"at {name}", cells[0])
                steps += length if rows == 1 and name not in ("edge", "stop") else 0
            found.setdefault("distance", steps)
        return found

    def written(self, part: Part, fit: Fit) -> list[str]:
        return [word for word in part.after if word not in ("*", "edge", "stop", "/", "+", "-", "...")]

    def put(self, position: Position, fits: list[Fit], bound: Bound) -> Position | None:
        """The position after the row; None if a number would leave its range."""
        after = list(position)
        taken: Counter[str] = Counter()
        for part, fit in zip(self.parts, fits, strict=True):
            if part.pattern is None:
                for cell in fit.cells:
                    symbol = self.new(part.after, position, cell, bound)
                    if symbol is None:
                        return None
                    after[cell] = symbol
                continue
            slots, runs = iter(fit.cells), self.runs(part, bound, taken)
            for word in part.after:
                if word == "/":
                    continue
                for symbol in runs.pop(0) if word.endswith("...") else (word,):
                    cell = next(slots)
                    if computed(self.world, word):
                        symbol = word = made(self.world, word, bound)
                        if symbol is None:
                            return None
                    if cell is not None and word not in ("*", "*...", "stop"):
                        after[cell] = bound.get(symbol, symbol) if word == symbol else symbol
        return tuple(after) if self.world.in_ranges(after) else None

    def runs(self, part: Part, bound: Bound, taken: Counter[str]) -> list[list[str]]:
        """What each word with dots after the arrow writes: what the same word before it has found, the first one first.

        Another word writes its symbol into the cells of the first one that is left.

        taken  how many words of each name the patterns before this one have
        """
        after = [word for word in part.after if word.endswith("...")]
        left: list[tuple[str, list[str]]] = []
        for row in part.pattern.rows:
            for word in (bare(each)[0] for each in row):
                if word.endswith("..."):
                    left.append((word, bound[word][taken[word]]))
                    taken[word] += 1
        found: dict[int, list[str]] = {}
        for same in (True, False):
            for at, word in enumerate(after):
                number = next((k for k, (name, _) in enumerate(left) if not same or name == word), None)
                if at not in found and number is not None:
                    _, run = left.pop(number)
                    found[at] = run if same else [word[:-3] or "."] * len(run)
        return [found[at] for at in range(len(after))]

    def new(self, words: list[str], position: Position, cell: int, bound: Bound) -> str | None:
        """What a named cell becomes; None if nothing is the image or the sum of these words."""
        if words == ["*"]:
            return position[cell]
        if len(words) == 1 and computed(self.world, words[0]):
            return made(self.world, words[0], bound)
        if len(words) == 1 and self.cell_of(words[0], bound) is None:
            return str(bound.get(words[0], words[0]))
        total, sign = (int(position[cell]) if words[0] in "+-" else 0), 1
        for word in words:
            if word in ("+", "-"):
                sign = 1 if word == "+" else -1
            else:
                other = self.cell_of(word, bound)
                total += sign * int(word if other is None else position[other])
        return str(total)

    def cell_of(self, word: str, bound: Bound) -> int | None:
        return bound.get(f"cell {word}", self.world.cell.get(word))

    def price(self, fits: list[Fit]) -> int:
        if self.cost not in ("greatest", "sum"):
            return int(self.cost)
        named = [fit.cells for part, fit in zip(self.parts, fits, strict=True) if part.pattern is None]
        weights = [self.world.weights[cell] for cells in named for cell in cells if cell in self.world.weights]
        return max(weights) if self.cost == "greatest" else sum(weights)


@dataclass
class Bodies:
    """A row in which all cells that show a symbol go together, from one of the words to another."""

    world: World
    kind: str
    words: list[str]
    old: int
    new: int
    ways: list[str]
    condition: Said | None
    cost: str
    once: bool = False
    again: bool = False

    def results(self, position: Position) -> Iterator[tuple[Position, int]]:
        if self.condition is not None and not self.condition(position, {}):
            return
        headings = list(dict.fromkeys(way for word in self.ways for way in DIRECTIONS[word]))
        found: list[tuple[tuple[int, int], Position]] = []
        for way in headings:
            for symbol in sorted(self.world.shown([self.kind]) & set(position[: self.world.size]) - {"."}):
                after = self.gone(position, symbol, way)
                if after is not None:
                    row, column = self.world.at[position.index(symbol)]
                    back = min(self.old, self.new) - self.old
                    found.append(((row + back * way[0], column + back * way[1]), after))
        yield from ((after, int(self.cost)) for _, after in sorted(found, key=lambda each: each[0]))

    def gone(self, position: Position, symbol: str, way: tuple[int, int]) -> Position | None:
        """The position after the body of a symbol has gone in a direction; None if it cannot."""
        cells = [cell for cell in range(self.world.size) if position[cell] == symbol]
        after = ["." if cell in cells else shown for cell, shown in enumerate(position)]
        for cell in cells:
            row, column = self.world.at[cell]
            for k, word in enumerate(self.words):
                step = k - self.old
                there = self.world.where.get((row + step * way[0], column + step * way[1]))
                if there is None or (word == "." and position[there] != "." and there not in cells):
                    return None
                if k == self.new:
                    after[there] = symbol
        return tuple(after) if self.world.in_ranges(after) else None


@dataclass
class Pour:
    """A row `pour a into b`."""

    world: World
    one: list[int]
    other: list[int]
    condition: Said | None
    cost: str
    once: bool = False

    def results(self, position: Position) -> Iterator[tuple[Position, int]]:
        for a, b in product(self.one, self.other):
            much = min(int(position[a]) - self.world.ranges[a][0], self.world.ranges[b][1] - int(position[b]))
            if a != b and much > 0 and (self.condition is None or self.condition(position, {})):
                after = list(position)
                after[a], after[b] = str(int(after[a]) - much), str(int(after[b]) + much)
                yield tuple(after), int(self.cost)


@dataclass
class Listed:
    """A row of `rule: apply`: what stands in `source[cell]` comes into the cell, then `swaps` are changed."""

    world: World
    source: dict[int, int]
    swaps: list[int]
    swap: dict[str, str]
    condition: Said | None
    cost: str
    once: bool = False
    again: bool = False

    def results(self, position: Position) -> Iterator[tuple[Position, int]]:
        if self.condition is None or self.condition(position, {}):
            after = [position[self.source.get(cell, cell)] for cell in range(len(position))]
            for cell in self.swaps:
                after[cell] = self.swap.get(after[cell], after[cell])
            if self.world.in_ranges(after):
                yield tuple(after), int(self.cost)


# ---- files


class Puzzle:
    """A file with `rule: change`."""

    def __init__(self, text: str) -> None:
        self.keys = reference.sections(text)
        self.world = self.make_world()
        self.swap = self.read_swap()
        self.gather()
        self.rows = [row for text in self.keys.get("moves", ()) for row in self.read_row(text)]
        self.after = [self.read_row(text)[0] for text in self.keys.get("after", ())]
        self.read_kinds()
        self.costly = self.keys.get("count") == ["cost"]
        for text in self.pending:
            text()
        self.laws = [self.sentence(text.rpartition(": ")[2]) for text in self.keys.get("forbid", ())]
        self.judged: dict[Position, bool] = {}
        drawn = self.drawing(self.keys["start"]) + tuple(self.also.values())
        self.world.start = self.settled(drawn, {index for index, row in enumerate(self.after) if row.once})
        self.start = self.world.start
        self.goals = [self.read_goal(rows) for key, rows in self.keys.items() if re.fullmatch(r"goal( \d+)?", key)]

    def make_world(self) -> World:
        board = reference.make_board(self.keys)
        self.also = dict(
            part.split("=") for part in " ".join(self.keys.get("also", ())).replace(" ", "").split(",") if part
        )
        size = len(board.names)
        world = World(
            [*board.names, *self.also],
            size,
            board.at,
            [list(tracks) for tracks in board.tracks] + [[]] * len(self.also),
        )
        world.onward = [[] for _ in world.names]
        for chain in " ".join(self.keys.get("lines", ())).split():
            line = [world.cell[name] for name in chain.split("-")]
            for index, cell in enumerate(line):
                world.onward[cell] += [tuple(line[index + 1 :])] * (index + 1 < len(line))
        for row in self.keys.get("places", ()):
            name, _, cells = row.partition("=")
            words = cells.split()
            own = tuple(c for word in words for c in world.cells_of(word) or ())
            others = tuple(c for c in range(world.size) if c not in own)
            world.places[name.strip()] = others if words[0] == "not" else own
        ground = reference.drawn(self.keys.get("ground", ()))
        if board.at is None or len({len(row) for row in ground}) > 1:
            letters = reference.symbols(self.keys.get("ground", ()))
        else:
            letters = [ground[row][column] for row, column in board.at] if ground else []
        for cell, letter in enumerate(letters):
            if letter != ".":
                world.places[letter] = (*world.places.get(letter, ()), cell)
        for part in ", ".join(self.keys.get("numbers", ())).split(","):
            if part.strip():
                *names, span = part.split()
                cells = range(size) if names == ["all"] else world.cells(names)
                world.ranges.update(dict.fromkeys(cells, tuple(map(int, span.split("-")))))
        for part in ", ".join(self.keys.get("weights", ())).split(","):
            if part.strip():
                *names, weight = part.split()
                world.weights.update(dict.fromkeys(world.cells(names), int(weight)))
        return world

    def read_swap(self) -> dict[str, str]:
        swap: dict[str, str] = {}
        for part in ", ".join(self.keys.get("swap", ())).split(","):
            chain = re.split(r"<->|->", part.replace(" ", ""))
            swap.update(zip(chain, chain[1:], strict=False))
            if "<->" in part:
                swap[chain[1]] = chain[0]
        return swap

    def gather(self) -> None:
        """Collect the symbols of drawings and keys; those that only moves write are added when they are read."""
        self.kind_rows = {
            row.partition("=")[0].strip(): row.partition("=")[2].split() for row in self.keys.get("kinds", ())
        }
        self.world.kinds = dict.fromkeys(self.kind_rows, frozenset())
        found = set(reference.symbols(self.keys["start"])) | set(self.also.values()) | set(self.swap)
        for rows in self.kind_rows.values():
            found |= set(rows) - {"not", *self.kind_rows}
        for low, high in self.world.ranges.values():
            found |= {str(number) for number in range(low, high + 1)}
        for key, rows in self.keys.items():
            if re.fullmatch(r"goal( \d+)?", key) and self.is_drawing(rows):
                found |= set(reference.symbols(rows)) - {"*"}
        self.world.symbols = found
        self.pending: list[Callable[[], None]] = []

    def read_kinds(self) -> None:
        while not all(self.world.kinds.values()):
            for name, words in self.kind_rows.items():
                own = [word for word in words if word != "not"]
                if all(self.world.kinds.get(word, True) for word in own):
                    shown = self.world.shown(own)
                    if words[0] != "not":
                        nested = [self.world.orders.get(word, [word]) for word in own]
                        self.world.orders[name] = list(dict.fromkeys(symbol for each in nested for symbol in each))
                    self.world.kinds[name] = frozenset(self.world.symbols - shown if words[0] == "not" else shown)

    def is_drawing(self, rows: list[str]) -> bool:
        words = " ".join(rows).split()
        said = words[0] in BEGINNINGS or words[0].startswith("(")
        return not (len(words) > 1 and (said or set(words) & set(ORDER))) and words != ["start"]

    def drawing(self, rows: list[str]) -> Position:
        return tuple(str(value(symbol)) for symbol in reference.symbols(rows))

    def read_goal(self, rows: list[str]) -> Said:
        if not self.is_drawing(rows):
            return self.sentence(" ".join(rows))
        wanted = self.drawing(rows)
        return lambda position, _: all(want in ("*", has) for want, has in zip(wanted, position, strict=False))

    def sentence(self, text: str, local: set[str] | None = None) -> Said:
        return Sentences(self.world, text, local).whole()

    # -- rows of moves

    def read_row(self, text: str) -> list[Change | Bodies | Pour | Listed]:
        text, once = re.subn(r"\s+once$", "", text)
        text, again = re.subn(r"\s+again$", "", text)
        text, _, cost = re.sub(r"\s+cost (\w+)$", r"\0\1", text).partition("\0")
        text, _, condition = text.partition(" if ")
        text = re.sub(r"^[^:]*:\s*", "", text)
        rows = list(self.read_effect(text))
        for row in rows:
            row.cost, row.once, row.again = cost or "1", bool(once), bool(again)
            if condition:
                local = {bare(word)[0] for part in getattr(row, "parts", ()) for word in part.before}
                local = {word for word in local if re.search(r"\D\d+$", word) and word not in self.world.symbols}
                self.pending.append(
                    lambda row=row, local=local: setattr(row, "condition", self.sentence(condition, local))
                )
        return rows

    def read_effect(self, text: str) -> Iterator[Change | Bodies | Pour | Listed]:
        if text.startswith("pour "):
            one, other = text[5:].split(" into ")
            yield Pour(self.world, self.pourable(one), self.pourable(other), None, "1")
        elif "->" in text:
            both = "<->" in text
            before, after = text.split("<->" if both else "->")
            words = after.split()
            steering = {"towards": "", "facing": ""}
            while len(words) > 2 and words[-2] in steering:
                said = words.pop()
                steering[words.pop()] = said
            ways: list[str] = []
            while words[-1] in WAYS and len(words) > 1 and not words[-2].endswith(","):
                ways.append(words.pop())
            if "{" in before:
                yield from self.read_bodies(before.split(), words, ways, both)
                return
            ways = ways if not steering["facing"] else [*SINGLE]
            parts = [
                self.read_part(one.split(), other.split(), ways[::-1])
                for one, other in zip(before.split(","), " ".join(words).split(","), strict=True)
            ]
            yield Change(self.world, parts, None, "1", **steering)
            if both:
                yield Change(self.world, [self.turned(part) for part in parts], None, "1", **steering)
        else:
            yield self.read_listed(text)

    def read_bodies(self, before: list[str], after: list[str], ways: list[str], both: bool) -> Iterator[Bodies]:
        for one, other in [(before, after), (after, before)][: 1 + both]:
            old, new = (next(k for k, word in enumerate(side) if word[0] == "{") for side in (one, other))
            words = ["*" if k == old else word for k, word in enumerate(one)]
            yield Bodies(self.world, one[old][1:-1], words, old, new, ways[::-1], None, "1")
        if self.world.kind(before[old][1:-1] if both else one[old][1:-1]) is None:
            self.world.symbols.add(one[old][1:-1])

    def pourable(self, word: str) -> list[int]:
        return sorted(self.world.ranges) if word.strip() == "any" else sorted(self.world.cells([word.strip()]))

    def is_name(self, word: str) -> bool:
        return (
            word not in self.world.symbols and self.world.kind(word) is None and self.world.cells_of(word) is not None
        )

    def read_part(self, before: list[str], after: list[str], ways: list[str]) -> Part:
        names = before[: next((k for k, word in enumerate(before) if not self.is_name(word)), len(before))]
        before = before[len(names) :]
        for word in [*before, *(after if not names or (len(after) == 1 and not self.is_name(after[0])) else [])]:
            base = bare(word)[0].removesuffix("...")
            known = self.world.kind(base) is not None or computed(self.world, base)
            if base not in ("", "*", "edge", "stop", "/") and not known:
                self.world.symbols.add(str(value(base)))
        if names:
            return Part(before, after, None, names)
        return Part(before, after, Pattern(self.world, split_rows(before), ways), [])

    def turned(self, part: Part) -> Part:
        """The part read from right to left: places stay with their cells."""
        if part.pattern is None:
            return Part(part.after, part.before, None, part.names)
        places = [bare(word)[1] for word in part.before]
        back = [f"{word}[{place}]" if place else word for word, place in zip(part.after, places, strict=True)]
        plain = [bare(word)[0] for word in part.before]
        return Part(back, plain, Pattern(self.world, split_rows(back), part.pattern.ways), [])

    def read_listed(self, text: str) -> Listed:
        cell, source = self.world.cell, {}
        line = re.fullmatch(r"(flip|reverse) (.*)", text)
        if line:
            cells = [cell[word] for word in line[2].split()]
            turned = dict(zip(cells, cells[::-1], strict=True))
            return Listed(self.world, turned, cells if line[1] == "flip" else [], self.swap, None, "1")
        for cycle in re.findall(r"\(([^)]*)\)", text):
            cells = [cell[word] for word in cycle.split()]
            step = dict(zip(cells[1:] + cells[:1], cells, strict=True))
            source = {new: source.get(step.get(new, new), step.get(new, new)) for new in {*source, *step}}
        swaps = [cell[word] for word in re.findall(r"~(\S+)", text)]
        return Listed(self.world, source, swaps, self.swap, None, "1")

    # -- positions

    def settled(self, position: Position, spent: set[int] | None = None) -> Position:
        """The position after everything has happened by itself, without rows that have been made already."""
        spent = spent or set()
        seen: set[tuple[Position, int, int]] = set()
        while True:
            changed = False
            for index, row in enumerate(self.after):
                while index not in spent:
                    now = next((after for after, _ in row.results(position) if after != position), None)
                    if now is None:
                        break
                    position, changed = now, True
                    if row.once:
                        spent.add(index)
                    if (position, index, len(spent)) in seen:
                        raise EndlessError
                    seen.add((position, index, len(spent)))
            if not changed:
                return position

    def moves(self, position: Position) -> dict[Position, int]:
        """The positions one move away, each with the least cost of a move to it."""
        found: dict[Position, int] = {}
        for row in self.rows:
            for after, cost in row.results(position):
                price = cost if self.costly else 1
                if found.get(after, price + 1) > price:
                    found[after] = price
        for after in self.chained(position):
            found.setdefault(after, 1)
        settled: dict[Position, int] = {}
        for after, price in found.items():
            end = self.settled(after)
            if end != position and self.lawful(end):
                settled[end] = min(price, settled.get(end, price))
        return settled

    def chained(self, position: Position) -> set[Position]:
        """The positions after one or more rows with `again` that the same piece makes."""
        rows = [row for row in self.rows if row.again]
        pending = [(after, to) for row in rows for after, _, to in row.hops(position)]
        seen = {*pending}
        while pending:
            here, piece = pending.pop()
            more = {(after, to) for row in rows for after, begin, to in row.hops(here) if begin == piece} - seen
            seen |= more
            pending += more
        return {after for after, _ in seen}

    def lawful(self, position: Position) -> bool:
        if position not in self.judged:
            self.judged[position] = not any(law(position, {}) for law in self.laws)
        return self.judged[position]

    def is_position(self, position: Position) -> bool:
        """Whether an arrangement of symbols is a position: cells with a range show a number of it."""
        return self.world.in_ranges(position)

    def is_goal(self, position: Position) -> bool:
        return any(goal(position, {}) for goal in self.goals)


class Stack(Puzzle):
    """A file with `rule: stack`: each row of the drawing is a stack, its floor at the left."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.stacks = self.world.lines(False)
        count_of = range(1, len(self.stacks) + 1)
        order = " ".join(self.keys.get("order", ())).split()
        self.rank = {symbol: order.index(symbol) if order else value(symbol) for symbol in self.world.symbols - {"."}}
        self.colour = {
            symbol: row.partition("=")[0].strip()
            for row in self.keys.get("colours", ())
            for symbol in row.partition("=")[2].split()
        }
        self.pairs = set(permutations(count_of, 2))
        if "between" in self.keys:
            pairs = re.findall(r"(\d+)([->])(\d+)", " ".join(self.keys["between"]))
            self.pairs = {(int(a), int(b)) for a, _, b in pairs} | {
                (int(b), int(a)) for a, sign, b in pairs if sign == "-"
            }

    def rule(self, key: str, row: int, default: str) -> str:
        return " ".join(self.keys.get(f"{key} {row}", self.keys.get(key, [default])))

    def content(self, position: Position, row: int) -> list[str]:
        return [position[cell] for cell in self.stacks[row - 1] if position[cell] != "."]

    def may_lie(self, piece: str, top: str | None, row: int) -> bool:
        """Whether a piece may be put on another one, or on the floor, of a row."""
        said = self.rule("put", row, "on anything")
        if top is None:
            only = re.search(r"on empty: (.*)", said)
            return piece in self.world.shown(only[1].split()) if only else "never on empty" not in said
        if "of another colour" in said and self.colour[piece] == self.colour[top]:
            return False
        way = re.match(r"on (anything|equal|next larger|next smaller|larger|smaller)", said)
        gap = 0 if not way or way[1] in ("anything", "equal") else self.rank[top] - self.rank[piece]
        return {
            "anything": True, "equal": top == piece, "larger": gap > 0, "smaller": gap < 0, "next larger": gap == 1,
            "next smaller": gap == -1,
        }[way[1] if way else "anything"]  # fmt: skip

    def is_position(self, position: Position) -> bool:
        """Whether no piece lies over a blank."""
        return all(
            position[cell] == "." or position[below] != "."
            for stack in self.stacks
            for below, cell in zip(stack, stack[1:], strict=False)
        )

    def groups(self, stack: list[str], row: int, room: int) -> Iterator[list[str]]:
        """The pieces that a move may take, from the lowest one in the new stack to the highest."""
        said = self.rule("take", row, "one")
        if said == "equal":
            same = next((k for k, piece in enumerate(stack[::-1]) if piece != stack[-1]), len(stack))
            yield stack[len(stack) - min(same, room) :]
        elif said != "none":
            for number in range(1, (1 if said == "one" else min(len(stack), room)) + 1):
                taken = stack[len(stack) - number :]
                yield taken[::-1] if said == "several in reverse" else taken

    def moves(self, position: Position) -> dict[Position, int]:
        found: dict[Position, int] = {}
        for one, other in self.pairs:
            stack, target = self.content(position, one), self.content(position, other)
            room = len(self.stacks[other - 1]) - len(target)
            for group in self.groups(stack, one, room) if stack and room else ():
                tops = [target[-1] if target else None, *group]
                together = self.rule("take", one, "one") != "several in reverse"
                checks = list(zip(group, tops, strict=False))[: 1 if together else None]
                if all(self.may_lie(piece, top, other) for piece, top in checks):
                    after = list(position)
                    for row, content in ((one, stack[: len(stack) - len(group)]), (other, target + group)):
                        for cell, symbol in zip(self.stacks[row - 1], content + ["."] * 99, strict=False):
                            after[cell] = symbol
                    if self.lawful(tuple(after)):
                        found[tuple(after)] = 1
        found.pop(position, None)
        return found


def read(text: str) -> Puzzle:
    """Read a well-formed file."""
    return (Stack if reference.sections(text)["rule"] == ["stack"] else Puzzle)(text)


def depths_from_start(puzzle: Puzzle, limit: int = 1 << 30) -> dict[Position, int]:
    """The least cost of each position that the start reaches; raises ValueError if they are more than the limit."""
    found: dict[Position, int] = {}
    queue, order = [(0, 0, puzzle.start)], count(1)
    while queue:
        depth, _, position = heappop(queue)
        if position in found:
            continue
        found[position] = depth
        if len(found) > limit:
            raise ValueError(limit)
        for after, cost in puzzle.moves(position).items():
            if after not in found:
                heappush(queue, (depth + cost, next(order), after))
    return found


def numbers(puzzle: Puzzle, limit: int = 1 << 30) -> dict[str, int | None]:
    """The numbers of `known: from start`: states, depth, hardest, solution (None if no goal is reached)."""
    depths = depths_from_start(puzzle, limit)
    deepest = max(depths.values())
    return {
        "states": len(depths),
        "depth": deepest,
        "hardest": sum(depth == deepest for depth in depths.values()),
        "solution": min((depth for position, depth in depths.items() if puzzle.is_goal(position)), default=None),
    }


def known(text: str) -> dict[str, int]:
    """The numbers that a file says."""
    said = " ".join(reference.sections(text).get("known", ()))
    return {word: int(number) for word, number in re.findall(r"(states|depth|hardest|solution) (\d+)", said)}
